//! A referee for tests: plays a real game between two seats of which each is shown its own view.
//!
//! Only tests may hold a game's state; the search never does.

use crate::cpu::Seen;
use crate::cpu::choose::Choice;
use crate::cpu::seen::{Attempt, Dark};
use crate::game::{Collision, Game, Goal, Move, Rules, Seat, Size};

/// What a seat sees of the game.
pub fn seen(game: &Game, seat: Seat, collision: Collision) -> Seen {
    let size = game.rules().size();
    let stone = |cell| Some((cell, game.known(seat, cell)?));
    let attempt = |ply: &crate::game::Ply| match ply.action {
        Move::Place(cell) if ply.seat == seat => {
            Some(Attempt::Own { cell, collided: ply.collided })
        }
        Move::Place(_) => Some(Attempt::Theirs { collided: ply.collided }),
        Move::Swap => None,
    };
    Seen {
        size,
        goal: Goal::Join,
        color: game.color(seat),
        stones: size.iter().filter_map(stone).collect(),
        may_swap: None,
        may_be_swapped: None,
        dark: Some(Dark { collision, attempts: game.plies().iter().filter_map(attempt).collect() }),
    }
}

/// Given its view and the number of attempts so far, says what to do.
pub type Player<'a> = &'a mut dyn FnMut(&Seen, u64) -> Choice;

/// Plays a game to its end.
pub fn play(size: Size, collision: Collision, players: [Player<'_>; 2]) -> Game {
    let mut game = Game::new(Rules::dark(size, collision), Vec::new());
    while let Some(seat) = game.to_move() {
        let view = seen(&game, seat, collision);
        let number = game.plies().len() as u64;
        let Choice::Play(action) = players[seat.index()](&view, number) else { break };
        assert!(view.allows(action), "{action:?} is not allowed by the view {view:?}");
        game.play(seat, action).unwrap();
    }
    game
}
