//! What the readers are asked about the database as a whole.

use rusqlite::{Connection, params};

use super::columns::Text;
use super::ratings::{changes, class_from, stamp, standing_from};
use super::reader::{all, one};
use crate::game::Seat;
use crate::game::clock::Stamp;
use crate::ids::{GameId, PlayerId, TableId};
use crate::store::{Counted, KeptResult, KeptStanding, ReadError};

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

/// Rows have the order in which they were written, since none is ever deleted.
pub(in crate::store) fn counted_after(
    db: &Connection,
    place: u64,
    most: u32,
) -> Result<Vec<Counted>, ReadError> {
    let sql = "SELECT rowid, game, finished_ms FROM results
        WHERE rowid > ?1
            AND EXISTS (SELECT 1 FROM rating_changes WHERE rating_changes.game = results.game)
        ORDER BY rowid LIMIT ?2";
    let mut counted = all(db, sql, params![place.cast_signed(), most], |row| {
        let (place, game) = (row.get::<_, i64>(0)?, row.get::<_, Text<GameId>>(1)?.0);
        let place = place.cast_unsigned();
        Ok(Counted { place, game, finished: stamp(row, 2)?, changes: Vec::new() })
    })?;
    for counted in &mut counted {
        counted.changes = changes(db, counted.game)?;
    }
    Ok(counted)
}

pub(in crate::store) fn standings(db: &Connection) -> Result<Vec<KeptStanding>, ReadError> {
    let sql = "SELECT player, kind, speed, rating, deviation, volatility, wins, losses, draws,
        updated_ms, shown, placed_until_ms FROM ratings ORDER BY player, kind, speed";
    all(db, sql, [], |row| {
        Ok(KeptStanding {
            player: row.get::<_, Text<PlayerId>>(0)?.0,
            class: class_from(row, 1)?,
            standing: standing_from(row, 3)?,
            shown: row.get(10)?,
            placed_until: row.get::<_, Option<i64>>(11)?.map(|until| Stamp(until.cast_unsigned())),
        })
    })
}

pub(in crate::store) fn result(
    db: &Connection,
    game: GameId,
) -> Result<Option<KeptResult>, ReadError> {
    let sql = "SELECT public, finished_ms, summary FROM results WHERE game = ?1";
    one(db, sql, [Text(game)], |row| {
        Ok(KeptResult { public: row.get(0)?, finished: stamp(row, 1)?, summary: row.get(2)? })
    })
}

pub(in crate::store) fn seat_in(
    db: &Connection,
    player: PlayerId,
    game: GameId,
) -> Result<Option<Seat>, ReadError> {
    let sql = "SELECT seat FROM game_players WHERE player = ?1 AND game = ?2";
    one(db, sql, params![Text(player), Text(game)], |row| Ok(row.get::<_, Text<Seat>>(0)?.0))
}
