//! The way to a server's `/v1/operator`.

use std::io;
use std::path::Path;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode, header};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::net::TcpStream;

use crate::operator::token::{self, TokenError};
use crate::remote::Address;

/// The longest answer that is read, in bytes.
const MOST_ANSWER: usize = 4 << 20;

/// How long an answer may take: a server gives up sooner.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server, and what shows it that one is its operator.
pub struct Door {
    server: Address,
    token: String,
}

/// Why there is no answer, or not the one that was wanted.
#[derive(Debug, thiserror::Error)]
pub enum DoorError {
    /// There is no token to show.
    #[error(
        "{0}; the server makes it in its data folder: name that with `--data`, the file with \
         `--token-file`, or the server's settings with `--config`"
    )]
    Token(#[from] TokenError),
    /// Nobody answers there.
    #[error(
        "no server answers at {}: {source}; start it, or name another with `--server`",
        server.http()
    )]
    Unreachable {
        /// Where.
        server: Address,
        /// What the system said.
        source: io::Error,
    },
    /// Whoever answers there does not speak as a server does.
    #[error(
        "what answers at {} is no hexhall server, or one of another version: {what}",
        server.http()
    )]
    Strange {
        /// Where.
        server: Address,
        /// What was strange.
        what: String,
    },
    /// The token is another server's.
    #[error(
        "the server at {} does not know this token: name that server's data folder with `--data`, or \
         the file `operator.token` in it with `--token-file`",
        .0.http()
    )]
    WrongToken(Address),
    /// The server has no operator's token.
    #[error(
        "the server at {} has no door for operators: its setting `operator.enabled` is off, or it \
         keeps everything in memory and `operator.token_file` is not set",
        .0.http()
    )]
    NoDoor(Address),
    /// The server refused.
    #[error("{0}")]
    Refused(String),
    /// Nobody is called that, nor anything like it.
    #[error("nobody is called `{0}`, or has that in their name")]
    Nobody(String),
    /// Nobody is called that.
    #[error("nobody is called `{0}`: `hexhall operator find` looks for a part of a name")]
    Unknown(String),
    /// Some are called nearly that.
    #[error("nobody is called `{name}`, and this is not done to somebody who may not be meant:{}", list(.candidates))]
    Ambiguous {
        /// The name.
        name: String,
        /// Who may be meant: names and ids.
        candidates: Vec<(String, String)>,
    },
}

fn list(candidates: &[(String, String)]) -> String {
    candidates.iter().map(|(name, id)| format!("\n  {id}  {name}")).collect()
}

#[derive(Deserialize)]
struct Problem {
    code: String,
    message: String,
}

/// A request without a body.
pub const NOTHING: Option<&()> = None;

impl Door {
    /// The door of a server, for the token in a file.
    pub fn new(server: Address, token_file: &Path) -> Result<Door, DoorError> {
        Ok(Door { server, token: token::read(token_file)? })
    }

    /// Looks at something.
    pub async fn get(&self, path: &str) -> Result<Value, DoorError> {
        self.ask(Method::GET, path, NOTHING).await
    }

    /// Asks for something under `/v1/operator/`.
    pub async fn ask<T: Serialize>(
        &self,
        method: Method,
        path: &str,
        body: Option<&T>,
    ) -> Result<Value, DoorError> {
        let body = body.map(serde_json::to_vec).transpose();
        let body = body.map_err(|error| self.strange(&error))?.unwrap_or_default();
        let request = Request::builder()
            .method(method)
            .uri(format!("/v1/operator/{path}"))
            .header(header::HOST, format!("{}:{}", self.server.host(), self.server.port()))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body))
            .map_err(|error| self.strange(&error))?;
        let answer = tokio::time::timeout(PATIENCE, self.send(request)).await;
        let late = |_| self.strange(&format!("no answer within {} s", PATIENCE.as_secs()));
        let (status, bytes) = answer.map_err(late)??;
        if status.is_success() {
            return self.read(&bytes);
        }
        let Problem { code, message } = self.read(&bytes)?;
        let server = || self.server.clone();
        Err(match &*code {
            "bad_token" => DoorError::WrongToken(server()),
            "not_found" => DoorError::NoDoor(server()),
            _ => DoorError::Refused(message),
        })
    }

    async fn send(&self, request: Request<Body>) -> Result<(StatusCode, Vec<u8>), DoorError> {
        let stream = TcpStream::connect((self.server.host(), self.server.port())).await;
        let unreachable = |source| DoorError::Unreachable { server: self.server.clone(), source };
        let stream = stream.map_err(unreachable)?;
        let handshake = http1::handshake(TokioIo::new(stream)).await;
        let (mut sender, connection) = handshake.map_err(|error| self.strange(&error))?;
        let answered = async {
            let response =
                sender.send_request(request).await.map_err(|error| self.strange(&error))?;
            let status = response.status();
            let body = to_bytes(Body::new(response.into_body()), MOST_ANSWER).await;
            let body = body.map_err(|error| self.strange(&error))?;
            Ok((status, body.to_vec()))
        };
        // The connection does its work only while somebody waits for it.
        let mut answered = std::pin::pin!(answered);
        tokio::select! {
            answer = &mut answered => answer,
            ended = connection => match ended {
                Ok(()) => answered.await,
                Err(error) => Err(self.strange(&error)),
            },
        }
    }

    fn read<T: DeserializeOwned>(&self, bytes: &[u8]) -> Result<T, DoorError> {
        serde_json::from_slice(bytes).map_err(|error| self.strange(&error))
    }

    /// What was answered, as what it has to be.
    pub fn understand<T: DeserializeOwned>(&self, answer: &Value) -> Result<T, DoorError> {
        T::deserialize(answer).map_err(|error| self.strange(&error))
    }

    fn strange(&self, what: &dyn std::fmt::Display) -> DoorError {
        DoorError::Strange { server: self.server.clone(), what: what.to_string() }
    }
}

/// A text as a part of a query.
pub fn quoted(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    let quote = |byte: u8| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(quote).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_quoted_as_queries_want_it() {
        assert_eq!(quoted("Ana-1_b.c~"), "Ana-1_b.c~");
        assert_eq!(quoted("a b&c=é"), "a%20b%26c%3D%C3%A9");
    }
}
