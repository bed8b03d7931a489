//! Records that engines, sites and wiki authors wrote, read as they were meant.

use std::collections::BTreeSet;
use std::path::Path;

use hexhall::game::{Cell, Color, Game, Outcome, Seat, Size, Swap, WonBy};
use hexhall::record::{self, Diagram, Format, MarkKind, Record};

use super::olympiad;

const GAMES: &str = include_str!("../data/games.jsonl");
const DIAGRAMS: &str = include_str!("../data/diagrams.txt");
const ORACLE: &str = include_str!("../data/oracle.jsonl");

fn olympiad_record(file: &str) -> Record {
    let records = record::read(&olympiad(file), None).unwrap();
    let [record] = <[Record; 1]>::try_from(records).unwrap();
    record
}

fn stones(record: &Record) -> usize {
    record.replay().unwrap().board().stones().count()
}

fn won_by_chain(winner: Seat) -> Option<Outcome> {
    Some(Outcome::Won { winner, by: WonBy::Chain })
}

#[test]
fn a_swap_in_capitals_with_the_swapper_moving_again_is_a_swap_of_sides() {
    let record = olympiad_record("2000-qh.sgf");
    assert_eq!((record.swap, stones(&record), record.end), (Swap::Sides, 69, None));
    let players = [Some("player2".into()), Some("player1".into())];
    assert_eq!(record.players, players, "PB held black at the end, which is seat 2");
}

#[test]
fn a_plain_game_ends_with_its_last_move() {
    let record = olympiad_record("2003-sm.sgf");
    assert_eq!((record.swap, record.plies.len()), (Swap::Off, 41));
    assert_eq!(record.end, won_by_chain(Seat::One));
    let shorter = Record { plies: record.plies[..40].to_vec(), end: None, ..record };
    assert_eq!(shorter.replay().unwrap().outcome(), None);
}

#[test]
fn swap_pieces_that_meant_sides_is_read_as_sides() {
    for (file, winner, count) in
        [("2008-wolve-mohex.sgf", Color::Red, 75), ("2011-mohex-wolve.sgf", Color::Blue, 76)]
    {
        let record = olympiad_record(file);
        assert_eq!((record.swap, stones(&record)), (Swap::Sides, count), "{file}");
        let game = record.replay().unwrap();
        let won = game.outcome().and_then(Outcome::winner).map(|seat| game.color(seat));
        assert_eq!(won, Some(winner), "{file}");
    }
}

#[test]
fn the_first_variation_is_the_game_and_the_others_are_counted() {
    let record = olympiad_record("2008-mohex-six-variations.sgf");
    assert_eq!((record.plies.len(), record.left_out, record.end), (41, 1, None));
    let text = String::from_utf8(olympiad("2008-mohex-six-variations.sgf")).unwrap();
    let other = text.replacen("(;W[d3];B[e3]\n)", "", 1);
    assert_ne!(other, text);
    let other = record::read(other.as_bytes(), None).unwrap().remove(0);
    assert_eq!((other.plies.len(), other.left_out), (55, 0));
    assert_eq!(other.end, won_by_chain(Seat::One));
}

#[test]
fn a_resignation_after_the_end_changes_nothing() {
    let record = olympiad_record("2009-mohex-six.sgf");
    assert_eq!(record.end, won_by_chain(Seat::One));
    assert_eq!(record.players[0].as_deref(), Some("Mohex 0.9.GIT"));
    assert_eq!(record.meta.date.as_deref(), Some("2009-05-12"));
}

#[test]
fn a_stone_on_a_taken_cell_is_refused_with_its_place_and_who_stands_there() {
    let error = record::read(&olympiad("occupied.sgf"), None).unwrap_err();
    assert_eq!(error.to_string(), "line 3, column 39: `d6`: move 18: d6 is taken by a red stone");
}

#[test]
fn published_games_end_as_published_with_a_path_no_longer_than_theirs() {
    let records = record::read(GAMES.as_bytes(), Some(Format::Cases)).unwrap();
    let mut paths = 0;
    for (record, line) in records.iter().zip(GAMES.lines()) {
        let told: serde_json::Value = serde_json::from_str(line).unwrap();
        let winner = record.end.and_then(Outcome::winner).map(|seat| u64::from(seat.number()));
        assert_eq!(winner, told["winner"].as_u64(), "{line}");
        assert_eq!(record.meta.id.as_deref(), told["name"].as_str());
        if let Some(path) = told["winning_path"].as_array() {
            assert!(!record.winning_path.is_empty());
            assert!(record.winning_path.len() <= path.len(), "{line}");
            paths += 1;
        }
    }
    assert_eq!((records.len(), paths > 0), (GAMES.lines().count(), true));
    let spoilt = GAMES.replacen("\"b1\", \"a2\", \"a3\"", "\"b1\", \"a3\"", 1);
    let error = record::read(spoilt.as_bytes(), None).unwrap_err();
    assert!(error.to_string().contains("not a chain"), "{error}");
}

#[test]
fn every_refereed_game_reaches_the_referees_board_and_winner() {
    let (mut hex, mut dark) = (0, 0);
    for line in ORACLE.lines() {
        let told: serde_json::Value = serde_json::from_str(line).unwrap();
        let read = record::read(line.as_bytes(), None);
        let record = read.unwrap().remove(0);
        let game = record.replay().unwrap();
        let winner = record.end.and_then(Outcome::winner).map(|seat| u64::from(seat.number()));
        assert_eq!(winner, told["winner"].as_u64(), "{line}");
        let rows: Vec<String> = (0..record.size.rows())
            .map(|row| (0..record.size.cols()).map(|col| letter(&game, row, col)).collect())
            .collect();
        assert_eq!(told["final_board"], serde_json::json!(rows), "{line}");
        *(if told["rules"] == "hex" { &mut hex } else { &mut dark }) += 1;
    }
    assert_eq!((hex, dark), (44, 65));
}

fn letter(game: &Game, row: u8, col: u8) -> char {
    match game.board().get(Cell::new(row, col)) {
        None => '.',
        Some(Color::Red) => 'x',
        Some(Color::Blue) => 'o',
    }
}

#[test]
fn every_diagram_holds_the_stones_and_stars_that_it_shows() {
    let diagrams = Diagram::read(DIAGRAMS).unwrap();
    let expected: Vec<&str> =
        DIAGRAMS.lines().filter_map(|line| line.strip_prefix("# expect ")).collect();
    assert_eq!(diagrams.len(), expected.len());
    for (diagram, expect) in diagrams.iter().zip(expected) {
        let field = |name: &str| {
            let fields = expect.split(' ').filter_map(|field| field.split_once('='));
            let value = fields.into_iter().find(|field| field.0 == name);
            value.map(|(_, value)| value.to_owned()).unwrap_or_default()
        };
        let size = Size::new(field("rows").parse().unwrap(), field("cols").parse().unwrap());
        assert_eq!(diagram.size, size.unwrap());
        for (name, color) in [("red", Color::Red), ("blue", Color::Blue)] {
            let stones = diagram.stones.iter().filter(|stone| stone.color == color);
            let stones: BTreeSet<String> = stones.map(|stone| stone.cell.to_string()).collect();
            assert_eq!(stones, words(&field(name)), "{name} of {expect}");
        }
        let stars = diagram.marks.iter().filter(|mark| mark.kind == MarkKind::Star);
        let stars: BTreeSet<String> = stars.map(|mark| mark.cell.to_string()).collect();
        assert_eq!(stars, words(&field("star")), "{expect}");
        for text in [diagram.to_hex_tag(), diagram.to_hexboard_tag()] {
            assert_eq!(&Diagram::read(&text).unwrap()[..], std::slice::from_ref(diagram));
        }
    }
}

fn words(list: &str) -> BTreeSet<String> {
    list.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[test]
fn formats_are_told_by_extension_and_by_look() {
    let told = |path: &str| Format::from_path(Path::new(path));
    assert_eq!(told("a/b.SGF"), Some(Format::Sgf));
    assert_eq!(told("game.hsgf"), Some(Format::Sgf));
    assert_eq!(told("games.jsonl"), Some(Format::Cases));
    assert_eq!(told("x.txt"), None);
    assert_eq!(Format::of(GAMES), Some(Format::Cases));
    assert_eq!(Format::of(ORACLE), Some(Format::Cases));
    assert_eq!(Format::of(DIAGRAMS), Some(Format::HexWiki));
    assert_eq!(Format::of("\u{feff}\n (;GM[11])"), Some(Format::Sgf));
    assert_eq!(Format::of("https://hexworld.org/board/#11,a1"), Some(Format::HexWorld));
    assert_eq!(Format::of("hello"), None);
    for format in Format::ALL {
        assert_eq!(Format::from_name(format.name()), Some(format));
    }
}
