//! Somebody whom an operator keeps out goes from the table, as if they had said so themselves.

use actix::prelude::*;

use crate::ids::PlayerId;

use super::actor::TableActor;

/// A player is kept out from now on.
#[derive(Debug)]
pub(super) struct TurnOut(pub PlayerId);

impl Message for TurnOut {
    type Result = ();
}

impl Handler<TurnOut> for TableActor {
    type Result = ();

    fn handle(&mut self, TurnOut(player): TurnOut, ctx: &mut Context<Self>) {
        let now = self.now();
        self.excuse_outage(now);
        self.show_late(now, ctx);
        // Where the journal takes nothing, the seat goes once its player has been gone for long.
        if let Ok(slot) = self.reserve() {
            let events = self.state.decide_leave(player, now);
            self.commit(slot, events, ctx);
        }
        let seat = self.state.seat_of(player);
        for session in self.streams.sessions_of(player) {
            self.session_gone(session, seat);
        }
        // They may have followed by none.
        self.note_presence(seat);
        self.settle(ctx);
    }
}
