use proptest::prelude::*;

use super::*;
use crate::cpu::grid::Mark;
use crate::cpu::solver::exhaustive::{Exhaustive, empty_grid, grid, positions};

const COLORS: [Color; 2] = [Color::Red, Color::Blue];

fn with(grid: &Grid, point: Point, color: Color) -> Grid {
    let mut grid = grid.clone();
    grid.set(point, Mark::of(color));
    grid
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_connections_prove_is_so(position in positions(9)) {
        let mut exact = Exhaustive::default();
        let mut winner = |grid: &Grid, to_move| exact.winner(&Board::of(grid).unwrap(), to_move);
        for to_move in COLORS {
            let analysis = analyse(&position, to_move, &Limits::THOROUGH);
            if let Some(verdict) = &analysis.verdict {
                prop_assert_eq!(verdict.winner, winner(&position, to_move));
                if let Some(point) = verdict.cell {
                    prop_assert_eq!(position.at(point), Mark::Empty);
                    let next = with(&position, point, to_move);
                    prop_assert_eq!(winner(&next, to_move.other()), to_move);
                }
            }
            if let Some(must_play) = &analysis.must_play {
                for point in position.empty().filter(|point| !must_play.contains(point)) {
                    let next = with(&position, point, to_move);
                    prop_assert_eq!(winner(&next, to_move.other()), to_move.other());
                }
            }
        }
    }

    #[test]
    fn whoever_is_through_stays_so_by_the_replies(position in positions(9)) {
        let mut exact = Exhaustive::default();
        for to_move in COLORS {
            let analysis = analyse(&position, to_move, &Limits::THOROUGH);
            let Some(verdict) = analysis.verdict.filter(|by| by.winner != to_move) else { continue };
            for probe in verdict.carrier {
                let replies = &analysis.replies[verdict.winner.index()];
                if let Some(reply) = replies.iter().find(|reply| reply.probe == probe) {
                    let next = with(&position, probe, to_move);
                    let next = with(&next, reply.answer, verdict.winner);
                    let winner = exact.winner(&Board::of(&next).unwrap(), to_move);
                    prop_assert_eq!(winner, verdict.winner);
                }
            }
        }
    }
}

#[test]
fn a_bridge_is_kept_by_the_other_cell() {
    let grid = grid(7, 7, "d3 c5", "");
    let replies = &analyse(&grid, Color::Blue, &Limits::QUICK).replies[0];
    let point = |text: &str| grid.geometry().point(text.parse().unwrap());
    let answer = |probe| replies.iter().find(|reply| reply.probe == point(probe)).unwrap().answer;
    assert_eq!(answer("c4"), point("d4"));
    assert_eq!(answer("d4"), point("c4"));
}

/// Whether red's stone on the second line from the top, which hangs together with the top edge, is
/// known to be linked to the bottom edge if only these cells are left to red.
fn linked(rows: u64, cols: u64, stone: &str, left: &str) -> bool {
    let mut grid = grid(rows, cols, stone, "");
    let left: Vec<Point> = (left.split_whitespace())
        .map(|cell| grid.geometry().point(cell.parse().unwrap()))
        .collect();
    for point in grid.empty().filter(|point| !left.contains(point)).collect::<Vec<_>>() {
        grid.set(point, Mark::Blue);
    }
    let verdict = analyse(&grid, Color::Blue, &Limits::QUICK).verdict;
    verdict.is_some_and(|verdict| verdict.winner == Color::Red)
}

#[test]
fn edge_templates_of_the_second_to_fourth_row_are_known() {
    // A bridge to the edge.
    assert!(linked(3, 5, "c1 c2", "b3 c3"));
    assert!(!linked(3, 5, "c1 c2", "b3"));
    // The ziggurat, both ways round.
    let left = "c2 b3 c3 d3 a4 b4 c4 d4";
    assert!(linked(4, 6, "d1 d2", left));
    assert!(linked(4, 6, "d1 d2", "e2 c3 d3 e3 b4 c4 d4 e4"));
    for cell in left.split_whitespace() {
        assert!(!linked(4, 6, "d1 d2", &left.replace(cell, "")), "{cell} is needed");
    }
    // Two stones side by side on the third row.
    assert!(linked(4, 7, "d1 d2 c2", "b3 c3 d3 b4 c4 d4"));
    // The fourth row: template IVa.
    let left = "e2 c3 d3 e3 f3 g3 b4 c4 d4 e4 f4 g4 a5 b5 c5 d5 e5 f5 g5";
    assert!(linked(5, 8, "f1 f2", left));
    for cell in left.split_whitespace() {
        assert!(!linked(5, 8, "f1 f2", &left.replace(cell, "")), "{cell} is needed");
    }
}

#[test]
fn nothing_is_known_of_a_board_that_is_too_large() {
    let analysis = analyse(&empty_grid(20, 20), Color::Red, &Limits::QUICK);
    assert!(analysis.verdict.is_none() && analysis.must_play.is_none() && !analysis.complete);
}

#[test]
fn a_search_keeps_within_its_work() {
    let limits = Limits { work: 200, ..Limits::QUICK };
    assert!(!analyse(&empty_grid(11, 11), Color::Red, &limits).complete);
    assert!(analyse(&empty_grid(11, 11), Color::Red, &Limits::THOROUGH).complete);
}
