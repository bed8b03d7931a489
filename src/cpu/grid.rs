//! A board as searches hold it: a flat array with a border, so that a neighbour is an offset and
//! nothing asks whether a point is on the board.
//!
//! The border is made of stones: red above and below, blue at the sides, so that an edge is a
//! chain like any other. The border's corners belong to nobody.

use std::sync::Arc;

use crate::game::{Cell, Color, Size};

use super::Seen;

/// A place in the array: a cell, or a place of the border.
pub type Point = u16;

/// What stands on a point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Mark {
    /// Nothing: a stone may be placed.
    Empty,
    /// A red stone, or the border above or below.
    Red,
    /// A blue stone, or the border at the left or the right.
    Blue,
    /// A corner of the border.
    Corner,
}

impl Mark {
    /// The stone of a colour.
    pub const fn of(color: Color) -> Mark {
        match color {
            Color::Red => Mark::Red,
            Color::Blue => Mark::Blue,
        }
    }

    /// Whose stone it is.
    pub const fn color(self) -> Option<Color> {
        match self {
            Mark::Red => Some(Color::Red),
            Mark::Blue => Some(Color::Blue),
            Mark::Empty | Mark::Corner => None,
        }
    }
}

/// Where points lie, for one size of board. Shared by all grids of a search.
#[derive(Debug)]
pub struct Geometry {
    size: Size,
    stride: usize,
    /// The six neighbours as offsets, clockwise from the one above.
    around: [isize; 6],
    points: Vec<Point>,
}

impl Geometry {
    /// The geometry of boards of this size.
    pub fn new(size: Size) -> Geometry {
        let stride = usize::from(size.cols()) + 2;
        let down = stride.cast_signed();
        let around = [-down, 1 - down, 1, down, down - 1, -1];
        let point = |cell: Cell| (usize::from(cell.row) + 1) * stride + usize::from(cell.col) + 1;
        let points = size.iter().map(|cell| point(cell) as Point).collect();
        Geometry { size, stride, around, points }
    }

    /// The board's size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How many points there are, the border included.
    pub fn len(&self) -> usize {
        self.stride * (usize::from(self.size.rows()) + 2)
    }

    /// Whether there is no point: never.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// From one row to the next.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// The points of the board in row-major order.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The point of a cell.
    pub fn point(&self, cell: Cell) -> Point {
        self.points[self.size.index(cell)]
    }

    /// The cell of a point of the board.
    pub fn cell(&self, point: Point) -> Cell {
        let (row, col) = (usize::from(point) / self.stride, usize::from(point) % self.stride);
        Cell::new((row - 1) as u8, (col - 1) as u8)
    }

    /// The six neighbours of a point of the board, clockwise from the one above; each one and the
    /// next touch each other.
    pub fn around(&self, point: Point) -> [Point; 6] {
        self.around.map(|offset| (isize::try_from(point).unwrap_or(0) + offset) as Point)
    }
}

/// Stones on a board.
#[derive(Clone, Debug)]
pub struct Grid {
    geometry: Arc<Geometry>,
    marks: Vec<Mark>,
}

impl Grid {
    /// An empty board.
    pub fn new(geometry: Arc<Geometry>) -> Grid {
        let (rows, stride) = (usize::from(geometry.size.rows()) + 2, geometry.stride);
        let mark = |at: usize| match (at / stride, at % stride) {
            (row, col) if (row == 0 || row == rows - 1) && (col == 0 || col == stride - 1) => {
                Mark::Corner
            }
            (row, _) if row == 0 || row == rows - 1 => Mark::Red,
            (_, col) if col == 0 || col == stride - 1 => Mark::Blue,
            _ => Mark::Empty,
        };
        let marks = (0..geometry.len()).map(mark).collect();
        Grid { geometry, marks }
    }

    /// The stones that a seat sees.
    pub fn of(seen: &Seen) -> Grid {
        let mut grid = Grid::new(Arc::new(Geometry::new(seen.size)));
        for &(cell, color) in &seen.stones {
            grid.set(grid.geometry.point(cell), Mark::of(color));
        }
        grid
    }

    /// Where the points lie.
    pub fn geometry(&self) -> &Arc<Geometry> {
        &self.geometry
    }

    /// What stands there.
    pub fn at(&self, point: Point) -> Mark {
        self.marks[usize::from(point)]
    }

    /// Puts a stone on a point of the board, or takes it away.
    pub fn set(&mut self, point: Point, mark: Mark) {
        self.marks[usize::from(point)] = mark;
    }

    /// The empty points in row-major order.
    pub fn empty(&self) -> impl Iterator<Item = Point> {
        self.geometry.points.iter().copied().filter(|&point| self.at(point) == Mark::Empty)
    }
}
