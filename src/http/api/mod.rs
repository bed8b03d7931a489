//! The HTTP API under `/v1`: which public tables there are, what a table's spectators see, every
//! game in every format, and players with their ratings, for whoever does not hold a socket; and
//! what one has done for oneself.
//!
//! Owns no state of its own: it asks the lobby, the tables, the store and the accounts, and shows
//! what a spectator may know once it is durable. Nothing here changes a table. Whatever goes wrong
//! is answered in JSON, and [`openapi`] describes all of it from the same code.
//!
//! Reading order: [`tables`], [`games`], [`players`], [`ratings`], [`presets`], [`me`], [`operator`], then what they
//! share: `asked` (what an address and its query say), `accept`, `answer` (how an answer is kept by
//! caches), [`problem`] (refusals).

pub mod tables;
pub mod games;
pub mod players;
pub mod ratings;
pub mod presets;
pub mod me;
pub mod operator;
pub mod openapi;
mod accept;
mod answer;
mod asked;
pub mod problem;

use std::sync::Arc;

use axum::Router;
use axum::http::{Method, Uri};
use axum::routing::any;

use crate::game::clock::Millis;
use crate::ids::{GameId, PlayerId, TableId};
use crate::lobby::{Lobby, Tables};
use crate::operator::Operator;
use crate::store::{ReportLine, Store};
use crate::table::delayed::Stage;
use crate::table::handle::{Handle, NotTaken, Seen};
use crate::time::TimeSource;

use me::Identity;
use problem::Problem;

/// What the API asks.
#[derive(Clone)]
pub struct Api {
    /// Every table there is.
    pub tables: Tables,
    /// The public list.
    pub lobby: Lobby,
    /// Games that have ended, and where the others are played.
    pub store: Store,
    /// How long to wait for a table.
    pub time: TimeSource,
    /// Who there is, and who asks.
    pub identity: Identity,
    /// What is for the operator; nothing without.
    pub operator: Option<Arc<Operator>>,
}

/// How long a table may take to show itself: it does so once the journal has what it shows, and
/// the journal may be failing.
const PATIENCE_MS: Millis = 5_000;

/// How many lines of a table are kept with a report.
const EVIDENCE: usize = 50;

/// Every route under `/v1`, to be merged into the server's.
pub fn router(api: Api) -> Router {
    let routes = Router::from(openapi::routes())
        .route("/v1", any(unknown))
        .route("/v1/", any(unknown))
        .route("/v1/{*rest}", any(unknown));
    routes.method_not_allowed_fallback(wrong_method).with_state(api)
}

impl Api {
    /// A table as a spectator may know it.
    async fn look(&self, table: TableId, invitation: Option<String>) -> Result<Box<Seen>, Problem> {
        let look = |handle: Handle| {
            let invitation = invitation.clone();
            async move { handle.look(invitation).await }
        };
        Ok(self.patiently(table, look).await??)
    }

    /// How spectators know a game of a table that they see late.
    async fn stage(&self, table: TableId, game: GameId) -> Result<Stage, Problem> {
        self.patiently(table, |handle: Handle| async move { handle.stage(game).await }).await
    }

    /// Asks a table, for as long as one waits.
    async fn patiently<T, Answer>(
        &self,
        table: TableId,
        question: impl Fn(Handle) -> Answer,
    ) -> Result<T, Problem>
    where
        Answer: Future<Output = Result<T, NotTaken>>,
    {
        let ask = async {
            // A table that ends while it is asked is rebuilt by asking once more.
            for _ in 0..2 {
                match question(self.tables.find(table).await?).await {
                    Ok(answer) => return Ok(answer),
                    Err(NotTaken::Ended) => {}
                    Err(NotTaken::Full) => break,
                }
            }
            Err(Problem::busy())
        };
        self.while_patient(ask).await
    }

    /// What a report of this player keeps of what was said at a table. One that sleeps has
    /// forgotten all of it, and is not woken for that.
    async fn evidence(&self, table: TableId, player: PlayerId) -> Result<Vec<ReportLine>, Problem> {
        let Some(handle) = self.tables.awake_one(table) else { return Ok(Vec::new()) };
        let ask = async {
            match handle.evidence(player, EVIDENCE).await {
                Ok(lines) => Ok(lines),
                Err(NotTaken::Ended) => Ok(Vec::new()),
                Err(NotTaken::Full) => Err(Problem::busy()),
            }
        };
        self.while_patient(ask).await
    }

    async fn while_patient<T>(
        &self,
        ask: impl Future<Output = Result<T, Problem>>,
    ) -> Result<T, Problem> {
        tokio::select! {
            answer = ask => answer,
            () = self.time.sleep(PATIENCE_MS) => Err(Problem::busy()),
        }
    }
}

async fn unknown(uri: Uri) -> Problem {
    Problem::not_found(uri.path())
}

async fn wrong_method(method: Method) -> Problem {
    Problem::wrong_method(&method)
}
