//! A table as spectators may know it where they see it late: the table of so many seconds ago.
//! Pure.
//!
//! Beside the newest [`State`] stands a second one, to which the same things happen once they have
//! been durable for as long as the delay. It lives in a time of its own ([`Delayed::then`]), so
//! that clocks and countdowns read as they did, and decides nothing. That the table exists and
//! what it is played by is shown at once; all that happened since waits here for its time.
//!
//! Bound: what happened within the delay. Of comings and goings, which no journal slows down,
//! [`PRESENCES`] wait at most; beyond, the newest takes the place of the one before it.
//!
//! Invariant: nothing happens here before it is durable and as old as the delay, nor in another
//! order than it happened at the table.

use std::collections::VecDeque;

use crate::game::Seat;
use crate::game::clock::{Millis, Stamp};
use crate::ids::{GameId, PlayerId, TableId};

use super::state::event::Event;
use super::state::presence::Presence;
use super::state::{Corrupt, Spans, State};

/// A table as spectators may know it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delayed {
    delay_ms: Millis,
    state: State,
    waiting: VecDeque<Waiting>,
    presences: usize,
    /// Since when the newest of what is durable is so.
    newest: Stamp,
}

/// Something that spectators do not know yet.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Waiting {
    /// The table's number when it happened.
    number: u64,
    /// Since when that is durable; none while it is not.
    since: Option<Stamp>,
    what: What,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum What {
    Happened(Event),
    /// Who was there from then on.
    Presence(Presence),
    /// The clocks were excused for that long.
    Excused(Millis),
}

/// What has become old enough for spectators.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    /// An event of the journal, as of then.
    Happened(Event, Stamp),
    /// Who is there.
    Presence,
    /// Nothing that is told by itself.
    Nothing,
}

/// How spectators know a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Not yet.
    Unseen,
    /// As one that runs.
    Runs,
    /// As one that is over.
    Over,
}

/// How many comings and goings of players wait to be shown.
pub const PRESENCES: usize = 64;

impl Delayed {
    /// What spectators know of a table that has just been opened; none where they know all of it.
    pub fn opened(state: &State) -> Option<Delayed> {
        let delay_ms = state.options().spectator_delay_ms();
        (delay_ms > 0).then(|| Delayed::new(delay_ms, state.clone(), state.opened()))
    }

    fn new(delay_ms: Millis, state: State, newest: Stamp) -> Delayed {
        Delayed { delay_ms, state, waiting: VecDeque::new(), presences: 0, newest }
    }

    /// What they know at `now` of a table that is rebuilt from its journal, which says when each
    /// event happened; one without a time happened with the one before it.
    ///
    /// # Errors
    /// The events do not follow from each other.
    pub fn rebuilt(
        id: TableId,
        spans: Spans,
        events: &[Event],
        times: &[Option<Stamp>],
        now: Stamp,
    ) -> Result<Option<Delayed>, Corrupt> {
        let Some(Event::Opened { options, at: opened, .. }) = events.first() else {
            return Err(Corrupt::NotOpened);
        };
        let delay_ms = options.spectator_delay_ms();
        if delay_ms == 0 {
            return Ok(None);
        }
        let mut newest = *opened;
        let in_order = |at: &Option<Stamp>| {
            newest = at.map_or(newest, |at| newest.max(at));
            newest
        };
        let times: Vec<Stamp> = times.iter().map(in_order).collect();
        let old_enough = |at: &&Stamp| **at + delay_ms <= now;
        let known = 1 + times[1..].iter().take_while(old_enough).count();
        let mut state = State::replay(id, spans, &events[..known], now)?;
        // As at the table itself, a clock stands where the server was away, until it is back.
        let goes_on = events.get(known).is_some_and(|it| !matches!(it, Event::Restarted { .. }));
        if goes_on && state.wants_clock() {
            state.start_clock(times[known - 1]);
        }
        let mut delayed = Delayed::new(delay_ms, state, newest);
        for (number, (event, at)) in (1..).zip(events.iter().zip(times)).skip(known) {
            delayed.wait(number, Some(at), What::Happened(event.clone()));
        }
        Ok(Some(delayed))
    }

    /// The table as spectators know it.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Whether a player has a seat as spectators know it, or has taken one since.
    pub fn knows_more(&self, player: PlayerId) -> bool {
        let sat = |waiting: &Waiting| match &waiting.what {
            What::Happened(Event::Seated { player: who, .. }) => who.id == player,
            _ => false,
        };
        self.state.seat_of(player).is_some() || self.waiting.iter().any(sat)
    }

    /// The time that spectators see when it is `now` at the table.
    pub fn then(&self, now: Stamp) -> Stamp {
        Stamp(now.0.saturating_sub(self.delay_ms))
    }

    /// An event happened at the table, and led to this number.
    pub fn happened(&mut self, number: u64, event: &Event) {
        self.wait(number, None, What::Happened(event.clone()));
    }

    /// Who is there has changed, at a table of this number.
    pub fn presence(&mut self, number: u64, presence: Presence) {
        let full = self.presences >= PRESENCES;
        let replaced = self.waiting.pop_back_if(|last| {
            matches!(last.what, What::Presence(_)) && (full || last.since.is_none())
        });
        if replaced.is_some() {
            self.presences -= 1;
        }
        self.presences += 1;
        self.wait(number, None, What::Presence(presence));
    }

    /// The clocks of a table of this number were excused for so long.
    pub fn excused(&mut self, number: u64, span: Millis) {
        let before = self.waiting.pop_back_if(|last| matches!(last.what, What::Excused(_)));
        let before = before.map_or(0, |last| match last.what {
            What::Excused(span) => span,
            What::Happened(_) | What::Presence(_) => 0,
        });
        self.wait(number, None, What::Excused(before + span));
    }

    fn wait(&mut self, number: u64, since: Option<Stamp>, what: What) {
        self.waiting.push_back(Waiting { number, since, what });
    }

    /// Everything up to the table's number `durable` is so at `now`.
    pub fn durable(&mut self, durable: u64, now: Stamp) {
        let fresh = self.waiting.iter().rposition(|it| it.since.is_some()).map_or(0, |it| it + 1);
        self.newest = self.newest.max(now);
        let fresh = self.waiting.range_mut(fresh..).take_while(|it| it.number <= durable);
        fresh.for_each(|it| it.since = Some(self.newest));
    }

    /// Lets the next thing happen that is old enough at `now`, if anything is.
    ///
    /// # Errors
    /// It does not follow, which it did at the table.
    pub fn step(&mut self, now: Stamp) -> Result<Option<Shown>, Corrupt> {
        let then = self.then(now);
        let next = self.waiting.pop_front_if(|it| it.since.is_some_and(|since| since <= then));
        let Some(Waiting { since: Some(since), what, .. }) = next else { return Ok(None) };
        Ok(Some(match what {
            What::Happened(event) => {
                self.state.apply(&event)?;
                if self.state.wants_clock() {
                    self.state.start_clock(since);
                }
                Shown::Happened(event, since)
            }
            What::Presence(presence) => {
                self.presences -= 1;
                self.state.see_presence(presence);
                Shown::Presence
            }
            What::Excused(span) => {
                self.state.excuse(span, since);
                Shown::Nothing
            }
        }))
    }

    /// When the next thing that is durable will be old enough.
    pub fn next_at(&self) -> Option<Stamp> {
        Some(self.waiting.front()?.since? + self.delay_ms)
    }

    /// When spectators next see a countdown end, after `now`.
    pub fn next_countdown(&self, now: Stamp) -> Option<Stamp> {
        let live = self.state.running()?;
        let then = self.then(now);
        let over = Seat::BOTH.map(|seat| self.state.countdown_over(seat, live));
        let next = over.into_iter().flatten().filter(|&over| over > then).min();
        next.map(|over| over + self.delay_ms)
    }

    /// How spectators know a game of this table.
    pub fn stage(&self, game: GameId) -> Stage {
        let begins = |it: &Waiting| match it.what {
            What::Happened(Event::Started { game: begun, .. }) => begun == game,
            _ => false,
        };
        if self.waiting.iter().any(begins) {
            Stage::Unseen
        } else if self.state.running().is_some_and(|live| live.id == game) {
            Stage::Runs
        } else {
            Stage::Over
        }
    }
}

#[cfg(test)]
mod tests;
