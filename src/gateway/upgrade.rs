//! `GET /ws`: an HTTP request becomes a WebSocket.
//!
//! Everything that can be wrong with the request is answered in HTTP, with a sentence. Then 101,
//! and the connection leaves the HTTP server for the worker of the table that the address names.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{ConnectInfo, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use axum::response::IntoResponse;
use hexhall_proto::codec::Format;
use hexhall_proto::{SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

use super::address::{self, Source};
use super::hello::Shown;
use super::session::{self, Connection};
use super::shown::{self, set_cookie};
use super::{Gateway, Routes, origin};
use crate::accounts::{AccountError, Token};
use crate::ids::TableId;
use crate::store::PlayerError;

/// What the address may name.
#[derive(Debug, Deserialize)]
pub struct Hint {
    /// The table that the session is about to use; where it will live. Any other may be used too.
    table: Option<String>,
}

/// Why a request does not become a WebSocket.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// Not a `GET`.
    #[error("this address speaks WebSocket: send a GET request that asks to upgrade")]
    Method,
    /// A header of the handshake is missing or says something else.
    #[error("this address speaks WebSocket: the header `{0}` is missing or wrong")]
    Header(&'static str),
    /// Another version of the WebSocket protocol.
    #[error("this address speaks WebSocket version 13")]
    Version,
    /// Only subprotocols that nobody speaks here.
    #[error(
        "no known subprotocol was offered: there are `{SUBPROTOCOL_MSGPACK}` and `{SUBPROTOCOL_JSON}`"
    )]
    Subprotocol,
    /// A page of another site.
    #[error("pages of that origin may not open a session here")]
    Origin,
    /// The connection cannot be upgraded: not HTTP/1.1, most likely.
    #[error("this connection cannot be upgraded: use HTTP/1.1")]
    NotUpgradable,
    /// The store does not say who it is.
    #[error("who you are cannot be looked up now: try again in a moment")]
    Store,
    /// The system gave no random bits.
    #[error("something went wrong in the server")]
    Internal,
}

impl Refused {
    const fn status(&self) -> StatusCode {
        match self {
            Refused::Method => StatusCode::METHOD_NOT_ALLOWED,
            Refused::Version | Refused::NotUpgradable => StatusCode::UPGRADE_REQUIRED,
            Refused::Header(_) | Refused::Subprotocol => StatusCode::BAD_REQUEST,
            Refused::Origin => StatusCode::FORBIDDEN,
            Refused::Store => StatusCode::SERVICE_UNAVAILABLE,
            Refused::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response<Body> {
        tracing::debug!(why = %self, "a request did not become a session");
        let mut response = (self.status(), format!("{self}\n")).into_response();
        let headers = response.headers_mut();
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        match self {
            Refused::Method => {
                headers.insert(header::ALLOW, HeaderValue::from_static("GET"));
            }
            Refused::Version | Refused::NotUpgradable => {
                headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
                headers.insert(header::SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
            }
            _ => {}
        }
        response
    }
}

/// The handler of `/ws`, for any method.
///
/// # Errors
/// What is wrong with the request; it stays HTTP.
pub async fn upgrade<R: Routes>(
    State(gateway): State<Arc<Gateway<R>>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Query(hint): Query<Hint>,
    mut request: Request,
) -> Result<Response<Body>, Refused> {
    let accept = accept_key(&request)?;
    let (format, subprotocol) = choose(request.headers())?;
    let is_browser = check_origin(&gateway, &request)?;
    let (shown, given) = shown(&gateway, request.headers(), is_browser).await?;
    let upgrade = request.extensions_mut().remove::<OnUpgrade>().ok_or(Refused::NotUpgradable)?;

    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    let headers = response.headers_mut();
    headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(header::SEC_WEBSOCKET_ACCEPT, accept);
    if let Some(subprotocol) = subprotocol {
        headers.insert(header::SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(subprotocol));
    }
    if let Some(token) = given {
        let cookie = set_cookie(&token, gateway.settings.secure_cookies);
        headers.insert(header::SET_COOKIE, cookie.ok_or(Refused::Internal)?);
    }

    let source = address::source(peer.ip(), request.headers(), &gateway.settings);
    let table = hint.table.and_then(|table| table.parse().ok());
    tokio::spawn(hand_over(gateway, upgrade, format, source, shown, table));
    Ok(response)
}

/// Waits for the connection and hands it to its worker. Ends with the hand-over, or when the peer
/// does not take the 101 in the time that it has for its `hello`.
async fn hand_over<R: Routes>(
    gateway: Arc<Gateway<R>>,
    upgrade: OnUpgrade,
    format: Format,
    source: Source,
    shown: Shown,
    table: Option<TableId>,
) {
    let admission = gateway.admit(source);
    let upgraded = tokio::select! {
        upgraded = upgrade => upgraded,
        () = gateway.time.sleep(gateway.settings.hello) => return,
    };
    let (stream, read) = match upgraded.map(take_apart) {
        Ok(Ok(parts)) => parts,
        Ok(Err(error)) => return tracing::error!(%error, "an upgraded connection is of no use"),
        Err(error) => return tracing::debug!(%error, "a connection was lost at its upgrade"),
    };
    let worker = match table {
        Some(table) => gateway.routes.worker_of(table),
        None => gateway.workers.round_robin(),
    };
    let workers = Arc::clone(&gateway.workers);
    let connection = Connection { format, source, shown, admission };
    workers.spawn(worker, move || async move {
        // Only here: a socket belongs to the runtime that it is made in.
        let stream = match TcpStream::from_std(stream) {
            Ok(stream) => stream,
            Err(error) => return tracing::error!(%error, "a socket could not change threads"),
        };
        let config = config(&gateway);
        let socket =
            WebSocketStream::from_partially_read(stream, read, Role::Server, Some(config)).await;
        session::serve(gateway, connection, socket).await;
    });
}

/// The bare socket, and what was read from it already.
fn take_apart(upgraded: Upgraded) -> std::io::Result<(std::net::TcpStream, Vec<u8>)> {
    let parts = upgraded
        .downcast::<TokioIo<TcpStream>>()
        .map_err(|_| std::io::Error::other("not a TCP connection"))?;
    // A copy, because the buffer itself is as large as the largest request may be.
    Ok((parts.io.into_inner().into_std()?, parts.read_buf.to_vec()))
}

fn config<R: Routes>(gateway: &Gateway<R>) -> WebSocketConfig {
    let settings = &gateway.settings;
    WebSocketConfig::default()
        .read_buffer_size(settings.read_buffer_bytes)
        .max_message_size(Some(settings.frame_bytes))
        .max_frame_size(Some(settings.frame_bytes))
}

/// Checks the handshake, and gives the answer to its key.
fn accept_key(request: &Request) -> Result<HeaderValue, Refused> {
    if request.method() != Method::GET {
        return Err(Refused::Method);
    }
    let headers = request.headers();
    if !has_word(headers, header::CONNECTION, "upgrade") {
        return Err(Refused::Header("connection: upgrade"));
    }
    if !has_word(headers, header::UPGRADE, "websocket") {
        return Err(Refused::Header("upgrade: websocket"));
    }
    match headers.get(header::SEC_WEBSOCKET_VERSION) {
        Some(version) if version == "13" => {}
        _ => return Err(Refused::Version),
    }
    // Sixteen bytes in base64.
    let key = headers
        .get(header::SEC_WEBSOCKET_KEY)
        .filter(|key| key.len() == 24 && key.as_bytes().ends_with(b"=="))
        .ok_or(Refused::Header("sec-websocket-key"))?;
    derive_accept_key(key.as_bytes()).parse().map_err(|_| Refused::Header("sec-websocket-key"))
}

fn has_word(headers: &HeaderMap, name: header::HeaderName, word: &str) -> bool {
    words(headers, name).any(|found| found.eq_ignore_ascii_case(word))
}

fn words(headers: &HeaderMap, name: header::HeaderName) -> impl Iterator<Item = &str> {
    let lists = headers.get_all(name).into_iter().filter_map(|list| list.to_str().ok());
    lists.flat_map(|list| list.split(',')).map(str::trim).filter(|word| !word.is_empty())
}

/// The first subprotocol offered that is spoken here; JSON where none was offered.
fn choose(headers: &HeaderMap) -> Result<(Format, Option<&'static str>), Refused> {
    let mut offered = words(headers, header::SEC_WEBSOCKET_PROTOCOL).peekable();
    if offered.peek().is_none() {
        return Ok((Format::Json, None));
    }
    offered
        .find_map(|offered| match offered {
            SUBPROTOCOL_MSGPACK => Some((Format::MsgPack, Some(SUBPROTOCOL_MSGPACK))),
            SUBPROTOCOL_JSON => Some((Format::Json, Some(SUBPROTOCOL_JSON))),
            _ => None,
        })
        .ok_or(Refused::Subprotocol)
}

/// Whether a browser asks; refused if its page is of another site.
fn check_origin<R: Routes>(gateway: &Gateway<R>, request: &Request) -> Result<bool, Refused> {
    let headers = request.headers();
    let Some(origin) = headers.get(header::ORIGIN) else { return Ok(false) };
    let origin = origin.to_str().map_err(|_| Refused::Origin)?;
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    match origin::is_allowed(origin, host, &gateway.settings.allowed_origins) {
        true => Ok(true),
        false => Err(Refused::Origin),
    }
}

/// Who the request says it is, and the token of a cookie that the answer gives: to a browser that is
/// nobody yet, or whose token has grown old.
async fn shown<R: Routes>(
    gateway: &Gateway<R>,
    headers: &HeaderMap,
    is_browser: bool,
) -> Result<(Shown, Option<Token>), Refused> {
    if let Some(token) = shown::bearer(headers) {
        return Ok((Shown::Bearer(token), None));
    }
    for token in shown::cookies(headers) {
        match gateway.accounts.by_token(&token).await {
            Ok(Some(known)) => {
                let renewed = gateway.accounts.renew_if_old(&known).await;
                return Ok((Shown::Cookie(token), renewed));
            }
            // The second: its token was revoked as it was shown.
            Ok(None) | Err(AccountError::Write(PlayerError::Unknown)) => {}
            // Whoever is kept out is not made a guest instead: `hello` says why.
            Err(AccountError::Banned { .. }) => return Ok((Shown::Cookie(token), None)),
            Err(error) => {
                tracing::error!(%error, "a cookie could not be looked up");
                return Err(Refused::Store);
            }
        }
    }
    if !is_browser {
        return Ok((Shown::Nothing, None));
    }
    let token = Token::generate().map_err(|error| {
        tracing::error!(%error, "no random bits from the system");
        Refused::Internal
    })?;
    Ok((Shown::NewCookie(token.clone()), Some(token)))
}
