//! What is counted: the steps of a move, each by itself, at tables in the middle of a game.

use std::hint::black_box;
use std::process::ExitCode;

use hexhall::game::clock::Stamp;
use hexhall::game::{Move, Seat};
use hexhall::ids::{GameId, PlayerId, Seq, TableId};
use hexhall::store::{Append, Durability, Store, Word, form};
use hexhall::table::handle::{Command, CommandId, Player};
use hexhall::table::options::Options;
use hexhall::table::state::event::Event;
use hexhall::table::state::{Asking, Fresh, Hand, Spans, State};
use hexhall::table::streams::Streams;
use hexhall::wire;
use hexhall_proto::codec::{Format, decode_request, encode};
use hexhall_proto::options::{OptionsRequest, Preset, Swap};
use hexhall_proto::request::{PlayMove, Request, RequestFrame};

use super::count::measured_region;

/// One thing to count.
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// How it is told apart from its preparation.
    pub counted: Counted,
    /// How often it is repeated.
    pub rounds: u64,
    /// Operations in each round.
    pub operations: u64,
    run: fn(u64),
}

/// How a case is told apart from its preparation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// It runs on one thread, inside [`measured_region`].
    Region,
    /// It has threads of its own: twice the rounds are compared with once.
    Process,
}

const fn region(name: &'static str, rounds: u64, operations: u64, run: fn(u64)) -> Case {
    Case { name, counted: Counted::Region, rounds, operations, run }
}

const fn process(name: &'static str, rounds: u64, operations: u64, run: fn(u64)) -> Case {
    Case { name, counted: Counted::Process, rounds, operations, run }
}

/// Moves of a game that are played; none of them is its last.
const PLIES: usize = 60;

/// All of them.
pub const CASES: [Case; 9] = [
    region("decide_apply_11x11", 1, PLIES as u64, |_| decide_apply(11)),
    region("decide_apply_19x19", 1, PLIES as u64, |_| decide_apply(19)),
    region("project_encode_msgpack", 1, PLIES as u64, |_| project_encode(Format::MsgPack)),
    region("project_encode_json", 1, PLIES as u64, |_| project_encode(Format::Json)),
    region("decode_move_msgpack", 100, 1, |rounds| decode(Format::MsgPack, rounds)),
    region("decode_move_json", 100, 1, |rounds| decode(Format::Json, rounds)),
    region("journal_append_memory", 100, 1, append_in_memory),
    process("journal_append_sqlite_alone", 100, 1, |rounds| append_in_sqlite(rounds, 1)),
    process("journal_append_sqlite_64", 10, 64, |rounds| append_in_sqlite(rounds, 64)),
];

/// Runs one case, as callgrind looks on.
pub fn run(name: &str, rounds: &str) -> ExitCode {
    let case = CASES.iter().find(|case| case.name == name);
    let (Some(case), Ok(rounds)) = (case, rounds.parse()) else { return ExitCode::from(2) };
    (case.run)(rounds);
    ExitCode::SUCCESS
}

/// A game with a clock and the swap, and the moves to be played in it.
struct Scene {
    state: State,
    turns: Vec<(PlayerId, CommandId, Command)>,
}

const AT: Stamp = Stamp(1_700_000_000_000);

fn game() -> GameId {
    GameId::from_parts(AT.0, 3)
}

fn fresh() -> Fresh {
    Fresh { game: game(), seed: [0; 32] }
}

#[expect(clippy::expect_used, reason = "a case that cannot be prepared ends the count")]
fn scene(side: u64) -> Scene {
    let request = OptionsRequest {
        preset: Some(Preset::Custom),
        size: Some(side),
        swap: Some(Swap::Sides),
        ..OptionsRequest::default()
    };
    let options = Options::resolve(&request).expect("sound options");
    let mut state = State::new(TableId::from_parts(AT.0, 1), Spans::default(), options, None, AT);
    let players = [1, 2].map(|n| Player {
        id: PlayerId::from_parts(AT.0, n),
        name: "Ada".into(),
        cpu: None,
        bot: false,
    });
    for seat in Seat::BOTH {
        let joined = state.decide_join(&players[seat.index()], Some(seat), AT, fresh);
        for event in joined.expect("a free seat").1 {
            state.apply(&event).expect("a sound event");
        }
    }
    // Every seventh cell: stones of both colours beside each other all over the board, and no
    // chain across it.
    let size = options.rules().size();
    let cells = (0..PLIES).map(|ply| size.cell(ply * 7 % size.cells()));
    let turns = cells.enumerate().map(|(ply, cell)| {
        let id = CommandId::new(&format!("4f1c2a-{ply}")).expect("a command id");
        let play = Command::Play { game: game(), turn: ply as u64, action: Move::Place(cell) };
        (players[ply % 2].id, id, play)
    });
    Scene { turns: turns.collect(), state }
}

/// Plays one move, as a table's actor does: the clock starts, the table decides and applies.
#[expect(clippy::expect_used, reason = "a move that is refused ends the count")]
fn play(state: &mut State, turn: &(PlayerId, CommandId, Command), at: Stamp) -> Vec<Event> {
    let (player, id, command) = turn;
    state.start_clock(at);
    let asking = Asking {
        player: *player,
        command: id,
        at: at + 900,
        round_trip: 40,
        hand: Hand::default(),
    };
    let decision = state.decide(asking, *command, fresh);
    decision.answer.expect("a legal move");
    for event in &decision.events {
        state.apply(event).expect("a sound event");
    }
    decision.events
}

fn decide_apply(side: u64) {
    let Scene { mut state, turns } = scene(side);
    measured_region(|| {
        for (n, turn) in turns.iter().enumerate() {
            black_box(play(&mut state, black_box(turn), AT + 1_000 * n as u64));
        }
    });
    assert!(state.running().is_some(), "the game goes on");
}

fn project_encode(format: Format) {
    let Scene { mut state, turns } = scene(11);
    let mut streams = Streams::new(state.id(), [Seq(3); 3], 64);
    let mut moments = Vec::new();
    for (n, turn) in turns.iter().enumerate() {
        let at = AT + 1_000 * n as u64;
        let events = play(&mut state, turn, at);
        moments.extend(events.into_iter().map(|event| (state.clone(), event, at + 900)));
    }
    assert_eq!(moments.len(), PLIES);
    measured_region(|| {
        for (state, event, at) in &moments {
            for frame in streams.tell_of(state, event, 3, *at).iter().flatten() {
                black_box(frame.bytes(format));
            }
        }
    });
}

#[expect(clippy::expect_used, reason = "a frame that cannot be read ends the count")]
fn decode(format: Format, rounds: u64) {
    let request = Request::Move(PlayMove {
        table: TableId::from_parts(AT.0, 1).to_string(),
        game: game().to_string(),
        command: "4f1c2a-40".into(),
        turn: 40,
        action: wire::action(Move::Place(hexhall::game::Cell::new(5, 5))),
        seat: None,
    });
    let frame = encode(format, &RequestFrame { id: 41, request });
    measured_region(|| {
        for _ in 0..rounds {
            black_box(decode_request(format, black_box(&frame)).expect("a sound frame"));
        }
    });
}

/// The events of a game's moves, over and over, each as the next one of a table of its own.
fn events(tables: u64) -> Vec<(TableId, Event)> {
    let Scene { mut state, turns } = scene(11);
    let played = play(&mut state, &turns[0], AT);
    let one = |n| played.first().map(|event| (TableId::from_parts(AT.0, n), event.clone()));
    (0..u128::from(tables)).filter_map(one).collect()
}

#[expect(clippy::expect_used, reason = "a journal that cannot be written ends the count")]
fn append(store: &Store, (table, event): &(TableId, Event), first: u64, told: &Word) {
    let slot = store.reserve().expect("a free place");
    let events = vec![form::write(event).expect("a sound event")];
    let (table, told) = (*table, told.clone());
    let (listing, games, result, left) = (None, Vec::new(), None, None);
    slot.append(Append { table, first, events, listing, games, result, left, told });
}

fn append_in_memory(rounds: u64) {
    let store = Store::memory();
    let (told, events) = (Word::default(), events(1));
    measured_region(|| (1..=rounds).for_each(|first| append(&store, &events[0], first, &told)));
    assert_eq!(told.read().to, rounds);
}

/// So many tables hand in one event each, and wait for all of them.
#[expect(clippy::expect_used, reason = "a journal that cannot be written ends the count")]
fn append_in_sqlite(rounds: u64, tables: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path(), Durability::Power).expect("a store");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let events = events(tables);
    let told: Vec<_> = events.iter().map(|_| Word::default()).collect();
    for first in 1..=rounds {
        for (event, told) in events.iter().zip(&told) {
            append(&store, event, first, told);
        }
        for told in &told {
            runtime.block_on(told.until(|durable| durable.to == first));
        }
    }
    store.close();
}
