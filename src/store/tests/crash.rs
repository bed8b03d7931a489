//! `kill -9` while a process writes: what it was told is durable is there.

use std::io::{BufRead, BufReader, Write as _};
use std::process::{Command, Stdio};

use super::*;

const DIR: &str = "HEXHALL_TEST_WRITE_TO";
const TABLES: u64 = 8;

#[tokio::test]
async fn a_killed_process_loses_nothing_that_was_acknowledged() {
    let dir = TempDir::new().unwrap();
    let mut acknowledged = vec![0; TABLES as usize];
    for acknowledgements in [1, 40, 200] {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "store::tests::crash::writes_until_it_is_killed"])
            .args(["--ignored", "--nocapture"])
            .env(DIR, dir.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut heard = 0;
        let mut hear = |line: &str| {
            // The test harness has a word of its own before the first.
            let said = line.split_once("durable ").and_then(|(_, said)| said.split_once(' '));
            if let Some((table, number)) = said {
                acknowledged[table.parse::<usize>().unwrap()] = number.parse::<u64>().unwrap();
                heard += 1;
            }
            heard
        };
        while hear(&lines.next().unwrap().unwrap()) < acknowledgements {}
        child.kill().unwrap();
        // What had been said by then counts as well; the last line may be cut short.
        let rest: Vec<_> = lines.map_while(Result::ok).collect();
        for line in rest.iter().take(rest.len().saturating_sub(1)) {
            hear(line);
        }
        child.wait().unwrap();

        let store = Store::open(dir.path(), Durability::Power).unwrap();
        for (n, &number) in (0..).zip(&acknowledged) {
            let events = texts(&store, n).await;
            assert!(events.len() as u64 >= number, "table {n} lost what was acknowledged");
            let expected: Vec<_> = (1..=events.len()).map(|number| number.to_string()).collect();
            assert_eq!(events, expected);
        }
    }
}

#[tokio::test]
#[ignore = "the child of the test above"]
async fn writes_until_it_is_killed() {
    let dir = std::env::var_os(DIR).unwrap();
    let store = Store::open(Path::new(&dir), Durability::Process).unwrap();
    let mut actors = Vec::new();
    for n in 0..TABLES {
        let number = store.load(table_id(n)).await.unwrap().len() as u64;
        actors.push(Actor::after(n, number));
    }
    loop {
        for actor in &mut actors {
            let text = actor.next.to_string();
            actor.append(&store, [&text]);
        }
        for (n, actor) in actors.iter_mut().enumerate() {
            actor.durable_to(actor.next - 1).await;
            writeln!(std::io::stdout(), "durable {n} {}", actor.next - 1).unwrap();
        }
    }
}
