//! What is counted while a scenario runs: moves or deliveries, and how long each took.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use hdrhistogram::Histogram;

use super::{BenchError, Figure, Figures};

/// Counts of one window, shared by the driver's tasks.
#[derive(Debug)]
pub struct Tally {
    recording: Cell<bool>,
    latency: RefCell<Histogram<u64>>,
}

/// The longest latency that is told apart, in nanoseconds: a minute.
const LONGEST_NS: u64 = 60_000_000_000;

impl Tally {
    /// Nothing counted, and nothing being counted.
    ///
    /// # Errors
    /// None: the histogram's bounds are sound.
    pub fn new() -> Result<Tally, BenchError> {
        let latency = Histogram::new_with_bounds(1_000, LONGEST_NS, 3);
        let latency = latency.map_err(|error| BenchError::unexpected("a histogram", error))?;
        Ok(Tally { recording: Cell::new(false), latency: RefCell::new(latency) })
    }

    /// Starts or stops counting.
    pub fn record(&self, on: bool) {
        self.recording.set(on);
    }

    /// Counts one, if this is the time.
    pub fn add(&self, took: Duration) {
        if self.recording.get() {
            let ns = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
            self.latency.borrow_mut().saturating_record(ns);
        }
    }

    /// How many were counted.
    pub fn count(&self) -> u64 {
        self.latency.borrow().len()
    }

    /// The latencies in microseconds.
    pub fn latencies(&self) -> Figures {
        let latency = self.latency.borrow();
        let at = |quantile| latency.value_at_quantile(quantile) as f64 / 1_000.0;
        vec![(Figure::P50, at(0.5)), (Figure::P99, at(0.99)), (Figure::P999, at(0.999))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_falls_into_the_window_is_counted() {
        let tally = Tally::new().unwrap();
        tally.add(Duration::from_secs(9));
        tally.record(true);
        (1..=100).for_each(|ms| tally.add(Duration::from_millis(ms)));
        tally.record(false);
        tally.add(Duration::from_secs(9));
        assert_eq!(tally.count(), 100);
        let [(Figure::P50, p50), (Figure::P99, p99), _] = tally.latencies()[..] else {
            panic!("three quantiles")
        };
        assert!((p50 - 50_000.0).abs() < 100.0, "{p50}");
        assert!((p99 - 99_000.0).abs() < 200.0, "{p99}");
    }
}
