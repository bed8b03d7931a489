//! Blocked players are kept apart.

use hexhall::ids::PlayerId;
use hexhall::store::Shun;
use hexhall_proto::error::Code;
use hexhall_proto::options::OptionsRequest;
use hexhall_proto::party::{JoinParty, OpenParty};
use hexhall_proto::request::{Join, Open};

use super::*;
use crate::harness::guest::refused_with;

async fn block(hall: &Hall, by: &Guest, whom: &Guest) {
    let id = |guest: &Guest| -> PlayerId { guest.player.id.parse().unwrap() };
    hall.store().shun(Shun::Block, id(by), id(whom), 1, 500).await.unwrap();
}

fn join(table: &str) -> Request {
    Request::Join(Join { table: table.into(), seat: None, invitation: None })
}

#[tokio::test]
async fn a_blocked_pair_is_not_matched_whoever_of_them_blocked() {
    for first_blocks in [true, false] {
        let hall = Hall::start(Setup::by_hand()).await;
        let at = hall.address();
        let mut ana = Guest::arrive(&at, Format::Json, "Ana").await;
        let mut bo = Guest::arrive(&at, Format::MsgPack, "Bo").await;
        if first_blocks {
            block(&hall, &ana, &bo).await;
        } else {
            block(&hall, &bo, &ana).await;
        }
        seeks(&mut ana, pool("hex-11")).await;
        seeks(&mut bo, pool("hex-11")).await;
        // Ratings alone would have let them play at the first look.
        hall.advance(LOOK_MS);
        hall.advance(LOOK_MS);
        let mut cy = Guest::arrive(&at, Format::Json, "Cy").await;
        seeks(&mut cy, pool("hex-11")).await;
        hall.advance(LOOK_MS);
        assert_eq!(matched(&mut ana).await, matched(&mut cy).await, "the one who waited longest");
        let mut di = Guest::arrive(&at, Format::Json, "Di").await;
        seeks(&mut di, pool("hex-11")).await;
        hall.advance(LOOK_MS);
        assert_eq!(matched(&mut bo).await, matched(&mut di).await, "he waited on");
    }
}

#[tokio::test]
async fn a_blocked_pair_answers_no_seek_of_each_other() {
    let hall = Hall::start(Setup::by_hand()).await;
    let at = hall.address();
    let mut ana = Guest::arrive(&at, Format::Json, "Ana").await;
    let mut bo = Guest::arrive(&at, Format::Json, "Bo").await;
    block(&hall, &ana, &bo).await;
    let open = seeks(&mut ana, Seek::default()).await;
    let answer = Request::Seek(Seek { answer: Some(open), ..Seek::default() });
    refused_with(&mut bo, Code::CannotSeek, answer).await;
    let open = seeks(&mut bo, Seek { options: eleven(), ..Seek::default() }).await;
    let answer = Request::Seek(Seek { answer: Some(open), ..Seek::default() });
    refused_with(&mut ana, Code::CannotSeek, answer).await;
}

fn eleven() -> OptionsRequest {
    OptionsRequest { size: Some(11), ..OptionsRequest::default() }
}

#[tokio::test]
async fn whoever_is_blocked_joins_no_table_where_the_other_sits_and_may_watch() {
    let hall = Hall::start(Setup::by_hand()).await;
    let at = hall.address();
    let mut ana = Guest::arrive(&at, Format::Json, "Ana").await;
    let mut bo = Guest::arrive(&at, Format::Json, "Bo").await;
    let table = ana.open(eleven()).await;
    block(&hall, &ana, &bo).await;
    refused_with(&mut bo, Code::Blocked, join(&table)).await;
    bo.watch(&table).await;
    let his = bo.open(eleven()).await;
    ana.join(&his).await;
    bo.play(&his, "f6").await;
}

#[tokio::test]
async fn whoever_is_blocked_joins_no_party_of_the_other_and_a_member_stays_one() {
    let hall = Hall::start(Setup::by_hand()).await;
    let at = hall.address();
    let mut ana = Guest::arrive(&at, Format::Json, "Ana").await;
    let mut bo = Guest::arrive(&at, Format::Json, "Bo").await;
    let mut cy = Guest::arrive(&at, Format::Json, "Cy").await;
    let party = Some(OpenParty::default());
    let open = Open { party, ..Open::default() };
    let (table, _) = ana.open_with(open).await;
    let code = ana.watch(&table).await.party.unwrap().code;
    let by_code = || {
        let code = Some(code.clone());
        Request::JoinParty(JoinParty { code, table: None, invitation: None, play: None })
    };
    let by_name =
        JoinParty { code: None, table: Some(table.clone()), invitation: None, play: None };
    assert!(matches!(cy.ask(by_code()).await, Reply::View { .. }));
    block(&hall, &ana, &bo).await;
    block(&hall, &ana, &cy).await;
    refused_with(&mut bo, Code::Blocked, by_code()).await;
    refused_with(&mut bo, Code::Blocked, Request::JoinParty(by_name)).await;
    assert!(matches!(cy.ask(by_code()).await, Reply::View { .. }), "she joined before");
}
