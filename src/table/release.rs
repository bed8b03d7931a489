//! What a table holds back until the journal has committed what it tells.

use std::collections::VecDeque;
use std::rc::Rc;

use bytes::Bytes;

use crate::game::Seat;
use crate::ids::{PlayerId, SessionId};
use crate::store::TableRow;

use super::handle::ReplyTo;
use super::streams::{Frame, Told};

/// Something to be let go of.
pub enum Held {
    /// What each viewer is told of one event. With it the players may have changed seats.
    Told {
        /// The frames.
        told: Told,
        /// Whether the players change seats by it.
        exchange: bool,
    },
    /// What one seat alone is told of it.
    Whispered {
        /// The seat.
        seat: Seat,
        /// What its sessions are told.
        frame: Rc<Frame>,
    },
    /// A player sits elsewhere now, or no more, and sees the table anew.
    Reseat {
        /// The player.
        player: PlayerId,
        /// The seat, if any.
        seat: Option<Seat>,
        /// What they see.
        view: Rc<Frame>,
    },
    /// A member was sent away from a private table, and follows it no more.
    Expelled(PlayerId),
    /// A session starts afresh.
    Fresh {
        /// The session.
        session: SessionId,
        /// What it sees.
        view: Rc<Frame>,
    },
    /// A session has lifted the curtain for a seat.
    Lifted {
        /// The session.
        session: SessionId,
        /// The seat whose stream it goes on with.
        seat: Seat,
    },
    /// The curtain has fallen before these sessions.
    Fallen {
        /// Who goes on with a spectator's stream.
        sessions: Vec<SessionId>,
        /// What they see.
        view: Rc<Frame>,
    },
    /// The reply to a request.
    Reply {
        /// Where it goes.
        reply: ReplyTo,
        /// What it says.
        frame: Bytes,
    },
    /// What lists show has changed.
    Listed(TableRow),
    /// Something else to be done then, as telling others within the server.
    Then(Box<dyn FnOnce() + Send>),
}

/// What is held back, in the order of the events that it tells of.
pub struct Release {
    held: VecDeque<(u64, Held)>,
    durable: u64,
}

impl Release {
    /// Nothing yet, with everything up to this number durable.
    pub fn new(durable: u64) -> Release {
        Release { held: VecDeque::new(), durable }
    }

    /// Holds something back until the event of this number is durable.
    pub fn hold(&mut self, number: u64, held: Held) {
        debug_assert!(self.held.back().is_none_or(|(last, _)| *last <= number));
        self.held.push_back((number, held));
    }

    /// Takes out the next that may go, now that everything up to `durable` is so.
    pub fn next_up_to(&mut self, durable: u64) -> Option<(u64, Held)> {
        debug_assert!(durable >= self.durable, "what is durable stays so");
        self.durable = durable;
        self.held.pop_front_if(|(number, _)| *number <= durable)
    }

    /// Forgets what a session has lifted: it follows afresh.
    pub fn forget_lifts(&mut self, of: SessionId) {
        self.held.retain(|(_, it)| !matches!(it, Held::Lifted { session, .. } if *session == of));
    }

    /// Whether it is not durable yet that a player sits elsewhere, or no more.
    pub fn reseats(&self, of: PlayerId) -> bool {
        self.held.iter().any(|(_, it)| matches!(it, Held::Reseat { player, .. } if *player == of))
    }

    /// The number up to which everything is durable.
    pub fn durable(&self) -> u64 {
        self.durable
    }

    /// Whether nothing is held back.
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told() -> Held {
        Held::Told { told: [None, None, None], exchange: false }
    }

    fn up_to(release: &mut Release, durable: u64) -> Vec<(u64, Held)> {
        std::iter::from_fn(|| release.next_up_to(durable)).collect()
    }

    fn numbers(released: &[(u64, Held)]) -> Vec<u64> {
        released.iter().map(|(number, _)| *number).collect()
    }

    #[test]
    fn nothing_is_let_go_of_before_it_is_durable() {
        let mut release = Release::new(0);
        for number in [1, 2, 2, 3] {
            release.hold(number, told());
        }
        assert!(up_to(&mut release, 0).is_empty());
        assert_eq!(numbers(&up_to(&mut release, 2)), [1, 2, 2]);
        assert_eq!((release.is_empty(), release.durable()), (false, 2));
        assert_eq!(numbers(&up_to(&mut release, 5)), [3]);
        assert!(release.is_empty());
        assert_eq!(release.durable(), 5);
    }

    #[test]
    fn what_tells_of_nothing_new_goes_at_once_and_in_its_turn() {
        let mut release = Release::new(7);
        release.hold(7, told());
        assert_eq!(numbers(&up_to(&mut release, 7)), [7]);
        release.hold(8, told());
        release.hold(8, Held::Then(Box::new(|| ())));
        assert!(up_to(&mut release, 7).is_empty());
        let released = up_to(&mut release, 8);
        assert!(matches!(released[..], [(8, Held::Told { .. }), (8, Held::Then(_))]));
    }
}
