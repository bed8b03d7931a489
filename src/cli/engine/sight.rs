//! What a seat may see of a game that is played without a server.
//!
//! The umpire's side: it holds the game, and hands out to each player what that player's seat
//! knows, by [`Game::known`] alone.

use crate::cpu::Seen;
use crate::cpu::seen::{Attempt, Dark};
use crate::game::{Cell, Color, Game, Kind, Move, Ply, Seat, Swap};

/// What the seat to move sees; nothing once the game is over.
pub fn seen(game: &Game) -> Option<Seen> {
    let seat = game.to_move()?;
    let rules = game.rules();
    let fresh = game.opening().is_empty() && game.setup().is_empty();
    let swap = (rules.swap() != Swap::Off && fresh).then(|| rules.swap());
    Some(Seen {
        size: rules.size(),
        goal: rules.goal(),
        color: game.color(seat),
        stones: stones(game, seat),
        may_swap: swap.filter(|_| game.may_swap()),
        may_be_swapped: swap.filter(|_| game.plies().is_empty()),
        dark: dark(game, seat),
    })
}

/// The stones that a seat knows, in row-major order.
pub fn stones(game: &Game, seat: Seat) -> Vec<(Cell, Color)> {
    let known = |cell| Some((cell, game.known(seat, cell)?));
    game.rules().size().iter().filter_map(known).collect()
}

fn dark(game: &Game, seat: Seat) -> Option<Dark> {
    let Kind::Dark(collision) = game.rules().kind() else { return None };
    let attempt = |ply: &Ply| match ply.action {
        Move::Place(cell) if ply.seat == seat => {
            Some(Attempt::Own { cell, collided: ply.collided })
        }
        Move::Place(_) => Some(Attempt::Theirs { collided: ply.collided }),
        Move::Swap => None,
    };
    Some(Dark { collision, attempts: game.plies().iter().filter_map(attempt).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Collision, Rules, Size};

    #[test]
    fn in_dark_hex_a_seat_sees_its_own_stones_and_those_it_has_run_into() {
        let size = Size::new(3, 3).unwrap();
        let mut game = Game::new(Rules::dark(size, Collision::Classical), Vec::new());
        let (middle, corner) = (Cell::new(1, 1), Cell::new(0, 0));
        game.play(Seat::One, Move::Place(middle)).unwrap();
        let blue = seen(&game).unwrap();
        assert_eq!((blue.color, blue.stones.len(), blue.hidden()), (Color::Blue, 0, 1));
        game.play(Seat::Two, Move::Place(middle)).unwrap();
        let blue = seen(&game).unwrap();
        assert_eq!(blue.stones, [(middle, Color::Red)]);
        assert_eq!(
            blue.dark.unwrap().attempts,
            [Attempt::Theirs { collided: false }, Attempt::Own { cell: middle, collided: true },]
        );
        game.play(Seat::Two, Move::Place(corner)).unwrap();
        let red = seen(&game).unwrap();
        assert_eq!(red.stones, [(middle, Color::Red)]);
        assert_eq!(red.hidden(), 1);
    }

    #[test]
    fn the_swap_is_seen_while_it_may_be_played() {
        let size = Size::new(5, 5).unwrap();
        let rules = Rules::new(size, Swap::Sides, crate::game::Goal::Join, 0).unwrap();
        let mut game = Game::new(rules, Vec::new());
        let first = seen(&game).unwrap();
        assert_eq!((first.may_swap, first.may_be_swapped), (None, Some(Swap::Sides)));
        game.play(Seat::One, Move::Place(Cell::new(2, 2))).unwrap();
        let second = seen(&game).unwrap();
        assert_eq!((second.may_swap, second.may_be_swapped), (Some(Swap::Sides), None));
        game.play(Seat::Two, Move::Swap).unwrap();
        let third = seen(&game).unwrap();
        assert_eq!((third.color, third.may_swap), (Color::Blue, None));
    }
}
