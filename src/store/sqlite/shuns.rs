//! Blocks and mutes in the database.

use rusqlite::{Connection, params};

use super::columns::Text;
use super::people::{changed, exists, player_row};
use super::reader::all;
use crate::ids::PlayerId;
use crate::store::ReadError;
use crate::store::queue::{Refused, Verdict};
use crate::store::shuns::{Shun, ShunRow, Shunning};

/// All that there are.
pub(super) fn every(db: &Connection) -> rusqlite::Result<Vec<Shunning>> {
    let mut query = db.prepare("SELECT kind, player, other FROM shuns")?;
    let shunning = |row: &rusqlite::Row<'_>| {
        let kind = row.get::<_, Text<Shun>>(0)?.0;
        Ok((kind, row.get::<_, Text<PlayerId>>(1)?.0, row.get::<_, Text<PlayerId>>(2)?.0))
    };
    query.query_map([], shunning)?.collect()
}

pub(in crate::store) fn of_player(
    db: &Connection,
    kind: Shun,
    player: PlayerId,
) -> Result<Vec<ShunRow>, ReadError> {
    let sql = "SELECT id, name, players.created_ms, owner, shuns.created_ms
        FROM shuns JOIN players ON id = other WHERE player = ?1 AND kind = ?2 ORDER BY id";
    all(db, sql, params![Text(player), kind.word()], |row| {
        let since_ms = row.get::<_, i64>(4)?.cast_unsigned();
        Ok(ShunRow { other: player_row(row)?, since_ms })
    })
}

pub(super) fn shun(
    db: &Connection,
    kind: Shun,
    player: PlayerId,
    other: PlayerId,
    at_ms: u64,
    most: usize,
) -> rusqlite::Result<Verdict> {
    if !exists(db, player)? || !exists(db, other)? {
        return Ok(Err(Refused::Unknown));
    }
    let (player, kind, other) = (Text(player), kind.word(), Text(other));
    let mut there =
        db.prepare_cached("SELECT 1 FROM shuns WHERE player = ?1 AND kind = ?2 AND other = ?3")?;
    if there.exists(params![player, kind, other])? {
        return Ok(Ok(()));
    }
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let mut count =
        db.prepare_cached("SELECT count(*) >= ?3 FROM shuns WHERE player = ?1 AND kind = ?2")?;
    if count.query_row(params![player, kind, most], |row| row.get(0))? {
        return Ok(Err(Refused::Full));
    }
    let mut insert = db.prepare_cached(
        "INSERT INTO shuns (player, kind, other, created_ms) VALUES (?1, ?2, ?3, ?4)",
    )?;
    insert.execute(params![player, kind, other, at_ms.cast_signed()])?;
    Ok(Ok(()))
}

pub(super) fn readmit(
    db: &Connection,
    kind: Shun,
    player: PlayerId,
    other: PlayerId,
) -> rusqlite::Result<Verdict> {
    let mut delete =
        db.prepare_cached("DELETE FROM shuns WHERE player = ?1 AND kind = ?2 AND other = ?3")?;
    changed(delete.execute(params![Text(player), kind.word(), Text(other)]))
}
