//! `hexhall play`: a game in the terminal, against the computer or at a table of a server.

mod local;
mod table;

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::process::ExitCode;
use std::thread;

use hexhall_proto::error::Code;
use hexhall_proto::request::Join;
use tokio::sync::mpsc;

use super::engine::rules::{self, DarkRule, SwapRule};
use super::engine::spec;
use super::{Failure, block_on, watch};
use crate::cpu::Level;
use crate::game::{Goal, Rules, Seat, Size, Swap};
use crate::remote::{Address, Session, SessionError, Settings};
use crate::time::TimeSource;
use local::Local;

/// The longest line that is read as one.
const MAX_LINE: u64 = 4_096;
/// Lines that may wait while the server answers one of them.
const LINES: usize = 16;

/// Play Hex in the terminal: against the computer, or at a live table.
///
/// A move is typed as its cell, such as `c4`; `help` lists the other words (swap, undo, hint,
/// resign, quit). Red joins top and bottom and moves first, blue joins left and right. Without
/// `--table` no server is needed. In Dark Hex you see your own stones, and those you have run into.
///
/// A table is named by its id or by its address in a browser; you take a free seat there.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hexhall play
  hexhall play --level 3 --size 7 --second
  hexhall play --dark classical --size 5
  hexhall play --table http://127.0.0.1:8080/t/tbl_01ARZ3NDEKTSV4RRFFQ69G5FAV --name Ada")]
pub struct Args {
    /// How strong the computer plays, from 1 to 10.
    #[arg(long, value_name = "N", default_value = "4", value_parser = spec::level)]
    level: Level,
    /// The board: 11, or 9x12 for 9 rows and 12 columns.
    #[arg(long, value_name = "SIZE", default_value = "11", value_parser = spec::size)]
    size: Size,
    /// What the second player may do to the first stone. [default: sides, off in Dark Hex]
    #[arg(long, value_name = "RULE", value_enum)]
    swap: Option<SwapRule>,
    /// Play Dark Hex.
    #[arg(long, value_name = "RULE", value_enum)]
    dark: Option<DarkRule>,
    /// Whoever joins their own edges loses.
    #[arg(long)]
    rex: bool,
    /// Let the computer begin.
    #[arg(long)]
    second: bool,
    /// What chance is drawn from: the same seed gives the same answers.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Play at this table of a server: its id, or its address.
    #[arg(long, value_name = "TABLE", conflicts_with_all = LOCAL)]
    table: Option<String>,
    /// The server of `--table`; not needed where its address names it. [env: HEXHALL_SERVER]
    #[arg(long, value_name = "URL", requires = "table")]
    server: Option<Address>,
    /// A private table's invitation, if the address does not have it.
    #[arg(long, value_name = "CODE", requires = "table")]
    invitation: Option<String>,
    /// The name to go by at the table.
    #[arg(long, value_name = "NAME", requires = "table")]
    name: Option<String>,
}

/// What a table's own options say.
const LOCAL: [&str; 7] = ["level", "size", "swap", "dark", "rex", "second", "seed"];

/// Plays until the game is over, or nothing more is typed.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    match &args.table {
        None => against_computer(&args),
        Some(table) => at_table(table, &args),
    }
}

fn against_computer(args: &Args) -> Result<ExitCode, Failure> {
    let rules = rules(args)?;
    let you = if args.second { Seat::Two } else { Seat::One };
    let mut game = Local::new(rules, you, args.level, args.seed, &TimeSource::system());
    converse(&mut game, io::stdin().lock(), io::stdin().is_terminal(), &mut show)?;
    Ok(ExitCode::SUCCESS)
}

/// Reads lines and shows what comes of them, to the end of either.
fn converse(
    game: &mut Local,
    mut input: impl BufRead,
    prompts: bool,
    show: &mut impl FnMut(&str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut said = game.begin();
    loop {
        show(&said.text)?;
        if said.over {
            return Ok(());
        }
        if prompts {
            show("> ")?;
        }
        let Some(line) = read_line(&mut input) else { return Ok(()) };
        said = game.say(&line);
    }
}

fn rules(args: &Args) -> Result<Rules, Failure> {
    let kind = rules::kind(args.dark);
    let goal = if args.rex { Goal::Avoid } else { Goal::Join };
    let usual = if kind.is_dark() { Swap::Off } else { Swap::Sides };
    let swap = args.swap.map_or(usual, Swap::from);
    Rules::of(kind, args.size, swap, goal, 0).map_err(rules::refusal)
}

fn at_table(table: &str, args: &Args) -> Result<ExitCode, Failure> {
    // Not read with the flags: the variable alone must not keep anybody from playing without a table.
    let server = match (&args.server, std::env::var("HEXHALL_SERVER")) {
        (Some(server), _) => Some(server.clone()),
        (None, Ok(named)) => {
            let wrong = |error| Failure::Usage(format!("HEXHALL_SERVER: {error}"));
            Some(named.parse().map_err(wrong)?)
        }
        (None, Err(_)) => None,
    };
    let target = watch::target(table, server, args.invitation.clone())?;
    let settings = Settings { name: args.name.clone(), ..Settings::default() };
    block_on(async {
        let session = Session::start(target.server, settings).await?;
        let (id, invitation) = (target.table.to_string(), target.invitation);
        let table =
            session.join(Join { table: id, seat: None, invitation }).await.map_err(no_seat)?;
        let look = watch::Look { color: colors(), ..watch::Look::default() };
        let began = TimeSource::system().now().0;
        let mut seat = table::Seated::new(&session, table, format!("play-{began}"), look);
        let played = seat.play(typed()?, &mut show).await;
        session.close().await;
        played.map(|()| ExitCode::SUCCESS)
    })
}

/// Why there is no seat; a table that is full can still be watched.
fn no_seat(error: SessionError) -> Failure {
    match error {
        SessionError::Refused { body, .. } if body.code == Code::SeatTaken => Failure::Usage(
            "both seats of the table are taken: `hexhall watch TABLE` shows the game".to_owned(),
        ),
        error => error.into(),
    }
}

/// The lines that are typed, read by a thread of their own: there is no other way to wait for them
/// and for the server. The thread ends with the process, or with the input.
fn typed() -> Result<mpsc::Receiver<String>, Failure> {
    let (say, lines) = mpsc::channel(LINES);
    let reader = thread::Builder::new().name("hexhall-typed".into());
    let started = reader.spawn(move || {
        while let Some(line) = read_line(&mut io::stdin().lock()) {
            if say.blocking_send(line).is_err() {
                return;
            }
        }
    });
    started.map_err(Failure::Runtime)?;
    Ok(lines)
}

/// The next line; none at the end of the input, or where it cannot be read any more.
fn read_line(input: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    match input.take(MAX_LINE).read_until(b'\n', &mut line) {
        Ok(1..) => Some(String::from_utf8_lossy(&line).trim().to_owned()),
        _ => None,
    }
}

fn colors() -> bool {
    let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    wanted && io::stdout().is_terminal()
}

fn show(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|source| Failure::Write { path: "-".into(), source })
}

#[cfg(test)]
mod tests;
