//! Sockets and sessions: owns every connection, routes requests to tables and the lobby, and
//! views back.
//!
//! Invariant: whatever a session holds, its owner may see; what leaves through it was released by
//! a table, and its outgoing queue is bounded.

pub mod follows;
pub mod outbox;
pub mod routes;
