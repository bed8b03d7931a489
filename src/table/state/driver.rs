//! Who drives a seat: its player, or the computer. The computer has seats of its own, at practice
//! tables, and those that players have left to it.
//!
//! A seat stays its player's while the computer drives it. That it does is in the journal, since
//! the record says who moved; who is there is not, so a return is told by an event of its own.
//!
//! Invariant: of two players' seats the computer drives one at most, and moves for it only while
//! the other player is there and its own is not.

use crate::cpu::Level;
use crate::game::clock::{Charged, Stamp};
use crate::game::{Illegal, Move, Seat};
use crate::ids::{GameId, PlayerId};
use crate::table::handle::CommandId;
use crate::table::options::OnLeave;

use super::answered::Answer;
use super::decide::Mover;
use super::event::{Cause, Event};
use super::refusal::Refusal;
use super::{LiveGame, State};

/// A turn that the computer is to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CpuTurn {
    /// The game.
    pub game: GameId,
    /// The turn to answer.
    pub turn: u64,
    /// The seat to move.
    pub seat: Seat,
    /// How strong it plays.
    pub level: Level,
}

/// What there is to say of a seat whose player is gone, beside that; nothing of any other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Absence {
    /// Whether the other seat may claim the game.
    claimable: bool,
    /// When the computer steps in.
    takeover_at: Option<Stamp>,
    /// At which level it plays for the seat.
    taken_over: Option<Level>,
}

impl State {
    /// What is to be said of a seat at `now` whose player may be gone.
    pub fn absence(&self, seat: Seat, now: Stamp) -> Absence {
        Absence {
            claimable: self.is_claimable(seat, now),
            takeover_at: self.takeover_at(seat),
            taken_over: self.taken_over(seat),
        }
    }

    /// The level of the computer whose own seat this is.
    pub fn house(&self, seat: Seat) -> Option<Level> {
        self.player(seat).and_then(|player| player.cpu)
    }

    /// The level at which the computer drives the seat for a player who is gone.
    pub fn taken_over(&self, seat: Seat) -> Option<Level> {
        self.running().and_then(|live| live.taken[seat.index()])
    }

    /// The level of the computer that drives the seat; none where its player does.
    pub fn driver(&self, seat: Seat) -> Option<Level> {
        self.house(seat).or_else(|| self.taken_over(seat))
    }

    /// Whether anybody is there for the seat: the computer is never gone from its own.
    pub fn is_attended(&self, seat: Seat) -> bool {
        self.presence.is_here(seat) || self.house(seat).is_some()
    }

    /// What the computer is to play now. What the seat's player has planned goes before that.
    pub fn cpu_turn(&self) -> Option<CpuTurn> {
        let live = self.running().filter(|live| !live.paused)?;
        let seat = live.game.to_move().filter(|&seat| self.plan(seat).is_none())?;
        let for_the_gone = || self.taken_over(seat).filter(|_| self.is_left_alone(seat));
        let level = self.house(seat).or_else(for_the_gone)?;
        Some(CpuTurn { game: live.id, turn: live.turn, seat, level })
    }

    /// Decides on the computer's move for a turn, which was thought out at `at`.
    ///
    /// # Errors
    /// The turn has passed, or is the seat's player's own by now.
    pub fn decide_cpu(
        &self,
        turn: CpuTurn,
        action: Move,
        at: Stamp,
    ) -> Result<Vec<Event>, Refusal> {
        let live = self.running_game(turn.game)?;
        if self.cpu_turn() != Some(turn) {
            return Err(Refusal::StaleTurn { turn: live.turn });
        }
        let charged = if live.clock.running() == Some(turn.seat) {
            match self.charge_move(live, turn.seat, at, 0) {
                Ok(charged) => charged,
                Err(flag_falls) => return Ok(flag_falls),
            }
        } else {
            Charged { stamp: at, credit_ms: 0 }
        };
        let command = CommandId::of_cpu(turn.turn);
        let by = Cause { seat: turn.seat, command, answer: Answer::Done };
        let decided = self.decide_play(by, live, turn.turn, action, charged, Mover::Computer);
        decided.map(|decision| decision.events)
    }

    /// Whether the computer may be asked what it would play in a player's place, and for which
    /// seat.
    pub fn check_suggest(
        &self,
        player: PlayerId,
        game: GameId,
        turn: u64,
    ) -> Result<Seat, Refusal> {
        let seat = self.seat_of(player).ok_or(Refusal::NotSeated)?;
        let live = self.running_game(game)?;
        if self.house(seat.other()).is_none() {
            return Err(Refusal::CannotSuggest(
                "the computer makes suggestions in games against itself, and in no others",
            ));
        }
        if live.paused {
            return Err(Refusal::Paused);
        }
        if turn != live.turn {
            return Err(Refusal::StaleTurn { turn: live.turn });
        }
        match live.game.to_move() {
            Some(to_move) if to_move != seat => Err(Illegal::NotYourTurn { to_move }.into()),
            _ => Ok(seat),
        }
    }

    /// When the computer steps in for a seat, if nothing more happens: after the countdown, or
    /// after half of the time that was left on a running clock, where that is less.
    pub fn takeover_at(&self, seat: Seat) -> Option<Stamp> {
        let live = self.running().filter(|live| !live.paused)?;
        let may = self.options.on_leave() == OnLeave::Cpu && self.driver(seat).is_none();
        if !may || !self.is_left_alone(seat) {
            return None;
        }
        let over = self.countdown_over(seat, live)?;
        let (gone, _) = self.presence.gone(seat)?;
        Some(half_time(live, seat, gone).map_or(over, |half| over.min(half)))
    }

    /// What has come due between the computer and the players: one that is back has the seat, and
    /// one that is gone for long enough leaves it.
    pub(super) fn changes_hands(&self, now: Stamp) -> Option<Event> {
        let back = |seat: &Seat| self.is_back(*seat);
        if let Some(seat) = Seat::BOTH.into_iter().find(back) {
            return Some(Event::Returned { seat, at: now });
        }
        let due = |seat: &Seat| self.takeover_at(*seat).is_some_and(|at| now >= at);
        let seat = Seat::BOTH.into_iter().find(due)?;
        Some(Event::TakenOver { seat, level: Level::TAKEOVER, at: now })
    }

    /// When that is next.
    pub(super) fn next_change_of_hands(&self, now: Stamp) -> Option<Stamp> {
        let back = Seat::BOTH.into_iter().any(|seat| self.is_back(seat));
        let takeovers = Seat::BOTH.into_iter().filter_map(|seat| self.takeover_at(seat));
        takeovers.chain(back.then_some(now)).min()
    }

    /// Whether a seat's player is there and has not got the seat back from the computer.
    fn is_back(&self, seat: Seat) -> bool {
        self.taken_over(seat).is_some() && self.presence.is_here(seat)
    }

    /// Whether the seat's player is gone and the other one is there to play against.
    fn is_left_alone(&self, seat: Seat) -> bool {
        !self.presence.is_here(seat) && self.presence.is_here(seat.other())
    }
}

/// When half of the time is gone that the seat had left on its running clock when its player went,
/// or when its turn came after that.
fn half_time(live: &LiveGame, seat: Seat, gone: Stamp) -> Option<Stamp> {
    let (running, since) = live.clock.runs_since()?;
    let deadline = live.clock.deadline().filter(|_| running == seat)?;
    let from = since.max(gone).min(deadline.at);
    Some(from + (deadline.at - from) / 2)
}
