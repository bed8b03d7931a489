use proptest::prelude::*;

use super::exhaustive::{Exhaustive, cell, empty_grid, exchanged, grid, names, positions};
use super::*;
use crate::cpu::grid::Mark;

const COLORS: [Color; 2] = [Color::Red, Color::Blue];
const MOST: usize = 100_000;

fn solved(grid: &Grid, to_move: Color) -> Verdict {
    solve(grid, to_move, MOST, &mut || false).expect("settled").verdict
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_solver_agrees_with_trying_everything(position in positions(9)) {
        let mut exact = Exhaustive::default();
        let board = Board::<1>::of(&position).unwrap();
        for to_move in COLORS {
            let verdict = solved(&position, to_move);
            prop_assert_eq!(verdict.winner, exact.winner(&board, to_move));
            let open = board.winner().is_none() && verdict.winner == to_move;
            prop_assert_eq!(verdict.cell.is_some(), open);
            if let Some(point) = verdict.cell {
                let mut next = position.clone();
                prop_assert_eq!(next.at(point), Mark::Empty);
                next.set(point, Mark::of(to_move));
                let next = Board::of(&next).unwrap();
                prop_assert_eq!(exact.winner(&next, to_move.other()), to_move);
            }
        }
    }

    #[test]
    fn a_winner_needs_no_cell_but_those_of_its_carrier(position in positions(9)) {
        let mut exact = Exhaustive::default();
        for to_move in COLORS {
            let verdict = solved(&position, to_move);
            let mut given = position.clone();
            for point in position.empty().filter(|point| !verdict.carrier.contains(point)) {
                given.set(point, Mark::of(verdict.winner.other()));
            }
            let given = Board::of(&given).unwrap();
            prop_assert_eq!(exact.winner(&given, to_move), verdict.winner);
        }
    }

    #[test]
    fn a_study_leaves_a_winning_move(position in positions(8)) {
        let mut exact = Exhaustive::default();
        for to_move in COLORS {
            let winner = exact.winner(&Board::of(&position).unwrap(), to_move);
            let study = study(&position, to_move, &Limits::QUICK, &mut || false);
            if let Some(verdict) = study.verdict {
                prop_assert_eq!(verdict.winner, winner);
                continue;
            }
            prop_assert!(!study.moves.is_empty());
            let mut wins = |&point: &Point| {
                let mut next = position.clone();
                next.set(point, Mark::of(to_move));
                exact.winner(&Board::of(&next).unwrap(), to_move.other()) == to_move
            };
            prop_assert_eq!(study.moves.iter().any(&mut wins), winner == to_move);
        }
    }
}

fn winning(rows: u64, cols: u64, red: &str, blue: &str) -> Vec<String> {
    let grid = grid(rows, cols, red, blue);
    let points = winning_moves(&grid, Color::Red, MOST, &mut || false).expect("settled");
    names(&grid, points)
}

#[test]
fn a_ladder_on_the_second_row_is_run_towards_its_escape_and_lost_without() {
    let (chain, wall) = ("c1 c2 c3 c4 c5", "b4 b5 b6 c6 d4 e4 f4 g4 h4 i4 i5");
    assert_eq!(winning(6, 9, &format!("{chain} h5"), wall), ["d5"]);
    assert!(winning(6, 9, chain, wall).is_empty());
}

#[test]
fn a_ladder_on_the_third_row_is_run_towards_its_escape_and_lost_without() {
    let (chain, wall) = ("c1 c2 c3 c4 c5", "a7 b6 c6 d4 e4 f4 g4 h4 i4 j4");
    assert_eq!(winning(7, 10, &format!("{chain} h5"), wall), ["d5"]);
    assert_eq!(winning(7, 10, &format!("{chain} i6"), wall), ["d5"]);
    assert!(winning(7, 10, chain, wall).is_empty());
}

/// Positions with exactly one winning move, which another solver found.
const ONLY_MOVES: &str = include_str!("../../../tests/data/only-moves.jsonl");

#[derive(serde::Deserialize)]
struct OnlyMove {
    rows: u64,
    cols: u64,
    red: Vec<String>,
    blue: Vec<String>,
    winning: [String; 1],
}

fn find_only_moves(which: impl Fn(&OnlyMove) -> bool) {
    let cases = ONLY_MOVES.lines().map(|line| serde_json::from_str::<OnlyMove>(line).unwrap());
    let mut checked = 0;
    for case in cases.filter(which) {
        let grid = grid(case.rows, case.cols, &case.red.join(" "), &case.blue.join(" "));
        let verdict = solved(&grid, Color::Red);
        assert_eq!(
            (verdict.winner, names(&grid, verdict.cell)),
            (Color::Red, case.winning.to_vec())
        );
        let other = exchanged(&grid);
        let verdict = solved(&other, Color::Blue);
        let mirrored = cell(&case.winning[0]).mirrored().to_string();
        assert_eq!((verdict.winner, names(&other, verdict.cell)), (Color::Blue, vec![mirrored]));
        checked += 1;
    }
    assert!(checked > 0);
}

#[test]
fn the_only_winning_move_is_found_on_7x7() {
    find_only_moves(|case| case.rows == 7);
}

#[test]
#[ignore = "needs a release build"]
fn the_only_winning_move_is_found_on_boards_up_to_9x9() {
    find_only_moves(|case| case.rows > 7);
}

fn first_moves(side: u64) -> String {
    let grid = empty_grid(side, side);
    let winning = winning_moves(&grid, Color::Red, 10 * MOST, &mut || false).expect("settled");
    names(&grid, winning).join(" ")
}

#[test]
fn the_first_moves_that_win_on_small_boards_are_the_known_ones() {
    assert_eq!(first_moves(2), "b1 a2");
    assert_eq!(first_moves(3), "c1 a2 b2 c2 a3");
    assert_eq!(first_moves(4), "d1 c2 b3 a4");
}

#[test]
#[ignore = "needs a release build"]
fn the_first_moves_that_win_on_5x5_are_the_known_ones() {
    assert_eq!(first_moves(5), "e1 b2 c2 d2 e2 b3 c3 d3 a4 b4 c4 d4 a5");
}

#[test]
#[ignore = "needs a release build"]
fn the_first_moves_that_win_on_6x6_are_the_known_ones() {
    let known = "f1 b2 c2 d2 e2 f2 a3 b3 c3 d3 e3 f3 a4 b4 c4 d4 e4 f4 a5 b5 c5 d5 e5 a6";
    assert_eq!(first_moves(6), known);
}

#[test]
fn a_search_that_may_look_at_one_position_does_not_settle_an_empty_board() {
    let grid = empty_grid(9, 9);
    assert_eq!(solve(&grid, Color::Red, 1, &mut || false), None);
    assert_eq!(solve(&grid, Color::Red, MOST, &mut || true), None);
}

#[test]
fn a_board_that_is_too_large_is_not_settled() {
    let grid = empty_grid(20, 20);
    assert_eq!(solve(&grid, Color::Red, MOST, &mut || false), None);
    assert_eq!(study(&grid, Color::Red, &Limits::QUICK, &mut || false).moves.len(), 400);
}

#[test]
fn an_intrusion_into_captured_cells_has_its_answer_too() {
    let grid = grid(6, 6, "c5", "");
    let study = study(&grid, Color::Blue, &Limits::QUICK, &mut || false);
    let [left, right] = ["b6", "c6"].map(|text| grid.geometry().point(cell(text)));
    assert!(study.fill.contains(&(left, Color::Red)) && study.fill.contains(&(right, Color::Red)));
    for (probe, answer) in [(left, right), (right, left)] {
        assert!(study.replies[0].contains(&Reply { probe, answer }));
    }
}

#[test]
fn colours_are_alike() {
    let grid = grid(6, 6, "c2 d5", "b4 e3");
    let [one, other] = [(&grid, Color::Red), (&exchanged(&grid), Color::Blue)]
        .map(|(grid, to_move)| winning_moves(grid, to_move, MOST, &mut || false));
    let cells = |points: Option<Vec<Point>>, grid: &Grid| {
        points.expect("settled").into_iter().map(|at| grid.geometry().cell(at)).collect::<Vec<_>>()
    };
    let one = cells(one, &grid);
    let mut other: Vec<_> =
        cells(other, &exchanged(&grid)).into_iter().map(|cell| cell.mirrored()).collect();
    other.sort();
    assert_eq!(one, other);
    assert!(!one.contains(&cell("c2")));
}
