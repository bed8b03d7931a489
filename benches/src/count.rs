//! Counting: this program again, under callgrind.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::cases::{Case, Counted};

/// The argument that runs one case in place of counting all.
pub const ONE: &str = "--one";

/// Why nothing could be counted.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A file or a process.
    #[error("{what}: {source}")]
    Io {
        /// What was tried.
        what: String,
        /// Why not.
        source: io::Error,
    },
    /// Valgrind or the case did not end well.
    #[error("{0}")]
    Run(String),
    /// The stored values are no TOML.
    #[error("benches/instructions.toml: {0}")]
    Stored(#[from] toml::de::Error),
}

/// Whatever [`measured_region`] runs is what callgrind counts.
#[inline(never)]
pub fn measured_region<T>(run: impl FnOnce() -> T) -> T {
    let result = run();
    // Keeps the call from becoming a jump, by which callgrind would not see the end.
    std::hint::black_box(result)
}

/// The instructions of one operation of the case, rounded down.
pub fn instructions(case: &Case) -> Result<u64, Failure> {
    match case.counted {
        Counted::Region => Ok(total(case, case.rounds)? / operations(case, case.rounds)),
        // What is done once, at the start and at the end, is the same in both.
        Counted::Process => {
            let (few, many) = (total(case, case.rounds)?, total(case, 2 * case.rounds)?);
            Ok(many.saturating_sub(few) / operations(case, case.rounds))
        }
    }
}

fn operations(case: &Case, rounds: u64) -> u64 {
    (rounds * case.operations).max(1)
}

/// What callgrind counts for so many rounds of a case.
fn total(case: &Case, rounds: u64) -> Result<u64, Failure> {
    let file = folder()?.join(format!("{}.out", case.name));
    let program = std::env::current_exe().map_err(|source| io("this program", source))?;
    let mut command = Command::new("valgrind");
    command.arg("--tool=callgrind").arg(format!("--callgrind-out-file={}", file.display()));
    if case.counted == Counted::Region {
        command.arg("--toggle-collect=*measured_region*");
    }
    command.arg(program).args([ONE, case.name, &rounds.to_string()]).stdout(Stdio::null());
    let done = command.output().map_err(|source| io("valgrind (apt-get install valgrind)", source));
    let done = done?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        return Err(Failure::Run(format!("{} did not run: {said}", case.name)));
    }
    let counts = fs::read_to_string(&file).map_err(|source| io("callgrind's file", source))?;
    let line = counts.lines().rev().find_map(|line| line.strip_prefix("totals: "));
    let total = line.and_then(|total| total.trim().parse().ok()).filter(|&total| total > 0);
    total.ok_or_else(|| Failure::Run(format!("callgrind counted nothing for {}", case.name)))
}

fn folder() -> Result<PathBuf, Failure> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or("../target".into(), PathBuf::from);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(target).join("callgrind");
    fs::create_dir_all(&folder).map_err(|source| io("target/callgrind", source))?;
    Ok(folder)
}

/// A failure of the system's, with what was tried.
pub fn io(what: &str, source: io::Error) -> Failure {
    Failure::Io { what: what.into(), source }
}
