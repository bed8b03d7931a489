//! Tests of the table as a value. [`Table`] plays one by hand: it owns the time, keeps the journal
//! and holds every event and every refusal to what all of them promise.

mod dark;
mod dedupe;
mod device;
mod driver;
mod ends;
mod flags;
mod gathering;
mod evening;
mod moves;
mod offers;
mod party;
mod plans;
mod rematch;
mod reducer;
mod script;

use hexhall_proto::options::{self as wire, OptionsRequest, Preset, Time};
use hexhall_proto::parts::OfferKind;

use super::answered::Answer;
use super::refusal::Refusal;
use super::*;
use crate::game::{Cell, Move, Size};
use crate::store::form;
use crate::table::handle::{Command, CommandId};

use Seat::{One, Two};

/// When the tables of these tests open.
const T0: Millis = 1_700_000_000_000;

/// Who comes to them.
const ANA: u128 = 1;
const BO: u128 = 2;
const CY: u128 = 3;

fn id(who: u128) -> PlayerId {
    PlayerId::from_parts(1, who)
}

fn player(who: u128) -> Player {
    Player { id: id(who), name: format!("player {who}").into(), cpu: None, bot: false }
}

fn game_id(number: u32) -> GameId {
    GameId::from_parts(T0, number.into())
}

/// 300 s + 5 s on a board of 3x3, with the swap; each gain of lag credit is 215 ms. The game of a
/// gone player may be claimed.
fn small() -> OptionsRequest {
    let on_leave = Some(wire::OnLeave::Claim);
    OptionsRequest { preset: Some(Preset::Custom), size: Some(3), on_leave, ..Default::default() }
}

fn timed(time: Time) -> OptionsRequest {
    OptionsRequest { time: Some(time), ..small() }
}

fn timeless() -> OptionsRequest {
    timed(Time::None {})
}

/// The same, but the computer plays for whoever is gone.
fn to_the_computer(request: OptionsRequest) -> OptionsRequest {
    OptionsRequest { on_leave: Some(wire::OnLeave::Cpu), ..request }
}

/// Dark Hex on a board of 3x3.
fn dark(collision: wire::Collision, time: Time) -> OptionsRequest {
    let game = Some(wire::GameKind::Dark);
    OptionsRequest { game, collision: Some(collision), ..timed(time) }
}

/// A table, its journal and its time.
struct Table {
    state: State,
    journal: Vec<Event>,
    now: Stamp,
    /// The round trip of the connection that the next command comes by.
    round_trip: Millis,
    commands: u32,
    /// When the running clock was started.
    clock_from: Stamp,
}

impl Table {
    /// Opened by Ana, who has seat 1 and is there.
    fn open(request: &OptionsRequest) -> Table {
        let (options, now) = (Options::resolve(request).unwrap(), Stamp(T0));
        let opened = Event::Opened { options, invitation: None, at: now };
        let table = TableId::from_parts(T0, 1);
        let state = State::new(table, Spans::default(), options, None, now);
        let journal = vec![opened];
        let mut table = Table { state, journal, now, round_trip: 0, commands: 0, clock_from: now };
        assert_eq!(table.join(ANA, None), Ok(One));
        table
    }

    /// Ana in seat 1, Bo in seat 2, both there, and their first game's clock runs from [`T0`].
    fn game(request: &OptionsRequest) -> Table {
        let mut table = Table::open(request);
        assert_eq!(table.join(BO, None), Ok(Two));
        table.durable();
        table
    }

    /// [`Table::game`] after a move each.
    fn under_way(request: &OptionsRequest) -> Table {
        let mut table = Table::game(request);
        table.plays(ANA, "a1");
        table.plays(BO, "b1");
        table
    }

    /// [`Table::under_way`], and Bo has given up.
    fn finished(request: &OptionsRequest) -> Table {
        let mut table = Table::under_way(request);
        let game = table.game_now();
        assert_eq!(table.gives(BO, Command::Resign(game)), Ok(Answer::Done));
        table
    }

    /// Moves the time to so many milliseconds after [`T0`].
    fn at(&mut self, ms: Millis) -> &mut Table {
        self.now = Stamp(T0 + ms);
        self
    }

    /// All that was decided is in the journal.
    fn durable(&mut self) {
        if self.state.wants_clock() {
            self.state.start_clock(self.now);
            self.clock_from = self.now;
        }
    }

    fn happens(&mut self, events: Vec<Event>) {
        for event in events {
            let written = form::write(&event).unwrap();
            assert_eq!(form::read(&written).unwrap(), event);
            self.state.apply(&event).unwrap();
            self.journal.push(event);
        }
    }

    fn join(&mut self, who: u128, seat: Option<Seat>) -> Result<Seat, Refusal> {
        let fresh = self.fresh();
        let (seat, events) = self.state.decide_join(&player(who), seat, self.now, || fresh)?;
        self.happens(events);
        self.state.note_presence(seat, true, self.now, false);
        Ok(seat)
    }

    fn leaves(&mut self, who: u128) {
        self.happens(self.state.decide_leave(id(who), self.now));
        self.goes(who, true);
    }

    /// The player's last connection ends.
    fn goes(&mut self, who: u128, said_so: bool) {
        if let Some(seat) = self.state.seat_of(id(who)) {
            self.state.note_presence(seat, false, self.now, said_so);
        }
    }

    fn returns(&mut self, who: u128) {
        let seat = self.state.seat_of(id(who)).unwrap();
        assert!(self.state.note_presence(seat, true, self.now, false));
    }

    /// A new command now, which is durable at once.
    fn gives(&mut self, who: u128, command: Command) -> Result<Answer, Refusal> {
        self.commands += 1;
        self.sends(who, &format!("c{}", self.commands), command)
    }

    /// A command of this name now, which is durable at once.
    fn sends(&mut self, who: u128, name: &str, command: Command) -> Result<Answer, Refusal> {
        let Decision { events, answer } = self.decides(who, name, command);
        self.happens(events);
        self.durable();
        answer
    }

    fn decides(&self, who: u128, name: &str, command: Command) -> Decision {
        let command_id = CommandId::new(name).unwrap();
        let (at, round_trip) = (self.now, self.round_trip);
        let asking =
            Asking { player: id(who), command: &command_id, at, round_trip, hand: Hand::default() };
        let fresh = self.fresh();
        self.state.decide(asking, command, || fresh)
    }

    /// Why a new command is refused now. Nothing happens by it.
    #[track_caller]
    fn refuses(&self, who: u128, command: Command) -> Refusal {
        let Decision { events, answer } = self.decides(who, "refused", command);
        assert_eq!(events, [], "a refusal leaves everything as it was");
        answer.unwrap_err()
    }

    fn due(&self) -> Vec<Event> {
        self.state.due(self.now)
    }

    /// Everything that has come due by now happens.
    fn wakes(&mut self) {
        loop {
            let due = self.due();
            if due.is_empty() {
                return self.durable();
            }
            self.happens(due);
        }
    }

    fn fresh(&self) -> Fresh {
        let number = self.state.games() + 1;
        Fresh { game: game_id(number), seed: [number as u8; 32] }
    }

    fn game_now(&self) -> GameId {
        self.live().id
    }

    fn live(&self) -> &LiveGame {
        self.state.game().unwrap()
    }

    fn play(&self, cell: &str) -> Command {
        self.action(Move::Place(cell.parse().unwrap()))
    }

    fn action(&self, action: Move) -> Command {
        Command::Play { game: self.game_now(), turn: self.live().turn, action }
    }

    #[track_caller]
    fn plays(&mut self, who: u128, cell: &str) {
        let (turn, command) = (self.live().turn + 1, self.play(cell));
        assert_eq!(self.gives(who, command), Ok(Answer::Moved { turn, collided: false }));
    }

    /// A try that runs into a hidden stone.
    #[track_caller]
    fn runs_into(&mut self, who: u128, cell: &str) {
        let (turn, command) = (self.live().turn + 1, self.play(cell));
        assert_eq!(self.gives(who, command), Ok(Answer::Moved { turn, collided: true }));
    }

    fn offer(&self, kind: OfferKind) -> Command {
        Command::Offer(self.game_now(), kind)
    }

    #[track_caller]
    fn offers(&mut self, who: u128, kind: OfferKind) -> u64 {
        let command = self.offer(kind);
        match self.gives(who, command) {
            Ok(Answer::Offered(offer)) => offer,
            other => panic!("an offer was answered {other:?}"),
        }
    }

    #[track_caller]
    fn answers(&mut self, who: u128, offer: u64, accept: bool) {
        assert_eq!(self.gives(who, Command::Answer { offer, accept }), Ok(Answer::Done));
    }

    fn outcome(&self) -> Option<Outcome> {
        self.live().game.outcome()
    }

    /// What is left to seat 1 and seat 2 now, in milliseconds.
    fn left(&self) -> [Millis; 2] {
        Seat::BOTH.map(|seat| self.live().clock.reading(seat, self.now).left_ms.unwrap())
    }

    fn seats(&self) -> [Option<PlayerId>; 2] {
        Seat::BOTH.map(|seat| self.state.player(seat).map(|player| player.id))
    }

    /// Holds the table to its journal: rebuilt from it, it is the same in everything that the
    /// journal keeps.
    #[track_caller]
    fn check(&self) {
        assert_eq!(self.rebuilt(), self.state);
    }

    /// The table as its journal tells it, with the connections and running clock of this one.
    fn rebuilt(&self) -> State {
        let State { id, spans, .. } = self.state;
        let mut rebuilt = State::replay(id, spans, &self.journal, self.now).unwrap();
        rebuilt.presence = self.state.presence.clone();
        rebuilt.last_seen = self.state.last_seen;
        rebuilt.round_trips = self.state.round_trips;
        // When a clock was started is in no event.
        if self.state.running().is_some_and(|live| live.clock.running().is_some()) {
            rebuilt.start_clock(self.clock_from);
        }
        rebuilt
    }
}
