//! What the readers are asked about the database as a whole.

use rusqlite::Connection;

use super::columns::Text;
use super::reader::all;
use crate::ids::{GameId, TableId};
use crate::store::ReadError;

pub(in crate::store) fn integrity(db: &Connection) -> Result<Vec<String>, ReadError> {
    let mut said: Vec<String> = all(db, "PRAGMA integrity_check", [], |row| row.get(0))?;
    said.retain(|sentence| sentence != "ok");
    Ok(said)
}

pub(in crate::store) fn table_ids(db: &Connection) -> Result<Vec<TableId>, ReadError> {
    all(db, "SELECT id FROM tables ORDER BY id", [], |row| Ok(row.get::<_, Text<TableId>>(0)?.0))
}

pub(in crate::store) fn game_counts(db: &Connection) -> Result<Vec<(TableId, u64)>, ReadError> {
    all(db, "SELECT tbl, count(*) FROM games GROUP BY tbl ORDER BY tbl", [], |row| {
        Ok((row.get::<_, Text<TableId>>(0)?.0, row.get::<_, i64>(1)?.cast_unsigned()))
    })
}

pub(in crate::store) fn games_of(
    db: &Connection,
    table: TableId,
) -> Result<Vec<GameId>, ReadError> {
    let sql = "SELECT id FROM games WHERE tbl = ?1 ORDER BY id";
    all(db, sql, [Text(table)], |row| Ok(row.get::<_, Text<GameId>>(0)?.0))
}
