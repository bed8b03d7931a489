use super::*;
use crate::cpu::grid::Geometry;
use crate::game::{Cell, Size};

fn position(rows: u64, cols: u64, goal: Goal, red: &[&str], blue: &[&str]) -> Position {
    let mut grid = Grid::new(Geometry::new(Size::new(rows, cols).unwrap()).into());
    let geometry = grid.geometry().clone();
    let point = |text: &&str| geometry.point(text.parse::<Cell>().unwrap());
    red.iter().for_each(|text| grid.set(point(text), Mark::Red));
    blue.iter().for_each(|text| grid.set(point(text), Mark::Blue));
    let to_move = if red.len() > blue.len() { Color::Blue } else { Color::Red };
    Position { grid, to_move, goal }
}

fn searched(position: &Position, knowledge: Knowledge, nodes: u64) -> Search {
    let mut search = Search::new(position.clone(), knowledge, 7);
    search.run(nodes, &mut || false);
    search
}

fn best(position: &Position, search: &Search) -> String {
    position.grid.geometry().cell(search.found().line[0]).to_string()
}

/// Whether red wins a position, by trying everything.
fn red_wins(grid: &mut Grid, to_move: Color, goal: Goal) -> bool {
    let empty: Vec<_> = grid.empty().collect();
    if empty.is_empty() {
        return (grid.winner_of_full() == Color::Red) == (goal == Goal::Join);
    }
    let found = empty.into_iter().find(|&point| {
        grid.set(point, Mark::of(to_move));
        let red = red_wins(grid, to_move.other(), goal);
        grid.set(point, Mark::Empty);
        red == (to_move == Color::Red)
    });
    found.is_some() == (to_move == Color::Red)
}

#[test]
fn the_same_seed_and_nodes_give_the_same_search() {
    let position = position(5, 5, Goal::Join, &["b2"], &["c3"]);
    for knowledge in [Knowledge::full(), Knowledge::plain()] {
        let [first, second] = [(); 2].map(|()| searched(&position, knowledge, 300).found());
        assert_eq!(first, second);
    }
}

#[test]
fn a_stone_that_wins_is_placed() {
    let position = position(4, 4, Goal::Join, &["b1", "b2", "b3"], &["c1", "c2", "a3"]);
    for knowledge in [Knowledge::full(), Knowledge::plain()] {
        let search = searched(&position, knowledge, 200);
        assert!(["a4", "b4"].contains(&best(&position, &search).as_str()));
        assert_eq!(search.found().value, 1.0);
    }
}

#[test]
fn a_stone_that_would_lose_is_blocked() {
    let position = position(4, 4, Goal::Join, &["b1", "b2", "b3"], &["a4", "c1"]);
    for knowledge in [Knowledge::full(), Knowledge::plain()] {
        assert_eq!(best(&position, &searched(&position, knowledge, 300)), "b4");
    }
}

#[test]
fn a_bridge_that_was_entered_is_saved() {
    let red = ["c1", "c2", "b4", "b5", "a1"];
    let position = position(5, 5, Goal::Join, &red, &["d1", "d2", "c4", "c5", "b3"]);
    assert_eq!(best(&position, &searched(&position, Knowledge::full(), 300)), "c3");
}

#[test]
fn boards_of_three_by_three_are_solved() {
    for goal in [Goal::Join, Goal::Avoid] {
        for first in ["a1", "b1", "c1", "a2", "b2"] {
            let mut position = position(3, 3, goal, &[first], &[]);
            let search = searched(&position, Knowledge::full(), 20_000);
            let red = red_wins(&mut position.grid, Color::Blue, goal);
            assert_eq!(search.found().value > 0.5, !red, "{first} {goal:?}");
        }
    }
}

#[test]
fn where_joining_loses_small_boards_are_played_as_well_as_can_be() {
    for (rows, cols) in [(1, 4), (2, 2), (2, 3), (3, 2), (3, 3)] {
        let mut position = position(rows, cols, Goal::Avoid, &[], &[]);
        let wins = red_wins(&mut position.grid, Color::Red, Goal::Avoid);
        let search = searched(&position, Knowledge::full(), 30_000);
        assert_eq!(search.found().value > 0.5, wins, "{rows}x{cols}");
        let point = search.found().line[0];
        position.grid.set(point, Mark::Red);
        assert_eq!(red_wins(&mut position.grid, Color::Blue, Goal::Avoid), wins);
    }
}

#[test]
fn boards_of_one_row_or_column_are_played_to_their_end() {
    for (rows, cols) in [(1, 1), (1, 6), (6, 1), (1, 53), (53, 1)] {
        let position = position(rows, cols, Goal::Join, &[], &[]);
        let search = searched(&position, Knowledge::full(), 50);
        assert_eq!(search.found().value, if rows == 1 { 1.0 } else { search.found().value });
        assert!(!search.found().line.is_empty());
    }
}

#[test]
fn a_tree_is_kept_for_the_position_that_comes_of_it() {
    let mut position = position(6, 6, Goal::Join, &["a2"], &["f1"]);
    let mut search = searched(&position, Knowledge::plain(), 2_000);
    let line = search.found().line;
    position.grid.set(line[0], Mark::Red);
    position.grid.set(line[1], Mark::Blue);
    assert!(search.advance(&position, &mut || false));
    assert!(search.tree.node(ROOT).visits > 0);
    let point = position.grid.empty().next().unwrap();
    let mut other = position.clone();
    other.grid.set(point, Mark::Red);
    assert!(!search.advance(&other, &mut || false), "it is not the turn of whoever moves there");
    assert_eq!(search.found().nodes, 0);
}

#[test]
fn a_search_that_is_told_to_stop_has_a_move() {
    let position = position(11, 11, Goal::Join, &[], &[]);
    let mut search = Search::new(position, Knowledge::full(), 1);
    search.run(1_000_000, &mut || true);
    assert_eq!(search.found().nodes, 1);
    assert_eq!(search.found().line.len().min(1), 1);
}

#[test]
fn a_tree_that_is_not_taken_over_to_its_end_is_searched_on() {
    let mut position = position(6, 6, Goal::Join, &["a2"], &["f1"]);
    let mut search = searched(&position, Knowledge::plain(), 3_000);
    let line = search.found().line;
    position.grid.set(line[0], Mark::Red);
    position.grid.set(line[1], Mark::Blue);
    assert!(search.advance(&position, &mut || true));
    let visits = search.tree.node(ROOT).visits;
    search.run(300, &mut || false);
    assert_eq!(search.tree.node(ROOT).visits, visits + search.found().nodes as u32);
}
