//! The lobby actor: answers what sessions ask of the lobby, and tells the followers of the public
//! list what changes.
//!
//! Tables put what has changed on a board, the newest value of each, and ring; the actor takes the
//! whole board with whatever message it handles next. So the board is bounded by the number of
//! tables, and a ring that finds the mailbox full is no loss.

pub(super) mod board;
mod gathering;
mod turn;

use std::collections::HashMap;
use std::sync::Arc;

use actix::prelude::*;
use bytes::Bytes;
use hexhall_proto::codec::{Format, encode};
use hexhall_proto::error::{Code, ErrorBody};
use hexhall_proto::event::LobbyEvent;
use hexhall_proto::options::OptionsRequest;
use hexhall_proto::party::{OpenParty, Turns};
use hexhall_proto::reply::Reply;
use hexhall_proto::request::CpuSeat;
use hexhall_proto::seek::ListedSeek;
use hexhall_proto::view::Listing;
use metrics::{Counter, counter, describe_counter};
use tokio::sync::oneshot;

use crate::chance::Chance;
use crate::cpu::Level;
use crate::game::clock::Stamp;
use crate::gateway::follows::MOST_WATCHED;
use crate::gateway::limits::Each;
use crate::gateway::outbox::Epoch;
use crate::gateway::routes::LobbyAsk;
use crate::gateway::settings::Allowance;
use crate::ids::{PlayerId, SessionId, TableId};
use crate::store::{TableRow, TableStatus};
use crate::table::beginning::{Beginning, Listed, Opener};
use crate::table::handle::{NotTaken, ReplyTo, SessionRef};
use crate::table::options::{House, Options, OptionsError};
use crate::table::state::refusal::Refusal;
use crate::table::state::{State, opening, party};
use crate::wire;
use crate::workers::Workers;

use super::directory::{Tables, spectator_delay_ms};
use super::pairing::Pairing;
use super::seeking::Seeking;
use super::state::{ListedAs, LobbyState, SHOWN_SEEKS, seats};
use super::told;

pub use board::Board;

/// Messages that may wait for the lobby. Beyond these, requests are answered `busy`.
const MAILBOX: usize = 1_024;

/// The door to the lobby.
#[derive(Clone)]
pub struct Lobby {
    address: Addr<LobbyActor>,
    board: Arc<Board>,
}

/// How much one player may have and do. Without limits, any number of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// At how many tables a player may sit.
    pub tables_each: Option<usize>,
    /// How many codes of parties a player may try.
    pub codes: Option<Allowance>,
}

impl Limits {
    /// What a player may do on a server that is open to everybody: beside so many tables, 30 codes
    /// an hour, which is enough for slips. With a thousand parties, one guess in 190,000 is right.
    pub fn usual(tables_each: usize) -> Limits {
        Limits { tables_each: Some(tables_each), codes: Some(Allowance::an_hour(30)) }
    }
}

impl Lobby {
    /// Starts the lobby with the tables that were there before. Seeks are kept for as long after
    /// their player's last session as a seat is in a running game.
    pub fn start(
        workers: &Workers,
        tables: Tables,
        board: Arc<Board>,
        chance: Chance,
        limits: Limits,
        rows: Vec<TableRow>,
    ) -> Lobby {
        let actor_board = Arc::clone(&board);
        let codes_tried = Each::new(limits.codes, tables.services().time.clone());
        let kept_ms = tables.services().spans.countdown.lost_ms;
        describe_counter!("hexhall_lobby_panics_total", "Panics that the lobby went on after");
        let address = workers.start_actor(0, move |ctx: &mut Context<LobbyActor>| {
            ctx.set_mailbox_capacity(MAILBOX);
            let mut actor = LobbyActor {
                state: LobbyState::default(),
                followers: HashMap::new(),
                board: actor_board,
                tables,
                chance,
                tables_each: limits.tables_each,
                codes_tried,
                pairing: Pairing::new(kept_ms),
                seeking: Seeking::new(),
                mended: false,
                panics: counter!("hexhall_lobby_panics_total"),
            };
            // A table that is seen late says by itself what may be shown of it. Nobody has come back yet.
            let live = rows.into_iter().filter(|row| spectator_delay_ms(row) == 0);
            live.for_each(|row| actor.take_in(&Listed { row, seated: None, gone: true }));
            actor
        });
        board.hang_up(address.clone(), limits.tables_each);
        Lobby { address, board }
    }

    /// Hands a request over. One that is not taken answers itself.
    pub fn ask(&self, reply: ReplyTo, at: Stamp, ask: LobbyAsk) {
        let _ = self.address.try_send(Asked { reply, at, ask });
    }

    /// A session starts afresh: with the list, if it `follows` that, and with what its player
    /// seeks.
    pub fn refresh(&self, session: Arc<SessionRef>, follows: bool) -> Result<(), NotTaken> {
        Ok(self.address.try_send(Refresh { session, follows })?)
    }

    /// A session has said `hello`.
    pub fn came(&self, session: &Arc<SessionRef>) {
        self.board.online.came(session);
        self.board.ring();
    }

    /// A session has ended. If the mailbox is full, a follower's outbox tells when it is next
    /// written to.
    pub fn gone(&self, session: &SessionRef, followed: bool) {
        self.board.online.went(session);
        self.board.ring();
        if followed {
            let _ = self.address.try_send(Gone(session.id));
        }
    }

    /// A player goes from wherever they are: from what they seek, and from their tables, as if they
    /// had said so there. Returns once all of these were told.
    pub async fn turn_out(&self, player: PlayerId) {
        // Nothing is sent: it ends as it is dropped.
        let _ = self.board.turn_out(player).await;
    }

    /// The public tables that are wanted, `most` of them at most, the newest first.
    pub async fn public(
        &self,
        most: usize,
        wanted: impl Fn(&Listing) -> bool + Send + 'static,
    ) -> Result<Vec<Listing>, NotTaken> {
        let (answer, listings) = oneshot::channel();
        self.address.try_send(List { most, wanted: Box::new(wanted), answer })?;
        listings.await.map_err(|_| NotTaken::Ended)
    }

    /// The tables where a player sits, `most` of them at most, the newest first.
    pub async fn seated(&self, player: PlayerId, most: usize) -> Result<Vec<TableId>, NotTaken> {
        let (answer, tables) = oneshot::channel();
        self.address.try_send(Seated { player, most, answer })?;
        tables.await.map_err(|_| NotTaken::Ended)
    }
}

/// The lobby.
pub struct LobbyActor {
    pub(super) state: LobbyState,
    followers: HashMap<SessionId, Follower>,
    pub(super) board: Arc<Board>,
    pub(super) tables: Tables,
    pub(super) chance: Chance,
    pub(super) tables_each: Option<usize>,
    /// Codes of parties, by who tries them: a code opens private tables, and must not be guessed.
    codes_tried: Each<PlayerId>,
    pub(super) pairing: Pairing,
    pub(super) seeking: Seeking,
    /// Something was made whole after a panic, and not everybody was shown everything since.
    mended: bool,
    panics: Counter,
}

struct Follower {
    session: Arc<SessionRef>,
    epoch: Epoch,
}

struct Asked {
    reply: ReplyTo,
    at: Stamp,
    ask: LobbyAsk,
}

struct Refresh {
    session: Arc<SessionRef>,
    follows: bool,
}

struct Gone(SessionId);

struct Look;

struct List {
    most: usize,
    wanted: Box<dyn Fn(&Listing) -> bool + Send>,
    answer: oneshot::Sender<Vec<Listing>>,
}

struct Seated {
    player: PlayerId,
    most: usize,
    answer: oneshot::Sender<Vec<TableId>>,
}

macro_rules! messages {
    ($($message:ty),+) => {
        $(impl Message for $message { type Result = (); })+
    };
}

messages!(Asked, Refresh, Gone, Look, List, Seated);

impl Actor for LobbyActor {
    type Context = Context<Self>;
}

impl LobbyActor {
    /// The time now.
    pub(super) fn now(&self) -> Stamp {
        self.tables.services().time.now()
    }

    fn change(&mut self, Listed { row, seated, gone }: &Listed) {
        let listing = match serde_json::from_slice::<Listing>(&row.listing) {
            Ok(listing) => Listing { gone: *gone, ..listing },
            Err(error) => {
                return tracing::error!(table = %row.id, %error, "a table's row cannot be read");
            }
        };
        let closed = row.status == TableStatus::Closed;
        let seated = seated.unwrap_or_else(|| if closed { [None; 2] } else { seats(&listing) });
        let before = self.state.seated_at(row.id);
        let now = match row.public {
            _ if closed => ListedAs::Closed,
            true => ListedAs::Public,
            false => ListedAs::Private,
        };
        let event = self.state.change(row.id, listing, now, seated);
        for player in before.into_iter().chain(seated).flatten() {
            self.board.note_held(player, self.state.held(player));
        }
        if let Some(event) = event {
            self.tell(&event);
        }
    }

    pub(super) fn tell(&mut self, event: &LobbyEvent) {
        self.followers.retain(|_, follower| !follower.session.outbox.is_closed());
        let mut written: [Option<Bytes>; 2] = [None, None];
        for Follower { session, epoch } in self.followers.values() {
            let slot = match session.format {
                Format::Json => &mut written[0],
                Format::MsgPack => &mut written[1],
            };
            let frame = slot.get_or_insert_with(|| encode(session.format, event).into());
            // Whoever is behind starts afresh by itself.
            let _ = session.outbox.stream(*epoch, frame.clone());
        }
    }

    /// What whoever follows the list is shown, whole.
    fn lists(&self) -> LobbyEvent {
        let (tables, seeks) = (self.state.shown(), self.shown_seeks());
        LobbyEvent::Tables { tables, seeks, players: self.board.online.players() as u64 }
    }

    /// The seeks that a follower of the list is shown.
    fn shown_seeks(&self) -> Vec<ListedSeek> {
        self.pairing.listed(SHOWN_SEEKS).map(told::listed).collect()
    }

    fn follow(&mut self, session: Arc<SessionRef>) {
        if session.follows.lobby().is_err() {
            return;
        }
        let epoch = session.outbox.epoch();
        self.followers.insert(session.id, Follower { session, epoch });
    }

    fn answer(&mut self, reply: ReplyTo, at: Stamp, ask: LobbyAsk, ctx: &mut Context<Self>) {
        match ask {
            LobbyAsk::Open { options, private, cpu, party } => {
                match Wanted::resolve(&options, cpu, party) {
                    Ok(wanted) => self.open(reply, at, wanted, private, ctx),
                    Err(error) => refuse(reply, Code::BadOptions, error.to_string()),
                }
            }
            LobbyAsk::JoinParty { code, plays } => self.join_party(reply, at, &code, plays, ctx),
            LobbyAsk::Seek { wanted, answer } => self.seek(reply, wanted, answer, ctx),
            LobbyAsk::Unseek(seek) => self.unseek(reply, seek),
            LobbyAsk::Ready(id) => self.ready(reply, id),
            LobbyAsk::Follow => {
                self.follow(Arc::clone(reply.session()));
                let (tables, seeks) = (self.state.shown(), self.shown_seeks());
                let players = self.board.online.players() as u64;
                reply.answer(Reply::Lobby { tables, seeks, players, pools: told::POOLS.clone() });
            }
            LobbyAsk::Unfollow => {
                reply.session().follows.leave_lobby();
                self.followers.remove(&reply.session().id);
                reply.answer(Reply::Done {});
            }
        }
    }

    fn refresh(&mut self, Refresh { session, follows }: Refresh) {
        if follows {
            // First: it is shown everything with the others if there is a panic in what follows.
            self.follow(Arc::clone(&session));
            let frame = encode(session.format, &self.lists()).into();
            // If it is behind already, it starts afresh once more.
            let _ = session.outbox.stream(session.outbox.epoch(), frame);
        }
        self.show_seeks(&session);
        self.show_last_match(&session);
    }

    fn open(
        &mut self,
        reply: ReplyTo,
        at: Stamp,
        Wanted { options, house, party }: Wanted,
        private: bool,
        ctx: &mut Context<Self>,
    ) {
        let services = self.tables.services();
        let table = self.chance.table(services.time.now());
        let player = reply.session().player_now();
        // Since they came in: their sessions are about to end.
        if services.store.banned(player.id, at.0).is_some() {
            return refuse(reply, Code::Banned, Refusal::Banned.to_string());
        }
        if !reply.session().follows.has_room(table) {
            let refusal = Refusal::WatchesEnough(MOST_WATCHED);
            return reply.answer(Reply::Error(wire::refusal(&refusal)));
        }
        if let Err((_, error)) = self.state.open(table, &[player.id], self.tables_each) {
            return refuse(reply, Code::TooManyTables, error.to_string());
        }
        // Dropped without a word, as in a panic too, the table holds nobody's place.
        let (lobby, stands) = oneshot::channel();
        Self::later(ctx, "hearing of a new table", stands, move |actor, _, stands| {
            if stands.is_err() {
                actor.state.not_opened(table);
            }
        });
        let Ok(slot) = services.store.reserve() else {
            // Dropped unanswered, the reply says that the server is busy.
            return drop(reply);
        };
        // As a seat that is taken does: whoever opens tables may leave them.
        if let Err(wait) = services.besides_moves.admit(player.id) {
            return reply.answer(Reply::Error(wire::refusal(&Refusal::TooOften(wait))));
        }
        let code = party.map(|_| self.state.codes.take(table, || self.chance.number()));
        if code == Some(None) {
            return drop(reply);
        }
        let invitation = private.then(|| self.chance.invitation());
        let state = State::new(table, services.spans, options, invitation.clone(), at);
        let fresh = Arc::clone(&services.fresh);
        let mut events = opening::opening(options, invitation, &player, house, at, || fresh());
        if let (Some(code), Some((turns, level))) = (code.flatten(), party) {
            // Right after the opening, before anybody sits down.
            events.splice(1..1, party::formed(code, turns, level, &player, at));
        }
        let opener = Opener { lobby, asked: Some(reply) };
        let beginning = Beginning::Opened { state: Box::new(state), events, slot, opener };
        self.tables.open(table, beginning);
    }
}

/// A table as somebody wants it.
struct Wanted {
    options: Options,
    house: Option<House>,
    party: Option<(Turns, Level)>,
}

impl Wanted {
    fn resolve(
        options: &OptionsRequest,
        cpu: Option<CpuSeat>,
        party: Option<OpenParty>,
    ) -> Result<Wanted, OptionsError> {
        let options = Options::resolve(options)?;
        let party = party.map(|party| options.party(party, cpu)).transpose()?;
        let house = cpu.map(|cpu| options.house(cpu)).transpose()?;
        Ok(Wanted { options, house, party })
    }
}

pub(super) fn refuse(reply: ReplyTo, code: Code, message: String) {
    reply.answer(Reply::Error(ErrorBody::new(code, message)));
}

impl Handler<Asked> for LobbyActor {
    type Result = ();

    fn handle(&mut self, asked: Asked, ctx: &mut Context<Self>) {
        let Asked { reply, at, ask } = asked;
        self.turn(ctx, "answering", move |actor, ctx| actor.answer(reply.in_hand(), at, ask, ctx));
    }
}

impl Handler<Refresh> for LobbyActor {
    type Result = ();

    fn handle(&mut self, refresh: Refresh, ctx: &mut Context<Self>) {
        self.turn(ctx, "showing a session everything", |actor, _| actor.refresh(refresh));
    }
}

impl Handler<Gone> for LobbyActor {
    type Result = ();

    fn handle(&mut self, Gone(session): Gone, ctx: &mut Context<Self>) {
        self.turn(ctx, "seeing a session off", |actor, _| drop(actor.followers.remove(&session)));
    }
}

impl Handler<Look> for LobbyActor {
    type Result = ();

    fn handle(&mut self, _: Look, ctx: &mut Context<Self>) {
        self.turn(ctx, "looking at the board", |_, _| ());
    }
}

impl Handler<List> for LobbyActor {
    type Result = ();

    fn handle(&mut self, List { most, wanted, answer }: List, ctx: &mut Context<Self>) {
        self.turn(ctx, "listing tables", move |actor, _| {
            let listings = actor.state.public().filter(|listing| wanted(listing)).take(most);
            // Whoever asked may have gone.
            let _ = answer.send(listings.cloned().collect());
        });
    }
}

impl Handler<Seated> for LobbyActor {
    type Result = ();

    fn handle(&mut self, Seated { player, most, answer }: Seated, ctx: &mut Context<Self>) {
        self.turn(ctx, "listing somebody's tables", move |actor, _| {
            // Whoever asked may have gone.
            let _ = answer.send(actor.state.seated(player, most));
        });
    }
}
