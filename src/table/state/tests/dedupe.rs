//! A command takes effect at most once, however often and whenever it comes.

use super::*;
use crate::table::state::answered::REMEMBERED;

/// Every kind of command that is accepted, each at a table made ready for it.
fn every_kind() -> Vec<(&'static str, Table, u128, Command)> {
    let mut kinds = Vec::new();
    let mut kind = |name, table: Table, who, command: fn(&Table) -> Command| {
        let command = command(&table);
        kinds.push((name, table, who, command));
    };
    let offered = |kind| {
        let mut table = Table::under_way(&small());
        assert_eq!(table.offers(ANA, kind), 1);
        table
    };
    kind("play", Table::under_way(&small()), ANA, |table| table.play("c3"));
    kind("resign", Table::under_way(&small()), BO, |table| Command::Resign(table.game_now()));
    kind("abort", Table::game(&small()), BO, |table| Command::Abort(table.game_now()));
    let mut gone = Table::under_way(&small());
    gone.goes(BO, true);
    gone.at(10_000);
    kind("claim", gone, ANA, |table| Command::Claim(table.game_now()));
    kind("offer", Table::under_way(&small()), BO, |table| table.offer(OfferKind::Pause));
    kind("agree by offering", offered(OfferKind::Pause), BO, |table| table.offer(OfferKind::Pause));
    kind("accept", offered(OfferKind::Takeback), BO, |_| Command::Answer {
        offer: 1,
        accept: true,
    });
    kind("decline", offered(OfferKind::Takeback), BO, |_| Command::Answer {
        offer: 1,
        accept: false,
    });
    kind("withdraw", offered(OfferKind::Takeback), ANA, |_| Command::Withdraw(1));
    let mut paused = offered(OfferKind::Pause);
    paused.answers(BO, 1, true);
    kind("unpause", paused, ANA, |table| Command::Unpause(table.game_now()));
    kind("give time", Table::under_way(&small()), ANA, |table| Command::GiveTime(table.game_now()));
    let mut finished = Table::finished(&small());
    assert_eq!(finished.offers(BO, OfferKind::Rematch), 1);
    kind("rematch", finished, ANA, |_| Command::Answer { offer: 1, accept: true });
    kinds
}

#[test]
fn a_command_of_any_kind_that_comes_again_gets_its_first_answer_and_does_nothing() {
    for (name, mut table, who, command) in every_kind() {
        let first = table.sends(who, "once", command);
        assert!(first.is_ok(), "{name}: {first:?}");
        let before = table.state.clone();
        assert_eq!(table.sends(who, "once", command), first, "{name}");
        assert_eq!(table.state, before, "{name} took effect twice");
        table.at(9_000_000);
        assert_eq!(table.decides(who, "once", command).answer, first, "{name}, late");
    }
}

#[test]
fn a_command_of_any_kind_is_known_again_after_a_restart() {
    for (name, mut table, who, command) in every_kind() {
        let first = table.sends(who, "once", command);
        table.check();
        table.state = table.rebuilt();
        let again = table.decides(who, "once", command);
        assert_eq!(again, Decision { events: Vec::new(), answer: first }, "{name}");
    }
}

#[test]
fn the_name_decides_and_not_what_the_command_says() {
    let mut table = Table::under_way(&small());
    let play = table.play("c3");
    table.sends(ANA, "once", play).unwrap();
    let resign = Command::Resign(table.game_now());
    assert_eq!(table.sends(ANA, "once", resign), Ok(Answer::Moved { turn: 3, collided: false }));
    assert_eq!(table.outcome(), None);
    // Each seat has names of its own.
    assert_eq!(table.sends(BO, "once", resign), Ok(Answer::Done));
    assert!(table.outcome().is_some());
}

#[test]
fn a_refused_command_may_come_again_under_its_name() {
    let mut table = Table::game(&small());
    let command = table.play("b2");
    assert!(table.sends(BO, "mine", command).is_err());
    table.plays(ANA, "a1");
    let command = table.play("b2");
    assert_eq!(table.sends(BO, "mine", command), Ok(Answer::Moved { turn: 2, collided: false }));
}

/// Ana's command `first`, and then so many other accepted ones of hers.
fn after_others(others: usize) -> (Table, Command) {
    let mut table = Table::under_way(&small());
    let give = Command::GiveTime(table.game_now());
    assert_eq!(table.sends(ANA, "first", give), Ok(Answer::Done));
    for _ in 0..others {
        assert_eq!(table.gives(ANA, give), Ok(Answer::Done));
        assert_eq!(table.gives(BO, give), Ok(Answer::Done), "the other seat's do not count");
    }
    (table, give)
}

#[test]
fn a_command_is_remembered_through_31_others_and_forgotten_after_32() {
    let (mut table, give) = after_others(REMEMBERED - 1);
    for table in [&table.rebuilt(), &table.state.clone()] {
        let (at, round_trip) = (Stamp(T0), 0);
        let command = &CommandId::new("first").unwrap();
        let asking = Asking { player: id(ANA), command, at, round_trip, hand: Hand::default() };
        assert_eq!(table.decide(asking, give, || unreachable!()).events, []);
    }
    let before = table.left();
    table.sends(ANA, "first", give).unwrap();
    assert_eq!(table.left(), before);

    let (mut table, give) = after_others(REMEMBERED);
    let before = table.left();
    table.sends(ANA, "first", give).unwrap();
    assert_eq!(table.left(), [before[0], before[1] + 15_000]);
    table.check();
}

#[test]
fn what_a_player_was_answered_goes_with_them_to_the_other_seat() {
    let mut table = Table::under_way(&small());
    let play = table.play("c3");
    table.sends(ANA, "once", play).unwrap();
    let resign = Command::Resign(table.game_now());
    table.sends(BO, "bo's", resign).unwrap();
    let rematch = table.offers(ANA, OfferKind::Rematch);
    let answer = Command::Answer { offer: rematch, accept: true };
    table.sends(BO, "again", answer).unwrap();
    assert_eq!(table.seats(), [Some(id(BO)), Some(id(ANA))]);
    for state in [table.rebuilt(), table.state.clone()] {
        table.state = state;
        assert_eq!(table.sends(ANA, "once", play), Ok(Answer::Moved { turn: 3, collided: false }));
        assert_eq!(table.sends(BO, "bo's", resign), Ok(Answer::Done));
        assert_eq!(table.sends(BO, "again", answer), Ok(Answer::Done));
        assert_eq!((table.outcome(), table.live().turn), (None, 0));
    }
}
