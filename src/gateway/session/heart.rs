//! Whether the peer is still there: pings out, pongs and everything else in, and the round trip.

use std::hash::{DefaultHasher, Hash, Hasher};

use bytes::Bytes;

use crate::game::clock::{Millis, Stamp};
use crate::gateway::settings::Settings;
use crate::ids::SessionId;

/// The heartbeat of one connection. Told the time, never asks for it.
#[derive(Debug)]
pub(super) struct Heart {
    id: SessionId,
    every: Millis,
    jitter: Millis,
    gone_after: Millis,
    heard: Stamp,
    next: Stamp,
    pings: u64,
    /// When the last ping went out, until its answer comes.
    asked: Option<Stamp>,
    round_trip: Option<Millis>,
}

/// What is to be done at a moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Beat {
    /// Nothing yet.
    Rest,
    /// Send a ping with this payload.
    Ping(Bytes),
    /// Nothing was heard for too long.
    Gone,
}

impl Heart {
    pub(super) fn new(id: SessionId, settings: &Settings, now: Stamp) -> Heart {
        let &Settings { ping_every: every, ping_jitter: jitter, gone_after, .. } = settings;
        let mut heart = Heart {
            id,
            every,
            jitter,
            gone_after,
            heard: now,
            next: now,
            pings: 0,
            asked: None,
            round_trip: None,
        };
        heart.next = heart.next_after(now);
        heart
    }

    /// The last round trip measured.
    pub(super) fn round_trip(&self) -> Option<Millis> {
        self.round_trip
    }

    /// Something was heard, whatever it was.
    pub(super) fn heard(&mut self, now: Stamp) {
        self.heard = now;
    }

    /// A pong was heard. Says whether it is the answer to the last ping: any other measures
    /// nothing.
    pub(super) fn pong(&mut self, payload: &[u8], now: Stamp) -> bool {
        let asked = self.asked.take_if(|_| payload == self.pings.to_be_bytes());
        let Some(asked) = asked else { return false };
        self.round_trip = Some(now - asked);
        true
    }

    /// What is to be done now. Silence counts only while `listening`: whoever does not listen
    /// cannot say that nobody speaks.
    pub(super) fn beat(&mut self, now: Stamp, listening: bool) -> Beat {
        if !listening {
            self.heard = now;
        } else if now - self.heard >= self.gone_after {
            return Beat::Gone;
        }
        if now < self.next {
            return Beat::Rest;
        }
        Beat::Ping(self.ping(now))
    }

    /// The payload of a ping to send with what is sent now anyway, if one is due within a third of
    /// the time between two. It spares the session being woken for the ping alone.
    pub(super) fn ping_along(&mut self, now: Stamp) -> Option<Bytes> {
        (now + self.every / 3 >= self.next).then(|| self.ping(now))
    }

    fn ping(&mut self, now: Stamp) -> Bytes {
        self.pings += 1;
        self.asked = Some(now);
        self.next = self.next_after(now);
        Bytes::copy_from_slice(&self.pings.to_be_bytes())
    }

    /// When there is something to be done next, as far as is known now.
    pub(super) fn wake_at(&self, listening: bool) -> Stamp {
        match listening {
            true => self.next.min(self.heard + self.gone_after),
            false => self.next,
        }
    }

    /// Sessions that began together do not ping together: each is early or late by itself, and
    /// otherwise each time.
    fn next_after(&self, now: Stamp) -> Stamp {
        let mut hasher = DefaultHasher::new();
        (self.id, self.pings).hash(&mut hasher);
        let off = hasher.finish() % (2 * self.jitter + 1);
        now + (self.every + off).saturating_sub(self.jitter).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Stamp = Stamp(1_000_000);

    fn heart(id: u64) -> Heart {
        Heart::new(SessionId(id), &Settings::default(), START)
    }

    #[test]
    fn pings_go_out_every_five_seconds_give_or_take_half_a_second() {
        let mut heart = heart(7);
        let mut last = START;
        let mut spans = Vec::new();
        for _ in 0..50 {
            let now = heart.next;
            heart.heard(now);
            assert!(matches!(heart.beat(now, true), Beat::Ping(_)));
            spans.push(now - last);
            last = now;
        }
        assert!(spans.iter().all(|span| (4_500..=5_500).contains(span)), "{spans:?}");
        assert!(spans.iter().any(|span| *span != spans[0]), "each ping has its own jitter");
    }

    #[test]
    fn twelve_seconds_of_silence_are_the_end_and_one_millisecond_less_is_not() {
        let mut heart = heart(1);
        assert_ne!(heart.beat(START + 11_999, true), Beat::Gone);
        assert_eq!(heart.beat(START + 12_000, true), Beat::Gone);
        heart.heard(START + 12_000);
        assert_ne!(heart.beat(START + 23_999, true), Beat::Gone);
    }

    #[test]
    fn silence_does_not_count_while_nobody_listens() {
        let mut heart = heart(1);
        assert_ne!(heart.beat(START + 60_000, false), Beat::Gone);
        assert_ne!(heart.beat(START + 71_999, true), Beat::Gone);
        assert_eq!(heart.beat(START + 72_000, true), Beat::Gone);
    }

    #[test]
    fn a_ping_goes_along_when_it_is_due_within_a_third_of_its_time() {
        let mut heart = heart(1);
        let due = heart.next;
        let soon = Stamp(due.0 - 5_000 / 3);
        assert_eq!(heart.ping_along(Stamp(soon.0 - 1)), None);
        let payload = heart.ping_along(soon).expect("a ping that is due soon");
        assert_eq!(heart.ping_along(soon), None, "one is enough");
        assert!(heart.next >= soon + 4_500, "the next is due its time later");
        heart.heard(due);
        assert_eq!(heart.beat(due, true), Beat::Rest);

        assert!(heart.pong(&payload, soon + 42));
        assert_eq!(heart.round_trip(), Some(42));
    }

    #[test]
    fn only_the_answer_to_the_last_ping_measures_the_round_trip() {
        let mut heart = heart(1);
        assert!(!heart.pong(&0u64.to_be_bytes(), START));
        assert_eq!(heart.round_trip(), None, "nothing was asked");

        let asked = heart.next;
        let Beat::Ping(payload) = heart.beat(asked, true) else { panic!("a ping is due") };
        assert!(!heart.pong(b"else", asked + 10));
        assert_eq!(heart.round_trip(), None);
        assert!(heart.pong(&payload, asked + 42));
        assert!(!heart.pong(&payload, asked + 900), "it was answered");
        assert_eq!(heart.round_trip(), Some(42));
    }
}
