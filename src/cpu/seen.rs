//! What a seat sees of a game when it is its turn: all that the computer decides from.
//!
//! It is read from a view, which holds what the seat may know and no more. Where stones are
//! hidden, the attempts of the other seat stand here without their cells.

use hexhall_proto::options as wire_options;
use hexhall_proto::parts;
use hexhall_proto::view::{GameView, PlayedMove, View};

use crate::game::{Cell, Collision, Color, Goal, Move, Size, Swap};

/// A game as the seat to move sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// The board's.
    pub size: Size,
    /// Who wins: who joins their edges, or who does not.
    pub goal: Goal,
    /// The colour of the seat to move.
    pub color: Color,
    /// The stones that it sees, in row-major order.
    pub stones: Vec<(Cell, Color)>,
    /// What it may do about the first stone instead of placing its own.
    pub may_swap: Option<Swap>,
    /// Whether the other seat may answer the move by a swap, and which.
    pub may_be_swapped: Option<Swap>,
    /// What it knows of stones that are hidden, in Dark Hex.
    pub dark: Option<Dark>,
}

/// What a seat knows of a game whose stones are hidden from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dark {
    /// What running into a hidden stone costs.
    pub collision: Collision,
    /// Every attempt so far, in order.
    pub attempts: Vec<Attempt>,
}

/// One attempt, as the seat to move knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attempt {
    /// The seat's own: where, and whether a hidden stone stood there.
    Own {
        /// Where.
        cell: Cell,
        /// Whether it found a stone, and placed none.
        collided: bool,
    },
    /// The other seat's: only whether it found one of this seat's stones, and placed none.
    Theirs {
        /// Whether it found a stone.
        collided: bool,
    },
}

impl Seen {
    /// What the view's own seat sees, if it has the move in a running game.
    pub fn of(view: &View) -> Option<Seen> {
        let game = view.game.as_ref()?;
        let seat = match view.viewer {
            parts::Viewer::SeatOne => parts::Seat::One,
            parts::Viewer::SeatTwo => parts::Seat::Two,
            parts::Viewer::Both => game.to_move?,
            parts::Viewer::Spectator => return None,
        };
        if game.to_move != Some(seat) || game.outcome.is_some() {
            return None;
        }
        let size = Size::new(u64::from(view.options.rows), u64::from(view.options.cols)).ok()?;
        let swap = match view.options.swap {
            wire_options::Swap::Off => None,
            wire_options::Swap::Sides => Some(Swap::Sides),
            wire_options::Swap::Pieces => Some(Swap::Pieces),
        };
        let fresh = game.opening.is_empty();
        Some(Seen {
            size,
            goal: match view.options.goal {
                wire_options::Goal::Join => Goal::Join,
                wire_options::Goal::Avoid => Goal::Avoid,
            },
            color: color(game.colors[seat as usize]),
            stones: stones(&game.board),
            may_swap: swap.filter(|_| fresh && game.moves.len() == 1),
            may_be_swapped: swap.filter(|_| fresh && game.moves.is_empty()),
            dark: dark(&view.options, game, seat),
        })
    }

    /// Whether the rules let the seat try this, as far as it can know.
    pub fn allows(&self, action: Move) -> bool {
        match action {
            Move::Swap => self.may_swap.is_some(),
            Move::Place(cell) => {
                self.size.contains(cell) && self.stones.iter().all(|&(taken, _)| taken != cell)
            }
        }
    }

    /// The cells that the seat may try, in row-major order.
    pub fn free_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.size.iter().filter(|&cell| self.allows(Move::Place(cell)))
    }

    /// What to try without any thought: of the free cells the one nearest the middle.
    pub fn middle(&self) -> Option<Cell> {
        let (rows, cols) = (i32::from(self.size.rows()), i32::from(self.size.cols()));
        let off_centre = |cell: &Cell| {
            let row = 2 * i32::from(cell.row) + 1 - rows;
            let col = 2 * i32::from(cell.col) + 1 - cols;
            row * row + row * col + col * col
        };
        self.free_cells().min_by_key(off_centre)
    }

    /// How many of the other seat's stones are on the board and not seen.
    pub fn hidden(&self) -> usize {
        let Some(dark) = &self.dark else { return 0 };
        let placed = |attempt: &&Attempt| matches!(attempt, Attempt::Theirs { collided: false });
        let theirs = dark.attempts.iter().filter(placed).count();
        let found = self.stones.iter().filter(|(_, color)| *color != self.color).count();
        theirs.saturating_sub(found)
    }
}

fn color(color: parts::Color) -> Color {
    match color {
        parts::Color::Red => Color::Red,
        parts::Color::Blue => Color::Blue,
    }
}

/// The stones of a board that is written one string a row.
fn stones(board: &[String]) -> Vec<(Cell, Color)> {
    let rows = (0..).zip(board);
    let cells = rows.flat_map(|(row, text)| {
        (0..).zip(text.bytes()).map(move |(col, letter)| (Cell::new(row, col), letter))
    });
    let stone = |(cell, letter)| match letter {
        b'r' => Some((cell, Color::Red)),
        b'b' => Some((cell, Color::Blue)),
        _ => None,
    };
    cells.filter_map(stone).collect()
}

fn dark(options: &wire_options::Options, game: &GameView, seat: parts::Seat) -> Option<Dark> {
    if options.game != wire_options::GameKind::Dark {
        return None;
    }
    let collision = match options.collision {
        Some(wire_options::Collision::Abrupt) => Collision::Abrupt,
        Some(wire_options::Collision::Classical) | None => Collision::Classical,
    };
    let attempt = |played: &PlayedMove| match (played.seat == seat, played.cell) {
        (true, Some(parts::Cell(row, col))) => {
            let cell = Cell::new(u8::try_from(row).ok()?, u8::try_from(col).ok()?);
            Some(Attempt::Own { cell, collided: played.collision })
        }
        (true, None) => None,
        (false, _) => Some(Attempt::Theirs { collided: played.collision }),
    };
    Some(Dark { collision, attempts: game.moves.iter().filter_map(attempt).collect() })
}
