//! The whole server behind real sockets and a database, on threads of its own, with its time in the
//! test's hand. Its far ends block, and speak HTTP and WebSocket by themselves, because the bytes
//! count.

use std::io::{Read, Write};
use std::net::TcpStream;

use hexhall::accounts::{Accounts, Name, Token};
use hexhall::chance::Chance;
use hexhall::game::clock::Millis;
use hexhall_proto::codec::{self, Format, decode_server};
use hexhall_proto::reply::ServerFrame;
use hexhall_proto::request::{Hello, Request, RequestFrame};
use hexhall_proto::view::View;
use tokio::runtime::Runtime;

use super::hall::{Hall, Setup};
use super::venue::{Got, Peer, Venue, framed, payloads, sent};
use super::{PATIENCE, patiently};

/// The server.
pub struct Socketed<'a> {
    hall: Hall,
    accounts: Accounts,
    guests: u64,
    /// What is looked at to know that a table has done all that it was given.
    table: Option<String>,
    /// The connection that pages are asked for on.
    pages: Option<TcpStream>,
    runtime: &'a Runtime,
}

impl Socketed<'_> {
    /// A server that nobody has been to. Its players' ids come from the seed.
    pub fn new(runtime: &Runtime, seed: [u8; 32]) -> Socketed<'_> {
        let setup = Setup::by_hand().kept();
        let time = setup.time.clone();
        let hall = runtime.block_on(Hall::start(setup));
        let accounts = Accounts::new(hall.store().clone(), time, Chance::seeded(seed));
        Socketed { hall, accounts, guests: 0, table: None, pages: None, runtime }
    }

    /// Stops in order.
    pub fn stop(mut self) {
        self.runtime.block_on(self.hall.stop());
    }

    /// Waits until all that was begun is done. A table and the lobby work through what they were
    /// given in order, and answer a look at them after that; what an alarm has a table do comes
    /// before the second look.
    fn settle(&mut self) {
        if let Some(table) = self.table.clone() {
            let page = format!("/v1/tables/{table}");
            self.get(&page, None);
            self.get(&page, None);
        }
        self.get("/v1/tables?limit=1", None);
    }
}

impl Venue for Socketed<'_> {
    type Peer = SocketPeer;

    fn player(&mut self, name: &str) -> Token {
        self.guests += 1;
        let token: Token = format!("{:064x}", self.guests).parse().unwrap();
        let guest = self.accounts.create_guest(&token, Some(Name::new(name).unwrap()));
        self.runtime.block_on(patiently("a guest", guest)).unwrap();
        token
    }

    fn session(&mut self, token: &Token, format: Format) -> SocketPeer {
        let word = match format {
            Format::Json => "json",
            Format::MsgPack => "msgpack",
        };
        let mut stream = connect(&self.hall);
        let token = token.reveal();
        let asked = format!(
            "GET /ws HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
             sec-websocket-protocol: hexhall.v1.{word}\r\nauthorization: Bearer {token}\r\n\r\n"
        );
        stream.write_all(asked.as_bytes()).unwrap();
        let head = head(&mut stream);
        assert!(head.starts_with("HTTP/1.1 101"), "{head}");
        let mut peer = SocketPeer { stream, format, asked: 0, heard: Vec::new() };
        self.ask(&mut peer, Request::Hello(Hello::default()));
        peer
    }

    fn meet_at(&mut self, table: &str) {
        self.table = Some(table.to_owned());
    }

    fn hang_up(&mut self, peer: SocketPeer) {
        drop(peer);
        let page = format!("/v1/tables/{}", self.table.as_ref().expect("a table to be gone from"));
        let is_missed = |got: &Got| {
            let view: View = serde_json::from_slice(&got.body).unwrap();
            view.presence.seats.iter().any(|seat| !seat.connected)
        };
        // Nothing tells that the system has told the server; so it is asked until it knows.
        while !is_missed(&self.get(&page, None)) {}
        self.settle();
    }

    fn advance(&mut self, span: Millis) {
        self.hall.advance(span);
        // A connection that nobody uses is not kept for long.
        self.pages = None;
        self.settle();
    }

    fn get(&mut self, path: &str, known: Option<&str>) -> Got {
        let known = known.map_or(String::new(), |tag| format!("if-none-match: {tag}\r\n"));
        let asked = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n{known}\r\n");
        let pages = self.pages.get_or_insert_with(|| connect(&self.hall));
        pages.write_all(asked.as_bytes()).unwrap();
        let head = head(pages);
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        // The date alone is the machine's.
        let headers: Vec<(String, String)> = lines
            .filter_map(|line| line.split_once(": "))
            .filter(|(name, _)| *name != "date")
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let length = headers.iter().find(|(name, _)| name == "content-length");
        let length = length.filter(|_| status != 304).map_or(0, |(_, it)| it.parse().unwrap());
        let mut body = vec![0; length];
        pages.read_exact(&mut body).unwrap();
        Got { status, headers, body }
    }

    fn say(&mut self, peer: &mut SocketPeer, payload: &[u8]) {
        peer.stream.write_all(&framed(peer.format, payload)).unwrap();
        peer.until_answered();
        self.settle();
    }

    fn heard(&mut self, peer: &mut SocketPeer) -> Vec<u8> {
        // Whatever was sent before comes before the answer to this.
        let request = Request::Hello(Hello::default());
        let payload = codec::encode(peer.format, &RequestFrame { id: peer.next_id(), request });
        peer.stream.write_all(&framed(peer.format, &payload)).unwrap();
        peer.until_answered();
        // What is not numbered may come a moment before or after what is, as the disk likes; so the
        // frames of one moment are put into an order of their own.
        let mut frames: Vec<_> = payloads(&peer.heard).map(<[u8]>::to_vec).collect();
        frames.sort_unstable();
        peer.heard.clear();
        frames.iter().flat_map(|payload| sent(payload)).collect()
    }
}

fn connect(hall: &Hall) -> TcpStream {
    let address = hall.address();
    let stream = TcpStream::connect((address.host(), address.port())).unwrap();
    stream.set_nodelay(true).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream
}

/// An answer up to its body.
fn head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        head.extend(byte);
    }
    String::from_utf8(head).unwrap()
}

/// The far end of a session.
pub struct SocketPeer {
    stream: TcpStream,
    format: Format,
    asked: u64,
    heard: Vec<u8>,
}

impl Peer for SocketPeer {
    fn format(&self) -> Format {
        self.format
    }

    fn next_id(&mut self) -> u64 {
        self.asked += 1;
        self.asked
    }
}

impl SocketPeer {
    /// Reads until the last thing that was asked is answered.
    fn until_answered(&mut self) {
        let mut looked_at = 0;
        loop {
            for payload in payloads(&self.heard).skip(looked_at) {
                looked_at += 1;
                match decode_server(self.format, payload) {
                    Ok(ServerFrame::Reply(reply)) if reply.re == Some(self.asked) => return,
                    _ => {}
                }
            }
            let mut more = [0; 4_096];
            let read = self.stream.read(&mut more).expect("an answer in time");
            assert!(read > 0, "the server hung up: {}", String::from_utf8_lossy(&self.heard));
            self.heard.extend(&more[..read]);
        }
    }
}
