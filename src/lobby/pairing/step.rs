//! What time brings: matches, and the end of seeks and checks.

use std::collections::BTreeSet;

use crate::game::clock::{Millis, Stamp};
use crate::ids::{MatchId, SeekId};
use crate::table::options::Options;

use super::queue::Queue;
use super::seek::{ANYBODY_AFTER_MS, Blocked, Seek, WINDOW_MORE, Wish, window};
use super::{Pairing, Why};

/// How often the windows of those who wait are looked at, as they widen.
pub const WIDEN_EVERY_MS: Millis = 1_000;

/// How often those are looked at who wait on whoever comes.
pub const STILL_EVERY_MS: Millis = 5_000;

impl Pairing {
    /// Does what is due at `now`. What has come of it is in [`Pairing::take_news`].
    ///
    /// In each queue that is due, the seeks choose in the order of their age. A seek takes, among
    /// those that fit it and are in its window, the nearest by rating, then the one that has
    /// waited longest. Somebody whom either played last is taken only where neither has anybody
    /// else to wait for.
    pub fn step(&mut self, now: Stamp, blocked: &Blocked<'_>, fresh: &mut dyn FnMut() -> MatchId) {
        self.end_gone(now);
        self.end_checks(now);
        // In the order of their terms, so that it is the same however they came to be due. A match
        // may stir other queues; those that come later in the order are looked through as well.
        let due = self.looks.iter().take_while(|(at, _)| *at <= now);
        let mut due: BTreeSet<Options> = due.map(|(_, terms)| *terms).collect();
        self.stirred.clear();
        while let Some(terms) = due.pop_first() {
            self.look_through(terms, now, blocked, fresh);
            due.extend(self.stirred.drain(..).filter(|stirred| *stirred > terms));
        }
    }

    /// When there is something to do next.
    pub fn next_due(&self) -> Option<Stamp> {
        let gone = self.gone.first().map(|(since, _)| *since + self.kept_ms);
        let look = self.looks.first().map(|(at, _)| *at);
        [gone, look, self.next_check()].into_iter().flatten().min()
    }

    fn end_gone(&mut self, now: Stamp) {
        while let Some(&(since, player)) = self.gone.first()
            && now - since >= self.kept_ms
        {
            self.gone.remove(&(since, player));
            // Whose table is being opened may be back before it turns out that it is not.
            if self.match_of(player).is_none_or(|(_, it)| it.is_checking()) {
                self.turn_out(player, Why::Gone, now);
            }
        }
    }

    fn look_through(
        &mut self,
        terms: Options,
        now: Stamp,
        blocked: &Blocked<'_>,
        fresh: &mut dyn FnMut() -> MatchId,
    ) {
        self.look_at(terms, None);
        let Some(queue) = self.queues.get_mut(&terms) else { return };
        queue.looked = Some(now);
        let waiting: Vec<SeekId> = queue.by_age().collect();
        for id in waiting {
            let Some(queue) = self.queues.get(&terms) else { return };
            let Some(seek) = self.seeks.get(&id).filter(|seek| queue.has(seek.age)) else {
                continue;
            };
            if let Some(other) = self.choose(queue, seek, now, blocked) {
                self.reserve(fresh(), id, other, now);
            }
        }
        // As long as two wait it is looked at again: their windows widen, or one takes back that they
        // have blocked the other, of which nothing tells.
        let Some(queue) = self.queues.get(&terms) else { return };
        let Some(age) = queue.last_but_one() else { return };
        let widens = age.waited(now) < ANYBODY_AFTER_MS;
        let again = now + if widens { WIDEN_EVERY_MS } else { STILL_EVERY_MS };
        if queue.next_look.is_none_or(|at| again < at) {
            self.look_at(terms, Some(again));
        }
    }

    /// Whom a seek takes.
    fn choose(
        &self,
        queue: &Queue,
        seek: &Seek,
        now: Stamp,
        blocked: &Blocked<'_>,
    ) -> Option<SeekId> {
        // The window of two is that of the elder, who may have had to leave this one to the others.
        let eldest = queue.eldest().map_or(seek.age, |age| age.min(seek.age));
        let widest = window(eldest.waited(now)).map(|window| window + WINDOW_MORE);
        let near = |other: &&Seek| widest.is_none_or(|most| seek.wish.gap(&other.wish) <= most);
        let alone = |it: &Seek| !self.has_another(queue, it, blocked);
        let mut last = None;
        for other in self.others(queue, seek).take_while(near) {
            if !seek.wish.fits(&other.wish, blocked) || !seek.accepts(other, now) {
                continue;
            }
            if !self.is_repeat(seek, other) {
                return Some(other.id);
            }
            if last.is_none() && alone(seek) && alone(other) {
                last = Some(other.id);
            }
        }
        last
    }

    fn is_repeat(&self, one: &Seek, two: &Seek) -> bool {
        self.memory.played_last(one.wish.player.id, two.wish.player.id)
    }

    /// Whether anybody waits whom a seek fits and whose player was not the last opponent.
    fn has_another(&self, queue: &Queue, seek: &Seek, blocked: &Blocked<'_>) -> bool {
        self.others(queue, seek)
            .any(|other| seek.wish.fits(&other.wish, blocked) && !self.is_repeat(seek, other))
    }

    /// Those whom a seek looks at, the nearest first.
    fn others<'a>(
        &'a self,
        queue: &'a Queue,
        seek: &Seek,
    ) -> impl Iterator<Item = &'a Seek> + use<'a> {
        let &Wish { rating, range, .. } = &seek.wish;
        queue.nearest(rating.points, range).filter_map(|id| self.seeks.get(&id))
    }
}
