//! Each rule at its exact millisecond. [`simulation`] then plays random games against a clock
//! that ticks.

mod simulation;

use super::*;
use Seat::{One, Two};

const MAIN: Control = Control::Fischer { initial_ms: 300_000, increment_ms: 5_000, cap_ms: None };
const TURNS: Control = Control::PerTurn { turn_ms: 30_000 };
const PERIODS: Control = Control::ByoYomi { initial_ms: 60_000, period_ms: 10_000, periods: 3 };

fn timed(control: Control) -> TimeControl {
    TimeControl::new(control, None).unwrap()
}

/// A clock on which seat 1's turn began at 0.
fn started(control: Control) -> Clock {
    started_with(timed(control))
}

fn started_with(time_control: TimeControl) -> Clock {
    let mut clock = Clock::new(time_control);
    clock.start_turn(One, Stamp(0));
    clock
}

/// Milliseconds left and periods behind them.
fn shows(clock: &Clock, seat: Seat, at: Millis) -> (Millis, u8) {
    let reading = clock.reading(seat, Stamp(at));
    (reading.left_ms.unwrap(), reading.periods)
}

fn falls_at(clock: &Clock) -> Option<(Millis, Flag)> {
    clock.deadline().map(|deadline| (deadline.at.0, deadline.why))
}

#[test]
fn a_flag_stands_until_the_millisecond_before_its_deadline_and_falls_in_it() {
    let clock = started(MAIN);
    let deadline = Deadline { at: Stamp(300_000), seat: One, why: Flag::Main };
    assert_eq!(clock.deadline(), Some(deadline));
    assert_eq!(clock.flagged(Stamp(299_999)), None);
    assert_eq!(clock.flagged(Stamp(300_000)), Some(deadline));
    assert_eq!(shows(&clock, One, 299_999), (1, 0));
    assert_eq!(shows(&clock, One, 300_000), (0, 0));
    assert_eq!(shows(&clock, One, 900_000), (0, 0));
}

#[test]
fn each_completed_turn_adds_the_increment_the_first_included() {
    let mut clock = started(MAIN);
    let spent = clock.complete_turn(One, Stamp(2_000));
    assert_eq!((spent.used_ms, spent.reading.left_ms), (2_000, Some(303_000)));
    assert_eq!(shows(&clock, One, 2_000), (303_000, 0));
    assert_eq!(shows(&clock, Two, 2_000), (300_000, 0));
}

#[test]
fn nothing_runs_between_two_turns() {
    let mut clock = started(MAIN);
    clock.complete_turn(One, Stamp(1_000));
    assert_eq!((clock.running(), clock.deadline()), (None, None));
    assert_eq!(clock.flagged(Stamp(Millis::MAX)), None);
    clock.start_turn(Two, Stamp(1_000_000));
    assert_eq!(falls_at(&clock), Some((1_300_000, Flag::Main)));
}

#[test]
fn an_increment_does_not_rise_above_the_cap() {
    let capped = |used_ms| {
        let cap_ms = Some(62_000);
        let control = Control::Fischer { initial_ms: 60_000, increment_ms: 5_000, cap_ms };
        started(control).complete_turn(One, Stamp(used_ms)).reading.left_ms
    };
    assert_eq!(capped(0), Some(62_000));
    assert_eq!(capped(2_999), Some(62_000));
    assert_eq!(capped(3_000), Some(62_000));
    assert_eq!(capped(3_001), Some(61_999));
}

#[test]
fn a_clock_that_starts_with_nothing_starts_with_one_increment() {
    let control = Control::Fischer { initial_ms: 0, increment_ms: 3_000, cap_ms: None };
    assert_eq!(falls_at(&started(control)), Some((3_000, Flag::Main)));
}

#[test]
fn each_turn_has_its_own_limit() {
    let mut clock = started(TURNS);
    assert_eq!(falls_at(&clock), Some((30_000, Flag::Main)));
    clock.complete_turn(One, Stamp(29_999));
    assert_eq!(shows(&clock, One, 29_999), (30_000, 0));
}

#[test]
fn a_turn_finished_within_a_period_keeps_it() {
    let mut clock = started(PERIODS);
    assert_eq!(shows(&clock, One, 59_999), (1, 3));
    assert_eq!(shows(&clock, One, 60_000), (10_000, 2));
    assert_eq!(shows(&clock, One, 69_999), (1, 2));
    clock.complete_turn(One, Stamp(69_999));
    assert_eq!(shows(&clock, One, 69_999), (10_000, 2));
}

#[test]
fn using_a_period_up_loses_it_and_losing_the_last_loses_the_game() {
    let mut clock = started(PERIODS);
    assert_eq!(shows(&clock, One, 70_000), (10_000, 1));
    assert_eq!(shows(&clock, One, 80_000), (10_000, 0));
    assert_eq!(falls_at(&clock), Some((90_000, Flag::Main)));
    clock.complete_turn(One, Stamp(89_999));
    assert_eq!(shows(&clock, One, 89_999), (10_000, 0));
    clock.start_turn(One, Stamp(100_000));
    assert_eq!(falls_at(&clock), Some((110_000, Flag::Main)));
}

#[test]
fn initial_time_left_over_is_kept_and_no_period_begins() {
    let mut clock = started(PERIODS);
    clock.complete_turn(One, Stamp(59_999));
    assert_eq!(shows(&clock, One, 59_999), (1, 3));
}

#[test]
fn without_initial_time_the_first_period_runs_from_the_start() {
    let control = Control::ByoYomi { initial_ms: 0, period_ms: 10_000, periods: 2 };
    let clock = started(control);
    assert_eq!(shows(&clock, One, 0), (10_000, 1));
    assert_eq!(falls_at(&clock), Some((20_000, Flag::Main)));
}

#[test]
fn without_a_control_nothing_falls_and_turns_are_still_measured() {
    let mut clock = started(Control::None);
    assert_eq!(clock.deadline(), None);
    clock.give(One, 5_000, Stamp(10));
    let spent = clock.complete_turn(One, Stamp(7_000));
    assert_eq!((spent.used_ms, spent.reading.left_ms), (7_000, None));
    assert!(clock.has_moved(One) && !clock.has_moved(Two));
}

#[test]
fn the_first_move_has_a_limit_of_its_own_and_whichever_falls_first_decides() {
    let falls = |control, first_move_ms| {
        falls_at(&started_with(TimeControl::new(control, Some(first_move_ms)).unwrap()))
    };
    assert_eq!(falls(Control::None, 30_000), Some((30_000, Flag::FirstMove)));
    assert_eq!(falls(TURNS, 30_001), Some((30_000, Flag::Main)));
    assert_eq!(falls(TURNS, 30_000), Some((30_000, Flag::FirstMove)));
    assert_eq!(falls(TURNS, 29_999), Some((29_999, Flag::FirstMove)));
    assert_eq!(falls(PERIODS, 90_001), Some((90_000, Flag::Main)));
}

#[test]
fn the_first_move_lifts_its_limit_for_that_seat_alone() {
    let mut clock = started_with(TimeControl::new(MAIN, Some(30_000)).unwrap());
    clock.complete_turn(One, Stamp(29_999));
    clock.start_turn(Two, Stamp(30_000));
    assert_eq!(falls_at(&clock), Some((60_000, Flag::FirstMove)));
    clock.complete_turn(Two, Stamp(40_000));
    clock.start_turn(One, Stamp(40_000));
    assert_eq!(falls_at(&clock), Some((40_000 + 275_001, Flag::Main)));
}

#[test]
fn a_fallen_flag_never_rises() {
    let mut clock = started(TURNS);
    let spent = clock.complete_turn(One, Stamp(30_000));
    assert_eq!((spent.used_ms, spent.reading.left_ms), (30_000, Some(0)));
    assert!(!clock.has_moved(One));
    clock.give(One, 1_000, Stamp(30_000));
    clock.start_turn(Two, Stamp(31_000));
    clock.start_turn(One, Stamp(32_000));
    assert!(clock.flagged(Stamp(32_000)).is_some());
}

#[test]
fn a_limit_that_has_not_fallen_stands_still_once_another_has() {
    let mut clock = started_with(TimeControl::new(MAIN, Some(1_000)).unwrap());
    clock.stop(Stamp(900_000));
    assert_eq!(shows(&clock, One, 900_000), (299_000, 0));
}

#[test]
fn a_paused_turn_is_charged_up_to_the_pause_and_resumes_with_what_was_left() {
    let mut clock = started(TURNS);
    clock.stop(Stamp(10_000));
    assert_eq!(shows(&clock, One, 500_000), (20_000, 0));
    clock.start_turn(One, Stamp(500_000));
    assert_eq!(falls_at(&clock), Some((520_000, Flag::Main)));
}

#[test]
fn a_turn_cut_short_by_a_takeback_begins_anew_with_its_full_limit() {
    for (control, first_ms, left) in [(TURNS, 30_000, (30_000, 0)), (PERIODS, 65_000, (10_000, 2))]
    {
        let mut clock = started(control);
        clock.stop(Stamp(first_ms - 1_000));
        clock.start_turn(Two, Stamp(first_ms));
        assert_eq!(shows(&clock, One, first_ms), left);
    }
    let mut clock = started(MAIN);
    clock.start_turn(Two, Stamp(1_000));
    assert_eq!(shows(&clock, One, 1_000), (299_000, 0));
}

#[test]
fn a_takeback_does_not_bring_the_first_move_limit_back() {
    let mut clock = started_with(TimeControl::new(MAIN, Some(30_000)).unwrap());
    clock.complete_turn(One, Stamp(1_000));
    clock.start_turn(Two, Stamp(1_000));
    clock.start_turn(One, Stamp(11_000));
    assert!(clock.has_moved(One));
    assert_eq!(falls_at(&clock), Some((11_000 + 304_000, Flag::Main)));
    clock.start_turn(Two, Stamp(12_000));
    assert_eq!(falls_at(&clock), Some((42_000, Flag::FirstMove)));
}

#[test]
fn a_turn_completed_before_its_clock_started_costs_nothing() {
    let mut clock = started(MAIN);
    clock.complete_turn(One, Stamp(1_000));
    let spent = clock.complete_turn(Two, Stamp(5_000));
    assert_eq!((spent.used_ms, spent.reading.left_ms), (0, Some(305_000)));
}

#[test]
fn a_stamp_from_before_the_turn_costs_nothing() {
    let mut clock = Clock::new(timed(MAIN));
    clock.start_turn(One, Stamp(5_000));
    assert_eq!(shows(&clock, One, 4_000), (300_000, 0));
    assert_eq!(clock.complete_turn(One, Stamp(4_000)).used_ms, 0);
}

#[test]
fn time_that_is_given_may_exceed_the_cap_and_is_not_taken_back() {
    let cap_ms = Some(60_000);
    let mut clock = started(Control::Fischer { initial_ms: 60_000, increment_ms: 5_000, cap_ms });
    clock.give(One, 15_000, Stamp(1_000));
    let spent = clock.complete_turn(One, Stamp(2_000));
    assert_eq!((spent.used_ms, spent.reading.left_ms), (2_000, Some(73_000)));
}

#[test]
fn time_that_is_given_lengthens_a_limited_turn_and_not_the_next() {
    let mut clock = started(TURNS);
    clock.give(One, 5_000, Stamp(1_000));
    clock.give(Two, 7_000, Stamp(1_000));
    assert_eq!(falls_at(&clock), Some((35_000, Flag::Main)));
    clock.stop(Stamp(2_000));
    clock.start_turn(One, Stamp(2_000));
    assert_eq!(shows(&clock, Two, 2_000), (37_000, 0));
    assert_eq!(clock.complete_turn(One, Stamp(3_000)).reading.left_ms, Some(30_000));
}

#[test]
fn time_that_is_given_in_a_period_does_not_bring_lost_periods_back() {
    let mut clock = started(PERIODS);
    clock.give(One, 5_000, Stamp(72_000));
    assert_eq!(shows(&clock, One, 72_000), (13_000, 1));
    assert_eq!(falls_at(&clock), Some((95_000, Flag::Main)));
}

#[test]
fn time_comes_too_late_for_a_flag_that_has_fallen() {
    let mut clock = started(MAIN);
    let fallen = clock;
    clock.give(One, 5_000, Stamp(300_000));
    clock.give(Two, 5_000, Stamp(300_001));
    assert_eq!(clock, fallen);
}

#[test]
fn readings_that_the_control_cannot_show_are_refused() {
    let limited = TimeControl::new(PERIODS, Some(30_000)).unwrap();
    let good = Clock::new(limited).reading(One, Stamp(0));
    let refused = |time_control, reading, moved| {
        let whole = Clock::new(time_control).reading(One, Stamp(0));
        let misfit = Misfit { seat: Two, reading, moved };
        let restored = Clock::restore(time_control, [whole, reading], [false, moved]);
        assert_eq!(restored, Err(misfit));
    };
    refused(limited, Reading { left_ms: None, ..good }, false);
    refused(limited, Reading { left_ms: Some(0), ..good }, false);
    refused(limited, Reading { periods: 4, ..good }, false);
    refused(limited, Reading { first_move_ms: None, ..good }, false);
    refused(limited, Reading { first_move_ms: Some(30_001), ..good }, false);
    refused(limited, good, true);
    refused(timed(TURNS), Reading { left_ms: Some(1), periods: 1, first_move_ms: None }, false);
    refused(timed(MAIN), Reading { left_ms: Some(1), periods: 0, first_move_ms: Some(1) }, false);
    let untimed = TimeControl::default();
    refused(untimed, Reading { left_ms: Some(1), periods: 0, first_move_ms: None }, false);
    assert_eq!(Clock::restore(limited, [good; 2], [false; 2]), Ok(Clock::new(limited)));
}

#[test]
fn time_controls_hold_to_their_ranges() {
    use Field::{Cap, FirstMove, Increment, Initial, Period, Periods, Turn};
    let refused = |control, first_move_ms| match TimeControl::new(control, first_move_ms) {
        Err(TimeControlError::OutOfRange { field, was, least, most }) => {
            assert!(!(least..=most).contains(&was));
            Some(field)
        }
        other => panic!("{control:?} came to {other:?}"),
    };
    let fischer =
        |initial_ms, increment_ms, cap_ms| Control::Fischer { initial_ms, increment_ms, cap_ms };
    let byo_yomi =
        |initial_ms, period_ms, periods| Control::ByoYomi { initial_ms, period_ms, periods };
    let turn = |turn_ms| Control::PerTurn { turn_ms };
    const DAY: Millis = 86_400_000;

    assert_eq!(refused(fischer(DAY + 1, 0, None), None), Some(Initial));
    assert_eq!(refused(fischer(1, 600_001, None), None), Some(Increment));
    assert_eq!(refused(fischer(5, 0, Some(4)), None), Some(Cap));
    assert_eq!(refused(fischer(0, 5, Some(4)), None), Some(Cap));
    assert_eq!(refused(fischer(5, 0, Some(DAY + 1)), None), Some(Cap));
    assert_eq!(refused(turn(999), None), Some(Turn));
    assert_eq!(refused(turn(DAY + 1), None), Some(Turn));
    assert_eq!(refused(byo_yomi(DAY + 1, 1_000, 1), None), Some(Initial));
    assert_eq!(refused(byo_yomi(0, 999, 1), None), Some(Period));
    assert_eq!(refused(byo_yomi(0, DAY + 1, 1), None), Some(Period));
    assert_eq!(refused(byo_yomi(0, 1_000, 0), None), Some(Periods));
    assert_eq!(refused(byo_yomi(0, 1_000, 21), None), Some(Periods));
    assert_eq!(refused(Control::None, Some(999)), Some(FirstMove));
    assert_eq!(refused(Control::None, Some(3_600_001)), Some(FirstMove));
    let nothing = TimeControl::new(fischer(0, 0, None), None);
    assert_eq!(nothing, Err(TimeControlError::NoTime));

    for (control, first_move_ms) in [
        (Control::None, Some(1_000)),
        (Control::None, Some(3_600_000)),
        (fischer(DAY, 600_000, Some(DAY)), None),
        (fischer(0, 1, Some(1)), None),
        (fischer(1, 0, None), None),
        (turn(1_000), None),
        (turn(DAY), None),
        (byo_yomi(0, 1_000, 1), None),
        (byo_yomi(DAY, DAY, 20), None),
    ] {
        assert_eq!(TimeControl::new(control, first_move_ms).unwrap().control(), control);
    }
}

#[test]
fn a_refused_time_control_says_what_was_wrong_and_what_is_right() {
    let refused = TimeControl::new(Control::PerTurn { turn_ms: 5 }, None).unwrap_err();
    assert_eq!(refused.to_string(), "`turn_ms` is 5: it is from 1000 to 86400000");
}

#[test]
fn a_game_is_estimated_by_its_initial_time_and_forty_turns() {
    assert_eq!(Control::None.estimated_ms(), None);
    assert_eq!(MAIN.estimated_ms(), Some(500_000));
    assert_eq!(TURNS.estimated_ms(), Some(1_200_000));
    assert_eq!(PERIODS.estimated_ms(), Some(460_000));
}
