//! Replays against a server that is there, goes away, forgets and errs.

use super::*;
use crate::remote::fake::{Fake, Trouble};

const LINES: &str = r#"
{"name": "chain", "rows": 3, "cols": 3, "moves": ["b1", "a1", "b2", "a2", "b3"], "end": "chain", "winner": 1}
{"name": "sides", "rows": 3, "cols": 3, "moves": ["b1", "swap-sides", "a1", "b2", "a2", "b3"], "end": "chain", "winner": 2}
{"name": "pieces", "rows": 3, "cols": 3, "moves": ["b1", "swap-pieces", "c3", "b2", "a1"], "end": "resign", "winner": 2}
{"name": "open", "rows": 3, "cols": 4, "moves": ["d3", "a1"], "end": "unfinished", "winner": null}
{"rules":"hex","rows":2,"cols":2,"swap":"off","attempts":[[1,"a1","placed"],[2,"b1","placed"],[1,"a2","placed"]],"winner":1,"final_board":["xo","x."]}
"#;

fn items(text: &str) -> Vec<Item> {
    script::read("cases.jsonl".as_ref(), text.as_bytes())
}

fn options(formats: Vec<Format>) -> Options {
    Options {
        spectators: 2,
        pace: Duration::ZERO,
        formats,
        jobs: 2,
        give_up_after: Duration::from_secs(20),
    }
}

async fn replay(fake: &Fake, text: &str) -> Report {
    run(&fake.door(), items(text), &options(vec![Format::Json]), &|_| {}).await
}

#[tokio::test(start_paused = true)]
async fn every_game_is_played_in_every_format_and_what_cannot_be_is_named() {
    let moves = std::sync::atomic::AtomicUsize::new(0);
    let count = |step: Step<'_>| {
        if let Step::Moved = step {
            moves.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
    };
    let options = options(vec![Format::Json, Format::MsgPack]);
    let study = script::read("study.sgf".as_ref(), b"(;FF[4]GM[11]SZ[3]AB[a1])");
    let items = items(LINES).into_iter().chain(study).collect();
    let report = run(&Fake::new().door(), items, &options, &count).await;
    assert!(report.is_clean(), "{report}");
    let text = Report { took: Duration::from_millis(1_500), ..report }.to_string();
    insta::assert_snapshot!(text);
    assert_eq!(moves.into_inner(), 2 * (5 + 6 + 5 + 2 + 3));
}

#[tokio::test(start_paused = true)]
async fn a_game_goes_on_through_lost_connections_and_limits() {
    let fake = Fake::new();
    fake.trouble([
        Trouble::LoseReply,
        Trouble::CutAll,
        Trouble::RateLimit(1_000),
        Trouble::LoseRequest,
        Trouble::CutAll,
    ]);
    let report = replay(&fake, LINES.lines().nth(1).unwrap()).await;
    assert!(report.is_clean(), "{report}");
    assert!(report.games[0].reconnects >= 8, "{report}");
}

fn only_differences(report: &Report) -> Vec<(Who, &'static str)> {
    match &report.games[0].verdict {
        Verdict::Different(found) => found.iter().map(|it| (it.who, it.field)).collect(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_wrong_board_is_told_with_who_saw_it() {
    let fake = Fake::new();
    fake.trouble([Trouble::Nothing; 4].into_iter().chain([Trouble::ShowWrongBoard]));
    let report = replay(&fake, LINES.lines().nth(1).unwrap()).await;
    assert!(!report.is_clean());
    let found = only_differences(&report);
    for number in [1, 2] {
        assert!(found.contains(&(Who::Watcher(number), "board")), "{report}");
        assert!(found.contains(&(Who::Watcher(number), "moves")), "{report}");
    }
    assert!(found.iter().all(|(who, _)| matches!(who, Who::Watcher(_))), "{report}");
}

#[tokio::test(start_paused = true)]
async fn a_gap_in_a_stream_is_a_difference_though_it_was_closed() {
    let fake = Fake::new();
    fake.trouble([Trouble::ForgetSpectators]);
    let report = replay(&fake, LINES.lines().nth(1).unwrap()).await;
    let expected = [(Who::Watcher(1), "stream"), (Who::Watcher(2), "stream")];
    assert_eq!(only_differences(&report), expected, "{report}");
}

#[tokio::test(start_paused = true)]
async fn a_board_in_the_file_that_its_moves_do_not_lead_to_is_a_difference() {
    let wrong = LINES.lines().nth(5).unwrap().replace(r#""x."]"#, r#""ox"]"#);
    let report = replay(&Fake::new(), &wrong).await;
    assert_eq!(only_differences(&report), [(Who::Record, "board")], "{report}");
    assert!(report.to_string().contains("record, board: expected rb/r., saw rb/br"), "{report}");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_stays_away_leaves_the_game_stuck() {
    let fake = Fake::new();
    fake.refuse(true);
    let report = replay(&fake, LINES.lines().nth(1).unwrap()).await;
    assert!(!report.is_clean());
    let Verdict::Stuck(why) = &report.games[0].verdict else { panic!("{report}") };
    assert!(why.starts_with("seat 1, connecting: no connection to the server for 1"), "{why}");
}

#[test]
fn what_cannot_be_read_or_played_is_named_with_its_reason() {
    let unreadable = |item: &Item| match item {
        Item::Unreadable { name, reason } => format!("{name}: {reason}"),
        other => panic!("{other:?}"),
    };
    let spoilt = LINES.lines().nth(1).unwrap().replace("a2", "b2");
    let read = items(&format!("{}\n{spoilt}\n", LINES.lines().nth(1).unwrap()));
    assert!(matches!(&read[0], Item::Play(script) if script.name == "chain"));
    let text = unreadable(&read[1]);
    assert!(text.contains("b2") && text.starts_with("cases:2: "), "{text}");
    let text = unreadable(&script::read("a.sgf".as_ref(), b"(;GM[1]SZ[5];B[c3])")[0]);
    assert!(text.contains("is not Hex"), "{text}");
    let setup = script::read("a.sgf".as_ref(), b"(;FF[4]GM[11]SZ[5]AB[a1][a2];B[c3])");
    let skipped = Item::Skip {
        name: "a".into(),
        reason: "it starts from 2 stones, and a table from none".into(),
    };
    assert_eq!(setup, [skipped]);
    let by_time = script::read("a.sgf".as_ref(), b"(;FF[4]GM[11]SZ[5]RE[B+Time];B[c3];W[a1])");
    let [Item::Play(script)] = &by_time[..] else { panic!("{by_time:?}") };
    assert_eq!(script.notes, ["won by time, left unfinished"]);
    assert_eq!(script.game.outcome(), None);
}

#[tokio::test(start_paused = true)]
async fn every_published_and_refereed_game_is_seen_alike_by_everybody() {
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut items = Vec::new();
    for file in ["games.jsonl", "oracle.jsonl"] {
        let path = data.join(file);
        items.extend(script::read(&path, &std::fs::read(&path).unwrap()));
    }
    // A made-up server hides nothing: games of Dark Hex are played at a real one.
    let seen = |item: &Item| !matches!(item, Item::Play(script) if script.game.is_dark());
    let total = items.len();
    items.retain(seen);
    assert_eq!(total - items.len(), 65);
    let options = options(vec![Format::MsgPack]);
    let report = run(&Fake::new().door(), items, &options, &|_| {}).await;
    assert!(report.is_clean(), "{report}");
    assert!(report.games.iter().all(|game| game.verdict == Verdict::Same), "{report}");
    assert!(report.games.len() > 44, "{report}");
}
