//! Who drives a seat: takeover and return, both gone, the computer's own seat, and what it is
//! asked.

use hexhall_proto::parts::OfferClosed;

use super::*;
use crate::table::options::House;
use crate::table::state::opening::opening;

const FAST: Time = Time::Fischer { initial_s: 60, increment_s: 0, cap_s: None };

/// Both have moved once, and it is Ana's turn, whose 60 s run from [`T0`].
fn left_to_the_computer(time: Time) -> Table {
    Table::under_way(&to_the_computer(timed(time)))
}

/// A practice game that Ana opened against level 7, which has this seat.
fn practice(request: &OptionsRequest, seat: Seat) -> Table {
    let (options, now) = (Options::resolve(request).unwrap(), Stamp(T0));
    let house = Some(House { level: Level::new(7).unwrap(), seat });
    let fresh = || Fresh { game: game_id(1), seed: [1; 32] };
    let journal = opening(options, None, &player(ANA), house, now, fresh);
    let id = TableId::from_parts(T0, 1);
    let state = State::replay(id, Spans::default(), &journal, now).unwrap();
    let mut table = Table { state, journal, now, round_trip: 0, commands: 0, clock_from: now };
    table.returns(ANA);
    table.durable();
    table
}

impl Table {
    /// The computer plays there now.
    #[track_caller]
    pub(super) fn computer_plays(&mut self, cell: &str) {
        let turn = self.state.cpu_turn().expect("the computer's turn");
        let action = Move::Place(cell.parse().unwrap());
        let events = self.state.decide_cpu(turn, action, self.now).unwrap();
        assert!(matches!(events[0], Event::Played { cpu: true, .. }), "{events:?}");
        self.happens(events);
        self.durable();
    }

    fn driven(&self) -> [Option<u8>; 2] {
        Seat::BOTH.map(|seat| self.state.driver(seat).map(Level::number))
    }
}

#[test]
fn the_computer_steps_in_after_the_countdown_and_goes_when_the_player_is_back() {
    let mut table = left_to_the_computer(Time::None {});
    table.goes(BO, false);
    let over = table.state.takeover_at(Two).unwrap();
    assert_eq!(over, Stamp(T0 + 60_000), "as long as in any slow game");
    assert_eq!(table.state.next_due(table.now), Some(over));
    table.at(59_999).wakes();
    assert_eq!(table.driven(), [None, None]);
    table.at(60_000).wakes();
    assert_eq!(table.driven(), [None, Some(5)]);
    assert_eq!(table.state.cpu_turn(), None, "it is Ana's turn");
    table.plays(ANA, "b2");
    table.computer_plays("c1");
    assert!(table.live().times[3].cpu && !table.live().times[2].cpu);

    table.returns(BO);
    assert_eq!(table.state.next_due(table.now), Some(table.now));
    table.wakes();
    assert_eq!(table.driven(), [None, None]);
    table.plays(ANA, "a2");
    assert_eq!(table.state.cpu_turn(), None);
    table.plays(BO, "c2");
    // As often as it comes to it.
    table.goes(BO, true);
    table.at(80_000).wakes();
    assert_eq!(table.driven(), [None, Some(5)]);
    table.check();
}

#[test]
fn a_player_who_is_back_before_the_countdown_is_over_was_never_missed() {
    let mut table = left_to_the_computer(FAST);
    table.goes(BO, false);
    table.at(29_999).returns(BO);
    table.at(50_000).wakes();
    assert_eq!(table.driven(), [None, None]);
    table.goes(BO, false);
    assert_eq!(table.state.takeover_at(Two), Some(Stamp(T0 + 80_000)), "it begins anew");
}

#[test]
fn on_a_running_clock_the_computer_steps_in_after_half_of_the_time_left_if_that_is_less() {
    let mut table = left_to_the_computer(FAST);
    // Ana's 60 s run, and half of what is left is 20 s.
    table.at(20_000).goes(ANA, false);
    assert_eq!(table.state.takeover_at(One), Some(Stamp(T0 + 40_000)));
    table.at(40_000).wakes();
    assert_eq!(table.driven(), [Some(5), None]);

    // Bo's turn comes after he has gone: half of his 60 s counts from then.
    let mut table = left_to_the_computer(FAST);
    table.goes(BO, false);
    assert_eq!(table.state.takeover_at(Two), Some(Stamp(T0 + 30_000)));
    table.at(10_000).plays(ANA, "b2");
    assert_eq!(table.state.takeover_at(Two), Some(Stamp(T0 + 30_000)), "the countdown is less");
    let mut table = left_to_the_computer(Time::PerTurn { seconds: 10 });
    table.goes(BO, false);
    table.at(9_000).plays(ANA, "b2");
    assert_eq!(table.state.takeover_at(Two), Some(Stamp(T0 + 14_000)));
    table.check();
}

#[test]
fn nobody_is_taken_over_while_the_other_is_gone_too_or_in_a_pause_or_where_it_is_not_wanted() {
    let mut table = left_to_the_computer(Time::None {});
    table.goes(BO, false);
    table.goes(ANA, false);
    assert_eq!(table.state.takeover_at(Two), None);
    table.at(3_600_000).wakes();
    assert_eq!(table.driven(), [None, None]);
    table.at(24 * 3_600_000).wakes();
    assert_eq!(table.outcome(), Some(Outcome::Void(Void::Abandoned)));

    let mut table = left_to_the_computer(FAST);
    let offer = table.offers(ANA, OfferKind::Pause);
    table.answers(BO, offer, true);
    table.goes(BO, false);
    assert_eq!(table.state.takeover_at(Two), None);

    for on_leave in [wire::OnLeave::Claim, wire::OnLeave::Clock] {
        let request = OptionsRequest { on_leave: Some(on_leave), ..timed(FAST) };
        let mut table = Table::under_way(&request);
        table.goes(BO, false);
        table.at(50_000).wakes();
        assert_eq!((table.state.takeover_at(Two), table.driven()), (None, [None, None]));
    }
}

#[test]
fn with_both_gone_the_computer_stops_playing_and_the_clock_decides() {
    let mut table = left_to_the_computer(FAST);
    table.goes(BO, false);
    table.at(30_000).wakes();
    table.plays(ANA, "b2");
    let turn = table.state.cpu_turn().unwrap();
    table.goes(ANA, false);
    assert_eq!(table.state.cpu_turn(), None);
    let late = table.state.decide_cpu(turn, Move::Place("c1".parse().unwrap()), table.now);
    assert_eq!(late, Err(Refusal::StaleTurn { turn: 3 }));
    // Whoever is back first plays on: Ana against the computer.
    table.returns(ANA);
    assert_eq!(table.state.cpu_turn(), Some(turn));
    table.goes(ANA, false);
    table.at(90_000).wakes();
    assert_eq!(table.outcome(), Some(Outcome::Won { winner: One, by: WonBy::Time }));
    table.check();
}

#[test]
fn a_move_of_the_computer_for_a_seat_that_its_player_has_again_is_discarded() {
    let mut table = left_to_the_computer(FAST);
    table.goes(BO, false);
    table.at(30_000).wakes();
    table.plays(ANA, "b2");
    let (turn, c1) = (table.state.cpu_turn().unwrap(), Move::Place("c1".parse().unwrap()));
    table.returns(BO);
    let refused = table.state.decide_cpu(turn, c1, table.now);
    assert_eq!(refused, Err(Refusal::StaleTurn { turn: 3 }), "before the return is told");
    table.wakes();
    assert!(table.state.decide_cpu(turn, c1, table.now).is_err(), "and after it");
    table.plays(BO, "c1");
    assert!(table.state.decide_cpu(turn, c1, table.now).is_err(), "and for another turn");
}

#[test]
fn a_player_may_move_in_a_seat_that_the_computer_drives_and_keeps_what_they_were_answered() {
    let mut table = left_to_the_computer(Time::None {});
    let a2 = table.play("a2");
    table.sends(ANA, "mine", a2).unwrap();
    table.goes(ANA, false);
    table.at(60_000).wakes();
    table.plays(BO, "b2");
    for (computers, bos) in [("c1", "c2"), ("c3", "b3")] {
        table.computer_plays(computers);
        table.plays(BO, bos);
    }
    assert_eq!(table.sends(ANA, "mine", a2), Ok(Answer::Moved { turn: 3, collided: false }));
    table.plays(ANA, "a3");
    assert!(!table.live().times.last().unwrap().cpu);
    assert_eq!(table.outcome(), Some(Outcome::Won { winner: One, by: WonBy::Chain }));
    assert_eq!(table.driven(), [None, None], "with the game the takeover is over");
    table.check();
}

#[test]
fn a_table_that_comes_back_goes_on_with_the_computer_once_the_other_player_is_there() {
    let mut table = left_to_the_computer(FAST);
    table.goes(BO, false);
    table.at(30_000).wakes();
    table.plays(ANA, "b2");
    let turn = table.state.cpu_turn();
    let State { id, spans, .. } = table.state;
    let mut state = State::replay(id, spans, &table.journal, Stamp(T0 + 40_000)).unwrap();
    assert_eq!(state.taken_over(Two), Some(Level::TAKEOVER));
    assert_eq!(state.cpu_turn(), None, "nobody is there");
    state.note_presence(One, true, Stamp(T0 + 41_000), false);
    assert_eq!(state.cpu_turn(), turn);
    state.note_presence(Two, true, Stamp(T0 + 42_000), false);
    assert!(matches!(state.due(Stamp(T0 + 42_000))[..], [Event::Returned { seat: Two, .. }]));
}

#[test]
fn a_flag_of_the_computer_falls_like_any_other() {
    let mut table = left_to_the_computer(Time::PerTurn { seconds: 10 });
    table.goes(BO, false);
    table.plays(ANA, "b2");
    table.at(5_000).wakes();
    assert_eq!(table.driven(), [None, Some(5)]);
    let turn = table.state.cpu_turn().unwrap();
    let c1 = Move::Place("c1".parse().unwrap());
    let events = table.at(10_000).state.decide_cpu(turn, c1, Stamp(T0 + 10_000)).unwrap();
    let falls = Outcome::Won { winner: One, by: WonBy::Time };
    assert!(matches!(events[..], [Event::Ended { outcome, .. }] if outcome == falls));
}

#[test]
fn the_computer_that_took_over_answers_no_offers() {
    let mut table = left_to_the_computer(Time::PerTurn { seconds: 600 });
    table.goes(BO, false);
    table.at(60_000).wakes();
    assert_eq!(table.driven(), [None, Some(5)]);
    let offer = table.offers(ANA, OfferKind::Pause);
    assert_eq!(table.state.offers().len(), 1);
    table.at(90_000).wakes();
    let closed = Event::OfferClosed { offer, how: OfferClosed::Expired, by: None };
    assert!(table.journal.contains(&closed));
}

#[test]
fn a_practice_game_begins_at_once_and_the_computer_is_never_gone_from_it() {
    for seat in Seat::BOTH {
        let request = OptionsRequest { on_leave: Some(wire::OnLeave::Claim), ..timed(FAST) };
        let mut table = practice(&request, seat);
        assert_eq!(table.state.phase(), Phase::Playing);
        assert_eq!(table.driven()[seat.index()], Some(7));
        assert_eq!(table.state.cpu_turn().is_some(), seat == One);
        assert!(table.state.is_attended(seat));
        if seat == One {
            table.computer_plays("a1");
        }
        let claim = Command::Claim(table.game_now());
        let refused = table.at(50_000).refuses(ANA, claim);
        assert_eq!(refused, Refusal::CannotClaim("your opponent is here"));
        let join = table.state.decide_join(&player(BO), None, table.now, || table.fresh());
        assert_eq!(join, Err(Refusal::TableFull));
        table.check();
    }
}

#[test]
fn the_computer_plays_in_its_own_seat_whoever_is_gone_and_takes_no_other() {
    let mut table = practice(&to_the_computer(timed(FAST)), Two);
    table.plays(ANA, "a1");
    table.goes(ANA, false);
    table.computer_plays("b1");
    assert_eq!(table.state.takeover_at(One), None);
    table.at(100_000).wakes();
    assert_eq!(table.outcome(), Some(Outcome::Won { winner: Two, by: WonBy::Time }));
    table.at(400_000).wakes();
    assert_eq!(table.state.phase(), Phase::Closed, "and with its only player it closes");
}

#[test]
fn the_computer_agrees_to_a_rematch_and_a_pause_at_once() {
    let mut table = practice(&timed(FAST), Two);
    table.plays(ANA, "a1");
    table.offers(ANA, OfferKind::Pause);
    assert!(table.live().paused);
    assert_eq!(table.state.cpu_turn(), None, "nobody thinks in a pause");
    let unpause = Command::Unpause(table.game_now());
    table.gives(ANA, unpause).unwrap();
    table.computer_plays("b1");
    let resign = Command::Resign(table.game_now());
    table.gives(ANA, resign).unwrap();
    table.offers(ANA, OfferKind::Rematch);
    assert_eq!((table.state.phase(), table.state.games()), (Phase::Playing, 2));
    assert_eq!(table.driven(), [Some(7), None], "with seats exchanged");
    assert!(table.state.cpu_turn().is_some());
    table.check();
}

#[test]
fn a_takeback_against_the_computer_goes_back_to_before_ones_own_last_move() {
    let mut table = practice(&timed(FAST), Two);
    let takeback = table.offer(OfferKind::Takeback);
    assert!(
        matches!(table.refuses(ANA, takeback), Refusal::CannotOffer(_)),
        "nothing to take back"
    );
    table.plays(ANA, "a1");
    let turn = table.state.cpu_turn().unwrap();
    table.offers(ANA, OfferKind::Takeback);
    assert_eq!(table.live().game.plies().len(), 0, "while it thinks");
    let late = table.state.decide_cpu(turn, Move::Place("b1".parse().unwrap()), table.now);
    assert!(late.is_err());
    table.plays(ANA, "a2");
    table.computer_plays("b1");
    table.offers(ANA, OfferKind::Takeback);
    assert_eq!(table.live().game.plies().len(), 0, "and after its answer");
    table.check();

    let mut dark = practice(&dark(wire::Collision::Classical, FAST), Two);
    dark.plays(ANA, "a1");
    let takeback = dark.offer(OfferKind::Takeback);
    assert!(matches!(dark.refuses(ANA, takeback), Refusal::CannotOffer(_)));
}

#[test]
fn whoever_gives_up_a_practice_table_closes_it() {
    let mut table = practice(&timed(FAST), Two);
    table.leaves(ANA);
    assert_eq!(table.state.phase(), Phase::Playing, "its game runs");
    table.returns(ANA);
    let abort = Command::Abort(table.game_now());
    table.gives(ANA, abort).unwrap();
    table.leaves(ANA);
    assert_eq!(table.state.phase(), Phase::Closed);
    table.check();
}

#[test]
fn suggestions_are_for_the_seat_to_move_against_the_computer_and_for_nobody_else() {
    let mut table = practice(&timed(FAST), Two);
    let game = table.game_now();
    let asks = |table: &Table, who, game, turn| table.state.check_suggest(id(who), game, turn);
    assert_eq!(asks(&table, ANA, game, 0), Ok(One));
    assert_eq!(asks(&table, BO, game, 0), Err(Refusal::NotSeated));
    assert_eq!(asks(&table, ANA, game_id(9), 0), Err(Refusal::OtherGame(game)));
    assert_eq!(asks(&table, ANA, game, 1), Err(Refusal::StaleTurn { turn: 0 }));
    table.plays(ANA, "a1");
    let not_yours = Err(crate::game::Illegal::NotYourTurn { to_move: Two }.into());
    assert_eq!(asks(&table, ANA, game, 1), not_yours);
    table.offers(ANA, OfferKind::Pause);
    assert_eq!(asks(&table, ANA, game, 1), Err(Refusal::Paused));
    let resign = Command::Resign(game);
    table.gives(ANA, resign).unwrap();
    assert_eq!(asks(&table, ANA, game, 1), Err(crate::game::Illegal::GameOver.into()));

    let among_people = left_to_the_computer(FAST);
    let refused = asks(&among_people, ANA, among_people.game_now(), 2);
    assert!(matches!(refused, Err(Refusal::CannotSuggest(_))));
}
