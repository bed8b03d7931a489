//! How a table answers what it is asked.

use std::sync::Arc;

use actix::prelude::*;
use hexhall_proto::error::ErrorBody;
use hexhall_proto::reply::Reply;
use hexhall_proto::request::Last;

use crate::game::clock::{Millis, Stamp};
use crate::game::{Illegal, Seat};
use crate::gateway::follows::MOST_WATCHED;
use crate::ids::{GameId, PlayerId, Seq};
use crate::view::{Viewer, project};
use crate::wire;

use super::actor::TableActor;
use super::archive;
use super::delayed::Stage;
use super::handle::{
    Ask, AskStage, Command, CommandId, Gone, Look, Refresh, ReplyTo, Request, Seen, SessionRef,
};
use super::release::Held;
use super::state::answered::Answer;
use super::state::event::Event;
use super::state::party::Party;
use super::state::plan::Plan;
use super::state::refusal::Refusal;
use super::state::{Asking, Decision, Hand};

impl Message for Request {
    type Result = ();
}

impl Message for Refresh {
    type Result = ();
}

impl Message for Gone {
    type Result = ();
}

impl Message for Look {
    type Result = ();
}

impl Message for AskStage {
    type Result = ();
}

impl Handler<Request> for TableActor {
    type Result = ();

    fn handle(&mut self, request: Request, ctx: &mut Context<Self>) {
        let now = self.now();
        self.excuse_outage(now);
        self.show_late(now, ctx);
        let Request { reply, at, round_trip, ask } = request;
        match ask {
            Ask::Watch { invitation, last } => {
                self.watch(reply, invitation.as_deref(), last, ctx);
            }
            Ask::Unwatch
            | Ask::Say { .. }
            | Ask::Chat
            | Ask::Leave
            | Ask::Party(_)
            | Ask::Lift { .. }
            | Ask::Suggest { .. }
            | Ask::Plan { .. }
            | Ask::Command { .. }
                if !self.knows(reply.session()) =>
            {
                self.refuse(reply, &Refusal::NotAtTable);
            }
            Ask::Unwatch => {
                self.session_gone(reply.session().id, None);
                self.reply(reply, Reply::Done {});
            }
            Ask::Join { seat, invitation } => {
                self.join(reply, seat, invitation.as_deref(), at, ctx);
            }
            Ask::JoinParty { key, plays } => self.join_party(reply, &key, plays, at, ctx),
            Ask::Party(command) => self.party_command(reply, command, at, ctx),
            Ask::Say { room, text } => self.say(reply, room, &text),
            Ask::Chat => self.show_chat(reply),
            Ask::Leave => self.leave(reply, at, ctx),
            Ask::Lift { game, seat } => self.lift(reply, game, seat),
            Ask::Suggest { game, turn } => self.suggest(reply, game, turn, ctx),
            Ask::Plan { id, game, turn, plan } => {
                self.plan(reply, &id, game, turn, plan, at, ctx);
            }
            Ask::Command { id, command, seat } => {
                self.command(reply, &id, command, seat, at, round_trip, ctx);
            }
        }
        self.settle(ctx);
    }
}

/// What an accepted command is answered.
fn accepted(answer: Answer) -> Reply {
    match answer {
        Answer::Moved { turn, collided } => Reply::Moved { turn, collision: collided },
        Answer::Offered(offer) => Reply::Offered { offer },
        Answer::Done => Reply::Done {},
    }
}

/// Says at once that the journal cannot take a request on: nothing has come of it that would have
/// to be durable first, and the journal may be silent for long.
pub(super) fn busy(reply: ReplyTo) {
    reply.answer(Reply::Error(wire::refusal(&Refusal::Busy)));
}

impl TableActor {
    /// Whether a session follows the table, or its player sits there.
    fn knows(&self, session: &SessionRef) -> bool {
        self.streams.has(session.id) || self.belongs(session.player.id)
    }

    /// Whether a player follows the table from any session, sits there or is of its party.
    pub(super) fn knows_player(&self, player: PlayerId) -> bool {
        self.streams.is_here(player) || self.belongs(player)
    }

    fn belongs(&self, player: PlayerId) -> bool {
        self.state.seat_of(player).is_some() || self.state.is_member(player)
    }

    pub(super) fn refuse(&mut self, reply: ReplyTo, refusal: &Refusal) {
        self.reply(reply, Reply::Error(wire::refusal(refusal)));
    }

    /// Refuses with what the seat to move may play instead, where that helps.
    fn refuse_seated(&mut self, reply: ReplyTo, refusal: &Refusal, seat: Option<Seat>) {
        let mut body: ErrorBody = wire::refusal(refusal);
        let misplaced = matches!(
            refusal,
            Refusal::Illegal(
                Illegal::OffBoard { .. } | Illegal::Occupied { .. } | Illegal::NoSwap(_)
            )
        );
        if let Some(live) = self
            .state
            .running()
            .filter(|live| misplaced && seat.is_some() && live.game.to_move() == seat)
        {
            let legal = live.game.legal_moves();
            body.legal_moves = Some(legal.into_iter().map(wire::action).collect());
        }
        self.reply(reply, Reply::Error(body));
    }

    /// Decides on a command, for the seat that it names if it names one, that arrived at `at` over
    /// a connection with that round trip.
    #[expect(clippy::too_many_arguments, reason = "they are a request's parts")]
    fn command(
        &mut self,
        reply: ReplyTo,
        id: &CommandId,
        command: Command,
        named: Option<Seat>,
        at: Stamp,
        round_trip: Option<Millis>,
        ctx: &mut Context<Self>,
    ) {
        let player = reply.session().player.id;
        let seat = self.state.seat_of(player);
        if let (Some(seat), Some(round_trip)) = (seat, round_trip) {
            self.state.note_round_trip(seat, round_trip);
        }
        // Behind a curtain too: what a move came to, everybody was told, and which cell it tried is
        // not in its answer.
        if let Some(answer) = self.state.remembered(player, id) {
            return self.reply(reply, accepted(answer));
        }
        let Ok(slot) = self.reserve() else { return busy(reply) };
        // Nobody is kept from playing a game or ending it.
        let is_free = matches!(
            command,
            Command::Play { .. } | Command::Resign(_) | Command::Abort(_) | Command::Claim(_)
        );
        let hand = Hand { named, lifted: self.curtains.lifted(reply.session().id) };
        let round_trip = round_trip.unwrap_or_default();
        let asking = Asking { player, command: id, at, round_trip, hand };
        let fresh = Arc::clone(&self.services.fresh);
        let Decision { events, answer } = self.state.decide(asking, command, || fresh());
        let checked = self.check_seats(player, &events);
        let checked = checked.and_then(|()| match is_free {
            true => Ok(()),
            false => self.check_besides(player, &events),
        });
        if let Err(refusal) = checked {
            return self.refuse(reply, &refusal);
        }
        self.commit(slot, events, ctx);
        match answer {
            Ok(answer) => self.reply(reply, accepted(answer)),
            Err(refusal) => self.refuse_seated(reply, &refusal, seat),
        }
    }

    /// Decides on what a seat plans, by a command that arrived at `at`.
    #[expect(clippy::too_many_arguments, reason = "they are a request's parts")]
    fn plan(
        &mut self,
        reply: ReplyTo,
        id: &CommandId,
        game: GameId,
        turn: u64,
        plan: Plan,
        at: Stamp,
        ctx: &mut Context<Self>,
    ) {
        let player = reply.session().player.id;
        if let Some(answer) = self.state.remembered(player, id) {
            return self.reply(reply, accepted(answer));
        }
        let Ok(slot) = self.reserve() else { return busy(reply) };
        let asking = Asking { player, command: id, at, round_trip: 0, hand: Hand::default() };
        // Nobody is held to a plan that they may not take back. One that is taken back was admitted.
        let seat = self.state.seat_of(player);
        let takes_back = plan.is_empty() && seat.is_some_and(|it| self.state.plan(it).is_some());
        let Decision { events, answer } = self.state.decide_plan(asking, game, turn, plan);
        if !takes_back && let Err(refusal) = self.check_besides(player, &events) {
            return self.refuse(reply, &refusal);
        }
        self.commit(slot, events, ctx);
        match answer {
            Ok(answer) => self.reply(reply, accepted(answer)),
            Err(refusal) => self.refuse(reply, &refusal),
        }
    }

    fn watch(
        &mut self,
        reply: ReplyTo,
        invitation: Option<&str>,
        last: Option<Last>,
        ctx: &mut Context<Self>,
    ) {
        let session = Arc::clone(reply.session());
        self.note_name(&session.player_now(), ctx);
        if !self.state.admits(session.player.id, invitation) {
            return self.refuse(reply, &Refusal::NotInvited);
        }
        if let Err(refusal) = self.check_room(&session) {
            return self.refuse(reply, &refusal);
        }
        let viewer = self.viewer(&session);
        self.follow(&session, viewer);
        let run = (last.filter(|last| last.viewer == viewer.wire()))
            .and_then(|last| self.streams.run_since(viewer, Seq(last.seq)));
        let answer = match run {
            Some(events) => {
                let table = self.state.id().to_string();
                let (state, now) = self.known_to(viewer);
                let clocks = state.game().and_then(|live| project::clocks(state, live, now));
                let plan = project::plan(state, viewer);
                Reply::Resumed { table, viewer: viewer.wire(), events, clocks, plan }
            }
            None => Reply::View { view: Box::new(self.view(viewer)) },
        };
        if self.is_late_for(viewer) {
            // It tells of nothing that is not durable, and must not wait behind what is newer.
            return reply.answer(answer);
        }
        self.reply(reply, answer);
    }

    fn join(
        &mut self,
        reply: ReplyTo,
        wanted: Option<Seat>,
        invitation: Option<&str>,
        at: Stamp,
        ctx: &mut Context<Self>,
    ) {
        let session = Arc::clone(reply.session());
        if !self.state.admits(session.player.id, invitation) {
            return self.refuse(reply, &Refusal::NotInvited);
        }
        let player = session.player_now();
        if self.is_kept_out(player.id) {
            return self.refuse(reply, &Refusal::Banned);
        }
        if let Err(refusal) = self.check_room(&session) {
            return self.refuse(reply, &refusal);
        }
        if let Err(refusal) = self.judge_late_join(&player, wanted) {
            return reply.answer(Reply::Error(wire::refusal(&refusal)));
        }
        if self.is_shunned(player.id) {
            return self.refuse(reply, &Refusal::Blocked);
        }
        let Ok(slot) = self.reserve() else { return busy(reply) };
        let fresh = Arc::clone(&self.services.fresh);
        let decided = self.state.decide_join(&player, wanted, at, || fresh());
        let checked = decided.and_then(|(seat, events)| {
            self.check_seats(player.id, &events)?;
            self.check_besides(player.id, &events)?;
            Ok((seat, events))
        });
        match checked {
            Err(refusal) => self.refuse(reply, &refusal),
            Ok((seat, events)) => {
                // Whoever sits down is there: what the others are told of it says so.
                let after = self.state.number() + events.len() as u64;
                self.follow_from(&session, Viewer::Seat(seat), after);
                self.commit(slot, events, ctx);
                let view = Box::new(self.view(Viewer::Seat(seat)));
                self.reply(reply, Reply::Joined { seat: wire::seat(seat), view });
            }
        }
    }

    /// Whether a session may follow one table more. One's own tables are bounded by their seats, and
    /// whoever takes a seat may give it up in another session: this one then watches.
    pub(super) fn check_room(&self, session: &SessionRef) -> Result<(), Refusal> {
        let seated = self.state.seat_of(session.player.id).is_some();
        match seated || session.follows.has_room(self.state.id()) {
            true => Ok(()),
            false => Err(Refusal::WatchesEnough(MOST_WATCHED)),
        }
    }

    /// Whether a player may bring these events about by what is no move. They could go on with it
    /// without end, and a journal is never shortened.
    pub(super) fn check_besides(&self, player: PlayerId, events: &[Event]) -> Result<(), Refusal> {
        match events {
            [] => Ok(()),
            _ => self.services.besides_moves.admit(player).map_err(Refusal::TooOften),
        }
    }

    /// Whether an operator keeps a player out whose sessions have not ended yet.
    pub(super) fn is_kept_out(&self, player: PlayerId) -> bool {
        self.services.store.banned(player, self.now().0).is_some()
    }

    /// Whether somebody who sits here has blocked the player, who does not.
    fn is_shunned(&self, player: PlayerId) -> bool {
        let store = &self.services.store;
        let seated = || Seat::BOTH.into_iter().filter_map(|seat| self.state.player(seat));
        self.state.seat_of(player).is_none()
            && seated().any(|seated| store.has_blocked(seated.id, player))
    }

    fn leave(&mut self, reply: ReplyTo, at: Stamp, ctx: &mut Context<Self>) {
        let session = Arc::clone(reply.session());
        let Ok(slot) = self.reserve() else { return busy(reply) };
        let events = self.state.decide_leave(session.player.id, at);
        self.commit(slot, events, ctx);
        self.session_gone(session.id, self.state.seat_of(session.player.id));
        self.reply(reply, Reply::Done {});
    }
}

impl Handler<Refresh> for TableActor {
    type Result = ();

    fn handle(&mut self, mut refresh: Refresh, ctx: &mut Context<Self>) {
        let Some(session) = refresh.0.take() else { return };
        self.show_late(self.now(), ctx);
        // It may have followed when it asked, and been sent away since.
        let removed = |party: &Party| party.has_removed(session.player.id);
        if self.state.is_private() && self.state.party().is_some_and(removed) {
            session.follows.leave_table(self.state.id());
            return self.settle(ctx);
        }
        let viewer = self.viewer(&session);
        self.follow(&session, viewer);
        let view = self.fresh_view(viewer);
        if self.is_late_for(viewer) {
            self.streams.send(session.id, &view);
        } else {
            self.release.hold(self.state.number(), Held::Fresh { session: session.id, view });
        }
        self.settle(ctx);
    }
}

impl Handler<Gone> for TableActor {
    type Result = ();

    fn handle(&mut self, Gone(session): Gone, ctx: &mut Context<Self>) {
        self.session_gone(session, None);
        self.settle(ctx);
    }
}

impl Handler<Look> for TableActor {
    type Result = ();

    fn handle(&mut self, Look { invitation, answer }: Look, ctx: &mut Context<Self>) {
        self.show_late(self.now(), ctx);
        let admitted = self.state.invitation().is_none_or(|it| invitation.as_deref() == Some(it));
        let seen = if admitted {
            let (state, _) = self.known_to(Viewer::Spectator);
            let record = state.game().and_then(|live| archive::open_record(state, live));
            Ok(Box::new(Seen { view: self.view(Viewer::Spectator), record }))
        } else {
            Err(Refusal::NotInvited)
        };
        if self.is_late_for(Viewer::Spectator) {
            drop(answer.send(seen));
            return self.settle(ctx);
        }
        // Whoever asked may have gone; then nobody needs the answer.
        let tell = Box::new(move || drop(answer.send(seen)));
        self.release.hold(self.state.number(), Held::Then(tell));
        self.settle(ctx);
    }
}

impl Handler<AskStage> for TableActor {
    type Result = ();

    fn handle(&mut self, AskStage { game, answer }: AskStage, ctx: &mut Context<Self>) {
        self.show_late(self.now(), ctx);
        // Where everybody sees the table live, whatever is kept of it may be shown.
        let stage = self.late.as_ref().map_or(Stage::Over, |late| late.delayed.stage(game));
        // Whoever asked may have gone; then nobody needs the answer.
        let _ = answer.send(stage);
        self.settle(ctx);
    }
}
