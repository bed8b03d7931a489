//! Where time comes from: the machine, or a test's hand.
//!
//! Everything that waits or stamps is given a [`TimeSource`]; no other file asks the machine for
//! the time or sleeps. A manual source makes a test own its time without touching tokio's, so
//! that sockets and the database go on working beside it.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures_util::future::Either;
use tokio::sync::oneshot;

use crate::game::clock::{Millis, Stamp};

/// Tells the time and waits for it. Clones share one time line.
#[derive(Clone, Debug)]
pub struct TimeSource(Source);

#[derive(Clone, Debug)]
enum Source {
    /// The wall clock at the start, and what the monotonic clock has counted since.
    System {
        epoch: Millis,
        started: Instant,
    },
    Manual(Arc<Mutex<Manual>>),
}

#[derive(Debug)]
struct Manual {
    now: Stamp,
    sleepers: BTreeMap<(Stamp, u64), oneshot::Sender<()>>,
    slept: u64,
}

impl TimeSource {
    /// The machine's time. It never goes back, whatever happens to the wall clock.
    #[expect(clippy::disallowed_methods, reason = "the one place that asks the machine")]
    pub fn system() -> TimeSource {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let epoch = u64::try_from(since_epoch.as_millis()).unwrap_or(u64::MAX);
        TimeSource(Source::System { epoch, started: Instant::now() })
    }

    /// Time that stands at `now` until [`TimeSource::advance`] moves it.
    pub fn manual(now: Stamp) -> TimeSource {
        let manual = Manual { now, sleepers: BTreeMap::new(), slept: 0 };
        TimeSource(Source::Manual(Arc::new(Mutex::new(manual))))
    }

    /// The time now.
    pub fn now(&self) -> Stamp {
        match &self.0 {
            Source::System { epoch, started } => {
                let since = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
                Stamp(*epoch) + since
            }
            Source::Manual(manual) => lock(manual).now,
        }
    }

    /// Waits until `then`; at once if it has passed.
    #[expect(clippy::disallowed_methods, reason = "the one place that waits")]
    pub fn sleep_until(&self, then: Stamp) -> impl Future<Output = ()> + Send + use<> {
        match &self.0 {
            Source::System { .. } => {
                Either::Left(tokio::time::sleep(Duration::from_millis(then - self.now())))
            }
            Source::Manual(manual) => {
                let woken = lock(manual).sleep_until(then);
                Either::Right(async move { woken.await.unwrap_or_default() })
            }
        }
    }

    /// Waits for that long.
    pub fn sleep(&self, span: Millis) -> impl Future<Output = ()> + Send + use<> {
        self.sleep_until(self.now() + span)
    }

    /// Moves a manual source on and wakes whoever waited for that; nothing on the machine's time.
    pub fn advance(&self, span: Millis) {
        if let Source::Manual(manual) = &self.0 {
            lock(manual).advance(span);
        }
    }
}

impl Manual {
    fn sleep_until(&mut self, then: Stamp) -> oneshot::Receiver<()> {
        let (wake, woken) = oneshot::channel();
        if then <= self.now {
            let _ = wake.send(());
        } else {
            self.slept += 1;
            self.sleepers.insert((then, self.slept), wake);
        }
        woken
    }

    fn advance(&mut self, span: Millis) {
        self.now = self.now + span;
        let waiting = self.sleepers.split_off(&(self.now, u64::MAX));
        for (_, wake) in std::mem::replace(&mut self.sleepers, waiting) {
            let _ = wake.send(());
        }
    }
}

fn lock(manual: &Mutex<Manual>) -> MutexGuard<'_, Manual> {
    manual.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn a_manual_sleeper_wakes_when_its_time_has_come_and_not_before() {
        let time = TimeSource::manual(Stamp(1_000));
        let mut early = Box::pin(time.sleep(10));
        let mut late = Box::pin(time.sleep_until(Stamp(1_011)));
        time.advance(9);
        assert!((&mut early).now_or_never().is_none());
        time.advance(1);
        assert!((&mut early).now_or_never().is_some());
        assert!((&mut late).now_or_never().is_none());
        time.advance(1);
        assert!((&mut late).now_or_never().is_some());
        assert_eq!(time.now(), Stamp(1_011));
        assert!(time.sleep_until(Stamp(5)).now_or_never().is_some());
    }

    #[test]
    fn the_system_source_never_goes_back() {
        let time = TimeSource::system();
        let earlier = time.now();
        assert!(time.now() >= earlier);
        time.advance(1_000_000);
        assert!(time.now() - earlier < 1_000_000, "the machine's time cannot be moved");
    }
}
