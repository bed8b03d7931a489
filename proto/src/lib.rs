//! The wire of hexhall: what a client may say, what a server answers, and how both are written.
//!
//! Two formats carry the same messages: JSON in text frames, MessagePack (maps with named fields)
//! in binary frames; the subprotocol chooses. `PROTOCOL.md` beside this crate tells the whole of
//! it with examples, each of which a test reads.
//!
//! Reading order: [`parts`] (cells, seats, clocks: what messages are made of), [`options`] (what a
//! table is opened with), [`party`] (who came together to it), [`plans`] (what a seat has decided
//! beforehand), [`seek`] (wishes for a game), [`notices`] (what operators have one told), [`request`],
//! [`reply`], [`error`], [`view`], [`event`] (the stream), and [`codec`].
//!
//! Invariant: these types say nothing about how the server works, and hold nothing that their
//! reader may not know.

pub mod chat;
pub mod codec;
pub mod error;
pub mod event;
mod headed;
pub mod notices;
pub mod options;
pub mod parts;
pub mod party;
pub mod plans;
pub mod reply;
pub mod request;
pub mod seek;
pub mod view;

/// The version of this protocol. A change that an older client cannot read raises it.
pub const VERSION: u32 = 1;

/// The subprotocol of JSON text frames; also spoken where a client names none.
pub const SUBPROTOCOL_JSON: &str = "hexhall.v1.json";

/// The subprotocol of MessagePack binary frames.
pub const SUBPROTOCOL_MSGPACK: &str = "hexhall.v1.msgpack";
