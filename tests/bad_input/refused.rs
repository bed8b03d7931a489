//! An event that the journal refuses for good: nobody is told of it, its table goes on from what is
//! written, and all others as if nothing had been.

use hexhall_proto::codec::Format;
use hexhall_proto::error::Code;
use hexhall_proto::options::Swap;
use hexhall_proto::reply::Reply;
use hexhall_proto::request::Request;

use super::{Game, no_clock};
use crate::harness::guest::refused_with;
use crate::harness::{FORMATS, Setup, get};

#[tokio::test]
async fn a_move_that_cannot_be_written_is_told_to_nobody_and_may_be_sent_again() {
    for format in FORMATS {
        for setup in [Setup::by_hand(), Setup::by_hand().kept()] {
            let mut game = Game::begin_in(setup, format, no_clock(Swap::Off)).await;
            let (table, faults) = (game.table.clone(), game.hall.faults().clone());
            game.played(&["a1", "b1"]).await;
            let before = game.watcher.watch(&table).await;

            faults.poison(Some(table.parse().unwrap()));
            let stone = Request::Move(game.one.stone(&table, "a2"));
            refused_with(&mut game.one, Code::Busy, stone.clone()).await;
            let seen = game.stranger.watch(&table).await;
            assert_eq!((seen.seq, &seen.game), (before.seq, &before.game));
            // Others play on, and whoever watches over the server is not alarmed.
            let elsewhere = game.stranger.open(no_clock(Swap::Off)).await;
            assert_ne!(elsewhere, table);
            assert_eq!(get(&game.hall.address(), "/readyz").await.0, 200);
            let (_, metrics) = get(&game.hall.address(), "/metrics").await;
            assert!(!metrics.contains("hexhall_journal_failing 1"), "{metrics}");

            faults.poison(None);
            assert_eq!(game.one.ask(stone).await, Reply::Moved { turn: 3, collision: false });
            game.one.until(&table, "the move", |copy| copy.seq() > before.seq).await;
            game.two.until(&table, "the move", |copy| copy.seq() > before.seq).await;
            game.two.play(&table, "b2").await;
        }
    }
}

#[tokio::test]
async fn a_table_whose_first_event_cannot_be_written_does_not_stand() {
    let setup = Setup::by_hand().kept();
    let file = setup.folder.as_ref().unwrap().path().join("hexhall.db");
    let mut game = Game::begin_in(setup, Format::Json, no_clock(Swap::Off)).await;
    let outside = rusqlite::Connection::open(&file).unwrap();
    let trigger = "CREATE TRIGGER poison BEFORE INSERT ON events WHEN NEW.number = 1
        BEGIN SELECT RAISE(ABORT, 'poisoned'); END";
    outside.execute_batch(trigger).unwrap();
    let open = Request::Open(hexhall_proto::request::Open {
        options: no_clock(Swap::Off),
        ..Default::default()
    });
    refused_with(&mut game.stranger, Code::Busy, open.clone()).await;
    game.played(&["a1"]).await;
    outside.execute_batch("DROP TRIGGER poison").unwrap();
    let opened = game.stranger.ask(open).await;
    assert!(matches!(opened, Reply::Opened { .. }), "{opened:?}");
}
