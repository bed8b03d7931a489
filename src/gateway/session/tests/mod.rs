//! Sessions over in-memory pipes, with a time that stands still and tables that do as they are
//! told.

mod ends;
mod flow;
mod frames;
mod hello;
mod pace;

use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard};

use futures_util::{FutureExt, SinkExt, StreamExt};
use hexhall_proto::codec::{Format, decode_server};
use hexhall_proto::error::{Code, ErrorBody};
use hexhall_proto::reply::{Reply, ReplyFrame, ServerFrame, Welcome};
use tokio::io::{DuplexStream, duplex};
use tokio::task::{LocalSet, yield_now};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

use super::{Connection, serve};
use crate::accounts::Accounts;
use crate::chance::Chance;
use crate::game::clock::Stamp;
use crate::gateway::address::{Address, Source};
use crate::gateway::follows::{Followed, Part};
use crate::gateway::hello::Shown;
use crate::gateway::routes::LobbyAsk;
use crate::gateway::{Gateway, Routes, Settings};
use crate::ids::{SessionId, TableId};
use crate::store::{Faults, Options, Store};
use crate::table::handle::{Ask, ReplyTo, Request, SessionRef};
use crate::time::TimeSource;
use crate::workers::Workers;

const TABLE: &str = "tbl_01ARZ3NDEKTSV4RRFFQ69G5FAV";

/// How large a pipe is that does not matter.
const ROOMY: usize = 1 << 20;

/// Runs a test where sessions can be started beside it.
fn local(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    LocalSet::new().block_on(&runtime, test);
}

/// Lets everything run that can.
async fn settle() {
    for _ in 0..200 {
        yield_now().await;
    }
}

/// Tables and a lobby that do as they are told.
#[derive(Clone, Default)]
struct Tables(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    manner: Manner,
    /// Requests that wait for [`Tables::answer`].
    held: Vec<Request>,
    /// What the lobby was asked.
    lobby: Vec<LobbyAsk>,
    /// The last session that asked for anything.
    session: Option<Arc<SessionRef>>,
    refreshed: Vec<Followed>,
    gone: Vec<(SessionId, Followed)>,
}

/// What a table does with a request.
#[derive(Clone, Copy, Default)]
enum Manner {
    /// Follows on `watch`, sits down on `join`, and says that it is done.
    #[default]
    Answer,
    /// Says nothing yet.
    Hold,
    /// Fails.
    Panic,
}

impl Tables {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    fn session(&self) -> Arc<SessionRef> {
        self.state().session.clone().unwrap()
    }

    /// Answers the request held longest.
    fn answer(&self) {
        let request = self.state().held.remove(0);
        request.reply.answer(Reply::Done {});
    }
}

impl Routes for Tables {
    async fn table(&self, table: TableId, request: Request) {
        let mut state = self.state();
        let session = Arc::clone(request.reply.session());
        match request.ask {
            Ask::Watch { .. } => session.follows.table(table, Part::Watching).unwrap(),
            Ask::Join { .. } => session.follows.table(table, Part::Seated).unwrap(),
            _ => {}
        }
        state.session = Some(session);
        match state.manner {
            Manner::Answer => request.reply.answer(Reply::Done {}),
            Manner::Hold => state.held.push(request),
            Manner::Panic => {
                drop(state);
                panic!("as told")
            }
        }
    }

    async fn lobby(&self, reply: ReplyTo, _at: Stamp, ask: LobbyAsk) {
        self.state().lobby.push(ask);
        reply.session().follows.lobby().unwrap();
        reply.answer(Reply::Done {});
    }

    async fn refresh(&self, followed: Followed, session: Arc<SessionRef>) {
        let fresh = r#"{"fresh":true}"#.into();
        session.outbox.stream(session.outbox.epoch(), fresh).unwrap();
        self.state().refreshed.push(followed);
    }

    fn gone(&self, session: &SessionRef, followed: Followed) {
        self.state().gone.push((session.id, followed));
    }

    fn worker_of(&self, _table: TableId) -> usize {
        0
    }
}

/// A gateway with its tables and its time.
struct House {
    gateway: Arc<Gateway<Tables>>,
    tables: Tables,
    time: TimeSource,
    store: Store,
    faults: Faults,
}

impl House {
    fn new() -> House {
        House::with(Settings::default())
    }

    fn with(settings: Settings) -> House {
        let time = TimeSource::manual(Stamp(1_700_000_000_000));
        let tables = Tables::default();
        let chance = Chance::seeded([1; 32]);
        let faults = Faults::switchable();
        let options = Options { faults: faults.clone(), ..Options::default() };
        let store = Store::memory_with(options);
        let accounts = Accounts::new(store.clone(), time.clone(), chance);
        let workers = Arc::new(Workers::local());
        let gateway = Gateway::new(settings, tables.clone(), accounts, time.clone(), workers);
        House { gateway, tables, time, store, faults }
    }

    /// A connection that nobody knows yet.
    async fn connect(&self, format: Format) -> Peer {
        self.connect_as(format, Shown::Nothing, ROOMY).await
    }

    async fn connect_as(&self, format: Format, shown: Shown, pipe: usize) -> Peer {
        let (ours, theirs) = duplex(pipe);
        let source = Source { address: Address::of([192, 0, 2, 1].into()), exempt: false };
        let admission = self.gateway.sessions.admit(source);
        let connection = Connection { format, source, shown, admission };
        let gateway = Arc::clone(&self.gateway);
        let most = Some(gateway.settings.frame_bytes);
        let config = WebSocketConfig::default().max_frame_size(most).max_message_size(most);
        let socket = WebSocketStream::from_raw_socket(ours, Role::Server, Some(config)).await;
        tokio::task::spawn_local(serve(gateway, connection, socket));
        let socket = WebSocketStream::from_raw_socket(theirs, Role::Client, None).await;
        Peer { socket, format, last: 0 }
    }

    /// A guest after its `hello`.
    async fn guest(&self, format: Format) -> Peer {
        let mut peer = self.connect(format).await;
        peer.welcome("").await;
        peer
    }

    /// A guest that watches the table.
    async fn watcher(&self, format: Format) -> Peer {
        let mut peer = self.guest(format).await;
        assert_eq!(peer.ask("watch", &about_table()).await, Reply::Done {});
        peer
    }
}

fn about_table() -> String {
    format!(r#","table":"{TABLE}""#)
}

/// The other end of a connection.
struct Peer {
    socket: WebSocketStream<DuplexStream>,
    format: Format,
    last: u64,
}

/// What a peer hears.
#[derive(Debug)]
enum Heard {
    Frame(ServerFrame),
    Text(String),
    Ping,
    /// The end, and its close code if there was one.
    End(Option<u16>),
}

impl Peer {
    /// Asks for something and does not wait. `rest` is the rest of the JSON object.
    async fn say(&mut self, op: &str, rest: &str) -> u64 {
        self.last += 1;
        let json = format!(r#"{{"id":{},"op":"{op}"{rest}}}"#, self.last);
        let frame = match self.format {
            Format::Json => Message::text(json),
            Format::MsgPack => Message::binary(to_msgpack(&json)),
        };
        self.socket.send(frame).await.unwrap();
        self.last
    }

    /// Asks for something and hears the reply, which must come next.
    async fn ask(&mut self, op: &str, rest: &str) -> Reply {
        let id = self.say(op, rest).await;
        let ReplyFrame { re, reply } = self.reply().await;
        assert_eq!(re, Some(id));
        reply
    }

    async fn refused(&mut self, op: &str, rest: &str) -> ErrorBody {
        error(self.ask(op, rest).await)
    }

    async fn welcome(&mut self, rest: &str) -> Welcome {
        match self.ask("hello", rest).await {
            Reply::Welcome(welcome) => welcome,
            reply => panic!("a welcome was due, and it was {reply:?}"),
        }
    }

    async fn reply(&mut self) -> ReplyFrame {
        match self.hear().await {
            Heard::Frame(ServerFrame::Reply(reply)) => reply,
            heard => panic!("a reply was due, and it was {heard:?}"),
        }
    }

    async fn hear(&mut self) -> Heard {
        match self.socket.next().await {
            Some(Ok(Message::Text(text))) => {
                assert_eq!(self.format, Format::Json);
                match decode_server(Format::Json, text.as_bytes()) {
                    Ok(frame) => Heard::Frame(frame),
                    Err(_) => Heard::Text(text.to_string()),
                }
            }
            Some(Ok(Message::Binary(bytes))) => {
                assert_eq!(self.format, Format::MsgPack);
                Heard::Frame(decode_server(Format::MsgPack, &bytes).unwrap())
            }
            Some(Ok(Message::Ping(_))) => Heard::Ping,
            Some(Ok(Message::Close(close))) => Heard::End(close.map(|close| close.code.into())),
            Some(Ok(other)) => panic!("unexpected: {other:?}"),
            Some(Err(_)) | None => Heard::End(None),
        }
    }

    /// Hears until the end, whose close code it gives.
    async fn end(&mut self) -> Option<u16> {
        loop {
            if let Heard::End(code) = self.hear().await {
                return code;
            }
        }
    }

    /// What can be heard without waiting.
    fn hear_now(&mut self) -> Option<Heard> {
        self.hear().now_or_never()
    }
}

fn error(reply: Reply) -> ErrorBody {
    match reply {
        Reply::Error(body) => body,
        reply => panic!("a refusal was due, and it was {reply:?}"),
    }
}

fn to_msgpack(json: &str) -> Vec<u8> {
    let value: serde_json::Value = serde_json::from_str(json).unwrap();
    let mut bytes = Vec::new();
    write_msgpack(&value, &mut bytes);
    bytes
}

/// Enough of MessagePack for small requests.
fn write_msgpack(value: &serde_json::Value, out: &mut Vec<u8>) {
    use serde_json::Value;
    match value {
        Value::Null => out.push(0xc0),
        Value::Bool(bool) => out.push(0xc2 + u8::from(*bool)),
        Value::Number(number) => {
            out.push(0xd3);
            out.extend(number.as_i64().unwrap().to_be_bytes());
        }
        Value::String(text) => {
            out.push(0xdb);
            out.extend(u32::try_from(text.len()).unwrap().to_be_bytes());
            out.extend(text.as_bytes());
        }
        Value::Array(items) => {
            out.push(0xdd);
            out.extend(u32::try_from(items.len()).unwrap().to_be_bytes());
            items.iter().for_each(|item| write_msgpack(item, out));
        }
        Value::Object(fields) => {
            out.push(0xdf);
            out.extend(u32::try_from(fields.len()).unwrap().to_be_bytes());
            for (name, value) in fields {
                write_msgpack(&Value::String(name.clone()), out);
                write_msgpack(value, out);
            }
        }
    }
}
