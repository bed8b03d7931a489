//! What is measured: each scenario's cases, in full and in a hurry.

use std::time::Duration;

use super::cold::Cold;
use super::fanout::Fanout;
use super::idle::Idle;
use super::mixed::Mixed;
use super::moves::Moves;
use super::reconnect::Reconnect;

/// A question that can be asked by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Scenario {
    /// Tables that play at an offered rate.
    Moves,
    /// Tables that play as fast as they can.
    Saturated,
    /// One table, and many who look on.
    Fanout,
    /// Sessions that do nothing.
    Idle,
    /// The same load over few tables and over many.
    Scale,
    /// All sessions drop and come back at once.
    Reconnect,
    /// A restart with many live tables.
    Cold,
    /// Moves, spectators and returning sessions at once.
    Mixed,
}

/// What keeps the journal of a measured server.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum StoreKind {
    /// SQLite, durable through a loss of power.
    Sqlite,
    /// Memory: what durability costs is what the others cost more.
    Memory,
}

/// One of the two that are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The relay that knows no game.
    Floor,
    /// hexhall, with this store; with whatever it has where somebody else started it.
    Server(StoreKind),
}

/// What the driver does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Work {
    /// See [`Moves`].
    Moves(Moves),
    /// See [`Fanout`].
    Fanout(Fanout),
    /// See [`Idle`].
    Idle(Idle),
    /// See [`Reconnect`].
    Reconnect(Reconnect),
    /// See [`Cold`].
    Cold(Cold),
    /// See [`Mixed`].
    Mixed(Mixed),
}

/// One case of a scenario: the same work for each of its subjects.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// Its name: the scenario's, and which case of it.
    pub name: &'static str,
    /// The work.
    pub work: Work,
    /// Who does it, one after another.
    pub subjects: Vec<Subject>,
}

use StoreKind::{Memory, Sqlite};
use Subject::{Floor, Server};

impl Scenario {
    /// Every scenario, in the order in which they run.
    pub const ALL: [Scenario; 8] = [
        Scenario::Moves,
        Scenario::Saturated,
        Scenario::Fanout,
        Scenario::Idle,
        Scenario::Scale,
        Scenario::Reconnect,
        Scenario::Cold,
        Scenario::Mixed,
    ];

    /// The scenario's cases: as the budgets have them, or about a tenth of that to try things out.
    pub fn cases(self, quick: bool) -> Vec<Case> {
        let size = |full: usize, hurried: usize| if quick { hurried } else { full };
        let span = |full: u64| Duration::from_secs(if quick { full.div_ceil(4) } else { full });
        let case =
            |name, work, subjects: &[Subject]| Case { name, work, subjects: subjects.into() };
        let both = [Floor, Server(Sqlite)];
        let moves = |tables, rate, quiet| {
            let (warm_up, window) = (span(2), span(10));
            Work::Moves(Moves { tables, rate, quiet, warm_up, window })
        };
        let fanout = |spectators: usize| {
            let moves = if quick { 20 } else { (100_000 / spectators as u64).max(20) };
            // Deliveries each second that leave the driver time to spare.
            Work::Fanout(Fanout { spectators, moves, rate: 12_000.0 / spectators as f64 })
        };
        let none = Duration::ZERO;
        match self {
            Scenario::Moves => {
                let work = moves(size(200, 100), Some(1_000.0), none);
                vec![case("moves", work, &[Floor, Server(Memory), Server(Sqlite)])]
            }
            Scenario::Saturated => {
                vec![case("saturated", moves(size(1_000, 200), None, none), &both)]
            }
            Scenario::Fanout => vec![
                case("fanout-1000", fanout(size(1_000, 200)), &both),
                case("fanout-5000", fanout(size(5_000, 600)), &both),
            ],
            Scenario::Idle => {
                let idle = Idle { sessions: size(10_000, 2_000), window: span(5) };
                vec![case("idle", Work::Idle(idle), &both)]
            }
            Scenario::Scale => {
                let case = |name, tables| {
                    case(name, moves(tables, Some(1_000.0), span(10)), &[Server(Sqlite)])
                };
                vec![case("scale-few", 50), case("scale-many", size(5_000, 500))]
            }
            Scenario::Reconnect => {
                let reconnect = Reconnect { sessions: size(5_000, 500) };
                vec![case("reconnect", Work::Reconnect(reconnect), &both)]
            }
            Scenario::Cold => {
                let cold = Cold { tables: size(10_000, 1_000), each: 20, plies: 20 };
                vec![case("cold", Work::Cold(cold), &[Server(Sqlite)])]
            }
            Scenario::Mixed => {
                let mixed = Mixed {
                    tables: size(200, 50),
                    rate: if quick { 100.0 } else { 500.0 },
                    spectators: size(500, 100),
                    shown: 3.0,
                    restless: size(200, 40),
                    returns: if quick { 10.0 } else { 50.0 },
                    practice: 0,
                    window: span(10),
                };
                let thinking = Mixed { practice: size(50, 10), ..mixed };
                vec![
                    case("mixed", Work::Mixed(mixed), &both),
                    case("mixed-cpu", Work::Mixed(thinking), &[Server(Sqlite)]),
                ]
            }
        }
    }
}

impl StoreKind {
    /// As the settings call it.
    pub const fn name(self) -> &'static str {
        match self {
            Sqlite => "sqlite",
            Memory => "memory",
        }
    }
}

impl Case {
    /// The case with one store for every server in it.
    #[must_use]
    pub fn with_store(mut self, store: StoreKind) -> Case {
        self.subjects.iter_mut().for_each(|subject| {
            if let Server(kind) = subject {
                *kind = store;
            }
        });
        self.subjects.dedup();
        self
    }
}

impl Work {
    /// The numbers that the work goes by, as results tell them.
    pub fn sizes(&self) -> Vec<(&'static str, f64)> {
        match *self {
            Work::Moves(Moves { tables, rate, .. }) => {
                let rate = rate.map(|rate| ("offered_per_s", rate));
                [("tables", tables as f64)].into_iter().chain(rate).collect()
            }
            Work::Fanout(Fanout { spectators, moves, rate }) => {
                vec![
                    ("spectators", spectators as f64),
                    ("moves", moves as f64),
                    ("offered_per_s", rate),
                ]
            }
            Work::Idle(Idle { sessions, .. }) | Work::Reconnect(Reconnect { sessions }) => {
                vec![("sessions", sessions as f64)]
            }
            Work::Cold(Cold { tables, each, plies }) => vec![
                ("tables", tables as f64),
                ("tables_each", each as f64),
                ("plies", plies as f64),
            ],
            Work::Mixed(Mixed {
                tables,
                rate,
                spectators,
                shown,
                restless,
                returns,
                practice,
                ..
            }) => vec![
                ("tables", tables as f64),
                ("offered_per_s", rate),
                ("spectators", spectators as f64),
                ("shown_per_s", shown),
                ("restless", restless as f64),
                ("returns_per_s", returns),
                ("practice", practice as f64),
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_store_for_all_measures_no_server_twice() {
        let [case] = &Scenario::Moves.cases(true)[..] else { panic!("one case") };
        assert_eq!(case.subjects.len(), 3);
        let case = case.clone().with_store(Memory);
        assert_eq!(case.subjects, [Floor, Server(Memory)]);
    }
}
