//! Nobody ever sees what they may not: games that differ only in what one viewer may not know
//! are played on whole servers, and that viewer's bytes are compared. `tests/leaks/run` breaks
//! the server in one place after another and expects this to be found each time.

mod computer;
mod plans;
mod logs;
mod tries;

mod dice;
mod pairs;
mod story;

use std::collections::HashMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use hexhall::view::Viewer;
use tokio::runtime::Runtime;

use crate::harness::piped::Piped;
use crate::harness::socketed::Socketed;
use pairs::{Ending, Trio};
use story::{parting, told};

/// How many pairs are played in one process, three at a time; `HEXHALL_TRIOS` says otherwise.
const PAIRS: u64 = 3_000;

/// How many pairs are played over real sockets, with a database.
const PAIRS_OVER_SOCKETS: u64 = 100;

/// What a server draws from: the same for both games of a trio.
fn key(trio: &Trio) -> [u8; 32] {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&trio.seed.to_be_bytes());
    key
}

/// Plays a trio on three servers in memory, and says where the viewer can tell them apart.
fn in_memory(trio: &Trio) -> Option<String> {
    parting(trio, &[0, 1, 2].map(|which| told(&mut Piped::new(key(trio)), trio, which)))
}

/// The seeds to play: so many, or the one that is asked for to play it again.
fn seeds(trios: u64) -> Range<u64> {
    let number = |name: &str| {
        let text = std::env::var(name).ok()?;
        Some(text.parse().unwrap_or_else(|_| panic!("{name} is a number, and not {text:?}")))
    };
    match number("HEXHALL_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("HEXHALL_TRIOS").unwrap_or(trios),
    }
}

/// How often each kind of thing has occurred.
#[derive(Default)]
struct Tally(HashMap<&'static str, u64>);

impl Tally {
    fn count(&mut self, what: &'static str, times: usize) {
        *self.0.entry(what).or_default() += times as u64;
    }

    fn take(&mut self, trio: &Trio) {
        self.count(
            match trio.viewer {
                Viewer::Seat(hexhall::game::Seat::One) => "for seat 1",
                Viewer::Seat(hexhall::game::Seat::Two) => "for seat 2",
                Viewer::Both => unreachable!("where one player has both seats, nothing is hidden"),
                Viewer::Spectator => "for spectators",
            },
            1,
        );
        self.count(if trio.abrupt { "abrupt" } else { "classical" }, 1);
        self.count(
            match trio.ending {
                Ending::Open => "left open",
                Ending::Resigned(_) => "resigned",
                Ending::Aborted(_) => "aborted",
                Ending::Time => "lost on time",
                Ending::Left(_) => "claimed",
            },
            1,
        );
        let [first, second, _] = &trio.games;
        let own = |it: &&pairs::Attempt| trio.viewer == Viewer::Seat(it.seat);
        let hits = |own_ones: bool| first.iter().filter(|it| it.hit && own(it) == own_ones).count();
        self.count("collisions of the viewer", hits(true));
        self.count("collisions of others", hits(false));
        self.count("attempts", first.len());
        let elsewhere = first.iter().zip(second).filter(|(one, other)| one.cell != other.cell);
        self.count("attempts elsewhere", elsewhere.count());
        self.count("cells that differ", trio.moved()[0]);
    }
}

#[test]
fn a_viewer_cannot_tell_apart_what_differs_only_in_what_they_may_not_know() {
    let seeds = seeds(PAIRS / 3);
    let next = AtomicU64::new(seeds.start);
    let found = Mutex::new((Tally::default(), Vec::new()));
    let one_after_another = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return;
            }
            let trio = Trio::new(seed);
            let parted = catch_unwind(AssertUnwindSafe(|| in_memory(&trio)))
                .unwrap_or_else(|_| Some(format!("HEXHALL_SEED={seed} panicked")));
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.0.take(&trio);
            found.1.extend(parted);
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        (0..threads).for_each(|_| drop(scope.spawn(one_after_another)));
    });
    let (Tally(tally), parted) = found.into_inner().unwrap();
    assert!(
        parted.is_empty(),
        "{} of {} trios can be told apart; the first of them:\n{}",
        parted.len(),
        seeds.end - seeds.start,
        parted[0],
    );
    if seeds == (0..PAIRS / 3) {
        // No promise was kept by having nothing to hide.
        for (what, at_least) in [
            ("for seat 1", 266),
            ("for seat 2", 266),
            ("for spectators", 266),
            ("abrupt", 400),
            ("classical", 400),
            ("left open", 133),
            ("resigned", 133),
            ("aborted", 33),
            ("lost on time", 133),
            ("claimed", 133),
            ("collisions of the viewer", 500),
            ("collisions of others", 1000),
            ("attempts elsewhere", 3333),
            ("cells that differ", 2000),
        ] {
            let times = tally.get(what).copied().unwrap_or_default();
            assert!(times >= at_least, "{what}: only {times} of {at_least}");
        }
    }
}

#[test]
fn neither_can_they_over_real_sockets_with_a_database() {
    let runtime = Runtime::new().unwrap();
    for seed in seeds(PAIRS_OVER_SOCKETS.div_ceil(3)) {
        let trio = Trio::new(seed);
        let tellings = [0, 1, 2].map(|which| {
            let mut venue = Socketed::new(&runtime, key(&trio));
            let told = told(&mut venue, &trio, which);
            venue.stop();
            told
        });
        if let Some(parted) = parting(&trio, &tellings) {
            panic!("{parted}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    for seed in 0..20 {
        let trio = Trio::new(seed);
        let again = Trio { games: [0; 3].map(|_| trio.games[0].clone()), ..trio };
        assert_eq!(in_memory(&again), None);
    }
}
