//! Ratings: what a rated game makes of its two players' ratings. Pure.
//!
//! The system is Glicko-2, as in Mark E. Glickman, "Example of the Glicko-2 system" (Boston
//! University, 2022, <http://www.glicko.net/glicko/glicko2.pdf>), computed by `skillratings`. A
//! rating is a number, how sure it is (its deviation), and how steady its player's results are (its
//! volatility). Each is of one game at one speed: see [`Class`].
//!
//! Decisions that the paper leaves open:
//! - **A game is a rating period**, as on servers that show a rating at once: both players are rated
//!   against what the other's rating was before the game. Each game therefore also adds one period's
//!   uncertainty, which keeps the deviation of an active player at about 60.
//! - **Time away** adds uncertainty, too: one period's for each [`PERIOD_MS`], counted in fractions
//!   and never beyond the deviation of somebody new. A settled player (60) is provisional again
//!   after a year without a game.
//! - **τ is 0.5**, in the middle of what the paper recommends.
//! - **Provisional** is a rating whose deviation is above [`PROVISIONAL`]: for most, their first
//!   dozen games. Provisional ratings are marked, and are on no leaderboard.
//! - A draw counts half. A game without a result counts not at all.

mod class;
#[cfg(test)]
mod tests;

pub use class::{Class, NotAClass, RatedGame, Speed};

use skillratings::Outcomes;
use skillratings::glicko2::{self, Glicko2Config, Glicko2Rating};

use crate::game::clock::{Millis, Stamp};

/// The deviation above which a rating is provisional.
pub const PROVISIONAL: f64 = 110.0;

/// The rating period that time away is counted in: 112 hours.
pub const PERIOD_MS: Millis = 112 * 3_600_000;

/// How long a player may be without a game of a class and stay on its leaderboard: 45 days.
pub const ACTIVE_MS: Millis = 45 * 24 * 3_600_000;

/// How much a deviation's square grows by in a millisecond for each unit of the volatility's square.
/// 173.7178 is what the paper divides ratings by.
const GROWTH: f64 = 173.7178 * 173.7178 / PERIOD_MS as f64;

/// The deviation of somebody new, which no time away exceeds.
const MOST_DEVIATION: f64 = 350.0;

const CONFIG: Glicko2Config = Glicko2Config { tau: 0.5, convergence_tolerance: 0.000_001 };

/// How good somebody is thought to be, and how sure that is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// The number itself, around 1500.
    pub value: f64,
    /// Its standard deviation: the player is nearly always within two of it.
    pub deviation: f64,
    /// How much the player's strength is expected to change.
    pub volatility: f64,
}

/// What a game came to for one of its players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    /// A win.
    Won,
    /// A loss.
    Lost,
    /// Neither.
    Drawn,
}

/// How a player stands in one class.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Standing {
    /// The rating after the last game.
    pub rating: Rating,
    /// Games won.
    pub wins: u32,
    /// Games lost.
    pub losses: u32,
    /// Games drawn.
    pub draws: u32,
    /// When the last game ended; never, for somebody new.
    pub updated: Option<Stamp>,
}

impl Default for Rating {
    /// The rating of somebody new.
    fn default() -> Rating {
        Rating { value: 1500.0, deviation: MOST_DEVIATION, volatility: 0.06 }
    }
}

impl Rating {
    /// The rating after that much time without a game.
    #[must_use]
    pub fn after(self, away_ms: Millis) -> Rating {
        let periods = away_ms as f64 / PERIOD_MS as f64;
        // The library lets one period pass; so many add as much as one of a volatility so much higher.
        let volatility = self.volatility * periods.sqrt();
        let aged = glicko2::decay_deviation(&Glicko2Rating { volatility, ..self.glicko() });
        Rating { deviation: aged.deviation, ..self }
    }

    /// Whether so little is known that the rating is only a first guess.
    pub fn is_provisional(self) -> bool {
        self.deviation > PROVISIONAL
    }

    /// The number as it is shown.
    pub fn shown(self) -> i64 {
        self.value.round() as i64
    }

    fn glicko(self) -> Glicko2Rating {
        let Rating { value, deviation, volatility } = self;
        Glicko2Rating { rating: value, deviation, volatility }
    }

    fn of(glicko: Glicko2Rating) -> Rating {
        let Glicko2Rating { rating, deviation, volatility } = glicko;
        Rating { value: rating, deviation: deviation.min(MOST_DEVIATION), volatility }
    }
}

impl Score {
    /// What the same game came to for the other player.
    #[must_use]
    pub const fn other(self) -> Score {
        match self {
            Score::Won => Score::Lost,
            Score::Lost => Score::Won,
            Score::Drawn => Score::Drawn,
        }
    }

    /// The word for it, as it is stored and told.
    pub const fn word(self) -> &'static str {
        match self {
            Score::Won => "won",
            Score::Lost => "lost",
            Score::Drawn => "drawn",
        }
    }

    /// Reads [`Score::word`].
    pub fn from_word(word: &str) -> Option<Score> {
        [Score::Won, Score::Lost, Score::Drawn].into_iter().find(|score| score.word() == word)
    }

    const fn outcome(self) -> Outcomes {
        match self {
            Score::Won => Outcomes::WIN,
            Score::Lost => Outcomes::LOSS,
            Score::Drawn => Outcomes::DRAW,
        }
    }
}

impl Default for Standing {
    /// How somebody stands who has not played.
    fn default() -> Standing {
        Standing { rating: Rating::default(), wins: 0, losses: 0, draws: 0, updated: None }
    }
}

impl Standing {
    /// How many games have counted.
    pub const fn games(&self) -> u32 {
        self.wins + self.losses + self.draws
    }

    /// The rating as it is at an instant: the less sure the longer ago the last game is.
    pub fn rating_at(&self, now: Stamp) -> Rating {
        self.rating.after(self.updated.map_or(0, |updated| now - updated))
    }

    /// Until when the player is on the leaderboard, doing nothing: for as long as the rating has
    /// settled, and the last game is not long ago. Never, where it is provisional at once.
    pub fn placed_until(&self) -> Option<Stamp> {
        let updated = self.updated.filter(|_| !self.rating.is_provisional())?;
        let Rating { deviation, volatility, .. } = self.rating;
        let room = PROVISIONAL * PROVISIONAL - deviation * deviation;
        // A float becomes the nearest whole number that there is, so one without end does no harm.
        let settled_ms = (room / (volatility * volatility * GROWTH)) as Millis;
        Some(updated + settled_ms.min(ACTIVE_MS))
    }

    fn with(mut self, rating: Rating, score: Score, at: Stamp) -> Standing {
        match score {
            Score::Won => self.wins += 1,
            Score::Lost => self.losses += 1,
            Score::Drawn => self.draws += 1,
        }
        // Two games may end out of order by a little; time away does not count twice for that.
        let updated = self.updated.map_or(at, |updated| updated.max(at));
        Standing { rating, updated: Some(updated), ..self }
    }
}

/// How both players stand after a game that came to `score` for the first of them and ended at `at`.
pub fn rate([one, two]: [Standing; 2], score: Score, at: Stamp) -> [Standing; 2] {
    let before = [one.rating_at(at).glicko(), two.rating_at(at).glicko()];
    let (first, second) = glicko2::glicko2(&before[0], &before[1], &score.outcome(), &CONFIG);
    [one.with(Rating::of(first), score, at), two.with(Rating::of(second), score.other(), at)]
}
