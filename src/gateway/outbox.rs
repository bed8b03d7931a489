//! A session's outgoing queue, as those who fill it see it.
//!
//! Bound: [`Bounds`] for stream frames, plus one place for the reply to each request in flight
//! (the session reads no further request while it has [`IN_FLIGHT`] unanswered), so a reply is
//! never refused. Overflow: the epoch rises, what is queued of the old epoch is thrown away
//! unread, and frames of an old epoch are refused until their sender has started afresh with a
//! whole view in the new one. So a reader sees a run without a gap or a fresh view, and nothing
//! in between.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use bytes::Bytes;
use tokio::sync::mpsc;

/// The most requests of one session that wait for their reply at a time.
pub const IN_FLIGHT: usize = 32;

/// How much may wait for a session's socket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Stream frames.
    pub frames: usize,
    /// Their bytes.
    pub bytes: usize,
}

/// The run of frames that a sender belongs to; see the module's head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Epoch(u32);

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
}

/// The filling end. Clones fill the same queue.
#[derive(Clone, Debug)]
pub struct Outbox {
    queue: mpsc::Sender<Item>,
    level: Arc<Level>,
}

/// The draining end; the session has it.
#[derive(Debug)]
pub struct Drain {
    queue: mpsc::Receiver<Item>,
    level: Arc<Level>,
}

#[derive(Debug)]
struct Level {
    bounds: Bounds,
    frames: AtomicUsize,
    bytes: AtomicUsize,
    epoch: AtomicU32,
}

#[derive(Debug)]
struct Item {
    epoch: Option<Epoch>,
    frame: Bytes,
}

/// A queue with these bounds.
pub fn outbox(bounds: Bounds) -> (Outbox, Drain) {
    let (sender, receiver) = mpsc::channel(bounds.frames + IN_FLIGHT);
    let level = Arc::new(Level {
        bounds,
        frames: AtomicUsize::new(0),
        bytes: AtomicUsize::new(0),
        epoch: AtomicU32::new(0),
    });
    let outbox = Outbox { queue: sender, level: Arc::clone(&level) };
    (outbox, Drain { queue: receiver, level })
}

impl Outbox {
    /// Queues the reply to a request. A session that has gone needs none.
    pub fn reply(&self, frame: Bytes) {
        let queued = self.queue.try_send(Item { epoch: None, frame });
        debug_assert!(
            !matches!(queued, Err(mpsc::error::TrySendError::Full(_))),
            "a reply has its place kept"
        );
    }

    /// Queues a stream frame of the run that began in `epoch`.
    pub fn stream(&self, epoch: Epoch, frame: Bytes) -> Result<(), Behind> {
        if epoch != self.epoch() {
            return Err(Behind);
        }
        let len = frame.len();
        if self.level.admit(len) {
            if self.queue.try_send(Item { epoch: Some(epoch), frame }).is_ok() {
                return Ok(());
            }
            self.level.release(len);
        }
        self.overflow(epoch);
        Err(Behind)
    }

    /// The run that a sender who starts now belongs to.
    pub fn epoch(&self) -> Epoch {
        Epoch(self.level.epoch.load(Ordering::Acquire))
    }

    /// Ends every run on this queue, so that the session starts each afresh.
    pub fn restart(&self) {
        self.overflow(self.epoch());
    }

    /// Whether the session has gone.
    pub fn is_closed(&self) -> bool {
        self.queue.is_closed()
    }

    fn overflow(&self, Epoch(epoch): Epoch) {
        let next = epoch.wrapping_add(1);
        let level = &self.level.epoch;
        let _ = level.compare_exchange(epoch, next, Ordering::AcqRel, Ordering::Acquire);
    }
}

impl Drain {
    /// The next thing to write; none once every filling end is gone.
    pub async fn next(&mut self) -> Option<Outgoing> {
        loop {
            let item = self.queue.recv().await?;
            if let Some(outgoing) = self.take(item) {
                return Some(outgoing);
            }
        }
    }

    /// The next thing to write, if it is there already.
    pub fn next_ready(&mut self) -> Option<Outgoing> {
        loop {
            let item = self.queue.try_recv().ok()?;
            if let Some(outgoing) = self.take(item) {
                return Some(outgoing);
            }
        }
    }

    /// The run that a sender who starts now belongs to.
    pub fn epoch(&self) -> Epoch {
        Epoch(self.level.epoch.load(Ordering::Acquire))
    }

    fn take(&self, Item { epoch, frame }: Item) -> Option<Outgoing> {
        let Some(epoch) = epoch else { return Some(Outgoing::Reply(frame)) };
        self.level.release(frame.len());
        (epoch == self.epoch()).then_some(Outgoing::Stream(frame))
    }
}

impl Level {
    fn admit(&self, len: usize) -> bool {
        if self.frames.fetch_add(1, Ordering::AcqRel) >= self.bounds.frames {
            self.frames.fetch_sub(1, Ordering::AcqRel);
            return false;
        }
        if self.bytes.fetch_add(len, Ordering::AcqRel) + len > self.bounds.bytes {
            self.release(len);
            return false;
        }
        true
    }

    fn release(&self, len: usize) {
        self.frames.fetch_sub(1, Ordering::AcqRel);
        self.bytes.fetch_sub(len, Ordering::AcqRel);
    }
}
