//! Moves, and every reason for which one is refused.

use super::*;
use crate::game::rules::NoSwap;
use crate::game::{Color, Illegal};

fn at(row: u8, col: u8) -> Move {
    Move::Place(Cell::new(row, col))
}

#[test]
fn a_move_is_answered_with_the_turn_to_answer_next() {
    let mut table = Table::game(&small());
    table.plays(ANA, "a1");
    table.plays(BO, "b2");
    assert_eq!(table.live().turn, 2);
    assert_eq!(table.live().game.plies().len(), 2);
    table.check();
}

#[test]
fn a_move_out_of_turn_is_refused() {
    let mut table = Table::game(&small());
    let refusal = table.refuses(BO, table.play("a1"));
    assert_eq!(refusal, Illegal::NotYourTurn { to_move: One }.into());
    table.plays(ANA, "a1");
    let refusal = table.refuses(ANA, table.play("b1"));
    assert_eq!(refusal, Illegal::NotYourTurn { to_move: Two }.into());
}

#[test]
fn a_move_for_another_turn_is_refused_with_the_turn_to_answer() {
    let table = Table::under_way(&small());
    let (game, action) = (table.game_now(), at(2, 2));
    for turn in [0, 1, 3, u64::MAX] {
        let refusal = table.refuses(ANA, Command::Play { game, turn, action });
        assert_eq!(refusal, Refusal::StaleTurn { turn: 2 });
    }
    // Whoever is not to move learns that first when they answer the right turn.
    let refusal = table.refuses(BO, Command::Play { game, turn: 1, action });
    assert_eq!(refusal, Refusal::StaleTurn { turn: 2 });
}

#[test]
fn a_cell_off_the_board_is_refused_whosever_turn_it_is() {
    let table = Table::game(&small());
    let size = Size::new(3, 3).unwrap();
    for cell in [Cell::new(3, 0), Cell::new(0, 3), Cell::new(255, 255)] {
        for who in [ANA, BO] {
            let refusal = table.refuses(who, table.action(Move::Place(cell)));
            assert_eq!(refusal, Illegal::OffBoard { cell, size }.into());
        }
    }
}

#[test]
fn a_cell_that_no_byte_can_hold_is_off_every_board() {
    let mut largest = small();
    largest.size = Some(53);
    let table = Table::game(&largest);
    for number in [256, i64::MAX, -1, i64::MIN] {
        let cell = crate::wire::read_cell(hexhall_proto::parts::Cell(number, 0));
        let refusal = table.refuses(ANA, table.action(Move::Place(cell)));
        let size = Size::new(53, 53).unwrap();
        assert_eq!(refusal, Illegal::OffBoard { cell: Cell::new(255, 0), size }.into());
    }
}

#[test]
fn a_stone_on_a_taken_cell_is_refused() {
    let mut table = Table::game(&small());
    table.plays(ANA, "a1");
    let refusal = table.refuses(BO, table.play("a1"));
    assert_eq!(refusal, Illegal::Occupied { cell: Cell::new(0, 0), by: Color::Red }.into());
}

#[test]
fn the_swap_is_refused_before_and_after_its_time_and_without_its_rule() {
    let mut table = Table::game(&small());
    let no_swap = |why| Refusal::from(Illegal::NoSwap(why));
    assert_eq!(table.refuses(ANA, table.action(Move::Swap)), no_swap(NoSwap::NotSecondMove));
    table.plays(ANA, "a1");
    let not_yours = Illegal::NotYourTurn { to_move: Two }.into();
    assert_eq!(table.refuses(ANA, table.action(Move::Swap)), not_yours);
    let swap = table.action(Move::Swap);
    assert_eq!(table.gives(BO, swap), Ok(Answer::Moved { turn: 2, collided: false }));
    assert_eq!(table.refuses(ANA, table.action(Move::Swap)), no_swap(NoSwap::NotSecondMove));
    table.check();

    let mut table = Table::game(&OptionsRequest { swap: Some(wire::Swap::Off), ..small() });
    table.plays(ANA, "a1");
    assert_eq!(table.refuses(BO, table.action(Move::Swap)), no_swap(NoSwap::Off));
}

#[test]
fn a_move_in_another_game_is_refused_with_the_game_that_is_on() {
    let table = Table::game(&small());
    let other = Command::Play { game: game_id(99), turn: 0, action: at(0, 0) };
    assert_eq!(table.refuses(ANA, other), Refusal::OtherGame(table.game_now()));
}

#[test]
fn a_move_without_a_game_is_refused() {
    let table = Table::open(&small());
    let play = Command::Play { game: game_id(1), turn: 0, action: at(0, 0) };
    assert_eq!(table.refuses(ANA, play), Refusal::NoGame);
}

#[test]
fn a_move_in_a_pause_is_refused() {
    let mut table = Table::under_way(&small());
    let offer = table.offers(ANA, OfferKind::Pause);
    table.answers(BO, offer, true);
    assert_eq!(table.refuses(ANA, table.play("c3")), Refusal::Paused);
    let stale = Command::Play { game: table.game_now(), turn: 1, action: at(2, 2) };
    assert_eq!(table.refuses(ANA, stale), Refusal::StaleTurn { turn: 2 });
}

#[test]
fn a_move_after_the_end_is_refused() {
    let table = Table::finished(&small());
    assert_eq!(table.refuses(ANA, table.play("c3")), Illegal::GameOver.into());
    assert_eq!(table.refuses(BO, table.play("c3")), Illegal::GameOver.into());
}

#[test]
fn whoever_does_not_sit_there_may_command_nothing() {
    let mut table = Table::under_way(&small());
    let offer = table.offers(ANA, OfferKind::Pause);
    let game = table.game_now();
    for command in [
        table.play("c3"),
        Command::Resign(game),
        Command::Abort(game),
        Command::Claim(game),
        table.offer(OfferKind::Takeback),
        Command::Answer { offer, accept: true },
        Command::Withdraw(offer),
        Command::Unpause(game),
        Command::GiveTime(game),
    ] {
        assert_eq!(table.refuses(CY, command), Refusal::NotSeated);
    }
}

#[test]
fn a_chain_ends_the_game_with_the_move_that_closes_it() {
    let mut table = Table::game(&small());
    for (who, cell) in [(ANA, "b1"), (BO, "a1"), (ANA, "b2"), (BO, "a2"), (ANA, "b3")] {
        table.plays(who, cell);
    }
    assert_eq!(table.outcome(), Some(Outcome::Won { winner: One, by: WonBy::Chain }));
    assert_eq!(table.state.score(), [1, 0]);
    assert_eq!(table.state.phase(), Phase::Finished);
    table.check();
}

#[test]
fn in_rex_the_move_that_closes_a_chain_loses() {
    let mut table = Table::game(&OptionsRequest { goal: Some(wire::Goal::Avoid), ..small() });
    for (who, cell) in [(ANA, "b1"), (BO, "a1"), (ANA, "b2"), (BO, "a2"), (ANA, "b3")] {
        table.plays(who, cell);
    }
    assert_eq!(table.outcome(), Some(Outcome::Won { winner: Two, by: WonBy::Chain }));
    assert_eq!(table.state.score(), [0, 1]);
}

#[test]
fn after_a_swap_of_sides_the_winner_is_the_seat_that_took_the_colour() {
    let mut table = Table::game(&small());
    table.plays(ANA, "b1");
    let swap = table.action(Move::Swap);
    table.gives(BO, swap).unwrap();
    // Bo is red now and needs top to bottom.
    for (who, cell) in [(ANA, "a1"), (BO, "b2"), (ANA, "a2"), (BO, "b3")] {
        table.plays(who, cell);
    }
    assert_eq!(table.outcome(), Some(Outcome::Won { winner: Two, by: WonBy::Chain }));
    assert_eq!(table.state.score(), [0, 1]);
    table.check();
}
