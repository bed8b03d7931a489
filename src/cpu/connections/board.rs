//! A position as sets of cells, and the groups of one colour in it.
//!
//! Cells are numbered in row-major order. The four edges and the corners outside the board are
//! places after them, so that a cell's surroundings are always six places.

use std::sync::Arc;

use crate::cpu::grid::{Grid, Mark, Point};
use crate::game::{Cell, Color, Size};

use super::bits::Bits;

/// A cell by its row-major index, or one of the five places outside the board.
pub type Place = u16;

/// Which places touch, for one size of board.
#[derive(Debug)]
pub struct Shape {
    size: Size,
    around: Vec<[Place; 6]>,
}

impl Shape {
    /// The shape of boards of this size.
    pub fn new(size: Size) -> Shape {
        let (rows, cols) = (i16::from(size.rows()), i16::from(size.cols()));
        let cells = size.cells() as Place;
        let place = |row: i16, col: i16| {
            let outside = match (row, col) {
                (-1, _) if (0..cols).contains(&col) => 0,
                (_, _) if row == rows && (0..cols).contains(&col) => 1,
                (_, -1) if (0..rows).contains(&row) => 2,
                (_, _) if col == cols && (0..rows).contains(&row) => 3,
                _ if !(0..rows).contains(&row) || !(0..cols).contains(&col) => 4,
                _ => return (row * cols + col) as Place,
            };
            cells + outside
        };
        let around = |cell: Cell| {
            let (row, col) = (i16::from(cell.row), i16::from(cell.col));
            let steps = [(-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)];
            steps.map(|(down, right)| place(row + down, col + right))
        };
        Shape { size, around: size.iter().map(around).collect() }
    }

    /// The board's size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How many cells there are.
    pub fn cells(&self) -> u16 {
        self.around.len() as u16
    }

    /// How many places there are: the cells, the edges and the corners.
    pub fn places(&self) -> usize {
        self.around.len() + 5
    }

    /// The six places around a cell, clockwise from the one above.
    pub fn around(&self, cell: u16) -> [Place; 6] {
        self.around[usize::from(cell)]
    }

    /// A colour's two edges.
    pub fn edges(&self, color: Color) -> [Place; 2] {
        let first = self.cells() + 2 * color.index() as u16;
        [first, first + 1]
    }

    /// Row and column of a cell.
    pub fn row_col(&self, cell: u16) -> (u16, u16) {
        let cols = u16::from(self.size.cols());
        (cell / cols, cell % cols)
    }
}

/// Stones on a board.
#[derive(Clone, Debug)]
pub struct Board<const W: usize> {
    /// The board's shape.
    pub shape: Arc<Shape>,
    /// The stones of red and of blue.
    pub stones: [Bits<W>; 2],
}

impl<const W: usize> Board<W> {
    /// The stones of a grid, if the sets are large enough for its cells.
    pub fn of(grid: &Grid) -> Option<Board<W>> {
        let size = grid.geometry().size();
        if size.cells() > 64 * W {
            return None;
        }
        let points = || (0..).zip(grid.geometry().points());
        let of = |mark| {
            let with = points().filter(|&(_, &point)| grid.at(point) == mark);
            with.map(|(cell, _)| cell).collect()
        };
        Some(Board { shape: Arc::new(Shape::new(size)), stones: [of(Mark::Red), of(Mark::Blue)] })
    }

    /// The cells without a stone.
    pub fn empty(&self) -> Bits<W> {
        Bits::first(self.shape.around.len()).without(self.stones[0] | self.stones[1])
    }

    /// Whose stone or edge a place is; neither for empty cells and corners.
    #[inline]
    pub fn owner(&self, place: Place) -> Option<Color> {
        let cells = self.shape.cells();
        if place >= cells {
            return match (place - cells) / 2 {
                0 => Some(Color::Red),
                1 => Some(Color::Blue),
                _ => None,
            };
        }
        let [red, blue] = &self.stones;
        match (red.has(place), blue.has(place)) {
            (true, _) => Some(Color::Red),
            (_, true) => Some(Color::Blue),
            _ => None,
        }
    }

    /// The board with one more stone.
    pub fn with(&self, cell: u16, color: Color) -> Board<W> {
        let mut board = self.clone();
        board.stones[color.index()].insert(cell);
        board
    }

    /// Who has joined their edges.
    pub fn winner(&self) -> Option<Color> {
        let joined = |color| {
            let points = Points::new(self, color);
            points.joined
        };
        [Color::Red, Color::Blue].into_iter().find(|&color| joined(color))
    }
}

/// A grid's points for a set of cells.
pub fn points<const W: usize>(grid: &Grid, cells: Bits<W>) -> Vec<Point> {
    let points = grid.geometry().points();
    cells.iter().map(|cell| points[usize::from(cell)]).collect()
}

/// What a colour connects: its two edges with what touches them, its groups of stones, and the
/// empty cells, numbered in this order.
#[derive(Debug)]
pub struct Points {
    /// The number of each place; the other colour's have none.
    of: Vec<Option<u16>>,
    /// How many are groups; the empty cells come after them.
    pub groups: u16,
    /// The empty cells, in order.
    pub cells: Vec<u16>,
    /// Whether both edges are one group.
    pub joined: bool,
}

impl Points {
    /// The number of the colour's first edge; the second edge has the next.
    pub const FIRST_EDGE: u16 = 0;
    /// The number of the colour's second edge.
    pub const SECOND_EDGE: u16 = 1;

    /// What this colour connects on the board.
    pub fn new<const W: usize>(board: &Board<W>, color: Color) -> Points {
        let shape = &board.shape;
        let stones = board.stones[color.index()];
        let edges = shape.edges(color);
        let mut points =
            Points { of: vec![None; shape.places()], groups: 2, cells: Vec::new(), joined: false };
        let mut stack = Vec::new();
        let near = |edge: Place| stones.iter().filter(move |&c| shape.around(c).contains(&edge));
        for (number, edge) in (0..).zip(edges) {
            points.of[usize::from(edge)] = Some(number);
            for cell in near(edge) {
                points.joined |= points.of[usize::from(cell)].is_some_and(|of| of != number);
                points.spread(board, &stones, cell, number, &mut stack);
            }
        }
        for cell in stones.iter() {
            if points.of[usize::from(cell)].is_none() {
                points.spread(board, &stones, cell, points.groups, &mut stack);
                points.groups += 1;
            }
        }
        for cell in board.empty().iter() {
            points.of[usize::from(cell)] = Some(points.groups + points.cells.len() as u16);
            points.cells.push(cell);
        }
        points
    }

    fn spread<const W: usize>(
        &mut self,
        board: &Board<W>,
        stones: &Bits<W>,
        cell: u16,
        number: u16,
        stack: &mut Vec<u16>,
    ) {
        stack.push(cell);
        while let Some(cell) = stack.pop() {
            let of = &mut self.of[usize::from(cell)];
            if of.is_some() {
                continue;
            }
            *of = Some(number);
            let cells = board.shape.cells();
            let next = board.shape.around(cell).into_iter();
            stack.extend(next.filter(|&place| place < cells && stones.has(place)));
        }
    }

    /// The number of a place, if it is empty or the colour's own.
    pub fn of(&self, place: Place) -> Option<u16> {
        self.of[usize::from(place)]
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        usize::from(self.groups) + self.cells.len()
    }

    /// Whether the point is a group of stones or an edge.
    #[inline]
    pub fn is_group(&self, point: u16) -> bool {
        point < self.groups
    }

    /// The empty cell that a point is, if it is one.
    #[inline]
    pub fn cell(&self, point: u16) -> Option<u16> {
        let at = usize::from(point).checked_sub(usize::from(self.groups))?;
        self.cells.get(at).copied()
    }
}
