//! Jobs in the order in which their answers are needed, and how much time that leaves. Pure.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use crate::game::clock::{Millis, Stamp};

/// What a search that is told to stop at once may still take: so much, and more for each so many
/// cells of its board.
const INSTANT_MS: Millis = 10;
const CELLS_A_MS: Millis = 4;

/// What a search of a board with so many cells takes at the least.
pub(super) fn instant_ms(cells: usize) -> Millis {
    INSTANT_MS + cells as Millis / CELLS_A_MS
}

/// A job's place: when its answer is due, and its number among those due at once.
pub(super) type Place = (Stamp, u64);

/// A bounded queue, the nearest deadline first.
#[derive(Debug)]
pub(super) struct Queue<T> {
    /// Each with what it takes at the least.
    jobs: BTreeMap<Place, (Millis, T)>,
    most: usize,
    workers: NonZeroUsize,
    taken: u64,
}

impl<T> Queue<T> {
    pub(super) fn new(most: usize, workers: NonZeroUsize) -> Queue<T> {
        Queue { jobs: BTreeMap::new(), most, workers, taken: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.jobs.len()
    }

    pub(super) fn is_full(&self) -> bool {
        self.jobs.len() >= self.most
    }

    /// Puts a job where its deadline says, and says where that is.
    pub(super) fn push(&mut self, due: Stamp, instant_ms: Millis, job: T) -> Place {
        self.taken += 1;
        let place = (due, self.taken);
        self.jobs.insert(place, (instant_ms, job));
        place
    }

    /// The job that is due first.
    pub(super) fn pop(&mut self) -> Option<(Stamp, T)> {
        self.jobs.pop_first().map(|((due, _), (_, job))| (due, job))
    }

    pub(super) fn remove(&mut self, place: Place) -> Option<T> {
        self.jobs.remove(&place).map(|(_, job)| job)
    }

    pub(super) fn clear(&mut self) {
        self.jobs.clear();
    }

    /// By when the workers must be free, so that each job that waits can still be answered by its
    /// deadline, though only at once.
    pub(super) fn free_by(&self) -> Stamp {
        let workers = self.workers.get() as Millis;
        let mut work_ms = 0;
        let needed = self.jobs.iter().map(|(&(due, _), &(instant_ms, _))| {
            work_ms += instant_ms;
            Stamp(due.0.saturating_sub(work_ms.div_ceil(workers)))
        });
        needed.min().unwrap_or(Stamp(Millis::MAX))
    }
}

/// When a search must end: its share of the workers' time, but within its own deadline and so that
/// the others keep theirs.
pub(super) fn end(
    began: Stamp,
    think_ms: Millis,
    due: Stamp,
    workers: NonZeroUsize,
    waiting: usize,
    free_by: Stamp,
) -> Stamp {
    let workers = workers.get() as Millis;
    let share_ms =
        u128::from(think_ms) * u128::from(workers) / u128::from(workers + waiting as u64);
    let share_ms = Millis::try_from(share_ms).unwrap_or(Millis::MAX);
    (began + share_ms).min(due).min(free_by)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: NonZeroUsize = NonZeroUsize::MIN;

    #[test]
    fn the_nearest_deadline_goes_first_and_equal_ones_in_the_order_of_asking() {
        let mut queue = Queue::new(8, ONE);
        for (due, name) in [(30, "late"), (10, "early"), (20, "one"), (20, "two")] {
            queue.push(Stamp(due), 0, name);
        }
        let order: Vec<_> = std::iter::from_fn(|| queue.pop()).map(|(_, name)| name).collect();
        assert_eq!(order, ["early", "one", "two", "late"]);
    }

    #[test]
    fn workers_are_free_early_enough_for_everyone_who_waits() {
        let mut queue = Queue::new(8, ONE);
        assert_eq!(queue.free_by(), Stamp(Millis::MAX));
        queue.push(Stamp(1_000), 25, ());
        assert_eq!(queue.free_by(), Stamp(975));
        for _ in 0..3 {
            queue.push(Stamp(1_010), 40, ());
        }
        assert_eq!(queue.free_by(), Stamp(1_010 - 25 - 3 * 40));
    }

    #[test]
    fn a_search_is_shorter_the_more_jobs_wait() {
        let free = Stamp(Millis::MAX);
        let ends = |waiting| end(Stamp(100), 600, Stamp(5_000), ONE, waiting, free);
        assert_eq!([0, 1, 2, 5].map(ends), [700, 400, 300, 200].map(Stamp));
        assert_eq!(end(Stamp(100), 600, Stamp(250), ONE, 0, free), Stamp(250), "its own deadline");
        assert_eq!(end(Stamp(100), 600, Stamp(5_000), ONE, 1, Stamp(150)), Stamp(150));
    }
}
