//! Tables with both seats taken, as the driver holds them: on the server a game that runs, on the
//! floor a group of two.

use std::ops::Range;
use std::rc::Rc;

use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use hexhall_proto::event::Event;
use hexhall_proto::options::{FirstMove, OnLeave, OptionsRequest, Preset, Swap, Time};
use hexhall_proto::parts::OfferKind;
use hexhall_proto::reply::Reply;
use hexhall_proto::request::{Hello, Join as Sit, Last, MakeOffer, Open, PlayMove, Request, Watch};

use super::BenchError;
use super::games::{SIDE, Script};
use super::peer::{Answer, Heard, Peer, Token};
use super::relay::Join;
use super::side::Target;
use super::sizes::Sizes;
use crate::remote::Address;
use crate::wire;

/// Connections that are being made at a time: fewer than the 128 that a listener's queue holds, so
/// that it is the server that is measured and not the system's patience with a full queue.
pub const AT_ONCE: usize = 100;

/// A table, and the driver's connections in both seats.
#[derive(Debug)]
pub struct Duel {
    /// Seat 1, seat 2.
    pub seats: [Seated; 2],
    /// What others name to watch it.
    pub place: Place,
    game: Game,
    /// Moves that each seat has heard of, in this game.
    heard: [usize; 2],
    /// Moves that each seat is to hear of.
    told: [usize; 2],
}

/// One seat's connection, and how to come back to it.
#[derive(Debug)]
pub struct Seated {
    /// The connection.
    pub peer: Peer,
    /// Whose it is; nobody's on a floor.
    pub token: Option<Token>,
    /// The last event that was read while the table was made; none on a floor.
    pub last: Option<Last>,
}

/// What a connection names in order to follow a table.
#[derive(Clone, Debug)]
pub enum Place {
    /// A table of the server.
    Table(Address, String),
    /// A group of the floor.
    Group(Address, Join),
}

#[derive(Debug)]
enum Game {
    Played { id: String, scripts: Rc<[Script]>, script: usize, ply: usize, commands: u64 },
    Relayed { frame: Bytes, second: bool },
}

/// Makes the tables of these numbers, many at a time. Their games begin with different scripts.
/// Whoever takes one must read it from then on, or the server takes its players for gone.
pub fn make<'a>(
    target: &'a Target,
    numbers: Range<usize>,
    scripts: &'a Rc<[Script]>,
) -> impl Stream<Item = Result<Duel, BenchError>> + Unpin + use<'a> {
    let tables = numbers.map(|index| Duel::make(target, index, Rc::clone(scripts)));
    // Each table is at most two connections at a time.
    Box::pin(stream::iter(tables).buffer_unordered(AT_ONCE / 2))
}

impl Duel {
    fn new(seats: [Seated; 2], place: Place, game: Game) -> Duel {
        Duel { seats, place, game, heard: [0; 2], told: [0; 2] }
    }

    async fn make(
        target: &Target,
        index: usize,
        scripts: Rc<[Script]>,
    ) -> Result<Duel, BenchError> {
        match target {
            Target::Server(address) => Duel::open(address, index, scripts).await,
            Target::Floor(address) => {
                let Sizes { request, moved, placed } = Sizes::typical();
                let join = Join { group: index as u64, on: placed, back: vec![moved, placed] };
                let mut seats = Vec::with_capacity(2);
                for _ in 0..2 {
                    let peer = Peer::join_floor(address, &join).await?;
                    seats.push(Seated { peer, token: None, last: None });
                }
                let seats = seats.try_into().map_err(|_| BenchError::unexpected("two", "one"))?;
                let game = Game::Relayed { frame: vec![0; request].into(), second: false };
                Ok(Duel::new(seats, Place::Group(address.clone(), join), game))
            }
        }
    }

    async fn open(
        address: &Address,
        index: usize,
        scripts: Rc<[Script]>,
    ) -> Result<Duel, BenchError> {
        let mut first = Peer::dial(address, None).await?;
        let token = first.hello(None).await?;
        let opened =
            first.ask(Request::Open(Open { options: options(), ..Open::default() })).await?;
        let Reply::Opened { view, .. } = opened else {
            return Err(BenchError::unexpected("`opened`", format!("{opened:?}")));
        };
        let table = view.table;
        // Comes again by the table's own address, as its page does.
        drop(first);
        let place = Place::Table(address.clone(), table.clone());
        let (mut one, _) = place.follow(Some(token.clone()), None).await?;
        let mut two = Peer::dial(address, Some(&table)).await?;
        let other = two.hello(None).await?;
        let sit = Sit { table, seat: None, invitation: None };
        let joined = two.ask(Request::Join(sit)).await?;
        let Reply::Joined { view: theirs, .. } = joined else {
            return Err(BenchError::unexpected("`joined`", format!("{joined:?}")));
        };
        let ours = one.peer.wait_for(started).await?;
        let game = ours.game.ok_or_else(|| BenchError::unexpected("a game", "none"))?.id;
        one.last = Some(Last { viewer: ours.viewer, seq: ours.seq });
        let last = Some(Last { viewer: theirs.viewer, seq: theirs.seq });
        let two = Seated { peer: two, token: Some(other), last };
        let script = index % scripts.len().max(1);
        let game = Game::Played { id: game, scripts, script, ply: 0, commands: 0 };
        Ok(Duel::new([one, two], place, game))
    }

    /// The next move: the index of the seat that makes it, and its frame. None where the game is
    /// over and the next has to be agreed on.
    pub fn next_move(&mut self) -> Option<(usize, Bytes)> {
        match &mut self.game {
            Game::Relayed { frame, second } => {
                let mover = usize::from(*second);
                *second = !*second;
                // A floor tells its own move to nobody.
                self.told[1 - mover] += 1;
                Some((mover, frame.clone()))
            }
            Game::Played { id, scripts, script, ply, commands } => {
                let &(seat, action) = scripts.get(*script)?.get(*ply)?;
                let Place::Table(_, table) = &self.place else { return None };
                let request = PlayMove {
                    table: table.clone(),
                    game: id.clone(),
                    command: commands.to_string(),
                    turn: *ply as u64,
                    action: wire::action(action),
                    seat: None,
                };
                (*ply, *commands) = (*ply + 1, *commands + 1);
                let mover = seat.index();
                self.told.iter_mut().for_each(|told| *told += 1);
                Some((mover, self.seats[mover].peer.frame(Request::Move(request))))
            }
        }
    }

    /// Takes in a frame that a seat has read.
    ///
    /// # Errors
    /// A refusal, or a view in place of events: no figure stands for that.
    fn note(&mut self, seat: usize, frame: &[u8]) -> Result<(), BenchError> {
        match self.place.heard(frame) {
            Heard::Moved => self.heard[seat] += 1,
            Heard::Refused | Heard::Afresh => return Err(BenchError::unwanted(frame)),
            Heard::Ended | Heard::Other => {}
        }
        Ok(())
    }

    /// Whether a seat has heard of every move so far.
    pub fn knows(&self, seat: usize) -> bool {
        self.heard[seat] >= self.told[seat]
    }

    /// The next frame that either seat reads, taken in.
    pub async fn listen(&mut self) -> Result<(), BenchError> {
        let [one, two] = &mut self.seats;
        let (seat, frame) = tokio::select! {
            frame = one.peer.next() => (0, frame?),
            frame = two.peer.next() => (1, frame?),
        };
        self.note(seat, &frame)
    }

    /// Both seats ask for another game, and it begins with the next script.
    pub async fn rematch(&mut self) -> Result<(), BenchError> {
        let Duel { seats, place: Place::Table(_, table), game, heard, told } = self else {
            return Ok(());
        };
        let Game::Played { id, scripts, script, ply, commands } = game else { return Ok(()) };
        for seat in &mut *seats {
            let request = MakeOffer {
                table: table.clone(),
                game: id.clone(),
                command: commands.to_string(),
                kind: OfferKind::Rematch,
            };
            *commands += 1;
            let frame = seat.peer.frame(Request::Offer(request));
            seat.peer.send(frame).await?;
        }
        for seat in &mut *seats {
            let view = seat.peer.wait_for(started).await?;
            *id = view.game.ok_or_else(|| BenchError::unexpected("a game", "none"))?.id;
        }
        // What came before the beginning was read on the way to it.
        (*heard, *told) = ([0; 2], [0; 2]);
        (*script, *ply) = ((*script + 1) % scripts.len().max(1), 0);
        Ok(())
    }
}

impl Place {
    /// Follows the table: as its owner with the token of a seat, as a spectator with another or
    /// none. With `last` the answer must be the run of what was missed.
    pub async fn follow(
        &self,
        token: Option<Token>,
        last: Option<Last>,
    ) -> Result<(Seated, bool), BenchError> {
        let (address, table) = match self {
            Place::Group(address, join) => {
                let peer = Peer::join_floor(address, join).await?;
                return Ok((Seated { peer, token: None, last: None }, true));
            }
            Place::Table(address, table) => (address, table.clone()),
        };
        let mut peer = Peer::dial(address, Some(&table)).await?;
        let token = Some(peer.hello(token).await?);
        let watch = Watch { table, invitation: None, last };
        match peer.ask(Request::Watch(watch)).await? {
            Reply::View { view } => {
                let last = Some(Last { viewer: view.viewer, seq: view.seq });
                Ok((Seated { peer, token, last }, false))
            }
            Reply::Resumed { viewer, events, .. } => {
                let seq = events.last().and_then(|event| event.seq).or(last.map(|last| last.seq));
                let last = seq.map(|seq| Last { viewer, seq });
                Ok((Seated { peer, token, last }, true))
            }
            other => Err(BenchError::unexpected("`view` or `resumed`", format!("{other:?}"))),
        }
    }

    /// Comes back and is told what was missed after `last`, which is not read: where the time that
    /// this takes is measured, it must not be the driver's.
    pub async fn resume(
        &self,
        token: Option<Token>,
        last: Option<Last>,
    ) -> Result<Peer, BenchError> {
        let (address, table) = match self {
            Place::Group(address, join) => return Peer::join_floor(address, join).await,
            Place::Table(address, table) => (address, table.clone()),
        };
        let mut peer = Peer::dial(address, Some(&table)).await?;
        peer.ask_for(Request::Hello(Hello { token, name: None }), Answer::WELCOME).await?;
        let watch = Watch { table, invitation: None, last };
        peer.ask_for(Request::Watch(watch), Answer::RESUMED).await?;
        Ok(peer)
    }

    /// What a frame is.
    pub fn heard(&self, frame: &[u8]) -> Heard {
        match self {
            Place::Table(..) => Heard::from_server(frame),
            Place::Group(..) => Heard::from_floor(frame),
        }
    }
}

fn started(event: Event) -> Option<Box<hexhall_proto::view::View>> {
    match event {
        Event::Started { view } => Some(view),
        _ => None,
    }
}

/// What every table is played by: the scripts' rules, a clock, and seats that stay.
pub fn options() -> OptionsRequest {
    OptionsRequest {
        preset: Some(Preset::Custom),
        size: Some(SIDE.into()),
        swap: Some(Swap::Sides),
        time: Some(Time::Fischer { initial_s: 300, increment_s: 5, cap_s: None }),
        on_leave: Some(OnLeave::Claim),
        first_move: Some(FirstMove::Fixed),
        ..OptionsRequest::default()
    }
}
