//! What the operating system says: a process's time and memory, cores, descriptors, and the time.
//!
//! Owns every question to the machine that the bench asks, so that no other file of it does.

use std::fs;
use std::io;
use std::time::{Duration, Instant};

use rustix::param;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The machine's time.
#[expect(clippy::disallowed_methods, reason = "a bench measures the machine's own time")]
pub fn now() -> Instant {
    Instant::now()
}

/// Lets the measured side work for so long.
#[expect(clippy::disallowed_methods, reason = "a window of measurement is a span of real time")]
pub async fn pass(span: Duration) {
    tokio::time::sleep(span).await;
}

/// Blocks this thread until then.
#[expect(clippy::disallowed_methods, reason = "the pacing thread's only job is to wait")]
pub fn block_until(then: Instant) {
    std::thread::sleep(then.saturating_duration_since(now()));
}

/// The processor time that a process has used so far, all its threads and the kernel's work for it
/// included, in seconds. It advances in ticks, of 10 ms on most machines.
///
/// # Errors
/// Where there is no such process, or its accounting cannot be read.
pub fn cpu_seconds(pid: u32) -> io::Result<f64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    let ticks = ticks(&stat).ok_or_else(|| unreadable("stat"))?;
    Ok(ticks as f64 / param::clock_ticks_per_second() as f64)
}

/// User and system time, in ticks. The name, which may hold anything, ends with the last bracket.
fn ticks(stat: &str) -> Option<u64> {
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<u64>().ok();
    Some(next()? + next()?)
}

/// The memory of a process that is in RAM, in bytes.
///
/// # Errors
/// As for [`cpu_seconds`].
pub fn resident_bytes(pid: u32) -> io::Result<u64> {
    let statm = fs::read_to_string(format!("/proc/{pid}/statm"))?;
    let pages = statm.split_ascii_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok());
    Ok(pages.ok_or_else(|| unreadable("statm"))? * param::page_size() as u64)
}

fn unreadable(what: &str) -> io::Error {
    io::Error::other(format!("/proc/PID/{what} does not look as it does on Linux"))
}

/// The model of the processor and the number of cores, as results name the machine.
pub fn machine() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{} cores, {}", cores, model.map_or("unknown processor", |(_, model)| model))
}

/// Allows as many open sockets as the system permits, and says how many.
pub fn raise_descriptors() -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: maximum, maximum };
    match setrlimit(Resource::Nofile, raised) {
        Ok(()) => maximum.unwrap_or(u64::MAX),
        Err(_) => current.unwrap_or(u64::MAX),
    }
}

/// The cores of each side, apart, so that neither takes the other's time.
#[derive(Clone, Copy, Debug)]
pub struct Cores {
    server: CpuSet,
    driver: CpuSet,
}

impl Cores {
    /// The first half of the cores for the server, the rest for the driver; none where there is
    /// only one core to share.
    pub fn split() -> Option<Cores> {
        let all = sched_getaffinity(None).ok()?;
        let mine: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| all.is_set(core)).collect();
        let half = mine.len() / 2;
        let set = |cores: &[usize]| {
            let mut set = CpuSet::new();
            cores.iter().for_each(|&core| set.set(core));
            set
        };
        (half > 0).then(|| Cores { server: set(&mine[..half]), driver: set(&mine[half..]) })
    }

    /// Runs something that starts a server process, which then keeps to the server's cores; this
    /// thread goes back to the driver's.
    pub fn start_server<T>(&self, start: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        sched_setaffinity(None, &self.server)?;
        let started = start();
        sched_setaffinity(None, &self.driver)?;
        started
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_may_be_called_anything_and_its_time_is_still_found() {
        let stat = "7 (a) 9 (b c) S 1 7 7 0 -1 4194560 1 2 3 4 250 31 8 9 20 0 3 0 100";
        assert_eq!(ticks(stat), Some(281));
        assert_eq!(ticks("7 (short) S 1"), None);
    }

    #[test]
    fn this_process_has_used_memory_and_is_asked_by_its_number() {
        let pid = std::process::id();
        assert!(cpu_seconds(pid).unwrap() >= 0.0);
        assert!(resident_bytes(pid).unwrap() > 100_000);
        assert!(cpu_seconds(u32::MAX).is_err());
    }
}
