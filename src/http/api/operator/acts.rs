//! What is done to players.

use axum::http::StatusCode;
use axum::response::Response;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::http::api::asked::{Asked, Named};
use crate::http::api::me::{Told, mine};
use crate::http::api::problem::Problem;
use crate::ids::PlayerId;
use crate::operator::{Naming, Operator, Order};
use crate::store::ActKind;

use super::Op;
use super::refusals::{Acting, Concerning};
pub use super::told::Done;

/// A warning.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Warning {
    /// What the player is told, 1 to 500 characters.
    pub text: String,
    /// Who warns, 1 to 64 characters.
    pub by: String,
}

/// A mute or a ban.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sentence {
    /// For how long, in seconds, ten years at most; for good without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub for_s: Option<u64>,
    /// Why, as the player is told, 1 to 500 characters.
    pub reason: String,
    /// Who does it, 1 to 64 characters.
    pub by: String,
}

/// Another name for a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Renaming {
    /// The name, by the rules of names that players choose; a guest's, that the server makes, without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Why, as the player is told, 500 characters at most.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Who does it, 1 to 64 characters.
    pub by: String,
}

/// The end of a mute or a ban.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pardon {
    /// Who does it, 1 to 64 characters.
    pub by: String,
    /// Why, 500 characters at most.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

async fn done(operator: &Operator, player: PlayerId, order: Order) -> Result<Response, Problem> {
    Ok(mine(StatusCode::OK, Done::from(operator.act(player, order).await?)))
}

fn sentence(kind: ActKind, Sentence { for_s, reason, by }: Sentence) -> Order {
    Order { kind, for_s, text: reason, by }
}

fn pardon(kind: ActKind, Pardon { by, reason }: Pardon) -> Order {
    Order { kind, for_s: None, text: reason, by }
}

/// Warns a player: they are told until they say that they have read it.
#[utoipa::path(
    post,
    path = "/v1/operator/players/{id}/warn",
    tag = "operator",
    operation_id = "warn_player",
    security(("operator" = [])),
    params(("id" = String, Path, description = "Whom.",
        example = "plr_01ARZ3NDEKTSV4RRFFQ69G5FAV")),
    request_body(content = ref("#/components/schemas/Warning"), content_type = "application/json"),
    responses(
        (status = 200, description = "It is done.", content_type = "application/json",
            body = ref("#/components/schemas/Done")),
        Acting,
    ),
)]
pub async fn warn(
    Op(operator): Op,
    Named(id): Named<PlayerId>,
    Told(Warning { text, by }): Told<Warning>,
) -> Result<Response, Problem> {
    done(&operator, id, Order { kind: ActKind::Warn, for_s: None, text, by }).await
}

/// Gives a player another name, which they are told, as is everybody who sees them. The name before
/// is free from then on.
#[utoipa::path(
    post,
    path = "/v1/operator/players/{id}/rename",
    tag = "operator",
    operation_id = "rename_player",
    security(("operator" = [])),
    params(("id" = String, Path, description = "Whom.",
        example = "plr_01ARZ3NDEKTSV4RRFFQ69G5FAV")),
    request_body(content = ref("#/components/schemas/Renaming"), content_type = "application/json"),
    responses(
        (status = 200, description = "It is done.", content_type = "application/json",
            body = ref("#/components/schemas/Done")),
        (status = 409, description = "`name_taken`: somebody goes by it, perhaps the player, or it is \
            reserved.", content_type = "application/json", body = ref("#/components/schemas/Problem")),
        Acting,
    ),
)]
pub async fn rename(
    Op(operator): Op,
    Named(id): Named<PlayerId>,
    Told(Renaming { name, reason, by }): Told<Renaming>,
) -> Result<Response, Problem> {
    Ok(mine(StatusCode::OK, Done::from(operator.rename(id, Naming { name, reason, by }).await?)))
}

/// Mutes a player and their bots: they say nothing at any table. In place of an earlier mute.
#[utoipa::path(
    post,
    path = "/v1/operator/players/{id}/mute",
    tag = "operator",
    operation_id = "mute_player",
    security(("operator" = [])),
    params(("id" = String, Path, description = "Whom.",
        example = "plr_01ARZ3NDEKTSV4RRFFQ69G5FAV")),
    request_body(content = ref("#/components/schemas/Sentence"), content_type = "application/json"),
    responses(
        (status = 200, description = "It is done.", content_type = "application/json",
            body = ref("#/components/schemas/Done")),
        Acting,
    ),
)]
pub async fn mute(
    Op(operator): Op,
    Named(id): Named<PlayerId>,
    Told(told): Told<Sentence>,
) -> Result<Response, Problem> {
    done(&operator, id, sentence(ActKind::Mute, told)).await
}

/// Ends a mute.
#[utoipa::path(
    delete,
    path = "/v1/operator/players/{id}/mute",
    tag = "operator",
    operation_id = "unmute_player",
    security(("operator" = [])),
    params(
        ("id" = String, Path, description = "Whose.", example = "plr_01ARZ3NDEKTSV4RRFFQ69G5FAV"),
        ("by" = String, Query, description = "Who does it, 1 to 64 characters.", example = "Bo"),
        ("reason" = Option<String>, Query, description = "Why, 500 characters at most.",
            example = "a misunderstanding"),
    ),
    responses(
        (status = 200, description = "It is done.", content_type = "application/json",
            body = ref("#/components/schemas/Done")),
        (status = 409, description = "`not_muted`: there is nothing to end.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        Concerning,
    ),
)]
pub async fn unmute(
    Op(operator): Op,
    Named(id): Named<PlayerId>,
    Asked(asked): Asked<Pardon>,
) -> Result<Response, Problem> {
    done(&operator, id, pardon(ActKind::Unmute, asked)).await
}

/// Bans a player and their bots: their sessions are closed, and they are kept out. In place of an
/// earlier ban.
#[utoipa::path(
    post,
    path = "/v1/operator/players/{id}/ban",
    tag = "operator",
    operation_id = "ban_player",
    security(("operator" = [])),
    params(("id" = String, Path, description = "Whom.",
        example = "plr_01ARZ3NDEKTSV4RRFFQ69G5FAV")),
    request_body(content = ref("#/components/schemas/Sentence"), content_type = "application/json"),
    responses(
        (status = 200, description = "It is done.", content_type = "application/json",
            body = ref("#/components/schemas/Done")),
        Acting,
    ),
)]
pub async fn ban(
    Op(operator): Op,
    Named(id): Named<PlayerId>,
    Told(told): Told<Sentence>,
) -> Result<Response, Problem> {
    done(&operator, id, sentence(ActKind::Ban, told)).await
}

/// Ends a ban.
#[utoipa::path(
    delete,
    path = "/v1/operator/players/{id}/ban",
    tag = "operator",
    operation_id = "unban_player",
    security(("operator" = [])),
    params(
        ("id" = String, Path, description = "Whose.", example = "plr_01ARZ3NDEKTSV4RRFFQ69G5FAV"),
        ("by" = String, Query, description = "Who does it, 1 to 64 characters.", example = "Bo"),
        ("reason" = Option<String>, Query, description = "Why, 500 characters at most.",
            example = "a misunderstanding"),
    ),
    responses(
        (status = 200, description = "It is done.", content_type = "application/json",
            body = ref("#/components/schemas/Done")),
        (status = 409, description = "`not_banned`: there is nothing to end.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        Concerning,
    ),
)]
pub async fn unban(
    Op(operator): Op,
    Named(id): Named<PlayerId>,
    Asked(asked): Asked<Pardon>,
) -> Result<Response, Problem> {
    done(&operator, id, pardon(ActKind::Unban, asked)).await
}
