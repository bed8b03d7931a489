//! `hexhall match`: two engines play games against each other.
//!
//! Each opening is played twice, with colours exchanged; a referee holds both sides to the rules
//! and to their time, and whoever breaks them loses that game. The same engines, openings and seed
//! give the same games where nothing is timed.

mod contestant;
mod openings;
mod program;
mod referee;
mod report;
mod score;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{fs, io, thread};

use super::Failure;
use super::engine::rules::{self, DarkRule, SwapRule};
use super::engine::spec;
use crate::game::clock::Millis;
use crate::game::{Cell, Goal, Rules, Seat, Size, Swap};
use crate::time::TimeSource;
pub use contestant::Contestant;
use openings::Source;
use referee::{Played, Terms};
use report::{GameLine, Report};

/// How long a program may take over its first answer, before any game.
const GREETING_MS: Millis = 10_000;
/// The most games of one match.
const MOST_GAMES: i64 = 1_000_000;

/// Let two engines play games against each other, and say how much stronger one is.
///
/// Engines: `cpu` with settings (`cpu:level=8`, `cpu:nodes=5000,without=rave+bridges`,
/// `cpu:plain,seconds=1`), `random`, in Dark Hex `single`, which takes one guess at the hidden stones
/// for the truth, or `gtp:COMMAND` for any program that speaks GTP as MoHex does. What can be left
/// out: rave, bridges, patterns, priors, connections, inferior, solver, reuse, steady.
///
/// A bare `cpu` is level 10: 160000 nodes a move on 11x11, on other boards as many more as these
/// have fewer cells, and no limit of time. `--nodes`, `--seconds` and its own settings change that.
///
/// A GTP engine is told the swap rule, by `param_hexhall` or by `param_game` as MoHex has it; any
/// other one has to be started with the rule of `--swap`.
///
/// Every opening is played twice, with colours exchanged. A crash, an illegal move, or more time
/// than `--seconds` and `--slack` allow, loses the game, and the reason is told; a program that does
/// not answer at all within 10 s stops the match before its first game. The difference is
/// given on the Elo scale (400 is 10 to 1) with bounds that hold with 95 %.
///
/// In Dark Hex each engine is shown what its own seat sees, and nothing else.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hexhall match --a cpu:level=8 --b cpu:level=6 --games 40
  hexhall match --a cpu --b 'gtp:mohex --use-logfile=0' --seconds 1 --sgf games
  hexhall match --a cpu:level=7 --b random --size 5 --opening none --dark classical --json")]
pub struct Args {
    /// The first engine.
    #[arg(long, value_name = "ENGINE")]
    a: Contestant,
    /// The second engine.
    #[arg(long, value_name = "ENGINE")]
    b: Contestant,
    /// How many games; an odd number is raised by one, so that colours are even.
    #[arg(long, value_name = "N", default_value_t = 48,
        value_parser = clap::value_parser!(u32).range(1..=MOST_GAMES))]
    games: u32,
    /// The board: 11, or 9x12 for 9 rows and 12 columns.
    #[arg(long, value_name = "SIZE", default_value = "11", value_parser = spec::size)]
    size: Size,
    /// How games begin: `balanced` (pairs of stones, 11x11), `none`, or a file with one opening a
    /// line. [default: balanced on 11x11, else none]
    #[arg(long, value_name = "OPENING")]
    opening: Option<Source>,
    /// Whether the second player may swap, where games begin on an empty board.
    #[arg(long, value_name = "RULE", value_enum, default_value_t = SwapRule::Off)]
    swap: SwapRule,
    /// Play Dark Hex.
    #[arg(long, value_name = "RULE", value_enum)]
    dark: Option<DarkRule>,
    /// So long a move, for both; an engine that is built in stops at its level's nodes only if its
    /// level is named.
    #[arg(long, value_name = "S", conflicts_with = "nodes", value_parser = spec::seconds)]
    seconds: Option<Millis>,
    /// So many nodes a move for engines that are built in and do not say otherwise.
    #[arg(long, value_name = "N", value_parser = spec::nodes)]
    nodes: Option<u64>,
    /// How much longer than `--seconds` a move may take.
    #[arg(long, value_name = "S", default_value = "1", value_parser = spec::seconds)]
    slack: Millis,
    /// What chance is drawn from.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many games are played side by side.
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::MIN)]
    jobs: NonZeroUsize,
    /// Where each game is written: as SGF, Dark Hex as JSON.
    #[arg(long, value_name = "DIR")]
    sgf: Option<PathBuf>,
    /// Write the result as JSON.
    #[arg(long)]
    json: bool,
}

/// A match, checked.
#[derive(Debug)]
struct Match {
    sides: [Contestant; 2],
    terms: Terms,
    openings: Vec<Vec<Cell>>,
    games: u32,
    seed: u64,
}

/// Plays the match and tells its result.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let (jobs, sgf, json, wanted) = (args.jobs, args.sgf.clone(), args.json, args.games);
    let contest = Match::of(args)?;
    contest.greet(GREETING_MS)?;
    if contest.games != wanted {
        eprintln!("{} games instead of {wanted}, so that colours are even", contest.games);
    }
    if let Some(dir) = &sgf {
        fs::create_dir_all(dir).map_err(|source| Failure::Write { path: dir.clone(), source })?;
    }
    let report = contest.play(jobs, |played, line, report| {
        eprintln!("{}", report.progress(line));
        match &sgf {
            Some(dir) => report::keep(dir, report, played, line),
            None => Ok(()),
        }
    })?;
    let text = if json { report.json() } else { report.text() };
    let written = io::stdout().write_all(text.as_bytes());
    written.map_err(|source| Failure::Write { path: PathBuf::from("-"), source })?;
    Ok(ExitCode::SUCCESS)
}

impl Match {
    fn of(args: Args) -> Result<Match, Failure> {
        let usage = Failure::Usage;
        let (kind, swap) = (rules::kind(args.dark), Swap::from(args.swap));
        let rules = Rules::of(kind, args.size, swap, Goal::Join, 0);
        let rules = rules.map_err(rules::refusal)?;
        let sides = [args.a, args.b];
        let programs = sides.iter().any(|side| matches!(side, Contestant::Program(_)));
        if programs && kind.is_dark() {
            return Err(usage("GTP has no words for Dark Hex: engines there are built in".into()));
        }
        let single = |side: &Contestant| matches!(side, Contestant::Builtin(spec) if spec.single);
        if sides.iter().any(single) && !kind.is_dark() {
            return Err(usage("`single` guesses at hidden stones: it plays Dark Hex only".into()));
        }
        if programs && swap == Swap::Sides {
            return Err(usage("GTP engines swap pieces: choose `--swap pieces`, or `off`".into()));
        }
        let known = (args.size.rows(), args.size.cols()) == (11, 11);
        let empty = kind.is_dark() || swap != Swap::Off || !known;
        let usual = if empty { Source::None } else { Source::Balanced };
        let source = args.opening.unwrap_or(usual);
        if source != Source::None && (kind.is_dark() || swap != Swap::Off) {
            let text = "Dark Hex, and games with the swap, begin on an empty board: choose \
                        `--opening none`";
            return Err(usage(text.to_owned()));
        }
        let openings = source.openings(args.size).map_err(|error| usage(error.to_string()))?;
        let sides = sides.map(|side| match side {
            Contestant::Builtin(mut spec) => {
                spec.limit(args.nodes, args.seconds);
                Contestant::Builtin(spec)
            }
            program => program,
        });
        let games = args.games.next_multiple_of(2);
        let terms = Terms { rules, move_ms: args.seconds, slack_ms: args.slack };
        Ok(Match { sides, terms, openings, games, seed: args.seed })
    }

    /// Sees that all programs are there, so that a mistyped one does not lose a match.
    fn greet(&self, limit_ms: Millis) -> Result<(), Failure> {
        for (name, side) in ["a", "b"].into_iter().zip(&self.sides) {
            let greeted = side.greet(limit_ms, &TimeSource::system());
            greeted.map_err(|why| Failure::Usage(format!("{name}: {why}")))?;
        }
        Ok(())
    }

    /// Plays all games, so many at a time. `told` hears of each as it ends.
    fn play(
        &self,
        jobs: NonZeroUsize,
        told: impl Fn(&Played, &GameLine, &Report) -> Result<(), Failure> + Sync,
    ) -> Result<Report, Failure> {
        let time = TimeSource::system();
        let next = AtomicU32::new(0);
        let names = [self.sides[0].to_string(), self.sides[1].to_string()];
        let report = Mutex::new(Ok(Report::new(names, self.games)));
        thread::scope(|scope| {
            for _ in 0..jobs.get() {
                scope.spawn(|| {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= self.games {
                            return;
                        }
                        let played = self.game(number, &time);
                        let mut report = report.lock().unwrap_or_else(PoisonError::into_inner);
                        let Ok(so_far) = report.as_mut() else { return };
                        let done = played.and_then(|played| {
                            let line = so_far.add(number, first(number), &played).clone();
                            told(&played, &line, so_far)
                        });
                        if let Err(failure) = done {
                            *report = Err(failure);
                            return;
                        }
                    }
                });
            }
        });
        report.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays one game: each opening twice, the first engine being seat 1 in the first of the two.
    fn game(&self, number: u32, time: &TimeSource) -> Result<Played, Failure> {
        let opening = &self.openings[(number / 2) as usize % self.openings.len()];
        let [a, b] = &self.sides;
        let seats = if first(number) == Seat::One { [a, b] } else { [b, a] };
        let seed = self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(u64::from(number));
        let seeds = [seed.wrapping_mul(2), seed.wrapping_mul(2).wrapping_add(1)];
        referee::play(&self.terms, opening, seats, seeds, time)
            .map_err(|error| Failure::Usage(error.to_string()))
    }
}

/// The first engine's seat in a game.
fn first(number: u32) -> Seat {
    if number.is_multiple_of(2) { Seat::One } else { Seat::Two }
}

#[cfg(test)]
mod tests;
