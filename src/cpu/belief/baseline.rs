//! Players to measure the Dark Hex player against. Nothing else uses them.

use crate::cpu::Seen;
use crate::cpu::choose::Thought;
use crate::cpu::dice::Dice;

use super::facts::Facts;
use super::{Effort, sample, search, thought};

/// Tries any cell that the seat does not know to be taken, each as likely as any other.
pub fn random(seen: &Seen, seed: u64) -> Thought {
    let facts = Facts::of(seen);
    let mut dice = Dice::new(seed);
    let cell = facts.unknown.get(dice.below(facts.unknown.len())).copied();
    thought(&facts, cell, 0.5, 0)
}

/// Supposes one sampled world to be the true one, and searches that as a game in which nothing is
/// hidden, with the same tree and the same effort. Unless `knowledge.weighted` is set, any world
/// that agrees with the view may be drawn.
pub fn single_sample(
    seen: &Seen,
    effort: &Effort,
    seed: u64,
    stop: &mut dyn FnMut() -> bool,
) -> Thought {
    let facts = Facts::of(seen);
    let mut dice = Dice::new(seed);
    let mut worlds = sample::samples(&facts, 1, effort.knowledge.weighted, &mut dice, stop);
    worlds.truncate(1);
    for world in &mut worlds {
        world.open();
    }
    search(&facts, &worlds, effort, dice, stop)
}
