//! The computer player: it sees what a seat sees, and nothing else.
//!
//! A [`Player`] is the whole of it for its users: made for a level ([`level`]) and with a seed, it
//! is given what a seat sees ([`seen`]) and a predicate that says when to stop, and chooses a move.
//! It remembers from move to move. The same questions get the same moves, unless the predicate
//! cut the search short. All of the search is pure; it never meets a game's state, only a view of
//! it, so that it cannot know what its seat does not.
//!
//! In a server the thinking is done by the threads of a [`pool`], for as long as the seat's clock
//! allows ([`budget`]); [`seat`] stands between them and the tables.

pub mod belief;
pub mod choose;
pub mod seen;
pub mod level;
pub mod openings;
pub mod mcts;
pub mod evaluator;
pub mod patterns;
pub mod connections;
pub mod inferior;
pub mod solver;
pub mod grid;
pub mod dice;
pub mod budget;
pub mod pool;
pub mod seat;

#[cfg(test)]
mod ladder;

pub use budget::{Budget, Outlook};
pub use choose::{Choice, Player, Thought};
pub use level::{Effort, Knowledge, Level};
pub use pool::Pool;
pub use seen::Seen;
