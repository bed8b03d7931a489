//! Results and ratings in the database: what the writer puts there, and what readers are asked.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::board::sweep;
use super::columns::Text;
use super::reader::all;
use super::trouble::is_for_good;
use crate::accounts::ratings::{Class, Rating, Score, Standing};
use crate::game::Seat;
use crate::game::clock::Stamp;
use crate::ids::{GameId, PlayerId};
use crate::store::ReadError;
use crate::store::results::{GameResult, Left, Listed, RatedResult, RatingChange, ResultRow};

/// Writes a result and all that follows from it; one that is there already changes nothing.
pub(super) fn put_result(db: &Connection, result: &GameResult) -> rusqlite::Result<()> {
    let mut insert = db.prepare_cached(
        "INSERT INTO results (game, public, finished_ms, summary)
         VALUES (?1, ?2, ?3, ?4) ON CONFLICT (game) DO NOTHING",
    )?;
    let GameResult { game, public, finished, summary, .. } = result;
    let added = insert.execute(params![Text(*game), public, finished.0.cast_signed(), summary])?;
    if added == 0 {
        return Ok(());
    }
    let mut insert = db.prepare_cached(
        "INSERT INTO game_players (player, game, seat) VALUES (?1, ?2, ?3)
         ON CONFLICT (player, game) DO NOTHING",
    )?;
    for (seat, player) in Seat::BOTH.into_iter().zip(result.players) {
        if let Some(player) = player {
            insert.execute(params![Text(player), Text(*game), seat.number()])?;
        }
    }
    match &result.rated {
        Some(rated) => put_rated_apart(db, result, rated),
        None => Ok(()),
    }
}

/// Writes what a rated game makes of ratings; where that cannot be worked out for good, as when a
/// row cannot be read, the game is over without it. One such row must not stop every table.
fn put_rated_apart(
    db: &Connection,
    result: &GameResult,
    rated: &RatedResult,
) -> rusqlite::Result<()> {
    let run = |sql| db.prepare_cached(sql)?.execute([]);
    run("SAVEPOINT rated")?;
    match put_rated(db, result, rated) {
        Ok(()) => {}
        Err(error) if is_for_good(&error) => {
            run("ROLLBACK TO rated")?;
            tracing::error!(game = %result.game, %error, "a game could not be rated");
        }
        Err(error) => return Err(error),
    }
    run("RELEASE rated")?;
    Ok(())
}

/// Whether both are bots of one owner, or a bot and its owner.
fn is_one_person(db: &Connection, [one, two]: [PlayerId; 2]) -> rusqlite::Result<bool> {
    let mut query = db.prepare_cached(
        "SELECT count(*) = 2 AND count(DISTINCT coalesce(owner, id)) = 1
         FROM players WHERE id IN (?1, ?2)",
    )?;
    query.query_row(params![Text(one), Text(two)], |row| row.get(0))
}

fn put_rated(db: &Connection, result: &GameResult, rated: &RatedResult) -> rusqlite::Result<()> {
    if is_one_person(db, rated.players)? {
        return Ok(());
    }
    let [one, two] = rated.players;
    let before = [standing(db, one, rated.class)?, standing(db, two, rated.class)?];
    let (after, changes) = rated.follow(result, before);
    for (player, standing) in rated.players.into_iter().zip(after) {
        put_standing(db, player, rated.class, &standing)?;
    }
    changes.iter().try_for_each(|change| put_change(db, change))?;
    sweep(db, result.finished)?;
    Ok(())
}

/// Writes who left a game; what is there already stays as it is.
pub(super) fn put_left(db: &Connection, left: &Left) -> rusqlite::Result<()> {
    let Left { game, player, other, at } = *left;
    if is_one_person(db, [player, other])? {
        return Ok(());
    }
    let mut insert = db.prepare_cached(
        "INSERT INTO leaves (player, at_ms, game) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
    )?;
    insert.execute(params![Text(player), at.0.cast_signed(), Text(game)])?;
    Ok(())
}

fn put_standing(
    db: &Connection,
    player: PlayerId,
    class: Class,
    standing: &Standing,
) -> rusqlite::Result<()> {
    let mut upsert = db.prepare_cached(
        "INSERT INTO ratings (player, kind, speed, rating, deviation, volatility, wins, losses,
             draws, updated_ms, shown, placed_until_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
         ON CONFLICT (player, kind, speed) DO UPDATE SET rating = excluded.rating,
             deviation = excluded.deviation, volatility = excluded.volatility,
             wins = excluded.wins, losses = excluded.losses, draws = excluded.draws,
             updated_ms = excluded.updated_ms, shown = excluded.shown,
             placed_until_ms = excluded.placed_until_ms",
    )?;
    let Standing { rating, wins, losses, draws, updated } = standing;
    upsert.execute(params![
        Text(player),
        Text(class.game),
        Text(class.speed),
        rating.value,
        rating.deviation,
        rating.volatility,
        wins,
        losses,
        draws,
        updated.map(|at| at.0.cast_signed()),
        rating.shown(),
        standing.placed_until().map(|until| until.0.cast_signed()),
    ])?;
    Ok(())
}

fn put_change(db: &Connection, change: &RatingChange) -> rusqlite::Result<()> {
    let mut insert = db.prepare_cached(
        "INSERT INTO rating_changes (game, player, seat, opponent, kind, speed, score,
             rating_before, deviation_before, volatility_before, rating, deviation, volatility,
             at_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    )?;
    let RatingChange { game, player, seat, opponent, class, score, before, after, at, .. } = change;
    insert.execute(params![
        Text(*game),
        Text(*player),
        seat.number(),
        Text(*opponent),
        Text(class.game),
        Text(class.speed),
        Text(*score),
        before.value,
        before.deviation,
        before.volatility,
        after.value,
        after.deviation,
        after.volatility,
        at.0.cast_signed(),
    ])?;
    Ok(())
}

pub(in crate::store) fn standing(
    db: &Connection,
    player: PlayerId,
    class: Class,
) -> rusqlite::Result<Standing> {
    let mut query = db.prepare_cached(
        "SELECT rating, deviation, volatility, wins, losses, draws, updated_ms FROM ratings
         WHERE player = ?1 AND kind = ?2 AND speed = ?3",
    )?;
    let key = params![Text(player), Text(class.game), Text(class.speed)];
    Ok(query.query_row(key, |row| standing_from(row, 0)).optional()?.unwrap_or_default())
}

pub(in crate::store) fn leaves(
    db: &Connection,
    player: PlayerId,
    since: Stamp,
    most: u32,
) -> Result<Vec<Stamp>, ReadError> {
    let sql = "SELECT at_ms FROM leaves WHERE player = ?1 AND at_ms >= ?2
        ORDER BY at_ms DESC LIMIT ?3";
    let key = params![Text(player), since.0.cast_signed(), most];
    let mut last = all(db, sql, key, |row| stamp(row, 0))?;
    last.reverse();
    Ok(last)
}

pub(in crate::store) fn history(
    db: &Connection,
    player: PlayerId,
    class: Class,
    most: u32,
) -> Result<Vec<RatingChange>, ReadError> {
    // The last to begin, along the index, in the order in which they counted.
    let sql = format!(
        "SELECT {CHANGE} FROM rating_changes AS change JOIN results USING (game)
         WHERE player = ?1 AND game IN (
             SELECT game FROM rating_changes
             WHERE player = ?1 AND kind = ?2 AND speed = ?3 ORDER BY game DESC LIMIT ?4
         ) ORDER BY results.rowid"
    );
    let key = params![Text(player), Text(class.game), Text(class.speed), most];
    all(db, &sql, key, |row| change_from(row, 0))
}

pub(in crate::store) fn changes(
    db: &Connection,
    game: GameId,
) -> Result<Vec<RatingChange>, ReadError> {
    let sql = format!(
        "SELECT {CHANGE} FROM rating_changes AS change JOIN results USING (game)
         WHERE game = ?1 ORDER BY seat"
    );
    all(db, &sql, [Text(game)], |row| change_from(row, 0))
}

pub(in crate::store) fn results_of(
    db: &Connection,
    player: PlayerId,
    before: Option<GameId>,
    most: u32,
    listed: Listed,
) -> Result<Vec<ResultRow>, ReadError> {
    let sql = format!(
        "SELECT game_players.game, game_players.seat, finished_ms, summary,
                results.public, change.game IS NOT NULL, {CHANGE}
         FROM game_players JOIN results ON results.game = game_players.game
         LEFT JOIN rating_changes AS change
             ON change.game = game_players.game AND change.player = game_players.player
         WHERE game_players.player = ?1 AND (?2 IS NULL OR game_players.game < ?2)
             AND (public OR ?4)
         ORDER BY game_players.game DESC LIMIT ?3"
    );
    let key = params![Text(player), before.map(Text), most, listed == Listed::All];
    all(db, &sql, key, |row| {
        Ok(ResultRow {
            game: row.get::<_, Text<GameId>>(0)?.0,
            seat: row.get::<_, Text<Seat>>(1)?.0,
            finished: stamp(row, 2)?,
            summary: row.get(3)?,
            public: row.get(4)?,
            change: row.get::<_, bool>(5)?.then(|| change_from(row, 6)).transpose()?,
        })
    })
}

/// The columns of a change, of a table that is called `change` beside `results`.
const CHANGE: &str =
    "change.game, public, change.player, change.seat, opponent, kind, speed, score,
    rating_before, deviation_before, volatility_before, rating, deviation, volatility, at_ms";

fn change_from(row: &Row<'_>, at: usize) -> rusqlite::Result<RatingChange> {
    Ok(RatingChange {
        game: row.get::<_, Text<GameId>>(at)?.0,
        public: row.get(at + 1)?,
        player: row.get::<_, Text<PlayerId>>(at + 2)?.0,
        seat: row.get::<_, Text<Seat>>(at + 3)?.0,
        opponent: row.get::<_, Text<PlayerId>>(at + 4)?.0,
        class: class_from(row, at + 5)?,
        score: row.get::<_, Text<Score>>(at + 7)?.0,
        before: rating_from(row, at + 8)?,
        after: rating_from(row, at + 11)?,
        at: stamp(row, at + 14)?,
    })
}

pub(super) fn class_from(row: &Row<'_>, at: usize) -> rusqlite::Result<Class> {
    Ok(Class { game: row.get::<_, Text<_>>(at)?.0, speed: row.get::<_, Text<_>>(at + 1)?.0 })
}

fn rating_from(row: &Row<'_>, at: usize) -> rusqlite::Result<Rating> {
    Ok(Rating { value: row.get(at)?, deviation: row.get(at + 1)?, volatility: row.get(at + 2)? })
}

pub(super) fn standing_from(row: &Row<'_>, at: usize) -> rusqlite::Result<Standing> {
    Ok(Standing {
        rating: rating_from(row, at)?,
        wins: row.get(at + 3)?,
        losses: row.get(at + 4)?,
        draws: row.get(at + 5)?,
        updated: Some(stamp(row, at + 6)?),
    })
}

pub(super) fn stamp(row: &Row<'_>, at: usize) -> rusqlite::Result<Stamp> {
    Ok(Stamp(row.get::<_, i64>(at)?.cast_unsigned()))
}
