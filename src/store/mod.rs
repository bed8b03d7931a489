//! The journal, and the tables of record that change with it.
//!
//! One library, `rusqlite`, and one writer thread for everything that SQLite writes: events,
//! listings, games and players of many callers share a transaction, and one fsync acknowledges
//! them all. Reads go through connections of their own. A second engine keeps everything in
//! memory for tests and throw-away servers; another database would be a further arm of `Engine`.
//!
//! The store knows ids and payloads, not games: what an event's bytes mean is its callers' affair.
//!
//! Invariants:
//! - Nothing is acknowledged before the commit that holds it, and acknowledgements come in the
//!   order of the appends.
//! - A commit that fails is tried again with the same writes in the same order; none is dropped
//!   while the store is open.
//! - A write that no attempt can make is left out and answered so, and the others are made. Of an
//!   append, its table hears: nothing that comes after it at that table is written either.
//! - A table's numbers are written once and without a gap: a second writer of one is told so, and
//!   only that one.

pub use self::acts::{
    Act, ActKind, ActRow, Found, MOST_NOTICES, MOST_TEXT, NoticeKind, NoticeRow, Sanction,
};
pub use self::audit::{Counted, KeptResult, KeptStanding};
pub use self::error::{OpenError, PlayerError, ReadError};
pub use self::faults::Faults;
pub use self::health::Health;
pub use self::people::Which;
pub use self::queue::{Append, Busy, Slot};
pub use self::reports::{
    FullReport, NewReport, Reason, ReportError, ReportLine, ReportRow, Settled, Waiting,
};
pub use self::results::{
    GameResult, Leader, Leaders, Left, Listed, MOST_PLACES, Ranked, RatedResult, RatingChange,
    ResultRow,
};
pub use self::rows::{
    CredentialRow, DamagedRow, GameRow, Holder, KeyLabel, PlayerRow, TableRow, TableRows,
    TableStatus, TokenHash,
};
pub use self::shuns::{Shun, ShunRow};
pub use self::told::PlayerChange;
pub use self::word::{Durable, Lost, Word};

mod acts;
mod audit;
mod persons;
mod error;
mod faults;
pub mod form;
mod health;
mod memory;
mod people;
mod shuns;
mod reports;
mod queue;
mod results;
mod rows;
mod sqlite;
mod told;
mod word;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};

use self::health::Monitor;
use self::memory::Memory;
use self::queue::Write;
use self::reports::OpenReports;
use self::sqlite::Sqlite;
use self::told::Listener;
use crate::game::clock::Millis;
use crate::ids::{GameId, TableId};
use crate::time::TimeSource;

/// A handle on the store. The last clone to go closes it.
#[derive(Clone)]
pub struct Store {
    queue: mpsc::Sender<Write>,
    monitor: Arc<Monitor>,
    listener: Listener,
    open_reports: Arc<OpenReports>,
    engine: Engine,
}

#[derive(Clone)]
enum Engine {
    Memory(Arc<Memory>),
    Sqlite(Arc<Sqlite>),
}

/// What either engine answers: from its rows, or on one of its readers' connections.
macro_rules! read {
    ($store:expr, $rows:pat_param => $memory:expr, $db:ident => $sqlite:expr $(,)?) => {
        match &$store.engine {
            $crate::store::Engine::Memory(memory) => memory.read(|$rows| $memory),
            $crate::store::Engine::Sqlite(sqlite) => sqlite.read(move |$db| $sqlite).await,
        }
    };
}
use read;

/// What an acknowledged write survives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Durability {
    /// Loss of power: every commit waits for the disk.
    #[default]
    Power,
    /// The end of this process, not that of the machine.
    Process,
}

/// How to open a store. The defaults are what a server wants.
#[derive(Clone)]
pub struct Options {
    /// What an acknowledged write survives.
    pub durability: Durability,
    /// How many writes may wait at once; the next is `Busy`. At least 1.
    pub queue: usize,
    /// How long a commit waits for a database that another process has locked, before it counts
    /// as failed.
    pub lock_timeout: Duration,
    /// How many reports may be open at once, of all players together.
    pub open_reports: u64,
    /// The time that outages are measured in.
    pub time: TimeSource,
    /// Faults for tests.
    pub faults: Faults,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            durability: Durability::default(),
            queue: 4096,
            lock_timeout: Duration::from_secs(1),
            open_reports: 5_000,
            time: TimeSource::system(),
            faults: Faults::default(),
        }
    }
}

impl Store {
    /// A new store in memory: durable at once, gone with the process.
    pub fn memory() -> Store {
        Store::memory_with(Options::default())
    }

    /// A new store in memory, with these options.
    pub fn memory_with(options: Options) -> Store {
        let (queue, writes) = mpsc::channel(options.queue.max(1));
        let monitor = Arc::new(Monitor::new(options.time));
        let listener = Listener::default();
        let heard = listener.clone();
        let memory = Memory::new(writes, Arc::clone(&monitor), options.faults, heard);
        let open_reports = Arc::new(OpenReports::new(options.open_reports));
        Store { queue, monitor, listener, open_reports, engine: Engine::Memory(memory) }
    }

    /// Opens the store in a folder, which this process then holds alone. Makes the folder and
    /// `hexhall.db` in it when they are missing, and brings an older database up to date.
    ///
    /// Blocks on the disk. The metrics recorder has to be installed before.
    pub fn open(dir: &Path, durability: Durability) -> Result<Store, OpenError> {
        Store::open_with(dir, Options { durability, ..Options::default() })
    }

    /// [`Store::open`], with these options.
    pub fn open_with(dir: &Path, options: Options) -> Result<Store, OpenError> {
        // One place more than can be reserved: the engine keeps it for its last message.
        let (queue, writes) = mpsc::channel(options.queue.max(1) + 1);
        let monitor = Arc::new(Monitor::new(options.time.clone()));
        let last = queue.clone().try_reserve_owned().ok();
        let listener = Listener::default();
        let heard = listener.clone();
        let sqlite = Sqlite::open(dir, &options, writes, last, Arc::clone(&monitor), heard)?;
        let (open_reports, engine) =
            (Arc::new(OpenReports::new(options.open_reports)), Engine::Sqlite(Arc::new(sqlite)));
        Ok(Store { queue, monitor, listener, open_reports, engine })
    }

    /// Writes what was handed in, ends the threads and lets go of the folder. From then on there
    /// is only `Busy::Closed` and `ReadError::Closed`. While commits fail it goes on
    /// trying for 2 s, and then leaves unacknowledged what could not be written.
    ///
    /// Blocks: call it where that does no harm. Dropping the last clone does the same.
    pub fn close(&self) {
        match &self.engine {
            Engine::Memory(memory) => memory.close(),
            Engine::Sqlite(sqlite) => sqlite.close(),
        }
    }

    /// Takes a place in the queue. To be called before the state changes that is to be journaled:
    /// `Busy` then means that nothing has happened.
    pub fn reserve(&self) -> Result<Slot, Busy> {
        if self.monitor.is_failing() {
            return Err(if self.queue.is_closed() { Busy::Closed } else { Busy::Failing });
        }
        let permit = self.queue.clone().try_reserve_owned().map_err(|refused| match refused {
            mpsc::error::TrySendError::Full(_) => Busy::Full,
            mpsc::error::TrySendError::Closed(_) => Busy::Closed,
        })?;
        let memory = match &self.engine {
            Engine::Memory(memory) => Some(Arc::clone(memory)),
            Engine::Sqlite(_) => None,
        };
        Ok(Slot::new(permit, memory))
    }

    /// Whether commits succeed, now and from now on.
    pub fn health(&self) -> watch::Receiver<Health> {
        self.monitor.health()
    }

    /// The time spent in outages so far, the current one included; never goes back. An outage
    /// counts from the start of the first attempt that failed.
    pub fn outage_ms(&self) -> Millis {
        self.monitor.outage_ms()
    }

    /// The payloads of a table's events, in order; none for a table that was never written.
    pub async fn load(&self, table: TableId) -> Result<Vec<Vec<u8>>, ReadError> {
        match &self.engine {
            Engine::Memory(memory) => memory.read(|rows| rows.load(table))?,
            Engine::Sqlite(sqlite) => sqlite.read(move |db| sqlite::load(db, table)).await,
        }
    }

    /// Every table that has events, in the order of ids.
    pub async fn journal_tables(&self) -> Result<Vec<TableId>, ReadError> {
        read!(self, rows => rows.journal_tables(), db => sqlite::journal_tables(db))
    }

    /// The tables that are not closed.
    pub async fn tables_live(&self) -> Result<TableRows, ReadError> {
        read!(self, rows => rows.tables_live(), db => sqlite::tables_live(db))
    }

    /// The tables that have closed since then, in milliseconds since the Unix epoch. Reads
    /// every table that ever was.
    pub async fn tables_closed(&self, since_ms: u64) -> Result<TableRows, ReadError> {
        read!(self, rows => rows.tables_closed(since_ms), db => sqlite::tables_closed(db, since_ms))
    }

    /// One table's row.
    pub async fn table(&self, id: TableId) -> Result<Option<TableRow>, ReadError> {
        read!(self, rows => rows.table(id), db => sqlite::table(db, id))
    }

    /// One game's row.
    pub async fn game(&self, id: GameId) -> Result<Option<GameRow>, ReadError> {
        read!(self, rows => rows.game(id), db => sqlite::game(db, id))
    }
}
