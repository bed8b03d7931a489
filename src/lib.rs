//! hexhall: a real-time match server for Hex.

pub mod game;
pub mod ids;
