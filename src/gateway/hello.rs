//! `hello`: who is there.
//!
//! Whoever shows a token of somebody is that somebody; whoever shows none becomes a guest. Nothing
//! is changed before a token has been found to be good.

use std::sync::Arc;

use hexhall_proto::error::{Code, ErrorBody};
use hexhall_proto::request::Hello;

use super::address::Source;
use super::live::Present;
use super::{Gateway, Routes};
use crate::accounts::token::NotAToken;
use crate::accounts::{AccountError, Name, Token};
use crate::ids::KeyId;
use crate::store::{PlayerError, TokenHash};
use crate::table::handle::{Player, RETRY_MS, SessionRef};

/// What a connection showed of itself when it was opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    /// Nothing: a program that is not known yet.
    Nothing,
    /// A bearer token, or a text in its place that is none.
    Bearer(Result<Token, NotAToken>),
    /// A cookie with the token of somebody.
    Cookie(Token),
    /// Nothing, and a cookie with this new token was given out.
    NewCookie(Token),
}

/// Who it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Greeted {
    /// The player.
    pub player: Player,
    /// What they are known by.
    pub credential: KeyId,
    /// The hash of the token that they showed, or were given.
    shown: TokenHash,
    /// The token of a new guest, or one in place of an old token, that they have not been told yet.
    pub token: Option<Token>,
}

/// Finds or makes the player who says `hello`.
///
/// # Errors
/// `bad_token`, `banned`, `bad_request` or `name_taken` for a name, `rate_limited` for too many names or too
/// many guests of one address, and `busy` or `internal` where the store fails. Nothing has changed
/// then.
pub async fn greet<R: Routes>(
    gateway: &Gateway<R>,
    source: Source,
    shown: &Shown,
    Hello { token, name }: Hello,
) -> Result<Greeted, ErrorBody> {
    let name = name
        .map(|name| Name::new(&name))
        .transpose()
        .map_err(|bad| ErrorBody::new(Code::BadRequest, bad.to_string()))?;
    let token = token.map(|token| token.parse::<Token>());
    match (token, shown) {
        (Some(Ok(token)), _) => known_player(gateway, &token, name, Keeps::Token).await,
        (None, Shown::Bearer(Ok(token))) => known_player(gateway, token, name, Keeps::Token).await,
        (None, Shown::Cookie(token)) => known_player(gateway, token, name, Keeps::Cookie).await,
        (Some(Err(NotAToken)), _) | (None, Shown::Bearer(Err(NotAToken))) => Err(bad_token()),
        (None, Shown::NewCookie(token)) => new_guest(gateway, source, token, name).await,
        (None, Shown::Nothing) => {
            let token = Token::generate().map_err(|error| failed(error.into()))?;
            let greeted = new_guest(gateway, source, &token, name).await?;
            Ok(Greeted { token: Some(token), ..greeted })
        }
    }
}

/// Has the session of whoever was greeted be there, by the name that its player has now.
///
/// # Errors
/// `bad_token` where what they showed was revoked in the meantime, and `internal` where the store
/// fails. The session is not there then.
pub async fn enter<R: Routes>(
    gateway: &Gateway<R>,
    greeted: &Greeted,
    session: SessionRef,
) -> Result<Present, ErrorBody> {
    let present = gateway.live.enter(Arc::new(session), greeted.credential);
    loop {
        let found = gateway.accounts.holder_of(greeted.shown).await.map_err(failed)?;
        let (player, credential) = found.ok_or_else(bad_token)?;
        if credential != greeted.credential {
            return Err(bad_token());
        }
        if player.name == present.player_now().name {
            return Ok(present);
        }
        // And looked at again, since this may come after another name that is newer still.
        present.rename(player.name);
    }
}

/// How somebody keeps what they are known by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Keeps {
    /// By themselves: they can be told a new one.
    Token,
    /// As a cookie, which the upgrade has seen to.
    Cookie,
}

async fn known_player<R: Routes>(
    gateway: &Gateway<R>,
    token: &Token,
    name: Option<Name>,
    keeps: Keeps,
) -> Result<Greeted, ErrorBody> {
    let accounts = &gateway.accounts;
    let known = accounts.by_token(token).await.map_err(failed)?.ok_or_else(bad_token)?;
    let player = match name {
        Some(name) => accounts.rename(known.player.clone(), name).await.map_err(failed)?,
        None => known.player.clone(),
    };
    let token = match keeps {
        Keeps::Token => accounts.renew_if_old(&known).await,
        Keeps::Cookie => None,
    };
    Ok(Greeted { player, credential: known.credential, shown: known.shown(), token })
}

async fn new_guest<R: Routes>(
    gateway: &Gateway<R>,
    source: Source,
    token: &Token,
    name: Option<Name>,
) -> Result<Greeted, ErrorBody> {
    if !source.exempt {
        gateway.guests.admit(source.address).map_err(|wait| ErrorBody {
            retry_ms: Some(wait),
            ..ErrorBody::new(Code::RateLimited, "too many new guests from this address")
        })?;
    }
    let known = gateway.accounts.create_guest(token, name).await.map_err(failed)?;
    let (shown, credential) = (known.shown(), known.credential);
    Ok(Greeted { player: known.player, credential, shown, token: None })
}

fn bad_token() -> ErrorBody {
    let sentence = "nobody is known by that token; say hello without one to be a new guest";
    ErrorBody::new(Code::BadToken, sentence)
}

fn failed(error: AccountError) -> ErrorBody {
    let message = error.to_string();
    match error {
        AccountError::NameTaken { free, .. } | AccountError::NameReserved { free, .. } => {
            ErrorBody {
                suggestion: Some(free.to_string()),
                ..ErrorBody::new(Code::NameTaken, message)
            }
        }
        AccountError::TooOften { wait, .. } => {
            ErrorBody { retry_ms: Some(wait), ..ErrorBody::new(Code::RateLimited, message) }
        }
        AccountError::Banned { wait, .. } => {
            ErrorBody { retry_ms: wait, ..ErrorBody::new(Code::Banned, message) }
        }
        AccountError::Write(PlayerError::Busy(busy)) => {
            ErrorBody { retry_ms: Some(RETRY_MS), ..ErrorBody::new(Code::Busy, busy.to_string()) }
        }
        // What was found a moment ago is gone: it was revoked in between.
        AccountError::Write(PlayerError::Unknown) => bad_token(),
        error => {
            tracing::error!(%error, "a player could not be had");
            ErrorBody::new(Code::Internal, "something went wrong in the server")
        }
    }
}
