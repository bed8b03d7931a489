//! What a seat has planned while the other is to move, and when that is played: at once when its
//! turn comes, if it answers what the other played, and not at all otherwise.
//!
//! A plan belongs to one turn of the other seat. It is kept in the journal and told to its own seat
//! alone; that a move was planned is seen by nobody, except that it comes quickly. It costs what its
//! turn's clock ran, which is nothing or next to it. While it stands for the seat to move, the
//! computer does not move for that seat.
//!
//! Bound: one plan a seat, which has its own bounds; a new one takes the place of the one before.
//!
//! Invariant: whatever a plan has played is legal, answers the turn that it was made for, and
//! leaves a plan that is shorter.

use hexhall_proto::plans::WhyDropped;

use crate::game::clock::{Charged, Stamp};
use crate::game::{Move, Seat};
use crate::ids::GameId;
use crate::table::handle::CommandId;

use super::answered::Answer;
use super::decide::{Asking, Decision, Mover};
use super::event::{Cause, Event};
use super::plan::Plan;
use super::refusal::Refusal;
use super::{LiveGame, State};

/// A plan, and the position that it was made in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Planned {
    plan: Plan,
    /// The turn that the other seat was to answer.
    turn: u64,
    /// How many moves had been played.
    plies: usize,
}

/// What has become of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    /// The other seat has not moved yet.
    Waits,
    /// The other seat has moved, and this is the answer.
    Plays(Move),
    /// It will not be played.
    Dropped(WhyDropped),
}

impl Planned {
    /// A plan for the position of a game in which the other seat is to move; none of nothing.
    pub(super) fn in_game(live: &LiveGame, plan: Plan) -> Option<Planned> {
        let plies = live.game.plies().len();
        (!plan.is_empty()).then_some(Planned { plan, turn: live.turn, plies })
    }

    /// What has become of it in its game.
    fn fate(&self, live: &LiveGame, seat: Seat) -> Fate {
        if live.game.outcome().is_some() {
            return Fate::Dropped(WhyDropped::Ended);
        }
        let plies = live.game.plies();
        // A takeback makes another turn of fewer moves.
        let Some(moves) = plies.len().checked_sub(self.plies) else {
            return Fate::Dropped(WhyDropped::TakenBack);
        };
        if live.turn - self.turn != moves as u64 {
            return Fate::Dropped(WhyDropped::TakenBack);
        }
        let theirs = match plies[self.plies..] {
            [] => return Fate::Waits,
            [theirs] => theirs.action,
            _ => return Fate::Dropped(WhyDropped::Moved),
        };
        match self.plan.answer(theirs) {
            Some(own) if live.game.check(seat, own).is_ok() => Fate::Plays(own),
            Some(_) => Fate::Dropped(WhyDropped::Illegal),
            None if theirs == Move::Swap => Fate::Dropped(WhyDropped::Swapped),
            None => Fate::Dropped(WhyDropped::Unmatched),
        }
    }
}

impl State {
    /// What a seat has planned.
    pub fn plan(&self, seat: Seat) -> Option<&Plan> {
        self.plans[seat.index()].as_ref().map(|planned| &planned.plan)
    }

    /// Decides on what a seat plans for the other's `turn`, in place of what it had planned; nothing
    /// takes a plan back, at any turn. A command accepted before is answered as it was then.
    pub fn decide_plan(&self, asking: Asking<'_>, game: GameId, turn: u64, plan: Plan) -> Decision {
        let admitted = self.admit(&asking).and_then(|seat| {
            self.judge_clock(seat, &asking, false)?;
            self.check_plan(seat, self.running_game(game)?, turn, &plan)?;
            Ok(seat)
        });
        match admitted {
            Ok(seat) => {
                let by = Cause { seat, command: asking.command.clone(), answer: Answer::Done };
                let events = vec![Event::Planned { by, plan, at: asking.at }];
                Decision { events, answer: Ok(Answer::Done) }
            }
            Err(answered) => answered,
        }
    }

    fn check_plan(
        &self,
        seat: Seat,
        live: &LiveGame,
        turn: u64,
        plan: &Plan,
    ) -> Result<(), Refusal> {
        let cannot = |why| Err(Refusal::CannotPlan(why));
        if live.game.is_dark() {
            return cannot("nothing is planned in Dark Hex: nobody knows what a move will meet");
        }
        if self.options.pass_and_play() {
            return cannot("both seats are yours, so there is nobody to wait for");
        }
        if plan.is_empty() {
            return Ok(());
        }
        if turn != live.turn {
            return Err(Refusal::StaleTurn { turn: live.turn });
        }
        if live.game.to_move() == Some(seat) {
            return cannot("it is your turn: play a move, and plan while the other is to move");
        }
        Ok(plan.check(&live.game, seat)?)
    }

    /// What has come due of plans at `now`: a move, or that a plan is dropped. A pause puts the move
    /// off.
    pub(super) fn plans_due(&self, now: Stamp) -> Vec<Event> {
        let Some((live, seat, fate)) = self.fates().next() else { return Vec::new() };
        let dropped = |why| vec![Event::PlanDropped { seat, why, at: now }];
        let action = match fate {
            Fate::Waits => return Vec::new(),
            Fate::Dropped(why) => return dropped(why),
            Fate::Plays(action) => action,
        };
        // Where the move before it is not durable yet, no clock runs, and nothing is charged.
        let charged = if live.clock.running() == Some(seat) {
            match self.charge_move(live, seat, now, 0) {
                Ok(charged) => charged,
                Err(flag_falls) => return flag_falls,
            }
        } else {
            Charged { stamp: now, credit_ms: 0 }
        };
        let by = Cause { seat, command: CommandId::of_plan(live.turn), answer: Answer::Done };
        match self.decide_play(by, live, live.turn, action, charged, Mover::Plan) {
            Ok(decision) => decision.events,
            Err(_) => dropped(WhyDropped::Illegal),
        }
    }

    /// Whether anything of plans is due.
    pub(super) fn is_plan_due(&self) -> bool {
        self.fates().next().is_some()
    }

    /// The plans that do not wait any more, and what becomes of them now.
    fn fates(&self) -> impl Iterator<Item = (&LiveGame, Seat, Fate)> {
        let live = self.game.as_ref().filter(|_| !self.closed);
        let fate = move |seat: Seat| {
            let (live, planned) = (live?, self.plans[seat.index()].as_ref()?);
            match planned.fate(live, seat) {
                Fate::Waits => None,
                Fate::Plays(_) if live.paused => None,
                fate => Some((live, seat, fate)),
            }
        };
        Seat::BOTH.into_iter().filter_map(fate)
    }

    /// What is planned still once a seat plays this by its plan; none where that does not plan it.
    pub(super) fn plan_after(&self, seat: Seat, action: Move) -> Option<Plan> {
        let (live, planned) = (self.running()?, self.plans[seat.index()].as_ref()?);
        let theirs = live.game.plies().last()?.action;
        let plays = planned.fate(live, seat) == Fate::Plays(action);
        plays.then(|| planned.plan.after(theirs, action))
    }
}
