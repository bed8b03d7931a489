//! When a player was last at a table where a game waits for both. No event says so: the table's row
//! does, as the table is put away, as the server stops, and now and then between.

use actix::prelude::*;
use tokio::sync::oneshot;

use crate::game::clock::Stamp;
use crate::store::{Append, Busy};

use super::actor::TableActor;
use super::archive;

/// Keeps it now, and says when that is handed to the journal or cannot be.
#[derive(Debug)]
pub(super) struct KeepSeen(pub oneshot::Sender<()>);

impl Message for KeepSeen {
    type Result = ();
}

impl Handler<KeepSeen> for TableActor {
    type Result = ();

    fn handle(&mut self, KeepSeen(done): KeepSeen, _: &mut Context<Self>) {
        let now = self.now();
        // Where the journal takes nothing just now, the next time is soon enough.
        if !self.dead && self.keep_seen(now).is_err() {
            tracing::debug!(table = %self.state.id(), "when a player was last here is not kept");
        }
        // Whoever asked may have gone.
        let _ = done.send(());
    }
}

impl TableActor {
    /// Has the table's row say when a player was last here, if a game waits for both.
    pub(super) fn keep_seen(&mut self, now: Stamp) -> Result<(), Busy> {
        let Some(seen) = self.state.seen_last(now) else { return Ok(()) };
        self.reserve()?.append(Append {
            table: self.state.id(),
            first: self.state.number() + 1,
            events: Vec::new(),
            listing: Some(archive::table_row(&self.state, seen)),
            games: Vec::new(),
            result: None,
            left: None,
            told: self.told.sent_along(),
        });
        Ok(())
    }
}
