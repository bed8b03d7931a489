//! What the cells around a cell say about it: bridges, replies, and the playouts made of them.
//!
//! The idea is that of MoHex 2.0 (Huang, Arneson, Hayward, Müller, Pawlewicz, "MoHex 2.0: A
//! Pattern-Based MCTS Hex Player", 2013): weights of small patterns, learned from games, choose
//! the moves of a playout and tell the tree what to look at first.

pub mod playout;
pub mod replies;
pub mod table;
pub mod weights;

pub use playout::{Playout, Policy};
pub use replies::Replies;
pub use table::Table;
pub use weights::Weights;
