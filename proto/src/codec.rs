//! Reading and writing frames in both formats.
//!
//! A move in MessagePack, which nearly every frame is, is read from its bytes by `usual`. A request
//! that begins with `id` and `op`, as those of every usual client do, is read in one pass by
//! `quick`. Any other, and any that is refused, is read in two passes and without a tree of
//! values between: first `head` for `id` and `op`, so that whatever is wrong later is still
//! answered with its `re`; then that request's own struct, which `ops` names. `strict` makes both
//! formats refuse what they let through by themselves. Only a refused frame is read once more, to
//! name the field.
//!
//! A move's event and its reply are written in MessagePack by `brief`, everything else by serde.
//!
//! Invariant: no bytes whatever make these functions panic, and none makes them set aside more
//! memory than a small multiple of the frame's own length.

mod brief;
mod head;
mod ops;
mod quick;
mod source;
mod strict;
mod usual;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Code;
use crate::event::{LobbyEvent, Notice, StreamFrame, StreamFrameRef};
use crate::reply::{ReplyFrame, ServerFrame};
use crate::request::RequestFrame;

use head::{Direction, Head};
use quick::Quick;
use source::Source;

pub use ops::OPS;

/// How a session's frames are written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// JSON in text frames.
    Json,
    /// MessagePack in binary frames: maps with named fields.
    MsgPack,
}

/// Why a frame could not be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct DecodeError {
    /// What was wrong, and what would be right.
    pub message: String,
}

/// Why a frame is not a request, with what the refusal needs.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct RequestError {
    /// The request's `id`, if it could be read.
    pub id: Option<u64>,
    /// `bad_frame`, `bad_request` or `unknown_request`.
    pub code: Code,
    /// What was wrong, and what would be right.
    pub message: String,
}

/// What may be sent as a frame of its own.
pub trait Frame: Serialize + sealed::Sealed {}

mod sealed {
    /// Keeps [`Frame`](super::Frame) to the frames of this crate, none of which can fail to be
    /// written.
    pub trait Sealed {
        /// Writes the frame in MessagePack by a shorter way than serde's, if it is one for which
        /// there is such a way. Otherwise writes nothing.
        fn write_brief(&self, _bytes: &mut Vec<u8>) -> bool {
            false
        }
    }
}

macro_rules! frames {
    ($($frame:ty $(: |$it:ident, $bytes:ident| $brief:expr)?),+ $(,)?) => {
        $(
            impl sealed::Sealed for $frame {
                $(fn write_brief(&self, $bytes: &mut Vec<u8>) -> bool {
                    let $it = self;
                    $brief
                })?
            }

            impl Frame for $frame {}
        )+
    };
}

frames!(
    RequestFrame,
    ReplyFrame: |frame, bytes| brief::write_reply(bytes, frame),
    StreamFrame,
    StreamFrameRef<'_>: |frame, bytes| brief::write_event(bytes, frame),
    LobbyEvent,
    Notice,
);

/// Room for most frames without growing: all but views.
const USUAL_BYTES: usize = 256;

/// Writes a frame.
///
/// A frame holds numbers, texts, lists and named fields alone, and memory takes every write, so
/// there is nothing to fail. Should a serializer say otherwise all the same, the bytes are
/// `UNWRITTEN`: the reader is told of a fault in the server, never sent half a frame.
pub fn encode<T: Frame>(format: Format, frame: &T) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(USUAL_BYTES);
    let written = match format {
        Format::Json => serde_json::to_writer(&mut bytes, frame).is_ok(),
        Format::MsgPack => {
            frame.write_brief(&mut bytes)
                || rmp_serde::encode::write_named(&mut bytes, frame).is_ok()
        }
    };
    debug_assert!(written, "a frame of this crate was refused by its serializer");
    if written { bytes } else { UNWRITTEN.to_vec() }
}

/// An `internal` refusal in JSON: what [`encode`] gives in place of a frame that a serializer
/// refused. A MessagePack client reads it as a broken frame, which is what it stands for.
const UNWRITTEN: &[u8] =
    br#"{"re":null,"reply":"error","code":"internal","message":"a frame could not be written"}"#;

/// Reads a request.
///
/// # Errors
/// `bad_frame` where the bytes are not one map in the format; `bad_request` where `id` or `op` is
/// missing or odd, or a field of the request is; `unknown_request` where nothing has that `op`.
pub fn decode_request(format: Format, bytes: &[u8]) -> Result<RequestFrame, RequestError> {
    let usual = match format {
        Format::MsgPack => usual::read_move(bytes),
        Format::Json => None,
    };
    usual.map_or_else(|| read_general(format, bytes), Ok)
}

/// Reads any request.
fn read_general(format: Format, bytes: &[u8]) -> Result<RequestFrame, RequestError> {
    let refuse = |id, code, message| RequestError { id, code, message };
    let source =
        Source::new(format, bytes).map_err(|message| refuse(None, Code::BadFrame, message))?;
    if let Some(Quick(frame)) = source.try_read() {
        return Ok(frame);
    }
    let head = source.read::<Head>().map_err(|message| refuse(None, Code::BadFrame, message))?;

    let id = head.id().map_err(|message| refuse(None, Code::BadRequest, message))?;
    let op = head.op().map_err(|message| refuse(Some(id), Code::BadRequest, message))?;
    match ops::read(op, source) {
        Some(Ok(request)) => Ok(RequestFrame { id, request }),
        Some(Err(message)) => Err(refuse(Some(id), Code::BadRequest, message)),
        None => Err(refuse(Some(id), Code::UnknownRequest, ops::unknown(op))),
    }
}

/// Reads a value in JSON that came outside a frame, as strictly as one in a frame.
///
/// # Errors
/// Where the bytes are not one value of the type: no list, say, in place of a map.
pub fn decode_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, DecodeError> {
    let source = Source::new(Format::Json, bytes);
    source.and_then(Source::read).map_err(|message| DecodeError { message })
}

/// Reads what a server sent.
///
/// # Errors
/// Where the bytes are not one map in the format, or the map is none of a server's frames.
pub fn decode_server(format: Format, bytes: &[u8]) -> Result<ServerFrame, DecodeError> {
    let refuse = |message| DecodeError { message };
    let source = Source::new(format, bytes).map_err(refuse)?;
    match source.read::<Direction>().map_err(refuse)? {
        Direction::Reply => source.read().map(ServerFrame::Reply),
        Direction::Stream => source.read().map(ServerFrame::Stream),
        Direction::Lobby => source.read().map(ServerFrame::Lobby),
        Direction::Notice => source.read().map(ServerFrame::Notice),
        Direction::Unknown => {
            Err("a server's frame has one of `re`, `event`, `lobby` and `notice`".to_owned())
        }
    }
    .map_err(refuse)
}

#[cfg(test)]
mod tests;
