//! Blocks in the database.

use rusqlite::{Connection, params};

use super::columns::Text;
use super::people::{exists, player_row};
use super::reader::all;
use crate::ids::PlayerId;
use crate::store::ReadError;
use crate::store::blocks::BlockRow;
use crate::store::queue::{Refused, Verdict};

/// Every block there is.
pub(super) fn every(db: &Connection) -> rusqlite::Result<Vec<(PlayerId, PlayerId)>> {
    let mut query = db.prepare("SELECT player, blocked FROM blocks")?;
    let pair = |row: &rusqlite::Row<'_>| {
        Ok((row.get::<_, Text<PlayerId>>(0)?.0, row.get::<_, Text<PlayerId>>(1)?.0))
    };
    query.query_map([], pair)?.collect()
}

pub(in crate::store) fn of_player(
    db: &Connection,
    player: PlayerId,
) -> Result<Vec<BlockRow>, ReadError> {
    let sql = "SELECT id, name, players.created_ms, owner, blocks.created_ms
        FROM blocks JOIN players ON id = blocked WHERE player = ?1 ORDER BY id";
    all(db, sql, [Text(player)], |row| {
        let since_ms = row.get::<_, i64>(4)?.cast_unsigned();
        Ok(BlockRow { blocked: player_row(row)?, since_ms })
    })
}

pub(super) fn block(
    db: &Connection,
    player: PlayerId,
    blocked: PlayerId,
    at_ms: u64,
    most: usize,
) -> rusqlite::Result<Verdict> {
    if !exists(db, player)? || !exists(db, blocked)? {
        return Ok(Err(Refused::Unknown));
    }
    let mut there = db.prepare_cached("SELECT 1 FROM blocks WHERE player = ?1 AND blocked = ?2")?;
    if there.exists(params![Text(player), Text(blocked)])? {
        return Ok(Ok(()));
    }
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let mut count = db.prepare_cached("SELECT count(*) >= ?2 FROM blocks WHERE player = ?1")?;
    if count.query_row(params![Text(player), most], |row| row.get(0))? {
        return Ok(Err(Refused::Full));
    }
    let mut insert =
        db.prepare_cached("INSERT INTO blocks (player, blocked, created_ms) VALUES (?1, ?2, ?3)")?;
    insert.execute(params![Text(player), Text(blocked), at_ms.cast_signed()])?;
    Ok(Ok(()))
}

pub(super) fn unblock(
    db: &Connection,
    player: PlayerId,
    blocked: PlayerId,
) -> rusqlite::Result<Verdict> {
    let mut delete = db.prepare_cached("DELETE FROM blocks WHERE player = ?1 AND blocked = ?2")?;
    let deleted = delete.execute(params![Text(player), Text(blocked)])?;
    Ok(if deleted == 0 { Err(Refused::Unknown) } else { Ok(()) })
}
