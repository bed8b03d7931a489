//! The rules of Dark Hex against an obvious restatement of them, and against another referee.

use std::collections::BTreeSet;

use hexhall::game::{
    Cell, Collision, Color, Game, Goal, Illegal, Kind, Move, Outcome, Rules, RulesError, Seat,
    SetupError, Size, Swap, WonBy,
};
use proptest::prelude::*;
use serde_json::Value;

const ORACLE: &str = include_str!("data/oracle.jsonl");

/// The rules again, by sets of cells: slow, and as they are told.
struct Told {
    stones: [BTreeSet<Cell>; 2],
    found: [BTreeSet<Cell>; 2],
    turn_of: usize,
    collision: Collision,
}

impl Told {
    fn new(collision: Collision) -> Told {
        Told { stones: Default::default(), found: Default::default(), turn_of: 0, collision }
    }

    fn knows(&self, seat: usize, cell: Cell) -> bool {
        self.stones[seat].contains(&cell) || self.found[seat].contains(&cell)
    }

    /// Whether the try ran into a stone.
    fn tries(&mut self, cell: Cell) -> bool {
        let (me, them) = (self.turn_of, 1 - self.turn_of);
        let hit = self.stones[them].contains(&cell);
        if hit {
            self.found[me].insert(cell);
        } else {
            self.stones[me].insert(cell);
        }
        if !hit || self.collision == Collision::Abrupt {
            self.turn_of = them;
        }
        hit
    }

    /// The board as a seat knows it, one string a row.
    fn view(&self, size: Size, seat: usize) -> Vec<String> {
        let letter = |cell: Cell| {
            if self.stones[seat].contains(&cell) {
                ['x', 'o'][seat]
            } else if self.found[seat].contains(&cell) {
                ['o', 'x'][seat]
            } else {
                '.'
            }
        };
        (0..size.rows())
            .map(|row| (0..size.cols()).map(|col| letter(Cell::new(row, col))).collect())
            .collect()
    }
}

fn view(game: &Game, seat: Seat) -> Vec<String> {
    let size = game.rules().size();
    let letter = |cell| match game.known(seat, cell) {
        Some(Color::Red) => 'x',
        Some(Color::Blue) => 'o',
        None => '.',
    };
    (0..size.rows())
        .map(|row| (0..size.cols()).map(|col| letter(Cell::new(row, col))).collect())
        .collect()
}

fn collision() -> impl Strategy<Value = Collision> {
    prop::sample::select(vec![Collision::Classical, Collision::Abrupt])
}

fn sizes() -> impl Strategy<Value = Size> {
    (1..=7u64, 1..=7u64).prop_map(|(rows, cols)| Size::new(rows, cols).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_game_goes_as_it_is_told_from_each_seat(
        size in sizes(),
        collision in collision(),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 100),
    ) {
        let rules = Rules::dark(size, collision);
        let (mut game, mut told) = (Game::new(rules, Vec::new()), Told::new(collision));
        let mut picks = picks.into_iter();
        while let Some(seat) = game.to_move() {
            prop_assert_eq!(seat.index(), told.turn_of);
            let unknown: Vec<Move> = size
                .iter()
                .filter(|&cell| !told.knows(seat.index(), cell))
                .map(Move::Place)
                .collect();
            prop_assert_eq!(game.legal_moves(), unknown.clone());
            let action = unknown[picks.next().unwrap().index(unknown.len())];
            let Move::Place(cell) = action else { unreachable!() };
            let hit = told.tries(cell);
            prop_assert_eq!(game.runs_into(seat, action), hit);
            let announced = game.outcome_of(seat, action);
            game.play(seat, action).unwrap();
            prop_assert_eq!(game.outcome(), announced);
            let last = *game.plies().last().unwrap();
            prop_assert_eq!((last.seat, last.action, last.collided), (seat, action, hit));
            prop_assert_eq!(game.has_moved(seat), true);
            for seat in Seat::BOTH {
                prop_assert_eq!(view(&game, seat), told.view(size, seat.index()));
                let found = told.found[seat.index()].iter().copied();
                prop_assert!(game.found(seat).eq(found));
            }
        }
        prop_assert!(game.plies().len() <= rules.move_limit());
        let won_by_chain = matches!(game.outcome(), Some(Outcome::Won { by: WonBy::Chain, .. }));
        prop_assert!(won_by_chain, "somebody always wins");
        prop_assert!(game.winning_path().is_some());
    }

    #[test]
    fn what_a_seat_is_answered_depends_on_what_it_knows_alone(
        size in sizes(),
        collision in collision(),
        picks in prop::collection::vec(any::<prop::sample::Index>(), 30),
        row in 0u8..9,
        col in 0u8..9,
    ) {
        let mut game = Game::new(Rules::dark(size, collision), Vec::new());
        for pick in picks {
            let Some(seat) = game.to_move() else { break };
            let legal = game.legal_moves();
            game.play(seat, legal[pick.index(legal.len())]).unwrap();
        }
        let cell = Cell::new(row, col);
        for seat in Seat::BOTH {
            let expected = match game.to_move() {
                None => Err(Illegal::GameOver),
                Some(_) if !size.contains(cell) => Err(Illegal::OffBoard { cell, size }),
                Some(to_move) if to_move != seat => Err(Illegal::NotYourTurn { to_move }),
                Some(_) => match game.known(seat, cell) {
                    Some(by) => Err(Illegal::Occupied { cell, by }),
                    None => Ok(()),
                },
            };
            prop_assert_eq!(game.check(seat, Move::Place(cell)), expected);
            let mut next = game.clone();
            if let Err(reason) = expected {
                prop_assert_eq!(next.play(seat, Move::Place(cell)), Err(reason));
                prop_assert_eq!(&next, &game, "a refused try changes nothing");
            }
            prop_assert!(next.play(seat, Move::Swap).is_err());
        }
    }
}

fn lines(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|row| row.as_str().unwrap().into()).collect()
}

#[test]
fn another_referee_saw_the_same_games_from_each_seat() {
    let mut games = 0;
    for line in ORACLE.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let collision = match line["rules"].as_str().unwrap() {
            "dark-classical" => Collision::Classical,
            "dark-abrupt" => Collision::Abrupt,
            _ => continue,
        };
        games += 1;
        let side = |name: &str| line[name].as_u64().unwrap();
        let size = Size::new(side("rows"), side("cols")).unwrap();
        let mut game = Game::new(Rules::dark(size, collision), Vec::new());
        let compare = |game: &Game, views: &Value| {
            for (seat, seen) in Seat::BOTH.into_iter().zip(views.as_array().unwrap()) {
                assert_eq!(view(game, seat), lines(seen), "after {} attempts", game.plies().len());
            }
        };
        let views = line.get("views").and_then(Value::as_array);
        for (played, attempt) in line["attempts"].as_array().unwrap().iter().enumerate() {
            if let Some(views) = views {
                compare(&game, &views[played]);
            }
            let seat = Seat::from_number(attempt[0].as_u64().unwrap()).unwrap();
            assert_eq!(game.to_move(), Some(seat));
            let cell: Cell = attempt[1].as_str().unwrap().parse().unwrap();
            game.play(seat, Move::Place(cell)).unwrap();
            let came = if game.plies()[played].collided { "collision" } else { "placed" };
            assert_eq!(came, attempt[2].as_str().unwrap());
        }
        if let Some(views) = views {
            compare(&game, views.last().unwrap());
        }
        compare(&game, &line["final_views"]);
        let stones: Vec<String> = lines(&line["final_board"]);
        for cell in size.iter() {
            let stone = match game.board().get(cell) {
                Some(Color::Red) => b'x',
                Some(Color::Blue) => b'o',
                None => b'.',
            };
            assert_eq!(stones[usize::from(cell.row)].as_bytes()[usize::from(cell.col)], stone);
        }
        let winner = Seat::from_number(line["winner"].as_u64().unwrap()).unwrap();
        assert_eq!(game.outcome(), Some(Outcome::Won { winner, by: WonBy::Chain }));
    }
    assert_eq!(games, 65);
}

#[test]
fn what_dark_hex_does_not_have_is_refused_where_rules_are_made() {
    let size = Size::new(11, 11).unwrap();
    let dark = Kind::Dark(Collision::Abrupt);
    let of = |swap, goal, stones| Rules::of(dark, size, swap, goal, stones);
    assert_eq!(of(Swap::Off, Goal::Join, 0), Ok(Rules::dark(size, Collision::Abrupt)));
    assert_eq!(of(Swap::Sides, Goal::Join, 0), Err(RulesError::SwapInDark));
    assert_eq!(of(Swap::Pieces, Goal::Join, 0), Err(RulesError::SwapInDark));
    assert_eq!(of(Swap::Off, Goal::Avoid, 0), Err(RulesError::AvoidInDark));
    assert_eq!(of(Swap::Off, Goal::Join, 1), Err(RulesError::StonesInDark));
    let stones = vec![(Color::Red, Cell::new(0, 0))];
    let setup = Game::with_setup(Rules::dark(size, Collision::Classical), stones);
    assert_eq!(setup, Err(SetupError::Rules(RulesError::StonesInDark)));
}

#[test]
fn nothing_is_taken_back_in_the_dark() {
    let size = Size::new(3, 3).unwrap();
    let mut game = Game::new(Rules::dark(size, Collision::Classical), Vec::new());
    game.play(Seat::One, Move::Place(Cell::new(1, 1))).unwrap();
    let before = game.clone();
    assert_eq!(game.take_back_to(0), Err(Illegal::NoTakeback));
    assert_eq!(game, before);
}
