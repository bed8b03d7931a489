//! What one has to tell the operator of another player.

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::accounts::Complaint;
use crate::gateway::address;
use crate::http::api::Api;
use crate::http::api::problem::Problem;
use crate::store::Reason;

use super::asking::{Me, Told};
use super::mine;
use super::refusals::Changing;

/// A report to be made.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReportToMake {
    /// Whom it is about.
    player: String,
    /// The table where it happened. What the reporter may read there is kept with the report.
    #[serde(default)]
    table: Option<String>,
    /// What is wrong.
    reason: ReportReason,
    /// It in one's own words, 500 characters at most; needed for `other`.
    #[serde(default)]
    text: Option<String>,
}

/// What is wrong with somebody.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReportReason {
    /// What they say.
    Abuse,
    /// How they play.
    Cheating,
    /// What they are called.
    Name,
    /// That they say too much.
    Spam,
    /// Something else: `text` says what.
    Other,
}

impl From<ReportReason> for Reason {
    fn from(reason: ReportReason) -> Reason {
        match reason {
            ReportReason::Abuse => Reason::Abuse,
            ReportReason::Cheating => Reason::Cheating,
            ReportReason::Name => Reason::Name,
            ReportReason::Spam => Reason::Spam,
            ReportReason::Other => Reason::Other,
        }
    }
}

/// A report that was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct MadeReport {
    /// `rep_…`
    pub id: String,
}

/// Reports a player to the operator. If it names a table, the last 50 lines that the reporter may
/// read there are kept with it, as the server has them. A report is kept for 30 days.
#[utoipa::path(
    post,
    path = "/v1/reports",
    tag = "me",
    operation_id = "report",
    security(("cookie" = []), ("bearer" = [])),
    request_body(content = ref("#/components/schemas/ReportToMake"),
        content_type = "application/json"),
    responses(
        (status = 201, description = "The report.", content_type = "application/json",
            body = ref("#/components/schemas/MadeReport")),
        (status = 404, description = "`unknown_player`, `unknown_table`: there is no such thing.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        (status = 409, description = "`already_reported`: an open report of one's is about the same \
            player. `too_many`: one has 50 open reports.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        Changing,
        (status = 503, description = "`no_room`: as many reports are open, of all players together, \
            as the operator has room for. `busy` or `shutting_down`: try again; `Retry-After` says \
            when.", content_type = "application/json", body = ref("#/components/schemas/Problem")),
    ),
)]
pub async fn report(
    State(api): State<Api>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    Me { known, .. }: Me,
    Told(told): Told<ReportToMake>,
) -> Result<Response, Problem> {
    let complaint = Complaint {
        about: told.player.parse()?,
        table: told.table.map(|table| table.parse()).transpose()?,
        reason: told.reason.into(),
        text: told.text,
    };
    let (accounts, table) = (&api.identity.accounts, complaint.table);
    let source = address::source(peer.ip(), &headers, &api.identity.settings);
    let from = (!source.exempt).then_some(source.address);
    let report = accounts.report(&known, from, complaint).await?;
    let lines = match table {
        Some(table) => api.evidence(table, known.player.id).await?,
        None => Vec::new(),
    };
    let id = accounts.file(report, lines).await?.to_string();
    Ok(mine(StatusCode::CREATED, MadeReport { id }))
}
