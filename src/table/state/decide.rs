//! What a table decides, given a command and the time. Nothing here changes the state.

use crate::game::clock::{Charged, Clock, Control, Millis, Stamp, charge};
use crate::game::opening::Seed;
use crate::game::{Illegal, Move, Outcome, Seat, Void, WonBy};
use crate::ids::{GameId, PlayerId};
use crate::table::handle::{Command, CommandId, Player};
use crate::table::options::OnLeave;

use hexhall_proto::parts::OfferKind;

use super::answered::Answer;
use super::device::{Hand, Holds};
use super::event::{Cause, Event};
use super::refusal::Refusal;
use super::{LiveGame, Phase, State};

/// Who gives a command, and when.
#[derive(Clone, Copy, Debug)]
pub struct Asking<'a> {
    /// The player.
    pub player: PlayerId,
    /// The player's name for the command.
    pub command: &'a CommandId,
    /// When the command arrived.
    pub at: Stamp,
    /// The round trip measured on the connection that it came by.
    pub round_trip: Millis,
    /// How it came by its seat.
    pub hand: Hand,
}

/// What a new game needs that nobody may choose.
#[derive(Clone, Copy, Debug)]
pub struct Fresh {
    /// The game's name.
    pub game: GameId,
    /// What its opening is drawn from.
    pub seed: Seed,
}

/// What follows from a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// What happens. There may be events beside a refusal: a move that came too late is refused,
    /// and the flag has fallen.
    pub events: Vec<Event>,
    /// What the asker is told.
    pub answer: Result<Answer, Refusal>,
}

impl Decision {
    fn done(events: Vec<Event>) -> Decision {
        Decision { events, answer: Ok(Answer::Done) }
    }
}

impl From<Refusal> for Decision {
    fn from(refusal: Refusal) -> Decision {
        Decision { events: Vec::new(), answer: Err(refusal) }
    }
}

/// Who plays a seat's move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mover {
    /// Its player.
    Player,
    /// The table, by what its player has planned.
    Plan,
    /// The computer.
    Computer,
}

impl State {
    /// Decides on a seat's command. A command accepted before is answered as it was then.
    pub fn decide(
        &self,
        asking: Asking<'_>,
        command: Command,
        fresh: impl FnOnce() -> Fresh,
    ) -> Decision {
        let seat = match self.admit(&asking) {
            Ok(seat) => seat,
            Err(answered) => return answered,
        };
        if let Err(refusal) = self.check_hand(asking.player, asking.hand, &command) {
            return refusal.into();
        }
        let plays = matches!(command, Command::Play { .. });
        let charged = match self.judge_clock(seat, &asking, plays) {
            Ok(charged) => charged,
            Err(too_late) => return too_late,
        };
        let by = Cause { seat, command: asking.command.clone(), answer: Answer::Done };
        let at = asking.at;
        let decided = match command {
            Command::Play { game, turn, action } => self
                .live(game)
                .and_then(|live| self.decide_play(by, live, turn, action, charged, Mover::Player)),
            Command::Resign(game) => self.running_game(game).map(|live| {
                let outcome = Outcome::Won { winner: seat.other(), by: WonBy::Resignation };
                self.ended_by(by, live, outcome, at)
            }),
            Command::Abort(game) => self.running_game(game).and_then(|live| {
                if live.game.is_under_way() {
                    return Err(Refusal::CannotAbort);
                }
                Ok(self.ended_by(by, live, Outcome::Void(Void::Aborted), at))
            }),
            Command::Claim(game) => self.running_game(game).and_then(|live| {
                self.check_claim(seat, live, at)?;
                let outcome = if live.game.is_under_way() {
                    Outcome::Won { winner: seat, by: WonBy::Forfeit }
                } else {
                    Outcome::Void(Void::NotStarted)
                };
                Ok(self.ended_by(by, live, outcome, at))
            }),
            Command::Offer(game, kind) => {
                self.live(game).and_then(|live| self.decide_offer(by, kind, live, at, fresh))
            }
            Command::Answer { offer, accept } => self.decide_answer(by, offer, accept, at, fresh),
            Command::Withdraw(offer) => self.decide_withdraw(by, offer, at),
            Command::Unpause(game) => self.running_game(game).and_then(|live| {
                let paused = live.paused.then(|| Decision::done(vec![Event::Unpaused { by }]));
                paused.ok_or(Refusal::NotPaused)
            }),
            Command::GiveTime(game) => {
                self.running_game(game).and_then(|live| self.decide_give(by, live, at))
            }
        };
        decided.unwrap_or_else(Decision::from)
    }

    /// The seat that a new command is for. One that needs no more deciding is answered.
    pub(super) fn admit(&self, asking: &Asking<'_>) -> Result<Seat, Decision> {
        let seat = self.seat_of(asking.player).ok_or(Refusal::NotSeated)?;
        if let Some(answer) = self.remembered(asking.player, asking.command) {
            return Err(Decision { events: Vec::new(), answer: Ok(answer) });
        }
        if self.closed {
            return Err(Refusal::UnknownTable(self.id).into());
        }
        Ok(seat)
    }

    /// A player takes a free seat. With both seats taken, a game begins.
    pub fn decide_join(
        &self,
        player: &Player,
        wanted: Option<Seat>,
        at: Stamp,
        fresh: impl FnOnce() -> Fresh,
    ) -> Result<(Seat, Vec<Event>), Refusal> {
        let seat = self.check_join(player, wanted)?;
        let mut events = vec![Event::Seated { seat, player: player.clone(), at }];
        if self.player(seat.other()).is_some() {
            let Fresh { game, seed } = fresh();
            events.push(Event::Started { game, seed, exchange: false, at });
        }
        Ok((seat, events))
    }

    /// Which seat a player would take.
    pub fn check_join(&self, player: &Player, wanted: Option<Seat>) -> Result<Seat, Refusal> {
        if self.closed {
            return Err(Refusal::UnknownTable(self.id));
        }
        if let Some(seat) = self.seat_of(player.id) {
            return Err(Refusal::AlreadySeated(seat));
        }
        if self.party.is_some() {
            return Err(Refusal::JoinTheParty);
        }
        let free = |seat: &Seat| self.player(*seat).is_none();
        match wanted {
            Some(seat) => Some(seat).filter(free).ok_or(Refusal::SeatTaken(seat)),
            None => Seat::BOTH.into_iter().find(free).ok_or(Refusal::TableFull),
        }
    }

    /// What is to be told where somebody goes by another name than the one they sat down by, or became
    /// a member by.
    pub fn decide_rename(&self, player: &Player, at: Stamp) -> Vec<Event> {
        let seated = Seat::BOTH.into_iter().filter_map(|seat| self.player(seat));
        let member = self.party().and_then(|party| party.member(player.id));
        let mut known = seated.chain(member.map(|member| &member.player));
        let renamed = known.any(|it| it.id == player.id && it.name != player.name);
        let renamed = renamed && !self.closed;
        renamed.then(|| Event::Renamed { player: player.clone(), at }).into_iter().collect()
    }

    /// A player goes. Where no game runs the seat is free, and a table that nobody holds closes;
    /// in a running game nothing happens yet.
    pub fn decide_leave(&self, player: PlayerId, at: Stamp) -> Vec<Event> {
        if self.party.is_some() {
            return self.leaves_party(player, at);
        }
        match self.holds(player) {
            Holds::One(seat) if matches!(self.phase(), Phase::Waiting | Phase::Finished) => {
                self.free_seat(seat, at)
            }
            Holds::Both => self.leaves_both(at),
            Holds::One(_) | Holds::Nothing => Vec::new(),
        }
    }

    pub(super) fn free_seat(&self, seat: Seat, at: Stamp) -> Vec<Event> {
        let mut events = self.void_offers(|_| true);
        events.push(Event::Unseated { seat, at });
        // The computer does not wait for somebody to play against.
        if self.player(seat.other()).is_none_or(|other| other.cpu.is_some()) {
            events.push(Event::Closed { at });
        }
        events
    }

    /// The clock decides first: up to when the turn is charged where the command `plays` a move, or
    /// the fall of the flag.
    pub(super) fn judge_clock(
        &self,
        seat: Seat,
        asking: &Asking<'_>,
        plays: bool,
    ) -> Result<Charged, Decision> {
        let too_late = |events| Decision { events, answer: Err(Illegal::GameOver.into()) };
        let untouched = Charged { stamp: asking.at, credit_ms: 0 };
        let Some(live) = self.running() else { return Ok(untouched) };
        if plays && live.clock.running() == Some(seat) {
            return self.charge_move(live, seat, asking.at, asking.round_trip).map_err(too_late);
        }
        match self.flag_called(live) {
            Some((called, deadline)) if asking.at >= called => {
                Err(too_late(self.flag_falls(live, deadline.seat, deadline.at)))
            }
            _ => Ok(untouched),
        }
    }

    /// Up to when a move of the seat whose clock runs is charged, or the fall of its flag.
    pub(super) fn charge_move(
        &self,
        live: &LiveGame,
        seat: Seat,
        at: Stamp,
        round_trip: Millis,
    ) -> Result<Charged, Vec<Event>> {
        let judged = charge(&live.clock, live.banks[seat.index()].as_ref(), at, round_trip);
        judged.map_err(|late| self.flag_falls(live, late.deadline.seat, late.deadline.at))
    }

    pub(super) fn flag_falls(&self, live: &LiveGame, seat: Seat, at: Stamp) -> Vec<Event> {
        self.end(State::time_loss(live, seat), None, State::readings(&live.clock, at), at)
    }

    /// A move of a seat.
    pub(super) fn decide_play(
        &self,
        by: Cause,
        live: &LiveGame,
        turn: u64,
        action: Move,
        charged: Charged,
        mover: Mover,
    ) -> Result<Decision, Refusal> {
        let seat = by.seat;
        if live.game.outcome().is_some() {
            return Err(Illegal::GameOver.into());
        }
        if turn != live.turn {
            return Err(Refusal::StaleTurn { turn: live.turn });
        }
        if live.paused {
            return Err(Refusal::Paused);
        }
        live.game.check(seat, action)?;
        let collided = live.game.runs_into(seat, action);
        let mut clock: Clock = live.clock;
        let spent = if live.game.passes_turn(seat, action) {
            clock.complete_turn(seat, charged.stamp)
        } else {
            clock.keep_turn(seat, charged.stamp)
        };
        let used_ms = spent.used_ms;
        let readings = State::readings(&clock, charged.stamp);
        let at = charged.stamp;
        let credit_ms = charged.credit_ms;
        let answer = Answer::Moved { turn: live.turn + 1, collided };
        let by = Cause { answer, ..by };
        let (cpu, planned) = (mover == Mover::Computer, mover == Mover::Plan);
        let mut events = vec![Event::Played {
            by,
            action,
            collided,
            cpu,
            planned,
            used_ms,
            credit_ms,
            readings,
            at,
        }];
        match live.game.outcome_of(seat, action) {
            Some(outcome) => events.extend(self.end(outcome, None, readings, at)),
            None => events.extend(self.void_offers(|offer| offer.kind == OfferKind::Takeback)),
        }
        Ok(Decision { events, answer: Ok(answer) })
    }

    fn ended_by(&self, by: Cause, live: &LiveGame, outcome: Outcome, at: Stamp) -> Decision {
        Decision::done(self.end(outcome, Some(by), State::readings(&live.clock, at), at))
    }

    fn decide_give(&self, by: Cause, live: &LiveGame, at: Stamp) -> Result<Decision, Refusal> {
        if self.options.pass_and_play() {
            return Err(Refusal::NobodyToGive);
        }
        if live.clock.time_control().control() == Control::None {
            return Err(Refusal::CannotGiveTime);
        }
        let at = live.before_fall(at);
        let mut clock = live.clock;
        clock.give(by.seat.other(), self.spans.give_ms, at);
        let readings = State::readings(&clock, at);
        let given = Event::TimeGiven { by, ms: self.spans.give_ms, readings };
        Ok(Decision::done(vec![given]))
    }

    fn check_claim(&self, seat: Seat, live: &LiveGame, at: Stamp) -> Result<(), Refusal> {
        if self.options.pass_and_play() {
            return Err(Refusal::CannotClaim(
                "both seats are yours, so there is nobody to claim the game from",
            ));
        }
        if self.options.on_leave() != OnLeave::Claim {
            return Err(Refusal::CannotClaim(
                "this table leaves the seat of a gone player to the computer or to the clock",
            ));
        }
        if live.paused {
            return Err(Refusal::Paused);
        }
        match self.countdown_over(seat.other(), live) {
            None => Err(Refusal::CannotClaim("your opponent is here")),
            Some(over) if at < over => Err(Refusal::CannotClaim(
                "your opponent may still come back: wait for the countdown",
            )),
            Some(_) => Ok(()),
        }
    }

    /// The game that is named, running or ended.
    fn live(&self, named: GameId) -> Result<&LiveGame, Refusal> {
        let live = self.game.as_ref().ok_or(Refusal::NoGame)?;
        if live.id == named { Ok(live) } else { Err(Refusal::OtherGame(live.id)) }
    }

    /// The game that is named, running.
    pub(super) fn running_game(&self, named: GameId) -> Result<&LiveGame, Refusal> {
        let live = self.live(named)?;
        match live.game.outcome() {
            None => Ok(live),
            Some(_) => Err(Illegal::GameOver.into()),
        }
    }
}
