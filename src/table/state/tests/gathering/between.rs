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
fn a_new_name_is_sat_down_by_and_a_seat_that_is_kept_keeps_the_old_one() {
    let renamed = |who| Player { name: format!("Countess {who}").into(), ..player(who) };
    let names = |table: &Table| {
        let mut names = Seat::BOTH.map(|seat| table.state.player(seat).unwrap().name.to_string());
        names.sort();
        names
    };
    let mut table = Table::party_of(&timeless(), Turns::WinnerStays, &[BO]);
    table.starts(ANA).unwrap();
    for who in [ANA, CY] {
        let events = table.state.decide_join_party(&renamed(who), true, table.now).unwrap();
        table.happens(events);
        let again = table.state.decide_join_party(&renamed(who), true, table.now);
        assert_eq!(again, Ok(Vec::new()), "said once");
    }
    let members = table.state.party().unwrap().members();
    assert_eq!(members[0].player, renamed(ANA));
    table.wins(ANA);
    // Cy is not there yet.
    table.starts(ANA).unwrap();
    assert_eq!(
        (names(&table), table.state.score()),
        (["player 1", "player 2"].map(str::to_owned), [0, 1])
    );
    table.comes(CY);
    table.wins(ANA);
    table.starts(ANA).unwrap();
    assert_eq!(names(&table), ["Countess 3", "player 1"]);
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
