//! What follows from an event: the only way to change what the journal keeps.

use crate::game::clock::{Clock, LagBank, Misfit, Stamp};
use crate::game::{Game, Illegal, Outcome, Seat, opening};
use crate::ids::TableId;
use crate::table::handle::Player;
use crate::table::options::Options;

use super::answered::Answered;
use super::event::{Event, Readings};
use super::plans::Planned;
use super::presence::Presence;
use super::{LiveGame, Occupant, PlyTime, Spans, State};

/// Why events do not make a table. Either the journal is damaged, or a table decided something
/// that cannot be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Corrupt {
    /// A table begins with its opening.
    #[error("the first event of a table is not its opening")]
    NotOpened,
    /// And has only one.
    #[error("the table was opened already")]
    OpenedTwice,
    /// The event needs a running game.
    #[error("no game runs that this could happen in")]
    NoGame,
    /// The event needs a player in the seat, or none.
    #[error("seat {0} is not as the event needs it")]
    Seat(Seat),
    /// The move is not legal.
    ///
    /// What made it so is its source, and not in the text: texts go to logs, and a log names no
    /// stone of a game in which stones are hidden.
    #[error("a move that the rules do not allow")]
    Illegal(#[from] Illegal),
    /// The computer drives no seat that a player has, and none that nobody gave up to it.
    #[error("the computer does not drive seat {0} as the event needs it")]
    Driver(Seat),
    /// What is said to have come of a move did not.
    #[error("a move that came to something else than the event says")]
    Collision,
    /// The clocks cannot have shown that.
    #[error(transparent)]
    Clock(#[from] Misfit),
    /// The game ended otherwise.
    #[error("the game ended with {0:?}, and not as the event says")]
    Outcome(Option<Outcome>),
    /// Somebody has another name who has nothing to do with the table.
    #[error("nobody here goes by another name")]
    Stranger,
    /// The party is not as the event needs it.
    #[error("{0}")]
    Party(&'static str),
    /// The seat has planned nothing like it.
    #[error("seat {0} has not planned what the event needs")]
    Plan(Seat),
    /// There is no such offer.
    #[error("offer {0} is not open")]
    NoOffer(u64),
}

impl State {
    /// A table as it is opened, with nobody there: what [`Event::Opened`] makes.
    pub fn new(
        id: TableId,
        spans: Spans,
        options: Options,
        invitation: Option<Box<str>>,
        at: Stamp,
    ) -> State {
        State {
            id,
            spans,
            options,
            invitation,
            opened: at,
            closed: false,
            party: None,
            touched: at,
            seats: [None, None],
            score: [0, 0],
            games: 0,
            game: None,
            plans: [None, None],
            offers: Vec::new(),
            request: None,
            next_offer: 1,
            number: 1,
            presence: Presence::none(at),
            last_seen: at,
            round_trips: [0, 0],
            lifted: false,
        }
    }

    /// A table as its journal tells it, with nobody there as of `now`.
    pub fn replay<'a>(
        id: TableId,
        spans: Spans,
        events: impl IntoIterator<Item = &'a Event>,
        now: Stamp,
    ) -> Result<State, Corrupt> {
        let mut events = events.into_iter();
        let Some(Event::Opened { options, invitation, at }) = events.next() else {
            return Err(Corrupt::NotOpened);
        };
        let mut state = State::new(id, spans, *options, invitation.clone(), *at);
        for event in events {
            state.apply(event)?;
        }
        // Who was there before is not known: the countdowns begin when the table is back. Whoever
        // rebuilds it may know better when somebody was last there ([`State::note_last_seen`]).
        state.presence = Presence::none(now);
        state.last_seen = state.touched;
        Ok(state)
    }

    /// Applies one event. On an error the state must not be used any more.
    pub fn apply(&mut self, event: &Event) -> Result<(), Corrupt> {
        match event {
            Event::Opened { .. } => return Err(Corrupt::OpenedTwice),
            Event::Seated { seat, player, at } => self.seat(*seat, player, *at)?,
            Event::Unseated { seat, at } => {
                self.seats[seat.index()].take().ok_or(Corrupt::Seat(*seat))?;
                self.plans[seat.index()] = None;
                self.score = [0, 0];
                self.presence.vacate(*seat, *at);
                self.touched = *at;
            }
            Event::Renamed { player, .. } => self.rename(player)?,
            Event::Party { change, at } => self.apply_party(change, *at)?,
            Event::Started { game, seed, exchange, at } => {
                if self.running().is_some() {
                    return Err(Corrupt::NoGame);
                }
                if *exchange {
                    self.exchange();
                }
                let rules = *self.options.rules();
                self.game = Some(LiveGame {
                    id: *game,
                    options: self.options,
                    game: Game::new(rules, opening::draw(&rules, *seed)),
                    clock: Clock::new(*self.options.time()),
                    turn: 0,
                    paused: false,
                    started: *at,
                    times: Vec::new(),
                    banks: [LagBank::new(self.options.time()); 2],
                    held_ms: 0,
                    taken: [None; 2],
                    ended: false,
                });
                self.request = None;
                self.plans = [None, None];
                self.games += 1;
                self.lifted = false;
                self.touched = *at;
            }
            Event::Played {
                by,
                action,
                collided,
                cpu,
                planned,
                used_ms,
                credit_ms,
                readings,
                at,
            } => {
                let rest = match planned {
                    true => {
                        let rest = self.plan_after(by.seat, *action);
                        Some(rest.ok_or(Corrupt::Plan(by.seat))?)
                    }
                    false => None,
                };
                if *cpu && self.driver(by.seat).is_none() {
                    return Err(Corrupt::Driver(by.seat));
                }
                let live = self.running_mut()?;
                let passes = live.game.passes_turn(by.seat, *action);
                if live.game.runs_into(by.seat, *action) != *collided {
                    return Err(Corrupt::Collision);
                }
                live.game.play(by.seat, *action)?;
                live.turn += 1;
                let reading = readings[by.seat.index()];
                live.times.push(PlyTime { used_ms: *used_ms, reading, cpu: *cpu });
                live.set_clock(*readings, Some(by.seat))?;
                if let Some(bank) = &mut live.banks[by.seat.index()] {
                    bank.spend(*credit_ms);
                    if passes {
                        bank.refill();
                    }
                }
                if let Some(rest) = rest {
                    self.plans[by.seat.index()] = Planned::in_game(live, rest);
                }
                // The curtain falls as the turn passes.
                self.lifted &= !passes;
                self.touched = *at;
            }
            Event::Ended { outcome, readings, at, .. } => {
                let live = self.game.as_mut().ok_or(Corrupt::NoGame)?;
                match live.game.outcome() {
                    None => live.game.end(*outcome)?,
                    Some(by_chain) if by_chain == *outcome && !live.ended => {}
                    other => return Err(Corrupt::Outcome(other)),
                }
                live.ended = true;
                live.taken = [None; 2];
                self.lifted = false;
                live.paused = false;
                live.set_clock(*readings, None)?;
                if let Some(winner) = outcome.winner() {
                    self.score[winner.index()] += 1;
                }
                self.count_game(*outcome);
                self.touched = *at;
            }
            Event::Planned { by, plan, .. } => {
                let live = self.running_mut()?;
                if !plan.is_empty() && live.game.to_move() != Some(by.seat.other()) {
                    return Err(Corrupt::Plan(by.seat));
                }
                self.plans[by.seat.index()] = Planned::in_game(live, plan.clone());
            }
            Event::PlanDropped { seat, .. } => {
                self.plans[seat.index()].take().ok_or(Corrupt::Plan(*seat))?;
            }
            Event::Offered { offer, at, .. } => {
                self.offers.push(*offer);
                self.next_offer = offer.id + 1;
                self.touched = *at;
            }
            Event::OfferClosed { offer, .. } => {
                let open = self.offers.iter().position(|open| open.id == *offer);
                self.offers.remove(open.ok_or(Corrupt::NoOffer(*offer))?);
            }
            Event::TakenBack { plies, readings } => {
                let live = self.running_mut()?;
                live.game.take_back_to(*plies)?;
                live.times.truncate(*plies);
                live.turn += 1;
                live.set_clock(*readings, None)?;
            }
            Event::Paused { readings } => {
                let live = self.running_mut()?;
                live.paused = true;
                live.set_clock(*readings, None)?;
            }
            Event::Unpaused { .. } => self.running_mut()?.paused = false,
            Event::TimeGiven { readings, .. } => self.running_mut()?.set_clock(*readings, None)?,
            Event::TakenOver { seat, level, at } => {
                if self.driver(*seat).is_some() {
                    return Err(Corrupt::Driver(*seat));
                }
                self.running_mut()?.taken[seat.index()] = Some(*level);
                self.touched = *at;
            }
            Event::Returned { seat, at } => {
                let taken = &mut self.running_mut()?.taken[seat.index()];
                taken.take().ok_or(Corrupt::Driver(*seat))?;
                self.touched = *at;
            }
            Event::Restarted { at } => self.touched = *at,
            Event::Closed { at } => {
                self.closed = true;
                self.touched = *at;
            }
        }
        self.remember(event);
        self.number += 1;
        Ok(())
    }

    /// The command that brought the event about will be answered the same from now on.
    fn remember(&mut self, event: &Event) {
        let Some(cause) = event.cause() else { return };
        if let Some(occupant) = &mut self.seats[cause.seat.index()] {
            occupant.answered.remember(cause.command.clone(), cause.answer);
        }
    }

    fn seat(&mut self, seat: Seat, player: &Player, at: Stamp) -> Result<(), Corrupt> {
        if !self.may_sit(player) {
            return Err(Corrupt::Party("whoever has a seat is a member"));
        }
        let free = &mut self.seats[seat.index()];
        if free.is_some() {
            return Err(Corrupt::Seat(seat));
        }
        *free = Some(Occupant { player: player.clone(), answered: Answered::default() });
        self.presence.vacate(seat, at);
        self.round_trips[seat.index()] = 0;
        self.touched = at;
        Ok(())
    }

    /// A table is no more in use because somebody there goes by another name: `touched` stays.
    fn rename(&mut self, player: &Player) -> Result<(), Corrupt> {
        let seated = self.seats.iter_mut().flatten().map(|occupant| &mut occupant.player);
        let theirs = seated.filter(|it| it.id == player.id);
        let renamed = theirs.map(|it| it.clone_from(player)).count();
        let member = self.party.as_mut().is_some_and(|party| party.renames(player));
        if renamed == 0 && !member { Err(Corrupt::Stranger) } else { Ok(()) }
    }

    fn exchange(&mut self) {
        self.seats.swap(0, 1);
        self.score.swap(0, 1);
        self.round_trips.swap(0, 1);
        self.presence.exchange();
    }

    fn running_mut(&mut self) -> Result<&mut LiveGame, Corrupt> {
        let live = self.game.as_mut().filter(|live| live.game.outcome().is_none());
        live.ok_or(Corrupt::NoGame)
    }
}

impl LiveGame {
    /// Sets both clocks to what they showed, neither running.
    fn set_clock(&mut self, readings: Readings, moved: Option<Seat>) -> Result<(), Misfit> {
        let has_moved = Seat::BOTH.map(|seat| self.clock.has_moved(seat) || moved == Some(seat));
        self.clock = Clock::restore(*self.clock.time_control(), readings, has_moved)?;
        self.held_ms = 0;
        Ok(())
    }
}
