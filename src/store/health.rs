//! Whether commits succeed, and for how long they have not.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::game::clock::{Millis, Stamp};
use crate::time::TimeSource;

/// Whether the store can write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Health {
    /// The last commit succeeded.
    Ok,
    /// Commits fail and are tried again; nothing is lost, and nothing is acknowledged.
    Failing {
        /// When the first attempt that failed began.
        since: Stamp,
        /// What the database said.
        why: Arc<str>,
    },
}

/// Owns the state of health and the sum of the outages. The log hears of an outage twice: when it
/// starts and when it ends.
pub(super) struct Monitor {
    time: TimeSource,
    health: watch::Sender<Health>,
    outages: Mutex<Outages>,
    failing: metrics::Gauge,
}

#[derive(Default)]
struct Outages {
    past: Millis,
    since: Option<Stamp>,
}

impl Monitor {
    pub(super) fn new(time: TimeSource) -> Monitor {
        metrics::describe_gauge!("hexhall_journal_failing", "1 while commits fail, else 0");
        let failing = metrics::gauge!("hexhall_journal_failing");
        failing.set(0.0);
        Monitor { time, health: watch::Sender::new(Health::Ok), outages: Mutex::default(), failing }
    }

    pub(super) fn now(&self) -> Stamp {
        self.time.now()
    }

    pub(super) fn health(&self) -> watch::Receiver<Health> {
        self.health.subscribe()
    }

    pub(super) fn is_failing(&self) -> bool {
        matches!(*self.health.borrow(), Health::Failing { .. })
    }

    /// The time spent in outages so far, the current one included. It never goes back.
    pub(super) fn outage_ms(&self) -> Millis {
        let outages = lock(&self.outages);
        let current = outages.since.map_or(0, |since| self.now() - since);
        outages.past + current
    }

    /// An attempt that began at `since` has failed.
    pub(super) fn failed(&self, since: Stamp, why: &dyn std::fmt::Display) {
        if self.is_failing() {
            return;
        }
        let why: Arc<str> = why.to_string().into();
        tracing::error!(%why, "journal commit failed, trying again until it succeeds");
        self.failing.set(1.0);
        lock(&self.outages).since = Some(since);
        self.health.send_replace(Health::Failing { since, why });
    }

    /// An attempt has succeeded.
    pub(super) fn succeeded(&self) {
        if !self.is_failing() {
            return;
        }
        let outage_ms = {
            let mut outages = lock(&self.outages);
            let lasted = outages.since.take().map_or(0, |since| self.now() - since);
            outages.past += lasted;
            lasted
        };
        tracing::info!(outage_ms, "journal commits again");
        self.failing.set(0.0);
        self.health.send_replace(Health::Ok);
    }
}

/// Locks what no panic can leave half changed.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
