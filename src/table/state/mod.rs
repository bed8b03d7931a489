//! A table as a value: what it knows, what it decides, and what follows from an event. Pure.
//!
//! `decide(state, command, now) -> events or refusal` changes nothing; `apply(state, event)` is
//! the only way to change what the journal keeps. So a table rebuilt from its journal is the
//! table that was. Beside that stands who is there ([`presence`]), which no journal knows.
//!
//! Invariants: a command takes effect at most once; a finished game never changes; no clock runs
//! while an event is not yet durable, or in a pause.

pub mod answered;
mod apply;
mod decide;
pub mod device;
pub mod driver;
mod due;
pub mod event;
mod offers;
pub mod opening;
pub mod party;
pub mod plan;
mod plans;
pub mod presence;
pub mod refusal;

use crate::cpu::Level;
use crate::game::clock::{Clock, Control, LagBank, Millis, Reading, Stamp};
use crate::game::{Game, Outcome, Seat, Void, WonBy};
use crate::ids::{GameId, PlayerId, TableId};
use crate::table::handle::{CommandId, Player};
use crate::table::options::{OnLeave, Options};

use answered::{Answer, Answered};
use event::{Event, Offer, Readings};
use party::Party;
use plans::Planned;
use presence::{Countdown, Presence};

pub use apply::Corrupt;
pub use decide::{Asking, Decision, Fresh};
pub use device::{Hand, Holds};
pub use driver::CpuTurn;

/// The spans of time that tables go by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spans {
    /// How long a player may be gone from a running game.
    pub countdown: Countdown,
    /// How long a player may be gone while no game runs, before the seat is free again.
    pub seat_kept_ms: Millis,
    /// How long a table without a game may have nobody of its own there, before it closes.
    pub deserted_ms: Millis,
    /// How long both players may be gone from a game without a clock, before it is void.
    pub abandoned_ms: Millis,
    /// How long an offer in a running game stands.
    pub offer_ms: Millis,
    /// How long an offer of another game stands.
    pub rematch_ms: Millis,
    /// What `give_time` gives.
    pub give_ms: Millis,
}

impl Default for Spans {
    fn default() -> Spans {
        Spans {
            countdown: Countdown { lost_ms: 30_000, said_so_ms: 10_000, slow_ms: 600_000 },
            seat_kept_ms: 600_000,
            deserted_ms: 60_000,
            abandoned_ms: 24 * 3_600_000,
            offer_ms: 30_000,
            rematch_ms: 300_000,
            give_ms: 15_000,
        }
    }
}

/// Where a table stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// A seat is free.
    Waiting,
    /// A game runs.
    Playing,
    /// A game has ended, and both players keep their seats.
    Finished,
    /// Nobody can play here any more.
    Closed,
}

/// Who sits in a seat, and what they were answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Occupant {
    /// The player.
    pub player: Player,
    answered: Answered,
}

/// The running game of a table, or the last one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiveGame {
    /// Its name.
    pub id: GameId,
    /// What it is played by. The table's options may have changed since.
    pub options: Options,
    /// The game itself.
    pub game: Game,
    /// Both clocks.
    pub clock: Clock,
    /// The turn to answer: counts every accepted move, collisions among them, and rises with a
    /// takeback too.
    pub turn: u64,
    /// Whether it is paused by agreement.
    pub paused: bool,
    /// When it began.
    pub started: Stamp,
    /// What each move cost and left, and who drove, beside the game's plies.
    pub times: Vec<PlyTime>,
    banks: [Option<LagBank>; 2],
    /// What the turn was charged before its clock was stopped by a curtain.
    held_ms: Millis,
    /// At which level the computer drives each seat for a player who is gone.
    taken: [Option<Level>; 2],
    /// Whether its end was told: a chain ends the game itself before that.
    ended: bool,
}

/// What a move cost its seat, what it left, and who drove.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlyTime {
    /// What the turn cost, in milliseconds.
    pub used_ms: Millis,
    /// What the mover's clock showed afterwards.
    pub reading: Reading,
    /// Whether the computer drove the seat.
    pub cpu: bool,
}

/// All that a table knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    id: TableId,
    spans: Spans,
    options: Options,
    invitation: Option<Box<str>>,
    opened: Stamp,
    closed: bool,
    /// Who came together to it, where it is a party's.
    party: Option<Box<Party>>,
    /// When the journal last told of anything that has a time.
    touched: Stamp,
    seats: [Option<Occupant>; 2],
    score: [u32; 2],
    games: u32,
    game: Option<LiveGame>,
    /// What each seat has planned in the game.
    plans: [Option<Planned>; 2],
    offers: Vec<Offer>,
    /// Who has asked for the next game, where that needs both who play it.
    request: Option<party::Request>,
    next_offer: u64,
    number: u64,
    presence: Presence,
    /// When a player was last there, as far as is known.
    last_seen: Stamp,
    round_trips: [Millis; 2],
    /// Whether any session has the curtain lifted, where there is one.
    lifted: bool,
}

impl State {
    /// The table's name.
    pub fn id(&self) -> TableId {
        self.id
    }

    /// What it is played by: the running game, or else the next.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Whether it stays off the public list.
    pub fn is_private(&self) -> bool {
        self.invitation.is_some()
    }

    /// A private table's invitation.
    pub fn invitation(&self) -> Option<&str> {
        self.invitation.as_deref()
    }

    /// When it was opened.
    pub fn opened(&self) -> Stamp {
        self.opened
    }

    /// When something last happened here.
    pub fn touched(&self) -> Stamp {
        self.touched
    }

    /// Where it stands.
    pub fn phase(&self) -> Phase {
        if self.closed {
            Phase::Closed
        } else if self.running().is_some() {
            Phase::Playing
        } else if self.seats.iter().any(Option::is_none) {
            Phase::Waiting
        } else {
            Phase::Finished
        }
    }

    /// Who sits in a seat.
    pub fn player(&self, seat: Seat) -> Option<&Player> {
        self.seats[seat.index()].as_ref().map(|occupant| &occupant.player)
    }

    /// Games won at this table by who now sits in seat 1 and in seat 2.
    pub fn score(&self) -> [u32; 2] {
        self.score
    }

    /// How many games were begun.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// The running game, or the last one.
    pub fn game(&self) -> Option<&LiveGame> {
        self.game.as_ref()
    }

    /// The running game.
    pub fn running(&self) -> Option<&LiveGame> {
        self.game.as_ref().filter(|live| live.game.outcome().is_none())
    }

    /// What a player's command was answered, if it was accepted not long ago.
    pub fn remembered(&self, player: PlayerId, command: &CommandId) -> Option<Answer> {
        let theirs = self.seats.iter().flatten().filter(|it| it.player.id == player);
        theirs.filter_map(|occupant| occupant.answered.get(command)).next()
    }

    /// Open proposals.
    pub fn offers(&self) -> &[Offer] {
        &self.offers
    }

    /// How many events led here: the number of the last one in the journal.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Who is there.
    pub fn presence(&self) -> &Presence {
        &self.presence
    }

    /// Notes whether the seat's player has any session here at `at`, and if not, whether they
    /// said that they go. Says whether that is news.
    pub fn note_presence(&mut self, seat: Seat, here: bool, at: Stamp, said_so: bool) -> bool {
        if here {
            return self.presence.came(seat);
        }
        let news = self.presence.went(seat, at, said_so);
        if news {
            self.last_seen = at;
        }
        news
    }

    /// Notes that a player was last there at `at` or later: no event says so.
    pub fn note_last_seen(&mut self, at: Stamp) {
        self.last_seen = self.last_seen.max(at);
    }

    /// Notes whether a member of the party has any session here at `at`, and if not, whether they
    /// said that they go. Says whether that is news.
    pub fn note_member(&mut self, member: PlayerId, here: bool, at: Stamp, said_so: bool) -> bool {
        self.presence.note_member(member, here, at, said_so)
    }

    /// Who is there becomes what it was at this table at another time.
    pub fn see_presence(&mut self, presence: Presence) {
        self.presence = presence;
    }

    /// Whether the invitation opens this table to a player who does not sit there.
    pub fn admits(&self, player: PlayerId, shown: Option<&str>) -> bool {
        match &self.invitation {
            None => true,
            Some(_) if self.party().is_some_and(|party| party.has_removed(player)) => false,
            Some(invitation) => {
                self.seat_of(player).is_some()
                    || self.is_member(player)
                    || shown.is_some_and(|shown| *shown == **invitation)
            }
        }
    }

    /// Notes the round trip of a seat's connection, in milliseconds: how long its flag waits for
    /// a move that may be under way.
    pub fn note_round_trip(&mut self, seat: Seat, round_trip: Millis) {
        self.round_trips[seat.index()] = round_trip;
    }

    /// Whether any time is kept in the running game or the last one, and before the first in it.
    pub fn has_clock(&self) -> bool {
        let time = self.game.as_ref().map_or(&self.options, |live| &live.options).time();
        time.control() != Control::None || time.first_move_ms().is_some()
    }

    /// Whether somebody's time runs.
    pub fn is_clock_running(&self) -> bool {
        self.has_clock() && self.running().is_some_and(|live| live.clock.running().is_some())
    }

    /// Whether the other seat may claim the running game from this one at `now`.
    pub fn is_claimable(&self, seat: Seat, now: Stamp) -> bool {
        let running = self.running().filter(|live| !live.paused);
        let over = running.and_then(|live| self.countdown_over(seat, live));
        self.options.on_leave() == OnLeave::Claim && over.is_some_and(|over| over <= now)
    }

    /// Whether the clock of the seat to move stands still only because what came before was not
    /// yet durable.
    pub fn wants_clock(&self) -> bool {
        let stands = |live: &LiveGame| !live.paused && live.clock.running().is_none();
        !self.is_curtained() && self.running().is_some_and(stands)
    }

    /// Lets the time of the seat to move run from `at`: everything before is durable.
    pub fn start_clock(&mut self, at: Stamp) {
        if let Some(live) = self.game.as_mut().filter(|live| !live.paused)
            && let Some(seat) = live.game.to_move()
        {
            live.clock.resume_turn(seat, at, live.held_ms);
        }
    }

    /// Puts the running turn's beginning off by a span in which nobody could move, as when the
    /// journal could not be written.
    pub fn excuse(&mut self, span: Millis, at: Stamp) {
        if let Some(live) = self.game.as_mut()
            && live.clock.running().is_some()
        {
            let charged = live.before_fall(Stamp(at.0.saturating_sub(span)));
            live.clock.skip(charged, at);
        }
    }

    /// Both clocks as they show at an instant.
    fn readings(clock: &Clock, at: Stamp) -> Readings {
        Seat::BOTH.map(|seat| clock.reading(seat, at))
    }

    /// What it comes to that a seat has run out of time.
    fn time_loss(live: &LiveGame, seat: Seat) -> Outcome {
        if live.game.is_under_way() {
            Outcome::Won { winner: seat.other(), by: WonBy::Time }
        } else {
            Outcome::Void(Void::NotStarted)
        }
    }

    /// The end of the running game and of every offer that only made sense in it.
    fn end(
        &self,
        outcome: Outcome,
        by: Option<event::Cause>,
        readings: Readings,
        at: Stamp,
    ) -> Vec<Event> {
        let mut events = self.void_offers(|_| true);
        events.push(Event::Ended { outcome, by, readings, at });
        events
    }
}

impl LiveGame {
    /// The instant, or the last one at which the running flag stands if that is earlier. A flag
    /// that is not called yet has not fallen: a move in time may be under way. So what goes on
    /// with a running game never finds a clock at nothing.
    fn before_fall(&self, at: Stamp) -> Stamp {
        let last = self.clock.deadline().map(|deadline| Stamp(deadline.at.0.saturating_sub(1)));
        last.map_or(at, |last| at.min(last))
    }
}

#[cfg(test)]
mod tests;
