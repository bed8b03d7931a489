//! From a record to SGF.

use std::fmt::Write;

use super::super::{Action, Reading, Record, WriteError};
use super::{letter, void_word};
use crate::game::clock::Control;
use crate::game::{Collision, Color, Game, Goal, Kind, Outcome, Swap, WonBy};

/// A record as an SGF game, one node a line. Of a game of Dark Hex the stones that were placed; what
/// ran into others stands in comments.
pub(in crate::record) fn write(record: &Record) -> Result<String, WriteError> {
    let game = record.replay()?;
    let mut sgf = String::from("(;FF[4]GM[11]CA[UTF-8]AP[hexhall]");
    let (rows, cols) = (record.size.rows(), record.size.cols());
    if rows == cols {
        let _ = write!(sgf, "SZ[{rows}]");
    } else {
        let _ = write!(sgf, "SZ[{cols}:{rows}]");
    }
    put(&mut sgf, "RU", Some(rules_text(record)));
    put(&mut sgf, "GN", record.meta.id.as_deref());
    put(&mut sgf, "EV", record.meta.event.as_deref());
    put(&mut sgf, "DT", record.meta.date.as_deref());
    for (name, color) in [("PB", Color::Red), ("PW", Color::Blue)] {
        put(&mut sgf, name, record.players[game.seat(color).index()].as_deref());
    }
    if let Some(time) = record.meta.time {
        put_time(&mut sgf, time);
    }
    put(&mut sgf, "RE", Some(&*result_text(&game)));
    if let Some(Outcome::Void(void)) = record.end {
        put(&mut sgf, super::VOID_REASON, Some(void_word(void)));
    }
    for (name, color) in [("AB", Color::Red), ("AW", Color::Blue)] {
        let mut stones = record.setup.iter().filter(|stone| stone.0 == color).peekable();
        if stones.peek().is_some() {
            sgf.push_str(name);
        }
        for (_, cell) in stones {
            let _ = write!(sgf, "[{cell}]");
        }
    }
    let mut tried = Vec::new();
    for ply in &record.plies {
        let color = letter(ply.color);
        let _ = match ply.action {
            Action::Place(cell) => write!(sgf, "\n;{color}[{cell}]"),
            Action::SwapSides => write!(sgf, "\n;{color}[swap-sides]"),
            Action::SwapPieces => write!(sgf, "\n;{color}[swap-pieces]"),
            Action::Collision(cell) => {
                tried.push(format!("{} {cell}", ply.color));
                continue;
            }
        };
        if let Some(Reading { left_ms, periods }) = ply.clock {
            let _ = write!(sgf, "{color}L[{}]", seconds(left_ms));
            if periods > 0 {
                let _ = write!(sgf, "O{color}[{periods}]");
            }
        }
        put(&mut sgf, super::CPU, ply.cpu.then_some("1"));
        put_tried(&mut sgf, &mut tried);
    }
    if !tried.is_empty() {
        sgf.push_str("\n;");
        put_tried(&mut sgf, &mut tried);
    }
    sgf.push_str(")\n");
    Ok(sgf)
}

/// What was tried since the last stone, and ran into hidden ones, as a comment.
fn put_tried(sgf: &mut String, tried: &mut Vec<String>) {
    let taken = std::mem::take(tried).join(", ");
    if !taken.is_empty() {
        put(sgf, "C", Some(&format!("Tried before and found taken: {taken}")));
    }
}

/// A property of simple text, if there is any.
fn put(sgf: &mut String, name: &str, text: Option<&str>) {
    let Some(text) = text else { return };
    sgf.push_str(name);
    sgf.push('[');
    for c in text.chars() {
        match c {
            ']' | '\\' => sgf.extend(['\\', c]),
            _ if c.is_whitespace() => sgf.push(' '),
            _ => sgf.push(c),
        }
    }
    sgf.push(']');
}

/// The standard has no words for these, so they are our own; the reader knows them.
fn rules_text(record: &Record) -> &'static str {
    match record.kind {
        Kind::Hex => {}
        Kind::Dark(Collision::Classical) => return "Dark Hex, classical",
        Kind::Dark(Collision::Abrupt) => return "Dark Hex, abrupt",
    }
    match (record.goal, record.swap) {
        (Goal::Join, Swap::Off) => "Hex, no swap",
        (Goal::Join, Swap::Sides) => "Hex, swap-sides",
        (Goal::Join, Swap::Pieces) => "Hex, swap-pieces",
        (Goal::Avoid, Swap::Off) => "Rex, no swap",
        (Goal::Avoid, Swap::Sides) => "Rex, swap-sides",
        (Goal::Avoid, Swap::Pieces) => "Rex, swap-pieces",
    }
}

fn put_time(sgf: &mut String, time: Control) {
    let _ = match time {
        Control::None => write!(sgf, "OT[none]"),
        Control::PerTurn { turn_ms } => write!(sgf, "OT[{} per turn]", seconds(turn_ms)),
        Control::Fischer { initial_ms, increment_ms, cap_ms } => {
            let cap = cap_ms.map(|cap| format!(" cap {}", seconds(cap))).unwrap_or_default();
            let (initial, increment) = (seconds(initial_ms), seconds(increment_ms));
            write!(sgf, "TM[{initial}]OT[{increment} fischer{cap}]")
        }
        Control::ByoYomi { initial_ms, period_ms, periods } => {
            let (initial, period) = (seconds(initial_ms), seconds(period_ms));
            write!(sgf, "TM[{initial}]OT[{periods}x{period} byo-yomi]")
        }
    };
}

fn result_text(game: &Game) -> String {
    match game.outcome() {
        None => "?".into(),
        Some(Outcome::Void(_)) => "Void".into(),
        Some(Outcome::Won { winner, by }) => {
            let by = match by {
                WonBy::Chain => "",
                WonBy::Resignation => "Resign",
                WonBy::Time => "Time",
                WonBy::Forfeit => "Forfeit",
            };
            format!("{}+{by}", letter(game.color(winner)))
        }
    }
}

/// Milliseconds as seconds, with as many decimals as it takes.
fn seconds(millis: u64) -> String {
    let text = format!("{}.{:03}", millis / 1000, millis % 1000);
    text.trim_end_matches('0').trim_end_matches('.').into()
}
