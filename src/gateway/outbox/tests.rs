//! What the outgoing queue promises those who fill it and the session that drains it.

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
        assert_eq!(drained(&mut drain), [Outgoing::Restart { overflows: 1 }]);
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
        outbox.reply(frame(8));
    }
    assert_eq!(outbox.stream(epoch, frame(1)), Err(Behind));
    let mut out = drained(&mut drain);
    assert_eq!(out.pop(), Some(Outgoing::Restart { overflows: 1 }));
    assert_eq!(out, vec![Outgoing::Reply(frame(8)); IN_FLIGHT]);
}

#[tokio::test]
async fn a_restart_wakes_the_reader_of_an_empty_queue_and_is_not_its_fault() {
    let (outbox, mut drain) = outbox(BOUNDS);
    let epoch = outbox.epoch();
    let mut next = Box::pin(drain.next());
    assert!((&mut next).now_or_never().is_none());
    outbox.restart();
    assert_eq!(next.await, Some(Outgoing::Restart { overflows: 0 }));
    assert_eq!(outbox.stream(epoch, frame(1)), Err(Behind));
    assert_eq!(drained(&mut drain), [], "it is told once");
}

#[test]
fn overflows_before_the_reader_looks_are_counted_each() {
    let (outbox, mut drain) = outbox(BOUNDS);
    for _ in 0..2 {
        let epoch = outbox.epoch();
        while outbox.stream(epoch, frame(1)).is_ok() {}
        assert_eq!(outbox.stream(epoch, frame(1)), Err(Behind), "no run overflows twice");
    }
    outbox.restart();
    assert_eq!(drained(&mut drain), [Outgoing::Restart { overflows: 2 }]);
    let epoch = outbox.epoch();
    while outbox.stream(epoch, frame(1)).is_ok() {}
    assert_eq!(drained(&mut drain), [Outgoing::Restart { overflows: 1 }]);
}

#[test]
fn one_byte_of_replies_too_many_ends_the_session() {
    let (outbox, mut drain) = outbox(BOUNDS);
    for _ in 0..REPLIES {
        outbox.reply(frame(64));
    }
    assert_eq!(drain.next_ready(), Some(Outgoing::Reply(frame(64))));
    outbox.reply(frame(64));
    outbox.reply(frame(1));
    assert_eq!(drain.next_ready(), Some(Outgoing::End(CloseCode::TooSlow)));
    assert_eq!(drained(&mut drain).len(), REPLIES, "what was taken in is bounded");
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
                    outbox.reply(frame(8));
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
            Some(Outgoing::Restart { overflows: 0 })
        }) {
            reader.read(&outgoing);
            queued = queued.max(level(&drain).0);
        }
        assert!(queued <= bounds.frames, "{queued} frames were queued");
    });
    assert_eq!(level(&drain), (0, 0));
}
