//! The far side of the wire: talking to a running server as a program does.
//!
//! Owns nothing of the server's. [`address`] reads where a server is, [`link`] is one WebSocket
//! connection, [`follow`] keeps a copy of a table as one viewer sees it (PURE), [`backoff`] says
//! how long to wait before trying again (PURE), and [`session`] puts them together into a session
//! that outlives its connections.
//!
//! Invariant: what a session tells about a table is the run of that viewer's events without a gap;
//! where one is missing, the session asks for it before it tells any more.

pub mod address;
pub mod backoff;
pub mod follow;
pub mod link;
pub mod session;

mod driver;
mod tables;

#[cfg(test)]
pub(crate) mod fake;
#[cfg(test)]
pub(crate) mod hall;

pub use address::Address;
pub use follow::TableCopy;
pub use link::{Link, LinkError};
pub use session::{Session, SessionError, Settings, Table};

/// Now, on the runtime's own clock, which tests may hold.
#[expect(clippy::disallowed_methods, reason = "the one place where this side of the wire looks")]
pub fn now() -> tokio::time::Instant {
    tokio::time::Instant::now()
}
