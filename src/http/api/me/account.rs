//! Who one is: the account as a whole, its name and its token.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use hexhall_proto::notices::PersonalNotice;
use hexhall_proto::parts::Player;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::accounts::{Known, Name};
use crate::http::api::Api;
use crate::http::api::asked::{Asked, Nothing};
use crate::http::api::problem::Problem;
use crate::wire;

use super::asking::{Me, Told};
use super::refusals::{Changing, Reading};
use super::{Identity, mine};

/// Who one is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Account {
    /// Oneself, as others see it.
    pub player: Player,
    /// Whether there is a recovery phrase, to be oneself on another device.
    pub claimed: bool,
    /// The devices that are signed in, the oldest first. A bot has none.
    pub devices: Vec<Device>,
    /// What operators have one told, and one has not said to have read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<PersonalNotice>,
}

/// A device that is signed in: a browser, or a program with a token.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Device {
    /// `key_…`: a name for it, which is no secret.
    pub id: String,
    /// Whether it is the one that asks.
    pub current: bool,
    /// When it was first signed in, in milliseconds since the Unix epoch.
    pub created_ms: u64,
    /// When it was last used, to the hour, in milliseconds since the Unix epoch.
    pub used_ms: Option<u64>,
}

/// The name to go by from now on.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewName {
    /// 1 to 24 visible characters.
    name: String,
}

/// A token in place of the one that was shown, which is good until this one is shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct NewToken {
    /// The token, told once; none for a page, whose browser is given a cookie.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

impl Identity {
    /// The account of somebody known.
    pub(super) async fn account(&self, known: &Known) -> Result<Account, Problem> {
        let id = known.player.id;
        let devices = match known.player.bot {
            true => Vec::new(),
            false => self.accounts.devices(id).await?,
        };
        let device = |row: &crate::store::CredentialRow| Device {
            id: row.id.to_string(),
            current: row.id == known.credential,
            created_ms: row.created_ms,
            used_ms: row.used_ms,
        };
        Ok(Account {
            player: wire::player(&known.player),
            claimed: self.accounts.is_claimed(id).await?,
            devices: devices.iter().map(device).collect(),
            notices: self.accounts.notices(id).iter().map(wire::notice).collect(),
        })
    }
}

/// Who one is.
#[utoipa::path(
    get,
    path = "/v1/me",
    tag = "me",
    operation_id = "me",
    security(("cookie" = []), ("bearer" = [])),
    responses(
        (status = 200, description = "The account.", content_type = "application/json",
            body = ref("#/components/schemas/Account")),
        Reading,
    ),
)]
pub async fn me(
    State(api): State<Api>,
    Asked(Nothing {}): Asked<Nothing>,
    Me { known, .. }: Me,
) -> Result<Response, Problem> {
    Ok(mine(StatusCode::OK, api.identity.account(&known).await?))
}

/// Goes by another name from now on, also where one sits and in what one seeks.
#[utoipa::path(
    post,
    path = "/v1/me/name",
    tag = "me",
    operation_id = "rename",
    security(("cookie" = []), ("bearer" = [])),
    request_body(content = ref("#/components/schemas/NewName"), content_type = "application/json"),
    responses(
        (status = 200, description = "The account, by its new name.",
            content_type = "application/json", body = ref("#/components/schemas/Account")),
        (status = 409, description = "`name_taken`: somebody goes by that name, or by one that looks \
            like it, or it is reserved for the house; `suggestion` is free.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        Changing,
    ),
)]
pub async fn rename(
    State(api): State<Api>,
    Me { mut known, .. }: Me,
    Told(NewName { name }): Told<NewName>,
) -> Result<Response, Problem> {
    let identity = &api.identity;
    known.player = identity.accounts.rename(known.player, Name::new(&name)?).await?;
    Ok(mine(StatusCode::OK, identity.account(&known).await?))
}

/// A new token for this device. The old one is good until the new one is shown.
#[utoipa::path(
    post,
    path = "/v1/me/token",
    tag = "me",
    operation_id = "renew_token",
    security(("cookie" = []), ("bearer" = [])),
    responses(
        (status = 200, description = "The token; or a cookie, where a cookie was shown.",
            content_type = "application/json", body = ref("#/components/schemas/NewToken")),
        Changing,
    ),
)]
pub async fn renew_token(
    State(api): State<Api>,
    Me { known, by_cookie }: Me,
    Told(Nothing {}): Told<Nothing>,
) -> Result<Response, Problem> {
    let token = api.identity.accounts.renew(&known).await?;
    if by_cookie {
        let cookie = [(header::SET_COOKIE, api.identity.cookie(&token)?)];
        return Ok((cookie, mine(StatusCode::OK, NewToken { token: None })).into_response());
    }
    Ok(mine(StatusCode::OK, NewToken { token: Some(token.reveal()) }))
}
