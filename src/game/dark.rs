//! Dark Hex (Kriegspiel Hex): what a try at a hidden stone does, and what each seat knows.
//!
//! A seat knows its own stones and the enemy stones that it has found by trying their cells, and
//! nothing else. Invariant: whether an attempt is legal, and what may be tried, follow from the
//! mover's own knowledge alone, so that a refusal tells nobody anything.

use std::collections::BTreeSet;

use super::cell::{Cell, Color, Seat};
use super::hex::Game;
use super::rules::Move;

/// What becomes of the turn when a seat tries a cell that holds a hidden enemy stone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Collision {
    /// The mover moves again.
    #[default]
    Classical,
    /// The turn passes.
    Abrupt,
}

/// Which game is played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Kind {
    /// Everybody sees every stone.
    #[default]
    Hex,
    /// Seats see their own stones, and what they have run into.
    Dark(Collision),
}

impl Kind {
    /// Whether stones are hidden.
    pub const fn is_dark(self) -> bool {
        matches!(self, Kind::Dark(_))
    }
}

/// The enemy stones that each seat has found, in row-major order. Empty where nothing is hidden.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Found([BTreeSet<Cell>; 2]);

impl Found {
    pub(super) fn add(&mut self, seat: Seat, cell: Cell) {
        self.0[seat.index()].insert(cell);
    }

    fn of(&self, seat: Seat) -> &BTreeSet<Cell> {
        &self.0[seat.index()]
    }
}

impl Game {
    /// Whether stones are hidden in this game.
    pub fn is_dark(&self) -> bool {
        self.rules().kind().is_dark()
    }

    /// The enemy stones that a seat has found, in row-major order; none in Hex, which hides none.
    pub fn found(&self, seat: Seat) -> impl Iterator<Item = Cell> {
        self.hits().of(seat).iter().copied()
    }

    /// The stone that a seat knows to stand on a cell of the board.
    pub fn known(&self, seat: Seat, cell: Cell) -> Option<Color> {
        let stone = self.board().get(cell)?;
        let hidden =
            self.is_dark() && stone != self.color(seat) && !self.hits().of(seat).contains(&cell);
        (!hidden).then_some(stone)
    }

    /// Whether this move of the seat runs into a stone that is hidden from it.
    pub fn runs_into(&self, seat: Seat, action: Move) -> bool {
        let Move::Place(cell) = action else { return false };
        self.is_dark()
            && self.rules().size().contains(cell)
            && self.board().get(cell).is_some()
            && self.known(seat, cell).is_none()
    }

    /// Whether the turn passes by this move of the seat to move.
    pub fn passes_turn(&self, seat: Seat, action: Move) -> bool {
        self.rules().kind() != Kind::Dark(Collision::Classical) || !self.runs_into(seat, action)
    }
}
