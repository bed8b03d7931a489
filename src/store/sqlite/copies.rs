//! What of the database is kept at hand. Invariant: the writer tells of each change before it
//! acknowledges it, so that nothing here is older than what somebody was told.

use super::known::Known;
use crate::store::blocks::Blocks;
use crate::store::people::Change;
use crate::store::persons::Persons;

/// All of it, shared by the writer and whoever asks.
pub(super) struct Copies {
    pub(super) known: Known,
    pub(super) blocks: Blocks,
    pub(super) persons: Persons,
}

impl Copies {
    /// Something has changed, and is about to be acknowledged.
    pub(super) fn changed(&self, change: &Change) {
        self.known.changed(change);
        self.blocks.changed(change);
        self.persons.changed(change);
    }
}
