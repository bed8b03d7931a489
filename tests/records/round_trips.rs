//! What is written reads back, and what is spoilt is read or refused.

use std::collections::BTreeSet;

use hexhall::game::{Goal, Outcome, WonBy};
use hexhall::record::{self, Action, Diagram, Format, Record, WriteError};
use proptest::prelude::*;
use proptest::sample::Index;

use super::games::records;

/// What a format may not carry is compared after taking it off.
fn back(record: &Record, format: Format) -> Record {
    let text = record::write(record, format).unwrap();
    let records =
        record::read(text.as_bytes(), None).unwrap_or_else(|error| panic!("{error} in {text}"));
    assert_eq!(records.len(), 1, "{text}");
    records.into_iter().next().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn json_and_sgf_read_back_to_the_same_game_with_clocks_and_end(record in records()) {
        for format in [Format::Json, Format::Sgf] {
            let read = back(&record, format);
            prop_assert_eq!(&read, &record);
            prop_assert_eq!(read.replay(), record.replay());
        }
    }

    #[test]
    fn hexworld_reads_back_to_the_same_moves_swap_and_end(record in records()) {
        if record.goal == Goal::Avoid || !record.setup_alternates() {
            let refused = record::write(&record, Format::HexWorld);
            let no_word = matches!(refused, Err(WriteError::NoWordFor { .. }));
            prop_assert!(no_word);
            return Ok(());
        }
        let read = back(&record, Format::HexWorld);
        let opening = record.setup.iter().map(|&(color, cell)| (color, Action::Place(cell)));
        let played = |record: &Record| -> Vec<_> {
            record.plies.iter().map(|ply| (ply.color, ply.action)).collect()
        };
        let moves: Vec<_> = opening.chain(played(&record)).collect();
        prop_assert_eq!(played(&read), moves);
        let end = match record.end {
            Some(Outcome::Won { winner, by: WonBy::Time }) => {
                Some(Outcome::Won { winner, by: WonBy::Forfeit })
            }
            Some(Outcome::Void(_)) => None,
            end => end,
        };
        prop_assert_eq!(read.end, end);
    }

    #[test]
    fn hexwiki_reads_back_to_the_same_stones_and_order(record in records()) {
        let diagram = Diagram::of(&record).unwrap();
        let board = record.replay().unwrap();
        let stones: BTreeSet<_> = diagram.stones.iter().map(|s| (s.cell, s.color)).collect();
        prop_assert_eq!(stones, board.board().stones().collect::<BTreeSet<_>>());
        for format in [Format::HexWiki, Format::HexBoard] {
            let text = record::write(&record, format).unwrap();
            prop_assert_eq!(&Diagram::read(&text).unwrap()[..], std::slice::from_ref(&diagram));
            let read = back(&record, format);
            prop_assert_eq!(Diagram::of(&read).unwrap().stones, diagram.stones.clone());
        }
    }

    #[test]
    fn a_picture_of_any_ply_can_be_drawn(record in records(), ply in 0usize..40) {
        let svg = record::svg::picture(&record, ply).unwrap();
        prop_assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for format in Format::ALL {
            let _ = record::read(&bytes, Some(format));
        }
        let _ = record::read(&bytes, None);
    }

    #[test]
    fn words_of_the_formats_in_any_order_never_panic(words in prop::collection::vec(word(), 0..40)) {
        let text = words.concat();
        for format in Format::ALL {
            let _ = record::read(text.as_bytes(), Some(format));
        }
    }

    #[test]
    fn spoilt_files_are_read_or_refused(
        file in prop::sample::select(FILES.to_vec()),
        spoils in spoils(),
    ) {
        let mut bytes = file.as_bytes().to_vec();
        spoil(&mut bytes, &spoils);
        for record in record::read(&bytes, Format::of(file)).into_iter().flatten() {
            prop_assert!(record.replay().is_ok());
        }
    }

    #[test]
    fn spoilt_records_are_read_or_refused(
        record in records(),
        spoils in spoils(),
    ) {
        for format in Format::ALL {
            let Ok(text) = record::write(&record, format) else { continue };
            let mut bytes = text.into_bytes();
            spoil(&mut bytes, &spoils);
            for record in record::read(&bytes, Some(format)).into_iter().flatten() {
                prop_assert!(record.replay().is_ok());
            }
        }
    }
}

/// Real files, each of another kind.
const FILES: [&str; 5] = [
    include_str!("../data/olympiad/2008-mohex-six-variations.sgf"),
    include_str!("../data/olympiad/2009-mohex-six.sgf"),
    include_str!("../data/games.jsonl"),
    include_str!("../data/diagrams.txt"),
    "(;FF[4]EV[hex.mc.1]PB[a [b] \\]PW[c]SZ[13]RE[W]SO[http://www.littlegolem.com];W[am];B[swap];W[ii];B[kj];W[resign])",
];

/// Where, with which byte and how a text is spoilt.
type Spoil = (Index, u8, u8);

fn spoils() -> impl Strategy<Value = Vec<Spoil>> {
    prop::collection::vec((any::<Index>(), any::<u8>(), 0u8..3), 1..4)
}

fn spoil(bytes: &mut Vec<u8>, spoils: &[Spoil]) {
    for (index, byte, how) in spoils {
        let index = index.index(bytes.len());
        match how {
            0 => bytes[index] = *byte,
            1 => bytes.insert(index, byte % 128),
            _ => drop(bytes.remove(index)),
        }
    }
}

fn word() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "(",
        ")",
        ";",
        "[",
        "]",
        "\\",
        "B",
        "W",
        "SZ[11]",
        "SZ[",
        "11",
        "GM[11]",
        "B[a1]",
        "W[swap]",
        "AB[",
        "RE[B+]",
        "é",
        "#11,",
        "#",
        ":s",
        ":S",
        ":rb",
        ",",
        "a1",
        "b2",
        "<hex>",
        "</hex>",
        "<hexboard ",
        "size=\"3x3\" ",
        "contents=\"",
        "\"",
        "/>",
        "R3 ",
        "M",
        "MR ",
        "N:on ",
        "[[",
        "|",
        "]]",
        "03:",
        "_",
        "{",
        "}",
        "\"moves\":",
        "\n",
        " ",
        "0",
        "99999999999999999999",
    ])
}
