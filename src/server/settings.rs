//! The settings as each part wants them.

use std::time::Duration;

use crate::config::{Config, TablesConfig};
use crate::game::clock::Millis;
use crate::gateway;
use crate::gateway::outbox::Bounds;
use crate::gateway::settings::{Allowance, RequestLimits};
use crate::table::state::Spans;
use crate::table::state::presence::Countdown;

const HOUR_MS: Millis = 3_600_000;

/// A span in whole milliseconds.
pub(super) fn millis(span: Duration) -> Millis {
    Millis::try_from(span.as_millis()).unwrap_or(Millis::MAX)
}

/// The spans of time that tables go by.
pub(super) fn spans(tables: &TablesConfig) -> Spans {
    Spans {
        countdown: Countdown {
            lost_ms: millis(tables.leave_countdown),
            said_so_ms: millis(tables.left_countdown),
            slow_ms: millis(tables.slow_game),
        },
        ..Spans::default()
    }
}

/// What the gateway keeps to.
pub(super) fn gateway(config: &Config) -> gateway::Settings {
    let (server, limits, streams) = (&config.server, &config.limits, &config.streams);
    let origins = server.public_url.iter().chain(&server.allowed_origins);
    let requests = RequestLimits {
        seated: limits.player_requests,
        watching: limits.watcher_requests,
        window: millis(limits.request_window),
    };
    let guests = Allowance { times: limits.guests_per_hour, window: HOUR_MS };
    let refill = u64::from(limits.api_burst.get()) * 1_000 / u64::from(limits.api_per_second.get());
    let http = Allowance { times: limits.api_burst, window: refill.max(1) };
    let sessions = u32::try_from(limits.sessions_per_address).unwrap_or(u32::MAX);
    gateway::Settings {
        allowed_origins: origins.map(ToString::to_string).collect(),
        secure_cookies: server.public_url.as_ref().is_some_and(|url| url.is_secure()),
        trusted_proxies: server.trusted_proxies.clone(),
        frame_bytes: limits.frame_bytes,
        read_buffer_bytes: streams.read_buffer_bytes,
        outbox: Bounds { frames: streams.outbox_messages, bytes: streams.outbox_bytes },
        requests: limits.enabled.then_some(requests),
        sessions_per_address: limits.enabled.then_some(sessions),
        guests_per_address: limits.enabled.then_some(guests),
        api_per_address: limits.enabled.then_some(http),
        exempt_local: limits.exempt_local,
        hello: millis(limits.hello),
        ping_every: millis(streams.ping_every),
        ping_jitter: millis(streams.ping_jitter),
        gone_after: millis(streams.gone_after),
        slow_again: millis(streams.slow_again),
        shutdown_drain: millis(server.shutdown_drain),
        ..gateway::Settings::default()
    }
}
