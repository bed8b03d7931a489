//! What a viewer may know of the stones of a game, and of the attempts that led there.
//!
//! Invariant: in Dark Hex nobody is shown more than what they know themselves, until a chain
//! decides the game. After any other end that stays so for ever.

use hexhall_proto::parts;
use hexhall_proto::view::PlayedMove;

use crate::game::{Cell, Color, Game, Outcome, Ply, Seat, WonBy};
use crate::table::state::{LiveGame, PlyTime};
use crate::wire;

use super::Viewer;

/// How much of a game somebody sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sight {
    /// Every stone and every move.
    Everything,
    /// What this seat knows.
    Seat(Seat),
    /// That stones were placed and that seats collided, and not where.
    Nothing,
}

impl Sight {
    /// What the viewer sees of the game as it stands.
    pub(super) fn of(game: &Game, viewer: Viewer) -> Sight {
        let decided = matches!(game.outcome(), Some(Outcome::Won { by: WonBy::Chain, .. }));
        if decided { Sight::Everything } else { Sight::before_end(game, viewer) }
    }

    /// What the viewer sees of it until its end is told.
    pub(super) fn before_end(game: &Game, viewer: Viewer) -> Sight {
        match viewer {
            _ if !game.is_dark() => Sight::Everything,
            Viewer::Seat(seat) => Sight::Seat(seat),
            Viewer::Both | Viewer::Spectator => Sight::Nothing,
        }
    }

    /// The cell of an attempt of that seat, if it may be known.
    pub(super) fn tried(self, by: Seat, cell: Cell) -> Option<parts::Cell> {
        let known = match self {
            Sight::Everything => true,
            Sight::Seat(seat) => seat == by,
            Sight::Nothing => false,
        };
        known.then(|| wire::cell(cell))
    }

    /// Every move so far.
    pub(super) fn moves(self, live: &LiveGame) -> Vec<PlayedMove> {
        let rule = live.game.rules().swap();
        let shown = |(ply, time): (&Ply, &PlyTime)| {
            wire::played(ply, rule, time.cpu, |cell| self.tried(ply.seat, cell))
        };
        live.game.plies().iter().zip(&live.times).map(shown).collect()
    }

    /// The stones, one string a row from the top.
    pub(super) fn board(self, game: &Game) -> Vec<String> {
        let size = game.rules().size();
        let stone = |cell| match self {
            Sight::Everything => game.board().get(cell),
            Sight::Seat(seat) => game.known(seat, cell),
            Sight::Nothing => None,
        };
        let letter = |cell| match stone(cell) {
            Some(Color::Red) => 'r',
            Some(Color::Blue) => 'b',
            None => '.',
        };
        let row = |row| (0..size.cols()).map(|col| letter(Cell::new(row, col))).collect();
        (0..size.rows()).map(row).collect()
    }
}

/// The enemy stones that a viewer's own seat has run into, where stones are hidden.
pub(super) fn found(game: &Game, viewer: Viewer) -> Option<Vec<parts::Cell>> {
    match viewer {
        Viewer::Seat(seat) if game.is_dark() => Some(game.found(seat).map(wire::cell).collect()),
        _ => None,
    }
}
