//! Moves that are not played, and moves that come twice.

use hexhall_proto::error::Code;
use hexhall_proto::options::Swap;
use hexhall_proto::parts::{Move, Seat};
use hexhall_proto::reply::Reply;
use hexhall_proto::request::{PlayMove, Request};

use super::{Game, Who, at, no_clock};
use crate::harness::FORMATS;

#[tokio::test]
async fn a_move_that_the_rules_forbid_is_refused_and_told_what_may_be_played() {
    for format in FORMATS {
        let mut game = Game::begin(format, no_clock(Swap::Sides)).await;
        let table = game.table.clone();
        for (row, col) in [(3, 0), (0, 3), (-1, 0), (0, -1), (i64::MAX, i64::MIN), (256, 256)] {
            let off = game.one.action(&table, at(row, col));
            game.refuses(Who::One, Code::OffBoard, Request::Move(off)).await;
        }
        let swap = game.one.action(&table, Move::Swap);
        game.refuses(Who::One, Code::NoSwap, Request::Move(swap)).await;
        game.played(&["b2"]).await;
        let taken = game.two.stone(&table, "b2");
        game.refuses(Who::Two, Code::Occupied, Request::Move(taken.clone())).await;
        let body = game.two.refused(Request::Move(taken)).await;
        let legal = body.legal_moves.unwrap();
        assert_eq!(legal.len(), 9, "eight free cells and the swap");
        assert!(legal.contains(&Move::Swap) && !legal.contains(&at(1, 1)), "{legal:?}");
        game.two.play(&table, "a1").await;
        game.settled().await;
        let swap = game.one.action(&table, Move::Swap);
        game.refuses(Who::One, Code::NoSwap, Request::Move(swap)).await;
        game.one.play(&table, "a2").await;
        game.settled().await;
        let late = game.two.action(&table, Move::Swap);
        game.refuses(Who::Two, Code::NoSwap, Request::Move(late)).await;
    }
}

#[tokio::test]
async fn a_swap_is_refused_where_the_rules_have_none_or_it_was_played() {
    for format in FORMATS {
        let mut game = Game::begin(format, no_clock(Swap::Off)).await;
        game.played(&["b2"]).await;
        let swap = game.two.action(&game.table, Move::Swap);
        game.refuses(Who::Two, Code::NoSwap, Request::Move(swap)).await;

        let mut game = Game::begin(format, no_clock(Swap::Pieces)).await;
        game.played(&["a2"]).await;
        let swap = game.two.action(&game.table, Move::Swap);
        assert_eq!(
            game.two.ask(Request::Move(swap)).await,
            Reply::Moved { turn: 2, collision: false }
        );
        game.settled().await;
        let again = game.one.action(&game.table, Move::Swap);
        game.refuses(Who::One, Code::NoSwap, Request::Move(again)).await;
    }
}

#[tokio::test]
async fn a_move_out_of_turn_or_for_another_turn_is_refused_and_told_which_it_is() {
    for format in FORMATS {
        let mut game = Game::begin(format, no_clock(Swap::Off)).await;
        let table = game.table.clone();
        let early = game.two.stone(&table, "a1");
        game.refuses(Who::Two, Code::NotYourTurn, Request::Move(early.clone())).await;
        let body = game.two.refused(Request::Move(early)).await;
        assert_eq!(body.to_move, Some(Seat::One));
        for turn in [1, 7, u64::MAX] {
            let other = PlayMove { turn, ..game.one.stone(&table, "a1") };
            game.refuses(Who::One, Code::StaleTurn, Request::Move(other)).await;
        }
        game.played(&["a1", "b1"]).await;
        let past = PlayMove { turn: 0, ..game.one.stone(&table, "c1") };
        game.refuses(Who::One, Code::StaleTurn, Request::Move(past.clone())).await;
        assert_eq!(game.one.refused(Request::Move(past)).await.turn, Some(2));
    }
}

#[tokio::test]
async fn a_command_sent_twice_is_answered_twice_and_done_once() {
    for format in FORMATS {
        let mut game = Game::begin(format, no_clock(Swap::Off)).await;
        let stone = Request::Move(game.one.stone(&game.table, "a1"));
        for _ in 0..3 {
            assert_eq!(
                game.one.ask(stone.clone()).await,
                Reply::Moved { turn: 1, collision: false }
            );
        }
        assert_eq!(game.settled().await.game.unwrap().moves.len(), 1);
        game.two.play(&game.table, "b1").await;
        assert_eq!(
            game.one.ask(stone).await,
            Reply::Moved { turn: 1, collision: false },
            "its first answer"
        );
        assert_eq!(game.settled().await.game.unwrap().moves.len(), 2);
    }
}
