//! The one port: pages, health, metrics, and the door to the gateway.
//!
//! Owns what holds for every request but a session's: headers that keep browsers safe, deadlines,
//! sizes, a pace for each address, and a log line without query strings, cookies or tokens. The API's own routes are merged
//! in by whoever wires the server.

pub mod api;
mod etag;
pub mod health;
pub mod pace;
pub mod pages;
pub mod port;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{any, get};
use metrics_exporter_prometheus::PrometheusHandle;
use tower_http::compression::CompressionLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;
use tower_http::trace::{DefaultOnFailure, DefaultOnResponse, TraceLayer};
use tracing::{Level, Span};

use self::api::problem::in_shape;
use self::pace::{Pace, keep_pace};
use crate::gateway::upgrade::upgrade;
use crate::gateway::{Gateway, Routes};

pub use health::Readiness;
pub use port::serve;

/// The largest body of a request, in bytes. What reads one reads less of it.
const MOST_BODY: usize = 256 * 1024;

/// The longest that a request may take.
const LONGEST: Duration = Duration::from_secs(15);

/// All that the port serves. `api` are further routes, which get the same treatment, and are asked at
/// this pace.
pub fn router<R: Routes>(
    gateway: Arc<Gateway<R>>,
    readiness: Readiness,
    metrics: PrometheusHandle,
    pace: Arc<Pace>,
    api: Router,
) -> Router {
    let rest = Router::new()
        .route("/healthz", get(health::alive))
        .route("/readyz", get(move || health::ready(readiness.clone())))
        .route("/metrics", get(move || health::metrics(metrics.clone())))
        .merge(pages::routes())
        .merge(api.layer(from_fn_with_state(pace, keep_pace)))
        .layer(CompressionLayer::new())
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, LONGEST))
        .layer(RequestBodyLimitLayer::new(MOST_BODY))
        .layer(from_fn(in_shape))
        .layer(fixed(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(fixed(header::REFERRER_POLICY, "no-referrer"))
        .layer(fixed(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY))
        .layer(
            TraceLayer::new_for_http()
                .make_span_with(span)
                .on_response(DefaultOnResponse::new().level(Level::DEBUG))
                .on_failure(DefaultOnFailure::new().level(Level::ERROR)),
        );
    // Without the layers, which would be a fifth of what the door for sessions costs: crowds come
    // back at once. A session's request has no body, and its answer is no page.
    Router::new().route("/ws", any(upgrade::<R>)).with_state(gateway).merge(rest)
}

/// Scripts, styles and connections of our own alone, and no frame around any page.
const CONTENT_SECURITY_POLICY: &str =
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

fn fixed(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}

/// The route and not the address: that one may hold an invitation.
fn span(request: &Request) -> Span {
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    tracing::debug_span!("request", method = %request.method(), route)
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use tower::ServiceExt;

    use super::*;

    /// What a route at this path says, whose answer takes too long.
    async fn late(path: &str) -> (StatusCode, String) {
        let late = get(|| async { StatusCode::REQUEST_TIMEOUT });
        let router = Router::new().route(path, late).layer(from_fn(in_shape));
        let asked = Request::get(path).body(Body::empty()).unwrap();
        let (head, body) = router.oneshot(asked).await.unwrap().into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        (head.status, String::from_utf8(body.into()).unwrap())
    }

    #[tokio::test]
    async fn an_answer_of_the_api_that_takes_too_long_is_a_problem_like_any_other() {
        let (status, body) = late("/v1/tables").await;
        assert_eq!(status, StatusCode::REQUEST_TIMEOUT);
        assert!(body.starts_with(r#"{"code":"timed_out","message":"the answer"#), "{body}");
        assert_eq!(late("/leaderboard").await, (StatusCode::REQUEST_TIMEOUT, String::new()));
    }
}
