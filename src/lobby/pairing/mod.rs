//! Who waits for what, and who plays whom. Pure.
//!
//! A **seek** is one player's wish for a game: its terms, and whom they would play. Whoever has
//! waited longest chooses first, and takes the nearest rating within a window that widens while
//! they wait. A choice is a **match**: both players are reserved, and all else that they seek
//! rests, until the table stands or the match has come to nothing. An answer to a seek is such a
//! match from the start, and ends with it.
//!
//! Invariants: a player is in one match at most; a match has both or neither; a seek is in the
//! queue of its terms exactly while its player is here and in no match. Two who fit never both wait
//! above 30 s and a look, unless they have just played each other and others wait.
//!
//! Bounds: [`SEEKS_EACH`] seeks a player, [`MOST_SEEKS`] in all, and what is remembered of
//! [`memory::REMEMBERED`] players. A queue is looked through at most every [`LOOK_EVERY_MS`], and
//! each look of a seek at [`queue::LOOKED_AT`] others.

pub mod memory;
mod mend;
pub mod pools;
pub mod queue;
pub mod reserve;
pub mod seek;
pub mod step;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::game::clock::{Millis, Stamp};
use crate::ids::{MatchId, PlayerId, SeekId};
use crate::table::handle::Player;
use crate::table::options::Options;

use memory::Memory;
use queue::Queue;
use reserve::Reservation;
use seek::{Age, Seek, Wish};

/// How many seeks a player may have at a time.
pub const SEEKS_EACH: usize = 3;

/// How many seeks there may be in all.
pub const MOST_SEEKS: usize = 10_000;

/// How soon a queue that has changed is looked through again: whoever comes meanwhile is chosen
/// among, and a crowd costs no more than this often.
pub const LOOK_EVERY_MS: Millis = 100;

/// All seeks and matches.
#[derive(Clone, Debug)]
pub struct Pairing {
    seeks: HashMap<SeekId, Seek>,
    people: HashMap<PlayerId, Person>,
    queues: BTreeMap<Options, Queue>,
    /// Those in the queues that anybody may answer.
    public: BTreeMap<Age, SeekId>,
    /// When which queue is looked through next.
    looks: BTreeSet<(Stamp, Options)>,
    /// Queues that a change has made due while `step` runs.
    stirred: Vec<Options>,
    /// Who has been gone since when.
    gone: BTreeSet<(Stamp, PlayerId)>,
    matches: BTreeMap<MatchId, Reservation>,
    memory: Memory,
    news: Vec<News>,
    arrivals: u64,
    kept_ms: Millis,
}

/// A player with seeks.
#[derive(Clone, Debug, Default)]
struct Person {
    seeks: Vec<SeekId>,
    reserved: Option<MatchId>,
    gone: Option<Stamp>,
}

/// What has come about, for whoever tells the players and opens the tables.
#[derive(Clone, PartialEq, Debug)]
pub enum News {
    /// Anybody may answer this seek.
    Listed(SeekId),
    /// Nobody may any more.
    Unlisted(SeekId),
    /// The player of this seek, which anybody may answer, goes by another name.
    Renamed(SeekId),
    /// Both of these players are to say that they are ready.
    Check(MatchId, [PlayerId; 2]),
    /// These two play: a table is to be opened, and [`Pairing::opened`] or
    /// [`Pairing::not_opened`] said.
    Paired(MatchId, Paired),
    /// A match that this player was asked about came to nothing, and their seeks stand as before.
    Back(PlayerId),
    /// A seek has ended without a game.
    Ended(SeekId, PlayerId, Why),
}

/// Two who play.
#[derive(Clone, PartialEq, Debug)]
pub struct Paired {
    /// Seat 1's player and seat 2's.
    pub players: [Player; 2],
    /// What they play by.
    pub terms: Options,
}

/// Why a seek ended without a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// Its player wanted so.
    Withdrawn,
    /// Its player did not say in time that they are ready.
    NotReady,
    /// Its player was gone for too long.
    Gone,
    /// Its player sits at as many tables as one may.
    TooManyTables,
    /// It answered another seek, and that match came to nothing; or pairing began anew without it.
    Unmatched,
    /// Its player has left rated games again and again.
    Barred,
}

/// Why there is no seek. Nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoSeek {
    /// The player has as many as one may.
    #[error("you have {SEEKS_EACH} seeks, and nobody may have more: withdraw one of them first")]
    TooMany,
    /// There are as many as there may be.
    #[error("too many people seek a game just now: try again")]
    Full,
    /// The seek to be answered is none, or no longer.
    #[error("there is no seek {0}, or no longer")]
    Unknown(SeekId),
    /// The player is about to be matched.
    #[error("you are about to be matched: answer the ready check, or withdraw your seek")]
    Matched,
    /// The seek to be answered wants another opponent.
    #[error("that seek is for somebody else: its maker and you must be two, and in its range")]
    NotForYou,
}

impl Pairing {
    /// Nobody waits yet. Seeks are kept for `kept_ms` after their player's last session.
    pub fn new(kept_ms: Millis) -> Pairing {
        Pairing {
            seeks: HashMap::new(),
            people: HashMap::new(),
            queues: BTreeMap::new(),
            public: BTreeMap::new(),
            looks: BTreeSet::new(),
            stirred: Vec::new(),
            gone: BTreeSet::new(),
            matches: BTreeMap::new(),
            memory: Memory::default(),
            news: Vec::new(),
            arrivals: 0,
            kept_ms,
        }
    }

    /// A player wishes for a game. The same wish once more is the seek that there is: so a request
    /// that was sent again makes no second one.
    ///
    /// # Errors
    /// The player, or everybody together, has as many seeks as there may be.
    pub fn seek(&mut self, id: SeekId, wish: Wish, now: Stamp) -> Result<SeekId, NoSeek> {
        if let Some(same) = self.same(&wish) {
            return Ok(same);
        }
        self.check_room(wish.player.id)?;
        self.insert(id, wish, false, now);
        self.enqueue(id, now);
        Ok(id)
    }

    fn same(&self, wish: &Wish) -> Option<SeekId> {
        let person = self.people.get(&wish.player.id)?;
        let is_same = |seek: &Seek| !seek.answers && seek.wish.is_same(wish);
        let same = |id: &&SeekId| self.seeks.get(id).is_some_and(is_same);
        person.seeks.iter().find(same).copied()
    }

    fn check_room(&self, player: PlayerId) -> Result<(), NoSeek> {
        let held = self.people.get(&player).map_or(0, |person| person.seeks.len());
        if held >= SEEKS_EACH {
            return Err(NoSeek::TooMany);
        }
        if self.seeks.len() >= MOST_SEEKS { Err(NoSeek::Full) } else { Ok(()) }
    }

    fn insert(&mut self, id: SeekId, wish: Wish, answers: bool, now: Stamp) {
        self.arrivals += 1;
        let age = Age { since: now, nth: self.arrivals };
        self.people.entry(wish.player.id).or_default().seeks.push(id);
        self.seeks.insert(id, Seek { id, age, wish, answers });
    }

    /// A player withdraws a seek; where it was about to be matched, the other goes back to the head
    /// of the queue. Says whether there was one to withdraw.
    pub fn withdraw(&mut self, id: SeekId, player: PlayerId, now: Stamp) -> bool {
        if self.seeks.get(&id).is_none_or(|seek| seek.wish.player.id != player) {
            return false;
        }
        let its_match = self.match_of(player).filter(|(_, it)| it.seeks.contains(&id));
        match its_match.map(|(matched, it)| (matched, it.is_checking())) {
            Some((_, false)) => return false,
            Some((matched, true)) => {
                self.end(id, Why::Withdrawn, now);
                self.dissolve(matched, &[], Why::Withdrawn, now);
            }
            None => self.end(id, Why::Withdrawn, now),
        }
        true
    }

    /// A player has a session again, or for the first time.
    pub fn came(&mut self, player: PlayerId, now: Stamp) {
        let Some(person) = self.people.get_mut(&player) else { return };
        if let Some(since) = person.gone.take() {
            self.gone.remove(&(since, player));
            self.enqueue_all(player, now);
        }
    }

    /// A player has no session any more.
    pub fn went(&mut self, player: PlayerId, now: Stamp) {
        let Some(person) = self.people.get_mut(&player) else { return };
        if person.gone.is_none() {
            person.gone = Some(now);
            self.gone.insert((now, player));
            self.dequeue_all(player, now);
        }
    }

    /// A player goes by another name: so do their seeks, and those that are listed are so anew.
    pub fn rename(&mut self, player: &Player) {
        let seeks = self.people.get(&player.id).map_or_else(Vec::new, |it| it.seeks.clone());
        for id in seeks {
            let Some(seek) = self.seeks.get_mut(&id) else { continue };
            seek.wish.player.clone_from(player);
            if seek.is_public() {
                self.news.push(News::Renamed(id));
            }
        }
    }

    /// A player is not to be matched: all that they seek ends, and with it the match that they are in,
    /// whose other player goes back to the head of the queue. Where its table is being opened already,
    /// its rules say what becomes of those who do not come; if it is not opened after all, their seeks
    /// end then.
    pub fn turn_out(&mut self, player: PlayerId, why: Why, now: Stamp) {
        match self.match_of(player).map(|(id, it)| (id, it.is_checking())) {
            Some((id, false)) => {
                if let Some(reservation) = self.matches.get_mut(&id) {
                    reservation.ends_for(player, why);
                }
            }
            Some((id, true)) => self.dissolve(id, &[player], why, now),
            None => self.end_all(player, why, now),
        }
    }

    /// Everything that has come about since this was last asked, in order.
    pub fn take_news(&mut self) -> Vec<News> {
        std::mem::take(&mut self.news)
    }

    /// A seek, if there is such a one.
    pub fn get(&self, id: SeekId) -> Option<&Seek> {
        self.seeks.get(&id)
    }

    /// How many seeks there are.
    pub fn len(&self) -> usize {
        self.seeks.len()
    }

    /// Whether nobody seeks anything.
    pub fn is_empty(&self) -> bool {
        self.seeks.is_empty()
    }

    /// A player's seeks, the oldest first.
    pub fn of(&self, player: PlayerId) -> impl Iterator<Item = &Seek> {
        let seeks = self.people.get(&player).map_or(&[][..], |person| &person.seeks);
        seeks.iter().filter_map(|id| self.seeks.get(id))
    }

    /// The seeks that anybody may answer, `most` of them at most, the oldest first.
    pub fn listed(&self, most: usize) -> impl Iterator<Item = &Seek> {
        self.public.values().take(most).filter_map(|id| self.seeks.get(id))
    }

    /// What of this news changes the list of seeks that anybody may answer: each seek that is new
    /// there, or is shown otherwise, and each that is there no more. What came and went in between
    /// is neither.
    pub fn changes_of_list(&self, news: &[News]) -> Vec<(SeekId, Option<&Seek>)> {
        let mut changes: BTreeMap<SeekId, (i32, bool)> = BTreeMap::new();
        for news in news {
            match news {
                News::Listed(id) => changes.entry(*id).or_default().0 += 1,
                News::Unlisted(id) => changes.entry(*id).or_default().0 -= 1,
                News::Renamed(id) => changes.entry(*id).or_default().1 = true,
                _ => {}
            }
        }
        let told = changes.into_iter().filter_map(|(id, (by, renamed))| {
            let seek = self.get(id).filter(|seek| self.public.contains_key(&seek.age));
            let is_news = if seek.is_some() { by > 0 || renamed } else { by < 0 };
            is_news.then_some((id, seek))
        });
        told.collect()
    }

    fn enqueue_all(&mut self, player: PlayerId, now: Stamp) {
        let seeks = self.people.get(&player).map_or_else(Vec::new, |person| person.seeks.clone());
        seeks.into_iter().for_each(|id| self.enqueue(id, now));
    }

    fn dequeue_all(&mut self, player: PlayerId, now: Stamp) {
        let seeks = self.people.get(&player).map_or_else(Vec::new, |person| person.seeks.clone());
        seeks.into_iter().for_each(|id| self.dequeue(id, now));
    }

    /// Puts a seek in its queue, if its player is here and in no match.
    fn enqueue(&mut self, id: SeekId, now: Stamp) {
        let Some(seek) = self.seeks.get(&id) else { return };
        let free = |person: &Person| person.gone.is_none() && person.reserved.is_none();
        if !self.people.get(&seek.wish.player.id).is_some_and(free) {
            return;
        }
        let terms = seek.wish.terms;
        let queue = self.queues.entry(terms).or_default();
        if queue.insert(seek.age, seek.wish.rating.points, id) {
            if seek.is_public() {
                self.public.insert(seek.age, id);
                self.news.push(News::Listed(id));
            }
            self.changed(terms, now);
        }
    }

    fn dequeue(&mut self, id: SeekId, now: Stamp) {
        let Some(seek) = self.seeks.get(&id) else { return };
        let terms = seek.wish.terms;
        let Some(queue) = self.queues.get_mut(&terms) else { return };
        if !queue.remove(seek.age, seek.wish.rating.points) {
            return;
        }
        if self.public.remove(&seek.age).is_some() {
            self.news.push(News::Unlisted(id));
        }
        if queue.is_empty() {
            if let Some(at) = queue.next_look {
                self.looks.remove(&(at, terms));
            }
            self.queues.remove(&terms);
        } else {
            self.changed(terms, now);
        }
    }

    /// A queue has changed, and is to be looked through soon.
    fn changed(&mut self, terms: Options, now: Stamp) {
        let Some(queue) = self.queues.get(&terms) else { return };
        let soon = queue.looked.map_or(now, |at| now.max(at + LOOK_EVERY_MS));
        if queue.next_look.is_none_or(|at| soon < at) {
            self.look_at(terms, Some(soon));
            if soon <= now {
                self.stirred.push(terms);
            }
        }
    }

    fn look_at(&mut self, terms: Options, at: Option<Stamp>) {
        let Some(queue) = self.queues.get_mut(&terms) else { return };
        if let Some(before) = std::mem::replace(&mut queue.next_look, at) {
            self.looks.remove(&(before, terms));
        }
        if let Some(at) = at {
            self.looks.insert((at, terms));
        }
    }

    /// Ends a seek; the match that it may be in is the caller's affair.
    fn end(&mut self, id: SeekId, why: Why, now: Stamp) {
        self.dequeue(id, now);
        let Some(seek) = self.seeks.remove(&id) else { return };
        let player = seek.wish.player.id;
        self.news.push(News::Ended(id, player, why));
        if let Some(person) = self.people.get_mut(&player) {
            person.seeks.retain(|&other| other != id);
        }
        self.forget_idle(player);
    }

    fn end_all(&mut self, player: PlayerId, why: Why, now: Stamp) {
        let seeks = self.people.get(&player).map_or_else(Vec::new, |person| person.seeks.clone());
        seeks.into_iter().for_each(|id| self.end(id, why, now));
    }

    /// Forgets a player who seeks nothing and is in no match.
    fn forget_idle(&mut self, player: PlayerId) {
        let idle = |person: &Person| person.seeks.is_empty() && person.reserved.is_none();
        if let Some(person) = self.people.get(&player).filter(|person| idle(person)) {
            if let Some(since) = person.gone {
                self.gone.remove(&(since, player));
            }
            self.people.remove(&player);
        }
    }
}

#[cfg(test)]
mod tests;
