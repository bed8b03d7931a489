//! What the rest of the server says to a table, and through which door.
//!
//! A message never waits: a full mailbox is answered `busy` by whoever sends. The answer comes
//! through the asking session's outbox, once the journal holds what it tells.

use std::fmt;
use std::sync::Arc;

use hexhall_proto::codec::Format;
use hexhall_proto::parts::OfferKind;
use hexhall_proto::request::Last;

use crate::game::clock::{Millis, Stamp};
use crate::game::{Move, Seat};
use crate::gateway::outbox::Outbox;
use crate::ids::{GameId, PlayerId, SessionId};

/// A session as tables and the lobby know it. One value for each session, shared.
#[derive(Debug)]
pub struct SessionRef {
    /// The session.
    pub id: SessionId,
    /// Whose session it is.
    pub player: Player,
    /// How its frames are written.
    pub format: Format,
    /// Where its frames go.
    pub outbox: Outbox,
}

/// A player, as others see them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// Who it is.
    pub id: PlayerId,
    /// The name to show.
    pub name: Arc<str>,
}

/// One request of one session to one table.
#[derive(Debug)]
pub struct Request {
    /// Who asks, and where the reply goes.
    pub session: Arc<SessionRef>,
    /// The number that the reply carries as `re`.
    pub re: u64,
    /// When the session read the frame.
    pub at: Stamp,
    /// The round trip last measured on the session's socket, if any was.
    pub round_trip: Option<Millis>,
    /// What is asked.
    pub ask: Ask,
}

/// What a session may ask of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
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
    /// Go: free the seat, or shorten the countdown.
    Leave,
    /// Something that a seat does, at most once.
    Command {
        /// The player's name for the command.
        id: CommandId,
        /// What is to be done.
        command: Command,
    },
}

/// What a player calls a command, so that it takes effect once however often it is sent. From 1
/// to [`CommandId::MAX_BYTES`] bytes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CommandId(Box<str>);

impl CommandId {
    /// The longest command id, in bytes.
    pub const MAX_BYTES: usize = 64;

    /// A command id, if the text is neither empty nor too long.
    pub fn new(text: &str) -> Option<CommandId> {
        (1..=CommandId::MAX_BYTES).contains(&text.len()).then(|| CommandId(text.into()))
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
