//! Random records for the round trips.

use hexhall::game::clock::Control;
use hexhall::game::{
    Board, Color, Game, Goal, Outcome, Rules, Seat, Size, Swap, Void, WonBy, opening,
};
use hexhall::record::{Meta, Reading, Record};
use proptest::prelude::*;
use proptest::sample::Index;

/// Games of every kind, at any point of theirs.
pub fn records() -> impl Strategy<Value = Record> {
    let size = (1u64..=7, 1u64..=7, any::<bool>()).prop_map(|(rows, cols, square)| {
        Size::new(rows, if square { rows } else { cols }).unwrap()
    });
    let rules = (size, any::<bool>(), 0u8..3, 0u8..3);
    let beginning = (rules, prop::collection::vec((any::<Index>(), any::<bool>()), 0..4));
    let moves = prop::collection::vec(any::<Index>(), 0..50);
    (beginning, moves, ends(), metas(), any::<bool>()).prop_map(
        |(((size, rex, swap, random), setup), moves, end, (meta, players), clocked)| {
            let goal = if rex { Goal::Avoid } else { Goal::Join };
            let swap = [Swap::Off, Swap::Sides, Swap::Pieces][usize::from(swap)];
            let mut game = start(size, goal, swap, random, &setup);
            for index in &moves {
                let legal = game.legal_moves();
                let Some(seat) = game.to_move() else { break };
                // The swap stands last: half of all games that may swap do.
                let swap = game.may_swap() && index.index(2) == 1;
                let pick = if swap { legal.len() - 1 } else { index.index(legal.len()) };
                game.play(seat, legal[pick]).unwrap();
            }
            if let Some(end) = end.filter(|_| game.outcome().is_none()) {
                game.end(end).unwrap();
            }
            let clock = |index: &Index| Reading {
                left_ms: index.index(1_000_000) as u64,
                periods: index.index(5) as u8,
            };
            let clocks: Vec<_> = moves.iter().map(|i| clocked.then(|| clock(i))).collect();
            Record::from_game(&game, players, &clocks, meta)
        },
    )
}

fn start(size: Size, goal: Goal, swap: Swap, random: u8, setup: &[(Index, bool)]) -> Game {
    if let Ok(rules) = Rules::new(size, Swap::Off, goal, random)
        && random > 0
    {
        let seed = [setup.len() as u8; 32];
        return Game::new(rules, opening::draw(&rules, seed));
    }
    if setup.is_empty() {
        let rules = Rules::new(size, swap, goal, 0);
        let rules = rules.unwrap_or_else(|_| Rules::new(size, Swap::Sides, goal, 0).unwrap());
        return Game::new(rules, Vec::new());
    }
    let rules = Rules::new(size, Swap::Off, goal, 0).unwrap();
    // Set up as SGF gives stones back: in alternation as far as both colours last.
    let mut board = Board::new(size);
    let mut by_color = [Vec::new(), Vec::new()];
    for (index, red) in setup {
        let cell = size.cell(index.index(size.cells()));
        let color = if *red { Color::Red } else { Color::Blue };
        if board.get(cell).is_none() && !board.place(cell, color) {
            by_color[color.index()].push((color, cell));
        } else {
            break;
        }
    }
    let [red, blue] = by_color;
    let mut stones = Vec::new();
    for turn in 0..red.len().max(blue.len()) {
        stones.extend(red.get(turn));
        stones.extend(blue.get(turn));
    }
    Game::with_setup(rules, stones).unwrap()
}

fn ends() -> impl Strategy<Value = Option<Outcome>> {
    let won = (prop::sample::select(Seat::BOTH.to_vec()), 0usize..3).prop_map(|(winner, by)| {
        let by = [WonBy::Resignation, WonBy::Time, WonBy::Forfeit][by];
        Outcome::Won { winner, by }
    });
    let voids = vec![Void::Aborted, Void::NotStarted, Void::Abandoned];
    let void = prop::sample::select(voids).prop_map(Outcome::Void);
    prop::option::of(prop_oneof![won, void])
}

fn metas() -> impl Strategy<Value = (Meta, [Option<String>; 2])> {
    let name = || prop::option::of("[a-zA-Z0-9 \\[\\]\\\\<>&:;()é✓\"]{1,12}");
    let ms = 0u64..10_000_000;
    let time = prop_oneof![
        Just(Control::None),
        (ms.clone(), ms.clone(), prop::option::of(ms.clone())).prop_map(
            |(initial_ms, increment_ms, cap_ms)| Control::Fischer {
                initial_ms,
                increment_ms,
                cap_ms
            }
        ),
        ms.clone().prop_map(|turn_ms| Control::PerTurn { turn_ms }),
        (ms.clone(), ms, any::<u8>()).prop_map(|(initial_ms, period_ms, periods)| {
            Control::ByoYomi { initial_ms, period_ms, periods }
        }),
    ];
    (name(), name(), name(), name(), prop::option::of(time), prop::option::of(Just("2026-11-29")))
        .prop_map(|(one, two, id, event, time, date)| {
            (Meta { id, event, time, date: date.map(str::to_owned) }, [one, two])
        })
}
