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

use std::fmt;

use crate::game::{Color, Goal};

use super::Knowledge;
use super::dice::Dice;
use super::evaluator::{Circuit, Evaluator};
use super::grid::{Grid, Mark, Point};
use super::patterns::{Playout, Policy, Replies, Weights};
use threats::{Nearness, Threats};
use tree::{Fate, Index, Node, ROOT, Tree};

/// How much is made of moves that were tried less.
const EXPLORATION: f32 = 0.22;
/// How much is made of the prior.
const PRIOR: f32 = 2.47;
/// RAVE weighs R / (n (1 / RAVE_TRUST + R / RAVE_LIMIT) + R) against n playouts of the move.
const RAVE_TRUST: f32 = 2.12;
const RAVE_LIMIT: f32 = 830.0;
/// What a move is worth that has neither playouts nor RAVE.
const FIRST_PLAY: f32 = 0.35;
/// How many visits open a leaf.
const OPEN_AFTER: u32 = 10;
/// How many visits make a node worth a study, which takes as long as a hundred playouts.
const STUDY_AFTER: u32 = 300;
/// How many playouts tell enough of the only move there is.
const FORCED: u64 = 100;
/// How many playouts take as long as the solver takes for a position, and at how many it gives up.
const SOLVED_FOR: u64 = 64;
const SOLVED_AT_MOST: u64 = 1_000;
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
    /// stop. Small boards that leave it open are handed to the solver then, for about as long.
    pub fn run(&mut self, nodes: u64, stop: &mut dyn FnMut() -> bool) {
        self.search(nodes, stop);
        let open = self.tree.node(ROOT).fate == Fate::Open;
        if open && self.knowledge.solver && self.root.goal == Goal::Join && !stop() {
            self.solve((nodes / SOLVED_FOR).min(SOLVED_AT_MOST), stop);
        }
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
            self.playout();
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

    /// Takes the search to a position that is at most two moves on, with what it knows of it.
    /// Says whether that was possible; if not, nothing has changed.
    pub fn advance(&mut self, to: &Position) -> bool {
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
        self.tree = self.tree.subtree(at);
        self.root = to.clone();
        self.nodes = 0;
        true
    }

    /// One way down the tree, one playout, and what it tells.
    fn playout(&mut self) {
        self.nodes += 1;
        self.grid.copy_from(&self.root.grid);
        self.path.clear();
        self.path.push(ROOT);
        let (mut at, mut color, mut last) = (ROOT, self.root.to_move, None);
        while self.tree.node(at).fate == Fate::Open {
            let node = self.tree.node(at);
            if !node.expanded && (at == ROOT || node.visits >= OPEN_AFTER) {
                self.open(at, color, last);
                continue;
            }
            if !node.studied
                && (node.visits >= self.study_after || at == ROOT && self.study_after < u32::MAX)
            {
                self.study(at, color);
                continue;
            }
            for &(point, color) in self.tree.fill(at) {
                self.grid.set(point, Mark::of(color));
            }
            let Some(child) = self.select(at) else { break };
            let point = self.tree.node(child).point;
            if self.grid.at(point) != Mark::Empty {
                // Filled in by a node above, after this one was opened.
                self.tree.node_mut(child).fate = Fate::Pruned;
                continue;
            }
            self.grid.set(point, Mark::of(color));
            self.path.push(child);
            (at, color, last) = (child, color.other(), Some(point));
        }
        let winner = match self.tree.node(at).fate {
            Fate::Won => color.other(),
            Fate::Lost => color,
            Fate::Open | Fate::Pruned => {
                let joined =
                    self.playout.run(&self.grid, color, last, &self.policy, &mut self.dice);
                let winner = self.root.winner(joined);
                if self.knowledge.rave {
                    self.share(winner);
                }
                winner
            }
        };
        self.back_up(winner);
    }

    /// Makes the children of a node, or settles it.
    fn open(&mut self, at: Index, to_move: Color, last: Option<Point>) {
        let cells = self.grid.empty().count();
        if !self.tree.has_room(cells) {
            self.tree.node_mut(at).expanded = true;
            return;
        }
        let other = to_move.other();
        let joins = self.root.goal == Goal::Join;
        // A chain that is there decides, whatever else may be known.
        let theirs = self.threats.of(&self.grid, other);
        if theirs == Nearness::Joined || cells == 0 {
            self.tree.node_mut(at).fate = if joins { Fate::Won } else { Fate::Lost };
            return;
        }
        let ours = self.threats.of(&self.grid, to_move);
        if joins && self.knowledge.solver {
            match (ours, theirs) {
                (Nearness::OneAway(points), _) => {
                    let won = Node { fate: Fate::Won, ..Node::new(points[0], 1.0) };
                    self.tree.expand(at, std::iter::once(won));
                    self.tree.node_mut(at).fate = Fate::Lost;
                    return;
                }
                (_, Nearness::OneAway(points)) => {
                    self.tree.expand(at, std::iter::once(Node::new(points[0], 1.0)));
                    if points.len() > 1 {
                        self.tree.node_mut(at).fate = Fate::Won;
                    }
                    return;
                }
                _ => {}
            }
            let children = self.grid.empty().map(|point| Node::new(point, 0.0));
            self.tree.expand(at, children);
        } else {
            // Whoever joins now wins, or loses, at once.
            let fate = if joins { Fate::Won } else { Fate::Lost };
            let joining = match ours {
                Nearness::OneAway(points) => points,
                Nearness::Joined | Nearness::Further => Vec::new(),
            };
            let decided = |point| if joining.contains(&point) { fate } else { Fate::Open };
            let children = self.grid.empty();
            let children =
                children.map(|point| Node { fate: decided(point), ..Node::new(point, 0.0) });
            self.tree.expand(at, children);
            self.settle(at);
        }
        if self.knowledge.priors {
            let evaluation = self.evaluator.evaluate(&self.grid, to_move, last);
            for child in self.tree.children_mut(at) {
                let prior = evaluation.prior[usize::from(child.point)];
                // Of such races each move wins as often as its prior says.
                let race = |dice: &mut Dice| prior / -dice.unit().max(1e-6).ln();
                let noisy = at == ROOT && !self.knowledge.steady;
                child.prior = if noisy { race(&mut self.dice) } else { prior };
            }
        }
    }

    /// The child to look at next, if there is one to look at.
    fn select(&self, at: Index) -> Option<Index> {
        let log = (self.tree.node(at).visits.max(1) as f32).ln();
        let mut best = None;
        let mut highest = f32::NEG_INFINITY;
        for (index, child) in (self.tree.node(at).first..).zip(self.tree.children(at)) {
            if !child.playable() {
                continue;
            }
            let value = self.promise(child, log);
            if value > highest {
                (best, highest) = (Some(index), value);
            }
        }
        best
    }

    /// How much a child promises.
    fn promise(&self, child: &Node, log: f32) -> f32 {
        let visits = child.visits as f32;
        let prior = PRIOR * child.prior / (visits + 1.0).sqrt();
        let rave = child.rave_wins / child.rave_visits;
        if child.visits == 0 {
            return prior + if self.knowledge.rave { rave } else { FIRST_PLAY };
        }
        let own = child.wins as f32 / visits + EXPLORATION * (log / visits).sqrt();
        if !self.knowledge.rave {
            return own + prior;
        }
        let trust = visits * (1.0 / RAVE_TRUST + child.rave_visits / RAVE_LIMIT);
        let weight = child.rave_visits / (trust + child.rave_visits);
        own + weight * (rave - own) + prior
    }

    /// Tells the children along the path how the playout ended in which they were made too.
    fn share(&mut self, winner: Color) {
        let filled = self.playout.filled();
        let mut color = self.root.to_move;
        for &at in &self.path {
            let (mark, won) = (Mark::of(color), f32::from(winner == color));
            for child in self.tree.children_mut(at) {
                let made = f32::from(filled.at(child.point) == mark);
                child.rave_visits += made;
                child.rave_wins += made * won;
            }
            color = color.other();
        }
    }

    /// Tells the nodes of the path who won, and settles those that are certain now.
    fn back_up(&mut self, winner: Color) {
        let mut mover = self.root.to_move.other();
        for &at in &self.path {
            let node = self.tree.node_mut(at);
            node.visits += 1;
            node.wins += u32::from(winner == mover);
            mover = mover.other();
        }
        for step in (0..self.path.len()).rev() {
            let at = self.path[step];
            if step + 1 < self.path.len() && !self.settle(at) {
                return;
            }
        }
    }

    /// Whether a node's children make its fate certain, which is then set.
    fn settle(&mut self, at: Index) -> bool {
        if self.tree.node(at).fate != Fate::Open {
            return true;
        }
        let children = self.tree.children(at);
        let fate = if children.iter().any(|child| child.fate == Fate::Won) {
            Fate::Lost
        } else if children.iter().any(|child| child.fate == Fate::Lost)
            && children.iter().all(|child| !child.playable())
        {
            Fate::Won
        } else {
            return false;
        };
        self.tree.node_mut(at).fate = fate;
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
