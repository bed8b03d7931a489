//! The real server as a process of its own, on a port of its own, that can be killed and come back.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::harness::process::free_port;

/// A running server. Dropping it kills it; its data goes with it.
pub struct Hall {
    process: Child,
    address: String,
    data: TempDir,
}

impl Hall {
    /// Starts a server with the default settings on any free port.
    pub fn open() -> Hall {
        let data = tempfile::tempdir().unwrap();
        let (process, address) = start(&format!("127.0.0.1:{}", free_port()), data.path());
        Hall { process, address, data }
    }

    /// The address of one of its pages.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// What shows that one is its operator.
    pub fn operator_token(&self) -> String {
        let file = std::fs::read_to_string(self.data.path().join("operator.token")).unwrap();
        file.trim().to_owned()
    }

    /// Kills the process as `kill -9` does: it has no say in it.
    pub fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Starts it again where it was, on what it had written down.
    pub fn reopen(&mut self) {
        let (process, address) = start(&self.address, self.data.path());
        assert_eq!(address, self.address);
        self.process = process;
    }
}

impl Drop for Hall {
    fn drop(&mut self) {
        // It may be dead already, and a panicking test must not panic again.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Starts a server and waits until it says where it listens.
fn start(listen: &str, data: &Path) -> (Child, String) {
    let mut process = Command::new(env!("CARGO_BIN_EXE_hexhall"))
        .args(["serve", "--listen", listen, "--data"])
        .arg(data)
        // Nobody is missed for what they have no time to read.
        .env("HEXHALL_STREAMS__GONE_AFTER_S", "3600")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let ready = lines
        .by_ref()
        .map(|line| line.unwrap())
        .find(|line| line.starts_with("hexhall is ready"))
        .expect("the server ended before it was ready");
    // Whatever it still says is read, so that it never waits for a full pipe.
    std::thread::spawn(move || lines.for_each(drop));
    let (_, url) = ready.split_once("http://").unwrap();
    (process, url.trim_end_matches('/').to_owned())
}
