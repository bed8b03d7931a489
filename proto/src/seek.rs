//! Seeks: wishes for a game against somebody who wishes for the same.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::options::{Options, OptionsRequest};
use crate::parts::Player;

/// Wishes for a game, in one of three ways: by the name of a pool, in answer to a listed seek, or
/// by options of one's own.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Seek {
    /// What is to be played by, where neither a pool nor a seek says so.
    #[serde(default)]
    pub options: OptionsRequest,
    /// The pool, by its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    /// `sek_…`: the listed seek that is answered. It is with this opponent or with nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Whether the game is to count for ratings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// The ratings that an opponent may have; any without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<WantedRange>,
}

/// Which ratings an opponent may have: from `min` to `max`; or from so much `below` one's own rating,
/// as it is by then, to so much `above` it. Both of the one pair and nothing of the other; unknown
/// fields are refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WantedRange {
    /// The lowest, from 0 to 4000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 4000))]
    pub min: Option<u64>,
    /// The highest, from `min` to 4000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 4000))]
    pub max: Option<u64>,
    /// How far under one's own, from 0 to 4000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 4000))]
    pub below: Option<u64>,
    /// How far over one's own, from 0 to 4000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 4000))]
    pub above: Option<u64>,
}

impl WantedRange {
    /// From one rating to another.
    pub const fn between(min: u64, max: u64) -> WantedRange {
        WantedRange { min: Some(min), max: Some(max), below: None, above: None }
    }

    /// So far around one's own rating.
    pub const fn around(below: u64, above: u64) -> WantedRange {
        WantedRange { min: None, max: None, below: Some(below), above: Some(above) }
    }
}

/// Ratings from `min` to `max`, both included. Unknown fields are refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RatingRange {
    /// The lowest, from 0 to 4000.
    #[schemars(range(min = 0, max = 4000))]
    pub min: u64,
    /// The highest, from `min` to 4000.
    #[schemars(range(min = 0, max = 4000))]
    pub max: u64,
}

/// Names a seek, and nothing else.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Unseek {
    /// `sek_…`.
    pub seek: String,
}

/// Says that one is there for a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Ready {
    /// `mat_…`, as `ready_check` told it.
    #[serde(rename = "match")]
    pub name: String,
}

/// A pool: one of the few things that those play who only want to play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Pool {
    /// Its name, for `seek`.
    pub pool: String,
    /// What is played in it.
    pub options: Options,
    /// Whether its games are never rated: `seek` does not take `rated` with it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unrated: bool,
}

/// A seek that anybody may answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListedSeek {
    /// `sek_…`.
    pub seek: String,
    /// Whose it is.
    pub player: Player,
    /// Their rating in what they want to play, in points.
    pub rating: i32,
    /// Whether that is only a guess.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub provisional: bool,
    /// What is to be played by.
    pub options: Options,
    /// Whether the game is to count for ratings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// The ratings that an opponent may have; any without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<RatingRange>,
    /// Since when it waits, in milliseconds since the Unix epoch.
    pub since_ms: u64,
}

/// A seek of one's own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct OwnSeek {
    /// `sek_…`.
    pub seek: String,
    /// The pool that it was made in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    /// What is to be played by.
    pub options: Options,
    /// Whether the game is to count for ratings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// The ratings that an opponent may have; any without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<RatingRange>,
    /// For how long it has waited, in milliseconds.
    pub waited_ms: u64,
}

/// A match for which one has to say that one is there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ReadyCheck {
    /// `mat_…`, for `ready`.
    #[serde(rename = "match")]
    pub name: String,
    /// `sek_…`: one's own seek that is matched.
    pub seek: String,
    /// How long there is, in milliseconds.
    pub left_ms: u64,
    /// Whether one has said so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ready: bool,
}

/// Why a seek ended without a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeekEnd {
    /// One withdrew it.
    Withdrawn,
    /// One did not say in time that one is there.
    NotReady,
    /// One was gone for too long.
    Gone,
    /// One sits at as many tables as one may.
    TooManyTables,
    /// It answered another's seek, and that match came to nothing; or there was a fault in the lobby.
    Unmatched,
    /// One left rated games again and again, and is not matched for a while.
    Barred,
}
