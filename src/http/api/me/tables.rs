//! The tables where one sits, for the games that wait.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use futures_util::{StreamExt, stream};
use hexhall_proto::parts::{Clocks, Seat};
use hexhall_proto::view::Listing;
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::api::Api;
use crate::http::api::asked::{Asked, Nothing};
use crate::http::api::problem::Problem;
use crate::ids::{PlayerId, TableId};
use crate::table::handle::Handle;
use crate::table::sitting::Sitting;

use super::asking::Me;
use super::mine;
use super::refusals::Reading;

/// The most tables that are told, those opened last: a guest may hold fewer, unless a server has no
/// limits.
const MOST: usize = 50;

/// How many tables are asked at a time: one that sleeps is read from the journal first.
const AT_ONCE: usize = 4;

/// The tables where one sits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct MyTables {
    /// The tables, those opened last first, 50 at most.
    pub tables: Vec<MyTable>,
    /// The server's time, in milliseconds since the Unix epoch.
    pub now_ms: u64,
}

/// A table where one sits, as one sees it oneself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct MyTable {
    /// The table as lists would show it to its players.
    pub listing: Listing,
    /// Whether it is on no public list.
    pub private: bool,
    /// One's seats: both on one device.
    pub seats: Vec<Seat>,
    /// The seat to move, while a game runs.
    pub to_move: Option<Seat>,
    /// Whether one is to move oneself.
    pub my_turn: bool,
    /// Since when it has stood so, in milliseconds since the Unix epoch.
    pub since_ms: u64,
    /// Both clocks; none where no game runs, or without a time control.
    pub clocks: Option<Clocks>,
}

/// The tables where one sits.
#[utoipa::path(
    get,
    path = "/v1/me/tables",
    tag = "me",
    operation_id = "my_tables",
    security(("cookie" = []), ("bearer" = [])),
    responses(
        (status = 200, description = "The tables.", content_type = "application/json",
            body = ref("#/components/schemas/MyTables")),
        Reading,
    ),
)]
pub async fn list(
    State(api): State<Api>,
    Asked(Nothing {}): Asked<Nothing>,
    Me { known, .. }: Me,
) -> Result<Response, Problem> {
    let sittings = sittings(&api, known.player.id).await?;
    let tables = sittings.into_iter().map(my_table).collect();
    Ok(mine(StatusCode::OK, MyTables { tables, now_ms: api.time.now().0 }))
}

/// The tables where a player sits, as they stand for the player.
pub(super) async fn sittings(api: &Api, player: PlayerId) -> Result<Vec<Sitting>, Problem> {
    let seated = api.lobby.seated(player, MOST).await?;
    let asked = seated.into_iter().map(|table| sitting(api, table, player));
    let told: Vec<_> = stream::iter(asked).buffered(AT_ONCE).collect().await;
    let (mut sittings, mut failure) = (Vec::new(), None);
    for told in told {
        match told {
            Ok(sitting) => sittings.extend(sitting),
            // A table that cannot be asked hides no other.
            Err(problem) => failure = Some(problem),
        }
    }
    match failure {
        Some(problem) if sittings.is_empty() => Err(problem),
        _ => Ok(sittings),
    }
}

async fn sitting(api: &Api, table: TableId, player: PlayerId) -> Result<Option<Sitting>, Problem> {
    api.patiently(table, |handle: Handle| async move { handle.sitting(player).await }).await
}

fn my_table(sitting: Sitting) -> MyTable {
    let Sitting { listing, private, seats, to_move, since, clocks } = sitting;
    MyTable {
        my_turn: to_move.is_some_and(|seat| seats.contains(&seat)),
        listing,
        private,
        seats,
        to_move,
        since_ms: since.0,
        clocks,
    }
}
