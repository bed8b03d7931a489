//! What each event is judged by, beside what the state itself refuses: what it takes on trust,
//! since only its own decisions reach it while the server runs.

use hexhall_proto::parts::{OfferClosed, OfferKind};

use super::clocks;
use super::report::{Check, Finding};
use super::walk::Walk;
use crate::game::clock::{Control, Stamp};
use crate::game::{Outcome, Seat, Void, WonBy};
use crate::ids::GameId;
use crate::table::handle::Player;
use crate::table::options::{FirstMove, OnLeave};
use crate::table::state::answered::Answer;
use crate::table::state::event::{Cause, Event, Offer, Readings};
use crate::table::state::plan::Plan;
use crate::table::state::{LiveGame, Phase};

impl Walk {
    /// Whether the event can follow from what the table is now.
    pub(super) fn judge(&self, event: &Event) -> Result<(), Finding> {
        self.judge_finality(event)?;
        self.judge_agreed(event)?;
        if let Some(cause) = event.cause() {
            self.judge_command(cause, event)?;
        }
        match event {
            // Of a party, the state itself refuses what cannot be.
            Event::Opened { .. }
            | Event::Renamed { .. }
            | Event::Party { .. }
            | Event::Returned { .. }
            | Event::Restarted { .. }
            | Event::PlanDropped { .. } => Ok(()),
            Event::Planned { by, plan, .. } => self.judge_plan(by.seat, plan),
            Event::TakenOver { .. } => self.judge_takeover(event),
            Event::Seated { seat, player, .. } => self.judge_seated(*seat, player),
            Event::Unseated { .. } | Event::Closed { .. } => self.judge_idle(event),
            Event::Started { game, exchange, .. } => self.judge_start(*game, *exchange, event),
            Event::Played { by, action, used_ms, readings, at, .. } => {
                self.judge_time(*at)?;
                let Some(live) = self.state.running() else { return Ok(()) };
                if live.paused {
                    let expected = "the end of the pause before a move";
                    return Err(Finding::new(Check::Order, expected, "a move"));
                }
                let passes = live.game.passes_turn(by.seat, *action);
                clocks::check_move(live.clock, by.seat, passes, *used_ms, *readings)
            }
            Event::Ended { outcome, by, readings, .. } => {
                self.judge_end(*outcome, by.as_ref(), *readings)
            }
            Event::Offered { offer, by, .. } => self.judge_offer(offer, by),
            Event::OfferClosed { offer, how, by } => self.judge_closing(*offer, *how, by.as_ref()),
            Event::TakenBack { plies, readings } => {
                self.judge_takeback(*plies)?;
                self.judge_readings(*readings)
            }
            Event::Paused { readings } => self.judge_readings(*readings),
            Event::Unpaused { .. } => match self.state.running() {
                Some(live) if !live.paused => {
                    Err(Finding::new(Check::Order, "a pause to end", "a game that goes on"))
                }
                _ => Ok(()),
            },
            Event::TimeGiven { by, ms, readings } => {
                let Some(live) = self.state.running() else { return Ok(()) };
                if live.clock.time_control().control() == Control::None {
                    return Err(Finding::new(Check::Clocks, "a clock to give time on", "none"));
                }
                let given = Some((by.seat.other(), *ms));
                clocks::check_reading(live.clock, on_turn(live), given, *readings)
            }
        }
    }

    /// A move is played no earlier than the one before it, by the clock of one run of a server.
    ///
    /// The machine's clock may be set back between two runs, and no game is the worse for it: what a
    /// move costs is counted within a run. Where a clock ran, or goes on after a pause, the journal
    /// has an event for that, and the time before it is forgotten. Where none runs, it does not say
    /// where one run ends, so that no order of times is expected.
    fn judge_time(&self, at: Stamp) -> Result<(), Finding> {
        let is_timed = self.state.has_clock() && !self.state.has_curtain();
        let before = self.moved.filter(|&before| is_timed && at < before);
        let Some(before) = before else { return Ok(()) };
        let expected = format!("a move no earlier than the one before it, at {} ms", before.0);
        Err(Finding::new(Check::Times, expected, format!("{} ms", at.0)))
    }

    /// A player has one seat, and on one device both; the computer has a seat as nobody but itself.
    fn judge_seated(&self, seat: Seat, player: &Player) -> Result<(), Finding> {
        if let Some(house) = player.cpu.map(Player::house).filter(|house| house.id != player.id) {
            let expected = format!("the computer to take seat {seat} as {}", house.id);
            return Err(Finding::new(Check::Seats, expected, player.id));
        }
        let Some(other) = self.state.player(seat.other()) else { return Ok(()) };
        let expected = match (self.state.options().pass_and_play(), other.id == player.id) {
            (false, true) => format!("a player without a seat to take seat {seat}"),
            (true, false) => format!("the player of seat {} to take seat {seat} too", seat.other()),
            (false, false) | (true, true) => return Ok(()),
        };
        Err(Finding::new(Check::Seats, expected, player.id))
    }

    /// Only what can be played is planned, and only where nothing is hidden.
    fn judge_plan(&self, seat: Seat, plan: &Plan) -> Result<(), Finding> {
        // Where no game runs, or it is the seat's own turn, the state itself refuses it.
        let waits = |live: &&LiveGame| live.game.to_move() == Some(seat.other());
        let Some(live) = self.state.running().filter(waits) else { return Ok(()) };
        if live.game.is_dark() {
            return Err(Finding::new(Check::Order, "nothing planned in Dark Hex", "a plan"));
        }
        let expected = "a plan that can be played";
        plan.check(&live.game, seat).map_err(|error| Finding::new(Check::Order, expected, error))
    }

    /// The computer steps in only where the table was opened so.
    fn judge_takeover(&self, event: &Event) -> Result<(), Finding> {
        if self.state.options().on_leave() == OnLeave::Cpu {
            return Ok(());
        }
        let expected = "seats that are never left to the computer, by the table's options";
        Err(Finding::new(Check::Seats, expected, name(event)))
    }

    /// Nothing happens in a game that has ended, or at a table that has closed.
    fn judge_finality(&self, event: &Event) -> Result<(), Finding> {
        let late = |expected: String| Err(Finding::new(Check::Finality, expected, name(event)));
        if self.state.phase() == Phase::Closed {
            return late("nothing after the table closed".into());
        }
        let Some(live) = self.state.game() else { return Ok(()) };
        let in_game = matches!(
            event,
            Event::Played { .. }
                | Event::Planned { .. }
                | Event::Ended { .. }
                | Event::TakenBack { .. }
                | Event::Paused { .. }
                | Event::Unpaused { .. }
                | Event::TimeGiven { .. }
                | Event::TakenOver { .. }
                | Event::Returned { .. }
        );
        match (self.ended, live.game.outcome()) {
            (Some(number), _) if in_game => {
                late(format!("nothing more of {}, which event {number} ended", live.id))
            }
            (None, Some(outcome)) => match event {
                Event::Ended { .. } | Event::OfferClosed { how: OfferClosed::Void, .. } => Ok(()),
                _ => late(format!("the end {outcome:?} right after the move that decided it")),
            },
            _ => Ok(()),
        }
    }

    fn judge_command(&self, cause: &Cause, event: &Event) -> Result<(), Finding> {
        let wrong =
            |expected: String, found: String| Err(Finding::new(Check::Commands, expected, found));
        let Cause { seat, command, answer } = cause;
        if self.state.player(*seat).is_none() {
            return wrong(format!("a player in seat {seat} to command it"), "none".into());
        }
        if self.accepted[seat.index()].contains(command) {
            let expected = format!("command `{command}` of seat {seat} to take effect once");
            return wrong(expected, format!("it again, as {}", name(event)));
        }
        let turn = self.state.game().map_or(0, |live| live.turn);
        let fits = match event {
            Event::Played { collided, .. } => {
                *answer == Answer::Moved { turn: turn + 1, collided: *collided }
            }
            Event::Offered { offer, .. } => *answer == Answer::Offered(offer.id),
            Event::OfferClosed { offer, how: OfferClosed::Accepted, .. } => {
                matches!(answer, Answer::Done) || *answer == Answer::Offered(*offer)
            }
            _ => *answer == Answer::Done,
        };
        if fits {
            return Ok(());
        }
        let expected = match event {
            Event::Played { .. } => format!("the answer that turn {} is next", turn + 1),
            Event::Offered { offer, .. } => format!("the answer that it is offer {}", offer.id),
            _ => "the answer that it is done".into(),
        };
        wrong(expected, format!("{answer:?}"))
    }

    /// What an accepted offer brings about follows at once.
    fn judge_agreed(&self, event: &Event) -> Result<(), Finding> {
        let agreed = self.agreed.map(|offer| offer.kind);
        let carries_out = match event {
            Event::Started { .. } if agreed.is_some() => Some(OfferKind::Rematch),
            Event::TakenBack { .. } => Some(OfferKind::Takeback),
            Event::Paused { .. } => Some(OfferKind::Pause),
            Event::OfferClosed { how: OfferClosed::Void, .. } => return Ok(()),
            // In a party the seats change hands before the game.
            Event::Seated { .. } | Event::Unseated { .. } if self.state.party().is_some() => {
                return Ok(());
            }
            _ => None,
        };
        match (self.agreed, carries_out) {
            (Some(offer), kind) if kind != Some(offer.kind) => {
                Err(not_carried_out(offer, name(event)))
            }
            (None, Some(_)) => {
                let expected = format!("an accepted offer before {}", name(event));
                Err(Finding::new(Check::Offers, expected, "none"))
            }
            _ => Ok(()),
        }
    }

    fn judge_idle(&self, event: &Event) -> Result<(), Finding> {
        let Some(live) = self.state.running() else { return Ok(()) };
        let expected = format!("the end of {} first", live.id);
        Err(Finding::new(Check::Seats, expected, name(event)))
    }

    fn judge_start(&self, game: GameId, exchange: bool, event: &Event) -> Result<(), Finding> {
        self.judge_idle(event)?;
        if let Some(seat) = Seat::BOTH.into_iter().find(|&seat| self.state.player(seat).is_none()) {
            let expected = format!("a player in seat {seat} before a game begins");
            return Err(Finding::new(Check::Seats, expected, "none"));
        }
        if self.games.contains(&game) {
            let expected = "a game that has not been played before";
            return Err(Finding::new(Check::Finality, expected, game));
        }
        let exchanges = match self.agreed {
            // In a party the host begins games too, and seats are exchanged by who stays.
            _ if self.state.party().is_some() => {
                self.state.games() > 0 && self.stays() && self.alternates()
            }
            Some(_) => self.alternates(),
            None if self.fresh != [false; 2] => false,
            None => {
                let expected = "an accepted rematch, or somebody taking the last seat";
                return Err(Finding::new(Check::Order, expected, "a game that begins by itself"));
            }
        };
        if exchange == exchanges {
            return Ok(());
        }
        let seats = |exchange| if exchange { "exchanged seats" } else { "the seats as they were" };
        Err(Finding::new(Check::Seats, seats(exchanges), seats(exchange)))
    }

    /// Whether a player, and not the computer, has kept a seat.
    fn stays(&self) -> bool {
        let player = |seat| self.state.player(seat).is_some_and(|player| player.cpu.is_none());
        Seat::BOTH.into_iter().any(|seat| !self.fresh[seat.index()] && player(seat))
    }

    fn alternates(&self) -> bool {
        self.state.options().first_move() == FirstMove::Alternate
    }

    fn judge_end(
        &self,
        outcome: Outcome,
        by: Option<&Cause>,
        readings: Readings,
    ) -> Result<(), Finding> {
        let Some(live) = self.state.game() else { return Ok(()) };
        let fits = match (outcome, by.map(|cause| cause.seat)) {
            (Outcome::Won { by: WonBy::Chain, .. }, by) => by.is_none(),
            (Outcome::Won { winner, by: WonBy::Resignation }, by) => by == Some(winner.other()),
            (Outcome::Won { winner, by: WonBy::Forfeit }, by) => by == Some(winner),
            (Outcome::Won { winner, by: WonBy::Time }, by) => {
                let fallen = clocks::has_fallen(readings[winner.other().index()]);
                by.is_none() && fallen && live.game.is_under_way()
            }
            // A flag fell, or somebody claimed the game.
            (Outcome::Void(Void::NotStarted), by) => {
                let fallen = readings.into_iter().any(clocks::has_fallen);
                (by.is_some() || fallen) && !live.game.is_under_way()
            }
            (Outcome::Void(Void::Aborted), Some(_)) => !live.game.is_under_way(),
            // The host of a party begins another game in place of one against the computer.
            (Outcome::Void(Void::Aborted), None) => {
                let practice = Seat::BOTH.into_iter().any(|seat| self.state.house(seat).is_some());
                self.state.party().is_some() && practice
            }
            (Outcome::Void(Void::Abandoned), by) => by.is_none(),
        };
        if !fits {
            let by = by.map_or("nobody's command".into(), |cause| format!("seat {}", cause.seat));
            let found = format!("{outcome:?} by {by}, the clocks at {readings:?}");
            let expected = "an end that command, clocks and moves can bring";
            return Err(Finding::new(Check::Winner, expected, found));
        }
        self.judge_readings(readings)
    }

    fn judge_readings(&self, readings: Readings) -> Result<(), Finding> {
        let Some(live) = self.state.game() else { return Ok(()) };
        clocks::check_reading(live.clock, on_turn(live), None, readings)
    }

    fn judge_offer(&self, offer: &Offer, by: &Cause) -> Result<(), Finding> {
        let wrong =
            |expected: String, found: String| Err(Finding::new(Check::Offers, expected, found));
        if offer.id != self.offers + 1 {
            return wrong(format!("offer {}", self.offers + 1), format!("offer {}", offer.id));
        }
        if offer.by != by.seat {
            return wrong(format!("an offer of seat {}", by.seat), format!("seat {}", offer.by));
        }
        let in_game = self.state.running().is_some();
        let possible = match offer.kind {
            OfferKind::Rematch => self.state.game().is_some() && !in_game,
            OfferKind::Takeback | OfferKind::Pause => in_game,
        };
        if possible {
            return Ok(());
        }
        let game = if in_game { "in a running game" } else { "where no game runs" };
        wrong("an offer that can be made".into(), format!("a {:?} offered {game}", offer.kind))
    }

    fn judge_closing(&self, id: u64, how: OfferClosed, by: Option<&Cause>) -> Result<(), Finding> {
        // One that is not open is refused by the state itself.
        let Some(offer) = self.state.offers().iter().find(|offer| offer.id == id) else {
            return Ok(());
        };
        let allowed = match how {
            OfferClosed::Accepted | OfferClosed::Declined => Some(offer.by.other()),
            OfferClosed::Withdrawn => Some(offer.by),
            OfferClosed::Expired | OfferClosed::Void => None,
        };
        let found = by.map(|cause| cause.seat);
        if found == allowed {
            return Ok(());
        }
        let whose = |seat: Option<Seat>| {
            seat.map_or("nobody's command".into(), |seat| format!("a command of seat {seat}"))
        };
        let expected = format!("offer {id} {how:?} by {}", whose(allowed));
        Err(Finding::new(Check::Offers, expected, whose(found)))
    }

    fn judge_takeback(&self, plies: usize) -> Result<(), Finding> {
        let (Some(live), Some(offer)) = (self.state.running(), self.agreed) else { return Ok(()) };
        let expected = live.game.plies().iter().rposition(|ply| ply.seat == offer.by);
        if expected == Some(plies) {
            return Ok(());
        }
        let expected = expected.map_or("no takeback".into(), |plies| format!("{plies} moves left"));
        Err(Finding::new(Check::Order, expected, format!("{plies} moves left")))
    }
}

/// The seat whose time may run.
fn on_turn(live: &LiveGame) -> Option<Seat> {
    live.game.to_move().filter(|_| !live.paused)
}

pub(super) fn not_carried_out(offer: Offer, found: &str) -> Finding {
    let expected = format!("what offer {} ({:?}) was accepted for", offer.id, offer.kind);
    Finding::new(Check::Offers, expected, found)
}

/// An event in a word or two.
fn name(event: &Event) -> &'static str {
    match event {
        Event::Opened { .. } => "an opening",
        Event::Seated { .. } => "a player taking a seat",
        Event::Unseated { .. } => "a player giving a seat up",
        Event::Renamed { .. } => "another name",
        Event::Party { .. } => "a change in the party",
        Event::Started { .. } => "a game's start",
        Event::Played { .. } => "a move",
        Event::Ended { .. } => "a game's end",
        Event::Offered { .. } => "an offer",
        Event::OfferClosed { .. } => "an offer's closing",
        Event::TakenBack { .. } => "a takeback",
        Event::Paused { .. } => "a pause",
        Event::Unpaused { .. } => "a pause's end",
        Event::TimeGiven { .. } => "a gift of time",
        Event::TakenOver { .. } => "a takeover",
        Event::Returned { .. } => "a return",
        Event::Planned { .. } => "a plan",
        Event::PlanDropped { .. } => "a dropped plan",
        Event::Restarted { .. } => "a restart",
        Event::Closed { .. } => "the table's closing",
    }
}
