//! Seeks and matches in the protocol's words.

use std::sync::LazyLock;

use hexhall_proto::error::{Code, ErrorBody};
use hexhall_proto::seek::{
    ListedSeek, OwnSeek, Pool, RatingRange, ReadyCheck, SeekEnd, WantedRange,
};

use crate::accounts::minutes;
use crate::game::clock::{Millis, Stamp};
use crate::table::handle::RETRY_MS;
use crate::table::options::Options;
use crate::wire;

use super::pairing::pools;
use super::pairing::reserve::Check;
use super::pairing::seek::{Range, Rating, Seek};
use super::pairing::{NoSeek, Why};

/// The highest rating that a range may name.
const HIGHEST: i32 = 4_000;

/// Every pool, as all who follow the list are told of it.
pub static POOLS: LazyLock<Vec<Pool>> = LazyLock::new(|| {
    let told = |pool: pools::Pool| {
        let options = wire::options(&Options::resolve(&pool.options).ok()?);
        Some(Pool { pool: pool.name.to_owned(), options, unrated: !pool.may_be_rated })
    };
    pools::all().into_iter().filter_map(told).collect()
});

/// A seek as everybody sees it.
pub fn listed(seek: &Seek) -> ListedSeek {
    let Seek { id, age, wish, .. } = seek;
    ListedSeek {
        seek: id.to_string(),
        player: wire::player(&wish.player),
        rating: wish.rating.points,
        provisional: wish.rating.is_provisional(),
        options: wire::options(&wish.terms),
        rated: wish.terms.is_rated(),
        range: wish.range.map(range),
        since_ms: age.since.0,
    }
}

/// A seek as its player sees it.
pub fn own(seek: &Seek, now: Stamp) -> OwnSeek {
    let Seek { id, age, wish, .. } = seek;
    OwnSeek {
        seek: id.to_string(),
        pool: wish.pool.map(str::to_owned),
        options: wire::options(&wish.terms),
        rated: wish.terms.is_rated(),
        range: wish.range.map(range),
        waited_ms: age.waited(now),
    }
}

/// A check as its player sees it.
pub fn check(Check { id, seek, until, ready }: Check, now: Stamp) -> ReadyCheck {
    ReadyCheck { name: id.to_string(), seek: seek.to_string(), left_ms: until - now, ready }
}

fn range(Range { min, max }: Range) -> RatingRange {
    let told = |points: i32| points.max(0).unsigned_abs().into();
    RatingRange { min: told(min), max: told(max) }
}

/// Which ratings somebody wants, whatever their own is.
#[derive(Clone, Copy, Debug)]
pub enum Near {
    /// These.
    Between(Range),
    /// From so far below their own to so far above it.
    Around {
        /// How far below, in points.
        below: i32,
        /// How far above, in points.
        above: i32,
    },
}

impl Near {
    /// The range, for somebody with that rating.
    pub fn of(self, Rating { points, .. }: Rating) -> Range {
        match self {
            Near::Between(range) => range,
            Near::Around { below, above } => {
                let near = |points: i32| points.clamp(0, HIGHEST);
                Range { min: near(points - below), max: near(points + above) }
            }
        }
    }
}

/// The range that was asked for.
///
/// # Errors
/// It is none, or reaches beyond every rating.
pub fn read_range(asked: WantedRange) -> Result<Near, ErrorBody> {
    let read = |points: u64| i32::try_from(points).ok().filter(|points| *points <= HIGHEST);
    let WantedRange { min, max, below, above } = asked;
    let points = [min, max, below, above].map(|points| points.and_then(read));
    let near = match (asked, points) {
        (WantedRange { below: None, above: None, .. }, [Some(min), Some(max), ..])
            if min <= max =>
        {
            Some(Near::Between(Range { min, max }))
        }
        (WantedRange { min: None, max: None, .. }, [.., Some(below), Some(above)]) => {
            Some(Near::Around { below, above })
        }
        _ => None,
    };
    near.ok_or_else(|| {
        ErrorBody::new(
            Code::BadRequest,
            format!(
                "`range` has `min` and `max`, the ratings from the lowest to the highest, or `below` \
                 and `above`, how far under and over your own; each is from 0 to {HIGHEST}, and `min` \
                 is not above `max`"
            ),
        )
    })
}

/// Two fields of a seek that both say what is to be played.
pub fn contradiction(one: &str, two: &str) -> ErrorBody {
    let message = format!("`{one}` says what is to be played: leave `{two}` out, or `{one}`");
    ErrorBody::new(Code::BadRequest, message)
}

/// Why a seek has ended.
pub const fn end(why: Why) -> SeekEnd {
    match why {
        Why::Withdrawn => SeekEnd::Withdrawn,
        Why::NotReady => SeekEnd::NotReady,
        Why::Gone => SeekEnd::Gone,
        Why::TooManyTables => SeekEnd::TooManyTables,
        Why::Unmatched => SeekEnd::Unmatched,
        Why::Barred => SeekEnd::Barred,
    }
}

/// Why somebody who left rated games again and again is not matched, for so long yet.
pub fn barred(wait: Millis) -> ErrorBody {
    let message = format!(
        "you have left rated games again and again, so nobody is matched with you for {}: finish \
         your games, or resign them",
        minutes(wait)
    );
    ErrorBody { retry_ms: Some(wait), ..ErrorBody::new(Code::Barred, message) }
}

/// Why there is no seek.
pub fn no_seek(error: NoSeek) -> ErrorBody {
    let code = match error {
        NoSeek::TooMany => Code::TooManySeeks,
        NoSeek::Full => Code::Busy,
        NoSeek::Unknown(_) => Code::UnknownSeek,
        NoSeek::Matched | NoSeek::NotForYou => Code::CannotSeek,
    };
    let retry_ms = (code == Code::Busy).then_some(RETRY_MS);
    ErrorBody { retry_ms, ..ErrorBody::new(code, error.to_string()) }
}
