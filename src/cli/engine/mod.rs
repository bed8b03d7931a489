//! What `gtp`, `match` and `play` share: engines that are built in, what they are shown of a game,
//! and boards as plain text. No subcommand.

pub mod mind;
pub mod picture;
pub mod sight;
pub mod spec;

pub use mind::Mind;
pub use spec::{Spec, SpecError};
