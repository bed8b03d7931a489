//! Both seats on one device: for which seat a player acts, and the curtain between the seats.
//!
//! Where stones are hidden, a curtain falls whenever the turn passes. It is known from sessions
//! alone, so that it is no part of the journal: a table that comes back has it down.
//!
//! Invariant: while no session has the curtain lifted, no clock runs; and nothing that needs a
//! seat's knowledge is decided for a session that does not have that seat's curtain lifted.

use crate::game::Seat;
use crate::game::clock::Stamp;
use crate::ids::{GameId, PlayerId};
use crate::table::handle::Command;

use super::event::Event;
use super::refusal::Refusal;
use super::{Phase, State};

/// What a player holds at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holds {
    /// Nothing: they may watch.
    Nothing,
    /// One seat.
    One(Seat),
    /// Both seats, on one device.
    Both,
}

/// How a command came by its seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Hand {
    /// The seat that the command names, if it names one.
    pub named: Option<Seat>,
    /// The seat whose curtain is lifted before the session that the command came by.
    pub lifted: Option<Seat>,
}

impl State {
    /// What a player holds here.
    pub fn holds(&self, player: PlayerId) -> Holds {
        let sits = |seat| self.player(seat).is_some_and(|it| it.id == player);
        match Seat::BOTH.map(sits) {
            [true, true] => Holds::Both,
            [true, false] => Holds::One(Seat::One),
            [false, true] => Holds::One(Seat::Two),
            [false, false] => Holds::Nothing,
        }
    }

    /// The seat that a player acts for: their own, and where both are theirs the one to move, or
    /// seat 1 while no game runs.
    pub fn seat_of(&self, player: PlayerId) -> Option<Seat> {
        match self.holds(player) {
            Holds::Nothing => None,
            Holds::One(seat) => Some(seat),
            Holds::Both => {
                let to_move = self.running().and_then(|live| live.game.to_move());
                Some(to_move.unwrap_or(Seat::One))
            }
        }
    }

    /// Whether a curtain falls here at each turn.
    pub fn has_curtain(&self) -> bool {
        self.options.pass_and_play() && self.options.rules().kind().is_dark()
    }

    /// Whether the curtain is down before everybody.
    pub fn is_curtained(&self) -> bool {
        self.has_curtain() && !self.lifted
    }

    /// Whether a curtain that was lifted for this seat stays so. The move that ends a game falls
    /// under what it brought, so that it waits for the end to be told.
    pub fn stays_lifted(&self, seat: Seat) -> bool {
        self.game.as_ref().is_some_and(|live| match live.game.to_move() {
            Some(to_move) => to_move == seat,
            None => !live.ended,
        })
    }

    /// Whether a player may lift the curtain for a seat now.
    pub fn check_lift(&self, player: PlayerId, game: GameId, seat: Seat) -> Result<(), Refusal> {
        match self.holds(player) {
            Holds::Nothing => return Err(Refusal::NotSeated),
            Holds::One(_) => return Err(Refusal::NoCurtain),
            Holds::Both if !self.has_curtain() => return Err(Refusal::NoCurtain),
            Holds::Both => {}
        }
        match self.running_game(game)?.game.to_move() {
            Some(to_move) if to_move != seat => Err(Refusal::NotToMove { named: seat, to_move }),
            _ => Ok(()),
        }
    }

    /// Notes at `at` whether any session has the curtain lifted. Where none has it any more, the
    /// clock stands from then on, unless its flag is called already. Starting it is
    /// [`State::start_clock`]'s.
    pub fn note_lifted(&mut self, lifted: bool, at: Stamp) {
        let was = std::mem::replace(&mut self.lifted, lifted);
        let fallen =
            self.running().and_then(|live| self.flag_called(live)).is_some_and(|(it, _)| at >= it);
        if let Some(live) = self.game.as_mut().filter(|_| was && !lifted && !fallen)
            && live.clock.running().is_some()
        {
            let at = live.before_fall(at);
            live.held_ms = live.clock.hold(at);
        }
    }

    /// Whether a command may be meant as it is: for that seat, from behind that curtain.
    pub(super) fn check_hand(
        &self,
        player: PlayerId,
        hand: Hand,
        command: &Command,
    ) -> Result<(), Refusal> {
        let game = match command {
            Command::Play { game, .. } | Command::Resign(game) => *game,
            _ => return Ok(()),
        };
        match self.holds(player) {
            Holds::Nothing => Ok(()),
            Holds::One(own) => match hand.named.filter(|&named| named != own) {
                Some(named) => Err(Refusal::NotYourSeat { named, own }),
                None => Ok(()),
            },
            Holds::Both => {
                let running = self.running().filter(|live| live.id == game);
                let Some(to_move) = running.and_then(|live| live.game.to_move()) else {
                    // There is no game that it could be meant for, which it is told.
                    return Ok(());
                };
                match hand.named.filter(|&named| named != to_move) {
                    Some(named) => Err(Refusal::NotToMove { named, to_move }),
                    None if self.has_curtain() && hand.lifted != Some(to_move) => {
                        Err(Refusal::CurtainDown { seat: to_move })
                    }
                    None => Ok(()),
                }
            }
        }
    }

    /// The only player goes from a table where both seats are theirs: it closes, unless a game
    /// runs.
    pub(super) fn leaves_both(&self, at: Stamp) -> Vec<Event> {
        if self.phase() == Phase::Finished { self.close(at) } else { Vec::new() }
    }

    /// The end of the table, and of every offer.
    pub(super) fn close(&self, at: Stamp) -> Vec<Event> {
        let mut events = self.void_offers(|_| true);
        events.push(Event::Closed { at });
        events
    }
}
