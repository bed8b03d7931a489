//! A server that is asked to stop says so, sends everybody away with the code for it, and goes on
//! with every game when it is started again.

use hexhall_proto::codec::Format;
use hexhall_proto::error::CloseCode;
use hexhall_proto::event::{Event, Notice};
use hexhall_proto::options::Time;
use hexhall_proto::parts::{EndedBy, Outcome, Seat};

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::harness::{FORMATS, Guest, Hall, Process, Setup, board, fischer, get, poll};

#[tokio::test]
async fn a_server_that_stops_says_when_to_come_back_and_goes_on_with_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Process::start(folder.path()).await;
    let address = server.address();
    let mut parties = Vec::new();
    for format in FORMATS {
        let mut one = Guest::arrive(&address, format, "Ana").await;
        let mut two = Guest::arrive(&address, format, "Bo").await;
        let mut watcher = Guest::arrive(&address, format, "Cy").await;
        let table = one.open(board(3, fischer(300, 0))).await;
        watcher.watch(&table).await;
        two.join(&table).await;
        one.until(&table, "the game", |copy| copy.game().is_some()).await;
        one.play(&table, "a1").await;
        two.play(&table, "b1").await;
        one.until(&table, "the answer", |copy| copy.turn() == Some(2)).await;
        parties.push((table, one, two, watcher));
    }
    let mut idle = Guest::arrive(&address, Format::Json, "Di").await;

    server.terminate();
    let mut before = Vec::new();
    for (table, one, two, watcher) in &mut parties {
        before.push(one.clocks(table));
        for guest in [one, two, watcher] {
            is_sent_away(guest).await;
        }
    }
    is_sent_away(&mut idle).await;
    assert!(server.ended().await.success());

    server.start_again().await;
    for ((table, one, two, watcher), clocks) in parties.iter_mut().zip(before) {
        for guest in [&mut *one, &mut *two, &mut *watcher] {
            guest.come_back(&address).await;
            guest.resume(table).await;
            let restarted = |event: &Event| matches!(event, Event::Restarted { .. });
            let frame = guest.hears(table, "that the server is back", restarted).await;
            let Event::Restarted { clocks: Some(told) } = frame.event else { unreachable!() };
            assert_eq!(told, clocks, "the time of the last event");
        }
        one.play(table, "a2").await;
        two.play(table, "b2").await;
        one.play(table, "a3").await;
        let won = Outcome { winner: Some(Seat::One), by: EndedBy::Chain };
        for guest in [one, two, watcher] {
            guest.until(table, "the end", |copy| copy.outcome() == Some(won)).await;
        }
    }
}

#[tokio::test]
async fn connections_that_ask_for_nothing_do_not_keep_a_server_from_stopping() {
    let mut hall = Hall::start(Setup::by_hand()).await;
    let address = hall.address();
    let _idle = TcpStream::connect((address.host(), address.port())).await.unwrap();
    let mut half = TcpStream::connect((address.host(), address.port())).await.unwrap();
    half.write_all(b"GET / HTTP/1.1\r\nhost: x\r\n").await.unwrap();
    // An answer on a connection that was opened later: the others have been accepted by then.
    assert_eq!(get(&address, "/healthz").await.0, 200);
    // Nobody moves the time, so that nothing is waited for.
    hall.stop().await;
}

#[tokio::test]
async fn who_was_there_until_the_stop_is_waited_for_a_day_from_then_in_a_game_without_a_clock() {
    const MINUTE_MS: u64 = 60_000;
    let mut hall = Hall::start(Setup::by_hand().kept()).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let mut bo = Guest::arrive(&hall.address(), Format::Json, "Bo").await;
    let table = ana.open(board(3, Time::None {})).await;
    bo.join(&table).await;
    // Nothing looks after who is there before an hour is over.
    hall.advance(50 * MINUTE_MS);
    [&mut ana, &mut bo].into_iter().for_each(Guest::hang_up);
    hall.stop().await;
    // A day after the game's only event, and 23 h 50 min after they were there.
    hall.advance((23 * 60 + 50) * MINUTE_MS);
    hall.start_again().await;
    let mut reader = Guest::arrive(&hall.address(), Format::Json, "Cy").await;
    reader.watch(&table).await;
    hall.advance(MINUTE_MS);
    ana.come_back(&hall.address()).await;
    ana.resume(&table).await;
    ana.play(&table, "a1").await;
}

#[tokio::test]
async fn who_is_there_in_a_game_without_a_clock_is_written_down_every_hour() {
    const HOUR_MS: u64 = 3_600_000;
    let hall = Hall::start(Setup::by_hand()).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let mut bo = Guest::arrive(&hall.address(), Format::Json, "Bo").await;
    let table = ana.open(board(3, Time::None {})).await;
    bo.join(&table).await;
    let id = table.parse().unwrap();
    let written = async || hall.store().table(id).await.unwrap().unwrap().updated_ms;
    let before = written().await;
    hall.advance(HOUR_MS);
    poll("who is there to be written down", async || {
        (written().await == before + HOUR_MS).then_some(())
    })
    .await;
}

async fn is_sent_away(guest: &mut Guest) {
    let (code, notices) = guest.closed().await;
    assert_eq!(code, Some(CloseCode::ShuttingDown.number()));
    let [Notice::Closing { back_in_ms }] = notices[..] else { panic!("{notices:?}") };
    assert!(back_in_ms > 0);
    guest.hang_up();
}
