//! The tables and the lobby, as sessions reach them.

use std::sync::Arc;

use crate::game::clock::{Millis, Stamp};
use crate::gateway::follows::Followed;
use crate::gateway::routes::{LobbyAsk, Routes};
use crate::ids::TableId;
use crate::lobby::{Lobby, Tables};
use crate::table::handle::{NotTaken, ReplyTo, Request, SessionRef};
use crate::time::TimeSource;

/// The tables and the lobby.
pub struct Doors {
    tables: Tables,
    lobby: Lobby,
    time: TimeSource,
}

/// How soon a full mailbox is tried again.
const AGAIN_MS: Millis = 10;

impl Doors {
    pub(super) fn new(tables: Tables, lobby: Lobby, time: TimeSource) -> Doors {
        Doors { tables, lobby, time }
    }
}

impl Routes for Doors {
    fn pass(&self, table: TableId, request: Request) -> Result<(), Box<Request>> {
        self.tables.pass(table, request)
    }

    async fn table(&self, table: TableId, mut request: Request) {
        loop {
            match self.tables.find(table).await {
                Ok(handle) => match handle.request(request) {
                    Ok(()) => return,
                    // The table was put away or died in between: it is found anew.
                    Err(unsent) => request = *unsent,
                },
                Err(error) => return error.answer(request.reply),
            }
        }
    }

    async fn lobby(&self, reply: ReplyTo, at: Stamp, ask: LobbyAsk) {
        self.lobby.ask(reply, at, ask);
    }

    async fn refresh(&self, followed: Followed, session: Arc<SessionRef>) {
        for table in followed.tables {
            while !session.outbox.is_closed() {
                let handle = match self.tables.find(table).await {
                    Ok(handle) => handle,
                    // Whoever asks something of it next is told.
                    Err(error) => {
                        error.log();
                        break;
                    }
                };
                match handle.refresh(Arc::clone(&session)) {
                    Ok(()) => break,
                    Err(NotTaken::Ended) => {}
                    Err(NotTaken::Full) => self.time.sleep(AGAIN_MS).await,
                }
            }
        }
        while !session.outbox.is_closed()
            && self.lobby.refresh(Arc::clone(&session), followed.lobby) == Err(NotTaken::Full)
        {
            self.time.sleep(AGAIN_MS).await;
        }
    }

    fn came(&self, session: &Arc<SessionRef>) {
        self.lobby.came(session);
    }

    fn gone(&self, session: &SessionRef, followed: Followed) {
        for handle in followed.tables.into_iter().filter_map(|id| self.tables.awake_one(id)) {
            handle.gone(session.id);
        }
        self.lobby.gone(session, followed.lobby);
    }

    fn worker_of(&self, table: TableId) -> usize {
        self.tables.worker_of(table)
    }
}
