//! The lobby's turns: everything that it does, it does in one, and a panic ends no more than the
//! step of a turn that it happens in.
//!
//! A turn looks at the board, does what it is there for, and settles what is due because of it.
//! After a panic, what may be half-changed is made whole from what cannot be: seats are counted
//! anew, and pairing begins anew with the same seeks. At the end of the turn everybody is shown
//! everything afresh, so that nobody waits for what is no more.
//!
//! Invariant: no message and no future of the actor runs outside [`LobbyActor::turn`] or
//! [`LobbyActor::later`]: an actor that panics does not come back.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use actix::fut::wrap_future;
use actix::prelude::*;
use futures_util::FutureExt;

use crate::lobby::pairing::{Pairing, Why};
use crate::table::beginning::Listed;
use crate::workers::said;

use super::LobbyActor;

impl LobbyActor {
    /// One turn: what is new on the board comes first, then what is to be done, and what is due
    /// because of it all last.
    pub(in crate::lobby) fn turn(
        &mut self,
        ctx: &mut Context<Self>,
        doing: &'static str,
        act: impl FnOnce(&mut Self, &mut Context<Self>),
    ) {
        self.look();
        self.guarded(doing, |actor| act(actor, ctx));
        self.settle_all(ctx);
        if self.mended {
            self.guarded("showing everything afresh", Self::show_afresh);
            // Not again and again, if it is that which panics.
            self.mended = false;
        }
    }

    /// Takes a turn with what a future comes to.
    pub(in crate::lobby) fn later<F>(
        ctx: &mut Context<Self>,
        doing: &'static str,
        future: F,
        then: impl FnOnce(&mut Self, &mut Context<Self>, F::Output) + 'static,
    ) -> SpawnHandle
    where
        F: Future + 'static,
    {
        let caught = wrap_future::<_, Self>(AssertUnwindSafe(future).catch_unwind());
        ctx.spawn(caught.map(move |came, actor, ctx| {
            actor.turn(ctx, doing, move |actor, ctx| match came {
                Ok(came) => then(actor, ctx, came),
                Err(panic) => resume_unwind(panic),
            });
        }))
    }

    /// Does something, and makes whole what a panic in it may have left half-done. Says whether
    /// there was none.
    pub(in crate::lobby) fn guarded(
        &mut self,
        doing: &'static str,
        act: impl FnOnce(&mut Self),
    ) -> bool {
        let done = catch_unwind(AssertUnwindSafe(|| act(self)));
        done.map_err(|panic| self.mend(doing, &*panic)).is_ok()
    }

    fn mend(&mut self, doing: &'static str, panic: &(dyn Any + Send)) {
        self.panics.increment(1);
        tracing::error!(
            doing,
            why = said(panic),
            "a panic in the lobby: that one thing is given up"
        );
        self.mended = true;
        self.board.note_all_held(self.state.recount());
        if catch_unwind(AssertUnwindSafe(|| self.begin_anew(None))).is_err() {
            tracing::error!("what people sought cannot be made whole: nobody seeks anything now");
        }
    }

    /// Has pairing begin anew, without those who are kept from being matched, or where everything
    /// `ends`, without anybody. Where that panics, it is empty.
    fn begin_anew(&mut self, ends: Option<Why>) {
        let empty = Pairing::new(self.tables.services().spans.countdown.lost_ms);
        let broken = std::mem::replace(&mut self.pairing, empty);
        let is_here = |player| self.board.online.is_here(player);
        let ends = |player| ends.or_else(|| self.kept_from(player));
        self.pairing = broken.mended(self.now(), is_here, ends);
    }

    /// Takes what is new on the board and tells it. Whatever a table had told before somebody came
    /// is taken in before they are shown anything.
    fn look(&mut self) {
        self.board.stop_ringing();
        let arrived = self.board.online.take_arrived();
        for listed in self.board.take_changed() {
            self.take_in(&listed);
        }
        self.guarded("taking in who came and went", |actor| actor.meet(arrived));
    }

    /// Takes in what lists show of a table. If that cannot be done, it is off the list until it
    /// changes: better than shown as it is not.
    pub(super) fn take_in(&mut self, listed: &Listed) {
        const DOING: &str = "taking in a table";
        let mut once = || self.guarded(DOING, |actor| actor.change(listed));
        // Once more on what is whole again.
        if !once() && !once() {
            self.board.note_all_held(self.state.drop_table(listed.row.id));
        }
    }

    /// Settles what is due: once more on what is whole again if that panics, and then without any
    /// seek, for it is one of those that it panics of.
    fn settle_all(&mut self, ctx: &mut Context<Self>) {
        const DOING: &str = "settling what is due";
        let mut once = |actor: &mut Self| actor.guarded(DOING, |actor| actor.settle(ctx));
        if once(self) || once(self) {
            return;
        }
        self.guarded("ending all seeks", |actor| actor.begin_anew(Some(Why::Unmatched)));
        if !once(self) {
            self.wake_soon(ctx);
        }
    }

    fn show_afresh(&mut self) {
        self.tell(&self.lists());
        for session in self.board.online.all() {
            self.show_seeks(&session);
            self.show_last_match(&session);
        }
    }
}
