//! Tables: where two seats play one game after another.
//!
//! Reading order: [`handle`] (what the rest of the server says to a table), and what it is made of
//! behind that.

pub mod handle;
