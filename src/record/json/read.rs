//! From JSON to records. What may not fit the rules stays text until it is played, so that it can
//! be refused with its place.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::error::{ReadError, Reason, Source, shortened};
use super::super::format::MAX_RECORDS;
use super::super::replay::{joined_color, joins};
use super::super::{Action, Meta, Reading, Record, RecordError, RecordPly, alternating};
use super::{
    CellForm, ClockForm, CollisionForm, GameForm, GoalForm, MARK, MoveForm, SizeForm, StoneForm,
    SwapForm, TimeForm, cell, color, outcome, time,
};
use crate::game::{Cell, Collision, Game, Goal, Kind, Size, Swap};

/// A record as it is read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadForm<'a> {
    format: String,
    #[serde(default)]
    game: GameForm,
    collision: Option<CollisionForm>,
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

/// Every object of a text, one after the other.
pub(in crate::record) fn read(text: &str) -> Result<Vec<Record>, ReadError> {
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
pub(in crate::record) fn json_error(error: &serde_json::Error) -> ReadError {
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
    let kind = match (form.game, form.collision) {
        (GameForm::Hex, None) => Kind::Hex,
        (GameForm::Hex, Some(_)) => {
            return Err(at_start(Reason::syntax("`collision` is of games that are `dark`")));
        }
        (GameForm::Dark, Some(CollisionForm::Abrupt)) => Kind::Dark(Collision::Abrupt),
        (GameForm::Dark, None | Some(CollisionForm::Classical)) => Kind::Dark(Collision::Classical),
    };
    let size = Size::new(form.size.rows.into(), form.size.cols.into());
    let mut record = Record::new(size.map_err(|reason| at_start(reason.into()))?);
    record.kind = kind;
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
    for (&raw, color) in form.opening.iter().zip(alternating()) {
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
        let action = match (form.cell, form.collision, form.swap) {
            (Some(at), false, false) => Action::Place(cell(at)),
            (Some(at), true, false) => Action::Collision(cell(at)),
            (None, false, true) if record.swap == Swap::Pieces => Action::SwapPieces,
            (None, false, true) => Action::SwapSides,
            _ => {
                let reason =
                    Reason::syntax("a move holds exactly one of `cell` and `\"swap\": true`");
                return Err(source.error_at(raw.get(), reason));
            }
        };
        let clock = form.clock.map(|ClockForm { left_ms, periods }| Reading { left_ms, periods });
        record.plies.push(RecordPly { color: color(form.color), action, clock, cpu: form.cpu });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_record_reads_as_it_stands() {
        let lines = include_str!("../json.rs").lines();
        let example = lines.skip_while(|line| !line.contains("```json")).skip(1);
        let example = example.take_while(|line| !line.contains("```"));
        let example: Vec<&str> = example.map(|line| line.trim_start_matches("//!")).collect();
        let record = read(&example.join("\n")).unwrap().remove(0);
        assert_eq!((record.plies.len(), record.winning_path.len()), (3, 2));
        assert_eq!(record.players, [Some("Ada".into()), None]);
    }

    #[test]
    fn little_has_to_be_said() {
        let text = r#"{"format": "hexhall-record/1", "size": {"rows": 3, "cols": 4}, "moves": []}"#;
        let size = Size::new(3, 4).unwrap();
        assert_eq!(read(text).unwrap(), [Record::new(size)]);
    }
}
