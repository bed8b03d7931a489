//! Playouts: games played to a full board by a policy that is quick rather than good.
//!
//! On a full board exactly one colour has joined its edges, so nobody needs to watch for it on the
//! way: the winner is read off once, at the end, by [`Grid::winner_of_full`].

use crate::game::Color;

use super::{Replies, Weights};
use crate::cpu::dice::Dice;
use crate::cpu::grid::{Grid, Mark, Point};

/// How the moves of a playout are drawn.
#[derive(Clone, Debug)]
pub enum Policy {
    /// Evenly.
    Even,
    /// Evenly, but bridges that are entered are kept.
    Bridges(Replies),
    /// By learned weights.
    Learned(&'static Weights),
}

/// How often a cell is drawn anew that its weight does not take.
const DRAWS: usize = 6;

/// A board that is filled again and again.
#[derive(Clone, Debug)]
pub struct Playout {
    grid: Grid,
    /// The empty points, in no order.
    open: Vec<Point>,
    /// Where a point stands in `open`.
    place: Vec<u16>,
}

impl Playout {
    /// For boards like this one.
    pub fn new(grid: &Grid) -> Playout {
        let cells = grid.geometry().points().len();
        Playout {
            grid: grid.clone(),
            open: Vec::with_capacity(cells),
            place: vec![0; grid.geometry().len()],
        }
    }

    /// The board as the last playout left it: full.
    pub fn filled(&self) -> &Grid {
        &self.grid
    }

    /// Plays from a position to the end, and tells who joined their edges. `last` is the stone
    /// that was placed last, where there is one.
    pub fn run(
        &mut self,
        from: &Grid,
        to_move: Color,
        last: Option<Point>,
        policy: &Policy,
        dice: &mut Dice,
    ) -> Color {
        self.grid.copy_from(from);
        self.open.clear();
        self.open.extend(from.empty());
        match policy {
            Policy::Even => self.fill_evenly(to_move, dice),
            Policy::Bridges(replies) => {
                self.fill(to_move, last, dice, |playout, color, last, dice| {
                    last.and_then(|last| playout.reply(last, color, replies, dice))
                        .unwrap_or_else(|| playout.open[dice.below(playout.open.len())])
                })
            }
            Policy::Learned(weights) => {
                self.fill(to_move, last, dice, |playout, color, last, dice| {
                    playout.draw(color, last, weights, dice)
                })
            }
        }
        self.grid.winner_of_full()
    }

    fn fill_evenly(&mut self, mut color: Color, dice: &mut Dice) {
        while !self.open.is_empty() {
            let point = self.open.swap_remove(dice.below(self.open.len()));
            self.grid.set(point, Mark::of(color));
            color = color.other();
        }
    }

    /// Fills the board with what `choose` chooses for a colour after the last stone.
    fn fill(
        &mut self,
        mut color: Color,
        mut last: Option<Point>,
        dice: &mut Dice,
        choose: impl Fn(&Playout, Color, Option<Point>, &mut Dice) -> Point,
    ) {
        for (place, &point) in self.open.iter().enumerate() {
            self.place[usize::from(point)] = place as u16;
        }
        while !self.open.is_empty() {
            let point = choose(self, color, last, dice);
            self.place(point, color);
            last = Some(point);
            color = color.other();
        }
    }

    /// A point drawn by weight: beside the last stone, or anywhere.
    fn draw(&self, color: Color, last: Option<Point>, weights: &Weights, dice: &mut Dice) -> Point {
        let side = weights.of(color);
        if let Some(last) = last {
            let sums = side.beside(self.grid.code(last));
            let mark = dice.unit() * (sums[5] + self.open.len() as f32);
            if mark < sums[5] {
                let way = sums.iter().filter(|&&sum| sum <= mark).count();
                let point = self.grid.geometry().neighbour(last, way);
                if self.grid.at(point) == Mark::Empty {
                    return point;
                }
            }
        }
        let mut point = self.open[dice.below(self.open.len())];
        for _ in 1..DRAWS {
            if dice.unit() < side.taken(self.grid.code(point)) {
                break;
            }
            point = self.open[dice.below(self.open.len())];
        }
        point
    }

    /// The answer to the last stone, if it calls for one.
    fn reply(
        &self,
        last: Point,
        color: Color,
        replies: &Replies,
        dice: &mut Dice,
    ) -> Option<Point> {
        let mut ways = replies.of(color, self.grid.code(last));
        if ways == 0 {
            return None;
        }
        for _ in 0..dice.below(ways.count_ones() as usize) {
            ways &= ways - 1;
        }
        Some(self.grid.geometry().neighbour(last, ways.trailing_zeros() as usize))
    }

    fn place(&mut self, point: Point, color: Color) {
        self.grid.set(point, Mark::of(color));
        let place = usize::from(self.place[usize::from(point)]);
        self.open.swap_remove(place);
        if let Some(&moved) = self.open.get(place) {
            self.place[usize::from(moved)] = place as u16;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cpu::grid::Geometry;
    use crate::game::{Board, Size};

    proptest! {
        #[test]
        fn whoever_joins_on_the_full_board_joins_by_the_rules_too(
            (rows, cols, seed, policy) in (1..8u64, 1..8u64, any::<u64>(), 0..3usize)
        ) {
            let size = Size::new(rows, cols).unwrap();
            let grid = Grid::new(Geometry::new(size).into());
            let policies = [Policy::Even, Policy::Bridges(Replies::bridges()), Policy::Learned(Weights::learned())];
            let mut playout = Playout::new(&grid);
            let dice = &mut Dice::new(seed);
            let winner = playout.run(&grid, Color::Red, None, &policies[policy], dice);
            let (filled, geometry) = (playout.filled(), grid.geometry());
            let mut board = Board::new(size);
            let mut joined = Vec::new();
            for cell in size.iter() {
                let color = filled.at(geometry.point(cell)).color().unwrap();
                if board.place(cell, color) && !joined.contains(&color) {
                    joined.push(color);
                }
            }
            prop_assert_eq!(joined, [winner]);
            let reds = board.stones().filter(|&(_, color)| color == Color::Red).count();
            prop_assert_eq!(reds, size.cells().div_ceil(2));
        }

        #[test]
        fn the_empty_points_are_the_empty_cells(cells in proptest::collection::vec(0..30usize, 0..20)) {
            let size = Size::new(5, 6).unwrap();
            let mut grid = Grid::new(Geometry::new(size).into());
            let mut board = Board::new(size);
            for (nth, cell) in cells.into_iter().map(|index| size.cell(index)).enumerate() {
                if board.get(cell).is_none() {
                    let color = if nth % 2 == 0 { Color::Red } else { Color::Blue };
                    board.place(cell, color);
                    grid.set(grid.geometry().point(cell), Mark::of(color));
                }
            }
            let empty: Vec<_> = grid.empty().map(|point| grid.geometry().cell(point)).collect();
            prop_assert_eq!(empty, board.empty_cells().collect::<Vec<_>>());
        }
    }
}
