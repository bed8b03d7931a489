//! Entity tags: what somebody has kept already is not sent again.

use axum::http::{HeaderMap, header};
use data_encoding::BASE64URL_NOPAD;

/// The tag of something with this hash. Weak, because the same bytes may go out compressed.
pub(super) fn tag(hash: &[u8; 32]) -> String {
    format!("W/\"{}\"", BASE64URL_NOPAD.encode(&hash[..16]))
}

/// Whether one of the tags that were sent along is this one, or stands for any.
pub(super) fn is_known(asked: &HeaderMap, tag: &str) -> bool {
    let opaque = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    let sent = asked.get_all(header::IF_NONE_MATCH).into_iter();
    sent.filter_map(|tags| tags.to_str().ok())
        .flat_map(|tags| tags.split(',').map(str::trim))
        .any(|sent| sent == "*" || opaque(sent) == opaque(tag))
}
