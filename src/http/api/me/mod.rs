//! `/v1/me`, `/v1/recover` and `/v1/reports`: what one has done for oneself, and for nobody else.
//!
//! Owns the check of who asks. Invariants: nothing here is answered to anybody but the player whose
//! token, key or cookie came with the request; nothing is changed by a cookie that a page of another
//! origin made a browser send; no answer is kept by a cache.
//!
//! Reading order: [`account`], [`recovery`], [`bots`], [`shuns`], [`reports`], [`notices`], [`tables`],
//! [`games`], then `asking` (who asks, and what they say) and `refusals`.

pub mod account;
mod asking;
pub mod bots;
pub mod notices;
pub mod games;
pub mod recovery;
mod refusals;
pub mod reports;
pub mod shuns;
pub mod tables;

use std::sync::Arc;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::accounts::{Accounts, Token};
use crate::gateway::{Settings, shown};

use super::problem::Problem;

pub(super) use asking::Told;
pub(super) use refusals::refusals;

/// What is asked about people.
#[derive(Clone)]
pub struct Identity {
    /// Who there is.
    pub accounts: Accounts,
    /// What holds for every door of the server: whose pages may ask, how cookies are marked.
    pub settings: Arc<Settings>,
}

impl Identity {
    /// The head that gives a browser this token.
    fn cookie(&self, token: &Token) -> Result<HeaderValue, Problem> {
        shown::set_cookie(token, self.settings.secure_cookies)
            .ok_or_else(|| Problem::internal(&"a cookie could not be written"))
    }
}

/// An answer for the one who asked.
pub(super) fn mine<T: Serialize>(status: StatusCode, value: T) -> Response {
    (status, [(header::CACHE_CONTROL, "no-store")], axum::Json(value)).into_response()
}
