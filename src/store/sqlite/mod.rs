//! The store in a SQLite file, `hexhall.db`, in a folder that one process holds at a time.
//!
//! Owns the folder's lock, one writer thread and the reader threads, and ends them in this order:
//! the writer, once everything handed in is written; the readers; the lock.

pub(super) use self::audit::{
    counted_after, game_counts, games_of, integrity, result, seat_in, standings, table_ids,
};
pub(super) use self::people::{bots, by_recovery, credentials, is_claimed, named, player};
pub(super) use self::reader::{game, journal_tables, load, table, tables_closed, tables_live};

pub(super) mod acts;
mod audit;
pub(super) mod board;
mod columns;
mod copies;
mod heads;
mod known;
mod people;
pub(super) mod ratings;
mod reader;
pub(super) mod reports;
pub(super) mod schema;
pub(super) mod shuns;
mod trouble;
mod writer;

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use self::copies::Copies;
use self::known::KnownTokens;
use self::reader::{Job, READERS};
use self::writer::Writer;
use super::acts::Acts;
use super::faults::Faults;
use super::health::{Monitor, lock};
use super::persons::Persons;
use super::queue::Write;
use super::shuns::Shuns;
use super::told::Listener;
use super::{Durability, Holder, OpenError, Options, ReadError, TokenHash};

/// The SQLite engine.
pub(super) struct Sqlite {
    /// Said to the writer out of turn, so that it stops retrying in an outage.
    closing: Arc<AtomicBool>,
    faults: Faults,
    copies: Arc<Copies>,
    reads: Mutex<Option<mpsc::Sender<Job>>>,
    running: Mutex<Option<Running>>,
}

/// What there is to end.
struct Running {
    /// A place kept in the queue, so that the last message always finds room.
    last: Option<mpsc::OwnedPermit<Write>>,
    writer: JoinHandle<()>,
    readers: Vec<JoinHandle<()>>,
    folder: File,
}

impl Sqlite {
    pub(super) fn open(
        dir: &Path,
        options: &Options,
        writes: mpsc::Receiver<Write>,
        last: Option<mpsc::OwnedPermit<Write>>,
        monitor: Arc<Monitor>,
        listener: Listener,
    ) -> Result<Sqlite, OpenError> {
        let in_dir = |source| OpenError::Io { path: dir.to_owned(), source };
        std::fs::create_dir_all(dir).map_err(in_dir)?;
        let folder = lock_folder(dir)?;

        let path = database(dir);
        let in_database = |source| OpenError::Database { path: path.clone(), source };
        let mut connection = Connection::open(&path).map_err(in_database)?;
        // Before anything is set: what is not ours stays as it is.
        schema::check(&connection, &path)?;
        set_up(&connection, options).map_err(in_database)?;
        schema::migrate(&mut connection).map_err(in_database)?;
        set_up_writer(&connection).map_err(in_database)?;

        let closing = Arc::new(AtomicBool::new(false));
        let faults = options.faults.clone();
        let copies = Arc::new(Copies {
            known: KnownTokens::default(),
            shuns: Shuns::of(shuns::every(&connection).map_err(in_database)?),
            persons: Persons::of(people::owners(&connection).map_err(in_database)?),
            acts: RwLock::new(acts::every(&connection).map_err(in_database)?),
            listener,
        });
        let writer =
            Writer::new(writes, monitor, faults.clone(), Arc::clone(&closing), Arc::clone(&copies));
        let connections = (0..READERS).map(|_| {
            let connection = connect(&path, options)?;
            connection.pragma_update(None, "query_only", true)?;
            Ok(connection)
        });
        let connections = connections.collect::<Result<Vec<_>, _>>().map_err(in_database)?;

        let writer = spawn("journal", move || writer.run(&connection)).map_err(in_dir)?;
        let (reads, readers) = reader::start(connections).map_err(in_dir)?;
        let running = Running { last, writer, readers, folder };
        let (reads, running) = (Mutex::new(Some(reads)), Mutex::new(Some(running)));
        Ok(Sqlite { closing, faults, copies, reads, running })
    }

    pub(super) fn close(&self) {
        // Kept locked, so that a second caller returns no sooner than the first.
        let mut running = lock(&self.running);
        let Some(Running { last, writer, readers, folder }) = running.take() else { return };
        self.closing.store(true, SeqCst);
        if let Some(last) = last {
            last.send(Write::Close);
        }
        self.faults.wake();
        writer.thread().unpark();
        join(writer);
        lock(&self.reads).take();
        readers.into_iter().for_each(join);
        drop(folder);
    }

    /// Who keeps whom away, as far as that is durable.
    pub(super) fn shuns(&self) -> &Shuns {
        &self.copies.shuns
    }

    pub(super) fn persons(&self) -> &Persons {
        &self.copies.persons
    }

    /// What is durable of what operators have done.
    pub(super) fn acts(&self) -> RwLockReadGuard<'_, Acts> {
        // The value is whole after each of its calls, whoever panicked between two of them.
        self.copies.acts.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Who holds the token with this hash, from the database unless it was seen lately.
    pub(super) async fn holder(&self, hash: TokenHash) -> Result<Option<Holder>, ReadError> {
        if lock(&self.reads).is_none() {
            return Err(ReadError::Closed);
        }
        let since = match self.copies.known.find(&hash) {
            Ok(holder) => return Ok(Some(holder)),
            Err(since) => since,
        };
        let holder = self.read(move |db| people::holder(db, &hash)).await?;
        if let Some(holder) = &holder {
            self.copies.known.keep(hash, holder, since);
        }
        Ok(holder)
    }

    /// Runs a query on one of the readers' connections.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Connection) -> Result<T, ReadError> + Send + 'static,
    ) -> Result<T, ReadError> {
        let reads = lock(&self.reads).clone().ok_or(ReadError::Closed)?;
        let (done, answer) = oneshot::channel();
        let job: Job = Box::new(move |db| {
            // Whoever asked may have gone away.
            let _ = done.send(query(db));
        });
        reads.send(job).await.map_err(|_| ReadError::Closed)?;
        answer.await.map_err(|_| ReadError::Closed)?
    }
}

impl Drop for Sqlite {
    fn drop(&mut self) {
        self.close();
    }
}

/// The database's file in a data folder.
pub(super) fn database(dir: &Path) -> PathBuf {
    dir.join("hexhall.db")
}

/// Takes the folder for this process. The system frees it when the process ends in whatever way.
fn lock_folder(dir: &Path) -> Result<File, OpenError> {
    let path = dir.join("hexhall.lock");
    let open = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = open.map_err(|source| OpenError::Io { path: path.clone(), source })?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::InUse { path: dir.to_owned() }),
        Err(TryLockError::Error(source)) => Err(OpenError::Io { path, source }),
    }
}

fn connect(path: &Path, options: &Options) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    set_up(&connection, options)?;
    Ok(connection)
}

fn set_up(connection: &Connection, options: &Options) -> rusqlite::Result<()> {
    connection.busy_timeout(options.lock_timeout)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    let synchronous = match options.durability {
        Durability::Power => "FULL",
        Durability::Process => "NORMAL",
    };
    connection.pragma_update(None, "synchronous", synchronous)
}

/// What only the connection that writes needs.
fn set_up_writer(connection: &Connection) -> rusqlite::Result<()> {
    /// How long the write-ahead log grows before it is copied into the database, in pages. Moves
    /// wait for that; the longer the log, the more of its pages are copied once for many commits.
    /// After the first time it is overwritten, which costs less than to grow.
    const CHECKPOINT_PAGES: u32 = 2_000;
    /// How much of the database it may keep in memory, in KiB: what it reads is what it last wrote.
    const CACHE_KIB: i64 = 16 * 1024;
    connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name(format!("hexhall-{name}")).spawn(run)
}

fn join(thread: JoinHandle<()>) {
    let name = thread.thread().name().unwrap_or_default().to_owned();
    if thread.join().is_err() {
        tracing::error!(name, "a thread of the store had panicked");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_power_durability_waits_for_the_disk() {
        const NORMAL: i64 = 1;
        const FULL: i64 = 2;
        let dir = tempfile::TempDir::new().unwrap();
        let expected = [(Durability::Power, FULL), (Durability::Process, NORMAL)];
        for (durability, synchronous) in expected {
            let options = Options { durability, ..Options::default() };
            let connection = connect(&dir.path().join("test.db"), &options).unwrap();
            let set = connection.pragma_query_value(None, "synchronous", |row| row.get(0));
            assert_eq!(set, Ok(synchronous));
            let mode = connection.pragma_query_value(None, "journal_mode", |row| row.get(0));
            assert_eq!(mode, Ok("wal".to_owned()));
        }
    }
}
