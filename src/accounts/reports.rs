//! What a player tells the operator of another.
//!
//! Two steps: [`Accounts::report`] checks all that is asked and counts it, and [`Accounts::file`]
//! writes it down with what was said at the table, for which only a report that may be made is
//! worth the question.

use super::devices::for_people;
use super::text::{self, Lines, Wrong};
use super::{AccountError, Accounts, Known};
use crate::gateway::address::Address;
use crate::ids::{PlayerId, ReportId, TableId};
use crate::store::{NewReport, PlayerError, Reason, ReportError, ReportLine};

/// The longest text of a report, in characters.
pub const MOST_REPORT_CHARS: usize = 500;

/// The reports that one may have open at a time.
pub const MOST_OPEN_REPORTS: usize = 50;

/// What somebody has to say of somebody else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// Whom it is about.
    pub about: PlayerId,
    /// Where it happened, if anywhere in particular.
    pub table: Option<TableId>,
    /// What is wrong.
    pub reason: Reason,
    /// It in their own words.
    pub text: Option<String>,
}

/// A report that may be made. Nothing is written yet.
#[derive(Debug)]
pub struct Report(NewReport);

/// Why a text is none of a report's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadText {
    /// The reason alone says nothing.
    #[error("say what is wrong in `text`: `other` alone does not")]
    Missing,
    /// Too long.
    #[error("`text` has at most {MOST_REPORT_CHARS} characters, and this one has {0}")]
    TooLong(usize),
    /// A character that cannot be seen, or that reorders what stands around it.
    #[error(
        "`text` has only characters that can be seen and line breaks, and U+{:04X} is neither",
        u32::from(*.0)
    )]
    Invisible(char),
}

impl Accounts {
    /// Checks what somebody has to say of somebody else, and counts it for them and for the address
    /// that they ask from, if it is to count.
    ///
    /// # Errors
    /// It is a bot that asks, of oneself or nobody, at no table, its text is none; too often.
    pub async fn report(
        &self,
        by: &Known,
        from: Option<Address>,
        it: Complaint,
    ) -> Result<Report, AccountError> {
        for_people(by)?;
        let text = read_text(it.reason, it.text.as_deref())?;
        self.check_other(by, it.about).await?;
        if let Some(table) = it.table
            && self.store.table(table).await?.is_none()
        {
            return Err(AccountError::UnknownTable(table));
        }
        let limited = self.limits.reports.admit(by.player.id);
        let limited =
            limited.and_then(|()| from.map_or(Ok(()), |at| self.limits.reports_from.admit(at)));
        limited.map_err(|wait| AccountError::TooOften { what: "many reports", wait })?;
        let now = self.time.now();
        Ok(Report(NewReport {
            id: self.chance.report(now),
            by: by.player.id,
            about: it.about,
            table: it.table,
            reason: it.reason,
            text,
            at_ms: now.0,
            lines: Vec::new(),
        }))
    }

    /// Writes a report down, with these lines of its table. Returns once that is durable.
    ///
    /// # Errors
    /// There is an open one of the same player about the same other, or too many others, or there
    /// are too many of all players.
    pub async fn file(
        &self,
        Report(report): Report,
        lines: Vec<ReportLine>,
    ) -> Result<ReportId, AccountError> {
        let (id, about, reason) = (report.id, report.about, report.reason);
        let filed = self.store.add_report(NewReport { lines, ..report }, MOST_OPEN_REPORTS).await;
        filed.map_err(|error| match error {
            ReportError::Busy(busy) => PlayerError::Busy(busy).into(),
            ReportError::Unwritable => PlayerError::Unwritable.into(),
            ReportError::Open => AccountError::AlreadyReported,
            ReportError::NoRoom => AccountError::NoRoom,
            ReportError::Full => {
                AccountError::TooMany { what: "open reports", most: MOST_OPEN_REPORTS }
            }
            // Only what is there already can be settled.
            ReportError::Unknown | ReportError::Settled => AccountError::UnknownPlayer(about),
        })?;
        tracing::info!(report = %id, reason = reason.word(), "a player was reported");
        Ok(id)
    }
}

/// A report's text; none where nothing is left.
fn read_text(reason: Reason, text: Option<&str>) -> Result<Option<String>, BadText> {
    match text::read(text.unwrap_or_default(), MOST_REPORT_CHARS, Lines::Many) {
        Ok(text) => Ok(Some(text.into_owned())),
        Err(Wrong::Empty) if reason == Reason::Other => Err(BadText::Missing),
        Err(Wrong::Empty) => Ok(None),
        Err(Wrong::TooLong(chars)) => Err(BadText::TooLong(chars)),
        Err(Wrong::Invisible(c)) => Err(BadText::Invisible(c)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_trimmed_has_its_bounds_and_hides_nothing() {
        let read = |text| read_text(Reason::Abuse, Some(text));
        let said = |text: &str| Ok(Some(text.to_owned()));
        assert_eq!(read("  he shouts\r\nall day \n"), said("he shouts\nall day"));
        assert_eq!(
            read("he\rshe"),
            Err(BadText::Invisible('\r')),
            "it would hide what is before it"
        );
        assert_eq!(read("\u{2764}\u{fe0f}"), said("\u{2764}\u{fe0f}"));
        assert_eq!(read(" \t\n"), Ok(None));
        assert_eq!(read_text(Reason::Abuse, None), Ok(None));
        let longest = "ø".repeat(MOST_REPORT_CHARS);
        assert_eq!(read(&longest), said(&longest));
        let longer = longest.clone() + "ø";
        assert_eq!(read(&longer), Err(BadText::TooLong(501)));
        assert_eq!(read("a\u{202e}b"), Err(BadText::Invisible('\u{202e}')));
        assert_eq!(read("a\u{1b}[2Jb"), Err(BadText::Invisible('\u{1b}')));
    }

    #[test]
    fn what_is_none_of_the_reasons_needs_words() {
        for nothing in [None, Some(""), Some(" \n")] {
            assert_eq!(read_text(Reason::Other, nothing), Err(BadText::Missing));
        }
        assert_eq!(read_text(Reason::Other, Some("this")), Ok(Some("this".to_owned())));
    }
}
