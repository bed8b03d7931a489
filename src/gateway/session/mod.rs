//! One session: one task that writes what its outbox holds, reads what its peer asks, and keeps
//! the time.
//!
//! Owns the socket, the draining end of the outbox, and the word that the session has ended.
//! Invariants: what is in the outbox goes before what is in the socket, and is written whole
//! before one flush; no more than [`IN_FLIGHT`] requests wait for their reply, since no further
//! one is read; no write takes longer than the peer's silence may; the end is told once, however
//! it comes.

mod asked;
mod bell;
mod heart;
mod link;
#[cfg(test)]
mod tests;

use std::future::{Future, poll_fn};
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use hexhall_proto::codec::{self, Format};
use hexhall_proto::error::{CloseCode, ErrorBody};
use hexhall_proto::event::Notice;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use super::address::Source;
use super::close::Why;
use super::hello::Shown;
use super::limits::Requests;
use super::live::Present;
use super::outbox::{Drain, IN_FLIGHT, Outbox, Outgoing, outbox};
use super::sessions::{Admission, Closing, TooMany};
use super::{Gateway, Routes};
use crate::accounts::Token;
use crate::game::clock::Stamp;
use crate::ids::SessionId;
use crate::table::handle::SessionRef;
use crate::time::TimeSource;
use bell::Bell;
use heart::{Beat, Heart};
use link::{Link, ordered};

/// What is known of a connection before its first frame.
#[derive(Debug)]
pub struct Connection {
    /// How its frames are written.
    pub format: Format,
    /// Where it comes from.
    pub source: Source,
    /// What it showed of itself.
    pub shown: Shown,
    /// Its place among the sessions, if there was one.
    pub admission: Result<Admission, TooMany>,
}

/// Runs a session to its end.
///
/// All that it keeps is boxed before it first waits: a future has room of its own for each place
/// that a value was moved through, and an idle session would hold all of it.
pub fn serve<S, R>(
    gateway: Arc<Gateway<R>>,
    Connection { format, source, shown, admission }: Connection,
    socket: WebSocketStream<S>,
) -> impl Future<Output = ()>
where
    S: AsyncRead + AsyncWrite + Unpin,
    R: Routes,
{
    let settings = &gateway.settings;
    let link = Link {
        socket,
        format,
        time: gateway.time.clone(),
        patience: settings.gone_after,
        farewell: settings.farewell,
        closing: gateway.sessions.closing(),
        readable: Bell::new(),
        unsent: 0,
    };
    let session = match admission {
        Ok(admission) => Ok(Session::new(gateway, link, source, shown, admission)),
        Err(TooMany) => Err(Box::new(link)),
    };
    async move {
        match session {
            Ok(session) => session.run().await,
            Err(mut link) => {
                let why = Why::Ours(CloseCode::TooManySessions);
                count_end(why);
                Box::pin(link.close(why)).await;
            }
        }
    }
}

struct Session<S, R: Routes> {
    id: SessionId,
    gateway: Arc<Gateway<R>>,
    link: Link<S>,
    source: Source,
    shown: Shown,
    goodbye: Goodbye<R>,
    outbox: Outbox,
    drain: Drain,
    /// When it last fell behind.
    slow_at: Option<Stamp>,
    refresh_due: bool,
    /// What the session does for a request before it reads the next.
    waiting: Option<LocalBoxFuture<'static, Done>>,
    /// Requests without a reply that has been written.
    in_flight: usize,
    heart: Heart,
    hello_by: Stamp,
    requests: Requests,
    /// Broken frames in a row.
    broken: u32,
    closing: Option<Closing>,
    timer: Timer,
    /// Rings for what is rare: the order to close, and the timer.
    rare: Bell,
    /// It rang, or the timer is new, and not both of them have said since that there is nothing.
    rare_due: bool,
    /// Whether the last turn wrote: then everything else is looked at once before the next.
    wrote: bool,
    /// Given back when all is over.
    _admission: Admission,
}

/// What is done for a request before the next is read.
enum Done {
    /// It is on its way to whoever answers.
    Passed,
    /// Who is there is known, or why not; the number of the `hello`.
    Greeted(u64, Result<Entered, ErrorBody>),
}

/// Whoever said `hello` is there.
struct Entered {
    present: Present,
    /// A token that they have not been told yet.
    token: Option<Token>,
}

/// What a session does next.
enum Turn {
    Write(Outgoing),
    Close(Closing),
    Read(Result<Message, Why>),
    Done(Done),
    Tick,
}

impl<S: AsyncRead + AsyncWrite + Unpin, R: Routes> Session<S, R> {
    fn new(
        gateway: Arc<Gateway<R>>,
        link: Link<S>,
        source: Source,
        shown: Shown,
        admission: Admission,
    ) -> Box<Self> {
        let (settings, now) = (&gateway.settings, gateway.time.now());
        let (outbox, drain) = outbox(settings.outbox);
        Box::new(Session {
            id: admission.id(),
            source,
            shown,
            outbox,
            drain,
            slow_at: None,
            refresh_due: false,
            waiting: None,
            in_flight: 0,
            heart: Heart::new(admission.id(), settings, now),
            hello_by: now + settings.hello,
            requests: Requests::new(settings.requests, &gateway.time),
            broken: 0,
            closing: None,
            timer: Timer::new(&gateway.time, now),
            rare: Bell::new(),
            rare_due: true,
            wrote: false,
            goodbye: Goodbye { gateway: Arc::clone(&gateway), session: None },
            link,
            gateway,
            _admission: admission,
        })
    }

    async fn run(mut self: Box<Self>) {
        let id = self.id;
        tracing::debug!(session = id.0, format = ?self.link.format, "session opened");
        let why = match AssertUnwindSafe(self.turns()).catch_unwind().await {
            Ok(why) => why,
            Err(_) => {
                tracing::error!(session = id.0, "a session panicked");
                Why::Ours(CloseCode::Internal)
            }
        };
        self.goodbye.tell();
        count_end(why);
        tracing::debug!(session = id.0, why = why.label(), "session ended");
        if !matches!(why, Why::Left | Why::Lost | Why::Ours(CloseCode::TooSlow | CloseCode::Gone)) {
            // What was answered before the end is still told, if there is still somebody.
            let _ = self.write_rest().await;
            let _ = self.link.flush().await;
        }
        Box::pin(self.link.close(why)).await;
    }

    /// Takes turn after turn until one ends the session.
    async fn turns(&mut self) -> Why {
        let mut orders = pin!(ordered(self.gateway.sessions.closing()));
        loop {
            if self.closing.is_some() && self.in_flight == 0 && self.waiting.is_none() {
                return Why::Ours(CloseCode::ShuttingDown);
            }
            self.begin_refresh();
            self.arm();
            let done = match poll_fn(|cx| self.poll_turn(cx, orders.as_mut())).await {
                Turn::Write(first) => self.write(first).await,
                Turn::Close(order) => self.begin_closing(order).await,
                Turn::Read(message) => self.read(message),
                Turn::Done(done) => {
                    self.finish(done);
                    Ok(())
                }
                Turn::Tick => self.tick().await,
            };
            if let Err(why) = done {
                return why;
            }
        }
    }

    /// What there is to do, the most urgent first. Written out, because the usual waiting for
    /// several things would set each up anew for every turn.
    fn poll_turn(
        &mut self,
        cx: &mut Context<'_>,
        orders: Pin<&mut impl Future<Output = Closing>>,
    ) -> Poll<Turn> {
        let wrote = std::mem::take(&mut self.wrote);
        if !wrote && let Poll::Ready(Some(outgoing)) = self.drain.poll_next(cx) {
            return Poll::Ready(Turn::Write(outgoing));
        }
        self.rare_due |= self.rare.rang(cx);
        if self.rare_due
            && self.closing.is_none()
            && let Poll::Ready(order) = orders.poll(&mut self.rare.context())
        {
            return Poll::Ready(Turn::Close(order));
        }
        if self.is_listening()
            && let Poll::Ready(message) = self.link.poll_next(cx)
        {
            return Poll::Ready(Turn::Read(message));
        }
        if let Some(waiting) = &mut self.waiting
            && let Poll::Ready(done) = waiting.as_mut().poll(cx)
        {
            self.waiting = None;
            return Poll::Ready(Turn::Done(done));
        }
        if self.rare_due {
            if self.timer.poll(&mut self.rare.context()).is_ready() {
                return Poll::Ready(Turn::Tick);
            }
            self.rare_due = false;
        }
        if wrote && let Poll::Ready(Some(outgoing)) = self.drain.poll_next(cx) {
            return Poll::Ready(Turn::Write(outgoing));
        }
        Poll::Pending
    }

    /// Whether another request may be read.
    fn is_listening(&self) -> bool {
        self.waiting.is_none() && self.in_flight < IN_FLIGHT
    }

    fn wake_at(&self) -> Stamp {
        let heart = self.heart.wake_at(self.is_listening());
        let hello = self.hello_is_due().then_some(self.hello_by);
        let closing = self.closing.map(|order| order.until);
        [hello, closing].into_iter().flatten().fold(heart, Stamp::min)
    }

    /// Sees to it that the timer fires in time. One that is set to fire earlier is left alone: what
    /// is due moves back with each frame heard, and a timer for each costs more than waking up for
    /// nothing now and then.
    fn arm(&mut self) {
        let at = self.wake_at();
        if self.timer.fired || at < self.timer.at {
            self.set_timer(at);
        }
    }

    fn set_timer(&mut self, at: Stamp) {
        self.timer = Timer::new(&self.gateway.time, at);
        self.rare_due = true;
    }

    fn hello_is_due(&self) -> bool {
        self.goodbye.session.is_none() && self.waiting.is_none()
    }

    /// Writes what is in the outbox, and flushes once. A ping that is due soon goes along.
    async fn write(&mut self, first: Outgoing) -> Result<(), Why> {
        self.write_one(first).await?;
        self.write_rest().await?;
        if let Some(payload) = self.heart.ping_along(self.gateway.time.now()) {
            self.link.ping(payload)?;
            // It need not wake the session for the ping that it no longer owes.
            self.set_timer(self.wake_at());
        }
        self.link.flush().await?;
        self.wrote = true;
        Ok(())
    }

    /// Writes what else is in the outbox, without a flush.
    async fn write_rest(&mut self) -> Result<(), Why> {
        // As much as the queue can hold at a time, so that a busy one starves nothing else.
        for _ in 0..self.gateway.settings.outbox.frames + IN_FLIGHT {
            let Some(outgoing) = self.drain.next_ready() else { break };
            self.write_one(outgoing).await?;
        }
        Ok(())
    }

    async fn write_one(&mut self, outgoing: Outgoing) -> Result<(), Why> {
        match outgoing {
            Outgoing::Stream(frame) => self.link.feed(frame).await,
            Outgoing::Reply(frame) => {
                self.in_flight = self.in_flight.saturating_sub(1);
                self.link.feed(frame).await
            }
            Outgoing::Restart { overflows } => {
                self.refresh_due = true;
                if overflows > 0 { self.fell_behind(overflows) } else { Ok(()) }
            }
            Outgoing::End(why) => Err(Why::Ours(why)),
        }
    }

    fn fell_behind(&mut self, times: u32) -> Result<(), Why> {
        metrics::counter!("hexhall_outbox_restarts_total").increment(times.into());
        let (now, within) = (self.gateway.time.now(), self.gateway.settings.slow_again);
        let before = self.slow_at.replace(now);
        match times > 1 || before.is_some_and(|before| now - before < within) {
            true => Err(Why::Ours(CloseCode::TooSlow)),
            false => Ok(()),
        }
    }

    /// Has what is followed begin afresh, if that is due and nothing else is waited for.
    fn begin_refresh(&mut self) {
        if self.refresh_due
            && self.waiting.is_none()
            && let Some(session) = self.goodbye.session()
        {
            self.refresh_due = false;
            let gateway = Arc::clone(&self.gateway);
            self.waiting = Some(Box::pin(async move {
                gateway.routes.refresh(session.follows.followed(), session).await;
                Done::Passed
            }));
        }
    }

    async fn begin_closing(&mut self, order: Closing) -> Result<(), Why> {
        self.closing = Some(order);
        let notice = Notice::Closing { back_in_ms: order.back_in };
        self.link.feed(codec::encode(self.link.format, &notice).into()).await?;
        self.link.flush().await
    }

    async fn tick(&mut self) -> Result<(), Why> {
        let now = self.gateway.time.now();
        if self.hello_is_due() && now >= self.hello_by {
            return Err(Why::Ours(CloseCode::NoHello));
        }
        if self.closing.is_some_and(|order| now >= order.until) {
            return Err(Why::Ours(CloseCode::ShuttingDown));
        }
        match self.heart.beat(now, self.is_listening()) {
            Beat::Rest => Ok(()),
            Beat::Ping(payload) => {
                self.link.ping(payload)?;
                self.link.flush().await
            }
            Beat::Gone => Err(Why::Ours(CloseCode::Gone)),
        }
    }
}

fn count_end(why: Why) {
    metrics::counter!("hexhall_closed_total", "why" => why.label()).increment(1);
}

/// Tells that a session has ended, once, however it ends.
struct Goodbye<R: Routes> {
    gateway: Arc<Gateway<R>>,
    /// The session, from its `hello` to its end.
    session: Option<Present>,
}

impl<R: Routes> Goodbye<R> {
    fn session(&self) -> Option<Arc<SessionRef>> {
        self.session.as_deref().map(Arc::clone)
    }

    fn tell(&mut self) {
        if let Some(present) = self.session.take() {
            let session = Arc::clone(&present);
            drop(present);
            let followed = session.follows.end();
            self.gateway.routes.gone(&session, followed);
        }
    }
}

impl<R: Routes> Drop for Goodbye<R> {
    fn drop(&mut self) {
        self.tell();
    }
}

/// Wakes the session when something is due. May wake it early, never late.
struct Timer {
    at: Stamp,
    sleep: Pin<Box<dyn Future<Output = ()> + Send>>,
    fired: bool,
}

impl Timer {
    fn new(time: &TimeSource, at: Stamp) -> Timer {
        Timer { at, sleep: Box::pin(time.sleep_until(at)), fired: false }
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if !self.fired {
            self.fired = self.sleep.as_mut().poll(cx).is_ready();
        }
        if self.fired { Poll::Ready(()) } else { Poll::Pending }
    }
}
