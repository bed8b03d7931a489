//! The lobby: which tables there are, who may open another, and who is told.
//!
//! Reading order: [`state`] (the list as a value), [`directory`] (which actor keeps which table),
//! [`pairing`] (who seeks a game, and who plays whom), [`online`] (who is connected), [`actor`] (the
//! shell that answers requests and tells followers), its [`seeking`] (what it does for those who
//! seek) and `leavers` (who of them may not), and `names` (what tables are told of a player).

pub mod state;
pub mod directory;
pub mod pairing;
pub mod online;
mod told;
mod wanted;
pub mod seeking;
mod leavers;
mod names;
pub mod actor;

pub use actor::Lobby;
pub use directory::Tables;
