//! `hexhall convert`: a game record in another format.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::Failure;
use crate::record::{self, Format, MAX_BYTES};

/// Turn a game record from one format into another.
///
/// Formats: `json` (everything that is known of a game), `sgf`, `hexworld` (a link), `hexwiki` and
/// `hexboard` (diagrams for the wiki), `cases` (lists of moves, one game a line; read only), `svg`
/// (a picture of the last position; written only). Without `--from` the input's look decides, and
/// without `--to` the name of the output.
///
/// A record that breaks the rules is refused with the line, the word and the reason, and nothing
/// is written. What the output cannot say, and variations that were left out, are told on standard
/// error.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hexhall convert final.sgf final.json
  hexhall convert final.sgf - --to hexworld
  curl -s https://example.org/game.sgf | hexhall convert - game.svg")]
pub struct Args {
    /// The record to read; `-` is standard input.
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Where to write it; `-` is standard output.
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// The input's format.
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    from: Option<Format>,
    /// The output's format.
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    to: Option<Format>,
}

fn format(name: &str) -> Result<Format, String> {
    Format::from_name(name).ok_or_else(|| {
        let names = Format::ALL.map(Format::name).join(", ");
        format!("`{name}` is not a format: {names} are")
    })
}

/// Converts, and writes only if all of it could be.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let Args { input, output, from, to } = args;
    let to = to.or_else(|| Format::from_path(&output)).ok_or_else(|| {
        let names = Format::ALL.map(Format::name).join(", ");
        let output = output.display();
        Failure::Usage(format!("`{output}` does not tell its format: name one by --to ({names})"))
    })?;
    let from = from.or_else(|| Format::from_path(&input));
    let bytes = read(&input).map_err(|source| Failure::Read { path: input.clone(), source })?;
    let converted = record::convert(&bytes, from, to)
        .map_err(|error| Failure::Convert { path: input.clone(), reason: error.to_string() })?;
    for note in &converted.notes {
        eprintln!("{}: {note}", input.display());
    }
    write(&output, &converted.text).map_err(|source| Failure::Write { path: output, source })?;
    Ok(ExitCode::SUCCESS)
}

/// Reads up to one byte more than a record may have, so that the reader sees that it is too long.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let most = MAX_BYTES as u64 + 1;
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().take(most).read_to_end(&mut bytes)?;
    } else {
        fs::File::open(path)?.take(most).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if path == Path::new("-") {
        return io::stdout().write_all(text.as_bytes());
    }
    fs::write(path, text)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    fn convert(words: &[&str]) -> Result<ExitCode, String> {
        let words = std::iter::once("convert").chain(words.iter().copied());
        let line = Line::try_parse_from(words).map_err(|error| error.to_string())?;
        run(line.args).map_err(|failure| failure.to_string())
    }

    #[test]
    fn the_names_of_the_files_tell_the_formats() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name).display().to_string();
        fs::write(path("a.sgf"), "(;FF[4]GM[11]SZ[5];B[c3];W[b2])").unwrap();
        convert(&[&path("a.sgf"), &path("a.hexworld")]).unwrap();
        let link = fs::read_to_string(path("a.hexworld")).unwrap();
        assert!(link.contains("#5") && link.contains("c3b2"), "{link}");
    }

    #[test]
    fn an_unknown_format_and_an_output_without_one_are_told_with_what_would_do() {
        let unknown = convert(&["a", "b", "--to", "pdf"]).unwrap_err();
        assert!(unknown.contains("`pdf` is not a format: json, sgf"), "{unknown}");
        let untold = convert(&["a.sgf", "-"]).unwrap_err();
        assert!(untold.contains("name one by --to"), "{untold}");
    }

    #[test]
    fn a_record_that_breaks_the_rules_writes_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name).display().to_string();
        fs::write(path("a.sgf"), "(;FF[4]GM[11]SZ[5];B[c3];W[c3])").unwrap();
        let refused = convert(&[&path("a.sgf"), &path("a.json")]).unwrap_err();
        assert!(refused.contains("line 1"), "{refused}");
        assert!(!dir.path().join("a.json").exists());
    }
}
