use proptest::prelude::*;

use super::*;
use crate::cpu::seen::{Attempt, Dark};
use crate::game::clock::{Clock, Stamp};
use crate::game::{Cell, Color, Seat, Size};

const MOST_MS: Millis = 5_000;
const LATENCY_MS: Millis = 200;

fn outlook(turns: u64) -> Outlook {
    Outlook { turns, tries: 0, tries_now: 0, way_ms: LATENCY_MS }
}

fn reading(left_ms: Millis) -> Reading {
    Reading { left_ms: Some(left_ms), periods: 0, first_move_ms: None }
}

fn control(control: Control) -> TimeControl {
    TimeControl::new(control, None).unwrap()
}

fn fischer(initial_ms: Millis, increment_ms: Millis) -> TimeControl {
    control(Control::Fischer { initial_ms, increment_ms, cap_ms: None })
}

#[test]
fn without_a_clock_the_longest_thinking_is_allowed() {
    let none = control(Control::None);
    let reading = Reading { left_ms: None, periods: 0, first_move_ms: None };
    let budget = Budget::of(&none, reading, outlook(61), MOST_MS);
    assert_eq!(budget, Budget { think_ms: MOST_MS, within_ms: None });
}

#[test]
fn a_game_s_time_is_shared_among_its_turns() {
    let bullet = Budget::of(&fischer(60_000, 0), reading(60_000), outlook(61), MOST_MS);
    assert!((1_000..4_000).contains(&bullet.think_ms), "{bullet:?}");
    let late = Budget::of(&fischer(60_000, 0), reading(9_000), outlook(40), MOST_MS);
    assert!((20..200).contains(&late.think_ms), "{late:?}");
    let increment = Budget::of(&fischer(60_000, 3_000), reading(3_000), outlook(40), MOST_MS);
    assert!((1_500..2_800).contains(&increment.think_ms), "{increment:?}");
}

#[test]
fn hardly_any_time_means_a_move_at_once() {
    let budget = Budget::of(&fischer(60_000, 0), reading(150), outlook(40), MOST_MS);
    assert_eq!(budget, Budget { think_ms: 0, within_ms: Some(0) });
    let period = control(Control::ByoYomi { initial_ms: 0, period_ms: 10_000, periods: 3 });
    let last_moment = Reading { left_ms: Some(100), periods: 1, first_move_ms: None };
    let budget = Budget::of(&period, last_moment, outlook(40), MOST_MS);
    assert_eq!(budget.think_ms, 0);
}

#[test]
fn each_turn_s_own_limit_is_used_up_to_a_margin() {
    let turn = control(Control::PerTurn { turn_ms: 3_000 });
    let budget = Budget::of(&turn, reading(3_000), outlook(61), MOST_MS);
    assert_eq!(budget.think_ms, 3_000 - LATENCY_MS - 1);
    let tries = Outlook { turns: 61, tries: 20, tries_now: 4, way_ms: LATENCY_MS };
    let dark = Budget::of(&turn, reading(3_000), tries, MOST_MS);
    assert!(dark.think_ms < 1_000, "time is left for tries in the same turn: {dark:?}");
}

#[test]
fn the_limit_of_the_first_move_counts_too() {
    let limited = TimeControl::new(
        Control::Fischer { initial_ms: 600_000, increment_ms: 0, cap_ms: None },
        Some(1_000),
    );
    let reading = Reading { left_ms: Some(600_000), periods: 0, first_move_ms: Some(1_000) };
    let budget = Budget::of(&limited.unwrap(), reading, outlook(61), MOST_MS);
    assert_eq!(budget.think_ms, 1_000 - LATENCY_MS - 1);
}

#[test]
fn the_longest_game_counts_hidden_stones() {
    let dark = |collision| Seen {
        size: Size::new(3, 3).unwrap(),
        goal: crate::game::Goal::Join,
        color: Color::Red,
        stones: vec![(Cell::new(0, 0), Color::Red)],
        may_swap: None,
        may_be_swapped: None,
        dark: Some(Dark {
            collision,
            attempts: vec![
                Attempt::Own { cell: Cell::new(0, 0), collided: false },
                Attempt::Theirs { collided: false },
            ],
        }),
    };
    let classical = Outlook::of(&dark(Collision::Classical));
    let way_ms = WAY_MS + 9 * WAY_MS_A_CELL;
    assert_eq!(classical, Outlook { turns: 4, tries: 5, tries_now: 1, way_ms });
    let abrupt = Outlook::of(&dark(Collision::Abrupt));
    assert_eq!(abrupt, Outlook { turns: 9, tries: 0, tries_now: 0, way_ms });
    let open = Seen { dark: None, ..dark(Collision::Classical) };
    assert_eq!(Outlook::of(&open), Outlook { turns: 5, tries: 0, tries_now: 0, way_ms });
}

/// Time controls under which a game of `searches` searches can be played at all, with
/// [`LATENCY_MS`] lost on the way of each.
fn playable(searches: u64) -> impl Strategy<Value = TimeControl> {
    let ways_ms = (searches + 1) * LATENCY_MS;
    let turn_ms = 1_000.max(ways_ms)..=120_000_u64.max(ways_ms + 1_000);
    let game = prop_oneof![
        (1..600_000_u64, 0..10_000_u64, proptest::option::of(0..60_000_u64)).prop_map(
            move |(more_ms, increment_ms, cap_ms)| {
                let initial_ms = ways_ms + more_ms;
                let cap_ms = cap_ms.map(|more_ms| initial_ms + more_ms);
                Control::Fischer { initial_ms, increment_ms, cap_ms }
            }
        ),
        turn_ms.clone().prop_map(|turn_ms| Control::PerTurn { turn_ms }),
        (0..600_000_u64, turn_ms, 1..=20_u8).prop_map(|(initial_ms, period_ms, periods)| {
            Control::ByoYomi { initial_ms, period_ms, periods }
        }),
    ];
    let first_ms = proptest::option::of(1_000.max(ways_ms)..=3_000_u64.max(ways_ms));
    (game, first_ms)
        .prop_filter_map("out of range", |(game, first_ms)| TimeControl::new(game, first_ms).ok())
}

proptest! {
    /// Every search uses its whole budget and every way is as long as it may be: a seat never runs
    /// out of time, up to the last move of the longest game.
    #[test]
    fn a_seat_never_loses_on_time_however_long_the_game(
        (turns, time_control) in (1..190_u64).prop_flat_map(|turns| {
            (Just(turns), playable(turns))
        }),
        ways in proptest::collection::vec(0..=LATENCY_MS, 190),
        worst in any::<bool>(),
    ) {
        let mut clock = Clock::new(time_control);
        let mut now = Stamp(1);
        for (turn, way_ms) in (0..turns).zip(ways) {
            clock.start_turn(Seat::One, now);
            let reading = clock.reading(Seat::One, now);
            let budget = Budget::of(&time_control, reading, outlook(turns - turn), MOST_MS);
            let within_ms = budget.within_ms.unwrap();
            prop_assert!((budget.think_ms..=2 * budget.think_ms).contains(&within_ms));
            now = now + within_ms + if worst { LATENCY_MS } else { way_ms };
            prop_assert!(clock.flagged(now).is_none(), "turn {turn}: {reading:?} {budget:?}");
            clock.complete_turn(Seat::One, now);
        }
    }

    /// The same where tries at hidden stones keep a turn, as many as there can be.
    #[test]
    fn a_seat_never_loses_on_time_over_collisions(
        (turns, time_control) in (1..60_u64).prop_flat_map(|turns| {
            (Just(turns), playable(3 * turns))
        }),
        collides in proptest::collection::vec(any::<bool>(), 200),
    ) {
        let mut clock = Clock::new(time_control);
        let mut now = Stamp(1);
        // Stones of the other seat that are there, and those that will come.
        let (mut hidden, mut to_come) = (1, turns);
        let mut left = turns;
        let mut draws = collides.into_iter().chain(std::iter::repeat(false));
        clock.start_turn(Seat::One, now);
        while left > 0 {
            let reading = clock.reading(Seat::One, now);
            let outlook = Outlook { turns: left, tries: hidden + to_come, tries_now: hidden, way_ms: LATENCY_MS };
            let budget = Budget::of(&time_control, reading, outlook, MOST_MS);
            now = now + budget.within_ms.unwrap() + LATENCY_MS;
            prop_assert!(clock.flagged(now).is_none(), "{left} left: {reading:?} {budget:?}");
            if hidden > 0 && draws.next() == Some(true) {
                hidden -= 1;
                clock.keep_turn(Seat::One, now);
            } else {
                left -= 1;
                hidden += 1;
                to_come -= 1;
                clock.complete_turn(Seat::One, now);
            }
            clock.start_turn(Seat::One, now);
        }
    }
}
