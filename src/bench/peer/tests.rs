//! That a measurement's glance at a frame sees what a whole reading would.

use hexhall_proto::error::{Code, ErrorBody};
use hexhall_proto::options::Swap;
use hexhall_proto::parts::{Cell, Color, EndedBy, Outcome, Player, Seat, Viewer};
use hexhall_proto::reply::{Limits, Welcome};

use super::*;
use crate::game::clock::Stamp;
use crate::ids::TableId;

fn heard(seq: u64, event: Event) -> Heard {
    let table = TableId::from_parts(Stamp(1_700_000_000_000).0, u128::MAX).to_string();
    let frame = StreamFrame { table, seq: Some(seq), event };
    Heard::from_server(&codec::encode(Format::MsgPack, &frame))
}

#[test]
fn a_glance_tells_moves_ends_and_refusals_apart() {
    let (seat, color, cell) = (Seat::One, Color::Red, Cell(10, 10));
    let placed = Event::Placed {
        seat,
        color,
        cell: Some(cell),
        turn: 7,
        to_move: None,
        cpu: false,
        clocks: None,
    };
    let swapped = Event::Swapped {
        seat,
        swap: Swap::Sides,
        cell,
        color,
        colors: [Color::Red, Color::Blue],
        turn: 1,
        to_move: None,
        cpu: false,
        clocks: None,
    };
    let outcome = Outcome { winner: None, by: EndedBy::Aborted };
    let ended =
        Event::Ended { outcome, winning_path: None, reveal: None, clocks: None, score: [0, 0] };
    for seq in [0, 1_000, u64::MAX] {
        assert_eq!(heard(seq, placed.clone()), Heard::Moved);
        assert_eq!(heard(seq, swapped.clone()), Heard::Moved);
        assert_eq!(heard(seq, ended.clone()), Heard::Ended);
        assert_eq!(heard(seq, Event::Closed {}), Heard::Other);
    }
    let refused = Reply::Error(ErrorBody::new(Code::Busy, "placed ended moved"));
    let reply = |reply| codec::encode(Format::MsgPack, &ReplyFrame { re: Some(u64::MAX), reply });
    assert_eq!(Heard::from_server(&reply(refused)), Heard::Refused);
    assert_eq!(
        Heard::from_server(&reply(Reply::Moved { turn: 9, collision: false })),
        Heard::Other
    );
    assert_eq!(Heard::from_server(&[]), Heard::Other);
}

#[test]
fn a_glance_tells_the_answers_of_one_who_comes_back() {
    let reply = |reply| codec::encode(Format::MsgPack, &ReplyFrame { re: Some(u64::MAX), reply });
    let table = TableId::from_parts(Stamp(1_700_000_000_000).0, u128::MAX).to_string();
    let resumed = Reply::Resumed {
        table,
        viewer: Viewer::SeatOne,
        events: Vec::new(),
        clocks: None,
        plan: None,
    };
    let player =
        Player { id: "plr_1".to_owned(), name: "resumed".to_owned(), cpu: None, bot: false };
    let limits = Limits { frame_bytes: 1, requests_seated: 1, requests_watching: 1, window_s: 1 };
    let (server, notices) = ("0.1.0".to_owned(), Vec::new());
    let welcome = Welcome { player, token: None, server, now_ms: 1, limits, notices };
    let (resumed, welcome) = (reply(resumed), reply(Reply::Welcome(welcome)));
    for (frame, is_welcome) in [(&resumed, false), (&welcome, true)] {
        assert_eq!(tells(frame, Answer::WELCOME.0), is_welcome);
        assert_eq!(tells(frame, Answer::RESUMED.0), !is_welcome);
    }
}
