//! A diagram that is being drawn: every word may change what an earlier one drew.

use std::collections::HashSet;

use super::{Diagram, Mark, MarkKind, Stone};
use crate::game::{Cell, Size};

/// Stones by cell, each with its turn in the order of placement.
pub(super) struct Canvas {
    pub(super) size: Size,
    pub(super) coordinates: bool,
    stones: Box<[Option<(usize, Stone)>]>,
    placed: usize,
    marks: Vec<Mark>,
    marked: HashSet<Mark>,
}

impl Canvas {
    pub(super) fn new(size: Size) -> Canvas {
        Canvas {
            size,
            coordinates: false,
            stones: vec![None; size.cells()].into(),
            placed: 0,
            marks: Vec::new(),
            marked: HashSet::new(),
        }
    }

    /// Puts a stone, or the number on one that stands there already. A stone of the other colour
    /// takes its place.
    pub(super) fn put(&mut self, stone: Stone) {
        match &mut self.stones[self.size.index(stone.cell)] {
            Some((_, same)) if same.color == stone.color => {
                same.number = stone.number.or(same.number);
            }
            place => {
                *place = Some((self.placed, stone));
                self.placed += 1;
            }
        }
    }

    pub(super) fn clear(&mut self, cell: Cell) {
        self.stones[self.size.index(cell)] = None;
    }

    pub(super) fn mark(&mut self, cell: Cell, kind: MarkKind) {
        let mark = Mark { cell, kind };
        if self.marked.insert(mark.clone()) {
            self.marks.push(mark);
        }
    }

    pub(super) fn finished(self) -> Diagram {
        let mut stones: Vec<(usize, Stone)> = self.stones.into_iter().flatten().collect();
        stones.sort_by_key(|&(turn, _)| turn);
        Diagram {
            size: self.size,
            coordinates: self.coordinates,
            stones: stones.into_iter().map(|(_, stone)| stone).collect(),
            marks: self.marks,
        }
    }
}
