//! What a session makes of the frames that it reads.

use std::sync::Arc;

use hexhall_proto::codec::{self, Format, RequestError};
use hexhall_proto::error::{CloseCode, Code, ErrorBody};
use hexhall_proto::reply::{Limits, Reply, Welcome};
use hexhall_proto::request::{Hello, RequestFrame};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_tungstenite::tungstenite::Message;

use super::{Done, Entered, Session};
use crate::game::clock::Stamp;
use crate::gateway::close::Why;
use crate::gateway::dispatch::{self, For};
use crate::gateway::figures::UNREADABLE;
use crate::gateway::hello::{self, greet};
use crate::gateway::limits::TooMuch;
use crate::gateway::settings::RequestLimits;
use crate::gateway::{Routes, reply};
use crate::table::handle::{self, ReplyTo, SessionRef};
use crate::wire;

impl<S: AsyncRead + AsyncWrite + Unpin, R: Routes> Session<S, R> {
    /// Takes in what was read.
    pub(super) fn read(&mut self, message: Result<Message, Why>) -> Result<(), Why> {
        let message = message?;
        let now = self.gateway.time.now();
        self.heart.heard(now);
        match (message, self.link.format) {
            (Message::Text(text), Format::Json) => self.frame(now, text.as_bytes()),
            (Message::Binary(bytes), Format::MsgPack) => self.frame(now, &bytes),
            (Message::Text(_) | Message::Binary(_), _) => Err(Why::Ours(CloseCode::WrongFormat)),
            (Message::Pong(payload), _) if self.heart.pong(&payload, now) => Ok(()),
            // The library answers a ping. It counts as a request, and so does a pong that nothing
            // of ours is answered by: nobody needs many of them either.
            (Message::Ping(_) | Message::Pong(_), _) => match self.requests.admit(self.is_seated())
            {
                Err(TooMuch::GoneTooFar) => Err(Why::Ours(CloseCode::RateLimited)),
                Err(TooMuch::Wait(_)) | Ok(()) => Ok(()),
            },
            (Message::Close(_), _) => Err(Why::Left),
            // Never read, says the library.
            (Message::Frame(_), _) => Ok(()),
        }
    }

    fn frame(&mut self, at: Stamp, bytes: &[u8]) -> Result<(), Why> {
        self.in_flight += 1;
        let read = codec::decode_request(self.link.format, bytes);
        let (op, re) = match &read {
            Ok(frame) => (dispatch::op(&frame.request), Some(frame.id)),
            Err(error) => (UNREADABLE, error.id),
        };
        self.gateway.figures.request(op);
        match self.requests.admit(self.is_seated()) {
            Ok(()) => {}
            Err(TooMuch::GoneTooFar) => return Err(Why::Ours(CloseCode::RateLimited)),
            Err(TooMuch::Wait(wait)) => {
                let sentence = "too many requests: `retry_ms` says when the next is welcome";
                let body = ErrorBody::new(Code::RateLimited, sentence);
                self.refuse(re, ErrorBody { retry_ms: Some(wait), ..body });
                return Ok(());
            }
        }
        match read {
            Ok(frame) => {
                self.broken = 0;
                self.request(at, frame);
                Ok(())
            }
            Err(error) => self.unreadable(error),
        }
    }

    fn unreadable(&mut self, RequestError { id, code, message }: RequestError) -> Result<(), Why> {
        self.broken = match code {
            Code::BadFrame => self.broken + 1,
            _ => 0,
        };
        self.refuse(id, ErrorBody::new(code, message));
        match self.broken >= self.gateway.settings.broken_frames {
            true => Err(Why::Ours(CloseCode::TooManyErrors)),
            false => Ok(()),
        }
    }

    fn request(&mut self, at: Stamp, RequestFrame { id, request }: RequestFrame) {
        let refusal = if self.closing.is_some() {
            ErrorBody::new(Code::ShuttingDown, "the server stops; come back in a moment")
        } else {
            match (self.goodbye.session(), dispatch::dispatch(request)) {
                (None, Ok(For::Hello(hello))) => return self.greet(id, hello),
                (None, _) => ErrorBody::new(Code::HelloFirst, "the first request must be `hello`"),
                (Some(_), Ok(For::Hello(_))) => {
                    ErrorBody::new(Code::HelloTwice, "`hello` was said before, and once is enough")
                }
                (Some(session), Ok(For::Table(table, ask))) => {
                    let (reply, round_trip) = (ReplyTo::new(session, id), self.heart.round_trip());
                    let request = handle::Request { reply, at, round_trip, ask };
                    let Err(request) = self.gateway.routes.pass(table, request) else { return };
                    return self.pass(async move |routes: &R| routes.table(table, *request).await);
                }
                (Some(session), Ok(For::Lobby(ask))) => {
                    let reply = ReplyTo::new(session, id);
                    return self.pass(async move |routes: &R| routes.lobby(reply, at, ask).await);
                }
                (Some(_), Err(refusal)) => refusal,
            }
        };
        self.refuse(Some(id), refusal);
    }

    fn greet(&mut self, re: u64, hello: Hello) {
        let gateway = Arc::clone(&self.gateway);
        let (source, shown) = (self.source, self.shown.clone());
        let (id, format, outbox) = (self.id, self.link.format, self.outbox.clone());
        self.waiting = Some(Box::pin(async move {
            let entered = async {
                let greeted = greet(&gateway, source, &shown, hello).await?;
                let session = SessionRef::new(id, greeted.player.clone(), format, outbox);
                let present = hello::enter(&gateway, &greeted, session).await?;
                Ok(Entered { present, token: greeted.token })
            };
            Done::Greeted(re, entered.await)
        }));
    }

    fn pass(&mut self, on: impl AsyncFnOnce(&R) + 'static) {
        let gateway = Arc::clone(&self.gateway);
        self.waiting = Some(Box::pin(async move {
            on(&gateway.routes).await;
            Done::Passed
        }));
    }

    /// Takes in what was waited for.
    pub(super) fn finish(&mut self, done: Done) {
        match done {
            Done::Passed => {}
            Done::Greeted(re, Err(refusal)) => self.refuse(Some(re), refusal),
            Done::Greeted(re, Ok(entered)) => self.welcome(re, entered),
        }
    }

    fn welcome(&mut self, re: u64, Entered { present, token }: Entered) {
        let session = Arc::clone(&present);
        let notices = self.gateway.accounts.notices(session.player.id);
        let welcome = Welcome {
            player: wire::player(&session.player_now()),
            token: token.map(|token| token.reveal()),
            server: env!("CARGO_PKG_VERSION").to_owned(),
            now_ms: self.gateway.time.now().0,
            limits: self.limits(),
            notices: notices.iter().map(wire::notice).collect(),
        };
        self.goodbye.session = Some(present);
        self.reply(Some(re), Reply::Welcome(welcome));
        self.gateway.routes.came(&session);
    }

    /// What this session may ask, as it is told. Without limits it may ask as much as it can say.
    fn limits(&self) -> Limits {
        let settings = &self.gateway.settings;
        let (seated, watching, window) = match settings.requests {
            Some(RequestLimits { seated, watching, window }) => {
                (seated.get(), watching.get(), window)
            }
            None => (u32::MAX, u32::MAX, 1_000),
        };
        Limits {
            frame_bytes: settings.frame_bytes as u64,
            requests_seated: seated,
            requests_watching: watching,
            window_s: u32::try_from(window.div_ceil(1_000)).unwrap_or(u32::MAX),
        }
    }

    fn is_seated(&self) -> bool {
        self.goodbye.session.as_ref().is_some_and(|session| session.follows.is_seated())
    }

    fn refuse(&mut self, re: Option<u64>, refusal: ErrorBody) {
        self.reply(re, Reply::Error(refusal));
    }

    fn reply(&mut self, re: Option<u64>, reply: Reply) {
        self.outbox.reply(reply::encode(self.link.format, re, reply));
    }
}
