//! Matches: two players reserved for each other, both or neither.
//!
//! Where either wish is older than [`CHECK_AFTER_MS`], both have to say within [`CHECK_MS`] that
//! they are still there. Whoever does not loses all their seeks; the other's stand as before, with
//! the time that they have waited, and so at the head of their queues.

use crate::game::clock::{Millis, Stamp};
use crate::ids::{MatchId, PlayerId, SeekId, TableId};

use super::seek::{Blocked, Seek, Wish};
use super::{News, NoSeek, Paired, Pairing, Why};

/// Wishes older than this are asked after before they are matched.
pub const CHECK_AFTER_MS: Millis = 30_000;

/// How long there is to answer.
pub const CHECK_MS: Millis = 10_000;

/// How soon those whose table could not be opened are matched again.
const AGAIN_MS: Millis = 250;

/// Two seeks that are matched, the longer-waiting first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reservation {
    pub(super) seeks: [SeekId; 2],
    pub(super) players: [PlayerId; 2],
    /// What has ended a player's seeks since, should their table not be opened.
    leaves: [Option<Why>; 2],
    /// Whether both were asked, and so know of it.
    asked: bool,
    stage: Stage,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    /// Both are asked whether they are ready; who has said so.
    Checking { until: Stamp, ready: [bool; 2] },
    /// Both play. Whether their table was begun, so that it says what becomes of it.
    Opening { begun: bool },
}

impl Reservation {
    pub(super) fn is_checking(&self) -> bool {
        matches!(self.stage, Stage::Checking { .. })
    }

    pub(super) fn is_begun(&self) -> bool {
        matches!(self.stage, Stage::Opening { begun: true })
    }

    /// A player's seeks end, unless the table is opened.
    pub(super) fn ends_for(&mut self, player: PlayerId, why: Why) {
        let sides = self.players.iter().zip(&mut self.leaves);
        sides.filter(|(it, _)| **it == player).for_each(|(_, leaves)| *leaves = Some(why));
    }
}

/// A check that a player has not come through yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Check {
    /// The match.
    pub id: MatchId,
    /// The player's seek.
    pub seek: SeekId,
    /// When it is too late.
    pub until: Stamp,
    /// Whether the player has answered.
    pub ready: bool,
}

/// There is no such match of this player that asks for an answer, or no longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no match {0} that waits for you, or no longer")]
pub struct NoMatch(pub MatchId);

impl Pairing {
    /// A player answers a listed seek: by its terms, and with that opponent or none.
    ///
    /// # Errors
    /// There is no such seek, it is for somebody else, or there may be no further seek.
    pub fn answer(
        &mut self,
        id: SeekId,
        wanted: SeekId,
        wish: Wish,
        now: Stamp,
        blocked: &Blocked<'_>,
        fresh: &mut dyn FnMut() -> MatchId,
    ) -> Result<SeekId, NoSeek> {
        let listed = |seek: &&Seek| self.public.contains_key(&seek.age);
        let other = self.seeks.get(&wanted).filter(listed).ok_or(NoSeek::Unknown(wanted))?;
        let player = wish.player.id;
        let taken = self.people.get(&player).is_some_and(|person| person.reserved.is_some());
        if taken {
            return Err(NoSeek::Matched);
        }
        if !wish.fits(&other.wish, blocked) {
            return Err(NoSeek::NotForYou);
        }
        self.check_room(player)?;
        self.insert(id, wish, true, now);
        self.reserve(fresh(), wanted, id, now);
        Ok(id)
    }

    /// Reserves two seeks for each other, the older first.
    pub(super) fn reserve(&mut self, id: MatchId, one: SeekId, two: SeekId, now: Stamp) {
        let seeks = [one, two];
        let found = seeks.map(|id| self.seeks.get(&id).map(|it| (it.wish.player.id, it.age)));
        let [Some((one, first)), Some((two, second))] = found else { return };
        let players = [one, two];
        for player in players {
            self.dequeue_all(player, now);
            if let Some(person) = self.people.get_mut(&player) {
                debug_assert!(person.reserved.is_none(), "one match at a time");
                person.reserved = Some(id);
            }
        }
        let old = first.waited(now).max(second.waited(now)) > CHECK_AFTER_MS;
        let stage = if old {
            Stage::Checking { until: now + CHECK_MS, ready: [false; 2] }
        } else {
            Stage::Opening { begun: false }
        };
        let leaves = [None; 2];
        self.matches.insert(id, Reservation { seeks, players, leaves, asked: old, stage });
        match old {
            true => self.news.push(News::Check(id, players)),
            false => self.pair(id),
        }
    }

    /// A player is ready. Where both are and one has blocked the other since they were chosen, the
    /// match comes to nothing.
    ///
    /// # Errors
    /// Nobody asked.
    pub fn ready(
        &mut self,
        id: MatchId,
        player: PlayerId,
        now: Stamp,
        blocked: &Blocked<'_>,
    ) -> Result<(), NoMatch> {
        let found = self.matches.get_mut(&id).and_then(|reservation| {
            let side = reservation.players.iter().position(|&it| it == player)?;
            Some((side, reservation))
        });
        let (side, reservation) = found.ok_or(NoMatch(id))?;
        let Stage::Checking { ready, .. } = &mut reservation.stage else { return Ok(()) };
        ready[side] = true;
        if *ready != [true; 2] {
            return Ok(());
        }
        let wishes = reservation.seeks.map(|id| self.seeks.get(&id).map(|seek| &seek.wish));
        if wishes[0].zip(wishes[1]).is_some_and(|(one, two)| one.fits(two, blocked)) {
            reservation.stage = Stage::Opening { begun: false };
            self.pair(id);
        } else {
            self.dissolve(id, &[], Why::Withdrawn, now);
        }
        Ok(())
    }

    /// The match that a player is in, if there is one.
    pub(super) fn match_of(&self, player: PlayerId) -> Option<(MatchId, &Reservation)> {
        let id = self.people.get(&player)?.reserved?;
        Some((id, self.matches.get(&id)?))
    }

    /// The check that a player has to come through, if there is one.
    pub fn check(&self, player: PlayerId) -> Option<Check> {
        let (id, Reservation { seeks, players, stage, .. }) = self.match_of(player)?;
        let side = players.iter().position(|&it| it == player)?;
        let Stage::Checking { until, ready } = stage else { return None };
        Some(Check { id, seek: seeks[side], until: *until, ready: ready[side] })
    }

    /// Whether both of a match play, and its table is to stand soon.
    pub fn is_opening(&self, id: MatchId) -> bool {
        self.matches.get(&id).is_some_and(|reservation| !reservation.is_checking())
    }

    /// The table of a match is begun: [`Pairing::opened`] or [`Pairing::not_opened`] will be said,
    /// whatever happens.
    pub fn begun(&mut self, id: MatchId) {
        if let Some(reservation) = self.matches.get_mut(&id) {
            reservation.stage = Stage::Opening { begun: true };
        }
    }

    /// The table of a match stands: both players seek nothing else.
    pub fn opened(&mut self, id: MatchId, seated: [PlayerId; 2], table: TableId, now: Stamp) {
        let Some(reservation) = self.matches.remove(&id) else { return };
        for player in reservation.players {
            let Some(person) = self.people.get_mut(&player) else { continue };
            person.reserved = None;
            for seek in std::mem::take(&mut person.seeks) {
                self.seeks.remove(&seek);
            }
            self.forget_idle(player);
        }
        self.memory.note(seated, table, now);
    }

    /// The table of a match could not be opened: both wait as before, and a little while until
    /// they are matched again.
    pub fn not_opened(&mut self, id: MatchId, now: Stamp) {
        let Some(&Reservation { seeks, players, leaves, .. }) = self.matches.get(&id) else {
            return;
        };
        let terms = self.seeks.get(&seeks[0]).map(|seek| seek.wish.terms);
        self.dissolve(id, &[], Why::Withdrawn, now);
        for (player, why) in players.into_iter().zip(leaves) {
            if let Some(why) = why {
                self.end_all(player, why, now);
            }
        }
        if let Some(terms) = terms {
            self.look_at(terms, Some(now + AGAIN_MS));
        }
    }

    /// A match comes to nothing because one of the two may not play.
    pub fn may_not_play(&mut self, id: MatchId, player: PlayerId, why: Why, now: Stamp) {
        self.dissolve(id, &[player], why, now);
    }

    /// The table that a player was last sent to, and when.
    pub fn last_table(&self, player: PlayerId) -> Option<(TableId, Stamp)> {
        self.memory.last_table(player)
    }

    pub(super) fn next_check(&self) -> Option<Stamp> {
        let until = |reservation: &Reservation| match reservation.stage {
            Stage::Checking { until, .. } => Some(until),
            Stage::Opening { .. } => None,
        };
        self.matches.values().filter_map(until).min()
    }

    /// Ends the checks whose time is over.
    pub(super) fn end_checks(&mut self, now: Stamp) {
        let over = |(&id, reservation): (&MatchId, &Reservation)| match reservation.stage {
            Stage::Checking { until, ready } if until <= now => {
                let silent = |(&player, ready): (&PlayerId, bool)| (!ready).then_some(player);
                let silent: Vec<_> =
                    reservation.players.iter().zip(ready).filter_map(silent).collect();
                Some((id, silent))
            }
            _ => None,
        };
        let over: Vec<_> = self.matches.iter().filter_map(over).collect();
        for (id, silent) in over {
            self.dissolve(id, &silent, Why::NotReady, now);
        }
    }

    /// A match comes to nothing: the seeks of `leavers` end, the other's stand as before, but for
    /// the answer that one of them may be.
    pub(super) fn dissolve(&mut self, id: MatchId, leavers: &[PlayerId], why: Why, now: Stamp) {
        let Some(reservation) = self.matches.remove(&id) else { return };
        for player in reservation.players {
            if let Some(person) = self.people.get_mut(&player) {
                person.reserved = None;
                // While the match lasted `end_gone` passed over them: now it is their turn.
                self.gone.extend(person.gone.map(|since| (since, player)));
            }
            if leavers.contains(&player) {
                self.end_all(player, why, now);
            } else {
                self.end_answers(player, now);
                self.enqueue_all(player, now);
                if reservation.asked {
                    self.news.push(News::Back(player));
                }
            }
            self.forget_idle(player);
        }
    }

    /// An answer is with that opponent or with nobody: it does not wait for another.
    pub(super) fn end_answers(&mut self, player: PlayerId, now: Stamp) {
        let answers = self.of(player).filter(|seek| seek.answers).map(|seek| seek.id);
        let answers: Vec<SeekId> = answers.collect();
        answers.into_iter().for_each(|id| self.end(id, Why::Unmatched, now));
    }

    /// Says that two play.
    fn pair(&mut self, id: MatchId) {
        let Some(Reservation { seeks, .. }) = self.matches.get(&id) else { return };
        let [Some(one), Some(two)] = seeks.map(|id| self.seeks.get(&id)) else { return };
        let (first, second) = if one.age < two.age { (one, two) } else { (two, one) };
        let [first, second] = [&first.wish.player, &second.wish.player];
        let seated = self.memory.seated(first.id, second.id);
        let players = if seated[0] == first.id { [first, second] } else { [second, first] };
        let paired = Paired { players: players.map(Clone::clone), terms: one.wish.terms };
        self.news.push(News::Paired(id, paired));
    }
}
