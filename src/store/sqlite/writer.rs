//! The one thread that writes.
//!
//! Group commit: while one commit runs, the queue fills; the next transaction takes all of it. A
//! commit that fails keeps its batch and tries it again, so the order of the queue is the order of
//! the disk and of the acknowledgements. Only a store that is being closed gives up, and then it
//! writes nothing more, so that what is there has no gap.
//!
//! Where a write fails for good, its batch is tried once more with a savepoint around each: it is
//! rolled back and answered alone, and the others are committed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::thread;
use std::time::{Duration, Instant};

use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};
use rusqlite::{Connection, PrepFlags, Statement, params};
use tokio::sync::mpsc;

use super::columns::Text;
use super::copies::Copies;
use super::heads::Heads;
use super::people;
use super::ratings::{put_left, put_result};
use super::trouble::CommitError;
use crate::store::faults::Faults;
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

/// Owns the queue's end and the batch in hand.
pub(super) struct Writer {
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

/// How a batch is written.
#[derive(Clone, Copy)]
enum Writes {
    /// One after another: whatever fails, fails all.
    Together,
    /// Each so that it can be undone alone.
    Apart,
}

impl Writer {
    pub(super) fn new(
        queue: mpsc::Receiver<Write>,
        monitor: Arc<Monitor>,
        faults: Faults,
        closing: Arc<AtomicBool>,
        copies: Arc<Copies>,
    ) -> Writer {
        Writer {
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
    pub(super) fn run(mut self, connection: &Connection) {
        let mut database = Database { connection, statements: None };
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
                && let Err(GivenUp) = self.write(&mut database)
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
    fn write(&mut self, database: &mut Database<'_>) -> Result<(), GivenUp> {
        self.metrics.queue.set((self.batch.len() + self.queue.len()) as f64);
        let mut pause = FIRST_PAUSE;
        let mut patience = Patience::default();
        let mut writes = Writes::Together;
        loop {
            let since = self.monitor.now();
            let started = instant();
            match (self.attempt(database, writes), writes) {
                (Ok(()), _) => {
                    self.metrics.committed(&self.batch, &self.verdicts, started.elapsed());
                    break;
                }
                (Err(error), Writes::Together) if error.is_for_good() => {
                    writes = Writes::Apart;
                    continue;
                }
                (Err(error), _) => self.monitor.failed(since, &error),
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
    fn attempt(&mut self, database: &mut Database<'_>, writes: Writes) -> Result<(), CommitError> {
        let connection = database.connection;
        if !connection.is_autocommit() {
            // A failed attempt whose own rollback failed, too.
            connection.execute_batch("ROLLBACK")?;
        }
        if let Some(pages) = self.faults.page_limit() {
            connection.pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))?;
        }
        let done = self.transaction(database, writes);
        if done.is_err() {
            // With the statements goes what is known of the database.
            database.statements = None;
            if !connection.is_autocommit() {
                // Others may use the database in the pause. Where this fails, the next attempt makes
                // up for it.
                let _ = connection.execute_batch("ROLLBACK");
            }
        }
        done
    }

    /// The transaction itself.
    fn transaction(
        &mut self,
        database: &mut Database<'_>,
        writes: Writes,
    ) -> Result<(), CommitError> {
        self.verdicts.clear();
        let connection = database.connection;
        let Statements { begin, heads, commit } = match &mut database.statements {
            Some(statements) => statements,
            none => none.insert(Statements::prepare(connection)?),
        };
        begin.execute([])?;
        for write in &self.batch {
            self.verdicts.push(match writes {
                Writes::Together => self.apply(connection, heads, write)?,
                Writes::Apart => self.apply_apart(connection, heads, write)?,
            });
        }
        self.faults.pass(&self.closing)?;
        commit.execute([])?;
        Ok(())
    }

    /// Executes one write; where it fails for good, nothing is left of it.
    fn apply_apart(
        &self,
        db: &Connection,
        heads: &mut Heads<'_>,
        write: &Write,
    ) -> Result<Verdict, CommitError> {
        let run = |sql| db.prepare_cached(sql)?.execute([]);
        run("SAVEPOINT apart")?;
        let verdict = match self.apply(db, heads, write) {
            Err(error) if error.is_for_good() => {
                run("ROLLBACK TO apart")?;
                heads.forget();
                tracing::error!(kind = write.kind(), %error, "a write is left out for good");
                Err(Refused::Unwritable)
            }
            done => done?,
        };
        run("RELEASE apart")?;
        Ok(verdict)
    }

    /// Executes one write. A panic is no more than its own.
    fn apply(
        &self,
        db: &Connection,
        heads: &mut Heads<'_>,
        write: &Write,
    ) -> Result<Verdict, CommitError> {
        let applied = catch_unwind(AssertUnwindSafe(|| match write {
            Write::Append(append) => {
                assert!(!self.faults.poisons(append.table), "this table is made to fail");
                apply_append(db, heads, append)
            }
            Write::People { change, .. } => people::apply(db, change),
            Write::Close => Ok(Ok(())),
        }));
        Ok(applied.map_err(|_| CommitError::Panicked)??)
    }
}

/// The connection that writes, and what nearly every transaction needs of it, once one did.
struct Database<'db> {
    connection: &'db Connection,
    statements: Option<Statements<'db>>,
}

/// What a move is written with. A commit often has a single event, and looking each statement up
/// among those that the connection keeps costs a tenth of it.
struct Statements<'db> {
    begin: Statement<'db>,
    heads: Heads<'db>,
    commit: Statement<'db>,
}

impl<'db> Statements<'db> {
    fn prepare(db: &'db Connection) -> rusqlite::Result<Statements<'db>> {
        Ok(Statements {
            begin: prepare(db, "BEGIN IMMEDIATE")?,
            heads: Heads::new(db)?,
            commit: prepare(db, "COMMIT")?,
        })
    }
}

/// A statement that is kept for as long as the connection.
pub(super) fn prepare<'db>(db: &'db Connection, sql: &str) -> rusqlite::Result<Statement<'db>> {
    db.prepare_with_flags(sql, PrepFlags::SQLITE_PREPARE_PERSISTENT)
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

fn apply_append(
    db: &Connection,
    heads: &mut Heads<'_>,
    append: &Append,
) -> rusqlite::Result<Verdict> {
    if append.is_disowned() {
        return Ok(Err(Refused::Taken));
    }
    if !append.events.is_empty()
        && let Err(refused) = heads.append(append)?
    {
        return Ok(Err(refused));
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

/// The journal's figures.
struct Metrics {
    commits: metrics::Counter,
    events: metrics::Histogram,
    refused: metrics::Counter,
    seconds: metrics::Histogram,
    queue: metrics::Gauge,
}

impl Metrics {
    fn new() -> Metrics {
        describe_counter!("hexhall_journal_commits_total", "Transactions committed");
        describe_histogram!("hexhall_journal_commit_events", "Events in one commit");
        describe_counter!(
            "hexhall_journal_refused_total",
            "Writes that were left out since no attempt can make them"
        );
        describe_histogram!("hexhall_journal_commit_seconds", Unit::Seconds, "Time of one commit");
        describe_gauge!("hexhall_journal_queue", "Writes that wait or are being committed");
        Metrics {
            commits: metrics::counter!("hexhall_journal_commits_total"),
            events: metrics::histogram!("hexhall_journal_commit_events"),
            refused: metrics::counter!("hexhall_journal_refused_total"),
            seconds: metrics::histogram!("hexhall_journal_commit_seconds"),
            queue: metrics::gauge!("hexhall_journal_queue"),
        }
    }

    fn committed(&self, batch: &[Write], verdicts: &[Verdict], took: Duration) {
        let left_out = |verdict: &&Verdict| **verdict == Err(Refused::Unwritable);
        self.commits.increment(1);
        self.refused.increment(verdicts.iter().filter(left_out).count() as u64);
        self.events.record(batch.iter().map(Write::events).sum::<usize>() as f64);
        self.seconds.record(took);
    }
}
