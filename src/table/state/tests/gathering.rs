//! Parties: who is in, who hosts, who plays next, and when it is over.

mod agree;
mod between;

use std::collections::HashMap;

use super::*;
use crate::table::state::party::code::PartyCode;
use crate::table::state::party::{MEMBERS, Next, PartyCommand, Turns, formed};

/// Those who come later.
const DI: u128 = 4;
const ED: u128 = 5;

impl Table {
    /// A party that Ana has opened, who is there.
    pub(super) fn party(request: &OptionsRequest, turns: Turns) -> Table {
        let mut table = Table::open(request);
        let seated = table.journal.pop().unwrap();
        let (id, spans, options, now) =
            (table.state.id, table.state.spans, table.state.options, table.now);
        table.state = State::new(id, spans, options, None, now);
        let level = Level::new(3).unwrap();
        let formed = formed(PartyCode::drawn(7), turns, level, &player(ANA), now);
        table.happens(formed.into());
        table.happens(vec![seated]);
        table.comes(ANA);
        table
    }

    /// The same with others, who want to play and are there.
    fn party_of(request: &OptionsRequest, turns: Turns, others: &[u128]) -> Table {
        let mut table = Table::party(request, turns);
        others.iter().for_each(|&who| table.joins_party(who, true).unwrap());
        table
    }

    /// Somebody has a session here.
    pub(super) fn comes(&mut self, who: u128) {
        self.state.note_member(id(who), true, self.now, false);
        if let Some(seat) = self.state.seat_of(id(who)) {
            self.state.note_presence(seat, true, self.now, false);
        }
    }

    /// Their last session ends.
    pub(super) fn goes_off(&mut self, who: u128, said_so: bool) {
        self.goes(who, said_so);
        self.state.note_member(id(who), false, self.now, said_so);
    }

    pub(super) fn joins_party(&mut self, who: u128, plays: bool) -> Result<(), Refusal> {
        let events = self.state.decide_join_party(&player(who), plays, self.now)?;
        self.happens(events);
        self.comes(who);
        Ok(())
    }

    pub(super) fn hosts(&mut self, who: u128, command: PartyCommand) -> Result<(), Refusal> {
        let fresh = self.fresh();
        let events = self.state.decide_party(id(who), command, self.now, || fresh)?;
        self.happens(events);
        self.sit_down();
        self.durable();
        Ok(())
    }

    /// Whoever has come to a seat is there for it, as the sessions say.
    pub(super) fn sit_down(&mut self) {
        for seat in Seat::BOTH {
            let here = self
                .state
                .player(seat)
                .is_some_and(|player| self.state.presence.is_member_here(player.id));
            self.state.note_presence(seat, here, self.now, false);
        }
    }

    fn start(&self) -> PartyCommand {
        PartyCommand::Start { after: self.state.game().map(|live| live.id) }
    }

    fn starts(&mut self, who: u128) -> Result<(), Refusal> {
        let start = self.start();
        self.hosts(who, start)
    }

    fn host(&self) -> Option<PlayerId> {
        self.state.party().unwrap().host()
    }

    /// The player in a seat gives the game up.
    fn loses(&mut self, seat: Seat) {
        let loser = self.state.player(seat).unwrap().id;
        let who = [ANA, BO, CY, DI, ED].into_iter().find(|&who| id(who) == loser).unwrap();
        let game = self.game_now();
        self.gives(who, Command::Resign(game)).unwrap();
    }

    /// Whoever does not win loses.
    fn wins(&mut self, who: u128) {
        let seat = self.state.seat_of(id(who)).unwrap();
        self.loses(seat.other());
    }

    fn next(&self) -> Vec<u128> {
        let next = self.state.next_players();
        let who = |it: &PlayerId| (1..100).find(|&who| id(who) == *it).unwrap();
        next.iter().flat_map(Next::players).map(who).collect()
    }
}

#[test]
fn the_number_of_players_follows_from_the_size_of_the_party() {
    let mut table = Table::party(&timeless(), Turns::None);
    assert_eq!((table.next(), table.state.phase()), (vec![ANA], Phase::Waiting));
    table.starts(ANA).unwrap();
    assert_eq!(table.state.player(Two), Some(&Player::house(Level::new(3).unwrap())));
    let alone = table.game_now();
    // Whoever joins watches the game go on, until the host begins another.
    table.joins_party(BO, true).unwrap();
    assert_eq!((table.game_now(), table.state.seat_of(id(BO))), (alone, None));
    assert_eq!(table.next(), [ANA, BO]);
    table.starts(ANA).unwrap();
    let ended = |event: &Event| matches!(event, Event::Ended { .. });
    assert!(matches!(
        table.journal.iter().find(|event| ended(event)),
        Some(Event::Ended { outcome: Outcome::Void(Void::Aborted), by: None, .. })
    ));
    assert_ne!(table.game_now(), alone);
    assert_eq!(table.seats().map(Option::unwrap), [id(BO), id(ANA)], "colours alternate");
    assert!(table.state.party().unwrap().members().iter().all(|it| it.games == 0));
    table.check();
}

#[test]
fn the_host_has_seat_1_in_the_first_game_and_colours_alternate_or_not_as_the_options_say() {
    for (first_move, second) in [(None, [BO, ANA]), (Some(wire::FirstMove::Fixed), [ANA, BO])] {
        let request = OptionsRequest { first_move, ..timeless() };
        let mut table = Table::party_of(&request, Turns::None, &[BO]);
        table.starts(ANA).unwrap();
        assert_eq!(table.seats().map(Option::unwrap), [ANA, BO].map(id));
        table.loses(One);
        table.starts(ANA).unwrap();
        assert_eq!(table.seats().map(Option::unwrap), second.map(id));
        table.check();
    }
}

#[test]
fn a_second_press_begins_no_second_game() {
    let mut table = Table::party_of(&timeless(), Turns::None, &[BO]);
    let first = table.start();
    table.hosts(ANA, first.clone()).unwrap();
    let game = table.game_now();
    assert_eq!(table.hosts(ANA, first.clone()), Err(Refusal::OtherGame(game)));
    assert_eq!(table.starts(ANA), Err(Refusal::GameRuns));
    table.loses(Two);
    let again = table.start();
    table.hosts(ANA, again.clone()).unwrap();
    table.loses(Two);
    let game = table.game_now();
    assert_eq!(table.hosts(ANA, again), Err(Refusal::OtherGame(game)));
    assert_eq!(table.hosts(ANA, first), Err(Refusal::OtherGame(game)));
    assert_eq!(table.state.games(), 2);
}

#[test]
fn both_players_asking_for_a_rematch_begin_one_game_by_the_partys_order() {
    let mut table = Table::party_of(&timeless(), Turns::WinnerStays, &[BO, CY]);
    table.starts(ANA).unwrap();
    table.wins(BO);
    assert_eq!(table.next(), [BO, CY]);
    table.offers(ANA, OfferKind::Rematch);
    let (game, rematch) = (table.game_now(), table.offer(OfferKind::Rematch));
    assert!(matches!(table.gives(BO, rematch), Ok(Answer::Offered(_))));
    table.sit_down();
    assert_eq!((table.state.games(), table.state.phase()), (2, Phase::Playing));
    assert_eq!(table.seats().map(Option::unwrap), [BO, CY].map(id), "the winner changes colours");
    // What was meant for the game before is refused, from whomever it comes.
    assert_eq!(table.refuses(ANA, rematch), Refusal::NotSeated);
    let late = PartyCommand::Start { after: Some(game) };
    assert_eq!(table.hosts(ANA, late), Err(Refusal::OtherGame(table.game_now())));
    table.check();
}

#[test]
fn the_winner_stays_and_whoever_has_waited_longest_comes_to_the_table() {
    let mut table = Table::party_of(&timeless(), Turns::WinnerStays, &[BO, CY, DI]);
    let mut met = Vec::new();
    for winner in [ANA, ANA, DI, DI, CY] {
        met.push(table.next());
        table.starts(ANA).unwrap();
        if !met.last().unwrap().contains(&winner) {
            panic!("{winner} does not play: {met:?}");
        }
        table.wins(winner);
    }
    assert_eq!(met, [vec![ANA, BO], vec![ANA, CY], vec![ANA, DI], vec![DI, BO], vec![DI, CY]]);
    assert_eq!(table.next(), [CY, ANA]);
    table.check();
}

#[test]
fn a_void_game_leaves_the_order_as_it_was() {
    let mut table = Table::party_of(&timeless(), Turns::WinnerStays, &[BO, CY]);
    table.starts(ANA).unwrap();
    table.wins(ANA);
    table.starts(ANA).unwrap();
    assert_eq!(table.next(), [ANA, CY]);
    let game = table.game_now();
    table.gives(CY, Command::Abort(game)).unwrap();
    assert_eq!(table.next(), [ANA, CY]);
}

#[test]
fn nobody_waits_long_where_all_take_turns_and_everybody_meets_everybody() {
    for others in [&[BO, CY][..], &[BO, CY, DI], &[BO, CY, DI, ED]] {
        let mut table = Table::party_of(&timeless(), Turns::RoundRobin, others);
        let size = others.len() + 1;
        let mut met: HashMap<Vec<u128>, u32> = HashMap::new();
        let mut last = Vec::new();
        for game in 0..size * (size - 1) * 2 {
            let mut next = table.next();
            table.starts(ANA).unwrap();
            table.loses(if game % 3 == 0 { One } else { Two });
            next.sort_unstable();
            assert_ne!(next, last, "the same two again");
            *met.entry(next.clone()).or_default() += 1;
            last = next;
            let games = table.state.party().unwrap().members().iter().map(|member| member.games);
            assert!(games.clone().max().unwrap() - games.min().unwrap() <= 1, "{met:?}");
        }
        assert_eq!(met.len(), size * (size - 1) / 2, "{met:?}");
        table.check();
    }
}

#[test]
fn whoever_comes_late_does_not_make_up_for_all_that_was_played_before() {
    let mut table = Table::party_of(&timeless(), Turns::RoundRobin, &[BO, CY]);
    for _ in 0..9 {
        table.starts(ANA).unwrap();
        table.loses(One);
    }
    table.joins_party(DI, true).unwrap();
    let mut turns = 0;
    for _ in 0..4 {
        turns += u32::from(table.next().contains(&DI));
        table.starts(ANA).unwrap();
        table.loses(One);
    }
    assert!((2..4).contains(&turns), "{turns} of 4");
}

#[test]
fn whoever_has_gone_or_only_watches_is_passed_over() {
    let mut table = Table::party_of(&timeless(), Turns::WinnerStays, &[BO, CY, DI]);
    table.joins_party(CY, false).unwrap();
    table.starts(ANA).unwrap();
    table.wins(BO);
    table.goes_off(BO, false);
    // Of those who are there, Di has waited longer than the one who has just lost.
    assert_eq!(table.next(), [ANA, DI]);
    table.comes(BO);
    assert_eq!(table.next(), [BO, DI]);
    table.joins_party(CY, true).unwrap();
    assert_eq!(table.next(), [BO, CY]);
    for who in [ANA, BO, CY, DI] {
        table.goes_off(who, false);
    }
    assert_eq!(table.starts(ANA), Err(Refusal::CannotStart));
}

#[test]
fn only_members_have_seats_and_only_the_host_decides() {
    let mut table = Table::party_of(&timeless(), Turns::None, &[BO]);
    assert_eq!(table.join(CY, None), Err(Refusal::JoinTheParty));
    let commands = [
        PartyCommand::MakeHost(id(BO)),
        PartyCommand::Remove(id(ANA)),
        PartyCommand::SetOptions(Box::new(timeless())),
        PartyCommand::SetTurns { turns: Some(Turns::RoundRobin), level: None },
        table.start(),
    ];
    for command in commands {
        assert_eq!(table.hosts(BO, command.clone()), Err(Refusal::NotHost));
        assert_eq!(table.hosts(CY, command), Err(Refusal::NotMember(id(CY))));
    }
    assert_eq!(table.hosts(ANA, PartyCommand::MakeHost(id(CY))), Err(Refusal::NotMember(id(CY))));
    let mut plain = Table::open(&timeless());
    assert_eq!(plain.joins_party(BO, true), Err(Refusal::NoParty));
}

#[test]
fn a_host_who_is_gone_is_replaced_and_does_not_get_the_role_back() {
    for (said_so, after) in [(false, 30_000), (true, 10_000)] {
        let mut table = Table::party_of(&timeless(), Turns::None, &[BO, CY]);
        table.goes_off(ANA, said_so);
        table.goes_off(BO, false);
        table.at(after - 1).wakes();
        assert_eq!(table.host(), Some(id(ANA)));
        assert!(table.state.next_due(table.now).unwrap() <= Stamp(T0 + after));
        table.at(after).wakes();
        assert_eq!(table.host(), Some(id(CY)), "the longest-standing who is there");
        table.comes(ANA);
        table.comes(BO);
        table.wakes();
        assert_eq!(table.host(), Some(id(CY)));
        table.hosts(CY, PartyCommand::MakeHost(id(BO))).unwrap();
        assert_eq!(table.host(), Some(id(BO)));
        table.check();
    }
}

#[test]
fn whoever_leaves_gives_up_role_seat_and_membership() {
    let mut table = Table::party_of(&timeless(), Turns::None, &[BO, CY]);
    table.starts(ANA).unwrap();
    table.leaves(ANA);
    table.goes_off(ANA, true);
    assert!(table.state.is_member(id(ANA)), "a player goes with the end of the game");
    table.loses(One);
    table.wakes();
    assert_eq!(table.state.next_due(table.now), Some(Stamp(T0 + 10_000)));
    table.at(10_000).wakes();
    assert_eq!((table.host(), table.seats()), (Some(id(BO)), [None, Some(id(BO))]));
    assert_eq!((table.state.is_member(id(ANA)), table.state.phase()), (false, Phase::Waiting));
    table.starts(BO).unwrap();
    assert_eq!(table.seats().map(Option::unwrap), [BO, CY].map(id));
    table.check();
}

#[test]
fn a_member_who_is_sent_away_stays_away() {
    let mut table = Table::party_of(&timeless(), Turns::None, &[BO, CY]);
    table.starts(ANA).unwrap();
    assert_eq!(table.hosts(ANA, PartyCommand::Remove(id(BO))), Err(Refusal::GameRuns));
    assert!(matches!(
        table.hosts(ANA, PartyCommand::Remove(id(ANA))),
        Err(Refusal::CannotRemove(_))
    ));
    table.hosts(ANA, PartyCommand::Remove(id(CY))).unwrap();
    assert_eq!(table.joins_party(CY, true), Err(Refusal::Removed));
    table.loses(One);
    table.hosts(ANA, PartyCommand::Remove(id(BO))).unwrap();
    assert_eq!(table.seats().into_iter().flatten().collect::<Vec<_>>(), [id(ANA)]);
    assert_eq!(table.next(), [ANA]);
    table.check();
}

#[test]
fn a_party_has_as_many_members_as_may_be() {
    let mut table = Table::party(&timeless(), Turns::None);
    for who in 2..=MEMBERS as u128 {
        table.joins_party(who, false).unwrap();
    }
    assert_eq!(table.joins_party(1_000, true), Err(Refusal::PartyFull));
    // Whoever is gone for long makes room.
    table.goes_off(2, false);
    table.at(600_000).wakes();
    table.joins_party(1_000, true).unwrap();
    assert!(!table.state.is_member(id(2)));
}

#[test]
fn options_change_between_games_and_a_game_keeps_its_own() {
    let mut table = Table::party_of(&timeless(), Turns::None, &[BO]);
    table.starts(ANA).unwrap();
    let other = OptionsRequest { size: Some(5), ..timed(Time::PerTurn { seconds: 30 }) };
    let set = || PartyCommand::SetOptions(Box::new(other.clone()));
    assert_eq!(table.hosts(ANA, set()), Err(Refusal::GameRuns));
    table.loses(One);
    table.hosts(ANA, set()).unwrap();
    assert_eq!(table.live().game.rules().size(), Size::new(3, 3).unwrap());
    assert_eq!(table.live().options, Options::resolve(&timeless()).unwrap());
    assert!(!table.state.has_clock(), "the game that is shown had none");
    let known = table.journal.len();
    table.hosts(ANA, set()).unwrap();
    assert_eq!(table.journal.len(), known, "nothing has changed by it");
    table.starts(ANA).unwrap();
    assert_eq!(table.live().game.rules().size(), Size::new(5, 5).unwrap());
    assert!(table.state.is_clock_running());
    table.check();
}

#[test]
fn what_does_not_go_with_a_party_is_refused() {
    let mut table = Table::party(&timeless(), Turns::None);
    let device = OptionsRequest { pass_and_play: Some(true), on_leave: None, ..timeless() };
    let late = OptionsRequest { spectator_delay_s: Some(30), ..timeless() };
    let wrong = OptionsRequest { size: Some(99), ..timeless() };
    for request in [device, late, wrong] {
        let set = PartyCommand::SetOptions(Box::new(request));
        assert!(matches!(table.hosts(ANA, set), Err(Refusal::Options(_))));
    }
    let level = PartyCommand::SetTurns { turns: None, level: Some(11) };
    assert!(matches!(table.hosts(ANA, level), Err(Refusal::Options(_))));
    let level = PartyCommand::SetTurns { turns: None, level: Some(7) };
    table.hosts(ANA, level).unwrap();
    table.starts(ANA).unwrap();
    assert_eq!(table.state.house(Two), Level::new(7).ok());
}

#[test]
fn a_party_ends_a_minute_after_its_last_member_went() {
    let mut table = Table::party_of(&timeless(), Turns::None, &[BO, CY]);
    table.starts(ANA).unwrap();
    table.loses(One);
    table.goes_off(ANA, false);
    table.goes_off(BO, false);
    table.at(300_000).wakes();
    assert_eq!(table.host(), Some(id(CY)), "one who watches keeps it going");
    table.goes_off(CY, false);
    table.at(359_999).wakes();
    assert_eq!(table.state.phase(), Phase::Finished);
    table.at(360_000).wakes();
    assert_eq!(table.state.phase(), Phase::Closed);

    let mut table = Table::party_of(&timeless(), Turns::None, &[BO]);
    for who in [ANA, BO] {
        table.leaves(who);
    }
    assert_eq!((table.host(), table.state.phase()), (None, Phase::Waiting));
    // Whoever comes within the minute hosts.
    table.at(59_000).joins_party(CY, true).unwrap();
    table.wakes();
    assert_eq!((table.host(), table.next()), (Some(id(CY)), vec![CY]));
    table.leaves(CY);
    table.at(119_000).wakes();
    assert_eq!(table.state.phase(), Phase::Closed);
    table.check();
}

#[test]
fn a_party_does_not_end_while_a_game_runs() {
    let mut table = Table::party_of(&timeless(), Turns::None, &[BO]);
    table.starts(ANA).unwrap();
    for (who, cell) in [(ANA, "a1"), (BO, "b1")] {
        table.plays(who, cell);
        table.durable();
    }
    table.goes_off(ANA, false);
    table.goes_off(BO, false);
    table.at(3_600_000).wakes();
    assert_eq!(table.state.phase(), Phase::Playing);
    assert_eq!(table.state.party().unwrap().members().len(), 2, "players stay members");
}
