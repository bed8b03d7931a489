//! Evenings of parties by chance: whatever members do in whatever order, a party keeps to its
//! promises, and its journal tells the same party.

use hexhall_proto::event::StreamFrame;
use proptest::prelude::*;

use super::*;
use crate::ids::Seq;
use crate::remote::TableCopy;
use crate::table::state::party::{MEMBERS, PartyCommand, Turns};
use crate::view::{Viewer, delta, project};

/// Something that happens. Numbers pick people and games.
#[derive(Clone, Debug)]
enum Step {
    Joins(u128, bool),
    Leaves(u128),
    Comes(u128),
    GoesOff(u128, bool),
    MakeHost(u128, u128),
    Removes(u128, u128),
    SetOptions(u128, u64),
    SetTurns(u128, Turns),
    Starts { who: u128, stale: bool },
    Rematch(u128),
    Resigns(u128),
    Aborts(u128),
    Passes(Millis),
}

fn step() -> impl Strategy<Value = Step> {
    let who = 1..8u128;
    let turns = prop_oneof![Just(Turns::None), Just(Turns::WinnerStays), Just(Turns::RoundRobin)];
    prop_oneof![
        3 => (who.clone(), any::<bool>()).prop_map(|(who, plays)| Step::Joins(who, plays)),
        1 => who.clone().prop_map(Step::Leaves),
        2 => who.clone().prop_map(Step::Comes),
        1 => (who.clone(), any::<bool>()).prop_map(|(who, said)| Step::GoesOff(who, said)),
        1 => (who.clone(), who.clone()).prop_map(|(one, two)| Step::MakeHost(one, two)),
        1 => (who.clone(), who.clone()).prop_map(|(one, two)| Step::Removes(one, two)),
        1 => (who.clone(), 3..6u64).prop_map(|(who, size)| Step::SetOptions(who, size)),
        1 => (who.clone(), turns).prop_map(|(who, turns)| Step::SetTurns(who, turns)),
        6 => (who.clone(), prop::bool::weighted(0.1))
            .prop_map(|(who, stale)| Step::Starts { who, stale }),
        2 => who.clone().prop_map(Step::Rematch),
        5 => who.clone().prop_map(Step::Resigns),
        1 => who.prop_map(Step::Aborts),
        2 => prop_oneof![Just(1_000), Just(30_000), Just(61_000), Just(700_000)]
            .prop_map(Step::Passes),
    ]
}

fn take(table: &mut Table, step: Step) {
    let game = table.state.game().map_or(game_id(0), |live| live.id);
    // What is refused leaves everything as it was, which the next look at the table shows.
    let _ = match step {
        Step::Joins(who, plays) => table.joins_party(who, plays).is_ok(),
        Step::Leaves(who) => {
            table.leaves(who);
            table.goes_off(who, true);
            true
        }
        Step::Comes(who) if table.state.is_member(id(who)) => {
            table.comes(who);
            true
        }
        Step::Comes(_) => false,
        Step::GoesOff(who, said_so) if table.state.is_member(id(who)) => {
            table.goes_off(who, said_so);
            true
        }
        Step::GoesOff(..) => false,
        Step::MakeHost(who, to) => table.hosts(who, PartyCommand::MakeHost(id(to))).is_ok(),
        Step::Removes(who, whom) => table.hosts(who, PartyCommand::Remove(id(whom))).is_ok(),
        Step::SetOptions(who, size) => {
            let request = OptionsRequest { size: Some(size), ..timeless() };
            table.hosts(who, PartyCommand::SetOptions(Box::new(request))).is_ok()
        }
        Step::SetTurns(who, turns) => {
            table.hosts(who, PartyCommand::SetTurns { turns: Some(turns), level: None }).is_ok()
        }
        Step::Starts { who, stale } => {
            let after = table.state.game().map(|live| live.id).filter(|_| !stale);
            table.hosts(who, PartyCommand::Start { after }).is_ok()
        }
        Step::Rematch(who) => table.gives(who, Command::Offer(game, OfferKind::Rematch)).is_ok(),
        Step::Resigns(who) => table.gives(who, Command::Resign(game)).is_ok(),
        Step::Aborts(who) => table.gives(who, Command::Abort(game)).is_ok(),
        Step::Passes(span) => {
            table.now = table.now + span;
            table.wakes();
            true
        }
    };
    table.sit_down();
}

/// A copy of the table that somebody who watches keeps, and the table as it was when it was told.
struct Watcher {
    copy: TableCopy,
    state: State,
    known: usize,
}

impl Watcher {
    fn of(table: &Table) -> Watcher {
        let state = table.state.clone();
        let view = project::view(&state, Viewer::Spectator, Seq(0), 0, table.now);
        Watcher { copy: TableCopy::new(view), state, known: table.journal.len() }
    }

    /// Hears of what has happened since, and knows what a fresh view would say.
    fn follows(&mut self, table: &Table) {
        let watches = Viewer::Spectator;
        for event in &table.journal[self.known..] {
            self.state.apply(event).unwrap();
            let seq = Seq(self.copy.seq()).next();
            let told = delta::told(&self.state, event, watches, seq, 0, table.now).unwrap();
            let name = self.state.id().to_string();
            let frame = StreamFrame { table: name, seq: Some(seq.0), event: told };
            self.copy.apply(&frame).unwrap();
        }
        self.known = table.journal.len();
        let fresh = project::view(&self.state, watches, Seq(self.copy.seq()), 0, table.now);
        assert_eq!(self.copy.timeless(), TableCopy::new(fresh).timeless());
    }
}

/// What every party keeps to, whatever was done.
fn check(table: &Table) {
    let state = &table.state;
    let party = state.party().unwrap();
    assert!(party.members().len() <= MEMBERS);
    let hosts = party.members().iter().filter(|it| Some(it.player.id) == party.host()).count();
    assert_eq!(hosts, usize::from(!party.members().is_empty()), "exactly one member hosts");
    for seat in Seat::BOTH {
        if let Some(player) = state.player(seat) {
            assert!(player.cpu.is_some() || state.is_member(player.id), "seats are members'");
        }
    }
    let [one, two] = table.seats();
    assert!(one.is_none() || one != two, "nobody has two seats");
    if let Some(next) = state.next_players() {
        for player in next.players() {
            assert!(party.member(*player).is_some_and(|member| member.plays));
            assert!(state.presence().is_member_here(*player));
        }
    }
    let begun = table.journal.iter().filter(|event| matches!(event, Event::Started { .. }));
    let ended = table.journal.iter().filter(|event| matches!(event, Event::Ended { .. }));
    let running = usize::from(state.running().is_some());
    assert_eq!(begun.count(), ended.count() + running, "never two games");
    if let Some(due) = state.next_due(table.now) {
        let overdue = due <= table.now && table.due().is_empty();
        assert!(!overdue, "what is due comes about");
    }
    table.check();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn whatever_members_do_a_party_keeps_to_its_promises(
        turns in prop_oneof![
            Just(Turns::None),
            Just(Turns::WinnerStays),
            Just(Turns::RoundRobin)
        ],
        steps in prop::collection::vec(step(), 0..80),
    ) {
        let mut table = Table::party(&timeless(), turns);
        let mut watcher = Watcher::of(&table);
        for step in steps {
            if table.state.phase() == Phase::Closed {
                break;
            }
            take(&mut table, step);
            check(&table);
            watcher.follows(&table);
        }
    }

    #[test]
    fn turns_stay_fair_whoever_wins(
        size in 3..8u128,
        winners in prop::collection::vec(any::<bool>(), 1..60),
    ) {
        let mut table = Table::party(&timeless(), Turns::RoundRobin);
        for who in 2..=size {
            table.joins_party(who, true).unwrap();
        }
        let mut last = None;
        for first in winners {
            let after = table.state.game().map(|live| live.id);
            table.hosts(ANA, PartyCommand::Start { after }).unwrap();
            let mut seats = table.seats();
            seats.sort_unstable();
            prop_assert_ne!(Some(seats), last, "the same two again");
            last = Some(seats);
            let loser = table.state.player(if first { One } else { Two }).unwrap().id;
            let who = (1..=size).find(|&who| id(who) == loser).unwrap();
            let game = table.game_now();
            table.gives(who, Command::Resign(game)).unwrap();
            let games = table.state.party().unwrap().members().iter().map(|it| it.games);
            prop_assert!(games.clone().max().unwrap() - games.min().unwrap() <= 1);
        }
    }
}
