//! The position that a GTP session is at. Pure.
//!
//! GTP controllers place stones of either colour in any order, as HexGui does when it sets up a
//! position, so that this is no [`crate::game::Game`]: turns are not its concern. Stones are held
//! to the board, and steps are undone one by one.

use crate::cpu::{Choice, Seen};
use crate::game::{Board, Cell, Color, Goal, Move, Size, Swap};

/// One thing that was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A stone.
    Stone(Color, Cell),
    /// The first stone gives way to its mirror image in the other colour.
    SwapPieces,
    /// A colour gives up.
    Resign(Color),
}

impl Step {
    /// What this choice of a colour's is.
    pub fn of(color: Color, choice: Choice) -> Step {
        match choice {
            Choice::Play(Move::Place(cell)) => Step::Stone(color, cell),
            Choice::Play(Move::Swap) => Step::SwapPieces,
            Choice::Resign => Step::Resign(color),
        }
    }
}

/// Why a step cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// A stone stands there.
    #[error("illegal move: {0} is taken by a {1} stone")]
    Taken(Cell, Color),
    /// There is no such cell.
    #[error("illegal move: {0} is not on the board, which is {1}")]
    OffBoard(Cell, Size),
    /// There is nothing that could be swapped.
    #[error("illegal move: the swap answers the first stone, on a square board, and nothing else")]
    NoSwap,
}

/// A board, and what was played on it.
#[derive(Clone, Debug)]
pub struct Position {
    size: Size,
    /// Whether the second move may be a swap.
    pub swap: bool,
    steps: Vec<Step>,
    board: Board,
    joined: Option<Color>,
}

impl Position {
    /// An empty board.
    pub fn new(size: Size, swap: bool) -> Position {
        Position { size, swap, steps: Vec::new(), board: Board::new(size), joined: None }
    }

    /// The board's size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The stones.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whoever has won: by a chain, or because the other colour gave up.
    pub fn winner(&self) -> Option<Color> {
        match self.steps.last() {
            Some(Step::Resign(color)) => Some(color.other()),
            _ => self.joined,
        }
    }

    /// The stone that was placed last.
    pub fn last(&self) -> Option<Cell> {
        match (self.steps.last()?, self.steps.first()?) {
            (Step::Stone(_, cell), _) => Some(*cell),
            (Step::SwapPieces, Step::Stone(_, cell)) => Some(cell.mirrored()),
            _ => None,
        }
    }

    /// The colour that may swap, if one may.
    pub fn may_swap(&self) -> Option<Color> {
        match self.steps[..] {
            [Step::Stone(color, _)] if self.swap && self.size.is_square() => Some(color.other()),
            _ => None,
        }
    }

    /// Plays a step, or says why it cannot be played and leaves all as it was.
    pub fn play(&mut self, step: Step) -> Result<(), Refused> {
        match step {
            Step::Stone(_, cell) if !self.size.contains(cell) => {
                return Err(Refused::OffBoard(cell, self.size));
            }
            Step::Stone(_, cell) => {
                if let Some(by) = self.board.get(cell) {
                    return Err(Refused::Taken(cell, by));
                }
            }
            // A controller that says so has seen to it that the swap is part of its game.
            Step::SwapPieces => match self.steps[..] {
                [Step::Stone(..)] if self.size.is_square() => {}
                _ => return Err(Refused::NoSwap),
            },
            Step::Resign(_) => {}
        }
        self.take(step);
        Ok(())
    }

    /// Takes the last step back; says whether there was one.
    pub fn undo(&mut self) -> bool {
        let mut steps = std::mem::take(&mut self.steps);
        let undone = steps.pop().is_some();
        *self = Position::new(self.size, self.swap);
        for step in steps {
            self.take(step);
        }
        undone
    }

    /// What the computer sees when it plays this colour.
    pub fn seen(&self, color: Color) -> Seen {
        let pieces = (self.swap && self.size.is_square()).then_some(Swap::Pieces);
        let mut stones: Vec<(Cell, Color)> = self.board.stones().collect();
        stones.sort_unstable_by_key(|&(cell, _)| self.size.index(cell));
        Seen {
            size: self.size,
            goal: Goal::Join,
            color,
            stones,
            may_swap: pieces.filter(|_| self.may_swap() == Some(color)),
            may_be_swapped: pieces.filter(|_| self.steps.is_empty()),
            dark: None,
        }
    }

    fn take(&mut self, step: Step) {
        match (step, self.steps.first()) {
            (Step::Stone(color, cell), _) => self.place(cell, color),
            (Step::SwapPieces, Some(&Step::Stone(color, cell))) => {
                self.board = Board::new(self.size);
                self.joined = None;
                self.place(cell.mirrored(), color.other());
            }
            _ => {}
        }
        self.steps.push(step);
    }

    fn place(&mut self, cell: Cell, color: Color) {
        if self.board.place(cell, color) {
            self.joined = self.joined.or(Some(color));
        }
    }
}
