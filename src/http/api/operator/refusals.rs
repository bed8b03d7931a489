//! What may be wrong with what an operator asks.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::{self, RefOr};

use crate::http::api::me::refusals;
use crate::http::api::problem::{Code, Problem};
use crate::operator::OperatorError;
use crate::store::{ActKind, PlayerError};

impl From<OperatorError> for Problem {
    fn from(error: OperatorError) -> Problem {
        let message = error.to_string();
        match error {
            OperatorError::Read(error) => error.into(),
            OperatorError::Write(PlayerError::Busy(busy)) => busy.into(),
            OperatorError::Write(_) | OperatorError::Failed(_) => Problem::internal(&message),
            OperatorError::UnknownPlayer(_) => Problem::new(Code::UnknownPlayer, message),
            OperatorError::UnknownReport(_) => Problem::new(Code::UnknownReport, message),
            OperatorError::Settled(_) => Problem::new(Code::AlreadySettled, message),
            OperatorError::NotMuted(_) | OperatorError::OfOwner(ActKind::Unmute, _) => {
                Problem::new(Code::NotMuted, message)
            }
            OperatorError::NotBanned(_) | OperatorError::OfOwner(..) => {
                Problem::new(Code::NotBanned, message)
            }
            OperatorError::NameTaken(_)
            | OperatorError::NameReserved(_)
            | OperatorError::SameName(_) => Problem::new(Code::NameTaken, message),
            OperatorError::BadText { .. } | OperatorError::BadSpan | OperatorError::BadName(_) => {
                Problem::bad_request(message)
            }
        }
    }
}

/// What any address of the operator's may answer.
pub(super) struct Looking;

/// What any address may answer that is about one player.
pub(super) struct Concerning;

/// What any address may answer that is about one report.
pub(super) struct OfReport;

/// What any address may answer that does something to a player.
pub(super) struct Acting;

/// What any address here may answer, and what it means that something is not found.
fn looking(not_found: &str) -> BTreeMap<String, RefOr<openapi::Response>> {
    refusals(&[
        ("400", "`bad_request`: the address, its query or the body is malformed."),
        ("401", "`bad_token`: the operator's token did not come with the request."),
        ("404", not_found),
        ("429", "`rate_limited`: too many wrong tokens; `Retry-After` says when to try again."),
    ])
}

impl IntoResponses for Looking {
    fn responses() -> BTreeMap<String, RefOr<openapi::Response>> {
        looking("`not_found`: this server has no operator's token.")
    }
}

impl IntoResponses for Concerning {
    fn responses() -> BTreeMap<String, RefOr<openapi::Response>> {
        looking(
            "`unknown_player`: there is no such player. `not_found`: this server has no operator's \
             token.",
        )
    }
}

impl IntoResponses for OfReport {
    fn responses() -> BTreeMap<String, RefOr<openapi::Response>> {
        looking(
            "`unknown_report`: there is no such report. `not_found`: this server has no operator's \
             token.",
        )
    }
}

impl IntoResponses for Acting {
    fn responses() -> BTreeMap<String, RefOr<openapi::Response>> {
        let mut responses = Concerning::responses();
        responses.extend(refusals(&[("415", "`not_json`: the body is of another type.")]));
        responses
    }
}
