//! What a game is played by, what a move is, and why a move may be refused.

use super::cell::{Cell, Color, Seat, Size};
use super::dark::{Collision, Kind};

/// The most stones a side that a random opening may have.
pub const MAX_RANDOM_STONES: u8 = 10;

/// How many cells of the board each random stone of a side needs.
pub const CELLS_PER_RANDOM_STONE: u16 = 6;

/// How many rows, and how many columns, a board with random stones has at least.
pub const LEAST_SIDE_WITH_STONES: u8 = 2;

/// What the second player may do to the first move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Swap {
    /// Nothing: there is no swap.
    #[default]
    Off,
    /// Take over the stone, the colour and the edges; seats exchange colours.
    Sides,
    /// Replace the stone by one of their own at its mirror image; seats keep their colours.
    Pieces,
}

/// What joining one's own edges brings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Goal {
    /// The win.
    #[default]
    Join,
    /// The loss: Rex, or reverse Hex.
    Avoid,
}

/// The rules of one game. Only combinations that fit each other can be built.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Rules {
    size: Size,
    kind: Kind,
    swap: Swap,
    goal: Goal,
    random_stones: u8,
}

/// Why rules do not fit each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RulesError {
    /// Mirroring a stone needs a square board.
    #[error("`swap: pieces` needs a square board, and {0} is not one: choose `sides` or `off`")]
    SwapPiecesNotSquare(Size),
    /// The swap answers a first move, and a random opening has none.
    #[error("a random opening leaves nothing to swap: choose `swap: off`, or `random_stones: 0`")]
    SwapAfterOpening,
    /// More stones than the rules know.
    #[error("`random_stones` is {0}: it is from 0 to {MAX_RANDOM_STONES}")]
    TooManyStones(u8),
    /// The board is too small for so many stones.
    #[error(
        "{stones} random stones a side do not fit on {size}: both sides are at least \
         {LEAST_SIDE_WITH_STONES}, and a stone needs {CELLS_PER_RANDOM_STONE} cells"
    )]
    NoRoomForStones {
        /// Stones a side.
        stones: u8,
        /// The board.
        size: Size,
    },
    /// A swap answers a stone that is seen.
    #[error("Dark Hex is played without the swap: choose `swap: off`, or `game: hex`")]
    SwapInDark,
    /// Rex is played in the open.
    #[error("Dark Hex is won by joining one's edges: choose `goal: join`, or `game: hex`")]
    AvoidInDark,
    /// Random stones would be hidden from nobody, or from everybody.
    #[error("Dark Hex begins on an empty board: choose `random_stones: 0`, or `game: hex`")]
    StonesInDark,
}

impl Rules {
    /// Plain Hex on a board of this size, without swap.
    pub const fn hex(size: Size) -> Rules {
        Rules { size, kind: Kind::Hex, swap: Swap::Off, goal: Goal::Join, random_stones: 0 }
    }

    /// Dark Hex on a board of this size.
    pub const fn dark(size: Size, collision: Collision) -> Rules {
        Rules { kind: Kind::Dark(collision), ..Rules::hex(size) }
    }

    /// Rules of either game, if they fit each other.
    pub fn of(
        kind: Kind,
        size: Size,
        swap: Swap,
        goal: Goal,
        random_stones: u8,
    ) -> Result<Rules, RulesError> {
        match kind {
            Kind::Hex => Rules::new(size, swap, goal, random_stones),
            Kind::Dark(_) if swap != Swap::Off => Err(RulesError::SwapInDark),
            Kind::Dark(_) if goal != Goal::Join => Err(RulesError::AvoidInDark),
            Kind::Dark(_) if random_stones > 0 => Err(RulesError::StonesInDark),
            Kind::Dark(collision) => Ok(Rules::dark(size, collision)),
        }
    }

    /// Rules of Hex, if they fit each other.
    pub fn new(size: Size, swap: Swap, goal: Goal, random_stones: u8) -> Result<Rules, RulesError> {
        if swap == Swap::Pieces && !size.is_square() {
            return Err(RulesError::SwapPiecesNotSquare(size));
        }
        if random_stones > MAX_RANDOM_STONES {
            return Err(RulesError::TooManyStones(random_stones));
        }
        if random_stones > 0 {
            if swap != Swap::Off {
                return Err(RulesError::SwapAfterOpening);
            }
            let needed = usize::from(CELLS_PER_RANDOM_STONE) * usize::from(random_stones);
            let least = size.rows().min(size.cols());
            if least < LEAST_SIDE_WITH_STONES || size.cells() < needed {
                return Err(RulesError::NoRoomForStones { stones: random_stones, size });
            }
        }
        Ok(Rules { size, kind: Kind::Hex, swap, goal, random_stones })
    }

    /// The board.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Which game it is.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The swap rule.
    pub const fn swap(&self) -> Swap {
        self.swap
    }

    /// What joining one's edges brings.
    pub const fn goal(&self) -> Goal {
        self.goal
    }

    /// Random opening stones, a side.
    pub const fn random_stones(&self) -> u8 {
        self.random_stones
    }

    /// The most moves a game by these rules can have; the swap counts, and so does every try that
    /// runs into a hidden stone.
    pub const fn move_limit(&self) -> usize {
        match self.kind {
            Kind::Hex => self.size.cells() + 1,
            Kind::Dark(_) => 2 * self.size.cells() - 1,
        }
    }
}

/// What a seat may ask the board for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// A stone of the mover's colour on this cell.
    Place(Cell),
    /// The swap, of whichever kind the rules have.
    Swap,
}

/// Why a move is not legal. The game is as it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegal {
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
    /// It is the other seat's turn.
    #[error("it is not your turn: seat {to_move} is to move")]
    NotYourTurn {
        /// The seat whose turn it is.
        to_move: Seat,
    },
    /// There is no such cell.
    #[error("{cell} is not on the board, which is {size}")]
    OffBoard {
        /// The cell asked for.
        cell: Cell,
        /// The board.
        size: Size,
    },
    /// A stone stands there, and the mover knows it.
    #[error("{cell} is taken by a {by} stone")]
    Occupied {
        /// The cell asked for.
        cell: Cell,
        /// Whose stone stands there.
        by: Color,
    },
    /// The swap may not be played.
    #[error("{0}")]
    NoSwap(NoSwap),
    /// Moves cannot be taken back.
    #[error("nothing is taken back in Dark Hex: what a seat has found cannot be forgotten")]
    NoTakeback,
}

/// Why the swap may not be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoSwap {
    /// The rules have no swap.
    #[error("this game is played without the swap rule")]
    Off,
    /// The swap answers the first move, and nothing else.
    #[error("the swap can only be the second move of the game")]
    NotSecondMove,
}
