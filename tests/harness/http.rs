//! A server's HTTP as a program speaks it, over sockets.

use hexhall::remote::Address;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::patiently;

/// One request on a connection of its own: the head of the answer, and what follows it.
pub async fn ask(at: &Address, asked: &str) -> (String, String) {
    let mut stream = TcpStream::connect((at.host(), at.port())).await.unwrap();
    stream.write_all(asked.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let mut chunk = [0; 4_096];
    // A connection that was upgraded stays open.
    while !answer.windows(4).any(|it| it == b"\r\n\r\n") || !answer.starts_with(b"HTTP/1.1 101") {
        match patiently("an answer", stream.read(&mut chunk)).await.unwrap() {
            0 => break,
            read => answer.extend_from_slice(&chunk[..read]),
        }
    }
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), body.to_owned())
}

/// Has something done for whoever has the token: the answer, which is not a refusal.
pub async fn say(at: &Address, method: &str, path: &str, token: &str, body: Value) -> Value {
    let (status, answer) = told(at, method, path, token, body).await;
    assert_eq!(status / 100, 2, "{answer}");
    answer
}

/// Asks for something to be done for whoever has the token: the status, and the body if there is
/// one.
pub async fn told(
    at: &Address,
    method: &str,
    path: &str,
    token: &str,
    body: Value,
) -> (u16, Value) {
    let body = body.to_string();
    let asked = format!(
        "{method} {path} HTTP/1.1\r\nhost: {host}:{port}\r\nconnection: close\r\n\
         authorization: Bearer {token}\r\ncontent-type: application/json\r\n\
         content-length: {length}\r\n\r\n{body}",
        host = at.host(),
        port = at.port(),
        length = body.len(),
    );
    let (head, body) = ask(at, &asked).await;
    let status = head.split_whitespace().nth(1).unwrap().parse().unwrap();
    (status, serde_json::from_str(&body).unwrap_or_default())
}
