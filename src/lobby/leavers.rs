//! Whoever has just left one rated game too many seeks nothing more: the lobby hears of it from the
//! table, reads for how long that bars them, and ends what they seek.

use std::future::Future;
use std::sync::Arc;

use actix::prelude::*;

use crate::accounts::leavers;
use crate::game::clock::Stamp;
use crate::ids::PlayerId;

use super::actor::LobbyActor;
use super::pairing::Why;

impl LobbyActor {
    /// Until when somebody is not matched, by the rated games that they have left. What cannot be
    /// read bars nobody.
    pub(super) fn barred_until(
        &self,
        player: PlayerId,
    ) -> impl Future<Output = Option<Stamp>> + use<> {
        let store = self.tables.services().store.clone();
        let since = Stamp(self.now().0.saturating_sub(leavers::REMEMBERED_MS));
        async move {
            match store.leaves(player, since, leavers::LOOKED_AT).await {
                Ok(left) => leavers::barred_until(&left),
                Err(error) => {
                    tracing::warn!(%error, "which games somebody has left cannot be read");
                    None
                }
            }
        }
    }

    /// Has those looked up who have left a rated game just now.
    pub(super) fn look_up_leavers(&mut self, ctx: &mut Context<Self>) {
        for player in Arc::clone(&self.board).take_left() {
            let looked_up = self.barred_until(player);
            Self::later(ctx, "barring a leaver", looked_up, move |actor, _, until| {
                actor.bar(player, until);
            });
        }
    }

    fn bar(&mut self, player: PlayerId, until: Option<Stamp>) {
        let now = self.now();
        self.seeking.barred.retain(|_, until| *until > now);
        if let Some(until) = until.filter(|until| *until > now) {
            self.seeking.barred.insert(player, until);
            self.pairing.turn_out(player, Why::Barred, now);
        }
    }
}
