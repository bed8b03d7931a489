//! The wire, in layers: fixed bytes, round trips, hostile bytes, and the documents that say so.
//!
//! `UPDATE_GOLDEN=1 cargo test -p hexhall-proto` writes `golden/` and `schema/` anew. Read the
//! difference before it is committed: it is a change of the protocol, and PROTOCOL.md has to tell
//! of it.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail so")]

mod arbitrary;
mod committed;
mod golden;
mod hostile;
mod protocol;
mod round_trip;
mod samples;
mod samples_server;
mod schema;
