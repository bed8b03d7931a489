//! Why a text is not a record, and why a record has no such text.

use super::{Format, RecordError};
use crate::game::cell::{NotACell, NotASize};

/// Why a text was refused, and where. Nothing of it is kept.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}{}: {}{reason}", column_text(*.column), token_text(.token))]
pub struct ReadError {
    /// Counted from 1.
    pub line: usize,
    /// In characters, counted from 1.
    pub column: Option<usize>,
    /// What stood there, shortened; empty where nothing did.
    pub token: String,
    /// What is wrong with it.
    pub reason: Reason,
}

/// What is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Reason {
    /// It is not written as its format is; the text says what would be.
    #[error("{0}")]
    Syntax(String),
    /// A cell is not one.
    #[error("{0}")]
    Cell(#[from] NotACell),
    /// There is no such board.
    #[error("{0}")]
    Size(#[from] NotASize),
    /// It is a pass.
    #[error("there is no passing in Hex")]
    Pass,
    /// It does not fit the rules.
    #[error("{0}")]
    Record(#[from] RecordError),
    /// It is a game of Dark Hex in a format that does not tell what was tried.
    #[error("this is a game of Dark Hex, and only JSON tells all that was tried in it: read that")]
    DarkHex,
    /// It is SGF of another game.
    #[error("`GM[{0}]` is not Hex: Hex is `GM[11]`")]
    AnotherGame(String),
    /// It is more than anyone reads at once.
    #[error("this is too much to read at once: the most is {max} {unit}")]
    TooMuch {
        /// How much would do.
        max: usize,
        /// Of what.
        unit: &'static str,
    },
    /// It is not UTF-8.
    #[error("this is not UTF-8 text")]
    NotText,
    /// Nobody can tell what format it is.
    #[error("this is none of the formats that can be read: JSON, SGF, HexWorld, HexWiki")]
    UnknownFormat,
    /// The format can only be written.
    #[error("{0} can be written but not read")]
    WriteOnly(Format),
    /// There is no record in it.
    #[error("there is no game in it")]
    Empty,
}

impl Reason {
    /// A remark about how the text is written.
    pub(super) fn syntax(text: impl Into<String>) -> Reason {
        Reason::Syntax(text.into())
    }
}

/// Why a record has no text in a format.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WriteError {
    /// It does not fit the rules.
    #[error("{0}")]
    Record(#[from] RecordError),
    /// The format cannot say it.
    #[error("{format} has no word for {what}: choose JSON or SGF")]
    NoWordFor {
        /// The format.
        format: Format,
        /// What it cannot say.
        what: &'static str,
    },
    /// The format can only be read.
    #[error("{0} can be read but not written")]
    ReadOnly(Format),
    /// The encoder failed.
    #[error("this record cannot be encoded: {0}")]
    Encode(String),
}

/// A text that is being read, to tell places in it.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) text: &'a str,
}

impl<'a> Source<'a> {
    /// What is wrong at a byte of the text.
    pub(super) fn error(self, at: usize, token: &str, reason: impl Into<Reason>) -> ReadError {
        let at = (0..=at.min(self.text.len())).rev().find(|&at| self.text.is_char_boundary(at));
        let before = &self.text[..at.unwrap_or(0)];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        ReadError {
            line: 1 + before.bytes().filter(|&byte| byte == b'\n').count(),
            column: Some(1 + before[line_start..].chars().count()),
            token: shortened(token),
            reason: reason.into(),
        }
    }

    /// Where a part of the text begins. `part` is a slice of it.
    pub(super) fn offset(self, part: &'a str) -> usize {
        (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize)
    }

    /// What is wrong with a part of the text. `part` is a slice of it.
    pub(super) fn error_at(self, part: &'a str, reason: impl Into<Reason>) -> ReadError {
        self.error(self.offset(part), part, reason)
    }
}

/// As much of a token as is worth showing, on one line.
pub(super) fn shortened(token: &str) -> String {
    const SHOWN: usize = 40;
    let mut shown: String =
        token.chars().take(SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if token.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

fn column_text(column: Option<usize>) -> String {
    column.map(|column| format!(", column {column}")).unwrap_or_default()
}

fn token_text(token: &str) -> String {
    if token.is_empty() { String::new() } else { format!("`{token}`: ") }
}
