//! The winner found again: stones set one by one from the moves alone, and a plain search for
//! chains. Shares nothing with [`Board`](crate::game::Board), which it is there to check.

use crate::game::{Cell, Collision, Color, Game, Goal, Kind, Move, Outcome, Seat, Swap, WonBy};

use super::report::{Check, Finding};

/// A board as nested rows.
type Stones = Vec<Vec<Option<Color>>>;

/// Whether a game that has ended so could end so.
pub(super) fn check_end(game: &Game) -> Result<(), Finding> {
    let (stones, sides_swapped) = set_stones(game);
    for cell in game.rules().size().iter() {
        let (set, kept) = (stone(&stones, cell), game.board().get(cell));
        if set != kept {
            return Err(winner(format!("{set:?} on {cell}"), format!("{kept:?}")));
        }
    }
    let [red, blue] = [Color::Red, Color::Blue].map(|color| shortest(&stones, color));
    let joined = match (red, blue) {
        (Some(_), Some(_)) => return Err(winner("one colour that joins its edges", "both")),
        (Some(length), None) => Some((Color::Red, length)),
        (None, Some(length)) => Some((Color::Blue, length)),
        (None, None) if stones.iter().flatten().all(Option::is_some) => {
            return Err(winner("one colour that joins its edges on a full board", "none"));
        }
        (None, None) => None,
    };
    let by_chain = joined.map(|(color, _)| {
        let mover = if (color == Color::Red) == sides_swapped { Seat::Two } else { Seat::One };
        let winner = if game.rules().goal() == Goal::Join { mover } else { mover.other() };
        Outcome::Won { winner, by: WonBy::Chain }
    });
    let ended = game.outcome();
    let is_chain = matches!(ended, Some(Outcome::Won { by: WonBy::Chain, .. }));
    match (by_chain, joined) {
        (Some(_), Some((color, length))) if by_chain == ended => {
            check_path(&stones, color, length, &game.winning_path().unwrap_or_default())
        }
        (Some(outcome), _) => Err(winner(format!("{outcome:?}"), format!("{ended:?}"))),
        (None, _) if is_chain => Err(winner("an end that is no chain", format!("{ended:?}"))),
        (None, _) => Ok(()),
    }
}

/// Whether the path is a chain of the colour between its edges, and a shortest one.
fn check_path(stones: &Stones, color: Color, length: usize, path: &[Cell]) -> Result<(), Finding> {
    let along = |cell: &Cell| usize::from(if color == Color::Red { cell.row } else { cell.col });
    let last = if color == Color::Red { stones.len() - 1 } else { stones[0].len() - 1 };
    let is_chain = path.first().is_some_and(|cell| along(cell) == 0)
        && path.last().is_some_and(|cell| along(cell) == last)
        && path.iter().all(|&cell| stone(stones, cell) == Some(color))
        && path.windows(2).all(|pair| neighbours(stones, pair[0]).contains(&pair[1]));
    let shown = || path.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ");
    if !is_chain {
        return Err(winner(format!("a winning path of {color} from edge to edge"), shown()));
    }
    if path.len() != length {
        return Err(winner(format!("a winning path of {length} stones"), shown()));
    }
    Ok(())
}

/// The stones that the opening and the moves lead to, and whether sides were swapped.
fn set_stones(game: &Game) -> (Stones, bool) {
    let size = game.rules().size();
    let mut stones = vec![vec![None; size.cols().into()]; size.rows().into()];
    let colors = [Color::Red, Color::Blue];
    for (&cell, color) in game.opening().iter().zip(colors.into_iter().cycle()) {
        set(&mut stones, cell, Some(color));
    }
    let mut sides_swapped = false;
    let mut first = None;
    let mut mover = Color::Red;
    for ply in game.plies() {
        match (ply.action, game.rules().swap()) {
            // Only in the dark is a stone tried at where another stands: it stays as it is.
            (Move::Place(cell), _) if stone(&stones, cell).is_some() => {
                if game.rules().kind() == Kind::Dark(Collision::Classical) {
                    continue;
                }
            }
            (Move::Place(cell), _) => {
                set(&mut stones, cell, Some(if sides_swapped { mover.other() } else { mover }));
                first.get_or_insert(cell);
            }
            (Move::Swap, Swap::Pieces) => {
                if let Some(cell) = first {
                    set(&mut stones, cell, None);
                    set(&mut stones, cell.mirrored(), Some(Color::Blue));
                }
            }
            (Move::Swap, _) => sides_swapped = true,
        }
        mover = mover.other();
    }
    (stones, sides_swapped)
}

fn set(stones: &mut Stones, cell: Cell, color: Option<Color>) {
    stones[usize::from(cell.row)][usize::from(cell.col)] = color;
}

/// How many stones a shortest chain of the colour between its edges has, if there is one: found
/// ring by ring from its first edge.
fn shortest(stones: &Stones, color: Color) -> Option<usize> {
    let (rows, cols) = (stones.len() as u8, stones[0].len() as u8);
    let mut seen = vec![vec![false; cols.into()]; rows.into()];
    let mut ring: Vec<Cell> = match color {
        Color::Red => (0..cols).map(|col| Cell::new(0, col)).collect(),
        Color::Blue => (0..rows).map(|row| Cell::new(row, 0)).collect(),
    };
    for length in 1.. {
        ring.retain(|&cell| {
            let seen = &mut seen[usize::from(cell.row)][usize::from(cell.col)];
            stone(stones, cell) == Some(color) && !std::mem::replace(seen, true)
        });
        let arrived = |cell: &Cell| match color {
            Color::Red => cell.row + 1 == rows,
            Color::Blue => cell.col + 1 == cols,
        };
        if ring.iter().any(arrived) {
            return Some(length);
        }
        if ring.is_empty() {
            return None;
        }
        ring = ring.iter().flat_map(|&cell| neighbours(stones, cell)).collect();
    }
    None
}

fn neighbours(stones: &Stones, cell: Cell) -> Vec<Cell> {
    let (row, col) = (i16::from(cell.row), i16::from(cell.col));
    let around = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)];
    around
        .into_iter()
        .filter_map(|(down, right)| {
            let row = u8::try_from(row + down).ok()?;
            let col = u8::try_from(col + right).ok()?;
            let on_board = usize::from(row) < stones.len() && usize::from(col) < stones[0].len();
            on_board.then_some(Cell::new(row, col))
        })
        .collect()
}

fn stone(stones: &Stones, cell: Cell) -> Option<Color> {
    *stones.get(usize::from(cell.row))?.get(usize::from(cell.col))?
}

fn winner(expected: impl Into<String>, found: impl Into<String>) -> Finding {
    Finding { check: Check::Winner, expected: expected.into(), found: found.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Rules, Size};
    use proptest::prelude::*;

    /// A game played to its end, each move chosen by the next number.
    fn played(rules: Rules, choices: &[usize]) -> Game {
        let mut game = Game::new(rules, Vec::new());
        for choice in choices.iter().cycle() {
            let Some(seat) = game.to_move() else { break };
            let moves = game.legal_moves();
            game.play(seat, moves[choice % moves.len()]).unwrap();
        }
        game
    }

    proptest! {
        #[test]
        fn the_plain_search_agrees_with_the_board_on_who_has_won(
            rows in 1..=8u64,
            cols in 1..=8u64,
            swap in prop::sample::select(vec![Swap::Off, Swap::Sides, Swap::Pieces]),
            goal in prop::sample::select(vec![Goal::Join, Goal::Avoid]),
            choices in prop::collection::vec(0..1_000usize, 1..70),
        ) {
            let cols = if swap == Swap::Pieces { rows } else { cols };
            let size = Size::new(rows, cols).unwrap();
            let game = played(Rules::new(size, swap, goal, 0).unwrap(), &choices);
            prop_assert_eq!(check_end(&game), Ok(()));
            for collision in [Collision::Classical, Collision::Abrupt] {
                let game = played(Rules::dark(size, collision), &choices);
                prop_assert_eq!(check_end(&game), Ok(()));
            }
        }
    }

    #[test]
    fn a_path_that_is_cut_turned_or_too_long_is_refused() {
        let size = Size::new(3, 3).unwrap();
        let cells = |text: &str| -> Vec<Cell> {
            text.split(' ').map(|cell| cell.parse().unwrap()).collect()
        };
        let mut game = Game::new(Rules::hex(size), Vec::new());
        for (cell, seat) in
            cells("b1 c1 a2 c2 b2 c3 b3").into_iter().zip(Seat::BOTH.into_iter().cycle())
        {
            game.play(seat, Move::Place(cell)).unwrap();
        }
        let (stones, _) = set_stones(&game);
        let check = |path: &str| check_path(&stones, Color::Red, 3, &cells(path));
        assert_eq!(check("b1 b2 b3"), Ok(()));
        for path in ["b1 b2", "b2 b3", "b1 b3", "b3 b2 b1", "b1 a2 b2 b3", "c1 c2 c3"] {
            assert!(check(path).is_err(), "{path}");
        }
    }
}
