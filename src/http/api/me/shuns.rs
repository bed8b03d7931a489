//! Whom one wants nothing to do with, and whom one does not want to hear.

use axum::http::StatusCode;
use axum::response::Response;
use hexhall_proto::parts::Player;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::http::api::asked::Named;
use crate::http::api::problem::Problem;
use crate::ids::PlayerId;
use crate::store::Shun;
use crate::wire;

use super::asking::Plainly;
use super::mine;
use super::refusals::{Changing, Reading};

/// Whom one has blocked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BlockList {
    /// The players, 500 at most, in the order of their ids.
    pub blocks: Vec<Shunned>,
}

/// Whom one has muted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MuteList {
    /// The players, 500 at most, in the order of their ids.
    pub mutes: Vec<Shunned>,
}

/// Somebody whom one has blocked or muted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Shunned {
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
pub async fn blocks(asking: Plainly) -> Result<Response, Problem> {
    Ok(mine(StatusCode::OK, BlockList { blocks: shunned(&asking, Shun::Block).await? }))
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
pub async fn block(Named(whom): Named<PlayerId>, asking: Plainly) -> Result<StatusCode, Problem> {
    shun(&asking, Shun::Block, whom).await
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
pub async fn unblock(Named(whom): Named<PlayerId>, asking: Plainly) -> Result<StatusCode, Problem> {
    readmit(&asking, Shun::Block, whom).await
}

/// Whom one has muted.
#[utoipa::path(
    get,
    path = "/v1/me/mutes",
    tag = "me",
    operation_id = "list_mutes",
    security(("cookie" = []), ("bearer" = [])),
    responses(
        (status = 200, description = "The players.", content_type = "application/json",
            body = ref("#/components/schemas/MuteList")),
        Reading,
    ),
)]
pub async fn mutes(asking: Plainly) -> Result<Response, Problem> {
    Ok(mine(StatusCode::OK, MuteList { mutes: shunned(&asking, Shun::Mute).await? }))
}

/// Mutes a player: nothing that they say is heard by the one who mutes them. They hear what that
/// one says, and are not told.
#[utoipa::path(
    put,
    path = "/v1/me/mutes/{id}",
    tag = "me",
    operation_id = "mute",
    security(("cookie" = []), ("bearer" = [])),
    params(("id" = String, Path, description = "Whom.",
        example = "plr_01ARZ3NDEKTSV4RRFFQ69G5FAV")),
    responses(
        (status = 204, description = "The player is muted, or was already."),
        (status = 404, description = "`unknown_player`: there is no such player.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        (status = 409, description = "`too_many`: there are 500.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        Changing,
    ),
)]
pub async fn mute(Named(whom): Named<PlayerId>, asking: Plainly) -> Result<StatusCode, Problem> {
    shun(&asking, Shun::Mute, whom).await
}

/// Mutes a player no more.
#[utoipa::path(
    delete,
    path = "/v1/me/mutes/{id}",
    tag = "me",
    operation_id = "unmute",
    security(("cookie" = []), ("bearer" = [])),
    params(("id" = String, Path, description = "Whom.",
        example = "plr_01ARZ3NDEKTSV4RRFFQ69G5FAV")),
    responses(
        (status = 204, description = "The player is not muted, or was not."),
        Changing,
    ),
)]
pub async fn unmute(Named(whom): Named<PlayerId>, asking: Plainly) -> Result<StatusCode, Problem> {
    readmit(&asking, Shun::Mute, whom).await
}

async fn shunned(Plainly { api, known }: &Plainly, kind: Shun) -> Result<Vec<Shunned>, Problem> {
    let shunned = api.identity.accounts.shunned(kind, known.player.id).await?;
    let told = shunned.iter().map(|(player, since)| (wire::player(player), since.0));
    Ok(told.map(|(player, since_ms)| Shunned { player, since_ms }).collect())
}

async fn shun(
    Plainly { api, known }: &Plainly,
    kind: Shun,
    whom: PlayerId,
) -> Result<StatusCode, Problem> {
    api.identity.accounts.shun(kind, known, whom).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn readmit(
    Plainly { api, known }: &Plainly,
    kind: Shun,
    whom: PlayerId,
) -> Result<StatusCode, Problem> {
    api.identity.accounts.readmit(kind, known, whom).await?;
    Ok(StatusCode::NO_CONTENT)
}
