//! The games that tables play: a real one, and random ones that a seed repeats.
//!
//! Invariant: a script is legal from its first move, and its last move ends the game by a chain.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::game::cell::NotASize;
use crate::game::{Cell, Game, Goal, Move, Rules, Seat, Size, Swap};

/// A whole game: who plays what.
pub type Script = Vec<(Seat, Move)>;

/// Real games on 11x11 that were played until a chain ended them; `swap` takes over the first stone.
const REAL: [&str; 1] = [
    // Computer Olympiad 2008, Wolve against MoHex.
    "a2 swap d8 f7 f6 e7 f8 e8 d10 h6 g7 g6 g5 d6 e6 d7 e4 c5 d3 b4 b3 c3 c6 d5 b5 c4 e9 h7 g9 i8 \
     i7 j7 h8 j6 i6 j5 i5 j4 i9 h9 g11 h10 h11 j10 i10 k8 i3 k2 k1 j2 j1 i2 i1 h2 h1 g2 g1 f2 f1 \
     e2 e1 d2 i11 j11 j9 k9 k7 j8 j3 k3 d1 c2 c1 b2 a1 b1",
];

/// The board that every script is for.
pub const SIDE: u8 = 11;

/// The rules that every script is for: 11x11 with the swap of sides.
///
/// # Errors
/// None: the size is one of the rules' own.
pub fn rules() -> Result<Rules, NotASize> {
    let size = Size::new(SIDE.into(), SIDE.into())?;
    // Sides may be swapped on any board without random stones.
    Ok(Rules::new(size, Swap::Sides, Goal::Join, 0).unwrap_or(Rules::hex(size)))
}

/// So many scripts for the rules of [`rules`]: the real games first, then random ones.
///
/// # Errors
/// As for [`rules`].
pub fn scripts(count: usize, seed: u64) -> Result<Vec<Script>, NotASize> {
    let rules = rules()?;
    let mut chance = ChaCha20Rng::seed_from_u64(seed);
    let real = REAL.iter().filter_map(|text| real(rules, text));
    Ok(real.chain(std::iter::repeat_with(|| random(rules, &mut chance))).take(count).collect())
}

/// A game of random legal moves, played to its end.
pub fn random(rules: Rules, chance: &mut ChaCha20Rng) -> Script {
    let mut game = Game::new(rules, Vec::new());
    let mut script = Script::new();
    while let Some(seat) = game.to_move() {
        let legal = game.legal_moves();
        let action = legal[chance.next_u64() as usize % legal.len()];
        if game.play(seat, action).is_err() {
            break;
        }
        script.push((seat, action));
    }
    script
}

/// A recorded game, if its rules are these and it ends by a chain.
fn real(rules: Rules, text: &str) -> Option<Script> {
    let mut game = Game::new(rules, Vec::new());
    let words = text.split_ascii_whitespace();
    let script = words.map(|word| {
        let action = match word {
            "swap" => Move::Swap,
            cell => Move::Place(cell.parse::<Cell>().ok()?),
        };
        let seat = game.to_move()?;
        game.play(seat, action).ok()?;
        Some((seat, action))
    });
    let script = script.collect::<Option<Script>>()?;
    game.outcome().map(|_| script)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_real_game_is_legal_and_ends_by_a_chain() {
        for text in REAL {
            assert!(real(rules().unwrap(), text).is_some(), "{text}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_games_and_each_ends() {
        let some = scripts(8, 7).unwrap();
        assert_eq!(some, scripts(8, 7).unwrap());
        assert_ne!(some[7], scripts(8, 8).unwrap()[7]);
        for script in &some {
            let mut game = Game::new(rules().unwrap(), Vec::new());
            for &(seat, action) in script {
                game.play(seat, action).unwrap();
            }
            assert!(game.outcome().is_some());
        }
    }
}
