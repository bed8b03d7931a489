//! Games of Dark Hex that differ only in what one viewer may not know: three at a time, which are
//! three pairs. Pure.
//!
//! The rules are written down here once more, and not taken from the server that is on trial. A game
//! is played at random; then its hidden part is played anew: whatever the viewer was shown comes out
//! the same, attempt for attempt, and nothing else is held to.

use hexhall::game::{Cell, Seat, Size};
use hexhall::view::Viewer;

use super::dice::Dice;

/// One try of one seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// Who tries.
    pub seat: Seat,
    /// Where.
    pub cell: Cell,
    /// Whether a hidden stone stands there.
    pub hit: bool,
}

/// How all of them end: in none of these ways is anything revealed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// It does not, as far as it is looked at.
    Open,
    /// A seat gives up.
    Resigned(Seat),
    /// A seat takes the game back.
    Aborted(Seat),
    /// The seat to move lets its time run out.
    Time,
    /// A seat goes and does not come back, and the other claims the game.
    Left(Seat),
}

/// Three games that one viewer cannot tell apart, so that no two of them can be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trio {
    /// What it was made from.
    pub seed: u64,
    /// Who cannot tell them apart.
    pub viewer: Viewer,
    /// The board.
    pub size: Size,
    /// Whether a collision passes the turn.
    pub abrupt: bool,
    /// The attempts of each game.
    pub games: [Vec<Attempt>; 3],
    /// How all of them end.
    pub ending: Ending,
}

/// A position, as an umpire sees it.
#[derive(Clone)]
pub struct Umpire {
    size: Size,
    abrupt: bool,
    stones: Vec<Option<Seat>>,
    /// The enemy stones that each seat has found.
    found: [Vec<bool>; 2],
    /// Who is to move.
    pub to_move: Seat,
}

impl Umpire {
    /// An empty board.
    pub fn new(size: Size, abrupt: bool) -> Umpire {
        let cells = size.cells();
        Umpire {
            size,
            abrupt,
            stones: vec![None; cells],
            found: [vec![false; cells], vec![false; cells]],
            to_move: Seat::One,
        }
    }

    /// The position after these attempts.
    pub fn after(size: Size, abrupt: bool, attempts: &[Attempt]) -> Umpire {
        let mut umpire = Umpire::new(size, abrupt);
        attempts.iter().for_each(|attempt| umpire.take(attempt.cell));
        umpire
    }

    fn at(&self, cell: Cell) -> usize {
        self.size.index(cell)
    }

    /// Whose stone stands there.
    pub fn stone(&self, cell: Cell) -> Option<Seat> {
        self.stones[self.at(cell)]
    }

    /// Whether the seat knows that a stone stands there.
    pub fn knows(&self, seat: Seat, cell: Cell) -> bool {
        match self.stone(cell) {
            Some(owner) => owner == seat || self.found[seat.index()][self.at(cell)],
            None => false,
        }
    }

    /// The cells for which something holds.
    pub fn cells(&self, that: impl Fn(Cell) -> bool) -> Vec<Cell> {
        self.size.iter().filter(|&cell| that(cell)).collect()
    }

    /// The cells that hold something else than in another position.
    pub fn differs(&self, other: &Umpire) -> Vec<Cell> {
        self.cells(|cell| self.stone(cell) != other.stone(cell))
    }

    /// Where the seat would run into something.
    pub fn hidden(&self, seat: Seat) -> Vec<Cell> {
        self.cells(|cell| self.stone(cell).is_some() && !self.knows(seat, cell))
    }

    /// Where the seat may place a stone without ending the game.
    fn quiet(&self, seat: Seat) -> Vec<Cell> {
        self.cells(|cell| self.stone(cell).is_none() && !self.joins(seat, cell))
    }

    /// The seat to move tries a cell that it does not know to be taken.
    pub fn take(&mut self, cell: Cell) {
        let (seat, at) = (self.to_move, self.at(cell));
        let hit = self.stones[at].is_some();
        match hit {
            true => self.found[seat.index()][at] = true,
            false => self.stones[at] = Some(seat),
        }
        if !hit || self.abrupt {
            self.to_move = seat.other();
        }
    }

    /// Whether a stone there would join the seat's edges.
    fn joins(&self, seat: Seat, cell: Cell) -> bool {
        let (rows, cols) = (i16::from(self.size.rows()), i16::from(self.size.cols()));
        let (mut seen, mut queue) = (vec![false; self.stones.len()], vec![cell]);
        let (mut first, mut last) = (false, false);
        while let Some(cell) = queue.pop() {
            if std::mem::replace(&mut seen[self.at(cell)], true) {
                continue;
            }
            let (row, col) = (i16::from(cell.row), i16::from(cell.col));
            let (along, length) = match seat {
                Seat::One => (row, rows),
                Seat::Two => (col, cols),
            };
            first |= along == 0;
            last |= along == length - 1;
            for (down, right) in [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)] {
                let (row, col) = (row + down, col + right);
                if (0..rows).contains(&row) && (0..cols).contains(&col) {
                    let next = Cell::new(row.try_into().unwrap(), col.try_into().unwrap());
                    if self.stone(next) == Some(seat) {
                        queue.push(next);
                    }
                }
            }
        }
        first && last
    }
}

impl Trio {
    /// The games of a seed.
    pub fn new(seed: u64) -> Trio {
        let mut dice = Dice::new(seed);
        let viewer = Viewer::ALL[dice.below(3)];
        // On a wide board some numbers of cells are longer than others.
        let least = if dice.percent(4) { 9 } else { 3 };
        let side = |dice: &mut Dice| least + dice.below(3) as u64;
        let size = Size::new(side(&mut dice), side(&mut dice)).unwrap();
        let abrupt = dice.percent(50);
        loop {
            let (ending, most) = ending(&mut dice, viewer, size);
            let first = played(&mut dice, size, abrupt, most);
            let mut anew = || played_anew(&mut dice, size, abrupt, viewer, &first);
            for _ in 0..8 {
                let (Some(second), Some(third)) = (anew(), anew()) else { continue };
                let games = [first.clone(), second, third];
                let trio = Trio { seed, viewer, size, abrupt, games, ending };
                if trio.moved().into_iter().all(|moved| moved > 0) && trio.may_end() {
                    return trio;
                }
            }
        }
    }

    /// How many cells hold something else at the end, in each pair of the games.
    pub fn moved(&self) -> [usize; 3] {
        let ends = self.games.each_ref().map(|game| Umpire::after(self.size, self.abrupt, game));
        [(0, 1), (1, 2), (0, 2)].map(|(one, other)| ends[one].differs(&ends[other]).len())
    }

    /// Whether the rules allow the ending.
    fn may_end(&self) -> bool {
        let moved = |seat| self.games[0].iter().any(|attempt| attempt.seat == seat);
        match self.ending {
            Ending::Aborted(_) => !moved(Seat::Two),
            _ => true,
        }
    }
}

/// An ending, and how many attempts there are at most before it.
fn ending(dice: &mut Dice, viewer: Viewer, size: Size) -> (Ending, usize) {
    let some = Seat::BOTH[dice.below(2)];
    // Only its opening attempt may come before an abort, and that is no secret to its own seat.
    if viewer != Viewer::Seat(Seat::One) && dice.percent(8) {
        return (Ending::Aborted(some), 1);
    }
    let most = 2 + dice.below(size.cells().min(14));
    let ending = match dice.below(4) {
        0 => Ending::Open,
        1 => Ending::Resigned(some),
        2 => Ending::Time,
        // Whoever is gone hears nothing any more.
        _ => Ending::Left(match viewer {
            Viewer::Seat(seat) => seat.other(),
            Viewer::Both | Viewer::Spectator => some,
        }),
    };
    (ending, most)
}

/// A game at random, which stops before anybody has joined their edges.
fn played(dice: &mut Dice, size: Size, abrupt: bool, most: usize) -> Vec<Attempt> {
    let mut umpire = Umpire::new(size, abrupt);
    let mut attempts = Vec::new();
    while attempts.len() < most {
        let seat = umpire.to_move;
        let hidden = umpire.hidden(seat);
        let hit = !hidden.is_empty() && dice.percent(35);
        let among = if hit { hidden } else { umpire.quiet(seat) };
        let Some(cell) = dice.pick(&among) else { break };
        umpire.take(cell);
        attempts.push(Attempt { seat, cell, hit });
    }
    attempts
}

/// The game once more, of which the viewer sees the same: their own attempts are the same, and those
/// of others come to the same. None if chance has led nowhere.
fn played_anew(
    dice: &mut Dice,
    size: Size,
    abrupt: bool,
    viewer: Viewer,
    first: &[Attempt],
) -> Option<Vec<Attempt>> {
    let mut umpire = Umpire::new(size, abrupt);
    let mut attempts = Vec::new();
    for (number, &Attempt { seat, cell, hit }) in first.iter().enumerate() {
        let own = viewer == Viewer::Seat(seat);
        let cell = match (own, hit) {
            (true, _) => cell,
            (false, true) => dice.pick(&umpire.hidden(seat))?,
            (false, false) => {
                // What the viewer will run into must stand there by then; where they will place a
                // stone nothing may stand.
                let later = |hit| {
                    let theirs = first[number..]
                        .iter()
                        .filter(move |it| viewer == Viewer::Seat(it.seat) && it.hit == hit);
                    theirs.map(|it| it.cell).collect::<Vec<_>>()
                };
                let (wanted, unwanted) = (later(true), later(false));
                let mut quiet = umpire.quiet(seat);
                quiet.retain(|cell| !unwanted.contains(cell));
                let due: Vec<_> = quiet.iter().copied().filter(|it| wanted.contains(it)).collect();
                let among = if !due.is_empty() && dice.percent(60) { due } else { quiet };
                dice.pick(&among)?
            }
        };
        let stands = umpire.stone(cell).is_some();
        if umpire.to_move != seat || stands != hit || umpire.knows(seat, cell) {
            return None;
        }
        umpire.take(cell);
        attempts.push(Attempt { seat, cell, hit });
    }
    Some(attempts)
}
