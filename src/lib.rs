//! hexhall: a real-time match server for Hex and Dark Hex.
//!
//! The modules, in reading order:
//! - [`game`] is the rules of Hex and Dark Hex, pure.
//! - [`ids`] gives every identifier a type of its own.
//! - [`record`] is one game as a value, and the formats it is kept and handed out in, pure.
//! - [`time`] is where time comes from: the machine, or a test's hand.
//! - [`chance`] is where randomness comes from: the machine, or a seed.
//! - [`view`] is what a viewer may know of a table, pure.
//! - [`cpu`] is the computer player, pure where it thinks.
//! - [`table`] is where two seats play one game after another.
//! - [`lobby`] is which tables there are, and which actor keeps which.
//! - [`store`] keeps the journal and the tables of record.
//! - [`verify`] checks that a store keeps what it promises.
//! - [`wire`] stands between the wire's words and ours.
//! - [`gateway`] owns sockets and sessions.
//! - [`accounts`] knows players by their tokens.
//! - [`operator`] is what an operator does to players, and the secret that shows who is one.
//! - [`http`] is the one port: pages, health, metrics, and the door to the gateway.
//! - [`workers`] is the threads that sessions and tables run on.
//! - [`config`] is the settings, typed and checked once.
//! - [`server`] wires the parts together, starts them and stops them.
//! - [`remote`] is a server seen from outside: sessions that resume, and tables as they see them.
//! - [`bench`](mod@bench) is a server measured, beside what the same frames cost without a game.
//! - [`cli`] is the command line, one file a subcommand.

pub mod game;
pub mod ids;
pub mod record;
pub mod time;
pub mod chance;
pub mod view;
pub mod cpu;
pub mod table;
pub mod lobby;
pub mod store;
pub mod verify;
pub mod wire;
pub mod accounts;
pub mod gateway;
pub mod operator;
pub mod http;
pub mod workers;
pub mod config;
pub mod server;
pub mod remote;
pub mod bench;
pub mod cli;
