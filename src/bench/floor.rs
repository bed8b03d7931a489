//! The floor: what the same frames cost without a game.
//!
//! A bare relay on `tokio-tungstenite`, one single-threaded runtime a core, read buffers of 4 KiB
//! like the server's. Every connection belongs to a group that its address names, and says there
//! how many frames of which sizes go back to the sender of a frame and on to all others. It knows
//! no rules, keeps nothing, and looks into no frame.
//!
//! Bound: `QUEUE` frames for each connection. Overflow: the connection is closed, which ends the
//! measurement with an error, since a floor that loses frames is none.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, Write};
use std::net::Ipv4Addr;
use std::rc::Rc;
use std::thread;

use bytes::Bytes;
use futures_util::{SinkExt, StreamExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Builder;
use tokio::sync::mpsc;
use tokio::task::LocalSet;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};

use super::relay::{ASIDE, Join, PASSED_ON, WELCOME};

/// Frames that may wait for one connection.
const QUEUE: usize = 4_096;

/// Connections that may wait for their worker.
const ARRIVALS: usize = 1_024;

/// The most that a frame of the floor holds.
const MOST: usize = 64 * 1024;

/// A connection on its way to its worker.
struct Arrival {
    stream: std::net::TcpStream,
    join: Join,
}

/// Serves until the process is ended.
///
/// # Errors
/// Where the system gives no port or no thread.
pub fn serve() -> io::Result<()> {
    let count = thread::available_parallelism().map_or(1, usize::from);
    let workers = (0..count).map(|_| worker()).collect::<io::Result<Vec<_>>>()?;
    let runtime = Builder::new_current_thread().enable_all().build()?;
    LocalSet::new().block_on(&runtime, async move {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        writeln!(io::stdout(), "the floor is ready: http://{}/", listener.local_addr()?)?;
        loop {
            let (stream, _) = listener.accept().await?;
            let workers = workers.clone();
            tokio::task::spawn_local(async move {
                // A peer that leaves in the handshake was never there.
                let Ok(arrival) = greet(stream).await else { return };
                let worker = &workers[arrival.join.group as usize % workers.len()];
                let _ = worker.send(arrival).await;
            });
        }
    })
}

/// Starts a thread for connections.
fn worker() -> io::Result<mpsc::Sender<Arrival>> {
    let (arrivals, mut arrived) = mpsc::channel::<Arrival>(ARRIVALS);
    let runtime = Builder::new_current_thread().enable_all().build()?;
    thread::Builder::new().name("floor".into()).spawn(move || {
        LocalSet::new().block_on(&runtime, async move {
            let groups = Rc::new(RefCell::new(Groups::default()));
            while let Some(arrival) = arrived.recv().await {
                let groups = Rc::clone(&groups);
                tokio::task::spawn_local(async move {
                    // Whoever leaves, in whatever way, is simply gone.
                    let _ = member(arrival, &groups).await;
                });
            }
        });
    })?;
    Ok(arrivals)
}

async fn greet(stream: TcpStream) -> Result<Arrival, Error> {
    stream.set_nodelay(true)?;
    let mut join = None;
    #[expect(clippy::result_large_err, reason = "the library's own signature")]
    let read = |request: &Request, response: Response| {
        join = request.uri().query().and_then(|query| query.parse().ok());
        Ok(response)
    };
    let socket =
        tokio_tungstenite::accept_hdr_async_with_config(stream, read, Some(config())).await?;
    let join = join.ok_or_else(|| io::Error::other("the address names no group"))?;
    // Nothing is lost: a peer says nothing before it was welcomed.
    Ok(Arrival { stream: socket.into_inner().into_std()?, join })
}

fn config() -> WebSocketConfig {
    WebSocketConfig::default().read_buffer_size(4 * 1024)
}

/// The connections of each group, by their numbers.
#[derive(Default)]
struct Groups {
    members: HashMap<u64, Vec<(u64, mpsc::Sender<Bytes>)>>,
    last: u64,
}

impl Groups {
    fn join(&mut self, group: u64, queue: mpsc::Sender<Bytes>) -> u64 {
        self.last += 1;
        self.members.entry(group).or_default().push((self.last, queue));
        self.last
    }

    fn leave(&mut self, group: u64, number: u64) {
        if let Some(members) = self.members.get_mut(&group) {
            members.retain(|(member, _)| *member != number);
            if members.is_empty() {
                self.members.remove(&group);
            }
        }
    }

    fn pass_on(&mut self, group: u64, from: u64, frame: &Bytes) {
        if let Some(members) = self.members.get_mut(&group) {
            // One that is full is let go, and so closed.
            members
                .retain(|(member, queue)| *member == from || queue.try_send(frame.clone()).is_ok());
        }
    }
}

async fn member(arrival: Arrival, groups: &RefCell<Groups>) -> Result<(), Error> {
    let Arrival { stream, join } = arrival;
    let stream = TcpStream::from_std(stream)?;
    let mut socket = WebSocketStream::from_raw_socket(stream, Role::Server, Some(config())).await;
    let (queue, mut queued) = mpsc::channel(QUEUE);
    let number = groups.borrow_mut().join(join.group, queue);
    let done = relay(&mut socket, &join, number, groups, &mut queued).await;
    groups.borrow_mut().leave(join.group, number);
    done
}

/// Passes frames on, and writes everything that waits before each flush.
async fn relay(
    socket: &mut WebSocketStream<TcpStream>,
    join: &Join,
    number: u64,
    groups: &RefCell<Groups>,
    queued: &mut mpsc::Receiver<Bytes>,
) -> Result<(), Error> {
    let frame = |kind: u8, len: usize| Bytes::from(vec![kind; len.clamp(1, MOST)]);
    let on = frame(PASSED_ON, join.on);
    let back: Vec<Bytes> = join.back.iter().map(|&len| frame(ASIDE, len)).collect();
    socket.send(Message::Binary(frame(WELCOME, 1))).await?;
    loop {
        tokio::select! {
            biased;
            first = queued.recv() => {
                // Let go of, because it did not keep up.
                let Some(first) = first else { return Ok(()) };
                socket.feed(Message::Binary(first)).await?;
                while let Ok(next) = queued.try_recv() {
                    socket.feed(Message::Binary(next)).await?;
                }
                socket.flush().await?;
            }
            message = socket.next() => match message {
                Some(Ok(Message::Binary(_))) => {
                    groups.borrow_mut().pass_on(join.group, number, &on);
                    for frame in &back {
                        socket.feed(Message::Binary(frame.clone())).await?;
                    }
                    socket.flush().await?;
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error),
                None => return Ok(()),
            }
        }
    }
}
