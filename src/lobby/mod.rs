//! The lobby: which tables there are, who may open another, and who is told.
//!
//! Reading order: [`state`] (the list as a value), [`directory`] (which actor keeps which table),
//! [`pairing`] (who seeks a game, and who plays whom), [`actor`] (the shell that answers requests
//! and tells followers).

pub mod state;
pub mod directory;
pub mod pairing;
pub mod actor;

pub use actor::Lobby;
pub use directory::Tables;
