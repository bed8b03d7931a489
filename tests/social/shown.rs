//! What people are shown in the moments in which something changes.

use hexhall_proto::codec::Format;
use hexhall_proto::event::Event;
use hexhall_proto::options::Time;
use hexhall_proto::parts::{OfferKind, Phase, Viewer};
use hexhall_proto::reply::Reply;
use hexhall_proto::request::Request;

use super::{Party, claimable};
use crate::harness::{Guest, Hall, Setup, board, fischer};

#[tokio::test]
async fn whoever_sits_down_is_shown_as_there_from_the_start() {
    let hall = Hall::start(Setup::by_hand()).await;
    let mut one = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let mut two = Guest::arrive(&hall.address(), Format::MsgPack, "Bo").await;
    let table = one.open(board(3, fischer(300, 0))).await;
    assert!(one.copy(&table).view().presence.seats[0].connected, "the host of a new table");
    two.join(&table).await;
    assert!(two.copy(&table).view().presence.seats[1].connected, "who joins, to themselves");
    let started = one.hears(&table, "the start", |event| matches!(event, Event::Started { .. }));
    let Event::Started { view } = started.await.event else { panic!("no start") };
    assert!(view.presence.seats.iter().all(|seat| seat.connected), "{:?}", view.presence);
}

#[tokio::test]
async fn another_tab_of_who_joins_is_shown_the_game_and_no_table_without_one() {
    let hall = Hall::start(Setup::by_hand()).await;
    let mut one = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let mut two = Guest::arrive(&hall.address(), Format::Json, "Bo").await;
    let table = one.open(board(3, Time::None {})).await;
    let mut tab = two.other_tab(&hall.address(), Format::MsgPack).await;
    assert_eq!(tab.watch(&table).await.viewer, Viewer::Spectator);
    two.join(&table).await;
    let shown = tab.hears(&table, "a whole view", |event| matches!(event, Event::View { .. }));
    let Event::View { view } = shown.await.event else { panic!("no view") };
    assert_eq!((view.viewer, view.phase), (Viewer::SeatTwo, Phase::Playing));
    assert!(view.game.is_some());
}

#[tokio::test]
async fn a_countdown_that_ran_out_in_a_pause_is_told_after_it() {
    let mut party = Party::gather(claimable(board(3, fischer(300, 0)))).await;
    let table = party.table.clone();
    party.played(&["a1", "b1"]).await;
    let pause = party.one.offer(&table, OfferKind::Pause).await;
    let agree = party.two.answer(&table, pause, true);
    party.two.done(agree).await;
    party.two.hang_up();
    let seen = |connected: bool, claimable: bool| {
        move |copy: &hexhall::remote::TableCopy| {
            let seat = copy.view().presence.seats[1];
            (seat.connected, seat.claimable) == (connected, claimable)
        }
    };
    party.one.until(&table, "who left", seen(false, false)).await;
    party.hall.advance(60_000);
    let go_on = party.one.command(&table);
    party.one.done(Request::Unpause(go_on)).await;
    party.one.until(&table, "a game to claim", seen(false, true)).await;
}

#[tokio::test]
async fn clocks_are_right_again_after_a_break_that_missed_nothing() {
    let mut party = Party::gather(board(3, fischer(300, 0))).await;
    let table = party.table.clone();
    party.played(&["a1"]).await;
    party.watcher.hang_up();
    party.hall.advance(3_000);
    party.watcher.come_back(&party.hall.address()).await;
    let reply = party.watcher.resume(&table).await;
    let Reply::Resumed { events, clocks: Some(clocks), .. } = reply else { panic!("{reply:?}") };
    assert!(events.is_empty(), "{events:?}");
    assert_eq!(clocks.seats.map(|clock| clock.left_ms), [300_000, 297_000]);
}
