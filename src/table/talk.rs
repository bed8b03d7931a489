//! Who says what to whom at a table.
//!
//! Invariant: whoever sits at a table where a game runs is told nothing that the watchers say,
//! whatever tab or session they ask from: seats are looked up by the player, and a game runs until
//! its end is durable. Watchers of Dark Hex, or of a table that they see late, are told nothing
//! that the players say before they know the end.

use hexhall_proto::chat::{self as told, Room};
use hexhall_proto::error::{Code, ErrorBody};
use hexhall_proto::event::Event as Told;
use hexhall_proto::reply::Reply;

use crate::accounts::for_how_long;
use crate::game::clock::Stamp;
use crate::ids::PlayerId;
use crate::store::Sanction;
use crate::wire;

use super::actor::TableActor;
use super::chat::{Line, NotSaid};
use super::handle::ReplyTo;
use super::requests::busy;
use super::state::refusal::Refusal;
use super::streams::Frame;

impl TableActor {
    /// Somebody says something.
    pub(super) fn say(&mut self, reply: ReplyTo, room: Option<Room>, text: &str) {
        let player = reply.session().player_now();
        let seated = self.state.seat_of(player.id).is_some();
        let own = if seated { Room::Players } else { Room::Watchers };
        let room = room.unwrap_or(own);
        let refusal = match room {
            Room::Players if !seated => Some(Refusal::NotSeated),
            Room::Watchers if self.would_tell_of_the_end(player.id) => Some(Refusal::GameRuns),
            _ => None,
        };
        if let Some(refusal) = refusal {
            return reply.answer(Reply::Error(wire::refusal(&refusal)));
        }
        if self.release.reseats(player.id) {
            // The others are not told yet that they sit here.
            return busy(reply);
        }
        let now = self.now();
        if let Some(mute) = self.services.store.muted(player.id, now.0) {
            return reply.answer(Reply::Error(muted(&mute, now)));
        }
        let line = match self.chat.say(room, &player, text, now) {
            Ok(line) => line_told(line),
            Err(error) => return reply.answer(Reply::Error(not_said(error))),
        };
        reply.answer(Reply::Done {});
        let frame = Frame::new(self.state.id(), None, Told::Said { room, line });
        let hears = |listener| self.may_read(listener, room) && !self.shuns(listener, player.id);
        self.streams.tell_those(self.release.durable(), hears, &frame);
    }

    /// Shows somebody what was said, as far as they may read it.
    pub(super) fn show_chat(&mut self, reply: ReplyTo) {
        let player = reply.session().player.id;
        let lines = |room| {
            let heard = |line: &&Line| !self.shuns(player, line.by.id);
            let lines = || self.chat.lines(room).filter(heard).map(line_told).collect();
            self.may_read(player, room).then(lines)
        };
        let (players, watchers) = (lines(Room::Players), lines(Room::Watchers));
        reply.answer(Reply::Chat { players, watchers });
    }

    /// Whether watchers would learn by a word from this player that a game is over: from whoever sits
    /// where one runs, be it that spectators alone still see it run, and from whoever has sat there
    /// since what they see.
    fn would_tell_of_the_end(&self, player: PlayerId) -> bool {
        let late = self.late.as_ref().map(|late| &late.delayed);
        let is_behind = late.is_some_and(|late| late.state().number() < self.state.number());
        match self.state.seat_of(player) {
            Some(_) => self.may_run() || is_behind,
            None => late.is_some_and(|late| late.knows_more(player)),
        }
    }

    /// Whether a game runs, or may yet be found to run once more: its end is not durable.
    fn may_run(&self) -> bool {
        self.state.running().is_some() || self.release.durable() < self.state.number()
    }

    /// Whether somebody may read what is said in a room, whoever says it.
    pub(super) fn may_read(&self, player: PlayerId, room: Room) -> bool {
        let seated = self.state.seat_of(player).is_some();
        match room {
            Room::Players if seated => true,
            // What they say may tell where a hidden stone is, or what is to come.
            Room::Players => {
                let dark = self.state.game().is_some_and(|live| live.game.is_dark());
                self.late.is_none() && !(dark && self.may_run())
            }
            Room::Watchers => !(seated && self.may_run()),
        }
    }

    /// Whether somebody is not to hear another: has muted them, or one of the two has blocked the
    /// other.
    fn shuns(&self, listener: PlayerId, speaker: PlayerId) -> bool {
        let store = &self.services.store;
        store.has_muted(listener, speaker)
            || store.has_blocked(listener, speaker)
            || store.has_blocked(speaker, listener)
    }
}

fn line_told(line: &Line) -> told::Line {
    told::Line {
        id: line.id,
        by: wire::player(&line.by),
        text: line.text.to_string(),
        at_ms: line.at.0,
    }
}

/// Why somebody whom an operator has muted says nothing.
fn muted(mute: &Sanction, now: Stamp) -> ErrorBody {
    let retry_ms = mute.until_ms.map(|until| Stamp(until) - now);
    let message = format!("you are muted {}: {}", for_how_long(retry_ms), mute.reason);
    ErrorBody { retry_ms, ..ErrorBody::new(Code::Muted, message) }
}

fn not_said(error: NotSaid) -> ErrorBody {
    let message = error.to_string();
    match error {
        NotSaid::TooFast(wait) => {
            ErrorBody { retry_ms: Some(wait), ..ErrorBody::new(Code::RateLimited, message) }
        }
        NotSaid::Repeated => ErrorBody::new(Code::RateLimited, message),
        NotSaid::Empty | NotSaid::TooLong(_) | NotSaid::Invisible(_) => {
            ErrorBody::new(Code::BadRequest, message)
        }
    }
}
