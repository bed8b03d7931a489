//! The API as OpenAPI describes it, from the code that serves it.
//!
//! Routes and their answers are described beside their handlers. The schemas are those of the
//! wire's own types, which know theirs already; a record's form is closed to us, so its schema is a
//! file, to which tests hold the records that are written.

use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use hexhall_proto::view::View;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::{JSON, Lasting, answer};
use super::asked::{Asked, Nothing};
use super::me::{
    account, bots, games as my_games, notices, recovery, reports, shuns, tables as my_tables,
};
use super::operator::{acts, log, players as operator_players, reports as operator_reports};
use super::players::{PlayerGames, Profile, RatingHistory};
use super::presets::{self, PresetList};
use super::problem::Problem;
use super::ratings::{GameRatings, Leaderboard};
use super::tables::TableList;
use super::{Api, games, players, ratings, tables};
use crate::gateway::shown::COOKIE;

/// What there is to say of the API as a whole.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "hexhall",
        description = "What a hexhall server shows to whoever holds no socket: public tables, \
            games in every format, players and their ratings; and what players have done for \
            themselves: names, devices, bots. Playing and following go over `/ws`. A query \
            parameter that is not listed here is refused.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    tags(
        (name = "tables", description = "Tables as their spectators see them."),
        (name = "games", description = "Games, running or over."),
        (name = "players", description = "Players, their ratings and their games."),
        (name = "rules", description = "What tables may be opened with."),
        (name = "me", description = "Oneself. A request with a cookie that changes anything comes \
            from a page of the server's own origin."),
        (name = "bots", description = "One's bots and their keys."),
        (name = "operator", description = "What an operator of the server does, with the token in \
            the file `operator.token` of its data folder. Nothing is here where there is none."),
        (name = "about", description = "The API itself."),
    ),
)]
struct About;

/// Every route that is described, which is every route that answers.
pub(super) fn routes() -> OpenApiRouter<Api> {
    let mut about = About::openapi();
    about.merge(games::Addresses::openapi());
    OpenApiRouter::with_openapi(about)
        .routes(routes!(tables::list))
        .routes(routes!(tables::view))
        .route("/v1/games/{id}", get(games::either))
        .routes(routes!(ratings::of_game))
        .routes(routes!(players::profile))
        .routes(routes!(players::games))
        .routes(routes!(players::history))
        .routes(routes!(ratings::leaderboard))
        .routes(routes!(presets::list))
        .routes(routes!(account::me))
        .routes(routes!(account::rename))
        .routes(routes!(account::renew_token))
        .routes(routes!(recovery::new_phrase))
        .routes(routes!(recovery::recover))
        .routes(routes!(recovery::sign_out_others))
        .routes(routes!(recovery::sign_out))
        .routes(routes!(my_tables::list))
        .routes(routes!(my_games::list))
        .routes(routes!(shuns::blocks))
        .routes(routes!(shuns::block, shuns::unblock))
        .routes(routes!(shuns::mutes))
        .routes(routes!(shuns::mute, shuns::unmute))
        .routes(routes!(reports::report))
        .routes(routes!(notices::read))
        .routes(routes!(bots::list, bots::create))
        .routes(routes!(bots::delete))
        .routes(routes!(bots::keys, bots::create_key))
        .routes(routes!(bots::revoke_key))
        .routes(routes!(operator_players::find))
        .routes(routes!(operator_players::show))
        .routes(routes!(acts::warn))
        .routes(routes!(acts::rename))
        .routes(routes!(acts::mute, acts::unmute))
        .routes(routes!(acts::ban, acts::unban))
        .routes(routes!(log::list))
        .routes(routes!(operator_reports::list))
        .routes(routes!(operator_reports::show))
        .routes(routes!(operator_reports::settle))
        .routes(routes!(describe))
}

/// The whole description, as OpenAPI 3.1.
pub fn document() -> Value {
    // A description is texts and lists alone: nothing of it can fail to be written.
    let mut document = serde_json::to_value(routes().get_openapi()).unwrap_or_default();
    document["components"] = json!({
        "schemas": schemas(),
        "securitySchemes": {
            "cookie": { "type": "apiKey", "in": "cookie", "name": COOKIE },
            "bearer": { "type": "http", "scheme": "bearer" },
            "operator": { "type": "http", "scheme": "bearer" },
        },
    });
    document
}

/// The schemas that the answers refer to, and those that they refer to in turn.
fn schemas() -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    let mut generator = settings.into_generator();
    generator.subschema_for::<View>();
    generator.subschema_for::<TableList>();
    generator.subschema_for::<Profile>();
    generator.subschema_for::<PlayerGames>();
    generator.subschema_for::<RatingHistory>();
    generator.subschema_for::<Leaderboard>();
    generator.subschema_for::<GameRatings>();
    generator.subschema_for::<PresetList>();
    generator.subschema_for::<Problem>();
    generator.subschema_for::<account::Account>();
    generator.subschema_for::<account::NewName>();
    generator.subschema_for::<account::NewToken>();
    generator.subschema_for::<recovery::NewPhrase>();
    generator.subschema_for::<recovery::Recover>();
    generator.subschema_for::<recovery::Recovered>();
    generator.subschema_for::<my_tables::MyTables>();
    generator.subschema_for::<my_games::MyGames>();
    generator.subschema_for::<shuns::BlockList>();
    generator.subschema_for::<shuns::MuteList>();
    generator.subschema_for::<reports::ReportToMake>();
    generator.subschema_for::<reports::MadeReport>();
    generator.subschema_for::<bots::BotList>();
    generator.subschema_for::<bots::NewBot>();
    generator.subschema_for::<bots::KeyList>();
    generator.subschema_for::<bots::NewKey>();
    generator.subschema_for::<bots::MadeKey>();
    generator.subschema_for::<operator_players::FoundPlayers>();
    generator.subschema_for::<operator_players::ShownPlayer>();
    generator.subschema_for::<acts::Warning>();
    generator.subschema_for::<acts::Sentence>();
    generator.subschema_for::<acts::Renaming>();
    generator.subschema_for::<acts::Done>();
    generator.subschema_for::<log::ActLog>();
    generator.subschema_for::<operator_reports::ReportList>();
    generator.subschema_for::<operator_reports::WholeReport>();
    generator.subschema_for::<operator_reports::Verdict>();
    let mut schemas = generator.take_definitions(true);
    // The file is one of ours, and a test reads it.
    let mut record: Map<String, Value> = serde_json::from_str(RECORD).unwrap_or_default();
    if let Some(Value::Object(parts)) = record.remove("$defs") {
        schemas.extend(parts);
    }
    schemas.insert("Record".to_owned(), Value::Object(record));
    schemas
}

const RECORD: &str = include_str!("record.schema.json");

/// Written once.
static DOCUMENT: LazyLock<Bytes> = LazyLock::new(|| format!("{:#}\n", document()).into());

/// This description.
#[utoipa::path(
    get,
    path = "/v1/openapi.json",
    tag = "about",
    operation_id = "describe",
    responses(
        (status = 200, description = "An OpenAPI 3.1 document.", content_type = "application/json",
            body = Object,
            headers(("ETag" = String, description = "For `If-None-Match`."))),
        (status = 304, description = "The description is the same as the one asked about."),
        (status = 400, description = "`bad_request`: there are no parameters.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
    ),
)]
async fn describe(Asked(Nothing {}): Asked<Nothing>, headers: HeaderMap) -> Response {
    answer(&headers, Lasting::UntilChanged, JSON, DOCUMENT.clone())
}
