//! `hexhall operator`: what an operator of a running server does to players.
//!
//! Owns the words of the command line; all that is done is done by the server. Nothing is done to
//! anybody but the one who goes by exactly the name, or id, that was given.

mod door;
mod span;
mod tell;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use axum::http::Method;
use clap::Subcommand;
use serde::Serialize;
use serde_json::Value;

use super::{Failure, block_on, from_here};
use crate::config::{Config, Flag};
use crate::http::api::operator::acts::{Renaming, Sentence, Warning};
use crate::http::api::operator::players::{FoundPlayer, FoundPlayers, ShownPlayer};
use crate::http::api::operator::reports::Verdict;
use crate::ids::ReportId;
use crate::remote::Address;
pub use door::DoorError;
use door::{Door, NOTHING, quoted};
use span::Span;

/// Look after the players of a running server: warn, rename, mute and ban them, and read the log
///
/// The server knows its operator by the token in the file `operator.token` of its data folder, which
/// only the owner of that file may read. A player is named by id, or by name in any case. Whatever
/// is done is written into a log that is never changed, with the name of who did it.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
Examples:
  hexhall operator find ana
  hexhall operator show Ana
  hexhall operator warn Ana 'be kind to each other'
  hexhall operator rename Ana --reason 'a name that offends'
  hexhall operator rename Ana Anna
  hexhall operator mute Ana 12h 'shouting'
  hexhall operator ban plr_01ARZ3NDEKTSV4RRFFQ69G5FAV forever 'cheating'
  hexhall operator unban Ana 'a misunderstanding'
  hexhall operator reports
  hexhall operator settle rep_01ARZ3NDEKTSV4RRFFQ69G5FAV 'warned'
  hexhall operator log Ana
  hexhall operator log --config /etc/hexhall.toml --json
  hexhall operator warn Ana 'be kind to each other' --by Boss --server http://127.0.0.1:9000")]
pub struct Args {
    /// The server's file of settings, which says where it listens and where its token is
    #[arg(long, global = true, value_name = "FILE", env = "HEXHALL_CONFIG")]
    config: Option<PathBuf>,
    /// The server, if it is not where the settings say
    #[arg(long, global = true, value_name = "URL", env = "HEXHALL_SERVER")]
    server: Option<Address>,
    /// The server's data folder, with the operator's token in it, if it is another than in the
    /// settings
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,
    /// The file with the operator's token, if it is not `operator.token` in the data folder
    #[arg(long, global = true, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Who does it, as the log has it
    #[arg(long, global = true, value_name = "NAME", env = "USER", default_value = "operator")]
    by: String,
    /// Print what the server answers, as JSON
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Find players by name, part of a name, or id
    Find {
        /// The name, part of it, or the id
        name: String,
    },
    /// Show a player: bots, sessions, and what holds of them
    Show {
        /// Their name or id
        player: String,
    },
    /// Tell a player something, until they have read it
    Warn {
        /// Their name or id
        player: String,
        /// What they are told
        text: String,
    },
    /// Give a player another name
    ///
    /// They are told, and so is everybody who sees them. The name before is free from then on.
    Rename {
        /// Their name or id
        player: String,
        /// The name; without it, a guest's that the server makes
        name: Option<String>,
        /// Why, as they are told
        #[arg(long, value_name = "TEXT", default_value = "")]
        reason: String,
    },
    /// Have a player and their bots say nothing at any table
    ///
    /// They go on playing, and are told for how long and why. A further mute takes the place of the
    /// one before.
    Mute {
        /// Their name or id
        player: String,
        /// For how long: `30m`, `12h`, `7d`, `forever`
        span: Span,
        /// Why, as they are told
        reason: String,
    },
    /// End a mute
    Unmute {
        /// Their name or id
        player: String,
        /// Why
        #[arg(default_value = "")]
        reason: String,
    },
    /// Close a player's sessions and those of their bots, and keep them out
    ///
    /// They are told for how long and why. What they seek ends, and at their tables it is as if they
    /// had left: a running game goes on by what its table says of players who leave. A further ban
    /// takes the place of the one before. Nothing keeps a person from coming back as a new guest.
    Ban {
        /// Their name or id
        player: String,
        /// For how long: `30m`, `12h`, `7d`, `forever`
        span: Span,
        /// Why, as they are told
        reason: String,
    },
    /// End a ban
    Unban {
        /// Their name or id
        player: String,
        /// Why
        #[arg(default_value = "")]
        reason: String,
    },
    /// List what players have told of each other and nobody has settled
    Reports {
        /// Settled ones too
        #[arg(long)]
        settled: bool,
        /// Only those made before this one
        #[arg(long, value_name = "REPORT")]
        before: Option<ReportId>,
    },
    /// Show a report, with what was said
    Report {
        /// Its id
        report: ReportId,
    },
    /// Note what came of a report
    Settle {
        /// Its id
        report: ReportId,
        /// What came of it
        outcome: String,
    },
    /// Read what was done, the newest first
    Log {
        /// To whom, by name or id; to anybody without
        player: Option<String>,
        /// Only acts with a number under this
        #[arg(long, value_name = "NUMBER")]
        before: Option<u64>,
    },
}

/// Asks the server and prints its answer.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let Args { config, server, data, token_file, by, json, what } = args;
    let shown = |path: PathBuf| path.display().to_string();
    let data = data.map(|it| Flag::new("--data", "store.data", shown(it)));
    // Quoted, since without a default it would be read as TOML.
    let quoted = |path| toml::Value::String(shown(path));
    let token_file =
        token_file.map(|it| Flag::new("--token-file", "operator.token_file", quoted(it)));
    let flags: Vec<Flag> = data.into_iter().chain(token_file).collect();
    let settings = Config::load(config.as_deref(), std::env::vars_os(), &flags)?;
    let server = match server {
        Some(server) => server,
        None => {
            let listens = from_here(settings.server.listen);
            let address = format!("http://{listens}").parse::<Address>();
            address.map_err(|error| Failure::Usage(format!("{error}; name it with `--server`")))?
        }
    };
    let token_file = settings.token_file().ok_or_else(|| DoorError::NoDoor(server.clone()))?;
    let desk = Desk { door: Door::new(server, &token_file)?, by, json };
    let said = block_on(async { Ok(desk.does(what).await?) })?;
    let written = io::stdout().lock().write_all(said.as_bytes());
    written.map_err(|source| Failure::Write { path: "-".into(), source })?;
    Ok(ExitCode::SUCCESS)
}

/// Who asks, and how the answer is to look.
struct Desk {
    door: Door,
    by: String,
    json: bool,
}

impl Desk {
    async fn does(&self, what: What) -> Result<String, DoorError> {
        match what {
            What::Find { name } => {
                let answer = self.door.get(&format!("players?name={}", quoted(&name))).await?;
                let FoundPlayers { players, .. } = self.door.understand(&answer)?;
                if players.is_empty() {
                    return Err(DoorError::Nobody(name));
                }
                self.says(&answer, tell::found)
            }
            What::Show { player } => {
                let FoundPlayer { id, .. } = self.whom(&player).await?;
                let answer = self.door.get(&format!("players/{id}")).await?;
                self.says(&answer, tell::shown)
            }
            What::Warn { player, text } => {
                let warning = Warning { text, by: self.by.clone() };
                let whom = self.whom(&player).await?;
                self.acts(whom, false, Method::POST, "warn", Some(&warning)).await
            }
            What::Rename { player, name, reason } => {
                let name = Renaming { name, reason, by: self.by.clone() };
                let whom = self.whom(&player).await?;
                self.acts(whom, false, Method::POST, "rename", Some(&name)).await
            }
            What::Mute { player, span, reason } => {
                self.sentences(&player, "mute", span, reason).await
            }
            What::Ban { player, span, reason } => {
                self.sentences(&player, "ban", span, reason).await
            }
            What::Unmute { player, reason } => self.pardons(&player, "mute", &reason).await,
            What::Unban { player, reason } => self.pardons(&player, "ban", &reason).await,
            What::Reports { settled, before } => {
                let none = match (settled, before) {
                    (_, Some(_)) => "there are no older reports",
                    (true, None) => "there are no reports",
                    (false, None) => "no report is open",
                };
                let mut query = vec![format!("settled={settled}")];
                query.extend(before.map(|before| format!("before={before}")));
                let answer = self.door.get(&format!("reports?{}", query.join("&"))).await?;
                self.says(&answer, |list| tell::reports(list, none))
            }
            What::Report { report } => {
                let answer = self.door.get(&format!("reports/{report}")).await?;
                self.says(&answer, tell::report)
            }
            What::Settle { report, outcome } => {
                let verdict = Verdict { outcome, by: self.by.clone() };
                let path = format!("reports/{report}/settle");
                let answer = self.door.ask(Method::POST, &path, Some(&verdict)).await?;
                self.says(&answer, tell::report)
            }
            What::Log { player, before } => {
                let mut query = Vec::new();
                if let Some(player) = player {
                    query.push(format!("player={}", self.whom(&player).await?.id));
                }
                query.extend(before.map(|before| format!("before={before}")));
                let answer = self.door.get(&format!("log?{}", query.join("&"))).await?;
                self.says(&answer, tell::log)
            }
        }
    }

    async fn sentences(
        &self,
        player: &str,
        act: &str,
        Span(for_s): Span,
        reason: String,
    ) -> Result<String, DoorError> {
        let sentence = Sentence { for_s, reason, by: self.by.clone() };
        let whom = self.whom(player).await?;
        // Asked before, so that nothing is left to fail once it is done.
        let shown = self.door.get(&format!("players/{}", whom.id)).await?;
        let ShownPlayer { bots, .. } = self.door.understand(&shown)?;
        self.acts(whom, !bots.is_empty(), Method::POST, act, Some(&sentence)).await
    }

    async fn pardons(&self, player: &str, act: &str, reason: &str) -> Result<String, DoorError> {
        let act = format!("{act}?by={}&reason={}", quoted(&self.by), quoted(reason));
        let whom = self.whom(player).await?;
        self.acts(whom, false, Method::DELETE, &act, NOTHING).await
    }

    /// Does something to a player, and to their bots where there are any.
    async fn acts<T: Serialize>(
        &self,
        FoundPlayer { id, name, .. }: FoundPlayer,
        with_bots: bool,
        method: Method,
        act: &str,
        body: Option<&T>,
    ) -> Result<String, DoorError> {
        let answer = self.door.ask(method, &format!("players/{id}/{act}"), body).await?;
        self.says(&answer, |done| tell::done(done, &name, with_bots))
    }

    /// The one who goes by exactly this name or id.
    async fn whom(&self, player: &str) -> Result<FoundPlayer, DoorError> {
        let answer = self.door.get(&format!("players?name={}", quoted(player))).await?;
        let FoundPlayers { mut players, exact } = self.door.understand(&answer)?;
        if exact && players.len() == 1 {
            return Ok(players.swap_remove(0));
        }
        if players.is_empty() {
            return Err(DoorError::Unknown(player.to_owned()));
        }
        let candidates = players.into_iter().map(|player| (player.name, player.id)).collect();
        Err(DoorError::Ambiguous { name: player.to_owned(), candidates })
    }

    /// The answer as it is, or in words.
    fn says<T: serde::de::DeserializeOwned>(
        &self,
        answer: &Value,
        words: impl FnOnce(&T) -> String,
    ) -> Result<String, DoorError> {
        if self.json {
            return Ok(format!("{answer:#}\n"));
        }
        Ok(words(&self.door.understand(answer)?))
    }
}
