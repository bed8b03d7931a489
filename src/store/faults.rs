//! A way to make commits fail or hang, for tests of what the server does then.
//!
//! The default has no faults and costs a null check for each commit.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};

use super::health::lock;
use super::memory::Memory;
use crate::ids::TableId;

/// A handle on the faults of one store: clones share them.
#[derive(Clone, Default)]
pub struct Faults(Option<Arc<Switches>>);

#[derive(Default)]
struct Switches {
    set: Mutex<Set>,
    changed: Condvar,
}

#[derive(Default)]
struct Set {
    fail: bool,
    hold: bool,
    max_pages: Option<u32>,
    poisoned: Option<TableId>,
    /// A store without a thread of its own has to be told to go on.
    memory: Weak<Memory>,
}

/// What a commit meets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Gate {
    Open,
    Held,
    Failing,
}

/// The error of a commit that was made to fail.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("commits are made to fail")]
pub(super) struct Injected;

impl Faults {
    /// Faults that can be switched on; none is at first.
    pub fn switchable() -> Faults {
        Faults(Some(Arc::default()))
    }

    /// Makes every commit fail, or lets them succeed again.
    pub fn fail_commits(&self, fail: bool) {
        self.change(|set| set.fail = fail);
    }

    /// Holds back every commit, as a slow disk does, or releases what is held back.
    pub fn hold_commits(&self, hold: bool) {
        self.change(|set| set.hold = hold);
    }

    /// Lets the database file have this many pages at most, as a full disk does. An in-memory
    /// store has no pages and does not heed it.
    pub fn limit_pages(&self, max_pages: Option<u32>) {
        self.change(|set| set.max_pages = max_pages);
    }

    /// Makes the writer stumble over this table's appends, as over a bug: no attempt writes one.
    pub fn poison(&self, table: Option<TableId>) {
        self.change(|set| set.poisoned = table);
    }

    fn change(&self, change: impl FnOnce(&mut Set)) {
        let Some(switches) = &self.0 else { return };
        let memory = {
            let mut set = lock(&switches.set);
            change(&mut set);
            set.memory.upgrade()
        };
        switches.changed.notify_all();
        if let Some(memory) = memory {
            memory.pump();
        }
    }

    pub(super) fn attach(&self, memory: &Arc<Memory>) {
        if let Some(switches) = &self.0 {
            lock(&switches.set).memory = Arc::downgrade(memory);
        }
    }

    pub(super) fn gate(&self) -> Gate {
        self.0.as_ref().map_or(Gate::Open, |switches| lock(&switches.set).gate())
    }

    /// Whether this table's appends are not to be written.
    pub(super) fn poisons(&self, table: TableId) -> bool {
        self.0.as_ref().is_some_and(|switches| lock(&switches.set).poisoned == Some(table))
    }

    /// The limit to set on the database file, if this handle sets limits at all.
    pub(super) fn page_limit(&self) -> Option<u32> {
        /// SQLite's own limit.
        const NO_LIMIT: u32 = 4_294_967_294;
        let switches = self.0.as_ref()?;
        Some(lock(&switches.set).max_pages.unwrap_or(NO_LIMIT))
    }

    /// Waits while commits are held back, and fails if they are to fail or the store is closing.
    pub(super) fn pass(&self, closing: &AtomicBool) -> Result<(), Injected> {
        let Some(switches) = &self.0 else { return Ok(()) };
        let is_held = |set: &mut Set| set.gate() == Gate::Held && !closing.load(SeqCst);
        let set = (switches.changed)
            .wait_while(lock(&switches.set), is_held)
            .unwrap_or_else(PoisonError::into_inner);
        if set.gate() == Gate::Open { Ok(()) } else { Err(Injected) }
    }

    /// Makes a commit that is held back look at `closing` again.
    pub(super) fn wake(&self) {
        if let Some(switches) = &self.0 {
            // Under the lock, so that no waiter is between looking and waiting.
            let _set = lock(&switches.set);
            switches.changed.notify_all();
        }
    }
}

impl Set {
    fn gate(&self) -> Gate {
        match (self.hold, self.fail) {
            (true, _) => Gate::Held,
            (false, true) => Gate::Failing,
            (false, false) => Gate::Open,
        }
    }
}
