//! The learned weights of playouts, made ready to draw by.

use std::sync::LazyLock;

use super::table::{CODES, Table};
use crate::game::Color;

/// The table of playouts.
const TABLE: &str = include_str!("playouts.txt");

/// Read once: every search of every game draws by the same.
static LEARNED: LazyLock<Weights> = LazyLock::new(Weights::read);

/// A cell that is drawn from the whole board is taken for certain from this weight on.
const CERTAIN: f32 = 4.0;

/// The weights for one colour to move.
#[derive(Clone, Debug)]
pub struct Side {
    taken: Box<[f32]>,
    beside: Box<[[f32; 6]]>,
}

/// The weights for both.
#[derive(Clone, Debug)]
pub struct Weights([Side; 2]);

impl Weights {
    /// The learned ones.
    pub fn learned() -> &'static Weights {
        &LEARNED
    }

    fn read() -> Weights {
        let table = Table::read(TABLE);
        let side = |color| {
            let entries = || (0..CODES).map(|code| table.of(color, code));
            let sums = |weights: [f32; 6]| {
                let mut sum = 0.0;
                weights.map(|weight| {
                    sum += weight;
                    sum
                })
            };
            Side {
                taken: entries().map(|entry| (entry.cell / CERTAIN).min(1.0)).collect(),
                beside: entries().map(|entry| sums(entry.beside)).collect(),
            }
        };
        Weights([side(Color::Red), side(Color::Blue)])
    }

    /// For a colour to move.
    pub fn of(&self, color: Color) -> &Side {
        &self.0[color.index()]
    }
}

impl Side {
    /// The chance that a draw of a cell with this code around it is taken.
    pub fn taken(&self, code: usize) -> f32 {
        self.taken[code]
    }

    /// The sums of the weights of the first neighbours of a last stone with this code around it.
    pub fn beside(&self, code: usize) -> &[f32; 6] {
        &self.beside[code]
    }
}
