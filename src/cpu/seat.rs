//! The computer in a seat: what a table has it think about, and the move that comes of it.
//!
//! Tables know a [`Thinker`] and nothing of searches or threads, so that a test can put a script in
//! its place. Invariant: whatever a search does, there is a move that the seat may try.

use std::pin::pin;
use std::sync::Arc;

use futures_util::future::{self, BoxFuture, Either};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::chance::Chance;
use crate::game::Move;
use crate::game::clock::{Millis, Reading, TimeControl};
use crate::time::TimeSource;

use super::pool::{Decided, Job, NotTaken};
use super::{Budget, Choice, Level, Outlook, Player, Pool, Seen, Thought};

/// What the computer is to think about: a seat's move, or what a player might do in its place.
#[derive(Debug)]
pub struct Task {
    /// What the seat sees.
    pub seen: Seen,
    /// How strong it is played.
    pub level: Level,
    /// What the seat's time is kept by.
    pub time_control: TimeControl,
    /// What the seat's clock shows.
    pub reading: Reading,
    /// The longest that it is thought about, in milliseconds, where that is less than usual.
    pub most_ms: Option<Millis>,
    /// What was found out for the seat's last move.
    pub memory: Option<Memory>,
}

/// What came of a task.
#[derive(Debug)]
pub struct Answer {
    /// What to do.
    pub thought: Thought,
    /// What was found out, for the seat's next move.
    pub memory: Option<Memory>,
}

/// What a search found out, kept for the seat's next move. A server keeps a bounded number of them.
#[derive(Debug)]
pub struct Memory {
    player: Box<Player>,
    place: OwnedSemaphorePermit,
}

/// Whoever thinks for tables.
pub trait Thinker: Send + Sync {
    /// Thinks about a task. None where nothing has come of it in the time that there is: too much
    /// else is thought about, or the machine is too busy. Dropping the future ends the thinking.
    fn think(&self, task: Task) -> BoxFuture<'static, Option<Answer>>;
}

/// The longest that a suggestion is thought about.
pub const MOST_SUGGESTING_MS: Millis = 2_000;

/// The longest search whose findings a table keeps for the next move, in nodes: some megabytes.
const MOST_KEPT: u64 = 10_000;

/// How many tables' findings are kept at once. Beyond these a search begins anew with each move.
const MEMORIES: usize = 64;

/// For how long a full pool is asked again where no clock runs.
const PATIENCE_MS: Millis = 10_000;

/// How soon a pool that was full is asked again.
const AGAIN_MS: Millis = 50;

/// The house's computer: the threads of a pool, within what a seat's clock allows.
#[derive(Clone, Debug)]
pub struct House {
    pool: Pool,
    /// What seeds are drawn from: nobody can tell what the computer will mix.
    chance: Chance,
    time: TimeSource,
    most_ms: Millis,
    /// Places for what is kept from move to move.
    places: Arc<Semaphore>,
}

impl House {
    /// A computer that thinks on these threads, about nothing longer than `most_ms` milliseconds.
    pub fn new(pool: Pool, chance: Chance, time: TimeSource, most_ms: Millis) -> House {
        House { pool, chance, time, most_ms, places: Arc::new(Semaphore::new(MEMORIES)) }
    }
}

impl Thinker for House {
    fn think(&self, task: Task) -> BoxFuture<'static, Option<Answer>> {
        let House { pool, chance, time, most_ms: own_ms, places } = self.clone();
        let Task { seen, level, time_control, reading, most_ms, memory } = task;
        let most_ms = most_ms.map_or(own_ms, |most_ms| most_ms.min(own_ms));
        let outlook = Outlook::of(&seen);
        let budget = Budget::of(&time_control, reading, outlook, most_ms);
        // A worker that the machine leaves no time answers too late, whatever it was told.
        let latest = budget.within_ms.map(|within_ms| time.now() + within_ms + outlook.way_ms / 2);
        let waited = time.clone();
        let seed = u64::from_le_bytes(chance.bytes());
        let (player, place) = memory.map(|it| (it.player, it.place)).unzip();
        let mut job = Job { seen, level, seed, budget, player };
        let answer = async move {
            let thinking = loop {
                match pool.think(job) {
                    Ok(thinking) => break thinking,
                    Err(NotTaken::Full(refused)) => job = shorter(*refused)?,
                    // The tables end, and nobody waits for the answer.
                    Err(NotTaken::Stopped(_)) => return future::pending().await,
                }
                time.sleep(AGAIN_MS).await;
            };
            let Ok(decided) = thinking.await else { return future::pending().await };
            let Decided { thought, player, .. } = decided;
            let place = place.or_else(|| places.try_acquire_owned().ok());
            let place = place.filter(|_| thought.nodes <= MOST_KEPT);
            Some(Answer { thought, memory: place.map(|place| Memory { player, place }) })
        };
        Box::pin(async move {
            let Some(latest) = latest else { return answer.await };
            match future::select(pin!(answer), pin!(waited.sleep_until(latest))).await {
                Either::Left((answer, _)) => answer,
                Either::Right(((), _)) => None,
            }
        })
    }
}

/// The job after waiting in vain; none once there is no time to ask again.
fn shorter(job: Job) -> Option<Job> {
    let Budget { think_ms, within_ms } = job.budget;
    let within_ms = within_ms.unwrap_or(PATIENCE_MS).checked_sub(AGAIN_MS)?;
    Some(Job { budget: Budget { think_ms, within_ms: Some(within_ms) }, ..job })
}

/// The move to play after this thought, or without any. The computer resigns at no table.
pub fn settle_on(seen: &Seen, thought: Option<&Thought>) -> Option<Move> {
    let chosen = thought.and_then(|thought| match thought.choice {
        Choice::Play(action) => Some(action),
        Choice::Resign => thought.line.first().copied().map(Move::Place),
    });
    chosen.filter(|&action| seen.allows(action)).or_else(|| seen.middle().map(Move::Place))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::sync::{Mutex, mpsc};

    use futures_util::FutureExt;

    use super::*;
    use crate::cpu::pool::PoolOptions;
    use crate::game::clock::{Control, Stamp};
    use crate::game::{Cell, Color, Goal, Size};

    fn seen(stones: &[Cell]) -> Seen {
        Seen {
            size: Size::new(2, 2).unwrap(),
            goal: Goal::Join,
            color: Color::Red,
            stones: stones.iter().map(|&cell| (cell, Color::Blue)).collect(),
            may_swap: None,
            may_be_swapped: None,
            dark: None,
        }
    }

    fn thought(choice: Choice, line: Vec<Cell>) -> Thought {
        Thought { choice, value: 0.0, nodes: 1, line }
    }

    #[test]
    fn a_move_that_may_be_tried_comes_of_every_thought_and_of_none() {
        let (taken, free) = (Cell::new(0, 0), Cell::new(1, 1));
        let seen = seen(&[taken]);
        let first = Some(Move::Place(Cell::new(0, 1)));
        let own = |thought| settle_on(&seen, Some(&thought));
        assert_eq!(own(thought(Choice::Play(Move::Place(free)), vec![])), Some(Move::Place(free)));
        assert_eq!(own(thought(Choice::Resign, vec![free])), Some(Move::Place(free)));
        assert_eq!(own(thought(Choice::Resign, vec![])), first);
        assert_eq!(own(thought(Choice::Play(Move::Place(taken)), vec![])), first);
        assert_eq!(own(thought(Choice::Play(Move::Swap), vec![])), first);
        assert_eq!(settle_on(&seen, None), first);
    }

    #[tokio::test]
    async fn no_more_is_kept_between_moves_than_there_are_places_for() {
        let time = TimeSource::manual(Stamp(1_000));
        let search = |_: &mut Player, _: &Seen, _: &mut dyn FnMut() -> bool| {
            thought(Choice::Play(Move::Place(Cell::new(0, 0))), vec![])
        };
        let options = PoolOptions { workers: NonZeroUsize::MIN, queue: 1 };
        let pool = Pool::with_search(options, time.clone(), Box::new(search)).unwrap();
        let house = House::new(pool, Chance::seeded([1; 32]), time, 5_000);
        let task = |memory| Task {
            seen: seen(&[]),
            level: Level::MAX,
            time_control: TimeControl::new(Control::None, None).unwrap(),
            reading: Reading { left_ms: None, periods: 0, first_move_ms: None },
            most_ms: None,
            memory,
        };
        let mut kept = Vec::new();
        for _ in 0..MEMORIES {
            kept.extend(house.think(task(None)).await.unwrap().memory);
        }
        assert_eq!(kept.len(), MEMORIES);
        assert!(house.think(task(None)).await.unwrap().memory.is_none(), "every place is taken");
        let own = kept.pop();
        assert!(house.think(task(own)).await.unwrap().memory.is_some(), "it has a place already");
        assert!(house.think(task(None)).await.unwrap().memory.is_some(), "and left it");
    }

    #[test]
    fn a_seat_has_its_answer_in_time_though_the_worker_gets_none() {
        let time = TimeSource::manual(Stamp(1_000));
        let (free, held) = mpsc::sync_channel::<()>(0);
        let held = Mutex::new(held);
        let search = move |_: &mut Player, _: &Seen, _: &mut dyn FnMut() -> bool| {
            // Until the test ends.
            let _ = held.lock().unwrap().recv();
            thought(Choice::Resign, vec![])
        };
        let options = PoolOptions { workers: NonZeroUsize::MIN, queue: 1 };
        let pool = Pool::with_search(options, time.clone(), Box::new(search)).unwrap();
        let house = House::new(pool, Chance::seeded([1; 32]), time.clone(), 5_000);
        let task = Task {
            seen: seen(&[]),
            level: Level::MAX,
            time_control: TimeControl::new(Control::PerTurn { turn_ms: 1_000 }, None).unwrap(),
            reading: Reading { left_ms: Some(1_000), periods: 0, first_move_ms: None },
            most_ms: None,
            memory: None,
        };
        let mut answer = house.think(task);
        assert!((&mut answer).now_or_never().is_none(), "the worker has the job and goes on");
        time.advance(999);
        assert!(matches!(answer.now_or_never(), Some(None)), "the flag falls in a moment");
        drop(free);
    }
}
