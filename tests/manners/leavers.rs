//! Whoever leaves rated games again and again is not matched for a while.

use hexhall::remote::TableCopy;
use hexhall_proto::error::Code;
use hexhall_proto::options::{OnLeave, OptionsRequest};
use hexhall_proto::parts::{EndedBy, Seat};
use hexhall_proto::request::GameCommand;
use hexhall_proto::seek::{SeekEnd, Unseek};

use super::*;
use crate::harness::fischer;
use crate::harness::guest::refused_with;

/// As long as a seat's time and everything that it may be given.
const TIME_MS: u64 = 400_000;

/// How a game ends for its second player.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    Claimed,
    GoneOnTime,
    ThereOnTime,
    Resigned,
}

fn rated() -> OptionsRequest {
    OptionsRequest {
        size: Some(7),
        time: Some(fischer(300, 0)),
        on_leave: Some(OnLeave::Claim),
        rated: Some(true),
        ..OptionsRequest::default()
    }
}

/// Lets the second player's time run out in a rated game while they have not come back from a
/// restart of the server.
async fn restarts_on_time(hall: &mut Hall, ana: &mut Guest, bo: &mut Guest) {
    let table = ana.open(rated()).await;
    bo.join(&table).await;
    ana.until(&table, "the game", |copy| copy.game().is_some()).await;
    ana.play(&table, "d4").await;
    bo.until(&table, "his turn", |copy| copy.turn() == Some(1)).await;
    hall.advance(290_000);
    bo.play(&table, "a1").await;
    ana.until(&table, "her turn", |copy| copy.turn() == Some(2)).await;
    ana.play(&table, "b2").await;
    ana.hang_up();
    bo.hang_up();
    hall.stop().await;
    hall.start_again().await;
    ana.come_back(&hall.address()).await;
    ana.watch(&table).await;
    let runs = |copy: &TableCopy| {
        let clocks = copy.game().and_then(|game| game.clocks.clone());
        clocks.is_some_and(|clocks| clocks.running.is_some())
    };
    ana.until(&table, "that the clock runs", runs).await;
    hall.advance(20_000);
    let ended = ana.until(&table, "the end", |copy| copy.outcome().is_some()).await;
    assert_eq!(ended.outcome().unwrap().by, EndedBy::Time);
    bo.come_back(&hall.address()).await;
}

#[tokio::test]
async fn whoever_a_restart_has_kept_away_when_their_time_ran_out_has_not_left() {
    let mut hall = Hall::start(Setup::by_hand().kept()).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let mut bo = Guest::arrive(&hall.address(), Format::Json, "Bo").await;
    for _ in 0..2 {
        restarts_on_time(&mut hall, &mut ana, &mut bo).await;
        may_seek(&mut bo).await;
    }
}

/// Plays a rated game that ends so for the second player, who is there afterwards.
async fn plays(hall: &Hall, ana: &mut Guest, bo: &mut Guest, ends: Ends) {
    let table = ana.open(rated()).await;
    bo.join(&table).await;
    ana.until(&table, "the game", |copy| copy.game().is_some()).await;
    ana.play(&table, "d4").await;
    bo.play(&table, "a1").await;
    ana.play(&table, "b2").await;
    let expected = match ends {
        Ends::Claimed => EndedBy::Forfeit,
        Ends::GoneOnTime | Ends::ThereOnTime => EndedBy::Time,
        Ends::Resigned => EndedBy::Resignation,
    };
    if matches!(ends, Ends::Claimed | Ends::GoneOnTime) {
        bo.hang_up();
        let gone = "his absence";
        ana.until(&table, gone, |copy| !copy.view().presence.seats[1].connected).await;
        hall.advance(1);
    }
    match ends {
        Ends::Claimed => {
            hall.advance(60_000);
            let claimable = "a claim";
            ana.until(&table, claimable, |copy| copy.view().presence.seats[1].claimable).await;
            let claim: GameCommand = ana.command(&table);
            ana.done(Request::Claim(claim)).await;
        }
        Ends::GoneOnTime | Ends::ThereOnTime => hall.advance(TIME_MS),
        Ends::Resigned => {
            let resign = bo.command(&table);
            bo.done(Request::Resign(resign.into())).await;
        }
    }
    let ended = ana.until(&table, "the end", |copy| copy.outcome().is_some()).await;
    assert_eq!(ended.outcome().unwrap().by, expected);
    if matches!(ends, Ends::Claimed | Ends::GoneOnTime) {
        bo.come_back(&hall.address()).await;
    }
}

/// Begins a rated game to which the second player does not come, who is back afterwards.
async fn stays_away(hall: &Hall, ana: &mut Guest, bo: &mut Guest, ends: Ends) {
    let table = ana.open(rated()).await;
    bo.join(&table).await;
    ana.until(&table, "the game", |copy| copy.game().is_some()).await;
    ana.play(&table, "d4").await;
    bo.hang_up();
    let gone = "his absence";
    ana.until(&table, gone, |copy| !copy.view().presence.seats[1].connected).await;
    hall.advance(1);
    if ends == Ends::Claimed {
        hall.advance(60_000);
        let claimable = "a claim";
        ana.until(&table, claimable, |copy| copy.view().presence.seats[1].claimable).await;
        let claim: GameCommand = ana.command(&table);
        ana.done(Request::Claim(claim)).await;
    } else {
        hall.advance(TIME_MS);
    }
    let ended = ana.until(&table, "the end", |copy| copy.outcome().is_some()).await;
    assert_eq!(ended.outcome().unwrap().by, EndedBy::NotStarted);
    bo.come_back(&hall.address()).await;
}

#[tokio::test]
async fn whoever_does_not_come_to_a_rated_game_has_left_it_though_it_is_void() {
    let mut hall = Hall::start(Setup::by_hand().kept()).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let mut bo = Guest::arrive(&hall.address(), Format::Json, "Bo").await;
    stays_away(&hall, &mut ana, &mut bo, Ends::GoneOnTime).await;
    may_seek(&mut bo).await;
    stays_away(&hall, &mut ana, &mut bo, Ends::Claimed).await;
    barred(&mut bo, 5 * 60_000).await;
    may_seek(&mut ana).await;
    ana.hang_up();
    bo.hang_up();
    hall.stop().await;
    crate::kill::verify(hall.folder());
}

#[tokio::test]
async fn whoever_was_away_when_somebody_joined_their_table_has_not_left_the_game() {
    let hall = Hall::start(Setup::by_hand()).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let mut bo = Guest::arrive(&hall.address(), Format::Json, "Bo").await;
    for _ in 0..2 {
        let table = ana.open(rated()).await;
        ana.hang_up();
        hall.advance(1);
        hall.misses(&table, &[Seat::One]).await;
        hall.advance(1);
        bo.join(&table).await;
        hall.advance(60_000);
        let claimable = "a claim";
        bo.until(&table, claimable, |copy| copy.view().presence.seats[0].claimable).await;
        let claim = bo.command(&table);
        bo.done(Request::Claim(claim)).await;
        ana.come_back(&hall.address()).await;
    }
    may_seek(&mut ana).await;
}

async fn may_seek(guest: &mut Guest) {
    let seek = seeks(guest, pool("hex-11")).await;
    guest.done(Request::Unseek(Unseek { seek })).await;
}

async fn barred(guest: &mut Guest, left_ms: u64) {
    let refused = refused_with(guest, Code::Barred, Request::Seek(pool("hex-11"))).await;
    assert_eq!(refused.retry_ms, Some(left_ms));
}

#[tokio::test]
async fn the_second_game_that_is_left_costs_five_minutes_and_the_third_fifteen() {
    let mut hall = Hall::start(Setup::by_hand().kept()).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let mut bo = Guest::arrive(&hall.address(), Format::MsgPack, "Bo").await;
    plays(&hall, &mut ana, &mut bo, Ends::GoneOnTime).await;
    may_seek(&mut bo).await;
    plays(&hall, &mut ana, &mut bo, Ends::Claimed).await;
    barred(&mut bo, 5 * 60_000).await;
    may_seek(&mut ana).await;
    // Nor does he answer a seek of somebody else, and a restart forgets nothing.
    let open = seeks(&mut ana, Seek::default()).await;
    let answer = Request::Seek(Seek { answer: Some(open), ..Seek::default() });
    refused_with(&mut bo, Code::Barred, answer).await;
    bo.hang_up();
    ana.hang_up();
    hall.stop().await;
    hall.start_again().await;
    bo.come_back(&hall.address()).await;
    ana.come_back(&hall.address()).await;
    hall.advance(5 * 60_000 - 1);
    barred(&mut bo, 1).await;
    hall.advance(1);
    may_seek(&mut bo).await;
    plays(&hall, &mut ana, &mut bo, Ends::Claimed).await;
    barred(&mut bo, 15 * 60_000).await;
    // Tables are open to him as before, and a day later all is as before the third.
    bo.open(rated()).await;
    hall.advance(24 * 3_600_000);
    may_seek(&mut bo).await;
}

#[tokio::test]
async fn what_somebody_seeks_ends_with_the_game_that_they_left_once_too_often() {
    let hall = Hall::start(Setup::by_hand()).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let mut bo = Guest::arrive(&hall.address(), Format::Json, "Bo").await;
    plays(&hall, &mut ana, &mut bo, Ends::Claimed).await;
    let mut tab = bo.other_tab(&hall.address(), Format::MsgPack).await;
    let seek = seeks(&mut tab, pool("hex-11")).await;
    plays(&hall, &mut ana, &mut bo, Ends::Claimed).await;
    let ended = tab
        .hears_of_lobby("the end of a seek", |event| match event {
            LobbyEvent::SeekEnded { seek, reason } => Some((seek.clone(), *reason)),
            _ => None,
        })
        .await;
    assert_eq!(ended, (seek, SeekEnd::Barred));
    barred(&mut tab, 5 * 60_000).await;
    // Nobody finds a ghost of it.
    let mut cy = Guest::arrive(&hall.address(), Format::Json, "Cy").await;
    seeks(&mut cy, pool("hex-11")).await;
    hall.advance(LOOK_MS);
    seeks(&mut ana, pool("hex-11")).await;
    hall.advance(LOOK_MS);
    assert_eq!(matched(&mut cy).await, matched(&mut ana).await);
}

#[tokio::test]
async fn games_that_were_resigned_or_lost_on_time_at_the_board_bar_nobody() {
    let hall = Hall::start(Setup::by_hand()).await;
    let mut ana = Guest::arrive(&hall.address(), Format::Json, "Ana").await;
    let mut bo = Guest::arrive(&hall.address(), Format::Json, "Bo").await;
    for ends in [Ends::ThereOnTime, Ends::Resigned, Ends::ThereOnTime, Ends::GoneOnTime] {
        plays(&hall, &mut ana, &mut bo, ends).await;
        may_seek(&mut bo).await;
    }
}
