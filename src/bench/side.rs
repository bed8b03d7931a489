//! One side of a comparison while it runs: the server or the floor, and its process.

use std::time::Duration;

use super::process::Process;
use super::system;
use super::{BenchError, Figure, Figures};
use crate::remote::Address;

/// What is measured, running.
#[derive(Debug)]
pub struct Side {
    /// Which of the two it is, and where.
    pub target: Target,
    /// Its process; none where it is a server that somebody else started.
    pub process: Option<Process>,
}

/// Where the driver's connections go.
#[derive(Clone, Debug)]
pub enum Target {
    /// A hexhall server.
    Server(Address),
    /// A floor.
    Floor(Address),
}

/// The processor time of both processes at an instant.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    at: std::time::Instant,
    server: Option<f64>,
    driver: f64,
}

impl Reading {
    /// When it was taken.
    pub fn at(&self) -> std::time::Instant {
        self.at
    }

    /// Processor seconds that the measured side has used since it started, if its process is ours.
    pub fn server(&self) -> Option<f64> {
        self.server
    }
}

/// What passed between two readings.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The time.
    pub elapsed: Duration,
    /// Processor seconds of the measured side, if its process is ours.
    pub server: Option<f64>,
    /// Processor seconds of the driver.
    pub driver: f64,
}

impl Side {
    /// Reads the accounts of both processes.
    pub fn read(&self) -> Result<Reading, BenchError> {
        let server = self.process.as_ref().map(|it| system::cpu_seconds(it.pid())).transpose()?;
        let driver = system::cpu_seconds(std::process::id())?;
        Ok(Reading { at: system::now(), server, driver })
    }

    /// What passed since a reading.
    pub fn since(&self, before: Reading) -> Result<Span, BenchError> {
        let after = self.read()?;
        let server = after.server.zip(before.server).map(|(after, before)| after - before);
        Ok(Span { elapsed: after.at - before.at, server, driver: after.driver - before.driver })
    }

    /// The resident memory of the measured side in bytes, if its process is ours.
    pub fn resident(&self) -> Result<Option<u64>, BenchError> {
        let pid = self.process.as_ref().map(Process::pid);
        Ok(pid.map(system::resident_bytes).transpose()?)
    }
}

impl Span {
    /// How busy both processes were: 1 is one core all the time.
    pub fn busy(&self) -> Figures {
        let share = |seconds: f64| seconds / self.elapsed.as_secs_f64();
        let server = self.server.map(|server| (Figure::ServerBusy, share(server)));
        server.into_iter().chain([(Figure::DriverBusy, share(self.driver))]).collect()
    }
}
