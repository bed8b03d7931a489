//! Who joins their edges by the very next stone.

use crate::game::Color;

use super::super::grid::{Grid, Mark, Point};

/// Finds chains at the edges, and the points that would join them.
#[derive(Clone, Debug)]
pub struct Threats {
    /// For each point, whether it touches the chains of the near edge (1), of the far one (2).
    touches: Vec<u8>,
    stack: Vec<Point>,
}

/// How near a colour is to joining its edges.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Nearness {
    /// They are joined.
    Joined,
    /// Any of these stones joins them.
    OneAway(Vec<Point>),
    /// No single stone does.
    Further,
}

impl Threats {
    /// For boards of this size.
    pub fn new(grid: &Grid) -> Threats {
        Threats { touches: vec![0; grid.geometry().len()], stack: Vec::new() }
    }

    /// How near a colour is.
    pub fn of(&mut self, grid: &Grid, color: Color) -> Nearness {
        self.touches.fill(0);
        let (rows, cols) = (grid.geometry().size().rows(), grid.geometry().size().cols());
        let (stride, last) = (grid.geometry().stride(), usize::from(rows) + 1);
        let sides = [1usize, 2].map(|side| match color {
            Color::Red => (1..=usize::from(cols))
                .map(|col| if side == 1 { stride + col } else { (last - 1) * stride + col })
                .collect::<Vec<_>>(),
            Color::Blue => (1..last)
                .map(|row| row * stride + if side == 1 { 1 } else { usize::from(cols) })
                .collect(),
        });
        let own = Mark::of(color);
        for (side, points) in (1u8..).zip(sides) {
            for point in points {
                self.touch(grid, own, point as Point, side);
            }
            while let Some(point) = self.stack.pop() {
                for next in grid.geometry().around(point) {
                    self.touch(grid, own, next, side);
                }
            }
        }
        let both = |point: &Point| self.touches[usize::from(*point)] == 3;
        let mut joining = grid.geometry().points().iter().copied().filter(both).peekable();
        if joining.clone().any(|point| grid.at(point) == own) {
            return Nearness::Joined;
        }
        match joining.peek() {
            Some(_) => Nearness::OneAway(joining.collect()),
            None => Nearness::Further,
        }
    }

    fn touch(&mut self, grid: &Grid, own: Mark, point: Point, side: u8) {
        let mark = grid.at(point);
        let touches = &mut self.touches[usize::from(point)];
        // The border is left out: its stones are where the search of a chain starts and ends.
        let inner = mark == Mark::Empty || (mark == own && !grid.geometry().is_border(point));
        if inner && *touches & side == 0 {
            *touches |= side;
            if mark == own {
                self.stack.push(point);
            }
        }
    }
}
