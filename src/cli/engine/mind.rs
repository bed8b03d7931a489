//! An engine that is built in, at work on one game.

use crate::cpu::belief::{self, baseline};
use crate::cpu::dice::Dice;
use crate::cpu::{Level, Player, Seen, Thought};
use crate::game::clock::Millis;
use crate::game::{Cell, Move};
use crate::time::TimeSource;

use super::Spec;

/// A player of one game, that remembers what it has searched.
#[derive(Debug)]
pub struct Mind {
    spec: Spec,
    time: TimeSource,
    way: Way,
}

#[derive(Debug)]
enum Way {
    Random(Dice),
    /// The player, and the board it was made for.
    Search {
        level: Level,
        seed: u64,
        player: Option<Box<Player>>,
    },
}

impl Mind {
    /// A player for one game. The same seed gives the same moves, where nothing is timed.
    pub fn new(spec: Spec, seed: u64, time: TimeSource) -> Mind {
        let way = match spec.level {
            Some(level) => Way::Search { level, seed, player: None },
            None => Way::Random(Dice::new(seed)),
        };
        Mind { spec, time, way }
    }

    /// A move for what is seen, within the engine's own time and `within_ms`, whichever is less.
    pub fn choose(&mut self, seen: &Seen, within_ms: Option<Millis>) -> Thought {
        let began = self.time.now();
        let limit = [self.spec.move_ms, within_ms].into_iter().flatten().min();
        let until = limit.map(|limit_ms| began + limit_ms);
        let time = &self.time;
        let mut stop = || until.is_some_and(|until| time.now() >= until);
        match &mut self.way {
            Way::Random(dice) => anywhere(seen, dice),
            Way::Search { level, seed, player } => {
                let effort = self.spec.effort(*level, seen.size);
                if let Some(dark) = seen.dark.as_ref().filter(|_| self.spec.single) {
                    let effort = belief::Effort::full(effort.nodes);
                    // Each of its guesses is another one.
                    let seed = seed.wrapping_add(dark.attempts.len() as u64);
                    return baseline::single_sample(seen, &effort, seed, &mut stop);
                }
                let fresh = || Box::new(Player::new(*level, *seed).with_effort(effort));
                player.get_or_insert_with(fresh).choose(seen, &mut stop)
            }
        }
    }
}

/// Any of the cells that may be tried, each as likely as the others.
fn anywhere(seen: &Seen, dice: &mut Dice) -> Thought {
    let free: Vec<Cell> = seen.free_cells().collect();
    let drawn = dice.below(free.len().max(1));
    Thought::unsearched(free.get(drawn).copied().map(Move::Place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::engine::sight;
    use crate::cpu::Choice;
    use crate::game::clock::Stamp;
    use crate::game::{Game, Rules, Size};

    fn game(spec: &str, seed: u64) -> Vec<Cell> {
        let mut game = Game::new(Rules::hex(Size::new(4, 4).unwrap()), Vec::new());
        let time = TimeSource::manual(Stamp(0));
        let mut minds =
            [1, 2].map(|add| Mind::new(spec.parse().unwrap(), seed + add, time.clone()));
        let mut cells = Vec::new();
        while let Some(seat) = game.to_move() {
            let thought = minds[seat.index()].choose(&sight::seen(&game).unwrap(), None);
            let Choice::Play(action @ Move::Place(cell)) = thought.choice else {
                panic!("no move")
            };
            game.play(seat, action).unwrap();
            cells.push(cell);
        }
        cells
    }

    #[test]
    fn the_same_seed_plays_the_same_game_and_another_does_not() {
        assert_eq!(game("random", 1), game("random", 1));
        assert_ne!(game("random", 1), game("random", 4));
        assert_eq!(game("cpu:level=2,nodes=20", 1), game("cpu:level=2,nodes=20", 1));
    }
}
