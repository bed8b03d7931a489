//! What may be asked for under a preset, as a JSON Schema (2020-12) of the request. Pure.
//!
//! Made of the bounds that requests are judged by, and of nothing else. Invariant: an object, whose
//! absent fields are left out and not null, is accepted by the schema of its preset and what is
//! [`BEYOND`] it exactly if [`Options::resolve`](super::Options::resolve) accepts it.

mod conditions;

use hexhall_proto::options::{Collision, GameKind, Preset};
use serde_json::{Map, Value, json};

use super::bounds::{Bounds, LEAVING, MOST_DELAY_S, Sizes, Times, USUAL_SIDE};
use crate::game::cell::MAX_SIDE;
use crate::game::clock::Field;

/// What holds beside the schema, which cannot compare two numbers with each other.
pub const BEYOND: [&str; 1] = [
    "`time.cap_s` is at least what the clock starts with: `time.initial_s`, or `time.increment_s` \
     where that is 0",
];

/// The schema of a request under the preset.
pub fn schema(bounds: &Bounds) -> Value {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": json!(bounds.preset),
        "description": bounds.about,
        "type": "object",
        "properties": properties(bounds),
        "additionalProperties": false,
        "dependentRequired": { "rows": ["cols"], "cols": ["rows"] },
        "allOf": conditions::all(bounds),
    });
    // The preset that goes without saying.
    if bounds.preset != Preset::Standard {
        schema["required"] = json!(["preset"]);
    }
    schema
}

fn properties(bounds: &Bounds) -> Map<String, Value> {
    let mut properties = Map::new();
    let mut put = |name: &str, title: &str, about: &str, rest: Value| {
        let mut property = json!({ "title": title, "description": about });
        merge(&mut property, rest);
        properties.insert(name.to_owned(), property);
    };
    put("preset", "Preset", bounds.about, json!({ "const": bounds.preset }));
    put("size", "Size", "Rows and columns of a square board.", side(bounds.sizes));
    put("rows", "Rows", "Rows of the board; instead of a size.", side(bounds.sizes));
    put("cols", "Columns", "Columns of the board; instead of a size.", side(bounds.sizes));
    let game = json!({ "enum": bounds.game.all, "default": bounds.game.usual });
    put("game", "Game", "Hex, or Dark Hex with its hidden stones.", game);
    if bounds.game.allows(GameKind::Dark) {
        let both = [Collision::Classical, Collision::Abrupt];
        let collision = json!({ "enum": both, "default": Collision::Classical });
        let about = "Whether a move onto a hidden stone is made again, or loses the turn.";
        put("collision", "Collision", about, collision);
    }
    let swap = json!({ "enum": bounds.swap.all, "default": bounds.swap.usual });
    put("swap", "Swap", "What the second player may do to the first move.", swap);
    let goal = json!({ "enum": bounds.goal.all, "default": bounds.goal.usual });
    put("goal", "Goal", "Whether joining one's edges wins, or loses (Rex).", goal);
    let stones =
        json!({ "type": "integer", "minimum": 0, "maximum": bounds.random_stones, "default": 0 });
    put("random_stones", "Random stones", "Random stones of each side to begin with.", stones);
    let mut time = time(bounds.times);
    time["default"] = json!(bounds.time);
    put("time", "Clock", "How time is given.", time);
    if bounds.first_move_s {
        let about = "Seconds in which each player must make the first move.";
        put("first_move_s", "First move within", about, number(Field::FirstMove));
    }
    let leaving = json!({ "enum": LEAVING.all, "default": LEAVING.usual });
    put("on_leave", "When a player is gone", "What happens after the countdown.", leaving);
    let first = json!({ "enum": bounds.first_move.all, "default": bounds.first_move.usual });
    put("first_move", "First move", "Who moves first in a rematch.", first);
    let rated = if bounds.rated { json!({ "type": "boolean" }) } else { json!({ "const": false }) };
    let about = "Whether the games count for the players' ratings.";
    put("rated", "Rated", about, with_default(rated, false));
    let about = "Whether both seats are yours, on one device.";
    let device = with_default(json!({ "type": "boolean" }), false);
    put("pass_and_play", "One device", about, device);
    let delay = json!({ "type": "integer", "minimum": 0, "maximum": MOST_DELAY_S });
    let about = "By how many seconds spectators see the table late.";
    put("spectator_delay_s", "Spectators' delay", about, with_default(delay, 0));
    properties
}

fn side(sizes: Sizes) -> Value {
    let side = match sizes {
        Sizes::Of(sides) => json!({ "enum": sides }),
        Sizes::Square(least, most) => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        Sizes::Any => json!({ "type": "integer", "minimum": 1, "maximum": MAX_SIDE }),
    };
    with_default(side, USUAL_SIDE)
}

fn time(times: Times) -> Value {
    let turn = |seconds| control("per_turn", "Time for each turn", json!({ "seconds": seconds }));
    let none = control("none", "No clock", json!({}));
    let Times::Turns(turns) = times else {
        return json!({ "oneOf": [fischer(), turn(number(Field::Turn)), byo_yomi(), none] });
    };
    let seconds = json!({ "enum": turns, "title": "Seconds a turn" });
    json!({ "oneOf": [none, turn(seconds)] })
}

fn fischer() -> Value {
    let numbers = json!({
        "initial_s": number(Field::Initial),
        "increment_s": number(Field::Increment),
        "cap_s": number(Field::Cap),
    });
    let mut fischer = control("fischer", "With increment", numbers);
    fischer["required"] = json!(["control", "initial_s", "increment_s"]);
    let given = |name: &str| json!({ "properties": { name: { "minimum": 1 } } });
    fischer["anyOf"] = json!([given("initial_s"), given("increment_s")]);
    fischer["description"] = json!(format!("{}.", BEYOND[0]));
    fischer
}

fn byo_yomi() -> Value {
    let numbers = json!({
        "initial_s": number(Field::Initial),
        "period_s": number(Field::Period),
        "periods": number(Field::Periods),
    });
    control("byo_yomi", "Byo-yomi", numbers)
}

/// A time control with all of these numbers.
fn control(name: &str, title: &str, numbers: Value) -> Value {
    let mut properties = json!({ "control": { "const": name } });
    merge(&mut properties, numbers);
    let required: Vec<&String> = properties.as_object().into_iter().flat_map(Map::keys).collect();
    let required = json!(required);
    json!({
        "title": title,
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// A number of a time control, in the wire's whole seconds unless it counts periods.
fn number(field: Field) -> Value {
    let unit = if field == Field::Periods { 1 } else { 1_000 };
    let title = match field {
        Field::Initial => "Seconds at the start",
        Field::Increment => "Seconds added each turn",
        Field::Cap => "The most seconds that increments lead to",
        Field::Turn => "Seconds a turn",
        Field::Period => "Seconds a period",
        Field::Periods => "Periods",
        Field::FirstMove => "Seconds for the first move",
    };
    let (least, most) = field.range().into_inner();
    let (least, most) = (least / unit, most / unit);
    json!({ "title": title, "type": "integer", "minimum": least, "maximum": most })
}

fn with_default(mut schema: Value, value: impl Into<Value>) -> Value {
    schema["default"] = value.into();
    schema
}

/// Adds the fields of the one object to the other, in place of those of the same names.
fn merge(into: &mut Value, from: Value) {
    if let (Value::Object(into), Value::Object(from)) = (into, from) {
        into.extend(from);
    }
}
