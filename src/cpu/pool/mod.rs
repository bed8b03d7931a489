//! The threads that the computer player thinks on.
//!
//! They are our own, beside those that tables and sessions run on, and at the lowest priority, so
//! that a search takes only what nobody else wants. The queue before them is bounded, and the job
//! whose answer is needed first goes first. The longer the queue, the shorter each search, the
//! running ones included: in the worst case a search is told to stop at once and gives the best
//! move that it has by then.
//!
//! Invariants: whoever holds a [`Thinking`] gets a move, unless the pool was stopped; a search
//! whose [`Thinking`] was dropped ends at once; there are as many workers as there should be,
//! whatever a search does.

mod figures;
mod queue;
mod worker;

use std::fmt;
use std::future::Future;
use std::io;
use std::num::NonZeroUsize;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::thread;

use tokio::sync::oneshot;

use crate::game::clock::Millis;
use crate::time::TimeSource;

use super::{Budget, Level, Player, Seen, Thought};
use queue::Place;
use worker::Shared;

/// How many threads think, and how many jobs may wait for them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PoolOptions {
    /// Threads.
    pub workers: NonZeroUsize,
    /// Jobs that wait, beside those in hand.
    pub queue: usize,
}

impl Default for PoolOptions {
    /// One core is left to the server, and there is always one worker.
    fn default() -> PoolOptions {
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let workers = NonZeroUsize::new(cores - 1).unwrap_or(NonZeroUsize::MIN);
        PoolOptions { workers, queue: 256 }
    }
}

/// What is to be thought about.
#[derive(Debug)]
pub struct Job {
    /// What the seat sees.
    pub seen: Seen,
    /// How strong the seat is played.
    pub level: Level,
    /// What chance is drawn from.
    pub seed: u64,
    /// How long it may take, counted from when the pool is asked.
    pub budget: Budget,
    /// Who thought about the seat's move before, with what was found out then.
    pub player: Option<Box<Player>>,
}

/// What came of a job.
#[derive(Debug)]
pub struct Decided {
    /// The move.
    pub thought: Thought,
    /// Who thought of it, for the seat's next move.
    pub player: Box<Player>,
    /// How long the search took, waiting not included.
    pub took_ms: Millis,
}

/// Why a job was not taken.
#[derive(Debug, thiserror::Error)]
pub enum NotTaken {
    /// As many jobs wait as may. This one is given back, to be handed in again.
    #[error("the computer has too many moves to think about: ask again in a moment")]
    Full(Box<Job>),
    /// The pool was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The pool was stopped, and answers nobody any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the computer does not think any more: the server is stopping")]
pub struct Stopped;

/// What a worker does with a job: the player's own search, or a test's.
pub type Search = dyn Fn(&mut Player, &Seen, &mut dyn FnMut() -> bool) -> Thought + Send + Sync;

/// The worker threads. Clones share them; they end with [`Pool::stop`], which waits for them, or
/// when the last clone is dropped, which does not.
#[derive(Clone)]
pub struct Pool(Arc<Owner>);

struct Owner(Arc<Shared>);

impl Pool {
    /// Starts the threads.
    ///
    /// # Errors
    /// Where the system gives no further thread.
    pub fn start(options: PoolOptions, time: TimeSource) -> io::Result<Pool> {
        let search = Box::new(Player::choose);
        Pool::with_search(options, time, search)
    }

    /// Starts the threads with another search.
    ///
    /// # Errors
    /// As [`Pool::start`].
    pub fn with_search(
        options: PoolOptions,
        time: TimeSource,
        search: Box<Search>,
    ) -> io::Result<Pool> {
        // From here on the threads that were started end when a further one is not to be had.
        let pool = Pool(Arc::new(Owner(Arc::new(Shared::new(options, time, search)))));
        for _ in 0..options.workers.get() {
            worker::start(&pool.0.0)?;
        }
        Ok(pool)
    }

    /// Has somebody think about a move.
    ///
    /// # Errors
    /// Where too many jobs wait, or where the pool was stopped.
    pub fn think(&self, job: Job) -> Result<Thinking, NotTaken> {
        let shared = &self.0.0;
        let (tell, answer) = oneshot::channel();
        let cancelled = Arc::new(AtomicBool::new(false));
        let place = shared.push(job, tell, Arc::clone(&cancelled))?;
        let pool = Arc::clone(shared);
        Ok(Thinking { pool, place, cancelled, answer, done: false })
    }

    /// How many jobs wait.
    pub fn waiting(&self) -> usize {
        self.0.0.waiting()
    }

    /// Ends every search and every thread, and waits for them. Jobs that wait are not answered.
    /// Blocks.
    pub fn stop(&self) {
        self.0.0.stop();
        self.0.0.join();
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("waiting", &self.waiting()).finish_non_exhaustive()
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// A move that is being thought about: a future of the answer. Dropping it ends the search.
#[must_use = "the search ends when this is dropped"]
pub struct Thinking {
    pool: Arc<Shared>,
    place: Place,
    cancelled: Arc<AtomicBool>,
    answer: oneshot::Receiver<Decided>,
    done: bool,
}

impl Future for Thinking {
    type Output = Result<Decided, Stopped>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = Pin::new(&mut self.answer).poll(context);
        answer.map(|answer| {
            self.done = true;
            answer.map_err(|_| Stopped)
        })
    }
}

impl Drop for Thinking {
    fn drop(&mut self) {
        if !self.done {
            self.cancelled.store(true, Ordering::Relaxed);
            self.pool.discard(self.place);
        }
    }
}

impl fmt::Debug for Thinking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Thinking").field("place", &self.place).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
