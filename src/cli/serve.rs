//! `hexhall serve`: the server itself.

use std::io::{self, IsTerminal, Write};
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use metrics_exporter_prometheus::PrometheusBuilder;
use tokio::signal::unix::{SignalKind, signal};
use tracing::subscriber::set_global_default;
use tracing_subscriber::EnvFilter;

use crate::chance::Chance;
use crate::config::{Config, CpuConfig, Durability, Engine, Flag, LogConfig, LogFormat};
use crate::cpu::Pool;
use crate::cpu::pool::PoolOptions;
use crate::cpu::seat::House;
use crate::game::clock::Millis;
use crate::operator::token::Key;
use crate::server::{Parts, Port, Server};
use crate::store::{self, OpenError, Store};
use crate::time::TimeSource;

use super::{Failure, block_on, from_here};

/// Run the server (what `hexhall` does when no command is given)
///
/// Everything is kept in one database in the data directory, which is made on the first start.
/// Stop it with Ctrl-C or SIGTERM: players are told when to come back, and every game goes on
/// where it was once the server is started again.
#[derive(Debug, Default, clap::Args)]
#[command(after_long_help = "\
Examples:
  hexhall
  hexhall serve --listen 0.0.0.0:8080 --data /var/lib/hexhall
  hexhall serve --config /etc/hexhall.toml

Every setting can also be given as an environment variable, such as HEXHALL_SERVER__LISTEN; \
config/hexhall.toml in the source tree lists them all with their defaults and reasons.")]
pub struct Args {
    /// A TOML file of settings; whatever it leaves out has its default
    #[arg(long, value_name = "FILE", env = "HEXHALL_CONFIG")]
    config: Option<PathBuf>,

    /// The address and port for pages, API and WebSocket; port 0 takes any free one
    #[arg(long, value_name = "ADDR:PORT")]
    listen: Option<SocketAddr>,

    /// Where the database is kept
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Serves until told to stop.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let config = load(&args)?;
    start_log(&config.log);
    let metrics = PrometheusBuilder::new()
        .install_recorder()
        .map_err(|error| Failure::Usage(format!("cannot keep figures: {error}")))?;
    let time = TimeSource::system();
    block_on(async {
        // Before anything is made: a start that fails for its port leaves nothing behind.
        let port = Port::take(config.server.listen)?;
        let store = open_store(&config, &time)?;
        // After the store, which makes the folder and holds it alone.
        let operator = config.token_file().map(|path| Key::open(&path)).transpose()?;
        let chance = Chance::system().map_err(|error| Failure::Usage(error.to_string()))?;
        let pool =
            Pool::start(pool_options(&config.cpu), time.clone()).map_err(Failure::Runtime)?;
        let most_ms = Millis::try_from(config.cpu.max_think.as_millis()).unwrap_or(Millis::MAX);
        let thinker = Arc::new(House::new(pool.clone(), chance.clone(), time.clone(), most_ms));
        let parts = Parts { store, time, chance, thinker, metrics, operator };
        let served = serve(&config, port, parts).await;
        pool.stop();
        served
    })
}

async fn serve(config: &Config, port: Port, parts: Parts) -> Result<ExitCode, Failure> {
    let server = Server::start(config, port, parts).await?;
    say_where(server.address());
    stop_asked_for().await.map_err(Failure::Runtime)?;
    tracing::info!("stopping");
    server.stop().await;
    Ok(ExitCode::SUCCESS)
}

fn pool_options(config: &CpuConfig) -> PoolOptions {
    let usual = PoolOptions::default().workers;
    let workers = NonZeroUsize::new(config.workers).unwrap_or(usual);
    PoolOptions { workers, queue: config.queue }
}

fn load(args: &Args) -> Result<Config, Failure> {
    let listen = args.listen.map(|it| Flag::new("--listen", "server.listen", it));
    let data = args.data.as_ref().map(|it| Flag::new("--data", "store.data", it.display()));
    let flags: Vec<Flag> = listen.into_iter().chain(data).collect();
    Ok(Config::load(args.config.as_deref(), std::env::vars_os(), &flags)?)
}

/// The log goes to standard error, so that what is said to people stands alone.
///
/// What libraries hand to the `log` crate is not taken in: at `trace` the WebSocket library writes
/// whole frames there, and what a frame tells one player is nobody else's to read.
fn start_log(config: &LogConfig) {
    let log = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(&config.level))
        .with_ansi(io::stderr().is_terminal())
        .with_writer(io::stderr);
    let started = match config.format {
        LogFormat::Text => set_global_default(log.finish()),
        LogFormat::Json => set_global_default(log.json().finish()),
    };
    // It fails only where a log was started before, and then there is one.
    let _ = started;
}

fn open_store(
    Config { store: config, operator, .. }: &Config,
    time: &TimeSource,
) -> Result<Store, OpenError> {
    let options = store::Options {
        durability: match config.durability {
            Durability::Power => store::Durability::Power,
            Durability::Process => store::Durability::Process,
        },
        queue: config.journal_queue,
        open_reports: operator.open_reports,
        time: time.clone(),
        ..store::Options::default()
    };
    match config.engine {
        Engine::Sqlite => Store::open_with(&config.data, options),
        Engine::Memory => Ok(Store::memory_with(options)),
    }
}

/// Says which address to open, to people and to scripts that wait for it.
fn say_where(address: SocketAddr) {
    let host = from_here(address);
    // Whoever has closed standard output does not want to know.
    let _ = writeln!(io::stdout(), "hexhall is ready: open http://{host}/");
    tracing::info!(%address, "ready");
}

async fn stop_asked_for() -> io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::select! {
        done = tokio::signal::ctrl_c() => done,
        _ = terminate.recv() => Ok(()),
    }
}
