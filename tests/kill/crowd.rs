//! A crowd in one pool when the server is killed: some play, some have just been matched, some seek.
//! What they were told holds when it comes back, nobody sits twice, and everybody can go on.
//!
//! It is the program that is killed; afterwards the folder is served in this process, on a time that
//! is moved by hand, so that countdowns and clocks can run out.

use std::collections::BTreeSet;

use hexhall::time::TimeSource;
use hexhall_proto::codec::Format;
use hexhall_proto::event::LobbyEvent;
use hexhall_proto::parts::Viewer;
use hexhall_proto::reply::Reply;
use hexhall_proto::request::Request;
use hexhall_proto::seek::Seek;

use super::Dice;
use crate::harness::{FORMATS, Guest, Hall, Process, Setup, poll};
use crate::matching::crowd::{no_ghost_tables, seated, tables};

const PEOPLE: usize = 60;

/// The longest that the server lives on once everybody has asked, in milliseconds.
const LIVES_ON_MS: u64 = 250;

fn seek() -> Request {
    Request::Seek(Seek { pool: Some("hex-11".to_owned()), ..Seek::default() })
}

async fn matched(guest: &mut Guest) -> String {
    let matched = |event: &LobbyEvent| match event {
        LobbyEvent::Matched { table } => Some(table.clone()),
        _ => None,
    };
    guest.hears_of_lobby("a match", matched).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_that_seeks_and_plays_lives_through_a_kill() {
    let mut dice = Dice::new();
    let folder = tempfile::tempdir().unwrap();
    let mut server = Process::start(folder.path()).await;
    let mut people = Vec::new();
    for n in 0..PEOPLE {
        let name = format!("Somebody {n}");
        people.push(Guest::arrive(&server.address(), FORMATS[n % 2], &name).await);
    }
    // The first are told of their tables and begin to play; the others have only asked.
    let mut told = Vec::new();
    let (players, seekers) = people.split_at_mut(PEOPLE / 2);
    for guest in &mut *players {
        let reply = guest.ask(seek()).await;
        assert!(matches!(reply, Reply::Seeking { .. }), "{reply:?}");
    }
    for guest in &mut *players {
        let table = matched(guest).await;
        if guest.watch(&table).await.viewer == Viewer::SeatOne {
            guest.play(&table, "f6").await;
        }
        told.push((guest.player.id.clone(), table));
    }
    for guest in seekers {
        guest.send(seek()).await;
    }
    server.kill_in(dice.up_to(LIVES_ON_MS)).await;
    people.iter_mut().for_each(Guest::hang_up);

    let time = TimeSource::manual(TimeSource::system().now());
    let setup = Setup { time, folder: Some(folder), ..Setup::by_hand() };
    let mut hall = Hall::start(setup).await;
    let at = hall.address();
    let found = tables(&at).await;
    for listing in &found {
        assert!(listing.seats.iter().all(Option::is_some), "half a match: {listing:?}");
    }
    let seats = seated(&found);
    for (player, table) in &told {
        assert_eq!(seats.get(player), Some(table), "what was told holds");
    }

    // A quarter stays away. Whoever has no table seeks again, and whoever has one plays on.
    let mut here = Vec::new();
    for mut guest in people {
        if dice.up_to(3) > 0 {
            guest.come_back(&at).await;
            here.push(guest);
        }
    }
    for guest in &mut here {
        let Some(table) = seats.get(&guest.player.id) else {
            let reply = guest.ask(seek()).await;
            assert!(matches!(reply, Reply::Seeking { .. }), "{reply:?}");
            continue;
        };
        assert_ne!(guest.watch(table).await.viewer, Viewer::Spectator);
        let copy = guest.copy(table);
        let game = copy.game().unwrap();
        if game.to_move == copy.seat() {
            let cell = ["f6", "a1", "k11"][game.moves.len()];
            guest.play(table, cell).await;
        }
    }
    poll("everybody but one at a table", async || {
        hall.advance(200);
        let seats = seated(&tables(&at).await);
        let waiting = here.iter().filter(|guest| !seats.contains_key(&guest.player.id)).count();
        (waiting <= 1).then_some(())
    })
    .await;
    let here_now: BTreeSet<String> = here.iter().map(|guest| guest.player.id.clone()).collect();
    no_ghost_tables(&hall, &here_now).await;
    // Nobody's seek or seat from before is in the way of a newcomer.
    let mut late = Guest::arrive(&at, Format::Json, "Late").await;
    let mut later = Guest::arrive(&at, Format::Json, "Later").await;
    for guest in [&mut late, &mut later] {
        let dark = Seek { pool: Some("dark-11".to_owned()), ..Seek::default() };
        assert!(matches!(guest.ask(Request::Seek(dark)).await, Reply::Seeking { .. }));
    }
    hall.advance(200);
    assert_eq!(matched(&mut late).await, matched(&mut later).await);
    drop((here, late, later));
    hall.stop().await;
}
