//! The computer plays for a player who is gone, and whoever comes back has the seat.

use hexhall::cpu::seen::Attempt;
use hexhall::game::{Cell, Color};
use hexhall::record::{self, Action};
use hexhall::remote::TableCopy;
use hexhall::store::{Durability, Store};
use hexhall_proto::codec::Format;
use hexhall_proto::event::Event;
use hexhall_proto::options::{OptionsRequest, Preset, Time};
use hexhall_proto::parts::{EndedBy, Outcome, Seat};
use hexhall_proto::reply::Reply;
use hexhall_proto::view::SeatPresence;

use crate::harness::thinker::{Questions, scripted};
use crate::harness::{FORMATS, Guest, Hall, Process, Setup, board, fischer};

/// Two guests in a game, the first to move, and the computer, which the test answers for.
struct Party {
    hall: Hall,
    table: String,
    one: Guest,
    two: Guest,
    computer: Questions,
}

const AWAY: SeatPresence =
    SeatPresence { connected: false, countdown_ms: None, claimable: false, cpu: None };

/// At the level at which the computer takes over.
const DRIVEN: SeatPresence = SeatPresence { cpu: Some(5), ..AWAY };

impl Party {
    async fn gather(setup: Setup, format: Format, options: OptionsRequest) -> Party {
        let (thinker, computer) = scripted();
        let hall = Hall::start(Setup { thinker, ..setup }).await;
        let mut one = Guest::arrive(&hall.address(), format, "Ana").await;
        let mut two = Guest::arrive(&hall.address(), format, "Bo").await;
        let table = one.open(options).await;
        two.join(&table).await;
        one.until(&table, "the game", |copy| copy.game().is_some()).await;
        Party { hall, table, one, two, computer }
    }

    /// Waits until the first guest sees the second seat like that.
    async fn sees(&mut self, expected: SeatPresence) {
        let sees = move |copy: &TableCopy| copy.view().presence.seats[1] == expected;
        self.one.until(&self.table, "the other seat", sees).await;
    }

    /// The second guest goes, and is taken over after that long.
    async fn two_goes(&mut self, countdown_ms: u64) {
        self.two.hang_up();
        self.sees(SeatPresence { countdown_ms: Some(countdown_ms), ..AWAY }).await;
        self.hall.advance(countdown_ms);
        self.sees(DRIVEN).await;
    }

    /// The second guest is back and goes on where they were.
    async fn two_returns(&mut self) {
        self.two.come_back(&self.hall.address()).await;
        self.two.resume(&self.table).await;
        let back = |event: &Event| matches!(event, Event::Returned { seat: Seat::Two });
        self.two.hears(&self.table, "that one has the seat again", back).await;
        self.sees(SeatPresence { connected: true, ..AWAY }).await;
    }

    /// Who made each move: whether it was the computer.
    fn driven(&self) -> Vec<bool> {
        self.one.copy(&self.table).game().unwrap().moves.iter().map(|it| it.cpu).collect()
    }
}

#[tokio::test]
async fn the_computer_plays_for_who_is_gone_until_they_are_back() {
    for format in FORMATS {
        let mut party = Party::gather(Setup::by_hand(), format, board(3, fischer(300, 0))).await;
        let table = party.table.clone();
        party.one.play(&table, "b2").await;
        party.two_goes(30_000).await;
        let taken = |event: &Event| *event == Event::TakenOver { seat: Seat::Two, level: 5 };
        party.one.hears(&table, "the takeover", taken).await;

        let question = party.computer.next().await;
        assert_eq!(question.task.level.number(), 5);
        assert_eq!((question.task.seen.color, question.task.reading.left_ms), {
            (Color::Blue, Some(270_000))
        });
        assert_eq!(question.task.seen.stones, [(Cell::new(1, 1), Color::Red)]);
        party.hall.advance(1_000);
        assert!(question.answer("a3"));
        let placed = |event: &Event| matches!(event, Event::Placed { cpu: true, .. });
        party.one.hears(&table, "the computer's move", placed).await;
        assert_eq!(party.one.clocks(&table).seats[1].left_ms, 269_000, "its clock is the seat's");

        party.two_returns().await;
        party.two.until(&table, "the computer's move", |copy| copy.turn() == Some(2)).await;
        party.one.play(&table, "b3").await;
        party.two.play(&table, "c1").await;
        party.one.play(&table, "b1").await;
        let chain = Outcome { winner: Some(Seat::One), by: EndedBy::Chain };
        party.two.until(&table, "the end", |copy| copy.outcome() == Some(chain)).await;
        assert!(party.computer.are_none());
        assert_eq!(party.driven(), [false, true, false, false, false]);

        let game = party.one.copy(&table).game().unwrap().id.parse().unwrap();
        let row = party.hall.store().game(game).await.unwrap().unwrap();
        let text = String::from_utf8(row.record.unwrap()).unwrap();
        for form in [record::Format::Json, record::Format::Sgf] {
            let json = record::read(text.as_bytes(), None).unwrap().remove(0);
            let written = record::write(&json, form).unwrap();
            let read = record::read(written.as_bytes(), Some(form)).unwrap().remove(0);
            let driven: Vec<bool> = read.plies.iter().map(|ply| ply.cpu).collect();
            assert_eq!(driven, party.driven(), "{written}");
            assert_eq!(read.plies[1].action, Action::Place("a3".parse().unwrap()));
        }
    }
}

#[tokio::test]
async fn whoever_is_back_before_the_countdown_is_over_was_never_replaced() {
    let mut party = Party::gather(Setup::by_hand(), Format::Json, board(3, fischer(300, 0))).await;
    let table = party.table.clone();
    party.one.play(&table, "b2").await;
    party.two.hang_up();
    party.sees(SeatPresence { countdown_ms: Some(30_000), ..AWAY }).await;
    party.hall.advance(29_999);
    party.two.come_back(&party.hall.address()).await;
    party.two.resume(&table).await;
    party.sees(SeatPresence { connected: true, ..AWAY }).await;
    party.hall.advance(100_000);
    party.two.play(&table, "a3").await;
    party.one.until(&table, "the move", |copy| copy.turn() == Some(2)).await;
    assert!(party.computer.are_none());
    assert_eq!(party.driven(), [false, false]);
}

#[tokio::test]
async fn a_player_who_returns_while_the_computer_thinks_plays_the_move() {
    for format in FORMATS {
        let options = board(3, Time::None {});
        let mut party = Party::gather(Setup::by_hand(), format, options).await;
        let table = party.table.clone();
        for again in 0..2 {
            party.one.play(&table, ["b2", "b3"][again]).await;
            party.two_goes(60_000).await;
            let question = party.computer.next().await;
            party.two_returns().await;
            question.given_up().await;
            party.two.play(&table, ["a3", "c1"][again]).await;
        }
        party.one.until(&table, "the moves", |copy| copy.turn() == Some(4)).await;
        assert_eq!(party.driven(), [false; 4]);
        assert!(party.computer.are_none());
    }
}

#[tokio::test]
async fn the_computer_steps_in_after_half_of_the_time_that_is_left_on_a_running_clock() {
    let options = board(3, Time::PerTurn { seconds: 20 });
    let mut party = Party::gather(Setup::by_hand(), Format::Json, options).await;
    let table = party.table.clone();
    party.two.hang_up();
    party.sees(SeatPresence { countdown_ms: Some(60_000), ..AWAY }).await;
    party.one.play(&table, "b2").await;
    party.sees(SeatPresence { countdown_ms: Some(10_000), ..AWAY }).await;
    party.hall.advance(10_000);
    party.sees(DRIVEN).await;
    party.computer.play("a3").await;
    party.one.until(&table, "the answer", |copy| copy.turn() == Some(2)).await;
}

#[tokio::test]
async fn with_both_gone_nobody_plays_and_whoever_is_back_first_goes_on() {
    let options = board(3, Time::None {});
    let mut party = Party::gather(Setup::by_hand(), Format::MsgPack, options).await;
    let table = party.table.clone();
    party.two_goes(60_000).await;
    party.one.play(&table, "b2").await;
    let question = party.computer.next().await;
    party.one.hang_up();
    question.given_up().await;
    party.hall.advance(3_600_000);

    party.one.come_back(&party.hall.address()).await;
    party.one.resume(&table).await;
    party.computer.play("a3").await;
    party.one.until(&table, "the answer", |copy| copy.turn() == Some(2)).await;
    assert_eq!(party.driven(), [false, true]);

    // The other way round: the one who was taken over comes back, and it is Ana who is gone.
    party.one.hang_up();
    party.two.come_back(&party.hall.address()).await;
    let view = party.two.watch(&table).await;
    assert_eq!(view.presence.seats[1], SeatPresence { connected: true, ..AWAY });
    for (seat, expected) in [
        (1, SeatPresence { connected: true, ..AWAY }),
        (0, SeatPresence { countdown_ms: Some(60_000), ..AWAY }),
    ] {
        let sees = move |copy: &TableCopy| copy.view().presence.seats[seat] == expected;
        party.two.until(&table, "a seat", sees).await;
    }
    party.hall.advance(60_000);
    let driven = |copy: &TableCopy| copy.view().presence.seats[0] == DRIVEN;
    party.two.until(&table, "the other's takeover", driven).await;
    party.computer.play("c1").await;
    party.two.until(&table, "her move", |copy| copy.turn() == Some(3)).await;
}

#[tokio::test]
async fn a_takeover_goes_on_after_a_restart() {
    let setup = Setup::by_hand().kept();
    let mut party = Party::gather(setup, Format::Json, board(3, fischer(300, 0))).await;
    let table = party.table.clone();
    party.two_goes(30_000).await;
    party.one.play(&table, "b2").await;
    let question = party.computer.next().await;
    party.one.hang_up();
    party.hall.stop().await;
    question.given_up().await;
    party.hall.advance(600_000);
    party.hall.start_again().await;

    party.one.come_back(&party.hall.address()).await;
    party.one.resume(&table).await;
    party.sees(DRIVEN).await;
    party.computer.play("a3").await;
    party.one.until(&table, "the answer", |copy| copy.turn() == Some(2)).await;
    party.two.told.clear();
    party.two_returns().await;
    party.one.play(&table, "b3").await;
    party.two.play(&table, "c1").await;
    assert_eq!(party.two.copy(&table).turn(), Some(4));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_takeover_goes_on_after_the_server_was_killed() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Process::start(folder.path()).await;
    let mut one = Guest::arrive(&server.address(), Format::Json, "Ana").await;
    let mut two = Guest::arrive(&server.address(), Format::Json, "Bo").await;
    let table = one.open(board(4, Time::PerTurn { seconds: 6 })).await;
    two.join(&table).await;
    one.play(&table, "b2").await;
    two.leave(&table).await;
    two.hang_up();
    one.until(&table, "the takeover", |copy| copy.view().presence.seats[1].cpu == Some(5)).await;
    server.kill_in(0).await;
    server.start_again_in(0).await;

    one.come_back(&server.address()).await;
    one.resume(&table).await;
    one.until(&table, "the computer's move", |copy| copy.to_move() == Some(Seat::One)).await;
    let game = one.copy(&table).game().unwrap();
    assert!(game.moves.len() == 2 && game.moves[1].cpu);
    server.terminate();
    assert!(server.ended().await.success());
    let store = Store::open(folder.path(), Durability::Process).unwrap();
    let report = hexhall::verify::run(&store, |_| {}).await.unwrap();
    assert!(report.is_sound(), "{report:?}");
    store.close();
}

#[tokio::test]
async fn in_dark_hex_the_computer_knows_what_the_seat_knows() {
    let options = OptionsRequest {
        preset: Some(Preset::Dark),
        size: Some(7),
        time: Some(fischer(300, 0)),
        ..OptionsRequest::default()
    };
    let mut party = Party::gather(Setup::by_hand(), Format::Json, options).await;
    let table = party.table.clone();
    party.one.play(&table, "d4").await;
    party.two.play(&table, "a1").await;
    party.one.play(&table, "d5").await;
    party.two_goes(30_000).await;
    let question = party.computer.next().await;
    let seen = &question.task.seen;
    assert_eq!(seen.stones, [(Cell::new(0, 0), Color::Blue)]);
    assert_eq!(seen.hidden(), 2);
    assert!(question.answer("d4"));

    let collided = |event: &Event| {
        matches!(event, Event::Collided { seat: Seat::Two, cell: None, cpu: true, .. })
    };
    party.one.hears(&table, "a collision", collided).await;
    let question = party.computer.next().await;
    let seen = &question.task.seen;
    let found = (Cell::new(3, 3), Color::Red);
    assert_eq!(seen.stones, [(Cell::new(0, 0), Color::Blue), found]);
    let tried = Attempt::Own { cell: found.0, collided: true };
    assert_eq!(seen.dark.as_ref().unwrap().attempts.last(), Some(&tried));
    assert!(question.answer("g7"));
    party.one.until(&table, "its move", |copy| copy.turn() == Some(5)).await;

    // What the computer found in their seat, the player finds there.
    party.two_returns().await;
    let board = party.two.copy(&table).board().to_vec();
    assert_eq!((&board[3][3..4], &board[6][6..7], &board[4][3..4]), ("r", "b", "."));
    // And the other seat has learned nothing of it but that.
    assert_eq!(party.one.copy(&table).board()[6], ".......");
}

#[tokio::test]
async fn what_spectators_see_late_tells_them_of_a_takeover_late() {
    let options = OptionsRequest { spectator_delay_s: Some(60), ..board(3, fischer(600, 0)) };
    let mut party = Party::gather(Setup::by_hand(), Format::Json, options).await;
    let table = party.table.clone();
    let mut watcher = Guest::arrive(&party.hall.address(), Format::Json, "Cy").await;
    watcher.watch(&table).await;
    party.two_goes(30_000).await;
    assert_eq!(watcher.watch(&table).await.presence.seats[1].cpu, None);
    party.hall.advance(60_000);
    watcher
        .until(&table, "the takeover", |copy| copy.view().presence.seats[1].cpu == Some(5))
        .await;
}

#[tokio::test]
async fn a_command_of_the_player_counts_before_the_table_is_followed_again() {
    let mut party = Party::gather(Setup::by_hand(), Format::Json, board(3, Time::None {})).await;
    let table = party.table.clone();
    party.one.play(&table, "b2").await;
    party.two.until(&table, "the move", |copy| copy.turn() == Some(1)).await;
    party.two_goes(60_000).await;
    let question = party.computer.next().await;
    party.two.come_back(&party.hall.address()).await;
    let stone = party.two.stone(&table, "a3");
    let reply = party.two.ask(hexhall_proto::request::Request::Move(stone)).await;
    assert_eq!(reply, Reply::Moved { turn: 2, collision: false });
    question.given_up().await;
    party.one.until(&table, "the move", |copy| copy.turn() == Some(2)).await;
    assert_eq!(party.driven(), [false, false]);
    // Nobody follows for the seat yet, so that the computer goes on with it.
    party.one.play(&table, "b3").await;
    party.computer.play("c1").await;
    party.one.until(&table, "its move", |copy| copy.turn() == Some(4)).await;
}
