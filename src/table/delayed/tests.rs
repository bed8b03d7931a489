//! The table that spectators see is the table of so long ago, whatever happens when.

use hexhall_proto::options::{OptionsRequest, Preset, Swap, Time};
use hexhall_proto::parts::OfferKind;
use proptest::prelude::*;

use super::*;
use crate::game::Seat::{One, Two};
use crate::ids::PlayerId;
use crate::table::handle::{Command, CommandId, Player};
use crate::table::options::Options;
use crate::table::state::{Asking, Fresh, Hand, Phase};

const DAWN: Stamp = Stamp(1_760_000_000_000);
const DELAY_S: u64 = 20;
const DELAY_MS: Millis = DELAY_S * 1_000;

fn player(seat: Seat) -> Player {
    let who = u128::from(seat.number());
    Player {
        id: PlayerId::from_parts(1, who),
        name: format!("player {who}").into(),
        cpu: None,
        bot: false,
    }
}

fn game(number: u32) -> GameId {
    GameId::from_parts(2, number.into())
}

fn options(delay_s: u64) -> Options {
    let request = OptionsRequest {
        preset: Some(Preset::Custom),
        size: Some(2),
        swap: Some(Swap::Off),
        time: Some(Time::Fischer { initial_s: 300, increment_s: 1, cap_s: None }),
        spectator_delay_s: Some(delay_s),
        ..OptionsRequest::default()
    };
    Options::resolve(&request).unwrap()
}

/// A table, what spectators know of it, and all that ever happened there.
struct Evening {
    now: Stamp,
    table: State,
    delayed: Delayed,
    /// With the table's number, and since when it is durable.
    log: Vec<(u64, Option<Stamp>, What)>,
    commands: u64,
}

impl Evening {
    fn open() -> Evening {
        let table =
            State::new(TableId::from_parts(1, 1), Spans::default(), options(DELAY_S), None, DAWN);
        let delayed = Delayed::opened(&table).unwrap();
        Evening { now: DAWN, table, delayed, log: Vec::new(), commands: 0 }
    }

    fn happens(&mut self, events: Vec<Event>) {
        for event in events {
            self.table.apply(&event).unwrap();
            self.delayed.happened(self.table.number(), &event);
            self.log.push((self.table.number(), None, What::Happened(event)));
        }
    }

    fn joins(&mut self, seat: Seat) {
        let fresh = self.fresh();
        let joined = self.table.decide_join(&player(seat), None, self.now, || fresh);
        joined.map(|(_, events)| self.happens(events)).unwrap_or_default();
    }

    fn fresh(&self) -> Fresh {
        Fresh { game: game(self.table.games() + 1), seed: [0; 32] }
    }

    fn gives(&mut self, who: Seat, command: Command) {
        self.commands += 1;
        let id = CommandId::new(&self.commands.to_string()).unwrap();
        let (player, at) = (player(who).id, self.now);
        let asking = Asking { player, command: &id, at, round_trip: 0, hand: Hand::default() };
        let fresh = self.fresh();
        let decided = self.table.decide(asking, command, || fresh);
        self.happens(decided.events);
    }

    fn comes_or_goes(&mut self, seat: Seat, here: bool) {
        if self.table.note_presence(seat, here, self.now, false) {
            let presence = self.table.presence().clone();
            self.delayed.presence(self.table.number(), presence.clone());
            self.log.push((self.table.number(), None, What::Presence(presence)));
        }
    }

    /// Everything so far becomes durable.
    fn durable(&mut self) {
        self.delayed.durable(self.table.number(), self.now);
        for (_, since, _) in self.log.iter_mut().filter(|(_, since, _)| since.is_none()) {
            *since = Some(self.now);
        }
        if self.table.wants_clock() {
            self.table.start_clock(self.now);
        }
    }

    fn step(&mut self, step: &Step) {
        let live = self.table.game().cloned();
        let playing = live.as_ref().map_or(game(99), |live| live.id);
        match *step {
            Step::Pass(span) => self.now = self.now + span,
            Step::Durable => self.durable(),
            Step::Joins(seat) => self.joins(seat),
            Step::Leaves(seat) => {
                let events = self.table.decide_leave(player(seat).id, self.now);
                self.happens(events);
            }
            Step::Here(seat, here) => self.comes_or_goes(seat, here),
            Step::Due => {
                let due = self.table.due(self.now);
                self.happens(due);
            }
            Step::Moves(pick) => {
                let Some(live) = live else { return };
                let legal = live.game.legal_moves();
                let Some(mover) = live.game.to_move().and_then(|it| self.table.player(it)) else {
                    return;
                };
                let mover = Seat::BOTH.into_iter().find(|&it| player(it).id == mover.id).unwrap();
                let (game, turn, action) = (live.id, live.turn, legal[pick % legal.len()]);
                self.gives(mover, Command::Play { game, turn, action });
            }
            Step::Resigns(who) => self.gives(who, Command::Resign(playing)),
            Step::Offers(who, kind) => self.gives(who, Command::Offer(playing, kind)),
            Step::Agrees(who) => {
                if let Some(offer) = self.table.offers().last().map(|offer| offer.id) {
                    self.gives(who, Command::Answer { offer, accept: true });
                }
            }
        }
    }

    /// The slow way: everything that is old enough, from the start.
    fn long_ago(&self) -> State {
        let then = Stamp(self.now.0 - DELAY_MS);
        let mut state =
            State::new(self.table.id(), Spans::default(), *self.table.options(), None, DAWN);
        for (_, since, what) in &self.log {
            let Some(since) = since.filter(|&since| since <= then) else { break };
            match what {
                What::Happened(event) => {
                    state.apply(event).unwrap();
                    if state.wants_clock() {
                        state.start_clock(since);
                    }
                }
                What::Presence(presence) => state.see_presence(presence.clone()),
                What::Excused(_) => panic!("no journal failed here"),
            }
        }
        state
    }

    /// What spectators are shown by now.
    fn shown(&mut self) -> Vec<Shown> {
        let now = self.now;
        std::iter::from_fn(|| self.delayed.step(now).unwrap()).collect()
    }

    fn journal(&self) -> Vec<Event> {
        let opened = Event::Opened { options: *self.table.options(), invitation: None, at: DAWN };
        let durable = self.log.iter().filter_map(|(_, since, what)| match what {
            What::Happened(event) if since.is_some() => Some(event.clone()),
            _ => None,
        });
        std::iter::once(opened).chain(durable).collect()
    }

    fn rebuilt(&self) -> Delayed {
        let (id, spans) = (self.table.id(), Spans::default());
        let journal = self.journal();
        let times: Vec<_> = journal.iter().map(Event::at).collect();
        Delayed::rebuilt(id, spans, &journal, &times, self.now).unwrap().unwrap()
    }
}

#[derive(Clone, Debug)]
enum Step {
    Pass(Millis),
    Durable,
    Joins(Seat),
    Leaves(Seat),
    Here(Seat, bool),
    Due,
    Moves(usize),
    Resigns(Seat),
    Offers(Seat, OfferKind),
    Agrees(Seat),
}

fn step() -> impl Strategy<Value = Step> {
    let seat = || prop_oneof![Just(One), Just(Two)];
    let kind = prop_oneof![
        4 => Just(OfferKind::Rematch),
        1 => Just(OfferKind::Pause),
        1 => Just(OfferKind::Takeback),
    ];
    prop_oneof![
        6 => (0..DELAY_MS).prop_map(Step::Pass),
        6 => Just(Step::Durable),
        2 => seat().prop_map(Step::Joins),
        1 => seat().prop_map(Step::Leaves),
        3 => (seat(), any::<bool>()).prop_map(|(seat, here)| Step::Here(seat, here)),
        1 => Just(Step::Due),
        8 => any::<usize>().prop_map(Step::Moves),
        1 => seat().prop_map(Step::Resigns),
        3 => (seat(), kind).prop_map(|(seat, kind)| Step::Offers(seat, kind)),
        2 => seat().prop_map(Step::Agrees),
    ]
}

proptest! {
    #[test]
    fn spectators_see_the_table_of_so_long_ago_at_every_step(
        steps in proptest::collection::vec(step(), 1..80),
    ) {
        let mut evening = Evening::open();
        evening.joins(One);
        evening.joins(Two);
        for step in &steps {
            evening.step(step);
            let before = evening.delayed.state().number();
            let mut number = before;
            for shown in evening.shown() {
                if let Shown::Happened(_, at) = shown {
                    number += 1;
                    prop_assert!(at + DELAY_MS <= evening.now);
                }
            }
            prop_assert_eq!(evening.delayed.state().number(), number, "each is shown once");
            prop_assert_eq!(evening.delayed.state(), &evening.long_ago());
            let next = evening.delayed.next_at();
            prop_assert!(next.is_none_or(|next| next > evening.now), "it comes at its time");
        }
        // With time, they see all of it.
        evening.durable();
        evening.now = evening.now + DELAY_MS;
        evening.shown();
        prop_assert_eq!(evening.delayed.state(), &evening.long_ago());
        prop_assert_eq!(evening.delayed.state().number(), evening.table.number());
        prop_assert_eq!(evening.delayed.next_at(), None);
    }

    #[test]
    fn a_restart_at_any_moment_shows_what_is_old_enough_and_the_rest_in_its_time(
        steps in proptest::collection::vec(step(), 1..80),
        later in 0..2 * DELAY_MS,
    ) {
        let mut evening = Evening::open();
        evening.joins(One);
        for step in &steps {
            evening.step(step);
        }
        evening.durable();
        evening.now = evening.now + later;
        let journal = evening.journal();
        let (mut rebuilt, back) = (evening.rebuilt(), evening.now);
        // By their own times, for which the next event that has one stands in where it is later.
        let mut newest = DAWN;
        let mut known = 0;
        for event in &journal {
            newest = event.at().map_or(newest, |at| at.max(newest));
            if known == 0 || newest + DELAY_MS <= evening.now {
                known += 1;
            }
        }
        prop_assert_eq!(rebuilt.state().number(), known);
        let spoken = State::replay(
            evening.table.id(), Spans::default(), &journal[..known as usize], evening.now,
        ).unwrap();
        prop_assert_eq!(rebuilt.state().phase(), spoken.phase());
        let plies = |state: &State| state.game().map(|live| (live.id, live.game.clone()));
        prop_assert_eq!(plies(rebuilt.state()), plies(&spoken));
        while let Some(next) = rebuilt.next_at() {
            prop_assert!(next > evening.now);
            evening.now = next;
            while rebuilt.step(evening.now).unwrap().is_some() {}
        }
        prop_assert_eq!(rebuilt.state().number(), journal.len() as u64);
        prop_assert!(evening.now <= back.max(newest + DELAY_MS));
    }
}

#[test]
fn nothing_is_kept_where_spectators_see_the_table_live() {
    let table = State::new(TableId::from_parts(1, 1), Spans::default(), options(0), None, DAWN);
    assert_eq!(Delayed::opened(&table), None);
    let opened = Event::Opened { options: options(0), invitation: None, at: DAWN };
    assert_eq!(Delayed::rebuilt(table.id(), Spans::default(), &[opened], &[None], DAWN), Ok(None));
}

#[test]
fn a_game_is_unseen_then_runs_and_then_is_over() {
    let mut evening = Evening::open();
    evening.joins(One);
    evening.joins(Two);
    evening.durable();
    let stages = |evening: &Evening| [1, 2].map(|number| evening.delayed.stage(game(number)));
    assert_eq!(stages(&evening)[0], Stage::Unseen);
    evening.now = evening.now + (DELAY_MS - 1);
    evening.gives(One, Command::Resign(game(1)));
    for who in Seat::BOTH {
        evening.gives(who, Command::Offer(game(1), OfferKind::Rematch));
    }
    evening.durable();
    assert_eq!(evening.shown(), []);
    assert_eq!(evening.table.games(), 2);
    evening.now = evening.now + 1;
    evening.shown();
    assert_eq!(stages(&evening), [Stage::Runs, Stage::Unseen]);
    assert_eq!(evening.delayed.state().phase(), Phase::Playing);
    evening.now = evening.now + (DELAY_MS - 2);
    assert_eq!(evening.shown(), []);
    evening.now = evening.now + 1;
    evening.shown();
    assert_eq!(stages(&evening), [Stage::Over, Stage::Runs]);
}

#[test]
fn a_player_who_comes_and_goes_for_ever_fills_no_memory() {
    let mut evening = Evening::open();
    evening.joins(One);
    evening.durable();
    for n in 0..10_000 {
        evening.comes_or_goes(One, n % 2 == 0);
        evening.durable();
        assert!(evening.delayed.waiting.len() <= PRESENCES + 1);
    }
    evening.comes_or_goes(One, true);
    evening.now = evening.now + DELAY_MS;
    evening.durable();
    evening.shown();
    assert_eq!(evening.delayed.waiting.len(), 1, "the last is not old enough");
    evening.now = evening.now + DELAY_MS;
    evening.shown();
    assert!(evening.delayed.state().presence().is_here(One));
}

#[test]
fn clocks_that_were_excused_read_for_spectators_as_they_did() {
    let mut evening = Evening::open();
    evening.joins(One);
    evening.joins(Two);
    evening.durable();
    evening.now = evening.now + 5_000;
    evening.table.excuse(2_000, evening.now);
    evening.delayed.excused(evening.table.number(), 2_000);
    evening.delayed.durable(evening.table.number(), evening.now);
    let left = |state: &State, at| state.game().unwrap().clock.reading(One, at).left_ms;
    let live = left(&evening.table, evening.now);
    assert_eq!(live, Some(297_000));
    evening.now = evening.now + DELAY_MS;
    evening.shown();
    let then = evening.delayed.then(evening.now);
    assert_eq!(left(evening.delayed.state(), then), live);
}

#[test]
fn a_clock_stands_for_spectators_while_the_server_was_away() {
    let mut evening = Evening::open();
    evening.joins(One);
    evening.joins(Two);
    evening.durable();
    evening.now = evening.now + 2 * DELAY_MS;
    let rebuilt = evening.rebuilt();
    let clock = rebuilt.state().game().unwrap().clock;
    assert_eq!((clock.running(), rebuilt.state().wants_clock()), (None, true));
    let at = evening.now;
    evening.happens(vec![Event::Restarted { at }]);
    evening.durable();
    evening.now = evening.now + DELAY_MS / 2;
    assert_eq!(evening.rebuilt().state().game().unwrap().clock.running(), None);
    evening.gives(One, Command::Resign(game(1)));
    evening.durable();
    evening.now = evening.now + DELAY_MS / 2;
    assert_eq!(evening.rebuilt().state().game().unwrap().clock.running(), Some(One));
}
