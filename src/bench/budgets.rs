//! What the figures may come to.

use super::figures::{Figure, Measurement, median};
use super::plan::StoreKind::{self, Memory, Sqlite};
use super::plan::Subject;

/// One figure's limit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Budget {
    /// What it is called in a verdict.
    pub name: &'static str,
    /// What is compared with the limit.
    pub what: What,
    /// The limit: at most this, or at least.
    pub limit: f64,
    /// What would be better still.
    pub aim: f64,
}

/// What is compared with a limit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum What {
    /// The server's figure divided by the floor's in the same run; at most.
    Times(&'static str, StoreKind, Figure),
    /// The same; at least.
    AtLeast(&'static str, StoreKind, Figure),
    /// The server's latency less one commit of its journal, divided by the floor's; at most.
    TimesPlusCommit(&'static str, StoreKind, Figure),
    /// The server's figure in the first case divided by that in the second; at most.
    Against(&'static str, &'static str, StoreKind, Figure),
    /// The server's figure itself; at most.
    Plain(&'static str, StoreKind, Figure),
}

const fn budget(name: &'static str, what: What, limit: f64, aim: f64) -> Budget {
    Budget { name, what, limit, aim }
}

/// All budgets. Those of instruction counts are in `benches/instructions.toml`.
pub const BUDGETS: [Budget; 11] = [
    budget(
        "CPU for 10,000 moves, in memory",
        What::Times("moves", Memory, Figure::CpuPer10kMoves),
        1.4,
        1.1,
    ),
    budget(
        "CPU for 10,000 moves, durable",
        What::Times("moves", Sqlite, Figure::CpuPer10kMoves),
        2.7,
        2.0,
    ),
    budget(
        "CPU for 10,000 moves, saturated, durable",
        What::Times("saturated", Sqlite, Figure::CpuPer10kMoves),
        3.0,
        2.0,
    ),
    budget(
        "p99 of a move less one commit, durable",
        What::TimesPlusCommit("moves", Sqlite, Figure::P99),
        2.0,
        1.3,
    ),
    budget(
        "moves/s at saturation, durable",
        What::AtLeast("saturated", Sqlite, Figure::MovesPerSecond),
        0.6,
        0.8,
    ),
    budget(
        "CPU for 100,000 deliveries, 1,000 spectators",
        What::Times("fanout-1000", Sqlite, Figure::CpuPer100kDeliveries),
        1.1,
        0.9,
    ),
    budget(
        "CPU for 100,000 deliveries, 5,000 spectators",
        What::Times("fanout-5000", Sqlite, Figure::CpuPer100kDeliveries),
        1.1,
        0.9,
    ),
    budget(
        "resident memory for each idle session",
        What::Times("idle", Sqlite, Figure::ResidentPerSession),
        1.25,
        1.0,
    ),
    budget(
        "CPU for a move, 5,000 tables against 50",
        What::Against("scale-many", "scale-few", Sqlite, Figure::NetCpuPer10kMoves),
        1.15,
        1.05,
    ),
    budget(
        "restart with 10,000 tables to the last one playing, s",
        What::Plain("cold", Sqlite, Figure::LastPlaying),
        3.0,
        1.0,
    ),
    budget(
        "5,000 sessions back at once",
        What::Times("reconnect", Sqlite, Figure::LastReturned),
        2.0,
        1.3,
    ),
];

/// What a budget came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Better than the aim.
    Aimed,
    /// Within the limit.
    Met,
    /// Not within the limit.
    Missed,
}

impl Verdict {
    /// For people.
    pub const fn word(self) -> &'static str {
        match self {
            Verdict::Aimed => "better than the aim",
            Verdict::Met => "met",
            Verdict::Missed => "MISSED",
        }
    }
}

impl Budget {
    /// The median over the runs of what is compared; none where it was not measured.
    pub fn value(&self, measured: &[Measurement]) -> Option<f64> {
        let runs = measured.iter().map(|it| it.run).max()?;
        let one = |run, case: &str, subject, figure| {
            let is_it =
                |it: &&Measurement| it.run == run && it.case == case && it.subject == subject;
            measured.iter().find(is_it).and_then(|it| it.figure(figure))
        };
        let value = |run| match self.what {
            What::Times(case, store, figure) | What::AtLeast(case, store, figure) => {
                let server = one(run, case, Subject::Server(store), figure)?;
                Some(server / one(run, case, Subject::Floor, figure)?)
            }
            What::TimesPlusCommit(case, store, figure) => {
                let server = one(run, case, Subject::Server(store), figure)?;
                let commit = one(run, case, Subject::Server(store), Figure::CommitP99)?;
                Some((server - commit) / one(run, case, Subject::Floor, figure)?)
            }
            What::Against(case, other, store, figure) => {
                let server = one(run, case, Subject::Server(store), figure)?;
                Some(server / one(run, other, Subject::Server(store), figure)?)
            }
            What::Plain(case, store, figure) => one(run, case, Subject::Server(store), figure),
        };
        median((1..=runs).filter_map(value))
    }

    /// What a value comes to.
    pub fn verdict(&self, value: f64) -> Verdict {
        let within = |limit: f64| match self.what {
            What::AtLeast(..) => value >= limit,
            _ => value <= limit,
        };
        if within(self.aim) {
            Verdict::Aimed
        } else if within(self.limit) {
            Verdict::Met
        } else {
            Verdict::Missed
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::plan::Work;
    use crate::bench::reconnect::Reconnect;

    fn measured(run: usize, subject: Subject, figures: &[(Figure, f64)]) -> Measurement {
        let work = Work::Reconnect(Reconnect { sessions: 1 });
        Measurement { case: "moves", subject, run, work, figures: figures.into() }
    }

    #[test]
    fn a_ratio_is_taken_within_a_run_and_the_median_over_the_runs() {
        let cpu = |run, subject, value| measured(run, subject, &[(Figure::CpuPer10kMoves, value)]);
        let server = Subject::Server(Memory);
        let runs = [
            cpu(1, Subject::Floor, 1.0),
            cpu(1, server, 1.2),
            cpu(2, Subject::Floor, 2.0),
            cpu(2, server, 9.0),
            cpu(3, Subject::Floor, 1.0),
            cpu(3, server, 1.3),
        ];
        let value = BUDGETS[0].value(&runs).unwrap();
        assert!((value - 1.3).abs() < 1e-9);
        assert_eq!(BUDGETS[0].verdict(value), Verdict::Met);
        assert_eq!(BUDGETS[1].value(&runs), None, "the durable one was not measured");
    }

    #[test]
    fn a_commit_is_taken_off_a_durable_latency() {
        let floor = measured(1, Subject::Floor, &[(Figure::P99, 100.0)]);
        let server = [(Figure::P99, 1_150.0), (Figure::CommitP99, 1_000.0)];
        let server = measured(1, Subject::Server(Sqlite), &server);
        assert_eq!(BUDGETS[3].value(&[floor, server]), Some(1.5));
    }

    #[test]
    fn more_is_better_where_a_budget_says_at_least() {
        let throughput = BUDGETS[4];
        assert_eq!(throughput.verdict(0.5), Verdict::Missed);
        assert_eq!(throughput.verdict(0.7), Verdict::Met);
        assert_eq!(throughput.verdict(0.9), Verdict::Aimed);
    }
}
