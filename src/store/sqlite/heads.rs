//! The newest event of each table, as the writer knows it without asking the database.
//!
//! Nobody else moves a head while this process holds the data folder, and whoever did so all the
//! same is found out: a head is moved on only from where it is thought to be, and otherwise the
//! transaction fails, and is tried again with nothing known. Bound: [`MOST`]; with one more, all
//! are looked up again.
//!
//! Invariant: what is known is what the database will have once the transaction in hand is
//! committed. Where that comes to nothing, this value ends with it; where a part of it does, all is
//! forgotten.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use rusqlite::{Connection, OptionalExtension, Row, Statement, params};

use super::writer::prepare;
use crate::ids::TableId;
use crate::store::queue::{Append, Verdict};

/// The most heads that are known at a time, of about 50 bytes each.
const MOST: usize = 32_768;

/// The heads of tables written to lately, and the statements that write events and move heads on.
pub(super) struct Heads<'db> {
    known: HashMap<TableId, Head, RandomState>,
    find: Statement<'db>,
    insert_event: Statement<'db>,
    insert: Statement<'db>,
    advance: Statement<'db>,
}

/// A table's newest event: its number, and the row that has it.
#[derive(Clone, Copy)]
struct Head {
    number: i64,
    event: i64,
}

impl<'db> Heads<'db> {
    /// None is known yet.
    pub(super) fn new(db: &'db Connection) -> rusqlite::Result<Heads<'db>> {
        Ok(Heads {
            known: HashMap::default(),
            find: prepare(db, "SELECT number, event FROM heads WHERE tbl = ?1")?,
            insert_event: prepare(
                db,
                "INSERT INTO events (tbl, number, previous, payload) VALUES (?1, ?2, ?3, ?4)",
            )?,
            insert: prepare(db, "INSERT INTO heads (tbl, number, event) VALUES (?1, ?2, ?3)")?,
            advance: prepare(
                db,
                "UPDATE heads SET number = ?2, event = ?3 WHERE tbl = ?1 AND event = ?4",
            )?,
        })
    }

    /// Appends events and moves their table's head on. Nothing is written where they do not come right
    /// after it.
    pub(super) fn append(&mut self, append: &Append) -> rusqlite::Result<Verdict> {
        let table: &str = &append.table.spelled();
        let before = self.head(append.table, table)?;
        if let Err(refused) = append.follows(before.map_or(0, |head| head.number.cast_unsigned())) {
            return Ok(Err(refused));
        }
        let mut head = before;
        for (number, payload) in (append.first..).zip(&append.events) {
            let (number, previous) = (number.cast_signed(), head.map(|head| head.event));
            let event = self.insert_event.insert(params![table, number, previous, payload])?;
            head = Some(Head { number, event });
        }
        if let Some(Head { number, event }) = head {
            let moved = match before {
                None => self.insert.execute(params![table, number, event])?,
                Some(before) => {
                    self.advance.execute(params![table, number, event, before.event])?
                }
            };
            if moved != 1 {
                return Err(rusqlite::Error::StatementChangedRows(moved));
            }
            self.known.insert(append.table, Head { number, event });
        }
        Ok(Ok(()))
    }

    /// Knows nothing any more, as of a part of the transaction that was undone.
    pub(super) fn forget(&mut self) {
        self.known.clear();
    }

    fn head(&mut self, table: TableId, text: &str) -> rusqlite::Result<Option<Head>> {
        if let Some(head) = self.known.get(&table) {
            return Ok(Some(*head));
        }
        if self.known.len() >= MOST {
            self.known.clear();
        }
        let head = |row: &Row<'_>| Ok(Head { number: row.get(0)?, event: row.get(1)? });
        self.find.query_row([text], head).optional()
    }
}
