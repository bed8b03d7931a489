//! One person with both seats on one device: Hex, and Dark Hex with its curtain, over sockets.

mod hidden;

use hexhall::verify;
use hexhall_proto::codec::Format;
use hexhall_proto::error::Code;
use hexhall_proto::event::Event;
use hexhall_proto::options::{GameKind, OptionsRequest, Preset, Time};
use hexhall_proto::parts::{Cell, EndedBy, Move, OfferKind, Outcome, Phase, Seat, Viewer};
use hexhall_proto::reply::{Reply, ServerFrame};
use hexhall_proto::request::{Join, Lift, PlayMove, Request, Resign};
use hexhall_proto::view::View;

use crate::harness::guest::refused_with;
use crate::harness::{FORMATS, Guest, Hall, Setup, board, fischer, get};

/// Both seats on one device, on a board of 3x3.
pub fn on_one_device(game: GameKind, time: Time) -> OptionsRequest {
    OptionsRequest { game: Some(game), pass_and_play: Some(true), ..board(3, time) }
}

const DARK: [&str; 3] = ["...", "...", "..."];

/// A device, and somebody who watches it.
struct Evening {
    hall: Hall,
    table: String,
    device: Guest,
    watcher: Guest,
}

impl Evening {
    async fn begin(setup: Setup, format: Format, options: OptionsRequest) -> Evening {
        let hall = Hall::start(setup).await;
        let mut device = Guest::arrive(&hall.address(), format, "Ana").await;
        let table = device.open(options).await;
        let mut watcher = Guest::arrive(&hall.address(), format, "Wim").await;
        watcher.watch(&table).await;
        Evening { hall, table, device, watcher }
    }

    fn lift_request(&self, seat: Seat) -> Request {
        let game = self.device.copy(&self.table).game().unwrap().id.clone();
        Request::Lift(Lift { table: self.table.clone(), game, seat })
    }

    async fn lift(&mut self, seat: Seat) -> View {
        let lift = self.lift_request(seat);
        match self.device.ask(lift).await {
            Reply::View { view } => *view,
            other => panic!("not lifted: {other:?}"),
        }
    }

    /// A stone or a try, and whether it ran into one.
    async fn plays(&mut self, seat: Seat, cell: &str) -> bool {
        let stone = self.device.stone(&self.table, cell);
        let turn = stone.turn + 1;
        match self.device.ask(Request::Move(PlayMove { seat: Some(seat), ..stone })).await {
            Reply::Moved { turn: now, collision } if now == turn => collision,
            other => panic!("not moved: {other:?}"),
        }
    }

    /// Lifts the curtain and plays.
    async fn turn(&mut self, seat: Seat, cell: &str) {
        self.lift(seat).await;
        assert!(!self.plays(seat, cell).await);
    }

    /// What the device was told since this was last asked, less who is there.
    fn told(&mut self) -> Vec<Event> {
        let told = std::mem::take(&mut self.device.told);
        let event = |frame| match frame {
            ServerFrame::Stream(frame) => Some(frame.event),
            _ => None,
        };
        let presence = |event: &Event| matches!(event, Event::Presence { .. });
        told.into_iter().filter_map(event).filter(|event| !presence(event)).collect()
    }

    async fn refused(&mut self, code: Code, request: Request) {
        refused_with(&mut self.device, code, request).await;
    }

    fn viewer(&self) -> Viewer {
        self.device.copy(&self.table).viewer()
    }

    fn sees(&self) -> Vec<String> {
        self.device.copy(&self.table).board().to_vec()
    }

    /// Milliseconds left to a seat, as the device was last told.
    fn left(&self, seat: Seat) -> u64 {
        self.device.clocks(&self.table).seats[seat as usize].left_ms
    }

    async fn is_sound(&self) {
        let report = verify::run(self.hall.store(), |_| ()).await.unwrap();
        assert_eq!(report.problems, []);
    }
}

#[tokio::test]
async fn a_whole_dark_game_is_passed_to_and_fro() {
    for format in FORMATS {
        let options = on_one_device(GameKind::Dark, fischer(60, 2));
        let mut it = Evening::begin(Setup::by_hand().kept(), format, options).await;
        let view = it.device.copy(&it.table).view().clone();
        let game = view.game.unwrap();
        assert_eq!((view.viewer, view.phase), (Viewer::Spectator, Phase::Playing));
        assert_eq!(view.seats[0], view.seats[1]);
        assert_eq!(
            (game.board, game.legal_moves, game.found),
            (DARK.map(Into::into).into(), None, None)
        );
        assert_eq!(game.clocks.unwrap().running, None, "nobody has lifted the curtain");
        it.hall.advance(30_000);

        let view = it.lift(Seat::One).await;
        let game = view.game.unwrap();
        assert_eq!((view.viewer, game.legal_moves.unwrap().len()), (Viewer::SeatOne, 9));
        let clocks = game.clocks.unwrap();
        assert_eq!((clocks.running, clocks.seats[0].left_ms), (Some(Seat::One), 60_000));
        let clock =
            it.watcher.hears(&it.table, "the clock", |event| matches!(event, Event::Clocks { .. }));
        let Event::Clocks { clocks } = clock.await.event else { unreachable!() };
        assert_eq!(clocks.running, Some(Seat::One));
        it.device.until(&it.table, "the clock", |copy| copy.viewer() == Viewer::SeatOne).await;
        it.hall.advance(5_000);

        // The move is shown to who made it, and then the curtain falls.
        assert!(!it.plays(Seat::One, "b2").await);
        let told = it.told();
        let [.., Event::Placed { cell, clocks, .. }, Event::Curtain { view }] = &told[..] else {
            panic!("{told:?}");
        };
        assert_eq!(*cell, Some(Cell(1, 1)));
        assert_eq!(clocks.as_ref().unwrap().running, None);
        assert_eq!((view.viewer, it.viewer()), (Viewer::Spectator, Viewer::Spectator));
        assert_eq!((it.sees(), it.left(Seat::One)), (DARK.map(String::from).to_vec(), 57_000));
        let placed = |event: &Event| matches!(event, Event::Placed { cell: None, .. });
        it.watcher.hears(&it.table, "a stone", placed).await;

        // A collision keeps the turn, and the curtain lifted.
        assert_eq!(it.lift(Seat::Two).await.game.unwrap().board, DARK);
        it.told();
        assert!(it.plays(Seat::Two, "b2").await);
        assert_eq!(
            (it.viewer(), it.sees()),
            (Viewer::SeatTwo, ["...", ".r.", "..."].map(String::from).to_vec())
        );
        let stone = it.device.stone(&it.table, "b2");
        it.refused(Code::Occupied, Request::Move(stone)).await;
        assert!(!it.plays(Seat::Two, "b1").await);
        assert_eq!((it.viewer(), it.sees()), (Viewer::Spectator, DARK.map(String::from).to_vec()));

        // A connection that breaks with the curtain down resumes the spectator's stream.
        it.device.hang_up();
        it.device.come_back(&it.hall.address()).await;
        let resumed = it.device.resume(&it.table).await;
        assert!(matches!(resumed, Reply::Resumed { viewer: Viewer::Spectator, .. }), "{resumed:?}");
        // One that breaks with the curtain lifted finds it down, and the time that was left.
        assert_eq!(it.lift(Seat::One).await.game.unwrap().board, ["...", ".r.", "..."]);
        it.hall.advance(7_000);
        it.device.hang_up();
        let stands =
            |event: &Event| matches!(event, Event::Clocks { clocks } if clocks.running.is_none());
        it.watcher.hears(&it.table, "the clock that stands", stands).await;
        it.hall.advance(100_000);
        it.device.come_back(&it.hall.address()).await;
        let Reply::View { view } = it.device.resume(&it.table).await else { panic!("resumed") };
        assert_eq!(view.viewer, Viewer::Spectator);
        assert_eq!(view.game.unwrap().board, DARK);
        it.lift(Seat::One).await;
        assert_eq!(it.left(Seat::One), 50_000);

        // A restart finds it down, and the time as of the last event.
        for guest in [&mut it.device, &mut it.watcher] {
            guest.hang_up();
        }
        it.hall.stop().await;
        it.hall.start_again().await;
        for guest in [&mut it.device, &mut it.watcher] {
            guest.come_back(&it.hall.address()).await;
            let view = guest.watch(&it.table).await;
            assert_eq!(view.viewer, Viewer::Spectator);
            assert_eq!(view.game.unwrap().board, DARK);
        }
        it.hall.advance(200_000);
        let stone = it.device.stone(&it.table, "c1");
        it.refused(Code::CurtainDown, Request::Move(stone)).await;
        it.turn(Seat::One, "c1").await;
        assert_eq!(it.left(Seat::One), 59_000);
        let (status, body) = get(&it.hall.address(), &format!("/v1/tables/{}", it.table)).await;
        assert_eq!(status, 200);
        assert!(body.contains(r#""board":["...","...","..."]"#), "{body}");
        it.turn(Seat::Two, "a1").await;
        it.told();

        // The chain uncovers everything to everybody.
        it.turn(Seat::One, "b3").await;
        it.device.until(&it.table, "the end", |copy| copy.outcome().is_some()).await;
        it.device.until(&it.table, "the curtain", |copy| copy.viewer() == Viewer::Spectator).await;
        let told = it.told();
        let [
            ..,
            Event::Placed { cell: Some(_), .. },
            Event::Ended { reveal: Some(_), .. },
            Event::Curtain { view },
        ] = &told[..]
        else {
            panic!("{told:?}");
        };
        let uncovered = ["bbr", ".r.", ".r."].map(String::from).to_vec();
        assert_eq!(view.game.as_ref().unwrap().board, uncovered);
        let by = Outcome { winner: Some(Seat::One), by: EndedBy::Chain };
        let seen = it.watcher.until(&it.table, "the end", |copy| copy.outcome() == Some(by)).await;
        assert_eq!(seen.board(), uncovered);
        let over = it.lift_request(Seat::One);
        it.refused(Code::GameOver, over).await;

        // The next game begins at once, with the seats exchanged.
        it.device.offer(&it.table, OfferKind::Rematch).await;
        let next =
            |copy: &hexhall::remote::TableCopy| copy.game().is_some_and(|game| game.number == 2);
        let copy = it.device.until(&it.table, "the next game", next).await;
        assert_eq!((copy.viewer(), copy.view().score), (Viewer::Spectator, [0, 1]));
        it.turn(Seat::One, "a1").await;
        it.is_sound().await;
    }
}

#[tokio::test]
async fn what_may_not_be_done_has_its_own_error_and_changes_nothing() {
    let options = on_one_device(GameKind::Dark, fischer(60, 2));
    let mut it = Evening::begin(Setup::by_hand(), Format::Json, options).await;
    it.turn(Seat::One, "b2").await;
    let (table, before) = (it.table.clone(), it.device.watch(&it.table).await);
    let game = before.game.clone().unwrap().id;

    // On a lowered curtain, whatever is tried.
    for cell in ["a1", "b2", "d9"] {
        let stone = it.device.stone(&table, cell);
        it.refused(Code::CurtainDown, Request::Move(stone)).await;
    }
    let swap = it.device.action(&table, Move::Swap);
    it.refused(Code::CurtainDown, Request::Move(swap)).await;
    let stale = PlayMove { turn: 0, ..it.device.stone(&table, "a1") };
    it.refused(Code::CurtainDown, Request::Move(stale)).await;
    let resign = Resign::from(it.device.command(&table));
    it.refused(Code::CurtainDown, Request::Resign(resign.clone())).await;
    // For the other seat.
    let stone = it.device.stone(&table, "a1");
    let other = Request::Move(PlayMove { seat: Some(Seat::One), ..stone });
    it.refused(Code::OtherSeat, other).await;
    it.refused(Code::OtherSeat, Request::Resign(Resign { seat: Some(Seat::One), ..resign })).await;
    let lift = it.lift_request(Seat::One);
    it.refused(Code::OtherSeat, lift).await;
    let elsewhere = Request::Lift(Lift {
        table: table.clone(),
        game: "gam_01ARZ3NDEKTSV4RRFFQ69G5FAV".into(),
        seat: Seat::Two,
    });
    it.refused(Code::OtherGame, elsewhere).await;
    // Between the seats.
    for kind in [OfferKind::Takeback, OfferKind::Pause, OfferKind::Rematch] {
        let offer = it.device.proposal(&table, kind);
        it.refused(Code::CannotOffer, Request::Offer(offer)).await;
    }
    let command = it.device.command(&table);
    it.refused(Code::CannotGiveTime, Request::GiveTime(command.clone())).await;
    it.refused(Code::CannotClaim, Request::Claim(command.clone())).await;
    it.refused(Code::NotPaused, Request::Unpause(command)).await;
    // By others.
    let lift = it.lift_request(Seat::Two);
    refused_with(&mut it.watcher, Code::NotSeated, lift.clone()).await;
    let join = Request::Join(Join { table: table.clone(), seat: None, invitation: None });
    refused_with(&mut it.watcher, Code::SeatTaken, join).await;
    let mut stranger = Guest::arrive(&it.hall.address(), Format::Json, "Cy").await;
    refused_with(&mut stranger, Code::NotAtTable, lift.clone()).await;
    let mut tab = it.device.other_tab(&it.hall.address(), Format::Json).await;
    refused_with(&mut tab, Code::NotAtTable, lift).await;

    let after = it.device.watch(&table).await;
    assert_eq!((after.seq, after.game), (before.seq, before.game));
    it.lift(Seat::Two).await;
    let off = it.device.stone(&table, "d9");
    it.refused(Code::OffBoard, Request::Move(off)).await;
    assert_eq!(it.device.copy(&table).turn(), Some(1));

    // Where there are two players, there is no curtain, and each names their own seat.
    let hex = it.device.open(board(3, Time::None {})).await;
    it.watcher.join(&hex).await;
    it.device.until(&hex, "the game", |copy| copy.game().is_some()).await;
    let lift = Request::Lift(Lift { table: hex.clone(), game: game.clone(), seat: Seat::One });
    it.refused(Code::NoCurtain, lift).await;
    let stone = it.device.stone(&hex, "a1");
    let other = Request::Move(PlayMove { seat: Some(Seat::Two), ..stone.clone() });
    it.refused(Code::OtherSeat, other).await;
    let own = Request::Move(PlayMove { seat: Some(Seat::One), ..stone });
    assert!(matches!(it.device.ask(own).await, Reply::Moved { .. }));
    // Nor is there anybody to claim anything.
    let claim = Some(hexhall_proto::options::OnLeave::Claim);
    let options = OptionsRequest {
        on_leave: claim,
        preset: Some(Preset::Dark),
        pass_and_play: Some(true),
        ..OptionsRequest::default()
    };
    it.refused(
        Code::BadOptions,
        Request::Open(hexhall_proto::request::Open {
            options,
            private: false,
            cpu: None,
            party: None,
        }),
    )
    .await;
}

#[tokio::test]
async fn hex_on_one_device_hides_nothing_from_the_one_who_plays_it() {
    for format in FORMATS {
        let options = on_one_device(GameKind::Hex, fischer(60, 0));
        let mut it = Evening::begin(Setup::by_hand(), format, options).await;
        assert_eq!(it.viewer(), Viewer::Both);
        let no_curtain = it.lift_request(Seat::One);
        it.refused(Code::NoCurtain, no_curtain).await;
        it.hall.advance(1_000);
        for (seat, cell, left) in [(Seat::One, "b2", 8), (Seat::Two, "b1", 7), (Seat::One, "c1", 6)]
        {
            assert!(!it.plays(seat, cell).await);
            let legal = it.device.copy(&it.table).game().unwrap().legal_moves.clone();
            assert_eq!(legal.unwrap().len(), left, "whoever is to move");
        }
        assert_eq!(it.left(Seat::One), 59_000);
        let wrong = PlayMove { seat: Some(Seat::One), ..it.device.stone(&it.table, "a1") };
        it.refused(Code::OtherSeat, Request::Move(wrong)).await;
        let seen = it.watcher.until(&it.table, "the stones", |copy| copy.turn() == Some(3)).await;
        assert_eq!(seen.board(), [".br", ".r.", "..."]);

        it.device.hang_up();
        it.device.come_back(&it.hall.address()).await;
        let resumed = it.device.resume(&it.table).await;
        assert!(matches!(resumed, Reply::Resumed { viewer: Viewer::Both, .. }), "{resumed:?}");
        let fresh = it.device.watch(&it.table).await;
        assert_eq!(
            (fresh.viewer, fresh.game.unwrap().legal_moves.unwrap().len()),
            (Viewer::Both, 6)
        );
        let resign = Resign { seat: Some(Seat::Two), ..it.device.command(&it.table).into() };
        it.device.done(Request::Resign(resign)).await;
        let ended = it.device.until(&it.table, "the end", |copy| copy.outcome().is_some()).await;
        let by = Outcome { winner: Some(Seat::One), by: EndedBy::Resignation };
        assert_eq!(ended.outcome(), Some(by));
        it.device.offer(&it.table, OfferKind::Rematch).await;
        let next =
            |copy: &hexhall::remote::TableCopy| copy.game().is_some_and(|game| game.number == 2);
        let copy = it.device.until(&it.table, "the next game", next).await;
        assert_eq!((copy.viewer(), copy.view().score), (Viewer::Both, [0, 1]));
        assert!(!it.plays(Seat::One, "a1").await);
        it.is_sound().await;
        it.device.leave(&it.table).await;
    }
}

#[tokio::test]
async fn each_session_lifts_the_curtain_for_itself_and_it_falls_before_all() {
    let options = on_one_device(GameKind::Dark, fischer(60, 0));
    let mut it = Evening::begin(Setup::by_hand(), Format::MsgPack, options).await;
    let mut tab = it.device.other_tab(&it.hall.address(), Format::Json).await;
    tab.watch(&it.table).await;
    it.lift(Seat::One).await;
    let runs = |event: &Event| matches!(event, Event::Clocks { clocks } if clocks.running == Some(Seat::One));
    tab.hears(&it.table, "the clock", runs).await;
    assert_eq!(tab.copy(&it.table).viewer(), Viewer::Spectator);
    let stone = tab.stone(&it.table, "a1");
    refused_with(&mut tab, Code::CurtainDown, Request::Move(stone)).await;
    it.hall.advance(4_000);
    let lift = it.lift_request(Seat::One);
    let Reply::View { view } = tab.ask(lift).await else { panic!("not lifted") };
    let left = view.game.unwrap().clocks.unwrap().seats[0].left_ms;
    assert_eq!((view.viewer, left), (Viewer::SeatOne, 56_000), "the clock runs from the first");
    // One of them stops following, and the clock runs on for the other.
    let named = hexhall_proto::request::Table { table: it.table.clone() };
    it.device.done(Request::Unwatch(named)).await;
    let view = it.device.watch(&it.table).await;
    let game = view.game.unwrap();
    assert_eq!((view.viewer, game.clocks.unwrap().running), (Viewer::Spectator, Some(Seat::One)));
    it.lift(Seat::One).await;
    // Whoever asks for the view again has it as it is.
    assert_eq!(it.device.watch(&it.table).await.viewer, Viewer::SeatOne);
    assert!(!it.plays(Seat::One, "a1").await);
    let fallen = |copy: &hexhall::remote::TableCopy| copy.viewer() == Viewer::Spectator;
    for guest in [&mut tab, &mut it.device] {
        let copy = guest.until(&it.table, "the curtain", fallen).await;
        assert_eq!((copy.turn(), copy.board()), (Some(1), &DARK.map(String::from)[..]));
    }
}
