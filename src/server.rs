//! The one place that wires the parts together, and the order in which they start and stop.
//!
//! Start: the port is taken first of all, but answers only once threads, lobby and all tables at
//! which something comes due stand as the journal tells them. Stop: accept nobody new, tell every
//! session when to come back, give them what they are owed, end the tables, close the journal.

mod doors;
mod forget;
mod settings;

use std::io;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::sync::Arc;

use axum::Router;
use metrics::{describe_gauge, gauge};
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::accounts::Accounts;
use crate::chance::Chance;
use crate::config::Config;
use crate::cpu::seat::Thinker;
use crate::game::clock::{Millis, Stamp};
use crate::gateway::Gateway;
use crate::gateway::limits::Each;
use crate::gateway::settings::Allowance;
use crate::http::api::me::Identity;
use crate::http::api::{self, Api};
use crate::http::pace::Pace;
use crate::http::{self, Readiness};
use crate::ids::TableId;
use crate::lobby::actor::{Board, Limits};
use crate::lobby::directory::spectator_delay_ms;
use crate::lobby::{Lobby, Tables};
use crate::operator::token::Key;
use crate::operator::{Desk, Operator};
use crate::store::{
    DamagedRow, Health, PlayerChange, ReadError, Store, TableRow, TableRows, TableStatus,
};
use crate::table::beginning::{BESIDES_MOVES, Services};
use crate::table::options::MOST_DELAY_S;
use crate::time::TimeSource;
use crate::workers::Workers;

pub use doors::Doors;

/// What a server is made of, besides its settings.
pub struct Parts {
    /// Where everything is kept.
    pub store: Store,
    /// What time it is.
    pub time: TimeSource,
    /// What nobody may choose.
    pub chance: Chance,
    /// Who thinks where the computer drives a seat.
    pub thinker: Arc<dyn Thinker>,
    /// The process's figures.
    pub metrics: PrometheusHandle,
    /// What an operator shows; without it there is no door for one.
    pub operator: Option<Key>,
}

/// A port that is taken, where connections wait until a server answers them.
pub struct Port {
    listener: TcpListener,
    address: SocketAddr,
}

impl Port {
    /// Takes a port, which is to be done before anything is made that a failed start would leave
    /// behind. To be called within the runtime that is to serve it.
    ///
    /// # Errors
    /// It cannot be had: somebody else has it, or only others may.
    pub fn take(address: SocketAddr) -> Result<Port, StartError> {
        let failed = |source| StartError::Listen { address, source };
        let listener = bind(address).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Port { listener, address })
    }
}

/// A server that runs.
pub struct Server {
    address: SocketAddr,
    gateway: Arc<Gateway<Doors>>,
    workers: Arc<Workers>,
    tables: Tables,
    store: Store,
    stop_http: oneshot::Sender<()>,
    http: JoinHandle<()>,
    background: Vec<JoinHandle<()>>,
}

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address could not be had.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why not.
        source: io::Error,
    },
    /// No threads to run on.
    #[error("cannot start the worker threads: {0}")]
    Workers(io::Error),
    /// The store could not be read.
    #[error("cannot read the store: {0}")]
    Store(#[from] ReadError),
}

/// How often games that nobody came back to are looked for.
const SWEEP_EVERY_MS: Millis = 3_600_000;

impl Server {
    /// Starts a server on a port; once this returns, it serves.
    pub async fn start(config: &Config, port: Port, parts: Parts) -> Result<Server, StartError> {
        let Port { listener, address } = port;
        let (store, time) = (parts.store.clone(), parts.time.clone());
        let TableRows { rows, damaged } = store.tables_live().await?;
        report(&damaged);
        let workers = Arc::new(Workers::start(threads(config)).map_err(StartError::Workers)?);
        let wired = Wired::new(config, parts, Arc::clone(&workers), rows).await;
        let Wired { gateway, routes, tables, deaths } = wired;
        tables.wake(closed_unseen(&store, time.now()).await?).await;
        // A row is no more than what the journal says, which may be whole: the table then stands as
        // it did, and the row is written anew when something happens there.
        tables.wake(damaged.iter().filter_map(|row| row.id.parse().ok()).collect()).await;
        let (stop_http, stopped) = oneshot::channel();
        let http = tokio::spawn(http::serve(listener, routes, time.clone(), async {
            // A server that is dropped stops as well.
            let _ = stopped.await;
        }));
        let background = vec![
            tokio::spawn(tables.clone().revive(deaths)),
            tokio::spawn(sweep(tables.clone(), store.clone(), time.clone())),
            tokio::spawn(forget::run(store.clone(), time)),
        ];
        Ok(Server { address, gateway, workers, tables, store, stop_http, http, background })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops in order: nobody new, everybody told, everything owed sent, everything written.
    pub async fn stop(self) {
        let Server { gateway, workers, tables, store, stop_http, http, background, .. } = self;
        // Sessions are told first, while the port still answers those who ask what is going on.
        gateway.close().await;
        let _ = stop_http.send(());
        if let Err(error) = http.await {
            tracing::error!(%error, "the port's task failed");
        }
        for task in background {
            task.abort();
        }
        tables.keep_seen().await;
        let ended = tokio::task::spawn_blocking(move || {
            workers.stop();
            store.close();
        });
        if let Err(error) = ended.await {
            tracing::error!(%error, "the server did not end in order");
        }
    }
}

/// A server without its port: sessions come in by the gateway over any stream, requests by calling
/// the routes.
pub struct Wired {
    /// The door for sessions.
    pub gateway: Arc<Gateway<Doors>>,
    /// The door for everything else over HTTP.
    pub routes: Router,
    tables: Tables,
    deaths: mpsc::Receiver<TableId>,
}

impl Wired {
    /// Makes the parts and puts them together; `rows` are the tables that were there before.
    pub async fn new(
        config: &Config,
        parts: Parts,
        workers: Arc<Workers>,
        rows: Vec<TableRow>,
    ) -> Wired {
        let Parts { store, time, chance, thinker, metrics, operator } = parts;
        let board = Arc::new(Board::default());
        let fresh = {
            let (chance, time) = (chance.clone(), time.clone());
            Arc::new(move || chance.game(time.now()))
        };
        let services = Services {
            store: store.clone(),
            time: time.clone(),
            fresh,
            listings: Arc::clone(&board) as _,
            besides_moves: Arc::new(Each::new(
                config.limits.enabled.then(|| Allowance::an_hour(BESIDES_MOVES)),
                time.clone(),
            )),
            thinker,
            spans: settings::spans(&config.tables),
            history: config.streams.history_events,
            mailbox: config.tables.mailbox,
            put_away_ms: settings::millis(config.tables.put_away),
        };
        let (tables, deaths) = Tables::new(Arc::clone(&workers), services);
        let limits = match config.limits.enabled {
            true => Limits::usual(config.limits.tables_per_guest),
            false => Limits::default(),
        };
        let lobby = Lobby::start(
            &workers,
            tables.clone(),
            Arc::clone(&board),
            chance.clone(),
            limits,
            rows.clone(),
        );
        tables.wake_due(&rows).await;

        let accounts = Accounts::new(store.clone(), time.clone(), chance.clone());
        let accounts = if config.limits.enabled { accounts.limited() } else { accounts };
        let doors = Doors::new(tables.clone(), lobby.clone(), time.clone());
        let settings = settings::gateway(config);
        let gateway =
            Gateway::new(settings.clone(), doors, accounts.clone(), time.clone(), workers);
        store.tell({
            let live = Arc::clone(gateway.live());
            move |change| match change {
                // Where its sessions are is where it goes from.
                PlayerChange::Retired { .. } => {
                    board.player_changed(change);
                    live.changed(change);
                }
                _ => {
                    live.changed(change);
                    board.player_changed(change);
                }
            }
        });
        let settings = Arc::new(settings);
        let pace = Arc::new(Pace::new(Arc::clone(&settings), time.clone()));
        let identity = Identity { accounts, settings };
        let operator = operator.map(|key| {
            let (live, lobby) = (Arc::clone(gateway.live()), lobby.clone());
            let (store, time) = (store.clone(), time.clone());
            let desk = Desk { store, time, chance, live, lobby };
            Arc::new(Operator::new(key, desk, config.limits.enabled))
        });
        let api =
            Api { tables: tables.clone(), lobby, store: store.clone(), time, identity, operator };
        let routes =
            http::router(Arc::clone(&gateway), readiness(&store), metrics, pace, api::router(api));
        Wired { gateway, routes, tables, deaths }
    }
}

/// Connections that may wait to be accepted: as many as come back at once after a restart, where
/// the usual 128 would have the rest try again a second later.
const BACKLOG: u32 = 4_096;

fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // A server that is started again has the port of the one before at once.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

fn threads(config: &Config) -> NonZeroUsize {
    let one_a_core = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    NonZeroUsize::new(config.server.arbiters).unwrap_or_else(one_a_core)
}

/// Whether moves can be written down, as `GET /readyz` says.
fn readiness(store: &Store) -> Readiness {
    let health = store.health();
    Arc::new(move || match &*health.borrow() {
        Health::Ok => Ok(()),
        Health::Failing { why, .. } => Err(format!("the journal cannot be written: {why}")),
    })
}

/// Says which rows of tables cannot be read. Their tables are on no list until they are woken.
fn report(damaged: &[DamagedRow]) {
    describe_gauge!("hexhall_damaged_tables", "Rows of tables that could not be read at the start");
    gauge!("hexhall_damaged_tables").set(damaged.len() as f64);
    for DamagedRow { id, why } in damaged {
        tracing::error!(
            table = id,
            why,
            "a table's row cannot be read and is skipped: its journal is read instead; stop the \
             server and run `hexhall verify` to see whether that is whole"
        );
    }
}

/// Tables that have closed, and that spectators may still have to be shown as they were before.
async fn closed_unseen(store: &Store, now: Stamp) -> Result<Vec<TableId>, ReadError> {
    let since_ms = now.0.saturating_sub(Millis::from(MOST_DELAY_S) * 1_000);
    let closed = store.tables_closed(since_ms).await?.rows;
    Ok(closed.iter().filter(|row| spectator_delay_ms(row) > 0).map(|row| row.id).collect())
}

/// Now and then wakes games that have run for long without a clock: one that both players have
/// left for good is then void. Those that are awake say first who is there, for a server that is
/// killed.
async fn sweep(tables: Tables, store: Store, time: TimeSource) {
    loop {
        time.sleep(SWEEP_EVERY_MS).await;
        tables.keep_seen().await;
        let abandoned_ms = tables.services().spans.abandoned_ms;
        let now = time.now();
        match store.tables_live().await {
            Ok(TableRows { mut rows, .. }) => {
                rows.retain(|row| {
                    let old = now - Stamp(row.updated_ms) >= abandoned_ms;
                    row.status == TableStatus::Playing && old
                });
                tables.wake(rows.iter().map(|row| row.id).collect()).await;
            }
            Err(error) => tracing::warn!(%error, "cannot look for abandoned games"),
        }
    }
}

#[cfg(test)]
mod tests {
    use metrics_exporter_prometheus::PrometheusBuilder;

    use super::*;

    #[test]
    fn rows_that_cannot_be_read_are_counted() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let row = DamagedRow { id: "tbl_1".to_owned(), why: "no status".to_owned() };
        metrics::with_local_recorder(&recorder, || report(&[row.clone(), row]));
        let told = recorder.handle().render();
        assert!(told.lines().any(|line| line == "hexhall_damaged_tables 2"), "{told}");
    }
}
