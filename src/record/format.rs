//! Telling formats apart, and one door to all of their readers and writers.

use std::fmt;
use std::path::Path;

use super::error::{ReadError, Reason, WriteError};
use super::eyes::Eyes;
use super::hexwiki::Diagram;
use super::{Record, cases, hexwiki, hexworld, json, sgf, svg};

/// The most bytes that are read at once.
pub const MAX_BYTES: usize = 4 << 20;
/// The most games that one text may hold.
pub const MAX_RECORDS: usize = 10_000;

/// A form that a record takes outside the server.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// Our own, the only one that carries everything.
    Json,
    /// Smart Game Format, and Little Golem's dialect of it.
    Sgf,
    /// A link to HexWorld's board.
    HexWorld,
    /// A diagram between `<hex>` and `</hex>`.
    HexWiki,
    /// A diagram in a `<hexboard … />` tag.
    HexBoard,
    /// Lists of moves as JSON lines, as other programs publish them for tests. Read only.
    Cases,
    /// A picture. Written only.
    Svg,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 7] = [
        Format::Json,
        Format::Sgf,
        Format::HexWorld,
        Format::HexWiki,
        Format::HexBoard,
        Format::Cases,
        Format::Svg,
    ];

    /// The format's name on a command line and in an address.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::Sgf => "sgf",
            Format::HexWorld => "hexworld",
            Format::HexWiki => "hexwiki",
            Format::HexBoard => "hexboard",
            Format::Cases => "cases",
            Format::Svg => "svg",
        }
    }

    /// The format with this name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// The format that a file's extension tells, if it does.
    pub fn from_path(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "hsgf" => Some(Format::Sgf),
            "wiki" => Some(Format::HexWiki),
            "jsonl" => Some(Format::Cases),
            extension => Format::from_name(extension),
        }
    }

    /// The format that a text is in, by its look.
    pub fn of(text: &str) -> Option<Format> {
        let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        if text.starts_with('{') {
            let first_line = text.lines().next().unwrap_or_default();
            let is_case = ["\"attempts\"", "\"name\""].iter().any(|key| first_line.contains(key));
            return Some(if is_case && !text.contains(json::MARK) {
                Format::Cases
            } else {
                Format::Json
            });
        }
        if text.starts_with('(') {
            return Some(Format::Sgf);
        }
        if text.starts_with('#') || text.starts_with("http") && text.contains("/board/#") {
            return Some(Format::HexWorld);
        }
        text.contains("<hex").then_some(Format::HexWiki)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Every game in a text, each of which replays. Without a hint the text's look tells its format.
pub fn read(bytes: &[u8], hint: Option<Format>) -> Result<Vec<Record>, ReadError> {
    let whole = |reason| ReadError { line: 1, column: None, token: String::new(), reason };
    if bytes.len() > MAX_BYTES {
        return Err(whole(Reason::TooMuch { max: MAX_BYTES, unit: "bytes" }));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
        ReadError { line, ..whole(Reason::NotText) }
    })?;
    let format = match hint {
        // Both are JSON lines, and either may stand in a file with either extension.
        Some(Format::Json | Format::Cases) | None => Format::of(text).or(hint),
        hint => hint,
    };
    let records = match format.ok_or_else(|| whole(Reason::UnknownFormat))? {
        Format::Json => json::read(text)?,
        Format::Cases => cases::read(text)?,
        Format::Sgf => sgf::read(text)?,
        Format::HexWorld => hexworld::read(text)?,
        Format::HexWiki | Format::HexBoard => hexwiki::read(text)?,
        Format::Svg => return Err(whole(Reason::WriteOnly(Format::Svg))),
    };
    match records.len() {
        0 => Err(whole(Reason::Empty)),
        1..=MAX_RECORDS => Ok(records),
        _ => Err(whole(Reason::TooMuch { max: MAX_RECORDS, unit: "games" })),
    }
}

/// A record in a format, ending in a newline.
pub fn write(record: &Record, format: Format) -> Result<String, WriteError> {
    match format {
        Format::Json => json::write(record),
        Format::Sgf => sgf::write(record),
        Format::HexWorld => hexworld::write(record),
        Format::HexWiki => Ok(Diagram::of(record)?.to_hex_tag()),
        Format::HexBoard => Ok(Diagram::of(record)?.to_hexboard_tag()),
        Format::Svg => Ok(svg::picture(record, record.plies.len())?),
        Format::Cases => Err(WriteError::ReadOnly(Format::Cases)),
    }
}

/// A record as JSON, with as much of it as these eyes saw. It shows a game, and cannot be read back.
pub fn seen_by(record: &Record, eyes: Eyes) -> Result<String, WriteError> {
    json::write_as(record, eyes)
}

/// A text in another format, and what its reader should know of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Converted {
    /// Every record of the input, one after the other.
    pub text: String,
    /// A sentence for each thing that the output does not say.
    pub notes: Vec<String>,
}

/// Why a text was not converted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ConvertError {
    /// It could not be read.
    #[error("{0}")]
    Read(#[from] ReadError),
    /// One of its games could not be written.
    #[error("game {number}: {reason}")]
    Write {
        /// Which game, from 1.
        number: usize,
        /// Why not.
        reason: WriteError,
    },
    /// A picture shows one game.
    #[error("a picture shows one game, and there are {0} in this text: convert them one by one")]
    OnePicture(usize),
}

/// Converts a text of one or more games. Without an input format the text's look tells it.
pub fn convert(input: &[u8], from: Option<Format>, to: Format) -> Result<Converted, ConvertError> {
    let records = read(input, from)?;
    if to == Format::Svg && records.len() > 1 {
        return Err(ConvertError::OnePicture(records.len()));
    }
    let mut converted = Converted { text: String::new(), notes: Vec::new() };
    for (number, record) in (1..).zip(&records) {
        let text = write(record, to).map_err(|reason| ConvertError::Write { number, reason })?;
        converted.text.push_str(&text);
        match record.left_out {
            0 => {}
            1 => converted.notes.push(format!("game {number}: 1 variation was left out")),
            n => converted.notes.push(format!("game {number}: {n} variations were left out")),
        }
    }
    Ok(converted)
}
