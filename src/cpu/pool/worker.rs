//! What the workers share, and what each of them does: take the job that is due first, search, and
//! answer.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use tokio::sync::oneshot;

use crate::cpu::{Player, Seen, Thought};
use crate::game::Move;
use crate::game::clock::{Millis, Stamp};
use crate::time::TimeSource;
use crate::workers::said;

use super::figures::Figures;
use super::queue::{Place, Queue, end, instant_ms};
use super::{Decided, Job, NotTaken, PoolOptions, Search, Stopped};

/// How much longer than its thinking a job waits at most where nobody's clock runs.
const PATIENCE_MS: Millis = 5_000;

/// The lowest priority.
const NICE: i32 = 19;

/// A job in the queue.
struct Asked {
    job: Job,
    tell: oneshot::Sender<Decided>,
    cancelled: Arc<AtomicBool>,
}

/// What the pool's doors and its workers share.
pub(super) struct Shared {
    options: PoolOptions,
    time: TimeSource,
    search: Box<Search>,
    queue: Mutex<Queue<Asked>>,
    /// Something was put into the queue, or the pool was stopped.
    changed: Condvar,
    stopped: AtomicBool,
    /// What a running search asks of the queue again and again, without its lock: how many jobs
    /// wait, and by when the workers must be free for them.
    waiting: AtomicUsize,
    free_by: AtomicU64,
    threads: Mutex<Vec<JoinHandle<()>>>,
    figures: Figures,
}

impl Shared {
    pub(super) fn new(options: PoolOptions, time: TimeSource, search: Box<Search>) -> Shared {
        Shared {
            options,
            time,
            search,
            queue: Mutex::new(Queue::new(options.queue, options.workers)),
            changed: Condvar::new(),
            stopped: AtomicBool::new(false),
            waiting: AtomicUsize::new(0),
            free_by: AtomicU64::new(Millis::MAX),
            threads: Mutex::default(),
            figures: Figures::new(),
        }
    }

    pub(super) fn push(
        &self,
        job: Job,
        tell: oneshot::Sender<Decided>,
        cancelled: Arc<AtomicBool>,
    ) -> Result<Place, NotTaken> {
        let mut queue = lock(&self.queue);
        if self.is_stopped() {
            return Err(NotTaken::Stopped(Stopped));
        }
        if queue.is_full() {
            self.figures.full.increment(1);
            return Err(NotTaken::Full(Box::new(job)));
        }
        let patience_ms = job.budget.think_ms.saturating_add(PATIENCE_MS);
        let due = self.time.now() + job.budget.within_ms.unwrap_or(patience_ms);
        let instant_ms = instant_ms(job.seen.size.cells());
        let place = queue.push(due, instant_ms, Asked { job, tell, cancelled });
        self.note(&queue);
        drop(queue);
        self.changed.notify_one();
        Ok(place)
    }

    /// Nobody wants the answer any more: a job that waits makes room.
    pub(super) fn discard(&self, place: Place) {
        self.figures.discarded.increment(1);
        let mut queue = lock(&self.queue);
        let asked = queue.remove(place);
        self.note(&queue);
        drop(queue);
        // What it had found out may take a while to be freed: not under the lock.
        drop(asked);
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Tells everybody to end.
    pub(super) fn stop(&self) {
        let mut queue = lock(&self.queue);
        self.stopped.store(true, Ordering::Relaxed);
        queue.clear();
        self.note(&queue);
        drop(queue);
        self.changed.notify_all();
    }

    /// Waits for every thread, also those that took the place of another meanwhile.
    pub(super) fn join(&self) {
        loop {
            let thread = lock(&self.threads).pop();
            match thread {
                // That one died is in the log already.
                Some(thread) => drop(thread.join()),
                None => return,
            }
        }
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Lets searches that run know of the queue.
    fn note(&self, queue: &Queue<Asked>) {
        self.waiting.store(queue.len(), Ordering::Relaxed);
        self.free_by.store(queue.free_by().0, Ordering::Relaxed);
        self.figures.queue.set(queue.len() as f64);
    }

    /// Waits for a job; none once the pool is stopped.
    fn take(&self) -> Option<(Stamp, Asked)> {
        let mut queue = lock(&self.queue);
        loop {
            if self.is_stopped() {
                return None;
            }
            if let Some(taken) = queue.pop() {
                self.note(&queue);
                return Some(taken);
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn answer(&self, due: Stamp, asked: Asked) {
        let Asked { job, tell, cancelled } = asked;
        let Job { seen, level, seed, budget, player } = job;
        let fresh = || Box::new(Player::new(level, seed));
        let owed = Owed { pool: self, tell: Some(tell), seen: &seen, fresh: &fresh };
        let began = self.time.now();
        let workers = self.options.workers;
        let mut stop = || {
            let free_by = Stamp(self.free_by.load(Ordering::Relaxed));
            cancelled.load(Ordering::Relaxed)
                || self.is_stopped()
                || self.time.now()
                    >= end(began, budget.think_ms, due, workers, self.waiting(), free_by)
        };
        let searched = self.search(player.unwrap_or_else(fresh), &seen, &mut stop);
        // Whatever it had found out led it astray: it starts anew, and has a move at once.
        let searched = searched.or_else(|| self.search(fresh(), &seen, &mut || true));
        let took_ms = self.time.now() - began;
        self.figures.searched(took_ms);
        owed.pay(searched, took_ms);
    }

    /// Searches; nothing if the search panics.
    fn search(
        &self,
        mut player: Box<Player>,
        seen: &Seen,
        stop: &mut dyn FnMut() -> bool,
    ) -> Option<(Thought, Box<Player>)> {
        let search = AssertUnwindSafe(|| (self.search)(&mut player, seen, stop));
        match catch_unwind(search) {
            Ok(thought) => Some((thought, player)),
            Err(why) => {
                self.figures.panics.increment(1);
                tracing::error!(why = said(&*why), "a search panicked");
                None
            }
        }
    }
}

/// The answer to a job: it is given even where the worker dies over it.
struct Owed<'a> {
    pool: &'a Shared,
    tell: Option<oneshot::Sender<Decided>>,
    seen: &'a Seen,
    fresh: &'a dyn Fn() -> Box<Player>,
}

impl Owed<'_> {
    /// Answers, with any move where the search has none.
    fn pay(mut self, searched: Option<(Thought, Box<Player>)>, took_ms: Millis) {
        self.send(searched, took_ms);
    }

    fn send(&mut self, searched: Option<(Thought, Box<Player>)>, took_ms: Millis) {
        let Some(tell) = self.tell.take().filter(|_| !self.pool.is_stopped()) else { return };
        let anything = || Thought::unsearched(self.seen.middle().map(Move::Place));
        let (thought, player) = searched.unwrap_or_else(|| (anything(), (self.fresh)()));
        // Whoever asked may have gone.
        let _ = tell.send(Decided { thought, player, took_ms });
    }
}

impl Drop for Owed<'_> {
    fn drop(&mut self) {
        self.send(None, 0);
    }
}

/// Starts one more worker.
pub(super) fn start(shared: &Arc<Shared>) -> io::Result<()> {
    let runs = Arc::clone(shared);
    let thread = thread::Builder::new().name("hexhall-cpu".into()).spawn(move || {
        step_back();
        let replaced = Replaced(&runs);
        while let Some((due, asked)) = runs.take() {
            runs.answer(due, asked);
        }
        drop(replaced);
    })?;
    let mut threads = lock(&shared.threads);
    threads.retain(|thread| !thread.is_finished());
    threads.push(thread);
    Ok(())
}

/// Lets everything else go first. On Linux a thread has a priority of its own, and the call
/// without a process's number means the thread that makes it; elsewhere the call would slow the
/// whole server down, and is not made. Lowering one's own priority is always allowed.
fn step_back() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        tracing::warn!(%error, "a worker of the computer player has the server's own priority");
    }
}

/// A worker: should it die in spite of all, another takes its place.
struct Replaced<'a>(&'a Arc<Shared>);

impl Drop for Replaced<'_> {
    fn drop(&mut self) {
        if thread::panicking() && !self.0.is_stopped() {
            tracing::error!("a worker of the computer player died: another takes its place");
            if let Err(error) = start(self.0) {
                tracing::error!(%error, "there is no thread for it");
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
