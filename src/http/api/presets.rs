//! The house rules: what a table may be opened with under each preset, for forms to be built from.

use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::response::Response;
use hexhall_proto::options::{Options, OptionsRequest, Preset};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answer::{JSON, Lasting, answer};
use super::asked::{Asked, Nothing};
use super::problem::Problem;
use crate::table::options::bounds::{Bounds, PRESETS};
use crate::table::options::schema::{BEYOND, schema};
use crate::table::options::{self, OptionsError};
use crate::wire;

/// Every preset.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PresetList {
    /// The presets, in the order in which they are offered.
    pub presets: Vec<PresetRules>,
}

/// What a table may be opened with under a preset.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PresetRules {
    /// The preset.
    pub preset: Preset,
    /// What it is for, in a sentence or two.
    pub about: String,
    /// What a table is played by if nothing else is asked for.
    pub defaults: Options,
    /// A JSON Schema (2020-12) of the `options` of `open`. Each of its `allOf` is a way in which
    /// options depend on each other, with the reason as its `description`.
    pub schema: Value,
    /// What has to hold beside the schema, in words: what a schema cannot say.
    pub beyond: Vec<String>,
}

/// Written once. What presets fill in fits them: nothing here can fail, and a test reads all of it.
static PRESET_LIST: LazyLock<Result<Bytes, String>> = LazyLock::new(|| {
    let presets: Result<_, OptionsError> = PRESETS.iter().map(rules).collect();
    let presets = presets.map_err(|error| error.to_string())?;
    let list = serde_json::to_vec(&PresetList { presets }).map_err(|error| error.to_string())?;
    Ok(list.into())
});

fn rules(bounds: &Bounds) -> Result<PresetRules, OptionsError> {
    let request = OptionsRequest { preset: Some(bounds.preset), ..OptionsRequest::default() };
    Ok(PresetRules {
        preset: bounds.preset,
        about: bounds.about.to_owned(),
        defaults: wire::options(&options::Options::resolve(&request)?),
        schema: schema(bounds),
        beyond: BEYOND.map(str::to_owned).into(),
    })
}

/// What tables may be opened with, by preset.
#[utoipa::path(
    get,
    path = "/v1/presets",
    tag = "rules",
    operation_id = "presets",
    responses(
        (status = 200, description = "The presets.", content_type = "application/json",
            body = ref("#/components/schemas/PresetList"),
            headers(("ETag" = String, description = "For `If-None-Match`."))),
        (status = 304, description = "The presets are the same as those asked about."),
        (status = 400, description = "`bad_request`: there are no parameters.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
        (status = 500, description = "`internal`: the presets could not be written.",
            content_type = "application/json", body = ref("#/components/schemas/Problem")),
    ),
)]
pub async fn list(
    Asked(Nothing {}): Asked<Nothing>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let list = PRESET_LIST.as_ref().map_err(|error| Problem::internal(error))?;
    Ok(answer(&headers, Lasting::UntilChanged, JSON, list.clone()))
}
