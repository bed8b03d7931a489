//! What an address and its query say, read strictly: what is not understood is refused and named.

use std::error::Error as _;
use std::fmt::Display;
use std::str::FromStr;

use axum::RequestPartsExt;
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};

use super::problem::Problem;

/// The query.
pub struct Asked<T>(pub T);

/// The query of an address that takes none, or a body that says nothing.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// How many to list at most, from 1 to so many.
#[derive(Clone, Copy, Debug)]
pub struct UpTo<const MOST: u32>(pub u32);

/// The text is no such number.
#[derive(Debug, thiserror::Error)]
#[error("`limit` is a number from 1 to {MOST}")]
pub struct NotALimit<const MOST: u32>;

impl<const MOST: u32> FromStr for UpTo<MOST> {
    type Err = NotALimit<MOST>;

    fn from_str(text: &str) -> Result<UpTo<MOST>, NotALimit<MOST>> {
        let number = text.parse().ok().filter(|number| (1..=MOST).contains(number));
        number.map(UpTo).ok_or(NotALimit)
    }
}

/// A page of rows of which one more than `limit` was asked for, and what the next page goes on from,
/// where there is one.
pub fn page<T, K>(
    mut rows: Vec<T>,
    limit: usize,
    key: impl FnOnce(&T) -> K,
) -> (Vec<T>, Option<K>) {
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(key);
    (rows, next)
}

/// The one named part of the path.
pub struct Named<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut request::Parts, _: &S) -> Result<Asked<T>, Problem> {
        let query = Query::try_from_uri(&parts.uri).map_err(|rejection| {
            // The cause names the parameter; the rejection itself would only say that there is one.
            let cause =
                rejection.source().map_or_else(|| rejection.body_text(), ToString::to_string);
            Problem::bad_request(format!("the query is not understood: {cause}"))
        })?;
        Ok(Asked(query.0))
    }
}

impl<T, S> FromRequestParts<S> for Named<T>
where
    T: FromStr<Err: Display>,
    S: Send + Sync,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut request::Parts, _: &S) -> Result<Named<T>, Problem> {
        let Path(name): Path<String> = parts.extract().await?;
        let named =
            name.parse().map_err(|error: T::Err| Problem::bad_request(error.to_string()))?;
        Ok(Named(named))
    }
}

/// The named parts of a path that has several, in its order.
pub struct Parts<const COUNT: usize>(pub [String; COUNT]);

impl<S: Send + Sync, const COUNT: usize> FromRequestParts<S> for Parts<COUNT> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut request::Parts, _: &S) -> Result<Self, Problem> {
        let Path(named): Path<Vec<String>> = parts.extract().await?;
        let wrong = |named: Vec<String>| Problem::internal(&format!("{} parts", named.len()));
        Ok(Parts(named.try_into().map_err(wrong)?))
    }
}

/// A parameter whose own type says what is wrong with it.
pub fn parsed<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: Display>,
{
    let text = String::deserialize(deserializer)?;
    text.parse().map(Some).map_err(D::Error::custom)
}
