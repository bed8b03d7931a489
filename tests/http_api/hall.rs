//! A server without sockets: tables and a lobby on real workers, a store in memory, time and
//! chance in the test's hand, and players who speak to tables as sessions do.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::harness::hall::OPERATOR;
use crate::harness::thinker::FirstFree;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, Method, Request, StatusCode};
use hexhall::accounts::Accounts;
use hexhall::chance::Chance;
use hexhall::game::Move;
use hexhall::game::clock::Stamp;
use hexhall::gateway::Settings;
use hexhall::gateway::limits::Each;
use hexhall::gateway::live::Live;
use hexhall::gateway::outbox::{Bounds, Drain, Outgoing, outbox};
use hexhall::gateway::routes::LobbyAsk;
use hexhall::http::api::me::Identity;
use hexhall::http::api::{self, Api};
use hexhall::ids::{GameId, PlayerId, SessionId, TableId};
use hexhall::lobby::actor::{Board, Limits};
use hexhall::lobby::{Lobby, Tables};
use hexhall::operator::token::Key;
use hexhall::operator::{Desk, Operator};
use hexhall::store::{self, CredentialRow, Faults, PlayerRow, Store};
use hexhall::table::beginning::Services;
use hexhall::table::handle::{self, Ask, Command, CommandId, Player, ReplyTo, SessionRef};
use hexhall::table::state::Spans;
use hexhall::time::TimeSource;
use hexhall::workers::Workers;
use hexhall_proto::codec::{Format, decode_server};
use hexhall_proto::options::{OptionsRequest, Preset, Swap};
use hexhall_proto::reply::{Reply, ServerFrame};
use serde_json::Value;
use tower::ServiceExt;

pub const START: Stamp = Stamp(1_795_953_600_000);

pub struct Hall {
    pub router: Router,
    pub store: Store,
    pub faults: Faults,
    pub time: TimeSource,
    pub accounts: Accounts,
    pub live: Arc<Live>,
    tables: Tables,
    lobby: Lobby,
    chance: Chance,
    sessions: AtomicU64,
}

/// An answer, read to its end.
#[derive(Debug)]
pub struct Got {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: String,
}

/// A player with one session.
pub struct Guest<'a> {
    hall: &'a Hall,
    pub session: Arc<SessionRef>,
    pub drain: Drain,
    asked: u64,
}

/// A table where a game has just begun.
pub struct Begun<'a> {
    pub table: TableId,
    pub game: GameId,
    pub invitation: Option<String>,
    pub players: [Guest<'a>; 2],
}

/// Two rows and two columns, no clock: red wins in three moves.
pub fn tiny() -> OptionsRequest {
    OptionsRequest {
        preset: Some(Preset::Custom),
        size: Some(2),
        swap: Some(Swap::Off),
        time: Some(hexhall_proto::options::Time::None {}),
        on_leave: Some(hexhall_proto::options::OnLeave::Claim),
        ..OptionsRequest::default()
    }
}

impl Hall {
    pub fn open() -> Hall {
        Hall::with(Some(Key::of(OPERATOR)))
    }

    /// A server whose operator has no token.
    pub fn without_operator() -> Hall {
        Hall::with(None)
    }

    fn with(operator: Option<Key>) -> Hall {
        let faults = Faults::switchable();
        let store =
            Store::memory_with(store::Options { faults: faults.clone(), ..Default::default() });
        let (time, chance) = (TimeSource::manual(START), Chance::seeded([7; 32]));
        let workers = Arc::new(Workers::start(NonZeroUsize::MIN).unwrap());
        let board = Arc::new(Board::default());
        let services = Services {
            store: store.clone(),
            time: time.clone(),
            fresh: Arc::new({
                let (time, chance) = (time.clone(), chance.clone());
                move || chance.game(time.now())
            }),
            listings: Arc::clone(&board) as _,
            besides_moves: Arc::new(Each::new(None, time.clone())),
            thinker: Arc::new(FirstFree),
            spans: Spans::default(),
            history: 64,
            mailbox: 64,
            put_away_ms: 60_000,
        };
        let (tables, _) = Tables::new(Arc::clone(&workers), services);
        let limits = Limits::default();
        let lobby =
            Lobby::start(&workers, tables.clone(), board, chance.clone(), limits, Vec::new());
        let accounts = Accounts::new(store.clone(), time.clone(), chance.clone()).limited();
        let live = Arc::new(Live::default());
        store.tell({
            let live = Arc::clone(&live);
            move |change| live.changed(change)
        });
        // Everybody here asks from a loopback address.
        let settings = Arc::new(Settings { exempt_local: false, ..Settings::default() });
        let identity = Identity { accounts: accounts.clone(), settings };
        let desk = Desk {
            store: store.clone(),
            time: time.clone(),
            chance: chance.clone(),
            live: Arc::clone(&live),
            lobby: lobby.clone(),
        };
        let operator = operator.map(|key| Arc::new(Operator::new(key, desk, true)));
        let router = api::router(Api {
            tables: tables.clone(),
            lobby: lobby.clone(),
            store: store.clone(),
            time: time.clone(),
            identity,
            operator,
        });
        let sessions = AtomicU64::new(0);
        Hall { router, store, faults, time, accounts, live, tables, lobby, chance, sessions }
    }

    pub async fn get(&self, path: &str) -> Got {
        self.ask(Method::GET, path, &[]).await
    }

    pub async fn ask(&self, method: Method, path: &str, headers: &[(&str, &str)]) -> Got {
        self.say(method, path, headers, "").await
    }

    pub async fn say(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Got {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let peer = ConnectInfo(SocketAddr::from(([127, 0, 0, 1], 4_711)));
        let request = request.extension(peer).body(Body::from(body.to_owned())).unwrap();
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        let body = String::from_utf8(body.into()).unwrap();
        Got { status: parts.status, headers: parts.headers, body }
    }

    pub fn guest(&self, name: &str) -> Guest<'_> {
        let id = self.chance.player(self.time.now());
        self.session_of(Player { id, name: name.into(), cpu: None, bot: false })
    }

    pub fn session_of(&self, player: Player) -> Guest<'_> {
        let (outbox, drain) = outbox(Bounds { frames: 64, bytes: 1 << 18 });
        let id = SessionId(self.sessions.fetch_add(1, Ordering::Relaxed));
        let session = SessionRef::new(id, player, Format::Json, outbox);
        Guest { hall: self, session: Arc::new(session), drain, asked: 0 }
    }

    /// Opens a table, seats both players, and waits for their game.
    pub async fn begin(&self, options: OptionsRequest, private: bool) -> Begun<'_> {
        let (mut ada, mut bo) = (self.guest("Ada"), self.guest("Bo"));
        let (table, invitation) = ada.open(options, private).await;
        let game = bo.join(table, invitation.clone()).await;
        Begun { table, game, invitation, players: [ada, bo] }
    }
}

impl Guest<'_> {
    pub fn id(&self) -> PlayerId {
        self.session.player.id
    }

    /// Has the store know the player, as one who has said hello.
    pub async fn register(&self) {
        let Player { id, name, .. } = &self.session.player;
        let row = PlayerRow { id: *id, name: name.to_string(), created_ms: START.0, owner: None };
        let text = id.to_string();
        let token = std::array::from_fn(|i| text.as_bytes()[i % text.len()]);
        let key = text.replace("plr_", "key_").parse().unwrap();
        let device = CredentialRow::device(key, *id, token, START.0);
        self.hall.store.create_player(row, device).await.unwrap();
    }

    /// Opens a table: its name, and its invitation if it is private.
    pub async fn open(
        &mut self,
        options: OptionsRequest,
        private: bool,
    ) -> (TableId, Option<String>) {
        let reply = self.reply_to();
        self.hall.lobby.ask(
            reply,
            self.hall.time.now(),
            LobbyAsk::Open { options, private, cpu: None, party: None },
        );
        match self.replied().await {
            Reply::Opened { invitation, view } => (view.table.parse().unwrap(), invitation),
            other => panic!("not opened: {other:?}"),
        }
    }

    /// Takes the free seat, and so begins a game.
    pub async fn join(&mut self, table: TableId, invitation: Option<String>) -> GameId {
        match self.ask(table, Ask::Join { seat: None, invitation }).await {
            Reply::Joined { view, .. } => view.game.unwrap().id.parse().unwrap(),
            other => panic!("not joined: {other:?}"),
        }
    }

    /// Does something at a table, as the next command.
    pub async fn command(&mut self, table: TableId, command: Command) -> Reply {
        let id = CommandId::new(&format!("c{}", self.asked)).unwrap();
        self.ask(table, Ask::Command { id, command, seat: None }).await
    }

    async fn hand_over(&mut self, table: TableId, ask: Ask) {
        let handle = self.hall.tables.find(table).await.unwrap();
        let (reply, at) = (self.reply_to(), self.hall.time.now());
        handle.request(handle::Request { reply, at, round_trip: None, ask }).unwrap();
    }

    /// Gives a game up, and waits for nothing.
    pub async fn resign_unanswered(&mut self, table: TableId, game: GameId) {
        let id = CommandId::new("resign").unwrap();
        let command = Command::Resign(game);
        self.hand_over(table, Ask::Command { id, command, seat: None }).await;
    }

    async fn ask(&mut self, table: TableId, ask: Ask) -> Reply {
        self.hand_over(table, ask).await;
        self.replied().await
    }

    fn reply_to(&mut self) -> ReplyTo {
        self.asked += 1;
        ReplyTo::new(Arc::clone(&self.session), self.asked)
    }

    async fn replied(&mut self) -> Reply {
        loop {
            if let Outgoing::Reply(bytes) = self.drain.next().await.unwrap() {
                match decode_server(Format::Json, &bytes).unwrap() {
                    ServerFrame::Reply(frame) => return frame.reply,
                    other => panic!("not a reply: {other:?}"),
                }
            }
        }
    }
}

impl Begun<'_> {
    /// Plays these cells in turn, seat 1 first, from this turn on.
    pub async fn play(&mut self, from: u64, cells: &[&str]) {
        for (turn, cell) in (from..).zip(cells) {
            let action = Move::Place(cell.parse().unwrap());
            let command = Command::Play { game: self.game, turn, action };
            let reply = self.players[turn as usize % 2].command(self.table, command).await;
            assert!(matches!(reply, Reply::Moved { .. }), "{cell}: {reply:?}");
        }
    }

    /// The whole game on a tiny board.
    pub async fn play_out(&mut self) {
        self.play(0, &["a1", "b1", "a2"]).await;
    }

    /// Both ask for another game: its name.
    pub async fn rematch(&mut self) -> GameId {
        use hexhall_proto::parts::OfferKind;
        for player in &mut self.players {
            let offer = Command::Offer(self.game, OfferKind::Rematch);
            let reply = player.command(self.table, offer).await;
            assert!(matches!(reply, Reply::Offered { .. }), "{reply:?}");
        }
        let seen = self.players[0].hall.tables.find(self.table).await.unwrap();
        let seen = seen.look(self.invitation.clone()).await.unwrap().unwrap();
        seen.view.game.unwrap().id.parse().unwrap()
    }
}

impl Got {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The code of a refusal, which is told in JSON and with a sentence.
    #[track_caller]
    pub fn refused(&self, status: StatusCode) -> (String, String) {
        assert_eq!(self.status, status, "{}", self.body);
        assert_eq!(self.header("content-type"), "application/json");
        assert_eq!(self.header("cache-control"), "no-store");
        let problem = self.json();
        let text = |field: &str| problem[field].as_str().unwrap().to_owned();
        let fields = 2 + usize::from(problem["code"] == "name_taken");
        assert_eq!(problem.as_object().unwrap().len(), fields, "{problem}");
        (text("code"), text("message"))
    }
}
