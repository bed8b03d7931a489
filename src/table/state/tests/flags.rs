//! The clock decides first: flags to the millisecond.

use super::*;
use crate::game::Illegal;

/// Seat 1's deadline in [`small`] after a move each at once: 305 s after [`T0`].
const DEADLINE: Millis = 305_000;

fn on_time(winner: Seat) -> Option<Outcome> {
    Some(Outcome::Won { winner, by: WonBy::Time })
}

#[test]
fn a_move_in_the_last_millisecond_is_in_time() {
    let mut table = Table::under_way(&small());
    table.at(DEADLINE - 1).plays(ANA, "c3");
    assert_eq!(table.left(), [5_001, 305_000]);
    table.check();
}

#[test]
fn a_move_at_its_deadline_or_later_is_refused_and_the_flag_falls_at_the_deadline() {
    for late in [0, 1, 5_000] {
        let mut table = Table::under_way(&small());
        table.at(DEADLINE + late);
        let play = table.play("c3");
        assert_eq!(table.gives(ANA, play), Err(Illegal::GameOver.into()));
        assert_eq!(table.outcome(), on_time(Two));
        assert_eq!(table.live().game.plies().len(), 2, "nothing was placed");
        let Some(Event::Ended { by: None, at, .. }) = table.journal.last() else {
            panic!("the game ends with the flag");
        };
        assert_eq!(*at, Stamp(T0 + DEADLINE));
        assert_eq!(table.left(), [0, 305_000]);
        table.check();
    }
}

#[test]
fn a_late_move_is_in_time_by_its_lag_credit_and_not_beyond_it() {
    let mut table = Table::under_way(&small());
    table.round_trip = 200;
    table.at(DEADLINE + 199).plays(ANA, "c3");
    assert_eq!(table.left(), [5_001, 305_000]);
    let Some(Event::Played { credit_ms: 200, at, .. }) = table.journal.last() else {
        panic!("the credit is in the journal");
    };
    assert_eq!(*at, Stamp(T0 + DEADLINE - 1));
    table.check();

    let mut table = Table::under_way(&small());
    table.round_trip = 200;
    table.at(DEADLINE + 200);
    let play = table.play("c3");
    assert_eq!(table.gives(ANA, play), Err(Illegal::GameOver.into()));
    assert_eq!(table.outcome(), on_time(Two));
}

#[test]
fn a_credit_is_spent_and_refilled_once_a_turn_and_the_journal_knows() {
    let mut table = Table::under_way(&small());
    table.round_trip = 1_000;
    // Three gains of 215 at first, one more by the first move.
    table.at(10_000).plays(ANA, "c3");
    table.plays(BO, "b2");
    table.at(20_000).plays(ANA, "c2");
    let credits = table.journal.iter().filter_map(|event| match event {
        Event::Played { by, credit_ms, .. } if by.seat == One => Some(*credit_ms),
        _ => None,
    });
    assert_eq!(credits.collect::<Vec<_>>(), [0, 860, 215]);
    table.check();
}

#[test]
fn a_flag_is_called_when_no_move_in_time_can_be_under_way_any_more() {
    let mut table = Table::under_way(&small());
    assert_eq!(table.state.next_due(table.now), Some(Stamp(T0 + DEADLINE)));
    table.state.note_round_trip(One, 200);
    assert_eq!(table.state.next_due(table.now), Some(Stamp(T0 + DEADLINE + 200)));
    assert_eq!(table.at(DEADLINE + 199).due(), []);
    table.at(DEADLINE + 200).wakes();
    assert_eq!(table.outcome(), on_time(Two));
    assert!(matches!(table.journal.last(), Some(Event::Ended { at, .. }) if at.0 == T0 + DEADLINE));
    table.check();
}

#[test]
fn no_round_trip_puts_a_flag_off_for_more_than_two_seconds() {
    let day = Time::Fischer { initial_s: 86_400, increment_s: 0, cap_s: None };
    let mut table = Table::under_way(&timed(day));
    table.state.note_round_trip(One, 60_000);
    let deadline = Stamp(T0 + 86_400_000);
    assert_eq!(table.state.next_due(table.now), Some(deadline + 2_001));
}

#[test]
fn a_flag_falls_though_nobody_is_connected() {
    let mut table = Table::under_way(&small());
    table.goes(ANA, false);
    table.goes(BO, false);
    table.at(DEADLINE).wakes();
    assert_eq!(table.outcome(), on_time(Two));
}

#[test]
fn a_command_after_the_flag_fell_does_not_decide_the_game() {
    let table = Table::under_way(&small());
    let game = table.game_now();
    let commands = [
        Command::Resign(game),
        Command::Claim(game),
        Command::GiveTime(game),
        Command::Offer(game, OfferKind::Pause),
        Command::Withdraw(9),
        table.play("c3"),
    ];
    for who in [ANA, BO] {
        for command in commands {
            let mut table = Table::under_way(&small());
            table.at(DEADLINE);
            assert_eq!(table.gives(who, command), Err(Illegal::GameOver.into()), "{command:?}");
            assert_eq!(table.outcome(), on_time(Two));
            assert!(matches!(table.journal.last(), Some(Event::Ended { by: None, .. })));
            table.check();
        }
    }
}

#[test]
fn a_resignation_before_the_flag_is_called_is_a_resignation() {
    let mut table = Table::under_way(&small());
    table.state.note_round_trip(One, 200);
    table.at(DEADLINE + 199);
    let resign = Command::Resign(table.game_now());
    assert_eq!(table.gives(BO, resign), Ok(Answer::Done));
    assert_eq!(table.outcome(), Some(Outcome::Won { winner: One, by: WonBy::Resignation }));
    table.check();
}

#[test]
fn running_out_of_time_before_both_have_moved_is_void() {
    for moves in [&[][..], &[(ANA, "a1")]] {
        let mut table = Table::game(&small());
        moves.iter().for_each(|&(who, cell)| table.plays(who, cell));
        table.at(300_000).wakes();
        assert_eq!(table.outcome(), Some(Outcome::Void(Void::NotStarted)));
        assert_eq!(table.state.score(), [0, 0]);
        table.check();
    }
}

#[test]
fn a_first_move_limit_voids_a_game_even_without_a_clock() {
    let mut table = Table::game(&OptionsRequest { first_move_s: Some(30), ..timeless() });
    assert_eq!(table.at(29_999).due(), []);
    table.at(30_000).wakes();
    assert_eq!(table.outcome(), Some(Outcome::Void(Void::NotStarted)));
    table.check();
}

#[test]
fn no_clock_runs_until_the_move_before_is_durable() {
    let mut table = Table::under_way(&small());
    table.at(10_000);
    let events = table.decides(ANA, "m", table.play("c3")).events;
    table.happens(events);
    assert!(table.state.wants_clock() && !table.state.is_clock_running());
    table.at(60_000);
    assert_eq!(table.left(), [300_000, 305_000]);
    assert_eq!(table.state.due(Stamp(T0 + 10_000_000)), []);
    // An answer to what was not shown yet costs nothing.
    table.plays(BO, "b2");
    assert_eq!(table.left(), [300_000, 310_000]);
    table.check();
}

#[test]
fn time_that_is_given_while_a_move_may_be_under_way_does_not_break_that_move() {
    // The flag has fallen but is not called yet, and its owner's first move is in the post.
    let mut table = Table::game(&OptionsRequest { first_move_s: Some(30), ..small() });
    table.round_trip = 100;
    table.state.note_round_trip(One, 100);
    table.at(30_050);
    let give = Command::GiveTime(table.game_now());
    assert_eq!(table.gives(BO, give), Ok(Answer::Done));
    table.plays(ANA, "a1");
    assert_eq!(table.outcome(), None);
    table.check();
}

#[test]
fn a_pause_while_a_move_may_be_under_way_leaves_the_last_millisecond() {
    let mut table = Table::under_way(&small());
    table.state.note_round_trip(One, 200);
    let offer = table.at(DEADLINE - 10).offers(ANA, OfferKind::Pause);
    table.at(DEADLINE + 50).answers(BO, offer, true);
    assert_eq!(table.left(), [1, 305_000]);
    table.check();
}

#[test]
fn a_span_in_which_the_journal_failed_is_charged_to_nobody() {
    let mut table = Table::under_way(&small());
    table.at(50_000).state.excuse(20_000, Stamp(T0 + 50_000));
    assert_eq!(table.left(), [275_000, 305_000]);
    // Nor does one that began before the turn.
    table.at(60_000).state.excuse(40_000, Stamp(T0 + 60_000));
    assert_eq!(table.left(), [275_000, 305_000]);
}
