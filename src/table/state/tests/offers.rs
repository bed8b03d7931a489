//! Proposals: takeback and pause, their expiry and their one answer; unpausing and giving time.

use super::*;
use crate::game::Color;
use crate::game::Illegal;
use hexhall_proto::parts::OfferClosed;

/// How the offer was closed, once it was.
fn closed(table: &Table, id: u64) -> Option<OfferClosed> {
    let mut how = table.journal.iter().filter_map(|event| match event {
        Event::OfferClosed { offer, how, .. } if *offer == id => Some(*how),
        _ => None,
    });
    let first = how.next();
    assert_eq!(how.next(), None, "an offer is closed once");
    first
}

#[test]
fn an_offer_stands_until_it_is_answered() {
    for (accept, how) in [(true, OfferClosed::Accepted), (false, OfferClosed::Declined)] {
        let mut table = Table::under_way(&small());
        let offer = table.offers(ANA, OfferKind::Pause);
        assert_eq!(table.state.offers().len(), 1);
        table.answers(BO, offer, accept);
        assert_eq!(table.state.offers(), []);
        assert_eq!(closed(&table, offer), Some(how));
        assert_eq!(table.live().paused, accept);
        let again = Command::Answer { offer, accept };
        assert_eq!(table.refuses(BO, again), Refusal::NoOffer(offer));
        table.check();
    }
}

#[test]
fn nobody_answers_their_own_offer_or_withdraws_another_s() {
    let mut table = Table::under_way(&small());
    let offer = table.offers(ANA, OfferKind::Pause);
    for accept in [true, false] {
        let answer = Command::Answer { offer, accept };
        assert_eq!(table.refuses(ANA, answer), Refusal::NoOffer(offer));
    }
    assert_eq!(table.refuses(BO, Command::Withdraw(offer)), Refusal::NoOffer(offer));
    assert_eq!(table.refuses(BO, Command::Withdraw(77)), Refusal::NoOffer(77));
    let answer = Command::Answer { offer: 77, accept: true };
    assert_eq!(table.refuses(BO, answer), Refusal::NoOffer(77));
}

#[test]
fn an_offer_can_be_withdrawn_and_made_again_under_another_number() {
    let mut table = Table::under_way(&small());
    let first = table.offers(ANA, OfferKind::Pause);
    let again = table.offer(OfferKind::Pause);
    assert!(matches!(table.refuses(ANA, again), Refusal::CannotOffer(_)));
    assert_eq!(table.gives(ANA, Command::Withdraw(first)), Ok(Answer::Done));
    assert_eq!(closed(&table, first), Some(OfferClosed::Withdrawn));
    assert_eq!(table.refuses(ANA, Command::Withdraw(first)), Refusal::NoOffer(first));
    let second = table.offers(ANA, OfferKind::Pause);
    assert_eq!((first, second), (1, 2));
    table.check();
}

#[test]
fn an_offer_lapses_at_its_exact_millisecond() {
    let mut table = Table::under_way(&small());
    let offer = table.at(1_000).offers(ANA, OfferKind::Pause);
    let expires = Stamp(T0 + 31_000);
    assert_eq!(table.state.next_due(table.now), Some(expires));
    table.at(30_999);
    assert_eq!(table.due(), []);
    assert_eq!(table.decides(BO, "a", Command::Answer { offer, accept: true }).events.len(), 2);
    table.at(31_000);
    let answer = Command::Answer { offer, accept: true };
    assert_eq!(table.refuses(BO, answer), Refusal::NoOffer(offer));
    assert_eq!(table.refuses(ANA, Command::Withdraw(offer)), Refusal::NoOffer(offer));
    table.wakes();
    assert_eq!(closed(&table, offer), Some(OfferClosed::Expired));
    table.check();
}

#[test]
fn an_offer_that_has_lapsed_unnoticed_does_not_stand_in_the_way_of_another() {
    let mut table = Table::under_way(&small());
    let first = table.offers(ANA, OfferKind::Pause);
    let second = table.at(30_000).offers(BO, OfferKind::Pause);
    table.answers(ANA, second, true);
    // What was answered in time to the first, but came to be looked at only now, changes nothing.
    table.at(29_999);
    let answer = Command::Answer { offer: first, accept: true };
    assert_eq!(table.refuses(BO, answer), Refusal::NoOffer(first));
    assert_eq!(closed(&table, first), Some(OfferClosed::Void));
    table.check();
}

#[test]
fn a_move_voids_takebacks_and_leaves_a_pause_standing() {
    let mut table = Table::under_way(&small());
    let takeback = table.offers(BO, OfferKind::Takeback);
    let pause = table.offers(BO, OfferKind::Pause);
    table.plays(ANA, "c3");
    assert_eq!(closed(&table, takeback), Some(OfferClosed::Void));
    assert_eq!(closed(&table, pause), None);
    table.check();
}

#[test]
fn the_end_of_the_game_voids_every_offer() {
    let mut table = Table::under_way(&small());
    let offers = [OfferKind::Takeback, OfferKind::Pause].map(|kind| table.offers(BO, kind));
    let resign = Command::Resign(table.game_now());
    table.gives(ANA, resign).unwrap();
    for offer in offers {
        assert_eq!(closed(&table, offer), Some(OfferClosed::Void));
        let answer = Command::Answer { offer, accept: true };
        assert_eq!(table.refuses(ANA, answer), Refusal::NoOffer(offer));
    }
    table.check();
}

#[test]
fn a_takeback_returns_to_before_the_asker_s_last_move_and_the_turn_still_rises() {
    // Off turn, the asker's own move goes; on turn, the answer to it goes too.
    for (who, other, plies) in [(BO, ANA, 1), (ANA, BO, 0)] {
        let mut table = Table::under_way(&small());
        let offer = table.offers(who, OfferKind::Takeback);
        table.answers(other, offer, true);
        let live = table.live();
        assert_eq!((live.game.plies().len(), live.times.len(), live.turn), (plies, plies, 3));
        let seat = table.state.seat_of(id(who));
        assert_eq!(live.game.to_move(), seat);
        assert_eq!(live.clock.running(), seat);
        let stale =
            Command::Play { game: table.game_now(), turn: 2, action: Move::Place(Cell::new(2, 2)) };
        assert_eq!(table.refuses(who, stale), Refusal::StaleTurn { turn: 3 });
        table.plays(who, "c3");
        table.check();
    }
}

#[test]
fn clocks_stay_as_they_are_in_a_takeback() {
    let mut table = Table::under_way(&small());
    let offer = table.at(10_000).offers(BO, OfferKind::Takeback);
    table.at(25_000).answers(ANA, offer, true);
    assert_eq!(table.left(), [280_000, 305_000]);
    table.at(26_000);
    assert_eq!(table.left(), [280_000, 304_000]);
    table.check();
}

#[test]
fn taking_a_swap_back_restores_colours_and_the_right_to_swap() {
    for rule in [wire::Swap::Sides, wire::Swap::Pieces] {
        let mut table = Table::game(&OptionsRequest { swap: Some(rule), ..small() });
        table.plays(ANA, "b1");
        let before = table.live().game.clone();
        let swap = table.action(Move::Swap);
        table.gives(BO, swap).unwrap();
        let swapped = Color::Red == table.live().game.color(Two);
        assert_eq!(swapped, rule == wire::Swap::Sides);
        let offer = table.offers(BO, OfferKind::Takeback);
        table.answers(ANA, offer, true);
        assert_eq!(table.live().game, before);
        assert_eq!(table.live().game.color(One), Color::Red);
        assert_eq!(table.live().turn, 3);
        let swap = table.action(Move::Swap);
        assert_eq!(table.gives(BO, swap), Ok(Answer::Moved { turn: 4, collided: false }));
        table.check();
    }
}

#[test]
fn a_seat_that_has_not_moved_has_nothing_to_take_back() {
    let mut table = Table::game(&small());
    let takeback = table.offer(OfferKind::Takeback);
    assert!(matches!(table.refuses(ANA, takeback), Refusal::CannotOffer(_)));
    table.plays(ANA, "a1");
    assert!(matches!(table.refuses(BO, takeback), Refusal::CannotOffer(_)));
    table.offers(ANA, OfferKind::Takeback);
}

#[test]
fn a_takeback_of_the_first_move_lets_the_game_be_aborted_again() {
    let mut table = Table::under_way(&small());
    let offer = table.offers(BO, OfferKind::Takeback);
    table.answers(ANA, offer, true);
    let abort = Command::Abort(table.game_now());
    assert_eq!(table.gives(ANA, abort), Ok(Answer::Done));
    table.check();
}

#[test]
fn asking_what_the_other_has_asked_is_agreeing() {
    let mut table = Table::under_way(&small());
    let offer = table.offers(ANA, OfferKind::Pause);
    assert_eq!(table.offers(BO, OfferKind::Pause), offer);
    assert!(table.live().paused);
    assert_eq!(closed(&table, offer), Some(OfferClosed::Accepted));

    let mut table = Table::under_way(&small());
    let offer = table.offers(BO, OfferKind::Takeback);
    assert_eq!(table.offers(ANA, OfferKind::Takeback), offer);
    assert_eq!(table.live().game.plies().len(), 1, "the one who asked first takes back");
    table.check();
}

#[test]
fn in_a_pause_no_clock_runs_until_either_seat_goes_on() {
    for who in [ANA, BO] {
        let mut table = Table::under_way(&small());
        let unpause = Command::Unpause(table.game_now());
        assert_eq!(table.refuses(who, unpause), Refusal::NotPaused);
        let offer = table.at(5_000).offers(BO, OfferKind::Pause);
        table.at(15_000).answers(ANA, offer, true);
        assert_eq!(table.left(), [290_000, 305_000]);
        assert_eq!(table.at(9_000_000).due(), []);
        assert_eq!(table.left(), [290_000, 305_000]);
        assert_eq!(table.refuses(BO, table.offer(OfferKind::Pause)), Refusal::Paused);
        table.check();
        assert_eq!(table.gives(who, unpause), Ok(Answer::Done));
        table.at(9_001_000);
        assert_eq!(table.left(), [289_000, 305_000]);
        table.plays(ANA, "c3");
        table.check();
    }
}

#[test]
fn a_game_may_be_resigned_or_taken_back_in_a_pause() {
    let mut table = Table::under_way(&small());
    let pause = table.offers(ANA, OfferKind::Pause);
    table.answers(BO, pause, true);
    let takeback = table.offers(BO, OfferKind::Takeback);
    table.answers(ANA, takeback, true);
    assert!(table.live().paused && table.live().clock.running().is_none());
    let resign = Command::Resign(table.game_now());
    assert_eq!(table.gives(ANA, resign), Ok(Answer::Done));
    assert!(!table.live().paused);
    table.check();
}

#[test]
fn without_a_clock_there_is_neither_a_pause_nor_time_to_give() {
    let table = Table::under_way(&timeless());
    let pause = table.offer(OfferKind::Pause);
    assert!(matches!(table.refuses(ANA, pause), Refusal::CannotOffer(_)));
    let give = Command::GiveTime(table.game_now());
    assert_eq!(table.refuses(ANA, give), Refusal::CannotGiveTime);
}

#[test]
fn a_seat_gives_the_other_15_seconds() {
    let mut table = Table::under_way(&small());
    let give = Command::GiveTime(table.game_now());
    assert_eq!(table.at(10_000).gives(ANA, give), Ok(Answer::Done));
    assert_eq!(table.left(), [295_000, 320_000]);
    assert_eq!(table.at(11_000).gives(BO, give), Ok(Answer::Done));
    assert_eq!(table.left(), [309_000, 320_000]);
    table.check();
}

#[test]
fn an_offer_in_a_running_game_cannot_be_a_rematch_nor_one_after_it_anything_else() {
    let table = Table::under_way(&small());
    let rematch = table.offer(OfferKind::Rematch);
    assert!(matches!(table.refuses(ANA, rematch), Refusal::CannotOffer(_)));
    let table = Table::finished(&small());
    for kind in [OfferKind::Takeback, OfferKind::Pause] {
        assert_eq!(table.refuses(ANA, table.offer(kind)), Illegal::GameOver.into());
    }
}
