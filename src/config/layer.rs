//! One source of settings - a file, the environment or the command line - as plain values, each
//! with the place where it stands.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;

use figment::value::{Dict, Value};
use toml::de::{DeTable, DeValue};

use super::error::{ConfigError, Place};

/// What the name of every environment variable of ours begins with.
const PREFIX: &str = "HEXHALL_";
/// Variables with that prefix that the command line reads itself.
const NOT_SETTINGS: [&str; 2] = ["HEXHALL_CONFIG", "HEXHALL_SERVER"];

/// A setting given on the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flag {
    /// The flag's own name, for messages: `--listen`.
    pub name: String,
    /// The setting: `server.listen`.
    pub key: String,
    /// Its value, as text or as in TOML.
    pub value: String,
}

impl Flag {
    /// A flag that gives a setting this value.
    pub fn new(name: &str, key: &str, value: impl std::fmt::Display) -> Flag {
        Flag { name: name.to_owned(), key: key.to_owned(), value: value.to_string() }
    }
}

/// The settings of one source.
#[derive(Default)]
pub(super) struct Layer {
    /// The values, nested by section.
    pub values: Dict,
    /// Every key and section that is given, dotted, in the order of the source.
    pub places: Vec<(String, Place)>,
}

impl Layer {
    /// Reads a TOML file.
    pub fn file(path: &Path) -> Result<Layer, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| ConfigError::Read { path: path.to_owned(), source })?;
        let place = |at: usize| Place::File(path.to_owned(), line_of(&text, at));
        let syntax = |error: toml::de::Error| ConfigError::Syntax {
            place: place(error.span().map_or(0, |span| span.start)),
            problem: error.message().to_owned(),
        };
        let document = DeTable::parse(&text).map_err(syntax)?;
        let mut found = Vec::new();
        keys(document.get_ref(), "", &mut found);
        found.sort_by_key(|&(_, at)| at);
        Ok(Layer {
            values: toml::from_str(&text).map_err(syntax)?,
            places: found.into_iter().map(|(key, at)| (key, place(at))).collect(),
        })
    }

    /// Reads the variables that begin with `HEXHALL_`; `__` stands between section and name.
    pub fn environment(
        variables: impl IntoIterator<Item = (OsString, OsString)>,
        known: &BTreeMap<String, Value>,
    ) -> Result<Layer, ConfigError> {
        let mut layer = Layer::default();
        for (name, value) in variables {
            let name = name.to_string_lossy();
            let Some(key) = name.strip_prefix(PREFIX) else { continue };
            if NOT_SETTINGS.contains(&name.as_ref()) {
                continue;
            }
            let place = Place::Variable(name.to_string());
            let Ok(value) = value.into_string() else {
                return Err(ConfigError::Syntax { place, problem: "it is not UTF-8".to_owned() });
            };
            layer.put(key.to_lowercase().replace("__", "."), &value, place, known);
        }
        Ok(layer)
    }

    /// Takes what the command line gave.
    pub fn flags(flags: &[Flag], known: &BTreeMap<String, Value>) -> Layer {
        let mut layer = Layer::default();
        for Flag { name, key, value } in flags {
            layer.put(key.clone(), value, Place::Flag(name.clone()), known);
        }
        layer
    }

    /// Where this layer gives a setting, if it does.
    pub fn place(&self, key: &str) -> Option<&Place> {
        self.places.iter().find(|(given, _)| given == key).map(|(_, place)| place)
    }

    fn put(&mut self, key: String, text: &str, place: Place, known: &BTreeMap<String, Value>) {
        // Text is text where text belongs: a directory may be called `2026`.
        let value = match known.get(&key) {
            Some(Value::String(..)) => Value::from(text),
            _ => (text.parse::<toml::Value>().ok())
                .and_then(|value| Value::serialize(value).ok())
                .unwrap_or_else(|| Value::from(text)),
        };
        let nested =
            key.rsplit('.').fold(value, |value, name| Dict::from([(name.into(), value)]).into());
        if let Value::Dict(_, dict) = nested {
            merge(&mut self.values, dict);
        }
        self.places.push((key, place));
    }
}

/// Every key of a table, dotted, with the byte where it stands.
fn keys(table: &DeTable<'_>, section: &str, found: &mut Vec<(String, usize)>) {
    for (name, value) in table {
        let key = if section.is_empty() {
            name.get_ref().to_string()
        } else {
            format!("{section}.{}", name.get_ref())
        };
        if let DeValue::Table(inner) = value.get_ref() {
            keys(inner, &key, found);
        }
        found.push((key, name.span().start));
    }
}

fn merge(into: &mut Dict, from: Dict) {
    for (name, value) in from {
        match (into.get_mut(&name), value) {
            (Some(Value::Dict(_, inner)), Value::Dict(_, more)) => merge(inner, more),
            (_, value) => {
                into.insert(name, value);
            }
        }
    }
}

fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count()
}
