//! What is judged and what is described are the same.

use std::sync::LazyLock;

use hexhall_proto::options::{Collision, GameKind, Goal, OptionsRequest, Time};
use jsonschema::Validator;
use proptest::option::{self, weighted};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use serde_json::json;

use super::bounds::PRESETS;
use super::schema::schema;
use super::*;

static VALIDATORS: LazyLock<Vec<(Preset, Validator)>> = LazyLock::new(|| {
    let of = |bounds: &Bounds| {
        let schema = schema(bounds);
        jsonschema::draft202012::meta::validate(&schema).unwrap();
        (bounds.preset, jsonschema::draft202012::new(&schema).unwrap())
    };
    PRESETS.iter().map(of).collect()
});

/// What no schema can say: see [`super::schema::BEYOND`].
fn is_beyond(time: Option<Time>) -> bool {
    match time {
        Some(Time::Fischer { initial_s: 0, increment_s, cap_s: Some(cap_s) }) => {
            cap_s < increment_s
        }
        Some(Time::Fischer { initial_s, cap_s: Some(cap_s), .. }) => cap_s < initial_s,
        _ => false,
    }
}

/// Numbers about the ends of a range, and others.
fn about(least: u64, most: u64) -> impl Strategy<Value = u64> {
    let ends = vec![least.saturating_sub(1), least, least + 1, most - 1, most, most + 1];
    prop_oneof![4 => least..=most, 3 => select(ends), 1 => any::<u64>()]
}

fn seconds(most: u64) -> impl Strategy<Value = u32> {
    about(1, most).prop_map(|seconds| u32::try_from(seconds).unwrap_or(u32::MAX))
}

fn times() -> impl Strategy<Value = Time> {
    let initial = || prop_oneof![seconds(86_400), Just(0), Just(300)];
    let fischer = (initial(), prop_oneof![seconds(600), Just(0)], option::of(seconds(86_400)));
    prop_oneof![
        Just(Time::None {}),
        fischer.prop_map(|(initial_s, increment_s, cap_s)| Time::Fischer {
            initial_s,
            increment_s,
            cap_s
        }),
        prop_oneof![select(vec![30, 60, 45]), seconds(86_400)]
            .prop_map(|seconds| Time::PerTurn { seconds }),
        (initial(), seconds(86_400), 0..=25_u8).prop_map(|(initial_s, period_s, periods)| {
            Time::ByoYomi { initial_s, period_s, periods }
        }),
    ]
}

/// Boards in every way of asking for one, the right ones more often than not.
fn boards() -> impl Strategy<Value = [Option<u64>; 3]> {
    let side = || prop_oneof![select(vec![7, 11, 13, 19]), about(1, 12), about(1, 53)];
    let square = side().prop_map(|side| [None, Some(side), Some(side)]);
    prop_oneof![
        3 => Just([None, None, None]),
        4 => side().prop_map(|side| [Some(side), None, None]),
        3 => square,
        4 => (side(), side()).prop_map(|(rows, cols)| [None, Some(rows), Some(cols)]),
        1 => [option::of(side()), option::of(side()), option::of(side())],
    ]
}

prop_compose! {
    fn requests()(
        (preset, [size, rows, cols]) in (
            option::of(select(PRESETS.map(|bounds| bounds.preset).to_vec())),
            boards(),
        ),
        (game, collision) in (
            weighted(0.3, select(vec![GameKind::Hex, GameKind::Dark])),
            weighted(0.2, select(vec![Collision::Classical, Collision::Abrupt])),
        ),
        swap in weighted(0.4, select(vec![wire::Swap::Off, wire::Swap::Sides, wire::Swap::Pieces])),
        goal in weighted(0.3, select(vec![Goal::Join, Goal::Avoid])),
        random_stones in weighted(0.3, 0..=12_u8),
        time in weighted(0.4, times()),
        first_move_s in weighted(0.1, seconds(3_600)),
        on_leave in weighted(0.4, select(vec![OnLeave::Cpu, OnLeave::Claim, OnLeave::Clock])),
        rated in weighted(0.3, any::<bool>()),
        first_move in weighted(0.3, select(vec![FirstMove::Alternate, FirstMove::Fixed])),
        pass_and_play in weighted(0.2, any::<bool>()),
        spectator_delay_s in weighted(0.2, about(1, 600)),
    ) -> OptionsRequest {
        OptionsRequest {
            preset, size, rows, cols, game, collision, swap, goal, random_stones, time,
            first_move_s, on_leave, rated, first_move, pass_and_play, spectator_delay_s,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8_000))]

    #[test]
    fn what_is_judged_is_what_is_described(request in requests()) {
        let (asked, resolved) = (json!(request), Options::resolve(&request));
        let preset = request.preset.unwrap_or(Preset::Standard);
        for (of, validator) in &*VALIDATORS {
            let described = validator.is_valid(&asked) && !is_beyond(request.time);
            let judged = resolved.is_ok() && *of == preset;
            prop_assert_eq!(judged, described, "{:?}: {} came to {:?}", of, asked, resolved);
        }
    }
}

#[test]
fn requests_to_judge_are_good_and_bad_under_each_preset() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut counts = [[0; 2]; 4];
    for _ in 0..2_000 {
        let request = requests().new_tree(&mut runner).unwrap().current();
        let preset = request.preset.unwrap_or(Preset::Standard);
        let place = PRESETS.iter().position(|bounds| bounds.preset == preset).unwrap();
        counts[place][usize::from(Options::resolve(&request).is_ok())] += 1;
    }
    assert!(counts.as_flattened().iter().all(|&count| count >= 10), "{counts:?}");
}

#[test]
fn what_is_not_a_request_at_all_is_described_by_no_schema() {
    for asked in [
        json!({ "preset": "standard", "colour": "red" }),
        json!({ "preset": "arena" }),
        json!({ "size": "11" }),
        json!({ "size": 11.5 }),
        json!({ "size": -1 }),
        json!({ "rated": "yes" }),
        json!({ "time": "none" }),
        json!({ "time": { "control": "none", "seconds": 30 } }),
        json!({ "time": { "control": "per_turn" } }),
        json!({ "time": { "control": "byo_yomi", "initial_s": 60, "period_s": 10 } }),
        json!({ "time": { "control": "byo_yomi", "initial_s": 60, "period_s": 10, "periods": 300 } }),
    ] {
        assert!(serde_json::from_value::<OptionsRequest>(asked.clone()).is_err(), "{asked}");
        for (of, validator) in &*VALIDATORS {
            assert!(!validator.is_valid(&asked), "{of:?}: {asked}");
        }
    }
}

#[test]
fn defaults_are_what_is_filled_in() {
    for bounds in &PRESETS {
        let request = OptionsRequest { preset: Some(bounds.preset), ..Default::default() };
        let options = json!(crate::wire::options(&Options::resolve(&request).unwrap()));
        let schema = schema(bounds);
        let properties = schema["properties"].as_object().unwrap();
        for (name, property) in properties {
            let resolved = match name.as_str() {
                "size" => &options["rows"],
                name => &options[name],
            };
            // What goes without saying is left out of the resolved options.
            if !resolved.is_null() && name != "preset" {
                assert_eq!(property["default"], *resolved, "{name} of {:?}", bounds.preset);
            }
            assert!(property["title"].is_string() && property["description"].is_string(), "{name}");
        }
    }
}
