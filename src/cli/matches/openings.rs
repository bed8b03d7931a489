//! How the games of a match begin.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::game::{Cell, Game, Move, Rules, Size};

/// Two stones each, after which neither side is known to be ahead, on 11x11.
const BALANCED: &str = "\
a2 d10 · a2 f9 · k3 h9 · d2 h2 · d2 f10 · b2 f9 · d1 i6 · g2 h6 · e1 i7 · f1 d11 · a3 e7 · i2 d6 · \
g2 d9 · d2 f7 · f2 b10 · b1 j1 · f2 h6 · i1 i4 · i2 e9 · d2 d4 · d2 c9 · i2 d10 · d1 f11 · b2 g3";

/// The most that a file of openings may have.
const MOST_BYTES: u64 = 1 << 20;

/// Where openings come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// The balanced ones that are built in.
    Balanced,
    /// The empty board.
    None,
    /// A file with one opening a line.
    File(PathBuf),
}

/// Why there are no such openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// None are known for this board.
    #[error(
        "balanced openings are known for 11x11 only, and the board is {0}: choose \
         `--opening none`, or a file of your own"
    )]
    NotKnown(Size),
    /// The file could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// A line is no opening.
    #[error("line {line}: {why}")]
    Line {
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// There is nothing in the file.
    #[error("there is no opening in it: a line has the first moves, such as `a2 d10`")]
    Empty,
}

impl FromStr for Source {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Source, Self::Err> {
        Ok(match text {
            "balanced" => Source::Balanced,
            "none" => Source::None,
            path => Source::File(PathBuf::from(path)),
        })
    }
}

impl Source {
    /// The openings for this board, in order: at least one. The one opening of [`Source::None`] is
    /// empty.
    pub fn openings(&self, size: Size) -> Result<Vec<Vec<Cell>>, OpeningError> {
        match self {
            Source::None => Ok(vec![Vec::new()]),
            Source::Balanced if (size.rows(), size.cols()) != (11, 11) => {
                Err(OpeningError::NotKnown(size))
            }
            Source::Balanced => parse(&BALANCED.replace(" · ", "\n"), size),
            Source::File(path) => parse(&read(path)?, size),
        }
    }
}

fn read(path: &Path) -> Result<String, OpeningError> {
    use std::io::Read;
    let mut text = String::new();
    let file = std::fs::File::open(path);
    file.and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text))
        .map_err(|source| OpeningError::Read { path: path.to_owned(), source })?;
    Ok(text)
}

fn parse(text: &str, size: Size) -> Result<Vec<Vec<Cell>>, OpeningError> {
    let mut openings = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.split('#').next().unwrap_or_default();
        let words = text.split([' ', '\t', ',']).filter(|word| !word.is_empty());
        let wrong = |why: String| OpeningError::Line { line, why };
        let cells: Result<Vec<Cell>, _> = words.map(Cell::from_str).collect();
        let cells = cells.map_err(|error| wrong(error.to_string()))?;
        if cells.is_empty() {
            continue;
        }
        let mut game = Game::new(Rules::hex(size), Vec::new());
        for &cell in &cells {
            let over = || wrong("the opening has decided the game".to_owned());
            let seat = game.to_move().ok_or_else(over)?;
            game.play(seat, Move::Place(cell)).map_err(|error| wrong(error.to_string()))?;
        }
        if game.outcome().is_some() {
            return Err(wrong("the opening has decided the game".to_owned()));
        }
        openings.push(cells);
    }
    if openings.is_empty() { Err(OpeningError::Empty) } else { Ok(openings) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(side: u64) -> Size {
        Size::new(side, side).unwrap()
    }

    #[test]
    fn balanced_openings_are_pairs_of_stones() {
        let openings = Source::Balanced.openings(size(11)).unwrap();
        assert_eq!(openings.len(), 24);
        assert!(openings.iter().all(|cells| cells.len() == 2));
        assert!(matches!(Source::Balanced.openings(size(13)), Err(OpeningError::NotKnown(_))));
    }

    #[test]
    fn a_file_of_openings_is_read_line_by_line_and_refused_by_its_line() {
        let cells = |text: &str| parse(text, size(5));
        let openings = cells("# two\na1 b2\n\n c3,d4 e5 # three\n").unwrap();
        assert_eq!(openings.iter().map(Vec::len).collect::<Vec<_>>(), [2, 3]);
        for (text, told) in [
            ("a1 b2\na1 a1", "line 2: a1 is taken"),
            ("a1 zz", "line 1: `zz` is not a cell"),
            ("f1", "line 1: f1 is not on the board"),
            ("a1 b1 a2 b2 a3 b3 a4 b4 a5", "has decided the game"),
            ("# nothing", "no opening"),
        ] {
            let error = cells(text).unwrap_err().to_string();
            assert!(error.contains(told), "{text}: {error}");
        }
    }
}
