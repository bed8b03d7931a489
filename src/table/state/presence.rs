//! Who is there. Known from connections alone, so it is no part of the journal.

use std::collections::BTreeMap;

use crate::game::Seat;
use crate::game::clock::{Millis, Stamp};
use crate::ids::PlayerId;

/// Whether the players of both seats are there, and the members of a party, and since when not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Presence {
    seats: [Here; 2],
    /// Of the members, those of whom anything is known.
    members: BTreeMap<PlayerId, Here>,
    /// Since when anything is known; of the others, that they are gone since then.
    since: Stamp,
}

/// Whether a seat's player is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Here {
    /// With at least one session.
    Yes,
    /// Not, since then, and whether the player said so.
    Gone { since: Stamp, said_so: bool },
}

impl Presence {
    /// Nobody there, as of `at`.
    pub const fn none(at: Stamp) -> Presence {
        let seats = [Here::Gone { since: at, said_so: false }; 2];
        Presence { seats, members: BTreeMap::new(), since: at }
    }

    /// The seat's player has a session here. Says whether that is news.
    pub fn came(&mut self, seat: Seat) -> bool {
        let before = std::mem::replace(&mut self.seats[seat.index()], Here::Yes);
        before != Here::Yes
    }

    /// The seat's player has no session here any more, and said so or not: they may also say so when
    /// they have gone. Says whether that is news.
    pub fn went(&mut self, seat: Seat, at: Stamp, said_so: bool) -> bool {
        let here = &mut self.seats[seat.index()];
        let before = *here;
        *here = match before {
            Here::Yes => Here::Gone { since: at, said_so },
            Here::Gone { since, said_so: said_before } => {
                Here::Gone { since, said_so: said_before || said_so }
            }
        };
        *here != before
    }

    /// The players changed seats.
    pub fn exchange(&mut self) {
        self.seats.swap(0, 1);
    }

    /// The seat has another player, or none, who is not there.
    pub fn vacate(&mut self, seat: Seat, at: Stamp) {
        self.seats[seat.index()] = Here::Gone { since: at, said_so: false };
    }

    /// Whether any session of the seat's player is there.
    pub fn is_here(&self, seat: Seat) -> bool {
        self.seats[seat.index()] == Here::Yes
    }

    /// Since when nobody is there for the seat, and whether its player said so.
    pub fn gone(&self, seat: Seat) -> Option<(Stamp, bool)> {
        match self.seats[seat.index()] {
            Here::Yes => None,
            Here::Gone { since, said_so } => Some((since, said_so)),
        }
    }

    /// Since when anything is known of who is there.
    pub fn known_since(&self) -> Stamp {
        self.since
    }

    /// Since when nobody is there for either seat.
    pub fn both_gone(&self) -> Option<Stamp> {
        let since = |seat| self.gone(seat).map(|(since, _)| since);
        Some(since(Seat::One)?.max(since(Seat::Two)?))
    }
}

/// The members of a party.
impl Presence {
    /// A member has some session here, or none and said so or not. Says whether that is news.
    pub fn note_member(&mut self, id: PlayerId, here: bool, at: Stamp, said_so: bool) -> bool {
        if self.is_member_here(id) == here {
            return false;
        }
        let now = if here { Here::Yes } else { Here::Gone { since: at, said_so } };
        self.members.insert(id, now);
        true
    }

    /// Somebody became a member.
    pub fn joins(&mut self, id: PlayerId, at: Stamp) {
        self.members.insert(id, Here::Gone { since: at, said_so: false });
    }

    /// Somebody is a member no more.
    pub fn forgets(&mut self, id: PlayerId) {
        self.members.remove(&id);
    }

    /// Whether any session of the member is there.
    pub fn is_member_here(&self, id: PlayerId) -> bool {
        self.members.get(&id) == Some(&Here::Yes)
    }

    /// Since when the member is not there, and whether they said so.
    pub fn member_gone(&self, id: PlayerId) -> Option<(Stamp, bool)> {
        match self.members.get(&id) {
            Some(Here::Yes) => None,
            Some(Here::Gone { since, said_so }) => Some((*since, *said_so)),
            None => Some((self.since, false)),
        }
    }
}

/// How long a seat's player may be gone from a running game before the table acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Countdown {
    /// After the last connection is lost.
    pub lost_ms: Millis,
    /// After the player said that they go.
    pub said_so_ms: Millis,
    /// Games that are thought to take a seat longer than this have twice as long.
    pub slow_ms: Millis,
}

impl Countdown {
    /// How long it is in a game that may take a seat `estimated_ms`.
    pub fn length(&self, said_so: bool, estimated_ms: Option<Millis>) -> Millis {
        let base = if said_so { self.said_so_ms } else { self.lost_ms };
        let slow = estimated_ms.is_none_or(|estimated| estimated > self.slow_ms);
        if slow { base * 2 } else { base }
    }
}
