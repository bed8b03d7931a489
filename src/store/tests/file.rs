//! What only a file can show: restarts, locks, full disks, versions, shared commits.

use metrics_exporter_prometheus::PrometheusBuilder;
use rusqlite::Connection;

use super::*;
use crate::accounts::ratings::{Class, RatedGame, Score, Speed};

fn open(dir: &Path) -> Result<Store, OpenError> {
    Store::open_with(dir, options(4096).0)
}

#[tokio::test]
async fn everything_is_there_after_a_restart() {
    let dir = TempDir::new().unwrap();
    let data = dir.path().join("made/on/first/start");
    let row = listing(1, TableStatus::Playing, "as listed");
    let game = GameRow {
        id: GameId::from_parts(1, 1),
        table: row.id,
        started_ms: 3,
        finished_ms: Some(4),
        record: Some(vec![0, 159, 146, 150]),
    };
    {
        let store = Store::open(&data, Durability::Power).unwrap();
        let mut actor = Actor::new(1);
        let mut append = actor.next(["a", "b", "c"]);
        append.listing = Some(row.clone());
        append.games = vec![game.clone()];
        store.reserve().unwrap().append(append);
        store.create_player(player(1, "Ada"), device(1, 9)).await.unwrap();
        assert_eq!(actor.durable_now().to, 3);
    }
    let store = Store::open(&data, Durability::Process).unwrap();
    assert_eq!(texts(&store, 1).await, ["a", "b", "c"]);
    assert_eq!(store.tables_live().await.unwrap().rows, [row]);
    assert_eq!(store.game(game.id).await.unwrap(), Some(game));
    assert_eq!(known(&store, 9).await, Some(player(1, "Ada")));
    let mut actor = Actor::after(1, 3);
    actor.append(&store, ["d"]);
    actor.durable_to(4).await;
    assert_eq!(texts(&store, 1).await, ["a", "b", "c", "d"]);
}

#[tokio::test]
async fn a_folder_in_use_is_refused_until_it_is_closed() {
    let dir = TempDir::new().unwrap();
    let store = open(dir.path()).unwrap();
    let error = open(dir.path()).err().unwrap();
    assert!(matches!(error, OpenError::InUse { .. }), "{error}");
    assert!(error.to_string().contains("stop the server that uses it"), "{error}");
    store.close();
    open(dir.path()).unwrap();
}

#[tokio::test]
async fn a_database_of_a_newer_version_is_refused_untouched() {
    let dir = TempDir::new().unwrap();
    open(dir.path()).unwrap().close();
    let database = Connection::open(dir.path().join("hexhall.db")).unwrap();
    database.pragma_update(None, "user_version", 999).unwrap();
    let error = open(dir.path()).err().unwrap();
    assert!(matches!(error, OpenError::Newer { found: 999, known: 10, .. }), "{error}");
    let version = database.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0));
    assert_eq!(version, Ok(999));
}

#[tokio::test]
async fn events_of_a_database_of_the_first_version_are_brought_along() {
    let dir = TempDir::new().unwrap();
    let database = of_version(dir.path(), 1);
    for (table, number) in [(2, 1), (1, 1), (2, 2), (1, 2), (3, 1), (1, 3), (3, 3)] {
        let (id, payload) = (table_id(table).to_string(), format!("{table}-{number}"));
        let insert = "INSERT INTO events VALUES (?1, ?2, ?3)";
        database.execute(insert, (id, number, payload.into_bytes())).unwrap();
    }
    drop(database);

    let store = open(dir.path()).unwrap();
    assert_eq!(texts(&store, 1).await, ["1-1", "1-2", "1-3"]);
    assert_eq!(texts(&store, 2).await, ["2-1", "2-2"]);
    let error = store.load(table_id(3)).await.unwrap_err();
    assert!(matches!(error, ReadError::Gap { expected: 2, found: 3, .. }), "{error}");
    assert_eq!(store.journal_tables().await.unwrap(), [1, 2, 3].map(table_id));
    let mut second = Actor::after(1, 2);
    second.append(&store, ["again"]);
    assert_eq!(second.lost().await.lost, Some(Lost::Taken(3)));
    let mut actor = Actor::after(2, 2);
    actor.append(&store, ["2-3"]);
    actor.durable_to(3).await;
    assert_eq!(texts(&store, 2).await, ["2-1", "2-2", "2-3"]);
}

#[tokio::test]
async fn a_head_that_somebody_else_moves_beside_the_writer_is_a_conflict() {
    let dir = TempDir::new().unwrap();
    let store = open(dir.path()).unwrap();
    let mut actor = Actor::new(1);
    actor.append(&store, ["1"]);
    actor.durable_to(1).await;
    let other = Connection::open(dir.path().join("hexhall.db")).unwrap();
    let append = "INSERT INTO events (tbl, number, previous, payload)
        SELECT tbl, 2, event, CAST('2 of another' AS BLOB) FROM heads";
    other.execute_batch(append).unwrap();
    other.execute_batch("UPDATE heads SET number = 2, event = last_insert_rowid()").unwrap();
    actor.append(&store, ["2"]);
    assert_eq!(actor.lost().await, Durable { to: 1, lost: Some(Lost::Taken(2)) });
    assert_eq!(texts(&store, 1).await, ["1", "2 of another"]);
    is_ok(&store).await;
}

#[tokio::test]
async fn blocks_of_a_database_from_before_there_were_mutes_are_brought_along() {
    let dir = TempDir::new().unwrap();
    let database = of_version(dir.path(), 5);
    let (ada, eve) = (player(1, "Ada"), player(2, "Eve"));
    for row in [&ada, &eve] {
        let insert = "INSERT INTO players (id, name, created_ms) VALUES (?1, ?2, ?3)";
        let created_ms = row.created_ms.cast_signed();
        database.execute(insert, (row.id.to_string(), &row.name, created_ms)).unwrap();
    }
    let insert = "INSERT INTO blocks VALUES (?1, ?2, 7)";
    database.execute(insert, (ada.id.to_string(), eve.id.to_string())).unwrap();
    drop(database);

    let store = open(dir.path()).unwrap();
    assert!(store.has_blocked(ada.id, eve.id) && !store.has_muted(ada.id, eve.id));
    let row = ShunRow { other: eve, since_ms: 7 };
    assert_eq!(store.shunned(Shun::Block, ada.id).await.unwrap(), [row]);
}

#[tokio::test]
async fn acts_of_a_database_from_before_operators_gave_names_are_brought_along() {
    let dir = TempDir::new().unwrap();
    let database = of_version(dir.path(), 9);
    let ada = player(1, "Ada");
    let insert = "INSERT INTO players (id, name, created_ms) VALUES (?1, ?2, 1)";
    database.execute(insert, (ada.id.to_string(), &ada.name)).unwrap();
    let insert = "INSERT INTO acts VALUES (7, ?1, 'ban', 'op', 'cheating', 10, NULL)";
    database.execute(insert, [ada.id.to_string()]).unwrap();
    drop(database);

    let store = open(dir.path()).unwrap();
    assert_eq!(&*store.banned(ada.id, 11).unwrap().reason, "cheating");
    let acts = store.acts(None, None, 9).await.unwrap();
    assert_eq!(
        acts.iter().map(|row| (row.number, row.act.kind)).collect::<Vec<_>>(),
        [(7, ActKind::Ban)]
    );
}

#[tokio::test]
async fn ratings_of_an_older_database_have_their_places() {
    let dir = TempDir::new().unwrap();
    let database = of_version(dir.path(), 5);
    for (n, rating, deviation) in [(1, 1600.4, 70.0), (2, 1700.0, 70.0), (3, 1900.0, 200.0)] {
        let id = player(n, "").id.to_string();
        let insert = "INSERT INTO players (id, name, created_ms) VALUES (?1, ?2, 1)";
        database.execute(insert, (&id, format!("Ada {n}"))).unwrap();
        let insert = "INSERT INTO ratings VALUES (?1, 'hex', 'rapid', ?2, ?3, 0.06, 9, 0, 0, 1000)";
        database.execute(insert, (id, rating, deviation)).unwrap();
    }
    drop(database);

    let store = open(dir.path()).unwrap();
    let class = Class { game: RatedGame::Hex, speed: Speed::Rapid };
    let board = store.leaders(class, Stamp(2_000), 0, 9).await.unwrap();
    let places: Vec<_> = board.places.iter().map(|place| (place.rank, &*place.name)).collect();
    assert_eq!((places, board.players), (vec![(1, "Ada 2"), (2, "Ada 1")], 2));
}

#[tokio::test]
async fn rows_of_tables_that_cannot_be_read_are_named_and_hide_no_others() {
    let dir = TempDir::new().unwrap();
    let store = open(dir.path()).unwrap();
    for n in 1..=4 {
        let mut actor = Actor::new(n);
        let mut append = actor.next(["opened"]);
        let status = if n == 4 { TableStatus::Closed } else { TableStatus::Open };
        append.listing = Some(listing(n, status, "as listed"));
        store.reserve().unwrap().append(append);
        actor.durable_to(1).await;
    }
    store.close();
    let database = Connection::open(dir.path().join("hexhall.db")).unwrap();
    for (damage, n) in [("status = 'opened'", 2), ("id = 'table 3'", 3), ("public = 'yes'", 4)] {
        // A table that is not strict takes what no program of ours would write.
        let loosened = "PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE name = 'tables';
            PRAGMA writable_schema = RESET";
        database.execute_batch(loosened).unwrap();
        let update = format!("UPDATE tables SET {damage} WHERE id = ?1");
        assert_eq!(database.execute(&update, [table_id(n).to_string()]), Ok(1), "{damage}");
    }
    drop(database);

    let store = open(dir.path()).unwrap();
    let TableRows { rows, damaged } = store.tables_live().await.unwrap();
    assert_eq!(rows, [listing(1, TableStatus::Open, "as listed")]);
    let [three, two] = damaged.as_slice() else { panic!("{damaged:?}") };
    assert_eq!((&*two.id, &*three.id), (&*table_id(2).to_string(), "table 3"));
    assert!(two.why.contains("`opened` is no status"), "{two:?}");
    let TableRows { rows, damaged } = store.tables_closed(0).await.unwrap();
    assert_eq!((rows.len(), damaged.len()), (0, 1));
}

#[tokio::test]
async fn a_database_from_before_there_were_ratings_has_none_and_counts_what_comes() {
    let dir = TempDir::new().unwrap();
    let database = of_version(dir.path(), 2);
    let (table, game) = (table_id(1).to_string(), GameId::from_parts(1, 1));
    let insert = "INSERT INTO games VALUES (?1, ?2, 10, 20, x'7b7d')";
    database.execute(insert, (game.to_string(), table)).unwrap();
    drop(database);

    let store = open(dir.path()).unwrap();
    assert_eq!(store.game(game).await.unwrap().unwrap().finished_ms, Some(20));
    assert_eq!(store.rating_changes(game).await.unwrap(), []);
    let (one, two) = (player(1, "Ada").id, player(2, "Bo").id);
    let class = Class { game: RatedGame::Dark, speed: Speed::Untimed };
    let rated = RatedResult { class, players: [one, two], score: Score::Lost };
    let mut actor = Actor::new(1);
    let mut append = actor.next(["ended"]);
    append.result = Some(Box::new(GameResult {
        game: GameId::from_parts(2, 2),
        players: [Some(one), Some(two)],
        public: true,
        finished: Stamp(30),
        summary: Vec::new(),
        rated: Some(rated),
    }));
    store.reserve().unwrap().append(append);
    actor.durable_to(1).await;
    store.close();
    let store = open(dir.path()).unwrap();
    let standing = store.standing(two, class).await.unwrap();
    assert_eq!(standing.rating.shown(), 1662);
}

#[tokio::test]
async fn a_database_of_another_program_is_refused_untouched() {
    for version in [0, -1] {
        let dir = TempDir::new().unwrap();
        let theirs = Connection::open(dir.path().join("hexhall.db")).unwrap();
        theirs.pragma_update(None, "user_version", version).unwrap();
        theirs.execute_batch("CREATE TABLE cats (name TEXT)").unwrap();
        assert!(matches!(open(dir.path()), Err(OpenError::Foreign { .. })));
        let tables = theirs.query_row("SELECT group_concat(name) FROM sqlite_schema", [], |row| {
            row.get::<_, String>(0)
        });
        assert_eq!(tables, Ok("cats".to_owned()));
        let mode = theirs.pragma_query_value(None, "journal_mode", |row| row.get::<_, String>(0));
        assert_eq!(mode, Ok("delete".to_owned()));
    }
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused() {
    let dir = TempDir::new().unwrap();
    std::fs::write(dir.path().join("hexhall.db"), [b'?'; 5000]).unwrap();
    let error = open(dir.path()).err().unwrap();
    assert!(matches!(error, OpenError::Database { .. }), "{error}");
}

#[tokio::test]
async fn a_locked_database_makes_the_store_busy_and_loses_nothing() {
    let dir = TempDir::new().unwrap();
    let store = open(dir.path()).unwrap();
    let mut actor = Actor::new(1);
    actor.append(&store, ["before"]);
    actor.durable_to(1).await;

    let intruder = Connection::open(dir.path().join("hexhall.db")).unwrap();
    intruder.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let slots = [store.reserve().unwrap(), store.reserve().unwrap()];
    actor.append(&store, ["during 1"]);
    is_failing(&store).await;
    for (slot, text) in slots.into_iter().zip(["during 2", "during 3"]) {
        slot.append(actor.next([text]));
    }
    assert_eq!(store.reserve().err(), Some(Busy::Failing));
    let Health::Failing { why, .. } = store.health().borrow().clone() else { panic!("is failing") };
    assert!(why.contains("locked"), "{why}");
    assert_eq!(texts(&store, 1).await, ["before"]);
    assert_eq!(actor.durable_now().to, 1);

    intruder.execute_batch("ROLLBACK").unwrap();
    actor.durable_to(4).await;
    is_ok(&store).await;
    actor.append(&store, ["after"]);
    actor.durable_to(5).await;
    let expected = ["before", "during 1", "during 2", "during 3", "after"];
    assert_eq!(texts(&store, 1).await, expected);
}

#[tokio::test]
async fn a_full_disk_makes_the_store_busy_and_loses_nothing() {
    let dir = TempDir::new().unwrap();
    let (options, faults, _) = options(4096);
    let store = Store::open_with(dir.path(), options).unwrap();
    let mut actor = Actor::new(1);
    actor.append(&store, ["small"]);
    actor.durable_to(1).await;

    faults.limit_pages(Some(1));
    let large = "large ".repeat(20_000);
    actor.append(&store, [&large, "beside it"]);
    is_failing(&store).await;
    assert_eq!(store.reserve().err(), Some(Busy::Failing));
    let Health::Failing { why, .. } = store.health().borrow().clone() else { panic!("is failing") };
    assert!(why.contains("full"), "{why}");
    assert_eq!(texts(&store, 1).await, ["small"]);
    assert_eq!(actor.durable_now().to, 1);

    faults.limit_pages(None);
    actor.durable_to(3).await;
    is_ok(&store).await;
    assert_eq!(texts(&store, 1).await, ["small", &large, "beside it"]);
}

#[tokio::test]
async fn what_queues_behind_a_commit_shares_the_next_one() {
    let dir = TempDir::new().unwrap();
    let (options, faults, _) = options(4096);
    let recorder = PrometheusBuilder::new().build_recorder();
    let figures = recorder.handle();
    let open = || Store::open_with(dir.path(), options);
    let store = metrics::with_local_recorder(&recorder, open).unwrap();

    faults.hold_commits(true);
    let mut actors: Vec<_> = (1..=50).map(Actor::new).collect();
    for _ in 0..3 {
        for actor in &mut actors {
            actor.append(&store, ["event"]);
        }
    }
    faults.hold_commits(false);
    for actor in &mut actors {
        actor.durable_to(3).await;
    }
    store.close();

    let figures = figures.render();
    let figure = |name: &str| -> f64 {
        let line = figures.lines().find(|line| line.split(' ').next() == Some(name));
        line.and_then(|line| line.rsplit(' ').next()).unwrap().parse().unwrap()
    };
    // The first commit took what was there when its thread woke, the second all the rest.
    assert!(figure("hexhall_journal_commits_total") <= 2.0, "{figures}");
    assert_eq!(figure("hexhall_journal_commit_events_sum"), 150.0);
    assert_eq!(figure("hexhall_journal_queue"), 0.0);
    assert_eq!(figure("hexhall_journal_failing"), 0.0);
}

#[tokio::test]
async fn a_store_that_is_dropped_mid_outage_does_not_hang() {
    let dir = TempDir::new().unwrap();
    let (options, faults, _) = options(4096);
    let store = Store::open_with(dir.path(), options).unwrap();
    let mut actor = Actor::new(1);
    faults.fail_commits(true);
    actor.append(&store, ["never written"]);
    is_failing(&store).await;
    drop(store);
    assert_eq!(actor.durable_now().to, 0);
    assert!(texts(&open(dir.path()).unwrap(), 1).await.is_empty());
}

#[tokio::test]
async fn closing_on_a_full_disk_leaves_no_gap() {
    let dir = TempDir::new().unwrap();
    let (options, faults, _) = options(4096);
    let store = Store::open_with(dir.path(), options).unwrap();
    let mut actor = Actor::new(1);
    actor.append(&store, ["first"]);
    actor.durable_to(1).await;
    let slot = store.reserve().unwrap();
    faults.limit_pages(Some(1));
    actor.append(&store, [&"too large ".repeat(20_000)]);
    is_failing(&store).await;
    slot.append(actor.next(["would fit"]));
    store.close();
    assert_eq!(actor.durable_now().to, 1);
    assert_eq!(texts(&open(dir.path()).unwrap(), 1).await, ["first"]);
}
