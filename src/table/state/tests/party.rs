//! Who comes, who goes, and what becomes of their seats and of the table.

use super::*;

const KEPT: Millis = 600_000;

#[test]
fn the_second_player_starts_the_game() {
    let mut table = Table::open(&small());
    assert_eq!(table.state.phase(), Phase::Waiting);
    assert_eq!(table.join(BO, None), Ok(Two));
    assert_eq!((table.state.phase(), table.state.games()), (Phase::Playing, 1));
    table.check();
}

#[test]
fn a_taken_seat_a_full_table_and_one_s_own_table_cannot_be_joined() {
    let mut table = Table::open(&small());
    assert_eq!(table.join(BO, Some(One)), Err(Refusal::SeatTaken(One)));
    assert_eq!(table.join(ANA, None), Err(Refusal::AlreadySeated(One)));
    assert_eq!(table.join(ANA, Some(Two)), Err(Refusal::AlreadySeated(One)));
    assert_eq!(table.join(BO, Some(Two)), Ok(Two));
    assert_eq!(table.join(CY, None), Err(Refusal::TableFull));
    for seat in [One, Two] {
        assert_eq!(table.join(CY, Some(seat)), Err(Refusal::SeatTaken(seat)));
    }
    table.check();
}

#[test]
fn whoever_leaves_a_running_game_keeps_the_seat() {
    let mut table = Table::under_way(&small());
    let before = table.journal.len();
    table.leaves(BO);
    assert_eq!((table.journal.len(), table.state.phase()), (before, Phase::Playing));
    assert_eq!(table.seats()[1], Some(id(BO)));
    let over = table.state.countdown_over(Two, table.live());
    assert_eq!(over, Some(Stamp(T0 + 10_000)));
}

#[test]
fn whoever_leaves_after_a_game_frees_the_seat_for_the_next() {
    let mut table = Table::finished(&small());
    assert_eq!(table.state.score(), [1, 0]);
    let offer = table.offers(BO, OfferKind::Rematch);
    table.leaves(BO);
    assert_eq!((table.state.phase(), table.state.score()), (Phase::Waiting, [0, 0]));
    assert_eq!(table.state.offers(), [], "offer {offer} went with who made it");
    assert!(!table.state.presence().is_here(Two));
    assert_eq!(table.join(CY, None), Ok(Two));
    assert_eq!((table.state.games(), table.seats()), (2, [Some(id(ANA)), Some(id(CY))]));
    table.check();
}

#[test]
fn a_newcomer_inherits_no_answers_and_no_round_trip() {
    let mut table = Table::under_way(&small());
    let give = Command::GiveTime(table.game_now());
    table.sends(BO, "mine", give).unwrap();
    table.state.note_round_trip(Two, 400);
    let resign = Command::Resign(table.game_now());
    table.gives(BO, resign).unwrap();
    table.leaves(BO);
    table.join(CY, None).unwrap();
    table.durable();
    assert_eq!(table.state.round_trips, [0, 0]);
    let give = Command::GiveTime(table.game_now());
    assert_eq!(table.decides(CY, "mine", give).events.len(), 1);
    table.check();
}

#[test]
fn a_table_that_its_last_player_leaves_closes() {
    let mut table = Table::open(&small());
    table.leaves(ANA);
    assert_eq!(table.state.phase(), Phase::Closed);

    let mut table = Table::finished(&small());
    let game = table.game_now();
    table.leaves(BO);
    table.leaves(ANA);
    assert_eq!(table.state.phase(), Phase::Closed);
    let closed = Refusal::UnknownTable(table.state.id());
    assert_eq!(table.join(CY, None), Err(closed));
    assert_eq!(table.refuses(ANA, Command::Resign(game)), Refusal::NotSeated);
    assert_eq!(table.state.decide_leave(id(ANA), table.now), []);
    assert_eq!(table.state.next_due(table.now), None);
    table.check();
}

#[test]
fn a_stranger_and_a_watcher_leave_nothing_behind() {
    let table = Table::finished(&small());
    assert_eq!(table.state.decide_leave(id(CY), table.now), []);
}

#[test]
fn a_seat_is_kept_for_ten_minutes_where_no_game_runs() {
    let mut table = Table::finished(&small());
    table.at(1_000).goes(BO, false);
    assert_eq!(table.at(1_000 + KEPT - 1).due(), []);
    assert_eq!(table.state.next_due(table.now), Some(Stamp(T0 + 1_000 + KEPT)));
    table.at(1_000 + KEPT).wakes();
    assert_eq!((table.state.phase(), table.seats()[1]), (Phase::Waiting, None));
    table.check();

    let mut table = Table::open(&small());
    table.goes(ANA, false);
    table.at(KEPT).wakes();
    assert_eq!(table.state.phase(), Phase::Closed);
    table.check();
}

#[test]
fn a_finished_table_that_both_have_left_closes_after_a_minute_and_its_offers_with_it() {
    let mut table = Table::finished(&small());
    table.offers(ANA, OfferKind::Rematch);
    table.goes(ANA, false);
    table.at(2_000).goes(BO, false);
    assert_eq!(table.at(61_999).due(), []);
    table.at(62_000).wakes();
    assert_eq!((table.state.phase(), table.state.offers()), (Phase::Closed, &[][..]));
    assert_eq!(table.state.next_due(table.now), None);
    let play = table.play("c3");
    assert_eq!(table.refuses(ANA, play), Refusal::UnknownTable(table.state.id()));
    table.check();
}

#[test]
fn a_table_does_not_close_in_the_moment_that_a_long_game_ends() {
    let mut table = Table::under_way(&small());
    table.goes(ANA, false);
    table.goes(BO, false);
    table.at(305_000).wakes();
    assert_eq!(table.state.phase(), Phase::Finished);
    assert_eq!(table.state.next_due(table.now), Some(Stamp(T0 + 365_000)));
}

#[test]
fn a_private_table_admits_its_players_and_those_who_show_the_invitation() {
    let (options, at) = (Options::resolve(&small()).unwrap(), Stamp(T0));
    let table = TableId::from_parts(T0, 2);
    let mut state = State::new(table, Spans::default(), options, Some("sesame".into()), at);
    state.apply(&Event::Seated { seat: One, player: player(ANA), at }).unwrap();
    assert!(state.is_private());
    assert!(state.admits(id(ANA), None));
    assert!(state.admits(id(BO), Some("sesame")));
    for shown in [None, Some(""), Some("sesam"), Some("sesame ")] {
        assert!(!state.admits(id(BO), shown), "{shown:?}");
    }
    assert!(Table::open(&small()).state.admits(id(CY), None), "a public table admits anyone");
}

#[test]
fn events_that_no_table_can_have_are_refused() {
    let mut table = Table::finished(&small());
    let opened = table.journal[0].clone();
    assert_eq!(table.state.apply(&opened), Err(Corrupt::OpenedTwice));
    let (id, spans, now) = (table.state.id, table.state.spans, table.now);
    assert_eq!(State::replay(id, spans, &[], now), Err(Corrupt::NotOpened));
    assert_eq!(State::replay(id, spans, &table.journal[1..], now), Err(Corrupt::NotOpened));
    let refused = |event| table.state.clone().apply(&event).unwrap_err();
    let readings = State::readings(&table.live().clock, now);
    let seated = Event::Seated { seat: One, player: player(CY), at: now };
    assert_eq!(refused(seated), Corrupt::Seat(One));
    assert_eq!(refused(Event::Paused { readings }), Corrupt::NoGame);
    assert_eq!(refused(Event::TakenBack { plies: 0, readings }), Corrupt::NoGame);
    let how = hexhall_proto::parts::OfferClosed::Void;
    let closed = Event::OfferClosed { offer: 5, how, by: None };
    assert_eq!(refused(closed), Corrupt::NoOffer(5));
    let void = Outcome::Void(Void::Aborted);
    let resigned = Outcome::Won { winner: One, by: WonBy::Resignation };
    for outcome in [void, resigned] {
        let ended = Event::Ended { outcome, by: None, readings, at: now };
        assert_eq!(refused(ended), Corrupt::Outcome(Some(resigned)), "a game ends once");
    }
    let mut waiting = Table::open(&small()).state;
    let unseated = Event::Unseated { seat: Two, at: now };
    assert_eq!(waiting.apply(&unseated), Err(Corrupt::Seat(Two)));
}
