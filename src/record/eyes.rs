//! A game of Dark Hex as one of its players saw it, at any ply.
//!
//! Owns no knowledge of its own: what a seat knows is the rules' to say ([`Game::known`]), and it
//! follows from the seat's own attempts alone. The end uncovers nothing here: these are the eyes of
//! whoever played, before anybody told them.

use crate::game::{Cell, Color, Game, Seat};

/// Whose eyes a game is seen with. In Hex all see the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Eyes {
    /// All stones and attempts.
    #[default]
    Umpire,
    /// What this seat knew: its own stones, and those that it had run into.
    Seat(Seat),
}

impl Eyes {
    /// The stone that these eyes see on a cell of the board.
    pub fn stone(self, game: &Game, cell: Cell) -> Option<Color> {
        match self {
            Eyes::Umpire => game.board().get(cell),
            Eyes::Seat(seat) => game.known(seat, cell),
        }
    }

    /// The stones that these eyes have only seen by running into them, in row-major order.
    pub fn found(self, game: &Game) -> Vec<Cell> {
        match self {
            Eyes::Umpire => Vec::new(),
            Eyes::Seat(seat) => game.found(seat).collect(),
        }
    }

    /// Whether these eyes know where a colour's attempts are made.
    pub fn follow(self, game: &Game, color: Color) -> bool {
        match self {
            Eyes::Umpire => true,
            Eyes::Seat(seat) => !game.is_dark() || game.color(seat) == color,
        }
    }

    /// The chain that decided the game, if these eyes see the whole of it.
    pub(super) fn winning_path(self, game: &Game) -> Option<Vec<Cell>> {
        let path = game.winning_path()?;
        path.iter().all(|&cell| self.stone(game, cell).is_some()).then_some(path)
    }
}
