//! What a session reads while the curtain is down does not depend on what is behind it: pairs of
//! evenings that differ in the hidden stones alone, compared byte by byte.

use hexhall::game::Move;
use hexhall::game::Seat;
use hexhall::ids::{GameId, TableId};
use hexhall::table::handle::{Ask, Command, CommandId};
use hexhall_proto::error::Code;
use hexhall_proto::event::Event;
use hexhall_proto::options::GameKind;
use hexhall_proto::parts::Viewer;
use hexhall_proto::reply::Reply;
use hexhall_proto::request::Last;
use tokio::task::LocalSet;

use super::on_one_device;
use crate::harness::bench::{Bench, Sitter};
use crate::harness::fischer;

/// One evening: a device that is passed to and fro, another session of its player that never
/// lifts the curtain, and somebody who watches.
struct Evening {
    bench: Bench,
    table: TableId,
    device: Sitter,
    down: Sitter,
    watcher: Sitter,
}

impl Evening {
    async fn begin() -> Evening {
        let bench = Bench::new();
        let (mut device, mut watcher) = (bench.sitter("Ana"), bench.sitter("Wim"));
        let table = bench.open(&mut device, on_one_device(GameKind::Dark, fischer(60, 1))).await;
        let mut down = bench.other_session(&device);
        for session in [&mut down, &mut watcher] {
            let watch = Ask::Watch { invitation: None, last: None };
            bench.ask(session, table, watch).await;
        }
        Evening { bench, table, device, down, watcher }
    }

    async fn game(&mut self) -> GameId {
        let watch = Ask::Watch { invitation: None, last: None };
        match self.bench.ask(&mut self.watcher, self.table, watch).await {
            Reply::View { view } => view.game.unwrap().id.parse().unwrap(),
            other => panic!("{other:?}"),
        }
    }

    async fn lift(&mut self, seat: Seat) {
        let lift = Ask::Lift { game: self.game().await, seat };
        let reply = self.bench.ask(&mut self.device, self.table, lift).await;
        assert!(matches!(reply, Reply::View { .. }), "{reply:?}");
    }

    async fn command(&mut self, turn: u64, cell: &str, name: &str) -> Ask {
        let action = Move::Place(cell.parse().unwrap());
        let command = Command::Play { game: self.game().await, turn, action };
        Ask::Command { id: CommandId::new(name).unwrap(), command, seat: None }
    }

    async fn plays(&mut self, turn: u64, cell: &str) -> bool {
        self.bench.advance(1_000);
        let ask = self.command(turn, cell, &format!("turn {turn}")).await;
        match self.bench.ask(&mut self.device, self.table, ask).await {
            Reply::Moved { turn: now, collision } if now == turn + 1 => collision,
            other => panic!("{cell}: {other:?}"),
        }
    }

    /// Everything that may be asked from behind the curtain, for this turn.
    async fn pries(&mut self, turn: u64, to_move: Seat) {
        let game = self.game().await;
        let mut asks = Vec::new();
        for cell in ["a1", "a2", "b2", "c3", "k9"] {
            asks.push(self.command(turn, cell, "tries").await);
            // Commands of turns that were played, again and with another cell.
            asks.push(self.command(0, cell, "turn 0").await);
            asks.push(self.command(1, cell, "turn 1").await);
        }
        asks.push(Ask::Lift { game, seat: to_move.other() });
        for last in [Viewer::SeatOne, Viewer::SeatTwo, Viewer::Both, Viewer::Spectator] {
            for seq in [0, 3, 4, 5, 9] {
                let last = Some(Last { viewer: last, seq });
                asks.push(Ask::Watch { invitation: None, last });
            }
        }
        for ask in asks {
            self.bench.ask(&mut self.down, self.table, ask).await;
        }
    }

    /// Reads what has come and nobody has read.
    async fn read(&mut self) {
        self.bench.worked_through().await;
        for session in [&mut self.device, &mut self.down, &mut self.watcher] {
            let unwatch = Ask::Watch { invitation: None, last: None };
            self.bench.ask(session, self.table, unwatch).await;
        }
    }
}

/// What was read from behind the curtain in an evening in which seat 1 begins at `first`, and seat
/// 2 runs into it or not, and answers at `second`.
struct Read {
    down: String,
    watcher: String,
    /// What the device read from the first fall of the curtain to the end of seat 2's turn.
    device: String,
}

async fn evening(first: &str, second: &str) -> Read {
    let mut it = Evening::begin().await;
    it.pries(0, Seat::One).await;
    it.lift(Seat::One).await;
    assert!(!it.plays(0, first).await);
    // The device is passed on when the curtain has fallen: its event is the last thing read.
    let told = it.device.told.iter().rposition(|it| matches!(it.event, Event::Curtain { .. }));
    assert_eq!(told, Some(it.device.told.len() - 1));
    let before = it.device.heard.len();
    it.pries(1, Seat::Two).await;
    // Whoever has the device now sends the other's command again, with a cell of their own.
    let again = it.command(0, "c3", "turn 0").await;
    let reply = it.bench.ask(&mut it.device, it.table, again.clone()).await;
    assert_eq!(reply, Reply::Moved { turn: 1, collision: false });
    it.lift(Seat::Two).await;
    let reply = it.bench.ask(&mut it.device, it.table, again).await;
    assert_eq!(reply, Reply::Moved { turn: 1, collision: false });
    it.pries(1, Seat::Two).await;
    assert!(!it.plays(1, second).await);
    let device = String::from_utf8(it.device.heard[before..].to_vec()).unwrap();
    it.pries(2, Seat::One).await;
    // It is given up with the stones hidden.
    it.lift(Seat::One).await;
    let resign = Ask::Command {
        id: CommandId::new("enough").unwrap(),
        command: Command::Resign(it.game().await),
        seat: Some(Seat::One),
    };
    assert_eq!(it.bench.ask(&mut it.device, it.table, resign).await, Reply::Done {});
    it.read().await;
    let [down, watcher] =
        [&it.down, &it.watcher].map(|it| String::from_utf8(it.heard.clone()).unwrap());
    Read { down, watcher, device }
}

#[tokio::test]
async fn behind_the_curtain_nothing_depends_on_the_hidden_stones() {
    LocalSet::new()
        .run_until(async {
            let one = evening("a1", "c1").await;
            // Seat 1's stone differs, which neither seat 2 nor anybody behind a curtain may know.
            let other = evening("b3", "c1").await;
            assert_eq!(one.down, other.down);
            assert_eq!(one.watcher, other.watcher);
            assert_eq!(one.device, other.device);
            // Seat 2's stone differs too.
            let third = evening("a1", "b2").await;
            assert_eq!(one.down, third.down);
            assert_eq!(one.watcher, third.watcher);
            assert_ne!(one.device, third.device, "seat 2 sees its own stone");
            assert!(one.down.contains("curtain_down") && one.down.contains("resumed"));
        })
        .await;
}

#[tokio::test]
async fn a_move_and_the_next_lift_sent_ahead_are_answered_in_their_order() {
    LocalSet::new()
        .run_until(async {
            let mut it = Evening::begin().await;
            let game = it.game().await;
            let now = it.bench.time.now();
            let play = it.command(0, "a1", "ahead").await;
            for ask in
                [Ask::Lift { game, seat: Seat::One }, play, Ask::Lift { game, seat: Seat::Two }]
            {
                it.bench.put(&mut it.device, it.table, now, ask).await;
            }
            let mut viewers = Vec::new();
            for _ in 0..3 {
                if let Reply::View { view } = it.device.reply().await {
                    viewers.push(view.viewer);
                }
            }
            assert_eq!(viewers, [Viewer::SeatOne, Viewer::SeatTwo]);
            let shown: Vec<_> = it
                .device
                .told
                .iter()
                .filter_map(|frame| match &frame.event {
                    Event::Placed { cell, .. } => Some(cell.is_some()),
                    Event::Curtain { .. } => Some(false),
                    _ => None,
                })
                .collect();
            assert_eq!(shown, [true, false], "the move is shown, and then the curtain falls");
            let hidden = it.command(1, "a1", "hit").await;
            let reply = it.bench.ask(&mut it.device, it.table, hidden).await;
            assert_eq!(reply, Reply::Moved { turn: 2, collision: true });
            let code = it.command(2, "a1", "down").await;
            let reply = it.bench.ask(&mut it.down, it.table, code).await;
            assert!(matches!(reply, Reply::Error(body) if body.code == Code::CurtainDown));
        })
        .await;
}
