//! Whose eyes a stream is cut for.

use hexhall_proto::parts;

use crate::game::Seat;

/// Whose eyes a stream is cut for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Viewer {
    /// The player in this seat.
    Seat(Seat),
    /// Everybody else.
    Spectator,
}

impl Viewer {
    /// Every viewer of a table.
    pub const ALL: [Viewer; 3] =
        [Viewer::Seat(Seat::One), Viewer::Seat(Seat::Two), Viewer::Spectator];

    /// 0, 1 or 2, to index three by.
    pub const fn index(self) -> usize {
        match self {
            Viewer::Seat(seat) => seat.index(),
            Viewer::Spectator => 2,
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
            Viewer::Spectator => parts::Viewer::Spectator,
        }
    }
}
