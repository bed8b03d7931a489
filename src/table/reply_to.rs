//! Where the one reply to a request goes, whatever happens to whom it was sent.

use std::sync::Arc;
use std::thread;

use bytes::Bytes;
use hexhall_proto::error::{Code, ErrorBody};
use hexhall_proto::reply::Reply;

use crate::game::clock::Millis;
use crate::gateway::reply;

use super::handle::SessionRef;

/// Where the one reply to a request goes.
///
/// Dropped unanswered, as when a table dies with the request in its mailbox, it answers `busy`: a
/// request gets exactly one reply, whatever happens to whom it was sent. Dropped by a panic over the
/// request itself, of an actor that goes on after it, it answers `internal`: to try again at once
/// would be no use.
#[derive(Debug)]
pub struct ReplyTo {
    session: Arc<SessionRef>,
    re: u64,
    answered: bool,
    in_hand: bool,
}

impl ReplyTo {
    /// The reply to this session's request `re`.
    pub fn new(session: Arc<SessionRef>, re: u64) -> ReplyTo {
        ReplyTo { session, re, answered: false, in_hand: false }
    }

    /// From now on a panic is that of the request itself.
    pub fn in_hand(mut self) -> ReplyTo {
        self.in_hand = true;
        self
    }

    /// It waits in somebody's mailbox again.
    pub fn passed_on(mut self) -> ReplyTo {
        self.in_hand = false;
        self
    }

    /// Who asked.
    pub fn session(&self) -> &Arc<SessionRef> {
        &self.session
    }

    /// Writes a reply, to be sent later by [`ReplyTo::send`].
    pub fn encode(&self, reply: Reply) -> Bytes {
        reply::encode(self.session.format, Some(self.re), reply)
    }

    /// Sends what [`ReplyTo::encode`] wrote.
    pub fn send(mut self, frame: Bytes) {
        self.answered = true;
        self.session.outbox.reply(frame);
    }

    /// Answers.
    pub fn answer(self, reply: Reply) {
        let frame = self.encode(reply);
        self.send(frame);
    }
}

impl Drop for ReplyTo {
    fn drop(&mut self) {
        if !self.answered {
            let body = if self.in_hand && thread::panicking() {
                ErrorBody::new(Code::Internal, "something went wrong here: the fault is logged")
            } else {
                let busy = "the server cannot take this on now: try again";
                ErrorBody { retry_ms: Some(RETRY_MS), ..ErrorBody::new(Code::Busy, busy) }
            };
            self.session.outbox.reply(self.encode(Reply::Error(body)));
        }
    }
}

/// After how long a request that was refused as `busy` may be sent again, in milliseconds.
pub const RETRY_MS: Millis = 250;
