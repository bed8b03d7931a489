//! Leaderboards, and what a game made of its players' ratings.

use std::num::NonZeroU32;
use std::str::FromStr;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use hexhall_proto::options::GameKind;
use hexhall_proto::parts::{Player, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;

use crate::accounts::ratings::{self, Class, RatedGame, Standing};
use crate::game::clock::Stamp;
use crate::ids::GameId;
use crate::store::{Leader, MOST_PLACES, RatingChange};
use crate::wire;

use super::Api;
use super::answer::{Lasting, answer_json};
use super::asked::{Asked, Named, Nothing, Parts, parsed};
use super::problem::{Code, Failures, Problem};

/// How fast a game is, by what a seat may be expected to take for all of it: its initial time and 40
/// turns' increments, limits or periods.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Speed {
    /// Less than 3 minutes.
    Bullet,
    /// From 3 to 8 minutes.
    Blitz,
    /// From 8 to 25 minutes.
    Rapid,
    /// 25 minutes and more.
    Classical,
    /// No clock.
    Untimed,
}

/// What a game came to for one of its players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Score {
    /// A win.
    Won,
    /// A loss.
    Lost,
    /// Neither.
    Drawn,
}

/// How a player's rating stands, in whole points.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Rated {
    /// The rating: 1500 at first.
    pub rating: i64,
    /// How unsure it is as of now: 350 at first, about 60 for those who play often.
    pub deviation: i64,
    /// Games won.
    pub wins: u32,
    /// Games lost.
    pub losses: u32,
    /// Games drawn.
    pub draws: u32,
    /// When the last game ended, in milliseconds since the Unix epoch.
    pub updated_ms: u64,
}

/// A part of a leaderboard: those whose rating is not provisional and who have played in the last 45
/// days.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Leaderboard {
    /// The game.
    pub game: GameKind,
    /// How fast it is.
    pub speed: Speed,
    /// How many players are on the whole leaderboard; those beyond 10,000 are not counted.
    pub players: u64,
    /// The players of this page, the best first.
    pub places: Vec<Place>,
    /// The next page; none where there are no more.
    pub next: Option<u32>,
}

/// A place on a leaderboard.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The place, from 1. Whoever has the same rating has the same place.
    pub rank: u64,
    /// Who is there.
    pub player: Player,
    /// How their rating stands.
    #[serde(flatten)]
    pub rated: Rated,
}

/// What a game made of its players' ratings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GameRatings {
    /// Both changes, seat 1 first; nothing where the game is not rated, or is not over.
    pub changes: Vec<Change>,
}

/// What a game made of one player's rating.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// The player.
    pub player: String,
    /// The player's seat.
    pub seat: Seat,
    /// What it came to for them.
    pub score: Score,
    /// The rating before.
    pub before: i64,
    /// The rating after it.
    pub after: i64,
    /// Whether the rating after it is provisional: its deviation is above 110.
    pub provisional: bool,
}

/// Which part of a leaderboard to show.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct Which {
    /// Which 50 places: 1 has the first.
    #[serde(default, deserialize_with = "parsed")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200, default = 1)]
    page: Option<Page>,
}

/// From 1 to 200.
#[derive(Clone, Copy, Debug)]
struct Page(NonZeroU32);

/// The text is no such number.
#[derive(Debug, thiserror::Error)]
#[error("`page` is a number from 1 to {}", Page::MOST)]
struct NotAPage;

/// The pages show what the store keeps in order, all of it.
const _: () = assert!((Page::MOST * Page::PLACES) as u64 == MOST_PLACES);

impl Page {
    const MOST: u32 = 200;
    const FIRST: Page = Page(NonZeroU32::MIN);
    const PLACES: u32 = 50;

    const fn skipped(self) -> u32 {
        (self.0.get() - 1) * Page::PLACES
    }

    /// The page after this one of so many players.
    fn next(self, players: u64) -> Option<u32> {
        let next = self.0.get() + 1;
        let more = players > u64::from(self.skipped() + Page::PLACES);
        (more && next <= Page::MOST).then_some(next)
    }
}

impl FromStr for Page {
    type Err = NotAPage;

    fn from_str(text: &str) -> Result<Page, NotAPage> {
        let number = text.parse().ok().filter(|number: &NonZeroU32| number.get() <= Page::MOST);
        number.map(Page).ok_or(NotAPage)
    }
}

/// A leaderboard, 50 places at a time.
#[utoipa::path(
    get,
    path = "/v1/leaderboards/{game}/{speed}",
    tag = "players",
    operation_id = "leaderboard",
    params(
        ("game" = String, Path, pattern = "^(hex|dark)$", description = "The game.", example = "hex"),
        ("speed" = String, Path, pattern = "^(bullet|blitz|rapid|classical|untimed)$",
            description = "How fast it is.", example = "rapid"),
        Which,
    ),
    responses(
        (status = 200, description = "The places.", content_type = "application/json",
            body = ref("#/components/schemas/Leaderboard"),
            headers(("ETag" = String, description = "For `If-None-Match`."))),
        (status = 304, description = "The places are the same as those asked about."),
        (status = 400, description = "`bad_request`: there is no such game or speed, or a parameter is unknown or out of its range.",
            content_type = "application/json", body = ref("#/components/schemas/Problem"),
            example = json!({"code": "bad_request", "message":
                "`fast` is no speed: `bullet`, `blitz`, `rapid`, `classical` and `untimed` are"})),
        Failures,
    ),
)]
pub async fn leaderboard(
    State(api): State<Api>,
    named: Parts<2>,
    Asked(Which { page }): Asked<Which>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let Parts([game, speed]) = named;
    let class = read_class(&game, &speed)?;
    let page = page.unwrap_or(Page::FIRST);
    let now = api.time.now();
    let found = api.store.leaders(class, now, page.skipped(), Page::PLACES).await?;
    let place = |Leader { rank, player, name, bot, standing }| Place {
        rank,
        player: Player { id: player.to_string(), name, cpu: None, bot },
        rated: Rated::of(&standing, now),
    };
    let board = Leaderboard {
        game: game_kind(class.game),
        speed: class.speed.into(),
        players: found.players,
        places: found.places.into_iter().map(place).collect(),
        next: page.next(found.players),
    };
    answer_json(&headers, Lasting::UntilChanged, &board)
}

/// What a game made of its players' ratings: there as soon as its end is told.
#[utoipa::path(
    get,
    path = "/v1/games/{id}/ratings",
    tag = "games",
    operation_id = "game_ratings",
    params(("id" = String, Path, description = "The game.",
        example = "gam_01ARZ3NDEKTSV4RRFFQ69G5FAV")),
    responses(
        (status = 200, description = "The changes.", content_type = "application/json",
            body = ref("#/components/schemas/GameRatings"),
            headers(("ETag" = String, description = "For `If-None-Match`."))),
        (status = 304, description = "The changes are the same as those asked about."),
        (status = 400, description = "`bad_request`: this is no game's id, or a parameter is unknown.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        (status = 404, description = "`unknown_game`: there is no such game.",
            content_type = "application/json", body = ref("#/components/schemas/Problem"),
            example = json!({"code": "unknown_game",
                "message": "there is no game gam_01ARZ3NDEKTSV4RRFFQ69G5FAV"})),
        Failures,
    ),
)]
pub async fn of_game(
    State(api): State<Api>,
    Named(game): Named<GameId>,
    Asked(Nothing {}): Asked<Nothing>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let changes = api.store.rating_changes(game).await?;
    if changes.is_empty() && api.store.game(game).await?.is_none() {
        return Err(Problem::new(Code::UnknownGame, format!("there is no game {game}")));
    }
    let changes = changes.iter().map(Change::of).collect();
    answer_json(&headers, Lasting::UntilChanged, &GameRatings { changes })
}

/// The class that two parts of an address name.
pub(super) fn read_class(game: &str, speed: &str) -> Result<Class, Problem> {
    let bad = |error: ratings::NotAClass| Problem::bad_request(error.to_string());
    Ok(Class { game: game.parse().map_err(bad)?, speed: speed.parse().map_err(bad)? })
}

/// A game that has ratings, by its name on the wire.
pub(super) const fn game_kind(game: RatedGame) -> GameKind {
    match game {
        RatedGame::Hex => GameKind::Hex,
        RatedGame::Dark => GameKind::Dark,
    }
}

impl From<ratings::Speed> for Speed {
    fn from(speed: ratings::Speed) -> Speed {
        match speed {
            ratings::Speed::Bullet => Speed::Bullet,
            ratings::Speed::Blitz => Speed::Blitz,
            ratings::Speed::Rapid => Speed::Rapid,
            ratings::Speed::Classical => Speed::Classical,
            ratings::Speed::Untimed => Speed::Untimed,
        }
    }
}

impl From<ratings::Score> for Score {
    fn from(score: ratings::Score) -> Score {
        match score {
            ratings::Score::Won => Score::Won,
            ratings::Score::Lost => Score::Lost,
            ratings::Score::Drawn => Score::Drawn,
        }
    }
}

impl Rated {
    /// How somebody stands, as of now.
    pub(super) fn of(standing: &Standing, now: Stamp) -> Rated {
        let rating = standing.rating_at(now);
        Rated {
            rating: rating.shown(),
            deviation: rating.deviation.round() as i64,
            wins: standing.wins,
            losses: standing.losses,
            draws: standing.draws,
            updated_ms: standing.updated.unwrap_or_default().0,
        }
    }
}

impl Change {
    /// A change as it is told.
    pub(super) fn of(change: &RatingChange) -> Change {
        Change {
            player: change.player.to_string(),
            seat: wire::seat(change.seat),
            score: change.score.into(),
            before: change.before.shown(),
            after: change.after.shown(),
            provisional: change.after.is_provisional(),
        }
    }
}
