//! What the server writes about itself while a dark game is played: no hidden stone is named in it,
//! in any spelling.

use std::io;
use std::sync::{Arc, Mutex};

use hexhall::game::{Cell, Seat};
use hexhall::view::Viewer;
use hexhall_proto::codec::Format;
use hexhall_proto::request::Request;
use tracing_subscriber::fmt::format::FmtSpan;

use super::pairs::{Ending, Trio};
use super::story::options;
use super::{key, told};
use crate::harness::piped::Piped;
use crate::harness::{Guest, Process, get};

/// Every way in which somebody might write a cell.
fn spellings(Cell { row, col }: Cell) -> Vec<String> {
    let mut spellings = vec![
        Cell { row, col }.to_string(),
        format!("{:?}", Cell { row, col }),
        format!("[{row},{col}]"),
        format!("[{row}, {col}]"),
        format!("({row}, {col})"),
        format!("row: {row}, col: {col}"),
        format!(r#""row":{row},"col":{col}"#),
        format!("row={row} col={col}"),
        // MessagePack, as bytes are shown in logs.
        format!(r"\x92\x{row:02x}\x{col:02x}"),
        format!("92{row:02x}{col:02x}"),
        format!("146, {row}, {col}]"),
        format!("146, {row}, {col},"),
    ];
    spellings.extend([spellings[0].to_uppercase(), format!("0x92, {row:#04x}, {col:#04x}")]);
    spellings
}

/// The first line that names the cell, if there is one.
fn line_with(log: &str, cell: Cell) -> Option<&str> {
    let spellings = spellings(cell);
    // Within a longer word or number it is something else: an id, a time.
    let names = |line: &str, word: &str| {
        line.match_indices(word).any(|(at, word)| {
            let apart = |it: Option<char>| it.is_none_or(|it| !it.is_ascii_alphanumeric());
            let begins = !word.starts_with(|it: char| it.is_ascii_alphanumeric());
            let ends = !word.ends_with(|it: char| it.is_ascii_alphanumeric());
            let before = line[..at].chars().next_back();
            let after = line[at + word.len()..].chars().next();
            (begins || apart(before)) && (ends || apart(after))
        })
    };
    log.lines().find(|line| spellings.iter().any(|word| names(line, word)))
}

#[test]
fn a_stone_that_is_named_in_a_log_is_found_however_it_is_written() {
    let cell: Cell = "b3".parse().unwrap();
    for word in spellings(cell) {
        for log in [format!("a line\ndebug placed cell={word}"), format!("at {word}, on turn 4\n")]
        {
            assert!(line_with(&log, cell).is_some(), "{log}");
        }
    }
    for word in ["tbl_01b3", "b34", "[2,11]", "[12,1]", "2,1"] {
        assert_eq!(line_with(&format!("a line with {word}"), cell), None, "{word}");
    }
}

/// What was written to it, shared.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_log_at_every_level_and_the_figures_name_no_hidden_stone() {
    for trio in (0..40).map(Trio::new).filter(|trio| trio.viewer == Viewer::Spectator) {
        let written = Written::default();
        let into = written.clone();
        let log = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::TRACE)
            .with_span_events(FmtSpan::FULL)
            .with_ansi(false)
            .with_writer(move || into.clone())
            .finish();
        let told =
            tracing::subscriber::with_default(log, || told(&mut Piped::new(key(&trio)), &trio, 0));
        let log = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
        assert!(log.contains("session opened"), "something is logged");
        let figures = told.iter().filter(|(what, _)| what == "/metrics");
        let figures = figures.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned());
        for text in figures.chain([log]) {
            for attempt in &trio.games[0] {
                assert_eq!(line_with(&text, attempt.cell), None, "{attempt:?} of {}", trio.seed);
            }
        }
    }
}

#[tokio::test]
async fn the_log_of_the_real_server_at_trace_names_no_hidden_stone() {
    let trio = (0..).map(Trio::new).find(|trio| {
        trio.ending == Ending::Resigned(Seat::One) && trio.games[0].iter().any(|it| it.hit)
    });
    let trio = trio.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut server = Process::start_with(folder.path(), &[("HEXHALL_LOG__LEVEL", "trace")]).await;
    let at = server.address();
    let mut one = Guest::arrive(&at, Format::Json, "Ana").await;
    let mut two = Guest::arrive(&at, Format::MsgPack, "Bo").await;
    let table = one.open(options(&trio)).await;
    two.join(&table).await;
    for (turn, attempt) in (0..).zip(&trio.games[0]) {
        for guest in [&mut one, &mut two] {
            guest.until(&table, "the turn", |copy| copy.turn() == Some(turn)).await;
        }
        let mover = if attempt.seat == Seat::One { &mut one } else { &mut two };
        let stone = mover.stone(&table, &attempt.cell.to_string());
        mover.ask(Request::Move(stone)).await;
    }
    let (_, figures) = get(&at, "/metrics").await;
    get(&at, &format!("/v1/tables/{table}")).await;
    let resign = one.command(&table);
    one.done(Request::Resign(resign.into())).await;
    server.terminate();
    assert!(server.ended().await.success());
    let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
    assert!(log.contains("TRACE") || log.contains("DEBUG"), "everything is logged: {log}");
    for text in [figures, log] {
        for attempt in &trio.games[0] {
            assert_eq!(line_with(&text, attempt.cell), None, "{attempt:?}");
        }
    }
}
