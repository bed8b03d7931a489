//! A session's socket: frames in and out, each write within its time, and the farewell.

use std::pin::pin;

use bytes::Bytes;
use futures_util::{FutureExt, SinkExt, StreamExt};
use hexhall_proto::codec::Format;
use hexhall_proto::error::CloseCode;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::watch;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::{Error, Message};

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
}

impl<S: AsyncRead + AsyncWrite + Unpin> Link<S> {
    /// The next message from the peer. Loses nothing when dropped.
    pub(super) async fn next(&mut self) -> Result<Message, Why> {
        match self.socket.next().await {
            Some(Ok(message)) => Ok(message),
            Some(Err(error)) => Err(Why::from_error(&error)),
            None => Err(Why::Left),
        }
    }

    /// Puts a frame of ours on its way; [`Link::flush`] sends it off.
    pub(super) async fn feed(&mut self, frame: Bytes) -> Result<(), Why> {
        metrics::counter!("hexhall_bytes_out_total").increment(frame.len() as u64);
        let data = match self.format {
            Format::Json => Data::Text,
            Format::MsgPack => Data::Binary,
        };
        // Not `Message::Text`, which would look through the whole frame for bad UTF-8 again.
        let message = Message::Frame(Frame::message(frame, OpCode::Data(data), true));
        self.within(async |socket| socket.feed(message).await).await
    }

    /// Sends a ping off.
    pub(super) async fn ping(&mut self, payload: Bytes) -> Result<(), Why> {
        self.within(async |socket| socket.send(Message::Ping(payload)).await).await
    }

    /// Sends off what was fed.
    pub(super) async fn flush(&mut self) -> Result<(), Why> {
        self.within(async |socket| socket.flush().await).await
    }

    /// Tells the peer why, if it can be told, and ends the connection.
    ///
    /// What the peer had sent and we never read would make the system reset the connection, and
    /// the peer might lose the close frame over it. So after our last word the rest is read and
    /// thrown away, for a while.
    pub(super) async fn close(mut self, why: Why) {
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

    /// Runs a write. It is given up when it takes too long, or when the server is about to end.
    async fn within<T>(
        &mut self,
        write: impl AsyncFnOnce(&mut WebSocketStream<S>) -> Result<T, Error>,
    ) -> Result<T, Why> {
        let Link { socket, time, patience, closing, .. } = self;
        let mut write = pin!(write(socket));
        // Most writes are done at once and need no timer.
        let done = match (&mut write).now_or_never() {
            Some(done) => done,
            None => tokio::select! {
                done = write => done,
                () = time.sleep(*patience) => return Err(Why::Ours(CloseCode::Gone)),
                () = last_moment(time, closing) => {
                    return Err(Why::Ours(CloseCode::ShuttingDown));
                }
            },
        };
        done.map_err(|error| Why::from_error(&error))
    }
}

/// Waits for the end of a server that was ordered to close.
async fn last_moment(time: &TimeSource, closing: &mut watch::Receiver<Option<Closing>>) {
    let order = ordered(closing).await;
    time.sleep_until(order.until).await;
}

/// The order to close, when it is given; waits for ever where it never will be.
pub(super) async fn ordered(closing: &mut watch::Receiver<Option<Closing>>) -> Closing {
    let order = closing.wait_for(Option::is_some).await.ok().and_then(|order| *order);
    match order {
        Some(order) => order,
        None => std::future::pending().await,
    }
}
