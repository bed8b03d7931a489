//! Cells that a player of Hex need not think about: some do not matter at all, some are as good as
//! taken, and some are worse than others.
//!
//! All of it holds for Hex, where joining wins, and not for Rex. Every judgement comes from two
//! facts that are worked out rather than listed: which of the 3^6 surroundings make a cell dead
//! (`dead`), and which regions reach an edge. A pair of cells is captured, and a move vulnerable
//! or dominated, if a stone beside them makes them dead.
//!
//! After Hayward and van Rijswijck, "Hex and combinatorics" (2006), and Henderson and Hayward,
//! "Captured-reversible moves and star decomposition domination in Hex" (2013).

mod dead;
mod fill;
mod prune;

pub use fill::Reason;
pub use prune::Why;

pub(crate) use fill::fill;
pub(crate) use prune::{Pruned, prune};

use crate::game::Color;

use super::connections::board::Board;
use super::connections::by_size;
use super::grid::{Grid, Point};

/// What need not be thought about in a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inferior {
    /// Stones that may be added without changing who wins.
    pub fill: Vec<(Point, Color, Reason<Point>)>,
    /// Moves that the side to move need not try once these stones are on the board. Never all.
    pub pruned: Vec<(Point, Why<Point>)>,
}

/// Finds what need not be thought about by the side to move.
pub fn inferior(grid: &Grid, to_move: Color) -> Inferior {
    let cells = grid.geometry().size().cells();
    by_size!(cells, inferior_sized(grid, to_move), inferior_sized::<44>(grid, to_move))
        .unwrap_or_default()
}

fn inferior_sized<const W: usize>(grid: &Grid, to_move: Color) -> Option<Inferior> {
    let mut board = Board::<W>::of(grid)?;
    let point = |cell: u16| grid.geometry().points()[usize::from(cell)];
    let mut stones = Vec::new();
    fill(&mut board, &mut |cell, color, reason| {
        let reason = match reason {
            Reason::Dead => Reason::Dead,
            Reason::CutOff => Reason::CutOff,
            Reason::Captured(other) => Reason::Captured(point(other)),
        };
        stones.push((point(cell), color, reason));
    });
    let why = |why| match why {
        Why::Vulnerable(by) => Why::Vulnerable(point(by)),
        Why::Dominated(by) => Why::Dominated(point(by)),
    };
    let pruned = prune(&board, to_move).why;
    let pruned = pruned.into_iter().map(|(cell, reason)| (point(cell), why(reason))).collect();
    Some(Inferior { fill: stones, pruned })
}

#[cfg(test)]
mod tests;
