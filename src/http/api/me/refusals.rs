//! What may be wrong with what one asks for oneself: as problems, and as they are described.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::response::{ResponseBuilder, ResponsesBuilder};
use utoipa::openapi::{self, RefOr};

use crate::accounts::{AccountError, BadName, BadPhrase};
use crate::http::api::problem::{Code, Failures, Problem, problem_content};
use crate::store::PlayerError;

impl From<AccountError> for Problem {
    fn from(error: AccountError) -> Problem {
        let message = error.to_string();
        match error {
            AccountError::Read(error) => error.into(),
            AccountError::Write(PlayerError::Busy(busy)) => busy.into(),
            // What was found a moment ago is gone: it was revoked in between.
            AccountError::Write(PlayerError::Unknown) => Problem::new(Code::BadToken, message),
            AccountError::Write(_) | AccountError::Random(_) => Problem::internal(&message),
            AccountError::Phrase(BadPhrase::Internal) => Problem::internal(&message),
            AccountError::NameTaken { free, .. } | AccountError::NameReserved { free, .. } => {
                let suggestion = Some(free.to_string());
                Problem { suggestion, ..Problem::new(Code::NameTaken, message) }
            }
            AccountError::Banned { wait, .. } => {
                let retry_after_s = wait.map(|wait| wait.div_ceil(1_000));
                Problem { retry_after_s, ..Problem::new(Code::Banned, message) }
            }
            AccountError::TooOften { wait, .. } => {
                let retry_after_s = Some(wait.div_ceil(1_000));
                Problem { retry_after_s, ..Problem::new(Code::RateLimited, message) }
            }
            AccountError::Phrase(_) => Problem::new(Code::BadPhrase, message),
            AccountError::UnknownPhrase => Problem::new(Code::UnknownPhrase, message),
            AccountError::TooMany { .. } => Problem::new(Code::TooMany, message),
            AccountError::UnknownPlayer(_) => Problem::new(Code::UnknownPlayer, message),
            AccountError::UnknownTable(_) => Problem::new(Code::UnknownTable, message),
            AccountError::AlreadyReported => Problem::new(Code::AlreadyReported, message),
            AccountError::NoRoom => {
                let retry_after_s = Some(3_600);
                Problem { retry_after_s, ..Problem::new(Code::NoRoom, message) }
            }
            AccountError::Report(_) => Problem::bad_request(message),
            AccountError::Oneself => Problem::bad_request(message),
            AccountError::UnknownBot => Problem::new(Code::UnknownBot, message),
            AccountError::UnknownKey => Problem::new(Code::UnknownKey, message),
            AccountError::UnknownDevice => Problem::new(Code::UnknownDevice, message),
            AccountError::NotForBots => Problem::new(Code::NotForBots, message),
        }
    }
}

impl From<BadName> for Problem {
    fn from(bad: BadName) -> Problem {
        Problem::bad_request(bad.to_string())
    }
}

/// What any address may answer that tells one of oneself.
pub(super) struct Reading;

/// What any address may answer that changes something for oneself.
pub(super) struct Changing;

impl IntoResponses for Reading {
    fn responses() -> BTreeMap<String, RefOr<openapi::Response>> {
        refusals(&[
            ("400", "`bad_request`: there are no parameters, or the address is malformed."),
            ("401", "`bad_token`: nobody is known by what came with the request."),
            ("403", "`banned`: an operator keeps the asker out."),
        ])
    }
}

impl IntoResponses for Changing {
    fn responses() -> BTreeMap<String, RefOr<openapi::Response>> {
        refusals(&[
            ("400", "`bad_request`: the address or the body is malformed."),
            ("401", "`bad_token`: nobody is known by what came with the request."),
            (
                "403",
                "`foreign_page`: a page of another origin asks. `not_for_bots`: a bot asks. \
                 `banned`: an operator keeps the asker out; `Retry-After` says for how long, or it \
                 is for good.",
            ),
            ("413", "`too_large`: the body has more than 4,096 bytes."),
            ("415", "`not_json`: the body is of another type."),
        ])
    }
}

/// The answers of an address that are refusals, by their status.
pub(in crate::http::api) fn refusals(
    refusals: &[(&str, &str)],
) -> BTreeMap<String, RefOr<openapi::Response>> {
    let mut responses = ResponsesBuilder::new();
    for &(status, description) in refusals {
        let response = ResponseBuilder::new()
            .description(description)
            .content("application/json", problem_content());
        responses = responses.response(status, response);
    }
    let mut responses: BTreeMap<String, RefOr<openapi::Response>> = responses.build().into();
    responses.extend(Failures::responses());
    responses
}
