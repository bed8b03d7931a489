//! Players as anybody may know them: their ratings, how these came about, and their games.
//!
//! A game that spectators see late is listed once they have seen its end. A game at a private table
//! is in nobody's list but its players' own (`me::games`), and its change of a rating stands in the history without its
//! name: whoever knows that may see the game.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use hexhall_proto::options::{GameKind, Options};
use hexhall_proto::parts::{Outcome, Player, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use crate::ids::{GameId, PlayerId};
use crate::store::form::Summary;
use crate::store::{Listed, PlayerRow, Ranked, RatingChange, ResultRow};
use crate::table::delayed::Stage;
use crate::wire;

use super::Api;
use super::answer::{Lasting, answer_json};
use super::asked::{Asked, Named, Nothing, Parts, UpTo, page, parsed};
use super::games::stage;
use super::problem::{Code, Failures, Problem};
use super::ratings::{Change, Rated, Score, Speed, game_kind, read_class};

/// A player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Profile {
    /// The player's id.
    pub id: String,
    /// The name that others see.
    pub name: String,
    /// Whose bot it is, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Since when the player has been here, in milliseconds since the Unix epoch.
    pub since_ms: u64,
    /// Ratings: one for each game and speed that the player has played rated.
    pub ratings: Vec<PlayerRating>,
}

/// A player's rating.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlayerRating {
    /// In which game.
    pub game: GameKind,
    /// At which speed.
    pub speed: Speed,
    /// Whether so little is known that it is a first guess: the deviation is above 110.
    pub provisional: bool,
    /// The place on the leaderboard, from 1; none for somebody who is not among its first 10,000.
    pub rank: Option<u64>,
    /// How it stands.
    #[serde(flatten)]
    pub rated: Rated,
}

/// Some of a player's games, the one that began last first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlayerGames {
    /// The games.
    pub games: Vec<PlayerGame>,
    /// What to ask for as `before` to have the games that follow; none where there are no more.
    pub next: Option<String>,
}

/// A game that a player has played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlayerGame {
    /// The game.
    pub game: String,
    /// The player's seat.
    pub seat: Seat,
    /// When it ended, in milliseconds since the Unix epoch.
    pub finished_ms: u64,
    /// What it was played by.
    pub options: Options,
    /// Who played it, seat 1 first, by the names that they had then.
    pub seats: [Option<Player>; 2],
    /// How it ended.
    pub outcome: Outcome,
    /// What it made of the player's rating, if it is rated.
    pub change: Option<Change>,
}

/// How a player's rating came about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RatingHistory {
    /// In which game.
    pub game: GameKind,
    /// At which speed.
    pub speed: Speed,
    /// The last 500 changes at most, the oldest first.
    pub changes: Vec<PastChange>,
}

/// A change of a rating.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PastChange {
    /// When the game ended, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// What it came to.
    pub score: Score,
    /// The rating before.
    pub before: i64,
    /// The rating after it.
    pub after: i64,
    /// How unsure the rating was after it.
    pub deviation: i64,
    /// The game; none if it was at a private table.
    pub game: Option<String>,
    /// The other player; none if it was at a private table.
    pub opponent: Option<String>,
}

/// Which games to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// Only games that began before this one.
    #[serde(default, deserialize_with = "parsed")]
    #[param(value_type = Option<String>, example = "gam_01ARZ3NDEKTSV4RRFFQ69G5FAV")]
    before: Option<GameId>,
    /// How many at most.
    #[serde(default, deserialize_with = "parsed")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100, default = 20)]
    limit: Option<UpTo<100>>,
}

impl Which {
    /// The game that those of the page began before, if it is not the first page, and how many.
    pub(super) fn page(self) -> (Option<GameId>, u32) {
        let UpTo(limit) = self.limit.unwrap_or(UpTo(20));
        (self.before, limit)
    }
}

/// The most changes of a rating that are told.
const HISTORY: u32 = 500;

/// A player and their ratings.
#[utoipa::path(
    get,
    path = "/v1/players/{id}",
    tag = "players",
    operation_id = "player",
    params(("id" = String, Path, description = "The player.",
        example = "plr_01ARZ3NDEKTSV4RRFFQ69G5FAV")),
    responses(
        (status = 200, description = "The player.", content_type = "application/json",
            body = ref("#/components/schemas/Profile"),
            headers(("ETag" = String, description = "For `If-None-Match`."))),
        (status = 304, description = "The player is the same as the one asked about."),
        (status = 400, description = "`bad_request`: this is no player's id, or a parameter is unknown.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        (status = 404, description = "`unknown_player`: there is no such player.",
            content_type = "application/json", body = ref("#/components/schemas/Problem"),
            example = json!({"code": "unknown_player",
                "message": "there is no player plr_01ARZ3NDEKTSV4RRFFQ69G5FAV"})),
        Failures,
    ),
)]
pub async fn profile(
    State(api): State<Api>,
    Named(player): Named<PlayerId>,
    Asked(Nothing {}): Asked<Nothing>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let PlayerRow { id, name, created_ms, owner } = find(&api, player).await?;
    let now = api.time.now();
    let rating = |Ranked { class, standing, rank }| PlayerRating {
        game: game_kind(class.game),
        speed: class.speed.into(),
        provisional: standing.rating_at(now).is_provisional(),
        rank,
        rated: Rated::of(&standing, now),
    };
    let ratings = api.store.ranked(player, now).await?.into_iter().map(rating).collect();
    let owner = owner.map(|owner| owner.to_string());
    let profile = Profile { id: id.to_string(), name, owner, since_ms: created_ms, ratings };
    answer_json(&headers, Lasting::UntilChanged, &profile)
}

/// A player's games that ended with a result, at public tables.
#[utoipa::path(
    get,
    path = "/v1/players/{id}/games",
    tag = "players",
    operation_id = "player_games",
    params(
        ("id" = String, Path, description = "The player.",
            example = "plr_01ARZ3NDEKTSV4RRFFQ69G5FAV"),
        Which,
    ),
    responses(
        (status = 200, description = "The games.", content_type = "application/json",
            body = ref("#/components/schemas/PlayerGames"),
            headers(("ETag" = String, description = "For `If-None-Match`."))),
        (status = 304, description = "The games are the same as those asked about."),
        (status = 400, description = "`bad_request`: this is no player's id, or a parameter is unknown or malformed.",
            content_type = "application/json", body = ref("#/components/schemas/Problem"),
            example = json!({"code": "bad_request",
                "message": "the query is not understood: limit: `limit` is a number from 1 to 100"})),
        (status = 404, description = "`unknown_player`: there is no such player.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        Failures,
    ),
)]
pub async fn games(
    State(api): State<Api>,
    Named(player): Named<PlayerId>,
    Asked(which): Asked<Which>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    find(&api, player).await?;
    let (before, limit) = which.page();
    let games = seen(&api, player, before, limit + 1).await?;
    let (games, next) = page(games, limit as usize, |game| game.game.clone());
    answer_json(&headers, Lasting::UntilChanged, &PlayerGames { games, next })
}

/// How a player's rating came about.
#[utoipa::path(
    get,
    path = "/v1/players/{id}/history/{game}/{speed}",
    tag = "players",
    operation_id = "rating_history",
    params(
        ("id" = String, Path, description = "The player.",
            example = "plr_01ARZ3NDEKTSV4RRFFQ69G5FAV"),
        ("game" = String, Path, pattern = "^(hex|dark)$", description = "The game.", example = "hex"),
        ("speed" = String, Path, pattern = "^(bullet|blitz|rapid|classical|untimed)$",
            description = "How fast it is.", example = "rapid"),
    ),
    responses(
        (status = 200, description = "The history.", content_type = "application/json",
            body = ref("#/components/schemas/RatingHistory"),
            headers(("ETag" = String, description = "For `If-None-Match`."))),
        (status = 304, description = "The history is the same as the one asked about."),
        (status = 400, description = "`bad_request`: this is no player's id, there is no such game or speed, or a parameter is unknown.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        (status = 404, description = "`unknown_player`: there is no such player.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        Failures,
    ),
)]
pub async fn history(
    State(api): State<Api>,
    named: Parts<3>,
    Asked(Nothing {}): Asked<Nothing>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let Parts([player, game, speed]) = named;
    let player = player.parse()?;
    let class = read_class(&game, &speed)?;
    find(&api, player).await?;
    let changes = api.store.rating_history(player, class, HISTORY).await?;
    let history = RatingHistory {
        game: game_kind(class.game),
        speed: class.speed.into(),
        changes: changes.iter().map(past).collect(),
    };
    answer_json(&headers, Lasting::UntilChanged, &history)
}

async fn find(api: &Api, player: PlayerId) -> Result<PlayerRow, Problem> {
    let unknown = || Problem::new(Code::UnknownPlayer, format!("there is no player {player}"));
    api.store.player(player).await?.ok_or_else(unknown)
}

/// A player's games that spectators have seen end, `most` of them where there are so many: what is
/// left out must not show in how long a page is, or in where the next one begins.
async fn seen(
    api: &Api,
    player: PlayerId,
    mut before: Option<GameId>,
    most: u32,
) -> Result<Vec<PlayerGame>, Problem> {
    let mut games = Vec::new();
    loop {
        let rows = api.store.results_of(player, before, most, Listed::Public).await?;
        for row in &rows {
            let game = game(row)?;
            if is_seen(api, row, &game.options).await? {
                games.push(game);
            }
            if games.len() == most as usize {
                return Ok(games);
            }
        }
        if rows.len() < most as usize {
            return Ok(games);
        }
        before = rows.last().map(|row| row.game);
    }
}

/// Whether spectators have seen the game end, who may see its table late.
async fn is_seen(api: &Api, row: &ResultRow, options: &Options) -> Result<bool, Problem> {
    if options.spectator_delay_s == 0 {
        return Ok(true);
    }
    match api.store.game(row.game).await? {
        Some(game) => Ok(stage(api, &game).await? == Stage::Over),
        None => Ok(false),
    }
}

/// A game as a player's list has it.
pub(super) fn game(row: &ResultRow) -> Result<PlayerGame, Problem> {
    let summary = Summary::read(&row.summary).map_err(|error| Problem::internal(&error))?;
    let Summary { options, seats, outcome } = summary;
    Ok(PlayerGame {
        game: row.game.to_string(),
        seat: wire::seat(row.seat),
        finished_ms: row.finished.0,
        options,
        seats,
        outcome,
        change: row.change.as_ref().map(Change::of),
    })
}

fn past(change: &RatingChange) -> PastChange {
    PastChange {
        at_ms: change.at.0,
        score: change.score.into(),
        before: change.before.shown(),
        after: change.after.shown(),
        deviation: change.after.deviation.round() as i64,
        game: change.public.then(|| change.game.to_string()),
        opponent: change.public.then(|| change.opponent.to_string()),
    }
}
