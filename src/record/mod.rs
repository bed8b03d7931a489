//! One game, running or finished, as a value that can be kept, handed out and read back.
//!
//! Owns the forms that a game takes outside the server: JSON, SGF, HexWorld links, HexWiki
//! diagrams and SVG pictures. Nothing here decides what is legal: [`Record::replay`] plays a
//! record through the rules of [`crate::game`].
//!
//! Invariant: every record that a reader hands out replays. One that does not fit the rules is
//! refused with its line, token and reason, and nothing of it is kept.

mod cases;
mod error;
mod eyes;
mod format;
mod hexwiki;
mod hexworld;
mod json;
mod replay;
mod sgf;
pub mod svg;

pub use error::{ReadError, Reason, WriteError};
pub use eyes::Eyes;
pub use format::{
    ConvertError, Converted, Format, MAX_BYTES, MAX_RECORDS, convert, read, seen_by, write,
};
pub use hexwiki::{Diagram, Mark, MarkKind, Stone};
pub use replay::{BadEnd, BadPly, RecordError};

use crate::game::clock::Control;
use crate::game::{Cell, Color, Game, Goal, Kind, Move, Outcome, Ply, Size, Swap};

/// A game: what it was played by, who played, every move, and how it ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The board.
    pub size: Size,
    /// Hex or Dark Hex.
    pub kind: Kind,
    /// The swap rule.
    pub swap: Swap,
    /// What joining one's own edges brings.
    pub goal: Goal,
    /// Stones that stood before the first move, in the order of their placement. A random opening
    /// has as many red as blue ones, alternating, red first.
    pub setup: Vec<(Color, Cell)>,
    /// Who played, by seat.
    pub players: [Option<String>; 2],
    /// Every move; in Dark Hex every attempt.
    pub plies: Vec<RecordPly>,
    /// How the game ended; none while it runs, and where nobody knows.
    pub end: Option<Outcome>,
    /// The chain that decided the game; empty where none did.
    pub winning_path: Vec<Cell>,
    /// What else is known of the game.
    pub meta: Meta,
    /// How many variations the reader left out.
    pub left_out: usize,
}

/// A move, and the mover's clock after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordPly {
    /// The mover's colour when it moved.
    pub color: Color,
    /// What was played.
    pub action: Action,
    /// The mover's clock after the move, where there was one.
    pub clock: Option<Reading>,
    /// Whether the computer played it.
    pub cpu: bool,
}

/// What a move was. Unlike [`Move`], it says which swap, and what came of it in Dark Hex.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// A stone on a cell.
    Place(Cell),
    /// A try at a cell on which a hidden stone stood: nothing was placed.
    Collision(Cell),
    /// The seats exchanged colours and edges.
    SwapSides,
    /// The first stone gave way to its mirror image in the second player's colour.
    SwapPieces,
}

/// What a clock shows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reading {
    /// Milliseconds left: of the main time, or of the period that runs.
    pub left_ms: u64,
    /// Byo-yomi periods that stand untouched behind it.
    pub periods: u8,
}

/// What is known of a game beyond its moves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Meta {
    /// The game's name or identifier.
    pub id: Option<String>,
    /// The day it was played, as `2026-11-29`.
    pub date: Option<String>,
    /// The tournament, set or table it belongs to.
    pub event: Option<String>,
    /// How its time was kept.
    pub time: Option<Control>,
}

impl Record {
    /// A record without moves, of which nothing is known.
    pub fn new(size: Size) -> Record {
        Record {
            size,
            kind: Kind::Hex,
            swap: Swap::Off,
            goal: Goal::Join,
            setup: Vec::new(),
            players: [None, None],
            plies: Vec::new(),
            end: None,
            winning_path: Vec::new(),
            meta: Meta::default(),
            left_out: 0,
        }
    }

    /// The record of a game, played by people as far as it knows. `clocks` holds the mover's clock
    /// after each ply; plies beyond its end have none.
    pub fn from_game(
        game: &Game,
        players: [Option<String>; 2],
        clocks: &[Option<Reading>],
        meta: Meta,
    ) -> Record {
        let rules = game.rules();
        let clocks = clocks.iter().copied().chain(std::iter::repeat(None));
        let ply = |(&Ply { color, action, collided, .. }, clock)| {
            let action = match (action, rules.swap()) {
                (Move::Place(cell), _) if collided => Action::Collision(cell),
                (Move::Place(cell), _) => Action::Place(cell),
                (Move::Swap, Swap::Pieces) => Action::SwapPieces,
                (Move::Swap, _) => Action::SwapSides,
            };
            RecordPly { color, action, clock, cpu: false }
        };
        let opening = alternating().zip(game.opening().iter().copied());
        Record {
            size: rules.size(),
            kind: rules.kind(),
            swap: rules.swap(),
            goal: rules.goal(),
            setup: opening.chain(game.setup().iter().copied()).collect(),
            players,
            plies: game.plies().iter().zip(clocks).map(ply).collect(),
            end: game.outcome(),
            winning_path: game.winning_path().unwrap_or_default(),
            meta,
            left_out: 0,
        }
    }

    /// The stones that were placed by moves, in order: what formats that know no attempts can tell
    /// of a game of Dark Hex.
    fn stones(&self) -> impl Iterator<Item = &RecordPly> {
        self.plies.iter().filter(|ply| !matches!(ply.action, Action::Collision(_)))
    }

    /// Whether the setup has the shape of a random opening: as many red stones as blue ones,
    /// alternating, red first.
    pub fn setup_alternates(&self) -> bool {
        self.setup.len().is_multiple_of(2)
            && self.setup.iter().zip(alternating()).all(|(&(color, _), expected)| color == expected)
    }
}

impl Action {
    /// The move that this is to the rules.
    pub const fn to_move(self) -> Move {
        match self {
            Action::Place(cell) | Action::Collision(cell) => Move::Place(cell),
            Action::SwapSides | Action::SwapPieces => Move::Swap,
        }
    }
}

/// Red, blue, red, blue …
fn alternating() -> impl Iterator<Item = Color> {
    [Color::Red, Color::Blue].into_iter().cycle()
}

/// Stones of both colours in alternation, red first, for formats that list each colour by itself.
fn interleaved(red: Vec<Cell>, blue: Vec<Cell>) -> Vec<(Color, Cell)> {
    let mut stones = Vec::with_capacity(red.len() + blue.len());
    let (mut red, mut blue) = (red.into_iter().fuse(), blue.into_iter().fuse());
    while red.len() + blue.len() > 0 {
        stones.extend(red.next().map(|cell| (Color::Red, cell)));
        stones.extend(blue.next().map(|cell| (Color::Blue, cell)));
    }
    stones
}
