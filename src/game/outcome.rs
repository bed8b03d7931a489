//! How a game ended. A game that still runs has no value of this type.

use super::cell::Seat;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// One seat won.
    Won {
        /// The seat that won.
        winner: Seat,
        /// What decided it.
        by: WonBy,
    },
    /// There is no result.
    Void(Void),
}

impl Outcome {
    /// The seat that won, if one did.
    pub fn winner(self) -> Option<Seat> {
        match self {
            Outcome::Won { winner, .. } => Some(winner),
            Outcome::Void(_) => None,
        }
    }
}

/// What decided a game that was won.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WonBy {
    /// Somebody's edges were joined.
    Chain,
    /// The other seat resigned.
    Resignation,
    /// The other seat ran out of time.
    Time,
    /// The other seat left, and the winner claimed the game.
    Forfeit,
}

/// Why a game has no result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Void {
    /// A seat took the game back before both had made their first move.
    Aborted,
    /// A seat's time ran out before both had made their first move.
    NotStarted,
    /// Both players were gone for too long, and no clock ran.
    Abandoned,
}
