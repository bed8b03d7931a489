//! A game of Dark Hex as each of its players saw it at every ply, as another referee tells it.

use hexhall::game::{Cell, Color, Game, Seat};
use hexhall::record::{self, Eyes, Format, Record, svg};
use serde_json::Value;

const ORACLE: &str = include_str!("data/oracle.jsonl");

/// The games of Dark Hex whose views the other referee has told after every attempt.
fn games() -> Vec<(Record, Value)> {
    let told = ORACLE.lines().filter_map(|line| {
        let game: Value = serde_json::from_str(line).unwrap();
        let dark = game["rules"].as_str().unwrap().starts_with("dark") && game["views"].is_array();
        let record = || record::read(line.as_bytes(), Some(Format::Cases)).unwrap().remove(0);
        dark.then(|| (record(), game))
    });
    let games: Vec<_> = told.collect();
    assert!(games.len() > 20, "{}", games.len());
    games
}

fn seen(game: &Game, eyes: Eyes) -> Vec<String> {
    let size = game.rules().size();
    let letter = |cell| match eyes.stone(game, cell) {
        Some(Color::Red) => 'x',
        Some(Color::Blue) => 'o',
        None => '.',
    };
    let row = |row| (0..size.cols()).map(|col| letter(Cell::new(row, col))).collect();
    (0..size.rows()).map(row).collect()
}

fn lines(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|row| row.as_str().unwrap().into()).collect()
}

#[test]
fn each_seat_sees_at_every_ply_what_another_referee_says() {
    for (record, told) in games() {
        let views = told["views"].as_array().unwrap();
        assert_eq!(views.len(), record.plies.len() + 1);
        for (ply, views) in views.iter().enumerate() {
            let game = record.position(ply).unwrap();
            for seat in Seat::BOTH {
                let expected = lines(&views[seat.index()]);
                assert_eq!(seen(&game, Eyes::Seat(seat)), expected, "ply {ply} of {told}");
            }
        }
        let end = record.replay().unwrap();
        assert_eq!(seen(&end, Eyes::Umpire), lines(&told["final_board"]));
        for seat in Seat::BOTH {
            let expected = lines(&told["final_views"][seat.index()]);
            assert_eq!(seen(&end, Eyes::Seat(seat)), expected, "the end uncovers nothing here");
        }
    }
}

#[test]
fn a_picture_shows_the_stones_that_its_eyes_see_and_fences_those_that_were_found() {
    for (record, told) in games() {
        for ply in [0, record.plies.len() / 2, record.plies.len()] {
            let game = record.position(ply).unwrap();
            for eyes in [Eyes::Umpire, Eyes::Seat(Seat::One), Eyes::Seat(Seat::Two)] {
                let picture = svg::picture_as(&record, ply, eyes).unwrap();
                let board = seen(&game, eyes).concat();
                for (letter, color) in [('x', "red"), ('o', "blue")] {
                    let shown = picture.matches(&format!("<circle class=\"{color}\"")).count();
                    assert_eq!(shown, board.matches(letter).count(), "ply {ply} of {told}");
                }
                let fences = picture.matches("<path class=\"fence\"").count();
                assert_eq!(fences, eyes.found(&game).len());
            }
        }
    }
}

#[test]
fn a_seat_is_told_its_own_attempts_in_full_and_of_the_other_ones_only_that_they_were_made() {
    let mut collisions = [0, 0];
    for (record, told) in games() {
        let end = record.replay().unwrap();
        for seat in Seat::BOTH {
            let text = record::seen_by(&record, Eyes::Seat(seat)).unwrap();
            let json: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(json["as"], seat.number());
            let attempts = told["attempts"].as_array().unwrap();
            for (attempt, shown) in attempts.iter().zip(json["moves"].as_array().unwrap()) {
                let own = attempt[0] == seat.number();
                assert_eq!(shown.get("cell").is_some(), own, "{shown}");
                let collided = attempt[2] == "collision";
                assert_eq!(shown.get("collision").is_some(), collided, "{shown}");
                collisions[usize::from(own)] += usize::from(collided);
            }
            let won = end.outcome().unwrap().winner() == Some(seat);
            let path = json["winning_path"].as_array().unwrap();
            assert_eq!(path.is_empty(), !won, "the chain is the winner's to see");
            let refused = record::read(text.as_bytes(), Some(Format::Json)).unwrap_err();
            assert!(refused.to_string().contains("`as`"), "{refused}");
        }
        let all = record::seen_by(&record, Eyes::Umpire).unwrap();
        assert_eq!(all, record::write(&record, Format::Json).unwrap());
    }
    assert!(collisions.iter().all(|&count| count > 20), "{collisions:?}");
}

#[test]
fn a_picture_from_a_seats_eyes_has_no_word_of_what_that_seat_did_not_know() {
    for (record, _) in games() {
        for ply in 0..record.plies.len() {
            let game = record.position(ply).unwrap();
            for seat in Seat::BOTH {
                let picture = svg::picture_as(&record, ply, Eyes::Seat(seat)).unwrap();
                let unknown =
                    game.board().stones().filter(|&(cell, _)| game.known(seat, cell).is_none());
                for (cell, _) in unknown {
                    for told in [format!(" {cell} "), format!(" {cell}."), format!(" {cell}<")] {
                        assert!(!picture.contains(&told), "{told} at ply {ply}");
                    }
                }
            }
        }
    }
}
