//! The rules against plain restatements of them: a flood fill, a breadth-first search, and what
//! each swap and each takeback must leave.

use std::collections::{BTreeSet, VecDeque};

use hexhall::game::{
    Board, Cell, Color, Game, Goal, Illegal, Move, Outcome, Rules, Seat, Size, Swap, WonBy,
};
use proptest::prelude::*;

fn sizes(longest: u64) -> impl Strategy<Value = Size> {
    (1..=longest, 1..=longest).prop_map(|(rows, cols)| Size::new(rows, cols).unwrap())
}

fn square_sizes() -> impl Strategy<Value = Size> {
    (2u64..=9).prop_map(|side| Size::new(side, side).unwrap())
}

/// A size, and all of its cells in some order.
fn boards(longest: u64) -> impl Strategy<Value = (Size, Vec<Cell>)> {
    sizes(longest)
        .prop_flat_map(|size| (Just(size), Just(size.iter().collect::<Vec<_>>()).prop_shuffle()))
}

/// The neighbours of a cell, written out again.
fn around(size: Size, cell: Cell) -> Vec<Cell> {
    let (row, col) = (i16::from(cell.row), i16::from(cell.col));
    [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)]
        .into_iter()
        .map(|(down, right)| (row + down, col + right))
        .filter(|&(row, col)| {
            (0..i16::from(size.rows())).contains(&row) && (0..i16::from(size.cols())).contains(&col)
        })
        .map(|(row, col)| Cell::new(row as u8, col as u8))
        .collect()
}

fn starts_at(color: Color, cell: Cell) -> bool {
    match color {
        Color::Red => cell.row == 0,
        Color::Blue => cell.col == 0,
    }
}

fn ends_at(size: Size, color: Color, cell: Cell) -> bool {
    match color {
        Color::Red => cell.row == size.rows() - 1,
        Color::Blue => cell.col == size.cols() - 1,
    }
}

/// Whether the stones of a colour join its edges, by filling from its near edge.
fn floods(board: &Board, color: Color) -> bool {
    let size = board.size();
    let mut seen = BTreeSet::new();
    let mut open: Vec<Cell> = size
        .iter()
        .filter(|&cell| board.get(cell) == Some(color) && starts_at(color, cell))
        .collect();
    while let Some(cell) = open.pop() {
        if seen.insert(cell) {
            let next = around(size, cell);
            open.extend(next.into_iter().filter(|&cell| board.get(cell) == Some(color)));
        }
    }
    seen.into_iter().any(|cell| ends_at(size, color, cell))
}

/// The fewest stones of a chain that joins a colour's edges: a search from each starting cell by
/// itself.
fn shortest(board: &Board, color: Color) -> Option<usize> {
    let size = board.size();
    let stone = |&cell: &Cell| board.get(cell) == Some(color);
    let search = |start: Cell| {
        let mut seen = BTreeSet::from([start]);
        let mut queue = VecDeque::from([(start, 1)]);
        while let Some((cell, length)) = queue.pop_front() {
            if ends_at(size, color, cell) {
                return Some(length);
            }
            for next in around(size, cell).into_iter().filter(stone) {
                if seen.insert(next) {
                    queue.push_back((next, length + 1));
                }
            }
        }
        None
    };
    size.iter().filter(|&cell| starts_at(color, cell)).filter(stone).filter_map(search).min()
}

fn check_path(board: &Board, color: Color) -> Result<(), TestCaseError> {
    let path = board.winning_path(color);
    prop_assert_eq!(path.as_ref().map(Vec::len), shortest(board, color));
    let Some(path) = path else { return Ok(()) };
    prop_assert!(starts_at(color, path[0]));
    prop_assert!(ends_at(board.size(), color, path[path.len() - 1]));
    prop_assert!(path.iter().all(|&cell| board.get(cell) == Some(color)));
    for pair in path.windows(2) {
        prop_assert!(around(board.size(), pair[0]).contains(&pair[1]));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_win_is_seen_with_the_stone_that_a_flood_fill_sees_it_with(
        (size, order) in boards(11),
        colors in prop::collection::vec(any::<bool>(), 121),
    ) {
        let mut board = Board::new(size);
        let mut joined = [false; 2];
        for (cell, red) in order.into_iter().zip(colors) {
            let color = if red { Color::Red } else { Color::Blue };
            let would_join = board.would_join(cell, color);
            let joins = board.place(cell, color);
            prop_assert_eq!(would_join, joins);
            joined[color.index()] |= joins;
            prop_assert_eq!(joined, [Color::Red, Color::Blue].map(|color| floods(&board, color)));
        }
    }

    #[test]
    fn a_full_board_has_exactly_one_winner(
        (size, order) in boards(11),
        colors in prop::collection::vec(any::<bool>(), 121),
    ) {
        let mut board = Board::new(size);
        for (cell, red) in order.into_iter().zip(colors) {
            board.place(cell, if red { Color::Red } else { Color::Blue });
        }
        prop_assert!(board.is_full());
        let winners = [Color::Red, Color::Blue].map(|color| floods(&board, color));
        prop_assert!(winners[0] != winners[1]);
        check_path(&board, Color::Red)?;
        check_path(&board, Color::Blue)?;
    }

    #[test]
    fn a_played_game_ends_with_the_first_chain_and_its_shortest_path(
        (size, order) in boards(9),
        rex in any::<bool>(),
    ) {
        let goal = if rex { Goal::Avoid } else { Goal::Join };
        let mut game = Game::new(Rules::new(size, Swap::Off, goal, 0).unwrap(), Vec::new());
        for cell in order {
            let Some(seat) = game.to_move() else { break };
            prop_assert_eq!(seat.index(), game.plies().len() % 2);
            game.play(seat, Move::Place(cell)).unwrap();
            let joined = [Color::Red, Color::Blue].into_iter().find(|&c| floods(game.board(), c));
            let winner = joined.map(|color| match goal {
                Goal::Join => game.seat(color),
                Goal::Avoid => game.seat(color).other(),
            });
            let outcome = winner.map(|winner| Outcome::Won { winner, by: WonBy::Chain });
            prop_assert_eq!(game.outcome(), outcome);
            let length = joined.and_then(|color| shortest(game.board(), color));
            prop_assert_eq!(game.winning_path().map(|path| path.len()), length);
        }
        prop_assert!(game.outcome().is_some());
    }

    #[test]
    fn a_swap_of_sides_leaves_the_stone_and_exchanges_colours(
        size in sizes(9),
        pick in any::<prop::sample::Index>(),
    ) {
        prop_assume!(size.rows() > 1 && size.cols() > 1);
        let first = size.cell(pick.index(size.cells()));
        let mut game = Game::new(Rules::new(size, Swap::Sides, Goal::Join, 0).unwrap(), vec![]);
        game.play(Seat::One, Move::Place(first)).unwrap();
        prop_assert!(game.may_swap());
        game.play(Seat::Two, Move::Swap).unwrap();
        prop_assert_eq!(game.board().stones().collect::<Vec<_>>(), [(first, Color::Red)]);
        prop_assert_eq!(game.color(Seat::Two), Color::Red);
        prop_assert_eq!(game.to_move(), Some(Seat::One));
        prop_assert!(!game.may_swap());
        let next = game.board().empty_cells().next().unwrap();
        game.play(Seat::One, Move::Place(next)).unwrap();
        prop_assert_eq!(game.board().get(next), Some(Color::Blue));
    }

    #[test]
    fn a_swap_of_pieces_mirrors_the_stone_and_keeps_colours(
        size in square_sizes(),
        pick in any::<prop::sample::Index>(),
    ) {
        let first = size.cell(pick.index(size.cells()));
        let mut game = Game::new(Rules::new(size, Swap::Pieces, Goal::Join, 0).unwrap(), vec![]);
        game.play(Seat::One, Move::Place(first)).unwrap();
        game.play(Seat::Two, Move::Swap).unwrap();
        let mirror = Cell::new(first.col, first.row);
        prop_assert_eq!(game.board().stones().collect::<Vec<_>>(), [(mirror, Color::Blue)]);
        prop_assert_eq!(game.color(Seat::One), Color::Red);
        prop_assert_eq!(game.to_move(), Some(Seat::One));
    }

    #[test]
    fn a_takeback_returns_to_the_position_as_it_was(
        size in square_sizes(),
        swap in 0usize..3,
        picks in prop::collection::vec(any::<prop::sample::Index>(), 1..40),
        to in any::<prop::sample::Index>(),
    ) {
        let swap = [Swap::Off, Swap::Sides, Swap::Pieces][swap];
        let mut game = Game::new(Rules::new(size, swap, Goal::Join, 0).unwrap(), vec![]);
        let mut positions = vec![game.clone()];
        for pick in picks {
            let legal = game.legal_moves();
            let Some(seat) = game.to_move() else { break };
            let swap = legal.iter().position(|&action| action == Move::Swap);
            let action = legal[swap.unwrap_or_else(|| pick.index(legal.len()))];
            game.play(seat, action).unwrap();
            positions.push(game.clone());
        }
        let to = to.index(positions.len());
        let taken_back = game.take_back_to(to);
        if positions[positions.len() - 1].outcome().is_some() {
            prop_assert_eq!(taken_back, Err(Illegal::GameOver));
            prop_assert_eq!(&game, &positions[positions.len() - 1]);
        } else {
            prop_assert_eq!(taken_back, Ok(()));
            prop_assert_eq!(&game, &positions[to]);
        }
    }

    #[test]
    fn a_refused_move_changes_nothing(
        (size, order) in boards(5),
        row in 0u8..8,
        col in 0u8..8,
        seat_two in any::<bool>(),
        played in 0usize..25,
    ) {
        let mut game = Game::new(Rules::hex(size), vec![]);
        for cell in order.into_iter().take(played) {
            let Some(seat) = game.to_move() else { break };
            game.play(seat, Move::Place(cell)).unwrap();
        }
        let seat = if seat_two { Seat::Two } else { Seat::One };
        for action in [Move::Place(Cell::new(row, col)), Move::Swap] {
            let mut next = game.clone();
            match next.play(seat, action) {
                Err(reason) => {
                    prop_assert_eq!(game.check(seat, action), Err(reason));
                    prop_assert_eq!(&next, &game);
                }
                Ok(()) => prop_assert!(game.legal_moves().contains(&action)),
            }
        }
    }
}

#[test]
fn stones_that_were_set_up_leave_nothing_to_swap_and_survive_a_takeback() {
    let size = Size::new(3, 3).unwrap();
    let stones = vec![(Color::Blue, Cell::new(1, 1)), (Color::Blue, Cell::new(1, 0))];
    let swap = Rules::new(size, Swap::Sides, Goal::Join, 0).unwrap();
    assert!(Game::with_setup(swap, stones.clone()).is_err());
    let mut game = Game::with_setup(Rules::hex(size), stones.clone()).unwrap();
    let start = game.clone();
    game.play(Seat::One, Move::Place(Cell::new(0, 0))).unwrap();
    game.take_back_to(0).unwrap();
    assert_eq!(game, start);
    let joined = [stones.clone(), vec![(Color::Blue, Cell::new(1, 2))]].concat();
    let ended = Game::with_setup(Rules::hex(size), joined).unwrap();
    assert_eq!(ended.outcome().and_then(Outcome::winner), Some(Seat::Two));
    let twice = [stones.clone(), stones].concat();
    assert!(Game::with_setup(Rules::hex(size), twice).is_err());
}
