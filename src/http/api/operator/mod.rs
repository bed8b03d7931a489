//! `/v1/operator`: what an operator of the server does, with the token that lies in its data folder.
//!
//! Owns the check of that token. Invariant: nothing here is answered without it, and where the
//! server has none, nothing is here at all.
//!
//! Reading order: [`players`] (who there is), [`acts`] (what is done to them), [`log`],
//! [`reports`] (what players tell of each other), then what they share: `told` (what is shown of players and acts) and `refusals`.

pub mod acts;
pub mod log;
pub mod players;
pub mod reports;
mod refusals;
mod told;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;

use super::Api;
use super::problem::{Code, Problem};
use crate::gateway::address;
use crate::gateway::shown::bearer_text;
use crate::operator::{NotLetIn, Operator};

/// The operator: whoever asks has shown the token.
pub struct Op(pub Arc<Operator>);

impl FromRequestParts<Api> for Op {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Op, Problem> {
        let Some(operator) = &api.operator else {
            return Err(Problem::not_found(parts.uri.path()));
        };
        let Some(token) = bearer_text(&parts.headers) else { return Err(wrong()) };
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let from = peer.and_then(|ConnectInfo(peer)| {
            let source = address::source(peer.ip(), &parts.headers, &api.identity.settings);
            (!source.exempt).then_some(source.address)
        });
        match operator.admit(token, from) {
            Ok(()) => Ok(Op(Arc::clone(operator))),
            Err(NotLetIn::Wrong) => Err(wrong()),
            Err(NotLetIn::TooOften(wait)) => {
                let retry_after_s = Some(wait.div_ceil(1_000));
                let message = "too many wrong tokens: `Retry-After` says when to try again";
                Err(Problem { retry_after_s, ..Problem::new(Code::RateLimited, message) })
            }
        }
    }
}

fn wrong() -> Problem {
    let sentence = "this is for the server's operator: send the token that lies in the file \
                    `operator.token` of its data folder as `Authorization: Bearer`";
    Problem::new(Code::BadToken, sentence)
}
