//! The computer at a table: it thinks about the turns of the seats that it drives, and about what
//! a player might do.
//!
//! The actor hands a task over and goes on. What comes of it comes back through the mailbox and is
//! judged like any command: a move for a turn that has passed, or for a seat that its player has
//! again, is discarded. A task is what the seat's own view shows and nothing else.
//!
//! Bounds: the table thinks about one move at a time, and about one suggestion: against the computer
//! there is one seat that could ask.

use actix::prelude::*;
use hexhall_proto::event::Event as Told;
use hexhall_proto::reply::Reply;

use crate::cpu::seat::{self, Answer, Memory, Task};
use crate::cpu::{Level, Seen, Thought};
use crate::game::clock::{Millis, Stamp};
use crate::game::{Move, Seat};
use crate::ids::{GameId, Seq};
use crate::view::{Viewer, project};
use crate::wire;

use super::actor::TableActor;
use super::alarm::RETRY_MS;
use super::handle::ReplyTo;
use super::state::CpuTurn;
use super::state::refusal::Refusal;
use super::streams::Frame;

/// What the computer thinks about for a table.
#[derive(Default)]
pub(super) struct Driven {
    /// The turn, and the search, which ends when it is cancelled.
    thinking: Option<(CpuTurn, SpawnHandle)>,
    /// What it has found out about the seat that it drives, for its next move.
    memory: Option<(GameId, Seat, Memory)>,
    /// Whether it thinks of a suggestion.
    suggesting: bool,
}

/// The computer has a move.
struct Moves {
    turn: CpuTurn,
    action: Move,
    /// When it was thought out.
    at: Stamp,
}

impl Message for Moves {
    type Result = ();
}

/// A suggestion that is being thought about.
struct Suggesting {
    reply: ReplyTo,
    game: GameId,
    turn: u64,
    seen: Seen,
    asked: Stamp,
}

impl TableActor {
    /// Has the computer think about the turn that it is to play, once everything that led there is
    /// durable, and no more about any other.
    pub(super) fn drive(&mut self, ctx: &mut Context<Self>) {
        self.forget();
        let turn = self.state.cpu_turn();
        if let Some((about, search)) = self.driven.thinking {
            if turn == Some(about) {
                return;
            }
            ctx.cancel_future(search);
            self.driven.thinking = None;
        }
        let settled = self.release.durable() >= self.state.number() && !self.owes_restart;
        let Some(turn) = turn.filter(|_| settled) else { return };
        let Some(mut task) = self.task(turn.seat, turn.level, None) else { return };
        let about = |it: &mut (GameId, Seat, _)| (it.0, it.1) == (turn.game, turn.seat);
        task.memory = self.driven.memory.take_if(about).map(|(.., memory)| memory);
        let (seen, time) = (task.seen.clone(), self.services.time.clone());
        let answer = self.services.thinker.think(task);
        let answered = async move { (answer.await, time.now()) };
        let search = ctx.spawn(answered.into_actor(self).map(move |(answer, at), actor, ctx| {
            actor.answered(turn, &seen, answer, at, ctx);
        }));
        self.driven.thinking = Some((turn, search));
    }

    /// What was found out about a seat goes with its game, and when its player has it again: it
    /// takes megabytes.
    fn forget(&mut self) {
        let state = &self.state;
        let game = state.running().map(|live| live.id);
        let is_over = |(of, seat, _): &mut (GameId, Seat, _)| {
            game != Some(*of) || state.driver(*seat).is_none()
        };
        drop(self.driven.memory.take_if(is_over));
    }

    /// Something has come of thinking about a turn.
    fn answered(
        &mut self,
        turn: CpuTurn,
        seen: &Seen,
        answer: Option<Answer>,
        at: Stamp,
        ctx: &mut Context<Self>,
    ) {
        let action = seat::settle_on(seen, answer.as_ref().map(|it| &it.thought));
        let memory = answer.and_then(|answer| answer.memory);
        self.driven.memory = memory.map(|memory| (turn.game, turn.seat, memory));
        if let Some(action) = action {
            self.thought_out(Moves { turn, action, at }, ctx);
        }
    }

    /// What the computer is to think about in a seat: what the seat sees.
    fn task(&self, seat: Seat, level: Level, most_ms: Option<Millis>) -> Option<Task> {
        let now = self.now();
        let view = project::view(&self.state, Viewer::Seat(seat), Seq(0), 0, now);
        let clock = &self.state.running()?.clock;
        let (time_control, reading) = (*clock.time_control(), clock.reading(seat, now));
        let seen = Seen::of(&view)?;
        Some(Task { seen, level, time_control, reading, most_ms, memory: None })
    }

    /// The computer has a move. Whatever reached the mailbox before is looked at first.
    fn thought_out(&mut self, moves: Moves, ctx: &mut Context<Self>) {
        if let Err(SendError::Full(moves)) = ctx.address().try_send(moves) {
            self.play_later(moves, 1, ctx);
        }
    }

    fn play_later(&mut self, moves: Moves, wait_ms: Millis, ctx: &mut Context<Self>) {
        let wait = self.services.time.sleep(wait_ms).into_actor(self);
        ctx.spawn(wait.map(move |(), actor, ctx| actor.thought_out(moves, ctx)));
    }

    /// Plays the computer's move, if the turn is still its own.
    fn play(&mut self, moves: Moves, ctx: &mut Context<Self>) {
        let Moves { turn, action, at } = moves;
        let Ok(slot) = self.reserve() else { return self.play_later(moves, RETRY_MS, ctx) };
        if self.driven.thinking.is_some_and(|(about, _)| about == turn) {
            self.driven.thinking = None;
        }
        let refusal = match self.state.decide_cpu(turn, action, at) {
            Ok(events) => return self.commit(slot, events, ctx),
            Err(refusal) => refusal,
        };
        // Its code alone: the text may name a cell, and in Dark Hex no log does.
        let (table, why) = (self.state.id(), wire::code(&refusal).as_str());
        if self.state.cpu_turn() != Some(turn) {
            metrics::counter!("hexhall_cpu_stale_moves_total").increment(1);
            return tracing::debug!(%table, why, "a move of the computer was discarded");
        }
        // It would think of the same for ever: any move will do.
        tracing::error!(%table, why, "the computer chose a move that the rules refuse");
        let legal = self.state.running().and_then(|live| live.game.legal_moves().first().copied());
        if let Some(Ok(events)) = legal.map(|action| self.state.decide_cpu(turn, action, at)) {
            self.commit(slot, events, ctx);
        }
    }

    /// Thinks about what a player might do.
    pub(super) fn suggest(
        &mut self,
        reply: ReplyTo,
        game: GameId,
        turn: u64,
        ctx: &mut Context<Self>,
    ) {
        let seat = match self.state.check_suggest(reply.session().player.id, game, turn) {
            Ok(seat) => seat,
            Err(refusal) => return self.refuse(reply, &refusal),
        };
        if self.driven.suggesting {
            return self.refuse(
                reply,
                &Refusal::CannotSuggest("your last suggestion is still being thought about"),
            );
        }
        // No worse than the computer across the table plays.
        let level = self
            .state
            .house(seat.other())
            .map_or(Level::SUGGESTING, |own| own.max(Level::SUGGESTING));
        let task = self.task(seat, level, Some(seat::MOST_SUGGESTING_MS));
        // There is one: it is the seat's turn. Dropped unanswered, the reply says `busy`.
        let Some(task) = task else { return };
        let asked = self.now();
        let suggesting = Suggesting { reply, game, turn, seen: task.seen.clone(), asked };
        self.driven.suggesting = true;
        let answer = self.services.thinker.think(task).into_actor(self);
        ctx.spawn(answer.map(move |answer, actor, ctx| {
            actor.suggested(suggesting, answer.map(|it| it.thought).as_ref());
            actor.settle(ctx);
        }));
    }

    fn suggested(&mut self, suggesting: Suggesting, thought: Option<&Thought>) {
        let Suggesting { reply, game, turn, seen, asked } = suggesting;
        self.driven.suggesting = false;
        let player = reply.session().player.id;
        match self.state.check_suggest(player, game, turn) {
            Err(refusal) => self.refuse(reply, &refusal),
            Ok(seat) => {
                self.give_back(seat, asked);
                // Where nobody has thought about it nothing is suggested: the reply says `busy`.
                let Some(thought) = thought else { return };
                let Some(action) = seat::settle_on(&seen, Some(thought)) else { return };
                let (action, win_percent) = (wire::action(action), Some(thought.percent()));
                self.reply(reply, Reply::Suggestion { action, win_percent });
            }
        }
    }

    /// A player's time stands while the computer thinks about what they might do.
    fn give_back(&mut self, seat: Seat, since: Stamp) {
        let now = self.now();
        let runs = self.state.running().and_then(|live| live.clock.runs_since());
        let Some((_, began)) = runs.filter(|&(running, _)| running == seat) else { return };
        self.excuse(now - since.max(began), now);
        if self.release.durable() < self.state.number() {
            // What comes next tells the clocks.
            return;
        }
        let clocks = self.state.running().and_then(|live| project::clocks(&self.state, live, now));
        let Some(clocks) = clocks else { return };
        let frame = Frame::new(self.state.id(), None, Told::Clocks { clocks });
        self.streams.broadcast(self.release.durable(), self.told_live(), &frame);
    }
}

impl Handler<Moves> for TableActor {
    type Result = ();

    fn handle(&mut self, moves: Moves, ctx: &mut Context<Self>) {
        let now = self.now();
        self.excuse_outage(now);
        self.show_late(now, ctx);
        self.play(moves, ctx);
        self.settle(ctx);
    }
}
