//! What a rating is of: a game, and how fast it is played.

use std::fmt;
use std::str::FromStr;

use crate::game::Kind;
use crate::game::clock::{Control, Millis};

/// A game at a speed: what has a rating and a leaderboard of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Class {
    /// The game.
    pub game: RatedGame,
    /// How fast it is played.
    pub speed: Speed,
}

/// The games that have ratings. What a collision does to the turn makes no other game of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum RatedGame {
    /// Hex.
    Hex,
    /// Dark Hex.
    Dark,
}

/// How fast a game is played, by what a seat may be expected to take for all of it: its initial time
/// and 40 turns' increments, limits or periods.
///
/// The bounds are those that lichess.org draws for chess, by the same estimate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Speed {
    /// Less than 3 minutes.
    Bullet,
    /// From 3 to 8 minutes.
    Blitz,
    /// From 8 to 25 minutes: the usual 5 min + 5 s are 8 min 20 s.
    Rapid,
    /// 25 minutes and more.
    Classical,
    /// No clock.
    Untimed,
}

/// A word that names no game or no speed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotAClass {
    /// Not a game.
    #[error("`{0}` is no game that has ratings: `hex` and `dark` are")]
    Game(String),
    /// Not a speed.
    #[error("`{0}` is no speed: `bullet`, `blitz`, `rapid`, `classical` and `untimed` are")]
    Speed(String),
}

const BLITZ_MS: Millis = 3 * 60_000;
const RAPID_MS: Millis = 8 * 60_000;
const CLASSICAL_MS: Millis = 25 * 60_000;

impl Class {
    /// What a game of this kind under this time control counts for.
    pub const fn of(kind: Kind, control: Control) -> Class {
        let game = match kind {
            Kind::Hex => RatedGame::Hex,
            Kind::Dark(_) => RatedGame::Dark,
        };
        Class { game, speed: Speed::of(control) }
    }
}

impl RatedGame {
    /// Every game that has ratings.
    pub const ALL: [RatedGame; 2] = [RatedGame::Hex, RatedGame::Dark];

    /// Its word, as it is stored and told.
    pub const fn word(self) -> &'static str {
        match self {
            RatedGame::Hex => "hex",
            RatedGame::Dark => "dark",
        }
    }
}

impl Speed {
    /// Every speed, the fastest first.
    pub const ALL: [Speed; 5] =
        [Speed::Bullet, Speed::Blitz, Speed::Rapid, Speed::Classical, Speed::Untimed];

    /// How fast a game under this control is.
    pub const fn of(control: Control) -> Speed {
        match control.estimated_ms() {
            None => Speed::Untimed,
            Some(..BLITZ_MS) => Speed::Bullet,
            Some(..RAPID_MS) => Speed::Blitz,
            Some(..CLASSICAL_MS) => Speed::Rapid,
            Some(CLASSICAL_MS..) => Speed::Classical,
        }
    }

    /// Its word, as it is stored and told.
    pub const fn word(self) -> &'static str {
        match self {
            Speed::Bullet => "bullet",
            Speed::Blitz => "blitz",
            Speed::Rapid => "rapid",
            Speed::Classical => "classical",
            Speed::Untimed => "untimed",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.game, self.speed)
    }
}

impl fmt::Display for RatedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for RatedGame {
    type Err = NotAClass;

    fn from_str(text: &str) -> Result<RatedGame, NotAClass> {
        let named = RatedGame::ALL.into_iter().find(|game| game.word() == text);
        named.ok_or_else(|| NotAClass::Game(cut(text)))
    }
}

impl FromStr for Speed {
    type Err = NotAClass;

    fn from_str(text: &str) -> Result<Speed, NotAClass> {
        let named = Speed::ALL.into_iter().find(|speed| speed.word() == text);
        named.ok_or_else(|| NotAClass::Speed(cut(text)))
    }
}

/// As much of a text as a refusal repeats.
fn cut(text: &str) -> String {
    text.chars().take(40).collect()
}
