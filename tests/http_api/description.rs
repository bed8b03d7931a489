//! The OpenAPI document says what the routes do.

use axum::http::StatusCode;
use hexhall::game::Seat;
use hexhall::game::clock::Control;
use hexhall::http::api::openapi;
use hexhall::record::{self, Eyes, Format, Reading};
use hexhall::table::handle::Command;
use hexhall_proto::options::{OptionsRequest, Time};
use jsonschema::Validator;
use serde_json::{Map, Value, json};

use super::hall::{Hall, tiny};
use super::me::Somebody;

/// A schema of the document, or a reference to one, ready to judge.
fn validator(document: &Value, schema: &Value) -> Validator {
    let mut schema = schema.clone();
    schema["components"] = document["components"].clone();
    jsonschema::draft202012::new(&schema).unwrap()
}

/// Every path and method, and what is said of it.
fn operations(document: &Value) -> impl Iterator<Item = (&String, &String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    paths.iter().flat_map(|(path, item)| {
        item.as_object().unwrap().iter().map(move |(method, operation)| (path, method, operation))
    })
}

#[track_caller]
fn assert_valid(validator: &Validator, value: &Value) {
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:?} in {value:#}");
}

#[test]
fn the_description_stays_as_it_is() {
    let mut document = openapi::document();
    assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
    document["info"]["version"] = json!("[version]");
    insta::assert_snapshot!("openapi", format!("{document:#}"));
}

#[tokio::test]
async fn what_is_served_is_the_description() {
    let hall = Hall::open();
    let got = hall.get("/v1/openapi.json").await;
    assert_eq!(got.status, StatusCode::OK);
    assert_eq!(got.json(), openapi::document());
    assert_eq!(got.json()["openapi"], "3.1.0");
}

#[test]
fn every_reference_leads_somewhere_and_every_schema_is_one() {
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
                fields.values().for_each(|value| references(value, found));
            }
            Value::Array(values) => values.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }
    let document = openapi::document();
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(!found.is_empty());
    for reference in &found {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference}");
    }
    let schemas = document["components"]["schemas"].as_object().unwrap();
    for (name, schema) in schemas {
        jsonschema::draft202012::meta::validate(schema).unwrap();
        let reference = format!("#/components/schemas/{name}");
        assert!(found.contains(&reference) || name == "Record", "nothing leads to {name}");
    }
}

#[test]
fn every_example_is_valid() {
    let document = openapi::document();
    let mut checked = 0;
    for (path, _, operation) in operations(&document) {
        for response in operation["responses"].as_object().unwrap().values() {
            let empty = Map::new();
            let content = response["content"].as_object().unwrap_or(&empty);
            for media in content.values().filter(|media| media.get("example").is_some()) {
                assert_valid(&validator(&document, &media["schema"]), &media["example"]);
                checked += 1;
            }
        }
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let name = parameter["name"].as_str().unwrap();
            let placed = parameter["in"] == "query" || path.contains(&format!("{{{name}}}"));
            assert!(placed, "{path} has no {name}");
            let examples = [&parameter["example"], &parameter["schema"]["example"]];
            for example in examples.into_iter().filter(|example| !example.is_null()) {
                assert_valid(&validator(&document, &parameter["schema"]), example);
                checked += 1;
            }
        }
    }
    for schema in document["components"]["schemas"].as_object().unwrap().values() {
        for example in schema["examples"].as_array().into_iter().flatten() {
            assert_valid(&validator(&document, schema), example);
            checked += 1;
        }
    }
    assert!(checked >= 10, "only {checked} examples");
}

/// The description of what was answered, by its path, status and type.
fn described<'a>(
    document: &'a Value,
    method: &str,
    path: &str,
    status: StatusCode,
    kind: &str,
) -> &'a Value {
    let responses = &document["paths"][path][method]["responses"];
    let kind = kind.split(';').next().unwrap();
    let media = &responses[status.as_str()]["content"][kind];
    assert!(media.is_object(), "{path} does not tell of {status} as {kind}");
    &media["schema"]
}

#[tokio::test]
async fn every_route_is_described_and_answers_as_described() {
    let hall = Hall::open();
    let document = openapi::document();
    let mut over = hall.begin(tiny(), false).await;
    over.play_out().await;
    let fischer = Time::Fischer { initial_s: 300, increment_s: 5, cap_s: None };
    let clocked =
        OptionsRequest { time: Some(fischer), size: Some(11), ..OptionsRequest::default() };
    let running = hall.begin(clocked, true).await;
    let invitation = running.invitation.clone().unwrap();
    let (table, game) = (running.table, running.game);

    let rated = OptionsRequest { rated: Some(true), ..OptionsRequest::default() };
    let mut counted = hall.begin(rated, false).await;
    let ada = counted.players[0].id();
    counted.players[0].register().await;
    let resign = Command::Resign(counted.game);
    counted.players[1].command(counted.table, resign).await;
    let nobody = "plr_00000000000000000000000000";
    let history = "/v1/players/{id}/history/{game}/{speed}";

    let mut asked = vec![
        ("/v1/openapi.json", "/v1/openapi.json".to_owned()),
        ("/v1/openapi.json", "/v1/openapi.json?a=b".to_owned()),
        ("/v1/tables", "/v1/tables".to_owned()),
        ("/v1/tables", "/v1/tables?limit=0".to_owned()),
        ("/v1/tables/{id}", format!("/v1/tables/{}", over.table)),
        ("/v1/tables/{id}", format!("/v1/tables/{table}?invitation={invitation}")),
        ("/v1/tables/{id}", format!("/v1/tables/{table}")),
        ("/v1/tables/{id}", "/v1/tables/tbl_00000000000000000000000000".to_owned()),
        ("/v1/games/{id}", format!("/v1/games/{}", over.game)),
        ("/v1/games/{id}", format!("/v1/games/{game}?invitation={invitation}")),
        ("/v1/games/{id}", format!("/v1/games/{game}")),
        ("/v1/games/{id}", "/v1/games/gam_00000000000000000000000000".to_owned()),
        ("/v1/games/{id}.{format}", "/v1/games/gam_00000000000000000000000000.sgf".to_owned()),
        ("/v1/games/{id}.{format}", format!("/v1/games/{game}.sgf")),
        ("/v1/games/{id}.{format}", format!("/v1/games/{}.svg?ply=9", over.game)),
    ];
    asked.extend([
        ("/v1/games/{id}/ratings", format!("/v1/games/{}/ratings", counted.game)),
        ("/v1/games/{id}/ratings", format!("/v1/games/{}/ratings", over.game)),
        ("/v1/games/{id}/ratings", "/v1/games/gam_00000000000000000000000000/ratings".to_owned()),
        ("/v1/games/{id}/ratings", "/v1/games/gam_1/ratings".to_owned()),
        ("/v1/players/{id}", format!("/v1/players/{ada}")),
        ("/v1/players/{id}", format!("/v1/players/{nobody}")),
        ("/v1/players/{id}", "/v1/players/me".to_owned()),
        ("/v1/players/{id}/games", format!("/v1/players/{ada}/games")),
        ("/v1/players/{id}/games", format!("/v1/players/{nobody}/games")),
        ("/v1/players/{id}/games", format!("/v1/players/{ada}/games?limit=0")),
        (history, format!("/v1/players/{ada}/history/hex/rapid")),
        (history, format!("/v1/players/{nobody}/history/hex/rapid")),
        (history, format!("/v1/players/{ada}/history/hex/fast")),
        ("/v1/leaderboards/{game}/{speed}", "/v1/leaderboards/hex/rapid".to_owned()),
        ("/v1/leaderboards/{game}/{speed}", "/v1/leaderboards/hex/fast".to_owned()),
        ("/v1/presets", "/v1/presets".to_owned()),
        ("/v1/presets", "/v1/presets?preset=party".to_owned()),
    ]);
    for format in ["json", "sgf", "hexworld", "hexwiki", "svg"] {
        asked.push(("/v1/games/{id}.{format}", format!("/v1/games/{}.{format}", over.game)));
    }
    for (path, address) in &asked {
        let got = hall.get(address).await;
        let kind = got.header("content-type");
        let schema = described(&document, "get", path, got.status, kind);
        let value = if kind == "application/json" { got.json() } else { json!(got.body) };
        assert_valid(&validator(&document, schema), &value);
    }
    let mut told = what_one_does_for_oneself(&document).await;
    told.extend(what_an_operator_does(&document).await);
    for (path, method, _) in operations(&document) {
        let got = method == "get" && asked.iter().any(|(asked, _)| asked == path);
        let told = told.contains(&(method.clone(), path.clone()));
        assert!(got || told, "{method} {path} was not asked");
    }
}

/// Asks whatever is only for oneself, and holds the answers to the description. Gives what was
/// asked.
async fn what_one_does_for_oneself(document: &Value) -> Vec<(String, String)> {
    let hall = Hall::open();
    let somebody = Somebody::come(&hall, Some("Ada")).await;
    let bo = Somebody::come(&hall, Some("Bo")).await;
    let block = "/v1/me/blocks/{id}";
    let blocked = format!("/v1/me/blocks/{}", bo.known.player.id);
    let report = json!({ "player": bo.known.player.id.to_string(), "reason": "spam" });
    let nobody = "plr_00000000000000000000000000";
    let mute = "/v1/me/mutes/{id}";
    let muted = format!("/v1/me/mutes/{}", bo.known.player.id);
    let bot = somebody.post("/v1/me/bots", json!({ "name": "Adabot" })).await;
    let one = format!("/v1/me/bots/{}", bot.json()["id"].as_str().unwrap());
    let bots = format!("{one}/keys");
    let made = somebody.post(&bots, json!({ "label": "home" })).await;
    let made = format!("{bots}/{}", made.json()["key"]["id"].as_str().unwrap());
    let signed_out = format!("/v1/me/devices/{}", bo.known.credential);
    let phrase = somebody.post("/v1/me/recovery", json!({})).await.json();
    let words = phrase["words"].as_array().unwrap().iter().map(|word| word.as_str().unwrap());
    let phrase = words.collect::<Vec<_>>().join(" ");
    let nobodys = "abandon ".repeat(11) + "about";
    let keys = "/v1/me/bots/{id}/keys";
    let asked = [
        ("get", "/v1/me", "/v1/me", json!(null)),
        ("get", "/v1/me", "/v1/me?a=b", json!(null)),
        ("post", "/v1/me/name", "/v1/me/name", json!({ "name": "Countess" })),
        ("post", "/v1/me/name", "/v1/me/name", json!({ "name": "bo" })),
        ("post", "/v1/me/name", "/v1/me/name", json!({ "name": "" })),
        ("post", "/v1/me/token", "/v1/me/token", json!({})),
        ("post", "/v1/me/recovery", "/v1/me/recovery", json!({})),
        ("post", "/v1/recover", "/v1/recover", json!({ "phrase": nobodys })),
        ("post", "/v1/recover", "/v1/recover", json!({ "phrase": "no" })),
        ("post", "/v1/recover", "/v1/recover", json!({ "phrase": phrase })),
        ("post", "/v1/me/devices/revoke", "/v1/me/devices/revoke", json!({})),
        ("delete", "/v1/me/devices/{id}", &signed_out, json!(null)),
        ("get", "/v1/me/tables", "/v1/me/tables", json!(null)),
        ("get", "/v1/me/games", "/v1/me/games", json!(null)),
        ("get", "/v1/me/games", "/v1/me/games?limit=0", json!(null)),
        ("put", block, &blocked, json!(null)),
        ("put", block, "/v1/me/blocks/plr_00000000000000000000000000", json!(null)),
        ("get", "/v1/me/blocks", "/v1/me/blocks", json!(null)),
        ("get", "/v1/me/blocks", "/v1/me/blocks?a=b", json!(null)),
        ("delete", block, &blocked, json!(null)),
        ("put", mute, &muted, json!(null)),
        ("put", mute, "/v1/me/mutes/plr_00000000000000000000000000", json!(null)),
        ("get", "/v1/me/mutes", "/v1/me/mutes", json!(null)),
        ("delete", mute, &muted, json!(null)),
        ("post", "/v1/reports", "/v1/reports", report.clone()),
        ("post", "/v1/reports", "/v1/reports", report),
        ("post", "/v1/reports", "/v1/reports", json!({ "player": nobody, "reason": "spam" })),
        ("post", "/v1/reports", "/v1/reports", json!({ "player": nobody, "reason": "rude" })),
        ("delete", "/v1/me/notices/{id}", "/v1/me/notices/ntc_1", json!(null)),
        ("get", "/v1/me/bots", "/v1/me/bots", json!(null)),
        ("post", "/v1/me/bots", "/v1/me/bots", json!({ "name": "Other bot" })),
        ("post", "/v1/me/bots", "/v1/me/bots", json!({ "name": "Bo" })),
        ("get", keys, &bots, json!(null)),
        ("post", keys, &bots, json!({ "label": "away" })),
        ("get", keys, "/v1/me/bots/plr_00000000000000000000000000/keys", json!(null)),
        ("delete", "/v1/me/bots/{id}/keys/{key}", &made, json!({})),
        ("delete", "/v1/me/bots/{id}/keys/{key}", &made, json!({})),
        ("delete", "/v1/me/bots/{id}", &one, json!(null)),
        ("delete", "/v1/me/bots/{id}", &one, json!(null)),
    ];
    for (method, path, address, body) in &asked {
        let method_name = method.to_uppercase().parse().unwrap();
        let got = somebody.ask(method_name, address, body).await;
        if got.status == StatusCode::NO_CONTENT {
            assert!(document["paths"][path][method]["responses"]["204"].is_object());
            continue;
        }
        let schema = described(document, method, path, got.status, got.header("content-type"));
        assert_valid(&validator(document, schema), &got.json());
    }
    asked.iter().map(|(method, path, ..)| (method.to_string(), path.to_string())).collect()
}

/// Asks whatever is only for operators, likewise.
async fn what_an_operator_does(document: &Value) -> Vec<(String, String)> {
    let hall = Hall::open();
    let ada = Somebody::come(&hall, Some("Ada")).await;
    let of = |id: &str, act: &str| format!("/v1/operator/players/{id}{act}");
    let id = ada.known.player.id.to_string();
    let nobody = "plr_00000000000000000000000000";
    let (show, warn) = ("/v1/operator/players/{id}", "/v1/operator/players/{id}/warn");
    let (mute, ban) = ("/v1/operator/players/{id}/mute", "/v1/operator/players/{id}/ban");
    let rename = "/v1/operator/players/{id}/rename";
    let warning = json!({ "text": "be kind", "by": "Op" });
    let sentence = json!({ "for_s": 60, "reason": "shouting", "by": "Op" });
    let (find, log) = ("/v1/operator/players", "/v1/operator/log");
    let bo = Somebody::come(&hall, Some("Bo")).await;
    let report = json!({ "player": id, "reason": "spam", "text": "again and again" });
    let report = bo.post("/v1/reports", report).await.json()["id"].as_str().unwrap().to_owned();
    let about = |report: &str, act: &str| format!("/v1/operator/reports/{report}{act}");
    let (reports, one) = ("/v1/operator/reports", "/v1/operator/reports/{id}");
    let settle = "/v1/operator/reports/{id}/settle";
    let verdict = json!({ "outcome": "warned", "by": "Op" });
    let asked = [
        ("get", reports, "/v1/operator/reports".to_owned(), json!(null)),
        ("get", reports, "/v1/operator/reports?before=none".to_owned(), json!(null)),
        ("get", one, about(&report, ""), json!(null)),
        ("get", one, about("rep_00000000000000000000000000", ""), json!(null)),
        ("post", settle, about(&report, "/settle"), json!({})),
        ("post", settle, about(&report, "/settle"), verdict.clone()),
        ("post", settle, about(&report, "/settle"), verdict),
        ("get", find, "/v1/operator/players?name=ada".to_owned(), json!(null)),
        ("get", find, "/v1/operator/players".to_owned(), json!(null)),
        ("post", warn, of(&id, "/warn"), warning.clone()),
        ("post", warn, of(nobody, "/warn"), warning),
        ("post", rename, of(&id, "/rename"), json!({ "by": "Op", "reason": "it offends" })),
        ("post", rename, of(&id, "/rename"), json!({ "by": "Op", "name": "Operator" })),
        ("post", rename, of(nobody, "/rename"), json!({ "by": "Op" })),
        ("post", mute, of(&id, "/mute"), sentence.clone()),
        ("post", mute, of(&id, "/mute"), json!({})),
        ("post", ban, of(&id, "/ban"), sentence.clone()),
        ("post", ban, of(nobody, "/ban"), sentence),
        ("get", show, of(&id, ""), json!(null)),
        ("get", show, of(nobody, ""), json!(null)),
        ("delete", mute, of(&id, "/mute?by=Op"), json!(null)),
        ("delete", mute, of(&id, "/mute?by=Op"), json!(null)),
        ("delete", ban, of(&id, "/ban?by=Op&reason=enough"), json!(null)),
        ("delete", ban, of(&id, "/ban?by=Op"), json!(null)),
        ("get", log, "/v1/operator/log".to_owned(), json!(null)),
        ("get", log, "/v1/operator/log?before=none".to_owned(), json!(null)),
    ];
    for (method, path, address, body) in &asked {
        let method_name = method.to_uppercase().parse().unwrap();
        let got = super::operator::op(&hall, method_name, address, body.clone()).await;
        let schema = described(document, method, path, got.status, got.header("content-type"));
        assert_valid(&validator(document, schema), &got.json());
    }
    asked.iter().map(|(method, path, ..)| (method.to_string(), path.to_string())).collect()
}

#[test]
fn every_record_that_is_written_is_as_described() {
    let document = openapi::document();
    let schema = validator(&document, &json!({"$ref": "#/components/schemas/Record"}));
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let games = std::fs::read(format!("{data}/games.jsonl")).unwrap();
    let mut records = record::read(&games, None).unwrap();
    let refereed = std::fs::read(format!("{data}/oracle.jsonl")).unwrap();
    records.extend(record::read(&refereed, Some(Format::Cases)).unwrap());
    assert!(records.iter().any(|record| record.kind.is_dark()));
    for entry in std::fs::read_dir(format!("{data}/olympiad")).unwrap() {
        let path = entry.unwrap().path();
        // Some of those files break off or contradict themselves, and hold no record.
        let bytes = std::fs::read(&path).unwrap();
        records.extend(record::read(&bytes, Format::from_path(&path)).into_iter().flatten());
    }
    let times = [
        Control::None,
        Control::Fischer { initial_ms: 60_000, increment_ms: 0, cap_ms: Some(90_000) },
        Control::PerTurn { turn_ms: 30_000 },
        Control::ByoYomi { initial_ms: 0, period_ms: 10_000, periods: 3 },
    ];
    for time in times {
        let mut record = records[0].clone();
        record.meta.time = Some(time);
        record.plies[0].clock = Some(Reading { left_ms: 1, periods: 2 });
        records.push(record);
    }
    assert!(records.len() > 12);
    for record in &records {
        let text = record::write(record, Format::Json).unwrap();
        assert_valid(&schema, &serde_json::from_str(&text).unwrap());
    }
    let dark = records.iter().filter(|record| record.kind.is_dark());
    for (record, seat) in dark.flat_map(|record| Seat::BOTH.map(|seat| (record, seat))) {
        let text = record::seen_by(record, Eyes::Seat(seat)).unwrap();
        let mut seen: Value = serde_json::from_str(&text).unwrap();
        assert_valid(&schema, &seen);
        seen.as_object_mut().unwrap().remove("as");
        let whole = record.plies.iter().all(|ply| ply.color == record.plies[0].color);
        assert_eq!(schema.is_valid(&seen), whole, "cells are missing where one seat looks alone");
    }
    assert!(!schema.is_valid(&json!({"format": "hexhall-record/1"})));
}
