//! `hexhall gtp`: the computer player as an engine behind the Go Text Protocol, version 2, with the
//! words that Hex programs use: black is red and moves first, `swap-pieces`, `resign`.

mod clocks;
mod position;
mod session;

use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use super::Failure;
use super::engine::{Spec, spec};
use crate::cpu::Level;
use crate::game::Size;
use crate::game::clock::Millis;
use crate::time::TimeSource;
use position::Position;
pub use session::{Answer, Session};

/// The longest line: what is beyond is skipped, so that one line has one answer.
const MAX_LINE: usize = 64 * 1024;

/// Play Hex as an engine for HexGui and other programs that speak GTP.
///
/// Commands come on standard input, one a line, and are answered on standard output. Black (`b`) is
/// red, moves first and joins top and bottom; `swap-pieces` answers the first stone on a square
/// board, unless `--swap off`. `boardsize 9 11` has 9 columns and 11 rows. `param_hexhall` lists and sets level, nodes,
/// seconds, swap, the chance of winning below which the engine resigns (0 for never), and seed.
///
/// A move takes the nodes of the level, or `--nodes`, or `--seconds`; on a clock that the controller
/// tells by `time_settings` or `time_left` it takes no more than its share.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hexhall gtp
  hexhall gtp --level 10 --seconds 5
  hexhall gtp --swap off
  printf 'boardsize 5\\ngenmove black\\nshowboard\\n' | hexhall gtp --nodes 1000")]
pub struct Args {
    /// The board to begin with: 11, or 9x12 for 9 rows and 12 columns.
    #[arg(long, value_name = "SIZE", default_value = "11", value_parser = spec::size)]
    size: Size,
    /// How strong it plays, from 1 to 10.
    #[arg(long, value_name = "N", default_value = "8", value_parser = spec::level)]
    level: Level,
    /// Search so long for each move.
    #[arg(long, value_name = "S", conflicts_with = "nodes", value_parser = spec::seconds)]
    seconds: Option<Millis>,
    /// Search so many nodes for each move.
    #[arg(long, value_name = "N", value_parser = spec::nodes)]
    nodes: Option<u64>,
    /// Whether the first stone may be swapped, on square boards (`on` is `pieces`).
    #[arg(long, value_name = "RULE", value_enum, default_value_t = GtpSwap::Pieces)]
    swap: GtpSwap,
    /// What chance is drawn from: the same seed and nodes give the same moves.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// The swap as GTP engines know it: the stone changes, and the colours stay.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum GtpSwap {
    Off,
    #[value(alias = "on")]
    Pieces,
}

/// Answers until there is nothing more to read, or `quit`.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let Args { size, level, seconds, nodes, swap, seed } = args;
    let mut spec = Spec::cpu(level);
    (spec.nodes, spec.move_ms) = (nodes, seconds);
    let position = Position::new(size, swap == GtpSwap::Pieces);
    let session = Session::new(position, spec, seed, TimeSource::system());
    serve(session, io::stdin().lock(), io::stdout().lock())
        .map_err(|source| Failure::Write { path: PathBuf::from("-"), source })?;
    Ok(ExitCode::SUCCESS)
}

/// Answers each command on the input.
///
/// # Errors
/// Where the input cannot be read or the output cannot be written.
pub fn serve(
    mut session: Session,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut input).take(MAX_LINE as u64).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        if line.len() == MAX_LINE && !line.ends_with(b"\n") {
            input.skip_until(b'\n')?;
        }
        let Some((id, answer)) = session.answer(&String::from_utf8_lossy(&line)) else { continue };
        let id = id.map(|id| id.to_string()).unwrap_or_default();
        match answer.text {
            Ok(text) => write!(output, "={id} {text}\n\n")?,
            Err(text) => write!(output, "?{id} {text}\n\n")?,
        }
        output.flush()?;
        if answer.quit {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests;
