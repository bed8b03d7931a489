//! A session's outgoing queue, as those who fill it see it.
//!
//! Bound: [`Bounds`] for stream frames, plus one place for the reply to each request in flight
//! (the session reads no further request while it has [`IN_FLIGHT`] unanswered), and for all of
//! those together [`REPLIES`] times the bytes of the stream frames. A reply beyond that ends the
//! session as too slow, since one that is left out would never be missed. Overflow of the stream
//! frames: the epoch rises, what is queued of the old epoch is thrown away unread, and frames of an
//! old epoch are refused until their sender has started afresh with a whole view in the new one. So
//! a reader sees a run without a gap or a fresh view, and nothing in between. The draining end
//! learns of the new epoch once nothing of the old one is left, so that the fresh views find room.
//!
//! One lock around one queue, and not a channel of the runtime's: most sessions are idle, and a
//! queue that was never used holds no memory.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use hexhall_proto::error::CloseCode;

/// The most requests of one session that wait for their reply at a time.
pub const IN_FLIGHT: usize = 32;

/// How many times the bytes of the stream frames the replies that wait may have. A whole view of
/// the longest game fits the stream, and so many of them may be asked for at once.
pub const REPLIES: usize = 4;

/// How much may wait for a session's socket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Stream frames.
    pub frames: usize,
    /// Their bytes.
    pub bytes: usize,
}

/// The run of frames that a sender belongs to; see the module's head. Counts the runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Epoch(u64);

/// The session is behind: the frame was not queued, and the sender's run has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Behind;

/// One thing to write, as it comes out of the queue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outgoing {
    /// The reply to a request; never thrown away.
    Reply(Bytes),
    /// An event that nobody asked for.
    Stream(Bytes),
    /// Nothing to write: every run has ended and has to be begun afresh.
    Restart {
        /// How many times frames were not written fast enough since the last restart; none where
        /// somebody else is the cause.
        overflows: u32,
    },
    /// Nothing more to write: the session is to end, for this reason.
    End(CloseCode),
}

/// The filling end. Clones fill the same queue.
#[derive(Debug)]
pub struct Outbox(Arc<Shared>);

/// The draining end; the session has it.
#[derive(Debug)]
pub struct Drain(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    bounds: Bounds,
    queue: Mutex<Queue>,
}

#[derive(Debug)]
struct Queue {
    /// Replies and stream frames, those of the present epoch alone.
    waiting: VecDeque<Outgoing>,
    /// The stream frames among them.
    frames: usize,
    /// Their bytes.
    bytes: usize,
    /// The bytes of the replies.
    reply_bytes: usize,
    epoch: Epoch,
    /// The overflows that the reader has to be told of once it has taken all that waits, if every
    /// run has ended.
    restart: Option<u32>,
    /// Why the session is to end, if it is; told before anything else.
    end: Option<CloseCode>,
    /// The reader, while it waits.
    reader: Option<Waker>,
    /// The filling ends that there are.
    outboxes: usize,
    /// Whether the draining end is gone.
    closed: bool,
}

/// A queue with these bounds.
pub fn outbox(bounds: Bounds) -> (Outbox, Drain) {
    let queue = Queue {
        waiting: VecDeque::new(),
        frames: 0,
        bytes: 0,
        reply_bytes: 0,
        epoch: Epoch(0),
        restart: None,
        end: None,
        reader: None,
        outboxes: 1,
        closed: false,
    };
    let shared = Arc::new(Shared { bounds, queue: Mutex::new(queue) });
    (Outbox(Arc::clone(&shared)), Drain(shared))
}

impl Outbox {
    /// Queues the reply to a request, or ends the session if too many bytes of replies wait
    /// already. A session that has gone needs none.
    pub fn reply(&self, frame: Bytes) {
        let mut queue = self.0.lock();
        if queue.closed {
            return;
        }
        debug_assert!(queue.waiting.len() - queue.frames < IN_FLIGHT, "a reply has its place");
        if queue.reply_bytes + frame.len() <= REPLIES * self.0.bounds.bytes {
            queue.reply_bytes += frame.len();
            queue.waiting.push_back(Outgoing::Reply(frame));
        } else {
            queue.end.get_or_insert(CloseCode::TooSlow);
        }
        wake_reader(queue);
    }

    /// Queues a stream frame of the run that began in `epoch`.
    pub fn stream(&self, epoch: Epoch, frame: Bytes) -> Result<(), Behind> {
        let Bounds { frames, bytes } = self.0.bounds;
        let mut queue = self.0.lock();
        if queue.closed || epoch != queue.epoch {
            return Err(Behind);
        }
        let admitted = queue.frames < frames && queue.bytes + frame.len() <= bytes;
        if admitted {
            queue.frames += 1;
            queue.bytes += frame.len();
            queue.waiting.push_back(Outgoing::Stream(frame));
        } else {
            queue.end_epoch(1);
        }
        wake_reader(queue);
        if admitted { Ok(()) } else { Err(Behind) }
    }

    /// The run that a sender who starts now belongs to.
    pub fn epoch(&self) -> Epoch {
        self.0.lock().epoch
    }

    /// Ends every run on this queue, so that the session starts each afresh. For a table that can
    /// no longer tell its run; it is no fault of the reader's.
    pub fn restart(&self) {
        let mut queue = self.0.lock();
        queue.end_epoch(0);
        wake_reader(queue);
    }

    /// Has the session end.
    pub fn end(&self, why: CloseCode) {
        let mut queue = self.0.lock();
        queue.end = Some(why);
        wake_reader(queue);
    }

    /// Whether the session has gone.
    pub fn is_closed(&self) -> bool {
        self.0.lock().closed
    }
}

impl Clone for Outbox {
    fn clone(&self) -> Outbox {
        self.0.lock().outboxes += 1;
        Outbox(Arc::clone(&self.0))
    }
}

impl Drop for Outbox {
    fn drop(&mut self) {
        let mut queue = self.0.lock();
        queue.outboxes -= 1;
        if queue.outboxes == 0 {
            wake_reader(queue);
        }
    }
}

impl Drain {
    /// The next thing to write; none once every filling end is gone.
    pub async fn next(&mut self) -> Option<Outgoing> {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    /// Polls for what [`Drain::next`] waits for.
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Outgoing>> {
        let mut queue = self.0.lock();
        match queue.take() {
            Some(outgoing) => Poll::Ready(Some(outgoing)),
            None if queue.outboxes == 0 => Poll::Ready(None),
            None => {
                match &mut queue.reader {
                    Some(reader) => reader.clone_from(cx.waker()),
                    reader => *reader = Some(cx.waker().clone()),
                }
                Poll::Pending
            }
        }
    }

    /// The next thing to write, if it is there already.
    pub fn next_ready(&mut self) -> Option<Outgoing> {
        self.0.lock().take()
    }
}

impl Drop for Drain {
    fn drop(&mut self) {
        let mut queue = self.0.lock();
        queue.closed = true;
        queue.waiting = VecDeque::new();
        (queue.frames, queue.bytes, queue.reply_bytes) = (0, 0, 0);
        queue.reader = None;
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    fn take(&mut self) -> Option<Outgoing> {
        if let Some(why) = self.end.take() {
            return Some(Outgoing::End(why));
        }
        let Some(outgoing) = self.waiting.pop_front() else {
            return self.restart.take().map(|overflows| Outgoing::Restart { overflows });
        };
        match &outgoing {
            Outgoing::Stream(frame) => {
                self.frames -= 1;
                self.bytes -= frame.len();
            }
            Outgoing::Reply(frame) => self.reply_bytes -= frame.len(),
            Outgoing::Restart { .. } | Outgoing::End(_) => {}
        }
        Some(outgoing)
    }

    /// Ends the run, by so many overflows. What waits of it is never read.
    fn end_epoch(&mut self, overflows: u32) {
        self.epoch.0 += 1;
        self.waiting.retain(|waiting| matches!(waiting, Outgoing::Reply(_)));
        (self.frames, self.bytes) = (0, 0);
        // Those of the reader's own fault are not forgotten over one of somebody else's.
        *self.restart.get_or_insert(0) += overflows;
    }
}

/// Wakes the reader if it waits, without the lock that it is about to take.
fn wake_reader(mut queue: MutexGuard<'_, Queue>) {
    let reader = queue.reader.take();
    drop(queue);
    if let Some(reader) = reader {
        reader.wake();
    }
}

#[cfg(test)]
mod tests;
