//! Replies to an intrusion: which neighbours of the last stone to answer at.
//!
//! Two stones of a colour and two empty cells that both touch both of them are a bridge: whoever
//! enters one cell is answered in the other. Looked at from the cell that was entered, a bridge is
//! three neighbours in a row, own, empty, own, so that a table over the six neighbours finds all
//! of them at once. The border counts as stones, so bridges to an edge are found alike.

use super::table::CODES;
use crate::game::Color;

use crate::cpu::grid::Mark;

/// For each colour and each code around the last stone, the ways to answer: a bit for each.
#[derive(Clone, Debug)]
pub struct Replies([Box<[u8]>; 2]);

impl Replies {
    /// The replies that keep bridges.
    pub fn bridges() -> Replies {
        Replies([Color::Red, Color::Blue].map(|color| {
            let own = Mark::of(color) as usize;
            let ways = |code: usize| {
                let mark = |way: usize| code >> (2 * (way % 6)) & 3;
                let kept =
                    |way: &usize| mark(*way) == 0 && mark(way + 1) == own && mark(way + 5) == own;
                (0..6).filter(kept).fold(0, |bits, way| bits | 1 << way)
            };
            (0..CODES).map(ways).collect()
        }))
    }

    /// The ways in which a colour answers a stone that has this code around it.
    pub fn of(&self, color: Color, code: usize) -> u8 {
        self.0[color.index()][code]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::grid::{Geometry, Grid};
    use crate::game::{Cell, Size};

    /// The cells with which red answers a blue stone that was just placed.
    fn answers(size: (u64, u64), red: &[&str], blue: &[&str], placed: &str) -> Vec<String> {
        let size = Size::new(size.0, size.1).unwrap();
        let mut grid = Grid::new(Geometry::new(size).into());
        let geometry = grid.geometry().clone();
        let point = |text: &str| geometry.point(text.parse::<Cell>().unwrap());
        red.iter().for_each(|text| grid.set(point(text), Mark::Red));
        blue.iter().for_each(|text| grid.set(point(text), Mark::Blue));
        grid.set(point(placed), Mark::Blue);
        let ways = Replies::bridges().of(Color::Red, grid.code(point(placed)));
        let neighbour = |way| geometry.cell(geometry.neighbour(point(placed), way)).to_string();
        (0..6).filter(|way| ways >> way & 1 == 1).map(neighbour).collect()
    }

    #[test]
    fn a_bridge_that_is_entered_is_kept_in_its_other_cell() {
        assert_eq!(answers((5, 5), &["c2", "b4"], &[], "b3"), ["c3"]);
        assert_eq!(answers((5, 5), &["c2", "b4"], &[], "c3"), ["b3"]);
    }

    #[test]
    fn a_bridge_to_an_edge_is_kept() {
        assert_eq!(answers((5, 5), &["c2"], &[], "c1"), ["d1"]);
        assert_eq!(answers((5, 5), &["c4"], &[], "b5"), ["c5"]);
    }

    #[test]
    fn a_bridge_that_is_broken_or_whole_calls_for_nothing() {
        assert!(answers((5, 5), &["c2", "b4"], &["c3"], "b3").is_empty());
        assert!(answers((5, 5), &["c2", "b4", "c3"], &[], "b3").is_empty());
    }
}
