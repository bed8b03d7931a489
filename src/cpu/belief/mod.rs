//! Dark Hex, played from what a seat sees and nothing else.
//!
//! [`choose`] reads the seat's view (`facts`), looks for a win that no hidden stone can stop
//! ([`sure`]), and otherwise samples what may be hidden (`sample`) and searches the samples as
//! one game of hidden information (`tree`). Among moves that are about as good it draws one, so
//! that nobody who knows the program knows the move.
//!
//! Invariant: what is decided follows from the view, the effort and the seed; the sure-win search
//! and the samples take bounded work on every board.

pub mod baseline;
mod facts;
mod field;
mod model;
mod playout;
mod sample;
pub mod sure;
mod tree;
mod ways;
mod world;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod umpire;

use crate::cpu::Seen;
use crate::cpu::choose::{Choice, Thought};
use crate::cpu::dice::Dice;
use crate::cpu::level;
use crate::game::Move;

use facts::Facts;
use field::Point;
use tree::{Tree, Try};

/// How far below the best value a move may lie and still be drawn, and how much of the visits of
/// the most visited it must have.
const NEAR_EQUAL: f64 = 0.01;
const NEAR_VISITS: f64 = 0.75;

/// How much a search may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Playouts, at most.
    pub nodes: u64,
    /// Worlds to sample.
    pub samples: usize,
    /// States that the search for a sure win may look at.
    pub sure: usize,
    /// Which techniques are used.
    pub knowledge: Knowledge,
}

/// Which techniques a search uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Knowledge {
    /// Samples are weighted by how plausible the other seat's play is.
    pub weighted: bool,
    /// Playouts save bridges.
    pub bridges: bool,
    /// Tries learn from later moves at the same cells.
    pub rave: bool,
    /// The model of players steers the tree.
    pub prior: bool,
    /// The move is drawn among near-equal ones.
    pub mixing: bool,
}

impl Knowledge {
    /// All of it.
    pub const FULL: Knowledge =
        Knowledge { weighted: true, bridges: true, rave: true, prior: true, mixing: true };
}

impl Effort {
    /// All techniques, with this many playouts.
    pub const fn full(nodes: u64) -> Effort {
        Effort {
            nodes,
            samples: if nodes < 400 { 10 + nodes as usize / 4 } else { 200 },
            sure: if nodes < 10_000 { 2 * nodes as usize } else { 20_000 },
            knowledge: Knowledge::FULL,
        }
    }
}

/// What a level's effort means where stones are hidden: as many playouts, and the techniques that
/// both games have.
impl From<level::Effort> for Effort {
    fn from(level::Effort { nodes, knowledge }: level::Effort) -> Effort {
        let full = Effort::full(nodes);
        let level::Knowledge { rave, bridges, priors: prior, solver, .. } = knowledge;
        let knowledge = Knowledge { rave, bridges, prior, ..full.knowledge };
        Effort { sure: if solver { full.sure } else { 0 }, knowledge, ..full }
    }
}

/// Chooses a try for the seat that sees this. `stop` is asked now and then; once it says so, the
/// best so far is the answer. The same view, effort and seed give the same move, unless `stop` cut
/// the search short.
pub fn choose(seen: &Seen, effort: &Effort, seed: u64, stop: &mut dyn FnMut() -> bool) -> Thought {
    let facts = Facts::of(seen);
    let mut dice = Dice::new(seed);
    if let Some(cell) = sure::winning_try(&facts, effort.sure, stop) {
        return thought(&facts, Some(cell), 1.0, 0);
    }
    if let [only] = facts.unknown[..] {
        return thought(&facts, Some(only), 0.5, 0);
    }
    let worlds =
        sample::samples(&facts, effort.samples, effort.knowledge.weighted, &mut dice, stop);
    search(&facts, &worlds, effort, dice, stop)
}

/// Searches worlds that look the same to the side to move. There is at least one.
fn search(
    facts: &Facts,
    worlds: &[world::World],
    effort: &Effort,
    mut dice: Dice,
    stop: &mut dyn FnMut() -> bool,
) -> Thought {
    let Some(first) = worlds.first() else { return thought(facts, None, 0.5, 0) };
    let mut tree = Tree::new(first, effort.knowledge, effort.nodes);
    let mut nodes = 0;
    while nodes < effort.nodes.max(1) && (nodes == 0 || !stop()) {
        tree.iterate(&worlds[nodes as usize % worlds.len()], &mut dice);
        nodes += 1;
    }
    let tries = tree.tries(first);
    let chosen = if effort.knowledge.mixing { drawn(tries, &mut dice) } else { most(tries) };
    let value = chosen.map_or(0.5, Try::mean);
    thought(facts, chosen.map(|chosen| chosen.cell), value, nodes)
}

/// The try that was chosen most often.
fn most(tries: &[Try]) -> Option<&Try> {
    // Of equals the first, so `max_by_key`, which takes the last, goes backwards.
    tries.iter().rev().max_by_key(|option| option.visits)
}

/// One of the tries that are about as good as the best, by how often they were chosen.
fn drawn<'a>(tries: &'a [Try], dice: &mut Dice) -> Option<&'a Try> {
    let best = most(tries)?;
    let near = |option: &Try| {
        f64::from(option.visits) >= NEAR_VISITS * f64::from(best.visits)
            && option.mean() >= best.mean() - NEAR_EQUAL
    };
    let weight = |option: &Try| if near(option) { f64::from(option.visits) } else { 0.0 };
    dice.pick(tries.iter().map(weight)).map(|index| &tries[index])
}

fn thought(facts: &Facts, cell: Option<Point>, value: f64, nodes: u64) -> Thought {
    // A seat to move has a cell to try; a view of no game may have none.
    let cell = cell.or(facts.unknown.first().copied());
    let cell = cell.map(|cell| facts.field.size().cell(usize::from(cell)));
    let choice = cell.map_or(Choice::Resign, |cell| Choice::Play(Move::Place(cell)));
    Thought { choice, value, nodes, line: cell.into_iter().collect() }
}
