//! `hexhall replay`: plays recorded games through a live server, and compares what everybody saw.
//!
//! Owns the comparison of a server with the rules core: [`run`] plays each script as two players
//! and any number of watchers, and the [`Report`] says where one of them saw something else than
//! the rules core's own replay. Nothing is skipped silently.

mod compare;
mod play;
mod report;
pub mod script;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::ValueEnum;
use futures_util::{StreamExt, stream};
use hexhall_proto::codec::Format;

use super::{Failure, block_on};
use crate::remote::session::Connect;
use crate::remote::{Address, Session, Settings, now};
pub use compare::{Difference, Who};
pub use report::{GameReport, Report, Verdict};
pub use script::{Item, Script};

/// Play recorded games through a live server and compare what everybody saw.
///
/// Each game is played at a table of its own by two guests, who move as the record says, while
/// watchers follow. A connection that is lost is made again, also when the server is stopped and
/// started meanwhile. At the end the board, the winner and the winning path as each of them saw it
/// are compared with a replay by the rules alone.
///
/// A file may hold any record format (JSON, SGF, HexWorld, HexWiki), or one game a line as JSON:
/// `{"name", "rows", "cols", "moves": ["a1", "swap-pieces", …], "end", "winner"}` or
/// `{"rules": "hex", "rows", "cols", "swap", "attempts": [[1, "a1", "placed"], …], "winner"}`.
/// A game that ends without a result, or by time or forfeit, is played as far as it goes, compared,
/// and left unfinished.
///
/// Exit status: 0 if everybody saw the same; 1 on any difference, and if a record cannot be read or
/// played; 2 if nothing could be done. Games that no table can play are listed as skipped.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hexhall replay games.jsonl --server http://127.0.0.1:8080
  hexhall replay final.sgf --server http://127.0.0.1:8080 --spectators 1 --pace 1000
  hexhall replay *.sgf --server http://127.0.0.1:8080 --format both --jobs 8")]
pub struct Args {
    /// Files of recorded games.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The server to play on.
    #[arg(long, value_name = "URL", env = "HEXHALL_SERVER")]
    server: Address,
    /// How many watch each game.
    #[arg(long, value_name = "N", default_value_t = 3)]
    spectators: usize,
    /// Milliseconds between moves; with a pause, standard error says at which tables to watch.
    #[arg(long, value_name = "MS", default_value_t = 0)]
    pace: u64,
    /// How frames are written; `both` plays each game twice.
    #[arg(long, value_enum, default_value_t = FormatChoice::Msgpack)]
    format: FormatChoice,
    /// How many games are played at a time.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Seconds that the server may be away before a game is given up.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    give_up_after: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum FormatChoice {
    /// Text frames.
    Json,
    /// Binary frames.
    Msgpack,
    /// Each game once in either.
    Both,
}

impl FormatChoice {
    fn formats(self) -> Vec<Format> {
        match self {
            FormatChoice::Json => vec![Format::Json],
            FormatChoice::Msgpack => vec![Format::MsgPack],
            FormatChoice::Both => vec![Format::Json, Format::MsgPack],
        }
    }
}

/// How games are played through a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// How many watch each game.
    pub spectators: usize,
    /// The wait before each move.
    pub pace: Duration,
    /// Each game is played once in each of these.
    pub formats: Vec<Format>,
    /// How many games are played at a time, at least 1.
    pub jobs: usize,
    /// How long the server may be away before a game is given up.
    pub give_up_after: Duration,
}

/// Something to show progress by.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// A table was opened for a game; whoever likes may watch it too.
    Opened {
        /// The game's name.
        name: &'a str,
        /// `tbl_…`.
        table: &'a str,
    },
    /// A move was accepted.
    Moved,
    /// A game is through.
    Through(&'a GameReport),
}

/// Plays the scripts through the server behind `connect`, and reports in their order.
pub async fn run<C: Connect + Clone>(
    connect: &C,
    items: Vec<Item>,
    options: &Options,
    progress: &(impl Fn(Step<'_>) + Sync),
) -> Report {
    let started = now();
    let games = items.iter().flat_map(|item| item.runs(&options.formats));
    let played = stream::iter(games.map(|(item, format)| async move {
        let report = match item {
            Item::Play(script) => play::play(connect, script, format, options, progress).await,
            Item::Skip { name, reason } => GameReport::skipped(name, reason),
            Item::Unreadable { name, reason } => GameReport::unreadable(name, reason),
        };
        progress(Step::Through(&report));
        report
    }));
    let games = played.buffered(options.jobs.max(1)).collect().await;
    Report { games, took: started.elapsed() }
}

/// Reads the files, plays their games, and prints the report.
pub fn run_command(args: Args) -> Result<ExitCode, Failure> {
    let mut items = Vec::new();
    for path in &args.files {
        let read = |source| Failure::Read { path: path.clone(), source };
        items.extend(script::read(path, &std::fs::read(path).map_err(read)?));
    }
    let options = Options {
        spectators: args.spectators,
        pace: Duration::from_millis(args.pace),
        formats: args.format.formats(),
        jobs: args.jobs.into(),
        give_up_after: Duration::from_secs(args.give_up_after),
    };
    let total = items.iter().map(|item| item.runs(&options.formats).count()).sum();
    let pages = (args.pace > 0).then(|| args.server.http());
    let line = ProgressLine::new(total, pages);
    let report = block_on(async {
        // A server that was never there is told once, not by every game.
        Session::start(args.server.clone(), Settings::default()).await?.close().await;
        Ok(run(&args.server, items, &options, &|step| line.show(step)).await)
    })?;
    line.clear();
    let printed = write!(io::stdout(), "{report}");
    printed.map_err(|source| Failure::Write { path: "-".into(), source })?;
    Ok(if report.is_clean() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// One line on a terminal that says how far it is, and nothing anywhere else; above it, and also
/// where there is no terminal, where to watch if the games are slow enough for that.
struct ProgressLine {
    shown: bool,
    /// Where tables are to be watched, if that is to be said.
    pages: Option<String>,
    total: usize,
    counts: std::sync::Mutex<(usize, usize)>,
}

impl ProgressLine {
    fn new(total: usize, pages: Option<String>) -> ProgressLine {
        let counts = std::sync::Mutex::new((0, 0));
        ProgressLine { shown: io::stderr().is_terminal(), pages, total, counts }
    }

    fn show(&self, step: Step<'_>) {
        let Ok(mut counts) = self.counts.lock() else { return };
        let (through, moves) = &mut *counts;
        match step {
            Step::Moved => *moves += 1,
            Step::Through(_) => *through += 1,
            Step::Opened { name, table } => {
                if let Some(pages) = &self.pages {
                    let (begin, end) = if self.shown { ("\r", "\x1b[K") } else { ("", "") };
                    eprintln!("{begin}{name} is played at {pages}/t/{table}{end}");
                }
            }
        }
        if self.shown {
            eprint!("\r{through} of {} games, {moves} moves\x1b[K", self.total);
        }
    }

    fn clear(&self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests;
