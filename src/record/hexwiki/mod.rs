//! Diagrams as HexWiki's authors write them, in the old `<hex>` tag and the new `<hexboard>` tag.
//!
//! A diagram has stones, some of them numbered, and marks. It carries no names, no clocks and no
//! end. A record becomes the diagram of its last position, in which a stone's number is that of
//! the move that placed it; from the numbers a reader gets the moves back, swaps included.

mod board;
mod canvas;
mod hex;

use canvas::Canvas;

use super::error::{ReadError, Reason, Source};
use super::format::MAX_RECORDS;
use super::{Action, Record, RecordError, RecordPly};
use crate::game::{Cell, Color, Size, Swap};

/// A diagram: a board, its stones in the order of their placement, and its marks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// The board.
    pub size: Size,
    /// Whether rows and columns are labelled.
    pub coordinates: bool,
    /// The stones, at most one a cell.
    pub stones: Vec<Stone>,
    /// The marks.
    pub marks: Vec<Mark>,
}

/// A stone of a diagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stone {
    /// Its colour.
    pub color: Color,
    /// Where it stands.
    pub cell: Cell,
    /// The number on it.
    pub number: Option<u32>,
}

/// A mark on a cell.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Mark {
    /// Where it stands.
    pub cell: Cell,
    /// What it looks like.
    pub kind: MarkKind,
}

/// What a mark looks like.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum MarkKind {
    /// A star.
    Star,
    /// A plus.
    Plus,
    /// A shaded cell.
    Shade,
    /// Anything else that is written on a cell.
    Label(String),
}

/// Every diagram of a text as a record. What stands outside the tags is skipped.
pub(super) fn read(text: &str) -> Result<Vec<Record>, ReadError> {
    let source = Source { text };
    let diagrams = diagrams(source)?;
    let record = |(place, diagram): &(&str, Diagram)| {
        diagram.to_record().map_err(|error| source.error_at(place, error))
    };
    diagrams.iter().map(record).collect()
}

/// Every diagram of a text, with the tag that it stands in.
fn diagrams(source: Source<'_>) -> Result<Vec<(&str, Diagram)>, ReadError> {
    let mut diagrams = Vec::new();
    let mut rest = source.text;
    while let Some(at) = rest.find("<hex") {
        let tag = &rest[at..];
        let after_name = tag.trim_start_matches(|c: char| c == '<' || c.is_ascii_alphabetic());
        let (diagram, length) = match &tag[1..tag.len() - after_name.len()] {
            "hex" => hex::read(source, tag)?,
            "hexboard" => board::read(source, tag)?,
            _ => {
                rest = after_name;
                continue;
            }
        };
        if diagrams.len() == MAX_RECORDS {
            let reason = Reason::TooMuch { max: MAX_RECORDS, unit: "diagrams" };
            return Err(source.error_at(tag, reason));
        }
        diagrams.push((&tag[..length.min(4)], diagram));
        rest = &tag[length..];
    }
    Ok(diagrams)
}

impl Diagram {
    /// Every diagram of a text.
    pub fn read(text: &str) -> Result<Vec<Diagram>, ReadError> {
        let diagrams = diagrams(Source { text })?;
        Ok(diagrams.into_iter().map(|(_, diagram)| diagram).collect())
    }

    /// The diagram of a record's last position.
    pub fn of(record: &Record) -> Result<Diagram, RecordError> {
        record.replay()?;
        let mut canvas = Canvas::new(record.size);
        canvas.coordinates = true;
        for &(color, cell) in &record.setup {
            canvas.put(Stone { color, cell, number: None });
        }
        let mut last = Cell::new(0, 0);
        for (number, ply) in (1..).zip(record.stones()) {
            match ply.action {
                Action::Place(cell) | Action::Collision(cell) => {
                    canvas.put(Stone { color: ply.color, cell, number: Some(number) });
                    last = cell;
                }
                Action::SwapSides => {}
                Action::SwapPieces => {
                    canvas.clear(last);
                    let cell = last.mirrored();
                    canvas.put(Stone { color: ply.color, cell, number: Some(number) });
                }
            }
        }
        Ok(canvas.finished())
    }

    /// The diagram in the old tag.
    pub fn to_hex_tag(&self) -> String {
        hex::write(self)
    }

    /// The diagram in the new tag.
    pub fn to_hexboard_tag(&self) -> String {
        board::write(self)
    }

    /// The record that the numbers tell, or else one without moves in which every stone was set
    /// up.
    fn to_record(&self) -> Result<Record, RecordError> {
        let mut record = self.moves().unwrap_or_else(|| {
            let mut record = Record::new(self.size);
            record.setup = self.stones.iter().map(|stone| (stone.color, stone.cell)).collect();
            record
        });
        let game = record.position(record.plies.len())?;
        record.settle_by(&game);
        Ok(record)
    }

    /// The numbered stones as moves after the others, where that is a game by the rules.
    fn moves(&self) -> Option<Record> {
        let mut record = Record::new(self.size);
        let (mut numbered, others): (Vec<&Stone>, Vec<&Stone>) =
            self.stones.iter().partition(|stone| stone.number.is_some());
        record.setup = others.iter().map(|stone| (stone.color, stone.cell)).collect();
        numbered.sort_by_key(|stone| stone.number);
        let numbers: Vec<u32> = numbered.iter().filter_map(|stone| stone.number).collect();
        let place = |stone: &Stone| RecordPly {
            color: stone.color,
            action: Action::Place(stone.cell),
            clock: None,
            cpu: false,
        };
        record.plies = numbered.iter().map(|stone| place(stone)).collect();
        let swap = |action| RecordPly { color: Color::Blue, action, clock: None, cpu: false };
        match numbers[..] {
            [] | [1] => {}
            // The second move left no stone: it was a swap of sides.
            [1, 3, ..] => {
                record.swap = Swap::Sides;
                record.plies.insert(1, swap(Action::SwapSides));
            }
            [1, 2, ..] => {}
            // The first stone is gone: it was swapped for the second, its mirror image.
            [2, ..] if others.is_empty() && self.size.is_square() => {
                record.swap = Swap::Pieces;
                let first = numbered[0].cell.mirrored();
                let first = Stone { color: Color::Red, cell: first, number: Some(1) };
                record.plies.splice(..1, [place(&first), swap(Action::SwapPieces)]);
            }
            _ => return None,
        }
        let last = numbers.last().copied().unwrap_or(0);
        let whole = usize::try_from(last) == Ok(record.plies.len());
        (whole && record.position(record.plies.len()).is_ok()).then_some(record)
    }
}
