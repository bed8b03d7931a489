//! What operators have one told.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use crate::http::api::Api;
use crate::http::api::asked::{Asked, Named, Nothing};
use crate::http::api::problem::Problem;
use crate::ids::NoticeId;

use super::asking::Me;
use super::refusals::Changing;

/// Says that a notice was read: it is told no more.
#[utoipa::path(
    delete,
    path = "/v1/me/notices/{id}",
    tag = "me",
    operation_id = "read_notice",
    security(("cookie" = []), ("bearer" = [])),
    params(("id" = String, Path, description = "The notice.",
        example = "ntc_01ARZ3NDEKTSV4RRFFQ69G5FAV")),
    responses(
        (status = 204, description = "The notice is told no more, or there was no such notice."),
        Changing,
    ),
)]
pub async fn read(
    State(api): State<Api>,
    Named(id): Named<NoticeId>,
    Asked(Nothing {}): Asked<Nothing>,
    Me { known, .. }: Me,
) -> Result<Response, Problem> {
    api.identity.accounts.read_notice(&known, id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
