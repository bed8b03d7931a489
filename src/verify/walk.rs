//! One table's journal, event by event: each is judged by the state before it, and then applied.

use std::collections::{HashSet, VecDeque};

use hexhall_proto::parts::OfferClosed;

use super::board;
use super::judge::not_carried_out;
use super::report::{Check, Finding};
use crate::game::clock::Stamp;
use crate::ids::{GameId, TableId};
use crate::table::handle::CommandId;
use crate::table::state::answered::REMEMBERED;
use crate::table::state::event::{Event, Offer};
use crate::table::state::{Corrupt, Spans, State};

/// A table as far as its journal has been read.
pub(super) struct Walk {
    /// The table as it is now.
    pub(super) state: State,
    /// Every game begun so far.
    pub(super) games: HashSet<GameId>,
    /// The commands that each seat's player had accepted, the newest last.
    pub(super) accepted: [VecDeque<CommandId>; 2],
    pub(super) offers: u64,
    /// The offer whose acceptance the next event has to carry out.
    pub(super) agreed: Option<Offer>,
    /// The seats that were taken by the events just before.
    pub(super) fresh: [bool; 2],
    /// The number of the last game's end, if it has come.
    pub(super) ended: Option<u64>,
    /// When the last move of the game was played, if there is one in this run of a server.
    pub(super) moved: Option<Stamp>,
}

/// What one event came to.
pub(super) struct Step {
    /// What is wrong with it.
    pub finding: Option<Finding>,
    /// Whether it was applied all the same; if not, nothing can be said of the events after it.
    pub applied: bool,
}

impl Walk {
    /// A table after its first event.
    pub(super) fn begin(table: TableId, first: &Event) -> Result<Walk, Finding> {
        let state = State::replay(table, Spans::default(), [first], Stamp(0)).map_err(corrupt)?;
        Ok(Walk {
            state,
            games: HashSet::new(),
            accepted: [VecDeque::new(), VecDeque::new()],
            offers: 0,
            agreed: None,
            fresh: [false; 2],
            ended: None,
            moved: None,
        })
    }

    /// Judges one more event and applies it.
    pub(super) fn step(&mut self, event: &Event) -> Step {
        let judged = self.judge(event);
        let closing = self.accepted_offer(event);
        // An offer's number is counted on from, so that a wrong one must not get that far.
        let misnumbered =
            matches!(event, Event::Offered { offer, .. } if offer.id != self.offers + 1);
        let applied = if misnumbered { Ok(()) } else { self.state.apply(event) };
        let applied = applied.map_err(corrupt);
        self.note(event);
        self.agreed = closing.or(self.agreed);
        let ended = match (event, self.state.game()) {
            (Event::Ended { .. }, Some(live)) if applied.is_ok() => board::check_end(&live.game),
            _ => Ok(()),
        };
        let is_applied = applied.is_ok() && !misnumbered;
        Step { finding: judged.and(applied).and(ended).err(), applied: is_applied }
    }

    /// What is wrong with the journal's end.
    pub(super) fn finish(&self) -> Option<Finding> {
        if let Some(offer) = self.agreed {
            return Some(not_carried_out(offer, "the journal's end"));
        }
        let decided = self.state.game().and_then(|live| live.game.outcome());
        decided.filter(|_| self.ended.is_none()).map(|outcome| {
            Finding::new(Check::Winner, format!("the end {outcome:?}"), "the journal's end")
        })
    }

    /// The offer that the event accepts.
    fn accepted_offer(&self, event: &Event) -> Option<Offer> {
        let Event::OfferClosed { offer, how: OfferClosed::Accepted, .. } = event else {
            return None;
        };
        self.state.offers().iter().find(|open| open.id == *offer).copied()
    }

    /// Remembers what later events are judged by.
    fn note(&mut self, event: &Event) {
        if let Some(cause) = event.cause() {
            let accepted = &mut self.accepted[cause.seat.index()];
            if accepted.len() == REMEMBERED {
                accepted.pop_front();
            }
            accepted.push_back(cause.command.clone());
        }
        match event {
            Event::Seated { seat, .. } => self.fresh[seat.index()] = true,
            Event::Renamed { .. } => {}
            _ => self.fresh = [false; 2],
        }
        match event {
            Event::Played { at, .. } => self.moved = Some(*at),
            Event::Restarted { .. } | Event::Unpaused { .. } => self.moved = None,
            _ => {}
        }
        match event {
            // What a party has agreed to waits for those who come to the table.
            Event::Seated { seat, .. } => self.accepted[seat.index()].clear(),
            Event::Started { game, exchange, .. } => {
                self.games.insert(*game);
                self.ended = None;
                self.moved = None;
                self.agreed = None;
                if *exchange {
                    self.accepted.swap(0, 1);
                }
            }
            Event::Ended { .. } => self.ended = Some(self.state.number()),
            Event::Offered { offer, .. } => self.offers = offer.id,
            Event::OfferClosed { how: OfferClosed::Void, .. } => {}
            Event::Unseated { .. } if self.state.party().is_some() => {}
            _ => self.agreed = None,
        }
    }
}

/// What the state refuses.
fn corrupt(error: Corrupt) -> Finding {
    let (check, expected) = match &error {
        Corrupt::NotOpened => (Check::Order, "the table's opening"),
        Corrupt::OpenedTwice => (Check::Order, "one opening"),
        Corrupt::NoGame => (Check::Order, "an event that can follow"),
        Corrupt::Seat(_) => (Check::Seats, "a seat as the event needs it"),
        Corrupt::Stranger => (Check::Seats, "a player of the table"),
        Corrupt::Party(_) => (Check::Seats, "a party as the event needs it"),
        Corrupt::Driver(_) => (Check::Seats, "a seat driven as the event needs it"),
        Corrupt::Illegal(_) => (Check::Order, "a legal move"),
        Corrupt::Collision => (Check::Order, "what comes of the move by the rules"),
        Corrupt::Clock(_) => (Check::Clocks, "clocks that the time control can show"),
        Corrupt::Outcome(_) => (Check::Winner, "the end that the board shows"),
        Corrupt::Plan(_) => (Check::Order, "a plan as the event needs it"),
        Corrupt::NoOffer(_) => (Check::Offers, "an offer that is open"),
    };
    match error {
        // Whoever keeps the journal may see its stones; only logs name none.
        Corrupt::Illegal(illegal) => Finding::new(check, expected, illegal),
        error => Finding::new(check, expected, error),
    }
}
