//! Micro-benchmarks by instruction count: the same on a busy machine as on a quiet one.
//!
//! Runs itself under `valgrind --tool=callgrind`, once a case, and compares what was counted with
//! `benches/instructions.toml`. `cargo run --release -p hexhall-instructions` exits with 1 where a
//! case takes over 5 % more than is stored, or more than its budget; `-- --save` stores what was
//! counted. Callgrind's own files stay in `target/callgrind`, for `callgrind_annotate`.

mod cases;
mod count;
mod stored;

use std::process::ExitCode;

use cases::CASES;
use stored::{Stored, Verdict};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let done = match &arguments[..] {
        [flag, name, rounds] if flag == count::ONE => return cases::run(name, rounds),
        _ if has("--save") => save(),
        _ => check(),
    };
    match done {
        Ok(code) => code,
        Err(error) => {
            eprintln!("instructions: {error}");
            ExitCode::from(2)
        }
    }
}

fn save() -> Result<ExitCode, count::Failure> {
    let mut stored = Stored::read()?;
    for case in &CASES {
        let counted = count::instructions(case)?;
        println!("{:<32} {counted:>8}", case.name);
        stored.set(case.name, counted);
    }
    stored.write()?;
    Ok(ExitCode::SUCCESS)
}

fn check() -> Result<ExitCode, count::Failure> {
    let stored = Stored::read()?;
    let mut failed = false;
    println!("{:<32} {:>8} {:>8} {:>8}  verdict", "case", "counted", "stored", "budget");
    for case in &CASES {
        let counted = count::instructions(case)?;
        let verdict = stored.verdict(case.name, counted);
        failed |= verdict != Verdict::Good;
        let number = |value: Option<u64>| value.map_or("-".into(), |value| value.to_string());
        let (before, budget) = (number(stored.before(case.name)), number(stored.budget(case.name)));
        println!("{:<32} {counted:>8} {before:>8} {budget:>8}  {}", case.name, verdict.words());
    }
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
