//! What tests of a whole server stand on: a server in this process ([`hall`]) or in one of its own
//! ([`process`]), a table without a server ([`bench`]), guests who speak to a server over real sockets
//! ([`guest`]) or over HTTP ([`http`]), and who thinks in the computer's place ([`thinker`]).
//!
//! Every wait ends with what it waits for, or fails the test after [`PATIENCE`].

pub mod bench;
pub mod guest;
pub mod hall;
pub mod http;
pub mod piped;
pub mod process;
pub mod socketed;
pub mod stage;
pub mod thinker;
pub mod venue;

use std::future::Future;
use std::time::Duration;

use hexhall::time::TimeSource;
use hexhall_proto::codec::Format;
use hexhall_proto::options::{OptionsRequest, Preset, Swap, Time};

pub use guest::Guest;
pub use hall::{Hall, Setup};
pub use process::Process;

/// Longer than anything takes on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Both ways to write frames.
pub const FORMATS: [Format; 2] = [Format::Json, Format::MsgPack];

/// Waits for something that comes by itself, and fails the test if it does not.
pub async fn patiently<T>(what: &str, work: impl Future<Output = T>) -> T {
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(done) => done,
        Err(_) => panic!("waited in vain: {what}"),
    }
}

/// Asks again and again until there is an answer: for what cannot be waited on.
pub async fn poll<T, Asking>(what: &str, mut ask: impl FnMut() -> Asking) -> T
where
    Asking: Future<Output = Option<T>>,
{
    let time = TimeSource::system();
    let asked = async {
        loop {
            match ask().await {
                Some(answer) => return answer,
                None => time.sleep(5).await,
            }
        }
    };
    patiently(what, asked).await
}

/// A board of this size under `custom`, with the time control and no swap.
pub fn board(size: u64, time: Time) -> OptionsRequest {
    OptionsRequest {
        preset: Some(Preset::Custom),
        size: Some(size),
        swap: Some(Swap::Off),
        time: Some(time),
        ..OptionsRequest::default()
    }
}

/// A Fischer clock.
pub fn fischer(initial_s: u32, increment_s: u32) -> Time {
    Time::Fischer { initial_s, increment_s, cap_s: None }
}

/// What a server answers to a plain `GET`: the status and the body.
pub async fn get(address: &hexhall::remote::Address, path: &str) -> (u16, String) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let (host, port) = (address.host(), address.port());
    let mut stream = tokio::net::TcpStream::connect((host, port)).await.unwrap();
    let asked = format!("GET {path} HTTP/1.1\r\nhost: {host}:{port}\r\nconnection: close\r\n\r\n");
    stream.write_all(asked.as_bytes()).await.unwrap();
    let mut answer = String::new();
    patiently("an answer over HTTP", stream.read_to_string(&mut answer)).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split_whitespace().nth(1).unwrap().parse().unwrap();
    (status, body.to_owned())
}
