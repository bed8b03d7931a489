//! The computer in a seat: what a table has it think about, and the move that comes of it.
//!
//! Tables know a [`Thinker`] and nothing of searches or threads, so that a test can put a script in
//! its place. Invariant: whatever a search does, there is a move that the seat may try.

use futures_util::future::BoxFuture;

use crate::game::Move;
use crate::game::clock::{Millis, Reading, TimeControl};

use super::{Choice, Level, Seen, Thought, choose};

/// What the computer is to think about: a seat's move, or what a player might do in its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// What the seat sees.
    pub seen: Seen,
    /// How strong it is played.
    pub level: Level,
    /// What the seat's time is kept by.
    pub time_control: TimeControl,
    /// What the seat's clock shows.
    pub reading: Reading,
    /// The longest that anybody should have to wait, in milliseconds.
    pub most_ms: Millis,
}

/// Whoever thinks for tables.
pub trait Thinker: Send + Sync {
    /// Thinks about a task. None where nothing came of it, as when the server stops. Dropping the
    /// future ends the thinking.
    fn think(&self, task: Task) -> BoxFuture<'static, Option<Thought>>;
}

/// The longest that a move is thought about where no clock asks for less.
pub const MOST_MS: Millis = 10_000;

/// The longest that a suggestion is thought about.
pub const MOST_SUGGESTING_MS: Millis = 2_000;

/// How well suggestions are thought about.
pub const SUGGESTING: Level = Level::MAX;

/// Thinks at once, where it is asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct AtOnce;

impl Thinker for AtOnce {
    fn think(&self, task: Task) -> BoxFuture<'static, Option<Thought>> {
        Box::pin(async move { Some(choose(&task.seen, task.level, 0, &mut || false)) })
    }
}

/// The move to play after this thought, or without any. The computer resigns at no table.
pub fn settle_on(seen: &Seen, thought: Option<&Thought>) -> Option<Move> {
    let chosen = thought.and_then(|thought| match thought.choice {
        Choice::Play(action) => Some(action),
        Choice::Resign => thought.line.first().copied().map(Move::Place),
    });
    let any = || seen.size.iter().map(Move::Place).find(|&action| seen.allows(action));
    chosen.filter(|&action| seen.allows(action)).or_else(any)
}

/// How likely the thought has it that the seat wins, in percent.
pub fn percent(thought: &Thought) -> u8 {
    // The bounds make the cast exact.
    (thought.value.clamp(0.0, 1.0) * 100.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;
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

    #[test]
    fn a_likelihood_is_told_in_whole_percent_from_0_to_100() {
        let told = |value| percent(&Thought { value, ..thought(Choice::Resign, vec![]) });
        assert_eq!([-0.1, 0.0, 0.634, 1.0, 1.5].map(told), [0, 0, 63, 100, 100]);
        assert_eq!(told(f64::NAN), 0);
    }
}
