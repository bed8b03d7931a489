//! The command line: what can be asked for, and one file a subcommand.
//!
//! Each subcommand has its arguments and a `run` that says how the process ends: 0 if all is well,
//! 1 if what was looked for was found (a difference, damage), 2 if it could not be done.

pub mod serve;
pub mod convert;
pub mod replay;
pub mod verify;
pub mod watch;
pub mod bench;
pub mod engine;
pub mod gtp;
pub mod matches;
pub mod play;
pub mod operator;

use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::bench::BenchError;
use crate::config::ConfigError;
use crate::operator::token::TokenError;
use crate::remote::SessionError;
use crate::server::StartError;
use crate::store::{OpenError, ReadError};

/// What the command line says.
#[derive(Debug, Parser)]
#[command(
    name = "hexhall",
    version,
    about = "A real-time match server for Hex: live tables, watchers and bots, in one binary",
    long_about = "hexhall is a real-time match server for Hex. People play live tables in a \
                  browser, programs play over WebSocket and HTTP, and anyone may watch.\n\n\
                  The subcommands below talk to a running server, turn game records from one \
                  format into another, or check what a server has kept.",
    after_help = "`hexhall help COMMAND` tells more about one of them, with examples.",
    propagate_version = true,
    args_conflicts_with_subcommands = true
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    serve: serve::Args,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve(serve::Args),
    Replay(replay::Args),
    Watch(watch::Args),
    Verify(verify::Args),
    Convert(convert::Args),
    Bench(bench::Args),
    Gtp(gtp::Args),
    Match(matches::Args),
    Play(play::Args),
    Operator(operator::Args),
}

/// Why a subcommand could not do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A file could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Output could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file, or `-`.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A record could not be converted.
    #[error("{}: {reason}", path.display())]
    Convert {
        /// The file, or `-`.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// An argument is missing or does not fit the others.
    #[error("{0}")]
    Usage(String),
    /// The server could not be reached, or refused.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// There is no operator's token.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// An operator's wish was not done.
    #[error(transparent)]
    Operator(#[from] operator::DoorError),
    /// The settings are wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The store cannot be opened.
    #[error(transparent)]
    Store(#[from] OpenError),
    /// The store cannot be read.
    #[error(transparent)]
    Stored(#[from] ReadError),
    /// The server did not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Something could not be measured.
    #[error(transparent)]
    Bench(#[from] BenchError),
    /// The runtime did not start.
    #[error("cannot start the runtime: {0}")]
    Runtime(io::Error),
}

/// Does what the command line says.
pub fn run(cli: Cli) -> ExitCode {
    // Without a command, it serves.
    let done = match cli.command.unwrap_or(Command::Serve(cli.serve)) {
        Command::Serve(args) => serve::run(args),
        Command::Replay(args) => replay::run_command(args),
        Command::Watch(args) => watch::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Gtp(args) => gtp::run(args),
        Command::Match(args) => matches::run(args),
        Command::Play(args) => play::run(args),
        Command::Operator(args) => operator::run(args),
    };
    done.unwrap_or_else(|failure| {
        eprintln!("hexhall: {failure}");
        ExitCode::from(2)
    })
}

/// Runs a subcommand that waits for a server.
fn block_on<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(Failure::Runtime)?.block_on(work)
}

/// Where a server that listens on this address is found from the same machine.
fn from_here(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(Ipv4Addr::LOCALHOST.into());
    }
    address
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn without_a_command_the_arguments_are_those_of_serve() {
        let bare = Cli::try_parse_from(["hexhall", "--listen", "127.0.0.1:0"]).unwrap();
        assert!(bare.command.is_none());
        let named = Cli::try_parse_from(["hexhall", "serve", "--listen", "127.0.0.1:0"]).unwrap();
        let Some(Command::Serve(args)) = named.command else { panic!("no server") };
        assert_eq!(format!("{args:?}"), format!("{:?}", bare.serve));
        Cli::try_parse_from(["hexhall", "--data", "d", "convert", "a", "b"]).unwrap_err();
    }

    #[test]
    fn the_command_line_is_sound_and_every_subcommand_shows_examples() {
        let mut command = Cli::command();
        command.clone().debug_assert();
        for sub in command.get_subcommands_mut() {
            let help = sub.render_long_help().to_string();
            assert!(help.contains("Examples:"), "{} has no examples", sub.get_name());
        }
    }
}
