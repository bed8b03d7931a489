use std::sync::Mutex;
use std::sync::mpsc;
use std::time::Duration;

use futures_util::FutureExt;

use super::*;
use crate::cpu::Choice;
use crate::game::clock::Stamp;
use crate::game::{Color, Goal, Move, Size};

/// A board of so many columns: how a test tells its jobs apart.
fn seen(cols: u64) -> Seen {
    Seen {
        size: Size::new(1, cols).unwrap(),
        goal: Goal::Join,
        color: Color::Red,
        stones: Vec::new(),
        may_swap: None,
        may_be_swapped: None,
        dark: None,
    }
}

fn job(cols: u64, think_ms: Millis, within_ms: Option<Millis>) -> Job {
    let budget = Budget { think_ms, within_ms };
    Job { seen: seen(cols), level: Level::TAKEOVER, seed: 7, budget, player: None }
}

/// A move, and the board it is for as the number of nodes.
fn thought(seen: &Seen, value: f64) -> Thought {
    let cell = seen.size.iter().next().unwrap();
    let choice = Choice::Play(Move::Place(cell));
    Thought { choice, value, nodes: seen.size.cells() as u64, line: Vec::new() }
}

/// What a search of a [`Bench`] says while it runs.
#[derive(PartialEq, Debug)]
enum Said {
    Began(usize),
    Ended(usize, Millis),
}

/// A pool with one worker whose searches run until they are told to stop, on time that the test
/// moves.
struct Bench {
    pool: Pool,
    time: TimeSource,
    said: mpsc::Receiver<Said>,
}

impl Bench {
    fn new(queue: usize) -> Bench {
        let time = TimeSource::manual(Stamp(1_000));
        let (say, said) = mpsc::sync_channel(100);
        let clock = time.clone();
        let search = move |_: &mut Player, seen: &Seen, stop: &mut dyn FnMut() -> bool| {
            let cells = seen.size.cells();
            let began = clock.now();
            say.send(Said::Began(cells)).unwrap();
            while !stop() {
                thread::yield_now();
            }
            say.send(Said::Ended(cells, clock.now() - began)).unwrap();
            thought(seen, 0.5)
        };
        let options = PoolOptions { workers: NonZeroUsize::MIN, queue };
        let pool = Pool::with_search(options, time.clone(), Box::new(search)).unwrap();
        Bench { pool, time, said }
    }

    #[track_caller]
    fn says(&self, said: Said) {
        assert_eq!(self.said.recv_timeout(Duration::from_secs(20)), Ok(said));
    }

    #[track_caller]
    fn think(&self, job: Job) -> Thinking {
        self.pool.think(job).unwrap()
    }
}

#[track_caller]
fn answer(thinking: Thinking) -> Decided {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(thinking).unwrap()
}

#[test]
fn a_search_runs_for_its_budget_and_gives_move_and_player_back() {
    let bench = Bench::new(4);
    let thinking = bench.think(job(5, 300, None));
    bench.says(Said::Began(5));
    bench.time.advance(299);
    bench.time.advance(1);
    bench.says(Said::Ended(5, 300));
    let decided = answer(thinking);
    assert_eq!((decided.thought.nodes, decided.took_ms), (5, 300));
    let again = Job { player: Some(decided.player), ..job(5, 0, None) };
    assert_eq!(answer(bench.think(again)).took_ms, 0);
}

#[test]
fn the_job_that_is_due_first_goes_first() {
    let bench = Bench::new(8);
    let first = bench.think(job(1, 100, None));
    bench.says(Said::Began(1));
    let waiting = [(2, 9_000), (3, 3_000), (4, 6_000)]
        .map(|(cols, within_ms)| bench.think(job(cols, 0, Some(within_ms))));
    let untimed = bench.think(job(5, 0, None));
    bench.time.advance(100);
    bench.says(Said::Ended(1, 100));
    for cols in [3, 5, 4, 2] {
        bench.says(Said::Began(cols));
        bench.says(Said::Ended(cols, 0));
    }
    drop((first, waiting, untimed));
}

#[test]
fn searches_are_shorter_while_others_wait() {
    let bench = Bench::new(8);
    let long = bench.think(job(1, 1_000, None));
    bench.says(Said::Began(1));
    bench.time.advance(250);
    let waiting = [2, 3, 4].map(|cols| bench.think(job(cols, 300, None)));
    // Four share what one had: the running search ends now.
    bench.says(Said::Ended(1, 250));
    bench.says(Said::Began(2));
    bench.time.advance(100);
    bench.says(Said::Ended(2, 100));
    bench.says(Said::Began(3));
    bench.time.advance(150);
    bench.says(Said::Ended(3, 150));
    bench.says(Said::Began(4));
    bench.time.advance(300);
    bench.says(Said::Ended(4, 300));
    drop((long, waiting));
}

#[test]
fn a_deadline_nearer_than_the_budget_leaves_what_is_left_and_at_worst_an_instant() {
    let bench = Bench::new(8);
    let near = bench.think(job(1, 1_000, Some(40)));
    bench.says(Said::Began(1));
    bench.time.advance(40);
    bench.says(Said::Ended(1, 40));
    assert_eq!(answer(near).took_ms, 40);

    let long = bench.think(job(2, 1_000, Some(2_000)));
    bench.says(Said::Began(2));
    // Its deadline is so near that whoever is searching must end for it.
    let urgent = bench.think(job(3, 1_000, Some(queue::instant_ms(3))));
    bench.says(Said::Ended(2, 0));
    bench.says(Said::Began(3));
    bench.time.advance(queue::instant_ms(3));
    bench.says(Said::Ended(3, queue::instant_ms(3)));
    let late = bench.think(job(4, 1_000, Some(0)));
    assert_eq!(answer(late).took_ms, 0);
    drop((long, urgent));
}

#[test]
fn a_full_queue_gives_the_job_back() {
    let bench = Bench::new(1);
    let running = bench.think(job(1, 100, None));
    bench.says(Said::Began(1));
    let waiting = bench.think(job(2, 100, None));
    let Err(NotTaken::Full(back)) = bench.pool.think(job(3, 100, None)) else { panic!("taken") };
    assert_eq!(back.seen, seen(3));
    drop(waiting);
    assert_eq!(bench.pool.waiting(), 0, "a job that nobody waits for makes room");
    let taken = bench.think(*back);
    bench.time.advance(100);
    for said in [Said::Ended(1, 100), Said::Began(3)] {
        bench.says(said);
    }
    drop((running, taken));
}

#[test]
fn dropping_the_future_ends_the_search() {
    let bench = Bench::new(4);
    let thinking = bench.think(job(1, 1_000_000, None));
    bench.says(Said::Began(1));
    drop(thinking);
    bench.says(Said::Ended(1, 0));
}

#[test]
fn stopping_ends_searches_and_threads_and_answers_nobody() {
    let bench = Bench::new(4);
    let running = bench.think(job(1, 1_000_000, None));
    bench.says(Said::Began(1));
    let waiting = bench.think(job(2, 0, None));
    bench.pool.stop();
    bench.says(Said::Ended(1, 0));
    assert_eq!(running.now_or_never().unwrap().unwrap_err(), Stopped);
    assert_eq!(waiting.now_or_never().unwrap().unwrap_err(), Stopped);
    assert!(matches!(bench.pool.think(job(3, 0, None)), Err(NotTaken::Stopped(_))));
    assert!(bench.said.try_recv().is_err(), "the job that waited was not begun");
}

/// A pool whose first searches panic, so many of them.
fn panicking(times: usize, panic: fn()) -> Pool {
    let left = Mutex::new(times);
    let search = move |_: &mut Player, seen: &Seen, _: &mut dyn FnMut() -> bool| {
        let panics = {
            let mut left = left.lock().unwrap();
            let panics = *left > 0;
            *left = left.saturating_sub(1);
            panics
        };
        if panics {
            panic();
        }
        thought(seen, 0.9)
    };
    with(search)
}

fn with(
    search: impl Fn(&mut Player, &Seen, &mut dyn FnMut() -> bool) -> Thought + Send + Sync + 'static,
) -> Pool {
    let options = PoolOptions { workers: NonZeroUsize::MIN, queue: 4 };
    Pool::with_search(options, TimeSource::manual(Stamp(1)), Box::new(search)).unwrap()
}

#[test]
fn a_search_that_panics_is_tried_again_and_then_any_move_will_do() {
    let pool = panicking(3, || panic!("one of few"));
    let anything = answer(pool.think(job(5, 10, None)).unwrap()).thought;
    let middle = Move::Place(crate::game::Cell::new(0, 2));
    assert_eq!((anything.choice, anything.value), (Choice::Play(middle), 0.5));
    let again = answer(pool.think(job(5, 10, None)).unwrap()).thought;
    assert_eq!(again.value, 0.9, "the second try of the second job");
}

#[test]
fn a_worker_that_dies_answers_and_is_replaced() {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            panic!("a panic of which nothing can be caught");
        }
    }
    let pool = panicking(1, || std::panic::panic_any(Bomb));
    assert_eq!(answer(pool.think(job(5, 10, None)).unwrap()).thought.value, 0.5);
    assert_eq!(answer(pool.think(job(5, 10, None)).unwrap()).thought.value, 0.9);
    pool.stop();
}

#[cfg(target_os = "linux")]
#[test]
fn workers_have_the_lowest_priority_and_nobody_else() {
    let of_this_thread = || rustix::process::getpriority_process(None).unwrap();
    let before = of_this_thread();
    let pool = with(move |_, seen, _| thought(seen, f64::from(of_this_thread())));
    assert_eq!(answer(pool.think(job(5, 10, None)).unwrap()).thought.value, 19.0);
    assert_eq!(of_this_thread(), before);
}
