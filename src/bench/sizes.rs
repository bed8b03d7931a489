//! How large the frames of a move are, so that the floor carries the same.

use hexhall_proto::codec::{Format, Frame, encode};
use hexhall_proto::event::{Event, StreamFrame};
use hexhall_proto::parts::{Cell, ClockReading, Clocks, Color, Move, Seat};
use hexhall_proto::reply::{Reply, ReplyFrame};
use hexhall_proto::request::{PlayMove, Request, RequestFrame};

use crate::ids::{GameId, TableId};

/// The frames of one move in the middle of a game with a clock, in bytes, in MessagePack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sizes {
    /// The request.
    pub request: usize,
    /// Its reply.
    pub moved: usize,
    /// The event, to each follower.
    pub placed: usize,
}

impl Sizes {
    /// As the server and its players write them.
    pub fn typical() -> Sizes {
        let table = TableId::from_parts(0, 0).to_string();
        let game = GameId::from_parts(0, 0).to_string();
        let (turn, id) = (40, 50);
        let cell = Cell(5, 5);
        let reading = ClockReading { left_ms: 295_000, periods: None, first_move_ms: None };
        let clocks = Clocks { running: Some(Seat::Two), seats: [reading; 2] };
        let request = Request::Move(PlayMove {
            table: table.clone(),
            game,
            command: "40".into(),
            turn,
            action: Move::Place(cell),
            seat: None,
        });
        let placed = Event::Placed {
            seat: Seat::One,
            color: Color::Red,
            cell: Some(cell),
            turn,
            to_move: Some(Seat::Two),
            cpu: false,
            clocks: Some(clocks),
        };
        Sizes {
            request: len(&RequestFrame { id, request }),
            moved: len(&ReplyFrame {
                re: Some(id),
                reply: Reply::Moved { turn, collision: false },
            }),
            placed: len(&StreamFrame { table, seq: Some(turn), event: placed }),
        }
    }
}

fn len(frame: &impl Frame) -> usize {
    encode(Format::MsgPack, frame).len()
}
