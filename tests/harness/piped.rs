//! A whole server on the test's own thread, without sockets: sessions over pipes in memory, requests
//! by calling the routes, time and chance in the test's hand. The same seed and the same words give
//! the same bytes.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderValue, Request, header};
use futures_util::FutureExt;
use hexhall::accounts::{Accounts, Name, Token};
use hexhall::chance::Chance;
use hexhall::cpu::seat::Thinker;
use hexhall::game::clock::Millis;
use hexhall::gateway::address::{Address, Source};
use hexhall::gateway::hello::Shown;
use hexhall::gateway::session::{Connection, serve};
use hexhall::server::{Parts, Wired};
use hexhall::store::{Options, Store};
use hexhall::time::TimeSource;
use hexhall::workers::Workers;
use hexhall_proto::codec::Format;
use hexhall_proto::request::{self, Hello};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tower::ServiceExt;

use super::hall::{DAWN, Setup};
use super::stage::Stage;
use super::thinker::FirstFree;
use super::venue::{Got, Peer, Venue, framed};

/// How much a pipe holds: more than anybody is sent between two looks at it.
const ROOMY: usize = 1 << 20;

/// The server.
pub struct Piped {
    wired: Wired,
    accounts: Accounts,
    time: TimeSource,
    guests: u64,
    stage: Stage,
}

impl Piped {
    /// A server that nobody has been to.
    pub fn new(seed: [u8; 32]) -> Piped {
        Piped::with_thinker(seed, Arc::new(FirstFree))
    }

    /// The same, where this is who thinks in the computer's place.
    pub fn with_thinker(seed: [u8; 32], thinker: Arc<dyn Thinker>) -> Piped {
        let mut stage = Stage::new();
        let (time, chance) = (TimeSource::manual(DAWN), Chance::seeded(seed));
        let store = Store::memory_with(Options { time: time.clone(), ..Options::default() });
        let accounts = Accounts::new(store.clone(), time.clone(), chance.clone());
        let metrics = stage.metrics();
        let parts = Parts { store, time: time.clone(), chance, thinker, metrics, operator: None };
        let wired = stage.run(async move {
            let config = Setup::by_hand().config;
            Wired::new(&config, parts, Arc::new(Workers::local()), Vec::new()).await
        });
        Piped { wired, accounts, time, guests: 0, stage }
    }
}

impl Venue for Piped {
    type Peer = PipedPeer;

    fn player(&mut self, name: &str) -> Token {
        self.guests += 1;
        let token: Token = format!("{:064x}", self.guests).parse().unwrap();
        let (accounts, known) = (self.accounts.clone(), token.clone());
        let name = Some(Name::new(name).unwrap());
        self.stage.run(async move { accounts.create_guest(&known, name).await }).unwrap();
        token
    }

    fn session(&mut self, token: &Token, format: Format) -> PipedPeer {
        let (ours, theirs) = duplex(ROOMY);
        let gateway = Arc::clone(&self.wired.gateway);
        let source = Source { address: Address::of([192, 0, 2, 1].into()), exempt: true };
        let shown = Shown::Bearer(Ok(token.clone()));
        let most = Some(gateway.settings().frame_bytes);
        let config = WebSocketConfig::default()
            .read_buffer_size(gateway.settings().read_buffer_bytes)
            .max_frame_size(most)
            .max_message_size(most);
        self.stage.start(async move {
            let admission = gateway.admit(source);
            let connection = Connection { format, source, shown, admission };
            let socket = WebSocketStream::from_raw_socket(ours, Role::Server, Some(config)).await;
            serve(gateway, connection, socket).await;
        });
        let mut peer = PipedPeer { pipe: theirs, format, asked: 0 };
        self.ask(&mut peer, request::Request::Hello(Hello::default()));
        peer
    }

    fn meet_at(&mut self, _: &str) {}

    fn hang_up(&mut self, peer: PipedPeer) {
        drop(peer);
        self.stage.settle();
    }

    fn advance(&mut self, span: Millis) {
        self.time.advance(span);
        self.stage.settle();
    }

    fn get(&mut self, path: &str, known: Option<&str>) -> Got {
        let mut asked = Request::get(path);
        if let Some(tag) = known {
            asked = asked.header(header::IF_NONE_MATCH, tag);
        }
        let asked = asked.body(Body::empty()).unwrap();
        let routes = self.wired.routes.clone();
        self.stage.run(async move {
            let (head, body) = routes.oneshot(asked).await.unwrap().into_parts();
            let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into();
            let headers = head.headers.iter().map(|(name, value)| (name.to_string(), text(value)));
            Got {
                status: head.status.as_u16(),
                headers: headers.collect(),
                body: to_bytes(body, usize::MAX).await.unwrap().into(),
            }
        })
    }

    fn say(&mut self, peer: &mut PipedPeer, payload: &[u8]) {
        let frame = framed(peer.format, payload);
        let sent = peer.pipe.write_all(&frame).now_or_never();
        sent.expect("a pipe with room").expect("a session that lives");
        self.stage.settle();
    }

    fn heard(&mut self, peer: &mut PipedPeer) -> Vec<u8> {
        let mut bytes = Vec::new();
        while let Some(read) = peer.pipe.read_buf(&mut bytes).now_or_never() {
            assert!(read.unwrap() > 0, "the server hung up: {}", String::from_utf8_lossy(&bytes));
        }
        bytes
    }
}

/// The far end of a session. It speaks WebSocket by itself, because the bytes count.
pub struct PipedPeer {
    pipe: DuplexStream,
    format: Format,
    asked: u64,
}

impl Peer for PipedPeer {
    fn format(&self) -> Format {
        self.format
    }

    fn next_id(&mut self) -> u64 {
        self.asked += 1;
        self.asked
    }
}
