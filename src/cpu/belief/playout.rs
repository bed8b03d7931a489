//! A game played out to its end by two players who try cells at dice, except that both know what
//! to do when a bridge is broken into.
//!
//! A bridge is two stones of a side that share two cells about which it knows nothing. In Dark Hex
//! its owner hears of the intruder only by running into it: then the other cell comes next, in the
//! same turn in classical play, in the next turn in abrupt play.

use crate::cpu::dice::Dice;

use super::field::{Point, Side};
use super::world::{Tried, World};

/// Room for playouts, kept from one to the next.
#[derive(Debug, Default)]
pub struct Playout {
    orders: [Vec<Point>; 2],
}

impl Playout {
    /// Plays the world to its end. Says who wins.
    pub fn run(&mut self, world: &mut World, bridges: bool, dice: &mut Dice) -> Side {
        for (side, order) in self.orders.iter_mut().enumerate() {
            order.clear();
            let cells = 0..world.field().cells() as Point;
            order.extend(cells.filter(|&cell| !world.knows(side, cell)));
        }
        let mut urgent: [Option<Point>; 2] = [None; 2];
        loop {
            let side = world.turn();
            let cell = urgent[side].take().filter(|&cell| !world.knows(side, cell));
            let Some(cell) = cell.or_else(|| self.next(world, side, dice)) else {
                // Whoever knows every cell sees a full board, on which one side has won: the other
                // would have been told.
                return 1 - side;
            };
            match world.attempt(cell) {
                Tried::Won => return side,
                Tried::Placed if bridges && world.knows(1 - side, cell) => {
                    urgent[1 - side] = saving(world, 1 - side, cell);
                }
                Tried::Placed => {}
                Tried::Again | Tried::Passed if bridges => {
                    urgent[side] = saving(world, side, cell);
                }
                Tried::Again | Tried::Passed => {}
            }
        }
    }

    /// The next of the side's cells in random order that it does not know to be taken.
    fn next(&mut self, world: &World, side: Side, dice: &mut Dice) -> Option<Point> {
        let order = &mut self.orders[side];
        while !order.is_empty() {
            let cell = order.swap_remove(dice.below(order.len()));
            if !world.knows(side, cell) {
                return Some(cell);
            }
        }
        None
    }
}

/// The cell that keeps a side's stones joined after an enemy stone came between them.
pub fn saving(world: &World, side: Side, intruder: Point) -> Option<Point> {
    let near = world.field().near(intruder);
    let own = |at: usize| world.at(near[at % 6]) == Some(side);
    (0..6).find(|&at| own(at) && !world.knows(side, near[(at + 1) % 6]) && own(at + 2)).map(
        // A cell between two own stones, both of which touch the intruder.
        |at| near[(at + 1) % 6],
    )
}
