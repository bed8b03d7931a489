//! The command line.

use std::process::ExitCode;

use clap::Parser;
use hexhall::cli::{self, Cli};

fn main() -> ExitCode {
    cli::run(Cli::parse())
}
