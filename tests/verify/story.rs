//! Tables that were really played: the state decides, and what an actor would write is kept.

use std::collections::BTreeMap;

use hexhall::cpu::Level;
use hexhall::game::clock::Stamp;
use hexhall::game::{Cell, Move, Seat};
use hexhall::ids::{GameId, KeyId, PlayerId, TableId};
use hexhall::store::{
    Append, CredentialRow, GameResult, GameRow, PlayerRow, Store, TableRow, Word, form,
};
use hexhall::table::archive::{self, Kept};
use hexhall::table::handle::{Command, CommandId, Player};
use hexhall::table::options::{House, Options};
use hexhall::table::state::event::Event;
use hexhall::table::state::opening;
use hexhall::table::state::party::code::PartyCode;
use hexhall::table::state::party::{Change, PartyCommand};
use hexhall::table::state::{Asking, Decision, Fresh, Hand, Spans, State};
use hexhall_proto::options as wire;
use hexhall_proto::parts::OfferKind;
use hexhall_proto::party::Turns;

/// All that a store keeps of one table.
#[derive(Clone)]
pub struct Journal {
    pub table: TableId,
    pub events: Vec<Event>,
    pub row: Option<TableRow>,
    pub games: BTreeMap<GameId, GameRow>,
    pub results: Vec<GameResult>,
    pub players: Vec<PlayerRow>,
}

impl Journal {
    /// Writes it as it is, right or wrong.
    pub async fn write(&self, store: &Store) {
        for player in &self.players {
            let text = player.id.to_string();
            let hash = std::array::from_fn(|i| text.as_bytes()[i % text.len()]);
            let key = KeyId::from_parts(player.created_ms, player.id.low_bits().into());
            let device = CredentialRow::device(key, player.id, hash, player.created_ms);
            store.create_player(player.clone(), device).await.unwrap();
        }
        let told = Word::default();
        let events: Vec<_> = self.events.iter().map(|event| form::write(event).unwrap()).collect();
        let last = events.len() as u64;
        let append = |first, events, listing, games| {
            let (table, told) = (self.table, told.clone());
            let (result, left) = (None, None);
            let append = Append { table, first, events, listing, games, result, left, told };
            store.reserve().unwrap().append(append);
        };
        append(1, events, self.row.clone(), Vec::new());
        for game in self.games.values() {
            append(last + 1, Vec::new(), None, vec![game.clone()]);
        }
        for result in &self.results {
            let (table, told) = (self.table, told.clone());
            let (events, games, result) = (Vec::new(), Vec::new(), Some(Box::new(result.clone())));
            let (first, listing, left) = (last + 1, None, None);
            let append = Append { table, first, events, listing, games, result, left, told };
            store.reserve().unwrap().append(append);
        }
        told.until(|durable| durable.to >= last).await;
    }

    /// The number of the first event that is meant, as the journal counts.
    pub fn find(&self, meant: impl Fn(&Event) -> bool) -> u64 {
        1 + self.events.iter().position(meant).expect("such an event") as u64
    }

    /// The event with this number.
    pub fn at(&mut self, number: u64) -> &mut Event {
        &mut self.events[usize::try_from(number).unwrap() - 1]
    }

    /// The row of the game that was begun first.
    pub fn first_game(&mut self) -> &mut GameRow {
        self.games.first_entry().unwrap().into_mut()
    }
}

/// A table that is being played.
pub struct Story {
    state: State,
    journal: Journal,
    now: Stamp,
    made: u64,
}

impl Story {
    /// Opens a table with a player in each seat, who begin a game.
    pub fn begin(table: u64, options: &wire::OptionsRequest, invitation: Option<&str>) -> Story {
        let mut story = Story::open(table, options, invitation);
        for name in ["Ada", "Zo\u{eb}"] {
            story.join(name);
        }
        story.all_are_there();
        story
    }

    /// Opens a table for one player and the computer, which has this seat and begins a game.
    pub fn practice(table: u64, options: &wire::OptionsRequest, seat: Seat) -> Story {
        let mut story = Story::open(table, options, None);
        let player = story.player("Ada");
        let house = Some(House { level: Level::new(3).unwrap(), seat });
        let (options, now, fresh) = (*story.state.options(), story.now, story.fresh());
        let events = opening::opening(options, None, &player, house, now, || fresh);
        story.happen(events[1..].to_vec());
        story.all_are_there();
        story
    }

    /// Opens a table for a party that nobody has joined yet.
    pub fn party(table: u64, options: &wire::OptionsRequest) -> Story {
        let mut story = Story::open(table, options, None);
        let code = PartyCode::read("K7QMWX").unwrap();
        let level = Level::new(3).unwrap();
        let change = Change::Formed { code, turns: Turns::None, level };
        story.happen(vec![Event::Party { change, at: story.now }]);
        story
    }

    /// Somebody who may come to a party.
    pub fn member(&mut self, name: &str) -> Player {
        self.player(name)
    }

    /// Joins the party and is there, or says anew whether they want to play.
    pub fn joins_party(&mut self, player: &Player, plays: bool) {
        let events = self.state.decide_join_party(player, plays, self.now).unwrap();
        self.happen(events);
        self.state.note_member(player.id, true, self.now, false);
    }

    /// The host begins the next game.
    pub fn starts(&mut self, host: &Player) {
        let start = PartyCommand::Start { after: self.state.game().map(|live| live.id) };
        let fresh = self.fresh();
        let events = self.state.decide_party(host.id, start, self.now, || fresh).unwrap();
        self.happen(events);
        self.all_are_there();
    }

    fn open(table: u64, options: &wire::OptionsRequest, invitation: Option<&str>) -> Story {
        let now = Stamp(1_700_000_000_000 + table);
        let id = TableId::from_parts(now.0, table.into());
        let options = Options::resolve(options).unwrap();
        let invitation: Option<Box<str>> = invitation.map(Into::into);
        let state = State::new(id, Spans::default(), options, invitation.clone(), now);
        let journal = Journal {
            table: id,
            events: vec![Event::Opened { options, invitation, at: now }],
            row: Some(archive::table_row(&state, now)),
            games: BTreeMap::new(),
            results: Vec::new(),
            players: Vec::new(),
        };
        Story { state, journal, now, made: 80 * table }
    }

    fn player(&mut self, name: &str) -> Player {
        let id = PlayerId::from_parts(self.now.0, self.make().into());
        // Two tables may have an Ana each, and a store has one.
        let own = format!("{name} {id}");
        let row = PlayerRow { id, name: own, created_ms: self.now.0, owner: None };
        self.journal.players.push(row);
        Player { id, name: name.into(), cpu: None, bot: false }
    }

    fn join(&mut self, name: &str) {
        let player = self.player(name);
        let fresh = self.fresh();
        let (_, events) = self.state.decide_join(&player, None, self.now, || fresh).unwrap();
        self.happen(events);
    }

    fn all_are_there(&mut self) {
        for seat in Seat::BOTH {
            if self.state.house(seat).is_none() {
                self.state.note_presence(seat, true, self.now, false);
            }
        }
    }

    fn make(&mut self) -> u64 {
        self.made += 1;
        self.made
    }

    fn fresh(&mut self) -> Fresh {
        let made = self.make();
        let game = GameId::from_parts(self.now.0, made.into());
        Fresh { game, seed: [(made % 251) as u8; 32] }
    }

    /// Applies events, keeps what an actor writes with them, and starts the clock.
    fn happen(&mut self, events: Vec<Event>) {
        let mut kept = Kept::default();
        for event in &events {
            self.state.apply(event).unwrap();
            kept.note(&self.state, event);
        }
        if events.iter().any(archive::changes_listing) {
            self.journal.row = Some(archive::table_row(&self.state, self.now));
        }
        self.journal.games.extend(kept.games.into_iter().map(|row| (row.id, row)));
        self.journal.results.extend(kept.result.map(|result| *result));
        self.journal.events.extend(events);
        if self.state.wants_clock() {
            self.state.start_clock(self.now);
        }
    }

    /// Lets time pass, and what comes due happen.
    pub fn wait(&mut self, ms: u64) {
        self.now = self.now + ms;
        loop {
            let due = self.state.due(self.now);
            if due.is_empty() {
                break;
            }
            self.happen(due);
        }
    }

    /// The server was away, and is back with everybody there.
    pub fn restart(&mut self) {
        let (id, events) = (self.state.id(), &self.journal.events);
        self.state = State::replay(id, Spans::default(), events, self.now).unwrap();
        self.all_are_there();
        self.happen(vec![Event::Restarted { at: self.now }]);
    }

    pub fn game(&self) -> GameId {
        self.state.game().unwrap().id
    }

    pub fn command(&mut self, seat: Seat, command: Command) {
        let name = format!("c{}", self.make());
        let fresh = self.fresh();
        let asking = Asking {
            player: self.state.player(seat).unwrap().id,
            command: &CommandId::new(&name).unwrap(),
            at: self.now,
            round_trip: 40,
            hand: Hand::default(),
        };
        let Decision { events, answer } = self.state.decide(asking, command, || fresh);
        answer.unwrap();
        self.happen(events);
    }

    /// The seats take turns at these cells; `swap` is the swap. A second goes by before each.
    pub fn play(&mut self, moves: &str) {
        for text in moves.split_whitespace() {
            self.wait(1_000);
            let live = self.state.running().unwrap();
            let action = match text {
                "swap" => Move::Swap,
                cell => Move::Place(cell.parse::<Cell>().unwrap()),
            };
            let (seat, game, turn) = (live.game.to_move().unwrap(), live.id, live.turn);
            self.command(seat, Command::Play { game, turn, action });
        }
    }

    /// The computer takes its turns at these cells. A second goes by before each.
    pub fn compute(&mut self, moves: &str) {
        for cell in moves.split_whitespace() {
            self.wait(1_000);
            let turn = self.state.cpu_turn().expect("the computer's turn");
            let action = Move::Place(cell.parse().unwrap());
            let events = self.state.decide_cpu(turn, action, self.now).unwrap();
            self.happen(events);
        }
    }

    /// A player goes, and so much time goes by.
    pub fn go(&mut self, seat: Seat, ms: u64) {
        self.state.note_presence(seat, false, self.now, false);
        self.wait(ms);
    }

    /// A player is back.
    pub fn come_back(&mut self, seat: Seat) {
        self.state.note_presence(seat, true, self.now, false);
        self.wait(0);
    }

    /// One seat proposes, and the other agrees.
    pub fn agree(&mut self, seat: Seat, kind: OfferKind) {
        let game = self.game();
        self.command(seat, Command::Offer(game, kind));
        self.wait(500);
        let offer = self.state.offers().last().unwrap().id;
        self.command(seat.other(), Command::Answer { offer, accept: true });
    }

    pub fn leave(&mut self, seat: Seat) {
        let player = self.state.player(seat).unwrap().id;
        let events = self.state.decide_leave(player, self.now);
        self.happen(events);
    }

    pub fn end(self) -> Journal {
        self.journal
    }
}

/// Options of a small board.
pub fn small(swap: wire::Swap, time: wire::Time) -> wire::OptionsRequest {
    wire::OptionsRequest {
        preset: Some(wire::Preset::Custom),
        size: Some(3),
        swap: Some(swap),
        time: Some(time),
        ..wire::OptionsRequest::default()
    }
}

/// A table of four games and every kind of event: won by a chain after a swap, resigned, lost on
/// time, aborted; with a takeback, a pause and a gift of time in the first. Closed at the end.
pub fn full() -> Journal {
    let time = wire::Time::Fischer { initial_s: 60, increment_s: 2, cap_s: None };
    let mut story = Story::begin(1, &small(wire::Swap::Sides, time), None);
    story.play("b2 swap a1 c2");
    let game = story.game();
    story.agree(Seat::Two, OfferKind::Takeback);
    story.play("b1");
    story.wait(700);
    story.command(Seat::Two, Command::GiveTime(game));
    story.agree(Seat::Two, OfferKind::Pause);
    story.wait(5_000);
    story.command(Seat::Two, Command::Unpause(game));
    story.restart();
    story.play("a2 b3");
    story.agree(Seat::One, OfferKind::Rematch);
    story.play("c1 a3");
    let game = story.game();
    story.command(Seat::One, Command::Offer(game, OfferKind::Takeback));
    story.command(Seat::One, Command::Resign(game));
    story.agree(Seat::Two, OfferKind::Rematch);
    story.play("a1 a2");
    story.wait(70_000);
    story.agree(Seat::Two, OfferKind::Rematch);
    let game = story.game();
    story.command(Seat::Two, Command::Abort(game));
    story.leave(Seat::One);
    story.leave(Seat::Two);
    story.end()
}

/// A private table of Rex in byo-yomi: one game lost by a chain, another that still runs.
pub fn running() -> Journal {
    let time = wire::Time::ByoYomi { initial_s: 3, period_s: 2, periods: 3 };
    let options = wire::OptionsRequest {
        goal: Some(wire::Goal::Avoid),
        first_move_s: Some(5),
        ..small(wire::Swap::Pieces, time)
    };
    let mut story = Story::begin(2, &options, Some("kite"));
    story.play("a2 swap a1 c1 b2 a3 c3 c2 a2 b3");
    story.agree(Seat::One, OfferKind::Rematch);
    story.play("b1");
    story.wait(1_500);
    story.play("b2");
    story.wait(3_000);
    story.play("c3 a1");
    story.end()
}

/// A table without a clock, on a random opening, whose second seat is free.
pub fn open() -> Journal {
    let options = wire::OptionsRequest {
        size: Some(5),
        random_stones: Some(2),
        ..small(wire::Swap::Off, wire::Time::None {})
    };
    let mut story = Story::begin(3, &options, None);
    let game = story.game();
    story.command(Seat::One, Command::Resign(game));
    story.leave(Seat::Two);
    story.end()
}

/// A table of three rated games, of which seat 1's first player wins the first two.
pub fn rated(table: u64, time: wire::Time) -> Journal {
    let options = wire::OptionsRequest {
        preset: Some(wire::Preset::Standard),
        size: Some(7),
        rated: Some(true),
        time: Some(time),
        ..wire::OptionsRequest::default()
    };
    let mut story = Story::begin(table, &options, None);
    for (loser, rematch) in [(Seat::Two, true), (Seat::One, true), (Seat::One, false)] {
        let begins = story.game();
        story.play("c1 d4");
        story.command(loser, Command::Resign(begins));
        if rematch {
            story.agree(Seat::Two, OfferKind::Rematch);
        }
    }
    story.end()
}
