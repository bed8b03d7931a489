//! Ends by command: resigning, aborting, claiming. And an evening that nobody ends.

use super::*;
use crate::game::Illegal;

const HOUR: Millis = 3_600_000;

#[test]
fn a_seat_may_resign_on_its_turn_and_off_it() {
    for (who, winner, score) in [(ANA, Two, [0, 1]), (BO, One, [1, 0])] {
        let mut table = Table::under_way(&small());
        let resign = Command::Resign(table.game_now());
        assert_eq!(table.gives(who, resign), Ok(Answer::Done));
        assert_eq!(table.outcome(), Some(Outcome::Won { winner, by: WonBy::Resignation }));
        assert_eq!(table.state.score(), score);
        assert_eq!(table.state.phase(), Phase::Finished);
        table.check();
    }
}

#[test]
fn commands_on_a_running_game_are_refused_after_its_end() {
    let table = Table::finished(&small());
    let game = table.game_now();
    for command in [
        Command::Resign(game),
        Command::Abort(game),
        Command::Claim(game),
        Command::Unpause(game),
        Command::GiveTime(game),
        Command::Offer(game, OfferKind::Takeback),
        Command::Offer(game, OfferKind::Pause),
    ] {
        for who in [ANA, BO] {
            assert_eq!(table.refuses(who, command), Illegal::GameOver.into(), "{command:?}");
        }
    }
}

#[test]
fn commands_on_another_game_or_on_none_are_refused() {
    let other = game_id(99);
    let commands = [
        Command::Resign(other),
        Command::Abort(other),
        Command::Claim(other),
        Command::Unpause(other),
        Command::GiveTime(other),
        Command::Offer(other, OfferKind::Rematch),
        Command::Offer(other, OfferKind::Pause),
    ];
    let (waiting, running) = (Table::open(&small()), Table::under_way(&small()));
    for command in commands {
        assert_eq!(waiting.refuses(ANA, command), Refusal::NoGame);
        assert_eq!(running.refuses(ANA, command), Refusal::OtherGame(running.game_now()));
    }
}

#[test]
fn a_game_can_be_aborted_until_both_seats_have_moved() {
    for moves in [&[][..], &[(ANA, "a1")]] {
        for who in [ANA, BO] {
            let mut table = Table::game(&small());
            moves.iter().for_each(|&(who, cell)| table.plays(who, cell));
            let abort = Command::Abort(table.game_now());
            assert_eq!(table.gives(who, abort), Ok(Answer::Done));
            assert_eq!(table.outcome(), Some(Outcome::Void(Void::Aborted)));
            assert_eq!(table.state.score(), [0, 0]);
            table.check();
        }
    }
    let table = Table::under_way(&small());
    for who in [ANA, BO] {
        let abort = Command::Abort(table.game_now());
        assert_eq!(table.refuses(who, abort), Refusal::CannotAbort);
    }
}

#[test]
fn a_swap_is_a_first_move() {
    let mut table = Table::game(&small());
    table.plays(ANA, "a1");
    let swap = table.action(Move::Swap);
    table.gives(BO, swap).unwrap();
    let abort = Command::Abort(table.game_now());
    assert_eq!(table.refuses(ANA, abort), Refusal::CannotAbort);
}

/// When the game of a gone player may be claimed, in milliseconds after they went.
fn countdown(request: &OptionsRequest, said_so: bool) -> Millis {
    let mut table = Table::under_way(request);
    let claim = Command::Claim(table.game_now());
    assert!(matches!(table.refuses(ANA, claim), Refusal::CannotClaim(_)), "Bo is there");
    table.at(1_000).goes(BO, said_so);
    assert!(matches!(table.refuses(ANA, claim), Refusal::CannotClaim(_)));
    let over = table.state.countdown_over(Two, table.live()).unwrap();
    assert!(!table.state.is_claimable(Two, Stamp(over.0 - 1)));
    assert!(table.state.is_claimable(Two, over));
    assert_eq!(table.state.next_due(table.now), Some(over));

    table.now = Stamp(over.0 - 1);
    assert!(matches!(table.refuses(ANA, claim), Refusal::CannotClaim(_)));
    table.now = over;
    assert!(matches!(table.refuses(BO, claim), Refusal::CannotClaim(_)), "Ana is there");
    assert_eq!(table.gives(ANA, claim), Ok(Answer::Done));
    assert_eq!(table.outcome(), Some(Outcome::Won { winner: One, by: WonBy::Forfeit }));
    table.check();
    over - Stamp(T0 + 1_000)
}

#[test]
fn a_countdown_is_shorter_after_a_goodbye_and_doubled_in_a_slow_game() {
    let fischer =
        |initial_s, increment_s| timed(Time::Fischer { initial_s, increment_s, cap_s: None });
    assert_eq!(countdown(&small(), false), 30_000);
    assert_eq!(countdown(&small(), true), 10_000);
    // 400 s + 40 x 5 s is not over 600 s, and a second more is.
    assert_eq!(countdown(&fischer(400, 5), false), 30_000);
    assert_eq!(countdown(&fischer(401, 5), false), 60_000);
    assert_eq!(countdown(&fischer(401, 5), true), 20_000);
    assert_eq!(countdown(&timeless(), false), 60_000);
    assert_eq!(countdown(&timeless(), true), 20_000);
}

#[test]
fn a_game_whose_player_has_returned_cannot_be_claimed() {
    let mut table = Table::under_way(&small());
    let claim = Command::Claim(table.game_now());
    table.goes(BO, false);
    table.at(29_000).returns(BO);
    assert_eq!(table.at(31_000).refuses(ANA, claim), Refusal::CannotClaim("your opponent is here"));
    // Gone again, the countdown begins anew.
    table.goes(BO, false);
    assert!(matches!(table.at(60_999).refuses(ANA, claim), Refusal::CannotClaim(_)));
    assert_eq!(table.at(61_000).gives(ANA, claim), Ok(Answer::Done));
}

#[test]
fn whoever_says_that_they_go_once_they_have_gone_is_waited_for_no_longer_than_others_who_do() {
    let mut table = Table::under_way(&small());
    let claim = Command::Claim(table.game_now());
    table.goes(BO, false);
    table.at(2_000).goes(BO, true);
    // That a session of theirs ends after that takes nothing back.
    table.at(3_000).goes(BO, false);
    assert!(matches!(table.at(9_999).refuses(ANA, claim), Refusal::CannotClaim(_)));
    assert_eq!(table.at(10_000).gives(ANA, claim), Ok(Answer::Done));
    // Their seat is for somebody else at once: nobody joins to play against them.
    table.wakes();
    assert_eq!(table.seats(), [Some(id(ANA)), None]);
    table.check();
}

#[test]
fn where_only_the_clock_decides_nothing_can_be_claimed() {
    let request = OptionsRequest { on_leave: Some(wire::OnLeave::Clock), ..small() };
    let mut table = Table::under_way(&request);
    table.goes(BO, false);
    table.at(200_000);
    let claim = Command::Claim(table.game_now());
    assert_eq!(
        table.refuses(ANA, claim),
        Refusal::CannotClaim(
            "this table leaves the seat of a gone player to the computer or to the clock"
        )
    );
    assert!(!table.state.is_claimable(Two, table.now));
}

#[test]
fn a_game_without_a_clock_is_void_24_hours_after_the_last_player_went() {
    let mut table = Table::under_way(&timeless());
    table.at(1_000).goes(ANA, false);
    table.at(5_000).goes(BO, true);
    assert_eq!(table.at(5_000 + 24 * HOUR - 1).due(), []);
    table.at(5_000 + 24 * HOUR).wakes();
    assert_eq!(table.outcome(), Some(Outcome::Void(Void::Abandoned)));
    assert_eq!(table.state.score(), [0, 0]);
    table.check();
}

#[test]
fn a_game_is_not_abandoned_while_one_player_is_there_or_a_clock_runs() {
    let mut table = Table::under_way(&timeless());
    table.goes(ANA, false);
    assert_eq!(table.at(100 * HOUR).due(), []);

    let mut table = Table::under_way(&timed(Time::PerTurn { seconds: 86_400 }));
    table.goes(ANA, false);
    table.goes(BO, false);
    table.at(24 * HOUR).wakes();
    assert_eq!(table.outcome(), Some(Outcome::Won { winner: Two, by: WonBy::Time }));
}

#[test]
fn a_game_in_which_nobody_has_moved_waits_for_those_who_have_gone_too() {
    for request in [timeless(), timed(Time::PerTurn { seconds: 86_400 })] {
        let mut table = Table::open(&request);
        table.join(BO, None).unwrap();
        table.durable();
        table.goes(ANA, false);
        table.goes(BO, false);
        assert_eq!(table.at(24 * HOUR - 1).due(), []);
    }
}

#[test]
fn a_restart_does_not_put_the_24_hours_off() {
    let table = Table::under_way(&timeless());
    let State { id, spans, .. } = table.state;
    let later = Stamp(T0 + 23 * HOUR);
    let state = State::replay(id, spans, &table.journal, later).unwrap();
    assert_eq!(state.due(Stamp(T0 + 24 * HOUR - 1)), []);
    assert!(matches!(
        state.due(Stamp(T0 + 24 * HOUR))[..],
        [Event::Ended { outcome: Outcome::Void(Void::Abandoned), .. }]
    ));
}

#[test]
fn whoever_was_there_before_a_restart_has_a_moment_to_come_back() {
    let mut paused = Table::under_way(&small());
    let offer = paused.offers(ANA, OfferKind::Pause);
    paused.answers(BO, offer, true);
    for table in [Table::under_way(&timeless()), paused] {
        // Both have looked at it for days, and the journal does not say so.
        let State { id, spans, .. } = table.state;
        let back = T0 + 100 * HOUR;
        let mut state = State::replay(id, spans, &table.journal, Stamp(back)).unwrap();
        assert_eq!(state.due(Stamp(back + 29_999)), []);
        assert_eq!(state.next_due(Stamp(back)), Some(Stamp(back + 30_000)));
        assert_ne!(state.due(Stamp(back + 30_000)), []);
        state.note_presence(One, true, Stamp(back + 1_000), false);
        assert_eq!(state.due(Stamp(back + 30_000)), []);
    }
}

#[test]
fn the_24_hours_are_counted_from_when_somebody_was_last_there_after_a_restart_too() {
    let table = Table::under_way(&timeless());
    let State { id, spans, .. } = table.state;
    let (left, back) = (Stamp(T0 + 23 * HOUR), Stamp(T0 + 25 * HOUR));
    let mut state = State::replay(id, spans, &table.journal, back).unwrap();
    assert_eq!(state.seen_last(back), Some(Stamp(T0)));
    state.note_last_seen(left);
    assert_eq!(state.due(Stamp(T0 + 47 * HOUR - 1)), []);
    assert_ne!(state.due(Stamp(T0 + 47 * HOUR)), []);
}

#[test]
fn whoever_is_matched_and_never_comes_has_left_at_once_and_after_a_restart_after_the_countdown() {
    let options = Options::resolve(&small()).unwrap();
    let (game, start) = (game_id(1), Stamp(T0));
    let fresh = || Fresh { game, seed: [0; 32] };
    let players = [ANA, BO].map(player);
    let events = opening::opening_of_two(options, players, start, fresh);
    let mut state = State::new(TableId::from_parts(T0, 1), Spans::default(), options, None, start);
    events[1..].iter().for_each(|event| state.apply(event).unwrap());
    state.note_presence(Two, true, Stamp(T0 + 500), false);
    let gone =
        |state: &State, seat, ms| state.was_gone(seat, state.running().unwrap(), Stamp(T0 + ms));
    assert!(gone(&state, One, 2_000));
    assert!(!gone(&state, Two, 2_000));

    let back = Stamp(T0 + 1_000);
    let state = State::replay(state.id, state.spans, &events, back).unwrap();
    assert!(!gone(&state, One, 30_999));
    assert!(gone(&state, One, 31_000));
}

#[test]
fn whoever_was_away_when_the_game_began_has_not_left_it_before_they_come() {
    let mut table = Table::open(&small());
    table.at(1_000).goes(ANA, false);
    table.at(2_000);
    assert_eq!(table.join(BO, None), Ok(Two));
    table.durable();
    let gone = |table: &Table, ms| table.state.was_gone(One, table.live(), Stamp(T0 + ms));
    assert!(!gone(&table, 200_000));
    table.at(3_000);
    table.state.note_presence(One, true, table.now, false);
    table.at(4_000).goes(ANA, false);
    assert!(!gone(&table, 4_000));
    assert!(gone(&table, 4_001));
}

#[test]
fn a_paused_game_that_both_have_left_is_void_after_24_hours() {
    let mut table = Table::under_way(&small());
    let offer = table.offers(ANA, OfferKind::Pause);
    table.answers(BO, offer, true);
    table.goes(ANA, false);
    table.goes(BO, false);
    assert_eq!(table.at(24 * HOUR - 1).due(), []);
    table.at(24 * HOUR).wakes();
    assert_eq!(table.outcome(), Some(Outcome::Void(Void::Abandoned)));
    table.check();
}
