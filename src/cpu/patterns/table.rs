//! Tables of learned weights, as text: how likely the next stone is to be placed on a cell, told
//! by the six cells around it, and how likely beside the last stone, told by the six around that.
//!
//! A line is a pattern, clockwise from the cell above, as red sees it (`o` red, `x` blue, `.`
//! empty), the weight of a cell that has it around it, and the weights of the six cells around a
//! blue stone that was just placed and has it around it. 1 is the weight of an average cell. A
//! pattern turned by half a turn means the same, and stands there once; blue sees the board
//! mirrored in the long diagonal.
//!
//! The weights come from games that the search played against itself on 11x11 after a few random
//! stones, by a softmax regression of its moves among all empty cells (weights start at 1 and stay
//! near it where there is little to learn from). That comes to the same as the
//! minorization-maximization of Coulom ("Computing Elo Ratings of Move Patterns in the Game of
//! Go", 2007). The weights beside the last stone stand in `playouts.txt` raised to the power of 1.6,
//! as replies that are nearly forced should be all but certain in playouts; what that brings is
//! told in the `README.md` of the computer player.

use crate::cpu::grid::Mark;
use crate::game::Color;

/// How many codes of six neighbours there are.
pub const CODES: usize = 1 << 12;

/// Weights for both colours, by the code of six neighbours.
#[derive(Clone, Debug)]
pub struct Table([Box<[Entry]>; 2]);

/// What a code of six neighbours says.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Entry {
    /// The weight of the cell in the middle.
    pub cell: f32,
    /// The weights of the cells around, if the last stone is in the middle.
    pub beside: [f32; 6],
}

impl Table {
    /// Reads a table. Lines that begin otherwise than with a pattern are left to others.
    pub fn read(text: &str) -> Table {
        let unknown = |code: usize| {
            let empty = |way: usize| f32::from(code >> (2 * way) & 3 == Mark::Empty as usize);
            Entry { cell: 1.0, beside: [0, 1, 2, 3, 4, 5].map(empty) }
        };
        let mut sides: [Box<[Entry]>; 2] = [(); 2].map(|()| (0..CODES).map(unknown).collect());
        for line in text.lines() {
            let mut words = line.split(' ');
            let pattern = words.next().unwrap_or_default().as_bytes();
            if pattern.len() != 6 {
                continue;
            }
            let mut numbers = words.map(|word| word.parse::<f32>().unwrap_or(0.0));
            let cell = numbers.next().unwrap_or(1.0);
            let mut around = [0.0; 6];
            around.iter_mut().zip(numbers).for_each(|(to, number)| *to = number);
            for (turn, color) in
                [0, 3].into_iter().flat_map(|turn| [(turn, Color::Red), (turn, Color::Blue)])
            {
                let way = |nth: usize| match color {
                    Color::Red => (nth + turn) % 6,
                    Color::Blue => 5 - (nth + turn) % 6,
                };
                let mark = |letter: u8| match letter {
                    b'o' => Mark::of(color) as usize,
                    b'x' => Mark::of(color.other()) as usize,
                    _ => Mark::Empty as usize,
                };
                let code = (0..6).fold(0, |code, nth| code | mark(pattern[nth]) << (2 * way(nth)));
                let mut beside = [0.0; 6];
                (0..6).for_each(|nth| beside[way(nth)] = around[nth]);
                sides[color.index()][code] = Entry { cell, beside };
            }
        }
        Table(sides)
    }

    /// What a code says where this colour is to move.
    pub fn of(&self, color: Color, code: usize) -> &Entry {
        &self.0[color.index()][code]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_learned_tables_reads() {
        for text in [include_str!("playouts.txt"), include_str!("priors.txt")] {
            for line in text.lines().filter(|line| !line.starts_with(['f', 'b'])) {
                let words: Vec<_> = line.split(' ').collect();
                assert_eq!(words.len(), 8, "{line}");
                assert!(words[0].len() == 6 && words[1].parse::<f32>().is_ok(), "{line}");
                for (letter, word) in words[0].chars().zip(&words[2..]) {
                    assert_eq!(letter == '.', word.parse::<f32>().is_ok(), "{line}");
                }
            }
        }
    }

    #[test]
    fn a_pattern_is_found_turned_and_mirrored() {
        let table = Table::read("o.x... 2 - 3 - 4 5 6");
        let code = |marks: [Mark; 6]| {
            (0..6).fold(0, |code, way| code | (marks[way] as usize) << (2 * way))
        };
        use Mark::{Blue, Empty, Red};
        let upright = table.of(Color::Red, code([Red, Empty, Blue, Empty, Empty, Empty]));
        assert_eq!((upright.cell, upright.beside), (2.0, [0.0, 3.0, 0.0, 4.0, 5.0, 6.0]));
        let turned = table.of(Color::Red, code([Empty, Empty, Empty, Red, Empty, Blue]));
        assert_eq!((turned.cell, turned.beside), (2.0, [4.0, 5.0, 6.0, 0.0, 3.0, 0.0]));
        let mirrored = table.of(Color::Blue, code([Empty, Empty, Empty, Red, Empty, Blue]));
        assert_eq!((mirrored.cell, mirrored.beside), (2.0, [6.0, 5.0, 4.0, 0.0, 3.0, 0.0]));
    }
}
