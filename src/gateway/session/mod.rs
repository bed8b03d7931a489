//! One session: one task that writes what its outbox holds, reads what its peer asks, and keeps
//! the time.
//!
//! Owns the socket, the draining end of the outbox, and the word that the session has ended.
//! Invariants: what is in the outbox goes before what is in the socket, and is written whole
//! before one flush; no more than [`IN_FLIGHT`] requests wait for their reply, since no further
//! one is read; no write takes longer than the peer's silence may; the end is told once, however
//! it comes.

mod asked;
mod heart;
mod link;
#[cfg(test)]
mod tests;

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use hexhall_proto::codec::{self, Format};
use hexhall_proto::error::{CloseCode, ErrorBody};
use hexhall_proto::event::Notice;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

use super::address::Source;
use super::close::Why;
use super::hello::{Greeted, Shown};
use super::limits::Requests;
use super::outbox::{Drain, IN_FLIGHT, Outbox, Outgoing, outbox};
use super::sessions::{Admission, Closing, TooMany};
use super::{Gateway, Routes};
use crate::game::clock::Stamp;
use crate::ids::SessionId;
use crate::table::handle::SessionRef;
use crate::time::TimeSource;
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
pub async fn serve<S, R>(
    gateway: Arc<Gateway<R>>,
    Connection { format, source, shown, admission }: Connection,
    socket: WebSocketStream<S>,
) where
    S: AsyncRead + AsyncWrite + Unpin,
    R: Routes,
{
    let closing = match &admission {
        Ok(admission) => admission.closing(),
        Err(TooMany) => watch::channel(None).1,
    };
    let settings = &gateway.settings;
    let link = Link {
        socket,
        format,
        time: gateway.time.clone(),
        patience: settings.gone_after,
        farewell: settings.farewell,
        closing: closing.clone(),
    };
    let Ok(admission) = admission else {
        let why = Why::Ours(CloseCode::TooManySessions);
        count_end(why);
        return link.close(why).await;
    };

    let now = gateway.time.now();
    let (outbox, drain) = outbox(settings.outbox);
    let session = Session {
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
        orders: closing,
        closing: None,
        timer: Timer::new(&gateway.time, now),
        wrote: false,
        goodbye: Goodbye { gateway: Arc::clone(&gateway), session: None },
        link,
        gateway,
    };
    session.run(admission).await;
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
    orders: watch::Receiver<Option<Closing>>,
    closing: Option<Closing>,
    timer: Timer,
    /// Whether the last turn wrote: then everything else is looked at once before the next.
    wrote: bool,
}

/// What is done for a request before the next is read.
enum Done {
    /// It is on its way to whoever answers.
    Passed,
    /// Who is there is known, or why not; and the number of the `hello`.
    Greeted(u64, Result<Greeted, ErrorBody>),
}

/// What a session does next.
enum Turn {
    Write(Outgoing),
    Close(Closing),
    Read(Result<Message, Why>),
    Done(Done),
    Tick,
    Nothing,
}

impl<S: AsyncRead + AsyncWrite + Unpin, R: Routes> Session<S, R> {
    async fn run(mut self, admission: Admission) {
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
        }
        let Session { link, .. } = self;
        link.close(why).await;
        drop(admission);
    }

    /// Takes turn after turn until one ends the session.
    async fn turns(&mut self) -> Why {
        loop {
            if self.closing.is_some() && self.in_flight == 0 && self.waiting.is_none() {
                return Why::Ours(CloseCode::ShuttingDown);
            }
            self.begin_refresh();
            let done = match self.turn().await {
                Turn::Write(first) => self.write(first).await,
                Turn::Close(order) => self.begin_closing(order).await,
                Turn::Read(message) => self.read(message),
                Turn::Done(done) => {
                    self.finish(done);
                    Ok(())
                }
                Turn::Tick => self.tick().await,
                Turn::Nothing => Ok(()),
            };
            if let Err(why) = done {
                return why;
            }
        }
    }

    async fn turn(&mut self) -> Turn {
        let listening = self.is_listening();
        let wake_at = self.wake_at(listening);
        self.timer.arm(&self.gateway.time, wake_at);
        let wrote = std::mem::take(&mut self.wrote);
        let Session { drain, link, orders, closing, waiting, timer, .. } = self;
        tokio::select! {
            biased;
            Some(outgoing) = drain.next(), if !wrote => Turn::Write(outgoing),
            order = ordered(orders), if closing.is_none() => Turn::Close(order),
            message = link.next(), if listening => Turn::Read(message),
            done = settle(waiting) => Turn::Done(done),
            () = timer.fired() => Turn::Tick,
            () = std::future::ready(()), if wrote => Turn::Nothing,
        }
    }

    /// Whether another request may be read.
    fn is_listening(&self) -> bool {
        self.waiting.is_none() && self.in_flight < IN_FLIGHT
    }

    fn wake_at(&self, listening: bool) -> Stamp {
        let heart = self.heart.wake_at(listening);
        let hello = self.hello_is_due().then_some(self.hello_by);
        let closing = self.closing.map(|order| order.until);
        [hello, closing].into_iter().flatten().fold(heart, Stamp::min)
    }

    fn hello_is_due(&self) -> bool {
        self.goodbye.session.is_none() && self.waiting.is_none()
    }

    /// Writes what is in the outbox, and flushes once.
    async fn write(&mut self, first: Outgoing) -> Result<(), Why> {
        self.write_one(first).await?;
        self.write_rest().await?;
        self.wrote = true;
        Ok(())
    }

    async fn write_rest(&mut self) -> Result<(), Why> {
        // As much as the queue can hold at a time, so that a busy one starves nothing else.
        for _ in 0..self.gateway.settings.outbox.frames + IN_FLIGHT {
            let Some(outgoing) = self.drain.next_ready() else { break };
            self.write_one(outgoing).await?;
        }
        self.link.flush().await
    }

    async fn write_one(&mut self, outgoing: Outgoing) -> Result<(), Why> {
        match outgoing {
            Outgoing::Stream(frame) => self.link.feed(frame).await,
            Outgoing::Reply(frame) => {
                self.in_flight = self.in_flight.saturating_sub(1);
                self.link.feed(frame).await
            }
            Outgoing::Restart { behind } => {
                self.refresh_due = true;
                if behind { self.fell_behind() } else { Ok(()) }
            }
        }
    }

    fn fell_behind(&mut self) -> Result<(), Why> {
        metrics::counter!("hexhall_outbox_restarts_total").increment(1);
        let now = self.gateway.time.now();
        let before = self.slow_at.replace(now);
        match before {
            Some(before) if now - before < self.gateway.settings.slow_again => {
                Err(Why::Ours(CloseCode::TooSlow))
            }
            _ => Ok(()),
        }
    }

    /// Has what is followed begin afresh, if that is due and nothing else is waited for.
    fn begin_refresh(&mut self) {
        if self.waiting.is_none()
            && let Some(session) = self.goodbye.session.clone()
            && std::mem::take(&mut self.refresh_due)
        {
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
            Beat::Ping(payload) => self.link.ping(payload).await,
            Beat::Gone => Err(Why::Ours(CloseCode::Gone)),
        }
    }
}

/// What is waited for, once it is done; for ever where nothing is.
async fn settle(waiting: &mut Option<LocalBoxFuture<'static, Done>>) -> Done {
    let done = match waiting {
        Some(future) => future.await,
        None => std::future::pending().await,
    };
    *waiting = None;
    done
}

fn count_end(why: Why) {
    metrics::counter!("hexhall_closed_total", "why" => why.label()).increment(1);
}

/// Tells that a session has ended, once, however it ends.
struct Goodbye<R: Routes> {
    gateway: Arc<Gateway<R>>,
    /// The session, from its `hello` to its end.
    session: Option<Arc<SessionRef>>,
}

impl<R: Routes> Goodbye<R> {
    fn tell(&mut self) {
        if let Some(session) = self.session.take() {
            self.gateway.routes.gone(session.id, session.follows.end());
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

    /// Sees to it that the timer fires at `at` at the latest. One that is set to fire earlier is
    /// left alone: what is due moves back with each frame heard, and a timer for each costs more
    /// than waking up for nothing now and then.
    fn arm(&mut self, time: &TimeSource, at: Stamp) {
        if self.fired || at < self.at {
            *self = Timer::new(time, at);
        }
    }

    async fn fired(&mut self) {
        if !self.fired {
            self.sleep.as_mut().await;
            self.fired = true;
        }
    }
}
