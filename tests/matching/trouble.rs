//! Where a match meets a journal that is busy, a player with too many tables, a restart, or nobody.

use hexhall::gateway::routes::LobbyAsk;
use hexhall::ids::TableId;
use hexhall::table::beginning::Listed;
use hexhall_proto::event::Event;
use hexhall_proto::options::{OptionsRequest, Time};
use hexhall_proto::reply::ServerFrame;
use hexhall_proto::request::{Open, Table};
use tokio::task::LocalSet;

use super::*;
use crate::harness::bench::Bench;
use crate::harness::{board, get, poll};

#[tokio::test]
async fn while_the_journal_is_busy_both_wait_and_afterwards_both_sit() {
    let hall = Hall::start(Setup::by_hand()).await;
    let [mut ana, mut bo] = two(&hall, Format::Json).await;
    seeks(&mut ana, pool("hex-11")).await;
    hall.faults().fail_commits(true);
    // What is asked for first is what the journal fails at.
    let open = Request::Open(Open {
        options: board(3, Time::None {}),
        private: false,
        cpu: None,
        party: None,
    });
    let asked = ana.send(open).await;
    poll("a journal that fails", async || {
        (get(&hall.address(), "/readyz").await.0 == 503).then_some(())
    })
    .await;
    seeks(&mut bo, pool("hex-11")).await;
    for _ in 0..8 {
        hall.advance(LOOK_MS);
        lobby_looks(&mut bo).await;
    }
    assert!(bo.told.is_empty(), "nobody is told of half a match: {:?}", bo.told);
    hall.faults().fail_commits(false);
    let opened = ana.reply(asked).await;
    assert!(matches!(opened, Reply::Opened { .. }), "{opened:?}");
    poll("a journal that writes", async || {
        (get(&hall.address(), "/readyz").await.0 == 200).then_some(())
    })
    .await;
    hall.advance(500);
    let table = matched(&mut ana).await;
    assert_eq!(matched(&mut bo).await, table);
    assert_eq!(ana.watch(&table).await.phase, Phase::Playing);
}

#[tokio::test]
async fn whoever_sits_at_too_many_tables_seeks_nothing_and_leaves_the_queue() {
    let mut setup = Setup::by_hand();
    setup.config.limits.enabled = true;
    setup.config.limits.tables_per_guest = 1;
    let hall = Hall::start(setup).await;
    let [mut ana, mut bo] = two(&hall, Format::Json).await;
    let seek = seeks(&mut ana, pool("hex-11")).await;
    ana.open(board(3, Time::None {})).await;
    refused_with(&mut ana, Code::TooManyTables, Request::Seek(pool("dark-11"))).await;
    let waiting = seeks(&mut bo, pool("hex-11")).await;
    hall.advance(LOOK_MS);
    assert_eq!(ended(&mut ana).await, (seek, SeekEnd::TooManyTables));
    assert_eq!(seeks(&mut bo, pool("hex-11")).await, waiting, "the other waits on");
    let mut cy = Guest::arrive(&hall.address(), Format::Json, "Cy").await;
    seeks(&mut cy, pool("hex-11")).await;
    hall.advance(LOOK_MS);
    assert_eq!(matched(&mut bo).await, matched(&mut cy).await);
}

#[tokio::test]
async fn a_restart_ends_all_seeks_and_keeps_the_tables_of_those_who_were_matched() {
    let mut hall = Hall::start(Setup::by_hand().kept()).await;
    let [mut ana, mut bo] = two(&hall, Format::MsgPack).await;
    let table = meet(&hall, &mut ana, &mut bo).await;
    ana.play(&table, "f6").await;
    let mut cy = Guest::arrive(&hall.address(), Format::Json, "Cy").await;
    let before = seeks(&mut cy, pool("dark-11")).await;
    [&mut ana, &mut bo, &mut cy].into_iter().for_each(Guest::hang_up);
    hall.stop().await;
    hall.start_again().await;
    for guest in [&mut ana, &mut bo, &mut cy] {
        guest.come_back(&hall.address()).await;
    }
    assert!(matches!(ana.resume(&table).await, Reply::View { .. } | Reply::Resumed { .. }));
    bo.resume(&table).await;
    bo.play(&table, "a1").await;
    refused_with(&mut cy, Code::UnknownSeek, Request::Unseek(Unseek { seek: before })).await;
    seeks(&mut cy, pool("dark-11")).await;
    let mut di = Guest::arrive(&hall.address(), Format::Json, "Di").await;
    seeks(&mut di, pool("dark-11")).await;
    hall.advance(LOOK_MS);
    assert_eq!(matched(&mut cy).await, matched(&mut di).await);
}

#[tokio::test]
async fn a_table_to_which_neither_comes_ends_and_closes_by_itself() {
    let options = OptionsRequest { time: Some(Time::None {}), ..OptionsRequest::default() };
    let timeless = Seek { options, ..Seek::default() };
    for (seek, ends_ms, by) in [
        (pool("hex-11"), 300_000, EndedBy::NotStarted),
        (pool("party-11"), 60_000, EndedBy::NotStarted),
        (timeless, 24 * 3_600_000, EndedBy::Abandoned),
    ] {
        let hall = Hall::start(Setup::by_hand()).await;
        let [mut ana, mut bo] = two(&hall, Format::Json).await;
        let mut reader = Guest::arrive(&hall.address(), Format::Json, "Cy").await;
        seeks(&mut ana, seek.clone()).await;
        seeks(&mut bo, seek).await;
        hall.advance(LOOK_MS);
        let table = matched(&mut ana).await;
        reader.watch(&table).await;
        ana.hang_up();
        bo.hang_up();
        hall.misses(&table, &[Seat::One, Seat::Two]).await;
        hall.advance(ends_ms + 1_000);
        let ended = |copy: &hexhall::remote::TableCopy| {
            copy.game().is_some_and(|game| game.outcome.is_some())
        };
        let copy = reader.until(&table, "the end of the game", ended).await;
        let outcome = copy.game().unwrap().outcome.unwrap();
        assert_eq!((outcome.winner, outcome.by), (None, by));
        hall.advance(60_000);
        reader.hears(&table, "its end", |event| matches!(event, Event::Closed {})).await;
    }
}

#[tokio::test]
async fn whoever_connects_just_after_their_match_is_told_of_it() {
    let hall = Hall::start(Setup::by_hand()).await;
    let [mut ana, mut bo] = two(&hall, Format::Json).await;
    let table = meet(&hall, &mut ana, &mut bo).await;
    ana.hang_up();
    hall.advance(59_000);
    ana.come_back(&hall.address()).await;
    assert_eq!(matched(&mut ana).await, table);
    ana.hang_up();
    hall.advance(1_000);
    ana.come_back(&hall.address()).await;
    ana.ask(Request::Lobby {}).await;
    assert!(ana.told.is_empty(), "a minute later it is old: {:?}", ana.told);
}

#[tokio::test]
async fn whoever_has_left_the_table_of_their_match_is_not_told_of_it_again() {
    let hall = Hall::start(Setup::by_hand()).await;
    let [mut ana, mut bo] = two(&hall, Format::Json).await;
    let table = meet(&hall, &mut ana, &mut bo).await;
    let abort = ana.command(&table);
    ana.done(Request::Abort(abort)).await;
    let mut early = ana.other_tab(&hall.address(), Format::Json).await;
    early.ask(Request::Lobby {}).await;
    assert!(early.told.is_empty(), "the game is over: {:?}", early.told);
    for guest in [&mut ana, &mut bo] {
        guest.done(Request::Leave(Table { table: table.clone() })).await;
    }
    let mut tab = ana.other_tab(&hall.address(), Format::Json).await;
    tab.ask(Request::Lobby {}).await;
    assert!(tab.told.is_empty(), "{:?}", tab.told);
}

#[tokio::test]
async fn whoever_connects_before_the_lobby_has_heard_that_they_left_is_not_told_of_their_match() {
    let leaving = async {
        let bench = Bench::new();
        let [mut ana, mut bo] = ["Ana", "Bo"].map(|name| bench.sitter(name));
        for sitter in [&mut ana, &mut bo] {
            bench.arrives(sitter);
            bench.put_to_lobby(sitter, LobbyAsk::Seek { wanted: pool("hex-11"), answer: None });
            assert!(matches!(sitter.reply().await, Reply::Seeking { .. }));
        }
        bench.advance(LOOK_MS);
        let Some(ServerFrame::Lobby(LobbyEvent::Matched { table })) = ana.next().await else {
            panic!("no match")
        };
        let table: TableId = table.parse().unwrap();
        // In one turn of the lobby the table tells that nobody sits there, and a session comes.
        let services = bench.tables.services();
        let row = services.store.table(table).await.unwrap().unwrap();
        services.listings.changed(Listed { row, seated: Some([None; 2]), gone: false });
        let mut tab = bench.other_session(&ana);
        bench.arrives(&tab);
        bench.put_to_lobby(&mut tab, LobbyAsk::Unfollow);
        assert_eq!(tab.reply().await, Reply::Done {}, "the first thing that it is told");
    };
    LocalSet::new().run_until(leaving).await;
}
