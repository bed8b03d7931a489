//! Leaving, coming back, and being there more than once.

use hexhall::remote::{Link, TableCopy};
use hexhall_proto::codec::Format;
use hexhall_proto::error::Code;
use hexhall_proto::event::{Event, LobbyEvent};
use hexhall_proto::options::Time;
use hexhall_proto::parts::{EndedBy, OfferKind, Outcome, Phase, Seat, Viewer};
use hexhall_proto::reply::{Reply, ServerFrame};
use hexhall_proto::request::{Hello, Request, Watch, WithdrawOffer};
use hexhall_proto::seek::Seek;
use hexhall_proto::view::SeatPresence;
use tokio::net::TcpSocket;

use super::{Party, claimable};
use crate::harness::guest::refused_with;
use crate::harness::{Guest, Setup, board, fischer};

const HERE: SeatPresence =
    SeatPresence { connected: true, countdown_ms: None, claimable: false, cpu: None };

fn gone(countdown_ms: u64) -> SeatPresence {
    SeatPresence { connected: false, countdown_ms: Some(countdown_ms), claimable: false, cpu: None }
}

/// Waits until somebody sees the second seat like that.
async fn sees_two(guest: &mut Guest, table: &str, expected: SeatPresence) {
    let like = |copy: &TableCopy| copy.view().presence.seats[1] == expected;
    guest.until(table, &format!("{expected:?}"), like).await;
}

#[tokio::test]
async fn the_game_of_a_lost_player_can_be_claimed_once_the_countdown_is_over() {
    let mut party = Party::gather(claimable(board(3, fischer(300, 0)))).await;
    let table = party.table.clone();
    party.played(&["a1", "b1"]).await;
    party.two.hang_up();
    sees_two(&mut party.one, &table, gone(30_000)).await;
    sees_two(&mut party.watcher, &table, gone(30_000)).await;
    party.hall.advance(29_999);
    let early = party.one.command(&table);
    refused_with(&mut party.one, Code::CannotClaim, Request::Claim(early)).await;
    party.hall.advance(1);
    let over = SeatPresence { connected: false, countdown_ms: None, claimable: true, cpu: None };
    sees_two(&mut party.one, &table, over).await;
    let claim = party.one.command(&table);
    party.one.done(Request::Claim(claim)).await;
    let forfeit = Outcome { winner: Some(Seat::One), by: EndedBy::Forfeit };
    party.watcher.until(&table, "the end", |copy| copy.outcome() == Some(forfeit)).await;
}

#[tokio::test]
async fn coming_back_ends_the_countdown_and_the_game_goes_on() {
    let mut party = Party::gather(claimable(board(3, fischer(300, 0)))).await;
    let table = party.table.clone();
    party.played(&["a1", "b1"]).await;
    party.two.hang_up();
    sees_two(&mut party.one, &table, gone(30_000)).await;
    party.one.play(&table, "a2").await;
    party.hall.advance(40_000);
    party.two.come_back(&party.hall.address()).await;
    let reply = party.two.resume(&table).await;
    let Reply::Resumed { events, .. } = reply else { panic!("{reply:?}") };
    assert!(matches!(events[..], [ref it] if matches!(it.event, Event::Placed { .. })));
    sees_two(&mut party.one, &table, HERE).await;
    let claim = party.one.command(&table);
    refused_with(&mut party.one, Code::CannotClaim, Request::Claim(claim)).await;
    party.two.play(&table, "b2").await;
    assert_eq!(party.two.clocks(&table).seats[1].left_ms, 260_000, "the clock ran on");
}

#[tokio::test]
async fn whoever_is_gone_may_leave_without_following_the_table_again() {
    let mut party = Party::gather(claimable(board(3, fischer(300, 0)))).await;
    let table = party.table.clone();
    party.played(&["a1", "b1"]).await;
    party.two.hang_up();
    sees_two(&mut party.one, &table, gone(30_000)).await;
    party.two.come_back(&party.hall.address()).await;
    party.two.leave(&table).await;
    sees_two(&mut party.one, &table, gone(10_000)).await;
}

#[tokio::test]
async fn leaving_a_running_game_makes_the_countdown_shorter() {
    let mut party = Party::gather(claimable(board(3, fischer(300, 0)))).await;
    let table = party.table.clone();
    party.played(&["a1", "b1"]).await;
    party.two.leave(&table).await;
    sees_two(&mut party.one, &table, gone(10_000)).await;
    party.hall.advance(10_000);
    let claimable = |copy: &TableCopy| copy.view().presence.seats[1].claimable;
    party.one.until(&table, "a game to claim", claimable).await;
}

#[tokio::test]
async fn whoever_leaves_after_a_game_frees_the_seat_for_somebody_else() {
    let mut party = Party::gather(board(3, Time::None {})).await;
    let table = party.table.clone();
    party.played(&["a1", "b1"]).await;
    party.resigned(Seat::Two).await;
    assert_eq!(party.one.copy(&table).view().score, [1, 0]);
    party.two.leave(&table).await;
    for guest in [&mut party.one, &mut party.watcher] {
        let free = |copy: &TableCopy| copy.view().seats[1].is_none();
        let view = guest.until(&table, "a free seat", free).await.view().clone();
        assert_eq!((view.phase, view.score), (Phase::Waiting, [0, 0]));
    }
    let offer = party.one.proposal(&table, OfferKind::Rematch);
    refused_with(&mut party.one, Code::CannotOffer, Request::Offer(offer)).await;
    party.watcher.join(&table).await;
    assert_eq!(party.watcher.copy(&table).viewer(), Viewer::SeatTwo);
    let second = |copy: &TableCopy| copy.game().unwrap().number == 2;
    party.one.until(&table, "the next game", second).await;
    party.one.play(&table, "b2").await;
    party.watcher.play(&table, "a1").await;
    // The one who left may watch, and not move.
    party.two.watch(&table).await;
    let stone = party.two.stone(&table, "a2");
    refused_with(&mut party.two, Code::NotSeated, Request::Move(stone)).await;
}

#[tokio::test]
async fn two_tabs_of_one_player_see_and_command_one_seat() {
    let mut party = Party::gather(board(3, fischer(300, 0))).await;
    let table = party.table.clone();
    let mut tab = party.one.other_tab(&party.hall.address(), Format::MsgPack).await;
    assert_eq!(tab.player, party.one.player);
    assert_eq!(tab.watch(&table).await.viewer, Viewer::SeatOne);
    tab.play(&table, "a1").await;
    party.one.until(&table, "the other tab's move", |copy| copy.turn() == Some(1)).await;
    party.two.play(&table, "b1").await;
    // Both tabs send what was one press of a button.
    party.one.until(&table, "the answer", |copy| copy.turn() == Some(2)).await;
    tab.until(&table, "the answer", |copy| copy.turn() == Some(2)).await;
    let stone = Request::Move(party.one.stone(&table, "a2"));
    let (first, second) = (party.one.send(stone.clone()).await, tab.send(stone).await);
    assert_eq!(party.one.reply(first).await, Reply::Moved { turn: 3, collision: false });
    assert_eq!(tab.reply(second).await, Reply::Moved { turn: 3, collision: false });
    party.two.until(&table, "one stone", |copy| copy.turn() == Some(3)).await;
    // The seat is there as long as one of them is.
    party.one.hang_up();
    party.two.play(&table, "b2").await;
    tab.play(&table, "a3").await;
    let end = party.two.until(&table, "the end", |copy| copy.outcome().is_some()).await;
    assert!(end.view().presence.seats[0].connected);
    assert_eq!(end.game().unwrap().moves.len(), 5);
}

/// A party of those who read, and another session of seat 1 that can be had to fall behind.
async fn slow_company() -> (Party, Guest) {
    let mut setup = Setup::by_hand();
    setup.config.streams.outbox_messages = 8;
    // Time stands, so falling behind twice would always be within a short time.
    setup.config.streams.slow_again = std::time::Duration::ZERO;
    let party = Party::gather_in(setup, board(53, fischer(300, 0))).await;
    let (table, at) = (party.table.clone(), party.hall.address());
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    let to = format!("{}:{}", at.host(), at.port()).parse().unwrap();
    let stream = socket.connect(to).await.unwrap();
    let link = Link::open(stream, &at, Format::Json).await.unwrap();
    let hello = Hello { token: Some(party.one.token.clone()), name: None };
    let mut slow = Guest::over(link, Format::Json, hello).await;
    slow.watch(&table).await;
    (party, slow)
}

/// Whether it falls behind is the system's affair, which keeps much between one who writes and one
/// who does not read; so it is tried until it does.
async fn falls_behind(slow: &mut Guest, party: &mut Party) {
    let afresh = |frame: &ServerFrame| matches!(frame, ServerFrame::Stream(it) if matches!(it.event, Event::View { .. }));
    let mut rounds = 0;
    while !slow.told.iter().any(afresh) {
        rounds += 1;
        assert!(rounds <= 20, "it never falls behind");
        does_not_read(slow, party).await;
    }
}

#[tokio::test]
async fn a_slow_reader_is_given_a_fresh_view_and_delays_nobody() {
    let (mut party, mut slow) = slow_company().await;
    falls_behind(&mut slow, &mut party).await;
    let table = party.table.clone();
    let kept = slow.copy(&table).timeless();
    slow.watch(&table).await;
    assert_eq!(kept, slow.copy(&table).timeless());
}

#[tokio::test]
async fn a_slow_reader_who_seeks_is_shown_what_they_seek_and_keeps_their_place() {
    let (mut party, mut slow) = slow_company().await;
    let seek = |pool: &str| Request::Seek(Seek { pool: Some(pool.into()), ..Seek::default() });
    let Reply::Seeking { seek: first } = slow.ask(seek("dark-11")).await else { panic!() };
    slow.told.clear();
    falls_behind(&mut slow, &mut party).await;
    let shown = slow.hears_of_lobby("one's seeks", |event| match event {
        LobbyEvent::Seeks { seeks, check: None } => Some(seeks.clone()),
        _ => None,
    });
    let shown: Vec<String> = shown.await.into_iter().map(|own| own.seek).collect();
    assert_eq!(shown, [first]);
    assert!(matches!(party.two.ask(seek("dark-11")).await, Reply::Seeking { .. }));
    party.hall.advance(200);
    let matched = |event: &LobbyEvent| match event {
        LobbyEvent::Matched { table } => Some(table.clone()),
        _ => None,
    };
    let table = slow.hears_of_lobby("a match", matched).await;
    assert_eq!(party.two.hears_of_lobby("a match", matched).await, table);
}

/// Has a session of seat 1 ask for more than the system keeps, and read nothing while others go on
/// as if it was not there; then it reads all that there is.
async fn does_not_read(slow: &mut Guest, party: &mut Party) {
    let table = party.table.clone();
    // Whole views, with every move that the seat may make.
    let watch = Watch { table: table.clone(), invitation: None, last: None };
    let mut asked = Vec::new();
    for _ in 0..200 {
        asked.push(slow.send(Request::Watch(watch.clone())).await);
    }
    for _ in 0..50 {
        let offer = party.one.offer(&table, OfferKind::Pause).await;
        let withdraw =
            WithdrawOffer { table: table.clone(), command: party.one.command_name(), offer };
        party.one.done(Request::Withdraw(withdraw)).await;
        for guest in party.everybody() {
            let closed = |event: &Event| matches!(event, Event::OfferClosed { .. });
            guest.hears(&table, "the offer's end", closed).await;
        }
    }
    for id in asked {
        assert!(matches!(slow.reply(id).await, Reply::View { .. }));
    }
    let seq = party.one.copy(&table).seq();
    slow.until(&table, "what everybody else knows", |copy| copy.seq() == seq).await;
}
