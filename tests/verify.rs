//! `verify` finds nothing wrong with what was really played, and names each kind of damage by its
//! table, its event and what was to be expected.

mod computer;
mod party;
mod results;
mod rows;
mod story;

use hexhall::game::clock::Stamp;
use hexhall::game::{Cell, Move, Outcome, Seat, WonBy};
use hexhall::store::{Durability, Store};
use hexhall::table::state::answered::Answer;
use hexhall::table::state::event::Event;
use hexhall::verify::{self, Check, Problem, Progress, Report};
use hexhall_proto::parts::OfferClosed;

use story::{Journal, full, open, running};

async fn check(journals: &[Journal]) -> Report {
    let store = Store::memory();
    for journal in journals {
        journal.write(&store).await;
    }
    verify::run(&store, |_| ()).await.unwrap()
}

/// The first problem of a damaged journal, which has to name its table.
async fn first_problem(journal: &Journal) -> Problem {
    let report = check(std::slice::from_ref(journal)).await;
    let problem = report.problems.into_iter().next().expect("the damage is found");
    assert_eq!(problem.table, Some(journal.table), "{problem}");
    problem
}

#[track_caller]
fn assert_problem(problem: &Problem, event: u64, check: Check, expected: &str, found: &str) {
    assert_eq!((problem.event, problem.check), (Some(event), check), "{problem}");
    assert!(problem.expected.contains(expected), "{problem}");
    assert!(problem.found.contains(found), "{problem}");
}

fn is_played(event: &Event) -> bool {
    matches!(event, Event::Played { .. })
}

fn is_resigned(event: &Event) -> bool {
    let resigned = WonBy::Resignation;
    matches!(event, Event::Ended { outcome: Outcome::Won { by, .. }, .. } if *by == resigned)
}

#[tokio::test]
async fn nothing_is_wrong_with_what_was_really_played() {
    let journals = [full(), running(), open()];
    let report = check(&journals).await;
    assert_eq!(report.problems, []);
    let of = |counted: fn(&Event) -> bool| {
        journals.iter().flat_map(|it| &it.events).filter(|event| counted(event)).count() as u64
    };
    assert_eq!(report.counts.tables, 3);
    assert_eq!(report.counts.events, of(|_| true));
    assert_eq!(report.counts.moves, of(is_played));
    assert_eq!(report.counts.games, 7);
    assert_eq!(report.counts.ended, 6);
    assert_eq!(report.counts.seatings, 6);
}

#[tokio::test]
async fn nothing_is_wrong_with_the_same_in_a_file() {
    let dir = tempfile::TempDir::new().unwrap();
    let store = Store::open(dir.path(), Durability::Process).unwrap();
    for journal in [full(), running(), open()] {
        journal.write(&store).await;
    }
    store.close();
    let store = Store::open(dir.path(), Durability::Process).unwrap();
    let mut told = Vec::new();
    let report = verify::run(&store, |progress| told.push(progress)).await.unwrap();
    assert_eq!(report.problems, []);
    assert_eq!(told, [1, 2, 3].map(|done| Progress { done, of: 3 }));
}

#[tokio::test]
async fn an_illegal_move_is_named_and_nothing_is_said_of_what_follows() {
    let mut journal = full();
    let number = journal.find(is_played) + 2;
    let Event::Played { action, .. } = journal.at(number) else { panic!("a move") };
    *action = Move::Place(Cell::new(1, 1));
    let report = check(std::slice::from_ref(&journal)).await;
    assert_problem(&report.problems[0], number, Check::Order, "a legal move", "b2 is taken");
    assert_eq!(report.problems.len(), 1, "{:?}", report.problems);
}

#[tokio::test]
async fn a_command_that_took_effect_twice_is_named() {
    let mut journal = full();
    let number = journal.find(is_played) + 2;
    let Event::Played { by, .. } = journal.at(number - 2) else { panic!("a move") };
    let (seat, earlier) = (by.seat, by.command.clone());
    let Event::Played { by, .. } = journal.at(number) else { panic!("a move") };
    assert_eq!(by.seat, seat);
    by.command = earlier;
    let problem = first_problem(&journal).await;
    assert_problem(&problem, number, Check::Commands, "of seat 1 to take effect once", "again");
}

#[tokio::test]
async fn a_move_that_was_answered_with_another_turn_is_named() {
    let mut journal = full();
    let number = journal.find(is_played) + 1;
    let Event::Played { by, .. } = journal.at(number) else { panic!("a move") };
    by.answer = Answer::Moved { turn: 7, collided: false };
    let problem = first_problem(&journal).await;
    assert_problem(&problem, number, Check::Commands, "turn 2", "turn: 7");
}

#[tokio::test]
async fn an_event_of_a_game_after_its_end_is_named() {
    for repeated in ["move", "end"] {
        let mut journal = full();
        let end = journal.find(|event| matches!(event, Event::Ended { .. }));
        let mut again = journal.at(if repeated == "end" { end } else { end - 1 }).clone();
        if let Event::Played { by, .. } = &mut again {
            by.command = hexhall::table::handle::CommandId::new("another").unwrap();
        }
        journal.events.insert(end as usize, again);
        let problem = first_problem(&journal).await;
        assert_problem(&problem, end + 1, Check::Finality, &format!("event {end} ended"), repeated);
    }
}

#[tokio::test]
async fn a_winning_move_without_the_games_end_is_named() {
    let mut journal = full();
    let end = journal.find(|event| matches!(event, Event::Ended { .. }));
    journal.events.remove(end as usize - 1);
    let problem = first_problem(&journal).await;
    assert_problem(&problem, end, Check::Finality, "Chain", "an offer");
    let mut journal = full();
    journal.events.truncate(end as usize - 1);
    let problem = first_problem(&journal).await;
    assert_problem(&problem, end - 1, Check::Winner, "Chain", "the journal's end");
}

#[tokio::test]
async fn an_end_that_the_board_does_not_show_is_named() {
    let mut journal = full();
    let number = journal.find(|event| matches!(event, Event::Ended { .. }));
    let Event::Ended { outcome, .. } = journal.at(number) else { panic!("an end") };
    let Outcome::Won { winner, by: WonBy::Chain } = *outcome else { panic!("by a chain") };
    *outcome = Outcome::Won { winner: winner.other(), by: WonBy::Chain };
    let problem = first_problem(&journal).await;
    assert_problem(&problem, number, Check::Winner, "the end that the board shows", "Two");
}

#[tokio::test]
async fn an_end_that_nobody_could_bring_is_named() {
    let mut journal = full();
    let number = journal.find(is_resigned);
    let Event::Ended { outcome, .. } = journal.at(number) else { panic!("an end") };
    let Outcome::Won { winner, .. } = *outcome else { panic!("won") };
    *outcome = Outcome::Won { winner, by: WonBy::Time };
    let problem = first_problem(&journal).await;
    assert_problem(&problem, number, Check::Winner, "an end that command", "Time");
}

#[tokio::test]
async fn a_win_by_a_chain_that_is_not_there_is_named() {
    let mut journal = full();
    let number = journal.find(is_resigned);
    let Event::Ended { outcome, by, .. } = journal.at(number) else { panic!("an end") };
    let Outcome::Won { winner, .. } = *outcome else { panic!("won") };
    (*outcome, *by) = (Outcome::Won { winner, by: WonBy::Chain }, None);
    let problem = first_problem(&journal).await;
    assert_problem(&problem, number, Check::Winner, "an end that is no chain", "Chain");
}

#[tokio::test]
async fn clocks_that_gain_or_lose_a_millisecond_are_named() {
    for change in [-1, 1] {
        let mut journal = full();
        let number = journal.find(is_played) + 1;
        let Event::Played { readings, used_ms, .. } = journal.at(number) else { panic!("a move") };
        assert_eq!(*used_ms, 960, "a second, less 40 ms for lag");
        let left_ms = readings[1].left_ms.as_mut().unwrap();
        *left_ms = left_ms.checked_add_signed(change).unwrap();
        let problem = first_problem(&journal).await;
        assert_problem(&problem, number, Check::Clocks, "61040 ms after 960 ms", "610");
    }
}

#[tokio::test]
async fn a_clock_that_grows_without_a_move_is_named() {
    let mut journal = full();
    let number = journal.find(|event| matches!(event, Event::Paused { .. }));
    let Event::Paused { readings } = journal.at(number) else { panic!("a pause") };
    *readings[1].left_ms.as_mut().unwrap() += 1;
    let problem = first_problem(&journal).await;
    assert_problem(&problem, number, Check::Clocks, "ms against", "ms against");
    let mut journal = full();
    let number = journal.find(|event| matches!(event, Event::TimeGiven { .. }));
    let Event::TimeGiven { ms, .. } = journal.at(number) else { panic!("a gift") };
    // The seat on turn was given it, and had used up less than what is missing now.
    *ms -= 10_000;
    let problem = first_problem(&journal).await;
    assert_problem(&problem, number, Check::Clocks, "ms against", "ms against");
}

#[tokio::test]
async fn byo_yomi_that_keeps_a_lost_period_is_named() {
    let mut journal = running();
    let used = |least: u64| move |event: &Event| matches!(event, Event::Played { used_ms, .. } if *used_ms > least);
    let number = journal.find(used(3_500));
    let Event::Played { by, readings, .. } = journal.at(number) else { panic!("a move") };
    readings[by.seat.index()].periods += 1;
    let problem = first_problem(&journal).await;
    assert_problem(&problem, number, Check::Clocks, "periods", "periods");
}

#[tokio::test]
async fn a_move_in_a_pause_is_named() {
    let mut journal = full();
    let number = journal.find(|event| matches!(event, Event::Unpaused { .. }));
    journal.events.remove(number as usize - 1);
    let moved = journal.find(|event| matches!(event, Event::Restarted { .. })) + 1;
    let problem = first_problem(&journal).await;
    assert_problem(&problem, moved, Check::Order, "the end of the pause", "a move");
}

#[tokio::test]
async fn a_seat_that_is_given_up_in_a_game_is_named() {
    let mut journal = full();
    let number = journal.find(is_played) + 1;
    let event = Event::Unseated { seat: Seat::One, at: Stamp(1) };
    journal.events.insert(number as usize - 1, event);
    let problem = first_problem(&journal).await;
    assert_problem(&problem, number, Check::Seats, "the end of gam_", "giving a seat up");
}

#[tokio::test]
async fn players_who_exchanged_seats_wrongly_are_named() {
    let mut journal = full();
    let start = |event: &Event| matches!(event, Event::Started { exchange: true, .. });
    let number = journal.find(start);
    let Event::Started { exchange, .. } = journal.at(number) else { panic!("a start") };
    *exchange = false;
    let problem = first_problem(&journal).await;
    assert_problem(&problem, number, Check::Seats, "exchanged seats", "as they were");
}

#[tokio::test]
async fn a_game_that_begins_twice_is_named() {
    let mut journal = full();
    let first = journal.find(|event| matches!(event, Event::Started { .. }));
    let Event::Started { game: earlier, .. } = *journal.at(first) else { panic!("a start") };
    let start = |event: &Event| matches!(event, Event::Started { exchange: true, .. });
    let number = journal.find(start);
    let Event::Started { game, .. } = journal.at(number) else { panic!("a start") };
    *game = earlier;
    let problem = first_problem(&journal).await;
    assert_problem(&problem, number, Check::Finality, "not been played", &earlier.to_string());
}

#[tokio::test]
async fn an_offer_out_of_number_is_named_and_never_counted_on_from() {
    let mut journal = full();
    let number = journal.find(|event| matches!(event, Event::Offered { .. }));
    let Event::Offered { offer, by, .. } = journal.at(number) else { panic!("an offer") };
    offer.id = u64::MAX;
    by.answer = Answer::Offered(u64::MAX);
    let problem = first_problem(&journal).await;
    assert_problem(&problem, number, Check::Offers, "offer 1", &u64::MAX.to_string());
}

#[tokio::test]
async fn an_offer_closed_by_the_wrong_seat_or_not_open_is_named() {
    let is_accepted =
        |event: &Event| matches!(event, Event::OfferClosed { how: OfferClosed::Accepted, .. });
    let mut journal = full();
    let number = journal.find(is_accepted);
    let Event::OfferClosed { by: Some(by), .. } = journal.at(number) else { panic!("closed") };
    by.seat = by.seat.other();
    let problem = first_problem(&journal).await;
    assert_problem(&problem, number, Check::Offers, "a command of seat 1", "seat 2");
    let mut journal = full();
    let Event::OfferClosed { offer, .. } = journal.at(number) else { panic!("closed") };
    *offer = 9;
    let problem = first_problem(&journal).await;
    assert_problem(&problem, number, Check::Offers, "an offer that is open", "offer 9");
}

#[tokio::test]
async fn an_agreement_that_nothing_follows_from_is_named() {
    let mut journal = full();
    let number = journal.find(|event| matches!(event, Event::TakenBack { .. }));
    let Event::TakenBack { plies, .. } = journal.at(number) else { panic!("a takeback") };
    *plies += 1;
    let problem = first_problem(&journal).await;
    assert_problem(&problem, number, Check::Order, "3 moves left", "4 moves left");
    let mut journal = full();
    journal.events.remove(number as usize - 1);
    let problem = first_problem(&journal).await;
    assert_problem(&problem, number, Check::Offers, "(Takeback) was accepted", "a move");
}

#[tokio::test]
async fn a_table_that_goes_on_after_its_closing_is_named() {
    let mut journal = full();
    journal.events.push(Event::Restarted { at: Stamp(1) });
    let last = journal.events.len() as u64;
    let problem = first_problem(&journal).await;
    assert_problem(&problem, last, Check::Finality, "nothing after", "a restart");
}

#[tokio::test]
async fn a_journal_without_its_opening_is_named() {
    let mut journal = full();
    journal.events.remove(0);
    let problem = first_problem(&journal).await;
    assert_problem(&problem, 1, Check::Order, "the table's opening", "not its opening");
}
