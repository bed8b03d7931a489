//! What a seat's own view says, in the numbering of the search: its stones, the enemy stones that
//! it found, and when; and in which turns the other seat placed a stone or ran into one.

use std::sync::Arc;

use crate::cpu::Seen;
use crate::cpu::seen::Attempt;
use crate::game::Collision;

use super::field::{Field, Point, Side};

/// What a seat knows, from which everything that may be hidden follows.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The board.
    pub field: Arc<Field>,
    /// The side of the seat to move.
    pub side: Side,
    /// What running into a hidden stone costs.
    pub collision: Collision,
    /// The seat's stones, each with the number of the attempt that placed it.
    pub own: Vec<(Point, usize)>,
    /// The enemy stones that the seat found, by the attempt that found them.
    pub found: Vec<(Point, usize)>,
    /// The other seat's attempts, in order.
    pub theirs: Vec<Theirs>,
    /// The cells of which the seat knows nothing.
    pub unknown: Vec<Point>,
}

/// An attempt of the other seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theirs {
    /// Which of all attempts it was, from 0.
    pub at: usize,
    /// Whether it ran into a stone of this seat.
    pub collided: bool,
}

impl Facts {
    /// What the view says. Where stones and attempts do not fit each other, as no game has it, the
    /// stones count: found stones were there from the start, and more tries are supposed.
    pub fn of(seen: &Seen) -> Facts {
        let field = Arc::new(Field::new(seen.size));
        let side = Field::side(seen.color);
        let (collision, attempts) = match &seen.dark {
            Some(dark) => (dark.collision, dark.attempts.as_slice()),
            None => (Collision::Classical, [].as_slice()),
        };
        let mut tried = vec![None; field.cells()];
        let mut theirs = Vec::new();
        for (at, attempt) in attempts.iter().enumerate() {
            match *attempt {
                Attempt::Own { cell, .. } if seen.size.contains(cell) => {
                    tried[seen.size.index(cell)] = Some(at);
                }
                Attempt::Own { .. } => {}
                Attempt::Theirs { collided } => theirs.push(Theirs { at, collided }),
            }
        }
        let mut facts = Facts {
            side,
            collision,
            own: Vec::new(),
            found: Vec::new(),
            theirs,
            unknown: Vec::new(),
            field,
        };
        let mut free = vec![true; facts.field.cells()];
        for &(cell, color) in seen.stones.iter().filter(|(cell, _)| seen.size.contains(*cell)) {
            let index = seen.size.index(cell);
            free[index] = false;
            let (point, at) = (index as Point, tried[index]);
            if Field::side(color) == side {
                facts.own.push((point, at.unwrap_or(0)));
            } else {
                facts.found.push((point, at.unwrap_or(usize::MAX)));
            }
        }
        facts.found.sort_unstable_by_key(|&(cell, at)| (at, cell));
        facts.unknown =
            (0..facts.field.cells() as Point).filter(|&cell| free[usize::from(cell)]).collect();
        facts
    }

    /// In how many of its attempts the other seat placed a stone.
    pub fn placed(&self) -> usize {
        self.theirs.iter().filter(|attempt| !attempt.collided).count()
    }

    /// How many stones of the other seat are on the board and not found; at least one cell stays
    /// empty, or the game were over.
    pub fn hidden(&self) -> usize {
        let hidden = self.placed().saturating_sub(self.found.len());
        hidden.min(self.unknown.len().saturating_sub(1))
    }
}
