//! What is to be played: a recorded game, as the rules alone play it.
//!
//! Invariant: every game in a file becomes one item, so that nothing is left out silently.

use std::path::Path;

use hexhall_proto::codec::Format;
use hexhall_proto::options::{self, OnLeave, OptionsRequest, Preset, Time};
use serde_json::Value;

use crate::game::{Game, Goal, Outcome, WonBy};
use crate::record::{self, Format as RecordFormat, Record};
use crate::wire;

/// A recorded game, to be played at a table of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Script {
    /// What to call it in a report.
    pub name: String,
    /// The game as the rules play it, from an empty board to where it is left. It ends by a chain
    /// or by a resignation, or not at all.
    pub game: Game,
    /// The last board as the file has it, if it does: one string a row, `r`, `b` and `.`.
    pub board: Option<Vec<String>>,
    /// What a reader of the report should know.
    pub notes: Vec<String>,
}

/// A game in a file: to be played, or with the reason why it is not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// To be played.
    Play(Script),
    /// No table can play it.
    Skip {
        /// What to call it in a report.
        name: String,
        /// Why none can.
        reason: String,
    },
    /// It is no record, or breaks the rules.
    Unreadable {
        /// What to call it in a report.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl Item {
    /// The game of a record, by the name that a report is to call it.
    pub fn of(name: &str, record: &Record) -> Item {
        let name = name.to_owned();
        if !record.setup.is_empty() {
            let stones = record.setup.len();
            let reason = format!("it starts from {stones} stones, and a table from none");
            return Item::Skip { name, reason };
        }
        let mut notes = Vec::new();
        match record.left_out {
            0 => {}
            1 => notes.push("1 variation left out".into()),
            n => notes.push(format!("{n} variations left out")),
        }
        let game = match record.end {
            None | Some(Outcome::Won { by: WonBy::Chain | WonBy::Resignation, .. }) => {
                record.replay()
            }
            // Neither a clock nor an absence is played again.
            Some(Outcome::Won { by: WonBy::Time, .. }) => {
                notes.push("won by time, left unfinished".into());
                record.position(record.plies.len())
            }
            Some(Outcome::Won { by: WonBy::Forfeit, .. }) => {
                notes.push("won by forfeit, left unfinished".into());
                record.position(record.plies.len())
            }
            Some(Outcome::Void(_)) => {
                notes.push("void, left unfinished".into());
                record.position(record.plies.len())
            }
        };
        match game {
            Ok(game) => Item::Play(Script { name, game, board: None, notes }),
            Err(error) => Item::Unreadable { name, reason: error.to_string() },
        }
    }

    /// The runs that the item comes to: one in each format if it is played at all.
    pub fn runs(&self, formats: &[Format]) -> impl Iterator<Item = (&Item, Format)> {
        let once = if matches!(self, Item::Play(_)) { formats.len() } else { 1 };
        formats.iter().take(once).map(move |&format| (self, format))
    }
}

impl Script {
    /// The table to open: the game's own rules, and no clock.
    pub fn options(&self) -> OptionsRequest {
        let rules = self.game.rules();
        let (game, collision) = wire::kind(rules.kind());
        OptionsRequest {
            preset: Some(Preset::Custom),
            rows: Some(rules.size().rows().into()),
            cols: Some(rules.size().cols().into()),
            game: Some(game),
            collision,
            swap: Some(wire::swap(rules.swap())),
            goal: Some(match rules.goal() {
                Goal::Join => options::Goal::Join,
                Goal::Avoid => options::Goal::Avoid,
            }),
            random_stones: Some(0),
            time: Some(Time::None {}),
            on_leave: Some(OnLeave::Claim),
            ..OptionsRequest::default()
        }
    }
}

/// The games of a file, each to be played or with the reason why not.
pub fn read(path: &Path, bytes: &[u8]) -> Vec<Item> {
    let stem = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
    let hint = RecordFormat::from_path(path);
    let by_look = std::str::from_utf8(bytes).ok().and_then(RecordFormat::of);
    if by_look == Some(RecordFormat::Cases) {
        let text = String::from_utf8_lossy(bytes);
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        return lines.map(|(number, line)| read_line(&format!("{stem}:{number}"), line)).collect();
    }
    match record::read(bytes, hint) {
        Ok(records) => match &records[..] {
            [record] => vec![Item::of(&stem, record)],
            records => {
                let numbered = (1..).zip(records);
                numbered.map(|(n, record)| Item::of(&format!("{stem}:{n}"), record)).collect()
            }
        },
        Err(error) => {
            vec![Item::Unreadable { name: stem.into_owned(), reason: error.to_string() }]
        }
    }
}

/// One line of a file of cases. What is wrong with it spoils this line only.
fn read_line(name: &str, line: &str) -> Item {
    let records = match record::read(line.as_bytes(), Some(RecordFormat::Cases)) {
        Ok(records) => records,
        Err(error) => return Item::Unreadable { name: name.into(), reason: error.to_string() },
    };
    let Some(record) = records.first() else {
        return Item::Unreadable { name: name.into(), reason: "there is no game in it".into() };
    };
    let mut item = Item::of(record.meta.id.as_deref().unwrap_or(name), record);
    if let Item::Play(script) = &mut item {
        script.board = final_board(line);
    }
    item
}

/// The last board that a referee has seen, in letters of colours: its `x` is seat 1's stone, and
/// red, as sides are not swapped in that form.
fn final_board(line: &str) -> Option<Vec<String>> {
    let game: Value = serde_json::from_str(line).ok()?;
    let rows = game.get("final_board")?.as_array()?.iter();
    rows.map(|row| Some(row.as_str()?.replace('x', "r").replace('o', "b"))).collect()
}
