//! Reads the settings: what is built in, then a TOML file, then the environment, then flags, each
//! above the one before. Whatever is unknown or wrong stops the start, named with its place.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use figment::Figment;
use figment::error::{Kind, OneOf};
use figment::providers::Serialized;
use figment::value::{Dict, Value};

use super::Config;
use super::check::{self, Fault};
use super::error::{ConfigError, Place};
use super::layer::{Flag, Layer};

/// What right values look like, where the default does not show it.
const EXAMPLES: [(&str, &str); 4] = [
    ("server.public_url", r#""https://hex.example.org""#),
    ("server.allowed_origins", r#"["https://hex.example.org"]"#),
    ("operator.token_file", r#""/etc/hexhall/operator.token""#),
    ("server.trusted_proxies", r#"["10.0.0.0/8"]"#),
];

/// How alike two names must be, from 0 to 1, for the one to be taken for the other misspelt.
const ALIKE: f64 = 0.84;

impl Config {
    /// Reads and checks the settings. `environment` is usually [`std::env::vars_os`].
    pub fn load(
        file: Option<&Path>,
        environment: impl IntoIterator<Item = (OsString, OsString)>,
        flags: &[Flag],
    ) -> Result<Config, ConfigError> {
        let defaults = Figment::from(Serialized::defaults(Config::default()));
        let known = known(&defaults);
        let mut layers = Vec::new();
        if let Some(path) = file {
            layers.push(Layer::file(path)?);
        }
        layers.push(Layer::environment(environment, &known)?);
        layers.push(Layer::flags(flags, &known));
        for layer in &layers {
            refuse_unknown(layer, &known)?;
        }

        let given = |key: &str| layers.iter().rev().find_map(|layer| layer.place(key)).cloned();
        let merged = layers
            .iter()
            .fold(defaults, |figment, layer| figment.merge(Serialized::defaults(&layer.values)));
        let config: Config = merged.extract().map_err(|error| {
            // A section and a name; what follows is a position in a list.
            let key = error.path.iter().take(2).map(String::as_str).collect::<Vec<_>>().join(".");
            let (problem, right) = explain(&error.kind);
            let right = right.unwrap_or_else(|| format!("for example {}", example(&key, &known)));
            let place = given(&key).unwrap_or(Place::Default);
            ConfigError::Wrong { place, key, problem, right }
        })?;
        check::check(&config).map_err(|Fault { key, problem, right, fits }| {
            let place = given(&key).or_else(|| fits.iter().copied().find_map(given));
            ConfigError::Wrong { place: place.unwrap_or(Place::Default), key, problem, right }
        })?;
        Ok(config)
    }
}

/// Every section and setting, dotted, with its default.
fn known(defaults: &Figment) -> BTreeMap<String, Value> {
    let mut known = BTreeMap::new();
    let sections: Dict = defaults.extract().unwrap_or_default();
    for (section, value) in sections {
        if let Value::Dict(_, settings) = &value {
            for (name, value) in settings {
                known.insert(format!("{section}.{name}"), value.clone());
            }
        }
        known.insert(section, value);
    }
    known
}

fn refuse_unknown(layer: &Layer, known: &BTreeMap<String, Value>) -> Result<(), ConfigError> {
    for (key, place) in &layer.places {
        let parent = key.rsplit_once('.').map(|(parent, _)| parent);
        // Inside of a setting that is no table, the setting's own value is what is wrong; inside of
        // an unknown section, the section's name is, and its line comes first.
        let inside_a_setting = parent.is_some_and(|parent| {
            known.get(parent).is_some_and(|value| !matches!(value, Value::Dict(..)))
        });
        if !known.contains_key(key) && !inside_a_setting {
            return Err(ConfigError::Unknown {
                place: place.clone(),
                key: key.clone(),
                hint: hint(key, known),
            });
        }
    }
    Ok(())
}

/// The known name that is most like an unknown one; a setting looked for in the wrong section too.
fn hint(key: &str, known: &BTreeMap<String, Value>) -> String {
    let last = |key: &str| key.rsplit('.').next().unwrap_or_default().to_owned();
    let likeness = |other: &str| {
        let whole = strsim::jaro_winkler(key, other);
        whole.max(strsim::jaro_winkler(&last(key), &last(other)) - 0.01)
    };
    let nearest = known.keys().map(|other| (likeness(other), other));
    match nearest.max_by(|(a, _), (b, _)| a.total_cmp(b)) {
        Some((alike, other)) if alike > ALIKE => format!("did you mean `{other}`?"),
        _ => "config/hexhall.toml lists them all".to_owned(),
    }
}

/// What is wrong with a value, and what would be right where the type alone tells.
fn explain(kind: &Kind) -> (String, Option<String>) {
    match kind {
        Kind::InvalidType(found, expected) | Kind::InvalidValue(found, expected) => {
            let expected = match expected.as_str() {
                "u64" | "usize" => "a whole number",
                "a nonzero u32" => "a whole number from 1",
                other => other,
            };
            (format!("{found} is not {expected}"), None)
        }
        Kind::UnknownVariant(found, choices) => {
            (format!("`{found}` is not one of its values"), Some(OneOf(choices).to_string()))
        }
        other => (other.to_string(), None),
    }
}

/// A right value of a setting, as TOML.
fn example(key: &str, known: &BTreeMap<String, Value>) -> String {
    let shown = EXAMPLES.iter().find(|(name, _)| *name == key).map(|(_, value)| value.to_string());
    let default = || match known.get(key) {
        Some(Value::Dict(..)) | None => Some(format!("a section, [{key}]")),
        Some(value) => toml::Value::try_from(value).ok().map(|value| value.to_string()),
    };
    shown.or_else(default).unwrap_or_default()
}
