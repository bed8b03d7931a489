//! What a start that fails leaves behind.

use std::net::TcpListener;
use std::process::{Command, Output};

use crate::harness::patiently;

#[tokio::test]
async fn a_first_start_whose_port_is_taken_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut start = Command::new(env!("CARGO_BIN_EXE_hexhall"));
    let listen = taken.local_addr().unwrap().to_string();
    start.args(["serve", "--listen", &listen, "--data"]).arg(&data);
    let ran = tokio::task::spawn_blocking(move || start.output().unwrap());
    let Output { status, stderr, .. } = patiently("the refusal", ran).await.unwrap();
    let said = String::from_utf8(stderr).unwrap();
    assert!(!status.success() && said.contains(&format!("cannot listen on {listen}")), "{said}");
    assert!(!data.exists());
}
