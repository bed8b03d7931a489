//! An answer and how caches may keep it.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use data_encoding::BASE64URL_NOPAD;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::problem::Problem;

/// The media type of everything but records in other formats.
pub const JSON: &str = "application/json";

/// How long an answer stays true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lasting {
    /// For ever: it need not be asked for again.
    Forever,
    /// Until something happens: it may be kept, and is to be asked about each time.
    UntilChanged,
}

impl Lasting {
    const fn cache_control(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Lasting::Forever => "max-age=31536000, immutable",
            Lasting::UntilChanged => "no-cache",
        })
    }
}

/// The bytes with their type and tag; or 304 to someone who has them already.
pub fn answer(asked: &HeaderMap, lasting: Lasting, kind: &'static str, bytes: Bytes) -> Response {
    let tag = tag(&bytes);
    let known = is_known(asked, &tag);
    let caching = [(header::CACHE_CONTROL, lasting.cache_control())];
    let tag = [(header::ETAG, tag)];
    if known {
        return (StatusCode::NOT_MODIFIED, caching, tag).into_response();
    }
    (caching, tag, [(header::CONTENT_TYPE, kind)], bytes).into_response()
}

/// A value as JSON.
pub fn answer_json<T: Serialize>(
    asked: &HeaderMap,
    lasting: Lasting,
    value: &T,
) -> Result<Response, Problem> {
    let bytes = serde_json::to_vec(value).map_err(|error| Problem::internal(&error))?;
    Ok(answer(asked, lasting, JSON, bytes.into()))
}

/// Weak, because the same bytes may go out compressed.
fn tag(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    format!("W/\"{}\"", BASE64URL_NOPAD.encode(&hash[..16]))
}

/// Whether one of the tags that were sent along is this one, or stands for any.
fn is_known(asked: &HeaderMap, tag: &str) -> bool {
    let opaque = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    let sent = asked.get_all(header::IF_NONE_MATCH).into_iter();
    sent.filter_map(|tags| tags.to_str().ok())
        .flat_map(|tags| tags.split(',').map(str::trim))
        .any(|sent| sent == "*" || opaque(sent) == opaque(tag))
}
