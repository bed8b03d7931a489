//! Moves that need not be tried because another is as good.

use crate::game::Color;

use crate::cpu::connections::bits::Bits;
use crate::cpu::connections::board::Board;

use super::dead::dead;
use super::fill::{captured, empty_around};

/// Why a move need not be tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why<Cell> {
    /// The opponent answers there, and the stone is dead.
    Vulnerable(Cell),
    /// The side to move plays there instead: that kills or captures this cell.
    Dominated(Cell),
}

/// What need not be tried.
#[derive(Debug)]
pub struct Pruned<const W: usize> {
    /// The cells.
    pub cells: Bits<W>,
    /// Each with its reason.
    pub why: Vec<(u16, Why<u16>)>,
}

/// What the side to move need not try.
///
/// If it wins at all it wins by a move that is left. For a vulnerable stone: after the answer that
/// kills it the side to move still wins, by a move that wins now as well; as every such step gives
/// the opponent a stone, it ends at a move that is not vulnerable. For a dominated one: the chain
/// of dominating moves ends at one that is left, since a move that was taken out takes out no other.
pub fn prune<const W: usize>(board: &Board<W>, to_move: Color) -> Pruned<W> {
    let empty = board.empty();
    let mut pruned = Pruned { cells: Bits::EMPTY, why: Vec::new() };
    for cell in empty.iter() {
        let opponent = to_move.other();
        let killer = |&near: &u16| dead(board, cell, Some((near, opponent)));
        if let Some(killer) = empty_around(board, cell).find(killer) {
            pruned.cells.insert(cell);
            pruned.why.push((cell, Why::Vulnerable(killer)));
        }
    }
    if pruned.cells == empty {
        return Pruned { cells: Bits::EMPTY, why: Vec::new() };
    }
    for best in empty.without(pruned.cells).iter() {
        if pruned.cells.has(best) {
            continue;
        }
        let mut dominated = |cell| {
            if cell != best && !pruned.cells.has(cell) {
                pruned.cells.insert(cell);
                pruned.why.push((cell, Why::Dominated(best)));
            }
        };
        for near in empty_around(board, best) {
            if dead(board, near, Some((best, to_move))) {
                dominated(near);
            }
        }
        let after = board.with(best, to_move);
        for near in empty_around(board, best) {
            for other in empty_around(&after, near) {
                if captured(&after, near, other, to_move) {
                    dominated(near);
                    dominated(other);
                }
            }
        }
    }
    pruned
}
