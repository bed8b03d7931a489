//! One player with both seats, on one device: for whom a command is, the curtain and its clock.

use hexhall_proto::options::GameKind;

use super::*;
use crate::game::clock::Control;
use crate::game::{Illegal, Void, WonBy};
use crate::table::options::FirstMove;
use crate::table::state::opening::opening;
use crate::table::state::{Hand, Holds};

/// A device, its table and its journal.
struct Device {
    state: State,
    journal: Vec<Event>,
    now: Stamp,
    commands: u32,
    lifted: Option<Seat>,
}

fn fresh() -> Fresh {
    Fresh { game: game_id(1), seed: [0; 32] }
}

fn on_one_device(game: GameKind, time: Time) -> OptionsRequest {
    OptionsRequest {
        game: Some(game),
        swap: Some(hexhall_proto::options::Swap::Off),
        pass_and_play: Some(true),
        on_leave: None,
        ..timed(time)
    }
}

fn dark() -> OptionsRequest {
    on_one_device(GameKind::Dark, Time::Fischer { initial_s: 60, increment_s: 0, cap_s: None })
}

impl Device {
    /// Opened by Ana, whose first game runs.
    fn open(request: &OptionsRequest) -> Device {
        let (options, now) = (Options::resolve(request).unwrap(), Stamp(T0));
        let journal = opening(options, None, &player(ANA), None, now, fresh);
        let id = TableId::from_parts(T0, 1);
        let mut state = State::replay(id, Spans::default(), &journal, now).unwrap();
        for seat in Seat::BOTH {
            state.note_presence(seat, true, now, false);
        }
        let mut device = Device { state, journal, now, commands: 0, lifted: None };
        device.durable();
        device
    }

    fn durable(&mut self) {
        if self.state.wants_clock() {
            self.state.start_clock(self.now);
        }
    }

    fn later(&mut self, ms: Millis) {
        self.now = self.now + ms;
    }

    #[track_caller]
    fn lifts(&mut self, seat: Seat) {
        let game = self.state.game().unwrap().id;
        assert_eq!(self.state.check_lift(id(ANA), game, seat), Ok(()));
        self.lifted = Some(seat);
        self.state.note_lifted(true, self.now);
        self.durable();
    }

    fn lowers(&mut self) {
        self.lifted = None;
        self.state.note_lifted(false, self.now);
    }

    fn decides(&self, named: Option<Seat>, name: &str, command: Command) -> Decision {
        let command_id = CommandId::new(name).unwrap();
        let hand = Hand { named, lifted: self.lifted };
        let asking =
            Asking { player: id(ANA), command: &command_id, at: self.now, round_trip: 0, hand };
        let fresh =
            Fresh { game: game_id(self.state.games() + 1), seed: [self.state.games() as u8; 32] };
        self.state.decide(asking, command, || fresh)
    }

    fn gives(&mut self, command: Command) -> Result<Answer, Refusal> {
        self.commands += 1;
        let Decision { events, answer } = self.decides(None, &self.commands.to_string(), command);
        self.happens(events);
        answer
    }

    fn happens(&mut self, events: Vec<Event>) {
        for event in events {
            assert_eq!(form::read(&form::write(&event).unwrap()).unwrap(), event);
            self.state.apply(&event).unwrap();
            self.journal.push(event);
            if self.lifted.is_some_and(|seat| !self.state.stays_lifted(seat)) {
                self.lifted = None;
            }
        }
        self.durable();
    }

    #[track_caller]
    fn refuses(&self, named: Option<Seat>, command: Command) -> Refusal {
        let Decision { events, answer } = self.decides(named, "refused", command);
        assert_eq!(events, []);
        answer.unwrap_err()
    }

    fn play(&self, cell: &str) -> Command {
        let live = self.state.game().unwrap();
        let action = Move::Place(cell.parse().unwrap());
        Command::Play { game: live.id, turn: live.turn, action }
    }

    /// The seat to move lifts its curtain and plays.
    #[track_caller]
    fn plays(&mut self, cell: &str) -> bool {
        let to_move = self.state.game().unwrap().game.to_move().unwrap();
        if self.state.has_curtain() {
            self.lifts(to_move);
        }
        let play = self.play(cell);
        match self.gives(play) {
            Ok(Answer::Moved { collided, .. }) => collided,
            other => panic!("{cell}: {other:?}"),
        }
    }

    fn left(&self, seat: Seat) -> Millis {
        self.state.game().unwrap().clock.reading(seat, self.now).left_ms.unwrap()
    }

    /// Holds the table to its journal: rebuilt from it, it is the same in all that is kept.
    #[track_caller]
    fn check(&self) {
        let State { id, spans, .. } = self.state;
        let rebuilt = State::replay(id, spans, &self.journal, self.now).unwrap();
        let kept = |state: &State| {
            let game = state.game().map(|live| (live.game.clone(), live.turn, live.times.clone()));
            (game, state.score(), state.phase(), state.number(), state.seats.clone())
        };
        assert_eq!(kept(&rebuilt), kept(&self.state));
    }
}

#[test]
fn opening_seats_the_opener_twice_and_a_game_runs_at_once() {
    let device = Device::open(&on_one_device(GameKind::Hex, Time::None {}));
    assert_eq!(device.state.holds(id(ANA)), Holds::Both);
    assert_eq!(device.state.phase(), Phase::Playing);
    let joined = |seat| device.state.decide_join(&player(BO), seat, device.now, fresh);
    assert_eq!(joined(None), Err(Refusal::TableFull));
    assert_eq!(joined(Some(Two)), Err(Refusal::SeatTaken(Two)));
    assert_eq!(device.state.holds(id(BO)), Holds::Nothing);
    device.check();
}

#[test]
fn a_move_is_for_the_seat_to_move_and_for_no_other() {
    let mut device = Device::open(&on_one_device(GameKind::Hex, Time::None {}));
    let first = device.play("b2");
    let other = Refusal::NotToMove { named: Two, to_move: One };
    assert_eq!(device.refuses(Some(Two), first), other);
    let resign = Command::Resign(device.state.game().unwrap().id);
    assert_eq!(device.refuses(Some(Two), resign), other);
    for (cell, seat) in [("b2", One), ("a1", Two), ("b1", One)] {
        assert_eq!(device.state.seat_of(id(ANA)), Some(seat));
        assert!(!device.plays(cell));
    }
    let resign = Command::Resign(device.state.game().unwrap().id);
    assert_eq!(device.gives(resign), Ok(Answer::Done));
    let by = WonBy::Resignation;
    assert_eq!(
        device.state.game().unwrap().game.outcome(),
        Some(Outcome::Won { winner: One, by }),
        "the seat to move gave up"
    );
    device.check();
}

#[test]
fn a_seat_is_named_by_its_own_player_alone() {
    let table = Table::game(&small());
    let hand = |seat| Hand { named: Some(seat), lifted: None };
    let command = table.play("a1");
    let check = |who, seat| table.state.check_hand(id(who), hand(seat), &command);
    assert_eq!(check(ANA, One), Ok(()));
    assert_eq!(check(BO, One), Err(Refusal::NotYourSeat { named: One, own: Two }));
    assert_eq!(check(CY, One), Ok(()), "that one has no seat is told by the command itself");
}

#[test]
fn nothing_is_proposed_to_oneself_but_another_game_which_begins_at_once() {
    let mut device = Device::open(&on_one_device(GameKind::Hex, Time::None {}));
    device.plays("b2");
    let game = device.state.game().unwrap().id;
    for kind in [OfferKind::Takeback, OfferKind::Pause] {
        let refusal = device.refuses(None, Command::Offer(game, kind));
        assert!(refusal.to_string().contains("both seats are yours"), "{refusal}");
    }
    assert_eq!(device.refuses(None, Command::GiveTime(game)), Refusal::NobodyToGive);
    let claim = device.refuses(None, Command::Claim(game));
    assert!(matches!(claim, Refusal::CannotClaim(why) if why.contains("both seats")));
    let early = device.refuses(None, Command::Offer(game, OfferKind::Rematch));
    assert!(matches!(early, Refusal::CannotOffer(_)));

    assert_eq!(device.gives(Command::Resign(game)), Ok(Answer::Done));
    assert_eq!(device.state.score(), [1, 0]);
    let offer = Command::Offer(game, OfferKind::Rematch);
    assert_eq!(device.gives(offer), Ok(Answer::Offered(1)));
    assert_eq!((device.state.games(), device.state.phase()), (2, Phase::Playing));
    assert_eq!(device.state.score(), [0, 1], "who moved first moves second now");
    assert_eq!(device.state.options().first_move(), FirstMove::Alternate);
    let again = device.decides(None, &device.commands.to_string(), offer);
    assert_eq!((again.events, again.answer), (vec![], Ok(Answer::Offered(1))), "and begins once");
    device.check();
}

#[test]
fn a_lowered_curtain_lets_nobody_act_and_keeps_no_clock_running() {
    let mut device = Device::open(&dark());
    let game = device.state.game().unwrap().id;
    device.later(40_000);
    assert_eq!((device.left(One), device.state.is_clock_running()), (60_000, false));
    let down = Refusal::CurtainDown { seat: One };
    for cell in ["a1", "z9"] {
        assert_eq!(device.refuses(None, device.play(cell)), down, "whatever it tries");
    }
    assert_eq!(device.refuses(Some(One), Command::Resign(game)), down);
    assert_eq!(
        device.state.check_lift(id(ANA), game, Two),
        Err(Refusal::NotToMove { named: Two, to_move: One })
    );
    assert_eq!(device.state.check_lift(id(BO), game, One), Err(Refusal::NotSeated));
    assert_eq!(device.state.check_lift(id(ANA), game_id(9), One), Err(Refusal::OtherGame(game)));

    device.lifts(One);
    device.later(10_000);
    assert_eq!((device.left(One), device.state.is_clock_running()), (50_000, true));
    assert!(!device.plays("a1"));
    assert!(device.state.is_curtained() && device.lifted.is_none());
    device.later(70_000);
    assert_eq!((device.left(One), device.left(Two)), (50_000, 60_000));
    assert_eq!(device.state.due(device.now), []);
    assert_eq!(device.refuses(None, device.play("b1")), Refusal::CurtainDown { seat: Two });
    device.check();
}

#[test]
fn a_collision_keeps_the_curtain_lifted_and_the_clock_running() {
    let mut device = Device::open(&dark());
    device.plays("b2");
    device.lifts(Two);
    device.later(5_000);
    let hit = device.play("b2");
    assert_eq!(device.gives(hit), Ok(Answer::Moved { turn: 2, collided: true }));
    assert_eq!((device.lifted, device.state.is_clock_running()), (Some(Two), true));
    device.later(1_000);
    assert_eq!(device.left(Two), 54_000);
    assert!(matches!(
        device.refuses(None, device.play("b2")),
        Refusal::Illegal(Illegal::Occupied { .. })
    ));
    let next = device.play("b1");
    assert_eq!(device.gives(next), Ok(Answer::Moved { turn: 3, collided: false }));
    assert!(device.state.is_curtained());
    device.check();
}

#[test]
fn a_turn_that_is_broken_off_goes_on_with_the_time_that_it_had() {
    let mut device = Device::open(&dark());
    device.lifts(One);
    device.later(10_000);
    device.lowers();
    device.later(100_000);
    assert_eq!((device.left(One), device.state.due(device.now)), (50_000, vec![]));
    device.lifts(One);
    device.later(2_000);
    let play = device.play("a1");
    device.gives(play).unwrap();
    assert_eq!(device.left(One), 48_000);
    let Some(Event::Played { used_ms, .. }) = device.journal.last() else { panic!("no move") };
    assert_eq!(*used_ms, 12_000, "the turn cost what it cost in all");
    device.check();
    device.lifts(Two);
    device.later(60_000);
    let fallen = device.state.due(device.now);
    device.lowers();
    assert_eq!(device.state.due(device.now), fallen, "a flag that has fallen stays so");
    device.happens(fallen);
    let outcome = device.state.game().unwrap().game.outcome();
    assert_eq!(outcome, Some(Outcome::Void(Void::NotStarted)));
    device.check();
}

#[test]
fn a_table_whose_device_is_gone_stands_still_and_is_void_after_a_day() {
    for request in [dark(), on_one_device(GameKind::Hex, Time::None {})] {
        let mut device = Device::open(&request);
        device.plays("a1");
        for seat in Seat::BOTH {
            device.state.note_presence(seat, false, device.now, false);
        }
        device.later(24 * 3_600_000 - 1);
        assert_eq!(device.state.due(device.now), []);
        device.later(1);
        let due = device.state.due(device.now);
        device.happens(due);
        let outcome = device.state.game().unwrap().game.outcome();
        assert_eq!(outcome, Some(Outcome::Void(Void::Abandoned)));
        device.later(60_000);
        let due = device.state.due(device.now);
        device.happens(due);
        assert_eq!(device.state.phase(), Phase::Closed, "and both seats with it");
        device.check();
    }
    let open =
        on_one_device(GameKind::Hex, Time::Fischer { initial_s: 60, increment_s: 0, cap_s: None });
    let device = Device::open(&open);
    assert!(device.state.is_clock_running(), "without a curtain the clock runs on");
}

#[test]
fn going_from_a_table_that_is_over_closes_it() {
    let mut device = Device::open(&on_one_device(GameKind::Hex, Time::None {}));
    assert_eq!(device.state.decide_leave(id(ANA), device.now), []);
    let game = device.state.game().unwrap().id;
    device.gives(Command::Abort(game)).unwrap();
    let events = device.state.decide_leave(id(ANA), device.now);
    assert_eq!(events, [Event::Closed { at: device.now }]);
    device.happens(events);
    device.check();
}

#[test]
fn a_journal_that_comes_back_has_the_curtain_down() {
    let mut device = Device::open(&dark());
    device.plays("a1");
    device.lifts(Two);
    device.later(20_000);
    let State { id, spans, .. } = device.state;
    let back = State::replay(id, spans, &device.journal, device.now).unwrap();
    assert!(back.is_curtained() && !back.wants_clock());
    assert_eq!(back.game().unwrap().clock.reading(Two, device.now).left_ms, Some(60_000));
    assert_ne!(back.options().time().control(), Control::None);
}
