//! Refusals and failures, always as `{"code", "message"}` in JSON.

use std::collections::BTreeMap;
use std::fmt::Display;

use axum::Json;
use axum::extract::Request;
use axum::extract::rejection::PathRejection;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use schemars::JsonSchema;
use serde::Serialize;
use utoipa::IntoResponses;
use utoipa::openapi::content::{Content, ContentBuilder};
use utoipa::openapi::header::Header;
use utoipa::openapi::response::{ResponseBuilder, ResponsesBuilder};
use utoipa::openapi::schema::{Object, Type};
use utoipa::openapi::{self, Ref, RefOr};

use super::answer::JSON;
use crate::game::clock::Millis;
use crate::http::MOST_BODY;
use crate::ids::NotAnId;
use crate::lobby::directory::NotFound;
use crate::record::WriteError;
use crate::store::{Busy, ReadError};
use crate::table::handle::NotTaken;
use crate::table::state::refusal::Refusal;

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Problem {
    /// Which refusal it is.
    pub code: Code,
    /// A sentence for people.
    pub message: String,
    /// A name that is free, where the one that was asked for is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// Told as `Retry-After`.
    #[serde(skip)]
    pub(super) retry_after_s: Option<u64>,
}

/// Every refusal of the HTTP API. Those that the WebSocket knows too have the same name there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The address or its query is malformed; the message says where.
    BadRequest,
    /// Nobody is known by the token, key or cookie that came with the request, or none came.
    BadToken,
    /// An operator keeps the asker out; `Retry-After` says for how long, or it is for good.
    Banned,
    /// A page of another origin may not have this done for whoever looks at it.
    ForeignPage,
    /// It is for people, and a bot asks.
    NotForBots,
    /// Somebody goes by that name, or by one that looks like it, or it is reserved for the house;
    /// `suggestion` is free.
    NameTaken,
    /// The text is no recovery phrase; the message says what is wrong with it.
    BadPhrase,
    /// The recovery phrase is nobody's.
    UnknownPhrase,
    /// The asker has no such bot.
    UnknownBot,
    /// The bot has no such key.
    UnknownKey,
    /// The asker has no such device.
    UnknownDevice,
    /// There are as many as there may be.
    TooMany,
    /// The asker has an open report about the same player.
    AlreadyReported,
    /// As many reports are open, of all players together, as the operator has room for; `Retry-After`
    /// says when to try again.
    NoRoom,
    /// Too often; `Retry-After` says when it would not be.
    RateLimited,
    /// The body is not of the type `application/json`.
    NotJson,
    /// The body is larger than anything that may be said there.
    TooLarge,
    /// The answer took too long to come about.
    TimedOut,
    /// The table is private: its invitation is needed.
    NotInvited,
    /// There is no such table.
    UnknownTable,
    /// There is no such game.
    UnknownGame,
    /// There is no such player.
    UnknownPlayer,
    /// There is no such report.
    UnknownReport,
    /// The report is settled already.
    AlreadySettled,
    /// The player is not muted.
    NotMuted,
    /// The player is not banned.
    NotBanned,
    /// The game is one of Dark Hex, and still runs: nobody may see all of it.
    GameRuns,
    /// Nothing is at this address.
    NotFound,
    /// The address does not take this method.
    MethodNotAllowed,
    /// The format has no words for this game.
    NotExpressible,
    /// The server cannot take it on now: try again.
    Busy,
    /// The server is about to stop.
    ShuttingDown,
    /// Something went wrong in the server. It is logged there.
    Internal,
}

/// After how many seconds a request that was refused for now may be sent again.
const RETRY_AFTER_S: HeaderValue = HeaderValue::from_static("1");

impl Code {
    /// The status that goes with it.
    pub const fn status(self) -> StatusCode {
        match self {
            Code::BadRequest => StatusCode::BAD_REQUEST,
            Code::BadToken => StatusCode::UNAUTHORIZED,
            Code::NotInvited | Code::ForeignPage | Code::NotForBots | Code::Banned => {
                StatusCode::FORBIDDEN
            }
            Code::UnknownTable | Code::UnknownGame | Code::UnknownPlayer | Code::NotFound => {
                StatusCode::NOT_FOUND
            }
            Code::UnknownPhrase
            | Code::UnknownBot
            | Code::UnknownKey
            | Code::UnknownReport
            | Code::UnknownDevice => StatusCode::NOT_FOUND,
            Code::GameRuns | Code::NameTaken | Code::TooMany | Code::AlreadyReported => {
                StatusCode::CONFLICT
            }
            Code::NotMuted | Code::NotBanned | Code::AlreadySettled => StatusCode::CONFLICT,
            Code::NotJson => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Code::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Code::TimedOut => StatusCode::REQUEST_TIMEOUT,
            Code::BadPhrase => StatusCode::UNPROCESSABLE_ENTITY,
            Code::RateLimited => StatusCode::TOO_MANY_REQUESTS,
            Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Code::NotExpressible => StatusCode::UNPROCESSABLE_ENTITY,
            Code::Busy | Code::ShuttingDown | Code::NoRoom => StatusCode::SERVICE_UNAVAILABLE,
            Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl Problem {
    /// A refusal with its sentence.
    pub(super) fn new(code: Code, message: impl Into<String>) -> Problem {
        Problem { code, message: message.into(), suggestion: None, retry_after_s: None }
    }

    /// What was asked is malformed.
    pub(super) fn bad_request(message: impl Into<String>) -> Problem {
        Problem::new(Code::BadRequest, message)
    }

    /// Nothing is at this path.
    pub(super) fn not_found(path: &str) -> Problem {
        let message = format!("nothing is at `{path}`: `/v1/openapi.json` lists what there is");
        Problem::new(Code::NotFound, message)
    }

    /// The path takes other methods.
    pub(super) fn wrong_method(method: &Method) -> Problem {
        let message = format!("{method} does nothing here: `Allow` says what does");
        Problem::new(Code::MethodNotAllowed, message)
    }

    /// The body is larger than so many bytes.
    pub(super) fn too_large(most: usize) -> Problem {
        Problem::new(Code::TooLarge, format!("the body is too large: at most {most} bytes"))
    }

    /// An address asks too much.
    pub(crate) fn too_often(wait: Millis) -> Problem {
        let message = "too many requests from your address: `Retry-After` says when to go on";
        let retry_after_s = Some(wait.div_ceil(1_000));
        Problem { retry_after_s, ..Problem::new(Code::RateLimited, message) }
    }

    /// Too much to do just now.
    pub(super) fn busy() -> Problem {
        Problem::new(Code::Busy, "the server cannot take this on now: try again")
    }

    /// Nothing more is taken on.
    fn stopping() -> Problem {
        Problem::new(Code::ShuttingDown, "the server is about to stop")
    }

    /// A failure of ours, logged with its cause and told without it.
    pub(super) fn internal(error: &dyn Display) -> Problem {
        tracing::error!(%error, "a request over HTTP failed");
        Problem::new(Code::Internal, "something went wrong in the server; it is logged there")
    }
}

/// Says it as the API does, where what stands before the API has refused a request to it.
pub async fn in_shape(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_api = path == "/v1" || path.starts_with("/v1/");
    let response = next.run(request).await;
    if !is_api || is_json(&response) {
        return response;
    }
    match response.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::too_large(MOST_BODY).into_response(),
        StatusCode::REQUEST_TIMEOUT => {
            let message = "the answer took too long: try again, if nothing has changed";
            Problem::new(Code::TimedOut, message).into_response()
        }
        _ => response,
    }
}

fn is_json(response: &Response) -> bool {
    response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == JSON)
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.code.status();
        let for_now = status == StatusCode::SERVICE_UNAVAILABLE;
        let wait = self.retry_after_s.map(HeaderValue::from);
        let retry = wait.or(for_now.then_some(RETRY_AFTER_S));
        let retry = retry.map(|wait| [(header::RETRY_AFTER, wait)]);
        (status, retry, [(header::CACHE_CONTROL, "no-store")], Json(self)).into_response()
    }
}

/// What a refusal says, as it is described.
pub(super) fn problem_content() -> Content {
    ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build()
}

/// What any address that asks others may answer, as it is described.
pub(super) struct Failures;

impl IntoResponses for Failures {
    fn responses() -> BTreeMap<String, RefOr<openapi::Response>> {
        let failure = |description| {
            ResponseBuilder::new()
                .description(description)
                .content("application/json", problem_content())
        };
        let mut seconds = Header::new(Object::with_type(Type::Integer));
        seconds.description = Some("In seconds.".to_owned());
        let for_now = failure("`busy` or `shutting_down`: try again.");
        let too_often =
            failure("`rate_limited`: too often; `Retry-After` says when it would not be.");
        ResponsesBuilder::new()
            .response("429", too_often.header("Retry-After", seconds.clone()))
            .response("500", failure("`internal`: something went wrong in the server."))
            .response("503", for_now.header("Retry-After", seconds))
            .build()
            .into()
    }
}

impl From<NotFound> for Problem {
    fn from(error: NotFound) -> Problem {
        match error {
            NotFound::Unknown(_) => Problem::new(Code::UnknownTable, error.to_string()),
            NotFound::Unread(_, ReadError::Closed) => ReadError::Closed.into(),
            NotFound::Unread(..) | NotFound::Damaged(..) => Problem::internal(&error),
        }
    }
}

impl From<ReadError> for Problem {
    fn from(error: ReadError) -> Problem {
        match error {
            ReadError::Closed => Problem::stopping(),
            ReadError::Gap { .. } | ReadError::Database(_) => Problem::internal(&error),
        }
    }
}

impl From<Busy> for Problem {
    fn from(busy: Busy) -> Problem {
        match busy {
            Busy::Closed => Problem::stopping(),
            Busy::Full | Busy::Failing => Problem::busy(),
        }
    }
}

impl From<PathRejection> for Problem {
    fn from(rejection: PathRejection) -> Problem {
        Problem::bad_request(rejection.body_text())
    }
}

impl From<NotAnId> for Problem {
    fn from(error: NotAnId) -> Problem {
        Problem::bad_request(error.to_string())
    }
}

impl From<NotTaken> for Problem {
    fn from(_: NotTaken) -> Problem {
        Problem::busy()
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        match refusal {
            Refusal::NotInvited => Problem::new(Code::NotInvited, refusal.to_string()),
            Refusal::Busy => Problem::busy(),
            // To look is to command nothing, so there is nothing else to refuse.
            refusal => Problem::internal(&refusal),
        }
    }
}

impl From<WriteError> for Problem {
    fn from(error: WriteError) -> Problem {
        match error {
            WriteError::NoWordFor { .. } => Problem::new(Code::NotExpressible, error.to_string()),
            WriteError::Record(_) | WriteError::ReadOnly(_) | WriteError::Encode(_) => {
                Problem::internal(&error)
            }
        }
    }
}
