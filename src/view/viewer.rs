//! Whose eyes a stream is cut for.

use hexhall_proto::parts;

use crate::game::Seat;
use crate::ids::PlayerId;
use crate::table::state::{Holds, State};

/// Whose eyes a stream is cut for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Viewer {
    /// The player in this seat.
    Seat(Seat),
    /// The one player who holds both seats of a game that hides nothing. Reads the stream that
    /// would be seat 1's, which has no other reader there.
    Both,
    /// Everybody else.
    Spectator,
}

impl Viewer {
    /// Every viewer of a table with a player in each seat.
    pub const ALL: [Viewer; 3] =
        [Viewer::Seat(Seat::One), Viewer::Seat(Seat::Two), Viewer::Spectator];

    /// 0, 1 or 2, to index three by.
    pub const fn index(self) -> usize {
        match self {
            Viewer::Seat(seat) => seat.index(),
            Viewer::Both => Seat::One.index(),
            Viewer::Spectator => 2,
        }
    }

    /// Every viewer of this table, by [`Viewer::index`].
    pub fn all_at(state: &State) -> [Viewer; 3] {
        if state.options().pass_and_play() && !state.has_curtain() {
            [Viewer::Both, Viewer::Seat(Seat::Two), Viewer::Spectator]
        } else {
            Viewer::ALL
        }
    }

    /// Whose eyes a player has at a table. Behind a curtain those are a spectator's.
    pub fn at(state: &State, player: PlayerId) -> Viewer {
        match state.holds(player) {
            Holds::Both if !state.has_curtain() => Viewer::Both,
            Holds::Both | Holds::Nothing => Viewer::Spectator,
            Holds::One(seat) => Viewer::Seat(seat),
        }
    }

    /// The viewer who has this seat, or none.
    pub fn of(seat: Option<Seat>) -> Viewer {
        seat.map_or(Viewer::Spectator, Viewer::Seat)
    }

    /// On the wire.
    pub const fn wire(self) -> parts::Viewer {
        match self {
            Viewer::Seat(Seat::One) => parts::Viewer::SeatOne,
            Viewer::Seat(Seat::Two) => parts::Viewer::SeatTwo,
            Viewer::Both => parts::Viewer::Both,
            Viewer::Spectator => parts::Viewer::Spectator,
        }
    }
}
