//! Finding an opponent over real sockets: seeks, pools, ready checks, and tables that begin with
//! both players in their seats.

mod checks;
pub mod crowd;
mod lists;
mod rated;
mod trouble;

use hexhall_proto::codec::Format;
use hexhall_proto::error::Code;
use hexhall_proto::event::LobbyEvent;
use hexhall_proto::options::OptionsRequest;
use hexhall_proto::parts::{EndedBy, Phase, Seat, Viewer};
use hexhall_proto::reply::Reply;
use hexhall_proto::request::Request;
use hexhall_proto::seek::{RatingRange, Ready, Seek, SeekEnd, Unseek, WantedRange};

use crate::harness::guest::refused_with;
use crate::harness::{FORMATS, Guest, Hall, Setup};

/// A little more than a queue is let rest between two looks.
const LOOK_MS: u64 = 200;

fn pool(name: &str) -> Seek {
    Seek { pool: Some(name.into()), ..Seek::default() }
}

async fn seeks(guest: &mut Guest, seek: Seek) -> String {
    match guest.ask(Request::Seek(seek)).await {
        Reply::Seeking { seek } => seek,
        other => panic!("not seeking: {other:?}"),
    }
}

/// The table that a guest is sent to.
async fn matched(guest: &mut Guest) -> String {
    guest
        .hears_of_lobby("a match", |event| match event {
            LobbyEvent::Matched { table } => Some(table.clone()),
            _ => None,
        })
        .await
}

/// The match that a guest has to answer for.
async fn asked_ready(guest: &mut Guest) -> String {
    guest
        .hears_of_lobby("a ready check", |event| match event {
            LobbyEvent::ReadyCheck(check) => {
                assert_eq!((check.left_ms, check.ready), (10_000, false));
                Some(check.name.clone())
            }
            _ => None,
        })
        .await
}

async fn ended(guest: &mut Guest) -> (String, SeekEnd) {
    guest
        .hears_of_lobby("the end of a seek", |event| match event {
            LobbyEvent::SeekEnded { seek, reason } => Some((seek.clone(), *reason)),
            _ => None,
        })
        .await
}

fn ready(name: &str) -> Request {
    Request::Ready(Ready { name: name.into() })
}

/// Has the lobby look at the time, and be done with what was due.
async fn lobby_looks(guest: &mut Guest) {
    guest.done(Request::LeaveLobby {}).await;
}

async fn two(hall: &Hall, format: Format) -> [Guest; 2] {
    let at = hall.address();
    [Guest::arrive(&at, format, "Ana").await, Guest::arrive(&at, format, "Bo").await]
}

#[tokio::test]
async fn two_in_one_pool_sit_at_one_table_and_their_game_has_begun() {
    for format in FORMATS {
        let hall = Hall::start(Setup::by_hand()).await;
        let [mut ana, mut bo] = two(&hall, format).await;
        seeks(&mut ana, pool("hex-11")).await;
        seeks(&mut ana, pool("dark-11")).await;
        seeks(&mut bo, pool("hex-11")).await;
        hall.advance(LOOK_MS);
        let table = matched(&mut ana).await;
        assert_eq!(matched(&mut bo).await, table);
        let view = ana.watch(&table).await;
        assert_eq!((view.viewer, view.phase), (Viewer::SeatOne, Phase::Playing), "she came first");
        assert_eq!(view.options.rows, 11);
        assert_eq!(bo.watch(&table).await.viewer, Viewer::SeatTwo);
        ana.play(&table, "f6").await;
        bo.play(&table, "a1").await;
        // Her other seek is over as well.
        let mut cy = Guest::arrive(&hall.address(), format, "Cy").await;
        let waiting = seeks(&mut cy, pool("dark-11")).await;
        hall.advance(LOOK_MS);
        cy.done(Request::Unseek(Unseek { seek: waiting.clone() })).await;
        assert_eq!(ended(&mut cy).await, (waiting, SeekEnd::Withdrawn));
    }
}

#[tokio::test]
async fn colours_change_when_the_same_two_are_matched_again() {
    let hall = Hall::start(Setup::by_hand()).await;
    let [mut ana, mut bo] = two(&hall, Format::Json).await;
    let mut seats = Vec::new();
    for _ in 0..2 {
        seeks(&mut ana, pool("hex-11")).await;
        seeks(&mut bo, pool("hex-11")).await;
        hall.advance(LOOK_MS);
        let table = matched(&mut ana).await;
        matched(&mut bo).await;
        seats.push(ana.watch(&table).await.viewer);
    }
    assert_eq!(seats, [Viewer::SeatOne, Viewer::SeatTwo]);
}

#[tokio::test]
async fn a_matched_game_is_aborted_before_both_have_moved() {
    let hall = Hall::start(Setup::by_hand()).await;
    let [mut ana, mut bo] = two(&hall, Format::Json).await;
    let table = meet(&hall, &mut ana, &mut bo).await;
    ana.play(&table, "f6").await;
    let abort = bo.command(&table);
    bo.done(Request::Abort(abort)).await;
    let copy = ana
        .until(&table, "the end", |copy| copy.game().is_some_and(|game| game.outcome.is_some()))
        .await;
    let outcome = copy.game().unwrap().outcome.unwrap();
    assert_eq!((outcome.winner, outcome.by), (None::<Seat>, EndedBy::Aborted));
}

/// Matches two in a pool, who both watch their table.
async fn meet(hall: &Hall, one: &mut Guest, two: &mut Guest) -> String {
    seeks(one, pool("hex-11")).await;
    seeks(two, pool("hex-11")).await;
    hall.advance(LOOK_MS);
    let table = matched(one).await;
    assert_eq!(matched(two).await, table);
    one.watch(&table).await;
    two.watch(&table).await;
    table
}

#[tokio::test]
async fn seeks_are_matched_within_their_range_and_not_across() {
    let hall = Hall::start(Setup::by_hand()).await;
    let [mut ana, mut bo] = two(&hall, Format::MsgPack).await;
    let mut cy = Guest::arrive(&hall.address(), Format::Json, "Cy").await;
    // Whoever has never played has 1500 points.
    let stronger = Some(WantedRange::between(1600, 2000));
    let waiting = seeks(&mut ana, Seek { range: stronger, ..pool("hex-11") }).await;
    seeks(&mut bo, pool("hex-11")).await;
    for _ in 0..25 {
        hall.advance(1_000);
        lobby_looks(&mut ana).await;
    }
    let like = Some(WantedRange::between(1400, 1600));
    seeks(&mut cy, Seek { range: like, ..pool("hex-11") }).await;
    hall.advance(LOOK_MS);
    assert_eq!(matched(&mut cy).await, matched(&mut bo).await);
    ana.done(Request::Unseek(Unseek { seek: waiting.clone() })).await;
    assert_eq!(ended(&mut ana).await, (waiting, SeekEnd::Withdrawn), "she waited all the time");
}

#[tokio::test]
async fn what_cannot_be_sought_is_refused_and_says_what_can() {
    let hall = Hall::start(Setup::by_hand()).await;
    let [mut ana, _bo] = two(&hall, Format::Json).await;
    let body = ana.refused(Request::Seek(Seek { rated: true, ..pool("party-11") })).await;
    assert_eq!(body.code, Code::BadOptions);
    assert!(body.message.contains("`party-11` are never rated"), "{}", body.message);
    let body = ana.refused(Request::Seek(pool("hex-12"))).await;
    assert_eq!(body.code, Code::BadOptions);
    assert!(body.message.contains("hex-11, hex-11-slow"), "{}", body.message);
    let mut alone = Seek::default();
    alone.options.pass_and_play = Some(true);
    refused_with(&mut ana, Code::BadOptions, Request::Seek(alone)).await;
    let between = [(1600, 1400), (0, 4_001), (u64::MAX, u64::MAX)];
    let between = between.map(|(min, max)| WantedRange::between(min, max));
    let half = WantedRange { below: Some(200), ..WantedRange::default() };
    let mixed = WantedRange { min: Some(1_400), ..WantedRange::around(200, 200) };
    let around = [half, mixed, WantedRange::default(), WantedRange::around(4_001, 0)];
    for range in between.into_iter().chain(around) {
        let range = Some(range);
        let seek = Request::Seek(Seek { range, ..pool("hex-11") });
        refused_with(&mut ana, Code::BadRequest, seek).await;
    }
    let size = OptionsRequest { size: Some(13), ..OptionsRequest::default() };
    let answer = Some("sek_01J8ZD11B3F5H7K9N0Q2S4V6XZ".to_owned());
    for (both, seek) in [
        (["pool", "options"], Seek { options: size.clone(), ..pool("hex-11") }),
        (["answer", "pool"], Seek { answer: answer.clone(), ..pool("hex-11") }),
        (["answer", "options"], Seek { answer: answer.clone(), options: size, ..Seek::default() }),
        (["answer", "rated"], Seek { answer, rated: true, ..Seek::default() }),
    ] {
        let body = ana.refused(Request::Seek(seek)).await;
        assert_eq!(body.code, Code::BadRequest);
        for named in both {
            assert!(body.message.contains(&format!("`{named}`")), "{}", body.message);
        }
    }
    let unknown = "sek_01J8ZD11B3F5H7K9N0Q2S4V6XZ".to_owned();
    let answer = Seek { answer: Some(unknown.clone()), ..Seek::default() };
    refused_with(&mut ana, Code::UnknownSeek, Request::Seek(answer)).await;
    let unseek = Request::Unseek(Unseek { seek: unknown });
    refused_with(&mut ana, Code::UnknownSeek, unseek).await;
    refused_with(&mut ana, Code::NoMatch, ready("mat_01J8ZD2Z9Y7X5W3V1T0S8R6Q4P")).await;
    for name in ["hex-11", "hex-11-slow", "hex-14"] {
        let first = seeks(&mut ana, pool(name)).await;
        assert_eq!(seeks(&mut ana, pool(name)).await, first, "asked again, it is the same seek");
    }
    refused_with(&mut ana, Code::TooManySeeks, Request::Seek(pool("dark-11"))).await;
}

#[tokio::test]
async fn a_range_around_ones_own_rating_is_that_of_the_moment_one_seeks() {
    let hall = Hall::start(Setup::by_hand()).await;
    let [mut ana, mut bo] = two(&hall, Format::MsgPack).await;
    let near =
        |below, above| Seek { range: Some(WantedRange::around(below, above)), ..Seek::default() };
    // Whoever has never played has 1500 points.
    let seek = seeks(&mut ana, near(100, 4_000)).await;
    assert_eq!(seeks(&mut ana, near(100, 4_000)).await, seek, "it is the same seek");
    let Reply::Lobby { seeks: listed, .. } = bo.ask(Request::Lobby {}).await else { panic!() };
    assert_eq!(listed[0].range, Some(RatingRange { min: 1_400, max: 4_000 }));
    seeks(&mut bo, near(0, 0)).await;
    hall.advance(LOOK_MS);
    assert_eq!(matched(&mut ana).await, matched(&mut bo).await);
}
