//! The tables for people: each case's figures beside the floor's, and the budgets.

use std::fmt;

use super::budgets::{BUDGETS, Budget, Verdict};
use super::figures::{Figure, Measurement, median};
use super::plan::Subject;

/// All that was measured.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// In the order in which it was measured.
    pub measured: Vec<Measurement>,
}

impl Report {
    /// Each budget that was measured, and what it came to.
    pub fn verdicts(&self) -> impl Iterator<Item = (&'static Budget, f64, Verdict)> {
        BUDGETS.iter().filter_map(|budget| {
            let value = budget.value(&self.measured)?;
            Some((budget, value, budget.verdict(value)))
        })
    }

    /// The budgets that are missed.
    pub fn missed(&self) -> Vec<&'static str> {
        let missed = self.verdicts().filter(|(_, _, verdict)| *verdict == Verdict::Missed);
        missed.map(|(budget, ..)| budget.name).collect()
    }

    /// Each case once, with each of its subjects and their figures.
    fn rows(&self) -> Vec<(&'static str, Subject, Figure, f64)> {
        let mut rows: Vec<(&'static str, Subject, Figure, f64)> = Vec::new();
        for it in &self.measured {
            for &(figure, _) in &it.figures {
                let known = |row: &&(&str, Subject, Figure, f64)| {
                    row.0 == it.case && row.1 == it.subject && row.2 == figure
                };
                if rows.iter().any(|row| known(&row)) {
                    continue;
                }
                let same =
                    |other: &&Measurement| other.case == it.case && other.subject == it.subject;
                let values = self.measured.iter().filter(same);
                let value = median(values.filter_map(|other| other.figure(figure)));
                rows.extend(value.map(|value| (it.case, it.subject, figure, value)));
            }
        }
        rows
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.rows();
        writeln!(f, "| case | figure | floor | hexhall | ratio |")?;
        writeln!(f, "|---|---|---|---|---|")?;
        for (case, subject, figure, value) in &rows {
            let Subject::Server(store) = subject else { continue };
            let floor = rows.iter().find(|(other, subject, kind, _)| {
                other == case && *subject == Subject::Floor && kind == figure
            });
            let (floor, ratio) = match floor {
                Some((.., floor)) if *floor > 0.0 => {
                    (number(*floor), format!("{:.2}", value / floor))
                }
                Some((.., floor)) => (number(*floor), String::new()),
                None => Default::default(),
            };
            let (store, name) = (store.name(), figure.name());
            writeln!(f, "| {case}, {store} | {name} | {floor} | {} | {ratio} |", number(*value))?;
        }
        writeln!(f, "\n| budget | measured | limit | aim | verdict |")?;
        writeln!(f, "|---|---|---|---|---|")?;
        for (Budget { name, limit, aim, .. }, value, verdict) in self.verdicts() {
            writeln!(f, "| {name} | {value:.2} | {limit} | {aim} | {} |", verdict.word())?;
        }
        Ok(())
    }
}

/// Four digits that count.
fn number(value: f64) -> String {
    match value.abs() {
        1_000.0.. => format!("{value:.0}"),
        10.0.. => format!("{value:.1}"),
        _ => format!("{value:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::plan::{StoreKind, Work};
    use crate::bench::reconnect::Reconnect;

    #[test]
    fn a_missed_budget_is_named_and_stands_beside_its_figures() {
        let of = |subject, seconds| Measurement {
            case: "reconnect",
            subject,
            run: 1,
            work: Work::Reconnect(Reconnect { sessions: 10 }),
            figures: vec![(Figure::LastReturned, seconds)],
        };
        let measured = vec![of(Subject::Floor, 0.25), of(Subject::Server(StoreKind::Sqlite), 1.0)];
        let report = Report { measured };
        assert_eq!(report.missed(), ["5,000 sessions back at once"]);
        let text = report.to_string();
        assert!(text.contains("| reconnect, sqlite | last_returned_s | 0.250 | 1.000 | 4.00 |"));
        assert!(text.contains("| 5,000 sessions back at once | 4.00 | 2 | 1.3 | MISSED |"));
    }
}
