//! The curtain at a table of Dark Hex where one player holds both seats: who lifts it, when it
//! falls, and what a session sees meanwhile.
//!
//! A session of the player sees what a spectator sees, until it lifts the curtain for the seat to
//! move. From then on it reads that seat's stream, the event of the move included by which the
//! turn passes; after that event the curtain falls, by an event of its own. A new session begins
//! with the curtain down, and so does one that has followed no more in between.
//!
//! Invariant: no session reads a seat's stream beyond the event by which that seat's turn passes,
//! or by which the game ends.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use hexhall_proto::event::Event as Told;
use hexhall_proto::reply::Reply;

use crate::game::Seat;
use crate::game::clock::Stamp;
use crate::ids::{GameId, SessionId};
use crate::view::{Viewer, project};

use super::actor::TableActor;
use super::handle::{ReplyTo, SessionRef};
use super::release::Held;
use super::state::refusal::Refusal;
use super::streams::{Audience, Frame};

/// Before which sessions the curtain is lifted, as the table has decided so far.
#[derive(Debug, Default)]
pub(super) struct Curtains {
    lifted: BTreeMap<SessionId, Seat>,
    /// Whether viewers believe that it is lifted somewhere, and so that a clock runs.
    believed: bool,
}

impl Curtains {
    /// The seat whose curtain is lifted before a session.
    pub fn lifted(&self, session: SessionId) -> Option<Seat> {
        self.lifted.get(&session).copied()
    }

    /// It is lifted before a session, and perhaps no more for another seat.
    fn lift(&mut self, session: SessionId, seat: Seat) {
        self.lifted.insert(session, seat);
    }

    /// It is down before a session, of which nothing else is left. Says whether it was lifted.
    fn lower(&mut self, session: SessionId) -> bool {
        self.lifted.remove(&session).is_some()
    }

    /// It falls for every seat but those that keep it lifted. Says before which sessions.
    fn fall(&mut self, stays: impl Fn(Seat) -> bool) -> Vec<SessionId> {
        let fallen: Vec<_> =
            self.lifted.iter().filter(|&(_, &seat)| !stays(seat)).map(|(&id, _)| id).collect();
        for session in &fallen {
            self.lifted.remove(session);
        }
        fallen
    }

    fn is_down(&self) -> bool {
        self.lifted.is_empty()
    }
}

impl TableActor {
    /// Whose eyes a session has, as far as the table has decided.
    pub(super) fn viewer(&self, session: &SessionRef) -> Viewer {
        match self.curtains.lifted(session.id) {
            Some(seat) => Viewer::Seat(seat),
            None => Viewer::at(&self.state, session.player.id),
        }
    }

    /// A session asks to see what a seat knows.
    pub(super) fn lift(&mut self, reply: ReplyTo, game: GameId, seat: Seat) {
        let session = Arc::clone(reply.session());
        if !self.streams.has(session.id) {
            // There is no stream to go on with.
            return self.refuse(reply, &Refusal::NotAtTable);
        }
        if let Err(refusal) = self.state.check_lift(session.player.id, game, seat) {
            return self.refuse(reply, &refusal);
        }
        self.curtains.lift(session.id, seat);
        self.state.note_lifted(true, self.now());
        let number = self.state.number();
        self.release.hold(number, Held::Lifted { session: session.id, seat });
        let view = Box::new(self.view(Viewer::Seat(seat)));
        self.reply(reply, Reply::View { view });
    }

    /// The curtain is down before a session that follows no more.
    pub(super) fn lower(&mut self, session: SessionId) {
        if self.curtains.lower(session) && self.curtains.is_down() {
            self.state.note_lifted(false, self.now());
        }
    }

    /// After an event that has just been applied: the curtain falls where the turn has passed.
    pub(super) fn curtain_falls(&mut self) {
        if !self.state.has_curtain() {
            return;
        }
        // The event told the clocks as they now are.
        self.curtains.believed = !self.state.is_curtained();
        let state = &self.state;
        let sessions = self.curtains.fall(|seat| state.stays_lifted(seat));
        if sessions.is_empty() {
            return;
        }
        let view = Box::new(self.view(Viewer::Spectator));
        let frame = Frame::new(self.state.id(), None, Told::Curtain { view });
        self.release.hold(self.state.number(), Held::Fallen { sessions, view: Rc::new(frame) });
    }

    /// Tells of a clock that runs or stands by the curtain alone. To be called once everything is
    /// durable.
    pub(super) fn tell_curtain(&mut self, now: Stamp) {
        let lifted = self.state.has_curtain() && !self.state.is_curtained();
        if lifted == self.curtains.believed {
            return;
        }
        self.curtains.believed = lifted;
        let clocks = self.state.running().and_then(|live| project::clocks(&self.state, live, now));
        let Some(clocks) = clocks else { return };
        let frame = Frame::new(self.state.id(), None, Told::Clocks { clocks });
        self.streams.broadcast(self.release.durable(), Audience::Everybody, &frame);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_falls_before_every_session_that_had_it_lifted_for_the_seat_that_has_moved() {
        let [one, two, three] = [1, 2, 3].map(SessionId);
        let mut curtains = Curtains::default();
        curtains.lift(one, Seat::One);
        curtains.lift(two, Seat::One);
        assert_eq!(curtains.fall(|seat| seat == Seat::One), []);
        assert_eq!(curtains.fall(|seat| seat == Seat::Two), [one, two]);
        assert!(curtains.is_down() && curtains.lifted(one).is_none());
        curtains.lift(three, Seat::Two);
        assert_eq!(curtains.lifted(three), Some(Seat::Two));
        assert!(curtains.lower(three) && !curtains.lower(three) && curtains.is_down());
    }
}
