//! Accepting connections, and serving requests on them until the server stops.
//!
//! Written out, and not left to `axum::serve`, because that gives a peer all the time in the world
//! for the head of its request: a few thousand idle connections would hold every socket there is.
//! Bound: each connection has [`HEAD_MS`] for each head, so it is either used or gone; upgraded
//! ones are the gateway's from then on.

use std::convert::Infallible;
use std::future::Future;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::rt::{Sleep, Timer};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::LONGEST;
use crate::game::clock::{Millis, Stamp};
use crate::time::TimeSource;

/// How long a peer has for the head of a request, also between two of them.
pub const HEAD_MS: Millis = 30_000;

/// How long to leave a listener alone that has no sockets left to give.
const BREATHE_MS: Millis = 1_000;

/// Serves the port until `stop` is done and every plain request is answered. Sessions are none of
/// its affair: the gateway closes those.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    time: TimeSource,
    stop: impl Future<Output = ()>,
) {
    let mut builder = http1::Builder::new();
    builder.timer(Clock::new(time.clone())).header_read_timeout(Duration::from_millis(HEAD_MS));
    // Each connection has a receiver for as long as it lives.
    let (stopping, stopped) = watch::channel(());
    let mut stop = pin!(stop);
    loop {
        let accepted = tokio::select! {
            biased;
            () = &mut stop => break,
            accepted = listener.accept() => accepted,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                breathe(&error, &time).await;
                continue;
            }
        };
        no_delay(&stream);
        let asked = Arc::new(AtomicBool::new(false));
        let service = answering(router.clone(), peer, Arc::clone(&asked));
        let connection = builder.serve_connection(TokioIo::new(stream), service).with_upgrades();
        let mut stopped = stopped.clone();
        tokio::spawn(async move {
            let mut connection = pin!(connection);
            let ended = tokio::select! {
                biased;
                ended = &mut connection => ended,
                // It fails only once nobody can stop it any more, which is as good as a stop.
                _ = stopped.changed() => {
                    // Hyper ends a connection between two requests, but waits for the first one.
                    // Browsers open some in advance, and may never say a word on them.
                    if !asked.load(Ordering::Relaxed) {
                        return;
                    }
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = ended {
                tracing::debug!(%error, "a connection ended badly");
            }
        });
    }
    drop((listener, stopped));
    stopping.send_replace(());
    // What is being answered is answered, unless its reader takes longer than any answer may.
    tokio::select! {
        () = stopping.closed() => {}
        () = time.sleep(u64::try_from(LONGEST.as_millis()).unwrap_or(Millis::MAX)) => {}
    }
}

/// The router, with the peer's address for those who ask for it. `asked` is set at the first
/// request.
fn answering(
    router: Router,
    peer: SocketAddr,
    asked: Arc<AtomicBool>,
) -> impl Service<Request<Incoming>, Response = Response<Body>, Error = Infallible, Future: Send> {
    let router = TowerToHyperService::new(router);
    service_fn(move |mut request: Request<Incoming>| {
        asked.store(true, Ordering::Relaxed);
        request.extensions_mut().insert(ConnectInfo(peer));
        router.call(request)
    })
}

/// A connection that was lost while it waited is nobody's fault; anything else means that there are
/// too many, and only time helps.
async fn breathe(error: &io::Error, time: &TimeSource) {
    let lost = [ErrorKind::ConnectionAborted, ErrorKind::ConnectionReset];
    if !lost.contains(&error.kind()) {
        tracing::error!(%error, "cannot accept connections");
        time.sleep(BREATHE_MS).await;
    }
}

/// Small frames must not wait for each other.
fn no_delay(stream: &TcpStream) {
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "a connection keeps its delay");
    }
}

/// The injected clock, as hyper wants it: counted from the moment that this was made.
struct Clock {
    time: TimeSource,
    start: Stamp,
    instant: Instant,
}

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "an origin to count from, not a time")]
    fn new(time: TimeSource) -> Clock {
        Clock { start: time.now(), instant: Instant::now(), time }
    }
}

impl Timer for Clock {
    fn sleep(&self, span: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + span)
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        let span = deadline.saturating_duration_since(self.instant).as_millis();
        let then = self.start + Millis::try_from(span).unwrap_or(Millis::MAX);
        Box::pin(Nap(Box::pin(self.time.sleep_until(then))))
    }

    fn now(&self) -> Instant {
        self.instant + Duration::from_millis(self.time.now() - self.start)
    }
}

/// Waiting by the injected clock.
struct Nap(Pin<Box<dyn Future<Output = ()> + Send + Sync>>);

impl Sleep for Nap {}

impl Future for Nap {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.0.as_mut().poll(cx)
    }
}
