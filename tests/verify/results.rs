//! What is kept of results, and the ratings that follow from them.

use hexhall::game::clock::Stamp;
use hexhall::table::state::event::Event;
use hexhall::verify::{Check, Problem, Report};
use hexhall_proto::options::Time;
use rusqlite::Connection;

use super::rows::damaged;
use super::story::{Journal, full, rated};
use super::{assert_problem, check, first_problem, is_played};

/// 10 minutes are rapid, 5 are blitz.
const RAPID: Time = Time::Fischer { initial_s: 600, increment_s: 5, cap_s: None };
const BLITZ: Time = Time::Fischer { initial_s: 240, increment_s: 2, cap_s: None };

fn rapid() -> Journal {
    rated(11, RAPID)
}

/// The rated games of two tables, with the database changed while nobody looked.
async fn changed(sql: &str, rows: usize) -> Report {
    damaged(&[rapid(), rated(12, BLITZ)], |database: &Connection| {
        assert_eq!(database.execute(sql, []), Ok(rows), "{sql}");
    })
    .await
}

fn only(report: &Report) -> &Problem {
    let [problem] = report.problems.as_slice() else { panic!("{:#?}", report.problems) };
    problem
}

#[tokio::test]
async fn nothing_is_wrong_with_ratings_that_follow_from_the_results() {
    let report = check(&[rapid(), rated(12, BLITZ), full()]).await;
    assert_eq!(report.problems, []);
    assert_eq!(report.counts.rated, 6);
    let report = damaged(&[rapid(), rated(12, BLITZ), full()], |_| ()).await;
    assert_eq!((report.problems.len(), report.counts.rated), (0, 6));
}

#[tokio::test]
async fn the_first_change_of_a_class_that_is_not_what_the_games_before_make_of_it_is_named() {
    let journal = rapid();
    let second = journal.results[1].game;
    let player = journal.results[1].players[0].unwrap();
    let damage = format!(
        "UPDATE rating_changes SET rating = rating + 0.01 WHERE game = '{second}' AND seat = 1"
    );
    let report = changed(&damage, 1).await;
    let problem = only(&report);
    assert_eq!((problem.table, problem.check), (None, Check::Ratings), "{problem}");
    let expected = format!("hex rapid, {second}: the rating of {player} after it to be 1");
    assert!(problem.expected.contains(&expected), "{problem}");
    assert!(problem.found.contains(" ± "), "{problem}");

    // One difference in each class, though all that follows differs too.
    let everywhere = "UPDATE rating_changes SET deviation = deviation - 1";
    let report = changed(everywhere, 12).await;
    let named: Vec<_> = report.problems.iter().map(|it| &it.expected[..9]).collect();
    assert_eq!(named, ["hex rapid", "hex blitz"]);
}

#[tokio::test]
async fn a_standing_that_does_not_follow_from_the_results_is_named() {
    for damage in ["rating = rating + 1", "volatility = 0.07", "wins = wins + 1", "updated_ms = 9"]
    {
        let damage = format!(
            "UPDATE ratings SET {damage} WHERE speed = 'blitz'
             AND player = (SELECT min(player) FROM ratings WHERE speed = 'blitz')"
        );
        let report = changed(&damage, 1).await;
        let problem = only(&report);
        assert_eq!(problem.check, Check::Ratings);
        assert!(problem.expected.starts_with("hex blitz: the standing of plr_"), "{problem}");
    }
    let places = [
        ("shown = shown + 1", "the rating shown of plr_"),
        ("placed_until_ms = 9", "the end of the place on the leaderboard of plr_"),
    ];
    for (damage, named) in places {
        let report =
            changed(&format!("UPDATE ratings SET {damage} WHERE speed = 'blitz'"), 2).await;
        let problem = only(&report);
        assert_eq!(problem.check, Check::Ratings);
        assert!(problem.expected.starts_with(&format!("hex blitz: {named}")), "{problem}");
    }
    let report = changed("DELETE FROM ratings WHERE speed = 'rapid'", 2).await;
    assert_eq!(only(&report).found, "none");
    let invented =
        "INSERT INTO ratings SELECT player, 'dark', speed, rating, deviation, volatility,
        wins, losses, draws, updated_ms, shown, placed_until_ms FROM ratings WHERE speed = 'rapid'";
    let report = changed(invented, 2).await;
    assert!(only(&report).expected.starts_with("dark rapid: the standing of plr_"));
    assert!(only(&report).expected.ends_with("to be none"));
}

#[tokio::test]
async fn a_game_that_counted_for_what_it_was_not_is_named() {
    let journal = rapid();
    let (first, end) = (journal.results[0].game, journal.find(is_end));
    let flipped = format!(
        "UPDATE rating_changes SET score = CASE score WHEN 'won' THEN 'lost' ELSE 'won' END
         WHERE game = '{first}'"
    );
    let report = changed(&flipped, 2).await;
    assert_problem(&report.problems[0], end, Check::Result, "to count as won by", "lost by");
    let uncounted = format!("DELETE FROM rating_changes WHERE game = '{first}'");
    let report = changed(&uncounted, 2).await;
    assert_problem(&report.problems[0], end, Check::Result, "in hex rapid", "nothing");
    let halved = format!("DELETE FROM rating_changes WHERE game = '{first}' AND seat = 2");
    let report = changed(&halved, 1).await;
    let ratings = report.problems.iter().find(|it| it.check == Check::Ratings).unwrap();
    assert_eq!((ratings.found.as_str(), ratings.table), ("1", None), "{ratings}");
}

#[tokio::test]
async fn a_result_that_is_not_the_journals_end_is_named() {
    let journal = rapid();
    let end = journal.find(is_end);
    let damage = [
        ("UPDATE results SET finished_ms = 17", "its end at", "17 ms"),
        ("UPDATE results SET public = 0", "`public` true", "false"),
        ("UPDATE results SET summary = x'7b7d'", "the summary", "missing"),
        ("UPDATE game_players SET seat = 2", "in seat 1", "seat 2"),
        ("DELETE FROM game_players", "in the list of", "nothing"),
    ];
    for (sql, expected, found) in damage {
        let report = damaged(std::slice::from_ref(&journal), |database| {
            assert!(database.execute(sql, []).unwrap() > 0, "{sql}");
        })
        .await;
        assert_problem(&report.problems[0], end, Check::Result, expected, found);
    }
    let mut void = full();
    let mut invented = void.results[0].clone();
    let aborted = void.games.keys().find(|id| void.results.iter().all(|it| it.game != **id));
    invented.game = *aborted.expect("a game without a result");
    void.results.push(invented);
    let problem = first_problem(&void).await;
    assert_eq!(problem.check, Check::Result);
    assert!(problem.expected.contains("a game that came to nothing"), "{problem}");
}

#[tokio::test]
async fn a_move_before_the_one_that_it_answers_is_named() {
    let mut journal = full();
    let number = journal.find(is_played) + 1;
    let Event::Played { at, .. } = journal.at(number) else { panic!("a move") };
    let Stamp(before) = *at;
    *at = Stamp(before - 1_001);
    let problem = first_problem(&journal).await;
    let found = format!("{} ms", before - 1_001);
    assert_problem(&problem, number, Check::Times, "no earlier than the one before it", &found);
}

#[tokio::test]
async fn a_clock_set_back_between_two_runs_of_a_server_is_nothing_wrong() {
    let is_restart = |event: &Event| matches!(event, Event::Restarted { .. });
    let mut clocked = full();
    let restart = clocked.find(is_restart);
    set_back(clocked.at(restart + 1));
    assert_eq!(check(&[clocked]).await.problems, []);
    // Where no clock runs, a journal does not say that a server was started again.
    let mut timeless = rated(13, Time::None {});
    let second = timeless.find(is_played) + 1;
    set_back(timeless.at(second));
    assert_eq!(check(&[timeless]).await.problems, []);
}

fn set_back(moved: &mut Event) {
    let Event::Played { at, .. } = moved else { panic!("a move, and not {moved:?}") };
    *at = Stamp(at.0 - 3_600_000);
}

fn is_end(event: &Event) -> bool {
    matches!(event, Event::Ended { .. })
}
