//! People and bots in the database.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::columns::Text;
use super::reader::{all, one};
use super::trouble::is_taken;
use super::{acts, reports, shuns};
use crate::accounts::Name;
use crate::accounts::skeleton::NameKeys;
use crate::ids::{KeyId, PlayerId};
use crate::store::people::{Change, Which};
use crate::store::queue::{Refused, Verdict};
use crate::store::rows::KeyLabel;
use crate::store::{CredentialRow, Holder, PlayerRow, ReadError, TokenHash};

pub(in crate::store) fn player(
    db: &Connection,
    id: PlayerId,
) -> Result<Option<PlayerRow>, ReadError> {
    let sql = "SELECT id, name, created_ms, owner FROM players WHERE id = ?1";
    one(db, sql, [Text(id)], player_row)
}

pub(super) fn holder(db: &Connection, hash: &TokenHash) -> Result<Option<Holder>, ReadError> {
    let sql = "SELECT players.id, name, players.created_ms, owner, credentials.id,
            issued_ms, used_ms, next_ms, nullif(hash, ?1)
        FROM credentials JOIN players ON players.id = player
        WHERE hash = ?1 OR next_hash = ?1";
    one(db, sql, [hash], |row| {
        Ok(Holder {
            player: player_row(row)?,
            credential: row.get::<_, Text<KeyId>>(4)?.0,
            issued_ms: row.get::<_, i64>(5)?.cast_unsigned(),
            used_ms: row.get::<_, Option<i64>>(6)?.map(i64::cast_unsigned),
            next_ms: row.get::<_, Option<i64>>(7)?.map(i64::cast_unsigned),
            replaces: row.get(8)?,
        })
    })
}

pub(in crate::store) fn by_recovery(
    db: &Connection,
    hash: &TokenHash,
) -> Result<Option<PlayerRow>, ReadError> {
    let sql = "SELECT id, name, created_ms, owner FROM players WHERE recovery = ?1";
    one(db, sql, [hash], player_row)
}

pub(in crate::store) fn is_claimed(db: &Connection, id: PlayerId) -> Result<bool, ReadError> {
    let sql = "SELECT recovery IS NOT NULL FROM players WHERE id = ?1";
    Ok(one(db, sql, [Text(id)], |row| row.get(0))?.unwrap_or_default())
}

/// Who goes by a name that is too like the one with these keys.
pub(in crate::store) fn named(
    db: &Connection,
    keys: &NameKeys,
) -> rusqlite::Result<Option<PlayerId>> {
    let mut find = db.prepare_cached("SELECT id FROM players WHERE folded = ?1 OR look = ?2")?;
    let id = find.query_row([&keys.folded, &keys.look], |row| Ok(row.get::<_, Text<_>>(0)?.0));
    id.optional()
}

pub(in crate::store) fn credentials(
    db: &Connection,
    player: PlayerId,
) -> Result<Vec<CredentialRow>, ReadError> {
    let sql = "SELECT id, player, hash, issued_ms, created_ms, used_ms, label, hint
        FROM credentials WHERE player = ?1 ORDER BY id";
    all(db, sql, [Text(player)], |row| {
        let (label, hint): (Option<String>, Option<String>) = (row.get(6)?, row.get(7)?);
        Ok(CredentialRow {
            id: row.get::<_, Text<KeyId>>(0)?.0,
            player: row.get::<_, Text<PlayerId>>(1)?.0,
            hash: row.get(2)?,
            issued_ms: row.get::<_, i64>(3)?.cast_unsigned(),
            created_ms: row.get::<_, i64>(4)?.cast_unsigned(),
            used_ms: row.get::<_, Option<i64>>(5)?.map(i64::cast_unsigned),
            key: label.zip(hint).map(|(label, hint)| KeyLabel { label, hint }),
        })
    })
}

/// Every bot, and its owner.
pub(super) fn owners(db: &Connection) -> rusqlite::Result<Vec<(PlayerId, PlayerId)>> {
    let mut query = db.prepare("SELECT id, owner FROM players WHERE owner IS NOT NULL")?;
    let pair = |row: &rusqlite::Row<'_>| {
        Ok((row.get::<_, Text<PlayerId>>(0)?.0, row.get::<_, Text<PlayerId>>(1)?.0))
    };
    query.query_map([], pair)?.collect()
}

pub(in crate::store) fn bots(
    db: &Connection,
    owner: PlayerId,
) -> Result<Vec<PlayerRow>, ReadError> {
    let sql = "SELECT id, name, created_ms, owner FROM players
        WHERE owner = ?1 AND retired_ms IS NULL ORDER BY id";
    all(db, sql, [Text(owner)], player_row)
}

pub(super) fn player_row(row: &Row<'_>) -> rusqlite::Result<PlayerRow> {
    player_at(row, 0)
}

/// A player whose four columns begin with this one.
pub(super) fn player_at(row: &Row<'_>, first: usize) -> rusqlite::Result<PlayerRow> {
    Ok(PlayerRow {
        id: row.get::<_, Text<PlayerId>>(first)?.0,
        name: row.get(first + 1)?,
        created_ms: row.get::<_, i64>(first + 2)?.cast_unsigned(),
        owner: row.get::<_, Option<Text<PlayerId>>>(first + 3)?.map(|owner| owner.0),
    })
}

/// Executes one change. An error undoes it: with all of its transaction where it passes, alone where it
/// would come again.
pub(super) fn apply(db: &Connection, change: &Change) -> rusqlite::Result<Verdict> {
    match change {
        Change::Create { player, keys, credential, most } => {
            create(db, player, keys, credential.as_ref(), *most)
        }
        Change::Rename { id, name, keys, by } => match (rename(db, *id, name, keys)?, by) {
            (Ok(()), Some(by)) => acts::act(db, &by.act, by.notice),
            (verdict, _) => Ok(verdict),
        },
        Change::Admit { credential, most } => {
            let most = i64::try_from(*most).unwrap_or(i64::MAX);
            let mut count =
                db.prepare_cached("SELECT count(*) >= ?2 FROM credentials WHERE player = ?1")?;
            if count.query_row(params![Text(credential.player), most], |row| row.get(0))? {
                return Ok(Err(Refused::Full));
            }
            if !may_have_keys(db, credential.player)? {
                return Ok(Err(Refused::Unknown));
            }
            put(db, credential)
        }
        Change::Replace { credential, gone } => {
            let mut theirs =
                db.prepare_cached("SELECT 1 FROM credentials WHERE player = ?1 AND id = ?2")?;
            if !theirs.exists(params![Text(credential.player), Text(*gone)])? {
                return Ok(Err(Refused::Unknown));
            }
            // First what can be refused: nothing is undone then.
            if let Err(refused) = put(db, credential)? {
                return Ok(Err(refused));
            }
            changed(
                db.prepare_cached("DELETE FROM credentials WHERE id = ?1")?.execute([Text(*gone)]),
            )
        }
        Change::Renew { id, next, at_ms, .. } => {
            let mut renew = db.prepare_cached(
                "UPDATE credentials SET next_hash = ?2, next_ms = ?3 WHERE id = ?1
                 AND NOT EXISTS (SELECT 1 FROM credentials WHERE hash = ?2)",
            )?;
            changed(renew.execute(params![Text(*id), next, at_ms.cast_signed()]))
        }
        Change::Use { id, shown, at_ms, .. } => {
            let mut promote = db.prepare_cached(
                "UPDATE credentials SET hash = next_hash, issued_ms = next_ms,
                     next_hash = NULL, next_ms = NULL
                 WHERE id = ?1 AND next_hash = ?2",
            )?;
            promote.execute(params![Text(*id), shown])?;
            let mut used = db.prepare_cached(
                "UPDATE credentials SET used_ms = max(coalesce(used_ms, 0), ?2) WHERE id = ?1",
            )?;
            changed(used.execute(params![Text(*id), at_ms.cast_signed()]))
        }
        Change::Recovery { player, hash } => {
            let mut set = db.prepare_cached("UPDATE players SET recovery = ?2 WHERE id = ?1")?;
            changed(set.execute(params![Text(*player), hash]))
        }
        Change::Shun { kind, player, other, at_ms, most } => {
            shuns::shun(db, *kind, *player, *other, *at_ms, *most)
        }
        Change::Readmit { kind, player, other } => shuns::readmit(db, *kind, *player, *other),
        Change::Report(change) => reports::apply(db, change),
        Change::Act { act, notice } => acts::act(db, act, *notice),
        Change::ReadNotice { player, id } => acts::read_notice(db, *player, *id),
        Change::Revoke { player, which } => changed(revoke(db, *player, *which)),
        Change::Retire { owner, bot, at_ms } => {
            let mut retire = db.prepare_cached(
                "UPDATE players SET retired_ms = ?3
                 WHERE id = ?2 AND owner = ?1 AND retired_ms IS NULL",
            )?;
            let retired = retire.execute(params![Text(*owner), Text(*bot), at_ms.cast_signed()])?;
            if retired == 0 {
                return Ok(Err(Refused::Unknown));
            }
            // It may have had no key.
            revoke(db, *bot, Which::All)?;
            Ok(Ok(()))
        }
    }
}

/// How many of a player's devices or keys are none any more.
fn revoke(db: &Connection, player: PlayerId, which: Which) -> rusqlite::Result<usize> {
    let player = Text(player);
    let (sql, id) = match which {
        Which::One(id) => ("DELETE FROM credentials WHERE player = ?1 AND id = ?2", id),
        Which::AllBut(id) => ("DELETE FROM credentials WHERE player = ?1 AND id <> ?2", id),
        Which::All => {
            let sql = "DELETE FROM credentials WHERE player = ?1";
            return db.prepare_cached(sql)?.execute([player]);
        }
    };
    db.prepare_cached(sql)?.execute(params![player, Text(id)])
}

fn create(
    db: &Connection,
    player: &PlayerRow,
    keys: &NameKeys,
    credential: Option<&CredentialRow>,
    most: usize,
) -> rusqlite::Result<Verdict> {
    if exists(db, player.id)? {
        return Ok(Err(Refused::Taken));
    }
    if let Some(owner) = player.owner {
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let mut count = db.prepare_cached(
            "SELECT count(*) >= ?2 FROM players WHERE owner = ?1 AND retired_ms IS NULL",
        )?;
        if count.query_row(params![Text(owner), most], |row| row.get(0))? {
            return Ok(Err(Refused::Full));
        }
    }
    if named(db, keys)?.is_some() {
        return Ok(Err(Refused::NameTaken));
    }
    // First what can be refused: nothing is undone then.
    if let Some(credential) = credential
        && let Err(refused) = put(db, credential)?
    {
        return Ok(Err(refused));
    }
    let mut insert = db.prepare_cached(
        "INSERT INTO players (id, name, folded, look, created_ms, owner)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    let created_ms = player.created_ms.cast_signed();
    let owner = player.owner.map(Text);
    let (id, name) = (Text(player.id), &player.name);
    insert.execute(params![id, name, keys.folded, keys.look, created_ms, owner])?;
    Ok(Ok(()))
}

fn rename(db: &Connection, id: PlayerId, name: &str, keys: &NameKeys) -> rusqlite::Result<Verdict> {
    if !exists(db, id)? {
        return Ok(Err(Refused::Unknown));
    }
    let mut update =
        db.prepare_cached("UPDATE players SET name = ?2, folded = ?3, look = ?4 WHERE id = ?1")?;
    match update.execute(params![Text(id), name, keys.folded, keys.look]) {
        Ok(_) => Ok(Ok(())),
        Err(error) if is_taken(&error) => Ok(Err(Refused::NameTaken)),
        Err(error) => Err(error),
    }
}

pub(super) fn exists(db: &Connection, player: PlayerId) -> rusqlite::Result<bool> {
    db.prepare_cached("SELECT 1 FROM players WHERE id = ?1")?.exists([Text(player)])
}

/// Whether there is such a player, who is no bot that was retired.
fn may_have_keys(db: &Connection, player: PlayerId) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM players WHERE id = ?1 AND retired_ms IS NULL";
    db.prepare_cached(sql)?.exists([Text(player)])
}

fn put(db: &Connection, row: &CredentialRow) -> rusqlite::Result<Verdict> {
    let mut waits = db.prepare_cached("SELECT 1 FROM credentials WHERE next_hash = ?1")?;
    if waits.exists([&row.hash])? {
        return Ok(Err(Refused::Taken));
    }
    let mut insert = db.prepare_cached(
        "INSERT INTO credentials (id, player, hash, issued_ms, created_ms, used_ms, label, hint)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    let inserted = insert.execute(params![
        Text(row.id),
        Text(row.player),
        row.hash,
        row.issued_ms.cast_signed(),
        row.created_ms.cast_signed(),
        row.used_ms.map(u64::cast_signed),
        row.key.as_ref().map(|key| &key.label),
        row.key.as_ref().map(|key| &key.hint),
    ]);
    changed(inserted)
}

/// What it means that so many rows have changed: none was there, or a key was taken.
pub(super) fn changed(rows: rusqlite::Result<usize>) -> rusqlite::Result<Verdict> {
    match rows {
        Ok(0) => Ok(Err(Refused::Unknown)),
        Ok(_) => Ok(Ok(())),
        Err(error) if is_taken(&error) => Ok(Err(Refused::Taken)),
        Err(error) => Err(error),
    }
}

/// Gives the names of an older database their keys. Of names that are too alike the oldest stays,
/// and the others get a number.
pub(super) fn key_names(db: &Connection) -> rusqlite::Result<()> {
    let players: Vec<(String, String)> = db
        .prepare("SELECT id, name FROM players WHERE folded IS NULL ORDER BY created_ms, id")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<_, _>>()?;
    let mut set =
        db.prepare("UPDATE players SET name = ?2, folded = ?3, look = ?4 WHERE id = ?1")?;
    for (id, name) in players {
        let mut free = name;
        let mut keys = NameKeys::of(&free);
        if named(db, &keys)?.is_some() {
            // What is stored was a name once; where it is none any more, it becomes a guest's.
            let base = Name::new(&free).unwrap_or_else(|_| Name::guest(0, 0));
            for number in 2.. {
                free = base.numbered(number).to_string();
                keys = NameKeys::of(&free);
                if named(db, &keys)?.is_none() {
                    break;
                }
            }
        }
        set.execute(params![id, free, keys.folded, keys.look])?;
    }
    Ok(())
}
