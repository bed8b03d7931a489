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
//! Cells are `[row, col]` from 0. `opening` lists a random opening in placement order, red first;
//! `setup` lists other stones as `{"color", "cell"}`. A move holds exactly one of `cell` and
//! `"swap": true`; `color` is what the mover had. `end` is `null` while nobody has won, and
//! `{"void": "aborted"}` (or `not_started`, `abandoned`) where there is no result. Unknown fields
//! are refused, so that nothing is lost unseen. Fields whose values are `null` or empty may be
//! left out, all but `moves`.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::error::{ReadError, Reason, Source, WriteError, shortened};
use super::format::MAX_RECORDS;
use super::replay::{joined_color, joins};
use super::{Action, Meta, Reading, Record, RecordError, RecordPly, Time};
use crate::game::{Cell, Color, Game, Goal, Outcome, Seat, Size, Swap, Void, WonBy};

/// What tells our JSON from others'.
pub(super) const MARK: &str = "hexhall-record/1";

/// A record as it is read: what may not fit the rules stays text, which knows its place.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadForm<'a> {
    format: String,
    #[serde(default = "hex")]
    game: String,
    id: Option<String>,
    date: Option<String>,
    event: Option<String>,
    size: SizeForm,
    #[serde(default)]
    swap: SwapForm,
    #[serde(default)]
    goal: GoalForm,
    time: Option<TimeForm>,
    #[serde(default)]
    players: [Option<String>; 2],
    #[serde(borrow, default)]
    opening: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    setup: Vec<&'a RawValue>,
    #[serde(borrow)]
    moves: Vec<&'a RawValue>,
    #[serde(borrow)]
    end: Option<&'a RawValue>,
    #[serde(default)]
    winning_path: Vec<CellForm>,
}

/// A record as it is written.
#[derive(Serialize)]
struct WriteForm<'a> {
    format: &'static str,
    game: &'static str,
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
    swap: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<ClockForm>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClockForm {
    left_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    periods: Option<u8>,
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

fn hex() -> String {
    "hex".into()
}

/// Every object of a text, one after the other.
pub(super) fn read(text: &str) -> Result<Vec<Record>, ReadError> {
    let source = Source { text };
    let mut records = Vec::new();
    for form in serde_json::Deserializer::from_str(text).into_iter::<ReadForm<'_>>() {
        if records.len() == MAX_RECORDS {
            let reason = Reason::TooMuch { max: MAX_RECORDS, unit: "games" };
            return Err(source.error(0, "", reason));
        }
        records.push(record(source, form.map_err(|error| json_error(&error))?)?);
    }
    Ok(records)
}

/// What is wrong with a text that is not our JSON, at its own count of lines.
pub(super) fn json_error(error: &serde_json::Error) -> ReadError {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let reason = Reason::syntax(text.strip_suffix(&place).unwrap_or(&text));
    let (line, column) = (error.line().max(1), Some(error.column()));
    ReadError { line, column: column.filter(|&column| column > 0), token: String::new(), reason }
}

fn record<'a>(source: Source<'a>, form: ReadForm<'a>) -> Result<Record, ReadError> {
    let start = form.moves.first().or(form.end.as_ref()).map_or("", |raw| raw.get());
    let at_start =
        |reason: Reason| source.error(source.offset(start).min(source.text.len()), "", reason);
    if form.format != MARK {
        let format = shortened(&form.format);
        return Err(at_start(Reason::syntax(format!(
            "`format` is `{format}`: this reads `{MARK}`"
        ))));
    }
    match &*form.game {
        "hex" => {}
        "dark" => return Err(at_start(Reason::DarkHex)),
        _ => return Err(at_start(Reason::syntax("`game` is `hex` or `dark`"))),
    }
    let size = Size::new(form.size.rows.into(), form.size.cols.into());
    let mut record = Record::new(size.map_err(|reason| at_start(reason.into()))?);
    record.swap = match form.swap {
        SwapForm::Off => Swap::Off,
        SwapForm::Sides => Swap::Sides,
        SwapForm::Pieces => Swap::Pieces,
    };
    record.goal = match form.goal {
        GoalForm::Join => Goal::Join,
        GoalForm::Avoid => Goal::Avoid,
    };
    record.players = form.players;
    record.meta =
        Meta { id: form.id, date: form.date, event: form.event, time: form.time.map(time) };
    if !form.opening.is_empty() && !form.setup.is_empty() {
        let reason = Reason::syntax("stones stand in `opening` or in `setup`, not in both");
        return Err(source.error_at(form.setup[0].get(), reason));
    }
    let mut places = Vec::new();
    for (&raw, color) in form.opening.iter().zip(super::alternating()) {
        let at: CellForm = parse(source, raw)?;
        record.setup.push((color, cell(at)));
        places.push(raw);
    }
    for &raw in &form.setup {
        let StoneForm { color: of, cell: at } = parse(source, raw)?;
        record.setup.push((color(of), cell(at)));
        places.push(raw);
    }
    for &raw in &form.moves {
        let form: MoveForm = parse(source, raw)?;
        let action = match (form.cell, form.swap, record.swap) {
            (Some(at), false, _) => Action::Place(cell(at)),
            (None, true, Swap::Pieces) => Action::SwapPieces,
            (None, true, _) => Action::SwapSides,
            _ => {
                let reason =
                    Reason::syntax("a move holds exactly one of `cell` and `\"swap\": true`");
                return Err(source.error_at(raw.get(), reason));
            }
        };
        let clock = form.clock.map(|ClockForm { left_ms, periods }| Reading { left_ms, periods });
        record.plies.push(RecordPly { color: color(form.color), action, clock });
    }
    if let Some(raw) = form.end {
        record.end = Some(outcome(&parse(source, raw)?).ok_or_else(|| {
            source.error_at(raw.get(), Reason::syntax("`winner` is a seat, 1 or 2"))
        })?);
    }
    let game = record.replay().map_err(|error| {
        let raw = match error {
            RecordError::Setup { index, .. } => places.get(index).copied(),
            RecordError::Ply { index, .. } => form.moves.get(index).copied(),
            RecordError::End(_) => form.end,
            _ => None,
        };
        match raw {
            Some(raw) => source.error_at(raw.get(), error),
            None => at_start(error.into()),
        }
    })?;
    check_path(&game, &form.winning_path).map_err(|error| at_start(error.into()))?;
    record.settle_by(&game);
    Ok(record)
}

/// A published path is a chain that decided the game; none need be published.
fn check_path(game: &Game, path: &[CellForm]) -> Result<(), RecordError> {
    let path: Vec<Cell> = path.iter().copied().map(cell).collect();
    match joined_color(game) {
        _ if path.is_empty() => Ok(()),
        Some(color) if joins(game, color, &path) => Ok(()),
        _ => Err(RecordError::Path),
    }
}

fn parse<'a, T: Deserialize<'a>>(source: Source<'a>, raw: &'a RawValue) -> Result<T, ReadError> {
    serde_json::from_str(raw.get()).map_err(|error| {
        let reason = json_error(&error).reason;
        source.error_at(raw.get(), reason)
    })
}

/// A record as JSON, one move a line as far as the encoder goes.
pub(super) fn write(record: &Record) -> Result<String, WriteError> {
    let game = record.replay()?;
    let is_opening = !game.opening().is_empty();
    let (opening, setup) = record.setup.iter().partition::<Vec<_>, _>(|_| is_opening);
    let form = WriteForm {
        format: MARK,
        game: "hex",
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
        moves: record.plies.iter().map(move_form).collect(),
        end: game.outcome().map(end_form),
        winning_path: game.winning_path().unwrap_or_default().into_iter().map(cell_form).collect(),
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

fn move_form(ply: &RecordPly) -> MoveForm {
    let (cell, swap) = match ply.action {
        Action::Place(cell) => (Some(cell_form(cell)), false),
        Action::SwapSides | Action::SwapPieces => (None, true),
    };
    let clock = ply.clock.map(|Reading { left_ms, periods }| ClockForm { left_ms, periods });
    MoveForm { color: color_form(ply.color), cell, swap, clock }
}

fn time(form: TimeForm) -> Time {
    match form {
        TimeForm::None => Time::Unlimited,
        TimeForm::Fischer { initial_ms, increment_ms, cap_ms } => {
            Time::Fischer { initial_ms, increment_ms, cap_ms }
        }
        TimeForm::PerTurn { turn_ms } => Time::PerTurn { turn_ms },
        TimeForm::ByoYomi { initial_ms, period_ms, periods } => {
            Time::ByoYomi { initial_ms, period_ms, periods }
        }
    }
}

fn time_form(time: Time) -> TimeForm {
    match time {
        Time::Unlimited => TimeForm::None,
        Time::Fischer { initial_ms, increment_ms, cap_ms } => {
            TimeForm::Fischer { initial_ms, increment_ms, cap_ms }
        }
        Time::PerTurn { turn_ms } => TimeForm::PerTurn { turn_ms },
        Time::ByoYomi { initial_ms, period_ms, periods } => {
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
