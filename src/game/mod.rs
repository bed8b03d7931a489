//! The rules of Hex and Dark Hex, pure: no clock is read here, nothing random is drawn, nothing is
//! sent.
//!
//! Owns what a position is and which moves it allows. A refused move hands back a typed reason
//! and leaves the game untouched; a finished game never changes again.
//!
//! Source of the rules: the project's own statement of them, with the swap rules of the common
//! Hex servers and Rex (reverse Hex) as C. Thomassen and others define it.

pub mod board;
pub mod cell;
pub mod clock;
pub mod dark;
pub mod hex;
pub mod opening;
pub mod outcome;
pub mod rules;

pub use board::Board;
pub use cell::{Cell, Color, Seat, Size};
pub use dark::{Collision, Kind};
pub use hex::{Game, Ply, SetupError};
pub use outcome::{Outcome, Void, WonBy};
pub use rules::{Goal, Illegal, Move, NoSwap, Rules, RulesError, Swap};
