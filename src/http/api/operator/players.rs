//! Who there is.

use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use crate::http::api::asked::{Asked, Named, Nothing};
use crate::http::api::me::mine;
use crate::http::api::problem::Problem;
use crate::ids::PlayerId;

use super::Op;
use super::refusals::{Concerning, Looking};
pub use super::told::{FoundPlayer, FoundPlayers, Held, ShownPlayer};

/// Who is looked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// A name, part of one, or an id.
    name: String,
}

/// Looks for a player by name, in any case and in letters that look alike, or by id; where nobody
/// goes by that, for those whose names hold it.
#[utoipa::path(
    get,
    path = "/v1/operator/players",
    tag = "operator",
    operation_id = "find_players",
    security(("operator" = [])),
    params(("name" = String, Query, description = "A name, part of one, or an id.", example = "Ana")),
    responses(
        (status = 200, description = "The players.", content_type = "application/json",
            body = ref("#/components/schemas/FoundPlayers")),
        Looking,
    ),
)]
pub async fn find(
    Op(operator): Op,
    Asked(Wanted { name }): Asked<Wanted>,
) -> Result<Response, Problem> {
    if name.trim().is_empty() {
        return Err(Problem::bad_request("`name` is empty: give a name, part of one, or an id"));
    }
    Ok(mine(StatusCode::OK, FoundPlayers::from(operator.find(name.trim()).await?)))
}

/// A player, and what holds of them.
#[utoipa::path(
    get,
    path = "/v1/operator/players/{id}",
    tag = "operator",
    operation_id = "show_player",
    security(("operator" = [])),
    params(("id" = String, Path, description = "Whom.",
        example = "plr_01ARZ3NDEKTSV4RRFFQ69G5FAV")),
    responses(
        (status = 200, description = "The player.", content_type = "application/json",
            body = ref("#/components/schemas/ShownPlayer")),
        Concerning,
    ),
)]
pub async fn show(
    Op(operator): Op,
    Named(id): Named<PlayerId>,
    Asked(Nothing {}): Asked<Nothing>,
) -> Result<Response, Problem> {
    Ok(mine(StatusCode::OK, ShownPlayer::from(operator.show(id).await?)))
}
