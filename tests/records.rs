//! Records in every format: real ones read as they were meant, and what is written reads back.

mod dark;
mod games;
mod real;
mod round_trips;

use std::path::Path;

use hexhall::game::clock::Control;
use hexhall::game::{Game, Goal, Move, Rules, Size, Swap};
use hexhall::record::{self, Format, Meta, Reading, Record};

fn olympiad(file: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/olympiad").join(file);
    std::fs::read(path).unwrap()
}

/// A record with everything in it that a format can carry.
fn showpiece() -> Record {
    let size = Size::new(3, 3).unwrap();
    let mut game = Game::new(Rules::new(size, Swap::Sides, Goal::Join, 0).unwrap(), Vec::new());
    let mut clocks = Vec::new();
    for (index, word) in ["b2", "swap", "b1", "c1", "a3", "b3"].into_iter().enumerate() {
        let action = match word {
            "swap" => Move::Swap,
            cell => Move::Place(cell.parse().unwrap()),
        };
        game.play(game.to_move().unwrap(), action).unwrap();
        clocks.push(Some(Reading { left_ms: 300_250 - 1_000 * index as u64, periods: 0 }));
    }
    let meta = Meta {
        id: Some("gam_01ARZ3NDEKTSV4RRFFQ69G5FAV".into()),
        date: Some("2026-11-29".into()),
        event: None,
        time: Some(Control::Fischer { initial_ms: 300_000, increment_ms: 5_000, cap_ms: None }),
    };
    let players = [Some("Ada <a@b> [1] \\".into()), Some("Bo".into())];
    Record::from_game(&game, players, &clocks, meta)
}

#[test]
fn one_of_each_text_and_a_picture_stay_as_they_are() {
    let record = showpiece();
    for format in [Format::Json, Format::Sgf, Format::HexWorld, Format::HexWiki, Format::HexBoard] {
        insta::assert_snapshot!(format.name(), record::write(&record, format).unwrap());
    }
    insta::assert_snapshot!("svg", record::write(&record, Format::Svg).unwrap());
}

#[test]
fn a_picture_of_any_ply_shows_what_stood_then() {
    let record = showpiece();
    let circles = |ply| {
        let svg = record::svg::picture(&record, ply).unwrap();
        let count = |what: &str| svg.matches(what).count();
        (count("<circle class=\"red\""), count("<circle class=\"blue\""), count("class=\"path\""))
    };
    assert_eq!(circles(0), (0, 0, 0));
    assert_eq!(circles(2), (1, 0, 0));
    assert_eq!(circles(3), (1, 1, 0));
    assert_eq!(circles(usize::MAX), circles(6));
    assert_eq!(circles(6), (3, 2, 1));
    let swapped = record::svg::picture(&record, 2).unwrap();
    assert!(swapped.contains("Move 2: swap of sides"));
    assert!(swapped.contains("<title id=\"title\">Ada &lt;a@b&gt; [1] \\ against Bo, Hex 3x3"));
}

#[test]
fn converting_tells_what_was_left_out_and_what_went_wrong() {
    let variations = olympiad("2008-mohex-six-variations.sgf");
    let converted = record::convert(&variations, None, Format::HexWorld).unwrap();
    assert_eq!(converted.notes, ["game 1: 1 variation was left out"]);
    assert!(converted.text.starts_with("https://hexworld.org/board/#11c1,a4f6d7e5"));

    let both = [olympiad("2003-sm.sgf"), olympiad("2000-qh.sgf")].concat();
    let converted = record::convert(&both, Some(Format::Sgf), Format::Json).unwrap();
    assert_eq!(converted.text.lines().count(), 2);
    let refused = |to| record::convert(&both, None, to).unwrap_err().to_string();
    assert!(refused(Format::Svg).starts_with("a picture shows one game, and there are 2"));
    assert_eq!(refused(Format::Cases), "game 1: cases can be read but not written");

    let refused = |input: &[u8]| record::convert(input, None, Format::Sgf).unwrap_err().to_string();
    assert!(refused(b"hello").contains("none of the formats"));
    assert_eq!(refused(b"(;\n\xff)"), "line 2: this is not UTF-8 text");
    assert!(refused(&vec![b'('; record::MAX_BYTES + 1]).contains("too much to read at once"));
    assert!(refused(b"<hex >").contains("a diagram begins with `<hex>`"));
}

#[test]
fn deep_nesting_and_endless_records_are_refused_without_harm() {
    let deep = "(;B[a1]".repeat(100_000);
    assert!(record::read(deep.as_bytes(), None).is_err());
    let brackets = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    assert!(record::read(brackets.as_bytes(), Some(Format::Json)).is_err());
    let nested = format!("{{\"format\":{}", "{\"a\":".repeat(200_000));
    assert!(record::read(nested.as_bytes(), None).is_err());
    let links = format!("<hex>{}</hex>", "[[ ".repeat(200_000));
    assert!(record::read(links.as_bytes(), None).is_err());
    let many = "(;SZ[1])".repeat(record::MAX_RECORDS + 1);
    let error = record::read(many.as_bytes(), None).unwrap_err();
    assert!(error.to_string().contains("the most is 10000 games"), "{error}");
    let closed = format!("{}{}", "(;".repeat(50_000), ")".repeat(50_000));
    assert!(record::read(closed.as_bytes(), None).is_err(), "there is no size in it");
}

#[test]
fn json_that_does_not_fit_is_refused_where_it_goes_wrong() {
    let good = record::write(&showpiece(), Format::Json).unwrap().replace("},{", "},\n{");
    assert!(record::read(good.as_bytes(), None).is_ok());
    let refused = [
        ("\"cell\":[1,1]", "\"cell\":[2,0]", 5, "a3 is taken by a red stone"),
        (
            "\"color\":\"blue\",\"swap\"",
            "\"color\":\"red\",\"swap\"",
            2,
            "red moves, but it is blue's turn",
        ),
        ("\"swap\":true", "\"swap\":true,\"cell\":[0,0]", 2, "exactly one of"),
        ("\"swap\":\"sides\"", "\"swap\":\"off\"", 2, "without the swap rule"),
        ("\"by\":\"chain\"", "\"by\":\"time\"", 6, "edges are joined"),
        ("\"winner\":2", "\"winner\":3", 6, "is a seat"),
        ("\"event\":null", "\"evnt\":null", 1, "unknown field"),
        ("\"game\":\"hex\"", "\"game\":\"dark\"", 1, "played without the swap"),
        ("\"game\":\"hex\"", "\"game\":\"chess\"", 1, "unknown variant"),
        ("\"size\"", "\"collision\":\"abrupt\",\"size\"", 1, "of games that are `dark`"),
        ("hexhall-record/1", "hexhall-record/9", 1, "this reads"),
        ("\"rows\":3", "\"rows\":0", 1, "no board has 0 rows"),
        ("\"winning_path\":[[0,2],", "\"winning_path\":[", 1, "not a chain"),
    ];
    for (from, to, line, reason) in refused {
        assert!(good.contains(from), "{from} in {good}");
        let error = record::read(good.replacen(from, to, 1).as_bytes(), Some(Format::Json));
        let error = error.expect_err(to);
        assert!(error.to_string().contains(reason), "{to}: {error}");
        assert!(error.line == line, "{to}: {error}");
    }
}
