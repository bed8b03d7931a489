//! Records of Dark Hex: JSON carries every attempt; the other formats tell the stones.

use hexhall::game::{Collision, Game, Kind, Move, Outcome, Rules, Seat, Size, Void, WonBy};
use hexhall::record::{self, Action, Diagram, Format, Meta, Reading, Reason, Record, WriteError};
use proptest::prelude::*;
use proptest::sample::Index;

const ORACLE: &str = include_str!("../data/oracle.jsonl");

/// Games of Dark Hex, at any point of theirs.
fn records() -> impl Strategy<Value = Record> {
    let size = (1u64..=6, 1u64..=6).prop_map(|(rows, cols)| Size::new(rows, cols).unwrap());
    let collision = prop::sample::select(vec![Collision::Classical, Collision::Abrupt]);
    let ends = prop::option::of(prop::sample::select(vec![
        Outcome::Won { winner: Seat::One, by: WonBy::Resignation },
        Outcome::Won { winner: Seat::Two, by: WonBy::Time },
        Outcome::Void(Void::Abandoned),
    ]));
    let moves = prop::collection::vec(any::<Index>(), 0..80);
    (size, collision, moves, ends).prop_map(|(size, collision, moves, end)| {
        let mut game = Game::new(Rules::dark(size, collision), Vec::new());
        for index in &moves {
            let Some(seat) = game.to_move() else { break };
            let legal = game.legal_moves();
            game.play(seat, legal[index.index(legal.len())]).unwrap();
        }
        if let Some(end) = end.filter(|_| game.outcome().is_none()) {
            game.end(end).unwrap();
        }
        let clock =
            |index: &Index| Some(Reading { left_ms: index.index(9_999) as u64, periods: 0 });
        let clocks: Vec<_> = moves.iter().map(clock).collect();
        Record::from_game(&game, [Some("Ana".into()), None], &clocks, Meta::default())
    })
}

fn refereed() -> Vec<Record> {
    let read = record::read(ORACLE.as_bytes(), None).unwrap();
    read.into_iter().filter(|record| record.kind.is_dark()).collect()
}

fn back(record: &Record) -> Record {
    let text = record::write(record, Format::Json).unwrap();
    record::read(text.as_bytes(), None).unwrap().remove(0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn json_reads_back_to_the_same_game_with_every_attempt(record in records()) {
        let read = back(&record);
        prop_assert_eq!(&read, &record);
        prop_assert_eq!(read.replay(), record.replay());
    }

    #[test]
    fn diagrams_and_links_tell_the_stones_or_refuse(record in records()) {
        let game = record.replay().unwrap();
        let mut stones: Vec<_> = game.board().stones().collect();
        let diagram = Diagram::of(&record).unwrap();
        let mut drawn: Vec<_> = diagram.stones.iter().map(|it| (it.cell, it.color)).collect();
        stones.sort();
        drawn.sort();
        prop_assert_eq!(&drawn, &stones);
        match record::write(&record, Format::HexWorld) {
            Ok(link) => {
                let read = record::read(link.as_bytes(), None).unwrap().remove(0).replay().unwrap();
                let mut linked: Vec<_> = read.board().stones().collect();
                linked.sort();
                prop_assert_eq!(linked, stones);
            }
            Err(error) => {
                let refused = matches!(error, WriteError::NoWordFor { .. });
                prop_assert!(refused && record.kind == Kind::Dark(Collision::Abrupt), "{}", error);
            }
        }
        let svg = record::svg::picture(&record, record.plies.len() / 2).unwrap();
        prop_assert!(svg.contains("Dark Hex"));
    }

    #[test]
    fn sgf_tells_the_stones_as_moves_and_the_rest_in_comments(record in records()) {
        let sgf = record::write(&record, Format::Sgf).unwrap();
        let moves = sgf.matches("\n;B[").count() + sgf.matches("\n;W[").count();
        let of = |tried: bool| {
            record.plies.iter().filter(move |it| matches!(it.action, Action::Collision(_)) == tried)
        };
        prop_assert_eq!(moves, of(false).count());
        for ply in of(true) {
            let Action::Collision(cell) = ply.action else { unreachable!() };
            let told = format!("{} {cell}", ply.color);
            prop_assert!(sgf.contains(&told), "{} in {}", told, sgf);
        }
        let error = record::read(sgf.as_bytes(), None).unwrap_err();
        prop_assert_eq!(error.reason, Reason::DarkHex);
    }
}

#[test]
fn every_refereed_game_of_dark_hex_is_kept_whole() {
    let records = refereed();
    assert_eq!(records.len(), 65);
    for record in &records {
        assert_eq!(&back(record), record);
        let game = record.replay().unwrap();
        let collided = game.plies().iter().map(|ply| ply.collided);
        let told = record.plies.iter().map(|ply| matches!(ply.action, Action::Collision(_)));
        assert!(collided.eq(told));
    }
}

#[test]
fn what_is_said_to_have_come_of_an_attempt_is_held_against_the_rules() {
    let size = Size::new(2, 2).unwrap();
    let mut game = Game::new(Rules::dark(size, Collision::Classical), Vec::new());
    let cell = |text: &str| Move::Place(text.parse().unwrap());
    for (seat, at) in [(Seat::One, "a1"), (Seat::Two, "a1"), (Seat::Two, "b1")] {
        game.play(seat, cell(at)).unwrap();
    }
    let record = Record::from_game(&game, [None, None], &[], Meta::default());
    let good = record::write(&record, Format::Json).unwrap();
    for (from, to, reason) in [
        (",\"collision\":true", "", "a hidden stone stands on a1"),
        ("[0,1]", "[0,1],\"collision\":true", "no hidden stone stands on b1"),
        ("\"collision\":\"classical\"", "\"collision\":\"abrupt\"", "blue moves, but it is red's"),
        (
            "\"game\":\"dark\",\"collision\":\"classical\"",
            "\"game\":\"hex\"",
            "taken by a red stone",
        ),
        ("\"setup\":[]", "\"setup\":[{\"color\":\"red\",\"cell\":[1,1]}]", "empty board"),
    ] {
        assert!(good.contains(from), "{from} in {good}");
        let error = record::read(good.replacen(from, to, 1).as_bytes(), None).expect_err(to);
        assert!(error.to_string().contains(reason), "{to}: {error}");
    }
    let told = "{\"rules\":\"dark-abrupt\",\"rows\":2,\"cols\":2,\"swap\":\"off\",\
         \"attempts\":[[1,\"a1\",\"placed\"],[2,\"a1\",\"placed\"]],\"winner\":null}";
    let error = record::read(told.as_bytes(), None).unwrap_err();
    assert!(error.to_string().contains("a hidden stone stands on a1"), "{error}");
}
