//! A table's streams: what each viewer was told, who follows, and the fan-out.
//!
//! Each viewer's stream is numbered by itself, without a gap. An event is encoded once for each
//! viewer and format in use, and every follower's outbox shares those bytes. The last events of
//! each stream are kept for those who return; their bytes are not.
//!
//! Bound: `keep` events a stream; followers are bounded by the sessions that the gateway lets in.
//! Overflow: the oldest event goes, and whoever missed it gets a fresh view.

use std::cell::OnceCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use bytes::Bytes;
use hexhall_proto::codec::{Format, encode};
use hexhall_proto::event::{Event, StreamFrame, StreamFrameRef};

use crate::game::Seat;
use crate::game::clock::Stamp;
use crate::gateway::follows::Part;
use crate::gateway::outbox::Epoch;
use crate::ids::{PlayerId, Seq, SessionId, TableId};
use crate::table::handle::SessionRef;
use crate::table::state::State;
use crate::table::state::event::Event as Happened;
use crate::view::{Viewer, delta};

/// One stream event, written in a format when it is first asked for in it.
#[derive(Debug)]
pub struct Frame {
    table: TableId,
    seq: Option<Seq>,
    event: Rc<Event>,
    json: OnceCell<Bytes>,
    msgpack: OnceCell<Bytes>,
}

impl Frame {
    /// An event of this table; numbered if it comes from the journal.
    pub fn new(table: TableId, seq: Option<Seq>, event: impl Into<Rc<Event>>) -> Frame {
        let (json, msgpack) = Default::default();
        Frame { table, seq, event: event.into(), json, msgpack }
    }

    fn says(&self, seq: Seq, event: &Event) -> bool {
        self.seq == Some(seq) && *self.event == *event
    }

    /// The event as it goes to every session of this format.
    pub fn bytes(&self, format: Format) -> Bytes {
        let written = match format {
            Format::Json => &self.json,
            Format::MsgPack => &self.msgpack,
        };
        written.get_or_init(|| self.write(format)).clone()
    }

    fn write(&self, format: Format) -> Bytes {
        let (table, seq) = (self.table.spelled(), self.seq.map(|seq| seq.0));
        encode(format, &StreamFrameRef { table: &table, seq, event: &self.event }).into()
    }
}

/// What the three viewers are told of one event.
pub type Told = [Option<Rc<Frame>>; 3];

/// Who is told something at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audience {
    /// Every viewer.
    Everybody,
    /// Those with a seat.
    Players,
    /// Those without.
    Spectators,
}

impl Audience {
    fn has(self, viewer: Viewer) -> bool {
        match self {
            Audience::Everybody => true,
            Audience::Players => viewer != Viewer::Spectator,
            Audience::Spectators => viewer == Viewer::Spectator,
        }
    }

    fn viewers(self) -> impl Iterator<Item = Viewer> {
        Viewer::ALL.into_iter().filter(move |&viewer| self.has(viewer))
    }
}

/// A session that follows the table.
#[derive(Debug)]
struct Follower {
    session: Arc<SessionRef>,
    viewer: Viewer,
    /// The table's number when the session's view was made: it is told of what comes later.
    since: u64,
    epoch: Epoch,
}

/// One viewer's stream.
#[derive(Debug, Default)]
struct Stream {
    /// The number of the last event.
    seq: Seq,
    /// The last events, up to that one.
    history: VecDeque<Rc<Event>>,
}

/// All streams of one table.
#[derive(Debug)]
pub struct Streams {
    table: TableId,
    streams: [Stream; 3],
    keep: usize,
    /// In the order in which the sessions came: what belongs to them lies in memory like that.
    followers: BTreeMap<SessionId, Follower>,
    players: BTreeMap<PlayerId, usize>,
}

impl Streams {
    /// A table's streams that stand at these numbers, keeping `keep` events each.
    pub fn new(table: TableId, seqs: [Seq; 3], keep: usize) -> Streams {
        let streams = seqs.map(|seq| Stream { seq, history: VecDeque::new() });
        Streams { table, streams, keep, followers: BTreeMap::new(), players: BTreeMap::new() }
    }

    /// The number of the viewer's last event.
    pub fn seq(&self, viewer: Viewer) -> Seq {
        self.streams[viewer.index()].seq
    }

    /// Adds what each viewer is told of an event that has just led to `state` to their streams.
    /// It is projected once where every viewer is told the same, and else for each.
    pub fn tell_of(&mut self, state: &State, of: &Happened, watchers: usize, now: Stamp) -> Told {
        self.tell_some(Audience::Everybody, state, of, watchers, now)
    }

    /// The same for some of the viewers; the others are told at another time.
    pub fn tell_some(
        &mut self,
        to: Audience,
        state: &State,
        of: &Happened,
        watchers: usize,
        now: Stamp,
    ) -> Told {
        let project = |viewer| {
            let seq = self.seq(viewer).next();
            delta::told(state, of, viewer, seq, watchers, now)
        };
        if delta::is_alike(state, of) {
            let told = project(Viewer::Spectator);
            told.map(|told| self.tell_alike(to, told)).unwrap_or_default()
        } else {
            let told = Viewer::all_at(state).map(|it| to.has(it).then(|| project(it)).flatten());
            self.tell(told)
        }
    }

    /// Adds what each viewer is told of one event to their streams, under the number after
    /// [`Streams::seq`]. Viewers who are told the same under the same number share a frame, and
    /// so its bytes.
    fn tell(&mut self, events: [Option<Event>; 3]) -> Told {
        let mut told = Told::default();
        for (viewer, event) in Viewer::ALL.into_iter().zip(events) {
            let Some(event) = event else { continue };
            let seq = self.seq(viewer).next();
            let twin = told.iter().flatten().find(|frame| frame.says(seq, &event)).cloned();
            let frame = twin.unwrap_or_else(|| Rc::new(Frame::new(self.table, Some(seq), event)));
            self.remember(viewer, &frame.event);
            told[viewer.index()] = Some(frame);
        }
        told
    }

    /// The same for an event that all of these are told alike.
    fn tell_alike(&mut self, to: Audience, event: Event) -> Told {
        let event = Rc::new(event);
        let mut told = Told::default();
        for viewer in to.viewers() {
            let seq = Some(self.seq(viewer).next());
            let twin = told.iter().flatten().find(|frame| frame.seq == seq).cloned();
            let frame =
                twin.unwrap_or_else(|| Rc::new(Frame::new(self.table, seq, Rc::clone(&event))));
            self.remember(viewer, &event);
            told[viewer.index()] = Some(frame);
        }
        told
    }

    fn remember(&mut self, viewer: Viewer, event: &Rc<Event>) {
        let Stream { seq, history } = &mut self.streams[viewer.index()];
        *seq = seq.next();
        if history.len() >= self.keep {
            history.pop_front();
        }
        if self.keep > 0 {
            history.push_back(Rc::clone(event));
        }
    }

    /// Forgets what these were told so far: from here on a seat has another player.
    pub fn forget(&mut self, by: Audience) {
        by.viewers().for_each(|viewer| self.streams[viewer.index()].history.clear());
    }

    /// Every event of the viewer after `last`, in order, if all of them are still here.
    pub fn run_since(&self, viewer: Viewer, last: Seq) -> Option<Vec<StreamFrame>> {
        let Stream { seq, history } = &self.streams[viewer.index()];
        let missed = usize::try_from(seq.0.checked_sub(last.0)?).ok()?;
        let skip = history.len().checked_sub(missed)?;
        let frame = |(seq, event): (u64, &Rc<Event>)| StreamFrame {
            table: self.table.to_string(),
            seq: Some(seq),
            event: (**event).clone(),
        };
        Some((last.0 + 1..).zip(history.iter().skip(skip)).map(frame).collect())
    }

    /// Lets a session follow from the table's number `since` on, in place of how it followed
    /// before. One that has ended meanwhile does not.
    pub fn follow(&mut self, session: &Arc<SessionRef>, viewer: Viewer, since: u64) {
        if session.follows.table(self.table, part(viewer)).is_err() {
            self.unfollow(session.id);
            return;
        }
        let epoch = session.outbox.epoch();
        let follower = Follower { session: Arc::clone(session), viewer, since, epoch };
        if self.followers.insert(session.id, follower).is_none() {
            *self.players.entry(session.player.id).or_default() += 1;
        }
    }

    /// Lets a session follow no more. Says whether it did.
    pub fn unfollow(&mut self, session: SessionId) -> bool {
        let Some(follower) = self.followers.remove(&session) else { return false };
        follower.session.follows.leave_table(self.table);
        let player = follower.session.player.id;
        if let Some(sessions) = self.players.get_mut(&player) {
            *sessions -= 1;
            if *sessions == 0 {
                self.players.remove(&player);
            }
        }
        true
    }

    /// The sessions whose end nobody has told of.
    pub fn ended(&self) -> Vec<SessionId> {
        let ended = |follower: &&Follower| follower.session.outbox.is_closed();
        self.followers.values().filter(ended).map(|follower| follower.session.id).collect()
    }

    /// Whether the session follows.
    pub fn has(&self, session: SessionId) -> bool {
        self.followers.contains_key(&session)
    }

    /// Whose session it is, if it follows.
    pub fn player_of(&self, session: SessionId) -> Option<PlayerId> {
        self.followers.get(&session).map(|follower| follower.session.player.id)
    }

    /// The player's sessions that follow.
    pub fn sessions_of(&self, player: PlayerId) -> Vec<SessionId> {
        let theirs = self.followers.values().filter(|it| it.session.player.id == player);
        theirs.map(|follower| follower.session.id).collect()
    }

    /// Whether any session of the player follows.
    pub fn is_here(&self, player: PlayerId) -> bool {
        self.players.contains_key(&player)
    }

    /// How many sessions follow that belong to none of these players.
    pub fn watchers(&self, players: [Option<PlayerId>; 2]) -> usize {
        let seated = players.into_iter().flatten().filter_map(|player| self.players.get(&player));
        self.followers.len() - seated.sum::<usize>()
    }

    /// Whether nobody follows.
    pub fn is_empty(&self) -> bool {
        self.followers.is_empty()
    }

    /// Players of the seats have changed places, as of the table's number `number`.
    pub fn exchange(&mut self, number: u64) {
        for follower in self.followers.values_mut().filter(|follower| follower.since < number) {
            if let Viewer::Seat(seat) = follower.viewer {
                follower.viewer = Viewer::Seat(seat.other());
            }
        }
    }

    /// A player has taken a seat or given it up: their sessions get a fresh view as who they now
    /// are, unless they have one of the table's number `number` or later. What that view shows is
    /// the table of its number `shows`: they are told of what comes after.
    pub fn reseat(
        &mut self,
        player: PlayerId,
        seat: Option<Seat>,
        number: u64,
        shows: u64,
        view: &Frame,
    ) {
        let viewer = Viewer::of(seat);
        let theirs = self.followers.values_mut().filter(|it| it.session.player.id == player);
        for follower in theirs.filter(|it| it.since < number) {
            follower.viewer = viewer;
            follower.since = shows;
            // One that has ended is told to be gone in a moment.
            let _ = follower.session.follows.table(self.table, part(viewer));
            follower.send(view);
        }
    }

    /// A session goes on with another viewer's stream.
    pub fn look_as(&mut self, session: SessionId, viewer: Viewer) {
        if let Some(follower) = self.followers.get_mut(&session) {
            follower.viewer = viewer;
        }
    }

    /// Sessions go on with a spectator's stream from the table's number `number`, and are told so
    /// by a whole view, unless they have begun afresh since.
    pub fn lower(&mut self, sessions: &[SessionId], number: u64, view: &Frame) {
        for session in sessions {
            let follower = self.followers.get_mut(session);
            if let Some(follower) = follower.filter(|it| it.since < number) {
                follower.viewer = Viewer::Spectator;
                follower.send(view);
            }
        }
    }

    /// Hands what happened at the table's number `number` to every follower who is to be told.
    pub fn deliver(&self, number: u64, told: &Told) {
        for follower in self.followers.values().filter(|follower| follower.since < number) {
            if let Some(frame) = &told[follower.viewer.index()] {
                follower.send(frame);
            }
        }
    }

    /// Hands an unnumbered event to every follower whose view is out, everything up to the
    /// table's number `durable` being so, and who is one of these.
    pub fn broadcast(&self, durable: u64, to: Audience, frame: &Frame) {
        let told = |it: &&Follower| it.since <= durable && to.has(it.viewer);
        self.followers.values().filter(told).for_each(|it| it.send(frame));
    }

    /// The same to the sessions of these players, whoever's eyes they have.
    pub fn tell_those(&self, durable: u64, those: impl Fn(PlayerId) -> bool, frame: &Frame) {
        let told = |it: &&Follower| it.since <= durable && those(it.session.player.id);
        self.followers.values().filter(told).for_each(|it| it.send(frame));
    }

    /// Hands an unnumbered event of the table's number `number` to the sessions of one seat.
    pub fn whisper(&self, number: u64, seat: Seat, frame: &Frame) {
        let theirs = |it: &&Follower| it.since < number && it.viewer == Viewer::Seat(seat);
        self.followers.values().filter(theirs).for_each(|it| it.send(frame));
    }

    /// Hands an unnumbered event to one session.
    pub fn send(&self, session: SessionId, frame: &Frame) {
        if let Some(follower) = self.followers.get(&session) {
            follower.send(frame);
        }
    }
}

/// Whoever still follows when a table ends starts afresh with whoever keeps it then, however this
/// one has ended.
impl Drop for Streams {
    fn drop(&mut self) {
        self.followers.values().for_each(|follower| follower.session.outbox.restart());
    }
}

impl Follower {
    /// A session that is behind starts its run afresh by itself, with a whole view; until then
    /// its outbox refuses what it would have missed.
    fn send(&self, frame: &Frame) {
        let _ = self.session.outbox.stream(self.epoch, frame.bytes(self.session.format));
    }
}

/// How a session with these eyes stands to the table.
fn part(viewer: Viewer) -> Part {
    match viewer {
        Viewer::Seat(_) | Viewer::Both => Part::Seated,
        Viewer::Spectator => Part::Watching,
    }
}

#[cfg(test)]
mod tests;
