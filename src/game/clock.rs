//! Game clocks, as arithmetic on passed-in instants.

use std::ops::{Add, Sub};

/// A span of time in whole milliseconds.
pub type Millis = u64;

/// An instant of the server's own time line: milliseconds since the Unix epoch, never going back
/// while a server runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Stamp(pub Millis);

impl Add<Millis> for Stamp {
    type Output = Stamp;

    fn add(self, span: Millis) -> Stamp {
        Stamp(self.0.saturating_add(span))
    }
}

impl Sub for Stamp {
    type Output = Millis;

    /// The time from `earlier` to `self`, zero if it is the other way round.
    fn sub(self, earlier: Stamp) -> Millis {
        self.0.saturating_sub(earlier.0)
    }
}
