//! The words of GTP as Hex programs use them: black is red, moves first and joins top and bottom;
//! `swap-pieces` and `resign` stand where a cell does.

use crate::cpu::Choice;
use crate::game::cell::NotACell;
use crate::game::{Color, Move};

/// The swap, as one is played and listed.
pub const SWAP: &str = "swap-pieces";
/// Giving up, as it is played and listed.
pub const RESIGN: &str = "resign";

/// A colour as it is told.
pub fn color(color: Color) -> &'static str {
    match color {
        Color::Red => "black",
        Color::Blue => "white",
    }
}

/// A colour as it may be told, with the game's own names for it.
pub fn read_color(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" | "red" => Some(Color::Red),
        "w" | "white" | "blue" => Some(Color::Blue),
        _ => None,
    }
}

/// What is played, as it is told.
pub fn choice(choice: Choice) -> String {
    match choice {
        Choice::Play(Move::Place(cell)) => cell.to_string(),
        Choice::Play(Move::Swap) => SWAP.to_owned(),
        Choice::Resign => RESIGN.to_owned(),
    }
}

/// What is played, as it may be told: in any case of letters.
pub fn read_choice(text: &str) -> Result<Choice, NotACell> {
    Ok(match text.to_ascii_lowercase().as_str() {
        SWAP => Choice::Play(Move::Swap),
        RESIGN => Choice::Resign,
        cell => Choice::Play(Move::Place(cell.parse()?)),
    })
}
