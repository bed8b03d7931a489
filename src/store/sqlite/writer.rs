//! The one thread that writes.
//!
//! Group commit: while one commit runs, the queue fills; the next transaction takes all of it. A
//! commit that fails keeps its batch and tries it again, so the order of the queue is the order of
//! the disk and of the acknowledgements. Only a store that is being closed gives up, and then it
//! writes nothing more, so that what is there has no gap.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::thread;
use std::time::{Duration, Instant};

use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};
use rusqlite::{Connection, ErrorCode, OptionalExtension, params};
use tokio::sync::mpsc;

use super::columns::Text;
use super::copies::Copies;
use super::people;
use super::ratings::{put_left, put_result};
use crate::store::faults::{Faults, Injected};
use crate::store::health::Monitor;
use crate::store::queue::{Append, Refused, Verdict, Write};
use crate::store::{GameRow, TableRow};

/// The most writes that share one transaction.
const MAX_BATCH: usize = 1024;

/// The pause after a first failed commit; it doubles with each one more.
const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// The longest pause between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// How long a store that is being closed goes on trying to write.
const CLOSING_PATIENCE: Duration = Duration::from_secs(2);

/// The store is being closed, and the batch in hand cannot be written.
struct GivenUp;

/// Owns the connection that writes, the queue's end and the batch in hand.
pub(super) struct Writer {
    connection: Connection,
    queue: mpsc::Receiver<Write>,
    batch: Vec<Write>,
    /// What became of each write of the batch in the current attempt.
    verdicts: Vec<Verdict>,
    monitor: Arc<Monitor>,
    faults: Faults,
    closing: Arc<AtomicBool>,
    copies: Arc<Copies>,
    metrics: Metrics,
}

/// Why an attempt to commit failed.
#[derive(Debug, thiserror::Error)]
enum CommitError {
    #[error(transparent)]
    Database(#[from] rusqlite::Error),
    #[error(transparent)]
    Injected(#[from] Injected),
}

impl Writer {
    pub(super) fn new(
        connection: Connection,
        queue: mpsc::Receiver<Write>,
        monitor: Arc<Monitor>,
        faults: Faults,
        closing: Arc<AtomicBool>,
        copies: Arc<Copies>,
    ) -> Writer {
        Writer {
            connection,
            queue,
            batch: Vec::new(),
            verdicts: Vec::new(),
            monitor,
            faults,
            closing,
            copies,
            metrics: Metrics::new(),
        }
    }

    /// Writes until the queue says `Close`, or until it has to give up in order to close.
    pub(super) fn run(mut self) {
        while self.queue.blocking_recv_many(&mut self.batch, MAX_BATCH) > 0 {
            let taken = self.batch.len();
            self.batch.retain(|write| !matches!(write, Write::Close));
            let is_last = self.batch.len() < taken;
            if is_last {
                // From here on there are no new places; what was reserved before and is used only
                // now has missed the end, and is never acknowledged.
                self.queue.close();
                while let Ok(write) = self.queue.try_recv() {
                    self.batch.push(write);
                }
            }
            if !self.batch.is_empty()
                && let Err(GivenUp) = self.write()
            {
                // With the queue, since what is in it comes after what is missing.
                let writes = self.batch.len() + self.queue.len();
                tracing::error!(writes, "store closes without what could not be written");
                return;
            }
            if is_last {
                // The word to close may have been counted as waiting.
                self.metrics.queue.set(0.0);
                return;
            }
        }
    }

    /// Commits the batch, however long it takes, and tells everyone.
    fn write(&mut self) -> Result<(), GivenUp> {
        self.metrics.queue.set((self.batch.len() + self.queue.len()) as f64);
        let mut pause = FIRST_PAUSE;
        let mut patience = Patience::default();
        loop {
            let since = self.monitor.now();
            let started = instant();
            match self.attempt() {
                Ok(()) => {
                    self.metrics.committed(&self.batch, started.elapsed());
                    break;
                }
                Err(error) => self.monitor.failed(since, &error),
            }
            if self.closing.load(SeqCst) {
                if patience.is_over() {
                    return Err(GivenUp);
                }
                pause = FIRST_PAUSE;
            }
            // Whoever closes the store ends the pause early.
            thread::park_timeout(pause);
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        self.monitor.succeeded();
        for (write, verdict) in self.batch.drain(..).zip(self.verdicts.drain(..)) {
            if let Write::People { change, .. } = &write
                && verdict.is_ok()
            {
                self.copies.changed(change);
            }
            write.tell(verdict);
        }
        self.metrics.queue.set(self.queue.len() as f64);
        Ok(())
    }

    /// One transaction with the whole batch in it.
    fn attempt(&mut self) -> Result<(), CommitError> {
        if !self.connection.is_autocommit() {
            // A failed attempt whose own rollback failed, too.
            self.connection.execute_batch("ROLLBACK")?;
        }
        if let Some(pages) = self.faults.page_limit() {
            self.connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))?;
        }
        let done = self.transaction();
        if done.is_err() && !self.connection.is_autocommit() {
            // Others may use the database in the pause. Where this fails, the next attempt makes up
            // for it.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        done
    }

    /// The transaction itself, in statements that are kept, as a commit often has a single event.
    fn transaction(&mut self) -> Result<(), CommitError> {
        self.verdicts.clear();
        self.connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        for write in &self.batch {
            self.verdicts.push(apply(&self.connection, write)?);
        }
        self.faults.pass(&self.closing)?;
        self.connection.prepare_cached("COMMIT")?.execute([])?;
        Ok(())
    }
}

/// How long a batch has been tried since the store is being closed.
#[derive(Default)]
struct Patience {
    since: Option<Instant>,
}

impl Patience {
    fn is_over(&mut self) -> bool {
        self.since.get_or_insert_with(instant).elapsed() >= CLOSING_PATIENCE
    }
}

/// The machine's time, also where a test owns the game clocks: this thread waits for a disk.
#[expect(clippy::disallowed_methods, reason = "a manual clock would not move while a disk works")]
fn instant() -> Instant {
    Instant::now()
}

/// Executes one write. An error means that the whole transaction is to be tried again.
fn apply(db: &Connection, write: &Write) -> rusqlite::Result<Verdict> {
    match write {
        Write::Append(append) => apply_append(db, append),
        Write::People { change, .. } => people::apply(db, change),
        Write::Close => Ok(Ok(())),
    }
}

fn apply_append(db: &Connection, append: &Append) -> rusqlite::Result<Verdict> {
    if append.is_disowned() {
        return Ok(Err(Refused::Taken));
    }
    if !append.events.is_empty() && !put_events(db, append)? {
        append.disown(append.first);
        return Ok(Err(Refused::Taken));
    }
    if let Some(row) = &append.listing {
        put_table(db, row)?;
    }
    append.games.iter().try_for_each(|row| put_game(db, row))?;
    if let Some(result) = &append.result {
        put_result(db, result)?;
    }
    if let Some(left) = &append.left {
        put_left(db, left)?;
    }
    Ok(Ok(()))
}

/// Appends events and moves their table's head on. Nothing is written, and the answer is no, where
/// the head has reached the first of their numbers already.
fn put_events(db: &Connection, append: &Append) -> rusqlite::Result<bool> {
    let table = append.table.spelled();
    let table: &str = &table;
    let mut find = db.prepare_cached("SELECT number, event FROM heads WHERE tbl = ?1")?;
    let head = find.query_row([table], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let (mut last, mut newest): (Option<i64>, Option<i64>) = head.unzip();
    if last.is_some_and(|last| last.cast_unsigned() >= append.first) {
        return Ok(false);
    }
    let mut insert = db.prepare_cached(
        "INSERT INTO events (tbl, number, previous, payload) VALUES (?1, ?2, ?3, ?4)",
    )?;
    for (number, payload) in (append.first..).zip(&append.events) {
        let number = number.cast_signed();
        newest = Some(insert.insert(params![table, number, newest, payload])?);
        last = Some(number);
    }
    let mut upsert = db.prepare_cached(
        "INSERT INTO heads (tbl, number, event) VALUES (?1, ?2, ?3)
         ON CONFLICT (tbl) DO UPDATE SET number = excluded.number, event = excluded.event",
    )?;
    upsert.execute(params![table, last, newest])?;
    Ok(true)
}

fn put_table(db: &Connection, row: &TableRow) -> rusqlite::Result<()> {
    let mut upsert = db.prepare_cached(
        "INSERT INTO tables (id, status, public, updated_ms, listing) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (id) DO UPDATE SET status = excluded.status, public = excluded.public,
             updated_ms = excluded.updated_ms, listing = excluded.listing",
    )?;
    let updated_ms = row.updated_ms.cast_signed();
    upsert.execute(params![Text(row.id), Text(row.status), row.public, updated_ms, row.listing])?;
    Ok(())
}

fn put_game(db: &Connection, row: &GameRow) -> rusqlite::Result<()> {
    let mut upsert = db.prepare_cached(
        "INSERT INTO games (id, tbl, started_ms, finished_ms, record) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (id) DO UPDATE SET finished_ms = excluded.finished_ms, record = excluded.record
             WHERE games.finished_ms IS NULL",
    )?;
    upsert.execute(params![
        Text(row.id),
        Text(row.table),
        row.started_ms.cast_signed(),
        row.finished_ms.map(u64::cast_signed),
        row.record,
    ])?;
    Ok(())
}

/// Whether a key was taken: SQLite then undoes the one statement, and the transaction goes on.
pub(super) fn is_taken(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation)
}

/// The journal's figures.
struct Metrics {
    commits: metrics::Counter,
    events: metrics::Histogram,
    seconds: metrics::Histogram,
    queue: metrics::Gauge,
}

impl Metrics {
    fn new() -> Metrics {
        describe_counter!("hexhall_journal_commits_total", "Transactions committed");
        describe_histogram!("hexhall_journal_commit_events", "Events in one commit");
        describe_histogram!("hexhall_journal_commit_seconds", Unit::Seconds, "Time of one commit");
        describe_gauge!("hexhall_journal_queue", "Writes that wait or are being committed");
        Metrics {
            commits: metrics::counter!("hexhall_journal_commits_total"),
            events: metrics::histogram!("hexhall_journal_commit_events"),
            seconds: metrics::histogram!("hexhall_journal_commit_seconds"),
            queue: metrics::gauge!("hexhall_journal_queue"),
        }
    }

    fn committed(&self, batch: &[Write], took: Duration) {
        self.commits.increment(1);
        self.events.record(batch.iter().map(Write::events).sum::<usize>() as f64);
        self.seconds.record(took);
    }
}
