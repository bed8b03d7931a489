//! A gateway behind a real port, with tables that answer everything, and two ways to talk to it:
//! bytes and WebSocket.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};

use axum::Router;
use futures_util::{SinkExt, StreamExt};
use hexhall::accounts::Accounts;
use hexhall::chance::Chance;
use hexhall::game::clock::Stamp;
use hexhall::gateway::follows::{Followed, Part};
use hexhall::gateway::routes::LobbyAsk;
use hexhall::gateway::{Gateway, Routes, Settings};
use hexhall::http::{self, pace::Pace};
use hexhall::ids::TableId;
use hexhall::store::Store;
use hexhall::table::handle::{ReplyTo, Request, SessionRef};
use hexhall::time::TimeSource;
use hexhall::workers::Workers;
use hexhall_proto::reply::Reply;
use metrics_exporter_prometheus::PrometheusBuilder;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::{HeaderName, HeaderValue};
use tokio_tungstenite::tungstenite::{Error, Message};

pub const TABLE: &str = "tbl_01ARZ3NDEKTSV4RRFFQ69G5FAV";

/// Tables that answer everything and remember what they saw.
#[derive(Clone, Default)]
pub struct Tables(Arc<Mutex<Seen>>);

#[derive(Default)]
struct Seen {
    threads: Vec<ThreadId>,
    gone: Vec<Followed>,
}

impl Tables {
    /// The threads that requests came on, in order.
    pub fn threads(&self) -> Vec<ThreadId> {
        self.0.lock().unwrap().threads.clone()
    }

    /// What the sessions that have ended followed.
    pub fn gone(&self) -> Vec<Followed> {
        self.0.lock().unwrap().gone.clone()
    }
}

impl Routes for Tables {
    async fn table(&self, table: TableId, request: Request) {
        self.0.lock().unwrap().threads.push(thread::current().id());
        request.reply.session().follows.table(table, Part::Watching).unwrap();
        request.reply.answer(Reply::Done {});
    }

    async fn lobby(&self, reply: ReplyTo, _at: Stamp, _ask: LobbyAsk) {
        reply.answer(Reply::Done {});
    }

    async fn refresh(&self, _followed: Followed, _session: Arc<SessionRef>) {}

    fn gone(&self, _session: &SessionRef, followed: Followed) {
        self.0.lock().unwrap().gone.push(followed);
    }

    fn worker_of(&self, _table: TableId) -> usize {
        1
    }
}

/// A server on a free port of the loopback.
pub struct Server {
    pub address: SocketAddr,
    pub gateway: Arc<Gateway<Tables>>,
    pub tables: Tables,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<()>,
}

impl Server {
    pub async fn start(settings: Settings) -> Server {
        Server::start_at(settings, TimeSource::system()).await
    }

    /// A server whose time is the test's.
    pub async fn start_at(settings: Settings, time: TimeSource) -> Server {
        let tables = Tables::default();
        let chance = Chance::seeded([1; 32]);
        let accounts = Accounts::new(Store::memory(), time.clone(), chance);
        let workers = Arc::new(Workers::start(NonZeroUsize::new(2).unwrap()).unwrap());
        let gateway = Gateway::new(settings, tables.clone(), accounts, time.clone(), workers);
        let metrics = PrometheusBuilder::new().build_recorder().handle();
        let readiness = Arc::new(|| Err("not before noon".to_owned()));
        let settings = Arc::new(gateway.settings().clone());
        let pace = Arc::new(Pace::new(settings, time.clone()));
        let router = http::router(Arc::clone(&gateway), readiness, metrics, pace, Router::new());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let serving = tokio::spawn(http::serve(listener, router, time, async {
            let _ = stopped.await;
        }));
        Server { address, gateway, tables, stop, serving }
    }

    /// Stops as a server does: the door first, then the sessions.
    pub async fn stop(self) {
        self.stop.send(()).unwrap();
        self.gateway.close().await;
        self.serving.await.unwrap();
    }

    /// Sends a request as it stands, and reads the answer to its end.
    pub async fn send(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).await.unwrap();
        Answer::read(&bytes)
    }

    /// `GET`s a path with further header lines.
    pub async fn get(&self, path: &str, headers: &str) -> Answer {
        let host = self.address;
        self.send(&format!(
            "GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{headers}\r\n"
        ))
        .await
    }

    /// Opens a WebSocket at `/ws` with further headers.
    pub async fn open(&self, query: &str, headers: &[(&str, &str)]) -> Result<Peer, Error> {
        let mut request = format!("ws://{}/ws{query}", self.address).into_client_request()?;
        for (name, value) in headers {
            let name = HeaderName::try_from(*name).unwrap();
            request.headers_mut().append(name, HeaderValue::from_str(value).unwrap());
        }
        let stream = TcpStream::connect(self.address).await?;
        let (socket, response) = tokio_tungstenite::client_async(request, stream).await?;
        let header = |name| {
            let value = response.headers().get(name)?;
            Some(value.to_str().unwrap().to_owned())
        };
        let (cookie, subprotocol) = (header("set-cookie"), header("sec-websocket-protocol"));
        Ok(Peer { socket, cookie, subprotocol })
    }
}

/// An HTTP answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HashMap<String, String>,
    pub body: String,
}

impl Answer {
    fn read(bytes: &[u8]) -> Answer {
        let text = String::from_utf8_lossy(bytes);
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let (first, headers) = head.split_once("\r\n").unwrap();
        let status = first.split(' ').nth(1).unwrap().parse().unwrap();
        let headers = headers.lines().map(|line| {
            let (name, value) = line.split_once(": ").unwrap();
            (name.to_lowercase(), value.to_owned())
        });
        Answer { status, headers: headers.collect(), body: body.to_owned() }
    }
}

/// An open WebSocket.
pub struct Peer {
    pub socket: WebSocketStream<TcpStream>,
    pub cookie: Option<String>,
    pub subprotocol: Option<String>,
}

impl Peer {
    pub async fn say(&mut self, json: &str) {
        self.socket.send(Message::text(json)).await.unwrap();
    }

    /// What the server says next, as JSON.
    pub async fn hear(&mut self) -> serde_json::Value {
        loop {
            match self.socket.next().await.unwrap().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Ping(_) => {}
                other => panic!("text was due, and it was {other:?}"),
            }
        }
    }

    /// Says `hello` and gives the welcome.
    pub async fn hello(&mut self) -> serde_json::Value {
        self.say(r#"{"id":1,"op":"hello"}"#).await;
        let welcome = self.hear().await;
        assert_eq!(welcome["reply"], "welcome", "{welcome}");
        welcome
    }

    /// Reads to the end and gives its close code.
    pub async fn end(&mut self) -> Option<u16> {
        while let Some(Ok(message)) = self.socket.next().await {
            if let Message::Close(close) = message {
                return close.map(|close| close.code.into());
            }
        }
        None
    }
}
