//! What is connected though not yet joined: links within a set of empty cells, found by H-search.
//!
//! [`analyse`] looks at a position for both colours. It proves some positions won or lost, says
//! which cells the side to move must play in because everywhere else the opponent wins, and how to
//! answer intrusions into links that hold.
//!
//! After Anshelevich, "A hierarchical approach to computer Hex" (2002), for the search; Hayward,
//! Björnsson, Johanson, Kan, Po and van Rijswijck, "Solving 7x7 Hex with domination, virtual
//! connections, and game-state reduction" (2005), for must-play regions; Arneson, Hayward and
//! Henderson, "Monte Carlo tree search in Hex" (2010), for their use in a tree.

pub(crate) mod bits;
pub(crate) mod board;
mod hsearch;
mod links;
mod replies;
mod templates;

pub use hsearch::Limits;
pub use replies::Reply;

pub(crate) use hsearch::{Found, Until, search};
pub(crate) use replies::all as reply_table;

use crate::game::Color;

use super::grid::{Grid, Point};
use bits::Bits;
use board::Board;

/// What is known of a position by its connections alone.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Whose turn it is.
    pub to_move: Color,
    /// Who wins, if a connection between a colour's edges proves it.
    pub verdict: Option<Verdict>,
    /// Where the side to move has to play: everywhere else the opponent wins. None if no threat
    /// is known, so that any cell may do. Never empty: then the verdict says who wins.
    pub must_play: Option<Vec<Point>>,
    /// For red and for blue the answers that keep their links after an intrusion, one a probe, in
    /// the order of the probes.
    pub replies: [Vec<Reply>; 2],
    /// Whether the search came to its end. If not, all that it found holds, but there may be more.
    pub complete: bool,
}

/// Who wins, and by what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Who wins.
    pub winner: Color,
    /// Where the side to move plays to win, if it is the winner and its edges are not joined yet.
    pub cell: Option<Point>,
    /// The empty cells that the winner needs.
    pub carrier: Vec<Point>,
}

/// Calls a function of sets that are just large enough for a number of cells, up to 384.
macro_rules! by_size {
    ($cells:expr, $call:ident ( $($argument:expr),* ), $otherwise:expr) => {
        match $cells {
            0..=64 => $call::<1>($($argument),*),
            65..=128 => $call::<2>($($argument),*),
            129..=192 => $call::<3>($($argument),*),
            193..=384 => $call::<6>($($argument),*),
            _ => $otherwise,
        }
    };
}
pub(crate) use by_size;

/// Looks at a position for both colours. Boards of more than 384 cells are too large: of them
/// nothing is known.
pub fn analyse(grid: &Grid, to_move: Color, limits: &Limits) -> Analysis {
    let unknown = || Analysis {
        to_move,
        verdict: None,
        must_play: None,
        replies: [Vec::new(), Vec::new()],
        complete: false,
    };
    let cells = grid.geometry().size().cells();
    by_size!(cells, analyse_sized(grid, to_move, limits), None).unwrap_or_else(unknown)
}

fn analyse_sized<const W: usize>(grid: &Grid, to_move: Color, limits: &Limits) -> Option<Analysis> {
    let board = Board::<W>::of(grid)?;
    let mut go_on = || false;
    let mut links = |color| search(&board, color, limits, Until::Done, &mut go_on);
    let found = [Color::Red, Color::Blue].map(&mut links);
    let outlook = Outlook::of(&found[to_move.index()], &found[to_move.other().index()], to_move);
    let points = |cells| board::points(grid, cells);
    let must_play = outlook.must_play().filter(|_| outlook.won.is_none()).map(points);
    let verdict = outlook.won.map(|won| Verdict {
        winner: won.winner,
        cell: won.cell.map(|cell| grid.geometry().points()[usize::from(cell)]),
        carrier: points(won.carrier),
    });
    Some(Analysis {
        to_move,
        must_play,
        verdict,
        replies: found.each_ref().map(|found| replies::all(found, grid.geometry().points())),
        complete: found.iter().all(|found| found.complete),
    })
}

/// What the links of both colours say about the side to move.
#[derive(Debug)]
pub(crate) struct Outlook<const W: usize> {
    /// Who wins, if that is proven.
    pub won: Option<Won<W>>,
    /// Carriers of a few threats of the opponent that have no more in common than all of them.
    pub threats: Vec<Bits<W>>,
}

/// A proven win.
#[derive(Clone, Debug)]
pub(crate) struct Won<const W: usize> {
    /// Whose.
    pub winner: Color,
    /// The side to move's move, if it is the winner and not through yet.
    pub cell: Option<u16>,
    /// The empty cells that the winner needs.
    pub carrier: Bits<W>,
}

impl<const W: usize> Outlook<W> {
    /// From what was found for the side to move, and for the opponent.
    pub fn of(own: &Found<W>, other: &Found<W>, to_move: Color) -> Outlook<W> {
        let by = |winner, carrier| Outlook {
            won: Some(Won { winner, cell: None, carrier }),
            threats: Vec::new(),
        };
        if own.points.joined || other.points.joined {
            let winner = if own.points.joined { to_move } else { to_move.other() };
            return by(winner, Bits::EMPTY);
        }
        if let Some(won) = Outlook::ahead(own, to_move) {
            return Outlook { won: Some(won), threats: Vec::new() };
        }
        if let Some(id) = other.whole() {
            return by(to_move.other(), other.links.link(id).carrier);
        }
        let outlook = Outlook { won: None, threats: other.threats() };
        if outlook.must_play().is_some_and(|cells| cells.is_empty()) {
            let carrier = outlook.threats.iter().fold(Bits::EMPTY, |union, &threat| union | threat);
            return by(to_move.other(), carrier);
        }
        outlook
    }

    /// Where the side to move has to play, if the opponent threatens anything.
    pub fn must_play(&self) -> Option<Bits<W>> {
        self.threats.iter().copied().reduce(|common, threat| common & threat)
    }

    /// Whether the side to move wins by a link of its own.
    pub fn ahead(own: &Found<W>, to_move: Color) -> Option<Won<W>> {
        let id = own.whole().or_else(|| own.half())?;
        let link = own.links.link(id);
        let cell = replies::first(own, id);
        Some(Won { winner: to_move, cell, carrier: link.carrier })
    }
}

#[cfg(test)]
mod tests;
