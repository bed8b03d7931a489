//! `hexhall operator` against a running server, and the token that it shows.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Output};

use hexhall_proto::error::CloseCode;
use serde_json::{Value, json};

use super::*;
use crate::harness::http::say;
use crate::harness::{Process, patiently};

/// What the program said, and how it ended.
struct Said {
    out: String,
    err: String,
    code: Option<i32>,
}

/// Runs the command; who does it is "Op".
async fn operator(token_file: &Path, server: &str, args: &[&str]) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hexhall"));
    command.args(["operator", "--server", server, "--by", "Op", "--token-file"]);
    command.arg(token_file).args(args);
    let ran = tokio::task::spawn_blocking(move || command.output().unwrap());
    let Output { status, stdout, stderr } = patiently("the command", ran).await.unwrap();
    let [out, err] = [stdout, stderr].map(|text| String::from_utf8(text).unwrap());
    Said { out, err, code: status.code() }
}

/// A server of its own, and who looks after it.
struct Desk {
    server: Process,
    token: std::path::PathBuf,
    data: tempfile::TempDir,
}

impl Desk {
    async fn open() -> Desk {
        let data = tempfile::tempdir().unwrap();
        let server = Process::start(data.path()).await;
        Desk { server, token: data.path().join("operator.token"), data }
    }

    fn url(&self) -> String {
        let at = self.server.address();
        format!("http://{}:{}", at.host(), at.port())
    }

    async fn says(&self, args: &[&str]) -> String {
        let Said { out, err, code } = operator(&self.token, &self.url(), args).await;
        assert_eq!(code, Some(0), "{args:?}: {err}");
        out
    }

    async fn fails(&self, args: &[&str]) -> String {
        let Said { out, err, code } = operator(&self.token, &self.url(), args).await;
        assert_eq!((code, &*out), (Some(2), ""), "{args:?}");
        err
    }
}

#[tokio::test]
async fn an_operator_looks_after_players_from_the_command_line() {
    let desk = Desk::open().await;
    let mode = fs::metadata(&desk.token).unwrap().mode() & 0o777;
    assert_eq!(mode, 0o600, "the token is its owner's alone");
    let at = desk.server.address();
    let mut bo = Guest::arrive(&at, Format::Json, "Bo").await;
    let bonnie = Guest::arrive(&at, Format::Json, "Bonnie").await;

    assert!(desk.says(&["find", "bo"]).await.contains(&bo.player.id));
    let found = desk.says(&["find", "o"]).await;
    assert!(found.contains("Bo\n") && found.contains("Bonnie\n"), "{found}");
    let nobody = desk.fails(&["find", "zoe"]).await;
    assert!(nobody.contains("nobody is called `zoe`, or has that in their name"), "{nobody}");

    assert!(desk.says(&["warn", "BO", "be kind"]).await.starts_with("Bo is warned"));
    let renamed = desk.says(&["rename", "Bonnie", "Bonny", "--reason", "as she asked"]).await;
    assert_eq!(renamed, "Bonnie is now Bonny: as she asked\n");
    let guest = desk.says(&["rename", "Bonny"]).await;
    assert!(guest.starts_with("Bonny is now Guest "), "{guest}");
    let muted = desk.says(&["mute", "Bo", "12h", "shouting"]).await;
    assert!(muted.starts_with("Bo is muted until "), "{muted}");
    let shown = desk.says(&["show", &bo.player.id]).await;
    for part in ["sessions 1\n", "by Op: shouting", "a warning", "banned   no\n"] {
        assert!(shown.contains(part), "no {part:?} in {shown}");
    }
    assert_eq!(desk.says(&["unmute", "Bo"]).await, "Bo is muted no more\n");
    let banned = desk.says(&["ban", "Bo", "forever", "cheating"]).await;
    assert_eq!(banned, "Bo is banned for good\n");
    assert_eq!(bo.closed().await.0, Some(CloseCode::Banned.number()));
    assert_eq!(desk.says(&["unban", "Bo", "a misunderstanding"]).await, "Bo is banned no more\n");
    bo.come_back(&at).await;

    let made = json!({ "player": bo.player.id, "reason": "spam", "text": "again and again" });
    let report = say(&at, "POST", "/v1/reports", &bonnie.token, made).await;
    let report = report["id"].as_str().unwrap();
    let reports = desk.says(&["reports"]).await;
    assert!(reports.contains(report), "{reports}");
    assert!(reports.ends_with("open: 1 of 5000 that there may be\n"), "{reports}");
    let told = desk.says(&["report", report]).await;
    assert!(
        told.contains("text     again and again\n") && told.contains("settled  no\n"),
        "{told}"
    );
    assert!(desk.says(&["settle", report, "warned"]).await.contains("by Op: warned\n"));
    assert_eq!(desk.says(&["reports"]).await, "no report is open\n");

    let log = desk.says(&["log", "Bo"]).await;
    let acts: Vec<_> = log.lines().skip(1).filter_map(|line| line.split("  ").nth(2)).collect();
    assert_eq!(
        acts.iter().map(|act| act.trim()).collect::<Vec<_>>(),
        ["settle", "unban", "ban", "unmute", "mute", "warn"]
    );
    let json: Value = serde_json::from_str(&desk.says(&["log", "--json"]).await).unwrap();
    assert_eq!((&json["acts"][0]["act"], &json["acts"][0]["by"]), (&json!("settle"), &json!("Op")));
}

#[tokio::test]
async fn options_stand_after_the_command_too_and_the_data_folder_has_the_token() {
    let desk = Desk::open().await;
    let bo = Guest::arrive(&desk.server.address(), Format::Json, "Bo").await;
    say(&desk.server.address(), "POST", "/v1/me/bots", &bo.token, json!({ "name": "Deep Bo" }))
        .await;
    let run = async |by_flag: bool, args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hexhall"));
        command.arg("operator").args(args).env_remove("HEXHALL_OPERATOR__TOKEN_FILE");
        match by_flag {
            true => command.arg("--data").arg(desk.data.path()).args(["--server", &desk.url()]),
            false => command
                .env("HEXHALL_STORE__DATA", desk.data.path())
                .env("HEXHALL_SERVER", desk.url()),
        };
        let ran = tokio::task::spawn_blocking(move || command.output().unwrap());
        let Output { status, stdout, stderr } = patiently("the command", ran).await.unwrap();
        assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).unwrap()
    };
    let banned = run(true, &["ban", "Bo", "45s", "cheating", "--by", "Boss"]).await;
    assert!(banned.ends_with(" UTC, and so are their bots\n"), "{banned}");
    let log: Value = serde_json::from_str(&run(false, &["log", "--json"]).await).unwrap();
    assert_eq!(log["acts"][0]["by"], "Boss");
    let line = run(false, &["log"]).await;
    let until =
        banned.trim_start_matches("Bo is banned ").trim_end_matches(", and so are their bots\n");
    assert!(line.contains(until) && until.matches(':').count() == 2, "to the second: {line}");
}

#[tokio::test]
async fn the_servers_own_settings_say_where_it_is_and_where_its_token_lies() {
    let desk = Desk::open().await;
    let at = desk.server.address();
    let settings = desk.data.path().join("hexhall.toml");
    let [data, elsewhere] = ["", "elsewhere"].map(|name| desk.data.path().join(name));
    let write = |listen: &str, data: &Path| {
        let text = format!("[server]\nlisten = {listen:?}\n[store]\ndata = {data:?}\n");
        fs::write(&settings, text).unwrap();
    };
    let run = async |flags: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hexhall"));
        command.args(["operator", "log", "--config"]).arg(&settings).args(flags);
        let ran = tokio::task::spawn_blocking(move || command.output().unwrap());
        let Output { stdout, stderr, .. } = patiently("the command", ran).await.unwrap();
        [stdout, stderr].map(|text| String::from_utf8(text).unwrap())
    };
    let there = format!("0.0.0.0:{}", at.port());
    write(&there, &data);
    assert_eq!(run(&[]).await, ["nothing was done\n", ""]);
    // A flag stands above the file.
    write("127.0.0.1:1", &elsewhere);
    let flags = ["--data", data.to_str().unwrap(), "--server", &desk.url()];
    assert_eq!(run(&flags).await, ["nothing was done\n", ""]);
    let [_, away] = run(&flags[..2]).await;
    assert!(away.contains("no server answers at http://127.0.0.1:1"), "{away}");
    let [_, missing] = run(&flags[2..]).await;
    assert!(missing.contains("elsewhere/operator.token"), "{missing}");
    fs::write(&settings, "[operator]\nenabled = false\n").unwrap();
    let [_, off] = run(&[]).await;
    assert!(off.contains("`operator.enabled` is off"), "{off}");
}

#[tokio::test]
async fn what_cannot_be_done_is_told_with_what_would_be_right() {
    let desk = Desk::open().await;
    let at = desk.server.address();
    let bo = Guest::arrive(&at, Format::Json, "Bonnie").await;

    let unsure = desk.fails(&["ban", "Bon", "1h", "cheating"]).await;
    assert!(unsure.contains(&format!("{}  Bonnie", bo.player.id)), "{unsure}");
    let nobody = desk.fails(&["warn", "Zoe", "be kind"]).await;
    assert!(nobody.contains("nobody is called `Zoe`"), "{nobody}");
    let nothing = desk.fails(&["unban", "Bonnie"]).await;
    assert!(nothing.contains("Bonnie is not banned"), "{nothing}");
    let span = desk.fails(&["mute", "Bonnie", "soon", "shouting"]).await;
    assert!(span.contains("`30m`"), "{span}");

    let other = desk.data.path().join("other.token");
    fs::write(&other, format!("hxo_{}\n", "0".repeat(64))).unwrap();
    fs::set_permissions(&other, PermissionsExt::from_mode(0o600)).unwrap();
    let wrong = operator(&other, &desk.url(), &["log"]).await;
    assert!(wrong.err.contains("does not know this token"), "{}", wrong.err);
    let missing = operator(&desk.data.path().join("none"), &desk.url(), &["log"]).await;
    assert!(missing.err.contains("name that with `--data`"), "{}", missing.err);
    let away = operator(&desk.token, "http://127.0.0.1:1", &["log"]).await;
    assert!(away.err.contains("no server answers at http://127.0.0.1:1: "), "{}", away.err);
    assert_eq!([wrong.code, missing.code, away.code], [Some(2); 3]);
}

#[tokio::test]
async fn a_token_that_others_may_read_stops_the_start() {
    let mut desk = Desk::open().await;
    desk.server.terminate();
    desk.server.ended().await;
    fs::set_permissions(&desk.token, PermissionsExt::from_mode(0o644)).unwrap();
    let mut again = Command::new(env!("CARGO_BIN_EXE_hexhall"));
    again.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(desk.data.path());
    let ran = tokio::task::spawn_blocking(move || again.output().unwrap());
    let Output { status, stderr, .. } = patiently("the refusal", ran).await.unwrap();
    let said = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(2), "{said}");
    assert!(said.contains("can be read by others") && said.contains("chmod 600"), "{said}");
}
