//! Games of Dark Hex over HTTP: nothing of one that runs, and afterwards from anybody's eyes.

use axum::http::{Method, StatusCode};
use hexhall::game::Move;
use hexhall::ids::GameId;
use hexhall::table::handle::Command;
use hexhall_proto::options::{Collision, GameKind, OptionsRequest, Swap};
use serde_json::{Value, json};

use super::hall::{Begun, Got, Hall, tiny};

fn dark(size: u64) -> OptionsRequest {
    OptionsRequest {
        game: Some(GameKind::Dark),
        collision: Some(Collision::Classical),
        swap: Some(Swap::Off),
        size: Some(size),
        ..tiny()
    }
}

/// Seats and their attempts, in turn.
type Attempts<'a> = &'a [(usize, &'a str)];

async fn play(begun: &mut Begun<'_>, attempts: Attempts<'_>) {
    for (turn, (seat, cell)) in (0..).zip(attempts) {
        let action = Move::Place(cell.parse().unwrap());
        let command = Command::Play { game: begun.game, turn, action };
        let table = begun.table;
        let reply = begun.players[seat - 1].command(table, command).await;
        assert!(format!("{reply:?}").starts_with("Moved"), "{cell}: {reply:?}");
    }
}

/// Seat 1 wins by the left column of a 2x2 board; seat 2 runs into a1, and seat 1 into b1.
const WHOLE: Attempts<'_> = &[(1, "a1"), (2, "a1"), (2, "b1"), (1, "b1"), (1, "a2")];

/// A method, an address and headers.
type Question = (Method, String, Vec<(&'static str, &'static str)>);

/// All that can be asked of a game, in every way.
fn questions(game: GameId) -> Vec<Question> {
    let path = format!("/v1/games/{game}");
    let mut asked = Vec::new();
    for query in ["", "?as=1", "?as=2", "?as=umpire", "?invitation=guess", "?as=3", "?ply=x"] {
        asked.push((Method::GET, format!("{path}{query}"), vec![]));
        for format in ["json", "sgf", "hexworld", "hexwiki", "svg", "pgn"] {
            let address = format!("{path}.{format}{query}");
            asked.push((Method::GET, address.clone(), vec![]));
            asked.push((Method::HEAD, address.clone(), vec![]));
            asked.push((Method::GET, address, vec![("if-none-match", "*")]));
        }
    }
    for ply in 0..9 {
        for eyes in ["", "&as=1", "&as=2", "&as=umpire"] {
            asked.push((Method::GET, format!("{path}.svg?ply={ply}{eyes}"), vec![]));
        }
    }
    for accept in ["application/json", "application/x-go-sgf", "image/svg+xml"] {
        asked.push((Method::GET, path.clone(), vec![("accept", accept)]));
    }
    asked
}

#[tokio::test]
async fn two_running_games_that_differ_in_what_is_hidden_are_answered_alike_at_every_address() {
    let one: Attempts<'_> = &[(1, "b2"), (2, "b2"), (2, "c3"), (1, "c3"), (1, "a1")];
    let other: Attempts<'_> = &[(1, "c1"), (2, "c1"), (2, "a3"), (1, "a3"), (1, "b3")];
    let mut answers = Vec::new();
    for attempts in [one, other] {
        // The same seed: the same names, and no difference but the cells.
        let hall = Hall::open();
        let mut begun = hall.begin(dark(3), false).await;
        play(&mut begun, attempts).await;
        let (table, game) = (begun.table, begun.game);
        let mut asked = questions(game);
        for path in [format!("/v1/tables/{table}"), "/v1/tables".to_owned()] {
            asked.push((Method::GET, path.clone(), vec![]));
            asked.push((Method::HEAD, path, vec![]));
        }
        let mut told: Vec<(String, Got)> = Vec::new();
        for (method, path, headers) in asked {
            let got = hall.ask(method.clone(), &path, &headers).await;
            if path.contains("/games/") && got.status != StatusCode::BAD_REQUEST {
                assert_eq!(got.status, StatusCode::CONFLICT, "{method} {path}: {}", got.body);
                assert_eq!(got.header("cache-control"), "no-store", "{path}");
                assert_eq!(got.header("etag"), "", "{path}");
                if method == Method::GET {
                    assert_eq!(got.refused(StatusCode::CONFLICT).0, "game_runs");
                }
            }
            told.push((format!("{method} {path} {headers:?}"), got));
        }
        answers.push(told);
    }
    let (one, other) = (&answers[0], &answers[1]);
    assert_eq!(one.len(), other.len());
    for ((asked, one), (_, other)) in one.iter().zip(other) {
        assert_eq!(one.status, other.status, "{asked}");
        assert_eq!(one.headers, other.headers, "{asked}");
        assert_eq!(one.body, other.body, "{asked}");
    }
}

#[tokio::test]
async fn a_finished_game_is_had_from_either_seats_eyes_and_the_umpires() {
    let hall = Hall::open();
    let mut begun = hall.begin(dark(2), false).await;
    play(&mut begun, WHOLE).await;
    let game = begun.game;
    let ask = async |rest: &str| hall.get(&format!("/v1/games/{game}{rest}")).await;
    let moves = async |rest: &str| -> Vec<Value> {
        let got = ask(rest).await;
        assert_eq!(got.header("cache-control"), "max-age=31536000, immutable", "{}", got.body);
        got.json()["moves"].as_array().unwrap().clone()
    };
    let cells = |moves: &[Value]| -> Vec<Value> {
        moves.iter().map(|it| it.get("cell").cloned().unwrap_or_default()).collect()
    };
    let umpire = moves(".json").await;
    assert_eq!(umpire, moves("?as=umpire").await);
    let all = [[0, 0], [0, 0], [0, 1], [0, 1], [1, 0]].map(|cell| json!(cell));
    assert_eq!(cells(&umpire), all);
    for (eyes, theirs) in
        [("1", [true, false, false, true, true]), ("2", [false, true, true, false, false])]
    {
        let moves = moves(&format!(".json?as={eyes}")).await;
        let known: Vec<Value> = all
            .iter()
            .zip(theirs)
            .map(|(it, known)| if known { it.clone() } else { Value::Null })
            .collect();
        assert_eq!(cells(&moves), known, "as {eyes}");
        let collisions: Vec<bool> = moves.iter().map(|it| it.get("collision").is_some()).collect();
        assert_eq!(collisions, [false, true, false, true, false]);
    }
    let names = async |rest: &str| ask(rest).await.header("content-disposition").to_owned();
    assert_eq!(names(".json?as=2").await, format!("inline; filename=\"{game}-as-2.json\""));
    assert_eq!(names(".json?as=umpire").await, format!("inline; filename=\"{game}.json\""));
    let tags = [ask(".json").await, ask(".json?as=1").await, ask(".json?as=2").await]
        .map(|got| got.header("etag").to_owned());
    assert!(tags[0] != tags[1] && tags[1] != tags[2] && tags[0] != tags[2]);
}

#[tokio::test]
async fn a_picture_of_any_ply_is_had_from_each_pair_of_eyes() {
    let hall = Hall::open();
    let mut begun = hall.begin(dark(2), false).await;
    play(&mut begun, WHOLE).await;
    let stones = async |query: &str| {
        let got = hall.get(&format!("/v1/games/{}.svg{query}", begun.game)).await;
        assert_eq!(got.status, StatusCode::OK, "{}", got.body);
        let count = |what: &str| got.body.matches(what).count();
        (count("<circle class=\"red\""), count("<circle class=\"blue\""), count("\"fence\""))
    };
    for (query, expected) in [
        ("?ply=1&as=1", (1, 0, 0)),
        ("?ply=1&as=2", (0, 0, 0)),
        ("?ply=2&as=2", (1, 0, 1)),
        ("?ply=3&as=1", (1, 0, 0)),
        ("?ply=4&as=1", (1, 1, 1)),
        ("?ply=3&as=umpire", (1, 1, 0)),
        ("?as=2", (1, 1, 1)),
        ("", (2, 1, 0)),
    ] {
        assert_eq!(stones(query).await, expected, "{query}");
    }
}

#[tokio::test]
async fn eyes_are_asked_for_where_they_see_something_else_and_refused_elsewhere() {
    let hall = Hall::open();
    let mut over = hall.begin(dark(2), false).await;
    play(&mut over, WHOLE).await;
    let mut hex = hall.begin(tiny(), false).await;
    hex.play_out().await;
    let refused = async |game: GameId, rest: &str| {
        hall.get(&format!("/v1/games/{game}{rest}")).await.refused(StatusCode::BAD_REQUEST).1
    };
    for format in ["sgf", "hexworld", "hexwiki"] {
        let message = refused(over.game, &format!(".{format}?as=1")).await;
        assert!(message.contains("`.json`") && message.contains("`.svg`"), "{message}");
    }
    for rest in ["?as=1", ".json?as=2", ".svg?as=1&ply=1"] {
        let message = refused(hex.game, rest).await;
        assert!(
            message.starts_with("this is a game of Hex, and everybody saw all of it"),
            "{message}"
        );
    }
    let message = refused(over.game, "?as=red").await;
    assert!(
        message.contains("unknown variant `red`, expected one of `umpire`, `1`, `2`"),
        "{message}"
    );
    for (game, rest) in [(hex.game, "?as=umpire"), (over.game, ".sgf?as=umpire")] {
        let got = hall.get(&format!("/v1/games/{game}{rest}")).await;
        assert_eq!(got.status, StatusCode::OK, "{}", got.body);
    }
}

#[tokio::test]
async fn after_a_resignation_the_table_stays_dark_and_the_replay_is_open() {
    let hall = Hall::open();
    let mut begun = hall.begin(dark(3), false).await;
    play(&mut begun, &[(1, "b2"), (2, "b2"), (2, "c3")]).await;
    let (table, game) = (begun.table, begun.game);
    let reply = begun.players[0].command(table, Command::Resign(game)).await;
    assert!(format!("{reply:?}").starts_with("Done"), "{reply:?}");
    let view = hall.get(&format!("/v1/tables/{table}")).await.json();
    assert_eq!(view["game"]["board"], json!(["...", "...", "..."]));
    assert_eq!(view["game"]["outcome"], json!({"winner": 2, "by": "resignation"}));
    assert!(view["game"]["moves"].as_array().unwrap().iter().all(|it| it.get("cell").is_none()));
    let record = hall.get(&format!("/v1/games/{game}")).await.json();
    assert_eq!(record["moves"][1], json!({"color": "blue", "cell": [1, 1], "collision": true}));
    assert_eq!(record["end"], json!({"winner": 2, "by": "resignation"}));
}
