//! Tables: where two seats play one game after another.
//!
//! Reading order: [`options`] (what a table is played by), [`state`] (the table as a value: what
//! it decides and what follows), [`streams`] (what its viewers were told), [`release`] (what waits
//! for the journal), [`delayed`] (what spectators see late), [`beginning`], [`actor`], `alarm`,
//! `opened`, `requests`, `driven` (what the computer does here), `curtain`, `late`, `gone` and
//! `turned_out` (the shell that carries it all), [`handle`] (the door) and its `reply_to`, [`sitting`] (for
//! who sits here), `evidence` (for reports), [`archive`] (what is kept of it).

pub mod beginning;
pub mod actor;
mod opened;
mod alarm;
pub mod archive;
pub mod delayed;
pub mod handle;
mod late;
pub mod options;
pub mod release;
pub mod sitting;
mod evidence;
mod curtain;
mod reply_to;
mod requests;
mod seen;
mod driven;
mod gathering;
mod gone;
pub mod chat;
mod talk;
mod turned_out;
pub mod state;
pub mod streams;
