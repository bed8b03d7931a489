//! Proof-number search: always the position is looked at next that seems to need the least work to
//! settle the root.
//!
//! Every settled position keeps the cells that its winner needs. A move outside the cells that
//! refute another move is refuted by them too, so that one refutation takes many moves out of an
//! open position.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::game::Color;

use crate::cpu::connections::Limits;
use crate::cpu::connections::bits::Bits;
use crate::cpu::connections::board::Board;
use crate::cpu::inferior::fill;

use super::look::{Look, Open};

type NodeId = u32;

/// A position of the search.
#[derive(Debug)]
struct Node<const W: usize> {
    board: Board<W>,
    to_move: Color,
    state: State<W>,
    /// How much work it seems to be to prove the side to move's win.
    win: u32,
    /// How much work it seems to be to prove its loss.
    loss: u32,
}

#[derive(Debug)]
enum State<const W: usize> {
    Open {
        open: Open<W>,
        /// For each of the moves left its position, once it was looked at.
        next: Vec<(u16, Option<NodeId>)>,
        /// The cells that each refuted move's refutation needs.
        refutations: Vec<Bits<W>>,
    },
    Settled(Settled<W>),
}

/// Who wins a position, and by what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settled<const W: usize> {
    /// The winner.
    pub winner: Color,
    /// The winning move, if the side to move wins and needs one.
    pub cell: Option<u16>,
    /// The empty cells that the winner needs.
    pub carrier: Bits<W>,
}

/// A position without what does not matter: what two ways of reaching it share.
type Key<const W: usize> = ([Bits<W>; 2], Color);

/// The positions met so far.
#[derive(Debug)]
pub(super) struct Proof<const W: usize> {
    nodes: Vec<Node<W>>,
    known: HashMap<Key<W>, NodeId, BuildHasherDefault<Mixer>>,
    limits: Limits,
    most: usize,
}

/// Work that nothing reaches.
const NEVER: u32 = u32::MAX / 4;

impl<const W: usize> Proof<W> {
    /// A search that keeps at most so many positions.
    pub fn new(limits: Limits, most: usize) -> Proof<W> {
        Proof { nodes: Vec::new(), known: HashMap::default(), limits, most }
    }

    /// How many positions were looked at.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Settles a position, unless it is told to stop or runs out of room.
    pub fn settle(
        &mut self,
        board: &Board<W>,
        to_move: Color,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<Settled<W>> {
        let root = self.enter(board.clone(), to_move, stop);
        let mut path = Vec::new();
        loop {
            if let State::Settled(settled) = &self.nodes[root as usize].state {
                let filled = &self.nodes[root as usize].board;
                return Some(Settled { carrier: carrier(settled, filled, board), ..*settled });
            }
            if self.nodes.len() >= self.most || stop() {
                return None;
            }
            path.clear();
            let mut at = root;
            while let Some((slot, child)) = self.best(at) {
                path.push(at);
                if let Some(child) = child {
                    at = child;
                    continue;
                }
                let node = &self.nodes[at as usize];
                let State::Open { next, .. } = &node.state else { break };
                let (board, to_move) =
                    (node.board.with(next[slot].0, node.to_move), node.to_move.other());
                let child = self.enter(board, to_move, stop);
                if let State::Open { next, .. } = &mut self.nodes[at as usize].state {
                    next[slot].1 = Some(child);
                }
                break;
            }
            for &at in path.iter().rev() {
                self.update(at);
            }
        }
    }

    /// The move to look into: the one whose refutation seems easiest to rule out.
    fn best(&self, at: NodeId) -> Option<(usize, Option<NodeId>)> {
        let State::Open { next, .. } = &self.nodes[at as usize].state else { return None };
        let work = |child: Option<NodeId>| child.map_or(1, |id| self.nodes[id as usize].loss);
        let slots = next[..wide(next.len())].iter().enumerate();
        slots.min_by_key(|&(_, &(_, child))| work(child)).map(|(slot, &(_, child))| (slot, child))
    }

    /// The node of a position, which is looked at if it is new.
    fn enter(
        &mut self,
        mut board: Board<W>,
        to_move: Color,
        stop: &mut dyn FnMut() -> bool,
    ) -> NodeId {
        fill(&mut board, &mut |_, _, _| {});
        let key = (board.stones, to_move);
        if let Some(&id) = self.known.get(&key) {
            return id;
        }
        let (state, win, loss) = match board.winner() {
            Some(winner) => settled(Settled { winner, cell: None, carrier: Bits::EMPTY }, to_move),
            None => match Look::at(&board, to_move, &self.limits, stop) {
                Look::Decided(won) => {
                    let (winner, cell, carrier) = (won.winner, won.cell, won.carrier);
                    settled(Settled { winner, cell, carrier }, to_move)
                }
                Look::Open(mut open) => {
                    let moves = std::mem::take(&mut open.moves);
                    let next: Vec<_> = moves.into_iter().map(|cell| (cell, None)).collect();
                    let loss = wide(next.len()) as u32;
                    (State::Open { open, next, refutations: Vec::new() }, 1, loss)
                }
            },
        };
        let id = self.nodes.len() as NodeId;
        self.nodes.push(Node { board, to_move, state, win, loss });
        self.known.insert(key, id);
        id
    }

    /// Draws from a node's children what is known of it.
    fn update(&mut self, at: NodeId) {
        let node = &self.nodes[at as usize];
        let State::Open { open, next, refutations } = &node.state else { return };
        let mut fresh = Vec::new();
        for &(cell, child) in next {
            let Some(child) = child.map(|id| &self.nodes[id as usize]) else { continue };
            let State::Settled(settled_child) = &child.state else { continue };
            let before = node.board.with(cell, node.to_move);
            let carrier = carrier(settled_child, &child.board, &before);
            if settled_child.winner == node.to_move {
                let winner = node.to_move;
                let won = Settled { winner, cell: Some(cell), carrier: carrier.with(cell) };
                return self.set(at, settled(won, winner));
            }
            fresh.push((cell, carrier));
        }
        let left = |cell: u16| {
            fresh.iter().all(|&(refuted, ref carrier)| cell != refuted && carrier.has(cell))
        };
        let next: Vec<_> = next.iter().copied().filter(|&(cell, _)| left(cell)).collect();
        let mut refutations = refutations.clone();
        refutations.extend(fresh.iter().map(|&(_, carrier)| carrier));
        if next.is_empty() {
            let winner = node.to_move.other();
            let carrier = open.refuted(&refutations);
            let lost = settled(Settled { winner, cell: None, carrier }, node.to_move);
            return self.set(at, lost);
        }
        let of = |child: Option<NodeId>| child.map(|id| &self.nodes[id as usize]);
        let tried = &next[..wide(next.len())];
        let win = tried.iter().map(|&(_, child)| of(child).map_or(1, |child| child.loss)).min();
        let loss = tried.iter().map(|&(_, child)| of(child).map_or(1, |child| child.win));
        let loss = loss.fold(0u32, |sum, work| sum.saturating_add(work)).min(NEVER);
        let node = &mut self.nodes[at as usize];
        node.win = win.unwrap_or(NEVER).max(1);
        node.loss = loss.max(1);
        if let State::Open { next: old, refutations: known, .. } = &mut node.state {
            *old = next;
            *known = refutations;
        }
    }

    fn set(&mut self, at: NodeId, (state, win, loss): (State<W>, u32, u32)) {
        let node = &mut self.nodes[at as usize];
        (node.state, node.win, node.loss) = (state, win, loss);
    }
}

/// How many of the moves left are tried before the others.
fn wide(moves: usize) -> usize {
    moves.min(2 + moves / 4)
}

fn settled<const W: usize>(settled: Settled<W>, to_move: Color) -> (State<W>, u32, u32) {
    let (win, loss) = if settled.winner == to_move { (0, NEVER) } else { (NEVER, 0) };
    (State::Settled(settled), win, loss)
}

/// The cells that the winner needs on a board from which the settled one was filled in: those that
/// were filled in for it too.
fn carrier<const W: usize>(settled: &Settled<W>, filled: &Board<W>, before: &Board<W>) -> Bits<W> {
    let at = settled.winner.index();
    settled.carrier | filled.stones[at].without(before.stones[at])
}

/// A hasher for sets of bits: the same on every machine, and fast.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ mixed >> 29;
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0xBF58_476D_1CE4_E5B9)
    }
}
