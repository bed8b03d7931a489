//! The browser's files, embedded in the binary.

use axum::Router;
use axum::body::Body;
use axum::extract::Path;
use axum::http::{HeaderMap, Response, StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use rust_embed::{EmbeddedFile, RustEmbed};

use super::etag::{is_known, tag};

#[derive(RustEmbed)]
#[folder = "src/web"]
struct Files;

/// The page that every address of the page leads to.
const INDEX: &str = "index.html";

/// The pages `/`, `/t/{table}`, `/p/{code}`, `/game/{game}`, `/player/{player}` and `/leaderboard`, each
/// file by its path, and the page that says so where there is nothing.
pub fn routes() -> Router {
    Router::new()
        .route("/", get(index))
        .route("/t/{table}", get(index))
        .route("/p/{code}", get(index))
        .route("/game/{game}", get(index))
        .route("/player/{player}", get(index))
        .route("/leaderboard", get(index))
        .route("/{*path}", get(file))
}

async fn index(headers: HeaderMap) -> Response<Body> {
    answer(INDEX, &headers)
}

async fn file(Path(path): Path<String>, headers: HeaderMap) -> Response<Body> {
    if Files::get(&path).is_some() {
        return answer(&path, &headers);
    }
    // The page sees by its address that nothing is there, says so, and leads home. It is sent whole,
    // whatever the browser has of it: a 404 is never "not modified".
    (StatusCode::NOT_FOUND, answer(INDEX, &HeaderMap::new())).into_response()
}

fn answer(path: &str, headers: &HeaderMap) -> Response<Body> {
    let Some(EmbeddedFile { data, metadata }) = Files::get(path) else {
        return (StatusCode::NOT_FOUND, "there is nothing here\n").into_response();
    };
    let tag = tag(&metadata.sha256_hash());
    // Kept by the browser, and asked about each time: a new binary is seen at the next load.
    let caching = [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, "no-cache".to_owned())];
    if is_known(headers, &tag) {
        return (StatusCode::NOT_MODIFIED, caching).into_response();
    }
    let kind = [(header::CONTENT_TYPE, metadata.mimetype().to_owned())];
    (caching, kind, Body::from(data.into_owned())).into_response()
}
