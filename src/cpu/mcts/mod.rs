//! Monte Carlo tree search: UCT with RAVE and priors.
//!
//! The formulas and constants are those that made MoHex strong (Arneson, Hayward, Henderson,
//! "Monte Carlo Tree Search in Hex", 2010; Huang, Arneson, Hayward, Müller, Pawlewicz, "MoHex
//! 2.0", 2013): moves share what playouts tell of them (Gelly, Silver, "Combining Online and
//! Offline Knowledge in UCT", 2007), the prior fades with visits, a leaf is opened after some
//! visits, and proven nodes are backed up (Winands, Björnsson, Saito, "Monte-Carlo Tree Search
//! Solver", 2008).

mod study;
mod threats;
mod tree;
mod walk;

use std::fmt;

use crate::game::{Color, Goal};

use super::Knowledge;
use super::dice::Dice;
use super::evaluator::{Circuit, Evaluator};
use super::grid::{Grid, Mark, Point};
use super::patterns::{Playout, Policy, Replies, Weights};
use threats::Threats;
use tree::{Fate, Index, Node, ROOT, Tree};

/// How many visits open a leaf.
const OPEN_AFTER: u32 = 10;
/// How many visits make a node worth a study, which takes as long as a hundred playouts.
const STUDY_AFTER: u32 = 300;
/// How many playouts tell enough of the only move there is.
const FORCED: u64 = 100;
/// How many playouts are worth a position that the solver looks at, and at how many it gives up.
const SOLVED_FOR: u64 = 5;
const SOLVED_AT_MOST: u64 = 3_200;
/// How many playouts choose a move that does not save the game.
const LOST: u64 = 2_000;
/// How many cells a board may have for the solver to be of use.
const SOLVED_CELLS: usize = 64;

/// What a search starts from.
#[derive(Clone, Debug)]
pub struct Position {
    /// The stones.
    pub grid: Grid,
    /// Whose turn it is.
    pub to_move: Color,
    /// Whether joining wins or loses.
    pub goal: Goal,
}

impl Position {
    /// Who wins when this colour has joined its edges.
    fn winner(&self, joined: Color) -> Color {
        match self.goal {
            Goal::Join => joined,
            Goal::Avoid => joined.other(),
        }
    }
}

/// What a search has found.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// The moves that it expects; none on a full board.
    pub line: Vec<Point>,
    /// How likely whoever is to move wins.
    pub value: f64,
    /// How many playouts it took.
    pub nodes: u64,
}

/// A search of one position, which can be taken to a position after it.
pub struct Search {
    root: Position,
    tree: Tree,
    knowledge: Knowledge,
    dice: Dice,
    evaluator: Box<dyn Evaluator>,
    policy: Policy,
    threats: Threats,
    playout: Playout,
    /// The board on the way down.
    grid: Grid,
    path: Vec<Index>,
    nodes: u64,
    /// How many visits make a node worth a study.
    study_after: u32,
}

impl fmt::Debug for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search").field("nodes", &self.nodes).finish_non_exhaustive()
    }
}

impl Search {
    /// A search that has not begun. Where joining loses, what is known of joining is left out.
    pub fn new(root: Position, knowledge: Knowledge, seed: u64) -> Search {
        let joins = root.goal == Goal::Join;
        let knowledge = Knowledge {
            bridges: knowledge.bridges && joins,
            patterns: knowledge.patterns && joins,
            priors: knowledge.priors && joins,
            inferior: knowledge.inferior && joins,
            ..knowledge
        };
        Search {
            tree: Tree::new(),
            dice: Dice::new(seed),
            evaluator: Box::<Circuit>::default(),
            policy: match knowledge {
                Knowledge { patterns: true, .. } => Policy::Learned(Weights::learned()),
                Knowledge { bridges: true, .. } => Policy::Bridges(Replies::bridges()),
                _ => Policy::Even,
            },
            threats: Threats::new(&root.grid),
            playout: Playout::new(&root.grid),
            grid: root.grid.clone(),
            path: Vec::new(),
            nodes: 0,
            study_after: if knowledge.connections && joins { STUDY_AFTER } else { u32::MAX },
            knowledge,
            root,
        }
    }

    /// Searches on with at most so many playouts, until the outcome is certain, or until told to
    /// stop. A small board is given to the solver first, for less time than the search would take.
    pub fn run(&mut self, nodes: u64, stop: &mut dyn FnMut() -> bool) {
        let Knowledge { solver, connections, .. } = self.knowledge;
        let solvable = solver && connections && self.root.goal == Goal::Join;
        let small = self.root.grid.geometry().size().cells() <= SOLVED_CELLS;
        let most = (nodes / SOLVED_FOR).min(SOLVED_AT_MOST);
        let cells = self.root.grid.geometry().points().len();
        let opened = (nodes / u64::from(OPEN_AFTER) + 1).min(tree::CAPACITY as u64) as usize;
        self.tree.reserve(opened.saturating_mul(cells));
        if !self.tree.node(ROOT).expanded {
            // What wins or loses at once needs no solver.
            self.grid.copy_from(&self.root.grid);
            self.open(ROOT, self.root.to_move, None);
        }
        let lost = solvable && small && self.solve(most, stop) == Some(self.root.to_move.other());
        self.search(if lost { nodes.min(LOST) } else { nodes }, stop);
    }

    /// A third of the playouts is kept for when the move that was tried most is not the one that
    /// looks best.
    fn search(&mut self, nodes: u64, stop: &mut dyn FnMut() -> bool) {
        let first = nodes - nodes / 3;
        let mut until = first;
        let start = self.nodes;
        loop {
            let done = self.nodes - start;
            if done >= until {
                if until == nodes || !self.undecided() {
                    return;
                }
                until = nodes;
            }
            if self.tree.node(ROOT).fate != Fate::Open || self.settled(until - done) {
                return;
            }
            if done > 0 && stop() {
                return;
            }
            self.playout(stop);
        }
    }

    /// What it has found so far.
    pub fn found(&self) -> Found {
        let mut line = Vec::new();
        let mut at = ROOT;
        let mut value = None;
        while let Some(best) = self.best(at) {
            let child = self.tree.node(best);
            value.get_or_insert(child.mean());
            line.push(child.point);
            at = best;
        }
        if line.is_empty() {
            line.extend(self.root.grid.empty().next());
        }
        let value = match self.tree.node(ROOT).fate {
            Fate::Lost => 1.0,
            Fate::Won => 0.0,
            Fate::Open | Fate::Pruned => value.unwrap_or(0.5),
        };
        Found { line, value, nodes: self.nodes }
    }

    /// The first move after which both sides have most nearly even chances, among those that were
    /// looked at.
    pub fn evenest(&self) -> Option<Point> {
        let tried = |child: &&Node| child.fate == Fate::Open && child.visits >= OPEN_AFTER;
        let unevenness = |child: &&Node| (child.mean() - 0.5).abs();
        let children = self.tree.children(ROOT).iter().filter(tried);
        let even = children.min_by(|a, b| unevenness(a).total_cmp(&unevenness(b)));
        even.map(|child| child.point)
    }

    /// Takes the search to a position that is at most two moves on, with what it knows of it, or
    /// with as much of that as is kept until `stop` says so. Says whether that was possible; if not,
    /// nothing has changed.
    pub fn advance(&mut self, to: &Position, stop: &mut dyn FnMut() -> bool) -> bool {
        if to.goal != self.root.goal
            || to.grid.geometry().size() != self.root.grid.geometry().size()
        {
            return false;
        }
        let mut moves = Vec::new();
        for &point in self.root.grid.geometry().points() {
            let (before, after) = (self.root.grid.at(point), to.grid.at(point));
            match (before == after, before, after.color()) {
                (true, ..) => {}
                (false, Mark::Empty, Some(color)) => moves.push((point, color)),
                _ => return false,
            }
        }
        let mut at = ROOT;
        let mut color = self.root.to_move;
        while !moves.is_empty() {
            let Some(place) = moves.iter().position(|&(_, mover)| mover == color) else {
                return false;
            };
            let (point, _) = moves.swap_remove(place);
            let Some(child) = self.tree.child_at(at, point) else { return false };
            at = child;
            color = color.other();
        }
        if color != to.to_move || self.tree.node(at).fate == Fate::Pruned {
            return false;
        }
        self.tree = self.tree.subtree(at, stop);
        if self.tree.node(ROOT).fate == Fate::Won {
            // A lost game is played on: the opponent has to find the win.
            self.tree.node_mut(ROOT).fate = Fate::Open;
        }
        self.root = to.clone();
        self.nodes = 0;
        true
    }

    /// The best child of a node that has been searched: one that wins, or the one that was tried
    /// most, or where all lose the one that took longest.
    fn best(&self, at: Index) -> Option<Index> {
        let rank = |child: &Node| (child.fate == Fate::Won, child.playable(), child.visits);
        let children = self.tree.children(at).iter().enumerate().rev();
        let (nth, best) = children.max_by_key(|(_, child)| rank(child))?;
        let known = at == ROOT || best.visits > 0 || best.fate == Fate::Won;
        known.then_some(self.tree.node(at).first + nth as Index)
    }

    /// Whether the runner-up can no longer catch up, or there is none.
    fn settled(&self, left: u64) -> bool {
        let visits = self.tree.children(ROOT).iter().filter(|child| child.playable());
        let (mut first, mut second, mut moves) = (0, 0, 0);
        for visits in visits.map(|child| u64::from(child.visits)) {
            moves += 1;
            if visits > first {
                (first, second) = (visits, first);
            } else {
                second = second.max(visits);
            }
        }
        first > second + left || (moves == 1 && first >= FORCED)
    }

    /// Whether the move that was tried most is not the one that looks best.
    fn undecided(&self) -> bool {
        let Some(most) = self.best(ROOT) else { return true };
        let most = self.tree.node(most).mean();
        let tried = |child: &&Node| child.playable() && child.visits >= OPEN_AFTER;
        self.tree.children(ROOT).iter().filter(tried).any(|child| child.mean() > most)
    }
}

#[cfg(test)]
mod tests;
