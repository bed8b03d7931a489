//! Tables on the test's own thread, without sockets: what waits in a mailbox stays there until the
//! test waits for something, and a table dies when the test wants it to.
//!
//! To be used inside a `LocalSet`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use hexhall::chance::Chance;
use hexhall::game::clock::{Millis, Stamp};
use hexhall::gateway::limits::Each;
use hexhall::gateway::outbox::{Bounds, Drain, Outgoing, outbox};
use hexhall::gateway::routes::LobbyAsk;
use hexhall::ids::{SessionId, TableId};
use hexhall::lobby::actor::{Board, Limits};
use hexhall::lobby::{Lobby, Tables};
use hexhall::store::{Faults, Options, Store};
use hexhall::table::beginning::Services;
use hexhall::table::handle::{Ask, Command, CommandId, Player, ReplyTo, Request, SessionRef};
use hexhall::table::state::Spans;
use hexhall::time::TimeSource;
use hexhall::workers::Workers;
use hexhall_proto::codec::{Format, decode_server};
use hexhall_proto::event::{LobbyEvent, StreamFrame};
use hexhall_proto::options::OptionsRequest;
use hexhall_proto::party::OpenParty;
use hexhall_proto::reply::{Reply, ReplyFrame, ServerFrame};
use hexhall_proto::view::Listing;
use tempfile::TempDir;
use tokio::task::{JoinHandle, spawn_local};

use super::hall::DAWN;
use super::patiently;
use super::thinker::FirstFree;

/// Places in a table's mailbox.
const MAILBOX: usize = 256;

/// A lobby and its tables.
pub struct Bench {
    /// The time, which stands until it is moved.
    pub time: TimeSource,
    /// The tables.
    pub tables: Tables,
    /// What their journal meets.
    pub faults: Faults,
    /// Who opens them, and pairs people.
    pub lobby: Lobby,
    chance: Chance,
    sessions: AtomicU64,
    deadly: Arc<AtomicUsize>,
    revival: JoinHandle<()>,
    /// Where the journal is, if that is not in memory.
    _folder: Option<TempDir>,
}

impl Bench {
    /// Nobody there, and no table; the journal is in memory.
    pub fn new() -> Bench {
        Bench::on(None)
    }

    /// The same with a journal on a disk: what is read takes its time.
    pub fn kept() -> Bench {
        Bench::on(Some(tempfile::tempdir().unwrap()))
    }

    fn on(folder: Option<TempDir>) -> Bench {
        let time = TimeSource::manual(DAWN);
        let chance = Chance::seeded([3; 32]);
        let workers = Arc::new(Workers::local());
        let board = Arc::new(Board::default());
        let deadly = Arc::new(AtomicUsize::new(0));
        let fresh = {
            let (chance, time, deadly) = (chance.clone(), time.clone(), Arc::clone(&deadly));
            move || {
                let less = |left: usize| left.checked_sub(1);
                let left = deadly.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
                assert!(left.is_err(), "this table is to die");
                chance.game(time.now())
            }
        };
        let faults = Faults::switchable();
        let options = Options { time: time.clone(), faults: faults.clone(), ..Options::default() };
        let store = match &folder {
            Some(folder) => Store::open_with(folder.path(), options).unwrap(),
            None => Store::memory_with(options),
        };
        let services = Services {
            store,
            time: time.clone(),
            fresh: Arc::new(fresh),
            listings: Arc::clone(&board) as _,
            besides_moves: Arc::new(Each::new(None, time.clone())),
            thinker: Arc::new(FirstFree),
            spans: Spans::default(),
            history: 64,
            mailbox: MAILBOX,
            put_away_ms: 60_000,
        };
        let (tables, deaths) = Tables::new(Arc::clone(&workers), services);
        let revival = spawn_local(tables.clone().revive(deaths));
        let limits = Limits::default();
        let lobby =
            Lobby::start(&workers, tables.clone(), board, chance.clone(), limits, Vec::new());
        let sessions = AtomicU64::new(1);
        let _folder = folder;
        Bench { time, tables, faults, lobby, chance, sessions, deadly, revival, _folder }
    }

    /// The table that is the next to begin a game dies of it, and where the lobby begins that game
    /// for two, the lobby panics. Said twice, the next two do.
    pub fn make_deadly(&self) {
        self.deadly.fetch_add(1, Ordering::Relaxed);
    }

    /// Somebody with a session of which the lobby knows, too.
    pub fn visitor(&self, name: &str) -> Sitter {
        let sitter = self.sitter(name);
        self.lobby.came(&sitter.session);
        sitter
    }

    /// Asks the lobby something now.
    pub async fn ask_lobby(&self, sitter: &mut Sitter, ask: LobbyAsk) -> Reply {
        self.put_to_lobby(sitter, ask);
        sitter.reply().await
    }

    /// Somebody with a session.
    pub fn sitter(&self, name: &str) -> Sitter {
        let (outbox, drain) = outbox(Bounds { frames: 1_024, bytes: 1 << 24 });
        let id = SessionId(self.sessions.fetch_add(1, Ordering::Relaxed));
        let player = Player {
            id: self.chance.player(self.time.now()),
            name: name.into(),
            cpu: None,
            bot: false,
        };
        let session = SessionRef::new(id, player, Format::Json, outbox);
        let (told, told_by_lobby, heard) = Default::default();
        Sitter { session: Arc::new(session), drain, asked: 0, told, told_by_lobby, heard }
    }

    /// Another session of the same player.
    pub fn other_session(&self, of: &Sitter) -> Sitter {
        let mut other = self.sitter("another");
        let player = of.session.player.clone();
        let Sitter { session, .. } = &mut other;
        let (id, outbox) = (session.id, session.outbox.clone());
        let format = session.format;
        *session = Arc::new(SessionRef::new(id, player, format, outbox));
        other
    }

    /// Has the lobby told that somebody has come.
    pub fn arrives(&self, sitter: &Sitter) {
        self.lobby.came(&sitter.session);
    }

    /// Puts a request into the lobby's mailbox.
    pub fn put_to_lobby(&self, sitter: &mut Sitter, ask: LobbyAsk) {
        self.lobby.ask(sitter.reply_to(), self.time.now(), ask);
    }

    /// Opens a table for somebody, who takes seat 1.
    pub async fn open(&self, sitter: &mut Sitter, options: OptionsRequest) -> TableId {
        let open = LobbyAsk::Open { options, private: false, cpu: None, party: None };
        match self.ask_lobby(sitter, open).await {
            Reply::Opened { view, .. } => view.table.parse().unwrap(),
            other => panic!("not opened: {other:?}"),
        }
    }

    /// Opens a private party's table for somebody. Gives its invitation as well.
    pub async fn open_private_party(
        &self,
        sitter: &mut Sitter,
        options: OptionsRequest,
    ) -> (TableId, String) {
        let reply = sitter.reply_to();
        let party = Some(OpenParty::default());
        let ask = LobbyAsk::Open { options, private: true, cpu: None, party };
        self.lobby.ask(reply, self.time.now(), ask);
        match sitter.reply().await {
            Reply::Opened { view, invitation: Some(it) } => (view.table.parse().unwrap(), it),
            other => panic!("not opened: {other:?}"),
        }
    }

    /// The public tables, as the lobby lists them.
    pub async fn listed(&self) -> Vec<Listing> {
        self.lobby.public(usize::MAX, |_| true).await.unwrap()
    }

    /// Puts a request into the table's mailbox as one that arrived at `at`.
    pub async fn put(&self, sitter: &mut Sitter, table: TableId, at: Stamp, ask: Ask) {
        let request = Request { reply: sitter.reply_to(), at, round_trip: None, ask };
        let handle = self.tables.find(table).await.unwrap();
        handle.request(request).expect("a table that was found lives");
    }

    /// Asks a table something now.
    pub async fn ask(&self, sitter: &mut Sitter, table: TableId, ask: Ask) -> Reply {
        self.put(sitter, table, self.time.now(), ask).await;
        sitter.reply().await
    }

    /// Lets the tables work through what they have, and comes back once nothing more happens
    /// without the time moving on.
    pub async fn worked_through(&self) {
        // Everything runs on this thread, so a turn for each of the others is enough; a message
        // that leads to another takes one more.
        for _ in 0..64 {
            tokio::task::yield_now().await;
        }
    }

    /// Moves the time on.
    pub fn advance(&self, span: Millis) {
        self.time.advance(span);
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        self.revival.abort();
    }
}

/// Somebody with a session that no socket belongs to.
pub struct Sitter {
    session: Arc<SessionRef>,
    drain: Drain,
    asked: u64,
    /// The events that came, in order.
    pub told: Vec<StreamFrame>,
    /// What the lobby told, in order.
    pub told_by_lobby: Vec<LobbyEvent>,
    /// Everything that came, as it was written.
    pub heard: Vec<u8>,
}

impl Sitter {
    /// Where the reply to what is asked next goes.
    pub fn reply_to(&mut self) -> ReplyTo {
        self.asked += 1;
        ReplyTo::new(Arc::clone(&self.session), self.asked)
    }

    /// The session, as the gateway hands it to tables.
    pub fn session(&self) -> Arc<SessionRef> {
        Arc::clone(&self.session)
    }

    /// The next reply; the events before it are kept.
    pub async fn reply(&mut self) -> Reply {
        loop {
            match self.next().await {
                Some(ServerFrame::Reply(ReplyFrame { reply, .. })) => return reply,
                Some(ServerFrame::Stream(frame)) => self.told.push(frame),
                Some(ServerFrame::Lobby(event)) => self.told_by_lobby.push(event),
                other => panic!("in place of a reply: {other:?}"),
            }
        }
    }

    /// What comes next: a frame, or the word that everything followed must begin afresh.
    pub async fn next(&mut self) -> Option<ServerFrame> {
        match patiently("something for a session", self.drain.next()).await.unwrap() {
            Outgoing::Reply(bytes) | Outgoing::Stream(bytes) => {
                self.heard.extend_from_slice(&bytes);
                Some(decode_server(Format::Json, &bytes).unwrap())
            }
            Outgoing::Restart { .. } | Outgoing::End(_) => None,
        }
    }
}

/// A command under a name.
pub fn command(name: &str, command: Command) -> Ask {
    Ask::Command { id: CommandId::new(name).unwrap(), command, seat: None }
}
