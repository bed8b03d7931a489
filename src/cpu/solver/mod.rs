//! Who wins, exactly: a search that ends only with a proof.
//!
//! [`solve`] settles a position by proof-number search in which every position is filled in,
//! searched for connections, and rid of inferior moves first; [`study`] does that for one position
//! and leaves the search to others. Both hold for Hex, where joining wins, and not for Rex.
//!
//! After Allis, van der Meulen and van den Herik, "Proof-number search" (1994); Hayward and others,
//! "Solving 7x7 Hex with domination, virtual connections, and game-state reduction" (2005);
//! Henderson, Arneson and Hayward, "Solving 8x8 Hex" (2009); Arneson, Hayward and Henderson,
//! "Solving Hex: beyond humans" (2010). How one refutation serves many moves of a position is told in
//! `proof`.

#[cfg(test)]
pub(crate) mod exhaustive;
mod look;
mod order;
mod proof;

use crate::game::Color;

use super::connections::board::{self, Board};
use super::connections::{Limits, Outlook, Reply, Until, Verdict, by_size, reply_table, search};
use super::grid::{Grid, Point};
use super::inferior::{Reason, fill};
use proof::{Proof, Settled};

/// A settled position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solved {
    /// Who wins, and by what.
    pub verdict: Verdict,
    /// How many positions were looked at.
    pub nodes: usize,
}

/// Settles a position, looking at no more than `most` positions and until `stop` says so. None if
/// that was not enough, or the board has more than 384 cells. An open position takes about 2 KiB on
/// 11x11, and `stop` is asked before each is looked at and now and then meanwhile.
pub fn solve(
    grid: &Grid,
    to_move: Color,
    most: usize,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Solved> {
    let cells = grid.geometry().size().cells();
    by_size!(cells, solve_sized(grid, to_move, most, stop), None)
}

fn solve_sized<const W: usize>(
    grid: &Grid,
    to_move: Color,
    most: usize,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Solved> {
    let board = Board::<W>::of(grid)?;
    let mut proof = Proof::new(Limits::QUICK, most);
    let settled = proof.settle(&board, to_move, stop)?;
    Some(Solved { verdict: verdict(grid, &board, to_move, settled), nodes: proof.len() })
}

fn verdict<const W: usize>(
    grid: &Grid,
    board: &Board<W>,
    to_move: Color,
    settled: Settled<W>,
) -> Verdict {
    let Settled { winner, cell, carrier } = settled;
    // A win by cells that were filled in needs no move; any is as good.
    let idle = || (carrier | board.empty()).iter().find(|&cell| board.owner(cell).is_none());
    let open = winner == to_move && board.winner().is_none();
    let cell = if open { cell.or_else(|| carrier.iter().next()).or_else(idle) } else { None };
    Verdict {
        winner,
        cell: cell.map(|cell| grid.geometry().points()[usize::from(cell)]),
        carrier: board::points(grid, carrier),
    }
}

/// All moves that win for the side to move, in row-major order. None if `most` positions in all,
/// or the time until `stop` says so, were not enough.
pub fn winning_moves(
    grid: &Grid,
    to_move: Color,
    most: usize,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Vec<Point>> {
    let cells = grid.geometry().size().cells();
    by_size!(cells, winning_moves_sized(grid, to_move, most, stop), None)
}

fn winning_moves_sized<const W: usize>(
    grid: &Grid,
    to_move: Color,
    most: usize,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Vec<Point>> {
    let board = Board::<W>::of(grid)?;
    let mut proof = Proof::new(Limits::QUICK, most);
    let mut winning = Vec::new();
    for cell in board.empty().iter() {
        let after = board.with(cell, to_move);
        if proof.settle(&after, to_move.other(), stop)?.winner == to_move {
            winning.push(grid.geometry().points()[usize::from(cell)]);
        }
    }
    Some(winning)
}

/// A position as a search of another kind wants to know it.
#[derive(Clone, Debug, Default)]
pub struct Study {
    /// Who wins, if that is proven.
    pub verdict: Option<Verdict>,
    /// The moves worth trying, the most promising first: if the side to move wins at all, it wins
    /// by one of these. Empty if the verdict is known.
    pub moves: Vec<Point>,
    /// Stones that may be added without changing who wins.
    pub fill: Vec<(Point, Color)>,
    /// For red and for blue the answers that keep their links and captured cells after an intrusion,
    /// one a probe, in the order of the probes.
    pub replies: [Vec<Reply>; 2],
}

/// Fills a position in, searches its connections, and takes out inferior moves. Of boards of more
/// than 384 cells nothing is known but the moves. Once `stop` says so, what was found is made do
/// with: it holds, but there may be more.
pub fn study(
    grid: &Grid,
    to_move: Color,
    limits: &Limits,
    stop: &mut dyn FnMut() -> bool,
) -> Study {
    let cells = grid.geometry().size().cells();
    let unknown = || Study { moves: grid.empty().collect(), ..Study::default() };
    by_size!(cells, study_sized(grid, to_move, limits, stop), None).unwrap_or_else(unknown)
}

fn study_sized<const W: usize>(
    grid: &Grid,
    to_move: Color,
    limits: &Limits,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Study> {
    let before = Board::<W>::of(grid)?;
    let mut board = before.clone();
    let point = |cell: u16| grid.geometry().points()[usize::from(cell)];
    let mut study = Study::default();
    let mut captured = [Vec::new(), Vec::new()];
    fill(&mut board, &mut |cell, color, reason| {
        study.fill.push((point(cell), color));
        if let Reason::Captured(other) = reason {
            let reply = Reply { probe: point(cell), answer: point(other) };
            captured[color.index()].push(reply);
        }
    });
    let found = [Color::Red, Color::Blue]
        .map(|color| search(&board, color, limits, Until::Done, &mut *stop));
    study.replies = found.each_ref().map(|found| reply_table(found, grid.geometry().points()));
    for (replies, captured) in study.replies.iter_mut().zip(captured) {
        replies.extend(captured);
        replies.sort();
    }
    let (own, other) = (&found[to_move.index()], &found[to_move.other().index()]);
    let outlook = Outlook::of(own, other, to_move);
    let look = look::Look::from(&board, to_move, own, other, outlook);
    match look {
        look::Look::Decided(won) => {
            let filled =
                board.stones[won.winner.index()].without(before.stones[won.winner.index()]);
            let carrier = won.carrier | filled;
            let settled = Settled { winner: won.winner, cell: won.cell, carrier };
            study.verdict = Some(verdict(grid, &before, to_move, settled));
        }
        look::Look::Open(open) => study.moves = open.moves.into_iter().map(point).collect(),
    }
    Some(study)
}

#[cfg(test)]
mod tests;
