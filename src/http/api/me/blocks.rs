//! Whom one wants nothing to do with.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use hexhall_proto::parts::Player;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::http::api::Api;
use crate::http::api::asked::{Asked, Named, Nothing as NoQuery};
use crate::http::api::problem::Problem;
use crate::ids::PlayerId;
use crate::wire;

use super::asking::Me;
use super::mine;
use super::refusals::{Changing, Reading};

/// Whom one has blocked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BlockList {
    /// The players, 500 at most, in the order of their ids.
    pub blocks: Vec<Block>,
}

/// Somebody whom one has blocked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Block {
    /// Who it is.
    pub player: Player,
    /// Since when, in milliseconds since the Unix epoch.
    pub since_ms: u64,
}

/// Whom one has blocked.
#[utoipa::path(
    get,
    path = "/v1/me/blocks",
    tag = "me",
    operation_id = "list_blocks",
    security(("cookie" = []), ("bearer" = [])),
    responses(
        (status = 200, description = "The players.", content_type = "application/json",
            body = ref("#/components/schemas/BlockList")),
        Reading,
    ),
)]
pub async fn list(
    State(api): State<Api>,
    Asked(NoQuery {}): Asked<NoQuery>,
    Me { known, .. }: Me,
) -> Result<Response, Problem> {
    let blocks = api.identity.accounts.blocks(known.player.id).await?;
    let block = |(player, since): &(_, crate::game::clock::Stamp)| Block {
        player: wire::player(player),
        since_ms: since.0,
    };
    Ok(mine(StatusCode::OK, BlockList { blocks: blocks.iter().map(block).collect() }))
}

/// Blocks a player: neither is matched with the other or with the other's bots, and the one who is
/// blocked neither sits down where the other sits nor joins a party that the other hosts. Games
/// that run go on.
#[utoipa::path(
    put,
    path = "/v1/me/blocks/{id}",
    tag = "me",
    operation_id = "block",
    security(("cookie" = []), ("bearer" = [])),
    params(("id" = String, Path, description = "Whom.",
        example = "plr_01ARZ3NDEKTSV4RRFFQ69G5FAV")),
    responses(
        (status = 204, description = "The player is blocked, or was already."),
        (status = 404, description = "`unknown_player`: there is no such player.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        (status = 409, description = "`too_many`: there are 500.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        Changing,
    ),
)]
pub async fn block(
    State(api): State<Api>,
    Named(whom): Named<PlayerId>,
    Asked(NoQuery {}): Asked<NoQuery>,
    Me { known, .. }: Me,
) -> Result<Response, Problem> {
    api.identity.accounts.block(&known, whom).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Blocks a player no more.
#[utoipa::path(
    delete,
    path = "/v1/me/blocks/{id}",
    tag = "me",
    operation_id = "unblock",
    security(("cookie" = []), ("bearer" = [])),
    params(("id" = String, Path, description = "Whom.",
        example = "plr_01ARZ3NDEKTSV4RRFFQ69G5FAV")),
    responses(
        (status = 204, description = "The player is not blocked, or was not."),
        Changing,
    ),
)]
pub async fn unblock(
    State(api): State<Api>,
    Named(whom): Named<PlayerId>,
    Asked(NoQuery {}): Asked<NoQuery>,
    Me { known, .. }: Me,
) -> Result<Response, Problem> {
    api.identity.accounts.unblock(&known, whom).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
