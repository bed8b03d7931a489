//! Answers to what the other seat may play: one to whatever comes, and lines of them.
//!
//! Bounds: [`MOST_LINES`] lines of [`LONGEST_LINE`] moves and [`MOST_MOVES`] moves in all, beside the
//! premove. More is refused.
//!
//! Invariant: a plan that was checked in a position has one answer at most to whatever the other
//! seat plays there, and its lines can be played to their ends.

use crate::game::{Game, Illegal, Move, NoSwap, Seat, Swap};

/// How many lines a plan has at most.
pub const MOST_LINES: usize = 30;

/// How many moves a line has at most, those of both seats counted.
pub const LONGEST_LINE: usize = 20;

/// How many moves all lines have together at most: as many as fit into one frame of a client.
pub const MOST_MOVES: usize = 200;

/// Answers to what the other seat may play.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    /// What is played whatever comes, unless a line says otherwise.
    pub premove: Option<Move>,
    /// The other seat's move, the answer to it, and so on by turns.
    pub lines: Vec<Vec<Move>>,
}

/// Why a plan cannot be carried out.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlanError {
    /// Too many lines.
    #[error("a plan has at most {MOST_LINES} lines, and this one has {0}")]
    TooManyLines(usize),
    /// A line is too long.
    #[error("line {line} has {moves} moves, and a line has at most {LONGEST_LINE}")]
    TooLong {
        /// Which, from 1.
        line: usize,
        /// How many moves it has.
        moves: usize,
    },
    /// The lines are too much together.
    #[error("the lines of a plan have at most {MOST_MOVES} moves in all, and these have {0}")]
    TooMuch(usize),
    /// A line ends with a move of the other seat, or has none at all.
    #[error("line {line} has to end with a move of your own, in answer to one of the other seat")]
    NoAnswer {
        /// Which, from 1.
        line: usize,
    },
    /// A move of a line cannot be played.
    #[error("move {nth} of line {line} cannot be played: {}", said(reason))]
    Line {
        /// Which line, from 1.
        line: usize,
        /// Which of its moves, from 1.
        nth: usize,
        /// Why not.
        reason: Illegal,
    },
    /// Two lines disagree.
    #[error("lines {earlier} and {line} answer the same moves in two ways: keep one of them")]
    Contradiction {
        /// The one, from 1.
        earlier: usize,
        /// The other, from 1.
        line: usize,
    },
    /// The premove cannot be played.
    #[error("the premove cannot be played: {}", said(.0))]
    Premove(Illegal),
}

/// Why a move is not legal. A cell off the board goes by no name: it stands for whatever number was
/// sent.
fn said(reason: &Illegal) -> String {
    match reason {
        Illegal::OffBoard { size, .. } => {
            let (row, col) = (size.rows() - 1, size.cols() - 1);
            format!("rows go from 0 to {row}, columns from 0 to {col}")
        }
        other => other.to_string(),
    }
}

impl Plan {
    /// Whether nothing is planned.
    pub fn is_empty(&self) -> bool {
        self.premove.is_none() && self.lines.is_empty()
    }

    /// Whether a seat may plan this while the other is to move in a game.
    ///
    /// # Errors
    /// It is too much, it disagrees with itself, or a move of it cannot be played. A premove is
    /// judged by the board as it stands, since nobody knows what comes before it.
    pub fn check(&self, game: &Game, seat: Seat) -> Result<(), PlanError> {
        self.check_size()?;
        if let Some(action) = self.premove {
            check_premove(game, action).map_err(PlanError::Premove)?;
        }
        let earlier = |nth: usize| self.lines[..nth].iter().enumerate();
        for (index, moves) in self.lines.iter().enumerate() {
            let line = index + 1;
            if let Some((other, _)) = earlier(index).find(|(_, other)| disagree(other, moves)) {
                return Err(PlanError::Contradiction { earlier: other + 1, line });
            }
            let mut game = game.clone();
            let seats = [seat.other(), seat].into_iter().cycle();
            for (nth, (&action, by)) in (1..).zip(moves.iter().zip(seats)) {
                let played = game.play(by, action);
                played.map_err(|reason| PlanError::Line { line, nth, reason })?;
            }
        }
        Ok(())
    }

    fn check_size(&self) -> Result<(), PlanError> {
        if self.lines.len() > MOST_LINES {
            return Err(PlanError::TooManyLines(self.lines.len()));
        }
        for (line, moves) in (1..).zip(self.lines.iter().map(Vec::len)) {
            if moves > LONGEST_LINE {
                return Err(PlanError::TooLong { line, moves });
            }
            if moves == 0 || moves % 2 == 1 {
                return Err(PlanError::NoAnswer { line });
            }
        }
        let moves = self.lines.iter().map(Vec::len).sum();
        if moves > MOST_MOVES { Err(PlanError::TooMuch(moves)) } else { Ok(()) }
    }

    /// What is to be played in answer to a move of the other seat. A swap changes whose the stones
    /// are, so that a premove does not answer it.
    pub(super) fn answer(&self, theirs: Move) -> Option<Move> {
        let line = self.lines.iter().find(|line| line.first() == Some(&theirs));
        let by_line = line.and_then(|line| line.get(1).copied());
        by_line.or_else(|| self.premove.filter(|_| theirs != Move::Swap))
    }

    /// What is planned still after a move of the other seat and the answer to it.
    pub(super) fn after(&self, theirs: Move, own: Move) -> Plan {
        let rest = |line: &Vec<Move>| {
            let rest = line.strip_prefix(&[theirs, own])?;
            (!rest.is_empty()).then(|| rest.to_vec())
        };
        Plan { premove: None, lines: self.lines.iter().filter_map(rest).collect() }
    }
}

/// Whether two lines give different answers to the same moves.
fn disagree(one: &[Move], other: &[Move]) -> bool {
    one.iter().zip(other).position(|(one, other)| one != other).is_some_and(|at| at % 2 == 1)
}

/// Whether a move may be planned for after the other seat's next one, by the board as it stands.
fn check_premove(game: &Game, action: Move) -> Result<(), Illegal> {
    let rules = game.rules();
    match action {
        Move::Place(cell) if !rules.size().contains(cell) => {
            Err(Illegal::OffBoard { cell, size: rules.size() })
        }
        Move::Place(cell) => match game.board().get(cell) {
            Some(by) => Err(Illegal::Occupied { cell, by }),
            None => Ok(()),
        },
        Move::Swap if rules.swap() == Swap::Off => Err(Illegal::NoSwap(NoSwap::Off)),
        Move::Swap if !game.plies().is_empty() => Err(Illegal::NoSwap(NoSwap::NotSecondMove)),
        Move::Swap => Ok(()),
    }
}
