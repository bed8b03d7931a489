//! Somebody goes by another name: what they seek says so at once, and each table where they sit or that
//! a session of theirs follows is told. So it is where somebody is nobody any more: they go from there.

use std::collections::BTreeSet;
use std::future::Future;
use std::sync::Arc;

use actix::prelude::*;

use crate::ids::{PlayerId, TableId};
use crate::table::handle::{Handle, Player};

use super::actor::LobbyActor;

impl LobbyActor {
    pub(super) fn tell_names(&mut self, ctx: &mut Context<Self>) {
        let board = Arc::clone(&self.board);
        for (id, name) in board.take_renamed() {
            let bot = self.tables.services().store.person(id) != id;
            let player = Player { id, name, cpu: None, bot };
            self.pairing.rename(&player);
            let told = self.tell_tables(id, move |handle| handle.renamed(player.clone()));
            Self::later(ctx, "telling tables of a name", told, |_, _, ()| ());
        }
        for id in board.take_retired() {
            let told = self.tell_tables(id, move |handle| {
                if let Err(error) = handle.turn_out(id) {
                    // Their seat goes as that of anybody who is gone.
                    tracing::warn!(?error, "a table was not told of a bot that was deleted");
                }
            });
            Self::later(ctx, "telling tables of a deleted bot", told, |_, _, ()| ());
        }
    }

    /// Tells each table where a player sits, or that a session of theirs follows.
    fn tell_tables<T: Fn(Handle)>(
        &self,
        player: PlayerId,
        tell: T,
    ) -> impl Future<Output = ()> + use<T> {
        let seated = self.state.seated(player, usize::MAX);
        let sessions = self.board.online.sessions(player);
        let followed = sessions.iter().flat_map(|session| session.follows.followed().tables);
        let theirs: BTreeSet<TableId> = seated.into_iter().chain(followed).collect();
        let tables = self.tables.clone();
        async move {
            for table in theirs {
                match tables.find(table).await {
                    Ok(handle) => tell(handle),
                    Err(error) => {
                        tracing::warn!(%table, %error, "a table cannot be told of a player");
                    }
                }
            }
        }
    }
}
