//! A session's outgoing queue, as those who fill it see it.
//!
//! Bound: [`Bounds`] for stream frames, plus one place for the reply to each request in flight
//! (the session reads no further request while it has [`IN_FLIGHT`] unanswered), so a reply is
//! never refused. Overflow: the epoch rises, what is queued of the old epoch is thrown away
//! unread, and frames of an old epoch are refused until their sender has started afresh with a
//! whole view in the new one. So a reader sees a run without a gap or a fresh view, and nothing
//! in between. The draining end learns of the new epoch once nothing of the old one is left, so
//! that the fresh views find room.
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
        /// Whether it is because frames were not written fast enough.
        behind: bool,
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
    epoch: Epoch,
    /// What the reader has to be told once it has taken all that waits.
    restart: Option<Outgoing>,
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
    /// Queues the reply to a request. A session that has gone needs none.
    pub fn reply(&self, frame: Bytes) {
        let mut queue = self.0.lock();
        if !queue.closed {
            debug_assert!(queue.waiting.len() - queue.frames < IN_FLIGHT, "a reply has its place");
            queue.waiting.push_back(Outgoing::Reply(frame));
            wake_reader(queue);
        }
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
            queue.end_epoch(true);
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
        queue.end_epoch(false);
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
        (queue.frames, queue.bytes) = (0, 0);
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
        let Some(outgoing) = self.waiting.pop_front() else { return self.restart.take() };
        if let Outgoing::Stream(frame) = &outgoing {
            self.frames -= 1;
            self.bytes -= frame.len();
        }
        Some(outgoing)
    }

    /// Ends the run. What waits of it is never read.
    fn end_epoch(&mut self, behind: bool) {
        self.epoch.0 += 1;
        self.waiting.retain(|waiting| matches!(waiting, Outgoing::Reply(_)));
        (self.frames, self.bytes) = (0, 0);
        // One of the reader's own fault is not forgotten over one of somebody else's.
        let behind = behind || self.restart == Some(Outgoing::Restart { behind: true });
        self.restart = Some(Outgoing::Restart { behind });
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
mod tests {
    use std::collections::BTreeMap;
    use std::thread;

    use futures_util::FutureExt;
    use proptest::prelude::*;

    use super::*;

    const BOUNDS: Bounds = Bounds { frames: 4, bytes: 64 };

    fn frame(len: usize) -> Bytes {
        vec![b'x'; len].into()
    }

    fn level(drain: &Drain) -> (usize, usize) {
        let Queue { frames, bytes, .. } = *drain.0.lock();
        (frames, bytes)
    }

    fn drained(drain: &mut Drain) -> Vec<Outgoing> {
        std::iter::from_fn(|| drain.next_ready()).collect()
    }

    #[test]
    fn frames_come_out_as_they_went_in_replies_among_them() {
        let (outbox, mut drain) = outbox(BOUNDS);
        let epoch = outbox.epoch();
        outbox.stream(epoch, frame(1)).unwrap();
        outbox.reply(frame(2));
        outbox.stream(epoch, frame(3)).unwrap();
        let expected =
            [Outgoing::Stream(frame(1)), Outgoing::Reply(frame(2)), Outgoing::Stream(frame(3))];
        assert_eq!(drained(&mut drain), expected);
        assert_eq!(level(&drain), (0, 0));
    }

    #[test]
    fn one_frame_too_many_or_one_byte_too_many_ends_the_run() {
        for lens in [&[1; 5][..], &[32, 33]] {
            let (outbox, mut drain) = outbox(BOUNDS);
            let epoch = outbox.epoch();
            let (last, fitting) = lens.split_last().unwrap();
            for &len in fitting {
                outbox.stream(epoch, frame(len)).unwrap();
            }
            assert_eq!(outbox.stream(epoch, frame(*last)), Err(Behind));
            assert_eq!(outbox.stream(epoch, frame(1)), Err(Behind), "its run has ended");
            assert_ne!(outbox.epoch(), epoch);
            assert_eq!(drained(&mut drain), [Outgoing::Restart { behind: true }]);
            assert_eq!(level(&drain), (0, 0));
            outbox.stream(outbox.epoch(), frame(64)).unwrap();
        }
    }

    #[test]
    fn replies_survive_an_overflow_and_every_one_has_its_place() {
        let (outbox, mut drain) = outbox(BOUNDS);
        let epoch = outbox.epoch();
        for _ in 0..BOUNDS.frames {
            outbox.stream(epoch, frame(1)).unwrap();
        }
        for _ in 0..IN_FLIGHT {
            outbox.reply(frame(1_000));
        }
        assert_eq!(outbox.stream(epoch, frame(1)), Err(Behind));
        let mut out = drained(&mut drain);
        assert_eq!(out.pop(), Some(Outgoing::Restart { behind: true }));
        assert_eq!(out, vec![Outgoing::Reply(frame(1_000)); IN_FLIGHT]);
    }

    #[tokio::test]
    async fn a_restart_wakes_the_reader_of_an_empty_queue_and_is_not_its_fault() {
        let (outbox, mut drain) = outbox(BOUNDS);
        let epoch = outbox.epoch();
        let mut next = Box::pin(drain.next());
        assert!((&mut next).now_or_never().is_none());
        outbox.restart();
        assert_eq!(next.await, Some(Outgoing::Restart { behind: false }));
        assert_eq!(outbox.stream(epoch, frame(1)), Err(Behind));
        assert_eq!(drained(&mut drain), [], "it is told once");
    }

    #[tokio::test]
    async fn an_end_is_told_first_and_once() {
        let (outbox, mut drain) = outbox(BOUNDS);
        let next = drain.next();
        outbox.end(CloseCode::SignedOut);
        outbox.reply(frame(1));
        assert_eq!(next.await, Some(Outgoing::End(CloseCode::SignedOut)));
        assert_eq!(drained(&mut drain), [Outgoing::Reply(frame(1))]);
    }

    #[tokio::test]
    async fn the_reader_ends_with_the_last_sender_and_senders_see_the_reader_go() {
        let (first, mut drain) = outbox(BOUNDS);
        let second = first.clone();
        drop(first);
        second.reply(frame(1));
        drop(second);
        assert_eq!(drain.next().await, Some(Outgoing::Reply(frame(1))));
        assert_eq!(drain.next().await, None);

        let (outbox, drain) = outbox(BOUNDS);
        drop(drain);
        assert!(outbox.is_closed());
        outbox.reply(frame(1));
        assert_eq!(outbox.stream(outbox.epoch(), frame(1)), Err(Behind));
    }

    /// A sender of one run after another, as a table is.
    #[derive(Default)]
    struct Sender {
        epoch: Option<Epoch>,
        sent: u64,
    }

    impl Sender {
        /// Sends its next frame, or begins afresh; `len` bytes at least.
        fn send(&mut self, outbox: &Outbox, me: u64, len: usize) {
            let fresh = self.epoch.is_none();
            let epoch = *self.epoch.get_or_insert_with(|| outbox.epoch());
            self.sent += 1;
            if outbox.stream(epoch, numbered(me, self.sent, fresh, len)).is_err() {
                self.epoch = None;
            }
        }
    }

    /// `[sender, number, whether it is a whole view]`, and padding.
    fn numbered(sender: u64, number: u64, fresh: bool, len: usize) -> Bytes {
        let mut text = format!("{sender} {number} {fresh} ").into_bytes();
        text.resize(text.len().max(len), b'x');
        text.into()
    }

    /// What a reader has seen of each sender: each frame is a whole view, or the one after the
    /// last.
    #[derive(Default)]
    struct Reader(BTreeMap<u64, u64>);

    impl Reader {
        fn read(&mut self, outgoing: &Outgoing) {
            let Outgoing::Stream(frame) = outgoing else { return };
            let text = String::from_utf8(frame.to_vec()).unwrap();
            let words: Vec<&str> = text.split(' ').collect();
            let [sender, number] = [words[0], words[1]].map(|word| word.parse::<u64>().unwrap());
            let last = self.0.insert(sender, number);
            if words[2] == "false" {
                assert_eq!(last, Some(number - 1), "a gap in what {sender} tells");
            }
        }
    }

    #[derive(Clone, Debug)]
    enum Step {
        Send { sender: usize, len: usize },
        Reply,
        Drain(usize),
        Restart,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            6 => (0..3usize, 0..40usize).prop_map(|(sender, len)| Step::Send { sender, len }),
            1 => Just(Step::Reply),
            2 => (1..6usize).prop_map(Step::Drain),
            1 => Just(Step::Restart),
        ]
    }

    proptest! {
        #[test]
        fn whatever_happens_the_bound_holds_and_each_run_has_no_gap(
            steps in prop::collection::vec(step(), 1..200)
        ) {
            let (outbox, mut drain) = outbox(BOUNDS);
            let mut senders: [Sender; 3] = Default::default();
            let mut reader = Reader::default();
            let mut replies = 0;
            for step in steps {
                match step {
                    Step::Send { sender, len } => {
                        senders[sender].send(&outbox, sender as u64, len);
                    }
                    Step::Reply if replies < IN_FLIGHT => {
                        replies += 1;
                        outbox.reply(frame(100));
                    }
                    Step::Reply => {}
                    Step::Drain(count) => {
                        for _ in 0..count {
                            let Some(outgoing) = drain.next_ready() else { break };
                            replies -= usize::from(matches!(outgoing, Outgoing::Reply(_)));
                            reader.read(&outgoing);
                        }
                    }
                    Step::Restart => outbox.restart(),
                }
                let (frames, bytes) = level(&drain);
                prop_assert!(frames <= BOUNDS.frames && bytes <= BOUNDS.bytes);
            }
            drained(&mut drain).iter().for_each(|outgoing| {
                replies -= usize::from(matches!(outgoing, Outgoing::Reply(_)));
                reader.read(outgoing);
            });
            prop_assert_eq!(replies, 0, "no reply is lost");
            prop_assert_eq!(level(&drain), (0, 0));
        }
    }

    #[test]
    fn senders_on_many_threads_leave_no_gap_and_lose_no_place() {
        let bounds = Bounds { frames: 16, bytes: 1_024 };
        let (outbox, mut drain) = outbox(bounds);
        thread::scope(|scope| {
            for me in 0..4 {
                let outbox = outbox.clone();
                scope.spawn(move || {
                    let mut sender = Sender::default();
                    for turn in 0..5_000 {
                        sender.send(&outbox, me, turn % 90);
                    }
                });
            }
            drop(outbox);
            let mut reader = Reader::default();
            let mut queued = 0;
            while let Some(outgoing) = drain.next().now_or_never().unwrap_or_else(|| {
                thread::yield_now();
                Some(Outgoing::Restart { behind: false })
            }) {
                reader.read(&outgoing);
                queued = queued.max(level(&drain).0);
            }
            assert!(queued <= bounds.frames, "{queued} frames were queued");
        });
        assert_eq!(level(&drain), (0, 0));
    }
}
