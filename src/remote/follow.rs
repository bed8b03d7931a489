//! A copy of a table as one viewer sees it, kept by applying that viewer's events. PURE.
//!
//! Owns a [`View`] and the step from one to the next. Invariant: after every event the copy is
//! what a fresh view would say, except for what changes by itself (time left, countdowns); see
//! [`TableCopy::timeless`]. An event that does not follow the last one, or does not fit, is
//! refused and leaves the copy as it was: it takes the missing run, or a fresh view, to go on.

use hexhall_proto::event::{Event, Reveal, StreamFrame};
use hexhall_proto::options::{Options, Swap};
use hexhall_proto::parts::{Cell, Clocks, Color, Move, Outcome, Phase, Player, Seat, Viewer};
use hexhall_proto::party::{PartyChange, PartyView};
use hexhall_proto::plans::Plan;
use hexhall_proto::request::Last;
use hexhall_proto::view::{GameView, PlayedMove, Presence, SeatPresence, View};

/// A table as one viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableCopy {
    view: View,
}

/// Why an event was not applied. The copy is as it was.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotApplied {
    /// It is about another table.
    #[error("the event is about table {of}, and this is a copy of {copy}")]
    OtherTable {
        /// The table that the event is about.
        of: String,
        /// The table that is copied.
        copy: String,
    },
    /// It does not follow the last event: some were missed, or one came twice.
    #[error("event {got} came where {expected} is the next")]
    OutOfOrder {
        /// The number of the next event.
        expected: u64,
        /// The number that came.
        got: u64,
    },
    /// An event that must have a number has none.
    #[error("an event that must be numbered has no number")]
    Unnumbered,
    /// A run of another viewer's events.
    #[error("the run is {of:?}'s, and this copy is {copy:?}'s")]
    OtherViewer {
        /// Whose run it is.
        of: Viewer,
        /// Whose copy it is.
        copy: Viewer,
    },
    /// The event cannot happen to the table as it is known.
    #[error("the event does not fit the table: {0}")]
    Misfit(&'static str),
}

impl TableCopy {
    /// A copy that starts from a whole view.
    pub fn new(view: View) -> TableCopy {
        TableCopy { view }
    }

    /// The table as a whole.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// The running game, or the one that ended last.
    pub fn game(&self) -> Option<&GameView> {
        self.view.game.as_ref()
    }

    /// The number of the last event applied.
    pub fn seq(&self) -> u64 {
        self.view.seq
    }

    /// Whose eyes the copy is cut for.
    pub fn viewer(&self) -> Viewer {
        self.view.viewer
    }

    /// The viewer's seat, if it has one.
    pub fn seat(&self) -> Option<Seat> {
        match self.view.viewer {
            Viewer::SeatOne => Some(Seat::One),
            Viewer::SeatTwo => Some(Seat::Two),
            Viewer::Both | Viewer::Spectator => None,
        }
    }

    /// Where to go on from after a break.
    pub fn last(&self) -> Last {
        Last { viewer: self.view.viewer, seq: self.view.seq }
    }

    /// The board, one string a row; empty before the first game.
    pub fn board(&self) -> &[String] {
        self.game().map_or(&[], |game| &game.board)
    }

    /// The turn to answer; none before the first game.
    pub fn turn(&self) -> Option<u64> {
        self.game().map(|game| game.turn)
    }

    /// The seat to move, while a game runs.
    pub fn to_move(&self) -> Option<Seat> {
        self.game()?.to_move
    }

    /// How the last game ended, once it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.game()?.outcome
    }

    /// The chain that decided the last game.
    pub fn winning_path(&self) -> Option<&[Cell]> {
        self.game()?.winning_path.as_deref()
    }

    /// What two copies of one viewer have in common whenever each was read: the view without time
    /// left, countdowns, and who is there.
    pub fn timeless(&self) -> View {
        let absent =
            SeatPresence { connected: false, countdown_ms: None, claimable: false, cpu: None };
        let mut view = self.view.clone();
        view.presence = Presence { seats: [absent; 2], watchers: 0, party: None };
        for offer in &mut view.offers {
            offer.expires_in_ms = 0;
        }
        if let Some(game) = &mut view.game {
            game.clocks = None;
        }
        view
    }

    /// Applies the next event.
    pub fn apply(&mut self, frame: &StreamFrame) -> Result<(), NotApplied> {
        self.check_order(frame)?;
        self.change(&frame.event)?;
        // An event with a view in it has brought its own number.
        if let (Some(seq), None) = (frame.seq, whole(&frame.event)) {
            self.view.seq = seq;
        }
        Ok(())
    }

    /// Applies a run of events that was missed, as `resumed` brings it, up to the first that does
    /// not fit.
    pub fn apply_run(&mut self, viewer: Viewer, run: &[StreamFrame]) -> Result<(), NotApplied> {
        if viewer != self.view.viewer {
            return Err(NotApplied::OtherViewer { of: viewer, copy: self.view.viewer });
        }
        run.iter().try_for_each(|frame| self.apply(frame))
    }

    /// Sets both clocks to what they show now: those of a run's events are as old as the events.
    pub fn set_clocks(&mut self, clocks: Clocks) {
        if let Some(game) = &mut self.view.game {
            game.clocks = Some(clocks);
        }
    }

    /// Sets what the own seat has planned to what it is now: that is in no run.
    pub fn set_plan(&mut self, plan: Option<Plan>) {
        self.view.plan = plan;
    }

    fn check_order(&self, frame: &StreamFrame) -> Result<(), NotApplied> {
        if frame.table != self.view.table {
            let (of, copy) = (frame.table.clone(), self.view.table.clone());
            return Err(NotApplied::OtherTable { of, copy });
        }
        let unnumbered = matches!(
            frame.event,
            Event::Presence { .. }
                | Event::Said { .. }
                | Event::Curtain { .. }
                | Event::Clocks { .. }
                | Event::Planned { .. }
                | Event::PlanDropped { .. }
                | Event::View { .. }
        );
        // Whoever changes seats goes on with another stream, and with that stream's numbers.
        let other_stream = whole(&frame.event).is_some_and(|view| view.viewer != self.view.viewer);
        let expected = self.view.seq + 1;
        match frame.seq {
            None if unnumbered => Ok(()),
            None => Err(NotApplied::Unnumbered),
            Some(got) if got == expected || other_stream => Ok(()),
            Some(got) => Err(NotApplied::OutOfOrder { expected, got }),
        }
    }

    fn change(&mut self, event: &Event) -> Result<(), NotApplied> {
        let view = &mut self.view;
        match event {
            Event::Started { view: fresh }
            | Event::Curtain { view: fresh }
            | Event::View { view: fresh } => {
                if fresh.table != view.table {
                    let (of, copy) = (fresh.table.clone(), view.table.clone());
                    return Err(NotApplied::OtherTable { of, copy });
                }
                *view = View::clone(fresh);
            }
            Event::Seated { seat, player } => {
                view.seats[*seat as usize] = Some(player.clone());
                view.phase = phase(view);
            }
            Event::Unseated { seat } => {
                view.seats[*seat as usize] = None;
                view.score = [0, 0];
                view.phase = phase(view);
            }
            Event::Renamed { player } => renames(view, player),
            Event::Party { change, party } => {
                if let PartyChange::OptionsSet { options } = change {
                    set_options(view, options);
                }
                view.party = Some(PartyView::clone(party));
            }
            Event::Offered { offer } => view.offers.push(offer.clone()),
            Event::OfferClosed { offer, .. } => view.offers.retain(|open| open.id != *offer),
            Event::Closed {} => view.phase = Phase::Closed,
            // A copy keeps what is at the table, and not what is said there.
            Event::Said { .. } => {}
            Event::Presence { presence } => view.presence = presence.clone(),
            Event::TakenOver { seat, level } => {
                view.presence.seats[*seat as usize].cpu = Some(*level);
            }
            Event::Returned { seat } => view.presence.seats[*seat as usize].cpu = None,
            Event::Planned { plan } => view.plan = plan.clone(),
            Event::PlanDropped { .. } => view.plan = None,
            Event::Clocks { clocks } => {
                if let Some(game) = &mut view.game {
                    game.clocks = Some(clocks.clone());
                }
            }
            Event::TakenBack { game } => {
                running(view)?;
                view.game = Some(GameView::clone(game));
            }
            Event::Placed { seat, color, cell, turn, to_move, cpu, clocks } => {
                let game = running(view)?;
                if let Some(cell) = cell {
                    put(&mut game.board, *cell, *color)?;
                }
                let played = PlayedMove { cpu: *cpu, ..tried(*seat, *color, *cell, false) };
                next_turn(game, played, *turn, *to_move, clocks);
            }
            Event::Collided { seat, cell, turn, to_move, cpu, clocks } => {
                let game = running(view)?;
                let [mover, hit] = [*seat as usize, 1 - *seat as usize].map(|it| game.colors[it]);
                if let (Some(cell), Some(found)) = (cell, &mut game.found) {
                    put(&mut game.board, *cell, hit)?;
                    let at = found.partition_point(|it| (it.0, it.1) < (cell.0, cell.1));
                    found.insert(at, *cell);
                }
                let played = PlayedMove { cpu: *cpu, ..tried(*seat, mover, *cell, true) };
                next_turn(game, played, *turn, *to_move, clocks);
            }
            Event::Swapped { seat, swap, cell, color, colors, turn, to_move, cpu, clocks } => {
                let game = running(view)?;
                let mut board: Vec<String> =
                    game.board.iter().map(|row| ".".repeat(row.len())).collect();
                put(&mut board, *cell, *color)?;
                let mover = game.colors[*seat as usize];
                let played =
                    PlayedMove { swap: Some(*swap), cpu: *cpu, ..tried(*seat, mover, None, false) };
                (game.board, game.colors) = (board, *colors);
                next_turn(game, played, *turn, *to_move, clocks);
            }
            Event::Ended { outcome, winning_path, reveal, clocks, score } => {
                let game = view.game.as_mut().ok_or(NotApplied::Misfit("no game runs"))?;
                game.outcome = Some(*outcome);
                game.winning_path = winning_path.clone();
                if let Some(Reveal { board, moves }) = reveal {
                    (game.board, game.moves) = (board.clone(), moves.clone());
                }
                (game.to_move, game.paused) = (None, false);
                set_clocks(game, clocks);
                view.presence.seats.iter_mut().for_each(|seat| seat.cpu = None);
                view.score = *score;
                count(view, *outcome);
                view.phase = phase(view);
            }
            Event::Paused { clocks } => {
                let game = running(view)?;
                game.paused = true;
                set_clocks(game, clocks);
            }
            Event::Unpaused { clocks } => {
                let game = running(view)?;
                game.paused = false;
                set_clocks(game, clocks);
            }
            Event::TimeGiven { clocks, .. } | Event::Restarted { clocks } => {
                if let Some(game) = &mut view.game {
                    set_clocks(game, clocks);
                }
            }
        }
        if whole(event).is_none() {
            self.find_legal_moves();
        }
        Ok(())
    }

    /// What a seat may play follows from what it sees, in Dark Hex too.
    fn find_legal_moves(&mut self) {
        let (seat, both) = (self.seat(), self.viewer() == Viewer::Both);
        let swap = self.view.options.swap;
        if let Some(game) = &mut self.view.game {
            let own = if both { game.to_move } else { seat };
            let its_turn = own.is_some() && own == game.to_move && !game.paused;
            game.legal_moves = its_turn.then(|| legal_moves(game, swap));
        }
    }
}

/// Whether an event tells the clocks anew, so that they count down from the moment of its reading.
pub fn tells_clocks(event: &Event) -> bool {
    match event {
        Event::Placed { clocks, .. }
        | Event::Collided { clocks, .. }
        | Event::Swapped { clocks, .. }
        | Event::Ended { clocks, .. }
        | Event::Paused { clocks }
        | Event::Unpaused { clocks }
        | Event::TimeGiven { clocks, .. }
        | Event::Restarted { clocks } => clocks.is_some(),
        Event::Started { .. }
        | Event::Curtain { .. }
        | Event::Clocks { .. }
        | Event::View { .. }
        | Event::TakenBack { .. } => true,
        Event::Seated { .. }
        | Event::Unseated { .. }
        | Event::Renamed { .. }
        | Event::Party { .. }
        | Event::Offered { .. }
        | Event::OfferClosed { .. }
        | Event::Closed {}
        | Event::TakenOver { .. }
        | Event::Returned { .. }
        | Event::Planned { .. }
        | Event::PlanDropped { .. }
        | Event::Said { .. }
        | Event::Presence { .. } => false,
    }
}

/// The view that an event replaces everything with.
fn whole(event: &Event) -> Option<&View> {
    match event {
        Event::Started { view } | Event::Curtain { view } | Event::View { view } => Some(view),
        _ => None,
    }
}

/// Somebody goes by another name, wherever they are at the table.
fn renames(view: &mut View, player: &Player) {
    let seated = view.seats.iter_mut().flatten();
    let members = view.party.iter_mut().flat_map(|party| &mut party.members);
    let shown = seated.chain(members.map(|member| &mut member.player));
    shown.filter(|it| it.id == player.id).for_each(|it| it.clone_from(player));
}

/// The next games are played by these; the last one keeps what it was played by.
fn set_options(view: &mut View, options: &Options) {
    let before = std::mem::replace(&mut view.options, options.clone());
    if let Some(game) = &mut view.game {
        let own = game.options.take().unwrap_or(before);
        game.options = Some(own).filter(|own| *own != view.options);
    }
}

/// A game of two members of a party counts for both, unless it is void.
fn count(view: &mut View, outcome: Outcome) {
    let ([Some(one), Some(two)], Some(winner)) = (&view.seats, outcome.winner) else { return };
    if one.cpu.is_some() || two.cpu.is_some() {
        return;
    }
    let winner = if winner == Seat::One { one } else { two };
    for member in view.party.iter_mut().flat_map(|party| &mut party.members) {
        let id = &member.player.id;
        member.games += u32::from([&one.id, &two.id].contains(&id));
        member.wins += u32::from(*id == winner.id);
    }
}

/// Where the table stands, by what is known of it.
fn phase(view: &View) -> Phase {
    let runs = view.game.as_ref().is_some_and(|game| game.outcome.is_none());
    match view.phase {
        Phase::Closed => Phase::Closed,
        _ if runs => Phase::Playing,
        _ if view.seats.contains(&None) => Phase::Waiting,
        _ => Phase::Finished,
    }
}

fn running(view: &mut View) -> Result<&mut GameView, NotApplied> {
    match &mut view.game {
        Some(game) if game.outcome.is_none() => Ok(game),
        _ => Err(NotApplied::Misfit("no game runs")),
    }
}

fn tried(seat: Seat, color: Color, cell: Option<Cell>, collision: bool) -> PlayedMove {
    PlayedMove { seat, color, cell, collision, swap: None, cpu: false }
}

fn next_turn(
    game: &mut GameView,
    played: PlayedMove,
    turn: u64,
    to_move: Option<Seat>,
    clocks: &Option<Clocks>,
) {
    game.moves.push(played);
    (game.turn, game.to_move) = (turn, to_move);
    set_clocks(game, clocks);
}

/// Events of a table without time control tell no clocks, and there are none to keep.
fn set_clocks(game: &mut GameView, clocks: &Option<Clocks>) {
    if clocks.is_some() {
        game.clocks = clocks.clone();
    }
}

/// Puts a stone on an empty cell of the board.
fn put(board: &mut [String], cell: Cell, color: Color) -> Result<(), NotApplied> {
    let row = usize::try_from(cell.0).ok().and_then(|row| board.get_mut(row));
    let (Some(row), Ok(col)) = (row, usize::try_from(cell.1)) else {
        return Err(NotApplied::Misfit("the cell is not on the board"));
    };
    match row.get(col..=col) {
        Some(".") => row.replace_range(col..=col, letter(color)),
        Some(_) => return Err(NotApplied::Misfit("a stone stands on the cell already")),
        None => return Err(NotApplied::Misfit("the cell is not on the board")),
    }
    Ok(())
}

fn letter(color: Color) -> &'static str {
    match color {
        Color::Red => "r",
        Color::Blue => "b",
    }
}

/// The empty cells in row-major order, and the swap where it may be played.
fn legal_moves(game: &GameView, swap: Swap) -> Vec<Move> {
    let cells = game.board.iter().enumerate().flat_map(|(row, line)| {
        let empty = line.bytes().enumerate().filter(|&(_, stone)| stone == b'.');
        empty.map(move |(col, _)| Move::Place(Cell(row as i64, col as i64)))
    });
    let may_swap = swap != Swap::Off && game.opening.is_empty() && game.moves.len() == 1;
    cells.chain(may_swap.then_some(Move::Swap)).collect()
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod party;
