//! Whether the server lives, whether it can serve, and its figures.

use std::sync::Arc;

use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use metrics_exporter_prometheus::PrometheusHandle;

/// Says whether the server can serve, and if not, why. Asked at each request, so it must be quick.
pub type Readiness = Arc<dyn Fn() -> Result<(), String> + Send + Sync>;

/// `GET /healthz`: the process lives and answers.
pub async fn alive() -> &'static str {
    "ok\n"
}

/// `GET /readyz`: the server can serve, or 503 and the reason.
pub async fn ready(readiness: Readiness) -> impl IntoResponse {
    match readiness() {
        Ok(()) => (StatusCode::OK, "ready\n".to_owned()),
        Err(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("{why}\n")),
    }
}

/// `GET /metrics`: every figure, in the text form of Prometheus.
pub async fn metrics(metrics: PrometheusHandle) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], metrics.render())
}
