//! Flags fall to the millisecond, whoever is there and however busy the server is, and never for
//! time that it was away.

use hexhall::game::clock::Stamp;
use hexhall::game::{Cell, Move};
use hexhall::ids::{GameId, TableId};
use hexhall::remote::TableCopy;
use hexhall::table::handle::{Ask, Command};
use hexhall_proto::codec::Format;
use hexhall_proto::error::Code;
use hexhall_proto::event::Event;
use hexhall_proto::options::{OptionsRequest, Time};
use hexhall_proto::parts::{ClockReading, EndedBy, Outcome, Seat};
use hexhall_proto::reply::Reply;
use hexhall_proto::request::{self, Request};
use tokio::task::LocalSet;

use crate::harness::bench::{Bench, Sitter, command};
use crate::harness::guest::refused_with;
use crate::harness::hall::DAWN;
use crate::harness::{FORMATS, Guest, Hall, Setup, board, fischer};

const BY_TIME_FOR_TWO: Outcome = Outcome { winner: Some(Seat::Two), by: EndedBy::Time };

/// Two guests at a table, with a game begun and the time in the test's hand.
struct Game {
    hall: Hall,
    table: String,
    one: Guest,
    two: Guest,
}

impl Game {
    async fn begin(setup: Setup, format: Format, options: OptionsRequest) -> Game {
        let hall = Hall::start(setup).await;
        let mut one = Guest::arrive(&hall.address(), format, "Ana").await;
        let mut two = Guest::arrive(&hall.address(), format, "Bo").await;
        let table = one.open(options).await;
        two.join(&table).await;
        one.until(&table, "the game", |copy| copy.game().is_some()).await;
        Game { hall, table, one, two }
    }

    /// Begins a game and lets both make a move, so that a fallen flag is a loss.
    async fn under_way(setup: Setup, format: Format, time: Time) -> Game {
        let mut game = Game::begin(setup, format, board(5, time)).await;
        game.one.play(&game.table, "a1").await;
        game.two.play(&game.table, "b1").await;
        let moved = |copy: &TableCopy| copy.turn() == Some(2);
        game.one.until(&game.table, "the answer", moved).await;
        game
    }

    fn left(&self, seat: Seat) -> ClockReading {
        self.one.clocks(&self.table).seats[seat as usize]
    }

    /// What both players are told of the end.
    async fn end(&mut self) -> (Outcome, ClockReading) {
        let mut seen = Vec::new();
        for guest in [&mut self.one, &mut self.two] {
            let ended = |event: &Event| matches!(event, Event::Ended { .. });
            let frame = guest.hears(&self.table, "the end", ended).await;
            let Event::Ended { outcome, clocks, .. } = frame.event else { unreachable!() };
            let clocks = clocks.unwrap();
            assert_eq!(clocks.running, None);
            seen.push((outcome, clocks.seats[0]));
        }
        assert_eq!(seen[0], seen[1]);
        seen[0]
    }

    /// Nothing has happened up to now, as the table itself says.
    async fn still_runs(&mut self) -> ClockReading {
        let view = self.one.watch(&self.table).await.game.unwrap();
        assert_eq!(view.outcome, None);
        view.clocks.unwrap().seats[view.to_move.unwrap() as usize]
    }
}

#[tokio::test]
async fn a_move_a_millisecond_before_the_deadline_counts_and_at_it_the_flag_has_fallen() {
    for format in FORMATS {
        let mut game = Game::under_way(Setup::by_hand(), format, fischer(60, 0)).await;
        assert_eq!(game.left(Seat::One).left_ms, 60_000, "a first move costs what it took");
        game.hall.advance(59_999);
        assert_eq!(game.still_runs().await.left_ms, 1);
        game.one.play(&game.table, "a2").await;
        assert_eq!(game.left(Seat::One).left_ms, 1);
        game.two.play(&game.table, "b2").await;
        game.one.until(&game.table, "the answer", |copy| copy.turn() == Some(4)).await;
        let late = game.one.stone(&game.table, "a3");
        game.hall.advance(1);
        refused_with(&mut game.one, Code::GameOver, Request::Move(late)).await;
        let (outcome, reading) = game.end().await;
        assert_eq!((outcome, reading.left_ms), (BY_TIME_FOR_TWO, 0));
        assert_eq!(game.one.copy(&game.table).board()[2], ".....", "nothing was placed");
    }
}

#[tokio::test]
async fn a_flag_falls_at_its_millisecond_with_nobody_connected() {
    let game = Game::under_way(Setup::by_hand(), Format::MsgPack, fischer(60, 0)).await;
    let Game { hall, table, one, two } = game;
    for mut guest in [one, two] {
        guest.done(Request::Unwatch(request::Table { table: table.clone() })).await;
    }
    hall.advance(59_999);
    let mut guest = Guest::arrive(&hall.address(), Format::Json, "Cy").await;
    assert_eq!(guest.watch(&table).await.game.unwrap().outcome, None);
    guest.done(Request::Unwatch(request::Table { table: table.clone() })).await;
    hall.advance(60_001);
    guest.watch(&table).await;
    let ended = guest.until(&table, "the end", |copy| copy.outcome().is_some()).await;
    let (ended, score) = (ended.game().unwrap(), ended.view().score);
    assert_eq!((ended.outcome, score), (Some(BY_TIME_FOR_TWO), [0, 1]));
    assert_eq!(ended.clocks.clone().unwrap().seats.map(|seat| seat.left_ms), [0, 60_000]);
    let row = hall.store().game(ended.id.parse().unwrap()).await.unwrap().unwrap();
    let fell = Stamp(row.finished_ms.unwrap()) - DAWN;
    assert_eq!(fell, 60_000, "it fell when it fell, and not when somebody looked");
}

#[tokio::test]
async fn a_restart_past_the_deadline_gives_the_mover_the_time_of_the_last_event() {
    for format in FORMATS {
        let setup = Setup::by_hand().kept();
        let mut game = Game::under_way(setup, format, fischer(60, 0)).await;
        game.hall.advance(10_000);
        game.one.play(&game.table, "a2").await;
        game.two.play(&game.table, "b2").await;
        game.one.until(&game.table, "the answer", |copy| copy.turn() == Some(4)).await;
        // Half of what is left passes, and then the server is away for far longer than the rest.
        game.hall.advance(25_000);
        game.one.hang_up();
        game.two.hang_up();
        game.hall.stop().await;
        game.hall.advance(600_000);
        game.hall.start_again().await;
        let address = game.hall.address();
        for guest in [&mut game.one, &mut game.two] {
            guest.told.clear();
            guest.come_back(&address).await;
            guest.resume(&game.table).await;
            let restarted = |event: &Event| matches!(event, Event::Restarted { .. });
            let frame = guest.hears(&game.table, "that the server is back", restarted).await;
            let Event::Restarted { clocks } = frame.event else { unreachable!() };
            let clocks = clocks.unwrap();
            assert_eq!(clocks.running, Some(Seat::One));
            assert_eq!(clocks.seats.map(|seat| seat.left_ms), [50_000, 60_000]);
        }
        assert_eq!(game.still_runs().await.left_ms, 50_000);
        game.hall.advance(49_999);
        assert_eq!(game.still_runs().await.left_ms, 1);
        game.hall.advance(1);
        let (outcome, reading) = game.end().await;
        assert_eq!((outcome, reading.left_ms), (BY_TIME_FOR_TWO, 0));
    }
}

#[tokio::test]
async fn a_flag_falls_after_a_restart_with_nobody_connected() {
    let setup = Setup::by_hand().kept();
    let game = Game::under_way(setup, Format::MsgPack, fischer(60, 0)).await;
    let Game { mut hall, table, one, two } = game;
    drop((one, two));
    hall.stop().await;
    hall.start_again().await;
    // The clock runs from when the journal says that the server is back.
    let mut guest = Guest::arrive(&hall.address(), Format::Json, "Cy").await;
    let runs = guest.watch(&table).await.game.unwrap().clocks.unwrap();
    assert_eq!(runs.seats[0].left_ms, 60_000);
    guest.done(Request::Unwatch(request::Table { table: table.clone() })).await;
    hall.advance(60_000);
    guest.watch(&table).await;
    let ended = guest.until(&table, "the end", |copy| copy.outcome().is_some()).await;
    assert_eq!(ended.outcome(), Some(BY_TIME_FOR_TWO));
}

#[tokio::test]
async fn a_limit_for_each_turn_is_whole_again_with_each_turn() {
    let time = Time::PerTurn { seconds: 30 };
    let mut game = Game::under_way(Setup::by_hand(), Format::Json, time).await;
    for (cell, answer, turn) in [("a2", "b2", 4), ("a3", "b3", 6)] {
        game.hall.advance(29_999);
        assert_eq!(game.still_runs().await.left_ms, 1);
        game.one.play(&game.table, cell).await;
        game.two.play(&game.table, answer).await;
        game.one.until(&game.table, "the answer", |copy| copy.turn() == Some(turn)).await;
    }
    assert_eq!(game.left(Seat::One).left_ms, 30_000);
    game.hall.advance(30_000);
    assert_eq!(game.end().await.0, BY_TIME_FOR_TWO);
}

#[tokio::test]
async fn a_period_is_kept_by_a_turn_within_it_and_the_last_one_loses_the_game() {
    let time = Time::ByoYomi { initial_s: 20, period_s: 10, periods: 3 };
    let mut game = Game::under_way(Setup::by_hand(), Format::MsgPack, time).await;
    let reading =
        |left_ms, periods| ClockReading { left_ms, periods: Some(periods), first_move_ms: None };
    assert_eq!(game.still_runs().await, reading(20_000, 3));
    // The main time, and all of the first period but a millisecond.
    game.hall.advance(29_999);
    assert_eq!(game.still_runs().await, reading(1, 2));
    game.one.play(&game.table, "a2").await;
    game.two.play(&game.table, "b2").await;
    game.one.until(&game.table, "the answer", |copy| copy.turn() == Some(4)).await;
    assert_eq!(
        game.still_runs().await,
        reading(10_000, 2),
        "a period within which one moves is kept"
    );
    game.hall.advance(10_000);
    assert_eq!(game.still_runs().await, reading(10_000, 1), "one used up is lost");
    game.hall.advance(19_999);
    assert_eq!(game.still_runs().await, reading(1, 0));
    game.hall.advance(1);
    assert_eq!(game.end().await.0, BY_TIME_FOR_TWO);
}

#[tokio::test]
async fn a_first_move_that_does_not_come_makes_the_game_void() {
    for late in [Seat::One, Seat::Two] {
        let options = OptionsRequest { first_move_s: Some(30), ..board(5, fischer(300, 5)) };
        let mut game = Game::begin(Setup::by_hand(), Format::Json, options).await;
        if late == Seat::Two {
            game.hall.advance(29_999);
            game.one.play(&game.table, "a1").await;
            assert_eq!(game.left(Seat::One).left_ms, 300_000 - 29_999 + 5_000);
        }
        assert_eq!(game.left(late).first_move_ms, Some(30_000));
        game.hall.advance(29_999);
        assert_eq!(game.still_runs().await.first_move_ms, Some(1));
        game.hall.advance(1);
        let (outcome, _) = game.end().await;
        assert_eq!(outcome, Outcome { winner: None, by: EndedBy::NotStarted });
        assert_eq!(game.one.copy(&game.table).view().score, [0, 0]);
    }
}

/// A game on a table that works through its mailbox only while the test waits.
struct BusyGame {
    bench: Bench,
    table: TableId,
    game: GameId,
    one: Sitter,
    two: Sitter,
}

impl BusyGame {
    async fn under_way() -> BusyGame {
        let bench = Bench::new();
        let (mut one, mut two) = (bench.sitter("Ana"), bench.sitter("Bo"));
        let table = bench.open(&mut one, board(5, fischer(60, 0))).await;
        let join = Ask::Join { seat: None, invitation: None };
        let Reply::Joined { view, .. } = bench.ask(&mut two, table, join).await else {
            panic!("not joined");
        };
        let game = view.game.unwrap().id.parse().unwrap();
        let mut begun = BusyGame { bench, table, game, one, two };
        let (first, second) = (begun.stone(0, 0), begun.stone(1, 1));
        let reply = begun.bench.ask(&mut begun.one, table, first).await;
        assert_eq!(reply, Reply::Moved { turn: 1, collision: false });
        let reply = begun.bench.ask(&mut begun.two, table, second).await;
        assert_eq!(reply, Reply::Moved { turn: 2, collision: false });
        begun
    }

    fn stone(&self, turn: u64, col: u8) -> Ask {
        let action = Move::Place(Cell::new(0, col));
        command(&format!("stone-{turn}"), Command::Play { game: self.game, turn, action })
    }

    /// Puts questions into the table's mailbox, so many from each watcher.
    async fn flood(&self, watchers: &mut [Sitter], each: usize) {
        for watcher in watchers {
            for _ in 0..each {
                let ask = Ask::Watch { invitation: None, last: None };
                self.bench.put(watcher, self.table, self.bench.time.now(), ask).await;
            }
        }
    }
}

#[tokio::test]
async fn a_busy_table_judges_a_move_by_when_it_arrived() {
    // How long after its deadline the move arrives, and what comes of it.
    for (arrives_ms, counts) in [(59_999, true), (60_000, false), (60_001, false)] {
        let busy = async {
            let mut game = BusyGame::under_way().await;
            let mut watchers: Vec<_> = (0..16).map(|_| game.bench.sitter("Cy")).collect();
            let (before, after) = watchers.split_at_mut(8);
            game.bench.advance(59_990);
            game.flood(before, 30).await;
            game.bench.advance(arrives_ms - 59_990);
            let (stone, now) = (game.stone(2, 2), game.bench.time.now());
            game.bench.put(&mut game.one, game.table, now, stone).await;
            // Far more than there is room for, and the alarm rings as well.
            game.flood(after, 30).await;
            game.bench.advance(10_000);
            let reply = game.one.reply().await;
            let refused = replies(after, 30).await;
            assert!(refused > 0, "the mailbox was full");
            if counts {
                assert_eq!(reply, Reply::Moved { turn: 3, collision: false });
            } else {
                let Reply::Error(body) = reply else { panic!("played too late: {reply:?}") };
                assert_eq!(body.code, Code::GameOver);
            }
            let watch = Ask::Watch { invitation: None, last: None };
            let Reply::View { view } = game.bench.ask(&mut game.two, game.table, watch).await
            else {
                panic!("no view");
            };
            let seen = view.game.unwrap();
            assert_eq!(seen.outcome, (!counts).then_some(BY_TIME_FOR_TWO));
            assert_eq!(seen.moves.len(), if counts { 3 } else { 2 });
            let left = seen.clocks.unwrap().seats.map(|seat| seat.left_ms);
            // The time that it took to get to the move is charged to nobody.
            assert_eq!(left, if counts { [1, 60_000] } else { [0, 60_000] });
        };
        LocalSet::new().run_until(busy).await;
    }
}

/// Takes in so many replies for each; says how many of them are `busy`.
async fn replies(sitters: &mut [Sitter], each: usize) -> usize {
    let mut busy = 0;
    for sitter in sitters {
        for _ in 0..each {
            match sitter.reply().await {
                Reply::Error(body) => {
                    assert_eq!(body.code, Code::Busy);
                    busy += 1;
                }
                Reply::View { .. } => {}
                other => panic!("{other:?}"),
            }
        }
    }
    busy
}

#[tokio::test]
async fn a_move_in_time_counts_however_long_the_journal_takes() {
    let slow = async {
        let mut game = BusyGame::under_way().await;
        game.bench.advance(59_999);
        game.bench.faults.hold_commits(true);
        let (stone, now) = (game.stone(2, 2), game.bench.time.now());
        game.bench.put(&mut game.one, game.table, now, stone).await;
        game.bench.advance(100_000);
        // Asked after the move, answered after it.
        let watch = Ask::Watch { invitation: None, last: None };
        game.bench.put(&mut game.two, game.table, game.bench.time.now(), watch).await;
        game.bench.worked_through().await;
        game.bench.faults.hold_commits(false);
        assert_eq!(game.one.reply().await, Reply::Moved { turn: 3, collision: false });
        let Reply::View { view } = game.two.reply().await else { panic!("no view") };
        let clocks = view.game.unwrap().clocks.unwrap();
        assert_eq!(clocks.seats.map(|seat| seat.left_ms), [1, 60_000]);
        game.bench.advance(60_000);
        game.bench.worked_through().await;
        let watch = Ask::Watch { invitation: None, last: None };
        let Reply::View { view } = game.bench.ask(&mut game.one, game.table, watch).await else {
            panic!("no view");
        };
        let won = Outcome { winner: Some(Seat::One), by: EndedBy::Time };
        assert_eq!(view.game.unwrap().outcome, Some(won), "the answer's time ran from then on");
    };
    LocalSet::new().run_until(slow).await;
}
