//! One's own games: those that run, and those that are over, private ones among them.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use hexhall_proto::options::Options;
use hexhall_proto::parts::{Player, Seat};
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::api::Api;
use crate::http::api::asked::{Asked, page};
use crate::http::api::players::{PlayerGame, Which, game};
use crate::http::api::problem::Problem;
use crate::store::Listed;
use crate::table::sitting::Sitting;

use super::asking::Me;
use super::mine;
use super::refusals::Reading;
use super::tables::sittings;

/// One's games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct MyGames {
    /// The games that run, those of the tables opened last first, 50 at most. Only the first page
    /// has them.
    pub running: Vec<RunningGame>,
    /// Games that ended with a result, the one that began last first.
    pub games: Vec<MyGame>,
    /// What to ask for as `before` to have the games that follow; none where there are no more.
    pub next: Option<String>,
}

/// A game of one's own that runs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct RunningGame {
    /// The game.
    pub game: String,
    /// Where it is played.
    pub table: String,
    /// One's seats: both on one device.
    pub own: Vec<Seat>,
    /// What it is played by.
    pub options: Options,
    /// Who plays it, seat 1 first.
    pub seats: [Option<Player>; 2],
    /// The seat to move.
    pub to_move: Seat,
    /// Whether its table is private.
    pub private: bool,
}

/// A game of one's own that is over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct MyGame {
    /// The game, as a player's list has it.
    #[serde(flatten)]
    pub game: PlayerGame,
    /// Whether its table was private: nobody else's list has it.
    pub private: bool,
}

/// One's games, running and over, those at private tables among them.
#[utoipa::path(
    get,
    path = "/v1/me/games",
    tag = "me",
    operation_id = "my_games",
    security(("cookie" = []), ("bearer" = [])),
    params(Which),
    responses(
        (status = 200, description = "The games.", content_type = "application/json",
            body = ref("#/components/schemas/MyGames")),
        Reading,
    ),
)]
pub async fn list(
    State(api): State<Api>,
    Asked(which): Asked<Which>,
    Me { known, .. }: Me,
) -> Result<Response, Problem> {
    let player = known.player.id;
    let (before, limit) = which.page();
    let running = match before {
        None => sittings(&api, player).await?.into_iter().filter_map(running).collect(),
        Some(_) => Vec::new(),
    };
    let rows = api.store.results_of(player, before, limit + 1, Listed::All).await?;
    let (rows, next) = page(rows, limit as usize, |last| last.game.to_string());
    let over = rows.iter().map(|row| Ok(MyGame { game: game(row)?, private: !row.public }));
    let games: Vec<MyGame> = over.collect::<Result<_, Problem>>()?;
    Ok(mine(StatusCode::OK, MyGames { running, games, next }))
}

/// The game that runs at a table, if one does.
fn running(sitting: Sitting) -> Option<RunningGame> {
    let Sitting { listing, private, seats: own, to_move, .. } = sitting;
    let (game, to_move) = (listing.game?, to_move?);
    let (table, options, seats) = (listing.table, listing.options, listing.seats);
    Some(RunningGame { game, table, own, options, seats, to_move, private })
}
