//! Those who wait for the same: in the order of their coming, and in the order of their ratings.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::Peekable;

use crate::game::clock::Stamp;
use crate::ids::SeekId;

use super::seek::{Age, Range};

/// How many others a seek looks at when it chooses. Most look at one; only where very many
/// neighbours want somebody else does one see no further than this.
pub const LOOKED_AT: usize = 256;

/// The queue of some terms.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    by_age: BTreeMap<Age, SeekId>,
    /// By rating, and among equals by age.
    up: BTreeSet<(i32, Age)>,
    /// The same downwards: the rating is negated, so that equals stand by age here too.
    down: BTreeSet<(i32, Age)>,
    /// When it was last looked through.
    pub(super) looked: Option<Stamp>,
    /// When it is looked through next.
    pub(super) next_look: Option<Stamp>,
}

impl Queue {
    /// Puts a seek in; whether it was not there.
    pub(super) fn insert(&mut self, age: Age, points: i32, id: SeekId) -> bool {
        self.up.insert((points, age));
        self.down.insert((-points, age));
        self.by_age.insert(age, id).is_none()
    }

    /// Takes one out; whether it was there.
    pub(super) fn remove(&mut self, age: Age, points: i32) -> bool {
        self.up.remove(&(points, age));
        self.down.remove(&(-points, age));
        self.by_age.remove(&age).is_some()
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        self.by_age.len()
    }

    /// Whether nobody waits.
    pub fn is_empty(&self) -> bool {
        self.by_age.is_empty()
    }

    /// Whether the seek of that age waits.
    pub(super) fn has(&self, age: Age) -> bool {
        self.by_age.contains_key(&age)
    }

    /// Who waits, the oldest first.
    pub fn by_age(&self) -> impl Iterator<Item = SeekId> + '_ {
        self.by_age.values().copied()
    }

    /// Who came first.
    pub(super) fn eldest(&self) -> Option<Age> {
        self.by_age.keys().next().copied()
    }

    /// The last but one to come: the youngest that is the older of any two.
    pub(super) fn last_but_one(&self) -> Option<Age> {
        self.by_age.keys().nth_back(1).copied()
    }

    /// Who waits within a range, the nearest to these points first, and among equals the oldest:
    /// [`LOOKED_AT`] of them.
    pub(super) fn nearest(
        &self,
        points: i32,
        range: Option<Range>,
    ) -> impl Iterator<Item = SeekId> + '_ {
        let Range { min, max } = range.unwrap_or(Range { min: i32::MIN / 2, max: i32::MAX / 2 });
        let first = Age { since: Stamp(0), nth: 0 };
        let up = self.up.range((points.max(min), first)..);
        let up = up.take_while(move |(it, _)| *it <= max).map(move |&(it, age)| (it - points, age));
        let down = self.down.range(((1 - points).max(-max), first)..);
        let down = down.take_while(move |(it, _)| -it >= min);
        let down = down.map(move |&(it, age)| (it + points, age));
        let both = Merged { up: up.peekable(), down: down.peekable() };
        both.take(LOOKED_AT).filter_map(|(_, age)| self.by_age.get(&age).copied())
    }
}

/// Two ascending runs as one.
struct Merged<A: Iterator, B: Iterator> {
    up: Peekable<A>,
    down: Peekable<B>,
}

impl<T: Ord, A: Iterator<Item = T>, B: Iterator<Item = T>> Iterator for Merged<A, B> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        match (self.up.peek(), self.down.peek()) {
            (Some(up), Some(down)) if down < up => self.down.next(),
            (None, _) => self.down.next(),
            _ => self.up.next(),
        }
    }
}
