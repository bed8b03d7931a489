//! Takebacks, pauses, more time, and games that are taken back before they begin.

use hexhall_proto::error::Code;
use hexhall_proto::event::Event;
use hexhall_proto::options::OptionsRequest;
use hexhall_proto::options::{Swap, Time};
use hexhall_proto::parts::{Color, EndedBy, Move, OfferClosed, OfferKind, Outcome, Seat};
use hexhall_proto::reply::Reply;
use hexhall_proto::request::{Request, WithdrawOffer};

use super::Party;
use crate::harness::guest::refused_with;
use crate::harness::{board, fischer};

#[tokio::test]
async fn a_takeback_goes_back_to_before_the_askers_last_move_and_the_turn_still_rises() {
    let mut party = Party::gather(board(3, fischer(60, 0))).await;
    let table = party.table.clone();
    party.played(&["a1", "b1", "c1"]).await;
    party.hall.advance(5_000);
    // Bo's last move goes, and Ana's answer to it.
    let offer = party.two.offer(&table, OfferKind::Takeback).await;
    let late = party.two.stone(&table, "a2");
    let accept = party.one.answer(&table, offer, true);
    party.one.done(accept).await;
    for guest in party.everybody() {
        let back = |event: &Event| matches!(event, Event::TakenBack { .. });
        guest.hears(&table, "the takeback", back).await;
        let game = guest.copy(&table).game().unwrap();
        assert_eq!((game.moves.len(), game.turn, game.to_move), (1, 4, Some(Seat::Two)));
        assert_eq!(game.board, ["r..", "...", "..."]);
        let clocks = game.clocks.as_ref().unwrap();
        assert_eq!(clocks.seats.map(|it| it.left_ms), [60_000, 55_000], "clocks stay as they are");
    }
    // A move for the position that is gone can never land in this one.
    let body = refused_with(&mut party.two, Code::StaleTurn, Request::Move(late)).await;
    assert_eq!(body.turn, Some(4));
    party.two.play(&table, "c3").await;
}

#[tokio::test]
async fn taking_back_a_swap_restores_the_colours_and_the_right_to_swap() {
    let options = OptionsRequest { swap: Some(Swap::Sides), ..board(3, Time::None {}) };
    let mut party = Party::gather(options).await;
    let table = party.table.clone();
    party.played(&["b2"]).await;
    let swap = party.two.action(&table, Move::Swap);
    assert_eq!(
        party.two.ask(Request::Move(swap)).await,
        Reply::Moved { turn: 2, collision: false }
    );
    party.settled().await;
    assert_eq!(party.one.copy(&table).game().unwrap().colors, [Color::Blue, Color::Red]);
    let offer = party.two.offer(&table, OfferKind::Takeback).await;
    let accept = party.one.answer(&table, offer, true);
    party.one.done(accept).await;
    party.settled().await;
    assert_eq!(party.one.copy(&table).game().unwrap().colors, [Color::Red, Color::Blue]);
    let again = party.two.action(&table, Move::Swap);
    assert_eq!(
        party.two.ask(Request::Move(again)).await,
        Reply::Moved { turn: 4, collision: false }
    );
}

#[tokio::test]
async fn an_offer_is_closed_once_by_a_refusal_a_withdrawal_a_move_or_time() {
    let mut party = Party::gather(board(3, fischer(600, 0))).await;
    let table = party.table.clone();
    party.played(&["a1", "b1"]).await;

    let offer = party.one.offer(&table, OfferKind::Takeback).await;
    let refuse = party.two.answer(&table, offer, false);
    party.two.done(refuse).await;
    closes(&mut party, offer, OfferClosed::Declined).await;

    let offer = party.one.offer(&table, OfferKind::Takeback).await;
    let command = party.one.command_name();
    let withdraw = WithdrawOffer { table: table.clone(), command, offer };
    party.one.done(Request::Withdraw(withdraw)).await;
    closes(&mut party, offer, OfferClosed::Withdrawn).await;

    let offer = party.two.offer(&table, OfferKind::Takeback).await;
    party.one.play(&table, "a2").await;
    closes(&mut party, offer, OfferClosed::Void).await;

    let offer = party.one.offer(&table, OfferKind::Pause).await;
    party.hall.advance(30_000);
    closes(&mut party, offer, OfferClosed::Expired).await;
    let late = party.two.answer(&table, offer, true);
    refused_with(&mut party.two, Code::NoOffer, late).await;
}

async fn closes(party: &mut Party, number: u64, expected: OfferClosed) {
    let table = party.table.clone();
    for guest in party.everybody() {
        let closed = |event: &Event| matches!(event, Event::OfferClosed { .. });
        let frame = guest.hears(&table, "the offer's end", closed).await;
        assert_eq!(frame.event, Event::OfferClosed { offer: number, how: expected });
        assert_eq!(guest.copy(&table).view().offers, []);
    }
}

#[tokio::test]
async fn a_pause_stops_the_clocks_until_either_seat_goes_on() {
    let mut party = Party::gather(board(3, fischer(60, 0))).await;
    let table = party.table.clone();
    party.played(&["a1", "b1"]).await;
    party.hall.advance(10_000);
    let offer = party.two.offer(&table, OfferKind::Pause).await;
    let accept = party.one.answer(&table, offer, true);
    party.one.done(accept).await;
    for guest in party.everybody() {
        guest.until(&table, "the pause", |copy| copy.game().unwrap().paused).await;
        assert_eq!(guest.clocks(&table).running, None);
    }
    party.hall.advance(3_600_000);
    let unpause = party.two.command(&table);
    party.two.done(Request::Unpause(unpause)).await;
    for guest in party.everybody() {
        let unpaused = |event: &Event| matches!(event, Event::Unpaused { .. });
        guest.hears(&table, "the end of the pause", unpaused).await;
        let clocks = guest.clocks(&table);
        assert_eq!(clocks.running, Some(Seat::One));
        assert_eq!(clocks.seats.map(|seat| seat.left_ms), [50_000, 60_000]);
    }
    party.hall.advance(50_000);
    let by_time = Outcome { winner: Some(Seat::Two), by: EndedBy::Time };
    for guest in party.everybody() {
        guest.until(&table, "the end", |copy| copy.outcome() == Some(by_time)).await;
    }
}

#[tokio::test]
async fn time_that_a_seat_gives_puts_the_others_flag_off() {
    let mut party = Party::gather(board(3, fischer(60, 0))).await;
    let table = party.table.clone();
    party.played(&["a1", "b1"]).await;
    party.hall.advance(59_999);
    let give = party.two.command(&table);
    party.two.done(Request::GiveTime(give)).await;
    for guest in party.everybody() {
        let given = |event: &Event| matches!(event, Event::TimeGiven { .. });
        let frame = guest.hears(&table, "more time", given).await;
        let Event::TimeGiven { seat, ms, clocks } = frame.event else { unreachable!() };
        assert_eq!((seat, ms), (Seat::One, 15_000));
        assert_eq!(clocks.unwrap().seats[0].left_ms, 15_001);
    }
    party.hall.advance(15_000);
    party.one.play(&table, "a2").await;
    assert_eq!(party.one.clocks(&table).seats[0].left_ms, 1);
}

#[tokio::test]
async fn a_game_in_which_a_seat_has_not_moved_can_be_taken_back_by_either() {
    for by_two in [false, true] {
        let mut party = Party::gather(board(3, Time::None {})).await;
        let table = party.table.clone();
        party.played(&["a1"]).await;
        let asker = if by_two { &mut party.two } else { &mut party.one };
        let abort = asker.command(&table);
        asker.done(Request::Abort(abort)).await;
        let void = Outcome { winner: None, by: EndedBy::Aborted };
        for guest in party.everybody() {
            guest.until(&table, "the end", |copy| copy.outcome() == Some(void)).await;
            assert_eq!(guest.copy(&table).view().score, [0, 0]);
        }
    }
}
