//! The journal's own form of a table's events: one JSON object each, so that an operator can read
//! it with the database's own tools. What is written here is read back for as long as there are
//! journals: fields may be added with a default, and none may change its meaning.

use data_encoding::HEXLOWER;
use hexhall_proto::options as wire;
use hexhall_proto::parts::{OfferClosed, OfferKind};
use serde::{Deserialize, Serialize};

use crate::game::clock::{Millis, Reading, Stamp};
use crate::game::opening::Seed;
use crate::game::{Cell, Move, Outcome, Seat, Void, WonBy};
use crate::table::handle::{CommandId, Player};
use crate::table::options::Options;
use crate::table::state::answered::Answer;
use crate::table::state::event::{Cause, Event, Offer, Readings};

/// Why bytes are not an event.
#[derive(Debug, thiserror::Error)]
pub enum FormError {
    /// Not the JSON of any event.
    #[error("not an event: {0}")]
    Json(#[from] serde_json::Error),
    /// A value that no event can have.
    #[error("an event with an impossible {0}")]
    Value(&'static str),
}

/// Writes an event.
pub fn write(event: &Event) -> Result<Vec<u8>, FormError> {
    Ok(serde_json::to_vec(&Stored::from(event))?)
}

/// Reads an event.
pub fn read(bytes: &[u8]) -> Result<Event, FormError> {
    serde_json::from_slice::<Stored>(bytes)?.try_into()
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stored {
    Opened {
        options: wire::Options,
        invitation: Option<Box<str>>,
        at: Millis,
    },
    Seated {
        seat: SeatForm,
        player: String,
        name: String,
        at: Millis,
    },
    Unseated {
        seat: SeatForm,
        at: Millis,
    },
    Started {
        game: String,
        seed: String,
        exchange: bool,
        at: Millis,
    },
    Played {
        by: CauseForm,
        cell: Option<[u8; 2]>,
        used: Millis,
        credit: Millis,
        left: LeftForm,
        at: Millis,
    },
    Ended {
        winner: Option<SeatForm>,
        how: EndForm,
        by: Option<CauseForm>,
        left: LeftForm,
        at: Millis,
    },
    Offered {
        id: u64,
        kind: OfferKind,
        expires: Millis,
        by: CauseForm,
        at: Millis,
    },
    OfferClosed {
        id: u64,
        how: OfferClosed,
        by: Option<CauseForm>,
    },
    TakenBack {
        plies: usize,
        left: LeftForm,
    },
    Paused {
        left: LeftForm,
    },
    Unpaused {
        by: CauseForm,
    },
    TimeGiven {
        by: CauseForm,
        ms: Millis,
        left: LeftForm,
    },
    Restarted {
        at: Millis,
    },
    Closed {
        at: Millis,
    },
}

type SeatForm = u8;

#[derive(Serialize, Deserialize)]
struct CauseForm {
    seat: SeatForm,
    command: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turn: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    offer: Option<u64>,
}

/// What seat 1's clock and seat 2's clock showed.
type LeftForm = [ReadingForm; 2];

#[derive(Clone, Copy, Serialize, Deserialize)]
struct ReadingForm {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ms: Option<Millis>,
    #[serde(default, skip_serializing_if = "is_zero")]
    periods: u8,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first: Option<Millis>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum EndForm {
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

impl From<&Event> for Stored {
    fn from(event: &Event) -> Stored {
        match event {
            Event::Opened { options, invitation, at } => Stored::Opened {
                options: crate::wire::options(options),
                invitation: invitation.clone(),
                at: at.0,
            },
            Event::Seated { seat, player, at } => Stored::Seated {
                seat: seat.number(),
                player: player.id.to_string(),
                name: player.name.to_string(),
                at: at.0,
            },
            Event::Unseated { seat, at } => Stored::Unseated { seat: seat.number(), at: at.0 },
            Event::Started { game, seed, exchange, at } => Stored::Started {
                game: game.to_string(),
                seed: HEXLOWER.encode(seed),
                exchange: *exchange,
                at: at.0,
            },
            Event::Played { by, action, used_ms, credit_ms, readings, at } => Stored::Played {
                by: by.into(),
                cell: match action {
                    Move::Place(cell) => Some([cell.row, cell.col]),
                    Move::Swap => None,
                },
                used: *used_ms,
                credit: *credit_ms,
                left: left(readings),
                at: at.0,
            },
            Event::Ended { outcome, by, readings, at } => Stored::Ended {
                winner: outcome.winner().map(Seat::number),
                how: end_form(*outcome),
                by: by.as_ref().map(CauseForm::from),
                left: left(readings),
                at: at.0,
            },
            Event::Offered { offer, by, at } => Stored::Offered {
                id: offer.id,
                kind: offer.kind,
                expires: offer.expires.0,
                by: by.into(),
                at: at.0,
            },
            Event::OfferClosed { offer, how, by } => {
                Stored::OfferClosed { id: *offer, how: *how, by: by.as_ref().map(CauseForm::from) }
            }
            Event::TakenBack { plies, readings } => {
                Stored::TakenBack { plies: *plies, left: left(readings) }
            }
            Event::Paused { readings } => Stored::Paused { left: left(readings) },
            Event::Unpaused { by } => Stored::Unpaused { by: by.into() },
            Event::TimeGiven { by, ms, readings } => {
                Stored::TimeGiven { by: by.into(), ms: *ms, left: left(readings) }
            }
            Event::Restarted { at } => Stored::Restarted { at: at.0 },
            Event::Closed { at } => Stored::Closed { at: at.0 },
        }
    }
}

impl TryFrom<Stored> for Event {
    type Error = FormError;

    fn try_from(stored: Stored) -> Result<Event, FormError> {
        Ok(match stored {
            Stored::Opened { options, invitation, at } => Event::Opened {
                options: Options::stored(&options)
                    .map_err(|_| FormError::Value("set of options"))?,
                invitation,
                at: Stamp(at),
            },
            Stored::Seated { seat, player, name, at } => Event::Seated {
                seat: read_seat(seat)?,
                player: Player {
                    id: player.parse().map_err(|_| FormError::Value("player"))?,
                    name: name.into(),
                },
                at: Stamp(at),
            },
            Stored::Unseated { seat, at } => {
                Event::Unseated { seat: read_seat(seat)?, at: Stamp(at) }
            }
            Stored::Started { game, seed, exchange, at } => Event::Started {
                game: game.parse().map_err(|_| FormError::Value("game"))?,
                seed: read_seed(&seed).ok_or(FormError::Value("seed"))?,
                exchange,
                at: Stamp(at),
            },
            Stored::Played { by, cell, used, credit, left, at } => Event::Played {
                by: by.try_into()?,
                action: cell.map_or(Move::Swap, |[row, col]| Move::Place(Cell::new(row, col))),
                used_ms: used,
                credit_ms: credit,
                readings: read_left(left),
                at: Stamp(at),
            },
            Stored::Ended { winner, how, by, left, at } => Event::Ended {
                outcome: read_outcome(winner, how)?,
                by: by.map(Cause::try_from).transpose()?,
                readings: read_left(left),
                at: Stamp(at),
            },
            Stored::Offered { id, kind, expires, by, at } => {
                let by = Cause::try_from(by)?;
                let offer = Offer { id, kind, by: by.seat, expires: Stamp(expires) };
                Event::Offered { offer, by, at: Stamp(at) }
            }
            Stored::OfferClosed { id, how, by } => {
                Event::OfferClosed { offer: id, how, by: by.map(Cause::try_from).transpose()? }
            }
            Stored::TakenBack { plies, left } => {
                Event::TakenBack { plies, readings: read_left(left) }
            }
            Stored::Paused { left } => Event::Paused { readings: read_left(left) },
            Stored::Unpaused { by } => Event::Unpaused { by: by.try_into()? },
            Stored::TimeGiven { by, ms, left } => {
                Event::TimeGiven { by: by.try_into()?, ms, readings: read_left(left) }
            }
            Stored::Restarted { at } => Event::Restarted { at: Stamp(at) },
            Stored::Closed { at } => Event::Closed { at: Stamp(at) },
        })
    }
}

impl From<&Cause> for CauseForm {
    fn from(cause: &Cause) -> CauseForm {
        let (turn, offer) = match cause.answer {
            Answer::Moved { turn } => (Some(turn), None),
            Answer::Offered(offer) => (None, Some(offer)),
            Answer::Done => (None, None),
        };
        let command = cause.command.as_str().to_owned();
        CauseForm { seat: cause.seat.number(), command, turn, offer }
    }
}

impl TryFrom<CauseForm> for Cause {
    type Error = FormError;

    fn try_from(form: CauseForm) -> Result<Cause, FormError> {
        let answer = match (form.turn, form.offer) {
            (Some(turn), _) => Answer::Moved { turn },
            (None, Some(offer)) => Answer::Offered(offer),
            (None, None) => Answer::Done,
        };
        let command = CommandId::new(&form.command).ok_or(FormError::Value("command"))?;
        Ok(Cause { seat: read_seat(form.seat)?, command, answer })
    }
}

fn left(readings: &Readings) -> LeftForm {
    readings.map(|Reading { left_ms, periods, first_move_ms }| ReadingForm {
        ms: left_ms,
        periods,
        first: first_move_ms,
    })
}

fn read_left(left: LeftForm) -> Readings {
    left.map(|ReadingForm { ms, periods, first }| Reading {
        left_ms: ms,
        periods,
        first_move_ms: first,
    })
}

fn read_seat(number: SeatForm) -> Result<Seat, FormError> {
    Seat::from_number(number.into()).ok_or(FormError::Value("seat"))
}

fn read_seed(text: &str) -> Option<Seed> {
    HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok()
}

fn end_form(outcome: Outcome) -> EndForm {
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

fn read_outcome(winner: Option<SeatForm>, how: EndForm) -> Result<Outcome, FormError> {
    let won = |by| {
        let winner = read_seat(winner.ok_or(FormError::Value("end"))?)?;
        Ok(Outcome::Won { winner, by })
    };
    match how {
        EndForm::Chain => won(WonBy::Chain),
        EndForm::Resignation => won(WonBy::Resignation),
        EndForm::Time => won(WonBy::Time),
        EndForm::Forfeit => won(WonBy::Forfeit),
        EndForm::Aborted => Ok(Outcome::Void(Void::Aborted)),
        EndForm::NotStarted => Ok(Outcome::Void(Void::NotStarted)),
        EndForm::Abandoned => Ok(Outcome::Void(Void::Abandoned)),
    }
}
