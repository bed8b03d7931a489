//! A server in the test's own process, on a port of its own.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hexhall::chance::Chance;
use hexhall::config::Config;
use hexhall::cpu::seat::Thinker;
use hexhall::game::clock::{Millis, Stamp};
use hexhall::operator::token::Key;
use hexhall::remote::Address;
use hexhall::server::{Parts, Port, Server};
use hexhall::store::{Durability, Faults, Options, Store};
use hexhall::time::TimeSource;
use hexhall_proto::parts::Seat;
use hexhall_proto::view::View;
use metrics_exporter_prometheus::PrometheusBuilder;
use tempfile::TempDir;

use super::thinker::FirstFree;
use super::{get, patiently, poll};

/// What shows that one is the operator.
pub const OPERATOR: &str = "hxo_of a test";

/// When a held time line begins.
pub const DAWN: Stamp = Stamp(1_760_000_000_000);

/// What a server is started with.
pub struct Setup {
    /// Its settings.
    pub config: Config,
    /// What time it is.
    pub time: TimeSource,
    /// What its store meets.
    pub faults: Faults,
    /// Who thinks where the computer drives a seat.
    pub thinker: Arc<dyn Thinker>,
    /// Where its database is kept; without one it keeps everything in memory.
    pub folder: Option<TempDir>,
}

impl Setup {
    /// The machine's time, a store in memory, no limits on how much may be asked.
    pub fn new() -> Setup {
        let mut config = Config::default();
        config.server.listen = SocketAddr::from(([127, 0, 0, 1], 0));
        config.server.arbiters = 2;
        config.limits.enabled = false;
        // Nobody is missed for what they have no time to read.
        config.streams.gone_after = Duration::from_secs(3_600);
        let time = TimeSource::system();
        let thinker = Arc::new(FirstFree);
        Setup { config, time, faults: Faults::switchable(), thinker, folder: None }
    }

    /// Time that the test moves. Sessions live through any leap of it.
    pub fn by_hand() -> Setup {
        let mut setup = Setup { time: TimeSource::manual(DAWN), ..Setup::new() };
        let long = Duration::from_secs(1_000_000_000);
        setup.config.streams.ping_every = long;
        setup.config.streams.gone_after = 2 * long;
        setup.config.limits.hello = long;
        setup
    }

    /// Everything is kept in a database, so that the server may be stopped and started.
    pub fn kept(self) -> Setup {
        Setup { folder: Some(tempfile::tempdir().unwrap()), ..self }
    }
}

/// A running server.
pub struct Hall {
    server: Option<Server>,
    store: Store,
    setup: Setup,
    chance: Chance,
}

impl Hall {
    /// Starts a server.
    pub async fn start(setup: Setup) -> Hall {
        let chance = Chance::seeded([7; 32]);
        let store = open_store(&setup);
        let server = Some(serve(&setup, &store, &chance).await);
        Hall { server, store, setup, chance }
    }

    /// Where it is.
    pub fn address(&self) -> Address {
        let server = self.server.as_ref().expect("the server runs");
        format!("http://{}", server.address()).parse().unwrap()
    }

    /// Moves the time on.
    pub fn advance(&self, span: Millis) {
        self.setup.time.advance(span);
    }

    /// Waits until the server knows that a public table's players in these seats are gone: their end of
    /// a connection is closed at once, and nothing tells when the server has heard of it.
    pub async fn misses(&self, table: &str, seats: &[Seat]) {
        let page = format!("/v1/tables/{table}");
        poll("the server to miss somebody", async || {
            let view: View = serde_json::from_str(&get(&self.address(), &page).await.1).unwrap();
            let is_gone = |&seat: &Seat| !view.presence.seats[seat as usize].connected;
            seats.iter().all(is_gone).then_some(())
        })
        .await;
    }

    /// What its store meets.
    pub fn faults(&self) -> &Faults {
        &self.setup.faults
    }

    /// What it has written down.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Where it keeps what it writes down.
    pub fn folder(&self) -> &Path {
        self.setup.folder.as_ref().expect("something is kept").path()
    }

    /// Stops it in order.
    pub async fn stop(&mut self) {
        let server = self.server.take().expect("the server runs");
        patiently("the server stops", server.stop()).await;
    }

    /// Starts it again on what it has kept.
    pub async fn start_again(&mut self) {
        assert!(self.setup.folder.is_some(), "nothing was kept");
        self.store = open_store(&self.setup);
        self.server = Some(serve(&self.setup, &self.store, &self.chance).await);
    }
}

fn open_store(Setup { config, time, faults, folder, .. }: &Setup) -> Store {
    let options = Options {
        durability: Durability::Process,
        time: time.clone(),
        faults: faults.clone(),
        open_reports: config.operator.open_reports,
        ..Options::default()
    };
    match folder {
        Some(folder) => Store::open_with(folder.path(), options).unwrap(),
        None => Store::memory_with(options),
    }
}

async fn serve(setup: &Setup, store: &Store, chance: &Chance) -> Server {
    let Setup { config, time, thinker, .. } = setup;
    let metrics = PrometheusBuilder::new().build_recorder().handle();
    let (store, time, chance) = (store.clone(), time.clone(), chance.clone());
    let thinker = Arc::clone(thinker);
    let operator = Some(Key::of(OPERATOR));
    let port = Port::take(config.server.listen).unwrap();
    Server::start(config, port, Parts { store, time, chance, thinker, metrics, operator })
        .await
        .unwrap()
}
