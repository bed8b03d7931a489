//! One game of a match, held to the rules and to its time.

use super::contestant::{Contestant, Fault, Playing};
use crate::cpu::Choice;
use crate::game::clock::Millis;
use crate::game::{Cell, Game, Illegal, Move, Outcome, Rules, Seat, WonBy};
use crate::time::TimeSource;

/// What all games of a match have in common.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// The rules.
    pub rules: Rules,
    /// How long a move may take.
    pub move_ms: Option<Millis>,
    /// How much more is tolerated.
    pub slack_ms: Millis,
}

/// A game that is over.
#[derive(Debug)]
pub struct Played {
    /// The game.
    pub game: Game,
    /// Who won it.
    pub winner: Seat,
    /// Why, if not by a chain or by resignation.
    pub fault: Option<String>,
    /// How long each seat thought, in all.
    pub thought_ms: [Millis; 2],
}

/// Plays a game from an opening; the contestants are those of seat 1 and seat 2.
pub fn play(
    terms: &Terms,
    opening: &[Cell],
    seats: [&Contestant; 2],
    seeds: [u64; 2],
    time: &TimeSource,
) -> Result<Played, Illegal> {
    let mut game = Game::new(terms.rules, Vec::new());
    for &cell in opening {
        let seat = game.to_move().ok_or(Illegal::GameOver)?;
        game.play(seat, Move::Place(cell))?;
    }
    let mut thought_ms = [0; 2];
    let begun = [Seat::One, Seat::Two].map(|seat| {
        let (contestant, seed) = (seats[seat.index()], seeds[seat.index()]);
        Playing::begin(contestant, &terms.rules, terms.move_ms, seed, time)
    });
    let fault = match begun {
        [Ok(one), Ok(two)] => play_on(terms, &mut game, [one, two], &mut thought_ms, time),
        [Err(fault), _] => Some((Seat::One, fault)),
        [_, Err(fault)] => Some((Seat::Two, fault)),
    };
    if let Some((seat, fault)) = &fault {
        let by = if matches!(fault, Fault::Time { .. }) { WonBy::Time } else { WonBy::Forfeit };
        game.end(Outcome::Won { winner: seat.other(), by })?;
    }
    let winner = game.outcome().and_then(Outcome::winner).ok_or(Illegal::GameOver)?;
    let fault = fault.map(|(_, fault)| fault.to_string());
    Ok(Played { game, winner, fault, thought_ms })
}

/// Plays until the game is over, or until a seat is at fault.
fn play_on(
    terms: &Terms,
    game: &mut Game,
    mut seats: [Playing; 2],
    thought_ms: &mut [Millis; 2],
    time: &TimeSource,
) -> Option<(Seat, Fault)> {
    let limit_ms = terms.move_ms.map(|move_ms| move_ms.saturating_add(terms.slack_ms));
    while let Some(seat) = game.to_move() {
        let began = time.now();
        let chosen = seats[seat.index()].choose(game, limit_ms, terms.move_ms);
        let took_ms = time.now() - began;
        thought_ms[seat.index()] += took_ms;
        let choice = match chosen {
            Ok(choice) => choice,
            Err(fault) => return Some((seat, fault)),
        };
        if let Some(limit_ms) = limit_ms.filter(|&limit_ms| took_ms > limit_ms) {
            return Some((seat, Fault::Time { took_ms, limit_ms }));
        }
        let done = match choice {
            Choice::Play(action) => game.play(seat, action),
            Choice::Resign => {
                game.end(Outcome::Won { winner: seat.other(), by: WonBy::Resignation })
            }
        };
        if let Err(why) = done {
            return Some((seat, Fault::Illegal(why.to_string())));
        }
    }
    None
}
