//! What a viewer is told of one event.

use hexhall_proto::event::{Event as Told, Reveal};

use crate::game::clock::Stamp;
use crate::game::{Move, Seat};
use crate::ids::Seq;
use crate::table::state::event::Event;
use crate::table::state::party::Change;
use crate::table::state::{LiveGame, State};
use crate::wire;

use super::sight::Sight;
use super::{Viewer, party, project};

/// Whether the viewer is told of the event, and so whether it takes a number of their stream.
/// Everything that happens after the opening is told to everybody, as far as they may know it,
/// except what a seat plans: that is [`whispered`].
pub fn is_told(event: &Event, _viewer: Viewer) -> bool {
    !matches!(
        event,
        Event::Opened { .. }
            | Event::Party { change: Change::Formed { .. }, .. }
            | Event::Planned { .. }
            | Event::PlanDropped { .. }
    )
}

/// What one seat alone is told of an event that led to `state`, beside its stream: a number of it
/// would tell whoever reads that stream next, and those who count their own.
pub fn whispered(state: &State, event: &Event) -> Option<(Seat, Told)> {
    match event {
        Event::Planned { by, .. } | Event::Played { by, planned: true, .. } => {
            Some((by.seat, Told::Planned { plan: state.plan(by.seat).map(wire::plan) }))
        }
        Event::PlanDropped { seat, why, .. } => Some((*seat, Told::PlanDropped { why: *why })),
        _ => None,
    }
}

/// Whether every viewer is told the same of an event that led to `state`, whatever their eyes. The
/// others hold what is for one viewer alone: a view, or the moves that its seat may make; and of a
/// dark game everything is told to each by what they know.
pub fn is_alike(state: &State, event: &Event) -> bool {
    let is_dark = state.game().is_some_and(|live| live.game.is_dark());
    !is_dark && !matches!(event, Event::Started { .. } | Event::TakenBack { .. })
}

/// What the viewer is told of an event that led to `state`; `seq` is its number in the viewer's
/// stream. None if they are not told of it.
pub fn told(
    state: &State,
    event: &Event,
    viewer: Viewer,
    seq: Seq,
    watchers: usize,
    now: Stamp,
) -> Option<Told> {
    let clocks = || state.game().and_then(|live| project::clocks(state, live, now));
    Some(match event {
        Event::Opened { .. } | Event::Planned { .. } | Event::PlanDropped { .. } => return None,
        Event::Seated { seat, player, .. } => {
            Told::Seated { seat: wire::seat(*seat), player: wire::player(player) }
        }
        Event::Unseated { seat, .. } => Told::Unseated { seat: wire::seat(*seat) },
        Event::Renamed { player, .. } => Told::Renamed { player: wire::player(player) },
        Event::Party { change, .. } => Told::Party {
            change: party::change(state, change)?,
            party: Box::new(party::party(state.party()?)),
        },
        Event::Started { .. } => {
            let view = project::view(state, viewer, seq, watchers, now);
            Told::Started { view: Box::new(view) }
        }
        Event::Played { by, action, collided, cpu, .. } => {
            played(state, by.seat, *action, *collided, *cpu, viewer, now)?
        }
        Event::Ended { outcome, .. } => Told::Ended {
            outcome: wire::outcome(*outcome),
            winning_path: state.game().and_then(project::winning_path),
            reveal: state.game().and_then(reveal),
            clocks: clocks(),
            score: state.score(),
        },
        Event::Offered { offer, .. } => Told::Offered { offer: project::offer(offer, now) },
        Event::OfferClosed { offer, how, .. } => Told::OfferClosed { offer: *offer, how: *how },
        Event::TakenBack { .. } => {
            let game = project::game(state, state.game()?, viewer, now);
            Told::TakenBack { game: Box::new(game) }
        }
        Event::Paused { .. } => Told::Paused { clocks: clocks() },
        Event::Unpaused { .. } => Told::Unpaused { clocks: clocks() },
        Event::TimeGiven { by, ms, .. } => {
            Told::TimeGiven { seat: wire::seat(by.seat.other()), ms: *ms, clocks: clocks() }
        }
        Event::TakenOver { seat, level, .. } => {
            Told::TakenOver { seat: wire::seat(*seat), level: level.number() }
        }
        Event::Returned { seat, .. } => Told::Returned { seat: wire::seat(*seat) },
        Event::Restarted { .. } => Told::Restarted { clocks: clocks() },
        Event::Closed { .. } => Told::Closed {},
    })
}

/// What the end of a dark game uncovers. Nothing, unless a chain decided it.
fn reveal(live: &LiveGame) -> Option<Reveal> {
    let game = &live.game;
    let uncovered = game.is_dark() && Sight::of(game, Viewer::Spectator) == Sight::Everything;
    uncovered.then(|| Reveal {
        board: Sight::Everything.board(game),
        moves: Sight::Everything.moves(live),
    })
}

/// A move, as it left the game. Where a chain has just decided it, what is hidden stays so until
/// the end is told.
fn played(
    state: &State,
    by: Seat,
    action: Move,
    collided: bool,
    cpu: bool,
    viewer: Viewer,
    now: Stamp,
) -> Option<Told> {
    let live = state.game()?;
    let game = &live.game;
    let (seat, turn) = (wire::seat(by), live.turn);
    let to_move = game.to_move().map(wire::seat);
    let clocks = project::clocks(state, live, now);
    let sight = Sight::before_end(game, viewer);
    Some(match action {
        Move::Place(cell) if collided => {
            Told::Collided { seat, cell: sight.tried(by, cell), turn, to_move, cpu, clocks }
        }
        Move::Place(cell) => {
            // A stone never changes sides in the move that places it.
            let color = wire::color(game.color(by));
            Told::Placed { seat, color, cell: sight.tried(by, cell), turn, to_move, cpu, clocks }
        }
        Move::Swap => {
            let colors = Seat::BOTH.map(|seat| wire::color(game.color(seat)));
            // The swap is the second move, so one stone stands.
            let (cell, color) = game.board().stones().next()?;
            let swap = wire::swap(game.rules().swap());
            let (cell, color) = (wire::cell(cell), wire::color(color));
            Told::Swapped { seat, swap, cell, color, colors, turn, to_move, cpu, clocks }
        }
    })
}
