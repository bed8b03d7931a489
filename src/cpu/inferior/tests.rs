use proptest::prelude::*;

use super::*;
use crate::cpu::grid::Mark;
use crate::cpu::solver::exhaustive::{Exhaustive, grid, names, positions};

const COLORS: [Color; 2] = [Color::Red, Color::Blue];

fn filled(grid: &Grid, to_move: Color) -> Grid {
    let mut grid = grid.clone();
    for (point, color, _) in inferior(&grid, to_move).fill {
        assert_eq!(grid.at(point), Mark::Empty, "a cell is filled once");
        grid.set(point, Mark::of(color));
    }
    grid
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn filling_in_changes_no_winner(position in positions(8)) {
        let mut exact = Exhaustive::default();
        for to_move in COLORS {
            let after = filled(&position, to_move);
            let [before, after] = [&position, &after].map(|grid| Board::of(grid).unwrap());
            prop_assert_eq!(exact.winner(&before, to_move), exact.winner(&after, to_move));
        }
    }

    #[test]
    fn a_winner_keeps_a_winning_move_that_is_not_pruned(position in positions(8)) {
        let mut exact = Exhaustive::default();
        for to_move in COLORS {
            let pruned = inferior(&position, to_move).pruned;
            let after = filled(&position, to_move);
            let board = Board::<1>::of(&after).unwrap();
            if board.winner().is_some() || exact.winner(&board, to_move) != to_move {
                continue;
            }
            let wins = |point| {
                let mut next = after.clone();
                next.set(point, Mark::of(to_move));
                exact.winner(&Board::of(&next).unwrap(), to_move.other()) == to_move
            };
            let left = |point: &Point| pruned.iter().all(|(taken, _)| taken != point);
            prop_assert!(after.empty().filter(left).any(wins));
        }
    }
}

fn added(rows: u64, cols: u64, red: &str, blue: &str) -> Vec<String> {
    let grid = grid(rows, cols, red, blue);
    let stones = inferior(&grid, Color::Red).fill;
    let text = |(point, color, _)| format!("{color} {}", names(&grid, [point]).concat());
    let mut text: Vec<String> = stones.into_iter().map(text).collect();
    text.sort();
    text
}

#[test]
fn a_cell_with_four_stones_of_a_colour_in_a_row_around_it_is_dead() {
    let grid = grid(7, 7, "d3 e3 c4 c5", "");
    let stones = inferior(&grid, Color::Blue).fill;
    let dead = grid.geometry().point("d4".parse().unwrap());
    assert!(stones.iter().any(|&(point, _, why)| point == dead && why == Reason::Dead));
}

#[test]
fn both_cells_under_a_stone_on_the_second_row_are_captured() {
    assert_eq!(added(6, 6, "c5", ""), ["red b6", "red c6"]);
    assert_eq!(added(6, 6, "", "b4"), ["blue a4", "blue a5"]);
}

#[test]
fn a_region_that_reaches_one_edge_only_is_filled_in() {
    let stones = added(5, 5, "", "a3 b3 c2 d2 e1");
    assert_eq!(stones.len(), 20, "blue is through, so all else is blue's: {stones:?}");
}

#[test]
fn a_big_board_is_filled_in_too() {
    assert_eq!(added(53, 53, "ac52", ""), ["red ab53", "red ac53"]);
}

#[test]
fn each_pruned_move_has_a_reason_that_names_a_move() {
    let grid = grid(5, 5, "c3", "b4");
    let inferior = inferior(&grid, Color::Red);
    assert!(!inferior.pruned.is_empty());
    for (point, Why::Vulnerable(by) | Why::Dominated(by)) in inferior.pruned {
        assert!(by != point && grid.at(by) == Mark::Empty);
    }
}
