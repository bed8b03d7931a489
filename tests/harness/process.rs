//! A server in a process of its own, which can be killed.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use hexhall::game::clock::Millis;
use hexhall::remote::Address;
use hexhall::time::TimeSource;

use super::{patiently, poll};

/// The real program, serving.
pub struct Process {
    data: PathBuf,
    port: u16,
    settings: &'static [(&'static str, &'static str)],
    child: Child,
}

impl Process {
    /// Starts it on a free port.
    pub async fn start(data: &Path) -> Process {
        Process::start_with(data, &[]).await
    }

    /// Starts it on a free port with these settings in its environment.
    pub async fn start_with(
        data: &Path,
        settings: &'static [(&'static str, &'static str)],
    ) -> Process {
        let port = free_port();
        let child = spawn(data, port, settings).await;
        Process { data: data.into(), port, settings, child }
    }

    /// Where it is, now and after every start.
    pub fn address(&self) -> Address {
        format!("http://127.0.0.1:{}", self.port).parse().unwrap()
    }

    /// `kill -9`, that many milliseconds from now.
    pub async fn kill_in(&mut self, span: Millis) {
        TimeSource::system().sleep(span).await;
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it once more, on the same port and folder.
    pub async fn start_again(&mut self) {
        self.child = spawn(&self.data, self.port, self.settings).await;
    }

    /// Starts it once more after it was away for that many milliseconds.
    pub async fn start_again_in(&mut self, span: Millis) {
        TimeSource::system().sleep(span).await;
        self.start_again().await;
    }

    /// Asks it to stop, as an init system does.
    pub fn terminate(&self) {
        let mut asked = Command::new("sh");
        asked.args(["-c", "kill -TERM $0", &self.child.id().to_string()]);
        assert!(asked.status().unwrap().success());
    }

    /// How it ended, once it has.
    pub async fn ended(&mut self) -> ExitStatus {
        let child = &mut self.child;
        poll("the server's end", || {
            let ended = child.try_wait().unwrap();
            async move { ended }
        })
        .await
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // One that has ended already cannot be killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A free port below those that the system gives to outgoing connections: while the server is away
/// its clients go on connecting, and one that was given the server's own port would meet itself. Tests
/// that run side by side in one process begin to look at different ones.
pub fn free_port() -> u16 {
    static ASKED: AtomicU32 = AtomicU32::new(0);
    let range = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range");
    let lowest = range.ok().and_then(|range| range.split_whitespace().next()?.parse().ok());
    let span = lowest.unwrap_or(32_768) - 10_000;
    let asked = ASKED.fetch_add(1, Ordering::Relaxed);
    let start = u16::try_from((std::process::id() * 101 + asked * 7) % u32::from(span)).unwrap();
    (0..span)
        .map(|offset| 10_000 + (start + offset) % span)
        .find(|&port| TcpListener::bind(("127.0.0.1", port)).is_ok())
        .expect("a free port")
}

async fn spawn(data: &Path, port: u16, settings: &[(&str, &str)]) -> Child {
    let log = File::options().create(true).append(true).open(data.join("log")).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_hexhall"))
        .args(["serve", "--listen", &format!("127.0.0.1:{port}"), "--data"])
        .arg(data)
        // Words to the tests, and not to the server.
        .env_remove("HEXHALL_SEED")
        .env_remove("HEXHALL_TRIOS")
        // Nobody is missed for what they have no time to read.
        .env("HEXHALL_STREAMS__GONE_AFTER_S", "3600")
        .envs(settings.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let said = tokio::task::spawn_blocking(move || {
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        line
    });
    let line = patiently("a server that is ready", said).await.unwrap();
    assert!(line.contains(&format!("open http://127.0.0.1:{port}/")), "the server said {line:?}");
    child
}
