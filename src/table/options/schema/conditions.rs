//! Where options depend on each other: one condition each, with the reason as its description. Pure.

use hexhall_proto::options::{GameKind, Goal, OnLeave, Swap, Time};
use serde_json::{Value, json};

use super::super::bounds::{Bounds, LEAVING_A_DEVICE, LEAVING_RATED, Sizes, USUAL_SIDE};
use crate::game::cell::MAX_SIDE;
use crate::game::rules::{CELLS_PER_RANDOM_STONE, LEAST_SIDE_WITH_STONES};

/// All conditions of a preset.
pub(super) fn all(bounds: &Bounds) -> Vec<Value> {
    let mut all = vec![json!({
        "description": "A board has a size, or rows and columns.",
        "not": { "required": ["size", "rows"] },
    })];
    all.extend(boards(bounds));
    all.extend(openings(bounds));
    all.extend(games(bounds));
    all.extend(leaving(bounds));
    all.extend(curtain(bounds));
    all.extend(ratings(bounds));
    all
}

/// Square boards alone, or square ones for those who swap pieces.
fn boards(bounds: &Bounds) -> Vec<Value> {
    let square: Vec<Value> = bounds
        .sizes
        .sides()
        .into_iter()
        .map(|side| json!({ "properties": { "rows": { "const": side }, "cols": { "const": side } } }))
        .collect();
    match bounds.sizes {
        Sizes::Of(_) | Sizes::Square(..) => {
            vec![when("The board is square.", has("rows"), json!({ "anyOf": square }))]
        }
        Sizes::Any if bounds.swap.allows(Swap::Pieces) => vec![when(
            "Swapping pieces needs a square board.",
            all_of([has("rows"), given("swap", json!({ "const": Swap::Pieces }))]),
            json!({ "anyOf": square }),
        )],
        Sizes::Any => Vec::new(),
    }
}

/// Random stones leave no first move to swap, and need their room.
fn openings(bounds: &Bounds) -> Vec<Value> {
    if bounds.random_stones == 0 {
        return Vec::new();
    }
    let mut all = vec![when(
        "Random stones leave no first move to swap.",
        given("random_stones", json!({ "minimum": 1 })),
        only("swap", json!({ "const": Swap::Off })),
    )];
    all.extend((1..=bounds.random_stones).map(|stones| {
        when(
            &format!("The board is too small for {stones} random stones a side."),
            given("random_stones", json!({ "minimum": stones })),
            room(CELLS_PER_RANDOM_STONE * u16::from(stones)),
        )
    }));
    all
}

/// A board of so many cells, and of so many rows and columns that it may have random stones.
fn room(cells: u16) -> Value {
    let sides = || u16::from(LEAST_SIDE_WITH_STONES)..=u16::from(MAX_SIDE);
    let square = sides().find(|side| side * side >= cells);
    let mut fits: Vec<Value> =
        square.into_iter().map(|side| given("size", json!({ "minimum": side }))).collect();
    if u16::from(USUAL_SIDE) * u16::from(USUAL_SIDE) >= cells {
        fits.push(json!({ "properties": { "size": false, "rows": false } }));
    }
    // For every number of columns that fewer rows do not need as well.
    let mut fewest = None;
    for rows in sides() {
        let cols = cells.div_ceil(rows).max(u16::from(LEAST_SIDE_WITH_STONES));
        if fewest.is_none_or(|fewest| cols < fewest) && cols <= u16::from(MAX_SIDE) {
            let rows = given("rows", json!({ "minimum": rows }));
            fits.push(all_of([rows, given("cols", json!({ "minimum": cols }))]));
            fewest = Some(cols);
        }
    }
    json!({ "anyOf": fits })
}

/// What Dark Hex has not, where it is one of two games, and what it alone has.
fn games(bounds: &Bounds) -> Vec<Value> {
    if bounds.is_dark() || !bounds.game.allows(GameKind::Dark) {
        return Vec::new();
    }
    let dark = || given("game", json!({ "const": GameKind::Dark }));
    vec![
        when(
            "Nobody sees a first move to swap.",
            dark(),
            only("swap", json!({ "const": Swap::Off })),
        ),
        when("Dark Hex is won by joining.", dark(), only("goal", json!({ "const": Goal::Join }))),
        when(
            "Dark Hex begins on an empty board.",
            dark(),
            only("random_stones", json!({ "maximum": 0 })),
        ),
        when("Nothing collides where every stone is seen.", has("collision"), dark()),
    ]
}

/// What follows when a player is gone.
fn leaving(bounds: &Bounds) -> Vec<Value> {
    let device = || given("pass_and_play", json!({ "const": true }));
    let timed = json!({ "properties": { "control": { "not": { "const": "none" } } } });
    // Where the clock goes without saying, it need not be asked for.
    let timed = match bounds.time {
        Time::None {} => given("time", timed),
        Time::Fischer { .. } | Time::PerTurn { .. } | Time::ByoYomi { .. } => only("time", timed),
    };
    let left_to_the_clock = given("on_leave", json!({ "const": OnLeave::Clock }));
    vec![
        when(
            "On one device nobody is ever gone alone.",
            device(),
            only("on_leave", json!({ "enum": LEAVING_A_DEVICE.all })),
        ),
        when(
            "Without a clock nothing would ever end the game.",
            all_of([left_to_the_clock, json!({ "not": device() })]),
            timed,
        ),
    ]
}

/// Behind the curtain of Dark Hex a player sees what spectators see, and has to see it live.
fn curtain(bounds: &Bounds) -> Option<Value> {
    let device = given("pass_and_play", json!({ "const": true }));
    let played = match bounds.game.allows(GameKind::Dark) {
        false => return None,
        true if bounds.is_dark() => device,
        true => all_of([device, given("game", json!({ "const": GameKind::Dark }))]),
    };
    let why = "Behind the curtain a player sees what spectators see, and at once.";
    Some(when(why, played, only("spectator_delay_s", json!({ "maximum": 0 }))))
}

/// What a rated game is not.
fn ratings(bounds: &Bounds) -> Vec<Value> {
    if !bounds.rated {
        return Vec::new();
    }
    let rated = |why, then| when(why, given("rated", json!({ "const": true })), then);
    let mut all = vec![
        rated("Rex is not rated.", only("goal", json!({ "const": Goal::Join }))),
        rated(
            "Nobody wins a rating from themselves.",
            only("pass_and_play", json!({ "const": false })),
        ),
        rated(
            "In a rated game nobody plays for who is gone.",
            only("on_leave", json!({ "enum": LEAVING_RATED.all })),
        ),
        rated(
            "Ratings change as the game ends: it is seen live.",
            only("spectator_delay_s", json!({ "maximum": 0 })),
        ),
    ];
    if !bounds.is_dark() {
        let on = json!({ "not": { "const": Swap::Off } });
        all.push(rated("Rated games of Hex have the swap on.", only("swap", on)));
    }
    all
}

fn when(why: &str, condition: Value, then: Value) -> Value {
    json!({ "description": why, "if": condition, "then": then })
}

fn has(name: &str) -> Value {
    json!({ "required": [name] })
}

/// The field is there, and like that.
fn given(name: &str, schema: Value) -> Value {
    json!({ "required": [name], "properties": { name: schema } })
}

/// The field is like that, if it is there.
fn only(name: &str, schema: Value) -> Value {
    json!({ "properties": { name: schema } })
}

fn all_of<const COUNT: usize>(schemas: [Value; COUNT]) -> Value {
    json!({ "allOf": schemas.to_vec() })
}
