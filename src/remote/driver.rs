//! The task behind a session: connects, keeps its tables up to date, and sees every request to its
//! answer, over as many connections as that takes.
//!
//! Owns the link, the copies and the requests that wait. Invariant: a request leaves the queue
//! with exactly one answer; while it is there, each new connection sends it again as it was.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use hexhall_proto::error::{CloseCode, Code, ErrorBody};
use hexhall_proto::event::Notice;
use hexhall_proto::reply::{Reply, ReplyFrame, ServerFrame};
use hexhall_proto::request::{Hello, Request};
use hexhall_proto::view::View;
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until, timeout};

use super::backoff::spread;
use super::link::{Link, LinkError, Pipe};
use super::now;
use super::session::{Answer, Ask, Connect, Connection, SessionError, Settings, Status};
use super::tables::Tables;

/// Requests that wait for their answers; above that, the next ones wait in the handle's channel.
const MAX_WAITING: usize = 256;
/// How long requests rest when the server is busy and does not say for how long.
const REST: Duration = Duration::from_millis(250);

/// The state of the task.
pub(super) struct Driver<C> {
    connect: C,
    settings: Settings,
    asks: mpsc::Receiver<Ask>,
    status: watch::Sender<Status>,
    tables: Tables,
    waiting: VecDeque<Waiting>,
    /// Nothing is sent before that: the server asked for a rest.
    rest_until: Instant,
    outage: Outage,
}

/// A request without its answer yet.
struct Waiting {
    ask: Ask,
    since: Instant,
    /// The number that it was sent under on this connection.
    sent_as: Option<u64>,
}

/// Since when the server has been of no use, and how often it was tried in vain.
#[derive(Default)]
struct Outage {
    since: Option<Instant>,
    tries: u32,
    /// How long the server said it would be away.
    back_in: Option<Duration>,
}

/// Whether the handle is still there.
#[derive(PartialEq)]
enum Handle {
    Held,
    Dropped,
}

impl<C: Connect> Driver<C> {
    pub(super) fn new(
        connect: C,
        settings: Settings,
        asks: mpsc::Receiver<Ask>,
        status: watch::Sender<Status>,
    ) -> Driver<C> {
        Driver {
            connect,
            settings,
            asks,
            status,
            tables: Tables::default(),
            waiting: VecDeque::new(),
            rest_until: now(),
            outage: Outage::default(),
        }
    }

    /// Runs until the handle is dropped or the session has come to its end, and tells everybody.
    pub(super) async fn run(mut self) {
        let why = match self.live().await {
            Ok(()) => SessionError::Closed,
            Err(error) => error,
        };
        self.status.send_modify(|status| status.connection = Connection::Ended(why.clone()));
        self.tables.lose_all(&why);
        self.asks.close();
        let waiting = self.waiting.drain(..).map(|waiting| waiting.ask);
        for ask in waiting.chain(std::iter::from_fn(|| self.asks.try_recv().ok())) {
            // Whoever has stopped waiting for an answer needs none.
            let _ = ask.answer.send(Err(why.clone()));
        }
    }

    async fn live(&mut self) -> Result<(), SessionError> {
        while let Some(mut link) = self.reach().await? {
            let Err(error) = self.serve(&mut link).await else {
                link.close().await;
                return Ok(());
            };
            self.lost(error)?;
        }
        Ok(())
    }

    /// Tries until a server has said welcome; none where the handle is dropped before.
    async fn reach(&mut self) -> Result<Option<Link<C::Io>>, SessionError> {
        loop {
            let (start, random) = (now(), random());
            let since = *self.outage.since.get_or_insert(start);
            let wait = match (self.outage.back_in.take(), self.outage.tries) {
                (Some(away), _) => away + self.settings.backoff.wait(0, random),
                (None, 0) if self.is_first() => Duration::ZERO,
                (None, tries) => self.settings.backoff.wait(tries.saturating_sub(1), random),
            };
            if self.collect_until(start + wait).await == Handle::Dropped {
                return Ok(None);
            }
            self.outage.tries += 1;
            let tried = timeout(self.settings.try_for, self.knock()).await;
            let error = match tried.unwrap_or(Err(LinkError::Silent)) {
                Ok(link) => return Ok(Some(link)),
                Err(error) => error,
            };
            let patience = match self.is_first() {
                true => self.settings.first_within,
                false => self.settings.give_up_after,
            };
            let after = since.elapsed();
            if after >= patience.max(wait) && !is_final(&error) {
                let (tries, last) = (self.outage.tries, Arc::new(error));
                return Err(SessionError::GaveUp { after, tries, last });
            }
            self.lost(error)?;
        }
    }

    /// One try, up to the welcome.
    async fn knock(&mut self) -> Result<Link<C::Io>, LinkError> {
        let mut link = self.connect.connect(self.settings.format).await?;
        let (token, name) = (self.settings.token.clone(), self.settings.name.clone());
        let welcome = link.hello(Hello { token, name }).await?;
        if let Some(token) = welcome.token {
            self.settings.token = Some(token);
        }
        // A name is said once, so that a later change from elsewhere stays.
        self.settings.name = None;
        self.rest_until = now();
        let again = !self.is_first();
        self.status.send_modify(|status| {
            status.connection = Connection::Up;
            status.reconnects += u32::from(again);
        });
        Ok(link)
    }

    /// Serves one connection; without an error when the handle is dropped.
    async fn serve(&mut self, link: &mut Link<C::Io>) -> Result<(), LinkError> {
        loop {
            self.send_due(link).await?;
            let silent_at = link.heard() + self.settings.silence;
            let resting = now() < self.rest_until;
            tokio::select! {
                frame = link.next() => self.take(frame?)?,
                ask = self.asks.recv(), if self.waiting.len() < MAX_WAITING => match ask {
                    Some(ask) => self.queue(ask),
                    None => return Ok(()),
                },
                () = sleep_until(self.rest_until), if resting => {}
                () = sleep_until(silent_at) => {
                    if link.heard() + self.settings.silence <= now() {
                        return Err(LinkError::Silent);
                    }
                }
            }
        }
    }

    /// Sends what has not been sent on this connection: first what the tables miss.
    async fn send_due<Io: Pipe>(&mut self, link: &mut Link<Io>) -> Result<(), LinkError> {
        if now() < self.rest_until {
            return Ok(());
        }
        for (table, request) in self.tables.behind() {
            let id = link.send(request).await?;
            self.tables.asked(&table, id);
        }
        for waiting in self.waiting.iter_mut().filter(|waiting| waiting.sent_as.is_none()) {
            waiting.sent_as = Some(link.send(waiting.ask.request.clone()).await?);
        }
        Ok(())
    }

    fn take(&mut self, frame: ServerFrame) -> Result<(), LinkError> {
        match frame {
            ServerFrame::Reply(ReplyFrame { re: Some(id), reply }) => self.take_reply(id, reply),
            ServerFrame::Reply(ReplyFrame { re: None, reply }) => {
                return Err(LinkError::Answer { op: "request", what: format!("{reply:?}") });
            }
            ServerFrame::Stream(frame) => {
                if self.tables.apply(&frame, now()).is_err() {
                    self.count_out_of_order();
                }
            }
            ServerFrame::Notice(Notice::Closing { back_in_ms }) => {
                self.outage.back_in = Some(Duration::from_millis(back_in_ms));
            }
            // The list of tables, and what operators tell, are for who reads a link of their own.
            ServerFrame::Lobby(_) | ServerFrame::Notice(Notice::Personal { .. }) => {}
        }
        Ok(())
    }

    fn take_reply(&mut self, id: u64, reply: Reply) {
        let at = now();
        let put_off = put_off(&reply);
        if put_off.is_none() {
            self.outage = Outage { back_in: self.outage.back_in, ..Outage::default() };
        }
        if let Some(table) = self.tables.asked_by(id) {
            if let Some(rest) = put_off {
                self.rest(rest);
                self.tables.ask_again(&table);
            } else if self.tables.catch_up(&table, reply, at).is_err() {
                self.count_out_of_order();
            }
            return;
        }
        let Some(place) = self.waiting.iter().position(|waiting| waiting.sent_as == Some(id))
        else {
            return;
        };
        match put_off {
            Some(rest) if at - self.waiting[place].since < self.settings.give_up_after => {
                self.rest(rest);
                self.waiting[place].sent_as = None;
            }
            _ => {
                if let Some(Waiting { ask, .. }) = self.waiting.remove(place) {
                    self.hand_over(ask, reply, at);
                }
            }
        }
    }

    /// Gives a reply to who asked, after what it tells of a table has been taken in.
    fn hand_over(&mut self, ask: Ask, reply: Reply, now: Instant) {
        let table = match (&ask.request, &reply) {
            (Request::Open(_), Reply::Opened { invitation, view }) => {
                self.tables.put(View::clone(view), invitation.clone(), now);
                Some(&view.table)
            }
            (Request::Join(join), Reply::Joined { view, .. }) => {
                self.tables.put(View::clone(view), join.invitation.clone(), now);
                Some(&view.table)
            }
            (Request::Watch(watch), Reply::View { view }) => {
                self.tables.put(View::clone(view), watch.invitation.clone(), now);
                Some(&view.table)
            }
            (Request::Unwatch(named), Reply::Done {}) => {
                self.tables.lose(&named.table, SessionError::Unwatched);
                None
            }
            _ => None,
        };
        let sight = table.and_then(|table| self.tables.subscribe(table));
        // Whoever has stopped waiting for an answer needs none.
        let _ = ask.answer.send(Ok(Answer { reply, sight }));
    }

    /// Notes a lost connection, or that there is no use in another.
    fn lost(&mut self, error: LinkError) -> Result<(), SessionError> {
        let last = is_final(&error);
        if let LinkError::Hello(body) = &error {
            self.outage.back_in = body.retry_ms.map(Duration::from_millis);
        }
        let error = Arc::new(error);
        if last {
            return Err(SessionError::Link(error));
        }
        if !self.is_first() {
            self.status.send_modify(|status| status.connection = Connection::Down(error));
        }
        self.tables.all_behind();
        for waiting in &mut self.waiting {
            waiting.sent_as = None;
        }
        Ok(())
    }

    /// Takes requests in while there is no connection.
    async fn collect_until(&mut self, end: Instant) -> Handle {
        loop {
            tokio::select! {
                ask = self.asks.recv(), if self.waiting.len() < MAX_WAITING => match ask {
                    Some(ask) => self.queue(ask),
                    None => return Handle::Dropped,
                },
                () = sleep_until(end) => return Handle::Held,
            }
        }
    }

    fn queue(&mut self, ask: Ask) {
        self.waiting.push_back(Waiting { ask, since: now(), sent_as: None });
    }

    /// Lets everything rest that is not sent yet; all of it, so that requests keep their order.
    fn rest(&mut self, rest: Duration) {
        self.rest_until = now() + spread(rest, random()) + rest / 2;
    }

    fn count_out_of_order(&self) {
        self.status.send_modify(|status| status.out_of_order += 1);
    }

    fn is_first(&self) -> bool {
        matches!(self.status.borrow().connection, Connection::Connecting)
    }
}

/// For how long to put a request off, where the server could not take it on now.
fn put_off(reply: &Reply) -> Option<Duration> {
    match reply {
        Reply::Error(body) if is_passing(body) => {
            Some(body.retry_ms.map_or(REST, Duration::from_millis))
        }
        _ => None,
    }
}

/// Whether a refusal is about the moment, not about the request.
fn is_passing(body: &ErrorBody) -> bool {
    matches!(body.code, Code::RateLimited | Code::Busy | Code::ShuttingDown)
}

/// Whether another connection would come to the same.
fn is_final(error: &LinkError) -> bool {
    const FAULTS: [u16; 3] = [
        CloseCode::WrongFormat.number(),
        CloseCode::TooManyErrors.number(),
        CloseCode::Banned.number(),
    ];
    match error {
        LinkError::Io(_) | LinkError::Silent => false,
        LinkError::NotUpgraded { status } => *status < 500 && *status != 429,
        LinkError::Closed(frame) => {
            frame.as_ref().is_some_and(|frame| FAULTS.contains(&u16::from(frame.code)))
        }
        LinkError::Hello(body) => !is_passing(body),
        LinkError::Protocol { .. } | LinkError::Frame(_) | LinkError::Answer { .. } => true,
    }
}

/// What spreads the waits of many sessions; without it they only wait alike.
fn random() -> u32 {
    getrandom::u32().unwrap_or(u32::MAX)
}
