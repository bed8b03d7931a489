//! One possible state of the whole game: every stone, and what each side knows of the other's.
//!
//! Owns the rules as the search plays them, collisions included. Invariant: a side knows its own
//! stones always, and `key` depends on nothing but what that side has seen.

use std::sync::Arc;

use crate::cpu::dice::mix;
use crate::game::Collision;

use super::field::{Chains, Field, Point, Side};

/// How stones are hidden, and what running into one costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sight {
    /// As in Dark Hex.
    Dark(Collision),
    /// Nothing is hidden: the game that a search of a single sample plays.
    Open,
}

/// What came of a try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tried {
    /// A stone stands there now.
    Placed,
    /// A stone stands there now, and joins its side's edges: the game is over.
    Won,
    /// An enemy stone was found; the mover moves again.
    Again,
    /// An enemy stone was found, and the turn has passed.
    Passed,
}

/// What each side knows of a cell is a bit of this, by [`bit`].
type Knowers = u8;

/// A state of the game.
#[derive(Clone, Debug)]
pub struct World {
    field: Arc<Field>,
    sight: Sight,
    /// By point: 0 for none, else the side plus 1. Edges count as stones.
    stones: Vec<u8>,
    knowers: Vec<Knowers>,
    chains: Chains,
    turn: Side,
    /// By side: a sum over the stones that it knows.
    hashes: [u64; 2],
    placed: [u16; 2],
    hits: [u16; 2],
}

impl World {
    /// An empty board, red to move.
    pub fn new(field: Arc<Field>, sight: Sight) -> World {
        let mut stones = vec![0; field.points()];
        for side in 0..2 {
            let (first, last) = field.edges(side);
            stones[usize::from(first)] = stone(side);
            stones[usize::from(last)] = stone(side);
        }
        let knowers = vec![0b11; field.points()];
        let mut world = World {
            chains: Chains::new(&field),
            sight,
            stones,
            knowers,
            turn: 0,
            hashes: [0; 2],
            placed: [0; 2],
            hits: [0; 2],
            field,
        };
        world.knowers[..world.field.cells()].fill(0);
        world
    }

    /// Becomes a copy of another world on the same field, in its own memory.
    pub fn copy(&mut self, other: &World) {
        self.sight = other.sight;
        self.stones.copy_from_slice(&other.stones);
        self.knowers.copy_from_slice(&other.knowers);
        self.chains.copy(&other.chains);
        (self.turn, self.hashes) = (other.turn, other.hashes);
        (self.placed, self.hits) = (other.placed, other.hits);
    }

    /// The board's field.
    pub fn field(&self) -> &Arc<Field> {
        &self.field
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// Makes it this side's turn.
    pub fn set_turn(&mut self, side: Side) {
        self.turn = side;
    }

    /// Whose stone stands on a point.
    pub fn at(&self, point: Point) -> Option<Side> {
        usize::from(self.stones[usize::from(point)]).checked_sub(1)
    }

    /// Whose stone a side knows to stand on a point.
    pub fn known(&self, side: Side, point: Point) -> Option<Side> {
        self.at(point).filter(|_| self.knows(side, point))
    }

    /// Whether a side knows that a stone stands on a point.
    pub fn knows(&self, side: Side, point: Point) -> bool {
        self.knowers[usize::from(point)] & bit(side) != 0
    }

    /// The name of what a side has seen: worlds that look the same to it have the same key.
    pub fn key(&self, side: Side) -> u64 {
        let counts = u64::from(self.placed[1 - side]) << 32 | u64::from(self.hits[side]) << 1;
        self.hashes[side] ^ mix(counts | side as u64)
    }

    /// Puts a stone on an empty cell. Says whether it joins its side's edges.
    pub fn place(&mut self, side: Side, cell: Point) -> bool {
        self.stones[usize::from(cell)] = stone(side);
        self.placed[side] += 1;
        self.learn(side, cell);
        for &near in self.field.near(cell) {
            if self.stones[usize::from(near)] == stone(side) {
                self.chains.join(near, cell);
            }
        }
        if self.sight == Sight::Open {
            self.find(1 - side, cell);
        }
        self.has_won(side)
    }

    /// Whether a side has joined its edges.
    pub fn has_won(&mut self, side: Side) -> bool {
        let (first, last) = self.field.edges(side);
        self.chains.joined(first, last)
    }

    /// A side finds the enemy stone on a cell.
    pub fn find(&mut self, side: Side, cell: Point) {
        if !self.knows(side, cell) {
            self.learn(side, cell);
            self.hits[1 - side] += 1;
        }
    }

    /// The side to move tries a cell that it does not know to be taken.
    pub fn attempt(&mut self, cell: Point) -> Tried {
        let side = self.turn;
        if self.stones[usize::from(cell)] != 0 {
            self.find(side, cell);
            if self.sight == Sight::Dark(Collision::Abrupt) {
                self.turn = 1 - side;
                return Tried::Passed;
            }
            return Tried::Again;
        }
        self.turn = 1 - side;
        if self.place(side, cell) { Tried::Won } else { Tried::Placed }
    }

    /// Lays every stone open to both sides.
    pub fn open(&mut self) {
        self.sight = Sight::Open;
        for cell in 0..self.field.cells() as Point {
            if let Some(side) = self.at(cell) {
                self.find(1 - side, cell);
            }
        }
    }

    fn learn(&mut self, side: Side, cell: Point) {
        self.knowers[usize::from(cell)] |= bit(side);
        let owner = u64::from(self.stones[usize::from(cell)]);
        let name = mix(u64::from(cell) << 8 | owner << 4 | side as u64);
        self.hashes[side] = self.hashes[side].wrapping_add(name);
    }
}

const fn bit(side: Side) -> Knowers {
    1 << side
}

const fn stone(side: Side) -> u8 {
    side as u8 + 1
}
