//! What tables may be opened with, as the API tells it.

use axum::http::{Method, StatusCode};
use hexhall::http::api::presets::PresetList;
use hexhall_proto::options::Preset;
use serde_json::{Value, json};

use super::hall::Hall;

#[tokio::test]
async fn presets_are_told_with_their_defaults_and_schemas() {
    let hall = Hall::open();
    let got = hall.get("/v1/presets").await;
    assert_eq!(got.status, StatusCode::OK);
    assert_eq!(got.header("content-type"), "application/json");
    let PresetList { presets } = serde_json::from_value(got.json()).unwrap();
    let names: Vec<Preset> = presets.iter().map(|rules| rules.preset).collect();
    assert_eq!(names, [Preset::Party, Preset::Standard, Preset::Dark, Preset::Custom]);
    for rules in &presets {
        assert_eq!(rules.defaults.preset, rules.preset);
        jsonschema::draft202012::meta::validate(&rules.schema).unwrap();
        let validator = jsonschema::draft202012::new(&rules.schema).unwrap();
        assert!(validator.is_valid(&json!({ "preset": rules.preset })));
        assert!(!rules.about.is_empty());
        for condition in rules.schema["allOf"].as_array().unwrap() {
            assert!(condition["description"].is_string(), "{condition}");
        }
    }
}

#[tokio::test]
async fn the_house_rules_are_those_of_the_presets() {
    let hall = Hall::open();
    let list = hall.get("/v1/presets").await.json();
    let property = |preset: usize, name: &str, what: &str| -> Value {
        list["presets"][preset]["schema"]["properties"][name][what].clone()
    };
    assert_eq!(property(0, "size", "enum"), json!([11, 13, 19]));
    assert_eq!(property(0, "swap", "enum"), json!(["off", "sides"]));
    for (preset, least, most) in [(1, 7, 19), (2, 7, 19), (3, 1, 53)] {
        let range = (property(preset, "size", "minimum"), property(preset, "size", "maximum"));
        assert_eq!(range, (json!(least), json!(most)));
    }
    assert_eq!(property(2, "swap", "enum"), json!(["off"]));
    assert_eq!(property(2, "game", "enum"), json!(["dark"]));
    assert_eq!(property(1, "goal", "enum"), json!(["join", "avoid"]));
    assert_eq!(property(3, "random_stones", "maximum"), json!(10));
    assert_eq!(property(3, "rated", "const"), json!(false));
    assert_eq!(property(1, "collision", "enum"), Value::Null);
    assert_eq!(property(3, "spectator_delay_s", "maximum"), json!(600));
    let time = property(0, "time", "oneOf");
    let turn = &time[1]["properties"];
    assert_eq!(
        (&turn["control"], &turn["seconds"]["enum"]),
        (&json!({"const": "per_turn"}), &json!([30, 60]))
    );
}

#[tokio::test]
async fn presets_that_are_known_are_not_sent_again() {
    let hall = Hall::open();
    let got = hall.get("/v1/presets").await;
    assert_eq!(got.header("cache-control"), "no-cache");
    let tag = got.header("etag").to_owned();
    let again = hall.ask(Method::GET, "/v1/presets", &[("if-none-match", &tag)]).await;
    assert_eq!((again.status, again.body.as_str()), (StatusCode::NOT_MODIFIED, ""));
    assert_eq!(again.header("etag"), tag);
}

#[tokio::test]
async fn the_page_is_tested_with_the_presets_that_are_told() {
    let hall = Hall::open();
    let kept: Value = serde_json::from_str(include_str!("../page/presets.json")).unwrap();
    assert_eq!(hall.get("/v1/presets").await.json(), kept);
}
