//! A seek: what a player wishes for, and whom they would play.

use crate::accounts::ratings;
use crate::game::clock::{Millis, Stamp};
use crate::ids::{PlayerId, SeekId};
use crate::table::handle::Player;
use crate::table::options::Options;

/// One wish that waits.
#[derive(Clone, PartialEq, Debug)]
pub struct Seek {
    /// Its name.
    pub id: SeekId,
    /// Since when it waits.
    pub age: Age,
    /// What is wished for.
    pub wish: Wish,
    /// Whether it answers another: it is with that opponent or with nobody, and so never listed and
    /// in no queue.
    pub answers: bool,
}

/// Since when a seek waits. The lesser has waited longer, and no two are alike.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Age {
    /// When it came.
    pub since: Stamp,
    /// How many had come by then.
    pub nth: u64,
}

/// What a player wishes for.
#[derive(Clone, PartialEq, Debug)]
pub struct Wish {
    /// Who.
    pub player: Player,
    /// Whose the player is: a bot's owner, and oneself otherwise. Nobody plays their own.
    pub owner: PlayerId,
    /// What is played by. Those who seek the same wait in one queue.
    pub terms: Options,
    /// The player's rating in what is played.
    pub rating: Rating,
    /// Whom they would play; anybody without.
    pub range: Option<Range>,
    /// The pool that the wish was made in: such a one is not listed.
    pub pool: Option<&'static str>,
}

/// How strong a player is thought to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rating {
    /// In points, like Glicko's.
    pub points: i32,
    /// How far the points may be off.
    pub deviation: u16,
}

/// Ratings from `min` to `max`, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The lowest.
    pub min: i32,
    /// The highest.
    pub max: i32,
}

/// How far apart two may be at once, in points.
const WINDOW: i32 = 100;

/// By how many points a second the window widens.
const WIDER_EACH_S: i32 = 10;

/// By how much it is wider where either rating is only a guess.
pub const WINDOW_MORE: i32 = 200;

/// Whoever has waited as long takes anybody within their own range.
pub const ANYBODY_AFTER_MS: Millis = 30_000;

/// A rating that may be further off than this is only a guess.
const SURE: u16 = ratings::PROVISIONAL as u16;

/// The window, in points, once the longer-waiting of two has waited so long; without one they may be
/// any number apart.
pub const fn window(waited: Millis) -> Option<i32> {
    if waited >= ANYBODY_AFTER_MS {
        return None;
    }
    Some(WINDOW + WIDER_EACH_S * (waited / 1_000) as i32)
}

impl Age {
    /// How long it has waited.
    pub fn waited(self, now: Stamp) -> Millis {
        now - self.since
    }
}

impl Rating {
    /// Of whom nothing is known.
    pub const UNKNOWN: Rating = Rating { points: 1500, deviation: 350 };

    /// Whether it is only a guess.
    pub const fn is_provisional(self) -> bool {
        self.deviation > SURE
    }
}

impl From<ratings::Rating> for Rating {
    fn from(rating: ratings::Rating) -> Rating {
        // Both are in the thousands at most; a cast beyond that would stop at the bounds.
        Rating { points: rating.value.round() as i32, deviation: rating.deviation.round() as u16 }
    }
}

impl Range {
    /// Whether a rating is in it.
    pub const fn has(self, rating: Rating) -> bool {
        self.min <= rating.points && rating.points <= self.max
    }
}

impl Wish {
    /// Whether it is the same wish of the same player.
    pub fn is_same(&self, other: &Wish) -> bool {
        self.player.id == other.player.id
            && self.terms == other.terms
            && self.range == other.range
            && self.pool == other.pool
    }

    fn wants(&self, other: &Wish) -> bool {
        self.range.is_none_or(|range| range.has(other.rating))
    }

    /// Whether these two may play each other: two people, each in the other's range, and neither
    /// has blocked the other.
    pub fn fits(&self, other: &Wish, blocked: &Blocked<'_>) -> bool {
        let [one, two] = [self.player.id, other.player.id];
        one != two
            && self.owner != other.owner
            && self.wants(other)
            && other.wants(self)
            && !blocked(one, two)
            && !blocked(two, one)
    }

    /// How far apart they are, in points.
    pub const fn gap(&self, other: &Wish) -> i32 {
        (self.rating.points - other.rating.points).abs()
    }
}

/// Whether the first player has blocked the second, or those who stand behind them.
pub type Blocked<'a> = dyn Fn(PlayerId, PlayerId) -> bool + 'a;

impl Seek {
    /// Whether it is listed, for anybody to answer.
    pub const fn is_public(&self) -> bool {
        self.wish.pool.is_none() && !self.answers
    }

    /// Whether the window is wide enough for these two by now.
    pub fn accepts(&self, other: &Seek, now: Stamp) -> bool {
        let unsure = self.wish.rating.is_provisional() || other.wish.rating.is_provisional();
        let more = if unsure { WINDOW_MORE } else { 0 };
        let window = window(self.age.min(other.age).waited(now));
        window.is_none_or(|window| self.wish.gap(&other.wish) <= window + more)
    }
}
