//! One WebSocket connection to a server, in either format.
//!
//! Owns the socket and the numbers of its requests. Nothing runs in the background: whoever holds
//! the link reads it, and while somebody reads, pings are answered. Requests may be sent ahead of
//! their replies; a reply is told apart by its number, and what arrives while one waits for it is
//! set aside in order.

use std::collections::VecDeque;
use std::io;

use futures_util::{SinkExt, StreamExt};
use hexhall_proto::codec::{self, DecodeError, Format};
use hexhall_proto::error::ErrorBody;
use hexhall_proto::reply::{Reply, ReplyFrame, ServerFrame, Welcome};
use hexhall_proto::request::{Hello, Request, RequestFrame};
use hexhall_proto::{SUBPROTOCOL_JSON, SUBPROTOCOL_MSGPACK};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::error::{Error as WsError, ProtocolError};
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::http::header::SEC_WEBSOCKET_PROTOCOL;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Message, WebSocketConfig};

use super::address::Address;
use super::now;

/// The longest message that is read: a view of the largest board with room to spare.
const MAX_MESSAGE: usize = 4 << 20;
/// Frames set aside while waiting for one reply; more than that is a broken server.
const MAX_SET_ASIDE: usize = 4_096;

/// What a link can run over.
pub trait Pipe: AsyncRead + AsyncWrite + Unpin + Send + 'static {}

impl<T: AsyncRead + AsyncWrite + Unpin + Send + 'static> Pipe for T {}

/// Why a link could not be made, or is at its end.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// Nobody answers there, or the connection broke.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Whoever answers there speaks HTTP, but refused the upgrade.
    #[error("the server answered `{status}` where a WebSocket was asked for")]
    NotUpgraded {
        /// The HTTP status.
        status: u16,
    },
    /// The other side does not keep to the WebSocket protocol, or offers no such subprotocol.
    #[error("the server does not speak WebSocket with subprotocol `{subprotocol}`: {source}")]
    Protocol {
        /// The subprotocol that was asked for.
        subprotocol: &'static str,
        /// What was wrong.
        source: Box<WsError>,
    },
    /// The server closed the connection.
    #[error("the server closed the connection{}", close_text(.0))]
    Closed(Option<CloseFrame>),
    /// A frame that is not one of this protocol's.
    #[error("the server sent what is not a frame of this protocol: {0}")]
    Frame(#[from] DecodeError),
    /// The server refused the `hello`.
    #[error("the server refused the `hello` with `{}`: {}", .0.code, .0.message)]
    Hello(Box<ErrorBody>),
    /// A reply of another kind than the request has, or far too many frames before it.
    #[error("the server's answer to `{op}` makes no sense: {what}")]
    Answer {
        /// The request's name.
        op: &'static str,
        /// What came.
        what: String,
    },
    /// Nothing came for too long, not even a ping.
    #[error("the server has fallen silent")]
    Silent,
}

fn close_text(frame: &Option<CloseFrame>) -> String {
    match frame {
        Some(frame) if frame.reason.is_empty() => format!(" with code {}", u16::from(frame.code)),
        Some(frame) => format!(" with code {}: {}", u16::from(frame.code), frame.reason),
        None => String::new(),
    }
}

/// The subprotocol that carries a format.
pub const fn subprotocol(format: Format) -> &'static str {
    match format {
        Format::Json => SUBPROTOCOL_JSON,
        Format::MsgPack => SUBPROTOCOL_MSGPACK,
    }
}

/// One connection to a server.
#[derive(Debug)]
pub struct Link<Io> {
    socket: WebSocketStream<Io>,
    format: Format,
    last_id: u64,
    set_aside: VecDeque<ServerFrame>,
    heard: Instant,
}

impl Link<TcpStream> {
    /// Connects over TCP.
    pub async fn dial(address: &Address, format: Format) -> Result<Self, LinkError> {
        let stream = TcpStream::connect((address.host(), address.port())).await?;
        stream.set_nodelay(true)?;
        Link::open(stream, address, format).await
    }
}

impl<Io: Pipe> Link<Io> {
    /// Asks for the upgrade on a fresh connection to the server at `address`.
    pub async fn open(io: Io, address: &Address, format: Format) -> Result<Self, LinkError> {
        let of = |error| from_socket(format, error);
        let mut request = address.to_string().into_client_request().map_err(of)?;
        let wanted = HeaderValue::from_static(subprotocol(format));
        request.headers_mut().insert(SEC_WEBSOCKET_PROTOCOL, wanted);
        let config = WebSocketConfig::default()
            .read_buffer_size(4 << 10)
            .max_message_size(Some(MAX_MESSAGE))
            .max_frame_size(Some(MAX_MESSAGE));
        let upgrade = tokio_tungstenite::client_async_with_config(request, io, Some(config));
        let (socket, _) = upgrade.await.map_err(of)?;
        Ok(Link::over(socket, format))
    }

    /// A link over a WebSocket that is open already.
    pub fn over(socket: WebSocketStream<Io>, format: Format) -> Self {
        Link { socket, format, last_id: 0, set_aside: VecDeque::new(), heard: now() }
    }

    /// Says who is there: the first request of every connection.
    pub async fn hello(&mut self, hello: Hello) -> Result<Welcome, LinkError> {
        match self.ask(Request::Hello(hello)).await? {
            Reply::Welcome(welcome) => Ok(welcome),
            Reply::Error(body) => Err(LinkError::Hello(Box::new(body))),
            other => Err(LinkError::Answer { op: "hello", what: format!("{other:?}") }),
        }
    }

    /// Sends a request and hands back the number that its reply will carry.
    pub async fn send(&mut self, request: Request) -> Result<u64, LinkError> {
        let id = self.last_id + 1;
        let bytes = codec::encode(self.format, &RequestFrame { id, request });
        let message =
            match self.format {
                Format::MsgPack => Message::binary(bytes),
                Format::Json => Message::text(String::from_utf8(bytes).map_err(|error| {
                    LinkError::Frame(DecodeError { message: error.to_string() })
                })?),
            };
        self.last_id = id;
        self.socket.send(message).await.map_err(|error| from_socket(self.format, error))?;
        Ok(id)
    }

    /// The next frame, in the order in which the server sent them. Cancelling it loses nothing.
    pub async fn next(&mut self) -> Result<ServerFrame, LinkError> {
        match self.set_aside.pop_front() {
            Some(frame) => Ok(frame),
            None => self.read().await,
        }
    }

    /// The reply to the request of that number; what comes before it is set aside for [`next`].
    ///
    /// [`next`]: Link::next
    pub async fn reply_to(&mut self, id: u64) -> Result<Reply, LinkError> {
        let early = self.set_aside.iter().position(|frame| answers(frame, id));
        if let Some(ServerFrame::Reply(frame)) = early.and_then(|at| self.set_aside.remove(at)) {
            return Ok(frame.reply);
        }
        while self.set_aside.len() < MAX_SET_ASIDE {
            match self.read().await? {
                ServerFrame::Reply(ReplyFrame { re, reply }) if re == Some(id) => return Ok(reply),
                frame => self.set_aside.push_back(frame),
            }
        }
        let what = format!("{MAX_SET_ASIDE} frames came, and no reply");
        Err(LinkError::Answer { op: "request", what })
    }

    /// Sends a request and waits for its reply.
    pub async fn ask(&mut self, request: Request) -> Result<Reply, LinkError> {
        let id = self.send(request).await?;
        self.reply_to(id).await
    }

    /// When anything was last heard of the server, a ping included.
    pub fn heard(&self) -> Instant {
        self.heard
    }

    /// Says goodbye. Whether the server still hears it does not matter.
    pub async fn close(mut self) {
        let _ = self.socket.close(None).await;
    }

    async fn read(&mut self) -> Result<ServerFrame, LinkError> {
        loop {
            let message = match self.socket.next().await {
                Some(message) => message.map_err(|error| from_socket(self.format, error))?,
                None => return Err(LinkError::Closed(None)),
            };
            self.heard = now();
            match (message, self.format) {
                (Message::Text(text), Format::Json) => {
                    return Ok(codec::decode_server(self.format, text.as_bytes())?);
                }
                (Message::Binary(bytes), Format::MsgPack) => {
                    return Ok(codec::decode_server(self.format, &bytes)?);
                }
                (Message::Close(frame), _) => return Err(LinkError::Closed(frame)),
                (Message::Ping(_), _) => {
                    // The pong is queued; it must not wait for the next frame of ours.
                    self.socket.flush().await.map_err(|error| from_socket(self.format, error))?;
                }
                (Message::Pong(_) | Message::Frame(_), _) => {}
                (Message::Text(_) | Message::Binary(_), _) => {
                    let message = format!("a frame of the other format than {:?}", self.format);
                    return Err(LinkError::Frame(DecodeError { message }));
                }
            }
        }
    }
}

fn answers(frame: &ServerFrame, id: u64) -> bool {
    matches!(frame, ServerFrame::Reply(ReplyFrame { re, .. }) if *re == Some(id))
}

fn from_socket(format: Format, error: WsError) -> LinkError {
    match error {
        WsError::Io(error) => LinkError::Io(error),
        WsError::Http(response) => LinkError::NotUpgraded { status: response.status().as_u16() },
        // A killed server says no goodbye.
        WsError::ConnectionClosed
        | WsError::AlreadyClosed
        | WsError::Protocol(
            ProtocolError::ResetWithoutClosingHandshake
            | ProtocolError::SendAfterClosing
            | ProtocolError::HandshakeIncomplete,
        ) => LinkError::Closed(None),
        source => {
            LinkError::Protocol { subprotocol: subprotocol(format), source: Box::new(source) }
        }
    }
}

#[cfg(test)]
mod tests;
