//! The operator's door.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::hall::{Got, Hall};
use super::me::Somebody;
use crate::harness::hall::OPERATOR;

/// Asks as the operator, under `/v1/operator`; with a body unless that is null.
pub async fn op(hall: &Hall, method: Method, path: &str, body: Value) -> Got {
    op_with(hall, OPERATOR, method, path, body).await
}

async fn op_with(hall: &Hall, token: &str, method: Method, path: &str, body: Value) -> Got {
    let bearer = format!("Bearer {token}");
    let headers = [("authorization", &*bearer), ("content-type", "application/json")];
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let path = path.strip_prefix("/v1/operator/").unwrap_or(path);
    hall.say(method, &format!("/v1/operator/{path}"), &headers, &body).await
}

async fn get(hall: &Hall, path: &str) -> Value {
    let got = op(hall, Method::GET, path, Value::Null).await;
    assert_eq!(got.status, StatusCode::OK, "{}", got.body);
    assert_eq!(got.header("cache-control"), "no-store");
    got.json()
}

fn sentence(for_s: u64) -> Value {
    json!({ "for_s": for_s, "reason": "shouting", "by": "Op" })
}

#[tokio::test]
async fn a_player_is_found_by_name_by_look_by_part_and_by_id() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    Somebody::come(&hall, Some("Adam")).await;
    let id = ada.known.player.id.to_string();
    for name in ["Ada", "ADA", &id] {
        let found = get(&hall, &format!("players?name={name}")).await;
        assert_eq!((&found["exact"], &found["players"][0]["id"]), (&json!(true), &json!(id)));
        assert_eq!(found["players"].as_array().unwrap().len(), 1);
    }
    let found = get(&hall, "players?name=ad").await;
    let found_players = found["players"].as_array().unwrap();
    let mut names: Vec<_> = found_players.iter().map(|it| it["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!((names, &found["exact"]), (vec!["Ada", "Adam"], &json!(false)));
    let nobody = get(&hall, "players?name=plr_01ARZ3NDEKTSV4RRFFQ69G5FAV").await;
    assert_eq!(nobody["players"], json!([]));
    for path in ["players", "players?name=", "players?name=a&most=3"] {
        let got = op(&hall, Method::GET, path, Value::Null).await;
        assert_eq!(got.refused(StatusCode::BAD_REQUEST).0, "bad_request", "{path}");
    }
}

#[tokio::test]
async fn a_player_is_shown_with_what_holds_of_them() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let made = ada.post("/v1/me/bots", json!({ "name": "Deep Ada" })).await.json();
    let (id, bot) = (ada.known.player.id.to_string(), made["id"].as_str().unwrap().to_owned());
    let shown = get(&hall, &format!("players/{id}")).await;
    assert_eq!(shown["player"]["name"], "Ada");
    assert_eq!(shown["profile"], format!("/v1/players/{id}"));
    assert_eq!((&shown["sessions"], &shown["bots"][0]["id"]), (&json!(0), &json!(bot)));
    assert_eq!((shown.get("muted"), shown.get("banned")), (None, None));
    let done = op(&hall, Method::POST, &format!("players/{id}/mute"), sentence(60)).await.json();
    assert_eq!(
        (&done["act"], &done["by"], &done["text"]),
        (&json!("mute"), &json!("Op"), &json!("shouting"))
    );
    let span = done["until_ms"].as_u64().unwrap() - done["at_ms"].as_u64().unwrap();
    assert_eq!(span, 60_000);
    let shown = get(&hall, &format!("players/{bot}")).await;
    assert_eq!(shown["owner"]["name"], "Ada");
    assert_eq!(shown["muted"]["reason"], "shouting", "what holds of the owner holds of the bot");
    let shown = get(&hall, &format!("players/{id}")).await;
    assert_eq!(shown["notices"][0]["kind"], "muted");
    let nobody =
        op(&hall, Method::GET, "players/plr_01ARZ3NDEKTSV4RRFFQ69G5FAV", Value::Null).await;
    assert_eq!(nobody.refused(StatusCode::NOT_FOUND).0, "unknown_player");
}

#[tokio::test]
async fn everything_that_is_done_is_in_the_log_and_the_newest_is_first() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let eve = Somebody::come(&hall, Some("Eve")).await;
    let [ada, eve] = [&ada, &eve].map(|it| it.known.player.id.to_string());
    let warning = json!({ "text": "be kind", "by": "Op" });
    assert_eq!(get(&hall, "log").await, json!({ "acts": [] }));
    op(&hall, Method::POST, &format!("players/{eve}/warn"), warning.clone()).await;
    op(&hall, Method::POST, &format!("players/{ada}/ban"), sentence(60)).await;
    op(&hall, Method::DELETE, &format!("players/{ada}/ban?by=Op%202"), Value::Null).await;
    let log = get(&hall, &format!("log?player={ada}")).await;
    let acts: Vec<_> = log["acts"].as_array().unwrap().iter().map(|it| &it["act"]).collect();
    assert_eq!(
        (acts, &log["acts"][0]["by"]),
        (vec![&json!("unban"), &json!("ban")], &json!("Op 2"))
    );
    assert_eq!(log["acts"][0]["name"], "Ada");
    for _ in 0..50 {
        op(&hall, Method::POST, &format!("players/{eve}/warn"), warning.clone()).await;
    }
    let page = get(&hall, "log").await;
    assert_eq!((page["acts"].as_array().unwrap().len(), &page["before"]), (50, &json!(4)));
    let rest = get(&hall, "log?before=4").await;
    assert_eq!((rest["acts"].as_array().unwrap().len(), rest.get("before")), (3, None));
    let last = get(&hall, "log?before=51").await;
    assert_eq!((last["acts"].as_array().unwrap().len(), last.get("before")), (50, None));
    let nothing = get(&hall, "log?before=1").await;
    assert_eq!(nothing, json!({ "acts": [] }));
}

#[tokio::test]
async fn a_report_is_listed_until_it_is_settled_and_then_stands_in_the_log() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let eve = Somebody::come(&hall, Some("Eve")).await;
    let id = eve.known.player.id.to_string();
    let made = json!({ "player": id, "reason": "abuse", "text": "she swears" });
    let report = ada.post("/v1/reports", made.clone()).await.json();
    let report = report["id"].as_str().unwrap().to_owned();
    let open = get(&hall, "reports").await;
    assert_eq!(open["reports"].as_array().unwrap().len(), 1);
    let told = get(&hall, &format!("reports/{report}")).await;
    assert_eq!((&told["by"]["name"], &told["about"]["id"]), (&json!("Ada"), &json!(id)));
    assert_eq!((&told["text"], &told["lines"]), (&json!("she swears"), &json!([])));
    let settle = format!("reports/{report}/settle");
    let verdict = json!({ "outcome": "warned", "by": "Op" });
    let settled = op(&hall, Method::POST, &settle, verdict.clone()).await.json();
    assert_eq!(settled["settled"]["outcome"], "warned");
    let again = op(&hall, Method::POST, &settle, verdict).await;
    assert_eq!(again.refused(StatusCode::CONFLICT).0, "already_settled");
    assert_eq!(get(&hall, "reports").await["reports"], json!([]));
    assert_eq!(get(&hall, "reports?settled=true").await["reports"][0]["id"], json!(report));
    let log = get(&hall, "log").await;
    let line = &log["acts"][0];
    assert_eq!(
        (&line["act"], &line["player"], &line["text"]),
        (&json!("settle"), &json!(id), &json!("warned"))
    );
    let shown = get(&hall, &format!("players/{id}")).await;
    assert_eq!((&shown["reports_about"], &shown["reports_by"]), (&json!(1), &json!(0)));
    assert_eq!(ada.post("/v1/reports", made).await.status, StatusCode::CREATED);
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_and_is_not_in_the_log() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let id = ada.known.player.id.to_string();
    let long = "x".repeat(501);
    for (act, body) in [
        ("warn", json!({ "text": " ", "by": "Op" })),
        ("warn", json!({ "text": long, "by": "Op" })),
        ("warn", json!({ "text": "a\u{202e}b", "by": "Op" })),
        ("warn", json!({ "text": "be kind", "by": "" })),
        ("warn", json!({ "text": "be kind" })),
        ("mute", json!({ "reason": "", "by": "Op" })),
        ("mute", sentence(0)),
        ("ban", sentence(u64::MAX)),
        ("ban", json!({ "for": 1, "reason": "a", "by": "Op" })),
    ] {
        let got = op(&hall, Method::POST, &format!("players/{id}/{act}"), body.clone()).await;
        assert_eq!(got.refused(StatusCode::BAD_REQUEST).0, "bad_request", "{body}");
    }
    for (act, code) in [("mute", "not_muted"), ("ban", "not_banned")] {
        let path = format!("players/{id}/{act}?by=Op");
        let got = op(&hall, Method::DELETE, &path, Value::Null).await;
        assert_eq!(got.refused(StatusCode::CONFLICT).0, code);
    }
    let nobody = "players/plr_01ARZ3NDEKTSV4RRFFQ69G5FAV/ban";
    let got = op(&hall, Method::POST, nobody, sentence(1)).await;
    assert_eq!(got.refused(StatusCode::NOT_FOUND).0, "unknown_player");
    assert_eq!(get(&hall, "log").await, json!({ "acts": [] }));
}

#[tokio::test]
async fn without_the_token_nothing_is_shown_and_wrong_ones_are_limited() {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let got = hall.get("/v1/operator/log").await;
    assert_eq!(got.refused(StatusCode::UNAUTHORIZED).0, "bad_token");
    for token in [&ada.token, "", "hxo_0"].into_iter().cycle().take(20) {
        let got = op_with(&hall, token, Method::GET, "log", Value::Null).await;
        assert_eq!(got.refused(StatusCode::UNAUTHORIZED).0, "bad_token");
    }
    let got = op_with(&hall, "hxo_1", Method::GET, "log", Value::Null).await;
    assert_eq!(got.refused(StatusCode::TOO_MANY_REQUESTS).0, "rate_limited");
    assert_eq!(got.header("retry-after"), "180");
    get(&hall, "log").await;
}

#[tokio::test]
async fn where_there_is_no_token_there_is_no_door() {
    let hall = Hall::without_operator();
    let got = op(&hall, Method::GET, "log", Value::Null).await;
    assert_eq!(got.refused(StatusCode::NOT_FOUND).0, "not_found");
}
