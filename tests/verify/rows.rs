//! Damage to the tables of record, and to the file itself.

use hexhall::ids::{GameId, TableId};
use hexhall::store::{Durability, GameRow, Store, TableStatus};
use hexhall::table::state::event::Event;
use hexhall::verify::{self, Check, Report};
use rusqlite::Connection;

use super::story::{Journal, full, open, running};
use super::{assert_problem, check, first_problem};

/// A store in a file that was damaged while nobody looked.
pub async fn damaged(journals: &[Journal], damage: impl FnOnce(&Connection)) -> Report {
    let dir = tempfile::TempDir::new().unwrap();
    let store = Store::open(dir.path(), Durability::Process).unwrap();
    for journal in journals {
        journal.write(&store).await;
    }
    store.close();
    damage(&Connection::open(dir.path().join("hexhall.db")).unwrap());
    let store = Store::open(dir.path(), Durability::Process).unwrap();
    verify::run(&store, |_| ()).await.unwrap()
}

fn is_end(event: &Event) -> bool {
    matches!(event, Event::Ended { .. })
}

#[tokio::test]
async fn a_missing_event_is_named_and_the_other_tables_are_checked_all_the_same() {
    let journals = [full(), running()];
    let table = journals[0].table;
    let report = damaged(&journals, |database| {
        let delete = "DELETE FROM events WHERE tbl = ?1 AND number = 5";
        assert_eq!(database.execute(delete, [table.to_string()]), Ok(1));
    })
    .await;
    assert_eq!(report.problems.len(), 1, "{:?}", report.problems);
    assert_eq!(report.problems[0].table, Some(table));
    assert_problem(&report.problems[0], 5, Check::Numbers, "event 5", "6");
    assert_eq!(report.counts.events, journals[1].events.len() as u64);
}

#[tokio::test]
async fn bytes_that_are_no_event_are_named() {
    let report = damaged(&[full()], |database| {
        let update = "UPDATE events SET payload = x'ff00' WHERE number = 6";
        assert_eq!(database.execute(update, []), Ok(1));
    })
    .await;
    assert_problem(&report.problems[0], 6, Check::Form, "an event", "not an event");
}

#[tokio::test]
async fn what_the_database_finds_wrong_with_itself_is_reported() {
    let report = damaged(&[full(), open()], |database| {
        // The index on live tables is told that it holds others than those it was built of.
        let redefine = "PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, 'closed', 'open')
                WHERE name = 'tables_live';
            PRAGMA writable_schema = OFF;";
        database.execute_batch(redefine).unwrap();
    })
    .await;
    let problem = &report.problems[0];
    assert_eq!((problem.table, problem.check), (None, Check::Database), "{problem}");
    assert!(problem.found.contains("tables_live"), "{problem}");
}

#[tokio::test]
async fn a_player_who_does_not_exist_is_named() {
    let mut journal = full();
    let missing = journal.players.pop().unwrap().id;
    let number =
        journal.find(|event| matches!(event, Event::Seated { player, .. } if player.id == missing));
    let problem = first_problem(&journal).await;
    assert_problem(&problem, number, Check::Players, &missing.to_string(), "none");
}

#[tokio::test]
async fn a_game_without_a_row_is_named() {
    let mut journal = full();
    let (id, _) = journal.games.pop_first().unwrap();
    let problem = first_problem(&journal).await;
    let expected = format!("a row of {id}");
    assert_problem(&problem, journal.find(is_end), Check::GameRow, &expected, "none");
    let mut journal = running();
    let (id, _) = journal.games.pop_last().unwrap();
    let last = journal.events.len() as u64;
    let problem = first_problem(&journal).await;
    assert_problem(&problem, last, Check::GameRow, &format!("a row of {id}"), "none");
}

#[tokio::test]
async fn a_game_row_that_tells_an_end_too_early_or_not_at_all_is_named() {
    let mut journal = running();
    let last = journal.events.len() as u64;
    journal.games.last_entry().unwrap().get_mut().finished_ms = Some(1);
    let problem = first_problem(&journal).await;
    assert_problem(&problem, last, Check::GameRow, "`finished_ms` none", "there");
    let mut journal = full();
    journal.first_game().record = None;
    let problem = first_problem(&journal).await;
    assert_problem(&problem, journal.find(is_end), Check::GameRow, "a record: there", "none");
}

#[tokio::test]
async fn a_game_row_with_another_table_or_start_is_named() {
    let mut journal = full();
    let number = journal.find(is_end);
    let elsewhere = TableId::from_parts(1, 1);
    journal.first_game().table = elsewhere;
    let problem = first_problem(&journal).await;
    let expected = format!("the table {}", journal.table);
    assert_problem(&problem, number, Check::GameRow, &expected, &elsewhere.to_string());
    let mut journal = full();
    journal.first_game().started_ms = 17;
    let problem = first_problem(&journal).await;
    assert_problem(&problem, number, Check::GameRow, "its start at 1700000000001 ms", "17 ms");
}

#[tokio::test]
async fn a_record_that_tells_the_game_otherwise_is_named() {
    let damage = [
        (r#""cell":[0,0]"#, r#""cell":[0,2]"#, "move 3"),
        (r#""left_ms":61040"#, r#""left_ms":61041"#, "move 1"),
        (r#""Ada""#, r#""Eve""#, "the players"),
        (r#""winning_path":[["#, r#""winning_path":[[0,1],["#, "a record that reads back"),
        (r#""winning_path":["#, r#""unused":["#, "a record that reads back"),
        ("hexhall-record/1", "hexhall-record/9", "a record that reads back"),
    ];
    for (from, to, expected) in damage {
        let mut journal = full();
        let game = journal.first_game();
        let record = String::from_utf8(game.record.clone().unwrap()).unwrap();
        assert!(record.contains(from), "{from} in {record}");
        game.record = Some(record.replacen(from, to, 1).into_bytes());
        let problem = first_problem(&journal).await;
        assert_problem(&problem, journal.find(is_end), Check::Record, expected, "");
    }
}

#[tokio::test]
async fn a_record_that_publishes_no_path_or_a_longer_one_is_named() {
    // A chain from edge to edge, but not the shortest: the reader lets it pass.
    let around = "[[0,1],[0,0],[1,0],[1,1],[2,1]]";
    for path in ["[]", around] {
        let mut journal = full();
        let game = journal.first_game();
        let record = String::from_utf8(game.record.clone().unwrap()).unwrap();
        let (start, _) = record.split_once(r#""winning_path":"#).unwrap();
        game.record = Some(format!(r#"{start}"winning_path":{path}}}"#).into_bytes());
        let problem = first_problem(&journal).await;
        let expected = if path == around { "a record that reads back" } else { "the winning path" };
        assert_problem(&problem, journal.find(is_end), Check::Record, expected, "");
    }
}

#[tokio::test]
async fn a_table_without_a_row_is_named() {
    let mut journal = open();
    journal.row = None;
    let last = journal.events.len() as u64;
    let problem = first_problem(&journal).await;
    assert_problem(&problem, last, Check::TableRow, "a row of the table", "none");
}

#[tokio::test]
async fn a_table_row_that_lags_behind_the_journal_is_named() {
    let last = full().events.len() as u64;
    let mut journal = full();
    journal.row.as_mut().unwrap().status = TableStatus::Finished;
    let problem = first_problem(&journal).await;
    assert_problem(&problem, last, Check::TableRow, "the status Closed", "Finished");
    let mut journal = full();
    journal.row.as_mut().unwrap().public = false;
    let problem = first_problem(&journal).await;
    assert_problem(&problem, last, Check::TableRow, "`public` true", "false");
    let mut journal = full();
    let row = journal.row.as_mut().unwrap();
    let listing = String::from_utf8(row.listing.clone()).unwrap();
    row.listing = listing.replacen("1700000000001", "1700000000002", 1).into_bytes();
    let problem = first_problem(&journal).await;
    assert_problem(&problem, last, Check::TableRow, "1700000000001", "1700000000002");
}

#[tokio::test]
async fn rows_that_no_journal_tells_of_are_named() {
    let journal = full();
    let table = TableId::from_parts(9, 9);
    let [game, other] = [GameId::from_parts(9, 9), GameId::from_parts(8, 8)];
    let mut stray = journal.clone();
    stray.table = table;
    stray.events.clear();
    stray.players.clear();
    stray.row.as_mut().unwrap().id = table;
    let row = stray.games.values().next().unwrap().clone();
    stray.games =
        [(game, GameRow { id: game, table, ..row.clone() }), (other, GameRow { id: other, ..row })]
            .into();
    let report = check(&[journal.clone(), stray]).await;
    let named: Vec<_> = report.problems.iter().map(|it| (it.table.unwrap(), it.check)).collect();
    let expected =
        [(journal.table, Check::GameRow), (table, Check::TableRow), (table, Check::GameRow)];
    assert_eq!(named, expected);
    assert!(report.problems[0].expected.contains(&other.to_string()), "{}", report.problems[0]);
    assert!(report.problems[2].expected.contains(&game.to_string()), "{}", report.problems[2]);
}
