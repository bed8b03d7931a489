//! A table seen from outside: an evening of three games decided, applied, written down and read
//! back, by nothing but what the library offers.

use hexhall::game::clock::Stamp;
use hexhall::game::{Color, Move, Seat};
use hexhall::ids::{GameId, PlayerId, Seq, TableId};
use hexhall::store::form;
use hexhall::table::beginning::{Rebuilt, Unreadable};
use hexhall::table::handle::{Command, CommandId, Player};
use hexhall::table::options::Options;
use hexhall::table::state::event::Event;
use hexhall::table::state::{Asking, Corrupt, Decision, Fresh, Hand, Phase, Spans, State};
use hexhall_proto::options::{OptionsRequest, Preset};
use hexhall_proto::parts::OfferKind;

const T0: u64 = 1_700_000_000_000;

/// An evening, and its journal as the store keeps it.
struct Evening {
    state: State,
    journal: Vec<Vec<u8>>,
    commands: u64,
}

fn player(who: u128) -> Player {
    Player {
        id: PlayerId::from_parts(T0, who),
        name: format!("player {who}").into(),
        cpu: None,
        bot: false,
    }
}

fn table() -> TableId {
    TableId::from_parts(T0, 1)
}

impl Evening {
    fn open() -> Evening {
        let request = OptionsRequest {
            preset: Some(Preset::Custom),
            size: Some(5),
            ..OptionsRequest::default()
        };
        let options = Options::resolve(&request).unwrap();
        let (invitation, at) = (Some("sesame".into()), Stamp(T0));
        let opened = Event::Opened { options, invitation: invitation.clone(), at };
        let state = State::new(table(), Spans::default(), options, invitation, at);
        let mut evening =
            Evening { state, journal: vec![form::write(&opened).unwrap()], commands: 0 };
        for who in [1, 2] {
            let fresh = evening.fresh();
            let joined = evening.state.decide_join(&player(who), None, Stamp(T0), || fresh);
            evening.happens(&joined.unwrap().1);
        }
        evening
    }

    fn fresh(&self) -> Fresh {
        let games = self.state.games();
        Fresh { game: GameId::from_parts(T0, games.into()), seed: [games as u8; 32] }
    }

    fn happens(&mut self, events: &[Event]) {
        for event in events {
            self.state.apply(event).unwrap();
            self.journal.push(form::write(event).unwrap());
        }
    }

    /// A command of this player, a second after the one before.
    fn gives(&mut self, who: u128, command: Command) {
        self.commands += 1;
        let at = Stamp(T0 + 1_000 * self.commands);
        self.state.start_clock(at);
        let id = CommandId::new(&format!("c{}", self.commands)).unwrap();
        let player = player(who).id;
        let asking =
            Asking { player, command: &id, at: at + 500, round_trip: 20, hand: Hand::default() };
        let fresh = self.fresh();
        let Decision { events, answer } = self.state.decide(asking, command, || fresh);
        assert!(answer.is_ok(), "{answer:?}");
        self.happens(&events);
    }

    fn plays(&mut self, who: u128, action: Move) {
        let live = self.state.game().unwrap();
        let (game, turn) = (live.id, live.turn);
        self.gives(who, Command::Play { game, turn, action });
    }

    /// One game: the first move, its swap, two moves, and player 1 gives up.
    fn game(&mut self) {
        let seat = |seat| {
            let sits = self.state.player(seat).unwrap();
            if sits.id == player(1).id { 1 } else { 2 }
        };
        let [first, second] = Seat::BOTH.map(seat);
        self.plays(first, Move::Place("b2".parse().unwrap()));
        self.plays(second, Move::Swap);
        self.plays(first, Move::Place("c3".parse().unwrap()));
        self.plays(second, Move::Place("d4".parse().unwrap()));
        self.gives(1, Command::Resign(self.state.game().unwrap().id));
    }

    /// The table as a restarted server has it.
    fn rebuilt(&self) -> Rebuilt {
        Rebuilt::read(table(), Spans::default(), &self.journal, Stamp(T0)).unwrap()
    }
}

#[test]
fn an_evening_of_three_games_is_the_same_after_a_restart_at_any_moment() {
    let mut evening = Evening::open();
    for games in 1..=3 {
        evening.game();
        assert_eq!(evening.state.phase(), Phase::Finished);
        assert_eq!(evening.state.games(), games);
        let rematch = Command::Offer(evening.state.game().unwrap().id, OfferKind::Rematch);
        evening.gives(1, rematch);
        evening.gives(2, rematch);
        // Player 2 has won every game, and sits now here, now there.
        let wins = Seat::BOTH.map(|seat| {
            let is_second = evening.state.player(seat).map(|it| it.id) == Some(player(2).id);
            if is_second { games } else { 0 }
        });
        assert_eq!(evening.state.score(), wins);
        assert_eq!(evening.state.seat_of(player(1).id).unwrap() == Seat::One, games % 2 == 0);
        assert_eq!(evening.state.game().unwrap().game.color(Seat::One), Color::Red);
    }
    let events: Vec<Event> = evening.journal.iter().map(|it| form::read(it).unwrap()).collect();
    for n in 1..=events.len() {
        let bytes = &evening.journal[..n];
        let rebuilt = Rebuilt::read(table(), Spans::default(), bytes, Stamp(T0)).unwrap();
        let spoken = State::replay(table(), Spans::default(), &events[..n], Stamp(T0)).unwrap();
        assert_eq!(rebuilt.state, spoken);
        // Everybody is told of all but the opening.
        assert_eq!(rebuilt.seqs, [Seq(n as u64 - 1); 3]);
        assert_eq!(rebuilt.state.number(), n as u64);
    }
    let rebuilt = evening.rebuilt().state;
    assert_eq!(rebuilt.score(), evening.state.score());
    assert_eq!(rebuilt.game(), evening.state.game());
    assert_eq!(rebuilt.invitation(), Some("sesame"));
}

#[test]
fn a_restart_in_the_middle_of_a_turn_charges_it_to_nobody() {
    let mut evening = Evening::open();
    evening.plays(1, Move::Place("b2".parse().unwrap()));
    evening.state.start_clock(Stamp(T0 + 2_000));
    let mut rebuilt = evening.rebuilt().state;
    assert!(rebuilt.wants_clock() && !rebuilt.is_clock_running());
    let back = Stamp(T0 + 3_600_000);
    rebuilt.apply(&Event::Restarted { at: back }).unwrap();
    rebuilt.start_clock(back);
    let clock = rebuilt.game().unwrap().clock;
    assert_eq!(clock.running(), Some(Seat::Two));
    assert_eq!(clock.reading(Seat::Two, back).left_ms, Some(300_000));
}

#[test]
fn a_journal_that_is_no_table_s_is_refused() {
    let evening = Evening::open();
    let read = |journal: &[Vec<u8>]| {
        Rebuilt::read(table(), Spans::default(), journal, Stamp(T0)).err().unwrap()
    };
    assert!(matches!(read(&[]), Unreadable::Corrupt(Corrupt::NotOpened)));
    assert!(matches!(read(&evening.journal[1..]), Unreadable::Corrupt(Corrupt::NotOpened)));
    let mut twice = evening.journal.clone();
    twice.push(evening.journal[1].clone());
    assert!(matches!(read(&twice), Unreadable::Corrupt(Corrupt::Seat(Seat::One))));
    let mut torn = evening.journal.clone();
    torn[1].truncate(7);
    assert!(matches!(read(&torn), Unreadable::Form(_)));
}
