//! The reducer against games of the rules core: events made one by one from a game, and whole
//! views of it, must come to the same.

use hexhall_proto::parts::{ClockReading, EndedBy, Offer, OfferClosed, OfferKind, Player};
use proptest::prelude::*;

use super::super::hall::Hall;
use super::*;
use crate::game::{self, Rules, Size};

const TABLE: &str = "tbl_01ARZ3NDEKTSV4RRFFQ69G5FAV";
const VIEWERS: [Viewer; 3] = [Viewer::SeatOne, Viewer::SeatTwo, Viewer::Spectator];

fn hall(size: u64, swap: game::Swap) -> Hall {
    let size = Size::new(size, size).unwrap();
    Hall::running(TABLE, Rules::new(size, swap, game::Goal::Join, 0).unwrap())
}

fn place(row: u8, col: u8) -> game::Move {
    game::Move::Place(game::Cell::new(row, col))
}

proptest! {
    /// Swaps are as likely as they can be, and now and then a few moves are taken back.
    #[test]
    fn events_one_by_one_come_to_what_a_fresh_view_says(
        (rows, cols) in (1u64..8, 1u64..8),
        swap in prop_oneof![Just(game::Swap::Off), Just(game::Swap::Sides), Just(game::Swap::Pieces)],
        viewer in prop::sample::select(VIEWERS.to_vec()),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 70),
        back in prop::collection::vec(any::<Option<prop::sample::Index>>(), 70),
    ) {
        let swap = if rows == cols || swap != game::Swap::Pieces { swap } else { game::Swap::Off };
        let size = Size::new(rows, cols).unwrap();
        let mut hall = Hall::running(TABLE, Rules::new(size, swap, game::Goal::Join, 0).unwrap());
        let mut copy = TableCopy::new(hall.view(viewer));
        for (ply, (choice, back)) in choices.iter().zip(back).enumerate() {
            if hall.game().outcome().is_some() {
                break;
            }
            let legal = hall.game().legal_moves();
            let swapping = hall.game().may_swap() && ply % 2 == 1;
            let action = if swapping { game::Move::Swap } else { *choice.get(&legal) };
            copy.apply(&hall.play(action)).unwrap();
            if let (Some(back), None) = (back, hall.game().outcome()) {
                let plies = back.index(hall.game().plies().len() + 1);
                if ply % 5 == 0 {
                    copy.apply(&hall.take_back(viewer, plies)).unwrap();
                }
            }
            if hall.game().outcome().is_none() {
                prop_assert_eq!(copy.view(), &hall.view(viewer));
            }
        }
        if hall.game().outcome().is_some() {
            copy.apply(&hall.end()).unwrap();
            prop_assert_eq!(copy.view(), &hall.view(viewer));
        }
    }
}

#[test]
fn a_missing_event_is_told_and_changes_nothing() {
    let mut hall = hall(5, game::Swap::Off);
    let mut copy = TableCopy::new(hall.view(Viewer::Spectator));
    let missed = hall.play(place(0, 0));
    let next = hall.play(place(1, 1));
    let before = copy.clone();
    assert_eq!(copy.apply(&next), Err(NotApplied::OutOfOrder { expected: 8, got: 9 }));
    assert_eq!(copy, before);
    copy.apply_run(Viewer::Spectator, &[missed, next.clone()]).unwrap();
    assert_eq!(copy.view(), &hall.view(Viewer::Spectator));
    assert_eq!(copy.apply(&next), Err(NotApplied::OutOfOrder { expected: 10, got: 9 }));
}

#[test]
fn a_run_of_another_viewers_events_is_refused() {
    let hall = hall(5, game::Swap::Off);
    let mut copy = TableCopy::new(hall.view(Viewer::SeatOne));
    let refused = copy.apply_run(Viewer::SeatTwo, &[]);
    let expected = NotApplied::OtherViewer { of: Viewer::SeatTwo, copy: Viewer::SeatOne };
    assert_eq!(refused, Err(expected));
}

#[test]
fn an_event_that_does_not_fit_is_refused_and_changes_nothing() {
    let mut hall = hall(5, game::Swap::Off);
    let mut copy = TableCopy::new(hall.view(Viewer::SeatOne));
    copy.apply(&hall.play(place(2, 2))).unwrap();
    let before = copy.clone();
    let stone = |cell| Event::Placed {
        seat: Seat::Two,
        color: Color::Blue,
        cell: Some(cell),
        turn: 3,
        to_move: Some(Seat::One),
        cpu: false,
        clocks: None,
    };
    let ended = Event::Ended {
        outcome: Outcome { winner: Some(Seat::One), by: EndedBy::Resignation },
        winning_path: None,
        reveal: None,
        clocks: None,
        score: [1, 0],
    };
    for (cell, why) in [
        (Cell(2, 2), "a stone stands on the cell already"),
        (Cell(5, 0), "the cell is not on the board"),
        (Cell(0, 5), "the cell is not on the board"),
        (Cell(-1, 0), "the cell is not on the board"),
    ] {
        let frame = StreamFrame { table: TABLE.into(), seq: Some(9), event: stone(cell) };
        assert_eq!(copy.apply(&frame), Err(NotApplied::Misfit(why)));
        assert_eq!(copy, before);
    }
    let unnumbered = StreamFrame { table: TABLE.into(), seq: None, event: stone(Cell(0, 0)) };
    assert_eq!(copy.apply(&unnumbered), Err(NotApplied::Unnumbered));
    let elsewhere = StreamFrame { table: "tbl_x".into(), seq: Some(9), event: stone(Cell(0, 0)) };
    assert!(matches!(copy.apply(&elsewhere), Err(NotApplied::OtherTable { .. })));
    copy.apply(&StreamFrame { table: TABLE.into(), seq: Some(9), event: ended }).unwrap();
    let late = StreamFrame { table: TABLE.into(), seq: Some(10), event: stone(Cell(0, 0)) };
    assert_eq!(copy.apply(&late), Err(NotApplied::Misfit("no game runs")));
}

#[test]
fn a_game_that_starts_with_the_seats_exchanged_brings_its_own_numbers() {
    let first = hall(5, game::Swap::Off);
    let mut copy = TableCopy::new(first.view(Viewer::SeatOne));
    let mut second = hall(5, game::Swap::Off);
    second.set_seq(90);
    let event = Event::Started { view: Box::new(second.view(Viewer::SeatTwo)) };
    copy.apply(&StreamFrame { table: TABLE.into(), seq: Some(90), event }).unwrap();
    assert_eq!((copy.seat(), copy.seq()), (Some(Seat::Two), 90));
    copy.apply(&second.play(place(0, 0))).unwrap();
    assert_eq!(copy.view(), &second.view(Viewer::SeatTwo));
}

#[test]
fn a_whole_view_for_a_slow_reader_closes_any_gap() {
    let mut hall = hall(5, game::Swap::Off);
    let mut copy = TableCopy::new(hall.view(Viewer::Spectator));
    hall.play(place(0, 0));
    hall.play(place(1, 1));
    let event = Event::View { view: Box::new(hall.view(Viewer::Spectator)) };
    copy.apply(&StreamFrame { table: TABLE.into(), seq: None, event }).unwrap();
    copy.apply(&hall.play(place(2, 2))).unwrap();
    assert_eq!(copy.view(), &hall.view(Viewer::Spectator));
}

#[test]
fn a_curtain_leaves_a_spectators_view_to_go_on_from() {
    let mut hall = hall(5, game::Swap::Off);
    let mut copy = TableCopy::new(hall.view(Viewer::SeatOne));
    copy.apply(&hall.play(place(0, 0))).unwrap();
    let event = Event::Curtain { view: Box::new(hall.view(Viewer::Spectator)) };
    copy.apply(&StreamFrame { table: TABLE.into(), seq: None, event }).unwrap();
    assert_eq!(copy.viewer(), Viewer::Spectator);
    let reading = ClockReading { left_ms: 5_000, periods: None, first_move_ms: None };
    let clocks = Clocks { running: Some(Seat::Two), seats: [reading; 2] };
    let event = Event::Clocks { clocks: clocks.clone() };
    copy.apply(&StreamFrame { table: TABLE.into(), seq: None, event }).unwrap();
    assert_eq!(copy.game().unwrap().clocks, Some(clocks));
    copy.apply(&hall.play(place(1, 1))).unwrap();
    assert_eq!(copy.timeless(), TableCopy::new(hall.view(Viewer::Spectator)).timeless());
}

#[test]
fn who_has_both_seats_may_move_whoever_is_to_move() {
    let mut hall = hall(5, game::Swap::Sides);
    let mut copy = TableCopy::new(hall.view(Viewer::Both));
    for (row, col) in [(0, 0), (1, 1), (2, 2)] {
        copy.apply(&hall.play(place(row, col))).unwrap();
        assert_eq!(copy.view(), &hall.view(Viewer::Both));
    }
}

#[test]
fn seats_offers_and_pauses_are_kept() {
    let mut hall = hall(5, game::Swap::Off);
    let mut copy = TableCopy::new(hall.view(Viewer::SeatTwo));
    let offer = Offer { id: 3, kind: OfferKind::Pause, by: Seat::One, expires_in_ms: 30_000 };
    copy.apply(&hall.frame(Event::Offered { offer: offer.clone() })).unwrap();
    assert_eq!(copy.view().offers, [offer]);
    copy.apply(&hall.frame(Event::OfferClosed { offer: 3, how: OfferClosed::Accepted })).unwrap();
    assert_eq!(copy.view().offers, []);
    let reading = ClockReading { left_ms: 5_000, periods: None, first_move_ms: None };
    let clocks = Some(Clocks { running: None, seats: [reading; 2] });
    copy.apply(&hall.frame(Event::Paused { clocks: clocks.clone() })).unwrap();
    assert!(copy.game().unwrap().paused);
    assert_eq!(copy.game().unwrap().clocks, clocks);
    copy.apply(&hall.frame(Event::Unpaused { clocks: None })).unwrap();
    assert!(!copy.game().unwrap().paused);
    copy.apply(&hall.frame(Event::Unseated { seat: Seat::One })).unwrap();
    assert_eq!(copy.view().seats[0], None);
    let player = Player { id: "plr_Cy".into(), name: "Cy".into(), cpu: None, bot: false };
    copy.apply(&hall.frame(Event::Seated { seat: Seat::One, player: player.clone() })).unwrap();
    assert_eq!(copy.view().seats[0], Some(player));
    copy.apply(&hall.frame(Event::Closed {})).unwrap();
    assert_eq!(copy.view().phase, Phase::Closed);
}

#[test]
fn a_takeover_is_known_until_the_player_is_back_or_the_game_is_over() {
    let mut hall = hall(5, game::Swap::Off);
    let mut copy = TableCopy::new(hall.view(Viewer::SeatOne));
    let driven = |copy: &TableCopy| copy.view().presence.seats.map(|seat| seat.cpu);
    let taken = Event::TakenOver { seat: Seat::Two, level: 5 };
    copy.apply(&hall.frame(taken.clone())).unwrap();
    assert_eq!(driven(&copy), [None, Some(5)]);
    copy.apply(&hall.frame(Event::Returned { seat: Seat::Two })).unwrap();
    assert_eq!(driven(&copy), [None, None]);
    copy.apply(&hall.frame(taken)).unwrap();
    let outcome = Outcome { winner: Some(Seat::One), by: EndedBy::Resignation };
    let ended =
        Event::Ended { outcome, winning_path: None, reveal: None, clocks: None, score: [1, 0] };
    copy.apply(&hall.frame(ended)).unwrap();
    assert_eq!(driven(&copy), [None, None]);
}

#[test]
fn what_changes_by_itself_is_not_compared() {
    let hall = hall(5, game::Swap::Off);
    let mut view = hall.view(Viewer::Spectator);
    let copy = TableCopy::new(view.clone());
    view.presence.watchers = 9;
    view.presence.seats[0] =
        SeatPresence { connected: false, countdown_ms: Some(10_000), claimable: false, cpu: None };
    assert_ne!(copy.view(), &view);
    assert_eq!(copy.timeless(), TableCopy::new(view).timeless());
}
