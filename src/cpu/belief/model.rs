//! How likely a player is to try each cell, judged cheaply from what it sees.
//!
//! A cell is worth trying when it lies on a short way across for the player, or on a short way
//! across for the other side, as the player sees the board; the middle is preferred. The chances
//! are a softmax over that, with a part spread evenly, since people (and other programs) play
//! otherwise than any model of them.

use super::field::{Field, Point, Side};
use super::ways::Ways;

/// How much a step away from the shortest way costs: the player's own way, and the other's.
const OWN_STEP: f64 = 1.8;
const OTHER_STEP: f64 = 1.2;
/// How much lying at the rim costs against lying in the middle.
const RIM: f64 = 1.5;
/// The part of the chances that is spread evenly.
const EVEN: f64 = 0.15;

/// Room for the work, kept between calls.
#[derive(Debug)]
pub struct Model {
    rim: Vec<f64>,
    ways: [Ways; 2],
}

impl Model {
    /// A model for boards of this field.
    pub fn new(field: &Field) -> Model {
        let size = field.size();
        let (rows, cols) = (f64::from(size.rows() - 1), f64::from(size.cols() - 1));
        let rim = |cell: crate::game::Cell| {
            let (row, col) = (f64::from(cell.row), f64::from(cell.col));
            // A cell's place along the short and the long diagonal, both from -1 to 1.
            let down = if rows > 0.0 { 2.0 * row / rows - 1.0 } else { 0.0 };
            let right = if cols > 0.0 { 2.0 * col / cols - 1.0 } else { 0.0 };
            (down * down + right * right + down * right).max(0.0)
        };
        Model { rim: size.iter().map(rim).collect(), ways: [Ways::default(), Ways::default()] }
    }

    /// Fills `chances` with each cell's chance to be the next try of the side, which sees `known`:
    /// the owner of a stone that it knows there. Taken cells have the chance 0; the rest sum to 1.
    pub fn chances(
        &mut self,
        field: &Field,
        side: Side,
        known: impl Fn(Point) -> Option<Side>,
        chances: &mut Vec<f64>,
    ) {
        for (way, whose) in self.ways.iter_mut().zip([side, 1 - side]) {
            way.measure(field, whose, &known);
        }
        let free = |cell: &usize| known(*cell as Point).is_none();
        let best = |way: &Ways| (0..field.cells()).filter(free).map(|cell| way.through(cell)).min();
        let (own, other) = (best(&self.ways[0]).unwrap_or(0), best(&self.ways[1]).unwrap_or(0));
        chances.clear();
        chances.extend((0..field.cells()).map(|cell| {
            if known(cell as Point).is_some() {
                return 0.0;
            }
            let detour = |way: &Ways, best: u16| f64::from((way.through(cell) - best).min(8));
            let cost = OWN_STEP * detour(&self.ways[0], own)
                + OTHER_STEP * detour(&self.ways[1], other)
                + RIM * self.rim[cell];
            (-cost).exp()
        }));
        let total: f64 = chances.iter().sum();
        let free = chances.iter().filter(|chance| **chance > 0.0).count();
        let even = EVEN / free.max(1) as f64;
        for chance in chances.iter_mut().filter(|chance| **chance > 0.0) {
            *chance = *chance / total * (1.0 - EVEN) + even;
        }
    }
}
