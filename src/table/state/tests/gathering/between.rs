//! What stays from one game of a party to the next, and what does not.

use super::*;
use crate::table::archive::Kept;

#[test]
fn a_game_that_gives_way_to_the_next_is_kept_as_what_it_was() {
    // In time it is void, and too late the flag has fallen: nobody else's game came to that.
    for (waits_ms, counts) in [(15_000, false), (60_000, true)] {
        let options = timed(Time::PerTurn { seconds: 30 });
        let mut table = Table::party(&options, Turns::None);
        table.starts(ANA).unwrap();
        let alone = table.game_now();
        table.plays(ANA, "a1");
        table.durable();
        table.computer_plays("b1");
        table.durable();
        table.joins_party(BO, true).unwrap();
        table.now = table.now + waits_ms;
        let (fresh, start) = (table.fresh(), table.start());
        let events = table.state.decide_party(id(ANA), start, table.now, || fresh).unwrap();
        let mut kept = Kept::default();
        for event in &events {
            table.state.apply(event).unwrap();
            kept.note(&table.state, event);
        }
        let next = table.game_now();
        assert_ne!(next, alone);
        let games: Vec<_> = kept.games.iter().map(|row| (row.id, row.record.is_some())).collect();
        assert_eq!(games, [(alone, true), (next, false)]);
        let result = kept.result.map(|result| (result.game, result.players, result.rated));
        assert_eq!(result, counts.then_some((alone, [Some(id(ANA)), None], None)));
    }
}

#[test]
fn a_new_name_is_told_once_and_is_that_of_the_seat_and_of_the_member() {
    let renamed = |who| Player { name: format!("Countess {who}").into(), ..player(who) };
    let mut table = Table::party_of(&timeless(), Turns::WinnerStays, &[BO]);
    table.starts(ANA).unwrap();
    assert_eq!(table.state.decide_rename(&player(ANA), table.now), [], "it is her name already");
    assert_eq!(table.state.decide_rename(&renamed(CY), table.now), [], "a stranger");
    let before = table.state.touched();
    table.now = table.now + 5_000;
    // Said by the server, or with the wish to play.
    table.happens(table.state.decide_rename(&renamed(ANA), table.now));
    let said = table.state.decide_join_party(&renamed(BO), true, table.now).unwrap();
    assert!(matches!(said[..], [Event::Renamed { .. }]));
    table.happens(said);
    for who in [ANA, BO] {
        let seat = table.state.seat_of(id(who)).unwrap();
        assert_eq!(table.state.player(seat), Some(&renamed(who)));
        assert_eq!(table.state.party().unwrap().member(id(who)).unwrap().player, renamed(who));
        assert_eq!(table.state.decide_rename(&renamed(who), table.now), [], "told once");
    }
    assert_eq!(table.state.touched(), before, "nothing has happened in the game");
    let watches = table.state.decide_join_party(&player(BO), false, table.now).unwrap();
    assert!(matches!(watches[..], [Event::Renamed { .. }, Event::Party { .. }]));
    table.happens(watches);
    table.wins(ANA);
    table.check();
}

#[test]
fn a_rematch_that_was_asked_for_by_other_options_is_not_to_be_had_any_more() {
    let mut table = Table::party_of(&timeless(), Turns::None, &[BO]);
    table.starts(ANA).unwrap();
    table.loses(One);
    let offer = table.offers(BO, OfferKind::Rematch);
    // Said once more, they are no others.
    table.hosts(ANA, PartyCommand::SetOptions(Box::new(timeless()))).unwrap();
    assert_eq!(table.state.offers().len(), 1);
    let rated = OptionsRequest { rated: Some(true), ..OptionsRequest::default() };
    table.hosts(ANA, PartyCommand::SetOptions(Box::new(rated))).unwrap();
    assert_eq!(table.state.offers(), []);
    let accepts = Command::Answer { offer, accept: true };
    assert_eq!(table.gives(ANA, accepts), Err(Refusal::NoOffer(offer)));
}
