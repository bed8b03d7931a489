//! Polling a thing only when it has something to say.
//!
//! A task is woken for one reason and would poll everything it waits for. Where a poll costs much,
//! as that of a socket's reading half does, the thing is given a waker of its own, which remembers
//! that it rang before it wakes the task.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use futures_util::task::AtomicWaker;

/// The waker of one thing that a task waits for. The first poll goes through.
#[derive(Debug)]
pub(super) struct Bell {
    ring: Arc<Ring>,
    waker: Waker,
}

#[derive(Debug)]
struct Ring {
    rung: AtomicBool,
    task: AtomicWaker,
}

impl Bell {
    pub(super) fn new() -> Bell {
        let ring = Arc::new(Ring { rung: AtomicBool::new(true), task: AtomicWaker::new() });
        Bell { waker: Waker::from(Arc::clone(&ring)), ring }
    }

    /// Polls if the bell rang since the last time that there was nothing.
    pub(super) fn poll<T>(
        &self,
        cx: &mut Context<'_>,
        poll: impl FnOnce(&mut Context<'_>) -> Poll<T>,
    ) -> Poll<T> {
        if !self.rang(cx) {
            return Poll::Pending;
        }
        let polled = poll(&mut self.context());
        if polled.is_ready() {
            // There may be more, and nobody rings for that.
            self.ring.rung.store(true, Ordering::Release);
        }
        polled
    }

    /// Whether the bell rang since this was last asked. For things that share one: all of them are
    /// to be polled with [`Bell::context`] then, until all have said that there is nothing.
    pub(super) fn rang(&self, cx: &mut Context<'_>) -> bool {
        // In this order, so that a ring in between is not missed.
        self.ring.task.register(cx.waker());
        // Most that ask hear nothing: for them a look is enough.
        self.ring.rung.load(Ordering::Acquire) && self.ring.rung.swap(false, Ordering::AcqRel)
    }

    /// What to poll with, for the bell to ring when there is something.
    pub(super) fn context(&self) -> Context<'_> {
        Context::from_waker(&self.waker)
    }
}

impl Wake for Ring {
    fn wake(self: Arc<Ring>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Ring>) {
        self.rung.store(true, Ordering::Release);
        self.task.wake();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_said_nothing_is_asked_again_only_after_it_rang() {
        let bell = Bell::new();
        let task = Arc::new(Ring { rung: AtomicBool::new(false), task: AtomicWaker::new() });
        let waker = Waker::from(Arc::clone(&task));
        let mut cx = Context::from_waker(&waker);
        let mut kept = None;
        assert!(bell.poll(&mut cx, |_| Poll::Ready(())).is_ready());
        let nothing = bell.poll(&mut cx, |cx| {
            kept = Some(cx.waker().clone());
            Poll::<()>::Pending
        });
        assert!(nothing.is_pending());
        assert!(bell.poll(&mut cx, |_| Poll::Ready(())).is_pending(), "it did not ring");
        assert!(!task.rung.load(Ordering::Acquire));

        kept.unwrap().wake();
        assert!(task.rung.load(Ordering::Acquire), "the task was woken");
        assert!(bell.poll(&mut cx, |_| Poll::Ready(())).is_ready());
    }
}
