//! What the gateway keeps to. Every number is the server's to set; these are the defaults.

use std::num::NonZeroU32;

use ipnet::IpNet;

use super::outbox::Bounds;
use crate::game::clock::Millis;

/// The gateway's settings. Spans are in milliseconds.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// Web origins beside the request's own host whose pages may open a session, as browsers
    /// write them: `https://hex.example.org`.
    pub allowed_origins: Vec<String>,
    /// Whether cookies are marked `Secure`: browsers reach this server by `https` alone.
    pub secure_cookies: bool,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// The longest frame that may be sent to us, in bytes.
    pub frame_bytes: usize,
    /// The read buffer of each WebSocket, in bytes.
    pub read_buffer_bytes: usize,
    /// How much may wait for a session's socket.
    pub outbox: Bounds,
    /// How much a session may ask; no limit without.
    pub requests: Option<RequestLimits>,
    /// The most sessions of one address; no limit without.
    pub sessions_per_address: Option<u32>,
    /// How many guests one address may make; no limit without.
    pub guests_per_address: Option<Allowance>,
    /// How much one address may ask over HTTP; no limit without.
    pub api_per_address: Option<Allowance>,
    /// Whether those three spare loopback and trusted proxies that name no visitor.
    pub exempt_local: bool,
    /// The broken frames in a row that close a session.
    pub broken_frames: u32,
    /// The time for `hello`.
    pub hello: Millis,
    /// From one ping to the next.
    pub ping_every: Millis,
    /// The most by which a ping is early or late.
    pub ping_jitter: Millis,
    /// The silence after which a session is gone, and the longest wait for a write.
    pub gone_after: Millis,
    /// A session that falls behind twice within this time is closed.
    pub slow_again: Millis,
    /// The longest wait for a closing handshake.
    pub farewell: Millis,
    /// How long a stopping server goes on sending what is owed.
    pub shutdown_drain: Millis,
    /// When to come back to a server that stops, as its sessions are told.
    pub back_in: Millis,
}

/// How much a session may ask. What was used refills smoothly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RequestLimits {
    /// Requests in each window, for a session that holds a seat.
    pub seated: NonZeroU32,
    /// Requests in each window, for a session that only watches.
    pub watching: NonZeroU32,
    /// The window.
    pub window: Millis,
}

/// How often something may be done. What was used refills smoothly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowance {
    /// Times in each window.
    pub times: NonZeroU32,
    /// The window.
    pub window: Millis,
}

const SECOND: Millis = 1_000;

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            allowed_origins: Vec::new(),
            secure_cookies: false,
            trusted_proxies: Vec::new(),
            frame_bytes: 4 * 1024,
            read_buffer_bytes: 1024,
            outbox: Bounds { frames: 64, bytes: 512 * 1024 },
            requests: Some(RequestLimits::default()),
            sessions_per_address: Some(20),
            guests_per_address: Some(GUESTS),
            api_per_address: Some(REQUESTS),
            exempt_local: true,
            broken_frames: 10,
            hello: 10 * SECOND,
            ping_every: 5 * SECOND,
            ping_jitter: SECOND / 2,
            gone_after: 12 * SECOND,
            slow_again: 10 * SECOND,
            farewell: 2 * SECOND,
            shutdown_drain: 10 * SECOND,
            back_in: 2 * SECOND,
        }
    }
}

impl Default for RequestLimits {
    fn default() -> RequestLimits {
        RequestLimits { seated: number(100), watching: number(50), window: 20 * SECOND }
    }
}

/// The guests that one address may make, unless it is set otherwise.
const GUESTS: Allowance = Allowance::an_hour(100);

/// 50 a second, and 200 at once.
const REQUESTS: Allowance = Allowance { times: number(200), window: 4 * SECOND };

impl Allowance {
    /// So often in an hour.
    pub const fn an_hour(times: u32) -> Allowance {
        Allowance { times: number(times), window: 60 * 60 * SECOND }
    }
}

const fn number(n: u32) -> NonZeroU32 {
    match NonZeroU32::new(n) {
        Some(n) => n,
        None => NonZeroU32::MIN,
    }
}
