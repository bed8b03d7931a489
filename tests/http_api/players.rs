//! Players, their games and ratings, and leaderboards, as the API tells them.

use axum::http::{Method, StatusCode};
use hexhall::game::clock::Millis;
use hexhall::ids::PlayerId;
use hexhall::table::handle::Command;
use hexhall_proto::options::OptionsRequest;
use serde_json::{Value, json};

use super::hall::{Begun, Hall, START, tiny};

/// Nobody's.
const NOBODY: &str = "plr_00000000000000000000000000";

/// A day, in which a rating changes by little.
const DAY_MS: Millis = 24 * 3_600_000;

fn rated() -> OptionsRequest {
    OptionsRequest { size: Some(7), rated: Some(true), ..OptionsRequest::default() }
}

/// Two players whom the store knows, and their game.
async fn known(hall: &Hall, options: OptionsRequest) -> (Begun<'_>, [PlayerId; 2]) {
    let begun = hall.begin(options, false).await;
    for player in &begun.players {
        player.register().await;
    }
    let ids = [begun.players[0].id(), begun.players[1].id()];
    (begun, ids)
}

#[tokio::test]
async fn somebody_who_has_not_played_is_there_without_ratings_and_games() {
    let hall = Hall::open();
    let (_, [ada, _]) = known(&hall, tiny()).await;
    let profile = hall.get(&format!("/v1/players/{ada}")).await.json();
    let expected =
        json!({"id": ada.to_string(), "name": "Ada", "since_ms": START.0, "ratings": []});
    assert_eq!(profile, expected);
    let games = hall.get(&format!("/v1/players/{ada}/games")).await.json();
    assert_eq!(games, json!({"games": [], "next": null}));
    let history = hall.get(&format!("/v1/players/{ada}/history/dark/untimed")).await.json();
    assert_eq!(history, json!({"game": "dark", "speed": "untimed", "changes": []}));
}

#[tokio::test]
async fn games_are_had_page_by_page_the_newest_first() {
    let hall = Hall::open();
    let (mut begun, [_, bo]) = known(&hall, tiny()).await;
    let mut games = vec![begun.game];
    for number in 0..3 {
        // Seats are exchanged with each game: whoever sits in seat 1 wins.
        if number % 2 == 1 {
            begun.players.reverse();
        }
        begun.play_out().await;
        if number % 2 == 1 {
            begun.players.reverse();
        }
        hall.time.advance(1_000);
        begun.game = begun.rematch().await;
        games.push(begun.game);
    }
    let path = format!("/v1/players/{bo}/games");
    let first = hall.get(&format!("{path}?limit=2")).await.json();
    let names = |page: &Value| -> Vec<String> {
        let listed = page["games"].as_array().unwrap().iter();
        listed.map(|game| game["game"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&first), [games[2].to_string(), games[1].to_string()]);
    assert_eq!(first["next"], games[1].to_string());
    let seats: Vec<_> = first["games"].as_array().unwrap().iter().map(|it| &it["seat"]).collect();
    assert_eq!(seats, [&json!(2), &json!(1)]);
    let next = first["next"].as_str().unwrap();
    let second = hall.get(&format!("{path}?limit=2&before={next}")).await.json();
    assert_eq!((names(&second), &second["next"]), (vec![games[0].to_string()], &Value::Null));
    assert_eq!(hall.get(&path).await.json()["games"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn a_leaderboard_is_of_those_whose_ratings_have_settled() {
    let hall = Hall::open();
    let board = "/v1/leaderboards/hex/rapid";
    let empty = hall.get(board).await.json();
    let nobody = json!({"game": "hex", "speed": "rapid", "players": 0, "places": [], "next": null});
    assert_eq!(empty, nobody);
    let (mut begun, [ada, bo]) = known(&hall, rated()).await;
    let mut played = 0;
    while hall.get(board).await.json()["players"] != 2 {
        assert!(played < 20, "nobody settles down");
        assert_eq!(hall.get(board).await.json(), nobody, "after {played} games");
        // They win in turns, and Ada begins.
        let loser = 1 - played % 2;
        let resign = Command::Resign(begun.game);
        begun.players[loser].command(begun.table, resign).await;
        begun.game = begun.rematch().await;
        hall.time.advance(60_000);
        played += 1;
    }
    let told = hall.get(board).await.json();
    let places = told["places"].as_array().unwrap();
    let first = if played % 2 == 1 { ada } else { bo };
    assert_eq!((&places[0]["rank"], &places[1]["rank"]), (&json!(1), &json!(2)));
    assert_eq!(places[0]["player"]["id"], first.to_string());
    assert!(places[0]["rating"].as_i64() > places[1]["rating"].as_i64());
    assert!(places[0]["deviation"].as_i64().unwrap() <= 110);
    let profile = hall.get(&format!("/v1/players/{first}")).await.json();
    let rating = &profile["ratings"][0];
    assert_eq!((&rating["rank"], &rating["provisional"]), (&json!(1), &json!(false)));
    let beyond = hall.get(&format!("{board}?page=2")).await.json();
    assert_eq!((&beyond["players"], &beyond["places"]), (&json!(2), &json!([])));

    hall.time.advance(46 * DAY_MS);
    assert_eq!(hall.get(board).await.json(), nobody);
    let profile = hall.get(&format!("/v1/players/{first}")).await.json();
    assert_eq!(profile["ratings"][0]["rank"], Value::Null);
    assert!(profile["ratings"][0]["deviation"].as_i64() > places[0]["deviation"].as_i64());
}

#[tokio::test]
async fn what_is_not_there_or_malformed_is_refused_by_name() {
    let hall = Hall::open();
    let (begun, [ada, _]) = known(&hall, tiny()).await;
    let paths = [
        format!("/v1/players/{NOBODY}"),
        format!("/v1/players/{NOBODY}/games"),
        format!("/v1/players/{NOBODY}/history/hex/rapid"),
    ];
    for path in paths {
        let (code, message) = hall.get(&path).await.refused(StatusCode::NOT_FOUND);
        assert_eq!(
            (code.as_str(), message),
            ("unknown_player", format!("there is no player {NOBODY}"))
        );
    }
    let game = "gam_00000000000000000000000000";
    let (code, _) =
        hall.get(&format!("/v1/games/{game}/ratings")).await.refused(StatusCode::NOT_FOUND);
    assert_eq!(code, "unknown_game");
    for (path, word) in [
        ("/v1/players/tbl_1".to_owned(), "is not a player"),
        ("/v1/players/tbl_1/history/hex/rapid".to_owned(), "is not a player"),
        (format!("/v1/players/{ada}/history/go/rapid"), "`go` is no game"),
        (format!("/v1/players/{ada}/history/hex/fast"), "`fast` is no speed"),
        (format!("/v1/players/{ada}/games?limit=101"), "from 1 to 100"),
        (format!("/v1/players/{ada}/games?before=plr_1"), "is not a game"),
        (format!("/v1/players/{ada}?page=1"), "unknown field `page`"),
        ("/v1/leaderboards/hex/fast".to_owned(), "`fast` is no speed"),
        ("/v1/leaderboards/hex/rapid?page=0".to_owned(), "from 1 to 200"),
        ("/v1/leaderboards/hex/rapid?page=201".to_owned(), "from 1 to 200"),
        ("/v1/games/gam_1/ratings".to_owned(), "is not a game"),
        (format!("/v1/games/{}/ratings?a=b", begun.game), "unknown field `a`"),
    ] {
        let (code, message) = hall.get(&path).await.refused(StatusCode::BAD_REQUEST);
        assert_eq!(code, "bad_request", "{path}");
        assert!(message.contains(word), "{path}: {message}");
    }
}

#[tokio::test]
async fn what_has_not_changed_is_not_sent_again() {
    let hall = Hall::open();
    let (mut begun, [ada, _]) = known(&hall, rated()).await;
    let profile = format!("/v1/players/{ada}");
    let ratings = format!("/v1/games/{}/ratings", begun.game);
    let tags = [hall.get(&profile).await, hall.get(&ratings).await];
    let tags = tags.map(|got| got.header("etag").to_owned());
    for (path, tag) in [&profile, &ratings].into_iter().zip(&tags) {
        let again = hall.ask(Method::GET, path, &[("if-none-match", tag)]).await;
        assert_eq!((again.status, again.body.as_str()), (StatusCode::NOT_MODIFIED, ""));
    }
    let resign = Command::Resign(begun.game);
    begun.players[1].command(begun.table, resign).await;
    for (path, tag) in [&profile, &ratings].into_iter().zip(&tags) {
        let changed = hall.ask(Method::GET, path, &[("if-none-match", tag)]).await;
        assert_eq!(changed.status, StatusCode::OK, "{path}");
    }
}
