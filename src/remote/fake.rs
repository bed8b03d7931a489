//! A server for tests: it plays Hex over in-memory pipes, and breaks down when it is told to.
//!
//! It keeps its tables while its connections are cut, as a real one does with its journal, and
//! knows every command that it has answered.

use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard};

use futures_util::{SinkExt, StreamExt};
use hexhall_proto::codec::{self, Format, Frame};
use hexhall_proto::error::{Code, ErrorBody};
use hexhall_proto::event::{Event, Notice, StreamFrame};
use hexhall_proto::options::Swap;
use hexhall_proto::parts::{Move, Player, Seat, Viewer};
use hexhall_proto::reply::{Limits, Reply, ReplyFrame, Welcome};
use hexhall_proto::request::{Open, Request, Watch};
use tokio::io::DuplexStream;
use tokio::sync::{mpsc, watch};
use tokio_tungstenite::accept_hdr_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::server::{
    ErrorResponse, Request as Upgrade, Response,
};

use super::Address;
use super::hall::Hall;
use super::link::{Link, LinkError};
use crate::game::{self, Goal, Rules, Size};
use crate::wire;

const VIEWERS: [Viewer; 3] = [Viewer::SeatOne, Viewer::SeatTwo, Viewer::Spectator];

/// What goes wrong with a move; each is used up by one. [`Trouble::LoseReply`] serves a join too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trouble {
    /// Nothing does.
    Nothing,
    /// The connection breaks before the move is read.
    LoseRequest,
    /// The move is played, and the connection breaks before anybody is told.
    LoseReply,
    /// Every connection breaks after the move.
    CutAll,
    /// The move is refused as `rate_limited`, for so many milliseconds.
    RateLimit(u64),
    /// Spectators are not told of the move.
    ForgetSpectators,
    /// The spectators' board is wrong from here on.
    ShowWrongBoard,
}

/// The server. Clones are the same one.
#[derive(Clone)]
pub(crate) struct Fake {
    state: Arc<Mutex<State>>,
}

struct State {
    tables: HashMap<String, Table>,
    guests: u64,
    connections: u64,
    troubles: VecDeque<Trouble>,
    /// Missing events that are still sent as a run.
    keep: u64,
    /// Requests seen, by connection.
    seen: Vec<(u64, Request)>,
    cut: watch::Sender<u64>,
    refuse: bool,
    /// What connections are told before they are cut: for how long the server is away.
    farewell: Option<u64>,
}

struct Table {
    hall: Hall,
    streams: [Vec<StreamFrame>; 3],
    followers: Vec<Follower>,
    answered: HashMap<String, Reply>,
}

struct Follower {
    connection: u64,
    viewer: Viewer,
    out: Out,
}

/// Where a connection's frames go, encoded; more of them than any test has.
#[derive(Clone)]
struct Out {
    format: Format,
    frames: mpsc::Sender<Vec<u8>>,
}

impl Out {
    fn send(&self, frame: &impl Frame) {
        let _ = self.frames.try_send(codec::encode(self.format, frame));
    }
}

/// One connection's side of the server.
struct Desk {
    connection: u64,
    player: Option<Player>,
    out: Out,
}

impl Fake {
    pub(crate) fn new() -> Fake {
        Fake {
            state: Arc::new(Mutex::new(State {
                tables: HashMap::new(),
                guests: 0,
                connections: 0,
                troubles: VecDeque::new(),
                keep: 64,
                seen: Vec::new(),
                cut: watch::Sender::new(0),
                refuse: false,
                farewell: None,
            })),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Makes connections to this server.
    pub(crate) fn door(&self) -> impl Fn(Format) -> Connecting + Clone + Send + 'static {
        let fake = self.clone();
        move |format| Box::pin(fake.clone().connect(format))
    }

    async fn connect(self, format: Format) -> Result<Link<DuplexStream>, LinkError> {
        if self.state().refuse {
            return Err(LinkError::Io(std::io::ErrorKind::ConnectionRefused.into()));
        }
        let (here, there) = tokio::io::duplex(64 << 10);
        tokio::spawn(serve(self, there));
        let address: Address = "http://fake".parse().unwrap();
        Link::open(here, &address, format).await
    }

    /// What goes wrong with the moves to come, one each.
    pub(crate) fn trouble(&self, troubles: impl IntoIterator<Item = Trouble>) {
        self.state().troubles.extend(troubles);
    }

    /// Breaks every connection.
    pub(crate) fn cut(&self) {
        self.state().cut.send_modify(|cuts| *cuts += 1);
    }

    /// Says that it will be back in so many milliseconds, and breaks every connection.
    pub(crate) fn stop(&self, back_in_ms: u64) {
        self.state().farewell = Some(back_in_ms);
        self.cut();
    }

    /// Refuses new connections, or no longer.
    pub(crate) fn refuse(&self, refuse: bool) {
        self.state().refuse = refuse;
    }

    /// Forgets all but the last so many events of each stream.
    pub(crate) fn keep(&self, events: u64) {
        self.state().keep = events;
    }

    /// How many connections there were.
    pub(crate) fn connections(&self) -> u64 {
        self.state().connections
    }

    /// Every request so far, with the connection that it came over.
    pub(crate) fn seen(&self) -> Vec<(u64, Request)> {
        self.state().seen.clone()
    }

    /// How many moves have been played at a table.
    pub(crate) fn plies(&self, table: &str) -> usize {
        self.state().tables[table].hall.game().plies().len()
    }
}

/// A connection in the making.
pub(crate) type Connecting =
    std::pin::Pin<Box<dyn Future<Output = Result<Link<DuplexStream>, LinkError>> + Send>>;

async fn serve(fake: Fake, io: DuplexStream) {
    let mut format = Format::Json;
    #[allow(clippy::result_large_err, reason = "the library's callback has this form")]
    let choose = |upgrade: &Upgrade, mut response: Response| -> Result<Response, ErrorResponse> {
        let chosen = upgrade.headers()["sec-websocket-protocol"].clone();
        if chosen == hexhall_proto::SUBPROTOCOL_MSGPACK {
            format = Format::MsgPack;
        }
        response.headers_mut().insert("sec-websocket-protocol", chosen);
        Ok(response)
    };
    let Ok(mut socket) = accept_hdr_async(io, choose).await else { return };
    let (frames, mut outbox) = mpsc::channel(1_024);
    let (mut cut, connection) = {
        let mut state = fake.state();
        state.connections += 1;
        (state.cut.subscribe(), state.connections)
    };
    let mut desk = Desk { connection, player: None, out: Out { format, frames } };
    loop {
        tokio::select! {
            message = socket.next() => {
                let Some(Ok(Message::Text(_) | Message::Binary(_))) = &message else { break };
                let bytes = message.unwrap().unwrap().into_data();
                let frame = codec::decode_request(format, &bytes).unwrap();
                let Some(reply) = fake.state().handle(&mut desk, frame.request) else { break };
                desk.out.send(&ReplyFrame { re: Some(frame.id), reply });
            }
            Some(bytes) = outbox.recv() => {
                if socket.send(message(format, bytes)).await.is_err() {
                    break;
                }
            }
            _ = cut.changed() => {
                let farewell = fake.state().farewell;
                if let Some(back_in_ms) = farewell {
                    let notice = codec::encode(format, &Notice::Closing { back_in_ms });
                    let _ = socket.send(message(format, notice)).await;
                }
                break;
            }
        }
    }
    for table in fake.state().tables.values_mut() {
        table.followers.retain(|follower| follower.connection != connection);
    }
}

fn message(format: Format, bytes: Vec<u8>) -> Message {
    match format {
        Format::Json => Message::text(String::from_utf8(bytes).unwrap()),
        Format::MsgPack => Message::binary(bytes),
    }
}

impl State {
    /// The answer; none where the connection breaks instead.
    fn handle(&mut self, desk: &mut Desk, request: Request) -> Option<Reply> {
        self.seen.push((desk.connection, request.clone()));
        let player = desk.player.clone();
        Some(match (request, player) {
            (Request::Hello(hello), _) if hello.token.as_deref() == Some("stolen") => {
                refusal(Code::BadToken, None)
            }
            (Request::Hello(hello), _) => {
                let id = hello.token.clone().unwrap_or_else(|| {
                    self.guests += 1;
                    format!("plr_{}", self.guests)
                });
                let player = Player {
                    id: id.clone(),
                    name: hello.name.unwrap_or(id.clone()),
                    cpu: None,
                    bot: false,
                };
                desk.player = Some(player.clone());
                Reply::Welcome(Welcome {
                    player,
                    token: hello.token.is_none().then_some(id),
                    server: "0".into(),
                    now_ms: 0,
                    limits: Limits {
                        frame_bytes: 4096,
                        requests_seated: 100,
                        requests_watching: 50,
                        window_s: 20,
                    },
                    notices: Vec::new(),
                })
            }
            (Request::Open(open), Some(player)) => {
                let id = format!("tbl_{}", self.tables.len());
                let mut hall = Hall::new(&id, rules(&open));
                hall.sit(Seat::One, player);
                hall.set_seq(0);
                let streams = [Vec::new(), Vec::new(), Vec::new()];
                let (followers, answered) = (Vec::new(), HashMap::new());
                let mut table = Table { hall, streams, followers, answered };
                table.follow(desk, Viewer::SeatOne);
                let view = Box::new(table.hall.view(Viewer::SeatOne));
                self.tables.insert(id, table);
                Reply::Opened { invitation: None, view }
            }
            (Request::Join(join), Some(player)) => {
                let table = self.tables.get_mut(&join.table)?;
                if table.hall.seats().iter().flatten().any(|seated| seated.id == player.id) {
                    return Some(refusal(Code::AlreadySeated, None));
                }
                let seated = table.hall.sit(Seat::Two, player);
                table.tell(|_| seated.clone());
                let seq = seated.seq.unwrap_or_default();
                let started = VIEWERS.map(|viewer| {
                    table.hall.set_seq(seq);
                    table.hall.start(viewer)
                });
                table.tell(|viewer| started[viewer as usize].clone());
                table.follow(desk, Viewer::SeatTwo);
                let view = Box::new(table.hall.view(Viewer::SeatTwo));
                if self.troubles.front() == Some(&Trouble::LoseReply) {
                    self.troubles.pop_front();
                    return None;
                }
                Reply::Joined { seat: Seat::Two, view }
            }
            (Request::Watch(watch), Some(player)) => {
                let keep = self.keep;
                match self.tables.get_mut(&watch.table) {
                    Some(table) => table.watch(desk, &player, &watch, keep),
                    None => refusal(Code::UnknownTable, None),
                }
            }
            (Request::Move(command), Some(player)) => {
                let trouble = self.troubles.pop_front();
                match trouble {
                    Some(Trouble::LoseRequest) => return None,
                    Some(Trouble::RateLimit(ms)) => {
                        return Some(refusal(Code::RateLimited, Some(ms)));
                    }
                    _ => {}
                }
                let table = self.tables.get_mut(&command.table)?;
                let reply = match table.answered.get(&command.command) {
                    Some(reply) => reply.clone(),
                    None => {
                        let reply = table.play(&player, command.turn, command.action, trouble);
                        table.answered.insert(command.command, reply.clone());
                        reply
                    }
                };
                match trouble {
                    Some(Trouble::LoseReply) => return None,
                    Some(Trouble::CutAll) => self.cut.send_modify(|cuts| *cuts += 1),
                    _ => {}
                }
                reply
            }
            (Request::Resign(command), Some(player)) => {
                let table = self.tables.get_mut(&command.table)?;
                let Some(seat) = table.seat(&player) else {
                    return Some(refusal(Code::NotSeated, None));
                };
                let ended = table.hall.resign(seat);
                table.tell(|_| ended.clone());
                Reply::Done {}
            }
            (_, Some(_)) => Reply::Done {},
            (_, None) => refusal(Code::HelloFirst, None),
        })
    }
}

impl Table {
    fn seat(&self, player: &Player) -> Option<Seat> {
        let holds = |seat: &Seat| {
            self.hall.seats()[*seat as usize].as_ref().is_some_and(|seated| seated.id == player.id)
        };
        [Seat::One, Seat::Two].into_iter().find(holds)
    }

    fn follow(&mut self, desk: &Desk, viewer: Viewer) {
        self.followers.retain(|follower| follower.connection != desk.connection);
        let (connection, out) = (desk.connection, desk.out.clone());
        self.followers.push(Follower { connection, viewer, out });
    }

    fn tell(&mut self, frame: impl Fn(Viewer) -> StreamFrame) {
        for viewer in VIEWERS {
            let frame = frame(viewer);
            for follower in self.followers.iter().filter(|follower| follower.viewer == viewer) {
                follower.out.send(&frame);
            }
            self.streams[viewer as usize].push(frame);
        }
    }

    fn watch(&mut self, desk: &Desk, player: &Player, watch: &Watch, keep: u64) -> Reply {
        let viewer = match self.seat(player) {
            Some(Seat::One) => Viewer::SeatOne,
            Some(Seat::Two) => Viewer::SeatTwo,
            None => Viewer::Spectator,
        };
        self.follow(desk, viewer);
        let view = self.hall.view(viewer);
        match watch.last {
            Some(last) if last.viewer == viewer && view.seq - last.seq <= keep => Reply::Resumed {
                table: watch.table.clone(),
                viewer,
                events: self.streams[viewer as usize][last.seq as usize..].to_vec(),
                clocks: None,
                plan: None,
            },
            _ => Reply::View { view: Box::new(view) },
        }
    }

    fn play(
        &mut self,
        player: &Player,
        turn: u64,
        action: Move,
        trouble: Option<Trouble>,
    ) -> Reply {
        let Some(seat) = self.seat(player) else { return refusal(Code::NotSeated, None) };
        if turn != self.hall.turn() {
            return refusal(Code::StaleTurn, None);
        }
        let action = wire::read_action(action);
        let mover = wire::read_seat(seat);
        if self.hall.game().check(mover, action).is_err() {
            return refusal(Code::Occupied, None);
        }
        let played = self.hall.play(action);
        let forgotten = trouble == Some(Trouble::ForgetSpectators);
        let is_spectator = |follower: &mut Follower| follower.viewer == Viewer::Spectator;
        let without: Vec<Follower> = match forgotten {
            true => self.followers.extract_if(.., is_spectator).collect(),
            false => Vec::new(),
        };
        self.tell(|viewer| match (viewer, trouble) {
            (Viewer::Spectator, Some(Trouble::ShowWrongBoard)) => mirrored(&played),
            _ => played.clone(),
        });
        self.followers.extend(without);
        if self.hall.game().outcome().is_some() {
            let ended = self.hall.end();
            self.tell(|_| ended.clone());
        }
        Reply::Moved { turn: self.hall.turn(), collision: false }
    }
}

/// The same stone on another cell.
fn mirrored(frame: &StreamFrame) -> StreamFrame {
    let mut frame = frame.clone();
    if let Event::Placed { cell: Some(cell), .. } = &mut frame.event {
        (cell.0, cell.1) = (cell.1, cell.0);
    }
    frame
}

fn refusal(code: Code, retry_ms: Option<u64>) -> Reply {
    Reply::Error(ErrorBody { retry_ms, ..ErrorBody::new(code, "as the test wants it") })
}

fn rules(open: &Open) -> Rules {
    let options = &open.options;
    let side = |side: Option<u64>| side.or(options.size).unwrap_or(11);
    let swap = match options.swap {
        Some(Swap::Sides) => game::Swap::Sides,
        Some(Swap::Pieces) => game::Swap::Pieces,
        _ => game::Swap::Off,
    };
    let size = Size::new(side(options.rows), side(options.cols)).unwrap();
    Rules::new(size, swap, Goal::Join, 0).unwrap()
}
