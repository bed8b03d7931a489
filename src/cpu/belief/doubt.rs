//! What the other seat may suppose this seat to have.
//!
//! Samples agree on this seat's own stones, since it knows them. A search of such samples alone
//! lets the other side learn from its statistics where those stones are, which it cannot know, and
//! despairs too soon. So part of the iterations plays worlds that look the same to the other side
//! and in which this seat's unfound stones are elsewhere (the idea of re-determinizing; Goodman,
//! "Re-determinizing MCTS in Hanabi", 2019): what the other side does must be good there as well.

use super::facts::Facts;
use super::field::Point;
use super::model::Model;
use super::random::Random;
use super::world::{Sight, World};

/// A world that looks to the other side as this one does, with this seat's unfound stones where
/// the model of players likes them; none if the ones drawn would have ended the game.
pub fn other(
    facts: &Facts,
    world: &World,
    model: &mut Model,
    random: &mut Random,
) -> Option<World> {
    let (own, theirs) = (facts.side, 1 - facts.side);
    let cells = 0..facts.field.cells() as Point;
    let mut other = World::new(facts.field.clone(), Sight::Dark(facts.collision));
    let mut unfound = 0;
    let mut enemies = Vec::new();
    for cell in cells {
        match world.at(cell) {
            Some(side) if side == theirs => {
                other.place(theirs, cell);
                enemies.push(cell);
            }
            Some(_) if world.knows(theirs, cell) => {
                other.place(own, cell);
                other.find(theirs, cell);
            }
            Some(_) => unfound += 1,
            None => {}
        }
    }
    random.shuffle(&mut enemies);
    for &cell in enemies.iter().take(facts.found.len()) {
        other.find(own, cell);
    }
    let mut chances = Vec::new();
    model.chances(&facts.field, own, |cell| other.known(own, cell), &mut chances);
    for _ in 0..unfound {
        let open = |(cell, chance): (usize, &f64)| match other.at(cell as Point) {
            Some(_) => 0.0,
            None => *chance,
        };
        let cell = random.pick(chances.iter().enumerate().map(open))?;
        if other.place(own, cell as Point) {
            return None;
        }
    }
    other.set_turn(own);
    Some(other)
}
