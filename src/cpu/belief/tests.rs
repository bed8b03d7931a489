use crate::cpu::Seen;
use crate::cpu::choose::{Choice, Thought};
use crate::cpu::dice::Dice;
use crate::cpu::seen::{Attempt, Dark};
use crate::game::{Cell, Collision, Color, Game, Goal, Move, Rules, Seat, Size};

use super::facts::Facts;
use super::{Effort, Knowledge, baseline, choose, sample, sure, umpire};

const BOTH: [Collision; 2] = [Collision::Classical, Collision::Abrupt];

fn size(rows: u64, cols: u64) -> Size {
    Size::new(rows, cols).unwrap()
}

fn quick(seen: &Seen, seed: u64) -> Thought {
    let effort = Effort { samples: 12, sure: 200, ..Effort::full(20) };
    choose(seen, &effort, seed, &mut || false)
}

/// What a seat sees before its first move.
fn start(size: Size, collision: Collision, seat: Seat) -> Seen {
    let (color, attempts) = match seat {
        Seat::One => (Color::Red, Vec::new()),
        Seat::Two => (Color::Blue, vec![Attempt::Theirs { collided: false }]),
    };
    Seen {
        size,
        goal: Goal::Join,
        color,
        stones: Vec::new(),
        may_swap: None,
        may_be_swapped: None,
        dark: Some(Dark { collision, attempts }),
    }
}

/// A game between players that try any cell they may, stopped after so many attempts.
fn random_game(size: Size, collision: Collision, attempts: usize, seed: u64) -> Game {
    let mut dice = Dice::new(seed);
    let mut game = Game::new(Rules::dark(size, collision), Vec::new());
    for _ in 0..attempts {
        let Some(seat) = game.to_move() else { break };
        let moves = game.legal_moves();
        let action = moves[dice.below(moves.len())];
        if game.outcome_of(seat, action).is_some() {
            break;
        }
        game.play(seat, action).unwrap();
    }
    game
}

#[test]
fn whole_games_on_boards_of_all_shapes_are_played_by_what_the_view_allows() {
    for (rows, cols) in [(1, 1), (1, 7), (7, 1), (2, 2), (3, 5), (6, 4), (5, 5)] {
        for collision in BOTH {
            let mut one = |seen: &Seen, number| quick(seen, number).choice;
            let mut two = |seen: &Seen, number| baseline::random(seen, number).choice;
            assert!(
                umpire::play(size(rows, cols), collision, [&mut one, &mut two]).outcome().is_some()
            );
            assert!(
                umpire::play(size(rows, cols), collision, [&mut two, &mut one]).outcome().is_some()
            );
        }
    }
}

#[test]
fn the_largest_board_gets_a_move_at_any_time_of_the_game() {
    for collision in BOTH {
        let game = random_game(size(53, 53), collision, 240, 1);
        let seen = umpire::seen(&game, game.to_move().unwrap(), collision);
        let effort = Effort { samples: 2, sure: 2, ..Effort::full(2) };
        let thought = choose(&seen, &effort, 1, &mut || false);
        assert!(matches!(thought.choice, Choice::Play(action) if seen.allows(action)));
    }
}

#[test]
fn whoever_is_told_to_stop_at_once_still_has_a_move() {
    let game = random_game(size(7, 7), Collision::Classical, 20, 3);
    let seen = umpire::seen(&game, game.to_move().unwrap(), Collision::Classical);
    let thought = choose(&seen, &Effort::full(1_000_000), 1, &mut || true);
    assert!(matches!(thought.choice, Choice::Play(action) if seen.allows(action)));
}

#[test]
fn the_same_seed_gives_the_same_thought() {
    let game = random_game(size(6, 6), Collision::Abrupt, 14, 5);
    let seen = umpire::seen(&game, game.to_move().unwrap(), Collision::Abrupt);
    assert_eq!(quick(&seen, 9), quick(&seen, 9));
}

#[test]
fn games_that_look_the_same_to_a_seat_get_the_same_move() {
    // Blue's stone is at a different place; red cannot know.
    let game = |blue: Cell| {
        let mut game = Game::new(Rules::dark(size(5, 5), Collision::Classical), Vec::new());
        game.play(Seat::One, Move::Place(Cell::new(2, 2))).unwrap();
        game.play(Seat::Two, Move::Place(blue)).unwrap();
        umpire::seen(&game, Seat::One, Collision::Classical)
    };
    for seed in 0..5 {
        let (one, other) = (game(Cell::new(0, 0)), game(Cell::new(3, 1)));
        assert_eq!(quick(&one, seed), quick(&other, seed));
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(60))]

    #[test]
    fn samples_agree_with_everything_that_was_seen(
        rows in 1u64..7, cols in 1u64..7, attempts in 0usize..40, abrupt: bool,
        weighted: bool, seed: u64,
    ) {
        let collision = if abrupt { Collision::Abrupt } else { Collision::Classical };
        let game = random_game(size(rows, cols), collision, attempts, seed);
        let seat = game.to_move().unwrap();
        let facts = Facts::of(&umpire::seen(&game, seat, collision));
        let mut dice = Dice::new(seed);
        let worlds = sample::samples(&facts, 8, weighted, &mut dice, &mut || false);
        proptest::prop_assert!(!worlds.is_empty());
        let built = sample::build(&facts, &mut dice);
        for world in worlds.iter().chain([&built]) {
            proptest::prop_assert!(facts.agrees(world), "{:?}\n{:?}", facts, world);
        }
    }
}

fn winners(rows: u64, cols: u64, collision: Collision, seat: Seat) -> Vec<String> {
    let seen = start(size(rows, cols), collision, seat);
    let winners = sure::winners(&seen, usize::MAX).unwrap();
    winners.iter().map(Cell::to_string).collect()
}

#[test]
fn the_sure_winners_of_the_smallest_boards_are_found() {
    let classical = |rows, cols, seat| winners(rows, cols, Collision::Classical, seat);
    assert_eq!(classical(2, 2, Seat::One), ["b1", "a2"]);
    assert_eq!(classical(3, 3, Seat::One), ["c1", "a3"]);
    for (rows, cols, seat) in
        [(2, 3, Seat::One), (2, 4, Seat::One), (3, 2, Seat::Two), (4, 2, Seat::Two)]
    {
        assert_ne!(classical(rows, cols, seat), [""; 0], "{rows}x{cols}");
    }
    for (rows, cols, seat) in
        [(2, 2, Seat::Two), (3, 3, Seat::Two), (3, 2, Seat::One), (4, 2, Seat::One)]
    {
        assert_eq!(classical(rows, cols, seat), [""; 0], "{rows}x{cols}");
    }
}

#[test]
#[ignore = "needs a release build"]
fn the_sure_winners_of_boards_of_up_to_fifteen_cells_are_found() {
    let classical = |rows, cols, seat| winners(rows, cols, Collision::Classical, seat);
    assert_ne!(classical(3, 4, Seat::One), [""; 0]);
    assert_eq!(classical(3, 5, Seat::One).len(), 15);
    for (rows, cols) in [(4, 3), (5, 3)] {
        for seat in Seat::BOTH {
            assert_eq!(classical(rows, cols, seat), [""; 0], "{rows}x{cols}");
        }
    }
}

#[test]
fn nobody_wins_for_sure_where_collisions_cost_the_turn() {
    for (rows, cols) in [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)] {
        for seat in Seat::BOTH {
            let winners = winners(rows, cols, Collision::Abrupt, seat);
            assert_eq!(winners, [""; 0], "{rows}x{cols}");
        }
    }
}

#[test]
fn a_sure_win_is_played_to_its_end_against_anybody() {
    // Red begins on 3x3 and wins every game, wherever blue goes.
    for seed in 0..20 {
        let effort = Effort { sure: 20_000, ..Effort::full(1) };
        let mut sure = |seen: &Seen, seed| choose(seen, &effort, seed, &mut || false).choice;
        let mut blue = |seen: &Seen, number| baseline::random(seen, seed * 100 + number).choice;
        let game = umpire::play(size(3, 3), Collision::Classical, [&mut sure, &mut blue]);
        assert_eq!(game.outcome().unwrap().winner(), Some(Seat::One));
    }
}

#[test]
fn a_bridge_is_a_sure_win_against_one_hidden_stone_and_not_against_two() {
    // Red has b2 on 3x3, and a bridge to either edge; blue's stones are hidden.
    let seen = |hidden: usize, own: &[Cell]| {
        let mut seen = start(size(3, 3), Collision::Classical, Seat::One);
        seen.stones = own.iter().map(|&cell| (cell, Color::Red)).collect();
        let dark = seen.dark.as_mut().unwrap();
        dark.attempts = own.iter().map(|&cell| Attempt::Own { cell, collided: false }).collect();
        dark.attempts.extend(std::iter::repeat_n(Attempt::Theirs { collided: false }, hidden));
        Facts::of(&seen)
    };
    let (top, middle) = (Cell::new(0, 1), Cell::new(1, 1));
    let found = |facts| sure::winning_try(&facts, 10_000, &mut || false);
    assert!(found(seen(1, &[top, middle])).is_some());
    assert_eq!(found(seen(2, &[top, middle])), None);
    assert_eq!(found(seen(1, &[middle])), None);
    let stopped = sure::winning_try(&seen(1, &[top, middle]), 10_000, &mut || true);
    assert_eq!(stopped, None);
}

/// How many of so many games the search wins against another player, each seat in turn. All draws
/// follow from the number of the game: the same games come of it every time.
fn won(
    side: u64,
    collision: Collision,
    games: u64,
    other: &dyn Fn(&Seen, u64) -> Thought,
) -> usize {
    let effort = Effort::full(1_000);
    let wins = (0..games).filter(|game| {
        let seed = |number: u64| game * 1_000 + number;
        let mut own =
            |seen: &Seen, number| choose(seen, &effort, seed(number), &mut || false).choice;
        let mut theirs = |seen: &Seen, number| other(seen, seed(number)).choice;
        let size = size(side, side);
        let (game, seat) = if game % 2 == 0 {
            (umpire::play(size, collision, [&mut own, &mut theirs]), Seat::One)
        } else {
            (umpire::play(size, collision, [&mut theirs, &mut own]), Seat::Two)
        };
        game.outcome().unwrap().winner() == Some(seat)
    });
    wins.count()
}

#[test]
#[ignore = "needs a release build"]
fn nine_games_of_ten_are_won_against_random_cells() {
    for (side, collision) in [4, 5].into_iter().flat_map(|side| BOTH.map(|of| (side, of))) {
        let won = won(side, collision, 40, &|seen, seed| baseline::random(seen, seed));
        assert!(won >= 36, "{won} of 40 on {side}x{side}, {collision:?}");
    }
}

/// The search of one world that agrees with the view, with as many playouts, wins no more than 35 %.
fn beats_a_single_sample(side: u64) {
    let knowledge = Knowledge { weighted: false, ..Knowledge::FULL };
    let effort = Effort { knowledge, ..Effort::full(1_000) };
    let single = |seen: &Seen, seed| baseline::single_sample(seen, &effort, seed, &mut || false);
    for collision in BOTH {
        let won = won(side, collision, 80, &single);
        assert!(won >= 52, "{won} of 80 on {side}x{side}, {collision:?}");
    }
}

#[test]
#[ignore = "needs a release build"]
fn two_games_of_three_are_won_against_a_single_sample_on_4x4() {
    beats_a_single_sample(4);
}

#[test]
#[ignore = "needs a release build"]
fn two_games_of_three_are_won_against_a_single_sample_on_5x5() {
    beats_a_single_sample(5);
}
