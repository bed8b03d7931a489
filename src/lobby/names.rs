//! What tables are told of a player: that they go by another name, which what they seek says at once
//! too, or that they go, because they are kept out or are nobody any more.

use std::collections::BTreeSet;
use std::future::Future;
use std::sync::Arc;

use actix::prelude::*;

use crate::ids::{PlayerId, TableId};
use crate::table::handle::{Handle, Player};

use super::actor::LobbyActor;
use super::actor::board::TurnedOut;
use super::pairing::Why;

impl LobbyActor {
    pub(super) fn tell_names(&mut self, ctx: &mut Context<Self>) {
        for (id, name) in Arc::clone(&self.board).take_renamed() {
            let bot = self.tables.services().store.person(id) != id;
            let player = Player { id, name, cpu: None, bot };
            self.pairing.rename(&player);
            let followed = self.board.online.followed(id);
            // Of two names in short order the tables may be told the later one first.
            let board = Arc::clone(&self.board);
            let rename = move |_, handle: Handle| {
                handle.renamed(board.online.player_now(player.clone()));
            };
            let told = self.tell_tables(id, followed, rename);
            Self::later(ctx, "telling tables of a name", told, |_, _, ()| ());
        }
    }

    /// Has those go who are to: what they seek ends first, and then each of their tables is told.
    pub(super) fn turn_out(&mut self, ctx: &mut Context<Self>) {
        let now = self.now();
        for (id, TurnedOut { followed, waiting }) in Arc::clone(&self.board).take_turned_out() {
            self.pairing.turn_out(id, Why::Gone, now);
            let told = self.tell_tables(id, followed, move |table, handle| {
                if let Err(error) = handle.turn_out(id) {
                    // Their seat goes by the countdown of those who are gone.
                    tracing::warn!(%table, ?error, "a table was not told who goes");
                }
            });
            Self::later(ctx, "telling tables who goes", told, |_, _, ()| drop(waiting));
        }
    }

    /// Tells each table where a player sits, and those that they followed.
    fn tell_tables<T: Fn(TableId, Handle)>(
        &self,
        player: PlayerId,
        followed: BTreeSet<TableId>,
        tell: T,
    ) -> impl Future<Output = ()> + use<T> {
        let seated = self.state.seated(player, usize::MAX);
        let theirs: BTreeSet<TableId> = seated.into_iter().chain(followed).collect();
        let tables = self.tables.clone();
        async move {
            for table in theirs {
                match tables.find(table).await {
                    Ok(handle) => tell(table, handle),
                    Err(error) => {
                        tracing::warn!(%table, %error, "a table cannot be told of a player");
                    }
                }
            }
        }
    }
}
