//! The door to the computer player: what a seat sees gives a move.

use crate::game::{Cell, Goal, Move};

use super::grid::Grid;
use super::mcts::{Position, Search};
use super::{Effort, Level, Seen, belief, openings};

/// What the computer does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// It plays this.
    Play(Move),
    /// It gives the game up, where whoever asked lets it.
    Resign,
}

/// What came of thinking.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// What to do.
    pub choice: Choice,
    /// How likely the seat wins, from 0 to 1, as far as the search can tell.
    pub value: f64,
    /// How many nodes were searched.
    pub nodes: u64,
    /// The moves that the search expects from here, this one first.
    pub line: Vec<Cell>,
}

impl Thought {
    /// Of a move that was not searched for; where there is none, the game is given up.
    pub fn unsearched(action: Option<Move>) -> Thought {
        let line = match action {
            Some(Move::Place(cell)) => vec![cell],
            Some(Move::Swap) | None => Vec::new(),
        };
        let choice = action.map_or(Choice::Resign, Choice::Play);
        Thought { choice, value: 0.5, nodes: 0, line }
    }

    /// How likely the seat wins, in percent.
    pub fn percent(&self) -> u8 {
        // The bounds make the cast exact.
        (self.value.clamp(0.0, 1.0) * 100.0).round() as u8
    }
}

/// A computer player with a memory: what it searched for one move serves the next.
#[derive(Debug)]
pub struct Player {
    level: Level,
    seed: u64,
    effort: Option<Effort>,
    /// The search of the last move, to be taken to the position that has come of it.
    search: Option<Search>,
}

impl Player {
    /// A player that has seen nothing yet.
    pub fn new(level: Level, seed: u64) -> Player {
        Player { level, seed, effort: None, search: None }
    }

    /// The same player with this effort instead of its level's.
    pub fn with_effort(self, effort: Effort) -> Player {
        Player { effort: Some(effort), ..self }
    }

    /// Chooses a move for the seat that sees this. `stop` is asked now and then; once it says so,
    /// the best move so far is the answer. There is always one: a seat to move has a cell to try.
    pub fn choose(&mut self, seen: &Seen, stop: &mut dyn FnMut() -> bool) -> Thought {
        let effort = self.effort.unwrap_or_else(|| self.level.effort(seen.size));
        match &seen.dark {
            Some(dark) => {
                // A seed of its own for each try, or one draw would decide all of a game's.
                let seed = self.seed.wrapping_add(dark.attempts.len() as u64);
                belief::choose(seen, &effort.into(), seed, stop)
            }
            None => match opening(seen) {
                Some(action) => Thought::unsearched(Some(action)),
                None => self.search(seen, effort, stop),
            },
        }
    }

    fn search(&mut self, seen: &Seen, effort: Effort, stop: &mut dyn FnMut() -> bool) -> Thought {
        let position = Position { grid: Grid::of(seen), to_move: seen.color, goal: seen.goal };
        let geometry = position.grid.geometry().clone();
        let kept = self.search.take().filter(|_| effort.knowledge.reuse);
        let kept = kept.and_then(|mut search| search.advance(&position, stop).then_some(search));
        let mut search = kept.unwrap_or_else(|| Search::new(position, effort.knowledge, self.seed));
        search.run(effort.nodes, stop);
        let mut found = search.found();
        // A stone that may be taken over is to be worth as much as the answer.
        if let Some(even) = seen.may_be_swapped.and_then(|_| search.evenest()) {
            found.line = vec![even];
            found.value = 0.5;
        }
        self.search = Some(search);
        let line: Vec<Cell> = found.line.iter().map(|&point| geometry.cell(point)).collect();
        let choice = line.first().map_or(Choice::Resign, |&cell| Choice::Play(Move::Place(cell)));
        match seen.may_swap {
            // Where no table knows better, the stone is taken over if its owner seems ahead.
            Some(_) if found.value < 0.5 => {
                let (choice, line) = (Choice::Play(Move::Swap), Vec::new());
                Thought { choice, value: 1.0 - found.value, nodes: found.nodes, line }
            }
            _ => Thought { choice, value: found.value, nodes: found.nodes, line },
        }
    }
}

/// The move that needs no search: the first one, and the swap. What is known of openings is
/// known of games in which joining wins.
fn opening(seen: &Seen) -> Option<Move> {
    if seen.goal != Goal::Join {
        return None;
    }
    match (seen.stones.as_slice(), seen.may_swap) {
        ([], _) => Some(Move::Place(openings::opening(seen.size, seen.may_be_swapped.is_some()))),
        (&[(stone, _)], Some(_)) if openings::swaps(seen.size, stone) => Some(Move::Swap),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Color, Size, Swap};

    fn seen(rows: u64, cols: u64, red: &[&str], blue: &[&str]) -> Seen {
        let stone = |color| move |text: &&str| (text.parse().unwrap(), color);
        let red_stones = red.iter().map(stone(Color::Red));
        let mut stones: Vec<_> = red_stones.chain(blue.iter().map(stone(Color::Blue))).collect();
        stones.sort_by_key(|&(cell, _): &(Cell, Color)| (cell.row, cell.col));
        Seen {
            size: Size::new(rows, cols).unwrap(),
            goal: Goal::Join,
            color: if red.len() > blue.len() { Color::Blue } else { Color::Red },
            stones,
            may_swap: None,
            may_be_swapped: None,
            dark: None,
        }
    }

    fn chosen(seen: &Seen, level: u64) -> Choice {
        Player::new(Level::new(level).unwrap(), 1).choose(seen, &mut || false).choice
    }

    #[test]
    fn a_strong_first_stone_is_swapped_and_a_weak_one_is_not() {
        for kind in [Swap::Sides, Swap::Pieces] {
            let swap = |stone| Seen { may_swap: Some(kind), ..seen(11, 11, &[stone], &[]) };
            assert_eq!(chosen(&swap("f6"), 3), Choice::Play(Move::Swap));
            assert!(matches!(chosen(&swap("a1"), 3), Choice::Play(Move::Place(_))));
        }
    }

    #[test]
    fn what_may_be_swapped_opens_otherwise_than_what_may_not() {
        let free = seen(11, 11, &[], &[]);
        let held = Seen { may_be_swapped: Some(Swap::Sides), ..free.clone() };
        assert_eq!(chosen(&free, 3), Choice::Play(Move::Place(Cell::new(5, 5))));
        assert_eq!(chosen(&held, 3), Choice::Play(Move::Place(Cell::new(3, 1))));
    }

    #[test]
    fn where_joining_loses_the_swap_follows_the_search() {
        let avoid =
            |swap, red: &[&str]| Seen { goal: Goal::Avoid, may_swap: swap, ..seen(2, 2, red, &[]) };
        // Whoever is to move after one stone on 2x2 loses unless they take it over: the second
        // blue stone joins, or the second red one has nowhere else to go.
        let choice = chosen(&avoid(None, &["a1"]), 8);
        assert!(matches!(choice, Choice::Play(Move::Place(_))));
        assert_eq!(chosen(&avoid(Some(Swap::Sides), &["a1"]), 8), Choice::Play(Move::Swap));
        let first = Seen { may_be_swapped: Some(Swap::Sides), ..avoid(None, &[]) };
        assert!(matches!(chosen(&first, 5), Choice::Play(Move::Place(_))));
    }

    #[test]
    fn every_level_takes_a_win_and_the_only_cell_that_is_left() {
        for level in 1..=10 {
            let won = seen(3, 3, &["b1", "b2"], &["c1", "c3"]);
            let Choice::Play(Move::Place(cell)) = chosen(&won, level) else { panic!("no move") };
            assert!(["a3", "b3"].contains(&cell.to_string().as_str()), "{level} plays {cell}");
            let last = seen(2, 2, &["a1", "b2"], &["b1"]);
            assert_eq!(chosen(&last, level), Choice::Play(Move::Place(Cell::new(1, 0))));
        }
    }

    #[test]
    fn a_board_without_an_empty_cell_has_no_move() {
        assert_eq!(chosen(&seen(1, 2, &["a1"], &["b1"]), 5), Choice::Resign);
    }

    #[test]
    fn a_player_goes_on_from_what_it_searched_before() {
        let mut player = Player::new(Level::new(6).unwrap(), 1);
        let mut board = seen(5, 5, &["b2"], &["d4"]);
        let thought = player.choose(&board, &mut || false);
        let Choice::Play(Move::Place(cell)) = thought.choice else { panic!("no move") };
        board.stones.push((cell, Color::Red));
        let answer = board.free_cells().next().unwrap();
        board.stones.push((answer, Color::Blue));
        let next = player.choose(&board, &mut || false);
        assert!(matches!(next.choice, Choice::Play(action) if board.allows(action)));
    }

    #[test]
    fn a_likelihood_is_told_in_whole_percent_from_0_to_100() {
        let told = |value| Thought { value, ..Thought::unsearched(None) }.percent();
        assert_eq!([-0.1, 0.0, 0.634, 1.0, 1.5].map(told), [0, 0, 63, 100, 100]);
        assert_eq!(told(f64::NAN), 0);
    }

    #[derive(serde::Deserialize)]
    struct Case {
        rows: u64,
        cols: u64,
        red: Vec<String>,
        blue: Vec<String>,
        winning: Vec<String>,
    }

    /// Plays positions that have one winning move, as they are and mirrored with colours changed.
    fn play_only_moves(level: u64, of: impl Fn(&Case) -> bool, most: usize) {
        let text = include_str!("../../tests/data/only-moves.jsonl");
        let cases = text.lines().map(|line| serde_json::from_str(line).unwrap());
        for case in cases.filter(of).take(most) {
            let [red, blue] = [&case.red, &case.blue]
                .map(|cells| cells.iter().map(String::as_str).collect::<Vec<_>>());
            let board = Seen { color: Color::Red, ..seen(case.rows, case.cols, &red, &blue) };
            let mirrored = board.stones.iter();
            let mirrored = mirrored.map(|&(cell, color)| (cell.mirrored(), color.other()));
            let mirrored = Seen {
                size: Size::new(case.cols, case.rows).unwrap(),
                color: Color::Blue,
                stones: mirrored.collect(),
                ..board.clone()
            };
            let winning: Cell = case.winning[0].parse().unwrap();
            let place = |cell| Choice::Play(Move::Place(cell));
            assert_eq!(chosen(&board, level), place(winning), "{red:?} {blue:?}");
            assert_eq!(chosen(&mirrored, level), place(winning.mirrored()), "{red:?} {blue:?}");
        }
    }

    #[test]
    fn the_only_move_that_wins_is_found() {
        play_only_moves(8, |case| case.rows == 7 && case.red.len() > 8, 4);
    }

    #[test]
    #[ignore = "needs a release build"]
    fn every_only_move_that_wins_is_found_at_level_8() {
        play_only_moves(8, |_| true, usize::MAX);
    }

    #[test]
    #[ignore = "needs a release build"]
    fn every_only_move_that_wins_is_found_at_level_9() {
        play_only_moves(9, |_| true, usize::MAX);
    }

    #[test]
    #[ignore = "needs a release build"]
    fn every_only_move_that_wins_is_found_at_level_10() {
        play_only_moves(10, |_| true, usize::MAX);
    }
}
