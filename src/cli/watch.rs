//! `hexhall watch`: a table, live in the terminal.
//!
//! Owns the terminal while it runs: on one, the picture is drawn over itself and the clocks tick;
//! anywhere else each new position is printed once, plainly.

mod render;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use hexhall_proto::parts::Phase;
use hexhall_proto::request::Watch;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval_at};

use super::{Failure, block_on};
use crate::ids::TableId;
use crate::remote::session::{Connection, Sight, Status};
use crate::remote::{Address, Session, Settings, now};
pub use render::{Look, render};

/// How often a clock that runs is looked at.
const TICK: Duration = Duration::from_millis(100);
/// A screen of its own, without a cursor, and back from there.
const ENTER: &str = "\x1b[?1049h\x1b[?25l";
const LEAVE: &str = "\x1b[?25h\x1b[?1049l";

/// Show a table live in the terminal: the board, the clocks, the last move and the result.
///
/// The table is named by its id or by its address in a browser. When the connection is lost it is
/// made again. In a terminal the picture stays in place until Ctrl-C; into a file or a pipe each
/// new position is printed once. Colours are left out where the variable NO_COLOR is set.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  hexhall watch tbl_01ARZ3NDEKTSV4RRFFQ69G5FAV --server http://127.0.0.1:8080
  hexhall watch http://127.0.0.1:8080/t/tbl_01ARZ3NDEKTSV4RRFFQ69G5FAV
  hexhall watch tbl_01ARZ3NDEKTSV4RRFFQ69G5FAV --server http://127.0.0.1:8080 | tee game.txt")]
pub struct Args {
    /// The table's id, or its address.
    #[arg(value_name = "TABLE")]
    table: String,
    /// The server; not needed where the table's address names it.
    #[arg(long, value_name = "URL", env = "HEXHALL_SERVER")]
    server: Option<Address>,
    /// A private table's invitation, if the address does not have it.
    #[arg(long, value_name = "CODE")]
    invitation: Option<String>,
    /// Seconds that the server may be away before watching ends.
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    give_up_after: u64,
}

/// What the arguments name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Target {
    pub(super) server: Address,
    pub(super) table: TableId,
    pub(super) invitation: Option<String>,
}

/// Follows the table until it is closed or nobody wants to see any more.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let give_up_after = Duration::from_secs(args.give_up_after);
    let target = target(&args.table, args.server, args.invitation)?;
    block_on(async {
        let settings = Settings { give_up_after, ..Settings::default() };
        let session = Session::start(target.server.clone(), settings).await?;
        let table = target.table.to_string();
        let watch = Watch { table, invitation: target.invitation.clone(), last: None };
        let mut table = session.watch(watch).await?;
        let mut status = session.status();
        let mut screen = Screen::new(&target.server);
        let mut tick = interval_at(now(), TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Skip);
        let ended = loop {
            let sight = table.sight();
            screen.show(&sight, &status)?;
            if let Some(lost) = sight.lost {
                break Err(lost.into());
            }
            if sight.copy.view().phase == Phase::Closed {
                break Ok(ExitCode::SUCCESS);
            }
            tokio::select! {
                changed = table.changed() => if let Err(lost) = changed {
                    break Err(lost.into());
                },
                // The end of the status is told by the table, too.
                _ = status.changed() => {}
                _ = tick.tick(), if screen.live => {}
                _ = tokio::signal::ctrl_c() => break Ok(ExitCode::SUCCESS),
            }
        };
        screen.finish()?;
        session.close().await;
        ended
    })
}

/// Reads the table out of its id or address `named`, and the server out of that address, unless it
/// is given.
pub(super) fn target(
    named: &str,
    server: Option<Address>,
    invitation: Option<String>,
) -> Result<Target, Failure> {
    let id = named.find("tbl_").and_then(|at| {
        let text = &named[at..];
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        text[..end.unwrap_or(text.len())].parse::<TableId>().ok()
    });
    let table = id.ok_or_else(|| {
        Failure::Usage(format!(
            "`{named}` names no table: a table is `tbl_…`, or an address with that in it"
        ))
    })?;
    let address = named.split_once("://").and_then(|(scheme, rest)| {
        let host = rest.split(['/', '?', '#']).next()?;
        Some(format!("{scheme}://{host}"))
    });
    let server = match (server, address) {
        (Some(server), _) => server,
        (None, Some(address)) => {
            address.parse().map_err(|error| Failure::Usage(format!("{error}")))?
        }
        (None, None) => {
            let text = "name the server by `--server URL`, or the table by its address";
            return Err(Failure::Usage(text.into()));
        }
    };
    let in_address = named.split(['?', '&', '#']).find_map(|it| it.strip_prefix("invitation="));
    let invitation = invitation.or(in_address.map(str::to_owned));
    Ok(Target { server, table, invitation })
}

/// Where the pictures go.
struct Screen {
    live: bool,
    color: bool,
    server: String,
    shown: String,
    /// Whether the terminal is on the screen of its own.
    entered: bool,
}

impl Screen {
    fn new(server: &Address) -> Screen {
        let live = io::stdout().is_terminal();
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let (server, shown) = (server.to_string(), String::new());
        Screen { live, color: live && wanted, server, shown, entered: false }
    }

    /// Shows what is known, unless it is shown already.
    fn show(&mut self, sight: &Sight, status: &watch::Receiver<Status>) -> Result<(), Failure> {
        let trouble = match &status.borrow().connection {
            Connection::Up | Connection::Connecting => None,
            Connection::Down(error) => {
                Some(format!("connecting again to {}: {error}", self.server))
            }
            Connection::Ended(error) => Some(error.to_string()),
        };
        let age = now().saturating_duration_since(sight.clocks_at);
        let look = Look {
            color: self.color,
            // Where nothing is drawn over, clocks and connections would only fill the paper.
            age: self.live.then_some(age),
            trouble: trouble.filter(|_| self.live),
        };
        let picture = render(&sight.copy, &look);
        if picture == self.shown {
            return Ok(());
        }
        if self.live {
            let enter = if self.entered { "" } else { ENTER };
            self.entered = true;
            let lines = picture.replace('\n', "\x1b[K\n");
            write(&format!("{enter}\x1b[H{lines}\x1b[J"))?;
        } else {
            let gap = if self.shown.is_empty() { "" } else { "\n" };
            write(&format!("{gap}{picture}"))?;
        }
        self.shown = picture;
        Ok(())
    }

    /// Leaves the last picture behind.
    fn finish(&mut self) -> Result<(), Failure> {
        match std::mem::take(&mut self.entered) {
            true => write(&format!("{LEAVE}{}", self.shown)),
            false => Ok(()),
        }
    }
}

impl Drop for Screen {
    /// Whatever ended it, the terminal is left as it was found.
    fn drop(&mut self) {
        if self.entered {
            let _ = write(LEAVE);
        }
    }
}

fn write(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|source| Failure::Write { path: "-".into(), source })
}

#[cfg(test)]
mod tests;
