//! What becomes of a bot that its owner deletes.

use hexhall_proto::codec::Format;
use hexhall_proto::error::CloseCode;
use hexhall_proto::event::Event;
use hexhall_proto::party::{JoinParty, OpenParty, PartyChange};
use hexhall_proto::reply::Reply;
use hexhall_proto::request::{Hello, Open, Request};
use serde_json::Value;

use super::operator::bot;
use super::*;
use crate::harness::http::told;
use crate::harness::{board, fischer, patiently};
use hexhall::remote::Link;

/// Makes a bot of somebody's, and has it enter: its id, and the bot.
async fn bot_enters(hall: &Hall, owner: &Guest) -> (String, Guest) {
    let (id, key) = bot(hall, owner).await;
    let at = hall.address();
    let link = patiently("a connection", Link::dial(&at, Format::Json)).await.unwrap();
    (id, Guest::over(link, Format::Json, Hello { token: Some(key), name: None }).await)
}

#[tokio::test]
async fn a_bot_that_is_deleted_leaves_no_table_behind_that_waits_for_somebody() {
    let hall = Hall::start(Setup::by_hand()).await;
    let at = hall.address();
    let mut ana = Guest::arrive(&at, Format::Json, "Ana").await;
    let bo = Guest::arrive(&at, Format::Json, "Bo").await;
    let (id, mut deep) = bot_enters(&hall, &bo).await;
    let table = deep.open(board(5, fischer(300, 0))).await;
    ana.watch(&table).await;
    let path = format!("/v1/me/bots/{id}");
    assert_eq!(told(&at, "DELETE", &path, &bo.token, Value::Null).await.0, 204);
    assert_eq!(deep.closed().await.0, Some(CloseCode::SignedOut.number()));
    ana.hears(&table, "its table closes", |event| matches!(event, Event::Closed { .. })).await;
}

#[tokio::test]
async fn a_bot_that_is_deleted_hosts_no_longer_though_it_only_watched() {
    let hall = Hall::start(Setup::by_hand()).await;
    let at = hall.address();
    let mut ana = Guest::arrive(&at, Format::Json, "Ana").await;
    let bo = Guest::arrive(&at, Format::Json, "Bo").await;
    let (id, mut deep) = bot_enters(&hall, &bo).await;
    let party = Some(OpenParty::default());
    let open = Open { options: board(5, fischer(300, 0)), private: false, cpu: None, party };
    let Reply::Opened { view, .. } = deep.ask(Request::Open(open)).await else { panic!() };
    let table = view.table;
    let joins = |play| {
        let table = Some(table.clone());
        Request::JoinParty(JoinParty { table, play: Some(play), ..JoinParty::default() })
    };
    ana.ask(joins(true)).await;
    ana.watch(&table).await;
    deep.ask(joins(false)).await;
    let hosts = ana.copy(&table).view().party.as_ref().unwrap().host.clone();
    assert_eq!(hosts.as_deref(), Some(&*id));
    let path = format!("/v1/me/bots/{id}");
    assert_eq!(told(&at, "DELETE", &path, &bo.token, Value::Null).await.0, 204);
    // At once: the time stands still.
    let heir = ana.player.id.clone();
    let is_heir = |change: &PartyChange| matches!(change, PartyChange::HostChanged { player } if player.id == heir);
    ana.hears(
        &table,
        "that she hosts",
        |event| matches!(event, Event::Party { change, .. } if is_heir(change)),
    )
    .await;
}
