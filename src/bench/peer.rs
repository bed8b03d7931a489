//! The driver's end of a connection, to the server or to the floor.
//!
//! It costs little: while it is measured, a frame is told apart by a few of its bytes and never
//! read whole. Nothing runs in the background; whoever holds a peer reads it, and pings are
//! answered meanwhile.

use bytes::Bytes;
use futures_util::{SinkExt, StreamExt};
use hexhall_proto::SUBPROTOCOL_MSGPACK;
use hexhall_proto::codec::{self, Format};
use hexhall_proto::event::{Event, StreamFrame};
use hexhall_proto::reply::{Reply, ReplyFrame, ServerFrame};
use hexhall_proto::request::{Hello, Request, RequestFrame};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::http::header::SEC_WEBSOCKET_PROTOCOL;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use super::BenchError;
use super::relay::{Join, PASSED_ON, WELCOME};
use crate::remote::Address;

/// One connection of the driver's.
#[derive(Debug)]
pub struct Peer {
    socket: WebSocketStream<TcpStream>,
    last_id: u64,
}

/// What a frame is, as far as a measurement wants to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heard {
    /// A move of somebody's.
    Moved,
    /// The game has ended.
    Ended,
    /// A request was refused.
    Refused,
    /// A whole view in place of events: the peer was too slow, or was moved.
    Afresh,
    /// Anything else.
    Other,
}

/// Who a player is: the token to come back with.
pub type Token = String;

impl Peer {
    /// Connects to a server. A table that is named decides on which of its threads the session
    /// lives.
    pub async fn dial(address: &Address, table: Option<&str>) -> Result<Peer, BenchError> {
        let url = match table {
            Some(table) => format!("{address}?table={table}"),
            None => address.to_string(),
        };
        let mut request = url.into_client_request()?;
        let msgpack = HeaderValue::from_static(SUBPROTOCOL_MSGPACK);
        request.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, msgpack);
        Peer::open(address, request).await
    }

    /// Connects to a floor and waits to be welcomed.
    pub async fn join_floor(address: &Address, join: &Join) -> Result<Peer, BenchError> {
        let request = format!("{address}?{join}").into_client_request()?;
        let mut peer = Peer::open(address, request).await?;
        match peer.next().await?.first() {
            Some(&WELCOME) => Ok(peer),
            _ => Err(BenchError::unexpected("the floor's welcome", "another frame")),
        }
    }

    async fn open<R: IntoClientRequest + Unpin>(
        address: &Address,
        request: R,
    ) -> Result<Peer, BenchError> {
        let stream = TcpStream::connect((address.host(), address.port())).await?;
        stream.set_nodelay(true)?;
        let config = WebSocketConfig::default().read_buffer_size(4 * 1024);
        let opened =
            tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await?;
        Ok(Peer { socket: opened.0, last_id: 0 })
    }

    /// Says who is there; a new guest where there is no token. Hands back the token to come again
    /// with.
    pub async fn hello(&mut self, token: Option<Token>) -> Result<Token, BenchError> {
        let hello = Hello { token: token.clone(), name: None };
        match self.ask(Request::Hello(hello)).await? {
            Reply::Welcome(welcome) => {
                let known = token.or(welcome.token);
                known.ok_or_else(|| BenchError::unexpected("a guest's token", "none"))
            }
            other => Err(BenchError::unexpected("`welcome`", format!("{other:?}"))),
        }
    }

    /// A request as a frame, under the next number.
    pub fn frame(&mut self, request: Request) -> Bytes {
        self.last_id += 1;
        codec::encode(Format::MsgPack, &RequestFrame { id: self.last_id, request }).into()
    }

    /// Sends a frame off.
    pub async fn send(&mut self, frame: Bytes) -> Result<(), BenchError> {
        Ok(self.socket.send(Message::Binary(frame)).await?)
    }

    /// The next frame. Loses nothing when dropped.
    pub async fn next(&mut self) -> Result<Bytes, BenchError> {
        loop {
            match self.socket.next().await {
                Some(Ok(Message::Binary(frame))) => return Ok(frame),
                // The answer is queued; it must not wait for the next frame of ours.
                Some(Ok(Message::Ping(_))) => self.socket.flush().await?,
                Some(Ok(Message::Close(frame))) => {
                    return Err(BenchError::Closed(frame.map(|frame| frame.to_string())));
                }
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error.into()),
                None => return Err(BenchError::Closed(None)),
            }
        }
    }

    /// Sends a request and waits for its reply; what comes before it is thrown away.
    pub async fn ask(&mut self, request: Request) -> Result<Reply, BenchError> {
        let frame = self.frame(request);
        let id = self.last_id;
        self.send(frame).await?;
        loop {
            match self.read().await? {
                ServerFrame::Reply(ReplyFrame { re, reply }) if re == Some(id) => {
                    return match reply {
                        Reply::Error(body) => Err(BenchError::refused(&body)),
                        reply => Ok(reply),
                    };
                }
                _ => {}
            }
        }
    }

    /// Sends a request and waits for its answer, which nobody reads; what comes before it is thrown
    /// away. One request at a time can be asked so.
    pub async fn ask_for(&mut self, request: Request, answer: Answer) -> Result<(), BenchError> {
        let frame = self.frame(request);
        self.send(frame).await?;
        loop {
            let frame = self.next().await?;
            if tells(&frame, answer.0) {
                return Ok(());
            }
            if Heard::from_server(&frame) == Heard::Refused {
                return Err(BenchError::unwanted(&frame));
            }
            if tells(&frame, b"\xa5reply") {
                return Err(BenchError::unexpected("the answer that was asked for", "another"));
            }
        }
    }

    /// Reads until an event is one that is waited for; what comes before it is thrown away.
    pub async fn wait_for<T>(
        &mut self,
        mut wanted: impl FnMut(Event) -> Option<T>,
    ) -> Result<T, BenchError> {
        loop {
            match self.read().await? {
                ServerFrame::Stream(StreamFrame { event, .. }) => {
                    if let Some(found) = wanted(event) {
                        return Ok(found);
                    }
                }
                ServerFrame::Reply(ReplyFrame { reply: Reply::Error(body), .. }) => {
                    return Err(BenchError::refused(&body));
                }
                _ => {}
            }
        }
    }

    /// The next frame, read whole.
    pub async fn read(&mut self) -> Result<ServerFrame, BenchError> {
        let frame = self.next().await?;
        let read = codec::decode_server(Format::MsgPack, &frame);
        read.map_err(|error| BenchError::unexpected("a frame of the protocol", error))
    }
}

/// What a reply is told by.
#[derive(Clone, Copy, Debug)]
pub struct Answer(&'static [u8]);

impl Answer {
    /// A `welcome`.
    pub const WELCOME: Answer = Answer(b"\xa5reply\xa7welcome");
    /// A `resumed`.
    pub const RESUMED: Answer = Answer(b"\xa5reply\xa7resumed");
}

/// The first bytes of a frame that tell what it is: its kind stands before anything long.
const TELLING: usize = 72;

/// Whether a frame of the server's begins with these words in it. Texts in MessagePack begin with
/// 0xa0 and their length.
fn tells(frame: &[u8], words: &[u8]) -> bool {
    let start = &frame[..frame.len().min(TELLING)];
    start.windows(words.len()).any(|window| window == words)
}

impl Heard {
    /// What a frame of the server's is.
    pub fn from_server(frame: &[u8]) -> Heard {
        let has = |words: &[u8]| tells(frame, words);
        if has(b"\xa5event\xa6placed") || has(b"\xa5event\xa7swapped") {
            Heard::Moved
        } else if has(b"\xa5event\xa5ended") {
            Heard::Ended
        } else if has(b"\xa5event\xa4view") {
            Heard::Afresh
        } else if has(b"\xa5reply\xa5error") {
            Heard::Refused
        } else {
            Heard::Other
        }
    }

    /// What a frame of the floor's is.
    pub fn from_floor(frame: &[u8]) -> Heard {
        if frame.first() == Some(&PASSED_ON) { Heard::Moved } else { Heard::Other }
    }
}

#[cfg(test)]
mod tests;
