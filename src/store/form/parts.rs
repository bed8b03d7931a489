//! What stored events are made of: seats, moves, causes, clocks and ends.

use std::borrow::Cow;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};

use super::FormError;
use crate::cpu::Level;
use crate::game::clock::{Millis, Reading};
use crate::game::opening::Seed;
use crate::game::{Cell, Move, Outcome, Seat, Void, WonBy};
use crate::table::handle::CommandId;
use crate::table::state::answered::Answer;
use crate::table::state::event::{Cause, Readings};

/// 1 or 2.
pub(super) type SeatForm = u8;

/// From 1 to 10.
pub(super) type LevelForm = u8;

/// A move: `{"cell": [row, col]}` or `"swap"`.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum MoveForm {
    Cell([u8; 2]),
    Swap,
}

/// Who commanded it, and what they are told. Neither `turn` nor `offer`: just that it is done.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CauseForm<'a> {
    pub(super) seat: SeatForm,
    pub(super) command: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) turn: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) offer: Option<u64>,
}

/// What seat 1's clock and seat 2's clock showed.
pub(super) type LeftForm = [ReadingForm; 2];

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadingForm {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) ms: Option<Millis>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(super) periods: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) first: Option<Millis>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum EndForm {
    Chain,
    Resignation,
    Time,
    Forfeit,
    Aborted,
    NotStarted,
    Abandoned,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(periods: &u8) -> bool {
    *periods == 0
}

impl From<Move> for MoveForm {
    fn from(action: Move) -> MoveForm {
        match action {
            Move::Place(cell) => MoveForm::Cell([cell.row, cell.col]),
            Move::Swap => MoveForm::Swap,
        }
    }
}

impl From<MoveForm> for Move {
    fn from(form: MoveForm) -> Move {
        match form {
            MoveForm::Cell([row, col]) => Move::Place(Cell::new(row, col)),
            MoveForm::Swap => Move::Swap,
        }
    }
}

/// A line of a plan.
pub(super) fn line_form(line: &[Move]) -> Vec<MoveForm> {
    line.iter().copied().map(MoveForm::from).collect()
}

pub(super) fn read_line(line: Vec<MoveForm>) -> Vec<Move> {
    line.into_iter().map(Move::from).collect()
}

impl<'a> From<&'a Cause> for CauseForm<'a> {
    fn from(cause: &'a Cause) -> CauseForm<'a> {
        let (turn, offer) = match cause.answer {
            // Whether it ran into a stone stands beside the move itself.
            Answer::Moved { turn, collided: _ } => (Some(turn), None),
            Answer::Offered(offer) => (None, Some(offer)),
            Answer::Done => (None, None),
        };
        let command = cause.command.as_str().into();
        CauseForm { seat: cause.seat.number(), command, turn, offer }
    }
}

impl TryFrom<CauseForm<'_>> for Cause {
    type Error = FormError;

    fn try_from(form: CauseForm<'_>) -> Result<Cause, FormError> {
        let answer = match (form.turn, form.offer) {
            (Some(_), Some(_)) => return Err(FormError::Value("answer")),
            (Some(turn), None) => Answer::Moved { turn, collided: false },
            (None, Some(offer)) => Answer::Offered(offer),
            (None, None) => Answer::Done,
        };
        let command = CommandId::new(&form.command).ok_or(FormError::Value("command"))?;
        Ok(Cause { seat: read_seat(form.seat)?, command, answer })
    }
}

impl CauseForm<'_> {
    /// The cause of a move that came to this.
    pub(super) fn moved(self, collision: bool) -> Result<Cause, FormError> {
        let mut cause = Cause::try_from(self)?;
        if let Answer::Moved { collided, .. } = &mut cause.answer {
            *collided = collision;
        }
        Ok(cause)
    }
}

pub(super) fn left(readings: &Readings) -> LeftForm {
    readings.map(|Reading { left_ms, periods, first_move_ms }| ReadingForm {
        ms: left_ms,
        periods,
        first: first_move_ms,
    })
}

pub(super) fn read_left(left: LeftForm) -> Readings {
    left.map(|ReadingForm { ms, periods, first }| Reading {
        left_ms: ms,
        periods,
        first_move_ms: first,
    })
}

pub(super) fn read_seat(number: SeatForm) -> Result<Seat, FormError> {
    Seat::from_number(number.into()).ok_or(FormError::Value("seat"))
}

pub(super) fn read_level(number: LevelForm) -> Result<Level, FormError> {
    Level::new(number.into()).map_err(|_| FormError::Value("level"))
}

pub(super) fn read_seed(text: &str) -> Option<Seed> {
    HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok()
}

pub(super) fn end_form(outcome: Outcome) -> EndForm {
    match outcome {
        Outcome::Won { by: WonBy::Chain, .. } => EndForm::Chain,
        Outcome::Won { by: WonBy::Resignation, .. } => EndForm::Resignation,
        Outcome::Won { by: WonBy::Time, .. } => EndForm::Time,
        Outcome::Won { by: WonBy::Forfeit, .. } => EndForm::Forfeit,
        Outcome::Void(Void::Aborted) => EndForm::Aborted,
        Outcome::Void(Void::NotStarted) => EndForm::NotStarted,
        Outcome::Void(Void::Abandoned) => EndForm::Abandoned,
    }
}

pub(super) fn read_outcome(winner: Option<SeatForm>, how: EndForm) -> Result<Outcome, FormError> {
    let won = |by| {
        let winner = read_seat(winner.ok_or(FormError::Value("end"))?)?;
        Ok(Outcome::Won { winner, by })
    };
    let void = |why| match winner {
        None => Ok(Outcome::Void(why)),
        Some(_) => Err(FormError::Value("end")),
    };
    match how {
        EndForm::Chain => won(WonBy::Chain),
        EndForm::Resignation => won(WonBy::Resignation),
        EndForm::Time => won(WonBy::Time),
        EndForm::Forfeit => won(WonBy::Forfeit),
        EndForm::Aborted => void(Void::Aborted),
        EndForm::NotStarted => void(Void::NotStarted),
        EndForm::Abandoned => void(Void::Abandoned),
    }
}
