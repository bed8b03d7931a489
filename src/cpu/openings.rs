//! The first two moves: what to open with, and when to swap.
//!
//! Up to 7x7 it is known which first moves win (van Rijswijck, Hayward and others, by exhaustive
//! search); on 11x11 and 13x13 strong programs and players agree. Sizes between follow the nearest
//! of these tables, larger ones the shape of 13x13. On a board that is not square, the colour with
//! the shorter way wins, even as the second to move, by answering in pairs (Gardner, "The
//! Scientific American Book of Mathematical Puzzles & Diversions", 1959), whatever the first move.

use crate::game::{Cell, Size};

/// The first moves that win, for 1x1 to 7x7.
const WINNING: [&str; 7] = [
    "a1",
    "b1 a2",
    "c1 a2 b2 c2 a3",
    "d1 c2 b3 a4",
    "e1 b2 c2 d2 e2 b3 c3 d3 a4 b4 c4 d4 a5",
    "f1 b2 c2 d2 e2 f2 a3 b3 c3 d3 e3 f3 a4 b4 c4 d4 e4 f4 a5 b5 c5 d5 e5 a6",
    "g1 c2 e2 f2 g2 b3 c3 d3 e3 f3 a4 b4 c4 d4 e4 f4 g4 b5 c5 d5 e5 f5 a6 b6 c6 e6 a7",
];

/// Whether a first red stone on this cell should be swapped, whichever way the swap goes, where
/// joining wins.
pub fn swaps(size: Size, stone: Cell) -> bool {
    if !size.is_square() {
        return size.rows() < size.cols();
    }
    let side = size.rows();
    if let Some(table) = WINNING.get(usize::from(side) - 1) {
        let text = stone.to_string();
        return table.split(' ').any(|cell| cell == text);
    }
    // The board looks the same turned by half a turn.
    let turned = Cell::new(side - 1 - stone.row, side - 1 - stone.col);
    !loses(side, stone) && !loses(side, turned)
}

/// Whether a first stone on this cell of the upper half loses, on a board of at least 8x8.
fn loses(side: u8, Cell { row, col }: Cell) -> bool {
    let last = side - 1;
    match (side, row) {
        (_, 0) => col < last,
        // As 7x7.
        (8 | 9, 1) => col < 2 || col == 3,
        (10 | 11, 1) => col < last - 1,
        (_, 1) => (3..last - 2).contains(&col),
        (8..=11, 2) => col == 0 || col == last,
        (_, 2) => col == last,
        _ => false,
    }
}

/// What to open with, where joining wins. `swap` says whether the other seat may take the stone
/// over: then it should be about even, else as good as there is.
pub fn opening(size: Size, swap: bool) -> Cell {
    let (rows, cols) = (size.rows(), size.cols());
    let centre = Cell::new(rows / 2, cols / 2);
    if !size.is_square() {
        // With a swap everything that red has is taken over; a corner is the least.
        return if swap { Cell::new(0, 0) } else { centre };
    }
    if !swap {
        return match rows {
            2 => Cell::new(0, 1),
            4 => Cell::new(1, 2),
            _ => centre,
        };
    }
    match rows {
        1 => centre,
        // Up to 10x10 a stone that loses narrowly: one that is kept must be played on from.
        2 => Cell::new(0, 0),
        3 => Cell::new(0, 1),
        4 => Cell::new(1, 1),
        5 => Cell::new(0, 3),
        6 => Cell::new(0, 4),
        7 => Cell::new(1, 3),
        8..=10 => Cell::new(1, 1),
        // b4 and its kin are nearest to even.
        11 => Cell::new(3, 1),
        12 | 13 => Cell::new(2, 0),
        _ => Cell::new(1, 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(side: u64) -> Size {
        Size::new(side, side).unwrap()
    }

    fn cell(text: &str) -> Cell {
        text.parse().unwrap()
    }

    #[test]
    fn swaps_are_the_same_on_a_board_turned_by_half_a_turn() {
        for side in 1..=53 {
            let size = square(side);
            for stone in size.iter() {
                let last = side as u8 - 1;
                let turned = Cell::new(last - stone.row, last - stone.col);
                assert_eq!(swaps(size, stone), swaps(size, turned), "{stone} on {size}");
            }
        }
    }

    #[test]
    fn on_11x11_the_42_cells_of_the_rim_are_kept() {
        let size = square(11);
        let kept: Vec<_> = size.iter().filter(|&stone| !swaps(size, stone)).collect();
        assert_eq!(kept.len(), 42);
        let rim = ["a1", "j1", "a2", "i2", "a3", "k3", "a9", "k9", "c10", "k10", "b11", "k11"];
        assert!(rim.iter().all(|text| kept.contains(&cell(text))));
        let taken = ["k1", "j2", "k2", "b4", "a6", "f6", "a10", "b10", "a11", "j8"];
        assert!(taken.iter().all(|text| !kept.contains(&cell(text))));
    }

    #[test]
    fn small_boards_follow_the_exact_tables() {
        for (side, winning) in (1..).zip(WINNING) {
            let size = square(side);
            let swapped = size.iter().filter(|&stone| swaps(size, stone)).count();
            assert_eq!(swapped, winning.split(' ').count(), "on {size}");
        }
    }

    #[test]
    fn whoever_has_the_shorter_way_is_swapped_into() {
        let (flat, tall) = (Size::new(3, 5).unwrap(), Size::new(5, 3).unwrap());
        assert!(flat.iter().all(|stone| swaps(flat, stone)));
        assert!(tall.iter().all(|stone| !swaps(tall, stone)));
    }

    #[test]
    fn an_opening_that_may_not_be_swapped_wins_where_that_is_known() {
        for side in 1..=7 {
            assert!(swaps(square(side), opening(square(side), false)), "{side}");
        }
        for side in 1..=53 {
            for swap in [false, true] {
                assert!(square(side).contains(opening(square(side), swap)));
            }
        }
    }
}
