//! The settings of a server, typed and checked once, at the start.
//!
//! Owns each setting's name, type and default; `config/hexhall.toml` lists them all with their
//! reasons, and a test holds the two equal. Nothing here is read again while the server runs.
//! Invariant: a [`Config`] that [`Config::load`] returned has passed every check.

mod check;
mod error;
mod layer;
mod load;
mod origin;
mod span;

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use ipnet::IpNet;
use serde::{Deserialize, Serialize};

pub use error::{ConfigError, Place};
pub use layer::Flag;
pub use origin::{NotAnOrigin, Origin};

/// All settings, by section.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Config {
    /// Where the server listens, and who may stand before it.
    pub server: ServerConfig,
    /// Where and how durably things are kept.
    pub store: StoreConfig,
    /// The door for operators.
    pub operator: OperatorConfig,
    /// How much one session, guest or address may ask for.
    pub limits: LimitsConfig,
    /// Sessions' liveness and queues.
    pub streams: StreamsConfig,
    /// How tables treat absence and load.
    pub tables: TablesConfig,
    /// How much the computer player may think.
    pub cpu: CpuConfig,
    /// What is logged, and how.
    pub log: LogConfig,
}

impl Config {
    /// The file with the operator's token; none where there is to be no door for operators, or no
    /// place for the file.
    pub fn token_file(&self) -> Option<PathBuf> {
        let OperatorConfig { enabled, token_file, .. } = &self.operator;
        let beside = || match self.store.engine {
            Engine::Sqlite => Some(self.store.data.join("operator.token")),
            Engine::Memory => None,
        };
        token_file.clone().or_else(beside).filter(|_| *enabled)
    }
}

/// The section `[server]`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ServerConfig {
    /// The one address and port for pages, API and WebSocket; port 0 takes any free one.
    pub listen: SocketAddr,
    /// How the outside world addresses this server, if that is not `listen`.
    pub public_url: Option<Origin>,
    /// Other origins whose pages may open a WebSocket here.
    pub allowed_origins: Vec<Origin>,
    /// Networks of proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// Threads that sessions and tables run on; 0 means one a core.
    pub arbiters: usize,
    /// How long a stopping server waits for its sessions to go.
    #[serde(rename = "shutdown_drain_s", with = "span::seconds")]
    pub shutdown_drain: Duration,
}

/// The section `[store]`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StoreConfig {
    /// What keeps the journal.
    pub engine: Engine,
    /// The directory of the database, made on the first start.
    pub data: PathBuf,
    /// What a move must survive before anyone is shown it.
    pub durability: Durability,
    /// Writes that may wait for the journal's writer; beyond it commands are `busy`.
    pub journal_queue: usize,
}

/// What keeps the journal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Engine {
    /// A SQLite database in the data directory.
    Sqlite,
    /// The process's memory: everything is gone when it ends.
    Memory,
}

/// What a move must survive before anyone is shown it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Durability {
    /// The loss of power: each commit is synced to the disk.
    Power,
    /// The death of the process: each commit is handed to the operating system.
    Process,
}

/// The section `[operator]`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OperatorConfig {
    /// Whether there is a door for operators at all.
    pub enabled: bool,
    /// The file with the operator's token, if it is not `operator.token` beside the database.
    pub token_file: Option<PathBuf>,
    /// Reports that may be open at once, of all players together.
    pub open_reports: u64,
}

/// The section `[limits]`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LimitsConfig {
    /// Whether the limits on requests, tables and sessions hold; sizes and deadlines always do.
    pub enabled: bool,
    /// How long a new connection has for its `hello`.
    #[serde(rename = "hello_s", with = "span::seconds")]
    pub hello: Duration,
    /// The largest frame that a client may send, in bytes.
    pub frame_bytes: usize,
    /// Requests in each window for a session that holds a seat.
    pub player_requests: NonZeroU32,
    /// Requests in each window for a session that only watches.
    pub watcher_requests: NonZeroU32,
    /// The window in which that many requests refill, smoothly.
    #[serde(rename = "request_window_s", with = "span::seconds")]
    pub request_window: Duration,
    /// Whoever sits at that many tables cannot open a further one.
    pub tables_per_guest: usize,
    /// Sessions that one address may hold open at once.
    pub sessions_per_address: usize,
    /// Guests that one address may make in an hour.
    pub guests_per_hour: NonZeroU32,
    /// Requests to the API that one address may make in a second, on the whole.
    pub api_per_second: NonZeroU32,
    /// Requests to the API that one address may make at once, after a while without any.
    pub api_burst: NonZeroU32,
    /// Whether loopback and the trusted proxies themselves may hold any number of sessions, make any
    /// number of guests and ask any number of times.
    pub exempt_local: bool,
}

/// The section `[streams]`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct StreamsConfig {
    /// The time from one ping to the next.
    #[serde(rename = "ping_every_s", with = "span::seconds")]
    pub ping_every: Duration,
    /// The most by which a ping is early or late, drawn anew each time.
    #[serde(rename = "ping_jitter_ms", with = "span::millis")]
    pub ping_jitter: Duration,
    /// The silence after which a session is gone.
    #[serde(rename = "gone_after_s", with = "span::seconds")]
    pub gone_after: Duration,
    /// Messages that may wait in a session's outbox.
    pub outbox_messages: usize,
    /// Bytes that may wait in a session's outbox.
    pub outbox_bytes: usize,
    /// A session that falls behind twice within this time is closed.
    #[serde(rename = "slow_again_s", with = "span::seconds")]
    pub slow_again: Duration,
    /// Events of each stream kept for those who return.
    pub history_events: usize,
    /// The read buffer of each WebSocket, in bytes.
    pub read_buffer_bytes: usize,
}

/// The section `[tables]`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TablesConfig {
    /// Messages that may wait for a table; beyond it commands are `busy`.
    pub mailbox: usize,
    /// The countdown when a seat's last connection is lost.
    #[serde(rename = "leave_countdown_s", with = "span::seconds")]
    pub leave_countdown: Duration,
    /// The countdown when a player said that they leave.
    #[serde(rename = "left_countdown_s", with = "span::seconds")]
    pub left_countdown: Duration,
    /// Both countdowns double where the initial time and 40 increments come to more than this.
    #[serde(rename = "slow_game_s", with = "span::seconds")]
    pub slow_game: Duration,
    /// A table with nobody connected and no clock running is put away after this time.
    #[serde(rename = "put_away_s", with = "span::seconds")]
    pub put_away: Duration,
}

/// The section `[cpu]`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CpuConfig {
    /// Threads that think; 0 means one fewer than there are cores, and at least one.
    pub workers: usize,
    /// Moves that may wait for one of them.
    pub queue: usize,
    /// The longest that a move is thought about.
    #[serde(rename = "max_think_ms", with = "span::millis")]
    pub max_think: Duration,
}

/// The section `[log]`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LogConfig {
    /// A level, or levels by module, as `tracing_subscriber::EnvFilter` reads them.
    pub level: String,
    /// The form of a line.
    pub format: LogFormat,
}

/// The form of a log line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

impl Default for ServerConfig {
    fn default() -> ServerConfig {
        ServerConfig {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            public_url: None,
            allowed_origins: Vec::new(),
            trusted_proxies: Vec::new(),
            arbiters: 0,
            shutdown_drain: Duration::from_secs(10),
        }
    }
}

impl Default for StoreConfig {
    fn default() -> StoreConfig {
        StoreConfig {
            engine: Engine::Sqlite,
            data: PathBuf::from("./data"),
            durability: Durability::Power,
            journal_queue: 4096,
        }
    }
}

impl Default for OperatorConfig {
    fn default() -> OperatorConfig {
        OperatorConfig { enabled: true, token_file: None, open_reports: 5_000 }
    }
}

impl Default for LimitsConfig {
    fn default() -> LimitsConfig {
        LimitsConfig {
            enabled: true,
            hello: Duration::from_secs(10),
            frame_bytes: 4096,
            player_requests: NonZeroU32::MIN.saturating_add(99),
            watcher_requests: NonZeroU32::MIN.saturating_add(49),
            request_window: Duration::from_secs(20),
            tables_per_guest: 4,
            sessions_per_address: 20,
            guests_per_hour: NonZeroU32::MIN.saturating_add(99),
            api_per_second: NonZeroU32::MIN.saturating_add(49),
            api_burst: NonZeroU32::MIN.saturating_add(199),
            exempt_local: true,
        }
    }
}

impl Default for StreamsConfig {
    fn default() -> StreamsConfig {
        StreamsConfig {
            ping_every: Duration::from_secs(5),
            ping_jitter: Duration::from_millis(500),
            gone_after: Duration::from_secs(12),
            outbox_messages: 64,
            outbox_bytes: 512 * 1024,
            slow_again: Duration::from_secs(10),
            history_events: 64,
            read_buffer_bytes: 1024,
        }
    }
}

impl Default for TablesConfig {
    fn default() -> TablesConfig {
        TablesConfig {
            mailbox: 256,
            leave_countdown: Duration::from_secs(30),
            left_countdown: Duration::from_secs(10),
            slow_game: Duration::from_secs(600),
            put_away: Duration::from_secs(60),
        }
    }
}

impl Default for CpuConfig {
    fn default() -> CpuConfig {
        CpuConfig { workers: 0, queue: 256, max_think: Duration::from_secs(5) }
    }
}

impl Default for LogConfig {
    fn default() -> LogConfig {
        LogConfig { level: "info".to_owned(), format: LogFormat::Text }
    }
}

#[cfg(test)]
mod tests;
