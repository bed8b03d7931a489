//! A session that outlives its connections.
//!
//! Owns one background task (`driver`) that connects, says `hello` with its token, follows its
//! tables from the last number it applied, and sends again what was not answered, each command
//! under its own command id, so that the server plays it once. What it knows of a table is a
//! [`TableCopy`] behind a watch channel: the newest state, whole and in order; it cannot fill.
//! The task ends with its handle.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use hexhall_proto::codec::Format;
use hexhall_proto::error::{Code, ErrorBody};
use hexhall_proto::reply::Reply;
use hexhall_proto::request::{Join, Open, Request, Watch};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::address::Address;
use super::backoff::Backoff;
use super::driver::Driver;
use super::follow::TableCopy;
use super::link::{Link, LinkError, Pipe};

/// Requests on their way from the handle to the task; whoever asks for more waits.
const ASKS: usize = 64;
/// How long a goodbye may take.
const GOODBYE: Duration = Duration::from_secs(1);

/// How a session behaves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// How frames are written.
    pub format: Format,
    /// The token of an earlier `welcome`; without one a guest is made.
    pub token: Option<String>,
    /// The name to go by.
    pub name: Option<String>,
    /// How long the first connection may be tried for.
    pub first_within: Duration,
    /// How long a lost connection is tried for again, and how long one request may be put off by
    /// a busy server, before the session gives up.
    pub give_up_after: Duration,
    /// The waits between tries.
    pub backoff: Backoff,
    /// How long one try may take, `hello` included.
    pub try_for: Duration,
    /// How long a server may say nothing, pings included, before the connection counts as lost.
    pub silence: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            format: Format::MsgPack,
            token: None,
            name: None,
            first_within: Duration::from_secs(10),
            give_up_after: Duration::from_secs(60),
            backoff: Backoff::default(),
            try_for: Duration::from_secs(10),
            silence: Duration::from_secs(15),
        }
    }
}

/// Makes connections: an [`Address`] does over TCP, and any closure over any pipe.
pub trait Connect: Send + 'static {
    /// What the connection runs over.
    type Io: Pipe;

    /// One connection, before its `hello`.
    fn connect(
        &mut self,
        format: Format,
    ) -> impl Future<Output = Result<Link<Self::Io>, LinkError>> + Send;
}

impl Connect for Address {
    type Io = TcpStream;

    async fn connect(&mut self, format: Format) -> Result<Link<TcpStream>, LinkError> {
        Link::dial(self, format).await
    }
}

impl<Io, F, Connecting> Connect for F
where
    Io: Pipe,
    F: FnMut(Format) -> Connecting + Send + 'static,
    Connecting: Future<Output = Result<Link<Io>, LinkError>> + Send,
{
    type Io = Io;

    fn connect(
        &mut self,
        format: Format,
    ) -> impl Future<Output = Result<Link<Io>, LinkError>> + Send {
        self(format)
    }
}

/// Why a session or a table of it is at its end, or a request was refused.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SessionError {
    /// The server was out of reach for too long.
    #[error("no connection to the server for {} s, after {tries} tries: {last}", .after.as_secs())]
    GaveUp {
        /// How long it was tried for.
        after: Duration,
        /// How often.
        tries: u32,
        /// What the last try came to.
        last: Arc<LinkError>,
    },
    /// Trying again would come to the same.
    #[error(transparent)]
    Link(Arc<LinkError>),
    /// The server refused the request.
    #[error("the server refused `{op}` with `{}`: {}", .body.code, .body.message)]
    Refused {
        /// The request's name.
        op: &'static str,
        /// The refusal.
        body: Box<ErrorBody>,
    },
    /// The server answered with a reply that the request does not have.
    #[error("the server's answer to `{op}` makes no sense: {what}")]
    Answer {
        /// The request's name.
        op: &'static str,
        /// What came.
        what: String,
    },
    /// The table is not followed any more, by one's own wish.
    #[error("the table is not followed any more")]
    Unwatched,
    /// The session was closed.
    #[error("the session is closed")]
    Closed,
}

/// How a session is doing.
#[derive(Clone, Debug)]
pub struct Status {
    /// Whether it is connected.
    pub connection: Connection,
    /// How often it connected again.
    pub reconnects: u32,
    /// How often an event did not follow the last one or did not fit, and what was missing was
    /// asked for.
    pub out_of_order: u32,
}

/// Whether a session is connected.
#[derive(Clone, Debug)]
pub enum Connection {
    /// Not yet.
    Connecting,
    /// A server has welcomed it.
    Up,
    /// The connection is lost, and is tried again.
    Down(Arc<LinkError>),
    /// It is not tried any more.
    Ended(SessionError),
}

/// What a session knows of a table.
#[derive(Clone, Debug)]
pub struct Sight {
    /// The table as of the last event applied.
    pub copy: TableCopy,
    /// When the clocks in it were read; the running one counts down from here.
    pub clocks_at: Instant,
    /// Why nothing more will come, once that is so.
    pub lost: Option<SessionError>,
}

/// A request on its way to the task.
#[derive(Debug)]
pub(super) struct Ask {
    pub(super) request: Request,
    pub(super) answer: oneshot::Sender<Result<Answer, SessionError>>,
}

/// A reply, and the table that it brought.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) reply: Reply,
    pub(super) sight: Option<watch::Receiver<Sight>>,
}

/// A session that connects again by itself.
#[derive(Debug)]
pub struct Session {
    asks: mpsc::Sender<Ask>,
    status: watch::Receiver<Status>,
    task: JoinHandle<()>,
}

/// A table opened, with its invitation if it is private.
#[derive(Debug)]
pub struct Opened {
    /// The table.
    pub table: Table,
    /// What others need to join and watch.
    pub invitation: Option<String>,
}

impl Session {
    /// Starts a session and hands it back once the server has welcomed it.
    pub async fn start(connect: impl Connect, settings: Settings) -> Result<Session, SessionError> {
        let (asks, asked) = mpsc::channel(ASKS);
        let (tell, mut status) = watch::channel(Status {
            connection: Connection::Connecting,
            reconnects: 0,
            out_of_order: 0,
        });
        let task = tokio::spawn(Driver::new(connect, settings, asked, tell).run());
        let session = Session { asks, status: status.clone(), task };
        let settled = |status: &Status| !matches!(status.connection, Connection::Connecting);
        match status.wait_for(settled).await {
            Ok(status) => match &status.connection {
                Connection::Ended(error) => Err(error.clone()),
                _ => Ok(session),
            },
            Err(_) => Err(SessionError::Closed),
        }
    }

    /// Asks anything. Waits through lost connections and a server that is busy; a refusal is a
    /// reply like others here.
    pub async fn ask(&self, request: Request) -> Result<Reply, SessionError> {
        Ok(self.answer(request).await?.reply)
    }

    /// Opens a table and takes seat 1. `open` has no command id: where a connection is lost before
    /// the answer, it is asked again, and a table that nobody knows of may stay behind.
    pub async fn open(&self, open: Open) -> Result<Opened, SessionError> {
        match self.answer(Request::Open(open)).await? {
            Answer { reply: Reply::Opened { invitation, view }, sight: Some(sight) } => {
                Ok(Opened { table: Table { id: view.table, sight }, invitation })
            }
            answer => Err(unexpected("open", answer.reply)),
        }
    }

    /// Takes a free seat. A `join` whose answer was lost with its connection counts.
    pub async fn join(&self, join: Join) -> Result<Table, SessionError> {
        let id = join.table.clone();
        match self.answer(Request::Join(join)).await? {
            Answer { reply: Reply::Joined { .. }, sight: Some(sight) } => Ok(Table { id, sight }),
            Answer { reply: Reply::Error(body), .. } if body.code == Code::AlreadySeated => {
                self.watch(Watch { table: id, invitation: None, last: None }).await
            }
            answer => Err(unexpected("join", answer.reply)),
        }
    }

    /// Follows a table. Asked again, it starts the copy afresh from a whole view.
    pub async fn watch(&self, watch: Watch) -> Result<Table, SessionError> {
        let id = watch.table.clone();
        let fresh = Request::Watch(Watch { last: None, ..watch });
        match self.answer(fresh).await? {
            Answer { reply: Reply::View { .. }, sight: Some(sight) } => Ok(Table { id, sight }),
            answer => Err(unexpected("watch", answer.reply)),
        }
    }

    /// How the session is doing, to look at or to wait on.
    pub fn status(&self) -> watch::Receiver<Status> {
        self.status.clone()
    }

    /// Says goodbye and ends the task.
    pub async fn close(self) {
        let Session { asks, task, .. } = self;
        drop(asks);
        let abort = task.abort_handle();
        if tokio::time::timeout(GOODBYE, task).await.is_err() {
            abort.abort();
        }
    }

    async fn answer(&self, request: Request) -> Result<Answer, SessionError> {
        let (answer, answered) = oneshot::channel();
        if self.asks.send(Ask { request, answer }).await.is_err() {
            return Err(self.end());
        }
        answered.await.unwrap_or_else(|_| Err(self.end()))
    }

    fn end(&self) -> SessionError {
        match &self.status.borrow().connection {
            Connection::Ended(error) => error.clone(),
            _ => SessionError::Closed,
        }
    }
}

fn unexpected(op: &'static str, reply: Reply) -> SessionError {
    match reply {
        Reply::Error(body) => SessionError::Refused { op, body: Box::new(body) },
        other => SessionError::Answer { op, what: format!("{other:?}") },
    }
}

/// A table that a session follows.
#[derive(Clone, Debug)]
pub struct Table {
    /// `tbl_…`.
    pub id: String,
    sight: watch::Receiver<Sight>,
}

impl Table {
    /// What is known of the table now, marked as seen.
    pub fn sight(&mut self) -> Sight {
        self.sight.borrow_and_update().clone()
    }

    /// Waits until something unseen is known.
    pub async fn changed(&mut self) -> Result<(), SessionError> {
        if self.sight.changed().await.is_err() {
            return Err(self.sight.borrow().lost.clone().unwrap_or(SessionError::Closed));
        }
        Ok(())
    }

    /// Waits until the table is as wished, and hands back the copy as it then was.
    pub async fn until(
        &mut self,
        mut wished: impl FnMut(&TableCopy) -> bool,
    ) -> Result<TableCopy, SessionError> {
        let sight = self.sight.wait_for(|sight| sight.lost.is_some() || wished(&sight.copy)).await;
        match sight.as_deref() {
            Ok(Sight { copy, lost: None, .. }) => Ok(copy.clone()),
            Ok(Sight { lost: Some(error), .. }) => Err(error.clone()),
            Err(_) => Err(SessionError::Closed),
        }
    }
}

#[cfg(test)]
mod tests;
