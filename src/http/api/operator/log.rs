//! What was done, by whom, to whom and why.

use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use crate::http::api::asked::{Asked, page, parsed};
use crate::http::api::me::mine;
use crate::http::api::problem::Problem;
use crate::ids::PlayerId;
use crate::operator::MOST_ACTS;

use super::Op;
use super::refusals::Looking;
pub use super::told::{ActLog, LoggedAct};

/// Which acts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Which {
    /// To whom; to anybody without.
    #[serde(default, deserialize_with = "parsed")]
    player: Option<PlayerId>,
    /// Only those with a number under this.
    #[serde(default, deserialize_with = "parsed")]
    before: Option<u64>,
}

/// What operators have done, the newest first. Nothing of it is ever changed.
#[utoipa::path(
    get,
    path = "/v1/operator/log",
    tag = "operator",
    operation_id = "operator_log",
    security(("operator" = [])),
    params(
        ("player" = Option<String>, Query, description = "To whom; to anybody without.",
            example = "plr_01ARZ3NDEKTSV4RRFFQ69G5FAV"),
        ("before" = Option<u64>, Query, description = "Only acts with a number under this.",
            example = 51),
    ),
    responses(
        (status = 200, description = "The acts.", content_type = "application/json",
            body = ref("#/components/schemas/ActLog")),
        Looking,
    ),
)]
pub async fn list(
    Op(operator): Op,
    Asked(Which { player, before }): Asked<Which>,
) -> Result<Response, Problem> {
    let acts = operator.log(player, before).await?;
    let (acts, before) = page(acts, MOST_ACTS as usize, |row| row.number);
    let acts = acts.into_iter().map(LoggedAct::from).collect();
    Ok(mine(StatusCode::OK, ActLog { acts, before }))
}
