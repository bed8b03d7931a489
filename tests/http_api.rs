//! The HTTP API, asked of a router whose tables are real and whose sessions are not.

mod dark;
mod description;
mod games;
mod hall;
mod me;
mod operator;
mod players;
mod presets;
mod tables;

use axum::http::{Method, StatusCode};
use hall::Hall;

#[tokio::test]
async fn whatever_is_not_there_is_refused_in_json() {
    let hall = Hall::open();
    for path in ["/v1", "/v1/", "/v1/table", "/v1/tables/", "/v1/games", "/v1/games/a/b"] {
        for method in [Method::GET, Method::POST] {
            let (code, message) = hall.ask(method, path, &[]).await.refused(StatusCode::NOT_FOUND);
            assert_eq!(code, "not_found");
            assert!(message.contains(&format!("`{path}`")), "{message}");
        }
    }
}

#[tokio::test]
async fn pages_that_take_every_other_address_leave_the_api_its_own() {
    let mut hall = Hall::open();
    hall.router = hexhall::http::pages::routes().merge(hall.router);
    assert_eq!(hall.get("/v1/nowhere").await.refused(StatusCode::NOT_FOUND).0, "not_found");
    assert_eq!(hall.get("/v1").await.refused(StatusCode::NOT_FOUND).0, "not_found");
    assert_eq!(hall.get("/v1/tables").await.header("content-type"), "application/json");
    assert!(hall.get("/").await.header("content-type").starts_with("text/html"));
}

#[tokio::test]
async fn a_wrong_method_is_refused_in_json_with_those_that_are_right() {
    let hall = Hall::open();
    for path in ["/v1/tables", "/v1/tables/tbl_1", "/v1/games/gam_1", "/v1/openapi.json"] {
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
            let got = hall.ask(method.clone(), path, &[]).await;
            let (code, message) = got.refused(StatusCode::METHOD_NOT_ALLOWED);
            assert_eq!(code, "method_not_allowed");
            assert!(message.contains(method.as_str()), "{message}");
            assert_eq!(got.header("allow"), "GET,HEAD");
        }
    }
}

#[tokio::test]
async fn head_tells_what_get_would_without_its_body() {
    let hall = Hall::open();
    let begun = hall.begin(hall::tiny(), false).await;
    let paths = [
        "/v1/tables".to_owned(),
        format!("/v1/tables/{}", begun.table),
        format!("/v1/games/{}.svg", begun.game),
        "/v1/openapi.json".to_owned(),
        "/v1/nowhere".to_owned(),
    ];
    for path in paths {
        let (got, head) = (hall.get(&path).await, hall.ask(Method::HEAD, &path, &[]).await);
        assert_eq!(head.status, got.status);
        assert_eq!(head.body, "");
        assert_eq!(head.headers, got.headers);
        assert_eq!(head.header("content-length"), got.body.len().to_string());
    }
}

#[tokio::test]
async fn a_parameter_that_nobody_reads_is_refused_by_its_name() {
    let hall = Hall::open();
    let begun = hall.begin(hall::tiny(), false).await;
    let paths = [
        "/v1/tables".to_owned(),
        format!("/v1/tables/{}", begun.table),
        format!("/v1/games/{}", begun.game),
        format!("/v1/games/{}.sgf", begun.game),
        "/v1/openapi.json".to_owned(),
    ];
    for path in paths {
        let got = hall.get(&format!("{path}?phases=playing")).await;
        let (code, message) = got.refused(StatusCode::BAD_REQUEST);
        assert_eq!(code, "bad_request");
        assert!(message.contains("unknown field `phases`"), "{message}");
    }
}

#[tokio::test]
async fn a_closed_store_and_a_table_that_cannot_show_itself_are_told_as_passing() {
    let hall = Hall::open();
    let mut begun = hall.begin(hall::tiny(), false).await;
    hall.faults.hold_commits(true);
    begun.players[0].resign_unanswered(begun.table, begun.game).await;
    let view = format!("/v1/tables/{}", begun.table);
    let asking = hall.get(&view);
    let waiting = async {
        // However often it looks: time passes only here.
        loop {
            hall.time.advance(1_000);
            tokio::task::yield_now().await;
        }
    };
    let got = tokio::select! { got = asking => got, () = waiting => unreachable!() };
    assert_eq!(got.refused(StatusCode::SERVICE_UNAVAILABLE).0, "busy");
    assert_eq!(got.header("retry-after"), "1");

    hall.faults.hold_commits(false);
    assert_eq!(hall.get(&view).await.json()["phase"], "finished");

    hall.store.close();
    let got = hall.get(&format!("/v1/games/{}", begun.game)).await;
    assert_eq!(got.refused(StatusCode::SERVICE_UNAVAILABLE).0, "shutting_down");
    assert_eq!(got.header("retry-after"), "1");
}
