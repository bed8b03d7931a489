//! Games, running and over, in every format.

use std::collections::HashSet;

use axum::http::{Method, StatusCode};
use hexhall::chance::Chance;
use hexhall::ids::{GameId, TableId};
use hexhall::record::{self, Format};
use hexhall::table::handle::Command;
use hexhall_proto::options::{GameKind, Goal, OptionsRequest};

use super::hall::{Got, Hall, START, tiny};

const FORMATS: [(&str, &str); 5] = [
    ("json", "application/json"),
    ("sgf", "application/x-go-sgf; charset=utf-8"),
    ("hexworld", "text/plain; charset=utf-8"),
    ("hexwiki", "text/plain; charset=utf-8"),
    ("svg", "image/svg+xml"),
];

#[tokio::test]
async fn a_game_is_had_in_every_format_while_it_runs_and_once_it_is_over() {
    let hall = Hall::open();
    let mut begun = hall.begin(tiny(), false).await;
    begun.play(0, &["a1", "b1"]).await;
    let game = begun.game;
    let check = async |moves: usize, caching: &str| {
        for (format, kind) in FORMATS {
            let got = hall.get(&format!("/v1/games/{}.{format}", game)).await;
            assert_eq!(got.status, StatusCode::OK, "{format}: {}", got.body);
            assert_eq!(got.header("content-type"), kind);
            assert_eq!(got.header("cache-control"), caching);
            let name = format!("inline; filename=\"{}.{format}\"", game);
            assert_eq!(got.header("content-disposition"), name);
            if format != "svg" {
                let hint = Format::from_name(format);
                let records = record::read(got.body.as_bytes(), hint).unwrap();
                assert_eq!((records.len(), records[0].plies.len()), (1, moves), "{format}");
            }
        }
    };
    check(2, "no-cache").await;
    begun.play(2, &["a2"]).await;
    check(3, "max-age=31536000, immutable").await;
}

#[tokio::test]
async fn a_game_of_dark_hex_has_no_record_until_it_is_over() {
    let hall = Hall::open();
    for (by_chain, private) in [(true, false), (false, true)] {
        let dark = OptionsRequest { game: Some(GameKind::Dark), swap: None, ..tiny() };
        let mut begun = hall.begin(dark, private).await;
        begun.play(0, &["a1", "b1"]).await;
        let game = begun.game;
        let asked = match &begun.invitation {
            Some(invitation) => format!("?invitation={invitation}"),
            None => String::new(),
        };
        for (format, _) in FORMATS {
            let path = format!("/v1/games/{game}.{format}");
            let (code, said) =
                hall.get(&format!("{path}{asked}")).await.refused(StatusCode::CONFLICT);
            assert_eq!(code, "game_runs");
            assert!(said.contains("Dark Hex") && !said.contains("b1"), "{said}");
        }
        let table = hall.get(&format!("/v1/tables/{}{asked}", begun.table)).await.json();
        assert_eq!(table["game"]["board"], serde_json::json!(["..", ".."]));
        assert_eq!(table["game"]["moves"][1], serde_json::json!({"seat": 2, "color": "blue"}));
        if by_chain {
            begun.play(2, &["a2"]).await;
        } else {
            begun.players[0].resign_unanswered(begun.table, game).await;
            begun.players[0].command(begun.table, Command::GiveTime(game)).await;
        }
        let table = hall.get(&format!("/v1/tables/{}{asked}", begun.table)).await.json();
        let board = if by_chain { ["rb", "r."] } else { ["..", ".."] };
        assert_eq!(table["game"]["board"], serde_json::json!(board));
        let record = hall.get(&format!("/v1/games/{game}")).await.json();
        assert_eq!((&record["game"], &record["collision"]), (&"dark".into(), &"classical".into()));
        assert_eq!(record["moves"][1], serde_json::json!({"color": "blue", "cell": [0, 1]}));
    }
}

#[tokio::test]
async fn a_game_tells_who_played_and_how_it_ended() {
    let hall = Hall::open();
    let mut begun = hall.begin(tiny(), false).await;
    let running = hall.get(&format!("/v1/games/{}", begun.game)).await.json();
    assert_eq!(running["id"], begun.game.to_string());
    assert_eq!(running["players"], serde_json::json!(["Ada", "Bo"]));
    assert_eq!(running["end"], serde_json::Value::Null);
    begun.play_out().await;
    let over = hall.get(&format!("/v1/games/{}", begun.game)).await.json();
    assert_eq!(over["end"], serde_json::json!({"winner": 1, "by": "chain"}));
}

#[tokio::test]
async fn without_a_format_the_accept_header_chooses() {
    let hall = Hall::open();
    let begun = hall.begin(tiny(), false).await;
    let path = format!("/v1/games/{}", begun.game);
    let accepted = [
        ("*/*", "application/json"),
        ("application/x-go-sgf", "application/x-go-sgf; charset=utf-8"),
        ("image/svg+xml, application/json;q=0.9", "image/svg+xml"),
        ("text/html", "application/json"),
    ];
    for (accept, kind) in accepted {
        let got = hall.ask(Method::GET, &path, &[("accept", accept)]).await;
        assert_eq!((got.header("content-type"), got.header("vary")), (kind, "accept"));
    }
    let named = hall.ask(Method::GET, &format!("{path}.sgf"), &[("accept", "text/html")]).await;
    assert_eq!(named.header("content-type"), "application/x-go-sgf; charset=utf-8");
    assert_eq!(named.header("vary"), "");
}

#[tokio::test]
async fn a_picture_shows_any_ply_and_may_only_style_itself() {
    let hall = Hall::open();
    let mut begun = hall.begin(tiny(), false).await;
    begun.play_out().await;
    let picture =
        async |query: &str| hall.get(&format!("/v1/games/{}.svg{query}", begun.game)).await;
    let stones = |got: &Got| {
        got.body.matches("<circle class=\"red\"").count()
            + got.body.matches("<circle class=\"blue\"").count()
    };
    for (query, count) in [("?ply=0", 0), ("?ply=2", 2), ("?ply=3", 3), ("", 3)] {
        let got = picture(query).await;
        assert_eq!(stones(&got), count, "{query}");
        let policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";
        assert_eq!(got.header("content-security-policy"), policy);
    }
    let refusals = [
        ("?ply=4", "`ply` is 4, and this game has 3 moves: choose from 0 to 3"),
        ("?ply=-1", "the query is not understood: ply: `ply` is a number of moves, from 0"),
    ];
    for (query, message) in refusals {
        let refused = picture(query).await.refused(StatusCode::BAD_REQUEST);
        assert_eq!(refused, ("bad_request".to_owned(), message.to_owned()));
    }
    let got = hall.get(&format!("/v1/games/{}.sgf?ply=1", begun.game)).await;
    assert!(got.refused(StatusCode::BAD_REQUEST).1.contains("ask for the game as `.svg`"));
}

#[tokio::test]
async fn a_game_that_the_asker_has_is_not_sent_again() {
    let hall = Hall::open();
    let mut begun = hall.begin(tiny(), false).await;
    let path = format!("/v1/games/{}.sgf", begun.game);
    let tag = hall.get(&path).await.header("etag").to_owned();
    assert!(tag.starts_with("W/\""), "{tag}");
    let ask = async |tags: &str| hall.ask(Method::GET, &path, &[("if-none-match", tags)]).await;
    for tags in [tag.as_str(), "*", tag.trim_start_matches("W/"), &format!("\"other\", {tag}")] {
        let got = ask(tags).await;
        assert_eq!((got.status, got.body.as_str()), (StatusCode::NOT_MODIFIED, ""), "{tags}");
        assert_eq!((got.header("etag"), got.header("cache-control")), (tag.as_str(), "no-cache"));
    }
    assert_eq!(ask("\"other\"").await.status, StatusCode::OK);
    begun.play(0, &["a1"]).await;
    assert_eq!(ask(&tag).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_game_that_a_format_has_no_words_for_is_refused_with_the_reason() {
    let hall = Hall::open();
    let rex = OptionsRequest { goal: Some(Goal::Avoid), ..tiny() };
    let begun = hall.begin(rex, false).await;
    let got = hall.get(&format!("/v1/games/{}.hexworld", begun.game)).await;
    let refused = got.refused(StatusCode::UNPROCESSABLE_ENTITY);
    let message = "hexworld has no word for Rex: choose JSON or SGF";
    assert_eq!(refused, ("not_expressible".to_owned(), message.to_owned()));
    let json = hall.get(&format!("/v1/games/{}.json", begun.game)).await;
    assert_eq!(json.json()["goal"], "avoid");
}

#[tokio::test]
async fn a_game_that_runs_in_private_needs_the_invitation() {
    let hall = Hall::open();
    let mut begun = hall.begin(tiny(), true).await;
    let path = format!("/v1/games/{}", begun.game);
    for address in [path.clone(), format!("{path}.svg?invitation=guess")] {
        assert_eq!(hall.get(&address).await.refused(StatusCode::FORBIDDEN).0, "not_invited");
    }
    let invitation = begun.invitation.clone().unwrap();
    let got = hall.get(&format!("{path}?invitation={invitation}")).await;
    assert_eq!(got.status, StatusCode::OK);
    begun.play_out().await;
    assert_eq!(hall.get(&path).await.status, StatusCode::OK, "whoever has its name may replay it");
}

#[tokio::test]
async fn the_name_of_a_private_game_is_the_key_to_it_and_is_told_to_nobody_else() {
    let hall = Hall::open();
    let rated = OptionsRequest { size: Some(7), rated: Some(true), ..OptionsRequest::default() };
    let mut begun = hall.begin(rated, true).await;
    for player in &begun.players {
        player.register().await;
    }
    let [ada, bo] = [begun.players[0].id(), begun.players[1].id()];
    let resign = Command::Resign(begun.game);
    begun.players[1].command(begun.table, resign).await;

    let (name, table) = (begun.game.to_string(), begun.table.to_string());
    assert_eq!(hall.get(&format!("/v1/games/{name}")).await.status, StatusCode::OK);
    let public = [
        "/v1/tables".to_owned(),
        "/v1/tables?phase=finished".to_owned(),
        format!("/v1/players/{ada}"),
        format!("/v1/players/{ada}/games"),
        format!("/v1/players/{ada}/history/hex/rapid"),
        format!("/v1/players/{bo}/history/hex/rapid"),
        "/v1/leaderboards/hex/rapid".to_owned(),
    ];
    for path in public {
        let got = hall.get(&path).await;
        assert_eq!(got.status, StatusCode::OK, "{path}");
        assert!(!got.body.contains(&name) && !got.body.contains(&table), "{path}: {}", got.body);
    }
    let refused = hall.get(&format!("/v1/tables/{table}")).await;
    assert_eq!(refused.refused(StatusCode::FORBIDDEN).0, "not_invited");
    assert!(!refused.body.contains(&name));
}

#[tokio::test]
async fn names_of_games_that_begin_together_do_not_follow_from_each_other() {
    let (chance, now) = (Chance::seeded([1; 32]), START);
    let names: HashSet<String> = (0..200)
        .map(|_| {
            let name = chance.game(now).game.to_string();
            // After the prefix and the time, the first 30 of 80 random bits.
            name["gam_".len() + 10..][..6].to_owned()
        })
        .collect();
    assert_eq!(names.len(), 200, "to count on from one would leave these as they are");
}

#[tokio::test]
async fn a_game_outlives_the_next_one_at_its_table() {
    let hall = Hall::open();
    let mut begun = hall.begin(tiny(), false).await;
    begun.play_out().await;
    let first = hall.get(&format!("/v1/games/{}", begun.game)).await;
    let second = begun.rematch().await;
    assert_ne!(second, begun.game);
    let again = hall.get(&format!("/v1/games/{}", begun.game)).await;
    assert_eq!((again.body, again.status), (first.body, StatusCode::OK));
    let running = hall.get(&format!("/v1/games/{second}")).await.json();
    assert_eq!(running["players"], serde_json::json!(["Bo", "Ada"]));
}

#[tokio::test]
async fn a_game_that_is_none_and_one_that_cannot_be_are_told_apart() {
    let hall = Hall::open();
    let game = GameId::from_parts(1, 1);
    let got = hall.get(&format!("/v1/games/{game}.sgf")).await;
    let unknown = ("unknown_game".to_owned(), format!("there is no game {game}"));
    assert_eq!(got.refused(StatusCode::NOT_FOUND), unknown);
    let table = TableId::from_parts(1, 1).to_string();
    let names = [
        "gam_",
        ".sgf",
        table.as_str(),
        &format!("{game}.pgn"),
        &format!("{game}.svg.svg"),
        &format!("{game}."),
        &format!("{game}.SGF"),
    ]
    .map(str::to_owned);
    for name in names {
        let got = hall.get(&format!("/v1/games/{name}")).await;
        assert_eq!(got.refused(StatusCode::BAD_REQUEST).0, "bad_request", "{name}");
    }
}
