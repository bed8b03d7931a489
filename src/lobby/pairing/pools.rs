//! The pools: what people who only want to play choose from, few enough that each has somebody in
//! it.
//!
//! 11x11 is the size of most games of Hex, and its three speeds are what players of any board game
//! know: a quick game of ten minutes, a usual one, and one to think in. 14x14 is the next size that
//! many play. The party's pool has neither swap nor bank of time to explain; Dark Hex has one pool.
//! Every pool has a clock, so that a table to which nobody comes ends by itself.

use hexhall_proto::options::{OptionsRequest, Preset, Time};

/// A pool.
#[derive(Clone, PartialEq, Debug)]
pub struct Pool {
    /// Its name.
    pub name: &'static str,
    /// What is played in it.
    pub options: OptionsRequest,
    /// Whether its games may be rated. The party's may not: it would be another game, with the swap.
    pub may_be_rated: bool,
}

const fn fischer(initial_s: u32, increment_s: u32) -> Time {
    Time::Fischer { initial_s, increment_s, cap_s: None }
}

/// Every pool, in the order in which they are shown.
pub fn all() -> [Pool; 6] {
    let pool = |name, preset, size, time| Pool {
        name,
        options: OptionsRequest {
            preset: Some(preset),
            size: Some(size),
            time: Some(time),
            ..OptionsRequest::default()
        },
        may_be_rated: !matches!(preset, Preset::Party),
    };
    [
        pool("party-11", Preset::Party, 11, Time::PerTurn { seconds: 60 }),
        pool("hex-11-quick", Preset::Standard, 11, fischer(180, 2)),
        pool("hex-11", Preset::Standard, 11, fischer(300, 5)),
        pool("hex-11-slow", Preset::Standard, 11, fischer(600, 10)),
        pool("hex-14", Preset::Standard, 14, fischer(600, 10)),
        pool("dark-11", Preset::Dark, 11, fischer(300, 5)),
    ]
}

/// The pool of that name.
pub fn by_name(name: &str) -> Option<Pool> {
    all().into_iter().find(|pool| pool.name == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::game::clock::Control;
    use crate::table::options::Options;

    #[test]
    fn every_pool_is_played_by_options_of_its_own_that_hold_and_have_a_clock() {
        let mut names = BTreeSet::new();
        let mut seen: Vec<Options> = Vec::new();
        for pool in all() {
            let options = Options::resolve(&pool.options).unwrap();
            assert_ne!(options.time().control(), Control::None, "{}", pool.name);
            assert!(!seen.contains(&options), "{}", pool.name);
            assert!(names.insert(pool.name));
            assert_eq!(by_name(pool.name), Some(pool));
            seen.push(options);
        }
        assert_eq!(by_name("hex-12"), None);
    }

    #[test]
    fn a_pool_whose_games_may_be_rated_plays_the_same_game_rated_or_not() {
        for Pool { name, options, may_be_rated } in all() {
            let rated = OptionsRequest { rated: Some(true), ..options.clone() };
            let [casual, rated] = [options, rated].map(|asked| Options::resolve(&asked).unwrap());
            let same = casual.rules() == rated.rules() && casual.time() == rated.time();
            assert_eq!(same, may_be_rated, "{name}");
        }
    }
}
