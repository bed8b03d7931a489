//! `hexhall verify`: checks a data folder's journal and tables of record against every invariant.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::store::{Durability, Store};
use crate::verify::{self, Counts, Progress, Report};

use super::{Failure, block_on};

/// Check what a server has kept: replay every table's journal, compare the rest with it, and rate every game again
///
/// Needs the folder for itself, so the server must not be running on it. Changes no game. Prints
/// what was looked at and a line for each problem. The exit status is 0 if all is well, 1 if
/// something is wrong, and 2 if the check could not be made.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
Examples:
  hexhall verify
  hexhall verify --data /var/lib/hexhall")]
pub struct Args {
    /// The folder that holds the database
    #[arg(long, value_name = "DIR", default_value = "./data")]
    data: PathBuf,
}

/// Checks, prints what was found, and says how the process ends.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let report = check(&args.data)?;
    let written = print(&report, &mut io::stdout().lock());
    written.map_err(|source| Failure::Write { path: "-".into(), source })?;
    Ok(if report.is_sound() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn check(data: &Path) -> Result<Report, Failure> {
    if !Store::exists(data) {
        let data = data.display();
        return Err(Failure::Usage(format!(
            "there is no database in {data}: name the server's data folder with --data"
        )));
    }
    let store = Store::open(data, Durability::Process)?;
    let mut line = ProgressLine::default();
    let checked =
        block_on(async { Ok(verify::run(&store, |progress| line.show(progress)).await?) });
    line.clear();
    store.close();
    checked
}

/// One line on the terminal that says how far the check has come; nothing where nobody looks.
#[derive(Default)]
struct ProgressLine {
    percent: Option<usize>,
}

impl ProgressLine {
    fn show(&mut self, Progress { done, of }: Progress) {
        let percent = Some(done * 100 / of.max(1));
        if percent == self.percent || !io::stderr().is_terminal() {
            return;
        }
        self.percent = percent;
        // What cannot be shown is not missed.
        let _ = write!(io::stderr(), "\rchecked {done} of {of} tables");
    }

    fn clear(&self) {
        if self.percent.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

/// What was looked at, and one line for each problem.
fn print(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let Counts { tables, events, seatings, games, ended, moves, rated } = report.counts;
    let counts = [
        ("tables", tables),
        ("events", events),
        ("players seated", seatings),
        ("games begun", games),
        ("games ended", ended),
        ("moves", moves),
        ("rated games", rated),
    ];
    for (what, count) in counts {
        writeln!(out, "{what:<16}{count:>12}")?;
    }
    let problems = report.problems.len() as u64 + report.more;
    writeln!(out, "{:<16}{problems:>12}", "problems")?;
    for problem in &report.problems {
        writeln!(out, "{problem}")?;
    }
    if report.more > 0 {
        writeln!(out, "and {} more, which are not shown", report.more)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_on(dir: &Path) -> Result<ExitCode, Failure> {
        run(Args { data: dir.to_owned() })
    }

    #[test]
    fn a_folder_without_a_database_is_refused_and_left_empty() {
        let dir = tempfile::TempDir::new().unwrap();
        let failure = run_on(dir.path()).unwrap_err();
        assert!(failure.to_string().contains("there is no database"), "{failure}");
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_that_a_server_uses_is_refused() {
        let dir = tempfile::TempDir::new().unwrap();
        let server = Store::open(dir.path(), Durability::Process).unwrap();
        let failure = run_on(dir.path()).unwrap_err();
        assert!(failure.to_string().contains("stop the server that uses it"), "{failure}");
        server.close();
        assert_eq!(run_on(dir.path()).unwrap(), ExitCode::SUCCESS);
    }

    #[test]
    fn problems_are_printed_with_their_place_and_end_the_process_with_1() {
        let dir = tempfile::TempDir::new().unwrap();
        Store::open(dir.path(), Durability::Process).unwrap().close();
        let database = rusqlite::Connection::open(dir.path().join("hexhall.db")).unwrap();
        let insert =
            "INSERT INTO events VALUES (1, 'tbl_01ARZ3NDEKTSV4RRFFQ69G5FAV', 2, NULL, x'7b7d');
            INSERT INTO heads VALUES ('tbl_01ARZ3NDEKTSV4RRFFQ69G5FAV', 2, 1)";
        database.execute_batch(insert).unwrap();
        drop(database);
        let mut printed = Vec::new();
        print(&check(dir.path()).unwrap(), &mut printed).unwrap();
        let printed = String::from_utf8(printed).unwrap();
        let line = "tbl_01ARZ3NDEKTSV4RRFFQ69G5FAV, event 1: numbers: expected event 1, found 2";
        assert!(printed.lines().any(|found| found == line), "{printed}");
        assert_eq!(run_on(dir.path()).unwrap(), ExitCode::FAILURE);
    }
}
