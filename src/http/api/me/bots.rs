//! One's bots, and the keys that they are known by.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use hexhall_proto::parts::Player;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::accounts::Name;
use crate::http::api::Api;
use crate::http::api::asked::{Named, Parts};
use crate::http::api::problem::Problem;
use crate::ids::{KeyId, PlayerId};
use crate::store::CredentialRow;
use crate::wire;

use super::asking::{Me, Plainly, Told};
use super::mine;
use super::refusals::{Changing, Reading};

/// One's bots.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct BotList {
    /// The bots, the oldest first.
    pub bots: Vec<Player>,
}

/// A bot to be made.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewBot {
    /// 1 to 24 visible characters.
    name: String,
}

/// A bot's keys.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct KeyList {
    /// The keys, the oldest first.
    pub keys: Vec<Key>,
}

/// A key, without its secret.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Key {
    /// `key_…`: a name for it, which is no secret.
    pub id: String,
    /// What its owner calls it.
    pub label: String,
    /// Its first characters.
    pub hint: String,
    /// When it was made, in milliseconds since the Unix epoch.
    pub created_ms: u64,
    /// When it was last used, to the hour, in milliseconds since the Unix epoch; none if it never
    /// was.
    pub used_ms: Option<u64>,
}

/// A key to be made.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewKey {
    /// What to call it, 1 to 24 visible characters.
    label: String,
}

/// A new key.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct MadeKey {
    /// The key.
    pub key: Key,
    /// `hxh_…`: its secret, told once. It is the bot's token for `hello`.
    pub secret: String,
}

fn key(row: CredentialRow) -> Key {
    let (label, hint) = row.key.map(|key| (key.label, key.hint)).unwrap_or_default();
    let (created_ms, used_ms) = (row.created_ms, row.used_ms);
    Key { id: row.id.to_string(), label, hint, created_ms, used_ms }
}

/// One's bots.
#[utoipa::path(
    get,
    path = "/v1/me/bots",
    tag = "bots",
    operation_id = "list_bots",
    security(("cookie" = []), ("bearer" = [])),
    responses(
        (status = 200, description = "The bots.", content_type = "application/json",
            body = ref("#/components/schemas/BotList")),
        Reading,
    ),
)]
pub async fn list(Plainly { api, known }: Plainly) -> Result<Response, Problem> {
    let bots = api.identity.accounts.bots(known.player.id).await?;
    Ok(mine(StatusCode::OK, BotList { bots: bots.iter().map(wire::player).collect() }))
}

/// Makes a bot. It is known by keys, of which it has none yet.
#[utoipa::path(
    post,
    path = "/v1/me/bots",
    tag = "bots",
    operation_id = "create_bot",
    security(("cookie" = []), ("bearer" = [])),
    request_body(content = ref("#/components/schemas/NewBot"), content_type = "application/json"),
    responses(
        (status = 201, description = "The bot.", content_type = "application/json",
            body = ref("#/components/schemas/Player")),
        (status = 409, description = "`name_taken`: somebody goes by that name, or by one that looks \
            like it, or it is reserved for the house; `suggestion` is free. `too_many`: there are 10.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        Changing,
    ),
)]
pub async fn create(
    State(api): State<Api>,
    Me { known, .. }: Me,
    Told(NewBot { name }): Told<NewBot>,
) -> Result<Response, Problem> {
    let bot = api.identity.accounts.create_bot(&known, Name::new(&name)?).await?;
    Ok(mine(StatusCode::CREATED, wire::player(&bot)))
}

/// Deletes a bot: its keys are good no more, its sessions end, and it is not listed. Its name stays
/// taken, and its games stay as they are.
#[utoipa::path(
    delete,
    path = "/v1/me/bots/{id}",
    tag = "bots",
    operation_id = "delete_bot",
    security(("cookie" = []), ("bearer" = [])),
    params(("id" = String, Path, description = "The bot.",
        example = "plr_01ARZ3NDEKTSV4RRFFQ69G5FAV")),
    responses(
        (status = 204, description = "It is one no more."),
        (status = 404, description = "`unknown_bot`: one has no such bot.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        Changing,
    ),
)]
pub async fn delete(
    State(api): State<Api>,
    Named(bot): Named<PlayerId>,
    Me { known, .. }: Me,
) -> Result<Response, Problem> {
    api.identity.accounts.retire_bot(&known, bot).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// A bot's keys, without their secrets.
#[utoipa::path(
    get,
    path = "/v1/me/bots/{id}/keys",
    tag = "bots",
    operation_id = "list_keys",
    security(("cookie" = []), ("bearer" = [])),
    params(("id" = String, Path, description = "The bot.",
        example = "plr_01ARZ3NDEKTSV4RRFFQ69G5FAV")),
    responses(
        (status = 200, description = "The keys.", content_type = "application/json",
            body = ref("#/components/schemas/KeyList")),
        (status = 404, description = "`unknown_bot`: one has no such bot.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        Reading,
    ),
)]
pub async fn keys(
    Named(bot): Named<PlayerId>,
    Plainly { api, known }: Plainly,
) -> Result<Response, Problem> {
    let accounts = &api.identity.accounts;
    let keys = accounts.keys(&accounts.bot(&known, bot).await?).await?;
    Ok(mine(StatusCode::OK, KeyList { keys: keys.into_iter().map(key).collect() }))
}

/// Makes a key for a bot.
#[utoipa::path(
    post,
    path = "/v1/me/bots/{id}/keys",
    tag = "bots",
    operation_id = "create_key",
    security(("cookie" = []), ("bearer" = [])),
    params(("id" = String, Path, description = "The bot.",
        example = "plr_01ARZ3NDEKTSV4RRFFQ69G5FAV")),
    request_body(content = ref("#/components/schemas/NewKey"), content_type = "application/json"),
    responses(
        (status = 201, description = "The key, its secret told once.",
            content_type = "application/json", body = ref("#/components/schemas/MadeKey")),
        (status = 404, description = "`unknown_bot`: one has no such bot.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        (status = 409, description = "`too_many`: there are 10.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        Changing,
    ),
)]
pub async fn create_key(
    State(api): State<Api>,
    Named(bot): Named<PlayerId>,
    Me { known, .. }: Me,
    Told(NewKey { label }): Told<NewKey>,
) -> Result<Response, Problem> {
    let accounts = &api.identity.accounts;
    let bot = accounts.bot(&known, bot).await?;
    let (secret, row) = accounts.create_key(&known, &bot, &Name::new(&label)?).await?;
    Ok(mine(StatusCode::CREATED, MadeKey { key: key(row), secret: secret.reveal() }))
}

/// Has a key be good no more, and closes the sessions that came in by it.
#[utoipa::path(
    delete,
    path = "/v1/me/bots/{id}/keys/{key}",
    tag = "bots",
    operation_id = "revoke_key",
    security(("cookie" = []), ("bearer" = [])),
    params(
        ("id" = String, Path, description = "The bot.",
            example = "plr_01ARZ3NDEKTSV4RRFFQ69G5FAV"),
        ("key" = String, Path, description = "The key's name.",
            example = "key_01ARZ3NDEKTSV4RRFFQ69G5FAV"),
    ),
    responses(
        (status = 204, description = "It is good no more."),
        (status = 404, description = "`unknown_bot`, `unknown_key`: there is no such thing of one's.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        Changing,
    ),
)]
pub async fn revoke_key(
    State(api): State<Api>,
    named: Parts<2>,
    Me { known, .. }: Me,
) -> Result<Response, Problem> {
    let Parts([bot, key]) = named;
    let (bot, key): (PlayerId, KeyId) = (bot.parse()?, key.parse()?);
    let accounts = &api.identity.accounts;
    let bot = accounts.bot(&known, bot).await?;
    accounts.revoke_key(&bot, key).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
