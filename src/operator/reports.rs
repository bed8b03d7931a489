//! What players tell of each other, and what came of it.

use super::{MOST_BY, Operator, OperatorError, read_text};
use crate::ids::ReportId;
use crate::store::{FullReport, MOST_TEXT, PlayerError, ReportError, ReportRow, Waiting};

/// The reports that are shown at a time.
pub const MOST_REPORTS: usize = 50;

impl Operator {
    /// Reports, the newest first: only open ones, if that is asked for, and only those made before
    /// the report `before`. One more than is shown at a time, which says that there are more.
    pub async fn reports(
        &self,
        open_only: bool,
        before: Option<ReportId>,
    ) -> Result<Vec<ReportRow>, OperatorError> {
        Ok(self.desk.store.reports(open_only, before, MOST_REPORTS + 1).await?)
    }

    /// How many reports are open, and how many may be.
    pub async fn waiting_reports(&self) -> Result<Waiting, OperatorError> {
        Ok(self.desk.store.waiting_reports().await?)
    }

    /// A report, with what was said at its table.
    pub async fn report(&self, id: ReportId) -> Result<FullReport, OperatorError> {
        let found = self.desk.store.report(id).await?;
        found.ok_or(OperatorError::UnknownReport(id))
    }

    /// Notes what came of a report. Returns once that is durable, with its line in the log.
    ///
    /// # Errors
    /// There is no such report, or it was settled before.
    pub async fn settle(
        &self,
        id: ReportId,
        outcome: &str,
        by: &str,
    ) -> Result<FullReport, OperatorError> {
        let outcome = read_text("outcome", outcome, MOST_TEXT)?;
        let by = read_text("by", by, MOST_BY)?;
        let settled = self.desk.store.settle_report(id, self.now_ms(), by.clone(), outcome).await;
        settled.map_err(|error| match error {
            ReportError::Busy(busy) => PlayerError::Busy(busy).into(),
            ReportError::Unwritable => PlayerError::Unwritable.into(),
            ReportError::Settled => OperatorError::Settled(id),
            ReportError::Open | ReportError::Full | ReportError::NoRoom | ReportError::Unknown => {
                OperatorError::UnknownReport(id)
            }
        })?;
        tracing::info!(report = %id, by, "a report is settled");
        self.report(id).await
    }
}
