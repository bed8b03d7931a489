//! What connections and inferior cells say about a node: who wins there, or which moves are left,
//! and which stones may be added.

use super::Search;
use super::tree::{Fate, Index, ROOT};
use crate::cpu::connections::Limits;
use crate::cpu::grid::Point;
use crate::cpu::solver;
use crate::game::Color;

impl Search {
    /// Studies the position on the board, which is that of a node that has its children.
    pub(super) fn study(&mut self, at: Index, to_move: Color, stop: &mut dyn FnMut() -> bool) {
        let limits = if at == ROOT { Limits::THOROUGH } else { Limits::QUICK };
        let study = solver::study(&self.grid, to_move, &limits, stop);
        self.tree.node_mut(at).studied = true;
        match study.verdict {
            Some(verdict) if verdict.winner == to_move => self.win_at(at, verdict.cell),
            // A lost game is played on: the opponent has to find the win.
            Some(_) if at == ROOT => {}
            Some(_) => self.tree.node_mut(at).fate = Fate::Won,
            None if self.knowledge.inferior
                && study.moves.len() < usize::from(self.tree.node(at).children) =>
            {
                for child in self.tree.children_mut(at) {
                    if child.fate == Fate::Open && !study.moves.contains(&child.point) {
                        child.fate = Fate::Pruned;
                    }
                }
                self.tree.set_fill(at, study.fill);
            }
            None => {}
        }
    }

    /// Tries to settle the root by the solver, looking at this many positions, and says who wins.
    /// A lost root stays open, for the same reason.
    pub(super) fn solve(&mut self, most: u64, stop: &mut dyn FnMut() -> bool) -> Option<Color> {
        if most == 0 || self.tree.node(ROOT).fate != Fate::Open {
            return None;
        }
        let (grid, to_move) = (&self.root.grid, self.root.to_move);
        let verdict = solver::solve(grid, to_move, most as usize, stop)?.verdict;
        if let (true, Some(cell)) = (verdict.winner == to_move, verdict.cell) {
            self.win_at(ROOT, Some(cell));
        }
        Some(verdict.winner)
    }

    /// Whoever is to move at a node wins, by this move.
    fn win_at(&mut self, at: Index, cell: Option<Point>) {
        self.tree.node_mut(at).fate = Fate::Lost;
        if let Some(child) = cell.and_then(|cell| self.tree.child_at(at, cell)) {
            self.tree.node_mut(child).fate = Fate::Won;
        }
    }
}
