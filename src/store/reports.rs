//! What players have told the operator about each other: the rows, and what is asked of them.
//!
//! A report holds the lines that its table had when it was made, and is written with them in one
//! transaction. Invariants: of each reporter there is one open report at most about each other
//! player; what is settled stays as it was settled. Bound: so many are open in all, whoever made
//! them ([`Options::open_reports`](super::Options)); settled ones are as many as an operator has
//! settled. Whoever owns the clock has old ones forgotten, with their lines, settled or not.

use hexhall_proto::chat::Room;
use metrics::{Gauge, describe_gauge, gauge};
use tokio::sync::Mutex;

use super::acts::{Act, ActKind};
use super::people::Change;
use super::queue::{Busy, Refused};
use super::{PlayerRow, ReadError, Store, read, sqlite};
use crate::ids::{PlayerId, ReportId, TableId};

/// What is wrong, in a word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// What the player says.
    Abuse,
    /// How the player plays.
    Cheating,
    /// What the player is called.
    Name,
    /// That the player says too much.
    Spam,
    /// Something else, which the reporter's text says.
    Other,
}

impl Reason {
    /// All of them.
    pub const ALL: [Reason; 5] =
        [Reason::Abuse, Reason::Cheating, Reason::Name, Reason::Spam, Reason::Other];

    /// The word for it, as it is stored.
    pub const fn word(self) -> &'static str {
        match self {
            Reason::Abuse => "abuse",
            Reason::Cheating => "cheating",
            Reason::Name => "name",
            Reason::Spam => "spam",
            Reason::Other => "other",
        }
    }

    pub(super) fn from_word(word: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.word() == word)
    }
}

/// A report that is made now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewReport {
    /// The report.
    pub id: ReportId,
    /// Who makes it.
    pub by: PlayerId,
    /// Whom it is about.
    pub about: PlayerId,
    /// Where it happened, if anywhere in particular.
    pub table: Option<TableId>,
    /// What is wrong.
    pub reason: Reason,
    /// The reporter's own words.
    pub text: Option<String>,
    /// When it is made, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// What was said at the table, in order.
    pub lines: Vec<ReportLine>,
}

/// Something that was said at a table, as a report keeps it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportLine {
    /// The line's number at the table.
    pub number: u64,
    /// Among whom it was said.
    pub room: Room,
    /// Who said it.
    pub player: PlayerId,
    /// The name that they had then.
    pub name: String,
    /// What.
    pub text: String,
    /// When, in milliseconds since the Unix epoch.
    pub at_ms: u64,
}

/// A report, without its lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReportRow {
    /// The report.
    pub id: ReportId,
    /// Who made it, by the name that they have now.
    pub by: PlayerRow,
    /// Whom it is about, by the name that they have now.
    pub about: PlayerRow,
    /// Where it happened, if anywhere in particular.
    pub table: Option<TableId>,
    /// What is wrong.
    pub reason: Reason,
    /// The reporter's own words.
    pub text: Option<String>,
    /// When it was made, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// What came of it; none while it is open.
    pub settled: Option<Settled>,
}

/// What came of a report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settled {
    /// When, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// Who settled it.
    pub by: String,
    /// What came of it, in their words.
    pub outcome: String,
}

impl Settled {
    /// What the log of operators' acts has of it, where the report was about this player.
    pub(super) fn act(&self, player: PlayerId) -> Act {
        let Settled { at_ms, by, outcome } = self.clone();
        Act { player, kind: ActKind::Settle, by, text: outcome, at_ms, until_ms: None }
    }
}

/// A report with its lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FullReport {
    /// The report.
    pub report: ReportRow,
    /// What was said at its table when it was made, in order.
    pub lines: Vec<ReportLine>,
}

/// How many reports wait for an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// So many are open.
    pub open: u64,
    /// So many may be.
    pub most: u64,
}

/// The figure of the open reports, and their bound.
pub(super) struct OpenReports {
    figure: Gauge,
    most: u64,
    /// Who counts: whoever counts last counts all that was written before.
    turn: Mutex<()>,
}

impl OpenReports {
    pub(super) fn new(most: u64) -> OpenReports {
        describe_gauge!("hexhall_reports_open", "Reports of players that nobody has settled");
        describe_gauge!("hexhall_reports_open_most", "How many of them there may be");
        gauge!("hexhall_reports_open_most").set(most as f64);
        OpenReports { figure: gauge!("hexhall_reports_open"), most, turn: Mutex::default() }
    }
}

/// One change to the reports.
#[derive(Debug)]
pub(super) enum ReportChange {
    /// One is made; its reporter has at most so many open, and everybody together so many.
    Make { report: Box<NewReport>, most: usize, most_in_all: u64 },
    /// One is settled.
    Settle { id: ReportId, settled: Settled },
    /// Those that were made before then go.
    Forget { before_ms: u64 },
}

/// Why a report was not written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReportError {
    /// Nothing can be written just now.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The reporter has an open report about the same player.
    #[error("there is an open report about the same player: wait until it is settled")]
    Open,
    /// The reporter has as many open reports as there may be.
    #[error("there are as many open reports as there may be: wait until one is settled")]
    Full,
    /// All together have as many open reports as there may be.
    #[error("as many reports are open as the operator has room for: try again later")]
    NoRoom,
    /// The report was settled before.
    #[error("the report is settled already")]
    Settled,
    /// There is no such player, or no such report.
    #[error("there is no such player or report")]
    Unknown,
    /// It cannot be written, however often it is tried; the log says why.
    #[error("the database refuses this for good: see the log")]
    Unwritable,
}

impl Store {
    /// Writes a report down with its lines, one of at most so many open ones of its reporter;
    /// returns once that is durable.
    ///
    /// # Errors
    /// `Open`, `Full`, `NoRoom`; `Unknown` where either player is nobody.
    pub async fn add_report(&self, report: NewReport, most: usize) -> Result<(), ReportError> {
        let (report, most_in_all) = (Box::new(report), self.open_reports.most);
        let make = ReportChange::Make { report, most, most_in_all };
        self.change_report(make, ReportError::Open).await
    }

    /// Reports, the newest first, without their lines: only open ones, if that is asked for; only
    /// those older than `after`, which need not be there any more; so many at most.
    pub async fn reports(
        &self,
        open_only: bool,
        after: Option<ReportId>,
        limit: usize,
    ) -> Result<Vec<ReportRow>, ReadError> {
        read!(
            self,
            rows => rows.people.reports(open_only, after, limit),
            db => sqlite::reports::list(db, open_only, after, limit),
        )
    }

    /// One report with its lines.
    pub async fn report(&self, id: ReportId) -> Result<Option<FullReport>, ReadError> {
        read!(self, rows => rows.people.report(id), db => sqlite::reports::one(db, id))
    }

    /// How many reports there are about a player, and how many of theirs; settled ones among them.
    pub async fn report_counts(&self, player: PlayerId) -> Result<[u64; 2], ReadError> {
        read!(
            self,
            rows => rows.people.report_counts(player),
            db => sqlite::reports::counts(db, player),
        )
    }

    /// Notes what came of an open report, there and in the log of operators' acts; returns once that
    /// is durable.
    ///
    /// # Errors
    /// `Settled`, `Unknown`.
    pub async fn settle_report(
        &self,
        id: ReportId,
        at_ms: u64,
        by: String,
        outcome: String,
    ) -> Result<(), ReportError> {
        let settled = Settled { at_ms, by, outcome };
        self.change_report(ReportChange::Settle { id, settled }, ReportError::Settled).await
    }

    /// Forgets the reports that were made before then, in milliseconds since the Unix epoch, and
    /// their lines with them; returns once that is durable.
    pub async fn forget_reports(&self, before_ms: u64) -> Result<(), ReportError> {
        self.change_report(ReportChange::Forget { before_ms }, ReportError::Unknown).await
    }

    /// How many reports are open, and how many may be.
    pub async fn waiting_reports(&self) -> Result<Waiting, ReadError> {
        let open = read!(
            self,
            rows => rows.people.open_reports(),
            db => sqlite::reports::open(db),
        )?;
        Ok(Waiting { open, most: self.open_reports.most })
    }

    async fn count_open_reports(&self) {
        let _turn = self.open_reports.turn.lock().await;
        match self.waiting_reports().await {
            Ok(Waiting { open, .. }) => self.open_reports.figure.set(open as f64),
            Err(error) => tracing::warn!(%error, "the open reports cannot be counted"),
        }
    }

    async fn change_report(
        &self,
        change: ReportChange,
        taken: ReportError,
    ) -> Result<(), ReportError> {
        let verdict = self.submit(Change::Report(change)).await?;
        if verdict.is_ok() {
            self.count_open_reports().await;
        }
        verdict.map_err(|refused| match refused {
            Refused::Taken | Refused::NameTaken => taken,
            Refused::Full => ReportError::Full,
            Refused::NoRoom => ReportError::NoRoom,
            Refused::Unknown => ReportError::Unknown,
            Refused::Unwritable => ReportError::Unwritable,
        })
    }
}
