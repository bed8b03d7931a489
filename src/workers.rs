//! The threads that sessions and tables run on: arbiters, one a core.
//!
//! A session is put beside the table that its address names, so that most moves change no thread.
//! Invariant: what was started on a worker never leaves it.

use std::any::Any;
use std::future::Future;
use std::io;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread::{self, JoinHandle};

use actix::{Actor, Addr, Arbiter, ArbiterHandle, Context, System};

/// The workers of one server. They end with [`Workers::stop`], which waits for them, or when this
/// is dropped, which does not: the last to hold it may be one of them.
#[derive(Debug)]
pub struct Workers {
    place: Place,
    next: AtomicUsize,
}

#[derive(Debug)]
enum Place {
    Arbiters { handles: Vec<ArbiterHandle>, system: System, keeper: Mutex<Option<JoinHandle<()>>> },
    Local,
}

impl Workers {
    /// Starts that many arbiters. Needs no runtime to be called from.
    ///
    /// # Errors
    /// Where the system gives no further thread.
    pub fn start(count: NonZeroUsize) -> io::Result<Workers> {
        // Arbiters belong to a system, and a system to a thread: this one, which only waits.
        let (tell, told) = mpsc::sync_channel(1);
        let keeper = thread::Builder::new().name("hexhall-workers".into()).spawn(move || {
            let runner = System::new();
            let arbiters: io::Result<Vec<Arbiter>> = runner
                .block_on(async move { (0..count.get()).map(|_| Arbiter::try_new()).collect() });
            let (arbiters, failed) = match arbiters {
                Ok(arbiters) => (arbiters, None),
                Err(error) => (Vec::new(), Some(error)),
            };
            let handles = arbiters.iter().map(Arbiter::handle).collect();
            let started = failed.map_or(Ok((handles, System::current())), Err);
            let failed = started.is_err();
            if tell.send(started).is_err() || failed {
                return;
            }
            if let Err(error) = runner.run() {
                tracing::error!(%error, "the workers' system ended badly");
            }
            for arbiter in arbiters {
                arbiter.stop();
                if arbiter.join().is_err() {
                    tracing::error!("a worker's thread panicked");
                }
            }
        })?;
        let (handles, system) =
            told.recv().unwrap_or_else(|_| Err(io::Error::other("the workers did not start")))?;
        let place = Place::Arbiters { handles, system, keeper: Mutex::new(Some(keeper)) };
        Ok(Workers { place, next: AtomicUsize::new(0) })
    }

    /// One worker: the `LocalSet` that whoever starts something stands in. For tests that own
    /// their time.
    pub fn local() -> Workers {
        Workers { place: Place::Local, next: AtomicUsize::new(0) }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        match &self.place {
            Place::Arbiters { handles, .. } => handles.len(),
            Place::Local => 1,
        }
    }

    /// The workers in turn, for what may live anywhere.
    pub fn round_robin(&self) -> usize {
        self.next.fetch_add(1, Ordering::Relaxed) % self.count()
    }

    /// Makes a future on a worker and runs it there. Numbers beyond the last worker start again
    /// from the first. Without effect once the workers were stopped.
    pub fn spawn<F, T>(&self, worker: usize, make: F)
    where
        F: FnOnce() -> T + Send + 'static,
        T: Future<Output = ()> + 'static,
    {
        match &self.place {
            Place::Arbiters { handles, .. } => {
                handles[worker % handles.len()].spawn_fn(move || {
                    tokio::task::spawn_local(make());
                });
            }
            Place::Local => {
                tokio::task::spawn_local(make());
            }
        }
    }

    /// Starts an actor on a worker; `make` runs there.
    pub fn start_actor<A, F>(&self, worker: usize, make: F) -> Addr<A>
    where
        A: Actor<Context = Context<A>>,
        F: FnOnce(&mut Context<A>) -> A + Send + 'static,
    {
        match &self.place {
            Place::Arbiters { handles, .. } => {
                A::start_in_arbiter(&handles[worker % handles.len()], make)
            }
            Place::Local => A::create(make),
        }
    }

    /// Ends every worker with all that runs there, and waits for the threads. Blocks, and must not
    /// be called on one of them.
    pub fn stop(&self) {
        if let Place::Arbiters { system, keeper, .. } = &self.place {
            system.stop();
            let keeper = keeper.lock().unwrap_or_else(PoisonError::into_inner).take();
            if keeper.is_some_and(|keeper| keeper.join().is_err()) {
                tracing::error!("the workers' thread panicked");
            }
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        if let Place::Arbiters { system, .. } = &self.place {
            system.stop();
        }
    }
}

/// What a panic that was caught has said.
pub fn said(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("nothing")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn a_future_runs_on_its_worker_and_workers_differ() {
        let workers = Workers::start(NonZeroUsize::new(2).unwrap()).unwrap();
        let mut threads = HashSet::new();
        for worker in [0, 1, 2, 3] {
            let (tell, told) = oneshot::channel();
            workers.spawn(worker, || async { tell.send(thread::current().id()).unwrap() });
            threads.insert(told.await.unwrap());
        }
        assert_eq!(threads.len(), 2);
    }

    #[tokio::test]
    async fn a_panic_ends_one_future_and_not_its_worker() {
        let workers = Workers::start(NonZeroUsize::MIN).unwrap();
        workers.spawn(0, || async { panic!("one of many") });
        let (tell, told) = oneshot::channel();
        workers.spawn(0, || async { tell.send(()).unwrap() });
        told.await.unwrap();
    }

    #[test]
    fn stopping_ends_what_runs_there() {
        let workers = Workers::start(NonZeroUsize::MIN).unwrap();
        let (tell, told) = oneshot::channel::<()>();
        workers.spawn(0, || async {
            let _held = tell;
            std::future::pending().await
        });
        workers.stop();
        assert!(told.blocking_recv().is_err(), "the future was dropped");
    }
}
