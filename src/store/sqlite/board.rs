//! Leaderboards in the database.
//!
//! A rating knows until when it has a place, and an index holds those that have one in the order of
//! places. Reading goes along that index, and no further than [`MOST_PLACES`]. What has lost its
//! place with time is stepped over, and taken out of the index bit by bit with each rated game.

use rusqlite::{Connection, named_params, params};

use super::columns::Text;
use super::ratings::{class_from, standing_from};
use super::reader::all;
use crate::accounts::ratings::{Class, Standing};
use crate::game::clock::Stamp;
use crate::ids::PlayerId;
use crate::store::ReadError;
use crate::store::results::{Leader, Leaders, MOST_PLACES, Ranked, ranks};

/// How many ratings a rated game takes off the boards that they have lost their place on: more than
/// the two that it may put there.
const SWEPT: u32 = 16;

/// How many have a place; those beyond the most are not looked at.
const COUNT: &str = "SELECT count(*) FROM (SELECT 1 FROM ratings
    WHERE kind = :kind AND speed = :speed AND placed_until_ms >= :now LIMIT :most)";

/// How many have a place above `:shown`; those beyond the most are not looked at.
const BETTER: &str = "SELECT count(*) FROM (SELECT 1 FROM ratings
    WHERE kind = :kind AND speed = :speed AND placed_until_ms >= :now AND shown > :shown
    LIMIT :most)";

/// A page: the best first, and of the same rating the one who came first to this server.
const PAGE: &str = "SELECT player, rating, deviation, volatility, wins, losses, draws, updated_ms,
        name, owner IS NOT NULL
    FROM ratings CROSS JOIN players ON players.id = ratings.player
    WHERE kind = :kind AND speed = :speed AND placed_until_ms >= :now
    ORDER BY shown DESC, player LIMIT :most OFFSET :skip";

/// Forgets some of the places that were lost before this time.
pub(super) fn sweep(db: &Connection, now: Stamp) -> rusqlite::Result<()> {
    let mut sweep = db.prepare_cached(
        "UPDATE ratings SET placed_until_ms = NULL WHERE (player, kind, speed) IN
             (SELECT player, kind, speed FROM ratings WHERE placed_until_ms < ?1 LIMIT ?2)",
    )?;
    sweep.execute(params![now.0.cast_signed(), SWEPT])?;
    Ok(())
}

pub(in crate::store) fn ranked(
    db: &Connection,
    player: PlayerId,
    now: Stamp,
) -> Result<Vec<Ranked>, ReadError> {
    let sql = "SELECT kind, speed, rating, deviation, volatility, wins, losses, draws, updated_ms,
                   coalesce(placed_until_ms >= ?2, 0)
               FROM ratings WHERE player = ?1";
    let key = params![Text(player), now.0.cast_signed()];
    let mut own: Vec<(Ranked, bool)> = all(db, sql, key, |row| {
        let (class, standing) = (class_from(row, 0)?, standing_from(row, 2)?);
        Ok((Ranked { class, standing, rank: None }, row.get(9)?))
    })?;
    own.sort_by_key(|(ranked, _)| ranked.class);
    let ranked = |(ranked, is_placed): (Ranked, bool)| {
        let shown = ranked.standing.rating.shown();
        let before = is_placed.then(|| better(db, ranked.class, now, shown)).transpose()?;
        let rank = before.filter(|&before| before < MOST_PLACES).map(|before| before + 1);
        Ok(Ranked { rank, ..ranked })
    };
    own.into_iter().map(ranked).collect()
}

pub(in crate::store) fn leaders(
    db: &Connection,
    class: Class,
    now: Stamp,
    skip: u32,
    most: u32,
) -> Result<Leaders, ReadError> {
    let (kind, speed, at) = (Text(class.game), Text(class.speed), now.0.cast_signed());
    let count = named_params! {
        ":kind": kind, ":speed": speed, ":now": at, ":most": MOST_PLACES.cast_signed(),
    };
    let players = db.prepare_cached(COUNT)?.query_row(count, |row| row.get::<_, i64>(0))?;
    let players = players.cast_unsigned();
    let left = MOST_PLACES.saturating_sub(skip.into()).min(most.into());
    let page = named_params! {
        ":kind": kind, ":speed": speed, ":now": at, ":skip": skip, ":most": left.cast_signed(),
    };
    let found: Vec<(PlayerId, Standing, String, bool)> = all(db, PAGE, page, |row| {
        let player = row.get::<_, Text<PlayerId>>(0)?.0;
        Ok((player, standing_from(row, 1)?, row.get(8)?, row.get(9)?))
    })?;
    let shown: Vec<i64> = found.iter().map(|(_, standing, ..)| standing.rating.shown()).collect();
    let ranks = ranks(&shown, skip, |shown| better(db, class, now, shown))?;
    let leader =
        |(rank, (player, standing, name, bot))| Leader { rank, player, name, bot, standing };
    Ok(Leaders { places: ranks.into_iter().zip(found).map(leader).collect(), players })
}

fn better(db: &Connection, class: Class, now: Stamp, shown: i64) -> rusqlite::Result<u64> {
    let key = named_params! {
        ":kind": Text(class.game), ":speed": Text(class.speed), ":now": now.0.cast_signed(),
        ":shown": shown, ":most": MOST_PLACES.cast_signed(),
    };
    let better = db.prepare_cached(BETTER)?.query_row(key, |row| row.get::<_, i64>(0))?;
    Ok(better.cast_unsigned())
}

/// Gives the ratings of an older database what places go by.
pub(super) fn place_ratings(db: &Connection) -> rusqlite::Result<()> {
    let mut query = db.prepare(
        "SELECT kind, speed, rating, deviation, volatility, wins, losses, draws, updated_ms, player
         FROM ratings",
    )?;
    let rows = query.query_map([], |row| {
        Ok((class_from(row, 0)?, standing_from(row, 2)?, row.get::<_, String>(9)?))
    })?;
    let mut set = db.prepare(
        "UPDATE ratings SET shown = ?4, placed_until_ms = ?5
         WHERE player = ?1 AND kind = ?2 AND speed = ?3",
    )?;
    for (class, standing, player) in rows.collect::<rusqlite::Result<Vec<_>>>()? {
        let until = standing.placed_until().map(|until| until.0.cast_signed());
        let shown = standing.rating.shown();
        set.execute(params![player, Text(class.game), Text(class.speed), shown, until])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;

    use super::*;
    use crate::accounts::ratings::{RatedGame, Speed};
    use crate::store::sqlite::schema;

    const RAPID: Class = Class { game: RatedGame::Hex, speed: Speed::Rapid };
    const NOW: Stamp = Stamp(1_000_000);

    fn empty() -> Connection {
        let mut db = Connection::open_in_memory().unwrap();
        schema::migrate(&mut db).unwrap();
        db
    }

    /// A board of so many, player 1 the best, and as many more who have lost their places.
    fn crowded(players: u32) -> Connection {
        let db = empty();
        let crowd = format!(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {players})
             INSERT INTO players (id, name, created_ms)
             SELECT printf('plr_%026d', i), 'Player ' || i, 0 FROM n;
             INSERT INTO ratings SELECT id, 'hex', 'rapid', 9000000 - rowid, 60, 0.06, 1, 0, 0, 0,
                 9000000 - rowid, 1000000 FROM players;
             INSERT INTO ratings SELECT id, 'hex', 'blitz', 1500, 60, 0.06, 1, 0, 0, 0, 1500, 999999
                 FROM players;"
        );
        db.execute_batch(&crowd).unwrap();
        db
    }

    fn id(n: u128) -> PlayerId {
        PlayerId::from_parts(0, n)
    }

    /// How many steps the database takes for a page.
    fn steps(db: &Connection, skip: u32) -> i32 {
        let mut page = db.prepare(PAGE).unwrap();
        let key = named_params! {
            ":kind": "hex", ":speed": "rapid", ":now": 1_000_000, ":skip": skip, ":most": 50,
        };
        assert_eq!(page.query_map(key, |_| Ok(())).unwrap().count(), 50);
        page.get_status(StatementStatus::VmStep)
    }

    #[test]
    fn a_board_ends_where_it_is_no_longer_counted() {
        let most = MOST_PLACES as u32;
        let db = crowded(most + 20);
        let last = leaders(&db, RAPID, NOW, most - 10, 50).unwrap();
        assert_eq!((last.places.len(), last.players), (10, MOST_PLACES));
        let place = &last.places[9];
        assert_eq!((place.rank, &*place.name), (MOST_PLACES, "Player 10000"));
        assert_eq!(leaders(&db, RAPID, NOW, most, 50).unwrap().places, []);
        assert_eq!(ranked(&db, place.player, NOW).unwrap()[1].rank, Some(MOST_PLACES));
        let beyond = format!("plr_{:026}", most + 1).parse().unwrap();
        assert_eq!(ranked(&db, beyond, NOW).unwrap()[1].rank, None);
        assert_eq!(ranked(&db, id(0), NOW).unwrap(), []);
    }

    #[test]
    fn a_page_costs_the_same_however_many_there_are() {
        let (few, many) = (crowded(200), crowded(20_000));
        assert_eq!(steps(&few, 0), steps(&many, 0));
        assert_eq!(steps(&few, 100), steps(&many, 100));
        assert!(steps(&many, 100) < 2 * steps(&many, 0));
    }

    #[test]
    fn lost_places_are_swept_a_few_at_a_time() {
        let db = crowded(20);
        let lost = |db: &Connection| {
            let sql = "SELECT count(*) FROM ratings WHERE placed_until_ms < 1000000";
            db.query_row(sql, [], |row| row.get::<_, u32>(0)).unwrap()
        };
        assert_eq!(lost(&db), 20);
        sweep(&db, NOW).unwrap();
        assert_eq!(lost(&db), 20 - SWEPT);
        sweep(&db, NOW).unwrap();
        assert_eq!(lost(&db), 0);
        assert_eq!(leaders(&db, RAPID, NOW, 0, 50).unwrap().players, 20);
    }

    /// How the database means to answer, a step a line.
    fn plan(db: &Connection, sql: &str) -> Vec<String> {
        let mut query = db.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        // Unbound, since how it answers does not depend on what is asked for.
        query.raw_query().mapped(|row| row.get("detail")).collect::<Result<_, _>>().unwrap()
    }

    #[test]
    fn every_question_about_a_board_goes_along_its_index() {
        let db = empty();
        for (sql, covering) in [(COUNT, "COVERING "), (BETTER, "COVERING "), (PAGE, "")] {
            let plan = plan(&db, sql);
            let along = format!("SEARCH ratings USING {covering}INDEX board (kind=? AND speed=?");
            assert!(plan.iter().any(|step| step.starts_with(&along)), "{sql}: {plan:#?}");
            let read: Vec<_> =
                plan.iter().filter(|step| step.starts_with("SCAN ratings")).collect();
            assert!(read.is_empty(), "{sql}: {plan:#?}");
            assert!(plan.iter().all(|step| !step.contains("TEMP B-TREE")), "{sql}: {plan:#?}");
        }
    }
}
