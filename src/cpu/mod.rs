//! The computer player: it sees what a seat sees, and nothing else.
//!
//! [`choose`] is the whole of it for its users: what a seat sees ([`seen`]), how strong it may be
//! ([`level`]), a seed, and a predicate that says when to stop, give a move. The same arguments
//! give the same move, unless the predicate cut the search short. All of the search is pure; it
//! never meets a game's state, only a view of it, so that it cannot know what its seat does not.

pub mod belief;
pub mod choose;
pub mod grid;
pub mod level;
pub mod seen;

pub use choose::{Choice, Thought, choose};
pub use level::Level;
pub use seen::Seen;
