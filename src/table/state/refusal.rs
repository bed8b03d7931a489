//! Why a table refuses a request. Nothing has changed by it.

use crate::game::clock::Millis;
use crate::game::{Illegal, Seat};
use crate::ids::{GameId, PlayerId, TableId};
use crate::table::options::OptionsError;

use super::plan::PlanError;

/// A player sits at as many tables as one may.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "you hold {held} tables, and a player may hold {most}: leave one of them, resigning its game if it runs"
)]
pub struct TooManyTables {
    /// How many they have.
    pub held: usize,
    /// How many they may have.
    pub most: usize,
}

/// Why a table refuses a request.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// There is no such table, or it has closed for good.
    #[error("there is no table {0}, or no longer")]
    UnknownTable(TableId),
    /// The table is private.
    #[error("this table is private: ask its players for the invitation")]
    NotInvited,
    /// The asker has nothing to do with the table.
    #[error("watch or join this table first")]
    NotAtTable,
    /// The asker only watches.
    #[error("only the players of this table may do that, and you are watching")]
    NotSeated,
    /// The seat is not free.
    #[error("seat {0} is taken")]
    SeatTaken(Seat),
    /// No seat is free.
    #[error("both seats are taken")]
    TableFull,
    /// Whoever sits there, or hosts, has blocked the asker.
    #[error("a player of this table does not want to play with you: look for another")]
    Blocked,
    /// An operator keeps the asker out, since they came in.
    #[error("you have just been banned")]
    Banned,
    /// An operator keeps out somebody else, who would play next and is still there.
    #[error("{0} has just been banned and is about to go: try again in a moment")]
    IsBanned(std::sync::Arc<str>),
    /// The asker has a seat here.
    #[error("you have seat {0} at this table already")]
    AlreadySeated(Seat),
    /// The table has no party.
    #[error("this table has no party: its seats are taken with `join`")]
    NoParty,
    /// Seats go to members of the party.
    #[error("this table is a party's: join it with `join_party`, and the host begins the games")]
    JoinTheParty,
    /// There is no room for more.
    #[error("the party has as many members as may be: you may watch")]
    PartyFull,
    /// The host has sent the asker away.
    #[error("the host has sent you away from this party")]
    Removed,
    /// The one meant is no member.
    #[error("{0} is no member of this party: join it first")]
    NotMember(PlayerId),
    /// The host alone may do it.
    #[error("only the host of the party may do that")]
    NotHost,
    /// The member cannot be sent away.
    #[error("{0}")]
    CannotRemove(&'static str),
    /// It waits for the end of the game.
    #[error("a game runs: that can be done once it is over")]
    GameRuns,
    /// Nobody is ready to play.
    #[error("no member is there who wants to play")]
    CannotStart,
    /// A rated game needs the word of both who play it.
    #[error(
        "a rated game begins when both who play it have said `start`, and you do not play it: \
         `presence` says who does"
    )]
    BothAsk,
    /// The asker would sit at one table too many.
    #[error(transparent)]
    TooManyTables(#[from] TooManyTables),
    /// Somebody else would, who plays next.
    #[error("{0} sits at as many tables as one may: they leave one of them first, or only watch")]
    SitsEnough(std::sync::Arc<str>),
    /// The asker's session watches as many tables as it may.
    #[error("you watch {0} tables, and a session may watch no more: `unwatch` one of them first")]
    WatchesEnough(usize),
    /// The asker has brought about so much besides moves; after this time, in milliseconds, more.
    #[error("that is enough besides moves for now: wait for {} s", .0.div_ceil(1_000))]
    TooOften(Millis),
    /// The options do not do.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// No game runs.
    #[error("no game runs at this table")]
    NoGame,
    /// The command means another game.
    #[error("the game at this table is {0}, and you named another")]
    OtherGame(GameId),
    /// The game is paused.
    #[error("the game is paused: end the pause first")]
    Paused,
    /// The move answers another turn.
    #[error("the turn to answer is {turn}, and you answered another")]
    StaleTurn {
        /// The turn to answer.
        turn: u64,
    },
    /// The rules do not allow it.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// Nothing can be planned.
    #[error("{0}")]
    CannotPlan(&'static str),
    /// That cannot be planned.
    #[error(transparent)]
    BadPlan(#[from] PlanError),
    /// There is no such offer to answer or withdraw.
    #[error("offer {0} is not open, or not yours to answer")]
    NoOffer(u64),
    /// It cannot be proposed.
    #[error("{0}")]
    CannotOffer(&'static str),
    /// The game is under way.
    #[error("both seats have moved, so the game cannot be aborted: you may resign")]
    CannotAbort,
    /// The game cannot be claimed.
    #[error("{0}")]
    CannotClaim(&'static str),
    /// The computer suggests nothing.
    #[error("{0}")]
    CannotSuggest(&'static str),
    /// There is no pause.
    #[error("the game is not paused")]
    NotPaused,
    /// Time cannot be given.
    #[error("this table has no clock to give time on")]
    CannotGiveTime,
    /// One player has both seats.
    #[error("both seats are yours, so there is nobody to give time to")]
    NobodyToGive,
    /// It names a seat that is not the asker's.
    #[error("you have seat {own}, and this is meant for seat {named}")]
    NotYourSeat {
        /// The seat named.
        named: Seat,
        /// The asker's.
        own: Seat,
    },
    /// It names the seat that waits, where both are the asker's.
    #[error("seat {to_move} is to move, and this is meant for seat {named}")]
    NotToMove {
        /// The seat named.
        named: Seat,
        /// The seat to move.
        to_move: Seat,
    },
    /// The curtain is down before the asking session.
    #[error("the curtain is down: lift it for seat {seat} first")]
    CurtainDown {
        /// The seat to move.
        seat: Seat,
    },
    /// There is none to lift.
    #[error("no curtain falls here: it does in Dark Hex, where one player has both seats")]
    NoCurtain,
    /// The journal cannot take it on.
    #[error("the server cannot write games down just now: try again in a moment")]
    Busy,
}
