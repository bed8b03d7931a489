//! Who wins, by trying everything: what the tests of all that is cleverer compare with.

use std::collections::HashMap;
use std::sync::Arc;

use proptest::prelude::*;

use crate::cpu::connections::board::Board;
use crate::cpu::grid::{Geometry, Grid, Mark};
use crate::game::{Cell, Color, Size};

/// A search that remembers. Boards of up to 64 cells, few of them empty.
#[derive(Default)]
pub(crate) struct Exhaustive {
    known: HashMap<(u64, u64, Color), bool>,
}

impl Exhaustive {
    /// Who wins.
    pub fn winner(&mut self, board: &Board<1>, to_move: Color) -> Color {
        if self.wins(board, to_move) { to_move } else { to_move.other() }
    }

    fn wins(&mut self, board: &Board<1>, to_move: Color) -> bool {
        let bits = |color: Color| board.stones[color.index()].iter().fold(0, |b, c| b | 1u64 << c);
        let key = (bits(Color::Red), bits(Color::Blue), to_move);
        if let Some(&wins) = self.known.get(&key) {
            return wins;
        }
        let wins = match board.winner() {
            Some(winner) => winner == to_move,
            None => {
                let other = to_move.other();
                board.empty().iter().any(|cell| !self.wins(&board.with(cell, to_move), other))
            }
        };
        self.known.insert(key, wins);
        wins
    }
}

/// Positions of up to 5x5 cells with at most so many empty.
pub(crate) fn positions(most_empty: usize) -> impl Strategy<Value = Grid> {
    let size = (1..=5u64, 1..=5u64);
    size.prop_flat_map(move |(rows, cols)| {
        let cells = (rows * cols) as usize;
        let marks = Just((0..cells).collect::<Vec<_>>()).prop_shuffle();
        (
            Just((rows, cols)),
            marks,
            most_empty.min(cells).div_ceil(2)..=most_empty.min(cells),
            any::<u32>(),
        )
    })
    .prop_map(|((rows, cols), order, empty, colors)| {
        let mut grid = empty_grid(rows, cols);
        let points = grid.geometry().points().to_vec();
        for (turn, &at) in order[empty..].iter().enumerate() {
            let mark = if colors >> turn & 1 == 0 { Mark::Red } else { Mark::Blue };
            grid.set(points[at], mark);
        }
        grid
    })
}

/// An empty board.
pub(crate) fn empty_grid(rows: u64, cols: u64) -> Grid {
    Grid::new(Arc::new(Geometry::new(Size::new(rows, cols).unwrap())))
}

/// A board with these stones, cells written with blanks between them.
pub(crate) fn grid(rows: u64, cols: u64, red: &str, blue: &str) -> Grid {
    let mut grid = empty_grid(rows, cols);
    for (cells, mark) in [(red, Mark::Red), (blue, Mark::Blue)] {
        for cell in cells.split_whitespace() {
            let point = grid.geometry().point(cell.parse().unwrap());
            grid.set(point, mark);
        }
    }
    grid
}

/// The position with colours exchanged, and mirrored so that each keeps its edges.
pub(crate) fn exchanged(grid: &Grid) -> Grid {
    let size = grid.geometry().size();
    let mut other = empty_grid(size.cols().into(), size.rows().into());
    for cell in size.iter() {
        if let Some(color) = grid.at(grid.geometry().point(cell)).color() {
            let point = other.geometry().point(cell.mirrored());
            other.set(point, Mark::of(color.other()));
        }
    }
    other
}

/// The cells of points, as text.
pub(crate) fn names(grid: &Grid, points: impl IntoIterator<Item = u16>) -> Vec<String> {
    points.into_iter().map(|point| grid.geometry().cell(point).to_string()).collect()
}

/// A cell by its text.
pub(crate) fn cell(text: &str) -> Cell {
    text.parse().unwrap()
}
