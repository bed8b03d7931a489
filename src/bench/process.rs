//! A server of the bench's own: a separate process of this program, with a folder of its own.
//!
//! Invariant: the process and the folder are gone when this is dropped.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::plan::StoreKind;
use super::system::Cores;
use super::{BenchError, side::Target};

/// The longest that a server may take to be ready.
const START: Duration = Duration::from_secs(60);

/// A process that is measured.
#[derive(Debug)]
pub struct Process {
    // Dropping it ends it.
    _child: Child,
    pid: u32,
    _dir: Option<TempDir>,
}

/// Starts processes, each on the server's cores.
#[derive(Clone, Debug)]
pub struct Starter {
    /// The program that serves: this one, unless a test runs it.
    pub program: PathBuf,
    /// The cores of each side; none where they share all.
    pub cores: Option<Cores>,
    /// Where the folders of servers are made.
    pub dir: PathBuf,
}

impl Starter {
    /// A new folder for a server's data.
    pub fn folder(&self) -> io::Result<TempDir> {
        tempfile::Builder::new().prefix("hexhall-bench-").tempdir_in(&self.dir)
    }

    /// Starts a hexhall server over a folder, which it then owns.
    pub async fn server(
        &self,
        store: StoreKind,
        folder: TempDir,
    ) -> Result<(Target, Process), BenchError> {
        let settings = folder.path().join("bench.toml");
        std::fs::write(&settings, config(store, folder.path()))?;
        let mut command = self.command();
        command.arg("serve").arg("--config").arg(&settings);
        let (address, child, pid) = self.start(command).await?;
        Ok((Target::Server(address), Process { _child: child, pid, _dir: Some(folder) }))
    }

    /// Starts a floor.
    pub async fn floor(&self) -> Result<(Target, Process), BenchError> {
        let mut command = self.command();
        command.args(["bench", "floor-server"]);
        let (address, child, pid) = self.start(command).await?;
        Ok((Target::Floor(address), Process { _child: child, pid, _dir: None }))
    }

    /// The program, without the settings that the environment has for a server.
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("HEXHALL_") {
                command.env_remove(name);
            }
        }
        command
    }

    /// Starts a process and waits until it says where it listens.
    async fn start(
        &self,
        mut command: Command,
    ) -> Result<(crate::remote::Address, Child, u32), BenchError> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = match &self.cores {
            Some(cores) => cores.start_server(|| command.spawn()),
            None => command.spawn(),
        }?;
        let silent = || BenchError::NotStarted("it ended without saying where it listens".into());
        let pid = child.id().ok_or_else(silent)?;
        let output = child.stdout.take().ok_or_else(silent)?;
        let mut lines = BufReader::new(output).lines();
        let line = timeout(START, lines.next_line()).await;
        let line = line.map_err(|_| BenchError::NotStarted("it was not ready in time".into()))?;
        let line = line?.ok_or_else(silent)?;
        let url = line.split_ascii_whitespace().find(|word| word.starts_with("http://"));
        let address = url.and_then(|url| url.parse().ok()).ok_or_else(silent)?;
        Ok((address, child, pid))
    }
}

impl Process {
    /// Its number.
    pub fn pid(&self) -> u32 {
        self.pid
    }
}

/// A server that holds nobody back: limits off, everything else as it is by default.
fn config(store: StoreKind, folder: &Path) -> String {
    let mut text = String::new();
    // Texts take every write.
    let _ = writeln!(text, "[server]\nlisten = \"127.0.0.1:0\"");
    let _ = writeln!(text, "[store]\nengine = \"{}\"", store.name());
    let _ = writeln!(text, "data = {:?}", folder.display().to_string());
    let _ = writeln!(text, "[limits]\nenabled = false");
    let _ = writeln!(text, "[log]\nlevel = \"error\"");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Engine};

    #[test]
    fn the_settings_of_a_measured_server_are_sound_and_lift_its_limits() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("bench.toml");
        std::fs::write(&path, config(StoreKind::Memory, folder.path())).unwrap();
        let config = Config::load(Some(&path), [], &[]).unwrap();
        assert!(!config.limits.enabled);
        assert_eq!(config.store.engine, Engine::Memory);
        assert_eq!(config.store.data, folder.path());
    }
}
