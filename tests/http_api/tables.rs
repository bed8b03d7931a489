//! The public list and a table's view.

use std::collections::BTreeSet;

use axum::http::{Method, StatusCode};
use hexhall::ids::{GameId, TableId};
use hexhall_proto::parts::{Phase, Viewer};
use hexhall_proto::view::View;
use serde_json::Value;

use super::hall::{Hall, tiny};

fn names(list: &Value) -> Vec<String> {
    let tables = list["tables"].as_array().unwrap().iter();
    tables.map(|listing| listing["table"].as_str().unwrap().to_owned()).collect()
}

/// Opens so many tables, one a second: their names, the newest first.
async fn open(hall: &Hall, count: usize) -> Vec<String> {
    let mut opened = Vec::new();
    for _ in 0..count {
        hall.time.advance(1_000);
        let (table, _) = hall.guest("Ada").open(tiny(), false).await;
        opened.insert(0, table.to_string());
    }
    opened
}

#[tokio::test]
async fn public_tables_are_listed_newest_first_and_private_ones_are_not() {
    let hall = Hall::open();
    let opened = open(&hall, 3).await;
    hall.guest("Bo").open(tiny(), true).await;
    let got = hall.get("/v1/tables").await;
    assert_eq!(got.status, StatusCode::OK);
    assert_eq!(got.header("content-type"), "application/json");
    assert_eq!(names(&got.json()), opened);
    assert_eq!(got.json()["next"], Value::Null);
}

#[tokio::test]
async fn pages_follow_each_other_though_the_list_grows_meanwhile() {
    let hall = Hall::open();
    let opened = open(&hall, 5).await;
    let first = hall.get("/v1/tables?limit=2").await.json();
    assert_eq!(names(&first), opened[..2]);
    assert_eq!(first["next"], opened[1]);
    open(&hall, 1).await;
    let after =
        |list: &Value| format!("/v1/tables?limit=2&after={}", list["next"].as_str().unwrap());
    let second = hall.get(&after(&first)).await.json();
    assert_eq!(names(&second), opened[2..4]);
    let third = hall.get(&after(&second)).await.json();
    assert_eq!(names(&third), opened[4..]);
    assert_eq!(third["next"], Value::Null);

    let exact = hall.get(&format!("/v1/tables?limit=2&after={}", opened[2])).await.json();
    assert_eq!((names(&exact), &exact["next"]), (opened[3..].to_vec(), &Value::Null));
}

#[tokio::test]
async fn a_phase_lists_the_tables_that_stand_there() {
    let hall = Hall::open();
    let waiting = open(&hall, 1).await;
    let playing = hall.begin(tiny(), false).await;
    let mut finished = hall.begin(tiny(), false).await;
    finished.play_out().await;
    let list = async |phase: &str| {
        let got = hall.get(&format!("/v1/tables?phase={phase}")).await;
        names(&got.json())
    };
    assert_eq!(list("waiting").await, waiting);
    assert_eq!(list("playing").await, [playing.table.to_string()]);
    assert_eq!(list("finished").await, [finished.table.to_string()]);
    let all: BTreeSet<String> = names(&hall.get("/v1/tables").await.json()).into_iter().collect();
    assert_eq!(all.len(), 3);
}

#[tokio::test]
async fn a_malformed_list_request_is_told_what_would_be_right() {
    let hall = Hall::open();
    let refusals = [
        (
            "phase=closed",
            "phase: unknown variant `closed`, expected one of `waiting`, `playing`, `finished`",
        ),
        ("limit=0", "limit: `limit` is a number from 1 to 200"),
        ("limit=201", "limit: `limit` is a number from 1 to 200"),
        ("limit=", "limit: `limit` is a number from 1 to 200"),
        (
            "after=gam_1",
            "after: `gam_1` is not a table: one looks like `tbl_01ARZ3NDEKTSV4RRFFQ69G5FAV`",
        ),
        ("limit=1&limit=2", "duplicate field `limit`"),
    ];
    for (query, message) in refusals {
        let got = hall.get(&format!("/v1/tables?{query}")).await;
        let refused = got.refused(StatusCode::BAD_REQUEST);
        let message = format!("the query is not understood: {message}");
        assert_eq!(refused, ("bad_request".to_owned(), message));
    }
}

#[tokio::test]
async fn a_table_is_shown_as_its_spectators_see_it() {
    let hall = Hall::open();
    let mut begun = hall.begin(tiny(), false).await;
    begun.play(0, &["a1"]).await;
    let got = hall.get(&format!("/v1/tables/{}", begun.table)).await;
    assert_eq!(got.status, StatusCode::OK);
    let view: View = serde_json::from_str(&got.body).unwrap();
    assert_eq!(view.table, begun.table.to_string());
    assert_eq!((view.viewer, view.phase), (Viewer::Spectator, Phase::Playing));
    let game = view.game.unwrap();
    assert_eq!(game.board, ["r.", ".."]);
    assert_eq!(game.legal_moves, None);
}

#[tokio::test]
async fn a_private_table_is_shown_to_those_with_its_invitation() {
    let hall = Hall::open();
    let (table, invitation) = hall.guest("Ada").open(tiny(), true).await;
    let invitation = invitation.unwrap();
    for query in ["", "?invitation=", "?invitation=guess"] {
        let got = hall.get(&format!("/v1/tables/{table}{query}")).await;
        assert_eq!(got.refused(StatusCode::FORBIDDEN).0, "not_invited");
        assert!(!got.body.contains(&invitation));
    }
    let got = hall.get(&format!("/v1/tables/{table}?invitation={invitation}")).await;
    assert_eq!(got.status, StatusCode::OK);
    assert_eq!(got.json()["private"], true);
    assert!(!got.body.contains(&invitation), "a view does not hand invitations on");
}

#[tokio::test]
async fn a_table_that_is_none_and_one_that_cannot_be_are_told_apart() {
    let hall = Hall::open();
    let table = TableId::from_parts(1, 1);
    let got = hall.get(&format!("/v1/tables/{table}")).await;
    let unknown = ("unknown_table".to_owned(), format!("there is no table {table}"));
    assert_eq!(got.refused(StatusCode::NOT_FOUND), unknown);
    let game = GameId::from_parts(1, 1).to_string();
    for name in ["1", "tbl_", "tbl_01ARZ3NDEKTSV4RRFFQ69G5FA!", "%FF", game.as_str()] {
        let got = hall.get(&format!("/v1/tables/{name}")).await;
        assert_eq!(got.refused(StatusCode::BAD_REQUEST).0, "bad_request", "{name}");
    }
}

#[tokio::test]
async fn a_list_that_is_the_same_is_not_sent_again() {
    let hall = Hall::open();
    open(&hall, 1).await;
    let got = hall.get("/v1/tables").await;
    assert_eq!(got.header("cache-control"), "no-cache");
    let known = [("if-none-match", got.header("etag"))];
    let again = hall.ask(Method::GET, "/v1/tables", &known).await;
    assert_eq!((again.status, again.body.as_str()), (StatusCode::NOT_MODIFIED, ""));
    open(&hall, 1).await;
    let changed = hall.ask(Method::GET, "/v1/tables", &known).await;
    assert_eq!(changed.status, StatusCode::OK);
}
