//! Reports in the database.

use hexhall_proto::chat::Room;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::acts;
use super::columns::Text;
use super::people::{exists, player_at};
use super::reader::{self, all};
use super::trouble::is_taken;
use crate::ids::{PlayerId, ReportId, TableId};
use crate::store::ReadError;
use crate::store::queue::{Refused, Verdict};
use crate::store::reports::{
    FullReport, NewReport, Reason, ReportChange, ReportLine, ReportRow, Settled,
};

/// Reports as [`report_row`] reads them.
macro_rules! reports {
    () => {
        "SELECT reports.id, tbl, reason, words, reports.created_ms,
             settled_ms, settled_by, outcome,
             r.id, r.name, r.created_ms, r.owner, a.id, a.name, a.created_ms, a.owner
         FROM reports JOIN players AS r ON r.id = reporter JOIN players AS a ON a.id = reported "
    };
}

/// How many reports are open: counted along the index of those.
const OPEN: &str = "SELECT count(*) FROM reports WHERE settled_ms IS NULL";

pub(in crate::store) fn list(
    db: &Connection,
    open_only: bool,
    after: Option<ReportId>,
    limit: usize,
) -> Result<Vec<ReportRow>, ReadError> {
    let sql = concat!(
        reports!(),
        "WHERE (settled_ms IS NULL OR NOT ?1) AND (?2 IS NULL OR reports.id < ?2)
        ORDER BY reports.id DESC LIMIT ?3"
    );
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    all(db, sql, params![open_only, after.map(Text), limit], report_row)
}

pub(in crate::store) fn one(
    db: &Connection,
    id: ReportId,
) -> Result<Option<FullReport>, ReadError> {
    let sql = concat!(reports!(), "WHERE reports.id = ?1");
    let Some(report) = reader::one(db, sql, [Text(id)], report_row)? else { return Ok(None) };
    let sql = "SELECT number, place, player, name, words, at_ms
        FROM report_lines WHERE report = ?1 ORDER BY number";
    let lines = all(db, sql, [Text(id)], |row| {
        Ok(ReportLine {
            number: row.get::<_, i64>(0)?.cast_unsigned(),
            room: row.get::<_, Text<Room>>(1)?.0,
            player: row.get::<_, Text<PlayerId>>(2)?.0,
            name: row.get(3)?,
            text: row.get(4)?,
            at_ms: row.get::<_, i64>(5)?.cast_unsigned(),
        })
    })?;
    Ok(Some(FullReport { report, lines }))
}

fn report_row(row: &Row<'_>) -> rusqlite::Result<ReportRow> {
    let settled = match row.get::<_, Option<i64>>(5)?.map(i64::cast_unsigned) {
        Some(at_ms) => Some(Settled { at_ms, by: row.get(6)?, outcome: row.get(7)? }),
        None => None,
    };
    Ok(ReportRow {
        id: row.get::<_, Text<ReportId>>(0)?.0,
        by: player_at(row, 8)?,
        about: player_at(row, 12)?,
        table: row.get::<_, Option<Text<TableId>>>(1)?.map(|table| table.0),
        reason: row.get::<_, Text<Reason>>(2)?.0,
        text: row.get(3)?,
        at_ms: row.get::<_, i64>(4)?.cast_unsigned(),
        settled,
    })
}

/// Executes one change. An error undoes it: with all of its transaction where it passes, alone where it
/// would come again.
pub(super) fn apply(db: &Connection, change: &ReportChange) -> rusqlite::Result<Verdict> {
    match change {
        ReportChange::Make { report, most, most_in_all } => make(db, report, *most, *most_in_all),
        ReportChange::Settle { id, settled } => settle(db, *id, settled),
        ReportChange::Forget { before_ms } => forget(db, *before_ms),
    }
}

fn make(
    db: &Connection,
    report: &NewReport,
    most: usize,
    most_in_all: u64,
) -> rusqlite::Result<Verdict> {
    if !exists(db, report.by)? || !exists(db, report.about)? {
        return Ok(Err(Refused::Unknown));
    }
    let (by, about) = (Text(report.by), Text(report.about));
    let mut open = db.prepare_cached(
        "SELECT count(*), coalesce(max(reported = ?2), 0) FROM reports
         WHERE reporter = ?1 AND settled_ms IS NULL",
    )?;
    let (count, same): (i64, bool) =
        open.query_row(params![by, about], |row| Ok((row.get(0)?, row.get(1)?)))?;
    if same {
        return Ok(Err(Refused::Taken));
    }
    if count >= i64::try_from(most).unwrap_or(i64::MAX) {
        return Ok(Err(Refused::Full));
    }
    let in_all = db.prepare_cached(OPEN)?.query_row([], |row| row.get::<_, i64>(0))?;
    if in_all.cast_unsigned() >= most_in_all {
        return Ok(Err(Refused::NoRoom));
    }
    let mut insert = db.prepare_cached(
        "INSERT INTO reports (id, reporter, reported, tbl, reason, words, created_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    let table = report.table.map(Text);
    let at_ms = report.at_ms.cast_signed();
    let reason = report.reason.word();
    let made =
        insert.execute(params![Text(report.id), by, about, table, reason, report.text, at_ms]);
    match made {
        Err(error) if is_taken(&error) => return Ok(Err(Refused::Taken)),
        made => made?,
    };
    let mut insert = db.prepare_cached(
        "INSERT INTO report_lines (report, number, place, player, name, words, at_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for line in &report.lines {
        insert.execute(params![
            Text(report.id),
            line.number.cast_signed(),
            Text(line.room),
            Text(line.player),
            line.name,
            line.text,
            line.at_ms.cast_signed(),
        ])?;
    }
    Ok(Ok(()))
}

fn settle(db: &Connection, id: ReportId, settled: &Settled) -> rusqlite::Result<Verdict> {
    let mut find = db.prepare_cached("SELECT reported FROM reports WHERE id = ?1")?;
    let about = find.query_row([Text(id)], |row| Ok(row.get::<_, Text<PlayerId>>(0)?.0));
    let Some(about) = about.optional()? else { return Ok(Err(Refused::Unknown)) };
    let mut settle = db.prepare_cached(
        "UPDATE reports SET settled_ms = ?2, settled_by = ?3, outcome = ?4
         WHERE id = ?1 AND settled_ms IS NULL",
    )?;
    let at_ms = settled.at_ms.cast_signed();
    let rows = settle.execute(params![Text(id), at_ms, settled.by, settled.outcome])?;
    if rows == 0 {
        return Ok(Err(Refused::Taken));
    }
    acts::write_down(db, &settled.act(about))?;
    Ok(Ok(()))
}

/// How many reports are open.
pub(in crate::store) fn open(db: &Connection) -> Result<u64, ReadError> {
    let count = reader::one(db, OPEN, [], |row| row.get::<_, i64>(0))?;
    Ok(count.unwrap_or_default().cast_unsigned())
}

/// How many reports there are about a player, and how many of theirs.
pub(in crate::store) fn counts(db: &Connection, player: PlayerId) -> Result<[u64; 2], ReadError> {
    let sql = "SELECT count(*) FILTER (WHERE reported = ?1), count(*) FILTER (WHERE reporter = ?1)
        FROM reports";
    let count = |row: &Row<'_>, nth| row.get::<_, i64>(nth).map(i64::cast_unsigned);
    let counts = reader::one(db, sql, [Text(player)], |row| Ok([count(row, 0)?, count(row, 1)?]))?;
    Ok(counts.unwrap_or_default())
}

fn forget(db: &Connection, before_ms: u64) -> rusqlite::Result<Verdict> {
    let before_ms = before_ms.cast_signed();
    let mut lines = db.prepare_cached(
        "DELETE FROM report_lines
         WHERE report IN (SELECT id FROM reports WHERE created_ms < ?1)",
    )?;
    lines.execute([before_ms])?;
    db.prepare_cached("DELETE FROM reports WHERE created_ms < ?1")?.execute([before_ms])?;
    Ok(Ok(()))
}
