//! A server that is killed again and again in the middle of twenty games: whoever was told of a
//! move finds it, nobody's move is played twice, no stream has a gap, and no clock is charged for
//! the time that the server was away.

mod crowd;
mod journal;
mod party;
mod ratings;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use hexhall::chance::Chance;
use hexhall::cli::replay::{Item, Script, script};
use hexhall::store::{Durability, Store};
use hexhall_proto::codec::Format;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::harness::{Process, patiently};
use party::Party;

const GAMES: usize = 20;
const KILLS: usize = 12;

/// The longest that the server lives on after the move that it is killed for, and the longest that
/// it is away, in milliseconds.
const LIVES_ON_MS: u64 = 30;
const AWAY_MS: u64 = 200;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_games_live_through_a_dozen_kills() {
    let mut dice = Dice::new();
    let folder = tempfile::tempdir().unwrap();
    let mut server = Process::start(folder.path()).await;
    let scripts = scripts();
    let total: usize = scripts.iter().map(|script| script.game.plies().len()).sum();
    let (acknowledged, mut progress) = watch::channel(0);
    let acknowledged = Arc::new(acknowledged);

    let mut gathering = JoinSet::new();
    for (number, script) in scripts.into_iter().enumerate() {
        let format = [Format::Json, Format::MsgPack][number % 2];
        gathering.spawn(Party::gather(server.address(), script, format));
    }
    let parties = patiently("twenty parties", gathering.join_all()).await;
    let mut games = JoinSet::new();
    for party in parties {
        let acknowledged = Arc::clone(&acknowledged);
        games.spawn(party.play(move || acknowledged.send_modify(|moves| *moves += 1)));
    }

    for kill in 0..KILLS {
        // Kills are spread over the games, with some left to be played after the last.
        let after = total * (kill + 1) / (KILLS + 2);
        let killed_for = progress.wait_for(|moves| *moves >= after);
        patiently("moves enough for the next kill", killed_for).await.unwrap();
        server.kill_in(dice.up_to(LIVES_ON_MS)).await;
        server.start_again_in(dice.up_to(AWAY_MS)).await;
    }

    let ended = games.join_all().await;
    assert_eq!((ended.len(), *progress.borrow_and_update()), (GAMES, total));
    let reconnects: u32 = ended.iter().map(|party| party.reconnects()).sum();
    assert!(reconnects as usize >= KILLS * GAMES, "only {reconnects} reconnects");
    for party in &ended {
        party.check();
    }
    let sights: Vec<_> = ended.into_iter().map(Party::close).collect();
    let sights = futures_util::future::join_all(sights).await;
    server.terminate();
    assert!(server.ended().await.success());

    let store = Store::open(folder.path(), Durability::Process).unwrap();
    let mut restarts = 0;
    for sight in &sights {
        restarts += journal::check(&store, sight).await;
    }
    assert!(restarts >= KILLS, "only {restarts} times was a running game taken up again");
    store.close();
    verify(folder.path());
}

/// The longest games that were published, of Hex and of Dark Hex.
fn scripts() -> Vec<Script> {
    let files = [
        ("games.jsonl", include_str!("data/games.jsonl")),
        ("oracle.jsonl", include_str!("data/oracle.jsonl")),
    ];
    let items =
        files.into_iter().flat_map(|(name, text)| script::read(Path::new(name), text.as_bytes()));
    let mut scripts: Vec<Script> = items
        .filter_map(|item| match item {
            Item::Play(script) => Some(script),
            _ => None,
        })
        .collect();
    scripts.sort_by_key(|script| std::cmp::Reverse(script.game.plies().len()));
    let (mut dark, mut hex): (Vec<_>, Vec<_>) =
        scripts.into_iter().partition(|script| script.game.is_dark());
    dark.truncate(GAMES / 2);
    hex.truncate(GAMES / 2);
    let scripts = [dark, hex].concat();
    assert_eq!(scripts.len(), GAMES);
    scripts
}

/// The program's own judgement of what is left behind.
pub fn verify(folder: &Path) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_hexhall"));
    let judged = program.arg("verify").arg("--data").arg(folder).output().unwrap();
    let said = String::from_utf8_lossy(&judged.stdout);
    let log = String::from_utf8_lossy(&judged.stderr);
    assert!(judged.status.success(), "{said}\n{log}");
}

/// Random numbers from a seed that the test's output tells, and that the environment may name.
struct Dice(Chance);

impl Dice {
    fn new() -> Dice {
        let named = std::env::var("HEXHALL_KILL_SEED").ok();
        let seed = match named {
            Some(text) => text.parse().expect("a seed is a whole number"),
            None => u64::from_le_bytes(Chance::system().unwrap().bytes()),
        };
        println!("HEXHALL_KILL_SEED={seed}");
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        Dice(Chance::seeded(bytes))
    }

    fn up_to(&mut self, most: u64) -> u64 {
        u64::from_le_bytes(self.0.bytes()) % (most + 1)
    }
}
