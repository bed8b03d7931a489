//! Dark Hex at a table: what a collision does to turns, clocks and answers, and what nobody is told.

use hexhall_proto::event::Event as Told;

use super::*;
use crate::game::{Color, Illegal};
use crate::ids::Seq;
use crate::view::{Viewer, delta, project};

use wire::Collision::{Abrupt, Classical};

const FISCHER: Time = Time::Fischer { initial_s: 300, increment_s: 5, cap_s: None };

/// Red stands on a1, and Bo has just run into it, having thought for 7 s.
fn collided(collision: wire::Collision, time: Time) -> Table {
    let mut table = Table::game(&dark(collision, time));
    table.at(3_000).plays(ANA, "a1");
    table.at(10_000).runs_into(BO, "a1");
    table
}

#[test]
fn a_classical_collision_keeps_the_turn_on_the_same_clock() {
    let mut table = collided(Classical, FISCHER);
    assert_eq!((table.live().turn, table.live().game.to_move()), (2, Some(Two)));
    assert_eq!(table.left(), [302_000, 293_000], "charged, and no increment");
    table.at(14_000).plays(BO, "b1");
    assert_eq!(table.left(), [302_000, 294_000], "the turn is over, and has earned one increment");
    table.check();
}

#[test]
fn an_abrupt_collision_passes_the_turn_and_earns_the_increment() {
    let table = collided(Abrupt, FISCHER);
    assert_eq!((table.live().turn, table.live().game.to_move()), (2, Some(One)));
    assert_eq!(table.left(), [302_000, 298_000]);
    table.check();
}

#[test]
fn a_classical_collision_restarts_no_limit_and_no_period() {
    let mut table = collided(Classical, Time::PerTurn { seconds: 30 });
    assert_eq!(table.left(), [30_000, 23_000]);
    assert!(table.at(32_999).due().is_empty());
    assert!(!table.at(35_000).due().is_empty(), "30 s from the beginning of the turn, and lag");
    let periods = Time::ByoYomi { initial_s: 0, period_s: 10, periods: 3 };
    let table = collided(Classical, periods);
    assert_eq!(table.left(), [10_000, 3_000]);
    table.check();
    let table = collided(Abrupt, periods);
    assert_eq!(table.left(), [10_000, 10_000]);
}

#[test]
fn time_in_the_journal_is_charged_to_nobody_after_a_collision_either() {
    let mut table = Table::game(&dark(Classical, FISCHER));
    table.plays(ANA, "a1");
    let command = table.play("a1");
    let Decision { events, .. } = table.at(1_000).decides(BO, "slow", command);
    table.happens(events);
    assert!(table.state.wants_clock() && !table.state.is_clock_running());
    table.at(9_000).durable();
    assert_eq!(table.at(11_000).left()[1], 300_000 - 1_000 - 2_000);
}

#[test]
fn a_collision_spends_lag_credit_and_refills_none() {
    let credit = |collision| {
        let mut table = Table::game(&dark(collision, FISCHER));
        table.plays(ANA, "a1");
        table.round_trip = 500;
        table.at(5_000).runs_into(BO, "a1");
        table.live().banks[Two.index()].unwrap().credit_ms(Millis::MAX)
    };
    assert_eq!(credit(Classical), 3 * 215 - 500);
    assert_eq!(credit(Abrupt), 3 * 215 - 500 + 215);
}

#[test]
fn a_collision_is_a_seats_first_move() {
    let request = OptionsRequest { first_move_s: Some(20), ..dark(Classical, FISCHER) };
    let mut table = Table::game(&request);
    table.plays(ANA, "a1");
    table.at(10_000).runs_into(BO, "a1");
    let reading = table.live().clock.reading(Two, table.now);
    assert_eq!(reading.first_move_ms, None);
    assert!(table.live().game.is_under_way());
    let refusal = table.refuses(BO, Command::Abort(table.game_now()));
    assert_eq!(refusal, Refusal::CannotAbort);
    table.check();
}

#[test]
fn a_collision_sent_again_is_answered_as_the_first_time_and_reveals_nothing_more() {
    let mut table = Table::game(&dark(Classical, FISCHER));
    table.plays(ANA, "a1");
    let command = table.play("a1");
    let first = table.sends(BO, "once", command);
    assert_eq!(first, Ok(Answer::Moved { turn: 2, collided: true }));
    let number = table.state.number();
    // Even where it now names another cell.
    for again in [command, table.play("b2")] {
        assert_eq!(table.sends(BO, "once", again), first);
    }
    assert_eq!(table.state.number(), number);
    assert_eq!(table.rebuilt().remembered(id(BO), &CommandId::new("once").unwrap()), first.ok());
}

#[test]
fn own_and_found_stones_are_refused_and_a_hidden_one_is_not_told_by_a_refusal() {
    let mut table = collided(Classical, FISCHER);
    let cell: Cell = "a1".parse().unwrap();
    let refusal = table.refuses(BO, table.play("a1"));
    assert_eq!(refusal, Illegal::Occupied { cell, by: crate::game::Color::Red }.into());
    table.plays(BO, "b2");
    assert_eq!(table.refuses(ANA, table.play("a1")), refusal);
    // Out of turn, every cell is refused alike.
    for cell in ["a1", "b2", "c3"] {
        let refusal = table.refuses(BO, table.play(cell));
        assert_eq!(refusal, Illegal::NotYourTurn { to_move: One }.into());
    }
}

#[test]
fn nothing_is_taken_back_in_the_dark() {
    let table = collided(Classical, FISCHER);
    for who in [ANA, BO] {
        let refusal = table.refuses(who, table.offer(OfferKind::Takeback));
        assert!(matches!(refusal, Refusal::CannotOffer(why) if why.contains("Dark Hex")));
    }
}

/// What each viewer is told of the newest event.
fn told(table: &Table) -> [Told; 3] {
    let event = table.journal.last().unwrap();
    let told = |viewer| delta::told(&table.state, event, viewer, Seq(9), 0, table.now).unwrap();
    Viewer::ALL.map(told)
}

#[test]
fn everybody_is_told_of_each_attempt_as_far_as_they_may_know_it() {
    let mut table = Table::game(&dark(Classical, FISCHER));
    table.plays(ANA, "a1");
    let cells = |table: &Table| {
        told(table).map(|told| match told {
            Told::Placed { cell, .. } | Told::Collided { cell, .. } => cell,
            other => panic!("{other:?}"),
        })
    };
    let a1 = Some(crate::wire::cell("a1".parse().unwrap()));
    assert_eq!(cells(&table), [a1, None, None]);
    table.runs_into(BO, "a1");
    assert_eq!(cells(&table), [None, a1, None]);
    let [hit, _, watched] = told(&table);
    assert_eq!(hit, watched, "which stone was hit is not told");
}

#[test]
fn a_chain_uncovers_everything_and_only_with_the_end() {
    let mut table = Table::game(&dark(Abrupt, FISCHER));
    for (who, cell) in [(ANA, "a1"), (BO, "c3"), (ANA, "a2"), (BO, "c1")] {
        table.plays(who, cell);
    }
    let Decision { events, .. } = table.decides(ANA, "last", table.play("a3"));
    let [placed, ended] = &events[..] else { panic!("{events:?}") };
    table.happens(vec![placed.clone()]);
    assert!(matches!(told(&table)[1], Told::Placed { cell: None, to_move: None, .. }));
    table.happens(vec![ended.clone()]);
    for told in told(&table) {
        let Told::Ended { reveal: Some(reveal), winning_path: Some(path), .. } = told else {
            panic!("{told:?}")
        };
        assert_eq!(reveal.board, ["r.b", "r..", "r.b"]);
        assert!(reveal.moves.iter().all(|played| played.cell.is_some()));
        assert_eq!(path.len(), 3);
    }
    let views = Viewer::ALL.map(|it| project::view(&table.state, it, Seq(9), 0, table.now));
    assert!(views.iter().all(|view| view.game.as_ref().unwrap().board == ["r.b", "r..", "r.b"]));
}

#[test]
fn after_any_other_end_the_board_stays_hidden() {
    let resigned = |table: &mut Table| {
        let resign = Command::Resign(table.game_now());
        assert_eq!(table.gives(ANA, resign), Ok(Answer::Done));
    };
    let flagged = |table: &mut Table| table.at(900_000).wakes();
    let claimed = |table: &mut Table| {
        table.goes(ANA, true);
        let claim = Command::Claim(table.game_now());
        assert_eq!(table.at(200_000).gives(BO, claim), Ok(Answer::Done));
    };
    let ends: [fn(&mut Table); 3] = [resigned, flagged, claimed];
    for end in ends {
        let mut table = collided(Classical, FISCHER);
        end(&mut table);
        assert!(table.outcome().is_some());
        for told in told(&table) {
            let hidden = matches!(told, Told::Ended { reveal: None, winning_path: None, .. });
            assert!(hidden, "{told:?}");
        }
        let boards = [["r..", "...", "..."], ["r..", "...", "..."], ["...", "...", "..."]];
        for (viewer, board) in Viewer::ALL.into_iter().zip(boards) {
            let view = project::view(&table.state, viewer, Seq(9), 0, table.now);
            assert_eq!(view.game.unwrap().board, board);
        }
    }
}

/// What is logged of a damaged journal is the text alone, and the source goes to `verify`.
#[test]
fn the_text_of_an_illegal_move_in_a_journal_names_no_stone() {
    let taken = Illegal::Occupied { cell: Cell::new(2, 1), by: Color::Blue };
    let corrupt = Corrupt::from(taken);
    assert!(!corrupt.to_string().contains("b3"), "{corrupt}");
    let source = std::error::Error::source(&corrupt).unwrap().to_string();
    assert!(source.contains("b3"), "{source}");
}
