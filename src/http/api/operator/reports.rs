//! What players tell of each other, and what came of it.

use axum::http::StatusCode;
use axum::response::Response;
use hexhall_proto::chat::Room;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::http::api::asked::{Asked, Named, Nothing, page, parsed};
use crate::http::api::me::{Told, mine};
use crate::http::api::problem::Problem;
use crate::ids::ReportId;
use crate::operator::MOST_REPORTS;
use crate::store::{FullReport, ReportLine, ReportRow, Settled, Waiting};

use super::Op;
use super::refusals::{Looking, OfReport};
use super::told::FoundPlayer;

/// A report, without what was said.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToldReport {
    /// `rep_…`.
    pub id: String,
    /// Who made it.
    pub by: FoundPlayer,
    /// Whom it is about.
    pub about: FoundPlayer,
    /// `tbl_…`: where it happened, if anywhere in particular.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// What is wrong: `abuse`, `cheating`, `name`, `spam` or `other`.
    pub reason: String,
    /// The reporter's own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// When it was made, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// What came of it; none while it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled: Option<Settlement>,
}

/// What came of a report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Settlement {
    /// When it was settled, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// By whom.
    pub by: String,
    /// What came of it.
    pub outcome: String,
}

/// A report with what was said at its table when it was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WholeReport {
    /// The report.
    #[serde(flatten)]
    pub report: ToldReport,
    /// What the reporter could read, in order.
    pub lines: Vec<ToldLine>,
}

/// Something that was said.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ToldLine {
    /// Its number at the table.
    pub number: u64,
    /// Among whom it was said.
    pub room: Room,
    /// `plr_…`: who said it.
    pub player: String,
    /// The name that they had then.
    pub name: String,
    /// What.
    pub text: String,
    /// When, in milliseconds since the Unix epoch.
    pub at_ms: u64,
}

/// Reports, the newest first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ReportList {
    /// The reports, 50 at most.
    pub reports: Vec<ToldReport>,
    /// What `before` has to be for those that follow; none where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// How many are open.
    pub open: u64,
    /// How many may be: beyond that, players are told to try again later.
    pub most_open: u64,
}

/// What came of a report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Verdict {
    /// What came of it, 1 to 500 characters.
    pub outcome: String,
    /// Who settles it, 1 to 64 characters.
    pub by: String,
}

impl From<ReportRow> for ToldReport {
    fn from(row: ReportRow) -> ToldReport {
        let ReportRow { id, by, about, table, reason, text, at_ms, settled } = row;
        let settlement =
            |Settled { at_ms, by, outcome }: Settled| Settlement { at_ms, by, outcome };
        ToldReport {
            id: id.to_string(),
            by: by.into(),
            about: about.into(),
            table: table.map(|table| table.to_string()),
            reason: reason.word().to_owned(),
            text,
            at_ms,
            settled: settled.map(settlement),
        }
    }
}

impl From<FullReport> for WholeReport {
    fn from(FullReport { report, lines }: FullReport) -> WholeReport {
        let line = |ReportLine { number, room, player, name, text, at_ms }: ReportLine| ToldLine {
            number,
            room,
            player: player.to_string(),
            name,
            text,
            at_ms,
        };
        WholeReport { report: report.into(), lines: lines.into_iter().map(line).collect() }
    }
}

/// Which reports.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Which {
    /// Whether those that are settled are wanted too.
    #[serde(default)]
    settled: bool,
    /// Only those made before this one.
    #[serde(default, deserialize_with = "parsed")]
    before: Option<ReportId>,
}

/// What players have told of each other and nobody has settled, the newest first.
#[utoipa::path(
    get,
    path = "/v1/operator/reports",
    tag = "operator",
    operation_id = "list_reports",
    security(("operator" = [])),
    params(
        ("settled" = Option<bool>, Query, description = "Whether settled ones are wanted too.",
            example = true),
        ("before" = Option<String>, Query, description = "Only those made before this one.",
            example = "rep_01ARZ3NDEKTSV4RRFFQ69G5FAV"),
    ),
    responses(
        (status = 200, description = "The reports.", content_type = "application/json",
            body = ref("#/components/schemas/ReportList")),
        Looking,
    ),
)]
pub async fn list(
    Op(operator): Op,
    Asked(Which { settled, before }): Asked<Which>,
) -> Result<Response, Problem> {
    let rows = operator.reports(!settled, before).await?;
    let (rows, before) = page(rows, MOST_REPORTS, |row| row.id.to_string());
    let reports = rows.into_iter().map(ToldReport::from).collect();
    let Waiting { open, most: most_open } = operator.waiting_reports().await?;
    Ok(mine(StatusCode::OK, ReportList { reports, before, open, most_open }))
}

/// A report, with what was said at its table.
#[utoipa::path(
    get,
    path = "/v1/operator/reports/{id}",
    tag = "operator",
    operation_id = "show_report",
    security(("operator" = [])),
    params(("id" = String, Path, description = "Which.",
        example = "rep_01ARZ3NDEKTSV4RRFFQ69G5FAV")),
    responses(
        (status = 200, description = "The report.", content_type = "application/json",
            body = ref("#/components/schemas/WholeReport")),
        OfReport,
    ),
)]
pub async fn show(
    Op(operator): Op,
    Named(id): Named<ReportId>,
    Asked(Nothing {}): Asked<Nothing>,
) -> Result<Response, Problem> {
    Ok(mine(StatusCode::OK, WholeReport::from(operator.report(id).await?)))
}

/// Notes what came of a report: its reporter may report the player anew. It is in the log as well.
#[utoipa::path(
    post,
    path = "/v1/operator/reports/{id}/settle",
    tag = "operator",
    operation_id = "settle_report",
    security(("operator" = [])),
    params(("id" = String, Path, description = "Which.",
        example = "rep_01ARZ3NDEKTSV4RRFFQ69G5FAV")),
    request_body(content = ref("#/components/schemas/Verdict"), content_type = "application/json"),
    responses(
        (status = 200, description = "The report as it now is.", content_type = "application/json",
            body = ref("#/components/schemas/WholeReport")),
        (status = 409, description = "`already_settled`: it was settled before.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        (status = 415, description = "`not_json`: the body is of another type.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        OfReport,
    ),
)]
pub async fn settle(
    Op(operator): Op,
    Named(id): Named<ReportId>,
    Told(Verdict { outcome, by }): Told<Verdict>,
) -> Result<Response, Problem> {
    Ok(mine(StatusCode::OK, WholeReport::from(operator.settle(id, &outcome, &by).await?)))
}
