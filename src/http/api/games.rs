//! Every game, running or over, in every format.
//!
//! `/v1/games/{id}` and `/v1/games/{id}.{format}` are one route, which tells them apart itself: the
//! router knows no parameter that ends within a segment.
//!
//! A private table's game needs the table's invitation while it runs. Once over, its id is the key
//! to it: nobody guesses 80 random bits, and nobody is told them who was not there. To ask for more
//! would take the replay from those whom its players send it to, and who have no seat to show.

use std::str::FromStr;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::game::Seat;
use crate::game::clock::{Millis, Stamp};
use crate::ids::{GameId, NotAnId};
use crate::lobby::directory::spectator_delay_ms;
use crate::record::{self, Eyes, Format, Record, svg};
use crate::store::GameRow;
use crate::table::delayed::Stage;
use crate::table::options::MOST_DELAY_S;

use super::Api;
use super::accept;
use super::answer::{JSON, Lasting, answer};
use super::asked::{Asked, Named, parsed};
use super::problem::{Code, Failures, Problem};

/// The formats that a game is handed out in.
const FORMATS: [Format; 5] =
    [Format::Json, Format::Sgf, Format::HexWorld, Format::HexWiki, Format::Svg];

/// A picture may style itself and nothing else, wherever it is opened.
const PICTURE_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox");

/// `{id}` or `{id}.{format}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    id: GameId,
    format: Option<Format>,
}

/// The last part of the path names no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadAddress {
    /// It does not begin with a game's id.
    #[error(transparent)]
    Id(#[from] NotAnId),
    /// It does not end with a format.
    #[error("games cannot be had as `{0}`: json, sgf, hexworld, hexwiki and svg are the formats")]
    Format(String),
}

impl FromStr for Address {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Address, BadAddress> {
        let (id, format) = match text.split_once('.') {
            Some((id, format)) => (id, Some(format)),
            None => (text, None),
        };
        let known = |name: &str| FORMATS.into_iter().find(|format| format.name() == name);
        let bad = |name: &str| BadAddress::Format(name.chars().take(40).collect());
        let id = id.parse()?;
        let format = format.map(|name| known(name).ok_or_else(|| bad(name))).transpose()?;
        Ok(Address { id, format })
    }
}

/// How to show a game.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct How {
    /// Pictures only: after how many moves; after the last one without.
    #[serde(default, deserialize_with = "parsed")]
    #[param(value_type = Option<u32>, minimum = 0)]
    ply: Option<Ply>,
    /// Dark Hex, as JSON or as a picture: whose eyes to see the game with. `umpire`, which is so
    /// without, sees everything; `1` and `2` see what that seat knew, so that the other's moves have
    /// no cell. All see the same game of Hex, and only `umpire` may be asked for.
    #[serde(rename = "as")]
    #[param(inline)]
    eyes: Option<As>,
    /// The invitation, if the game runs at a private table.
    invitation: Option<String>,
}

/// Whose eyes to see a game with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, ToSchema)]
enum As {
    #[serde(rename = "umpire")]
    Umpire,
    #[serde(rename = "1")]
    One,
    #[serde(rename = "2")]
    Two,
}

impl As {
    const fn eyes(self) -> Eyes {
        match self {
            As::Umpire => Eyes::Umpire,
            As::One => Eyes::Seat(Seat::One),
            As::Two => Eyes::Seat(Seat::Two),
        }
    }
}

/// A number of moves.
#[derive(Clone, Copy, Debug)]
struct Ply(usize);

/// The text is no number of moves.
#[derive(Debug, thiserror::Error)]
#[error("`ply` is a number of moves, from 0")]
struct NotAPly;

impl FromStr for Ply {
    type Err = NotAPly;

    fn from_str(text: &str) -> Result<Ply, NotAPly> {
        text.parse().map(Ply).map_err(|_| NotAPly)
    }
}

/// Whichever of the two addresses was asked for.
pub async fn either(
    State(api): State<Api>,
    Named(Address { id, format }): Named<Address>,
    Asked(how): Asked<How>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    match format {
        Some(format) => in_format(&api, id, format, how, &headers).await,
        None => as_accepted(&api, id, how, &headers).await,
    }
}

/// A game in the format that `Accept` likes best, JSON without.
#[utoipa::path(
    get,
    path = "/v1/games/{id}",
    tag = "games",
    operation_id = "game",
    params(
        ("id" = String, Path, description = "The game.",
            example = "gam_01ARZ3NDEKTSV4RRFFQ69G5FAV"),
        How,
    ),
    responses(
        (status = 200, description = "The game.",
            content(
                (ref("#/components/schemas/Record") = "application/json"),
                (String = "application/x-go-sgf"),
                (String = "image/svg+xml"),
            ),
            headers(("ETag" = String, description = "For `If-None-Match`."))),
        (status = 304, description = "The game is the same as the one asked about."),
        (status = 400, description = "`bad_request`: this is no game's id, or a parameter is unknown or out of its range.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        (status = 403, description = "`not_invited`: the game runs at a private table.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        (status = 404, description = "`unknown_game`: there is no such game.",
            content_type = "application/json", body = ref("#/components/schemas/Problem"),
            example = json!({"code": "unknown_game",
                "message": "there is no game gam_01ARZ3NDEKTSV4RRFFQ69G5FAV"})),
        (status = 409, description = "`game_runs`: a game of Dark Hex has no record while it runs.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        Failures,
    ),
)]
async fn as_accepted(
    api: &Api,
    id: GameId,
    how: How,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let mut response = in_format(api, id, accept::preferred(headers), how, headers).await?;
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

/// A game in this format. One that is over never changes.
#[utoipa::path(
    get,
    path = "/v1/games/{id}.{format}",
    tag = "games",
    operation_id = "game_in_format",
    params(
        ("id" = String, Path, description = "The game.",
            example = "gam_01ARZ3NDEKTSV4RRFFQ69G5FAV"),
        ("format" = String, Path, pattern = "^(json|sgf|hexworld|hexwiki|svg)$",
            description = "`json` carries everything; `hexworld` is a link and `hexwiki` a \
                diagram's markup, both as plain text; `svg` is a picture.",
            example = "sgf"),
        How,
    ),
    responses(
        (status = 200, description = "The game.",
            content(
                (ref("#/components/schemas/Record") = "application/json"),
                (String = "application/x-go-sgf"),
                (String = "text/plain"),
                (String = "image/svg+xml"),
            ),
            headers(("ETag" = String, description = "For `If-None-Match`."))),
        (status = 304, description = "The game is the same as the one asked about."),
        (status = 400, description = "`bad_request`: this is no game's id or no format, or a parameter is unknown or out of its range.",
            content_type = "application/json", body = ref("#/components/schemas/Problem"),
            example = json!({"code": "bad_request",
                "message": "`ply` is 12, and this game has 9 moves: choose from 0 to 9"})),
        (status = 403, description = "`not_invited`: the game runs at a private table.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        (status = 404, description = "`unknown_game`: there is no such game.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        (status = 409, description = "`game_runs`: a game of Dark Hex has no record while it runs.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        (status = 422, description = "`not_expressible`: the format has no words for this game.",
            content_type = "application/json", body = ref("#/components/schemas/Problem"),
            example = json!({"code": "not_expressible",
                "message": "hexworld has no word for Rex: choose JSON or SGF"})),
        Failures,
    ),
)]
async fn in_format(
    api: &Api,
    id: GameId,
    format: Format,
    how: How,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let How { ply, eyes, invitation } = how;
    if ply.is_some() && format != Format::Svg {
        return Err(Problem::bad_request("`ply` is for pictures: ask for the game as `.svg`"));
    }
    let eyes = eyes.map_or(Eyes::Umpire, As::eyes);
    if eyes != Eyes::Umpire && !matches!(format, Format::Json | Format::Svg) {
        let message = "what one seat saw is told by `.json` and shown by `.svg`: ask for one of them, \
                       or for `as=umpire`";
        return Err(Problem::bad_request(message));
    }
    let game = find(api, id, invitation).await?;
    let lasting = game.lasting();
    let bytes = game.written(format, ply, eyes)?;
    let mut response = answer(headers, lasting, media_type(format), bytes);
    let seen = match eyes {
        Eyes::Umpire => String::new(),
        Eyes::Seat(seat) => format!("-as-{}", seat.number()),
    };
    let name = format!("inline; filename=\"{id}{seen}.{format}\"");
    let name = HeaderValue::try_from(name).map_err(|error| Problem::internal(&error))?;
    response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
    if format == Format::Svg {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, PICTURE_POLICY);
    }
    Ok(response)
}

const fn media_type(format: Format) -> &'static str {
    match format {
        Format::Json => JSON,
        Format::Sgf => "application/x-go-sgf; charset=utf-8",
        Format::Svg => "image/svg+xml",
        Format::HexWorld | Format::HexWiki | Format::HexBoard | Format::Cases => {
            "text/plain; charset=utf-8"
        }
    }
}

/// A game as it was found.
enum Game {
    /// Over: its record in JSON, as it was kept when it ended.
    Kept(Vec<u8>),
    /// At its table: as far as it is durable.
    Seen(Box<Record>),
}

async fn find(api: &Api, id: GameId, invitation: Option<String>) -> Result<Game, Problem> {
    let unknown = || Problem::new(Code::UnknownGame, format!("there is no game {id}"));
    let row = api.store.game(id).await?.ok_or_else(unknown)?;
    match stage(api, &row).await? {
        Stage::Unseen => return Err(unknown()),
        Stage::Over if let Some(kept) = row.record => return Ok(Game::Kept(kept)),
        Stage::Runs | Stage::Over => {}
    }
    let seen = api.look(row.table, invitation).await?;
    let name = id.to_string();
    if let Some(record) = seen.record.filter(|it| it.meta.id.as_ref() == Some(&name)) {
        return Ok(Game::Seen(Box::new(record)));
    }
    let here = seen.view.game.as_ref().filter(|game| game.id == name);
    if here.is_some_and(|game| game.outcome.is_none()) {
        let message =
            format!("{id} is a game of Dark Hex and still runs: ask again when it is over");
        return Err(Problem::new(Code::GameRuns, message));
    }
    // It has ended since, for spectators too, and another has begun at its table.
    let row = api.store.game(id).await?.and_then(|row| row.record);
    row.map(Game::Kept).ok_or_else(|| Problem::internal(&format!("{id} was kept without a record")))
}

/// For how long a game whose table sleeps may still be hidden from spectators after its end.
const HIDDEN_MS: Millis = (MOST_DELAY_S as Millis + 60) * 1_000;

/// How spectators know the game. Only a table that they see late knows better than the row.
pub(super) async fn stage(api: &Api, row: &GameRow) -> Result<Stage, Problem> {
    let ended = row.finished_ms.map(Stamp);
    let known = if ended.is_some() { Stage::Over } else { Stage::Runs };
    let is_old = ended.is_some_and(|at| at + HIDDEN_MS <= api.time.now());
    if is_old && api.tables.awake_one(row.table).is_none() {
        return Ok(known);
    }
    match api.store.table(row.table).await? {
        Some(table) if spectator_delay_ms(&table) > 0 => api.stage(row.table, row.id).await,
        _ => Ok(known),
    }
}

impl Game {
    const fn lasting(&self) -> Lasting {
        match self {
            Game::Kept(_) => Lasting::Forever,
            Game::Seen(_) => Lasting::UntilChanged,
        }
    }

    fn written(self, format: Format, ply: Option<Ply>, eyes: Eyes) -> Result<Bytes, Problem> {
        let record = match self {
            Game::Kept(kept) if format == Format::Json && eyes == Eyes::Umpire => {
                return Ok(kept.into());
            }
            Game::Kept(kept) => read(&kept)?,
            Game::Seen(record) => *record,
        };
        if eyes != Eyes::Umpire && !record.kind.is_dark() {
            let message = "this is a game of Hex, and everybody saw all of it: leave `as` out, or ask \
                           for `as=umpire`";
            return Err(Problem::bad_request(message));
        }
        let text = match (format, ply) {
            (Format::Svg, ply) => picture(&record, ply, eyes)?,
            (Format::Json, _) => record::seen_by(&record, eyes)?,
            (format, _) => record::write(&record, format)?,
        };
        Ok(text.into())
    }
}

fn read(kept: &[u8]) -> Result<Record, Problem> {
    let records = record::read(kept, Some(Format::Json));
    let record = records.map_err(|error| Problem::internal(&error))?.into_iter().next();
    record.ok_or_else(|| Problem::internal(&"a kept record is empty"))
}

fn picture(record: &Record, ply: Option<Ply>, eyes: Eyes) -> Result<String, Problem> {
    let plies = record.plies.len();
    let Ply(ply) = ply.unwrap_or(Ply(plies));
    if ply > plies {
        return Err(Problem::bad_request(format!(
            "`ply` is {ply}, and this game has {plies} moves: choose from 0 to {plies}"
        )));
    }
    svg::picture_as(record, ply, eyes).map_err(|error| Problem::internal(&error))
}

/// What [`openapi`](super::openapi) says of both addresses.
#[derive(utoipa::OpenApi)]
#[openapi(paths(as_accepted, in_format))]
pub struct Addresses;
