//! Holding what somebody saw against what the rules say. PURE.

use std::fmt;

use hexhall_proto::parts::{self, EndedBy, Viewer};
use hexhall_proto::view::PlayedMove;

use super::script::Script;
use crate::game::{Cell, Color, Game, Kind, Move, Outcome, Ply, Seat, Size, WonBy};
use crate::remote::TableCopy;
use crate::wire;

/// Who saw something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Who {
    /// The player in this seat.
    Seat(Seat),
    /// A watcher, counted from 1.
    Watcher(usize),
    /// The record, in what it says of its own end.
    Record,
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Who::Seat(seat) => write!(f, "seat {seat}"),
            Who::Watcher(number) => write!(f, "watcher {number}"),
            Who::Record => f.write_str("record"),
        }
    }
}

/// Something that somebody saw otherwise than the rules have it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Who saw it.
    pub who: Who,
    /// What differs.
    pub field: &'static str,
    /// What the rules say.
    pub expected: String,
    /// What was seen.
    pub seen: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { who, field, expected, seen } = self;
        write!(f, "{who}, {field}: expected {expected}, saw {seen}")
    }
}

/// What one viewer saw of a game.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) who: Who,
    /// The copy that was kept event by event.
    pub(super) followed: TableCopy,
    /// A whole view that was asked for at the end.
    pub(super) fresh: TableCopy,
    /// How often an event did not follow the last one.
    pub(super) out_of_order: u32,
    pub(super) reconnects: u32,
}

/// Every difference between what a viewer saw and the game as the rules play it.
pub(super) fn differences(game: &Game, seen: &Seen) -> Vec<Difference> {
    let mut differ = Differences { who: seen.who, found: Vec::new() };
    let copy = &seen.followed;
    let viewer = match seen.who {
        Who::Seat(Seat::One) => Viewer::SeatOne,
        Who::Seat(Seat::Two) => Viewer::SeatTwo,
        Who::Watcher(_) | Who::Record => Viewer::Spectator,
    };
    differ.unless_same("viewer", format!("{viewer:?}"), format!("{:?}", copy.viewer()));
    let sight = Sight::of(game, seen.who);
    differ.unless_same("board", sight.board(game).join("/"), copy.board().join("/"));
    differ.unless_same("moves", sight.moves(game), seen_moves(copy));
    if let Who::Seat(seat) = seen.who {
        differ.unless_same("found", found(game, seat), seen_found(copy));
    }
    differ.unless_same(
        "colors",
        format!("{:?}", colors(game)),
        match copy.game() {
            Some(game) => format!("{:?}", game.colors),
            None => "no game".into(),
        },
    );
    let to_move = |seat: Option<Seat>| seat.map_or("nobody".into(), |seat| format!("seat {seat}"));
    differ.unless_same(
        "to_move",
        to_move(game.to_move()),
        to_move(copy.to_move().map(wire::read_seat)),
    );
    let ending = |outcome: Option<parts::Outcome>| outcome.map_or("unfinished".into(), result);
    differ.unless_same("winner", ending(game.outcome().map(wire::outcome)), ending(copy.outcome()));
    let seen_path: Option<Vec<Cell>> =
        copy.winning_path().map(|path| path.iter().copied().map(wire::read_cell).collect());
    differ.unless_same(
        "winning_path",
        path_text(game.winning_path().as_deref()),
        path_text(seen_path.as_deref()),
    );
    if let Some(path) = &seen_path
        && !is_chain(game, path)
    {
        let chain = "a chain of one colour between its edges".into();
        differ.found("winning_path", chain, path_text(Some(path)));
    }
    if copy.timeless() != seen.fresh.timeless() {
        let (expected, seen) = (seen.fresh.timeless(), copy.timeless());
        differ.found("events against a fresh view", format!("{expected:?}"), format!("{seen:?}"));
    }
    if seen.out_of_order > 0 {
        let seen = format!("{} that did not follow or fit", seen.out_of_order);
        differ.found("stream", "every event after the last".into(), seen);
    }
    differ.found
}

/// Where the last board of a file is not what its moves lead to.
pub(super) fn record_differences(script: &Script) -> Vec<Difference> {
    let mut differ = Differences { who: Who::Record, found: Vec::new() };
    if let Some(claimed) = &script.board {
        let board = Sight::Everything.board(&script.game);
        differ.unless_same("board", board.join("/"), claimed.join("/"));
    }
    differ.found
}

struct Differences {
    who: Who,
    found: Vec<Difference>,
}

impl Differences {
    fn found(&mut self, field: &'static str, expected: String, seen: String) {
        self.found.push(Difference { who: self.who, field, expected, seen });
    }

    fn unless_same(&mut self, field: &'static str, expected: String, seen: String) {
        if expected != seen {
            self.found(field, expected, seen);
        }
    }
}

/// Whether the cells are a chain of neighbours, all of one colour, from that colour's one edge to
/// its other, with no cell twice.
pub(super) fn is_chain(game: &Game, path: &[Cell]) -> bool {
    let size = game.board().size();
    let (Some(&first), Some(&last)) = (path.first(), path.last()) else { return false };
    if path.iter().any(|&cell| !size.contains(cell)) {
        return false;
    }
    let Some(color) = game.board().get(first) else { return false };
    let one_color = path.iter().all(|&cell| game.board().get(cell) == Some(color));
    let joined = |pair: &[Cell]| size.neighbours(pair[0]).any(|cell| cell == pair[1]);
    let along = |cell: Cell, size: Size| match color {
        Color::Red => (cell.row, size.rows() - 1),
        Color::Blue => (cell.col, size.cols() - 1),
    };
    let ((start, _), (end, far)) = (along(first, size), along(last, size));
    let twice = (1..path.len()).any(|at| path[..at].contains(&path[at]));
    one_color && path.windows(2).all(joined) && start == 0 && end == far && !twice
}

/// What somebody may know of a game, said once more: not by the server's own projection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sight {
    Everything,
    Seat(Seat),
    Nothing,
}

impl Sight {
    fn of(game: &Game, who: Who) -> Sight {
        let decided = matches!(game.outcome(), Some(Outcome::Won { by: WonBy::Chain, .. }));
        match who {
            _ if decided || game.rules().kind() == Kind::Hex => Sight::Everything,
            Who::Seat(seat) => Sight::Seat(seat),
            Who::Watcher(_) | Who::Record => Sight::Nothing,
        }
    }

    fn knows_tries_of(self, seat: Seat) -> bool {
        self == Sight::Everything || self == Sight::Seat(seat)
    }

    fn board(self, game: &Game) -> Vec<String> {
        let size = game.board().size();
        let known = |cell| match self {
            Sight::Everything => game.board().get(cell),
            Sight::Seat(seat) => game.known(seat, cell),
            Sight::Nothing => None,
        };
        let stone = |row, col| match known(Cell::new(row, col)) {
            None => '.',
            Some(Color::Red) => 'r',
            Some(Color::Blue) => 'b',
        };
        (0..size.rows()).map(|row| (0..size.cols()).map(|col| stone(row, col)).collect()).collect()
    }

    fn moves(self, game: &Game) -> String {
        let text = |ply: &Ply| {
            let came = if ply.collided { "!" } else { "" };
            match ply.action {
                Move::Place(cell) if self.knows_tries_of(ply.seat) => {
                    format!("{}:{cell}{came}", ply.seat)
                }
                Move::Place(_) => format!("{}:?{came}", ply.seat),
                Move::Swap => format!("{}:swap", ply.seat),
            }
        };
        game.plies().iter().map(text).collect::<Vec<_>>().join(" ")
    }
}

/// The hidden stones that the seat has run into, from its own attempts; none where none are hidden.
fn found(game: &Game, seat: Seat) -> String {
    let hits = game.plies().iter().filter(|ply| ply.collided && ply.seat == seat);
    let cell = |ply: &Ply| match ply.action {
        Move::Place(cell) => Some(cell),
        Move::Swap => None,
    };
    let mut cells: Vec<Cell> = hits.filter_map(cell).collect();
    cells.sort_unstable();
    path_text(Some(&cells).filter(|_| game.is_dark()).map(Vec::as_slice))
}

fn seen_found(copy: &TableCopy) -> String {
    let found = copy.game().and_then(|game| game.found.as_ref());
    let cells = found.map(|found| found.iter().copied().map(wire::read_cell).collect::<Vec<_>>());
    path_text(cells.as_deref())
}

fn seen_moves(copy: &TableCopy) -> String {
    let text = |played: &PlayedMove| {
        let seat = wire::read_seat(played.seat);
        let came = if played.collision { "!" } else { "" };
        match (played.cell, played.swap) {
            (Some(cell), _) => format!("{seat}:{}{came}", wire::read_cell(cell)),
            (None, Some(_)) => format!("{seat}:swap"),
            (None, None) => format!("{seat}:?{came}"),
        }
    };
    copy.game()
        .map_or("no game".into(), |game| game.moves.iter().map(text).collect::<Vec<_>>().join(" "))
}

fn colors(game: &Game) -> [parts::Color; 2] {
    Seat::BOTH.map(|seat| wire::color(game.color(seat)))
}

/// An outcome in words.
pub(super) fn result(parts::Outcome { winner, by }: parts::Outcome) -> String {
    let by = match by {
        EndedBy::Chain => "chain",
        EndedBy::Resignation => "resignation",
        EndedBy::Time => "time",
        EndedBy::Forfeit => "forfeit",
        EndedBy::Aborted | EndedBy::NotStarted | EndedBy::Abandoned => "nothing: void",
    };
    let winner = winner.map_or("nobody".into(), |seat| format!("seat {}", wire::read_seat(seat)));
    format!("{winner} by {by}")
}

fn path_text(path: Option<&[Cell]>) -> String {
    match path {
        None => "none".into(),
        Some(path) => path.iter().map(Cell::to_string).collect::<Vec<_>>().join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Rules;

    fn cells(text: &str) -> Vec<Cell> {
        text.split_whitespace().map(|cell| cell.parse().unwrap()).collect()
    }

    #[test]
    fn only_neighbours_of_one_colour_from_edge_to_edge_are_a_chain() {
        let size = Size::new(3, 3).unwrap();
        let mut game = Game::new(Rules::hex(size), Vec::new());
        for (index, &cell) in cells("b1 a1 b2 a2 a3").iter().enumerate() {
            let seat = if index % 2 == 0 { Seat::One } else { Seat::Two };
            game.play(seat, Move::Place(cell)).unwrap();
        }
        assert!(is_chain(&game, &cells("b1 b2 a3")));
        for (path, flaw) in [
            ("", "is empty"),
            ("b2 a3", "does not start at the edge"),
            ("b1 b2", "does not end at the edge"),
            ("b1 a3", "leaps"),
            ("a1 a2 a3", "changes colour"),
            ("c1 c2 c3", "has no stones"),
            ("b1 b2 b1 b2 a3", "turns back"),
            ("b1 b2 a3 a4", "leaves the board"),
        ] {
            assert!(!is_chain(&game, &cells(path)), "a path that {flaw} was taken for a chain");
        }
    }
}
