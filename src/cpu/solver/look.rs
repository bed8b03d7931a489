//! One position as the solver looks at it: filled in, its connections searched, its moves ordered.

use crate::game::Color;

use crate::cpu::connections::bits::Bits;
use crate::cpu::connections::board::Board;
use crate::cpu::connections::{Found, Limits, Outlook, Until, Won, search};
use crate::cpu::inferior::{Pruned, Why, prune};

use super::order;

/// What is known of a position that was filled in.
#[derive(Debug)]
pub(super) enum Look<const W: usize> {
    /// It is decided.
    Decided(Won<W>),
    /// It is not.
    Open(Open<W>),
}

/// An open position.
#[derive(Debug)]
pub(super) struct Open<const W: usize> {
    /// The moves to try, the most promising first.
    pub moves: Vec<u16>,
    /// Threats of the opponent; all moves are in all of them.
    pub threats: Vec<Bits<W>>,
    /// The moves that need not be tried, with their reasons.
    pub pruned: Pruned<W>,
}

impl<const W: usize> Look<W> {
    /// Looks at a board that is filled in.
    pub fn at(
        board: &Board<W>,
        to_move: Color,
        limits: &Limits,
        stop: &mut dyn FnMut() -> bool,
    ) -> Look<W> {
        let own = search(board, to_move, limits, Until::Half, stop);
        if let Some(won) = Outlook::ahead(&own, to_move) {
            return Look::Decided(won);
        }
        let other = search(board, to_move.other(), limits, Until::Whole, stop);
        let outlook = Outlook::of(&own, &other, to_move);
        Look::from(board, to_move, &own, &other, outlook)
    }

    /// What the connections of both colours make of a board that is filled in.
    pub fn from(
        board: &Board<W>,
        to_move: Color,
        own: &Found<W>,
        other: &Found<W>,
        outlook: Outlook<W>,
    ) -> Look<W> {
        if let Some(won) = outlook.won {
            return Look::Decided(won);
        }
        let pruned = prune(board, to_move);
        let threats = outlook.threats;
        let common = threats.iter().fold(board.empty(), |common, &threat| common & threat);
        let moves = order::ordered(board, own, other, common.without(pruned.cells));
        let open = Open { moves, threats, pruned };
        if open.moves.is_empty() {
            let carrier = open.refuted(&[]);
            return Look::Decided(Won { winner: to_move.other(), cell: None, carrier });
        }
        Look::Open(open)
    }
}

impl<const W: usize> Open<W> {
    /// The cells that the opponent needs to win, once every move lies outside one of the threats
    /// or outside one of these carriers of refutations. As few of them are used as will do.
    pub fn refuted(&self, refutations: &[Bits<W>]) -> Bits<W> {
        let mut used: Vec<Bits<W>> = self.threats.iter().chain(refutations).copied().collect();
        used.sort_by_key(|carrier| std::cmp::Reverse(carrier.len()));
        let common = |sets: &[Bits<W>], but: usize| {
            let others = sets.iter().enumerate().filter(|&(at, _)| at != but);
            others.fold(Bits::ALL, |common, (_, &set)| common & set)
        };
        let mut at = 0;
        while at < used.len() {
            // Cells that neither the set's refutation nor any other's leaves out.
            if used.len() > 1 && common(&used, at).within(&self.pruned.cells) {
                used.remove(at);
            } else {
                at += 1;
            }
        }
        let mut needed = used.iter().fold(Bits::EMPTY, |union, &set| union | set);
        let left = common(&used, usize::MAX);
        for &(cell, why) in &self.pruned.why {
            if let Why::Vulnerable(killer) = why
                && left.has(cell)
            {
                needed.insert(killer);
            }
        }
        needed
    }
}
