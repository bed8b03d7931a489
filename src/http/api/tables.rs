//! The public tables, and what a table's spectators see.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use hexhall_proto::parts::Phase;
use hexhall_proto::view::Listing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::ids::TableId;

use super::Api;
use super::answer::{Lasting, answer_json};
use super::asked::{Asked, Named, UpTo, page, parsed};
use super::problem::{Failures, Problem};

/// Some of the public tables, the newest first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct TableList {
    /// The tables.
    pub tables: Vec<Listing>,
    /// What to ask for as `after` to have the tables that follow; none where there are no more.
    pub next: Option<String>,
}

/// Which tables to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// Only tables that stand there.
    #[param(inline)]
    phase: Option<Listed>,
    /// How many at most.
    #[serde(default, deserialize_with = "parsed")]
    #[param(value_type = Option<u8>, minimum = 1, maximum = 200, default = 50)]
    limit: Option<UpTo<200>>,
    /// Only tables that are older than this one, which need not be there any more.
    #[serde(default, deserialize_with = "parsed")]
    #[param(value_type = Option<String>, example = "tbl_01ARZ3NDEKTSV4RRFFQ69G5FAV")]
    after: Option<TableId>,
}

/// Where a listed table can stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Listed {
    Waiting,
    Playing,
    Finished,
}

impl Listed {
    const fn phase(self) -> Phase {
        match self {
            Listed::Waiting => Phase::Waiting,
            Listed::Playing => Phase::Playing,
            Listed::Finished => Phase::Finished,
        }
    }
}

/// What shows that one is invited.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Invitation {
    /// The invitation, if the table is private.
    invitation: Option<String>,
}

/// The public tables, the newest first.
#[utoipa::path(
    get,
    path = "/v1/tables",
    tag = "tables",
    operation_id = "list_tables",
    params(Which),
    responses(
        (status = 200, description = "The tables.", content_type = "application/json",
            body = ref("#/components/schemas/TableList"),
            headers(("ETag" = String, description = "For `If-None-Match`."))),
        (status = 304, description = "The tables are the same as those asked about."),
        (status = 400, description = "`bad_request`: a parameter is unknown or malformed.",
            content_type = "application/json", body = ref("#/components/schemas/Problem"),
            example = json!({"code": "bad_request",
                "message": "the query is not understood: limit: `limit` is a number from 1 to 200"})),
        Failures,
    ),
)]
pub async fn list(
    State(api): State<Api>,
    Asked(which): Asked<Which>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let UpTo(limit) = which.limit.unwrap_or(UpTo(50));
    let limit = limit as usize;
    // As texts, ids sort by age too.
    let after = which.after.map(|table| table.to_string());
    let is_asked_for = move |listing: &Listing| {
        which.phase.is_none_or(|listed| listing.phase == listed.phase())
            && after.as_ref().is_none_or(|after| listing.table < *after)
    };
    let tables = api.lobby.public(limit + 1, is_asked_for).await?;
    let (tables, next) = page(tables, limit, |listing| listing.table.clone());
    answer_json(&headers, Lasting::UntilChanged, &TableList { tables, next })
}

/// A table as its spectators see it.
#[utoipa::path(
    get,
    path = "/v1/tables/{id}",
    tag = "tables",
    operation_id = "view_table",
    params(
        ("id" = String, Path, description = "The table.",
            example = "tbl_01ARZ3NDEKTSV4RRFFQ69G5FAV"),
        Invitation,
    ),
    responses(
        (status = 200, description = "The table.", content_type = "application/json",
            body = ref("#/components/schemas/View"),
            headers(("ETag" = String, description = "For `If-None-Match`."))),
        (status = 304, description = "The table is the same as the one asked about."),
        (status = 400, description = "`bad_request`: this is no table's id, or a parameter is unknown.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        (status = 403, description = "`not_invited`: the table is private.",
            content_type = "application/json", body = ref("#/components/schemas/Problem"),
            example = json!({"code": "not_invited",
                "message": "this table is private: ask its players for the invitation"})),
        (status = 404, description = "`unknown_table`: there is no such table.",
            content_type = "application/json", body = ref("#/components/schemas/Problem"),
            example = json!({"code": "unknown_table",
                "message": "there is no table tbl_01ARZ3NDEKTSV4RRFFQ69G5FAV"})),
        Failures,
    ),
)]
pub async fn view(
    State(api): State<Api>,
    Named(table): Named<TableId>,
    Asked(Invitation { invitation }): Asked<Invitation>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let seen = api.look(table, invitation).await?;
    answer_json(&headers, Lasting::UntilChanged, &seen.view)
}
