//! Our own form, which carries everything: one JSON object a game.
//!
//! ```json
//! {
//!   "format": "hexhall-record/1", "game": "hex",
//!   "id": "gam_01ARZ3NDEKTSV4RRFFQ69G5FAV", "date": "2026-11-29", "event": null,
//!   "size": {"rows": 2, "cols": 2}, "swap": "sides", "goal": "join",
//!   "time": {"kind": "fischer", "initial_ms": 300000, "increment_ms": 5000},
//!   "players": ["Ada", null],
//!   "opening": [], "setup": [],
//!   "moves": [
//!     {"color": "red", "cell": [0, 1], "clock": {"left_ms": 299000}},
//!     {"color": "blue", "cell": [0, 0]},
//!     {"color": "red", "cell": [1, 0]}
//!   ],
//!   "end": {"winner": 1, "by": "chain"},
//!   "winning_path": [[0, 1], [1, 0]]
//! }
//! ```
//!
//! Dark Hex is `"game": "dark"` with `"collision": "classical"` (unless said) or `"abrupt"`; its
//! moves are all attempts, and one that ran into a hidden stone has `"collision": true`.
//!
//! A game of Dark Hex can also be written as one of its players saw it: then `as` is that seat, the
//! other's moves have no `cell`, and `winning_path` has cells only if the seat saw all of it. That is
//! for showing, and is not read.
//!
//! Cells are `[row, col]` from 0. `opening` lists a random opening in placement order, red first;
//! `setup` lists other stones as `{"color", "cell"}`. A move holds exactly one of `cell` and
//! `"swap": true`; `color` is what the mover had, and `"cpu": true` says that the computer moved. `end` is `null` while nobody has won, and
//! `{"void": "aborted"}` (or `not_started`, `abandoned`) where there is no result. Unknown fields
//! are refused, so that nothing is lost unseen. Fields whose values are `null` or empty may be
//! left out, all but `moves`.

mod read;

pub(super) use read::{json_error, read};

use serde::{Deserialize, Serialize};

use super::{Action, Eyes, Reading, Record, RecordPly, WriteError};
use crate::game::clock::Control;
use crate::game::{Cell, Collision, Color, Goal, Kind, Outcome, Seat, Swap, Void, WonBy};

/// What tells our JSON from others'.
pub(super) const MARK: &str = "hexhall-record/1";

/// A record as it is written.
#[derive(Serialize)]
struct WriteForm<'a> {
    format: &'static str,
    game: GameForm,
    #[serde(skip_serializing_if = "Option::is_none")]
    collision: Option<CollisionForm>,
    #[serde(rename = "as", skip_serializing_if = "Option::is_none")]
    eyes: Option<u8>,
    id: Option<&'a str>,
    date: Option<&'a str>,
    event: Option<&'a str>,
    size: SizeForm,
    swap: SwapForm,
    goal: GoalForm,
    time: Option<TimeForm>,
    players: &'a [Option<String>; 2],
    opening: Vec<CellForm>,
    setup: Vec<StoneForm>,
    moves: Vec<MoveForm>,
    end: Option<EndForm>,
    winning_path: Vec<CellForm>,
}

/// `[row, col]`, both from 0.
type CellForm = [u8; 2];

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SizeForm {
    rows: u8,
    cols: u8,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
enum GameForm {
    #[default]
    Hex,
    Dark,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum CollisionForm {
    Classical,
    Abrupt,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
enum SwapForm {
    #[default]
    Off,
    Sides,
    Pieces,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
enum GoalForm {
    #[default]
    Join,
    Avoid,
}

#[derive(Serialize, Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum ColorForm {
    Red,
    Blue,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
enum TimeForm {
    None,
    Fischer {
        initial_ms: u64,
        increment_ms: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        cap_ms: Option<u64>,
    },
    PerTurn {
        turn_ms: u64,
    },
    ByoYomi {
        initial_ms: u64,
        period_ms: u64,
        periods: u8,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoneForm {
    color: ColorForm,
    cell: CellForm,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MoveForm {
    color: ColorForm,
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<CellForm>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    collision: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    swap: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<ClockForm>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    cpu: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClockForm {
    left_ms: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    periods: u8,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum EndForm {
    Won { winner: u8, by: ByForm },
    Void { void: VoidForm },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ByForm {
    Chain,
    Resignation,
    Time,
    Forfeit,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum VoidForm {
    Aborted,
    NotStarted,
    Abandoned,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(periods: &u8) -> bool {
    *periods == 0
}

/// A record as JSON, on one line.
pub(super) fn write(record: &Record) -> Result<String, WriteError> {
    write_as(record, Eyes::Umpire)
}

/// What these eyes saw of a record as JSON, on one line.
pub(super) fn write_as(record: &Record, eyes: Eyes) -> Result<String, WriteError> {
    let game = record.replay()?;
    let is_opening = !game.opening().is_empty();
    let (opening, setup) = record.setup.iter().partition::<Vec<_>, _>(|_| is_opening);
    let (kind, collision) = match record.kind {
        Kind::Hex => (GameForm::Hex, None),
        Kind::Dark(Collision::Classical) => (GameForm::Dark, Some(CollisionForm::Classical)),
        Kind::Dark(Collision::Abrupt) => (GameForm::Dark, Some(CollisionForm::Abrupt)),
    };
    let form = WriteForm {
        format: MARK,
        game: kind,
        collision,
        eyes: match eyes {
            Eyes::Umpire => None,
            Eyes::Seat(seat) => Some(seat.number()),
        },
        id: record.meta.id.as_deref(),
        date: record.meta.date.as_deref(),
        event: record.meta.event.as_deref(),
        size: SizeForm { rows: record.size.rows(), cols: record.size.cols() },
        swap: match record.swap {
            Swap::Off => SwapForm::Off,
            Swap::Sides => SwapForm::Sides,
            Swap::Pieces => SwapForm::Pieces,
        },
        goal: match record.goal {
            Goal::Join => GoalForm::Join,
            Goal::Avoid => GoalForm::Avoid,
        },
        time: record.meta.time.map(time_form),
        players: &record.players,
        opening: opening.into_iter().map(|&(_, cell)| cell_form(cell)).collect(),
        setup: setup
            .into_iter()
            .map(|&(color, cell)| StoneForm { color: color_form(color), cell: cell_form(cell) })
            .collect(),
        moves: (record.plies.iter())
            .map(|ply| move_form(ply, eyes.follow(&game, ply.color)))
            .collect(),
        end: game.outcome().map(end_form),
        winning_path: eyes
            .winning_path(&game)
            .unwrap_or_default()
            .into_iter()
            .map(cell_form)
            .collect(),
    };
    let encoded = serde_json::to_string(&form);
    encoded.map(|text| text + "\n").map_err(|error| WriteError::Encode(error.to_string()))
}

fn cell([row, col]: CellForm) -> Cell {
    Cell::new(row, col)
}

fn cell_form(cell: Cell) -> CellForm {
    [cell.row, cell.col]
}

fn color(form: ColorForm) -> Color {
    match form {
        ColorForm::Red => Color::Red,
        ColorForm::Blue => Color::Blue,
    }
}

fn color_form(color: Color) -> ColorForm {
    match color {
        Color::Red => ColorForm::Red,
        Color::Blue => ColorForm::Blue,
    }
}

/// A move, with its cell if that is `followed`.
fn move_form(ply: &RecordPly, followed: bool) -> MoveForm {
    let (cell, swap) = match ply.action {
        Action::Place(cell) | Action::Collision(cell) => (followed.then(|| cell_form(cell)), false),
        Action::SwapSides | Action::SwapPieces => (None, true),
    };
    let collision = matches!(ply.action, Action::Collision(_));
    let clock = ply.clock.map(|Reading { left_ms, periods }| ClockForm { left_ms, periods });
    MoveForm { color: color_form(ply.color), cell, collision, swap, clock, cpu: ply.cpu }
}

fn time(form: TimeForm) -> Control {
    match form {
        TimeForm::None => Control::None,
        TimeForm::Fischer { initial_ms, increment_ms, cap_ms } => {
            Control::Fischer { initial_ms, increment_ms, cap_ms }
        }
        TimeForm::PerTurn { turn_ms } => Control::PerTurn { turn_ms },
        TimeForm::ByoYomi { initial_ms, period_ms, periods } => {
            Control::ByoYomi { initial_ms, period_ms, periods }
        }
    }
}

fn time_form(time: Control) -> TimeForm {
    match time {
        Control::None => TimeForm::None,
        Control::Fischer { initial_ms, increment_ms, cap_ms } => {
            TimeForm::Fischer { initial_ms, increment_ms, cap_ms }
        }
        Control::PerTurn { turn_ms } => TimeForm::PerTurn { turn_ms },
        Control::ByoYomi { initial_ms, period_ms, periods } => {
            TimeForm::ByoYomi { initial_ms, period_ms, periods }
        }
    }
}

fn outcome(form: &EndForm) -> Option<Outcome> {
    Some(match form {
        EndForm::Won { winner, by } => Outcome::Won {
            winner: Seat::from_number(u64::from(*winner))?,
            by: match by {
                ByForm::Chain => WonBy::Chain,
                ByForm::Resignation => WonBy::Resignation,
                ByForm::Time => WonBy::Time,
                ByForm::Forfeit => WonBy::Forfeit,
            },
        },
        EndForm::Void { void } => Outcome::Void(match void {
            VoidForm::Aborted => Void::Aborted,
            VoidForm::NotStarted => Void::NotStarted,
            VoidForm::Abandoned => Void::Abandoned,
        }),
    })
}

fn end_form(outcome: Outcome) -> EndForm {
    match outcome {
        Outcome::Won { winner, by } => EndForm::Won {
            winner: winner.number(),
            by: match by {
                WonBy::Chain => ByForm::Chain,
                WonBy::Resignation => ByForm::Resignation,
                WonBy::Time => ByForm::Time,
                WonBy::Forfeit => ByForm::Forfeit,
            },
        },
        Outcome::Void(void) => EndForm::Void {
            void: match void {
                Void::Aborted => VoidForm::Aborted,
                Void::NotStarted => VoidForm::NotStarted,
                Void::Abandoned => VoidForm::Abandoned,
            },
        },
    }
}
