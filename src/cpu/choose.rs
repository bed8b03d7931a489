//! The door to the computer player: what a seat sees gives a move.

use crate::game::{Cell, Move};

use super::{Level, Seen};

/// What the computer does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// It plays this.
    Play(Move),
    /// It gives the game up, where whoever asked lets it.
    Resign,
}

/// What came of thinking.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// What to do.
    pub choice: Choice,
    /// How likely the seat wins, from 0 to 1, as far as the search can tell.
    pub value: f64,
    /// How many nodes were searched.
    pub nodes: u64,
    /// The moves that the search expects from here, this one first.
    pub line: Vec<Cell>,
}

/// Chooses a move for the seat that sees this. `stop` is asked now and then; once it says so, the
/// best move so far is the answer. There is always one: a seat to move has a cell to try.
pub fn choose(seen: &Seen, level: Level, seed: u64, stop: &mut dyn FnMut() -> bool) -> Thought {
    let _ = (level, seed, stop());
    let free = seen.size.iter().find(|cell| seen.allows(Move::Place(*cell)));
    let choice = free.map_or(Choice::Resign, |cell| Choice::Play(Move::Place(cell)));
    Thought { choice, value: 0.5, nodes: 0, line: free.into_iter().collect() }
}

/// A player that may keep between moves what it has found out.
#[derive(Debug)]
pub struct Player {
    level: Level,
    seed: u64,
}

impl Player {
    /// A player that knows nothing yet.
    pub fn new(level: Level, seed: u64) -> Player {
        Player { level, seed }
    }

    /// As [`choose`](fn@choose), with what is known from the moves before.
    pub fn choose(&mut self, seen: &Seen, stop: &mut dyn FnMut() -> bool) -> Thought {
        choose(seen, self.level, self.seed, stop)
    }
}
