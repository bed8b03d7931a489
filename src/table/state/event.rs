//! What happened at a table, as the journal keeps it. Whatever a table knows follows from these,
//! in order.

use hexhall_proto::parts::{OfferClosed, OfferKind};
use hexhall_proto::plans::WhyDropped;

use crate::cpu::Level;
use crate::game::clock::{Millis, Reading, Stamp};
use crate::game::opening::Seed;
use crate::game::{Move, Outcome, Seat};
use crate::ids::GameId;
use crate::table::handle::{CommandId, Player};
use crate::table::options::Options;

use super::answered::Answer;
use super::party::Change;
use super::plan::Plan;

/// What both clocks showed, seat 1 first. Time left and never a date: time that the server was
/// away is charged to nobody.
pub type Readings = [Reading; 2];

/// The command of a seat that brought an event about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cause {
    /// The seat, as it was when the command was given.
    pub seat: Seat,
    /// The player's name for the command.
    pub command: CommandId,
    /// What the player is told, now and whenever the command comes again.
    pub answer: Answer,
}

/// An open proposal of one seat to the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offer {
    /// Unique at the table.
    pub id: u64,
    /// What is proposed.
    pub kind: OfferKind,
    /// Who proposes it.
    pub by: Seat,
    /// When it lapses.
    pub expires: Stamp,
}

/// One event of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The table came to be. The first event of every table, and of no table twice.
    Opened {
        /// What it is played by.
        options: Options,
        /// What a private table asks of strangers; none where it is public.
        invitation: Option<Box<str>>,
        /// When.
        at: Stamp,
    },
    /// A player took a free seat.
    Seated {
        /// The seat.
        seat: Seat,
        /// Who sits there now.
        player: Player,
        /// When.
        at: Stamp,
    },
    /// A player gave a seat up.
    Unseated {
        /// The seat, now free.
        seat: Seat,
        /// When.
        at: Stamp,
    },
    /// Somebody who has a seat, or is a member of the party, goes by another name.
    Renamed {
        /// Who, by the new one.
        player: Player,
        /// When.
        at: Stamp,
    },
    /// Something has changed in the table's party.
    Party {
        /// What.
        change: Change,
        /// When.
        at: Stamp,
    },
    /// A game began.
    Started {
        /// The game.
        game: GameId,
        /// What its random opening is drawn from.
        seed: Seed,
        /// Whether the players changed seats before it.
        exchange: bool,
        /// When.
        at: Stamp,
    },
    /// A move was played.
    Played {
        /// Who played it, and by which command.
        by: Cause,
        /// The move.
        action: Move,
        /// Whether it ran into a hidden stone, so that nothing was placed.
        collided: bool,
        /// Whether the computer drove the seat. Then the command is its own, and not among those
        /// that the seat's player is answered.
        cpu: bool,
        /// Whether the table played it as the seat had planned. Then too the command is no player's.
        planned: bool,
        /// What the turn cost.
        used_ms: Millis,
        /// How much of it was credited for lag.
        credit_ms: Millis,
        /// What the clocks showed afterwards.
        readings: Readings,
        /// When it arrived.
        at: Stamp,
    },
    /// The game ended.
    Ended {
        /// How.
        outcome: Outcome,
        /// The command that ended it; none where a move's own event tells, or nobody's command
        /// did.
        by: Option<Cause>,
        /// What the clocks showed.
        readings: Readings,
        /// When.
        at: Stamp,
    },
    /// A seat planned what to play when its turn comes, or nothing any more. Known to it alone.
    Planned {
        /// The command.
        by: Cause,
        /// The plan.
        plan: Plan,
        /// When.
        at: Stamp,
    },
    /// What a seat had planned is not played any more. Known to it alone.
    PlanDropped {
        /// The seat.
        seat: Seat,
        /// Why.
        why: WhyDropped,
        /// When.
        at: Stamp,
    },
    /// A seat proposed something.
    Offered {
        /// The proposal.
        offer: Offer,
        /// The command.
        by: Cause,
        /// When.
        at: Stamp,
    },
    /// A proposal is no longer open. What an accepted one brings about follows.
    OfferClosed {
        /// The offer's number.
        offer: u64,
        /// Why.
        how: OfferClosed,
        /// The command that closed it, if one did.
        by: Option<Cause>,
    },
    /// Moves were taken back.
    TakenBack {
        /// How many moves the game has now.
        plies: usize,
        /// What the clocks showed.
        readings: Readings,
    },
    /// The clocks were stopped by agreement.
    Paused {
        /// What they showed.
        readings: Readings,
    },
    /// The game goes on.
    Unpaused {
        /// Who wanted it to.
        by: Cause,
    },
    /// A seat gave the other more time.
    TimeGiven {
        /// Who gave it.
        by: Cause,
        /// How much.
        ms: Millis,
        /// What the clocks showed afterwards.
        readings: Readings,
    },
    /// The computer drives a seat from now on, whose player is gone.
    TakenOver {
        /// The seat.
        seat: Seat,
        /// How strong it plays.
        level: Level,
        /// When.
        at: Stamp,
    },
    /// The seat's player is back, and the computer drives it no more.
    Returned {
        /// The seat.
        seat: Seat,
        /// When.
        at: Stamp,
    },
    /// The server was away while a clock ran, and is back.
    Restarted {
        /// When it came back.
        at: Stamp,
    },
    /// Nobody can play here any more.
    Closed {
        /// When.
        at: Stamp,
    },
}

impl Event {
    /// Whether no clock runs after the event until it is durable.
    pub const fn stops_clock(&self) -> bool {
        matches!(
            self,
            Event::Started { .. }
                | Event::Played { .. }
                | Event::TakenBack { .. }
                | Event::Unpaused { .. }
                | Event::TimeGiven { .. }
                | Event::Restarted { .. }
        )
    }

    /// When it happened, if it says so by itself.
    pub const fn at(&self) -> Option<Stamp> {
        match self {
            Event::Opened { at, .. }
            | Event::Seated { at, .. }
            | Event::Unseated { at, .. }
            | Event::Renamed { at, .. }
            | Event::Party { at, .. }
            | Event::Started { at, .. }
            | Event::Played { at, .. }
            | Event::Ended { at, .. }
            | Event::Planned { at, .. }
            | Event::PlanDropped { at, .. }
            | Event::Offered { at, .. }
            | Event::TakenOver { at, .. }
            | Event::Returned { at, .. }
            | Event::Restarted { at }
            | Event::Closed { at } => Some(*at),
            Event::OfferClosed { .. }
            | Event::TakenBack { .. }
            | Event::Paused { .. }
            | Event::Unpaused { .. }
            | Event::TimeGiven { .. } => None,
        }
    }

    /// The command of a player that the event answers.
    pub fn cause(&self) -> Option<&Cause> {
        match self {
            Event::Played { cpu: true, .. } | Event::Played { planned: true, .. } => None,
            Event::Played { by, .. }
            | Event::Planned { by, .. }
            | Event::Offered { by, .. }
            | Event::Unpaused { by }
            | Event::TimeGiven { by, .. } => Some(by),
            Event::Ended { by, .. } | Event::OfferClosed { by, .. } => by.as_ref(),
            _ => None,
        }
    }
}
