//! The reader threads, and what they are asked.
//!
//! The channel to them is bounded; whoever finds it full waits. The readers take turns at it.

use std::io;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use rusqlite::{Connection, OptionalExtension, Params, Row, params};
use tokio::sync::mpsc;

use super::columns::Text;
use super::spawn;
use crate::ids::{GameId, TableId};
use crate::store::health::lock;
use crate::store::{DamagedRow, GameRow, ReadError, TableRow, TableRows};

/// One query, which answers by itself.
pub(super) type Job = Box<dyn FnOnce(&Connection) + Send>;

/// How many connections there are for reading: a long load must not stop a short look-up.
pub(super) const READERS: usize = 2;

/// How many queries may wait for a reader.
const WAITING: usize = 64;

/// Starts a thread for each connection. They end once the sender is gone and all is answered.
pub(super) fn start(
    connections: Vec<Connection>,
) -> io::Result<(mpsc::Sender<Job>, Vec<JoinHandle<()>>)> {
    let (sender, jobs) = mpsc::channel::<Job>(WAITING);
    let jobs = Arc::new(Mutex::new(jobs));
    let start = |connection: Connection| {
        let jobs = Arc::clone(&jobs);
        spawn("reads", move || {
            let next = || lock(&jobs).blocking_recv();
            while let Some(job) = next() {
                job(&connection);
            }
        })
    };
    let threads = connections.into_iter().map(start).collect::<io::Result<_>>()?;
    Ok((sender, threads))
}

/// Goes back from the newest event to the first.
pub(in crate::store) fn load(db: &Connection, table: TableId) -> Result<Vec<Vec<u8>>, ReadError> {
    let name = table.to_string();
    let head = "SELECT number, event FROM heads WHERE tbl = ?1";
    let Some((last, mut next)) = one(db, head, [&name], |row| {
        Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get::<_, Option<i64>>(1)?))
    })?
    else {
        return Ok(Vec::new());
    };
    let mut query = db.prepare_cached(
        "SELECT number, previous, payload FROM events WHERE id = ?1 AND tbl = ?2",
    )?;
    let mut events = Vec::new();
    // Of two numbers that do not follow each other, the later one and the one that had to precede.
    let gap = |found: u64, expected: u64| ReadError::Gap { table, expected, found };
    let mut expected = last;
    while let Some(id) = next {
        let event = query.query_row(params![id, name], |row| {
            Ok((row.get::<_, i64>(0)?.cast_unsigned(), row.get(1)?, row.get(2)?))
        });
        let Some((number, previous, payload)) = event.optional()? else {
            return Err(gap(expected + 1, expected));
        };
        if number != expected {
            return Err(gap(expected + 1, number + 1));
        }
        events.push(payload);
        (next, expected) = (previous, expected.saturating_sub(1));
    }
    if expected > 0 {
        return Err(gap(expected + 1, 1));
    }
    events.reverse();
    Ok(events)
}

pub(in crate::store) fn journal_tables(db: &Connection) -> Result<Vec<TableId>, ReadError> {
    all(db, "SELECT tbl FROM heads ORDER BY tbl", [], |row| Ok(row.get::<_, Text<TableId>>(0)?.0))
}

pub(in crate::store) fn tables_live(db: &Connection) -> Result<TableRows, ReadError> {
    table_rows(
        db,
        "SELECT id, status, public, updated_ms, listing FROM tables
         WHERE status <> 'closed' ORDER BY id",
        [],
    )
}

pub(in crate::store) fn tables_closed(
    db: &Connection,
    since_ms: u64,
) -> Result<TableRows, ReadError> {
    table_rows(
        db,
        "SELECT id, status, public, updated_ms, listing FROM tables
         WHERE status = 'closed' AND updated_ms >= ?1 ORDER BY id",
        [since_ms.cast_signed()],
    )
}

pub(in crate::store) fn table(db: &Connection, id: TableId) -> Result<Option<TableRow>, ReadError> {
    let sql = "SELECT id, status, public, updated_ms, listing FROM tables WHERE id = ?1";
    one(db, sql, [Text(id)], table_row)
}

pub(in crate::store) fn game(db: &Connection, id: GameId) -> Result<Option<GameRow>, ReadError> {
    let sql = "SELECT id, tbl, started_ms, finished_ms, record FROM games WHERE id = ?1";
    one(db, sql, [Text(id)], |row| {
        Ok(GameRow {
            id: row.get::<_, Text<GameId>>(0)?.0,
            table: row.get::<_, Text<TableId>>(1)?.0,
            started_ms: row.get::<_, i64>(2)?.cast_unsigned(),
            finished_ms: row.get::<_, Option<i64>>(3)?.map(i64::cast_unsigned),
            record: row.get(4)?,
        })
    })
}

/// One row that cannot be read stands in nobody's way but its own.
fn table_rows(db: &Connection, sql: &str, params: impl Params) -> Result<TableRows, ReadError> {
    let mut query = db.prepare_cached(sql)?;
    let mut found = query.query(params)?;
    let mut tables = TableRows::default();
    while let Some(row) = found.next()? {
        match table_row(row) {
            Ok(row) => tables.rows.push(row),
            Err(error) => {
                let id = row.get_ref(0)?.as_bytes().unwrap_or_default();
                let id = String::from_utf8_lossy(id).into_owned();
                tables.damaged.push(DamagedRow { id, why: error.to_string() });
            }
        }
    }
    Ok(tables)
}

fn table_row(row: &Row<'_>) -> rusqlite::Result<TableRow> {
    Ok(TableRow {
        id: row.get::<_, Text<TableId>>(0)?.0,
        status: row.get::<_, Text<_>>(1)?.0,
        public: row.get(2)?,
        updated_ms: row.get::<_, i64>(3)?.cast_unsigned(),
        listing: row.get(4)?,
    })
}

pub(super) fn one<T>(
    db: &Connection,
    sql: &str,
    params: impl Params,
    map: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>, ReadError> {
    Ok(db.prepare_cached(sql)?.query_row(params, map).optional()?)
}

pub(super) fn all<T>(
    db: &Connection,
    sql: &str,
    params: impl Params,
    map: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, ReadError> {
    let mut query = db.prepare_cached(sql)?;
    let rows = query.query_map(params, map)?.collect::<rusqlite::Result<_>>()?;
    Ok(rows)
}
