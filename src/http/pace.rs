//! How much one address may ask of the API. Pages and their parts are not counted: they cost next to
//! nothing, and a class room that opens them at once needs every one.
//!
//! Owns a bucket for each address that has asked lately: one fills smoothly, and a request takes one
//! drop of it. Sessions are none of its affair, and neither is whoever asks without a socket. Bound:
//! with more than 10,000 addresses, those whose bucket is full again are forgotten.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::api::problem::Problem;
use crate::gateway::Settings;
use crate::gateway::address::{self, Address};
use crate::gateway::limits::Each;
use crate::time::TimeSource;

/// What the addresses have asked.
pub struct Pace {
    settings: Arc<Settings>,
    requests: Each<Address>,
}

impl Pace {
    /// Nobody has asked for anything.
    pub fn new(settings: Arc<Settings>, time: TimeSource) -> Pace {
        let requests = Each::new(settings.api_per_address, time);
        Pace { settings, requests }
    }
}

/// Answers a request, unless its address has asked too much.
pub async fn keep_pace(State(pace): State<Arc<Pace>>, request: Request, next: Next) -> Response {
    if let Some(ConnectInfo(peer)) = request.extensions().get::<ConnectInfo<SocketAddr>>() {
        let source = address::source(peer.ip(), request.headers(), &pace.settings);
        if !source.exempt
            && let Err(wait) = pace.requests.admit(source.address)
        {
            return Problem::too_often(wait).into_response();
        }
    }
    next.run(request).await
}
