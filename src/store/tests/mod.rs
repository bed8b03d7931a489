//! The store's behaviour, on both engines, and what only a file can show.

/// Each test as two: with the store in memory, and with the one in a file.
macro_rules! on_both_engines {
    ($($test:ident),+ $(,)?) => {
        mod memory {
            $(#[tokio::test]
            async fn $test() {
                super::$test($crate::store::tests::Fixture::memory()).await
            })+
        }

        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                super::$test($crate::store::tests::Fixture::sqlite()).await
            })+
        }
    };
}

mod acts;
mod both;
mod crash;
mod file;
mod people;
mod poison;
mod ratings;
mod reports;
mod shuns;

use std::time::Duration;

use rusqlite::Connection;
use tempfile::TempDir;

use super::sqlite::schema;
use super::*;
use crate::game::clock::Stamp;
use crate::ids::{KeyId, NoticeId, PlayerId};

/// A store with its faults and its clock in hand.
struct Fixture {
    store: Store,
    faults: Faults,
    time: TimeSource,
    /// Removed after the store is closed.
    _dir: Option<TempDir>,
}

impl Fixture {
    fn memory() -> Fixture {
        Fixture::memory_with_queue(4096)
    }

    fn sqlite() -> Fixture {
        Fixture::sqlite_with_queue(4096)
    }

    fn memory_with_queue(queue: usize) -> Fixture {
        let (options, faults, time) = options(queue);
        Fixture { store: Store::memory_with(options), faults, time, _dir: None }
    }

    fn sqlite_with_queue(queue: usize) -> Fixture {
        let dir = TempDir::new().unwrap();
        let (options, faults, time) = options(queue);
        let store = Store::open_with(dir.path(), options).unwrap();
        Fixture { store, faults, time, _dir: Some(dir) }
    }
}

fn options(queue: usize) -> (Options, Faults, TimeSource) {
    let faults = Faults::switchable();
    let time = TimeSource::manual(Stamp(1_000));
    let options = Options {
        durability: Durability::Process,
        queue,
        lock_timeout: Duration::from_millis(10),
        open_reports: 5,
        time: time.clone(),
        faults: faults.clone(),
    };
    (options, faults, time)
}

/// One table's actor, as far as the store knows it.
struct Actor {
    table: TableId,
    next: u64,
    told: Word,
}

impl Actor {
    fn new(table: u64) -> Actor {
        Actor::after(table, 0)
    }

    /// An actor that has loaded the table up to `number`.
    fn after(table: u64, number: u64) -> Actor {
        let told = Word::new(Durable { to: number, lost: None });
        Actor { table: table_id(table), next: number + 1, told }
    }

    fn next<const N: usize>(&mut self, events: [&str; N]) -> Append {
        let first = self.next;
        self.next += N as u64;
        Append {
            table: self.table,
            first,
            events: events.map(|event| event.as_bytes().to_vec()).into(),
            listing: None,
            games: Vec::new(),
            result: None,
            left: None,
            told: self.told.clone(),
        }
    }

    fn append<const N: usize>(&mut self, store: &Store, events: [&str; N]) {
        store.reserve().unwrap().append(self.next(events));
    }

    fn durable_now(&self) -> Durable {
        self.told.read()
    }

    async fn durable_to(&mut self, number: u64) {
        let is_told = |durable: &Durable| durable.to >= number || durable.lost.is_some();
        let durable = self.told.until(is_told).await;
        assert!(durable.to >= number, "{durable:?}");
    }

    async fn lost(&mut self) -> Durable {
        self.told.until(|durable| durable.lost.is_some()).await
    }
}

fn table_id(n: u64) -> TableId {
    TableId::from_parts(n, 0)
}

fn listing(table: u64, status: TableStatus, listing: &str) -> TableRow {
    TableRow {
        id: table_id(table),
        status,
        public: table.is_multiple_of(2),
        updated_ms: 7,
        listing: listing.as_bytes().to_vec(),
    }
}

fn player(n: u64, name: &str) -> PlayerRow {
    PlayerRow { id: PlayerId::from_parts(n, 0), name: name.to_owned(), created_ms: n, owner: None }
}

/// The device of a player, which goes by the token's number.
fn device(player: u64, token: u8) -> CredentialRow {
    let id = KeyId::from_parts(token.into(), 0);
    CredentialRow::device(id, PlayerId::from_parts(player, 0), [token; 32], player)
}

/// Who is known by the token of that number.
/// The database of a data folder as an older version left it, with nothing in it yet.
fn of_version(dir: &Path, version: usize) -> Connection {
    let mut database = Connection::open(dir.join("hexhall.db")).unwrap();
    schema::migrate_to(&mut database, version).unwrap();
    database
}

async fn known(store: &Store, token: u8) -> Option<PlayerRow> {
    store.holder([token; 32]).await.unwrap().map(|holder| holder.player)
}

async fn texts(store: &Store, table: u64) -> Vec<String> {
    let events = store.load(table_id(table)).await.unwrap();
    events.into_iter().map(|event| String::from_utf8(event).unwrap()).collect()
}

async fn is_failing(store: &Store) {
    let mut health = store.health();
    health.wait_for(|health| *health != Health::Ok).await.unwrap();
}

async fn is_ok(store: &Store) {
    let mut health = store.health();
    health.wait_for(|health| *health == Health::Ok).await.unwrap();
}
