//! The bench measures what it says: each scenario, small, against a floor and a server of its own.

use std::time::Duration;

use hexhall::bench::cold::Cold;
use hexhall::bench::fanout::Fanout;
use hexhall::bench::idle::Idle;
use hexhall::bench::mixed::Mixed;
use hexhall::bench::moves::Moves;
use hexhall::bench::plan::{Case, StoreKind, Subject, Work};
use hexhall::bench::process::Starter;
use hexhall::bench::reconnect::Reconnect;
use hexhall::bench::{self, Figure, Measurement, Options};
use tokio::runtime::Builder;
use tokio::task::LocalSet;

const BOTH: [Subject; 2] = [Subject::Floor, Subject::Server(StoreKind::Memory)];

/// Measures one case once.
fn measure(work: Work, subjects: &[Subject]) -> Vec<Measurement> {
    let case = Case { name: "small", work, subjects: subjects.into() };
    let program = env!("CARGO_BIN_EXE_hexhall").into();
    let starter = Starter { program, cores: None, dir: std::env::temp_dir() };
    let options = Options { cases: vec![case], runs: 1, server: None, starter };
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let run = bench::run(&options, |_, _, _| {}, |_| {});
    LocalSet::new().block_on(&runtime, run).unwrap().measured
}

#[track_caller]
fn assert_positive(measured: &[Measurement], figures: &[Figure]) {
    for it in measured {
        for &figure in figures {
            let value = it.figure(figure);
            assert!(
                value.is_some_and(|value| value > 0.0),
                "{:?}: {figure:?} {value:?}",
                it.subject
            );
        }
    }
}

#[test]
fn tables_play_at_the_rate_that_is_offered() {
    let moves = Moves {
        tables: 4,
        rate: Some(50.0),
        quiet: Duration::ZERO,
        warm_up: Duration::from_millis(100),
        window: Duration::from_secs(1),
    };
    let measured = measure(Work::Moves(moves), &BOTH);
    assert_eq!(measured.len(), 2);
    assert_positive(&measured, &[Figure::MovesPerSecond, Figure::P50, Figure::P99]);
    for it in &measured {
        // Moves that were due before anything was counted are made up for: no earlier ones than the
        // latest move was late.
        let overdue = 50.0 * it.figure(Figure::P999).unwrap() / 1e6;
        let rate = it.figure(Figure::MovesPerSecond).unwrap();
        assert!(rate <= 60.0 + overdue, "no more than offered: {rate} with {overdue} overdue");
    }
}

#[test]
fn a_saturated_table_plays_game_after_game() {
    let window = Duration::from_secs(2);
    let (quiet, warm_up) = (Duration::ZERO, Duration::ZERO);
    let moves = Moves { tables: 1, rate: None, quiet, warm_up, window };
    let measured = measure(Work::Moves(moves), &BOTH);
    assert_positive(&measured, &[Figure::MovesPerSecond, Figure::CpuPer10kMoves]);
}

#[test]
fn every_spectator_gets_every_move() {
    let fanout = Fanout { spectators: 20, moves: 10, rate: 20.0 };
    let measured = measure(Work::Fanout(fanout), &BOTH);
    assert_positive(&measured, &[Figure::DeliveriesPerSecond, Figure::P99]);
}

#[test]
fn sessions_that_do_nothing_take_memory() {
    let idle = Idle { sessions: 200, window: Duration::from_millis(100) };
    assert_positive(&measure(Work::Idle(idle), &BOTH), &[Figure::ResidentPerSession]);
}

#[test]
fn everybody_comes_back_to_where_they_were() {
    let measured = measure(Work::Reconnect(Reconnect { sessions: 20 }), &BOTH);
    assert_positive(&measured, &[Figure::LastReturned, Figure::P50]);
}

#[test]
fn a_prepared_journal_is_a_hall_of_games_that_go_on() {
    let cold = Cold { tables: 20, each: 5, plies: 11 };
    let measured = measure(Work::Cold(cold), &[Subject::Server(StoreKind::Sqlite)]);
    assert_positive(&measured, &[Figure::Ready, Figure::LastPlaying]);
}

#[test]
fn moves_spectators_and_returns_go_on_at_once() {
    let mixed = Mixed {
        tables: 4,
        rate: 40.0,
        spectators: 5,
        shown: 10.0,
        restless: 4,
        returns: 10.0,
        practice: 2,
        window: Duration::from_secs(1),
    };
    let measured = measure(Work::Mixed(mixed), &BOTH);
    let figures = [Figure::MovesPerSecond, Figure::DeliveriesPerSecond, Figure::ReturnsPerSecond];
    assert_positive(&measured, &figures);
}
