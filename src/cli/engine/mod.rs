//! What `gtp`, `match` and `play` share: engines that are built in, what they are shown of a game,
//! the words for rules and moves, and boards as plain text. No subcommand.

pub mod mind;
pub mod picture;
pub mod rules;
pub mod sight;
pub mod spec;
pub mod words;

pub use mind::Mind;
pub use spec::{Spec, SpecError};
