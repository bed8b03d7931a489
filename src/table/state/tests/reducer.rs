//! What a client does with its stream, slow and small: a view, and the events that change it.

use hexhall_proto::event::{Event as Told, StreamFrame};
use hexhall_proto::options::Swap;
use hexhall_proto::parts::{Cell, Clocks, Color, Move, Phase, Seat, Viewer};
use hexhall_proto::party::PartyChange;
use hexhall_proto::view::{GameView, PlayedMove, View};

/// Brings a view up to what the next frame of its stream tells.
pub fn follow(view: &mut View, frame: &StreamFrame) {
    assert_eq!(frame.seq, Some(view.seq + 1), "a stream has no gap");
    assert_eq!(frame.table, view.table);
    view.seq += 1;
    match frame.event.clone() {
        Told::Seated { seat, player } => view.seats[index(seat)] = Some(player),
        Told::Unseated { seat } => {
            view.seats[index(seat)] = None;
            view.score = [0, 0];
            view.phase = Phase::Waiting;
        }
        Told::Renamed { player } => {
            for seat in view.seats.iter_mut().flatten().filter(|it| it.id == player.id) {
                *seat = player.clone();
            }
            for member in view.party.iter_mut().flat_map(|party| &mut party.members) {
                if member.player.id == player.id {
                    member.player = player.clone();
                }
            }
        }
        Told::Party { change, party } => {
            if let PartyChange::OptionsSet { options } = change {
                let before = std::mem::replace(&mut view.options, options);
                if let Some(game) = &mut view.game {
                    let own = game.options.take().unwrap_or(before);
                    game.options = (own != view.options).then_some(own);
                }
            }
            view.party = Some(*party);
        }
        Told::Started { view: fresh } => {
            assert_eq!((fresh.seq, fresh.viewer), (view.seq, view.viewer));
            *view = *fresh;
        }
        Told::Placed { seat, color, cell, turn, to_move, cpu, clocks } => {
            let game = game(view);
            game.moves.push(PlayedMove { seat, color, cell, collision: false, swap: None, cpu });
            if let Some(cell) = cell {
                put(&mut game.board, cell, color);
            }
            goes_on(game, turn, to_move, clocks);
        }
        Told::Collided { seat, cell, turn, to_move, cpu, clocks } => {
            let game = game(view);
            let color = game.colors[index(seat)];
            game.moves.push(PlayedMove { seat, color, cell, collision: true, swap: None, cpu });
            if let Some(cell) = cell {
                put(&mut game.board, cell, game.colors[1 - index(seat)]);
                let found = game.found.as_mut().unwrap();
                found.push(cell);
                found.sort_by_key(|cell| (cell.0, cell.1));
            }
            goes_on(game, turn, to_move, clocks);
        }
        Told::Swapped { seat, swap, cell, color, colors, turn, to_move, cpu, clocks } => {
            let game = game(view);
            let before = game.colors[index(seat)];
            game.moves.push(PlayedMove {
                seat,
                color: before,
                cell: None,
                collision: false,
                swap: Some(swap),
                cpu,
            });
            game.board.iter_mut().for_each(|row| *row = ".".repeat(row.len()));
            put(&mut game.board, cell, color);
            game.colors = colors;
            goes_on(game, turn, to_move, clocks);
        }
        Told::Ended { outcome, winning_path, reveal, clocks, score } => {
            view.score = score;
            view.phase = Phase::Finished;
            let game = game(view);
            (game.outcome, game.winning_path) = (Some(outcome), winning_path);
            if let Some(reveal) = reveal {
                (game.board, game.moves) = (reveal.board, reveal.moves);
            }
            (game.clocks, game.paused, game.to_move) = (clocks, false, None);
        }
        Told::Offered { offer } => view.offers.push(offer),
        Told::OfferClosed { offer, how: _ } => view.offers.retain(|open| open.id != offer),
        Told::TakenBack { game: fresh } => *game(view) = *fresh,
        Told::Paused { clocks } => (game(view).clocks, game(view).paused) = (clocks, true),
        Told::Unpaused { clocks } => (game(view).clocks, game(view).paused) = (clocks, false),
        Told::TimeGiven { clocks, .. } | Told::Restarted { clocks } => game(view).clocks = clocks,
        Told::TakenOver { seat, level } => view.presence.seats[index(seat)].cpu = Some(level),
        Told::Returned { seat } => view.presence.seats[index(seat)].cpu = None,
        Told::Closed {} => view.phase = Phase::Closed,
        Told::Presence { .. }
        | Told::Said { .. }
        | Told::Curtain { .. }
        | Told::Clocks { .. }
        | Told::Planned { .. }
        | Told::PlanDropped { .. }
        | Told::View { .. } => {
            panic!("these are not numbered")
        }
    }
    let (viewer, rule) = (view.viewer, view.options.swap);
    if let Some(game) = &mut view.game {
        game.legal_moves = legal_moves(game, viewer, rule);
    }
}

fn game(view: &mut View) -> &mut GameView {
    view.game.as_mut().unwrap()
}

fn goes_on(game: &mut GameView, turn: u64, to_move: Option<Seat>, clocks: Option<Clocks>) {
    (game.turn, game.to_move, game.clocks) = (turn, to_move, clocks);
}

fn index(seat: Seat) -> usize {
    usize::from(seat == Seat::Two)
}

fn put(board: &mut [String], Cell(row, col): Cell, color: Color) {
    let (row, col) = (usize::try_from(row).unwrap(), usize::try_from(col).unwrap());
    let stone = if color == Color::Red { "r" } else { "b" };
    board[row].replace_range(col..=col, stone);
}

/// What the viewer may play: the empty cells from the top left, and then the swap.
fn legal_moves(game: &GameView, viewer: Viewer, rule: Swap) -> Option<Vec<Move>> {
    let to_move = match viewer {
        Viewer::SeatOne => Some(Seat::One),
        Viewer::SeatTwo => Some(Seat::Two),
        Viewer::Both => game.to_move,
        Viewer::Spectator => None,
    };
    if to_move.is_none() || to_move != game.to_move || game.paused {
        return None;
    }
    let mut legal = Vec::new();
    for (row, cells) in (0..).zip(&game.board) {
        let empty = (0..).zip(cells.chars()).filter(|(_, stone)| *stone == '.');
        legal.extend(empty.map(|(col, _)| Move::Place(Cell(row, col))));
    }
    let first_alone = matches!(game.moves[..], [PlayedMove { cell: Some(_), .. }]);
    if rule != Swap::Off && first_alone {
        legal.push(Move::Swap);
    }
    Some(legal)
}
