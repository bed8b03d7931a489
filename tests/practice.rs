//! Games against the computer in a seat of its own, and what it suggests.

use std::num::NonZeroUsize;
use std::sync::Arc;

use hexhall::chance::Chance;
use hexhall::cpu::pool::PoolOptions;
use hexhall::cpu::seat::House;
use hexhall::cpu::{Level, Pool};
use hexhall::remote::TableCopy;
use hexhall_proto::codec::Format;
use hexhall_proto::error::Code;
use hexhall_proto::event::Event;
use hexhall_proto::options::{OptionsRequest, Preset, Time};
use hexhall_proto::parts::{Cell, Move, OfferKind, Phase, Seat};
use hexhall_proto::reply::{Reply, ReplyFrame};
use hexhall_proto::request::{CpuSeat, Join, Open, Request, Suggest};

use crate::harness::guest::refused_with;
use crate::harness::thinker::{Questions, scripted};
use crate::harness::{FORMATS, Guest, Hall, Setup, board, fischer};

/// Opens a table against the computer.
async fn open_against(
    guest: &mut Guest,
    options: OptionsRequest,
    level: u64,
    seat: Option<Seat>,
) -> String {
    let cpu = Some(CpuSeat { level, seat });
    guest.open_with(Open { options, cpu, ..Open::default() }).await.0
}

/// A guest at a practice table, and the computer, which the test answers for.
async fn practice(options: OptionsRequest) -> (Hall, Guest, String, Questions) {
    let (thinker, computer) = scripted();
    let hall = Hall::start(Setup { thinker, ..Setup::by_hand() }).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let table = open_against(&mut ana, options, 5, None).await;
    (hall, ana, table, computer)
}

fn suggest(guest: &Guest, table: &str) -> Request {
    let game = guest.copy(table).game().unwrap();
    Request::Suggest(Suggest { table: table.into(), game: game.id.clone(), turn: game.turn })
}

fn is_own_turn(copy: &TableCopy) -> bool {
    copy.to_move() == copy.seat()
}

#[tokio::test]
async fn every_preset_is_played_against_the_computer_from_either_seat() {
    let hall = Hall::start(Setup::by_hand()).await;
    for (number, preset) in
        [Preset::Party, Preset::Standard, Preset::Dark, Preset::Custom].into_iter().enumerate()
    {
        for seat in [None, Some(Seat::One), Some(Seat::Two)] {
            let format = FORMATS[number % 2];
            let mut ana = Guest::arrive(&hall.address(), format, "Ana").await;
            let options = OptionsRequest { preset: Some(preset), ..OptionsRequest::default() };
            let table = open_against(&mut ana, options, 3, seat).await;
            let view = ana.copy(&table).view().clone();
            assert_eq!(view.phase, Phase::Playing);
            let computers = seat.unwrap_or(Seat::Two) as usize;
            let computer = view.seats[computers].as_ref().unwrap();
            assert_eq!((&*computer.name, computer.cpu), ("CPU level 3", Some(3)));
            assert!(computer.id.starts_with("plr_"));
            assert_eq!(view.seats[1 - computers].as_ref().unwrap().cpu, None);
            assert!(view.presence.seats[computers].connected);
            for cell in ["c3", "e5"] {
                ana.until(&table, "one's turn", is_own_turn).await;
                ana.play(&table, cell).await;
            }
            ana.until(&table, "one's turn", is_own_turn).await;
            let moves = ana.copy(&table).game().unwrap().moves.clone();
            assert!(moves.len() >= 4);
            assert!(moves.iter().all(|it| it.cpu == (it.seat as usize == computers)), "{moves:?}");
        }
    }
}

#[tokio::test]
async fn nobody_joins_a_practice_table_and_no_other_levels_are_played() {
    let hall = Hall::start(Setup::by_hand()).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let table = open_against(&mut ana, board(3, Time::None {}), 10, None).await;
    let mut bo = Guest::arrive(&hall.address(), Format::MsgPack, "Bo").await;
    for seat in [None, Some(Seat::Two)] {
        let join = Join { table: table.clone(), seat, invitation: None };
        refused_with(&mut bo, Code::SeatTaken, Request::Join(join)).await;
    }
    assert_eq!(bo.watch(&table).await.seats[1].as_ref().unwrap().cpu, Some(10));
    for level in [0, 11] {
        let cpu = Some(CpuSeat { level, seat: None });
        let open = Request::Open(Open { cpu, ..Open::default() });
        let body = refused_with(&mut bo, Code::BadOptions, open).await;
        assert!(body.message.contains("levels from 1 to 10"), "{body:?}");
    }
    let options = OptionsRequest { pass_and_play: Some(true), ..OptionsRequest::default() };
    let cpu = Some(CpuSeat { level: 5, seat: None });
    let open = Request::Open(Open { options, cpu, private: false, party: None });
    refused_with(&mut bo, Code::BadOptions, open).await;
}

#[tokio::test]
async fn the_computer_agrees_to_a_takeback_a_pause_and_a_rematch_at_once() {
    let (hall, mut ana, table, mut computer) = practice(board(3, fischer(300, 0))).await;
    ana.play(&table, "a1").await;
    let question = computer.next().await;
    ana.offer(&table, OfferKind::Takeback).await;
    question.given_up().await;
    ana.until(&table, "the board before", |copy| copy.game().unwrap().moves.is_empty()).await;

    ana.play(&table, "b2").await;
    let question = computer.next().await;
    ana.offer(&table, OfferKind::Pause).await;
    question.given_up().await;
    let unpause = ana.command(&table);
    ana.done(Request::Unpause(unpause)).await;
    computer.play("a3").await;
    ana.until(&table, "its move", is_own_turn).await;
    ana.offer(&table, OfferKind::Takeback).await;
    ana.until(&table, "the board before", |copy| copy.game().unwrap().moves.is_empty()).await;

    let resign = ana.command(&table);
    ana.done(Request::Resign(resign.into())).await;
    ana.offer(&table, OfferKind::Rematch).await;
    let next = |copy: &TableCopy| copy.game().unwrap().number == 2;
    ana.until(&table, "the next game", next).await;
    assert_eq!(ana.copy(&table).seat(), Some(Seat::Two), "seats were exchanged");
    computer.play("c3").await;
    ana.until(&table, "its first move", is_own_turn).await;
    assert_eq!(ana.copy(&table).view().score, [1, 0]);

    let abort = ana.command(&table);
    ana.done(Request::Abort(abort)).await;
    ana.leave(&table).await;
    let mut bo = Guest::arrive(&hall.address(), Format::Json, "Bo").await;
    assert_eq!(bo.watch(&table).await.phase, Phase::Closed);
}

#[tokio::test]
async fn a_suggestion_costs_no_time_and_comes_when_it_is_thought_out() {
    let (hall, mut ana, table, mut computer) = practice(board(3, fischer(300, 0))).await;
    hall.advance(10_000);
    let ask = suggest(&ana, &table);
    let first = ana.send(ask.clone()).await;
    let question = computer.next().await;
    assert_eq!(question.task.level, Level::SUGGESTING, "the table's is 5");
    assert_eq!(question.task.reading.left_ms, Some(290_000));
    // One at a time, and other requests go on.
    refused_with(&mut ana, Code::CannotSuggest, ask.clone()).await;
    hall.advance(1_500);
    assert!(question.answer("b2"));
    let suggestion = Reply::Suggestion { action: Move::Place(Cell(1, 1)), win_percent: Some(63) };
    assert_eq!(ana.some_reply().await, ReplyFrame { re: Some(first), reply: suggestion.clone() });
    let clocks = |event: &Event| matches!(event, Event::Clocks { .. });
    ana.hears(&table, "the clocks", clocks).await;
    assert_eq!(ana.clocks(&table).seats[0].left_ms, 290_000);

    // Another, which comes too late.
    let second = ana.send(ask).await;
    let question = computer.next().await;
    let stone = ana.stone(&table, "b2");
    let moved = ana.send(Request::Move(stone)).await;
    let reply = ana.some_reply().await;
    assert_eq!((reply.re, reply.reply), (Some(moved), Reply::Moved { turn: 1, collision: false }));
    assert!(question.answer("b2"));
    let late = ana.some_reply().await;
    assert!(matches!(late.reply, Reply::Error(body) if body.code == Code::StaleTurn));
    assert_eq!(late.re, Some(second));
    assert_eq!(ana.clocks(&table).seats[0].left_ms, 290_000);
    computer.play("a3").await;
}

#[tokio::test]
async fn a_suggestion_is_no_weaker_than_the_computer_across_the_table() {
    let (thinker, mut computer) = scripted();
    let hall = Hall::start(Setup { thinker, ..Setup::by_hand() }).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let table = open_against(&mut ana, board(3, Time::None {}), 9, None).await;
    let ask = suggest(&ana, &table);
    ana.send(ask).await;
    assert_eq!(computer.next().await.task.level, Level::new(9).unwrap());
}

#[tokio::test]
async fn suggestions_are_made_against_the_computer_alone_and_to_the_seat_to_move() {
    let (hall, mut ana, table, mut computer) = practice(board(3, Time::None {})).await;
    let ask = suggest(&ana, &table);
    ana.play(&table, "b2").await;
    refused_with(&mut ana, Code::StaleTurn, ask).await;
    let ask = suggest(&ana, &table);
    refused_with(&mut ana, Code::NotYourTurn, ask.clone()).await;
    let mut bo = Guest::arrive(&hall.address(), Format::MsgPack, "Bo").await;
    refused_with(&mut bo, Code::NotAtTable, ask.clone()).await;
    bo.watch(&table).await;
    refused_with(&mut bo, Code::NotSeated, ask).await;
    computer.play("a3").await;
    let resign = ana.command(&table);
    ana.done(Request::Resign(resign.into())).await;
    let ask = suggest(&ana, &table);
    refused_with(&mut ana, Code::GameOver, ask).await;

    let among_people = ana.open(board(3, Time::None {})).await;
    bo.join(&among_people).await;
    ana.until(&among_people, "the game", |copy| copy.game().is_some()).await;
    let ask = suggest(&ana, &among_people);
    let body = refused_with(&mut ana, Code::CannotSuggest, ask).await;
    assert!(body.message.contains("games against itself"), "{body:?}");
}

#[tokio::test]
async fn in_dark_hex_a_suggestion_is_made_from_what_the_player_knows() {
    let options = OptionsRequest { preset: Some(Preset::Dark), ..OptionsRequest::default() };
    let (_hall, mut ana, table, mut computer) = practice(options).await;
    ana.play(&table, "f6").await;
    computer.play("a1").await;
    ana.until(&table, "one's turn", is_own_turn).await;
    let ask = suggest(&ana, &table);
    ana.send(ask).await;
    let question = computer.next().await;
    let seen = &question.task.seen;
    assert_eq!((seen.stones.len(), seen.hidden()), (1, 1));
    // A cell that holds a hidden stone may be suggested like any other.
    assert!(question.answer("a1"));
    let reply = ana.some_reply().await.reply;
    assert!(matches!(reply, Reply::Suggestion { action: Move::Place(Cell(0, 0)), .. }));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_game_is_played_against_the_search_itself() {
    let setup = Setup::new();
    let options = PoolOptions { workers: NonZeroUsize::MIN, queue: 16 };
    let (time, chance) = (setup.time.clone(), Chance::seeded([5; 32]));
    let pool = Pool::start(options, time.clone()).unwrap();
    let thinker = Arc::new(House::new(pool.clone(), chance, time, 10_000));
    let hall = Hall::start(Setup { thinker, ..setup }).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let table = open_against(&mut ana, board(4, fischer(60, 1)), 2, None).await;
    while ana.copy(&table).outcome().is_none() {
        let free = ana.copy(&table).game().unwrap().legal_moves.clone();
        let free = free.expect("one's turn");
        let action = ana.action(&table, free[free.len() / 2]);
        let turn = action.turn + 1;
        let moved = ana.ask(Request::Move(action)).await;
        assert_eq!(moved, Reply::Moved { turn, collision: false });
        let goes_on = |copy: &TableCopy| copy.outcome().is_some() || is_own_turn(copy);
        ana.until(&table, "its answer", goes_on).await;
    }
    let moves = &ana.copy(&table).game().unwrap().moves;
    assert!(moves.iter().all(|it| it.cpu == (it.seat == Seat::Two)), "{moves:?}");
    drop(hall);
    tokio::task::spawn_blocking(move || pool.stop()).await.unwrap();
}
