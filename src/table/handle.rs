//! What the rest of the server says to a table, and through which door.
//!
//! A message never waits: a full mailbox is answered `busy` by whoever sends. The answer comes
//! through the asking session's outbox, once the journal holds what it tells.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use actix::Addr;
use actix::prelude::SendError;
use hexhall_proto::chat::Room;
use hexhall_proto::codec::Format;
use hexhall_proto::parts::OfferKind;
use hexhall_proto::request::Last;
use hexhall_proto::view::View;
use tokio::sync::oneshot;

use crate::cpu::Level;
use crate::game::clock::{Millis, Stamp};
use crate::game::{Move, Seat};
use crate::gateway::follows::Follows;
use crate::gateway::outbox::Outbox;
use crate::ids::{GameId, PlayerId, SessionId};
use crate::record::Record;
use crate::store::ReportLine;

use super::actor::TableActor;
use super::delayed::Stage;
use super::evidence::AskEvidence;
use super::seen::KeepSeen;
use super::sitting::{AskSitting, Renamed, Sitting};
use super::state::party::PartyCommand;
use super::state::party::code::PartyCode;
use super::state::plan::Plan;
use super::state::refusal::Refusal;
use super::turned_out::TurnOut;

pub use super::reply_to::{RETRY_MS, ReplyTo};

/// The door to one table's actor.
#[derive(Clone, Debug)]
pub struct Handle {
    /// Shared and not cloned: each clone of an address may put one message more into a mailbox
    /// that is full.
    address: Arc<Addr<TableActor>>,
    sweep: Arc<AtomicBool>,
}

/// The table's actor has ended, or its mailbox is full.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotTaken {
    /// Ended: whoever asks again rebuilds the table.
    Ended,
    /// Full: try again.
    Full,
}

impl Handle {
    pub(super) fn new(address: Addr<TableActor>, sweep: Arc<AtomicBool>) -> Handle {
        Handle { address: Arc::new(address), sweep }
    }

    /// Whether the actor still lives.
    pub fn lives(&self) -> bool {
        self.address.connected()
    }

    /// Hands a request over; gives it back if the actor has ended. One that is not taken
    /// otherwise answers itself.
    pub fn request(&self, request: Request) -> Result<(), Box<Request>> {
        match self.address.try_send(request) {
            Err(SendError::Closed(request)) => Err(Box::new(request)),
            Ok(()) | Err(SendError::Full(_)) => Ok(()),
        }
    }

    /// A session starts to follow afresh, and is told by a whole view.
    pub fn refresh(&self, session: Arc<SessionRef>) -> Result<(), NotTaken> {
        let sent = self.address.try_send(Refresh(Some(session)));
        sent.map_err(|error| match error {
            SendError::Full(mut unread) => {
                unread.0 = None;
                NotTaken::Full
            }
            SendError::Closed(mut unread) => {
                unread.0 = None;
                NotTaken::Ended
            }
        })
    }

    /// A session has ended. If the mailbox is full, the table finds out as it works through it.
    pub fn gone(&self, session: SessionId) {
        if self.address.try_send(Gone(session)).is_err() {
            self.sweep.store(true, Ordering::Release);
        }
    }

    /// Has the table's row say when a player was last there, if a game waits for both. Returns once
    /// that is on its way to the journal; a table that takes nothing just now does not do it.
    pub async fn keep_seen(&self) {
        let (done, kept) = oneshot::channel();
        if self.address.try_send(KeepSeen(done)).is_ok() {
            // A table that ends first drops it.
            let _ = kept.await;
        }
    }

    /// A player is kept out from now on: they go from the table as if they had said so.
    pub fn turn_out(&self, player: PlayerId) -> Result<(), NotTaken> {
        Ok(self.address.try_send(TurnOut(player))?)
    }

    /// Shows the table as a spectator may know it, for those who show this invitation; tells only
    /// what is durable.
    pub async fn look(
        &self,
        invitation: Option<String>,
    ) -> Result<Result<Box<Seen>, Refusal>, NotTaken> {
        let (answer, seen) = oneshot::channel();
        self.address.try_send(Look { invitation, answer })?;
        seen.await.map_err(|_| NotTaken::Ended)
    }

    /// How the table stands for a player; none if they do not sit here. Tells only what is durable.
    pub async fn sitting(&self, player: PlayerId) -> Result<Option<Sitting>, NotTaken> {
        let (answer, sitting) = oneshot::channel();
        self.address.try_send(AskSitting { player, answer })?;
        sitting.await.map_err(|_| NotTaken::Ended)
    }

    /// The last lines, `most` of them, that a player may read here, whoever has said them.
    pub async fn evidence(
        &self,
        player: PlayerId,
        most: usize,
    ) -> Result<Vec<ReportLine>, NotTaken> {
        let (answer, lines) = oneshot::channel();
        self.address.try_send(AskEvidence { player, most, answer })?;
        lines.await.map_err(|_| NotTaken::Ended)
    }

    /// Somebody goes by another name. A table that takes nothing just now learns it as they follow it
    /// the next time.
    pub fn renamed(&self, player: Player) {
        let _ = self.address.try_send(Renamed(player));
    }

    /// How spectators know a game of this table whose end is kept.
    pub async fn stage(&self, game: GameId) -> Result<Stage, NotTaken> {
        let (answer, stage) = oneshot::channel();
        self.address.try_send(AskStage { game, answer })?;
        stage.await.map_err(|_| NotTaken::Ended)
    }
}

impl<M> From<SendError<M>> for NotTaken {
    fn from(error: SendError<M>) -> NotTaken {
        match error {
            SendError::Full(_) => NotTaken::Full,
            SendError::Closed(_) => NotTaken::Ended,
        }
    }
}

/// A session as tables and the lobby know it. One value for each session, shared.
#[derive(Debug)]
pub struct SessionRef {
    /// The session.
    pub id: SessionId,
    /// Whose session it is, by the name of its `hello`.
    pub player: Player,
    /// How its frames are written.
    pub format: Format,
    /// Where its frames go.
    pub outbox: Outbox,
    /// What it follows, written by those that it follows.
    pub follows: Follows,
    /// The name that its player has been given since.
    renamed: Mutex<Option<Arc<str>>>,
}

impl SessionRef {
    /// A session that follows nothing yet.
    pub fn new(id: SessionId, player: Player, format: Format, outbox: Outbox) -> SessionRef {
        let (follows, renamed) = Default::default();
        SessionRef { id, player, format, outbox, follows, renamed }
    }

    /// Its player, by the name that they now have.
    pub fn player_now(&self) -> Player {
        let renamed = self.renamed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let name = renamed.unwrap_or_else(|| Arc::clone(&self.player.name));
        Player { name, ..self.player.clone() }
    }

    /// Its player has another name.
    pub fn rename(&self, name: Arc<str>) {
        *self.renamed.lock().unwrap_or_else(PoisonError::into_inner) = Some(name);
    }
}

/// A player, as others see them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// Who it is.
    pub id: PlayerId,
    /// The name to show.
    pub name: Arc<str>,
    /// At which level it plays, where it is the house's computer.
    pub cpu: Option<Level>,
    /// Whether it is a bot: a program of somebody's.
    pub bot: bool,
}

impl Player {
    /// The computer's player id. No guest's is as old: ids begin with their time.
    const HOUSE: PlayerId = PlayerId::from_parts(0, 0);

    /// The house's computer, playing at this level.
    pub fn house(level: Level) -> Player {
        Player {
            id: Player::HOUSE,
            name: format!("CPU level {level}").into(),
            cpu: Some(level),
            bot: false,
        }
    }
}

/// One request of one session to one table.
#[derive(Debug)]
pub struct Request {
    /// Where the reply goes, and who asks.
    pub reply: ReplyTo,
    /// When the session read the frame.
    pub at: Stamp,
    /// The round trip last measured on the session's socket, if any was.
    pub round_trip: Option<Millis>,
    /// What is asked.
    pub ask: Ask,
}

/// What a session may ask of a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Ask {
    /// Follow the table, or go on following it.
    Watch {
        /// The invitation, if one was shown.
        invitation: Option<String>,
        /// The last number seen.
        last: Option<Last>,
    },
    /// Follow it no more.
    Unwatch,
    /// Take a free seat.
    Join {
        /// The seat wanted; any without.
        seat: Option<Seat>,
        /// The invitation, if one was shown.
        invitation: Option<String>,
    },
    /// Join the table's party.
    JoinParty {
        /// What opens it.
        key: PartyKey,
        /// Whether the asker wants to play.
        plays: bool,
    },
    /// Something that the host of the party does.
    Party(PartyCommand),
    /// Say something.
    Say {
        /// Where, if not among one's own.
        room: Option<Room>,
        /// What.
        text: String,
    },
    /// Show what was said.
    Chat,
    /// Go: free the seat, or shorten the countdown.
    Leave,
    /// See what a seat knows, on one device.
    Lift {
        /// The game meant.
        game: GameId,
        /// The seat.
        seat: Seat,
    },
    /// What the computer would play in one's place.
    Suggest {
        /// The game meant.
        game: GameId,
        /// The turn that it is for.
        turn: u64,
    },
    /// Plan answers to what the other seat plays next, at most once.
    Plan {
        /// The player's name for the command.
        id: CommandId,
        /// The game meant.
        game: GameId,
        /// The turn that the other seat is to answer.
        turn: u64,
        /// The plan; nothing takes one back.
        plan: Plan,
    },
    /// Something that a seat does, at most once.
    Command {
        /// The player's name for the command.
        id: CommandId,
        /// What is to be done.
        command: Command,
        /// The seat that it names, if it names one.
        seat: Option<Seat>,
    },
}

/// What a party is joined by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PartyKey {
    /// Its code.
    Code(PartyCode),
    /// The table's name, and its invitation if one was shown.
    Invitation(Option<String>),
}

/// What a player calls a command, so that it takes effect once however often it is sent. From 1
/// to [`CommandId::MAX_BYTES`] bytes. Shared, because the event and the memory of what was answered
/// have one each.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CommandId(Arc<str>);

impl CommandId {
    /// The longest command id, in bytes.
    pub const MAX_BYTES: usize = 64;

    /// A command id, if the text is neither empty nor too long.
    pub fn new(text: &str) -> Option<CommandId> {
        (1..=CommandId::MAX_BYTES).contains(&text.len()).then(|| CommandId(text.into()))
    }

    /// What the computer calls its move for a turn. It never sends one twice: this is for those
    /// who read a journal.
    pub fn of_cpu(turn: u64) -> CommandId {
        CommandId(format!("cpu-{turn}").into())
    }

    /// What the table calls the move that it plays by a seat's plan, for the same readers.
    pub fn of_plan(turn: u64) -> CommandId {
        CommandId(format!("plan-{turn}").into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CommandId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Something that a seat does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    /// Plays a move in answer to a turn.
    Play {
        /// The game meant.
        game: GameId,
        /// The turn answered.
        turn: u64,
        /// The move.
        action: Move,
    },
    /// Gives the game up.
    Resign(GameId),
    /// Takes the game back before both seats have moved.
    Abort(GameId),
    /// Claims the game from a seat whose player is gone.
    Claim(GameId),
    /// Proposes something.
    Offer(GameId, OfferKind),
    /// Agrees or refuses.
    Answer {
        /// The offer's number.
        offer: u64,
        /// Whether the seat agrees.
        accept: bool,
    },
    /// Takes an own offer back.
    Withdraw(u64),
    /// Ends a pause.
    Unpause(GameId),
    /// Gives the other seat more time.
    GiveTime(GameId),
}

/// A session follows afresh, and is told by a whole view.
///
/// Dropped unread, as when the table is put away with it in its mailbox, it has the session ask
/// once more.
#[derive(Debug)]
pub(super) struct Refresh(pub Option<Arc<SessionRef>>);

impl Drop for Refresh {
    fn drop(&mut self) {
        if let Some(session) = &self.0 {
            session.outbox.restart();
        }
    }
}

/// A session has ended.
#[derive(Debug)]
pub(super) struct Gone(pub SessionId);

/// A question from within the server.
#[derive(Debug)]
pub(super) struct Look {
    /// The invitation, if one was shown.
    pub invitation: Option<String>,
    /// Where the answer goes.
    pub answer: oneshot::Sender<Result<Box<Seen>, Refusal>>,
}

/// A question from within the server: how spectators know a game.
#[derive(Debug)]
pub(super) struct AskStage {
    /// The game.
    pub game: GameId,
    /// Where the answer goes.
    pub answer: oneshot::Sender<Stage>,
}

/// A table as a spectator may know it.
#[derive(Debug)]
pub struct Seen {
    /// The table.
    pub view: View,
    /// The running game, or the last one, where everybody may see all of it.
    pub record: Option<Record>,
}
