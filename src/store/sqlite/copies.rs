//! What of the database is kept at hand, and who else hears of it. Invariant: the writer tells of each
//! change before it acknowledges it, so that nothing here is older than what somebody was told.

use std::sync::{PoisonError, RwLock};

use super::known::KnownTokens;
use crate::store::acts::Acts;
use crate::store::people::Change;
use crate::store::persons::Persons;
use crate::store::shuns::Shuns;
use crate::store::told::Listener;

/// All of it, shared by the writer and whoever asks.
pub(super) struct Copies {
    pub(super) known: KnownTokens,
    pub(super) shuns: Shuns,
    pub(super) persons: Persons,
    pub(super) acts: RwLock<Acts>,
    pub(super) listener: Listener,
}

impl Copies {
    /// Something has changed, and is about to be acknowledged.
    pub(super) fn changed(&self, change: &Change) {
        self.known.changed(change);
        self.shuns.changed(change);
        self.persons.changed(change);
        self.acts.write().unwrap_or_else(PoisonError::into_inner).changed(change);
        // The last, so that whoever asks because of it is told what is new.
        self.listener.changed(change);
    }
}
