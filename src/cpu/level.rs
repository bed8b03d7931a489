//! How strong the computer plays: levels by searched nodes and by knowledge, the same on every
//! machine.

use std::fmt;

/// A level from 1, which a beginner beats, to 10.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Level(u8);

/// Why a number is not a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no level {0}: the computer plays at levels from 1 to 10")]
pub struct NotALevel(pub u64);

impl Level {
    /// The weakest.
    pub const MIN: Level = Level(1);
    /// The strongest.
    pub const MAX: Level = Level(10);
    /// At which the computer plays for somebody who is gone.
    pub const TAKEOVER: Level = Level(5);

    /// The level with this number, if it is one.
    pub fn new(number: u64) -> Result<Level, NotALevel> {
        let level = u8::try_from(number).ok().map(Level);
        level.filter(|level| (Level::MIN..=Level::MAX).contains(level)).ok_or(NotALevel(number))
    }

    /// From 1 to 10.
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
