//! The lobby: which tables there are, who may open another, and who is told.
//!
//! Reading order: [`state`] (the list as a value), [`directory`] (which actor keeps which table),
//! [`actor`] (the shell that answers requests and tells followers). Seeks, pairing and parties
//! have their place here beside the list.

pub mod state;
pub mod directory;
pub mod actor;

pub use actor::Lobby;
pub use directory::Tables;
