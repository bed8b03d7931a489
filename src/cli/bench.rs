//! `hexhall bench`: measures a server beside a relay that knows no game.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use tokio::runtime::Builder;
use tokio::task::LocalSet;

use super::Failure;
use crate::bench::plan::{Case, Scenario, StoreKind, Subject, Work};
use crate::bench::process::Starter;
use crate::bench::system::{self, Cores};
use crate::bench::{self, Measurement, Options, Report, floor};
use crate::remote::Address;

/// Measure what moves, spectators, sessions and restarts cost
///
/// Each scenario runs against a server process of its own and against the floor: a bare WebSocket
/// relay, also a process of its own, that carries the same frames and knows no game. This process
/// drives them. All of it stays on loopback. With two cores or more the measured process and the
/// driver keep to cores of their own.
///
/// One line of JSON a measurement goes to standard output, or to a file; then come tables for
/// people. benches/README.md says what each figure means.
///
/// Exit status: 0; with --check 1 if a budget is missed; 2 if something could not be measured.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_long_help = "\
Examples:
  hexhall bench
  hexhall bench moves fanout --quick
  hexhall bench --check --json results.jsonl
  hexhall bench moves --server http://127.0.0.1:8080"
)]
pub struct Args {
    #[command(subcommand)]
    part: Option<Part>,
    /// What to measure; everything, unless named
    #[arg(value_name = "SCENARIO")]
    scenarios: Vec<Scenario>,
    /// A running server in place of one of our own: without figures of its process
    #[arg(long, value_name = "URL")]
    server: Option<Address>,
    /// One store for all servers, in place of the one that each scenario is for
    #[arg(long, value_enum)]
    store: Option<StoreKind>,
    /// How often each is measured; the tables show medians
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=100))]
    runs: u16,
    /// Measure each once, with a fraction of the sessions and of the time: to try things out
    #[arg(long)]
    quick: bool,
    /// Exit with 1 if a budget is missed, and name it
    #[arg(long)]
    check: bool,
    /// Write the lines of JSON there
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Where servers keep their databases: what the disk costs is what this disk costs
    #[arg(long, value_name = "DIR", default_value_os_t = std::env::temp_dir())]
    dir: PathBuf,
    /// Let both processes use all cores
    #[arg(long)]
    share_cores: bool,
}

/// The other processes of a measurement.
#[derive(Debug, clap::Subcommand)]
enum Part {
    /// Run the relay that servers are compared with, until it is ended
    #[command(hide = true, after_help = "Examples:\n  hexhall bench floor-server")]
    FloorServer,
}

/// Measures, prints, and judges.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let (machine, descriptors) = (system::machine(), system::raise_descriptors());
    if let Some(Part::FloorServer) = args.part {
        return floor::serve().map(|()| ExitCode::SUCCESS).map_err(Failure::Runtime);
    }
    if descriptors < DESCRIPTORS && !args.quick {
        let why = format!("{descriptors} open files are allowed, and {DESCRIPTORS} are needed");
        return Err(Failure::Usage(format!("{why}: raise `ulimit -n`, or measure with --quick")));
    }
    let cores = if args.share_cores { None } else { Cores::split() };
    let program = std::env::current_exe().map_err(Failure::Runtime)?;
    let options = Options {
        cases: cases(&args),
        runs: if args.quick { 1 } else { args.runs.into() },
        server: args.server.clone(),
        starter: Starter { program, cores, dir: args.dir.clone() },
    };
    let runtime = Builder::new_current_thread().enable_all().build().map_err(Failure::Runtime)?;
    let mut lines = Lines::open(args.json.as_ref())?;
    let mut failed = None;
    let report = LocalSet::new().block_on(
        &runtime,
        bench::run(&options, progress(&options), |it| {
            if let Err(error) = lines.write(it) {
                failed.get_or_insert(error);
            }
        }),
    );
    clear();
    let report = report?;
    failed.map_or(Ok(()), Err)?;
    lines.flush()?;
    let print = |source| Failure::Write { path: "-".into(), source };
    writeln!(io::stdout(), "\n{machine}\n\n{report}").map_err(print)?;
    if args.quick {
        writeln!(io::stdout(), "{QUICK_SHOWS_NO_BUDGET}").map_err(print)?;
    }
    Ok(judge(&report, args.check))
}

/// The budgets keep their names in a quick run, but not their sizes.
const QUICK_SHOWS_NO_BUDGET: &str = "Measured with --quick, at about a tenth of the sizes that \
    the budgets name: no budget is shown to be kept by this.";

/// Sockets of the largest scenario, with room.
const DESCRIPTORS: u64 = 11_000;

fn cases(args: &Args) -> Vec<Case> {
    let chosen = match &args.scenarios[..] {
        [] => &Scenario::ALL,
        chosen => chosen,
    };
    let cases = chosen.iter().flat_map(|scenario| scenario.cases(args.quick));
    cases
        .filter(|case| !(args.server.is_some() && matches!(case.work, Work::Cold(_))))
        // A server that runs already has one store, whichever that is, and is measured once.
        .map(|case| match (args.store, &args.server) {
            (Some(store), _) => case.with_store(store),
            (None, Some(_)) => case.with_store(StoreKind::Sqlite),
            (None, None) => case,
        })
        .collect()
}

fn judge(report: &Report, check: bool) -> ExitCode {
    let missed = report.missed();
    if !check || missed.is_empty() {
        return ExitCode::SUCCESS;
    }
    for name in missed {
        eprintln!("hexhall: missed: {name}");
    }
    ExitCode::FAILURE
}

/// Says on a terminal what is being measured, and how far that is.
fn progress(options: &Options) -> impl Fn(&Case, Subject, usize) + use<> {
    let shown = io::stderr().is_terminal();
    let each: usize = options.cases.iter().map(|case| case.subjects.len()).sum();
    let (total, done) = (each * options.runs, std::cell::Cell::new(0));
    move |case, subject, run| {
        done.set(done.get() + 1);
        if shown {
            let subject = match subject {
                Subject::Floor => "floor",
                Subject::Server(store) => store.name(),
            };
            let (done, name) = (done.get(), case.name);
            eprint!("\r{done} of {total}: {name}, {subject}, run {run}\x1b[K");
        }
    }
}

fn clear() {
    if io::stderr().is_terminal() {
        eprint!("\r\x1b[K");
    }
}

/// Where lines of JSON go.
struct Lines {
    to: Box<dyn Write>,
    path: PathBuf,
}

impl Lines {
    fn open(path: Option<&PathBuf>) -> Result<Lines, Failure> {
        let Some(path) = path else {
            return Ok(Lines { to: Box::new(io::stdout()), path: "-".into() });
        };
        let file = File::create(path);
        let file = file.map_err(|source| Failure::Write { path: path.clone(), source })?;
        Ok(Lines { to: Box::new(file), path: path.clone() })
    }

    fn write(&mut self, measurement: &Measurement) -> Result<(), Failure> {
        clear();
        let written = writeln!(self.to, "{}", measurement.json());
        written.map_err(|source| Failure::Write { path: self.path.clone(), source })
    }

    fn flush(&mut self) -> Result<(), Failure> {
        let flushed = self.to.flush();
        flushed.map_err(|source| Failure::Write { path: self.path.clone(), source })
    }
}
