//! Reports without a disk.

use super::people::People;
use crate::ids::{PlayerId, ReportId};
use crate::store::queue::{Refused, Verdict};
use crate::store::reports::{FullReport, NewReport, ReportChange, ReportRow, Settled};

/// A report as it was made, and what came of it.
pub(super) struct Made {
    report: NewReport,
    settled: Option<Settled>,
}

impl People {
    pub(in crate::store) fn reports(
        &self,
        open_only: bool,
        after: Option<ReportId>,
        limit: usize,
    ) -> Vec<ReportRow> {
        let newest = self.reports.values().rev();
        let asked_for = newest.filter(|made| {
            (made.settled.is_none() || !open_only) && after.is_none_or(|it| made.report.id < it)
        });
        asked_for.filter_map(|made| self.report_row(made)).take(limit).collect()
    }

    pub(in crate::store) fn report(&self, id: ReportId) -> Option<FullReport> {
        let made = self.reports.get(&id)?;
        Some(FullReport { report: self.report_row(made)?, lines: made.report.lines.clone() })
    }

    pub(in crate::store) fn open_reports(&self) -> u64 {
        self.reports.values().filter(|made| made.settled.is_none()).count() as u64
    }

    pub(in crate::store) fn report_counts(&self, player: PlayerId) -> [u64; 2] {
        let count = |of: fn(&NewReport) -> PlayerId| {
            self.reports.values().filter(|made| of(&made.report) == player).count() as u64
        };
        [count(|report| report.about), count(|report| report.by)]
    }

    fn report_row(&self, Made { report, settled }: &Made) -> Option<ReportRow> {
        Some(ReportRow {
            id: report.id,
            by: self.player(report.by)?,
            about: self.player(report.about)?,
            table: report.table,
            reason: report.reason,
            text: report.text.clone(),
            at_ms: report.at_ms,
            settled: settled.clone(),
        })
    }

    pub(super) fn change_report(&mut self, change: &ReportChange) -> Verdict {
        match change {
            ReportChange::Make { report, most, most_in_all } => {
                self.make_report(report, *most, *most_in_all)
            }
            ReportChange::Settle { id, settled } => {
                let made = self.reports.get_mut(id).ok_or(Refused::Unknown)?;
                if made.settled.is_some() {
                    return Err(Refused::Taken);
                }
                made.settled = Some(settled.clone());
                self.log.push(settled.act(made.report.about));
                Ok(())
            }
            ReportChange::Forget { before_ms } => {
                self.reports.retain(|_, made| made.report.at_ms >= *before_ms);
                Ok(())
            }
        }
    }

    fn make_report(&mut self, report: &NewReport, most: usize, most_in_all: u64) -> Verdict {
        if self.player(report.by).is_none() || self.player(report.about).is_none() {
            return Err(Refused::Unknown);
        }
        let own = |made: &&Made| made.settled.is_none() && made.report.by == report.by;
        let open = || self.reports.values().filter(own);
        if open().any(|made| made.report.about == report.about) {
            return Err(Refused::Taken);
        }
        if open().count() >= most {
            return Err(Refused::Full);
        }
        if self.open_reports() >= most_in_all {
            return Err(Refused::NoRoom);
        }
        self.reports.insert(report.id, Made { report: report.clone(), settled: None });
        Ok(())
    }
}
