//! A journal that cannot be written: nothing is acknowledged, nobody pays for it, and play goes on
//! once it can.

use hexhall_proto::codec::Format;
use hexhall_proto::error::Code;
use hexhall_proto::options::Swap;
use hexhall_proto::reply::Reply;
use hexhall_proto::request::{Open, Request};

use super::{Game, no_clock};
use crate::harness::guest::refused_with;
use crate::harness::{FORMATS, Setup, board, fischer, get, poll};

#[tokio::test]
async fn a_journal_that_fails_is_told_and_nothing_is_acknowledged_until_it_writes_again() {
    for format in FORMATS {
        let game = Game::begin(format, board(3, fischer(60, 0))).await;
        let faults = game.hall.faults().clone();
        outage(game, "made to fail", || faults.fail_commits(true), |()| faults.fail_commits(false))
            .await;
    }
}

#[tokio::test]
async fn a_full_disk_stops_a_game_and_its_clock_until_there_is_room() {
    let setup = Setup::by_hand().kept();
    let mut game = Game::begin_in(setup, Format::MsgPack, board(3, fischer(60, 0))).await;
    let (table, address) = (game.table.clone(), game.hall.address());
    game.played(&["a1", "b1"]).await;
    game.hall.advance(20_000);
    game.hall.faults().limit_pages(Some(1));
    // The pages that there are have room for a few writes more.
    let open = Request::Open(Open {
        options: no_clock(Swap::Off),
        private: false,
        cpu: None,
        party: None,
    });
    let mut asked = 0;
    let body = loop {
        match get(&address, "/readyz").await {
            (503, body) => break body,
            _ => game.stranger.send(open.clone()).await,
        };
        asked += 1;
    };
    assert!(body.contains("full"), "{body}");
    let stone = Request::Move(game.one.stone(&table, "a2"));
    refused_with(&mut game.one, Code::Busy, stone.clone()).await;
    game.hall.advance(600_000);
    game.hall.faults().limit_pages(None);
    for _ in 0..asked {
        // One that came after the first failure was told to try again.
        match game.stranger.some_reply().await.reply {
            Reply::Opened { .. } => {}
            Reply::Error(body) => assert_eq!(body.code, Code::Busy),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(game.one.ask(stone).await, Reply::Moved { turn: 3, collision: false });
    let clocks = game.settled().await.game.unwrap().clocks.unwrap();
    let left = clocks.seats.map(|seat| seat.left_ms);
    assert_eq!(left, [40_000, 60_000], "the outage is charged to nobody");
    assert_eq!(get(&address, "/readyz").await.0, 200);
}

#[tokio::test]
async fn a_locked_database_stops_a_game_and_its_clock_until_it_is_free() {
    let setup = Setup::by_hand().kept();
    let file = setup.folder.as_ref().unwrap().path().join("hexhall.db");
    let game = Game::begin_in(setup, Format::Json, board(3, fischer(60, 0))).await;
    let lock = || {
        let other = rusqlite::Connection::open(&file).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        other
    };
    outage(game, "locked", lock, drop).await;
}

/// Lets the journal fail for ten minutes in the middle of a turn.
async fn outage<Trouble>(
    mut game: Game,
    why: &str,
    begin: impl FnOnce() -> Trouble,
    end: impl FnOnce(Trouble),
) {
    let (table, address) = (game.table.clone(), game.hall.address());
    game.played(&["a1", "b1"]).await;
    assert_eq!(get(&address, "/readyz").await.0, 200);
    game.hall.advance(20_000);
    let trouble = begin();
    let stone = game.one.stone(&table, "a2");
    let waiting = game.one.send(Request::Move(stone)).await;
    let body = poll("the journal's failure is told", || async {
        let (status, body) = get(&address, "/readyz").await;
        (status == 503).then_some(body)
    })
    .await;
    assert!(body.contains(why), "{body}");
    // Whoever asks for more is told at once to try again.
    let resign = game.two.command(&table);
    refused_with(&mut game.two, Code::Busy, Request::Resign(resign.into())).await;
    game.hall.advance(600_000);
    end(trouble);
    assert_eq!(game.one.reply(waiting).await, Reply::Moved { turn: 3, collision: false });
    let view = game.settled().await.game.unwrap();
    assert_eq!((view.moves.len(), view.outcome), (3, None));
    let left = view.clocks.unwrap().seats.map(|seat| seat.left_ms);
    assert_eq!(left, [40_000, 60_000], "the outage is charged to nobody");
    assert_eq!(get(&address, "/readyz").await.0, 200);
    game.two.play(&table, "b2").await;
    game.one.play(&table, "a3").await;
    assert!(game.settled().await.game.unwrap().outcome.is_some());
}
