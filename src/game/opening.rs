//! Random openings: public, repeatable, the same on every platform.
//!
//! A 32-byte seed feeds ChaCha20; a partial Fisher-Yates shuffle with rejection sampling draws the
//! cells. An opening that already joins somebody's edges is thrown away, and the next is drawn
//! from where the stream stands.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::board::Board;
use super::cell::{Cell, Color, Size};
use super::rules::Rules;

/// What an opening is drawn from.
pub type Seed = [u8; 32];

/// The opening of a game by these rules, in placement order, red first; empty without random
/// stones.
pub fn draw(rules: &Rules, seed: Seed) -> Vec<Cell> {
    if rules.random_stones() == 0 {
        return Vec::new();
    }
    let mut stream = ChaCha20Rng::from_seed(seed);
    loop {
        let cells = draw_cells(&mut stream, rules.size(), 2 * usize::from(rules.random_stones()));
        if !joins_edges(rules.size(), &cells) {
            return cells;
        }
    }
}

fn draw_cells(stream: &mut ChaCha20Rng, size: Size, count: usize) -> Vec<Cell> {
    let mut order: Vec<Cell> = size.iter().collect();
    for i in 0..count {
        let n = (order.len() - i) as u32;
        let fair = (1u64 << 32) / u64::from(n) * u64::from(n);
        let x = loop {
            let x = stream.next_u32();
            if u64::from(x) < fair {
                break x;
            }
        };
        order.swap(i, i + (x % n) as usize);
    }
    order.truncate(count);
    order
}

fn joins_edges(size: Size, cells: &[Cell]) -> bool {
    let mut board = Board::new(size);
    let colors = [Color::Red, Color::Blue].into_iter().cycle();
    cells.iter().zip(colors).any(|(&cell, color)| board.place(cell, color))
}

#[cfg(test)]
mod tests {
    use super::super::rules::{Goal, Swap};
    use super::*;

    fn counting_seed() -> Seed {
        std::array::from_fn(|i| i as u8)
    }

    fn text(cells: &[Cell]) -> String {
        cells.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_published_test_vector() {
        let size = Size::new(11, 11).unwrap();
        let mut stream = ChaCha20Rng::from_seed(counting_seed());
        assert_eq!(text(&draw_cells(&mut stream, size, 8)), "c2 a7 e11 e10 b8 a1 k10 b11");
        assert_eq!(text(&draw_cells(&mut stream, size, 8)), "e5 j7 k3 d7 f1 g9 a3 d9");
        let rules = Rules::new(Size::new(19, 19).unwrap(), Swap::Off, Goal::Join, 10).unwrap();
        assert_eq!(text(&draw(&rules, counting_seed())[..5]), "e3 c17 e14 g16 b15");
    }

    #[test]
    fn an_opening_never_joins_edges() {
        let rules = Rules::new(Size::new(2, 3).unwrap(), Swap::Off, Goal::Join, 1).unwrap();
        for byte in 0..=255 {
            let cells = draw(&rules, [byte; 32]);
            assert!(!joins_edges(rules.size(), &cells), "seed of {byte}s: {}", text(&cells));
        }
    }
}
