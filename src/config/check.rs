//! What a value may be beyond its type: ranges, and settings that must fit each other.

use std::ops::RangeInclusive;
use std::time::Duration;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use super::Config;

/// A setting that cannot be what it is.
pub(super) struct Fault {
    /// The dotted name.
    pub key: String,
    /// What is wrong with its value.
    pub problem: String,
    /// What would be right.
    pub right: String,
    /// Settings that it must fit: where the fault lies if it is not given itself.
    pub fits: &'static [&'static str],
}

/// Checks every setting, and stops at the first that is wrong.
pub(super) fn check(config: &Config) -> Result<(), Fault> {
    for (key, value, range) in ranges(config) {
        if !range.contains(&value) {
            let right = format!("a number from {} to {}", range.start(), range.end());
            return Err(fault(key, format!("{value} is out of range"), right));
        }
    }
    let streams = &config.streams;
    if streams.ping_jitter >= streams.ping_every {
        return Err(Fault {
            key: "streams.ping_jitter_ms".to_owned(),
            problem: "pings would overtake each other".to_owned(),
            right: "less than `streams.ping_every_s`".to_owned(),
            fits: &["streams.ping_every_s"],
        });
    }
    if streams.gone_after <= streams.ping_every + streams.ping_jitter {
        return Err(Fault {
            key: "streams.gone_after_s".to_owned(),
            problem: "a session would be gone before its first ping".to_owned(),
            right: "more than `streams.ping_every_s` and its jitter together".to_owned(),
            fits: &["streams.ping_every_s", "streams.ping_jitter_ms"],
        });
    }
    check_level(&config.log.level)
}

/// Every number whose type alone allows too much. The upper ends are far above any use, and low
/// enough that no sum or product of them overflows.
fn ranges(config: &Config) -> [(&'static str, u64, RangeInclusive<u64>); 28] {
    let Config { server, store, operator, limits, streams, tables, cpu, .. } = config;
    let (day, mib) = (24 * 60 * 60, 1 << 20);
    let s = |span: Duration| span.as_secs();
    let ms = |span: Duration| span.as_secs() * 1000 + u64::from(span.subsec_millis());
    let n = |count: usize| count as u64;
    [
        ("server.arbiters", n(server.arbiters), 0..=1024),
        ("server.shutdown_drain_s", s(server.shutdown_drain), 0..=3600),
        ("store.journal_queue", n(store.journal_queue), 1..=mib),
        ("operator.open_reports", operator.open_reports, 1..=mib),
        ("limits.hello_s", s(limits.hello), 1..=3600),
        // The longest request that is not refused in itself has about 500 bytes.
        ("limits.frame_bytes", n(limits.frame_bytes), 1024..=16 * mib),
        // One bucket serves both, in units of their product, and one unit has a time of its own to
        // refill in: with more the limits would fall to one request, or away.
        ("limits.player_requests", limits.player_requests.get().into(), 1..=10_000),
        ("limits.watcher_requests", limits.watcher_requests.get().into(), 1..=10_000),
        ("limits.request_window_s", s(limits.request_window), 1..=3600),
        ("limits.tables_per_guest", n(limits.tables_per_guest), 1..=mib),
        ("limits.sessions_per_address", n(limits.sessions_per_address), 1..=mib),
        ("limits.api_per_second", limits.api_per_second.get().into(), 1..=100_000),
        ("limits.api_burst", limits.api_burst.get().into(), 1..=mib),
        ("streams.ping_every_s", s(streams.ping_every), 1..=3600),
        ("streams.gone_after_s", s(streams.gone_after), 2..=day),
        ("streams.outbox_messages", n(streams.outbox_messages), 4..=mib),
        // A fresh view of the largest board must fit.
        ("streams.outbox_bytes", n(streams.outbox_bytes), 128 * 1024..=64 * mib),
        ("streams.slow_again_s", s(streams.slow_again), 1..=3600),
        ("streams.history_events", n(streams.history_events), 0..=mib),
        ("streams.read_buffer_bytes", n(streams.read_buffer_bytes), 512..=16 * mib),
        ("tables.mailbox", n(tables.mailbox), 1..=mib),
        ("tables.leave_countdown_s", s(tables.leave_countdown), 1..=day),
        ("tables.left_countdown_s", s(tables.left_countdown), 1..=day),
        ("tables.slow_game_s", s(tables.slow_game), 1..=30 * day),
        ("tables.put_away_s", s(tables.put_away), 1..=day),
        ("cpu.workers", n(cpu.workers), 0..=1024),
        ("cpu.queue", n(cpu.queue), 1..=mib),
        ("cpu.max_think_ms", ms(cpu.max_think), 1..=600_000),
    ]
}

/// A misspelt level would read as the name of a module, and silence everything else.
fn check_level(level: &str) -> Result<(), Fault> {
    let right =
        || "error, warn, info, debug, trace, or such as `info,hexhall::table=debug`".to_owned();
    if let Err(error) = EnvFilter::builder().parse(level) {
        return Err(fault("log.level", error.to_string(), right()));
    }
    let misread =
        |directive: &&str| !directive.contains('=') && directive.parse::<LevelFilter>().is_err();
    match level.split(',').map(str::trim).find(misread) {
        Some(word) => Err(fault("log.level", format!("`{word}` is not a level"), right())),
        None => Ok(()),
    }
}

fn fault(key: &str, problem: String, right: String) -> Fault {
    Fault { key: key.to_owned(), problem, right, fits: &[] }
}
