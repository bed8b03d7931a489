//! What a request's head shows of who asks: a bearer token, or cookies; and the cookie that a
//! browser is given.

use axum::http::{HeaderMap, HeaderValue, header};
use cookie::{Cookie, SameSite};

use crate::accounts::Token;
use crate::accounts::token::NotAToken;

/// The cookie that browsers are known by.
pub const COOKIE: &str = "hexhall";

/// The most tokens that are looked up for one request. A browser sends one; a head full of them must
/// not ask the store for each.
const MOST_TOKENS: usize = 4;

/// For as long as browsers keep any cookie: 400 days.
const COOKIE_DAYS: i64 = 400;

/// The bearer token, or a text in its place that is none.
pub fn bearer(headers: &HeaderMap) -> Option<Result<Token, NotAToken>> {
    bearer_text(headers).map(str::parse)
}

/// What stands in the place of a bearer token.
pub fn bearer_text(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// The tokens that the cookies hold.
pub fn cookies(headers: &HeaderMap) -> impl Iterator<Item = Token> {
    let cookies =
        headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    cookies
        .flat_map(Cookie::split_parse)
        .filter_map(|cookie| cookie.ok().filter(|cookie| cookie.name() == COOKIE))
        .filter_map(|cookie| cookie.value().parse().ok())
        .take(MOST_TOKENS)
}

/// The head that gives a browser this token to keep; none only if it could not be written.
pub fn set_cookie(token: &Token, secure: bool) -> Option<HeaderValue> {
    let cookie = Cookie::build((COOKIE, token.reveal()))
        .path("/")
        .http_only(true)
        .secure(secure)
        .same_site(SameSite::Lax)
        .max_age(cookie::time::Duration::days(COOKIE_DAYS));
    let mut value = HeaderValue::from_str(&cookie.to_string()).ok()?;
    value.set_sensitive(true);
    Some(value)
}
