//! Game clocks, as arithmetic on passed-in instants.
//!
//! Owns how much time each seat has left and the exact instant at which a flag falls. A move
//! stamped strictly before the [`Deadline`] is in time; at or after it, it is late, and so the
//! stamp is judged before the board is touched.
//!
//! Invariant: at most one seat's time runs, nothing runs on past the instant a flag falls, and a
//! fallen flag never rises again. Nothing here is a date: what a clock shows at an instant is
//! all that is needed to rebuild it, so the time that a server was away is charged to nobody.

mod control;
mod lag;
mod reading;

use std::ops::{Add, Sub};

use super::cell::Seat;

pub use control::{Control, Field, TimeControl, TimeControlError};
pub use lag::{Charged, LagBank, Late, REVIVE_LIMIT_MS, charge};
pub use reading::{Misfit, Reading};

/// A span of time in whole milliseconds.
pub type Millis = u64;

/// An instant of the server's own time line: milliseconds since the Unix epoch, never going back
/// while a server runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Stamp(pub Millis);

impl Add<Millis> for Stamp {
    type Output = Stamp;

    fn add(self, span: Millis) -> Stamp {
        Stamp(self.0.saturating_add(span))
    }
}

impl Sub for Stamp {
    type Output = Millis;

    /// The time from `earlier` to `self`, zero if it is the other way round.
    fn sub(self, earlier: Stamp) -> Millis {
        self.0.saturating_sub(earlier.0)
    }
}

/// The two clocks of one game.
///
/// Between two turns nothing runs: [`complete_turn`](Clock::complete_turn) stops the mover's
/// clock, and [`start_turn`](Clock::start_turn) starts the other once the move is durable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    time_control: TimeControl,
    /// As of the instant in `running`, for the seat that runs; as of any instant for the other.
    readings: [Reading; 2],
    moved: [bool; 2],
    running: Option<Running>,
}

/// The seat whose time runs, since when, and what it was charged before that in the same turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Running {
    seat: Seat,
    since: Stamp,
    charged_ms: Millis,
}

/// Which limit a seat ran into.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Flag {
    /// The time for the game, the turn or the last period.
    Main,
    /// The limit for a seat's first move. Where both fall in the same millisecond it is this one,
    /// since the first move was missed for certain.
    FirstMove,
}

/// When the running seat's flag falls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Deadline {
    /// The first instant that is too late.
    pub at: Stamp,
    /// Whose flag it is.
    pub seat: Seat,
    /// Which limit it is.
    pub why: Flag,
}

/// What a completed turn came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spent {
    /// What was charged since the turn was started, or resumed by another start.
    pub used_ms: Millis,
    /// What the seat's clock shows afterwards, increment or renewed period included.
    pub reading: Reading,
}

impl Clock {
    /// Both clocks as a game begins, neither running.
    pub const fn new(time_control: TimeControl) -> Clock {
        let full = Reading::full(&time_control);
        Clock { time_control, readings: [full; 2], moved: [false; 2], running: None }
    }

    /// The clocks that showed these readings, neither running. [`start_turn`](Clock::start_turn)
    /// then resumes a turn that was under way, with the time that it had.
    pub fn restore(
        time_control: TimeControl,
        readings: [Reading; 2],
        moved: [bool; 2],
    ) -> Result<Clock, Misfit> {
        let checked = |seat: Seat| {
            let (reading, moved) = (readings[seat.index()], moved[seat.index()]);
            reading.checked(&time_control, moved).ok_or(Misfit { seat, reading, moved })
        };
        let readings = [checked(Seat::One)?, checked(Seat::Two)?];
        Ok(Clock { time_control, readings, moved, running: None })
    }

    /// What the game is timed by.
    pub const fn time_control(&self) -> &TimeControl {
        &self.time_control
    }

    /// The seat whose time runs.
    pub fn running(&self) -> Option<Seat> {
        self.running.map(|running| running.seat)
    }

    /// The seat whose time runs, and since when: its turn's beginning, or what last interrupted it.
    pub fn runs_since(&self) -> Option<(Seat, Stamp)> {
        self.running.map(|running| (running.seat, running.since))
    }

    /// Whether the seat has made its first move. A takeback does not undo that.
    pub const fn has_moved(&self, seat: Seat) -> bool {
        self.moved[seat.index()]
    }

    /// What the seat's clock shows at an instant.
    pub fn reading(&self, seat: Seat, at: Stamp) -> Reading {
        self.readings[seat.index()].after(&self.time_control, self.elapsed(seat, at))
    }

    /// When the flag of the running seat falls, if nothing more happens.
    pub fn deadline(&self) -> Option<Deadline> {
        let Running { seat, since, .. } = self.running?;
        let (left_ms, why) = self.readings[seat.index()].until_fall(&self.time_control)?;
        Some(Deadline { at: since + left_ms, seat, why })
    }

    /// The deadline, if it is over at this instant.
    pub fn flagged(&self, at: Stamp) -> Option<Deadline> {
        self.deadline().filter(|deadline| at >= deadline.at)
    }

    /// Lets the seat's time run from `at`, where it stood. Time that still runs is charged first.
    ///
    /// This begins a turn, and also resumes one after [`stop`](Clock::stop) or
    /// [`restore`](Clock::restore). A turn that the other seat had begun and that a takeback cut
    /// short is over: its next turn has its full limit or period again.
    pub fn start_turn(&mut self, seat: Seat, at: Stamp) {
        self.stop(at);
        let waiting = &mut self.readings[seat.other().index()];
        *waiting = waiting.waiting(&self.time_control);
        self.running = Some(Running { seat, since: at, charged_ms: 0 });
    }

    /// As [`start_turn`](Clock::start_turn), for a turn that was charged `charged_ms` before
    /// [`hold`](Clock::hold) stopped it.
    pub fn resume_turn(&mut self, seat: Seat, at: Stamp, charged_ms: Millis) {
        self.start_turn(seat, at);
        self.running = self.running.map(|running| Running { charged_ms, ..running });
    }

    /// Stops what runs, without completing the turn, and says what the turn was charged so far.
    pub fn hold(&mut self, at: Stamp) -> Millis {
        self.settle(at);
        self.running.take().map_or(0, |running| running.charged_ms)
    }

    /// Charges the time used so far and lets nothing run, without completing the turn.
    pub fn stop(&mut self, at: Stamp) {
        self.settle(at);
        self.running = None;
    }

    /// Leaves what ran from one instant to another uncharged: nobody could move then.
    pub fn skip(&mut self, from: Stamp, to: Stamp) {
        self.settle(from);
        if let Some(running) = &mut self.running {
            running.since = running.since.max(to);
        }
    }

    /// Completes the seat's turn: charges its time, gives the increment or renews the limit or
    /// the period, and counts as the seat's first move. Nothing runs afterwards.
    ///
    /// Where lag was credited, `at` is [`Charged::stamp`]. A turn whose clock was not started, as
    /// when it answers a move that is not yet durable, costs nothing. If the flag has fallen, the
    /// turn is not completed: nothing is gained.
    pub fn complete_turn(&mut self, seat: Seat, at: Stamp) -> Spent {
        self.charge_move(seat, at, |reading, time_control| reading.completed(time_control))
    }

    /// Charges an attempt that keeps the seat's turn: nothing is given and nothing renewed, but it
    /// counts as the seat's first move. Nothing runs afterwards, and
    /// [`start_turn`](Clock::start_turn) goes on with the same turn.
    ///
    /// `at` is as in [`complete_turn`](Clock::complete_turn), and so is what a fallen flag does.
    pub fn keep_turn(&mut self, seat: Seat, at: Stamp) -> Spent {
        self.charge_move(seat, at, |reading, _| Reading { first_move_ms: None, ..reading })
    }

    fn charge_move(
        &mut self,
        seat: Seat,
        at: Stamp,
        then: impl FnOnce(Reading, &TimeControl) -> Reading,
    ) -> Spent {
        let index = seat.index();
        self.settle(at);
        let ran = self.running.take().filter(|running| running.seat == seat);
        let used_ms = ran.map_or(0, |running| running.charged_ms);
        let reading = &mut self.readings[index];
        if !reading.has_fallen() {
            *reading = then(*reading, &self.time_control);
            self.moved[index] = true;
        }
        Spent { used_ms, reading: *reading }
    }

    /// Gives a seat more time, if it has a clock and its flag has not fallen.
    ///
    /// The cap does not bound what an opponent gives; while a clock is above its cap, increments
    /// add nothing. What is given in a turn with a limit, or in a byo-yomi period, lengthens that
    /// turn alone (the next one, for the seat that waits). The first-move limit stays as it is.
    pub fn give(&mut self, seat: Seat, more_ms: Millis, at: Stamp) {
        // The deadline of a flag that fell must stay the instant it fell at.
        if self.flagged(at).is_some() {
            return;
        }
        self.settle(at);
        let reading = &mut self.readings[seat.index()];
        if !reading.has_fallen() {
            reading.left_ms = reading.left_ms.map(|left_ms| left_ms.saturating_add(more_ms));
        }
    }

    /// Charges what has run until `at` and lets it run on from there.
    fn settle(&mut self, at: Stamp) {
        let Some(Running { seat, since, charged_ms }) = self.running else { return };
        let reading = &mut self.readings[seat.index()];
        let until_fall_ms = reading.until_fall(&self.time_control).map(|(left_ms, _)| left_ms);
        let elapsed_ms = (at - since).min(until_fall_ms.unwrap_or(Millis::MAX));
        *reading = reading.after(&self.time_control, elapsed_ms);
        let charged_ms = charged_ms.saturating_add(elapsed_ms);
        self.running = Some(Running { seat, since: since.max(at), charged_ms });
    }

    /// How long the seat's time has run since it was last settled.
    fn elapsed(&self, seat: Seat, at: Stamp) -> Millis {
        match self.running {
            Some(running) if running.seat == seat => at - running.since,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests;
