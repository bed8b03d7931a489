//! An answer and how caches may keep it.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::problem::Problem;
use crate::http::etag::{is_known, tag};

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
    let tag = tag(&Sha256::digest(&bytes).into());
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
