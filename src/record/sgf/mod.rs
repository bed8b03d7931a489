//! Smart Game Format for Hex (`GM[11]`), in the standard's words and in the dialects of HexGui,
//! benzene and Little Golem.
//!
//! Black is red, joins top and bottom and moves first. The reader is our own: a general SGF crate
//! keeps neither the line nor the column of a value, and takes backslashes and brackets that
//! Little Golem does not escape for structure. Text is scanned without recursion, so nesting
//! costs no stack.

mod lex;
mod read;
mod tree;
mod values;
mod write;

pub(super) use read::read;
pub(super) use write::write;

use crate::game::{Color, Void};

/// `B` for red, `W` for blue.
const fn letter(color: Color) -> char {
    match color {
        Color::Red => 'B',
        Color::Blue => 'W',
    }
}

/// The property of our own that tells why a game has no result; other readers skip it.
const VOID_REASON: &str = "XV";

/// The property of our own that marks a move of the computer.
const CPU: &str = "XC";

const fn void_word(void: Void) -> &'static str {
    match void {
        Void::Aborted => "aborted",
        Void::NotStarted => "not_started",
        Void::Abandoned => "abandoned",
    }
}
