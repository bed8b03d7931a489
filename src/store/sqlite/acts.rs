//! What operators do, in the database.

use rusqlite::{Connection, Row, params};

use super::columns::Text;
use super::people::{exists, named, player, player_row};
use super::reader::all;
use crate::accounts::skeleton::NameKeys;
use crate::ids::{NoticeId, PlayerId};
use crate::store::ReadError;
use crate::store::acts::{Act, ActRow, Acts, Found, MOST_NOTICES, NoticeKind, NoticeRow};
use crate::store::queue::{Refused, Verdict};

/// All that holds of everybody.
pub(super) fn every(db: &Connection) -> rusqlite::Result<Acts> {
    let mut acts = Acts::default();
    let mut done = db.prepare(
        "SELECT player, kind, operator, text, at_ms, until_ms FROM acts
         WHERE kind IN ('mute', 'unmute', 'ban', 'unban') ORDER BY number",
    )?;
    let mut rows = done.query([])?;
    while let Some(row) = rows.next()? {
        acts.done(&act_of(row)?);
    }
    let mut notices =
        db.prepare("SELECT player, id, kind, text, at_ms, until_ms FROM notices ORDER BY id")?;
    let mut rows = notices.query([])?;
    while let Some(row) = rows.next()? {
        let notice = NoticeRow {
            id: row.get::<_, Text<NoticeId>>(1)?.0,
            kind: row.get::<_, Text<NoticeKind>>(2)?.0,
            text: row.get(3)?,
            at_ms: row.get::<_, i64>(4)?.cast_unsigned(),
            until_ms: row.get::<_, Option<i64>>(5)?.map(i64::cast_unsigned),
        };
        acts.told(row.get::<_, Text<PlayerId>>(0)?.0, notice);
    }
    Ok(acts)
}

fn act_of(row: &Row<'_>) -> rusqlite::Result<Act> {
    Ok(Act {
        player: row.get::<_, Text<PlayerId>>(0)?.0,
        kind: row.get::<_, Text<_>>(1)?.0,
        by: row.get(2)?,
        text: row.get(3)?,
        at_ms: row.get::<_, i64>(4)?.cast_unsigned(),
        until_ms: row.get::<_, Option<i64>>(5)?.map(i64::cast_unsigned),
    })
}

pub(in crate::store) fn log(
    db: &Connection,
    player: Option<PlayerId>,
    before: Option<u64>,
    most: u32,
) -> Result<Vec<ActRow>, ReadError> {
    // Two texts, so that each uses its index.
    let sql = match player {
        Some(_) => {
            "SELECT player, kind, operator, text, at_ms, until_ms, number, name
             FROM acts JOIN players ON id = player
             WHERE player = ?1 AND number < ?2 ORDER BY number DESC LIMIT ?3"
        }
        None => {
            "SELECT player, kind, operator, text, at_ms, until_ms, number, name
             FROM acts JOIN players ON id = player
             WHERE ?1 IS NULL AND number < ?2 ORDER BY number DESC LIMIT ?3"
        }
    };
    let before = before.and_then(|before| i64::try_from(before).ok()).unwrap_or(i64::MAX);
    all(db, sql, params![player.map(Text), before, most], |row| {
        let number = row.get::<_, i64>(6)?.cast_unsigned();
        Ok(ActRow { number, name: row.get(7)?, act: act_of(row)? })
    })
}

pub(in crate::store) fn find(db: &Connection, text: &str, most: u32) -> Result<Found, ReadError> {
    let keys = NameKeys::of(text);
    let named = named(db, &keys)?.map(|id| player(db, id)).transpose()?.flatten();
    if let Some(player) = named.filter(|it| NameKeys::of(&it.name).folded == keys.folded) {
        return Ok(Found { players: vec![player], exact: true });
    }
    let sql = "SELECT id, name, created_ms, owner FROM players
        WHERE instr(folded, ?1) > 0 OR instr(look, ?2) > 0 ORDER BY id DESC LIMIT ?3";
    let players = all(db, sql, params![keys.folded, keys.look, most], player_row)?;
    Ok(Found { players, exact: false })
}

pub(super) fn act(db: &Connection, act: &Act, notice: NoticeId) -> rusqlite::Result<Verdict> {
    if !exists(db, act.player)? {
        return Ok(Err(Refused::Unknown));
    }
    write_down(db, act)?;
    if let Some(row) = act.notice(notice) {
        put_notice(db, act.player, &row)?;
    }
    Ok(Ok(()))
}

/// A line more in the log.
pub(super) fn write_down(db: &Connection, act: &Act) -> rusqlite::Result<()> {
    let mut insert = db.prepare_cached(
        "INSERT INTO acts (player, kind, operator, text, at_ms, until_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    let (player, until_ms) = (Text(act.player), act.until_ms.map(u64::cast_signed));
    let at_ms = act.at_ms.cast_signed();
    insert.execute(params![player, Text(act.kind), act.by, act.text, at_ms, until_ms])?;
    Ok(())
}

/// A player has a notice more: as [`Acts::told`] has it.
fn put_notice(db: &Connection, player: PlayerId, row: &NoticeRow) -> rusqlite::Result<()> {
    for &outdated in row.kind.outdates() {
        let sql = "DELETE FROM notices WHERE player = ?1 AND kind = ?2";
        db.prepare_cached(sql)?.execute(params![Text(player), Text(outdated)])?;
    }
    let mut insert = db.prepare_cached(
        "INSERT OR REPLACE INTO notices (player, id, kind, text, at_ms, until_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    let until_ms = row.until_ms.map(u64::cast_signed);
    let (id, kind, at_ms) = (Text(row.id), Text(row.kind), row.at_ms.cast_signed());
    insert.execute(params![Text(player), id, kind, row.text, at_ms, until_ms])?;
    let mut trim = db.prepare_cached(
        "DELETE FROM notices WHERE player = ?1 AND id NOT IN
             (SELECT id FROM notices WHERE player = ?1 ORDER BY id DESC LIMIT ?2)",
    )?;
    trim.execute(params![Text(player), i64::try_from(MOST_NOTICES).unwrap_or(i64::MAX)])?;
    Ok(())
}

pub(super) fn read_notice(
    db: &Connection,
    player: PlayerId,
    id: NoticeId,
) -> rusqlite::Result<Verdict> {
    let mut delete = db.prepare_cached("DELETE FROM notices WHERE player = ?1 AND id = ?2")?;
    let deleted = delete.execute(params![Text(player), Text(id)])?;
    Ok(if deleted == 0 { Err(Refused::Unknown) } else { Ok(()) })
}
