//! Being oneself on another device: the recovery phrase, signing in with it, signing out elsewhere.

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hexhall_proto::parts::Player;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::accounts::{AccountError, Token};
use crate::gateway::address;
use crate::http::api::Api;
use crate::http::api::asked::{Named, Nothing};
use crate::http::api::problem::Problem;
use crate::ids::KeyId;
use crate::wire;

use super::asking::{AskedBy, Me, Told, asked_by};
use super::mine;
use super::refusals::Changing;

/// A recovery phrase, told once. An earlier one is good no more.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct NewPhrase {
    /// Twelve words.
    pub words: Vec<String>,
}

/// Signs in with a recovery phrase.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recover {
    /// The twelve words, in any case, with anything but letters between them.
    phrase: String,
}

/// Who one is from now on, on this device.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Recovered {
    /// Oneself, as others see it.
    pub player: Player,
    /// The token, told once; none for a page, whose browser is given a cookie.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

/// A new recovery phrase.
#[utoipa::path(
    post,
    path = "/v1/me/recovery",
    tag = "me",
    operation_id = "new_phrase",
    security(("cookie" = []), ("bearer" = [])),
    responses(
        (status = 201, description = "The phrase, told once.", content_type = "application/json",
            body = ref("#/components/schemas/NewPhrase")),
        Changing,
    ),
)]
pub async fn new_phrase(
    State(api): State<Api>,
    Me { known, .. }: Me,
    Told(Nothing {}): Told<Nothing>,
) -> Result<Response, Problem> {
    let phrase = api.identity.accounts.new_phrase(&known).await?;
    let words = phrase.reveal().into_iter().map(str::to_owned).collect();
    Ok(mine(StatusCode::CREATED, NewPhrase { words }))
}

/// Signs in on this device with a recovery phrase. Other devices stay signed in.
#[utoipa::path(
    post,
    path = "/v1/recover",
    tag = "me",
    operation_id = "recover",
    request_body(content = ref("#/components/schemas/Recover"), content_type = "application/json"),
    responses(
        (status = 200, description = "Who one is now. A page's browser is given a cookie, in place \
            of the one that it had.",
            content_type = "application/json", body = ref("#/components/schemas/Recovered")),
        (status = 404, description = "`unknown_phrase`: the phrase is a good one, and nobody's.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        (status = 422, description = "`bad_phrase`: it is none. The message says which word is \
            misspelt, where one is.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        Changing,
    ),
)]
pub async fn recover(
    State(api): State<Api>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Told(Recover { phrase }): Told<Recover>,
) -> Result<Response, Problem> {
    let identity = &api.identity;
    // Nobody is to be signed in as somebody else by a page that they happen to look at.
    let asked_by = asked_by(&headers, &identity.settings)?;
    let source = address::source(peer.ip(), &headers, &identity.settings);
    let from = (!source.exempt).then_some(source.address);
    let token = Token::generate().map_err(AccountError::from)?;
    let known = identity.accounts.recover(&phrase, &token, from).await?;
    let player = wire::player(&known.player);
    match asked_by {
        AskedBy::Page => {
            let cookie = [(header::SET_COOKIE, identity.cookie(&token)?)];
            let recovered = mine(StatusCode::OK, Recovered { player, token: None });
            Ok((cookie, recovered).into_response())
        }
        AskedBy::Program => {
            Ok(mine(StatusCode::OK, Recovered { player, token: Some(token.reveal()) }))
        }
    }
}

/// Signs every other device out, and closes its sessions.
#[utoipa::path(
    post,
    path = "/v1/me/devices/revoke",
    tag = "me",
    operation_id = "sign_out_others",
    security(("cookie" = []), ("bearer" = [])),
    responses(
        (status = 200, description = "The account, with this device alone.",
            content_type = "application/json", body = ref("#/components/schemas/Account")),
        Changing,
    ),
)]
pub async fn sign_out_others(
    State(api): State<Api>,
    Me { known, .. }: Me,
    Told(Nothing {}): Told<Nothing>,
) -> Result<Response, Problem> {
    api.identity.accounts.sign_out_others(&known).await?;
    Ok(mine(StatusCode::OK, api.identity.account(&known).await?))
}

/// Signs one device out, and closes its sessions: another one, or this one.
#[utoipa::path(
    delete,
    path = "/v1/me/devices/{id}",
    tag = "me",
    operation_id = "sign_out",
    security(("cookie" = []), ("bearer" = [])),
    params(("id" = String, Path, description = "The device's name, as the account lists it.",
        example = "key_01ARZ3NDEKTSV4RRFFQ69G5FAV")),
    responses(
        (status = 204, description = "It is signed out."),
        (status = 404, description = "`unknown_device`: no such device of one's is signed in.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        Changing,
    ),
)]
pub async fn sign_out(
    State(api): State<Api>,
    Named(device): Named<KeyId>,
    Me { known, .. }: Me,
) -> Result<Response, Problem> {
    api.identity.accounts.sign_out(&known, device).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
