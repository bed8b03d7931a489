//! The computer in a seat: what it is asked depends on nothing that its seat does not know, and what
//! others are told of its moves on nothing that they may not know.

use std::sync::Arc;

use hexhall::game::Seat;
use hexhall::view::Viewer;
use hexhall::wire;
use hexhall_proto::codec::Format;
use hexhall_proto::parts::Move;
use hexhall_proto::reply::Reply;
use hexhall_proto::request::{CpuSeat, Open, PlayMove, Request, Watch};

use super::pairs::Trio;
use super::story::{options, replies};
use super::{key, seeds};
use crate::harness::piped::{Piped, PipedPeer};
use crate::harness::thinker::{Questions, scripted};
use crate::harness::venue::Venue;

/// How many trios are played with the computer in either seat.
const TRIOS: u64 = 400;

/// A practice game of a trio.
struct Practice {
    venue: Piped,
    computer: Questions,
    /// The computer's.
    seat: Seat,
    player: PipedPeer,
    watcher: PipedPeer,
    table: String,
    game: String,
}

/// What came of one: what the computer was asked, and what the player and a spectator were sent.
#[derive(Default)]
struct Traces {
    asked: Vec<String>,
    played: Vec<u8>,
    watched: Vec<u8>,
}

impl Practice {
    fn open(trio: &Trio, seat: Seat) -> (Practice, Traces) {
        let (thinker, computer) = scripted();
        let mut venue = Piped::with_thinker(key(trio), Arc::clone(&thinker) as _);
        let [ana, cy] = ["Ana", "Cy"].map(|name| venue.player(name));
        let mut player = venue.session(&ana, Format::Json);
        let mut watcher = venue.session(&cy, Format::MsgPack);
        let cpu = Some(CpuSeat { level: 5, seat: Some(wire::seat(seat)) });
        venue.heard(&mut player);
        venue.ask(
            &mut player,
            Request::Open(Open { options: options(trio), private: false, cpu, party: None }),
        );
        let opened = venue.heard(&mut player);
        let view = replies(Format::Json, &opened).find_map(|reply| match reply {
            Reply::Opened { view, .. } => Some(view),
            _ => None,
        });
        let view = view.expect("a table");
        let (table, game) = (view.table, view.game.expect("a game at once").id);
        let watch = Watch { table: table.clone(), invitation: None, last: None };
        venue.ask(&mut watcher, Request::Watch(watch));
        let traces = Traces { played: opened, ..Traces::default() };
        (Practice { venue, computer, seat, player, watcher, table, game }, traces)
    }

    /// The game `which` of a trio, with the computer in that seat.
    fn play(trio: &Trio, which: usize, seat: Seat) -> Traces {
        let (mut practice, mut traces) = Practice::open(trio, seat);
        for (turn, attempt) in (0..).zip(&trio.games[which]) {
            practice.venue.advance(turn % 3 * 400);
            if attempt.seat == practice.seat {
                let question = practice.computer.now().expect("the computer is asked");
                traces.asked.push(format!("{:?}", question.task));
                assert!(question.answer(&attempt.cell.to_string()), "somebody waits for it");
                practice.venue.advance(0);
            } else {
                assert!(practice.computer.now().is_none(), "asked out of turn");
                let action = Move::Place(wire::cell(attempt.cell));
                let (table, game) = (practice.table.clone(), practice.game.clone());
                let command = format!("attempt-{turn}");
                let play = PlayMove { table, game, command, turn, action, seat: None };
                practice.venue.ask(&mut practice.player, Request::Move(play));
            }
            traces.played.extend(practice.venue.heard(&mut practice.player));
            traces.watched.extend(practice.venue.heard(&mut practice.watcher));
        }
        traces
    }
}

#[test]
fn the_computer_is_asked_nothing_that_its_seat_does_not_know_and_its_moves_tell_nothing_more() {
    let mut compared = [0; 3];
    for seed in seeds(TRIOS) {
        let trio = Trio::new(seed);
        let of = |seat| [0, 1, 2].map(|which| Practice::play(&trio, which, seat));
        let alike = |traces: &[Traces; 3], of: fn(&Traces) -> &dyn std::fmt::Debug| {
            let [one, two, three] = traces.each_ref().map(|traces| format!("{:?}", of(traces)));
            assert_eq!(one, two, "HEXHALL_SEED={seed}: {trio:?}");
            assert_eq!(two, three, "HEXHALL_SEED={seed}: {trio:?}");
        };
        match trio.viewer {
            Viewer::Seat(seat) => {
                let own = of(seat);
                alike(&own, |traces| &traces.asked);
                compared[0] += own[0].asked.len();
                let others = of(seat.other());
                alike(&others, |traces| &traces.played);
                compared[1] += others[0].played.len();
            }
            Viewer::Both | Viewer::Spectator => {
                let traces = of(Seat::BOTH[usize::try_from(seed % 2).unwrap()]);
                alike(&traces, |traces| &traces.watched);
                compared[2] += traces[0].watched.len();
            }
        }
    }
    if seeds(TRIOS) == (0..TRIOS) {
        assert!(compared.into_iter().all(|compared| compared > 500), "{compared:?}");
    }
}
