//! A rated game of a party is for both who play it to begin.

use super::*;

fn rated() -> OptionsRequest {
    OptionsRequest { rated: Some(true), ..OptionsRequest::default() }
}

impl Table {
    /// Says `start`, as the table carries it out; whether a game began.
    fn asks(&mut self, who: u128) -> Result<bool, Refusal> {
        let before = self.state.games();
        self.starts(who)?;
        let begun = self.state.games() > before;
        if !begun {
            self.state.note_request(id(who), self.now);
        }
        Ok(begun)
    }

    fn asked(&self) -> Option<PlayerId> {
        self.state.asked_for_game(self.now)
    }
}

#[test]
fn a_rated_game_begins_when_both_who_play_have_asked_for_it_and_not_before() {
    let mut table = Table::party_of(&rated(), Turns::WinnerStays, &[BO, CY]);
    assert_eq!(table.asks(ANA), Ok(false), "a host alone begins none");
    assert_eq!(table.asks(ANA), Ok(false));
    assert_eq!(table.asked(), Some(id(ANA)));
    assert_eq!(table.asks(CY), Err(Refusal::NotHost), "she does not play");
    assert_eq!(table.asks(BO), Ok(true));
    assert_eq!((table.seats().map(Option::unwrap), table.asked()), ([ANA, BO].map(id), None));
    table.wins(BO);
    assert_eq!(table.next(), [BO, CY]);
    assert_eq!(table.asks(ANA), Err(Refusal::BothAsk), "the host does not play");
    assert_eq!(table.asks(CY), Ok(false));
    assert_eq!(table.asks(BO), Ok(true));
    table.check();
}

#[test]
fn a_rematch_is_no_way_round_to_a_rated_game_of_somebody_else() {
    let mut table = Table::party_of(&rated(), Turns::WinnerStays, &[BO]);
    table.asks(BO).unwrap();
    table.asks(ANA).unwrap();
    table.wins(ANA);
    let offer = table.offers(BO, OfferKind::Rematch);
    table.joins_party(CY, true).unwrap();
    assert!(matches!(table.gives(ANA, accept_of(offer)), Err(Refusal::CannotOffer(_))));
    assert_eq!(table.state.games(), 1);
    let (game, kind) = (table.game_now(), OfferKind::Rematch);
    assert!(matches!(table.gives(ANA, Command::Offer(game, kind)), Err(Refusal::CannotOffer(_))));
    // With only the two of them who play, both have asked by a rematch.
    table.joins_party(CY, false).unwrap();
    table.gives(ANA, accept_of(offer)).unwrap();
    assert_eq!(table.state.games(), 2);
    table.check();
}

fn accept_of(offer: u64) -> Command {
    Command::Answer { offer, accept: true }
}

#[test]
fn a_request_lapses_and_holds_for_those_two_and_those_rules_alone() {
    let mut table = Table::party_of(&rated(), Turns::None, &[BO]);
    table.asks(BO).unwrap();
    let lapses = table.now + table.state.spans.rematch_ms;
    assert_eq!(table.state.next_due(table.now), Some(lapses));
    table.now = lapses;
    assert_eq!(table.asked(), None);
    assert_eq!(table.asks(ANA), Ok(false));
    // Somebody else plays next.
    table.goes_off(BO, false);
    table.joins_party(CY, true).unwrap();
    assert_eq!(table.asked(), None);
    assert_eq!(table.asks(CY), Ok(false));
    let longer = OptionsRequest { size: Some(13), ..rated() };
    table.hosts(ANA, PartyCommand::SetOptions(Box::new(longer))).unwrap();
    assert_eq!(table.asked(), None);
    assert_eq!(table.asks(ANA), Ok(false));
    assert_eq!(table.asks(CY), Ok(true));
    table.check();
}

#[test]
fn a_request_that_has_lapsed_does_not_come_back_with_the_rules_that_it_was_for() {
    let mut table = Table::party_of(&rated(), Turns::None, &[BO]);
    table.asks(BO).unwrap();
    table.state.forget_lapsed_request(table.now);
    assert!(table.asked().is_some(), "it stands");
    let longer = OptionsRequest { size: Some(13), ..rated() };
    table.hosts(ANA, PartyCommand::SetOptions(Box::new(longer))).unwrap();
    table.state.forget_lapsed_request(table.now);
    table.hosts(ANA, PartyCommand::SetOptions(Box::new(rated()))).unwrap();
    assert_eq!(table.asked(), None);
    assert_eq!(table.asks(ANA), Ok(false), "Bo has to ask for it once more");
}

#[test]
fn a_member_who_is_alone_plays_the_computer_by_rated_rules_as_soon_as_they_say_so() {
    let mut table = Table::party(&rated(), Turns::None);
    assert_eq!(table.asks(ANA), Ok(true));
    assert!(table.state.player(Two).unwrap().cpu.is_some());
    // What it gives way to needs both, and until then it goes on.
    table.joins_party(BO, true).unwrap();
    let alone = table.game_now();
    assert_eq!(table.asks(ANA), Ok(false));
    assert!(table.state.running().is_some_and(|live| live.id == alone));
    assert_eq!(table.asks(BO), Ok(true));
    assert_ne!(table.game_now(), alone);
    table.check();
}
