//! A session's socket: frames in and out, each write within its time, and the farewell.

use std::future::poll_fn;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_util::{SinkExt, StreamExt};
use hexhall_proto::codec::Format;
use hexhall_proto::error::CloseCode;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::watch;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::{Error, Message};

use super::bell::Bell;
use crate::game::clock::Millis;
use crate::gateway::close::Why;
use crate::gateway::sessions::Closing;
use crate::time::TimeSource;

/// One connection's socket.
#[derive(Debug)]
pub(super) struct Link<S> {
    pub(super) socket: WebSocketStream<S>,
    pub(super) format: Format,
    pub(super) time: TimeSource,
    /// The longest that a write may take.
    pub(super) patience: Millis,
    /// The longest that the farewell may take.
    pub(super) farewell: Millis,
    pub(super) closing: watch::Receiver<Option<Closing>>,
    /// Rings when there may be something to read.
    pub(super) readable: Bell,
    /// The bytes that were fed since the last flush.
    pub(super) unsent: usize,
}

/// How much may be fed, in bytes, before it is sent off: a reader that is slow then holds up its
/// outbox, which is bounded, and not this server's memory.
const MOST_UNSENT: usize = 64 * 1024;

impl<S: AsyncRead + AsyncWrite + Unpin> Link<S> {
    /// Polls for the next message from the peer.
    pub(super) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Result<Message, Why>> {
        let Link { socket, readable, .. } = self;
        readable.poll(cx, |cx| socket.poll_next_unpin(cx)).map(|message| match message {
            Some(Ok(message)) => Ok(message),
            Some(Err(error)) => Err(Why::from_error(&error)),
            None => Err(Why::Left),
        })
    }

    /// Puts a frame of ours on its way; [`Link::flush`] sends it off, here where much has been fed.
    pub(super) async fn feed(&mut self, frame: Bytes) -> Result<(), Why> {
        if self.unsent > MOST_UNSENT {
            self.flush().await?;
        }
        self.unsent += frame.len();
        let data = match self.format {
            Format::Json => Data::Text,
            Format::MsgPack => Data::Binary,
        };
        // Not `Message::Text`, which would look through the whole frame for bad UTF-8 again.
        self.start(Message::Frame(Frame::message(frame, OpCode::Data(data), true)))
    }

    /// Puts a ping on its way; [`Link::flush`] sends it off.
    pub(super) fn ping(&mut self, payload: Bytes) -> Result<(), Why> {
        self.start(Message::Ping(payload))
    }

    /// Sends off what was fed. It is given up when it takes too long, or when the server is about
    /// to end.
    pub(super) async fn flush(&mut self) -> Result<(), Why> {
        self.unsent = 0;
        let Link { socket, time, patience, closing, .. } = self;
        // Most are done at once and need no timer.
        let at_once = poll_fn(|cx| match socket.poll_flush_unpin(cx) {
            Poll::Ready(done) => Poll::Ready(Some(done)),
            Poll::Pending => Poll::Ready(None),
        });
        let done = match at_once.await {
            Some(done) => done,
            // Boxed, so that no session keeps room for what few ever need.
            None => {
                Box::pin(async {
                    tokio::select! {
                        done = poll_fn(|cx| socket.poll_flush_unpin(cx)) => Ok(done),
                        () = time.sleep(*patience) => Err(Why::Ours(CloseCode::Gone)),
                        () = last_moment(time, closing.clone()) => {
                            Err(Why::Ours(CloseCode::ShuttingDown))
                        }
                    }
                })
                .await?
            }
        };
        done.map_err(|error| Why::from_error(&error))
    }

    /// Has the socket write a message to its buffer, which takes every one: how much that is, is
    /// counted above.
    fn start(&mut self, message: Message) -> Result<(), Why> {
        self.socket.start_send_unpin(message).map_err(|error| Why::from_error(&error))
    }

    /// Tells the peer why, if it can be told, and ends the connection.
    ///
    /// What the peer had sent and we never read would make the system reset the connection, and
    /// the peer might lose the close frame over it. So after our last word the rest is read and
    /// thrown away, for a while.
    pub(super) async fn close(&mut self, why: Why) {
        let enough = self.time.sleep(self.farewell);
        let goodbye = async {
            match why.frame() {
                Some(frame) => self.socket.close(Some(frame)).await?,
                None if why == Why::Left => self.socket.flush().await?,
                None => return Ok(()),
            }
            let stream = self.socket.get_mut();
            stream.shutdown().await?;
            let mut rest = [0; 1_024];
            while stream.read(&mut rest).await? > 0 {}
            Ok::<(), Error>(())
        };
        tokio::select! {
            // Whether the peer heard it or not, this is the end.
            _ = goodbye => {}
            () = enough => {}
        }
    }
}

/// Waits for the end of a server that was ordered to close.
async fn last_moment(time: &TimeSource, closing: watch::Receiver<Option<Closing>>) {
    let order = ordered(closing).await;
    time.sleep_until(order.until).await;
}

/// The order to close, when it is given; waits for ever where it never will be.
pub(super) async fn ordered(mut closing: watch::Receiver<Option<Closing>>) -> Closing {
    let order = closing.wait_for(Option::is_some).await.ok().and_then(|order| *order);
    match order {
        Some(order) => order,
        None => std::future::pending().await,
    }
}
