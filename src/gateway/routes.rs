//! What sessions ask the rest of the server for.

use std::future::Future;
use std::sync::Arc;

use hexhall_proto::options::OptionsRequest;
use hexhall_proto::party::OpenParty;
use hexhall_proto::request::CpuSeat;
use hexhall_proto::seek::Seek;

use super::follows::Followed;
use crate::game::clock::Stamp;
use crate::ids::{MatchId, SeekId, TableId};
use crate::table::handle::{Player, ReplyTo, Request, SessionRef};

/// The tables and the lobby, as sessions see them.
///
/// The futures run on the session's worker, and the session reads no further request until they
/// are done: they find who answers and do not wait for the answer.
pub trait Routes: Send + Sync + 'static {
    /// Passes a request to its table if that can be done at once.
    ///
    /// # Errors
    /// The request, where its table has to be looked for: that is for [`Routes::table`].
    fn pass(&self, _table: TableId, request: Request) -> Result<(), Box<Request>> {
        Err(Box::new(request))
    }

    /// Passes a request to its table, which is found or rebuilt and replies; or refuses it.
    fn table(&self, table: TableId, request: Request) -> impl Future<Output = ()>;

    /// Passes a request to the lobby, which replies; or refuses it. `at` is when the session read
    /// the frame.
    fn lobby(&self, reply: ReplyTo, at: Stamp, ask: LobbyAsk) -> impl Future<Output = ()>;

    /// Has the session's runs begin afresh: each table, and the lobby if it is followed, sends a
    /// whole view in the outbox's present epoch and goes on from there.
    fn refresh(&self, followed: Followed, session: Arc<SessionRef>) -> impl Future<Output = ()>;

    /// A session has said `hello`, and its welcome is on its way.
    fn came(&self, _session: &Arc<SessionRef>) {}

    /// Somebody goes by another name, and their sessions have it already.
    fn renamed(&self, _player: &Player) {}

    /// A session that had said `hello` has ended; told exactly once, to all that it followed.
    /// Called from a drop, so it may neither wait nor panic.
    fn gone(&self, session: &SessionRef, followed: Followed);

    /// The worker that a table lives on, or would.
    fn worker_of(&self, table: TableId) -> usize;
}

/// What a session may ask of the lobby.
#[derive(Clone, PartialEq, Debug)]
pub enum LobbyAsk {
    /// Open a table and take seat 1.
    Open {
        /// What it is played by.
        options: OptionsRequest,
        /// Whether it stays off the list.
        private: bool,
        /// The computer that has the other seat, if it has.
        cpu: Option<CpuSeat>,
        /// The party that it is for, if it is one's.
        party: Option<OpenParty>,
    },
    /// Join the party that has a code.
    JoinParty {
        /// The code.
        code: String,
        /// Whether the asker wants to play.
        plays: bool,
    },
    /// Seek an opponent.
    Seek {
        /// What is wished for.
        wanted: Seek,
        /// The seek that is answered, if one is.
        answer: Option<SeekId>,
    },
    /// Seek that one no more.
    Unseek(SeekId),
    /// Be there for a match.
    Ready(MatchId),
    /// Follow the list of public tables.
    Follow,
    /// Follow it no more.
    Unfollow,
}
