//! Who asks, whether it is them who ask, and what they say.

use axum::body::to_bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use hexhall_proto::codec::decode_json;
use serde::de::DeserializeOwned;

use crate::accounts::Known;
use crate::gateway::{Settings, origin, shown};
use crate::http::api::Api;
use crate::http::api::asked::{Asked, Nothing};
use crate::http::api::problem::{Code, Problem};

/// Whoever asks, known by what came with the request.
pub struct Me {
    /// Who it is.
    pub known: Known,
    /// Whether they are known by a cookie, so that a page asks, which is told no token.
    pub by_cookie: bool,
}

/// Whoever asks by an address that takes no query, and what their question is put to.
pub struct Plainly {
    /// What the API asks.
    pub api: Api,
    /// Who asks.
    pub known: Known,
}

/// What a request says, read strictly.
pub struct Told<T>(pub T);

/// The longest text that anybody has to say here, in bytes.
const MOST_BODY: usize = 4 * 1024;

impl FromRequestParts<Api> for Me {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Me, Problem> {
        let accounts = &api.identity.accounts;
        if let Some(token) = shown::bearer(&parts.headers) {
            let token = token.map_err(|bad| Problem::new(Code::BadToken, bad.to_string()))?;
            let known = accounts.by_token(&token).await?.ok_or_else(nobody)?;
            return Ok(Me { known, by_cookie: false });
        }
        for token in shown::cookies(&parts.headers) {
            let Some(known) = accounts.by_token(&token).await? else { continue };
            if !matches!(parts.method, Method::GET | Method::HEAD)
                && asked_by(&parts.headers, &api.identity.settings)? == AskedBy::Program
            {
                return Err(foreign("it does not say of which origin it is: `Origin` is missing"));
            }
            return Ok(Me { known, by_cookie: true });
        }
        Err(nobody())
    }
}

impl FromRequestParts<Api> for Plainly {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Plainly, Problem> {
        let Asked(Nothing {}) = Asked::from_request_parts(parts, api).await?;
        let Me { known, .. } = Me::from_request_parts(parts, api).await?;
        Ok(Plainly { api: api.clone(), known })
    }
}

/// Who sent a request, as far as its head tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AskedBy {
    /// A page of this server's own origin, or of one that it trusts.
    Page,
    /// No browser: those say where their pages are from whenever anything may change.
    Program,
}

/// Who sent a request.
///
/// # Errors
/// `foreign_page`: a page of another origin.
pub fn asked_by(headers: &HeaderMap, settings: &Settings) -> Result<AskedBy, Problem> {
    if let Some(origin) = headers.get(header::ORIGIN) {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let own = origin
            .to_str()
            .is_ok_and(|origin| origin::is_allowed(origin, host, &settings.allowed_origins));
        return if own { Ok(AskedBy::Page) } else { Err(foreign("pages of that origin may not")) };
    }
    match headers.get("sec-fetch-site").map(|site| site.as_bytes()) {
        Some(b"same-origin") => Ok(AskedBy::Page),
        Some(_) => Err(foreign("pages of another site may not")),
        None => Ok(AskedBy::Program),
    }
}

fn nobody() -> Problem {
    let sentence = "nobody is known by what came with the request: send the cookie of a session, or \
                    the token of a `welcome` as `Authorization: Bearer`";
    Problem::new(Code::BadToken, sentence)
}

fn foreign(why: &str) -> Problem {
    let message = format!("a request with a cookie changes things for pages of this server: {why}");
    Problem::new(Code::ForeignPage, message)
}

impl<T: DeserializeOwned> FromRequest<Api> for Told<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &Api) -> Result<Told<T>, Problem> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
        let essence = kind.unwrap_or_default().split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case("application/json") {
            let message = "say it in JSON: `Content-Type: application/json`";
            return Err(Problem::new(Code::NotJson, message));
        }
        // A body that ends before its time has nobody left who would hear of it.
        let body = to_bytes(request.into_body(), MOST_BODY)
            .await
            .map_err(|_| Problem::too_large(MOST_BODY))?;
        let body: &[u8] = if body.is_empty() { b"{}" } else { &body };
        decode_json(body)
            .map(Told)
            .map_err(|error| Problem::bad_request(format!("the body is not understood: {error}")))
    }
}
