//! Stones on a board, and the chains that they form.
//!
//! Chains are kept in a union-find forest (union by size, path halving), so that a win is seen as
//! the stone lands in amortised near-constant time (Tarjan, "Efficiency of a Good But Not Linear
//! Set Union Algorithm", 1975). Stones are never taken off; a position without one is built anew.

use std::collections::VecDeque;

use super::cell::{Cell, Color, Size};

/// The edge of a colour where its winning path starts: top for red, left for blue.
const NEAR: u8 = 0b01;
/// The edge where it ends: bottom for red, right for blue.
const FAR: u8 = 0b10;

/// The stones of one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    size: Size,
    stones: Box<[Option<Color>]>,
    chains: Box<[Link]>,
    empty: u16,
}

/// A stone's place in the forest. `len` and `edges` hold for roots only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Link {
    parent: u16,
    len: u16,
    edges: u8,
}

impl Board {
    /// An empty board.
    pub fn new(size: Size) -> Board {
        let link = |index| Link { parent: index as u16, len: 1, edges: 0 };
        Board {
            size,
            stones: vec![None; size.cells()].into(),
            chains: (0..size.cells()).map(link).collect(),
            empty: size.cells() as u16,
        }
    }

    /// Rows and columns.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The stone on a cell of the board.
    pub fn get(&self, cell: Cell) -> Option<Color> {
        self.stones[self.size.index(cell)]
    }

    /// The cells without a stone, in row-major order.
    pub fn empty_cells(&self) -> impl Iterator<Item = Cell> {
        self.size.iter().filter(|&cell| self.get(cell).is_none())
    }

    /// The stones in row-major order.
    pub fn stones(&self) -> impl Iterator<Item = (Cell, Color)> {
        self.size.iter().filter_map(|cell| Some((cell, self.get(cell)?)))
    }

    /// Whether no cell is empty.
    pub fn is_full(&self) -> bool {
        self.empty == 0
    }

    /// Puts a stone on an empty cell of the board; says whether it now joins its colour's edges.
    pub fn place(&mut self, cell: Cell, color: Color) -> bool {
        let index = self.size.index(cell);
        debug_assert!(self.stones[index].is_none(), "{cell} already holds a stone");
        self.stones[index] = Some(color);
        self.empty -= 1;
        self.chains[index].edges = self.edges_at(cell, color);
        for neighbour in self.size.neighbours(cell) {
            let neighbour = self.size.index(neighbour);
            if self.stones[neighbour] == Some(color) {
                self.union(index, neighbour);
            }
        }
        let root = self.root(index);
        self.chains[root].edges == NEAR | FAR
    }

    /// Whether a stone of this colour on an empty cell would join its edges.
    pub fn would_join(&self, cell: Cell, color: Color) -> bool {
        let chain_edges = |neighbour| {
            let index = self.size.index(neighbour);
            let same = self.stones[index] == Some(color);
            if same { self.chains[self.root_of(index)].edges } else { 0 }
        };
        let edges = self.size.neighbours(cell).map(chain_edges);
        edges.fold(self.edges_at(cell, color), |all, edges| all | edges) == NEAR | FAR
    }

    /// A shortest chain of the colour between its two edges, from the top or from the left; none
    /// where there is no such chain. Among equals the one that breadth-first search finds, with
    /// starting cells in row-major order and neighbours in the order of [`Size::neighbours`].
    pub fn winning_path(&self, color: Color) -> Option<Vec<Cell>> {
        let mut came_from: Vec<Option<Cell>> = vec![None; self.size.cells()];
        let mut queue: VecDeque<Cell> = (self.stones())
            .filter(|&(cell, stone)| stone == color && self.edges_at(cell, color) & NEAR != 0)
            .map(|(cell, _)| cell)
            .collect();
        for &start in &queue {
            came_from[self.size.index(start)] = Some(start);
        }
        while let Some(cell) = queue.pop_front() {
            if self.edges_at(cell, color) & FAR != 0 {
                return Some(self.walk_back(cell, &came_from));
            }
            for next in self.size.neighbours(cell) {
                let seen = &mut came_from[self.size.index(next)];
                if seen.is_none() && self.get(next) == Some(color) {
                    *seen = Some(cell);
                    queue.push_back(next);
                }
            }
        }
        None
    }

    fn walk_back(&self, end: Cell, came_from: &[Option<Cell>]) -> Vec<Cell> {
        let step = |&cell: &Cell| came_from[self.size.index(cell)].filter(|&from| from != cell);
        let mut path: Vec<Cell> = std::iter::successors(Some(end), step).collect();
        path.reverse();
        path
    }

    /// Which of its own edges a stone of this colour touches on this cell.
    fn edges_at(&self, cell: Cell, color: Color) -> u8 {
        let (at, last) = match color {
            Color::Red => (cell.row, self.size.rows() - 1),
            Color::Blue => (cell.col, self.size.cols() - 1),
        };
        (if at == 0 { NEAR } else { 0 }) | (if at == last { FAR } else { 0 })
    }

    fn root(&mut self, mut index: usize) -> usize {
        while usize::from(self.chains[index].parent) != index {
            let parent = usize::from(self.chains[index].parent);
            self.chains[index].parent = self.chains[parent].parent;
            index = parent;
        }
        index
    }

    /// The same as [`Board::root`], without shortening the way.
    fn root_of(&self, mut index: usize) -> usize {
        while usize::from(self.chains[index].parent) != index {
            index = usize::from(self.chains[index].parent);
        }
        index
    }

    fn union(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return;
        }
        let (small, large) = if self.chains[a].len < self.chains[b].len { (a, b) } else { (b, a) };
        let Link { len, edges, .. } = self.chains[small];
        self.chains[small].parent = large as u16;
        self.chains[large].len += len;
        self.chains[large].edges |= edges;
    }
}
