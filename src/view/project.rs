//! A viewer's whole view of a table.

use hexhall_proto::parts::{Clocks, Offer};
use hexhall_proto::view::{GameView, Listing, Presence, SeatPresence, View};

use crate::cpu::Level;
use crate::game::Seat;
use crate::game::clock::Stamp;
use crate::ids::Seq;
use crate::table::options::OnLeave;
use crate::table::state::event::Offer as OpenOffer;
use crate::table::state::{LiveGame, State};
use crate::wire;

use super::Viewer;
use super::party;
use super::sight::{self, Sight};

/// All that a viewer may know of the table at `now`. `seq` is the number of the viewer's last
/// event, `watchers` the number of sessions without a seat.
pub fn view(state: &State, viewer: Viewer, seq: Seq, watchers: usize, now: Stamp) -> View {
    View {
        table: state.id().to_string(),
        viewer: viewer.wire(),
        seq: seq.0,
        phase: wire::phase(state.phase()),
        options: wire::options(state.options()),
        private: state.is_private(),
        seats: Seat::BOTH.map(|seat| state.player(seat).map(wire::player)),
        score: state.score(),
        party: state.party().map(party::party),
        presence: presence(state, watchers, now),
        offers: state.offers().iter().map(|it| offer(it, now)).collect(),
        plan: plan(state, viewer),
        game: state.game().map(|live| game(state, live, viewer, now)),
    }
}

/// What the viewer's own seat has planned. Nobody else's is ever shown.
pub fn plan(state: &State, viewer: Viewer) -> Option<hexhall_proto::plans::Plan> {
    match viewer {
        Viewer::Seat(seat) => state.plan(seat).map(wire::plan),
        Viewer::Both | Viewer::Spectator => None,
    }
}

/// Who is there, for every viewer.
pub fn presence(state: &State, watchers: usize, now: Stamp) -> Presence {
    let seat = |seat| {
        let over = match state.options().on_leave() {
            OnLeave::Cpu => state.takeover_at(seat),
            OnLeave::Claim => state.running().and_then(|live| state.countdown_over(seat, live)),
            OnLeave::Clock => None,
        };
        SeatPresence {
            connected: state.is_attended(seat),
            countdown_ms: over.filter(|&over| over > now).map(|over| over - now),
            claimable: state.is_claimable(seat, now),
            // Who is back has the seat, although that may not be told yet.
            cpu: state
                .taken_over(seat)
                .filter(|_| !state.presence().is_here(seat))
                .map(Level::number),
        }
    };
    let party = party::presence(state, now);
    Presence { seats: Seat::BOTH.map(seat), watchers: watchers as u64, party }
}

/// A table as the public list shows it.
pub fn listing(state: &State) -> Listing {
    Listing {
        table: state.id().to_string(),
        phase: wire::phase(state.phase()),
        options: wire::options(state.options()),
        seats: Seat::BOTH.map(|seat| state.player(seat).map(wire::player)),
        party: state.party().map(|party| party.code().to_string()),
        size: party::size(state),
        // Of who is there, no row of a table tells: see `table::gone`.
        gone: false,
        game: state.game().map(|live| live.id.to_string()),
        opened_ms: state.opened().0,
    }
}

pub(super) fn offer(offer: &OpenOffer, now: Stamp) -> Offer {
    Offer {
        id: offer.id,
        kind: offer.kind,
        by: wire::seat(offer.by),
        expires_in_ms: offer.expires - now,
    }
}

pub(super) fn game(state: &State, live: &LiveGame, viewer: Viewer, now: Stamp) -> GameView {
    let game = &live.game;
    let to_move = game.to_move();
    let own_turn = |seat| viewer == Viewer::Both || viewer == Viewer::Seat(seat);
    let may_move = to_move.is_some_and(own_turn) && !live.paused;
    let sight = Sight::of(game, viewer);
    GameView {
        id: live.id.to_string(),
        number: state.games(),
        options: (live.options != *state.options()).then(|| wire::options(&live.options)),
        opening: game.opening().iter().copied().map(wire::cell).collect(),
        moves: sight.moves(live),
        board: sight.board(game),
        found: sight::found(game, viewer),
        colors: Seat::BOTH.map(|seat| wire::color(game.color(seat))),
        turn: live.turn,
        to_move: to_move.map(wire::seat),
        legal_moves: may_move.then(|| game.legal_moves().into_iter().map(wire::action).collect()),
        clocks: clocks(state, live, now),
        paused: live.paused,
        outcome: game.outcome().map(wire::outcome),
        winning_path: winning_path(live),
    }
}

/// Both clocks at `now`; none where the table keeps no time. A clock that stands only because
/// what came before is not yet durable counts as running: nobody sees this before it is. Behind a
/// curtain none runs.
pub fn clocks(state: &State, live: &LiveGame, now: Stamp) -> Option<Clocks> {
    if !state.has_clock() {
        return None;
    }
    let running = live.game.to_move().filter(|_| !live.paused && !state.is_curtained());
    let reading = |seat| wire::clock_reading(&live.clock, live.clock.reading(seat, now));
    Some(Clocks { running: running.map(wire::seat), seats: Seat::BOTH.map(reading) })
}

pub(super) fn winning_path(live: &LiveGame) -> Option<Vec<hexhall_proto::parts::Cell>> {
    let path = live.game.winning_path()?;
    Some(path.into_iter().map(wire::cell).collect())
}
