//! The tables and the lobby, as sessions reach them.

use std::sync::Arc;

use hexhall_proto::error::{Code, ErrorBody};
use hexhall_proto::reply::Reply;

use crate::game::clock::{Millis, Stamp};
use crate::gateway::follows::Followed;
use crate::gateway::routes::{LobbyAsk, Routes};
use crate::ids::TableId;
use crate::lobby::directory::NotFound;
use crate::lobby::{Lobby, Tables};
use crate::table::handle::{NotTaken, Player, ReplyTo, Request, SessionRef};
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
                Err(error) => return refuse(request.reply, &error),
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
                        log(&error);
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

    fn renamed(&self, player: &Player) {
        self.lobby.renamed(player);
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

fn log(error: &NotFound) {
    tracing::error!(%error, "a table could not be rebuilt");
}

fn refuse(reply: ReplyTo, error: &NotFound) {
    let body = match error {
        NotFound::Unknown(_) => ErrorBody::new(Code::UnknownTable, error.to_string()),
        NotFound::Unread(..) | NotFound::Damaged(..) => {
            log(error);
            ErrorBody::new(Code::Internal, "this table cannot be opened: the fault is logged")
        }
    };
    reply.answer(Reply::Error(body));
}
