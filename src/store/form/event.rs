//! Every kind of event, as the journal keeps it, and the way there and back.

use data_encoding::HEXLOWER;
use hexhall_proto::options as wire;
use hexhall_proto::parts::{OfferClosed, OfferKind};
use hexhall_proto::plans::WhyDropped;
use serde::{Deserialize, Serialize};

use super::FormError;
use super::parts::{
    CauseForm, EndForm, LeftForm, LevelForm, MoveForm, SeatForm, end_form, left, line_form,
    read_left, read_level, read_line, read_outcome, read_seat, read_seed,
};
use super::party::ChangeForm;
use crate::cpu::Level;
use crate::game::clock::{Millis, Stamp};
use crate::game::{Move, Seat};
use crate::table::handle::Player;
use crate::table::options::Options;
use crate::table::state::event::{Cause, Event, Offer};
use crate::table::state::plan::Plan;

/// An event as its JSON object has it: `{"kind": {…}}`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Stored<'a> {
    Opened {
        options: wire::Options,
        invitation: Option<Box<str>>,
        at: Millis,
    },
    Seated {
        seat: SeatForm,
        player: String,
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cpu: Option<LevelForm>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        bot: bool,
        at: Millis,
    },
    Unseated {
        seat: SeatForm,
        at: Millis,
    },
    Renamed {
        player: String,
        name: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        bot: bool,
        at: Millis,
    },
    Party {
        change: ChangeForm,
        at: Millis,
    },
    Started {
        game: String,
        seed: String,
        exchange: bool,
        at: Millis,
    },
    Played {
        by: CauseForm<'a>,
        #[serde(rename = "move")]
        action: MoveForm,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        collision: bool,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        cpu: bool,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        planned: bool,
        used: Millis,
        credit: Millis,
        left: LeftForm,
        at: Millis,
    },
    Ended {
        winner: Option<SeatForm>,
        how: EndForm,
        by: Option<CauseForm<'a>>,
        left: LeftForm,
        at: Millis,
    },
    Planned {
        by: CauseForm<'a>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        premove: Option<MoveForm>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        lines: Vec<Vec<MoveForm>>,
        at: Millis,
    },
    PlanDropped {
        seat: SeatForm,
        why: WhyDropped,
        at: Millis,
    },
    Offered {
        id: u64,
        kind: OfferKind,
        expires: Millis,
        by: CauseForm<'a>,
        at: Millis,
    },
    OfferClosed {
        id: u64,
        how: OfferClosed,
        by: Option<CauseForm<'a>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<Millis>,
    },
    TakenBack {
        plies: usize,
        left: LeftForm,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<Millis>,
    },
    Paused {
        left: LeftForm,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<Millis>,
    },
    Unpaused {
        by: CauseForm<'a>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<Millis>,
    },
    TimeGiven {
        by: CauseForm<'a>,
        ms: Millis,
        left: LeftForm,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<Millis>,
    },
    TakenOver {
        seat: SeatForm,
        level: LevelForm,
        at: Millis,
    },
    Returned {
        seat: SeatForm,
        at: Millis,
    },
    Restarted {
        at: Millis,
    },
    Closed {
        at: Millis,
    },
}

impl<'a> From<&'a Event> for Stored<'a> {
    fn from(event: &'a Event) -> Stored<'a> {
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
                cpu: player.cpu.map(Level::number),
                bot: player.bot,
                at: at.0,
            },
            Event::Unseated { seat, at } => Stored::Unseated { seat: seat.number(), at: at.0 },
            Event::Renamed { player, at } => Stored::Renamed {
                player: player.id.to_string(),
                name: player.name.to_string(),
                bot: player.bot,
                at: at.0,
            },
            Event::Party { change, at } => Stored::Party { change: change.into(), at: at.0 },
            Event::Started { game, seed, exchange, at } => Stored::Started {
                game: game.to_string(),
                seed: HEXLOWER.encode(seed),
                exchange: *exchange,
                at: at.0,
            },
            Event::Played {
                by,
                action,
                collided,
                cpu,
                planned,
                used_ms,
                credit_ms,
                readings,
                at,
            } => Stored::Played {
                by: by.into(),
                action: (*action).into(),
                collision: *collided,
                cpu: *cpu,
                planned: *planned,
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
            Event::Planned { by, plan, at } => Stored::Planned {
                by: by.into(),
                premove: plan.premove.map(MoveForm::from),
                lines: plan.lines.iter().map(|line| line_form(line)).collect(),
                at: at.0,
            },
            Event::PlanDropped { seat, why, at } => {
                Stored::PlanDropped { seat: seat.number(), why: *why, at: at.0 }
            }
            Event::Offered { offer, by, at } => Stored::Offered {
                id: offer.id,
                kind: offer.kind,
                expires: offer.expires.0,
                by: by.into(),
                at: at.0,
            },
            Event::OfferClosed { offer, how, by } => {
                let by = by.as_ref().map(CauseForm::from);
                Stored::OfferClosed { id: *offer, how: *how, by, at: None }
            }
            Event::TakenBack { plies, readings } => {
                Stored::TakenBack { plies: *plies, left: left(readings), at: None }
            }
            Event::Paused { readings } => Stored::Paused { left: left(readings), at: None },
            Event::Unpaused { by } => Stored::Unpaused { by: by.into(), at: None },
            Event::TimeGiven { by, ms, readings } => {
                Stored::TimeGiven { by: by.into(), ms: *ms, left: left(readings), at: None }
            }
            Event::TakenOver { seat, level, at } => {
                Stored::TakenOver { seat: seat.number(), level: level.number(), at: at.0 }
            }
            Event::Returned { seat, at } => Stored::Returned { seat: seat.number(), at: at.0 },
            Event::Restarted { at } => Stored::Restarted { at: at.0 },
            Event::Closed { at } => Stored::Closed { at: at.0 },
        }
    }
}

impl TryFrom<Stored<'_>> for Event {
    type Error = FormError;

    fn try_from(stored: Stored<'_>) -> Result<Event, FormError> {
        Ok(match stored {
            Stored::Opened { options, invitation, at } => Event::Opened {
                options: Options::stored(&options)
                    .map_err(|_| FormError::Value("set of options"))?,
                invitation,
                at: Stamp(at),
            },
            Stored::Seated { seat, player, name, cpu, bot, at } => Event::Seated {
                seat: read_seat(seat)?,
                player: Player {
                    id: player.parse().map_err(|_| FormError::Value("player"))?,
                    name: name.into(),
                    cpu: cpu.map(read_level).transpose()?,
                    bot,
                },
                at: Stamp(at),
            },
            Stored::Unseated { seat, at } => {
                Event::Unseated { seat: read_seat(seat)?, at: Stamp(at) }
            }
            Stored::Renamed { player, name, bot, at } => {
                let id = player.parse().map_err(|_| FormError::Value("player"))?;
                let player = Player { id, name: name.into(), cpu: None, bot };
                Event::Renamed { player, at: Stamp(at) }
            }
            Stored::Party { change, at } => {
                Event::Party { change: change.try_into()?, at: Stamp(at) }
            }
            Stored::Started { game, seed, exchange, at } => Event::Started {
                game: game.parse().map_err(|_| FormError::Value("game"))?,
                seed: read_seed(&seed).ok_or(FormError::Value("seed"))?,
                exchange,
                at: Stamp(at),
            },
            Stored::Played { by, action, collision, cpu, planned, used, credit, left, at } => {
                Event::Played {
                    by: by.moved(collision)?,
                    action: action.into(),
                    collided: collision,
                    cpu,
                    planned,
                    used_ms: used,
                    credit_ms: credit,
                    readings: read_left(left),
                    at: Stamp(at),
                }
            }
            Stored::Ended { winner, how, by, left, at } => Event::Ended {
                outcome: read_outcome(winner, how)?,
                by: by.map(Cause::try_from).transpose()?,
                readings: read_left(left),
                at: Stamp(at),
            },
            Stored::Planned { by, premove, lines, at } => {
                let lines = lines.into_iter().map(read_line).collect();
                let plan = Plan { premove: premove.map(Move::from), lines };
                Event::Planned { by: by.try_into()?, plan, at: Stamp(at) }
            }
            Stored::PlanDropped { seat, why, at } => {
                Event::PlanDropped { seat: read_seat(seat)?, why, at: Stamp(at) }
            }
            Stored::Offered { id, kind, expires, by, at } => {
                let by = Cause::try_from(by)?;
                let offer = Offer { id, kind, by: by.seat, expires: Stamp(expires) };
                Event::Offered { offer, by, at: Stamp(at) }
            }
            Stored::OfferClosed { id, how, by, at: _ } => {
                Event::OfferClosed { offer: id, how, by: by.map(Cause::try_from).transpose()? }
            }
            Stored::TakenBack { plies, left, at: _ } => {
                Event::TakenBack { plies, readings: read_left(left) }
            }
            Stored::Paused { left, at: _ } => Event::Paused { readings: read_left(left) },
            Stored::Unpaused { by, at: _ } => Event::Unpaused { by: by.try_into()? },
            Stored::TimeGiven { by, ms, left, at: _ } => {
                Event::TimeGiven { by: by.try_into()?, ms, readings: read_left(left) }
            }
            Stored::TakenOver { seat, level, at } => Event::TakenOver {
                seat: read_seat(seat)?,
                level: read_level(level)?,
                at: Stamp(at),
            },
            Stored::Returned { seat, at } => {
                Event::Returned { seat: read_seat(seat)?, at: Stamp(at) }
            }
            Stored::Restarted { at } => Event::Restarted { at: Stamp(at) },
            Stored::Closed { at } => Event::Closed { at: Stamp(at) },
        })
    }
}
