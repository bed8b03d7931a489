//! What a script of sessions and requests is played out on: a server in memory ([`super::piped`]) or
//! one behind real sockets
//! and a database ([`super::socketed`]). Either way every call comes back only
//! once all that it leads to has happened, and hands out bytes as they were sent.

use hexhall::accounts::Token;
use hexhall::game::clock::Millis;
use hexhall_proto::codec::{self, Format};
use hexhall_proto::request::{Request, RequestFrame};

/// A server, and the ways in.
pub trait Venue {
    /// The far end of a session.
    type Peer: Peer;

    /// Makes a player, whose token nobody has to be told.
    fn player(&mut self, name: &str) -> Token;

    /// A player's session, after its `hello`.
    fn session(&mut self, token: &Token, format: Format) -> Self::Peer;

    /// From now on it is this table that is waited for.
    fn meet_at(&mut self, table: &str);

    /// Whoever has a seat at the table hangs up, and is missed.
    fn hang_up(&mut self, peer: Self::Peer);

    /// Moves the time on, and waits for what that brings.
    fn advance(&mut self, span: Millis);

    /// Asks for a page, perhaps one that is known by this tag.
    fn get(&mut self, path: &str, known: Option<&str>) -> Got;

    /// Puts one frame on its way, and waits for what that brings.
    fn say(&mut self, peer: &mut Self::Peer, payload: &[u8]);

    /// Every byte that has come since this was last asked.
    fn heard(&mut self, peer: &mut Self::Peer) -> Vec<u8>;

    /// Asks something, and waits for what that brings.
    fn ask(&mut self, peer: &mut Self::Peer, request: Request) {
        let frame = RequestFrame { id: peer.next_id(), request };
        let payload = codec::encode(peer.format(), &frame);
        self.say(peer, &payload);
    }
}

/// The far end of a session.
pub trait Peer {
    /// How its frames are written.
    fn format(&self) -> Format;

    /// The number of its next request.
    fn next_id(&mut self) -> u64;
}

/// An answer over HTTP, read to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Got {
    /// Its status.
    pub status: u16,
    /// Every header, in the order of sending.
    pub headers: Vec<(String, String)>,
    /// What it says.
    pub body: Vec<u8>,
}

impl Got {
    /// The tag that it is kept by.
    pub fn tag(&self) -> Option<&str> {
        let tag = self.headers.iter().find(|(name, _)| name == "etag");
        tag.map(|(_, tag)| tag.as_str())
    }

    /// All of it, as one would see it on the wire.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = format!("{}\r\n", self.status).into_bytes();
        for (name, value) in &self.headers {
            bytes.extend(format!("{name}: {value}\r\n").into_bytes());
        }
        bytes.extend(b"\r\n");
        bytes.extend(&self.body);
        bytes
    }
}

/// A client's frame. Its mask is the one that changes nothing.
pub fn framed(format: Format, payload: &[u8]) -> Vec<u8> {
    let opcode = match format {
        Format::Json => 1,
        Format::MsgPack => 2,
    };
    let mut frame = vec![0x80 | opcode];
    match u16::try_from(payload.len()).expect("a client's frames are short") {
        short @ 0..126 => frame.push(0x80 | short.to_be_bytes()[1]),
        long => {
            frame.push(0x80 | 126);
            frame.extend(long.to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend(payload);
    frame
}

/// A server's frame with this payload, as text or as bytes.
pub fn sent(payload: &[u8]) -> Vec<u8> {
    let opcode = if payload.first() == Some(&b'{') { 1 } else { 2 };
    let mut frame = vec![0x80 | opcode];
    match u16::try_from(payload.len()) {
        Ok(short @ 0..126) => frame.push(short.to_be_bytes()[1]),
        Ok(long) => {
            frame.push(126);
            frame.extend(long.to_be_bytes());
        }
        Err(_) => {
            frame.push(127);
            frame.extend((payload.len() as u64).to_be_bytes());
        }
    }
    frame.extend(payload);
    frame
}

/// The payloads of a server's frames, none of which is split; the last may not be whole yet.
pub fn payloads(mut bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let (&[_, short], rest) = bytes.split_first_chunk()?;
        let (length, rest) = match short {
            126 => {
                let (&long, rest) = rest.split_first_chunk()?;
                (usize::from(u16::from_be_bytes(long)), rest)
            }
            127 => {
                let (&long, rest) = rest.split_first_chunk()?;
                (usize::try_from(u64::from_be_bytes(long)).unwrap(), rest)
            }
            short => (usize::from(short), rest),
        };
        let (payload, rest) = rest.split_at_checked(length)?;
        bytes = rest;
        Some(payload)
    })
}
