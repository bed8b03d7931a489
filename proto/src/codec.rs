//! Reading and writing frames in both formats.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Code;
use crate::reply::ServerFrame;
use crate::request::RequestFrame;

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

/// Writes a frame.
pub fn encode<T: Serialize>(format: Format, frame: &T) -> Result<Vec<u8>, DecodeError> {
    match format {
        Format::Json => serde_json::to_vec(frame).map_err(refuse),
        Format::MsgPack => rmp_serde::to_vec_named(frame).map_err(refuse),
    }
}

/// Reads a request.
pub fn decode_request(format: Format, bytes: &[u8]) -> Result<RequestFrame, RequestError> {
    decode(format, bytes).map_err(|error: DecodeError| RequestError {
        id: None,
        code: Code::BadRequest,
        message: error.message,
    })
}

/// Reads what a server sent.
pub fn decode_server(format: Format, bytes: &[u8]) -> Result<ServerFrame, DecodeError> {
    decode(format, bytes)
        .map(ServerFrame::Reply)
        .or_else(|_| decode(format, bytes).map(ServerFrame::Stream))
        .or_else(|_| decode(format, bytes).map(ServerFrame::Lobby))
        .or_else(|_| decode(format, bytes).map(ServerFrame::Notice))
}

fn decode<T: DeserializeOwned>(format: Format, bytes: &[u8]) -> Result<T, DecodeError> {
    match format {
        Format::Json => serde_json::from_slice(bytes).map_err(refuse),
        Format::MsgPack => rmp_serde::from_slice(bytes).map_err(refuse),
    }
}

fn refuse(error: impl std::fmt::Display) -> DecodeError {
    DecodeError { message: error.to_string() }
}
