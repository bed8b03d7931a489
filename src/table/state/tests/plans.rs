//! Premoves and conditional moves: what may be planned, when it is played, and what drops it.

pub mod by_hand;

use hexhall_proto::plans::WhyDropped;

use super::*;
use crate::game::{Illegal, Ply};
use crate::table::state::plan::{LONGEST_LINE, MOST_LINES, MOST_MOVES, Plan, PlanError};

fn action(text: &str) -> Move {
    if text == "swap" { Move::Swap } else { Move::Place(text.parse().unwrap()) }
}

/// A plan of a premove, where one is named, and of lines of cells with blanks between them.
fn plan(premove: Option<&str>, lines: &[&str]) -> Plan {
    let line = |line: &&str| line.split_whitespace().map(action).collect();
    Plan { premove: premove.map(action), lines: lines.iter().map(line).collect() }
}

fn premove(cell: &str) -> Plan {
    plan(Some(cell), &[])
}

fn lines(lines: &[&str]) -> Plan {
    plan(None, lines)
}

impl Table {
    fn decides_plan(&self, who: u128, name: &str, turn: u64, plan: Plan) -> Decision {
        let command = CommandId::new(name).unwrap();
        let hand = Hand::default();
        let asking =
            Asking { player: id(who), command: &command, at: self.now, round_trip: 0, hand };
        let game = self.state.game().map_or(game_id(1), |live| live.id);
        self.state.decide_plan(asking, game, turn, plan)
    }

    /// Plans for the turn that is to be answered.
    #[track_caller]
    fn plans(&mut self, who: u128, plan: Plan) {
        self.commands += 1;
        let (name, turn) = (format!("c{}", self.commands), self.live().turn);
        let Decision { events, answer } = self.decides_plan(who, &name, turn, plan);
        assert_eq!(answer, Ok(Answer::Done));
        self.happens(events);
    }

    #[track_caller]
    fn refuses_plan(&self, who: u128, plan: Plan) -> Refusal {
        let turn = self.state.game().map_or(0, |live| live.turn);
        let Decision { events, answer } = self.decides_plan(who, "refused", turn, plan);
        assert_eq!(events, []);
        answer.unwrap_err()
    }

    /// What the last plan was dropped for, after everything that has come due.
    #[track_caller]
    fn drops(&mut self) -> WhyDropped {
        self.wakes();
        assert!(Seat::BOTH.into_iter().all(|seat| self.state.plan(seat).is_none()));
        match self.journal.last() {
            Some(Event::PlanDropped { why, .. }) => *why,
            other => panic!("not dropped: {other:?}"),
        }
    }

    fn cells(&self) -> String {
        let name = |ply: &Ply| match ply.action {
            Move::Place(cell) => cell.to_string(),
            Move::Swap => "swap".into(),
        };
        self.live().game.plies().iter().map(name).collect::<Vec<_>>().join(" ")
    }
}

#[test]
fn a_premove_is_played_as_soon_as_its_turn_comes_and_once() {
    let mut table = Table::game(&small());
    table.plans(BO, premove("b1"));
    assert_eq!(table.state.next_due(table.now).filter(|&due| due <= table.now), None);
    table.at(2_000).plays(ANA, "a1");
    assert_eq!(table.state.next_due(table.now), Some(table.now));
    table.wakes();
    assert_eq!(table.cells(), "a1 b1");
    assert_eq!(table.state.plan(Two), None);
    table.plays(ANA, "c3");
    table.wakes();
    assert_eq!(table.cells(), "a1 b1 c3");
    table.check();
}

#[test]
fn a_planned_move_costs_no_time_and_earns_what_a_turn_earns() {
    let mut table = Table::game(&small());
    table.plans(BO, premove("b1"));
    table.at(2_000).plays(ANA, "a1");
    table.wakes();
    assert_eq!(table.left(), [303_000, 305_000]);
    assert_eq!(table.live().times[1].used_ms, 0);
    assert!(!table.live().times[1].cpu);
    // Where the journal was slow, what the clock ran is charged as to anybody.
    table.at(3_000).plays(ANA, "c3");
    table.plans(ANA, premove("a3"));
    table.at(4_000).plays(BO, "c2");
    table.at(4_250).wakes();
    assert_eq!(table.live().times[4].used_ms, 250);
    table.check();
}

#[test]
fn the_clock_decides_before_a_plan_does() {
    let mut table = Table::under_way(&timed(Time::PerTurn { seconds: 30 }));
    table.plays(ANA, "c3");
    table.plans(ANA, premove("a3"));
    table.plays(BO, "c2");
    table.at(30_000 + 1_000).wakes();
    let by_time = Outcome::Won { winner: Two, by: WonBy::Time };
    assert_eq!((table.outcome(), table.cells()), (Some(by_time), "a1 b1 c3 c2".into()));
    table.check();
}

#[test]
fn a_line_is_played_for_as_long_as_the_other_follows_it() {
    let mut table = Table::game(&small());
    table.plans(BO, lines(&["a1 b1 c3 c1 a3 b3", "a1 b1 c2 c1", "b2 a2"]));
    table.plays(ANA, "a1");
    table.wakes();
    assert_eq!(table.state.plan(Two), Some(&lines(&["c3 c1 a3 b3", "c2 c1"])));
    table.plays(ANA, "c3");
    table.wakes();
    assert_eq!(
        (table.cells(), table.state.plan(Two)),
        ("a1 b1 c3 c1".into(), Some(&lines(&["a3 b3"])))
    );
    table.check();
    table.plays(ANA, "a2");
    assert_eq!(table.drops(), WhyDropped::Unmatched);
    assert_eq!(table.cells(), "a1 b1 c3 c1 a2");
    table.check();
}

#[test]
fn a_line_goes_before_the_premove_which_answers_everything_else() {
    for (theirs, own, rest) in [("a1", "b1", Some(lines(&["c3 c1"]))), ("b2", "c2", None)] {
        let mut table = Table::game(&small());
        table.plans(BO, plan(Some("c2"), &["a1 b1 c3 c1"]));
        table.plays(ANA, theirs);
        table.wakes();
        assert_eq!(table.cells(), format!("{theirs} {own}"));
        assert_eq!(table.state.plan(Two), rest.as_ref());
    }
}

#[test]
fn a_premove_on_a_cell_that_the_other_has_taken_is_dropped() {
    let mut table = Table::game(&small());
    table.plans(BO, premove("a1"));
    table.plays(ANA, "a1");
    assert_eq!(table.drops(), WhyDropped::Illegal);
    assert_eq!(table.cells(), "a1");
    table.check();
}

#[test]
fn a_swap_is_planned_for_where_it_may_come_and_drops_a_premove() {
    for swap in [wire::Swap::Sides, wire::Swap::Pieces] {
        let request = OptionsRequest { swap: Some(swap), ..small() };
        let mut table = Table::game(&request);
        table.plans(BO, premove("swap"));
        table.plays(ANA, "a2");
        table.plans(ANA, premove("c3"));
        table.wakes();
        assert_eq!((table.cells(), table.state.plan(One)), ("a2 swap".into(), None));
        assert_eq!(table.drops(), WhyDropped::Swapped);
        table.check();

        let mut table = Table::game(&request);
        table.plays(ANA, "a2");
        table.plans(ANA, plan(Some("c3"), &["swap b3"]));
        let swaps = table.action(Move::Swap);
        table.gives(BO, swaps).unwrap();
        table.wakes();
        assert_eq!(table.cells(), "a2 swap b3");
        table.check();
    }
}

#[test]
fn whatever_makes_another_position_of_it_drops_a_plan() {
    let planned = || {
        let mut table = Table::under_way(&small());
        table.plays(ANA, "c3");
        table.plans(ANA, premove("a3"));
        table
    };
    let mut table = planned();
    table.plays(BO, "c2");
    table.plays(ANA, "c1");
    assert_eq!(table.drops(), WhyDropped::Moved);
    table.check();

    // One's own last move, and the other's.
    for asker in [ANA, BO] {
        let mut table = planned();
        let offer = table.offers(asker, OfferKind::Takeback);
        table.answers(if asker == ANA { BO } else { ANA }, offer, true);
        assert_eq!(table.drops(), WhyDropped::TakenBack);
        table.check();
    }
    let mut table = planned();
    let resigns = Command::Resign(table.game_now());
    table.gives(BO, resigns).unwrap();
    let over = table.live().clone();
    assert_eq!(table.drops(), WhyDropped::Ended);
    assert_eq!(*table.live(), over);

    let mut table = Table::game(&small());
    table.plans(BO, premove("b1"));
    let aborts = Command::Abort(table.game_now());
    table.gives(ANA, aborts).unwrap();
    assert_eq!(table.drops(), WhyDropped::Ended);
    table.check();
}

#[test]
fn no_plan_gets_into_another_game_or_another_player_s_hands() {
    let over = || {
        let mut table = Table::under_way(&small());
        table.plays(ANA, "c3");
        table.plans(ANA, premove("a3"));
        let resigns = Command::Resign(table.game_now());
        table.gives(BO, resigns).unwrap();
        table
    };
    // The end and what follows are looked at before the plan is.
    let mut table = over();
    let offer = table.offers(ANA, OfferKind::Rematch);
    table.answers(BO, offer, true);
    assert_eq!((table.state.plan(One), table.state.plan(Two)), (None, None));
    assert_eq!(table.due(), []);
    table.check();

    let mut table = over();
    table.leaves(ANA);
    assert_eq!(table.state.plan(One), None);
    table.check();
}

#[test]
fn a_plan_replaces_the_one_before_and_nothing_planned_takes_it_back_at_any_turn() {
    let mut table = Table::game(&small());
    table.plans(BO, lines(&["a1 b1"]));
    table.plans(BO, premove("c2"));
    assert_eq!(table.state.plan(Two), Some(&premove("c2")));
    table.plays(ANA, "a1");
    // It is Bo's turn, but the table has not come to it.
    table.plans(BO, Plan::default());
    assert_eq!((table.state.plan(Two), table.due()), (None, vec![]));
    table.plans(BO, Plan::default());
    table.plays(BO, "c3");
    table.check();
}

#[test]
fn a_plan_sent_again_is_answered_and_not_made_again() {
    let mut table = Table::game(&small());
    let made = table.decides_plan(BO, "once", 0, premove("b1"));
    assert_eq!((made.events.len(), &made.answer), (1, &Ok(Answer::Done)));
    table.happens(made.events);
    table.plays(ANA, "a1");
    table.wakes();
    let again = table.decides_plan(BO, "once", 0, premove("b1"));
    assert_eq!(again, Decision { events: vec![], answer: Ok(Answer::Done) });
    // A planned move has no name that a client could use.
    let cell = table.play("c2");
    table.plays(ANA, "c3");
    assert_eq!(table.state.remembered(id(BO), &CommandId::of_plan(1)), None);
    assert_eq!(table.refuses(BO, cell), Refusal::StaleTurn { turn: 3 });
}

#[test]
fn nothing_is_planned_on_one_s_own_turn_for_another_or_where_there_is_no_game() {
    let mut table = Table::open(&small());
    assert_eq!(table.refuses_plan(ANA, premove("a1")), Refusal::NoGame);
    table.join(BO, None).unwrap();
    assert!(matches!(table.refuses_plan(ANA, premove("a1")), Refusal::CannotPlan(_)));
    assert_eq!(table.refuses_plan(CY, premove("a1")), Refusal::NotSeated);
    let late = table.decides_plan(BO, "late", 1, premove("a1"));
    assert_eq!(late.answer, Err(Refusal::StaleTurn { turn: 0 }));
    let resigns = Command::Resign(table.game_now());
    table.gives(BO, resigns).unwrap();
    assert_eq!(table.refuses_plan(BO, premove("a1")), Illegal::GameOver.into());
}

#[test]
fn nothing_is_planned_in_the_dark() {
    let table = Table::game(&dark(wire::Collision::Classical, Time::None {}));
    assert!(matches!(table.refuses_plan(BO, premove("a1")), Refusal::CannotPlan(_)));
    assert!(matches!(table.refuses_plan(BO, Plan::default()), Refusal::CannotPlan(_)));
}

#[test]
fn what_cannot_be_played_cannot_be_planned() {
    let mut table = Table::game(&small());
    table.plays(ANA, "a1");
    table.plays(BO, "b2");
    table.plays(ANA, "c3");
    let bad = |plan| match table.refuses_plan(ANA, plan) {
        Refusal::BadPlan(error) => error,
        other => panic!("not for what is planned: {other:?}"),
    };
    let off = |premove| matches!(premove, PlanError::Premove(Illegal::OffBoard { .. }));
    assert!(off(bad(premove("d1"))));
    assert!(matches!(bad(premove("a1")), PlanError::Premove(Illegal::Occupied { .. })));
    assert!(matches!(bad(premove("swap")), PlanError::Premove(Illegal::NoSwap(_))));
    let nth = |error| match error {
        PlanError::Line { line, nth, .. } => (line, nth),
        other => panic!("{other:?}"),
    };
    assert_eq!(nth(bad(lines(&["b1 a2", "a2 a1"]))), (2, 2));
    assert_eq!(nth(bad(lines(&["b2 b1"]))), (1, 1));
    assert_eq!(nth(bad(lines(&["a2 a3 a3 b1"]))), (1, 3));
    assert_eq!(nth(bad(lines(&["swap b1"]))), (1, 1));
    assert_eq!(nth(bad(lines(&["a2 d9"]))), (1, 2));
    // Bo joins left and right by this, and nothing comes after.
    assert_eq!(nth(bad(lines(&["a2 b1 c2 c1"]))), (1, 4));
    assert_eq!(bad(lines(&["a2 b1", "a3"])), PlanError::NoAnswer { line: 2 });
    assert_eq!(bad(lines(&[""])), PlanError::NoAnswer { line: 1 });
    let two_ways = PlanError::Contradiction { earlier: 1, line: 3 };
    assert_eq!(bad(lines(&["a2 b1", "b1 a2", "a2 c1"])), two_ways);
    for (error, said) in [
        (
            bad(premove("d1")),
            "the premove cannot be played: rows go from 0 to 2, columns from 0 to 2",
        ),
        (bad(lines(&["a2 a1"])), "move 2 of line 1 cannot be played: a1 is taken by a red stone"),
    ] {
        assert_eq!(error.to_string(), said);
    }
}

#[test]
fn a_plan_has_bounds_which_its_refusal_names() {
    let request = OptionsRequest { size: Some(11), ..timeless() };
    let table = Table::game(&request);
    let cells: Vec<Move> = table.live().game.legal_moves();
    let many = |lines: usize, moves: usize| Plan {
        premove: None,
        lines: (0..lines).map(|line| cells[line..line + moves].to_vec()).collect(),
    };
    let said = |plan: Plan| match plan.check(&table.live().game, Two) {
        Ok(()) => String::new(),
        Err(error) => error.to_string(),
    };
    assert_eq!(said(many(MOST_LINES, 2)), "");
    assert_eq!(said(many(MOST_LINES + 1, 2)), "a plan has at most 30 lines, and this one has 31");
    assert_eq!(said(many(MOST_MOVES / LONGEST_LINE, LONGEST_LINE)), "");
    let long = many(1, LONGEST_LINE + 2);
    assert_eq!(said(long), "line 1 has 22 moves, and a line has at most 20");
    let much = "the lines of a plan have at most 200 moves in all, and these have 220";
    assert_eq!(said(many(MOST_MOVES / LONGEST_LINE + 1, LONGEST_LINE)), much);
}

#[test]
fn a_pause_puts_a_planned_move_off() {
    let mut table = Table::under_way(&small());
    let offer = table.offers(BO, OfferKind::Pause);
    table.plays(ANA, "c3");
    table.plans(ANA, premove("a3"));
    // Bo's move and Ana's answer to his offer come before the table has looked.
    table.plays(BO, "c2");
    table.answers(ANA, offer, true);
    table.at(5_000);
    assert_eq!(table.due(), []);
    assert!(table.state.next_due(table.now).is_none_or(|next| next > table.now));
    let game = table.game_now();
    table.gives(BO, Command::Unpause(game)).unwrap();
    table.wakes();
    assert_eq!(table.cells(), "a1 b1 c3 c2 a3");
    table.check();
}

#[test]
fn what_a_gone_player_has_planned_is_played_before_the_computer_is_asked() {
    let mut table = Table::under_way(&to_the_computer(timeless()));
    table.plans(BO, lines(&["c3 c2 a3 b3"]));
    table.goes(BO, false);
    table.at(60_000).wakes();
    assert_eq!(table.state.taken_over(Two), Some(Level::TAKEOVER));
    table.plays(ANA, "c3");
    assert_eq!(table.state.cpu_turn(), None);
    table.wakes();
    assert_eq!(table.cells(), "a1 b1 c3 c2");
    assert!(!table.live().times[3].cpu, "the player's own move");
    table.plays(ANA, "b3");
    assert_eq!(table.drops(), WhyDropped::Unmatched);
    assert_eq!(table.state.cpu_turn().map(|turn| turn.seat), Some(Two));
    table.check();
}

#[test]
fn two_plans_that_answer_each_other_play_the_game_to_its_end() {
    let mut table = Table::game(&small());
    table.plans(BO, lines(&["a1 b1 a2 b2"]));
    table.plays(ANA, "a1");
    table.plans(ANA, lines(&["b1 a2 b2 a3"]));
    table.wakes();
    let chain = Outcome::Won { winner: One, by: WonBy::Chain };
    assert_eq!((table.cells(), table.outcome()), ("a1 b1 a2 b2 a3".into(), Some(chain)));
    assert_eq!(table.state.score(), [1, 0]);
    assert_eq!((table.state.plan(One), table.state.plan(Two)), (None, None));
    table.check();
}
