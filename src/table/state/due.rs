//! What comes due by itself: flags, countdowns, expiries. One question, one answer: what has come
//! due now, and when is the next.

use hexhall_proto::parts::OfferClosed;

use crate::game::clock::{Control, Deadline, Stamp};
use crate::game::{Outcome, Seat, Void};

use super::event::Event;
use super::{LiveGame, Phase, State};

impl State {
    /// What has come due at `now`. To be asked again after applying it, until nothing has.
    pub fn due(&self, now: Stamp) -> Vec<Event> {
        if let Some(live) = self.running() {
            if let Some((called, deadline)) = self.flag_called(live)
                && now >= called
            {
                return self.flag_falls(live, deadline.seat, deadline.at);
            }
            if self.abandoned_at(live).is_some_and(|at| now >= at) {
                let outcome = Outcome::Void(Void::Abandoned);
                return self.end(outcome, None, State::readings(&live.clock, now), now);
            }
        }
        let planned = self.plans_due(now);
        if !planned.is_empty() {
            return planned;
        }
        if let Some(event) = self.changes_hands(now) {
            return vec![event];
        }
        if let Some(offer) = self.offers.iter().find(|offer| now >= offer.expires) {
            let (offer, how) = (offer.id, OfferClosed::Expired);
            return vec![Event::OfferClosed { offer, how, by: None }];
        }
        if let Some(events) = self.party_due(now) {
            return events;
        }
        if self.deserted_at().is_some_and(|at| now >= at) {
            return self.close(now);
        }
        let given_up = |&seat: &Seat| self.seat_given_up_at(seat).is_some_and(|at| now >= at);
        match Seat::BOTH.into_iter().find(given_up) {
            Some(seat) => self.free_seat(seat, now),
            None => Vec::new(),
        }
    }

    /// When something comes due next, or changes what presence shows, after `now`.
    pub fn next_due(&self, now: Stamp) -> Option<Stamp> {
        let in_game = self.running().map(|live| {
            let flag = self.flag_called(live).map(|(called, _)| called);
            let countdowns = Seat::BOTH.map(|seat| self.countdown_over(seat, live));
            let coming = countdowns.into_iter().flatten().filter(move |&over| over > now);
            coming.chain(flag).chain(self.abandoned_at(live)).min()
        });
        let offers = self.offers.iter().map(|offer| offer.expires);
        let seats = Seat::BOTH.into_iter().filter_map(|seat| self.seat_given_up_at(seat));
        let times = offers.chain(seats).chain(in_game.flatten()).chain(self.deserted_at());
        let plans = self.is_plan_due().then_some(now);
        let members = self.next_party_due().into_iter().chain(self.request_lapses_at(now));
        times.chain(self.next_change_of_hands(now)).chain(members).chain(plans).min()
    }

    /// Until when a seat's player may be gone from the running game; none while they are there.
    pub fn countdown_over(&self, seat: Seat, live: &LiveGame) -> Option<Stamp> {
        let (since, said_so) = self.presence.gone(seat).filter(|_| !self.is_attended(seat))?;
        let estimated = live.clock.time_control().control().estimated_ms();
        Some(since + self.spans.countdown.length(said_so, estimated))
    }

    /// Whether a seat's player was gone from the game before `at`: they went, or never came to the
    /// game that they were matched for. Whoever was away before it began has not gone from it.
    pub fn was_gone(&self, seat: Seat, live: &LiveGame, at: Stamp) -> bool {
        let Some((since, _)) = self.presence.gone(seat).filter(|&(it, _)| it >= live.started)
        else {
            return false;
        };
        let known_since = self.presence.known_since();
        if known_since <= live.started || since > known_since {
            return since < at;
        }
        // Who was there when a table came back in the midst of the game is not known: whoever has not
        // come since counts as gone once the countdown is over.
        self.countdown_over(seat, live).is_some_and(|over| over <= at)
    }

    /// When the running flag is called: its deadline, and as long after that as a move in time
    /// may still be under way.
    pub(super) fn flag_called(&self, live: &LiveGame) -> Option<(Stamp, Deadline)> {
        let deadline = live.clock.deadline()?;
        let seat = deadline.seat.index();
        let grace = live.banks[seat].map_or(0, |bank| bank.grace_ms(self.round_trips[seat]));
        Some((deadline.at + grace, deadline))
    }

    /// Since when nobody is there of those who sit here or are of the party; none while anybody is.
    pub fn nobody_since(&self) -> Option<Stamp> {
        if self.party.is_none() {
            return self.presence.both_gone();
        }
        let mut since = Stamp(0);
        for id in self.member_ids() {
            let (gone, _) = self.presence.member_gone(id)?;
            since = since.max(gone);
        }
        Some(since)
    }

    fn abandoned_at(&self, live: &LiveGame) -> Option<Stamp> {
        let gone = self.presence.both_gone().filter(|_| self.is_timeless(live))?;
        let for_good = self.last_seen.max(self.touched) + self.spans.abandoned_ms;
        // Who was there before a table came back is not known: they have a moment to follow it.
        Some(for_good.max(gone + self.spans.countdown.lost_ms))
    }

    /// Whether no clock ends the game where both players are gone.
    fn is_timeless(&self, live: &LiveGame) -> bool {
        // Behind a curtain no clock runs either.
        live.clock.time_control().control() == Control::None || live.paused || self.is_curtained()
    }

    /// When a player was last there, which is `now` while one is. None where no game waits for both
    /// without a clock.
    pub fn seen_last(&self, now: Stamp) -> Option<Stamp> {
        self.running().filter(|live| self.is_timeless(live))?;
        let gone = self.presence.both_gone();
        Some(gone.map_or(now, |_| self.last_seen.max(self.touched)))
    }

    /// Where no game runs, a seat whose player is gone is free a while after that, and after the
    /// last that happened: a long game may end long after its player has gone.
    fn seat_given_up_at(&self, seat: Seat) -> Option<Stamp> {
        let idle = matches!(self.phase(), Phase::Waiting | Phase::Finished);
        // Where both seats are one player's, or one the computer's, the table closes instead; a
        // party has a rule of its own.
        let two_people =
            self.party.is_none() && Seat::BOTH.into_iter().all(|seat| self.house(seat).is_none());
        self.player(seat).filter(|_| idle && two_people && !self.options.pass_and_play())?;
        let (since, said_so) = self.presence.gone(seat)?;
        // Whoever said that they go, while a game ran, is not waited for.
        let kept_ms = if said_so { 0 } else { self.spans.seat_kept_ms };
        Some(since.max(self.touched) + kept_ms)
    }

    /// Where a game has ended and both players are gone, the table closes a while after that.
    fn deserted_at(&self) -> Option<Stamp> {
        let since = self
            .presence
            .both_gone()
            .filter(|_| self.phase() == Phase::Finished && self.party.is_none())?;
        Some(since.max(self.touched) + self.spans.deserted_ms)
    }
}
