//! What becomes of a bot that its owner deletes.

use hexhall_proto::codec::Format;
use hexhall_proto::error::CloseCode;
use hexhall_proto::event::Event;
use hexhall_proto::request::Hello;
use serde_json::Value;

use super::operator::bot;
use super::*;
use crate::harness::http::told;
use crate::harness::{board, fischer, patiently};
use hexhall::remote::Link;

#[tokio::test]
async fn a_bot_that_is_deleted_leaves_no_table_behind_that_waits_for_somebody() {
    let hall = Hall::start(Setup::by_hand()).await;
    let at = hall.address();
    let mut ana = Guest::arrive(&at, Format::Json, "Ana").await;
    let bo = Guest::arrive(&at, Format::Json, "Bo").await;
    let (id, key) = bot(&hall, &bo).await;
    let link = patiently("a connection", Link::dial(&at, Format::Json)).await.unwrap();
    let greeting = Hello { token: Some(key), name: None };
    let mut deep = Guest::over(link, Format::Json, greeting).await;
    let table = deep.open(board(5, fischer(300, 0))).await;
    ana.watch(&table).await;
    let path = format!("/v1/me/bots/{id}");
    assert_eq!(told(&at, "DELETE", &path, &bo.token, Value::Null).await.0, 204);
    assert_eq!(deep.closed().await.0, Some(CloseCode::SignedOut.number()));
    ana.hears(&table, "its table closes", |event| matches!(event, Event::Closed { .. })).await;
}
