//! One game, of Hex or of Dark Hex: the position, the moves that led to it, and the step from one to
//! the next.

use super::board::Board;
use super::cell::{Cell, Color, Seat};
use super::dark::Found;
use super::outcome::{Outcome, WonBy};
use super::rules::{Goal, Illegal, Move, NoSwap, Rules, RulesError, Swap};

/// A move that was played, and by whom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ply {
    /// Who played it.
    pub seat: Seat,
    /// The colour that the seat had when it moved.
    pub color: Color,
    /// What was played.
    pub action: Move,
    /// Whether a hidden stone stood there: nothing was placed, and the mover has found that stone.
    pub collided: bool,
}

/// A game, running or ended.
///
/// Invariant: `board`, `found` and `turn_of` are what `opening` or `setup`, of which one is empty,
/// and `plies` lead to, and an ended game never changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    rules: Rules,
    opening: Vec<Cell>,
    setup: Vec<(Color, Cell)>,
    plies: Vec<Ply>,
    board: Board,
    found: Found,
    turn_of: Seat,
    sides_swapped: bool,
    outcome: Option<Outcome>,
}

/// Why no game starts from these stones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// Stones that were set up leave nothing to swap, no room for a random opening, and nothing
    /// hidden.
    #[error("{0}")]
    Rules(RulesError),
    /// A stone has no place.
    #[error("{reason}")]
    Stone {
        /// Which of the stones, from 0.
        index: usize,
        /// Why it has none.
        reason: Illegal,
    },
}

impl Game {
    /// A game at its start. `opening` comes from [`super::opening::draw`] and is empty without
    /// random stones.
    pub fn new(rules: Rules, opening: Vec<Cell>) -> Game {
        debug_assert_eq!(opening.len(), 2 * usize::from(rules.random_stones()));
        let mut board = Board::new(rules.size());
        let colors = [Color::Red, Color::Blue].into_iter().cycle();
        for (&cell, color) in opening.iter().zip(colors) {
            board.place(cell, color);
        }
        let (setup, plies) = (Vec::new(), Vec::new());
        Game {
            rules,
            opening,
            setup,
            plies,
            board,
            found: Found::default(),
            turn_of: Seat::One,
            sides_swapped: false,
            outcome: None,
        }
    }

    /// A game at its start from stones that stand already, as studies and imported records have
    /// them. Seat 1 moves first. Stones that join edges have ended the game.
    pub fn with_setup(rules: Rules, stones: Vec<(Color, Cell)>) -> Result<Game, SetupError> {
        if rules.swap() != Swap::Off || rules.random_stones() > 0 {
            return Err(SetupError::Rules(RulesError::SwapAfterOpening));
        }
        if rules.kind().is_dark() {
            return Err(SetupError::Rules(RulesError::StonesInDark));
        }
        let mut game = Game::new(rules, Vec::new());
        for (index, &(color, cell)) in stones.iter().enumerate() {
            game.check_free(Seat::One, cell)
                .map_err(|reason| SetupError::Stone { index, reason })?;
            game.place(cell, color);
        }
        game.setup = stones;
        Ok(game)
    }

    /// What the game is played by.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The stones as they stand.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The random opening in placement order, red first.
    pub fn opening(&self) -> &[Cell] {
        &self.opening
    }

    /// The stones that stood before the first move without being a random opening.
    pub fn setup(&self) -> &[(Color, Cell)] {
        &self.setup
    }

    /// Every move so far, tries that ran into a hidden stone among them.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// How the game ended, once it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Whether the seats have exchanged colours and edges.
    pub fn sides_swapped(&self) -> bool {
        self.sides_swapped
    }

    /// The seat whose turn it is; none once the game has ended.
    pub fn to_move(&self) -> Option<Seat> {
        self.outcome.is_none().then_some(self.turn_of)
    }

    /// The colour that a seat now plays.
    pub fn color(&self, seat: Seat) -> Color {
        match (seat, self.sides_swapped) {
            (Seat::One, false) | (Seat::Two, true) => Color::Red,
            (Seat::Two, false) | (Seat::One, true) => Color::Blue,
        }
    }

    /// The seat that now plays a colour.
    pub fn seat(&self, color: Color) -> Seat {
        if self.color(Seat::One) == color { Seat::One } else { Seat::Two }
    }

    /// Whether a seat has made its first move; a collision counts.
    pub fn has_moved(&self, seat: Seat) -> bool {
        self.plies.iter().any(|ply| ply.seat == seat)
    }

    /// Whether both seats have made their first move.
    pub fn is_under_way(&self) -> bool {
        Seat::BOTH.into_iter().all(|seat| self.has_moved(seat))
    }

    /// Whether the move may be played by this seat now, judged from what the seat knows.
    pub fn check(&self, seat: Seat, action: Move) -> Result<(), Illegal> {
        let to_move = self.to_move().ok_or(Illegal::GameOver)?;
        match action {
            Move::Place(cell) if !self.rules.size().contains(cell) => {
                Err(Illegal::OffBoard { cell, size: self.rules.size() })
            }
            _ if to_move != seat => Err(Illegal::NotYourTurn { to_move }),
            Move::Place(cell) => self.check_free(seat, cell),
            Move::Swap => self.check_swap().map_err(Illegal::NoSwap),
        }
    }

    /// Whether the seat to move may swap.
    pub fn may_swap(&self) -> bool {
        self.outcome.is_none() && self.check_swap().is_ok()
    }

    /// The moves of the seat to move: the cells that it does not know to be taken, and the swap
    /// while it may be played. None once the game has ended.
    pub fn legal_moves(&self) -> Vec<Move> {
        let Some(seat) = self.to_move() else { return Vec::new() };
        let swap = self.may_swap().then_some(Move::Swap);
        let free = self.rules.size().iter().filter(|&cell| self.known(seat, cell).is_none());
        free.map(Move::Place).chain(swap).collect()
    }

    /// How the game would end by this move of the seat to move; none if it would go on. The move
    /// must be legal.
    pub fn outcome_of(&self, seat: Seat, action: Move) -> Option<Outcome> {
        let Move::Place(cell) = action else { return None };
        let joined = !self.runs_into(seat, action) && self.board.would_join(cell, self.color(seat));
        joined.then(|| self.chain_by(seat))
    }

    /// Plays a move, or says why not and stays as it was. What came of it is the last of
    /// [`Game::plies`].
    pub fn play(&mut self, seat: Seat, action: Move) -> Result<(), Illegal> {
        self.check(seat, action)?;
        let color = self.color(seat);
        let passes = self.passes_turn(seat, action);
        let collided = self.runs_into(seat, action);
        self.plies.push(Ply { seat, color, action, collided });
        match action {
            Move::Place(cell) if collided => self.found.add(seat, cell),
            Move::Place(cell) => self.place(cell, color),
            Move::Swap => self.swap(),
        }
        if passes {
            self.turn_of = seat.other();
        }
        debug_assert!(!self.board.is_full() || self.outcome.is_some(), "a full board has a winner");
        debug_assert!(self.plies.len() <= self.rules.move_limit(), "every game ends");
        Ok(())
    }

    /// Ends a running game otherwise than by a chain, or says that it had ended already.
    pub fn end(&mut self, outcome: Outcome) -> Result<(), Illegal> {
        if self.outcome.is_some() {
            return Err(Illegal::GameOver);
        }
        self.outcome = Some(outcome);
        Ok(())
    }

    /// Returns a running game to the position after its first `plies` moves.
    pub fn take_back_to(&mut self, plies: usize) -> Result<(), Illegal> {
        if self.outcome.is_some() {
            return Err(Illegal::GameOver);
        }
        if self.is_dark() {
            return Err(Illegal::NoTakeback);
        }
        let mut earlier = Game::new(self.rules, self.opening.clone());
        for &(color, cell) in &self.setup {
            earlier.place(cell, color);
        }
        earlier.setup.clone_from(&self.setup);
        for ply in &self.plies[..plies.min(self.plies.len())] {
            earlier.play(ply.seat, ply.action)?;
        }
        *self = earlier;
        Ok(())
    }

    /// The chain that decided the game: the winner's, or in Rex the loser's. From the top or from
    /// the left. None where no chain decided it.
    pub fn winning_path(&self) -> Option<Vec<Cell>> {
        match self.outcome? {
            Outcome::Won { winner, by: WonBy::Chain } => {
                let joined_by = match self.rules.goal() {
                    Goal::Join => winner,
                    Goal::Avoid => winner.other(),
                };
                self.board.winning_path(self.color(joined_by))
            }
            _ => None,
        }
    }

    /// What it comes to that this seat has joined its edges.
    fn chain_by(&self, seat: Seat) -> Outcome {
        let winner = match self.rules.goal() {
            Goal::Join => seat,
            Goal::Avoid => seat.other(),
        };
        Outcome::Won { winner, by: WonBy::Chain }
    }

    /// What each seat has run into.
    pub(super) fn hits(&self) -> &Found {
        &self.found
    }

    /// Whether the cell is one that this seat does not know to be taken.
    fn check_free(&self, seat: Seat, cell: Cell) -> Result<(), Illegal> {
        let size = self.rules.size();
        if !size.contains(cell) {
            return Err(Illegal::OffBoard { cell, size });
        }
        match self.known(seat, cell) {
            Some(by) => Err(Illegal::Occupied { cell, by }),
            None => Ok(()),
        }
    }

    /// Puts a stone on an empty cell; the first chain that joins its edges ends the game.
    fn place(&mut self, cell: Cell, color: Color) {
        if self.board.place(cell, color) && self.outcome.is_none() {
            self.outcome = Some(self.chain_by(self.seat(color)));
        }
    }

    fn check_swap(&self) -> Result<(), NoSwap> {
        if self.rules.swap() == Swap::Off {
            return Err(NoSwap::Off);
        }
        match self.plies[..] {
            [Ply { action: Move::Place(_), .. }] => Ok(()),
            _ => Err(NoSwap::NotSecondMove),
        }
    }

    fn swap(&mut self) {
        if self.rules.swap() == Swap::Sides {
            self.sides_swapped = true;
        } else if let Move::Place(cell) = self.plies[0].action {
            self.board = Board::new(self.rules.size());
            self.board.place(cell.mirrored(), Color::Blue);
        }
    }
}
