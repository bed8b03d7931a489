//! When each move of an offered load is due.
//!
//! A load is a fixed schedule that no answer delays: whoever is late sends at once and counts its
//! delay from the time that was due, so that a server that stalls cannot hide it. Timers of the
//! runtime count in milliseconds, so a thread of its own wakes the tables.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::system;

/// A running schedule, for as long as this is kept.
#[derive(Debug)]
pub struct Pacer {
    load: Load,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// The load that tables are under.
#[derive(Clone, Debug)]
pub enum Load {
    /// Every table moves as fast as it can.
    Saturated,
    /// So many moves each second, spread over the tables in turn.
    Offered {
        /// When the first is due.
        start: Instant,
        /// From one to the next.
        interval: Duration,
        /// Each table's alarm.
        wake: Arc<[Notify]>,
    },
}

/// One table's part of a schedule.
#[derive(Clone, Debug)]
pub enum Pace {
    /// The next move is due as soon as the one before has arrived.
    Saturated,
    /// Each move has its own time.
    Offered {
        /// When the first move is due.
        first: Instant,
        /// From one move of this table to the next.
        every: Duration,
        /// Moves so far.
        done: u32,
        /// All tables' alarms.
        wake: Arc<[Notify]>,
        /// This table's.
        index: usize,
    },
}

impl Pacer {
    /// Starts a schedule of `rate` moves each second over so many tables, of at least one.
    ///
    /// # Errors
    /// Where the system gives no thread.
    pub fn start(rate: f64, tables: usize) -> std::io::Result<Pacer> {
        let tables = tables.max(1);
        let wake: Arc<[Notify]> = (0..tables).map(|_| Notify::new()).collect();
        let stop = Arc::new(AtomicBool::new(false));
        let interval = Duration::from_secs_f64(1.0 / rate);
        let start = system::now();
        let (alarms, stopped) = (Arc::clone(&wake), Arc::clone(&stop));
        let thread = thread::Builder::new().name("pacer".into()).spawn(move || {
            let mut due = start;
            for alarm in alarms.iter().cycle() {
                system::block_until(due);
                if stopped.load(Ordering::Relaxed) {
                    return;
                }
                alarm.notify_one();
                due += interval;
            }
        })?;
        let load = Load::Offered { start, interval, wake };
        Ok(Pacer { load, stop, thread: Some(thread) })
    }

    /// The load, for those who are under it.
    pub fn load(&self) -> Load {
        self.load.clone()
    }
}

impl Load {
    /// The part of the table with this number, from 0.
    pub fn table(&self, index: usize) -> Pace {
        let Load::Offered { start, interval, wake } = self else { return Pace::Saturated };
        let every = *interval * u32::try_from(wake.len()).unwrap_or(u32::MAX);
        let first = *start + *interval * u32::try_from(index).unwrap_or(u32::MAX);
        Pace::Offered { first, every, done: 0, wake: Arc::clone(wake), index }
    }
}

impl Drop for Pacer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // It ends at the next move that is due; a panic there has nothing to tell.
            let _ = thread.join();
        }
    }
}

impl Pace {
    /// When the next move is due; none where it is due at once.
    pub fn due(&self) -> Option<Instant> {
        match self {
            Pace::Saturated => None,
            Pace::Offered { first, every, done, .. } => Some(*first + *every * *done),
        }
    }

    /// Counts one move.
    pub fn step(&mut self) {
        if let Pace::Offered { done, .. } = self {
            *done += 1;
        }
    }

    /// Leaves out the moves that are overdue by now: what came between was no move.
    pub fn skip_to(&mut self, now: Instant) {
        if let Pace::Offered { first, every, done, .. } = self {
            let passed = now.saturating_duration_since(*first).as_nanos();
            let passed = passed.div_ceil(every.as_nanos().max(1));
            *done = (*done).max(u32::try_from(passed).unwrap_or(u32::MAX));
        }
    }

    /// Waits for the next ring of this table's alarm, which may be an old one.
    pub async fn rung(&self) {
        match self {
            Pace::Saturated => {}
            Pace::Offered { wake, index, .. } => wake[*index].notified().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_take_turns_and_what_is_overdue_stays_due() {
        let pacer = Pacer::start(1_000_000.0, 2).unwrap();
        let Load::Offered { start, .. } = pacer.load() else { panic!("a rate was offered") };
        let mut second = pacer.load().table(1);
        assert_eq!(second.due(), Some(start + Duration::from_micros(1)));
        second.step();
        assert_eq!(second.due(), Some(start + Duration::from_micros(3)));
        second.skip_to(start + Duration::from_micros(10));
        assert_eq!(second.due(), Some(start + Duration::from_micros(11)));
        second.skip_to(start);
        assert_eq!(second.due(), Some(start + Duration::from_micros(11)), "never back");
    }

    #[tokio::test]
    async fn an_alarm_rings() {
        let pacer = Pacer::start(1_000.0, 3).unwrap();
        pacer.load().table(2).rung().await;
    }
}
