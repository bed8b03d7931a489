//! Whole evenings by chance: commands of two players and strangers come valid, twice, late, out
//! of order, for another turn and for another game, at any time and beside everything else that
//! happens at a table. What every evening must keep to is checked after each step.

mod steps;

use std::collections::HashMap;

use hexhall_proto::codec::Format;
use hexhall_proto::event::{Event as Told, StreamFrame};
use hexhall_proto::view::View;
use proptest::prelude::*;

use super::plans::by_hand::line;
use super::reducer;
use super::*;
use crate::game::Ply;
use crate::ids::Seq;
use crate::table::state::answered::REMEMBERED;
use crate::table::state::plan::Plan;
use crate::table::streams::{Audience, Streams};
use crate::view::{Viewer, delta, project};
use steps::{Draft, Step, What, request, step};

/// How many events of each stream are kept.
const KEPT: usize = 6;

/// A command as it waits to be looked at.
#[derive(Clone, Debug)]
struct Frame {
    who: u128,
    name: String,
    at: Stamp,
    round_trip: Millis,
    command: Command,
}

/// A table and all that is known about how it came to be what it is.
struct Evening {
    table: Table,
    waiting: Vec<Frame>,
    written: u32,
    /// The moves of the game so far, as they were accepted.
    accepted: Vec<(Seat, Move)>,
    /// What each player's commands were answered, in order.
    answered: HashMap<u128, Vec<(String, Answer)>>,
    /// The turn that the computer thinks about.
    asked: Option<CpuTurn>,
    /// The last game that has ended.
    over: Option<LiveGame>,
    streams: Streams,
    /// What the viewers were told since players last changed.
    told: [Vec<StreamFrame>; 3],
    /// What the viewers made of it.
    views: [View; 3],
}

impl Evening {
    fn new(request: &OptionsRequest) -> Evening {
        let mut table = Table::open(request);
        // As a table is opened, its streams stand at nothing.
        let seated = table.journal.pop().unwrap();
        let (state, now, id) = (&table.state, table.now, table.state.id);
        table.state = State::new(state.id, state.spans, state.options, None, now);
        let views = Viewer::ALL.map(|viewer| project::view(&table.state, viewer, Seq(0), 0, now));
        let mut evening = Evening {
            table,
            waiting: Vec::new(),
            written: 0,
            accepted: Vec::new(),
            answered: HashMap::new(),
            asked: None,
            over: None,
            streams: Streams::new(id, [Seq(0); 3], KEPT),
            told: [const { Vec::new() }; 3],
            views,
        };
        evening.happens(vec![seated]);
        evening.table.returns(ANA);
        evening
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Arrives(draft) => {
                let frame = self.write(draft);
                self.waiting.push(frame);
            }
            Step::Looked { pick, again } if !self.waiting.is_empty() => {
                let pick = pick % self.waiting.len();
                let frame = self.waiting[pick].clone();
                if !again {
                    self.waiting.remove(pick);
                }
                self.look_at(&frame);
            }
            Step::Looked { .. } => {}
            Step::Commands(draft) => {
                let frame = self.write(draft);
                self.look_at(&frame);
            }
            Step::Pass(span) => self.table.now = self.table.now + span,
            Step::Wake => {
                let next = self.table.state.next_due(self.table.now);
                self.table.now = self.table.now.max(next.unwrap_or_default());
                self.wakes();
            }
            Step::Durable => self.table.durable(),
            Step::Asks => self.asked = self.table.state.cpu_turn(),
            Step::Plays(pick) => self.cpu_plays(pick),
            Step::Plans(who, premove, picks) => self.plans(who, premove, &picks),
            Step::Goes(who, said_so) => self.table.goes(who, said_so),
            Step::Returns(who) => {
                let seat = self.table.state.seat_of(id(who));
                seat.map(|seat| self.table.state.note_presence(seat, true, self.table.now, false));
            }
            Step::Joins(who) => self.joins(who),
            Step::Leaves(who) => {
                let events = self.table.state.decide_leave(id(who), self.table.now);
                self.happens(events);
            }
        }
    }

    fn write(&mut self, Draft { who, name, what, round_trip }: Draft) -> Frame {
        self.written += 1;
        let name = name.map_or(format!("new {}", self.written), |name| format!("old {name}"));
        let state = &self.table.state;
        let game = state.game().map_or(game_id(77), |live| live.id);
        let turn = state.game().map_or(0, |live| live.turn);
        let newest = state.next_offer;
        let mut who = who;
        let play = |action| Command::Play { game, turn, action };
        let place = |row, col| Move::Place(Cell::new(row, col));
        let command = match what {
            What::Legal(pick) => {
                let live = state.running();
                let legal = live.map(|live| live.game.legal_moves()).unwrap_or_default();
                if let Some(player) =
                    live.and_then(|live| live.game.to_move()).and_then(|seat| state.player(seat))
                {
                    let sits = |&who: &u128| id(who) == player.id;
                    who = [ANA, BO, CY].into_iter().find(sits).unwrap_or(who);
                }
                let picked = legal.get(pick % legal.len().max(1));
                play(picked.copied().unwrap_or(Move::Swap))
            }
            What::Cell(row, col) => play(place(row, col)),
            What::Swap => play(Move::Swap),
            What::OtherTurn(turn) => Command::Play { game, turn, action: place(0, 0) },
            What::OtherGame => Command::Play { game: game_id(1), turn, action: place(0, 0) },
            What::Resign => Command::Resign(game),
            What::Abort => Command::Abort(game),
            What::Claim => Command::Claim(game),
            What::Offer(kind) => Command::Offer(game, kind),
            What::Answer { back, accept } => {
                Command::Answer { offer: newest.saturating_sub(1 + back), accept }
            }
            What::Withdraw(back) => Command::Withdraw(newest.saturating_sub(1 + back)),
            What::Unpause => Command::Unpause(game),
            What::GiveTime => Command::GiveTime(game),
        };
        Frame { who, name, at: self.table.now, round_trip, command }
    }

    fn look_at(&mut self, frame: &Frame) {
        let state = &mut self.table.state;
        let seat = state.seat_of(id(frame.who));
        if let Some(seat) = seat {
            state.note_round_trip(seat, frame.round_trip);
        }
        let command_id = CommandId::new(&frame.name).unwrap();
        let &Frame { who, at, round_trip, command, .. } = frame;
        let asking =
            Asking { player: id(who), command: &command_id, at, round_trip, hand: Hand::default() };
        let fresh = self.table.fresh();
        let Decision { events, answer } = self.table.state.decide(asking, command, || fresh);

        let own = self.answered.entry(who).or_default();
        let remembered = own.iter().rev().take(REMEMBERED).find(|(name, _)| *name == frame.name);
        match (remembered, answer) {
            (Some(&(_, first)), answer) if seat.is_some() => {
                assert_eq!((answer, events.len()), (Ok(first), 0), "at most once: {frame:?}");
            }
            (_, Ok(answer)) => {
                assert!(!events.is_empty(), "what is accepted takes effect: {frame:?}");
                own.push((frame.name.clone(), answer));
                if let (Command::Play { action, .. }, Some(seat)) = (command, seat) {
                    self.accepted.push((seat, action));
                }
            }
            (_, Err(refusal)) => {
                // Beside a refusal nothing happens but the fall of a flag.
                let falls = |event: &Event| match event {
                    Event::Ended { by: None, outcome, .. } => matches!(
                        outcome,
                        Outcome::Won { by: WonBy::Time, .. } | Outcome::Void(Void::NotStarted)
                    ),
                    Event::OfferClosed { by: None, .. } => true,
                    _ => false,
                };
                assert!(events.iter().all(falls), "{frame:?} is refused: {refusal}: {events:?}");
            }
        }
        self.happens(events);
    }

    /// What can be planned is, and what cannot changes nothing.
    fn plans(&mut self, who: u128, premove: Option<usize>, picks: &[Vec<usize>]) {
        self.written += 1;
        let name = format!("plan {}", self.written);
        let state = &self.table.state;
        let (game, turn) = state.game().map_or((game_id(77), 0), |live| (live.id, live.turn));
        let legal = state.running().map(|live| live.game.legal_moves()).unwrap_or_default();
        let premove = premove.and_then(|pick| legal.get(pick % legal.len().max(1)).copied());
        let lines = state.running().map(|live| picks.iter().map(|it| line(&live.game, it)));
        let plan = Plan { premove, lines: lines.into_iter().flatten().collect() };
        let (command, at) = (CommandId::new(&name).unwrap(), self.table.now);
        let hand = Hand::default();
        let asking = Asking { player: id(who), command: &command, at, round_trip: 0, hand };
        let Decision { events, answer } = state.decide_plan(asking, game, turn, plan.clone());
        if let Ok(answer) = answer {
            assert_eq!((answer, events.len()), (Answer::Done, 1));
            self.answered.entry(who).or_default().push((name, answer));
        }
        self.happens(events);
    }

    fn joins(&mut self, who: u128) {
        if let Some(seat) = self.sits_down(&player(who)) {
            self.answered.remove(&who);
            self.table.state.note_presence(seat, true, self.table.now, false);
        }
    }

    fn sits_down(&mut self, player: &Player) -> Option<Seat> {
        let (table, fresh) = (&self.table, self.table.fresh());
        let (seat, events) = table.state.decide_join(player, None, table.now, || fresh).ok()?;
        self.happens(events);
        Some(seat)
    }

    /// A move that was asked for is played while the turn is the computer's, and never else.
    fn cpu_plays(&mut self, pick: usize) {
        let Some(turn) = self.asked else { return };
        let state = &self.table.state;
        let legal = state.running().map(|live| live.game.legal_moves()).unwrap_or_default();
        let action = legal.get(pick % legal.len().max(1)).copied().unwrap_or(Move::Swap);
        let decided = state.decide_cpu(turn, action, self.table.now);
        assert_eq!(decided.is_ok(), state.cpu_turn() == Some(turn), "{turn:?}: {decided:?}");
        let events = decided.unwrap_or_default();
        let plays = |event: &Event| matches!(event, Event::Played { cpu: true, .. });
        if events.iter().any(plays) {
            self.accepted.push((turn.seat, action));
        }
        self.happens(events);
    }

    fn wakes(&mut self) {
        for _ in 0..32 {
            let due = self.table.due();
            if due.is_empty() {
                break;
            }
            self.happens(due);
        }
        let next = self.table.state.next_due(self.table.now);
        assert!(next.is_none_or(|next| next > self.table.now), "what is due is done at once");
    }

    /// As the actor does it: apply, then tell.
    fn happens(&mut self, events: Vec<Event>) {
        for event in events {
            self.table.happens(vec![event.clone()]);
            match &event {
                Event::Started { .. } => self.accepted.clear(),
                Event::TakenBack { plies, .. } => self.accepted.truncate(*plies),
                Event::Played { by, action, planned: true, .. } => {
                    self.accepted.push((by.seat, *action));
                }
                _ => {}
            }
            if matches!(event, Event::Started { .. } | Event::Seated { .. }) {
                self.streams.forget(Audience::Everybody);
                self.told.iter_mut().for_each(Vec::clear);
            }
            let (state, now) = (&self.table.state, self.table.now);
            // Whether it is projected once or for each, each viewer is told what is theirs.
            let theirs = Viewer::ALL.map(|viewer| {
                let seq = self.streams.seq(viewer).next();
                let told = delta::told(state, &event, viewer, seq, 0, now);
                assert_eq!(told.is_some(), delta::is_told(&event, viewer));
                told
            });
            let told = self.streams.tell_of(state, &event, 0, now);
            for ((viewer, frame), theirs) in Viewer::ALL.into_iter().zip(told).zip(theirs) {
                assert_eq!(frame.is_some(), theirs.is_some());
                let Some(frame) = frame else { continue };
                let frame: StreamFrame =
                    serde_json::from_slice(&frame.bytes(Format::Json)).unwrap();
                assert_eq!(Some(&frame.event), theirs.as_ref());
                reducer::follow(&mut self.views[viewer.index()], &frame);
                self.told[viewer.index()].push(frame);
            }
            match delta::whispered(state, &event) {
                Some((seat, Told::Planned { plan })) => self.views[seat.index()].plan = plan,
                Some((seat, _)) => self.views[seat.index()].plan = None,
                None => {}
            }
            if let Event::Unseated { seat, .. } = &event {
                // Their player is told by a whole view that the seat is theirs no more.
                self.views[seat.index()].plan = None;
            }
        }
    }

    fn check(&mut self) {
        self.table.check();
        self.check_game();
        self.check_views();
        self.check_due();
        self.check_drivers();
    }

    fn check_drivers(&self) {
        let state = &self.table.state;
        let taken = Seat::BOTH.map(|seat| state.taken_over(seat).is_some());
        assert_ne!(taken, [true, true], "the computer drives one player's seat at most");
        for seat in Seat::BOTH.into_iter().filter(|seat| taken[seat.index()]) {
            assert_eq!(state.options().on_leave(), wire::OnLeave::Cpu);
            assert!(Seat::BOTH.into_iter().all(|seat| state.house(seat).is_none()));
            assert!(state.takeover_at(seat).is_none());
        }
        if let Some(CpuTurn { seat, .. }) = state.cpu_turn() {
            let presence = state.presence();
            let left_alone = presence.is_here(seat.other()) && !presence.is_here(seat);
            assert!(state.house(seat).is_some() || (taken[seat.index()] && left_alone));
        }
    }

    fn check_game(&mut self) {
        let Some(live) = self.table.state.game() else { return };
        let plies = live.game.plies().iter().map(|&Ply { seat, action, .. }| (seat, action));
        assert_eq!(plies.collect::<Vec<_>>(), self.accepted);
        assert_eq!(live.times.len(), self.accepted.len());
        if let Some(over) = self.over.as_ref().filter(|over| over.id == live.id) {
            assert_eq!(live, over, "a finished game never changes");
        }
        if live.game.outcome().is_some() {
            self.over = Some(live.clone());
        }
    }

    fn check_views(&mut self) {
        let (state, now) = (&self.table.state, self.table.now);
        let running = state.running().is_some_and(|live| live.clock.running().is_some());
        for (viewer, view) in Viewer::ALL.into_iter().zip(&mut self.views) {
            let seq = self.streams.seq(viewer);
            let count = self.table.journal.iter().filter(|it| delta::is_told(it, viewer)).count();
            assert_eq!(seq, Seq(count as u64));
            let mut fresh = project::view(state, viewer, seq, 0, now);
            let own = Seat::BOTH.into_iter().find(|seat| viewer == Viewer::Seat(*seat));
            let planned = own.and_then(|seat| state.plan(seat)).is_some();
            assert_eq!(fresh.plan.is_some(), planned, "a plan is its own seat's to see");
            // Told beside the stream, or counted down by whoever reads.
            view.presence = fresh.presence.clone();
            fresh.offers.iter_mut().for_each(|offer| offer.expires_in_ms = 0);
            view.offers.iter_mut().for_each(|offer| offer.expires_in_ms = 0);
            let clocks = |view: &mut View| view.game.as_mut().and_then(|game| game.clocks.take());
            let (followed, now) = (clocks(view), clocks(&mut fresh));
            let who_runs = |clocks: &Option<_>| {
                clocks.as_ref().map(|clocks: &hexhall_proto::parts::Clocks| clocks.running)
            };
            assert_eq!(who_runs(&followed), who_runs(&now));
            if !running {
                assert_eq!(followed, now);
            }
            assert_eq!(*view, fresh);
            if let Some(game) = &mut view.game {
                game.clocks = now;
            }
        }
    }

    fn check_due(&self) {
        let (state, now) = (&self.table.state, self.table.now);
        match state.next_due(now) {
            None => assert_eq!(state.due(Stamp(Millis::MAX)), []),
            Some(next) if next > now => {
                assert_eq!(state.due(Stamp(next.0 - 1)), [], "nothing is due before {next:?}");
                let shows = |seat| {
                    state.running().and_then(|live| state.countdown_over(seat, live)) == Some(next)
                };
                let due = !state.due(next).is_empty();
                assert!(due || shows(One) || shows(Two), "the alarm rings for nothing");
            }
            Some(_) => assert_ne!(state.due(now), [], "a table would look again and again"),
        }
    }

    /// Whoever missed something is told just that, or that it is gone.
    fn check_runs(&self) {
        for viewer in Viewer::ALL {
            let (told, newest) = (&self.told[viewer.index()], self.streams.seq(viewer).0);
            let kept = &told[told.len().saturating_sub(KEPT)..];
            for last in 0..newest + 3 {
                let missed = newest.checked_sub(last).and_then(|missed| missed.try_into().ok());
                let run = missed
                    .and_then(|missed| kept.len().checked_sub(missed))
                    .map(|from| kept[from..].to_vec());
                assert_eq!(self.streams.run_since(viewer, Seq(last)), run);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn whatever_comes_in_whatever_order_the_table_keeps_to_its_promises(
        request in request(),
        steps in proptest::collection::vec(step(), 1..120),
    ) {
        let mut evening = Evening::new(&request);
        evening.step(Step::Joins(BO));
        for step in steps {
            evening.step(step);
            evening.check();
        }
        evening.check_runs();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn against_the_computer_too_the_table_keeps_to_its_promises(
        request in request(),
        steps in proptest::collection::vec(step(), 1..120),
    ) {
        let mut evening = Evening::new(&request);
        evening.sits_down(&Player::house(Level::TAKEOVER));
        for step in steps {
            evening.step(step);
            evening.check();
        }
        evening.check_runs();
        let offered = |event: &Event| matches!(event, Event::Offered { by, .. }
            if evening.table.journal.iter().any(|it| matches!(it, Event::Seated { seat, player, .. }
                if player.cpu.is_some() && *seat == by.seat)) && evening.table.state.games() == 1);
        assert!(!evening.table.journal.iter().any(offered), "the computer offers nothing");
    }
}

#[test]
fn stepping_from_one_due_to_the_next_comes_to_an_end() {
    for request in [small(), timeless(), OptionsRequest { first_move_s: Some(5), ..timeless() }] {
        let mut evening = Evening::new(&request);
        evening.step(Step::Joins(BO));
        evening.step(Step::Durable);
        evening.step(Step::Goes(ANA, true));
        evening.step(Step::Goes(BO, false));
        let mut before = None;
        while let Some(next) = evening.table.state.next_due(evening.table.now) {
            assert!(Some(next) > before, "later each time");
            before = Some(next);
            evening.step(Step::Wake);
            evening.check();
        }
        assert_eq!(evening.table.state.phase(), Phase::Closed);
    }
}
