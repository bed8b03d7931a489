//! The walk: down the tree by promise, one playout at its end, and back up with what it told.

use super::threats::Nearness;
use super::tree::{Fate, Index, Node, ROOT};
use super::{OPEN_AFTER, Search};
use crate::cpu::dice::Dice;
use crate::cpu::grid::{Mark, Point};
use crate::game::{Color, Goal};

/// How much is made of moves that were tried less.
const EXPLORATION: f32 = 0.22;
/// How much is made of the prior.
const PRIOR: f32 = 2.47;
/// RAVE weighs R / (n (1 / RAVE_TRUST + R / RAVE_LIMIT) + R) against n playouts of the move.
const RAVE_TRUST: f32 = 2.12;
const RAVE_LIMIT: f32 = 830.0;
/// What a move is worth that has neither playouts nor RAVE.
const FIRST_PLAY: f32 = 0.35;

impl Search {
    /// One way down the tree, one playout, and what it tells. `stop` is asked where a position is
    /// studied on the way, and cuts that short.
    pub(super) fn playout(&mut self, stop: &mut dyn FnMut() -> bool) {
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
                self.study(at, color, stop);
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
    pub(super) fn open(&mut self, at: Index, to_move: Color, last: Option<Point>) {
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
    pub(super) fn settle(&mut self, at: Index) -> bool {
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
}
