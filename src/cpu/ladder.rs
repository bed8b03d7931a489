//! How strong the computer is, in short matches. All draws follow from seeds, so that a match ends
//! the same way every time, as long as nothing is changed in how the computer plays; each bar lies
//! far below what longer matches gave.

use super::{Choice, Level, Player, Seen};
use crate::game::{Board, Color, Goal, Move, Size};

/// A stone each, after which neither side is known to be ahead, on 11x11.
const BALANCED: [&str; 12] = [
    "a2 d10", "a2 f9", "k3 h9", "d2 h2", "d2 f10", "b2 f9", "d1 i6", "g2 h6", "e1 i7", "f1 d11",
    "a3 e7", "i2 d6",
];

/// Plays a game on 11x11 from one of the balanced openings, at these levels for red and for blue.
fn winner(opening: usize, levels: [u64; 2], seed: u64) -> Color {
    let size = Size::new(11, 11).unwrap();
    let mut board = Board::new(size);
    let stones = BALANCED[opening].split(' ').zip([Color::Red, Color::Blue]);
    for (cell, color) in stones {
        board.place(cell.parse().unwrap(), color);
    }
    let mut players =
        [0, 1].map(|at| Player::new(Level::new(levels[at]).unwrap(), seed + at as u64));
    let mut color = Color::Red;
    loop {
        let stones = size.iter().filter_map(|cell| Some((cell, board.get(cell)?))).collect();
        let goal = Goal::Join;
        let seen =
            Seen { size, goal, color, stones, may_swap: None, may_be_swapped: None, dark: None };
        let choice = players[color.index()].choose(&seen, &mut || false).choice;
        let Choice::Play(Move::Place(cell)) = choice else { panic!("{choice:?} is no placement") };
        if board.place(cell, color) {
            return color;
        }
        color = color.other();
    }
}

/// How many games the first level wins against the second from so many openings, each with both
/// colours.
fn won(level: u64, against: u64, openings: usize) -> usize {
    let games = (0..openings).flat_map(|opening| [(opening, false), (opening, true)]);
    let wins = games.filter(|&(opening, turned)| {
        let levels = if turned { [against, level] } else { [level, against] };
        let own = if turned { Color::Blue } else { Color::Red };
        winner(opening, levels, 2 * opening as u64 + u64::from(turned)) == own
    });
    wins.count()
}

#[test]
#[ignore = "needs a release build"]
fn level_3_wins_three_games_of_four_against_level_1() {
    assert!(won(3, 1, 12) >= 18);
}

#[test]
#[ignore = "needs a release build"]
fn level_5_wins_three_games_of_four_against_level_3() {
    assert!(won(5, 3, 12) >= 18);
}

#[test]
#[ignore = "needs a release build"]
fn level_7_wins_three_games_of_four_against_level_5() {
    assert!(won(7, 5, 12) >= 18);
}
