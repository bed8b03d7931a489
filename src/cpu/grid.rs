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

    /// Whether a point is a place of the border.
    pub fn is_border(&self, point: Point) -> bool {
        let (row, col) = (usize::from(point) / self.stride, usize::from(point) % self.stride);
        row == 0 || col == 0 || col == self.stride - 1 || row > usize::from(self.size.rows())
    }

    /// The neighbour of a point of the board in one of the six ways, 0 above, then clockwise.
    pub fn neighbour(&self, point: Point, way: usize) -> Point {
        usize::from(point).wrapping_add_signed(self.around[way]) as Point
    }

    /// The cell that is a bridge away from a point of the board, between this way and the next, if
    /// the board reaches so far.
    pub fn bridged(&self, point: Point, way: usize) -> Option<Point> {
        let next = self.neighbour(point, way);
        if self.is_border(next) {
            return None;
        }
        let bridged = self.neighbour(next, (way + 1) % 6);
        (!self.is_border(bridged)).then_some(bridged)
    }

    /// The neighbours of any point, of the border too, that lie in the array.
    pub fn around_inside(&self, point: Point) -> impl Iterator<Item = Point> {
        let (at, stride, len) = (usize::from(point), self.stride, self.len());
        let beside = move |next: usize| next < len && (next % stride).abs_diff(at % stride) <= 1;
        let next = self.around.into_iter().filter_map(move |offset| at.checked_add_signed(offset));
        next.filter(move |&next| beside(next)).map(|next| next as Point)
    }

    /// The six neighbours of a point of the board, clockwise from the one above; each one and the
    /// next touch each other.
    pub fn around(&self, point: Point) -> [Point; 6] {
        self.around.map(|offset| usize::from(point).wrapping_add_signed(offset) as Point)
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

    /// The same stones as another board of the same size has, without a new allocation.
    pub fn copy_from(&mut self, other: &Grid) {
        self.marks.copy_from_slice(&other.marks);
    }

    /// What stands around a point, in one number: two bits for each neighbour, the one above
    /// lowest, then clockwise.
    pub fn code(&self, point: Point) -> usize {
        let (at, around) = (usize::from(point), &self.geometry.around);
        let mark = |way: usize| self.marks[at.wrapping_add_signed(around[way])] as usize;
        mark(0) | mark(1) << 2 | mark(2) << 4 | mark(3) << 6 | mark(4) << 8 | mark(5) << 10
    }

    /// Whose edges are joined on a board without an empty cell.
    ///
    /// The line between red and blue that starts between the top and the left edge is followed
    /// with red on one hand and blue on the other: red's joining chain leads it down to the left
    /// bottom corner, blue's to the right top corner (Gale, "The Game of Hex and the Brouwer
    /// Fixed-Point Theorem", 1979). It meets each cell at most a few times and most of them never.
    pub fn winner_of_full(&self) -> Color {
        let around = &self.geometry.around;
        let (mut red, mut way) = (1usize, 4usize);
        let top_right = self.geometry.stride - 1;
        loop {
            let left = if way == 0 { 5 } else { way - 1 };
            let next = red.wrapping_add_signed(around[left]);
            match self.marks[next] {
                Mark::Red => {
                    red = next;
                    way = if way == 5 { 0 } else { way + 1 };
                }
                Mark::Blue | Mark::Empty => way = left,
                Mark::Corner if next == top_right => return Color::Blue,
                Mark::Corner => return Color::Red,
            }
        }
    }

    /// The empty points in row-major order.
    pub fn empty(&self) -> impl Iterator<Item = Point> {
        self.geometry.points.iter().copied().filter(|&point| self.at(point) == Mark::Empty)
    }
}
