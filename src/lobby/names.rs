//! Somebody goes by another name: what they seek says so at once, and each table where they sit or that
//! a session of theirs follows is told.

use std::collections::BTreeSet;
use std::future::Future;

use actix::prelude::*;

use crate::ids::TableId;
use crate::table::handle::Player;

use super::actor::LobbyActor;

impl LobbyActor {
    pub(super) fn tell_names(&mut self, ctx: &mut Context<Self>) {
        for (id, name) in self.board.take_renamed() {
            let bot = self.tables.services().store.person(id) != id;
            let player = Player { id, name, cpu: None, bot };
            self.pairing.rename(&player);
            let seated = self.state.seated(player.id, usize::MAX);
            let sessions = self.board.online.sessions(player.id);
            let followed = sessions.iter().flat_map(|session| session.follows.followed().tables);
            let tables: BTreeSet<TableId> = seated.into_iter().chain(followed).collect();
            ctx.spawn(self.tell_name(player, tables).into_actor(self));
        }
    }

    fn tell_name(&self, player: Player, of: BTreeSet<TableId>) -> impl Future<Output = ()> + use<> {
        let tables = self.tables.clone();
        async move {
            for table in of {
                match tables.find(table).await {
                    Ok(handle) => handle.renamed(player.clone()),
                    Err(error) => {
                        tracing::warn!(%table, %error, "a table cannot be told of a new name");
                    }
                }
            }
        }
    }
}
