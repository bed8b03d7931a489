//! Ratings, worked out anew from the results in the order in which they were written.
//!
//! Holds how every rated player stands, as of the result that it has come to. In a class where
//! something differs nothing more is said: all that follows would differ too.

use std::collections::{BTreeMap, HashSet};

use super::report::{Check, Finding, Report};
use crate::accounts::ratings::{Class, Rating, Standing, rate};
use crate::game::Seat;
use crate::game::clock::Stamp;
use crate::ids::PlayerId;
use crate::store::{Counted, KeptStanding, RatingChange, ReadError, Store};

/// How many results are read at a time.
const AT_ONCE: u32 = 500;

/// How far two numbers may be apart that are the same: another build of the program may round
/// otherwise.
const ROUNDING: f64 = 0.000_001;

/// Checks every change of a rating, and how everybody stands after all of them.
pub(super) async fn check(store: &Store, report: &mut Report) -> Result<(), ReadError> {
    let checked = check_all(store, report).await;
    match checked {
        Err(ReadError::Database(error)) => {
            report.add(None, None, Finding::new(Check::Ratings, "rows that can be read", error));
            Ok(())
        }
        checked => checked,
    }
}

async fn check_all(store: &Store, report: &mut Report) -> Result<(), ReadError> {
    let mut history = History::default();
    let mut after = 0;
    loop {
        let results = store.counted_after(after, AT_ONCE).await?;
        for counted in &results {
            report.counts.rated += 1;
            if let Err(finding) = history.follow(counted) {
                report.add(None, None, finding);
            }
        }
        match results.last() {
            Some(last) => after = last.place,
            None => break,
        }
    }
    for finding in history.compare(store.standings().await?) {
        report.add(None, None, finding);
    }
    Ok(())
}

/// How everybody stands, by the results so far. Pure.
#[derive(Default)]
struct History {
    standings: BTreeMap<(Class, PlayerId), Standing>,
    /// Where something has differed.
    damaged: HashSet<Class>,
    /// When the latest of the results ended.
    latest: Stamp,
}

impl History {
    /// One more result: its changes are a pair, and what it has to make of how both stand.
    fn follow(&mut self, counted: &Counted) -> Result<(), Finding> {
        self.latest = self.latest.max(counted.finished);
        let pair = pair(counted)?;
        let (class, at) = (pair[0].class, counted.finished);
        if self.damaged.contains(&class) {
            return Ok(());
        }
        let standing = |change: &RatingChange| {
            self.standings.get(&(class, change.player)).copied().unwrap_or_default()
        };
        let before = pair.map(standing);
        let after = rate(before, pair[0].score, at);
        for seat in Seat::BOTH {
            let change = pair[seat.index()];
            let (was, is) = (before[seat.index()].rating_at(at), after[seat.index()].rating);
            for (when, expected, found) in
                [("before", was, change.before), ("after", is, change.after)]
            {
                if !is_same(expected, found) {
                    self.damaged.insert(class);
                    let (game, player) = (counted.game, change.player);
                    let place = format!("{class}, {game}: the rating of {player} {when} it to be");
                    let expected = format!("{place} {}", text(expected));
                    return Err(Finding::new(Check::Ratings, expected, text(found)));
                }
            }
        }
        for (change, standing) in pair.into_iter().zip(after) {
            self.standings.insert((class, change.player), standing);
        }
        Ok(())
    }

    /// What is stored of how everybody stands, against what follows from the results: the first
    /// difference in each class.
    fn compare(mut self, stored: Vec<KeptStanding>) -> Vec<Finding> {
        let mut findings = Vec::new();
        for kept in stored {
            let KeptStanding { player, class, standing: found, .. } = kept;
            let expected = self.standings.remove(&(class, player));
            let is_same = expected.is_some_and(|expected| {
                let Standing { rating, wins, losses, draws, updated } = expected;
                is_same(rating, found.rating)
                    && (wins, losses, draws, updated)
                        == (found.wins, found.losses, found.draws, found.updated)
            });
            let (what, expected, found) = if !is_same {
                let expected = expected.map_or("none".to_owned(), |it| standing_text(&it));
                ("standing", expected, standing_text(&found))
            } else if let Err(place) = check_place(&kept, self.latest) {
                place
            } else {
                continue;
            };
            if self.damaged.insert(class) {
                let expected = format!("{class}: the {what} of {player} to be {expected}");
                findings.push(Finding::new(Check::Ratings, expected, found));
            }
        }
        for ((class, player), expected) in self.standings {
            if self.damaged.insert(class) {
                let expected = standing_text(&expected);
                let expected = format!("{class}: the standing of {player} to be {expected}");
                findings.push(Finding::new(Check::Ratings, expected, "none"));
            }
        }
        findings
    }
}

/// What a leaderboard goes by, against the standing that it follows from. A place that was lost by
/// the time of some result may have been taken out with it.
fn check_place(kept: &KeptStanding, latest: Stamp) -> Result<(), (&'static str, String, String)> {
    let KeptStanding { standing, shown, placed_until, .. } = kept;
    if *shown != standing.rating.shown() {
        let right = standing.rating.shown().to_string();
        return Err(("rating shown", right, shown.to_string()));
    }
    let right = standing.placed_until();
    let was_swept = placed_until.is_none() && right.is_some_and(|until| until < latest);
    if *placed_until != right && !was_swept {
        let text =
            |until: Option<Stamp>| until.map_or("never".to_owned(), |at| format!("{} ms", at.0));
        return Err(("end of the place on the leaderboard", text(right), text(*placed_until)));
    }
    Ok(())
}

/// Both changes of a result, seat 1 first, if they tell of one game.
fn pair(counted: &Counted) -> Result<[&RatingChange; 2], Finding> {
    let Counted { game, finished, changes, .. } = counted;
    let [one, two] = changes.as_slice() else {
        let expected = format!("{game}: a change for each of its two players");
        return Err(Finding::new(Check::Ratings, expected, changes.len()));
    };
    let facts = |it: &RatingChange| (it.seat, it.player, it.opponent, it.class, it.score, it.at);
    let expected = (Seat::Two, one.opponent, one.player, one.class, one.score.other(), *finished);
    let is_first = one.seat == Seat::One && one.at == *finished && one.player != one.opponent;
    if is_first && facts(two) == expected {
        return Ok([one, two]);
    }
    let expected = format!("{game}: changes that tell of one game which ended at {finished:?}");
    let found = format!("{:?} and {:?}", facts(one), facts(two));
    Err(Finding::new(Check::Ratings, expected, found))
}

fn is_same(one: Rating, other: Rating) -> bool {
    let near = |one: f64, other: f64| (one - other).abs() <= ROUNDING;
    near(one.value, other.value)
        && near(one.deviation, other.deviation)
        && near(one.volatility, other.volatility)
}

fn text(rating: Rating) -> String {
    let Rating { value, deviation, volatility } = rating;
    format!("{value:.6} ± {deviation:.6}, volatility {volatility:.6}")
}

fn standing_text(standing: &Standing) -> String {
    let Standing { rating, wins, losses, draws, updated } = standing;
    let updated = updated.unwrap_or_default().0;
    format!("{}, {wins}-{losses}-{draws} as of {updated} ms", text(*rating))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::ratings::{RatedGame, Speed};

    #[test]
    fn a_place_is_gone_only_when_its_time_was_over_by_some_result() {
        let class = Class { game: RatedGame::Hex, speed: Speed::Rapid };
        let rating = Rating { deviation: 60.0, ..Rating::default() };
        let standing = Standing { rating, updated: Some(Stamp(1_000)), ..Standing::default() };
        let until = standing.placed_until().unwrap();
        let (player, shown) = (PlayerId::from_parts(1, 1), 1500);
        let kept = KeptStanding { player, class, standing, shown, placed_until: Some(until) };
        let gone = KeptStanding { placed_until: None, ..kept };
        assert_eq!(check_place(&kept, Stamp(0)), Ok(()));
        assert_eq!(check_place(&gone, until + 1), Ok(()));
        assert!(check_place(&gone, until).is_err(), "nobody could have taken it out");
        let longer = KeptStanding { placed_until: Some(until + 1), ..kept };
        assert!(check_place(&longer, until + 1).is_err());
    }
}
