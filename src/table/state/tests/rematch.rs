//! One game after another: who sits where, who is red, what the score says.

use super::*;
use crate::game::Color;
use hexhall_proto::options::FirstMove;

fn fixed() -> OptionsRequest {
    OptionsRequest { first_move: Some(FirstMove::Fixed), ..small() }
}

/// Ana resigns the running game and the next one begins.
fn ana_loses_and_they_play_on(table: &mut Table) {
    let resign = Command::Resign(table.game_now());
    assert_eq!(table.gives(ANA, resign), Ok(Answer::Done));
    let offer = table.offers(ANA, OfferKind::Rematch);
    table.answers(BO, offer, true);
    table.check();
}

#[test]
fn both_asking_at_once_makes_one_game() {
    let mut table = Table::finished(&small());
    let rematch = table.offer(OfferKind::Rematch);
    assert_eq!(table.sends(ANA, "a", rematch), Ok(Answer::Offered(1)));
    assert_eq!(table.sends(BO, "b", rematch), Ok(Answer::Offered(1)));
    assert_eq!((table.state.games(), table.state.phase()), (2, Phase::Playing));
    // Both ask once more, for want of an answer.
    assert_eq!(table.sends(ANA, "a", rematch), Ok(Answer::Offered(1)));
    assert_eq!(table.sends(BO, "b", rematch), Ok(Answer::Offered(1)));
    // And once more under another name: that means the game before.
    assert_eq!(table.refuses(ANA, rematch), Refusal::OtherGame(table.game_now()));
    assert_eq!((table.state.games(), table.state.offers().len()), (2, 0));
    let started = table.journal.iter().filter(|event| matches!(event, Event::Started { .. }));
    assert_eq!(started.count(), 2);
    table.check();
}

#[test]
fn players_exchange_seats_and_colours_at_every_rematch() {
    let mut table = Table::under_way(&small());
    for (game, seats, score) in [
        (2, [BO, ANA], [1, 0]),
        (3, [ANA, BO], [0, 2]),
        (4, [BO, ANA], [3, 0]),
        (5, [ANA, BO], [0, 4]),
    ] {
        ana_loses_and_they_play_on(&mut table);
        assert_eq!(table.seats(), seats.map(|who| Some(id(who))));
        assert_eq!((table.state.games(), table.state.score()), (game, score));
        assert_eq!(table.live().game.color(One), Color::Red, "seat 1 is red and moves first");
        assert_eq!(table.live().clock.running(), Some(One));
        assert_eq!((table.live().turn, table.left()), (0, [300_000, 300_000]));
        assert!(Seat::BOTH.map(|seat| table.state.presence().is_here(seat)) == [true; 2]);
        table.plays(seats[0], "a1");
        // The colours of a swapped game stay in that game.
        let swap = table.action(Move::Swap);
        table.gives(seats[1], swap).unwrap();
        table.check();
    }
}

#[test]
fn with_a_fixed_first_move_everybody_keeps_their_seat() {
    let mut table = Table::under_way(&fixed());
    for lost in 1..4 {
        ana_loses_and_they_play_on(&mut table);
        assert_eq!(table.seats(), [Some(id(ANA)), Some(id(BO))]);
        assert_eq!(table.state.score(), [0, lost]);
    }
}

#[test]
fn presence_and_round_trips_go_with_the_players() {
    let mut table = Table::finished(&small());
    table.state.note_round_trip(One, 50);
    let offer = table.offers(ANA, OfferKind::Rematch);
    table.goes(ANA, true);
    table.answers(BO, offer, true);
    assert!(table.state.presence().is_here(One) && !table.state.presence().is_here(Two));
    assert_eq!(table.state.round_trips, [0, 50]);
}

#[test]
fn a_rematch_is_open_to_both_for_five_minutes() {
    let mut table = Table::finished(&small());
    let offer = table.offers(BO, OfferKind::Rematch);
    assert_eq!(table.at(299_999).due(), []);
    table.at(300_000);
    let answer = Command::Answer { offer, accept: true };
    assert_eq!(table.refuses(ANA, answer), Refusal::NoOffer(offer));
    table.wakes();
    assert_eq!((table.state.offers(), table.state.games()), (&[][..], 1));
    table.check();
}

#[test]
fn a_rematch_that_lapsed_unnoticed_cannot_start_a_game_within_the_next() {
    let mut table = Table::finished(&small());
    let first = table.offers(ANA, OfferKind::Rematch);
    let second = table.at(300_000).offers(BO, OfferKind::Rematch);
    table.answers(ANA, second, true);
    assert_eq!((table.state.games(), table.state.offers()), (2, &[][..]));
    table.at(299_999);
    let answer = Command::Answer { offer: first, accept: true };
    assert_eq!(table.refuses(BO, answer), Refusal::NoOffer(first));
    table.check();
}

#[test]
fn without_an_opponent_there_is_no_rematch() {
    let mut table = Table::finished(&small());
    let game = table.game_now();
    table.leaves(BO);
    let rematch = Command::Offer(game, OfferKind::Rematch);
    assert!(matches!(table.refuses(ANA, rematch), Refusal::CannotOffer(_)));
}

#[test]
fn every_game_has_an_opening_of_its_own() {
    let request = OptionsRequest {
        size: Some(11),
        random_stones: Some(4),
        swap: Some(wire::Swap::Off),
        ..small()
    };
    let mut table = Table::game(&request);
    let first = table.live().game.opening().to_vec();
    ana_loses_and_they_play_on(&mut table);
    assert_eq!(first.len(), 8);
    assert_ne!(table.live().game.opening(), first);
    table.check();
}
