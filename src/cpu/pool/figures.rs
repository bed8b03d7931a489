//! The pool's figures.

use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};

use crate::game::clock::Millis;

/// What is counted.
pub(super) struct Figures {
    pub(super) jobs: metrics::Counter,
    pub(super) discarded: metrics::Counter,
    pub(super) full: metrics::Counter,
    pub(super) panics: metrics::Counter,
    pub(super) queue: metrics::Gauge,
    seconds: metrics::Histogram,
}

impl Figures {
    pub(super) fn new() -> Figures {
        describe_counter!("hexhall_cpu_jobs_total", "Moves that the computer thought about");
        describe_counter!("hexhall_cpu_discarded_total", "Searches whose answer nobody wanted");
        describe_counter!("hexhall_cpu_full_total", "Moves not taken because too many waited");
        describe_counter!("hexhall_cpu_panics_total", "Searches that panicked");
        describe_counter!("hexhall_cpu_stale_moves_total", "Moves for a turn that has passed");
        describe_gauge!("hexhall_cpu_queue", "Moves that wait for a worker");
        describe_histogram!("hexhall_cpu_seconds", Unit::Seconds, "Time of one search");
        Figures {
            jobs: metrics::counter!("hexhall_cpu_jobs_total"),
            discarded: metrics::counter!("hexhall_cpu_discarded_total"),
            full: metrics::counter!("hexhall_cpu_full_total"),
            panics: metrics::counter!("hexhall_cpu_panics_total"),
            queue: metrics::gauge!("hexhall_cpu_queue"),
            seconds: metrics::histogram!("hexhall_cpu_seconds"),
        }
    }

    /// A search has ended.
    pub(super) fn searched(&self, took_ms: Millis) {
        self.jobs.increment(1);
        self.seconds.record(took_ms as f64 / 1_000.0);
    }
}
