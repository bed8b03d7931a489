//! The door to the computer player: what a seat sees gives a move.

use crate::game::{Cell, Goal, Move, Size};

use super::grid::Grid;
use super::mcts::{Position, Search};
use super::{Effort, Level, Seen, openings};

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
    Player::new(level, seed).choose(seen, stop)
}

/// A computer player with a memory: what it searched for one move serves the next.
#[derive(Debug)]
pub struct Player {
    level: Level,
    seed: u64,
    effort: Option<Effort>,
    /// The search of the last move, to be taken to the position that has come of it.
    search: Option<Search>,
}

impl Player {
    /// A player that has seen nothing yet.
    pub fn new(level: Level, seed: u64) -> Player {
        Player { level, seed, effort: None, search: None }
    }

    /// The same player with this effort instead of its level's.
    pub fn with_effort(self, effort: Effort) -> Player {
        Player { effort: Some(effort), ..self }
    }

    /// Chooses a move, as [`choose`] does.
    pub fn choose(&mut self, seen: &Seen, stop: &mut dyn FnMut() -> bool) -> Thought {
        let effort = self.effort.unwrap_or_else(|| self.level.effort(seen.size));
        match &seen.dark {
            // Hidden stones are taken for absent.
            Some(_) => self.search(seen, effort, stop),
            None => match opening(seen) {
                Some(action) => known(seen.size, action),
                None => self.search(seen, effort, stop),
            },
        }
    }

    fn search(&mut self, seen: &Seen, effort: Effort, stop: &mut dyn FnMut() -> bool) -> Thought {
        let position = Position { grid: Grid::of(seen), to_move: seen.color, goal: seen.goal };
        let geometry = position.grid.geometry().clone();
        let kept = self.search.take().filter(|_| effort.knowledge.reuse);
        let kept = kept.and_then(|mut search| search.advance(&position).then_some(search));
        let mut search = kept.unwrap_or_else(|| Search::new(position, effort.knowledge, self.seed));
        search.run(effort.nodes, stop);
        let found = search.found();
        self.search = Some(search);
        let line: Vec<Cell> = found.line.iter().map(|&point| geometry.cell(point)).collect();
        let choice = line.first().map_or(Choice::Resign, |&cell| Choice::Play(Move::Place(cell)));
        match seen.may_swap {
            // Where no table knows better, the stone is taken over if its owner seems ahead.
            Some(_) if found.value < 0.5 => {
                let (choice, line) = (Choice::Play(Move::Swap), Vec::new());
                Thought { choice, value: 1.0 - found.value, nodes: found.nodes, line }
            }
            _ => Thought { choice, value: found.value, nodes: found.nodes, line },
        }
    }
}

/// The move that needs no search: the first one, and the swap. What is known of openings is
/// known of games in which joining wins.
fn opening(seen: &Seen) -> Option<Move> {
    if seen.goal != Goal::Join {
        return None;
    }
    match (seen.stones.as_slice(), seen.may_swap) {
        ([], _) => Some(Move::Place(openings::opening(seen.size, seen.may_be_swapped.is_some()))),
        (&[(stone, _)], Some(_)) if openings::swaps(seen.size, stone) => Some(Move::Swap),
        _ => None,
    }
}

/// A move that was not searched for.
fn known(size: Size, action: Move) -> Thought {
    let line = match action {
        Move::Place(cell) if size.contains(cell) => vec![cell],
        Move::Place(_) | Move::Swap => Vec::new(),
    };
    Thought { choice: Choice::Play(action), value: 0.5, nodes: 0, line }
}
