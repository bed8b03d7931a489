//! Why a connection ends, and what its peer is told of it.

use hexhall_proto::error::CloseCode;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::error::ProtocolError;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;

/// Why a connection ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// The peer said goodbye.
    Left,
    /// The connection was lost.
    Lost,
    /// The peer broke the WebSocket protocol.
    Protocol,
    /// A text frame was not UTF-8.
    NotUtf8,
    /// A reason of our own.
    Ours(CloseCode),
}

impl Why {
    /// What a failed read or write means.
    pub(super) fn from_error(error: &Error) -> Why {
        match error {
            Error::ConnectionClosed | Error::AlreadyClosed => Why::Left,
            Error::Capacity(_) => Why::Ours(CloseCode::TooLarge),
            Error::Utf8(_) => Why::NotUtf8,
            Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) | Error::Io(_) => {
                Why::Lost
            }
            _ => Why::Protocol,
        }
    }

    /// The label that metrics and logs know it by.
    pub const fn label(self) -> &'static str {
        match self {
            Why::Left => "left",
            Why::Lost => "lost",
            Why::Protocol => "protocol",
            Why::NotUtf8 => "not_utf8",
            Why::Ours(CloseCode::NoHello) => "no_hello",
            Why::Ours(CloseCode::Gone) => "gone",
            Why::Ours(CloseCode::TooSlow) => "too_slow",
            Why::Ours(CloseCode::RateLimited) => "rate_limited",
            Why::Ours(CloseCode::TooManySessions) => "too_many_sessions",
            Why::Ours(CloseCode::WrongFormat) => "wrong_format",
            Why::Ours(CloseCode::TooManyErrors) => "too_many_errors",
            Why::Ours(CloseCode::SignedOut) => "signed_out",
            Why::Ours(CloseCode::Banned) => "banned",
            Why::Ours(CloseCode::Internal) => "internal",
            Why::Ours(CloseCode::ShuttingDown) => "shutting_down",
            Why::Ours(CloseCode::TooLarge) => "too_large",
        }
    }

    /// The frame that tells the peer; none where there is nobody to tell.
    pub(super) fn frame(self) -> Option<CloseFrame> {
        let (code, reason) = match self {
            Why::Left | Why::Lost => return None,
            Why::Protocol => (1002, "that is not the WebSocket protocol"),
            Why::NotUtf8 => (1007, "a text frame must be UTF-8"),
            Why::Ours(code) => (code.number(), code.as_str()),
        };
        Some(CloseFrame { code: code.into(), reason: reason.into() })
    }
}
