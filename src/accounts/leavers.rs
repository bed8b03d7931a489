//! For how long somebody who leaves rated games again and again is not matched. Pure.
//!
//! Each game that was left counts for one step, and each whole day without takes one step back.
//! The first step costs nothing: connections break. Invariant: the answer follows from the games
//! that were left and nothing else, so that it is the same after a restart.

use crate::game::clock::{Millis, Stamp};

const MINUTE_MS: Millis = 60_000;
const DAY_MS: Millis = 24 * 60 * MINUTE_MS;

/// What each step after the first costs; the last goes for all that follow.
const WAITS_MS: [Millis; 5] =
    [5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS, 240 * MINUTE_MS, DAY_MS];

/// For how long a game that was left can matter: until the last step has been taken back.
pub const REMEMBERED_MS: Millis = (WAITS_MS.len() as Millis + 2) * DAY_MS;

/// How many of the games that were left last are looked at: more than enough, since six in a row
/// cost as much as any number.
pub const LOOKED_AT: u32 = 64;

/// Until when whoever left rated games then, in order, is not matched; none where that has no price.
pub fn barred_until(left: &[Stamp]) -> Option<Stamp> {
    let mut until = None;
    let (mut step, mut last) = (0_usize, None);
    for &at in left {
        let days = last.map_or(0, |last| (at - last) / DAY_MS);
        step = step.saturating_sub(usize::try_from(days).unwrap_or(usize::MAX));
        step = (step + 1).min(WAITS_MS.len() + 1);
        last = Some(at);
        if let Some(wait) = step.checked_sub(2).and_then(|nth| WAITS_MS.get(nth)) {
            // Later than before: within a day the price does not fall, and after one the wait is over.
            until = Some(at + *wait);
        }
    }
    until
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HOUR_MS: Millis = 60 * MINUTE_MS;

    /// For how long, in minutes, the last of games that were left this many hours apart bars.
    fn minutes(hours: &[Millis]) -> Option<Millis> {
        let mut at = Stamp(1_000);
        let mut left = vec![at];
        for apart in hours {
            at = at + apart * HOUR_MS;
            left.push(at);
        }
        let until = barred_until(&left).filter(|until| *until > at);
        until.map(|until| (until - at) / MINUTE_MS)
    }

    #[test]
    fn nobody_waits_for_one_game_and_each_more_of_a_day_costs_more() {
        assert_eq!(barred_until(&[]), None);
        assert_eq!(minutes(&[]), None);
        for (more, expected) in [(1, 5), (2, 15), (3, 60), (4, 240), (5, 1_440), (9, 1_440)] {
            assert_eq!(minutes(&vec![1; more]), Some(expected), "{more} more");
        }
    }

    #[test]
    fn each_day_without_takes_a_step_back() {
        assert_eq!(minutes(&[24]), None, "as if it were the first");
        assert_eq!(minutes(&[23]), Some(5));
        assert_eq!(minutes(&[1, 1, 24]), Some(15));
        assert_eq!(minutes(&[1, 1, 1, 48]), Some(15));
        assert_eq!(minutes(&[1, 1, 1, 1, 1, 1, 1, 1, 24 * 6]), None, "the price grows no further");
    }

    #[test]
    fn what_is_remembered_longer_says_nothing_else() {
        let worst: Vec<Stamp> = (0..u64::from(LOOKED_AT)).map(Stamp).collect();
        let next = Stamp(REMEMBERED_MS);
        let all: Vec<Stamp> = worst.into_iter().chain([next]).collect();
        assert!(barred_until(&all) < Some(next), "{:?}", barred_until(&all));
    }

    proptest! {
        #[test]
        fn no_wait_is_cut_short_by_a_later_game(
            hours in prop::collection::vec(0..60_u64, 1..20),
        ) {
            let left: Vec<Stamp> = hours
                .iter()
                .scan(Stamp(1_000), |at, hours| {
                    *at = *at + hours * HOUR_MS;
                    Some(*at)
                })
                .collect();
            let until = (1..=left.len()).map(|games| barred_until(&left[..games]));
            prop_assert!(until.is_sorted(), "{:?}", left);
        }
    }
}
