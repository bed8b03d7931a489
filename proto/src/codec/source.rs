//! The bytes of one frame, and reading a value from the whole of them.

use std::fmt::Display;

use rmp_serde::decode::ReadRefReader;
use serde::Deserialize;

use super::Format;
use super::strict::Strict;

/// How deep lists and maps may nest. Frames nest four deep; the rest is room for fields that are
/// skipped. JSON's reader has this bound by itself.
const MAX_DEPTH: usize = 128;

/// The longest message, in characters: what was wrong may be quoted in it, and may be long.
const MAX_MESSAGE: usize = 300;

/// The longest place named in a message, in characters: unknown fields may nest deep.
const MAX_PLACE: usize = 80;

/// One frame, checked to be text where its format is a text.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    Json(&'a str),
    MsgPack(&'a [u8]),
}

/// What is wrong with a frame.
#[derive(Debug, thiserror::Error)]
enum Wrong {
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    MsgPack(#[from] rmp_serde::decode::Error),
    #[error("bytes follow the end of the map")]
    More,
}

impl<'a> Source<'a> {
    pub(super) fn new(format: Format, bytes: &'a [u8]) -> Result<Source<'a>, String> {
        match format {
            Format::MsgPack => Ok(Source::MsgPack(bytes)),
            Format::Json => match std::str::from_utf8(bytes) {
                Ok(text) => Ok(Source::Json(text)),
                Err(error) => Err(format!("JSON is a text in UTF-8: {error}")),
            },
        }
    }

    /// Reads the frame as one value with nothing after it. The error is a sentence that names the
    /// field.
    pub(super) fn read<T: Deserialize<'a>>(self) -> Result<T, String> {
        self.read_whole()
            .map_err(|error| shorten(self.explain::<T>().unwrap_or(error.to_string()), MAX_MESSAGE))
    }

    /// The same where it does not matter what is wrong.
    pub(super) fn try_read<T: Deserialize<'a>>(self) -> Option<T> {
        self.read_whole().ok()
    }

    fn read_whole<T: Deserialize<'a>>(self) -> Result<T, Wrong> {
        match self {
            Source::Json(text) => {
                let mut reader = serde_json::Deserializer::from_str(text);
                let value = T::deserialize(Strict(&mut reader))?;
                reader.end()?;
                Ok(value)
            }
            Source::MsgPack(bytes) => {
                let mut reader = msgpack(bytes);
                let value = T::deserialize(Strict(&mut reader))?;
                at_end(&mut reader)?;
                Ok(value)
            }
        }
    }

    /// Reads the frame again to find the field at which reading ends; none if it is not a field.
    /// Kept off the usual path: following the fields costs as much as reading them.
    fn explain<T: Deserialize<'a>>(self) -> Option<String> {
        match self {
            Source::Json(text) => {
                let mut reader = serde_json::Deserializer::from_str(text);
                let error = serde_path_to_error::deserialize::<_, T>(Strict(&mut reader)).err()?;
                let place =
                    format!(" at line {} column {}", error.inner().line(), error.inner().column());
                if !error.inner().is_data() {
                    return Some(error.inner().to_string());
                }
                let what = error.inner().to_string();
                Some(sentence(error.path(), what.strip_suffix(&place).unwrap_or(&what)))
            }
            Source::MsgPack(bytes) => {
                let mut reader = msgpack(bytes);
                let error = serde_path_to_error::deserialize::<_, T>(Strict(&mut reader)).err()?;
                Some(sentence(error.path(), &error.inner().to_string()))
            }
        }
    }
}

type MsgPackReader<'a> = rmp_serde::Deserializer<ReadRefReader<'a, [u8]>>;

fn msgpack(bytes: &[u8]) -> MsgPackReader<'_> {
    let mut reader = rmp_serde::Deserializer::from_read_ref(bytes);
    reader.set_max_depth(MAX_DEPTH);
    reader
}

/// The reader does not tell where it stands, but a number can be read from it, or is found to be
/// something else, wherever a byte is left.
fn at_end(reader: &mut MsgPackReader<'_>) -> Result<(), Wrong> {
    match u64::deserialize(reader) {
        Err(rmp_serde::decode::Error::InvalidMarkerRead(_)) => Ok(()),
        _ => Err(Wrong::More),
    }
}

/// Numbers by their Rust names, and what they are called to people.
const NUMBERS: [(&str, &str); 4] = [
    ("expected u8", "expected a whole number from 0 to 255"),
    ("expected u32", "expected a whole number from 0 to 4294967295"),
    ("expected u64", "expected a whole number, 0 or more"),
    ("expected i64", "expected a whole number"),
];

/// "`move.cell`: what was wrong, what would be right".
fn sentence(path: &serde_path_to_error::Path, what: &str) -> String {
    let number = NUMBERS.iter().find_map(|(rust, words)| Some((what.strip_suffix(rust)?, *words)));
    let what: &dyn Display = match &number {
        Some((before, words)) => &format!("{before}{words}"),
        None => &what,
    };
    match path.iter().next() {
        Some(_) => format!("`{}`: {what}", shorten(path.to_string(), MAX_PLACE)),
        None => what.to_string(),
    }
}

fn shorten(words: String, most: usize) -> String {
    match words.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None => words,
    }
}
