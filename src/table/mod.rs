//! Tables: where two seats play one game after another.
//!
//! Reading order: [`options`] (what a table is played by), [`state`] (the table as a value: what
//! it decides and what follows), [`handle`] (what the rest of the server says to a table).

pub mod handle;
pub mod options;
pub mod state;
