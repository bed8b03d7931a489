//! Sure wins: a way to play that wins whatever the other seat has hidden and wherever it plays.
//!
//! An exact AND-OR search over what the seat sees: its stones, the enemy stones that it found, and
//! how many more there are. The other seat is taken to be as lucky as can be, so what it knows
//! does not matter, and any of the unknown cells may hold its stones. From that follows, for the
//! seat to move with h enemy stones hidden:
//! - a try finds a stone if h > 0, and a free cell if there are more unknown cells than h; a sure
//!   win needs both ways to go on to a win. In classical play the first leaves the seat to move
//!   with h - 1; otherwise the other seat moves.
//! - the other seat's move makes it h + 1 (in abrupt play also h, if it ran into a stone). If the
//!   other side lacks no more than h + 1 stones for a chain, they may be just there: no sure win.
//!
//! So hidden stones are never placed in the search at all: their number and the length of the
//! other side's shortest way say everything (every set of hidden cells that is not a chain agrees
//! with what was seen). What was tried when does not matter either: whatever cells are unknown now
//! could have been taken in any turn.
//!
//! The search deepens by the number of stones that the seat may still place. On large boards only
//! cells near its shortest ways are tried, and fewer states are looked at; a win found so is a win
//! all the same. What it finds there is that links hold as long as fewer stones are hidden than a
//! link has cells: in classical play a bridge is safe against one hidden stone, for its second cell
//! follows in the same turn when the first was taken, and m ways to the last link against m - 1.
//! In abrupt play a taken cell costs the turn, and only links without unknown cells are safe while
//! a stone is hidden.
//!
//! Hayward and van Rijswijck, "Hex and combinatorics" (2006) treat such play; the small boards were
//! classed by Bonnet, ICGA Journal 2018.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::BuildHasherDefault;

use crate::cpu::Seen;
use crate::cpu::dice::mix;
use crate::game::{Cell, Collision};

use super::facts::Facts;
use super::field::{Field, Point, Side};
use super::ways::{FAR, Ways};

/// The largest board of which every cell is tried.
const SMALL: usize = 25;
/// The most own stones that a sure win may take on larger boards.
const DEEPEST: u16 = 6;

/// A cell that wins for sure, if the search finds one among so many states, and before `stop` says
/// that it is to end.
pub fn winning_try(facts: &Facts, states: usize, stop: &mut dyn FnMut() -> bool) -> Option<Point> {
    let mut search = Search::new(facts, states, stop);
    let deepest = if search.field.cells() <= SMALL { search.free.len() as u16 } else { DEEPEST };
    (1..=deepest).find_map(|stones| search.winning_try(stones))
}

/// Every cell that wins for sure on a small board; none if that was too much to find out. For
/// studies: [`winning_try`] is what play uses.
pub fn winners(seen: &Seen, states: usize) -> Option<Vec<Cell>> {
    let facts = Facts::of(seen);
    let mut go_on = || false;
    let mut search = Search::new(&facts, states, &mut go_on);
    let most = search.free.len() as u16;
    let mut winners = Vec::new();
    for &cell in &facts.unknown {
        let wins = (1..=most).map(|stones| search.try_wins(cell, stones));
        let wins = wins.into_iter().find(|wins| *wins != Some(false)).unwrap_or(Some(false))?;
        winners.extend(wins.then(|| seen.size.cell(usize::from(cell))));
    }
    Some(winners)
}

/// What is known of a state.
#[derive(Clone, Copy)]
enum Proof {
    /// It wins.
    Wins,
    /// It does not with so many stones, or fewer.
    FailsWith(u16),
}

struct Search<'a> {
    field: &'a Field,
    side: Side,
    abrupt: bool,
    /// By cell: whose stone is known to stand there.
    known: Vec<Option<Side>>,
    hidden: usize,
    free: Vec<Point>,
    name: u128,
    proofs: HashMap<u128, Proof, BuildHasherDefault<DefaultHasher>>,
    /// How many more states may be looked at.
    left: usize,
    ways: Ways,
    stop: &'a mut dyn FnMut() -> bool,
}

impl<'a> Search<'a> {
    fn new(facts: &'a Facts, states: usize, stop: &'a mut dyn FnMut() -> bool) -> Search<'a> {
        let mut search = Search {
            field: &facts.field,
            side: facts.side,
            abrupt: facts.collision == Collision::Abrupt,
            known: vec![None; facts.field.cells()],
            hidden: facts.hidden(),
            free: facts.unknown.clone(),
            name: 0,
            proofs: HashMap::default(),
            left: states,
            ways: Ways::default(),
            stop,
        };
        for (stones, side) in [(&facts.own, facts.side), (&facts.found, 1 - facts.side)] {
            for &(cell, _) in stones {
                search.known[usize::from(cell)] = Some(side);
            }
        }
        search
    }

    /// A try that wins with at most so many more stones.
    fn winning_try(&mut self, stones: u16) -> Option<Point> {
        if self.left == 0 {
            return None;
        }
        let options = self.options(stones)?;
        options.into_iter().find(|&cell| self.try_wins(cell, stones) == Some(true))
    }

    /// Whether the seat, to move, wins with at most so many more stones; none if that was too much
    /// to find out.
    fn wins(&mut self, stones: u16) -> Option<bool> {
        let name = self.name ^ mixed(usize::MAX - self.hidden);
        match self.proofs.get(&name) {
            Some(Proof::Wins) => return Some(true),
            Some(Proof::FailsWith(most)) if stones <= *most => return Some(false),
            _ => {}
        }
        self.left = self.left.checked_sub(1)?;
        let mut cut = false;
        let options = self.options(stones).unwrap_or_default();
        for cell in options {
            match self.try_wins(cell, stones) {
                Some(true) => {
                    self.proofs.insert(name, Proof::Wins);
                    return Some(true);
                }
                Some(false) => {}
                None => cut = true,
            }
            if self.left == 0 {
                return None;
            }
        }
        if cut {
            return None;
        }
        self.proofs.insert(name, Proof::FailsWith(stones));
        Some(false)
    }

    /// The cells worth trying, the likeliest first; none if no chain is within reach.
    fn options(&mut self, stones: u16) -> Option<Vec<Point>> {
        let (side, known) = (self.side, &self.known);
        let owner = |cell: Point| known[usize::from(cell)];
        self.ways.measure(self.field, side, &owner);
        let lacking = self.ways.lacking(self.field, side);
        if lacking > stones {
            return None;
        }
        let reach = if self.field.cells() <= SMALL { FAR } else { lacking + 2 };
        let unknown = (0..self.field.cells()).filter(|&cell| self.known[cell].is_none());
        let mut options: Vec<(u16, u16, Point)> = unknown
            .map(|cell| (self.ways.through(cell), 0, cell as Point))
            .filter(|&(through, ..)| through <= reach)
            .collect();
        self.ways.measure(self.field, 1 - side, &owner);
        // While the other side needs just one stone more than it has hidden, that chain must be
        // cut, or found out about.
        for (_, theirs, cell) in &mut options {
            *theirs = self.ways.through(usize::from(*cell));
        }
        options.sort_unstable();
        Some(options.into_iter().map(|(.., cell)| cell).collect())
    }

    /// Whether the seat wins if it tries this cell.
    fn try_wins(&mut self, cell: Point, stones: u16) -> Option<bool> {
        if self.left == 0 || (self.stop)() {
            self.left = 0;
            return None;
        }
        let free = (0..self.field.cells()).filter(|&cell| self.known[cell].is_none()).count();
        if free > self.hidden {
            let outcome = self.with(cell, self.side, |search| {
                if search.lacking(search.side) == 0 {
                    return Some(true);
                }
                if stones <= 1 { Some(false) } else { search.answered(stones - 1) }
            });
            if outcome != Some(true) {
                return outcome;
            }
        }
        if self.hidden == 0 {
            return Some(true);
        }
        self.hidden -= 1;
        let outcome = self.with(cell, 1 - self.side, |search| {
            if search.abrupt { search.answered(stones) } else { search.wins(stones) }
        });
        self.hidden += 1;
        outcome
    }

    /// Whether the seat wins after any move of the other seat.
    fn answered(&mut self, stones: u16) -> Option<bool> {
        let theirs = self.lacking(1 - self.side);
        if usize::from(theirs) <= self.hidden + 1 {
            return Some(false);
        }
        self.hidden += 1;
        let mut outcome = self.wins(stones);
        self.hidden -= 1;
        if self.abrupt && outcome == Some(true) {
            outcome = self.wins(stones);
        }
        outcome
    }

    /// How many stones a side lacks for a chain.
    fn lacking(&mut self, side: Side) -> u16 {
        let known = &self.known;
        self.ways.measure_half(self.field, side, &|cell: Point| known[usize::from(cell)]);
        self.ways.lacking(self.field, side)
    }

    /// Does something with the cell known to be this side's.
    fn with<T>(&mut self, cell: Point, side: Side, work: impl FnOnce(&mut Self) -> T) -> T {
        let name = mixed(usize::from(cell) << 1 | side);
        self.known[usize::from(cell)] = Some(side);
        self.name ^= name;
        let outcome = work(self);
        self.name ^= name;
        self.known[usize::from(cell)] = None;
        outcome
    }
}

/// 128 bits that stand for a number, so many that different states do not get the same name.
fn mixed(number: usize) -> u128 {
    let number = number as u64;
    u128::from(mix(number ^ 0x5bd1_e995)) << 64 | u128::from(mix(number.wrapping_add(0x9e37_79b9)))
}
