//! Measuring: what a move, a delivery, a session and a restart cost, beside what the same frames
//! cost without a game.
//!
//! Two processes for each measurement, on loopback: the measured one, a hexhall server or the
//! [`floor`], and the driver, which is this process. Where there is more than one core each keeps
//! to its own. A measured server has a fresh folder, limits off, and everything else as it is by
//! default. Figures of both subjects in one run are compared, never figures of different runs or
//! machines.
//!
//! Invariants: latencies are counted from when a move was due, so that a stall cannot hide behind
//! itself; a refusal, a lost connection or a reader that fell behind ends the measurement with an
//! error, so that no figure stands for less work than it says; everything is bounded in count and
//! time.

pub mod budgets;
pub mod cold;
pub mod fanout;
pub mod figures;
pub mod floor;
pub mod idle;
pub mod mixed;
pub mod practice;
pub mod moves;
pub mod plan;
pub mod process;
pub mod reconnect;
pub mod report;
pub mod system;

mod crowd;
mod games;
mod http;
mod pace;
mod peer;
mod prepared;
mod relay;
mod side;
mod sizes;
mod tables;
mod tally;

use std::fmt::Display;
use std::io;
use std::time::Duration;

use hexhall_proto::codec::{self, Format};
use hexhall_proto::error::ErrorBody;
use hexhall_proto::reply::{Reply, ReplyFrame, ServerFrame};
use tokio::task::JoinError;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite;

pub use figures::{Figure, Figures, Measurement};
pub use report::Report;

use crate::remote::Address;
use crate::store::OpenError;
use plan::{Case, Subject, Work};
use process::Starter;
use side::{Side, Target};

/// Why something could not be measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The system refused something.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A connection broke, or was never made.
    #[error("a connection failed: {0}")]
    Socket(Box<tungstenite::Error>),
    /// A connection was closed by the measured side.
    #[error("a connection was closed: {}", .0.as_deref().unwrap_or("without a word"))]
    Closed(Option<String>),
    /// A request was refused.
    #[error("the server refused with `{code}`: {message}")]
    Refused {
        /// The code.
        code: String,
        /// The sentence.
        message: String,
    },
    /// Something came that makes the figures worthless.
    #[error("expected {expected}, and there was {found}")]
    Unexpected {
        /// What would have been right.
        expected: &'static str,
        /// What it was.
        found: String,
    },
    /// A server did not come up.
    #[error("the measured process did not start: {0}")]
    NotStarted(String),
    /// The journal for a restart could not be prepared.
    #[error(transparent)]
    Store(#[from] OpenError),
    /// The scenario did not end.
    #[error("`{case}` was not done within {seconds} s")]
    TooLong {
        /// The case.
        case: &'static str,
        /// The bound.
        seconds: u64,
    },
    /// A part of the driver failed.
    #[error("a task of the driver failed: {0}")]
    Task(#[from] JoinError),
}

impl BenchError {
    fn unexpected(expected: &'static str, found: impl Display) -> BenchError {
        // Whole views are longer than anyone reads.
        BenchError::Unexpected { expected, found: found.to_string().chars().take(200).collect() }
    }

    fn refused(body: &ErrorBody) -> BenchError {
        BenchError::Refused { code: body.code.to_string(), message: body.message.clone() }
    }

    /// A refusal or a fresh view where neither can be.
    fn unwanted(frame: &[u8]) -> BenchError {
        match codec::decode_server(Format::MsgPack, frame) {
            Ok(ServerFrame::Reply(ReplyFrame { reply: Reply::Error(body), .. })) => {
                BenchError::refused(&body)
            }
            _ => BenchError::unexpected("an event", "a fresh view: the driver was too slow"),
        }
    }

    fn of_task(ended: Result<Result<(), BenchError>, JoinError>) -> Result<(), BenchError> {
        ended?
    }
}

impl From<tungstenite::Error> for BenchError {
    fn from(error: tungstenite::Error) -> BenchError {
        BenchError::Socket(Box::new(error))
    }
}

/// What is to be measured, and how often.
#[derive(Clone, Debug)]
pub struct Options {
    /// The cases, in order.
    pub cases: Vec<Case>,
    /// How often each.
    pub runs: usize,
    /// A server that somebody else started, in place of our own.
    pub server: Option<Address>,
    /// How servers of our own are started.
    pub starter: Starter,
}

/// The longest that one measurement may take.
const LONGEST: Duration = Duration::from_secs(180);

/// Measures everything, one after another. To be called on one thread that can run local tasks.
pub async fn run(
    options: &Options,
    before: impl Fn(&Case, Subject, usize),
    mut after: impl FnMut(&Measurement),
) -> Result<Report, BenchError> {
    let mut report = Report::default();
    for run in 1..=options.runs {
        for case in &options.cases {
            for &subject in &case.subjects {
                before(case, subject, run);
                let measured = timeout(LONGEST, measure(options, case, subject)).await;
                let too_long =
                    |_| BenchError::TooLong { case: case.name, seconds: LONGEST.as_secs() };
                let figures = measured.map_err(too_long)??;
                let (case, work) = (case.name, case.work);
                let measurement = Measurement { case, subject, run, work, figures };
                after(&measurement);
                report.measured.push(measurement);
            }
        }
    }
    Ok(report)
}

async fn measure(options: &Options, case: &Case, subject: Subject) -> Result<Figures, BenchError> {
    let starter = &options.starter;
    if let Work::Cold(cold) = case.work {
        return cold::measure(starter, cold).await;
    }
    let side = start(options, subject).await?;
    let mut figures = match case.work {
        Work::Moves(moves) => moves::measure(&side, moves).await,
        Work::Fanout(fanout) => fanout::measure(&side, fanout).await,
        Work::Idle(idle) => idle::measure(&side, idle).await,
        Work::Reconnect(reconnect) => reconnect::measure(&side, reconnect).await,
        Work::Mixed(mixed) => mixed::measure(&side, mixed).await,
        Work::Cold(_) => Ok(Figures::new()),
    }?;
    if let (Target::Server(address), Work::Moves(_) | Work::Mixed(_)) = (&side.target, case.work) {
        let commit = http::commit_p99_us(address).await?;
        figures.extend(commit.map(|commit| (Figure::CommitP99, commit)));
    }
    Ok(figures)
}

async fn start(options: &Options, subject: Subject) -> Result<Side, BenchError> {
    let starter = &options.starter;
    let (target, process) = match (subject, &options.server) {
        (Subject::Floor, _) => starter.floor().await?,
        (Subject::Server(store), None) => starter.server(store, starter.folder()?).await?,
        (Subject::Server(_), Some(address)) => {
            return Ok(Side { target: Target::Server(address.clone()), process: None });
        }
    };
    Ok(Side { target, process: Some(process) })
}
