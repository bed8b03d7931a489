//! Where futures run only when the test says so, and then until nothing more can run: no thread, no
//! socket and no timer but the test's own decides what comes first.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Wake, Waker};

use futures_util::FutureExt;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use tokio::runtime::{Builder, Runtime};
use tokio::task::LocalSet;

/// A thread's futures, and the figures that they count.
pub struct Stage {
    // Dropped in this order: what runs, and then what it runs on.
    running: LocalSet,
    runtime: Runtime,
    recorder: PrometheusRecorder,
    woken: Arc<Woken>,
}

/// Whether anything can run since it was last looked at.
#[derive(Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Woken>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Stage {
    /// Nothing runs yet.
    pub fn new() -> Stage {
        Stage {
            running: LocalSet::new(),
            // Never driven: it is there for those who want to know that there is one.
            runtime: Builder::new_current_thread().enable_time().build().unwrap(),
            recorder: PrometheusBuilder::new().build_recorder(),
            woken: Arc::default(),
        }
    }

    /// The figures that what runs here counts.
    pub fn metrics(&self) -> PrometheusHandle {
        self.recorder.handle()
    }

    /// Runs everything until nothing more can run.
    pub fn settle(&mut self) {
        let Stage { running, runtime, recorder, woken } = self;
        let _inside = runtime.enter();
        let waker = Waker::from(Arc::clone(woken));
        let mut context = Context::from_waker(&waker);
        metrics::with_local_recorder(recorder, || {
            while {
                woken.0.store(false, Ordering::Relaxed);
                let _ = Pin::new(&mut *running).poll(&mut context);
                woken.0.load(Ordering::Relaxed)
            } {}
        });
    }

    /// Lets a future run beside all others.
    pub fn start(&mut self, future: impl Future<Output = ()> + 'static) {
        self.running.spawn_local(future);
    }

    /// Runs a future and all others until nothing more can run; it must be done then.
    pub fn run<T: 'static>(&mut self, future: impl Future<Output = T> + 'static) -> T {
        let done = self.running.spawn_local(future);
        self.settle();
        done.now_or_never().expect("nothing that is waited for comes from outside").unwrap()
    }
}
