//! Playing a record through the rules.

use super::{Action, Record, RecordPly};
use crate::game::{
    Cell, Color, Game, Goal, Illegal, Outcome, Rules, RulesError, SetupError, Swap, WonBy,
};

/// Why a record does not fit the rules, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordError {
    /// Its rules do not fit each other.
    #[error("{0}")]
    Rules(RulesError),
    /// A stone of the setup has no place.
    #[error("setup stone {}: {reason}", index + 1)]
    Setup {
        /// Which stone, from 0.
        index: usize,
        /// Why it has none.
        reason: Illegal,
    },
    /// A move is not legal.
    #[error("move {}: {reason}", index + 1)]
    Ply {
        /// Which move, from 0.
        index: usize,
        /// Why it is not.
        reason: BadPly,
    },
    /// The moves do not lead to the end that the record tells.
    #[error("{0}")]
    End(BadEnd),
    /// The published path is no winning chain.
    #[error("`winning_path` is not a chain of the stones that decided the game, from edge to edge")]
    Path,
}

/// Why a move of a record is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadPly {
    /// The rules do not allow it.
    #[error("{0}")]
    Illegal(Illegal),
    /// It is in the wrong colour.
    #[error("{color} moves, but it is {to_move}'s turn")]
    WrongColor {
        /// The colour that the record gives the move.
        color: Color,
        /// The colour whose turn it is.
        to_move: Color,
    },
    /// In Dark Hex, a stone is said to be placed where a hidden one stands.
    #[error("a hidden stone stands on {0}: this is a collision")]
    Hidden(Cell),
    /// A try is said to have run into a stone, and there is none that could be hidden.
    #[error("no hidden stone stands on {0}: this is no collision")]
    NoCollision(Cell),
    /// It is the other kind of swap.
    #[error("this is not the kind of swap that the record's rules name")]
    WrongSwap,
}

/// Why the end of a record is not what its moves lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadEnd {
    /// A chain has decided the game, and the record tells it otherwise.
    #[error("{color}'s edges are joined, so seat {winner} won by that chain")]
    DecidedByChain {
        /// The colour whose edges are joined.
        color: Color,
        /// The seat that has won thereby.
        winner: crate::game::Seat,
    },
    /// The record tells of a chain, and there is none.
    #[error("nobody's edges are joined, so no chain has decided the game")]
    NoChain,
    /// The record names one winner twice over, differently.
    #[error("the record names another winner elsewhere")]
    TwoWinners,
}

impl Record {
    /// The game at its end, played through the rules.
    pub fn replay(&self) -> Result<Game, RecordError> {
        let mut game = self.position(self.plies.len())?;
        match (game.outcome(), self.end) {
            (Some(reached), Some(told)) if reached == told => {}
            (Some(reached), _) => return Err(RecordError::End(decided(&game, reached))),
            (None, Some(Outcome::Won { by: WonBy::Chain, .. })) => {
                return Err(RecordError::End(BadEnd::NoChain));
            }
            (None, Some(told)) => game.end(told).map_err(|reason| RecordError::Ply {
                index: self.plies.len(),
                reason: BadPly::Illegal(reason),
            })?,
            (None, None) => {}
        }
        Ok(game)
    }

    /// The game after its first `plies` moves, or at its last move if it has fewer. An end that
    /// is not a chain is not played.
    pub fn position(&self, plies: usize) -> Result<Game, RecordError> {
        let mut game = self.start()?;
        for (index, ply) in self.plies.iter().take(plies).enumerate() {
            step(&mut game, ply).map_err(|reason| RecordError::Ply { index, reason })?;
        }
        Ok(game)
    }

    /// Sets the end that a chain has brought, if one has, and the winning path.
    pub(super) fn settle_by(&mut self, game: &Game) {
        if let Some(reached) = game.outcome() {
            self.end = Some(reached);
        }
        self.winning_path = game.winning_path().unwrap_or_default();
    }

    fn start(&self) -> Result<Game, RecordError> {
        if let Some(rules) = self.opening_rules() {
            let opening = self.setup.iter().map(|&(_, cell)| cell).collect();
            return Ok(Game::new(rules, opening));
        }
        let rules = Rules::of(self.kind, self.size, self.swap, self.goal, 0);
        let rules = rules.map_err(RecordError::Rules)?;
        if self.setup.is_empty() {
            return Ok(Game::new(rules, Vec::new()));
        }
        Game::with_setup(rules, self.setup.clone()).map_err(|error| match error {
            SetupError::Rules(error) => RecordError::Rules(error),
            SetupError::Stone { index, reason } => RecordError::Setup { index, reason },
        })
    }

    /// The rules under which the setup could be a random opening, if it could be one.
    fn opening_rules(&self) -> Option<Rules> {
        let could_be_drawn = !self.setup.is_empty() && self.setup_alternates();
        let stones = u8::try_from(self.setup.len() / 2).ok().filter(|_| could_be_drawn)?;
        let rules = Rules::of(self.kind, self.size, self.swap, self.goal, stones).ok()?;
        let plain = Rules::new(self.size, Swap::Off, self.goal, 0).ok()?;
        let game = Game::with_setup(plain, self.setup.clone()).ok()?;
        game.outcome().is_none().then_some(rules)
    }
}

/// Whether the cells are a chain of the colour's stones from its one edge to the other.
pub(super) fn joins(game: &Game, color: Color, path: &[Cell]) -> bool {
    let size = game.rules().size();
    let last = Cell::new(size.rows() - 1, size.cols() - 1);
    let along = |cell: &Cell| match color {
        Color::Red => cell.row,
        Color::Blue => cell.col,
    };
    let stones = |cell: &Cell| size.contains(*cell) && game.board().get(*cell) == Some(color);
    let touch = |pair: &[Cell]| size.neighbours(pair[0]).any(|next| next == pair[1]);
    path.first().is_some_and(|cell| along(cell) == 0)
        && path.last().is_some_and(|cell| along(cell) == along(&last))
        && path.iter().all(stones)
        && path.windows(2).all(touch)
}

/// The colour whose chain has decided the game, if one has.
pub(super) fn joined_color(game: &Game) -> Option<Color> {
    match game.outcome()? {
        Outcome::Won { winner, by: WonBy::Chain } => Some(match game.rules().goal() {
            Goal::Join => game.color(winner),
            Goal::Avoid => game.color(winner.other()),
        }),
        _ => None,
    }
}

fn step(game: &mut Game, ply: &RecordPly) -> Result<(), BadPly> {
    let seat = game.to_move().ok_or(BadPly::Illegal(Illegal::GameOver))?;
    let to_move = game.color(seat);
    if ply.color != to_move {
        return Err(BadPly::WrongColor { color: ply.color, to_move });
    }
    let action = ply.action.to_move();
    let runs_into = game.check(seat, action).is_ok().then(|| game.runs_into(seat, action));
    match (ply.action, game.rules().swap()) {
        (Action::Place(cell), _) if runs_into == Some(true) => Err(BadPly::Hidden(cell)),
        (Action::Collision(cell), _) if runs_into == Some(false) => Err(BadPly::NoCollision(cell)),
        (Action::SwapSides, Swap::Pieces) | (Action::SwapPieces, Swap::Sides) => {
            Err(BadPly::WrongSwap)
        }
        _ => game.play(seat, action).map_err(BadPly::Illegal),
    }
}

/// Says that a chain had decided the game, which is the only end that [`Record::position`] knows.
fn decided(game: &Game, reached: Outcome) -> BadEnd {
    match (joined_color(game), reached.winner()) {
        (Some(color), Some(winner)) => BadEnd::DecidedByChain { color, winner },
        _ => BadEnd::TwoWinners,
    }
}
