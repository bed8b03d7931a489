//! hexhall: a real-time match server for Hex.

pub mod game;
pub mod gateway;
pub mod ids;
pub mod store;
pub mod table;
pub mod time;
pub mod view;
pub mod wire;
