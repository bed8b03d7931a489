//! The board as this search numbers it: cells from 0 in row-major order, then the four edges as
//! four more points, so that an edge is a stone that touches a whole side.

use crate::game::{Color, Size};

/// A cell, or one of the four edges after them.
pub type Point = u16;

/// One of the two sides: 0 is red, 1 is blue, as [`Color::index`] has it.
pub type Side = usize;

/// What touches what, for one size of board.
#[derive(Debug)]
pub struct Field {
    size: Size,
    near: Vec<[Point; 6]>,
}

impl Field {
    /// The field of boards of this size.
    pub fn new(size: Size) -> Field {
        let (rows, cols) = (i16::from(size.rows()), i16::from(size.cols()));
        let cells = rows * cols;
        // Clockwise from the one above: each one and the next touch each other.
        let steps: [(i16, i16); 6] = [(-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)];
        let point = |row: i16, col: i16| match () {
            () if row < 0 => cells,
            () if row >= rows => cells + 1,
            () if col < 0 => cells + 2,
            () if col >= cols => cells + 3,
            () => row * cols + col,
        };
        let around = |cell: i16| {
            let (row, col) = (cell / cols, cell % cols);
            steps.map(|(down, right)| point(row + down, col + right).cast_unsigned())
        };
        Field { size, near: (0..cells).map(around).collect() }
    }

    /// The board's size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.near.len()
    }

    /// How many points there are: the cells and the four edges.
    pub fn points(&self) -> usize {
        self.near.len() + 4
    }

    /// The six points around a cell, clockwise; each one and the next touch each other.
    pub fn near(&self, cell: Point) -> &[Point; 6] {
        &self.near[usize::from(cell)]
    }

    /// The two edges that a side joins, as points.
    pub fn edges(&self, side: Side) -> (Point, Point) {
        let first = (self.cells() + 2 * side) as Point;
        (first, first + 1)
    }

    /// The side of a colour.
    pub fn side(color: Color) -> Side {
        color.index()
    }
}

/// Chains of one or both sides, joined as stones come (union-find with halved paths).
#[derive(Clone, Debug)]
pub struct Chains(Vec<Point>);

impl Chains {
    /// Every point alone.
    pub fn new(field: &Field) -> Chains {
        Chains((0..field.points() as Point).collect())
    }

    /// The same chains as another's, in the memory of this one.
    pub fn copy(&mut self, other: &Chains) {
        self.0.clone_from(&other.0);
    }

    /// Every point alone again.
    pub fn clear(&mut self) {
        for (point, parent) in (0..).zip(&mut self.0) {
            *parent = point;
        }
    }

    /// The point that stands for the chain.
    pub fn root(&mut self, mut point: Point) -> Point {
        loop {
            let parent = self.0[usize::from(point)];
            if parent == point {
                return point;
            }
            self.0[usize::from(point)] = self.0[usize::from(parent)];
            point = parent;
        }
    }

    /// Makes one chain of two.
    pub fn join(&mut self, a: Point, b: Point) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[usize::from(a.max(b))] = a.min(b);
    }

    /// Whether two points are in one chain.
    pub fn joined(&mut self, a: Point, b: Point) -> bool {
        self.root(a) == self.root(b)
    }
}
