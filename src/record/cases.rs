//! Lists of moves as other programs publish them for tests: one JSON object a line.
//!
//! Two forms are read. One names a game and lists its moves as words (`a6`, `swap-pieces`), with
//! the winner and sometimes a chain that shows it. The other comes from a referee program and
//! lists attempts by seat.

use serde::Deserialize;

use super::error::{ReadError, Reason, Source};
use super::format::MAX_RECORDS;
use super::json::json_error;
use super::replay::{joined_color, joins};
use super::{Action, Record, RecordError, RecordPly};
use crate::game::{Cell, Collision, Color, Kind, Outcome, Seat, Size, Swap, WonBy};

#[derive(Deserialize)]
struct Published {
    name: String,
    rows: u64,
    cols: u64,
    moves: Vec<String>,
    end: End,
    winner: Option<u64>,
    #[serde(default)]
    winning_path: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum End {
    Chain,
    Resign,
    Unfinished,
}

#[derive(Deserialize)]
struct Refereed {
    rules: String,
    rows: u64,
    cols: u64,
    swap: String,
    attempts: Vec<(u64, String, String)>,
    winner: Option<u64>,
}

/// One game a line. Empty lines are skipped.
pub(super) fn read(text: &str) -> Result<Vec<Record>, ReadError> {
    let source = Source { text };
    let mut records = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if records.len() == MAX_RECORDS {
            let reason = Reason::TooMuch { max: MAX_RECORDS, unit: "games" };
            return Err(source.error_at(line, reason));
        }
        let not_a_line = |error: serde_json::Error| {
            let ReadError { column, reason, .. } = json_error(&error);
            let token = String::new();
            ReadError { column, token, ..source.error_at(line, reason) }
        };
        let record = if line.contains("\"attempts\"") {
            refereed(serde_json::from_str(line).map_err(not_a_line)?)
        } else {
            published(serde_json::from_str(line).map_err(not_a_line)?)
        };
        records.push(record.map_err(|(token, reason)| ReadError {
            column: None,
            ..source.error(source.offset(line), &token, reason)
        })?);
    }
    Ok(records)
}

/// A record, or the token that spoils it and why.
type Refusable = Result<Record, (String, Reason)>;

fn published(game: Published) -> Refusable {
    let words: Vec<&str> = game.moves.iter().map(String::as_str).collect();
    let mut record = sequence(game.rows, game.cols, &words)?;
    record.meta.id = Some(game.name);
    let by = match game.end {
        End::Chain => Some(WonBy::Chain),
        End::Resign => Some(WonBy::Resignation),
        End::Unfinished => None,
    };
    let path: Result<Vec<Cell>, _> = game.winning_path.iter().map(|cell| cell.parse()).collect();
    let path = path.map_err(|reason| ("winning_path".into(), Reason::Cell(reason)))?;
    finished(record, &words, by, game.winner, &path)
}

fn refereed(game: Refereed) -> Refusable {
    let mut words = Vec::new();
    let kind = match &*game.rules {
        "hex" => Kind::Hex,
        "dark-classical" => Kind::Dark(Collision::Classical),
        "dark-abrupt" => Kind::Dark(Collision::Abrupt),
        _ => {
            let reason = Reason::syntax("`rules` is `hex`, `dark-classical` or `dark-abrupt`");
            return Err((game.rules, reason));
        }
    };
    let (swap, swap_word) = match &*game.swap {
        "off" => (Swap::Off, "swap-sides"),
        "sides" => (Swap::Sides, "swap-sides"),
        "pieces" => (Swap::Pieces, "swap-pieces"),
        _ => {
            let reason = Reason::syntax("`swap` is `off`, `sides` or `pieces`");
            return Err((game.swap, reason));
        }
    };
    for (index, (seat, word, _)) in game.attempts.iter().enumerate() {
        if kind == Kind::Hex && *seat != 1 + index as u64 % 2 {
            let reason = Reason::syntax("seats alternate, and seat 1 begins");
            return Err((format!("{seat} {word}"), reason));
        }
        words.push(if word == "swap" { swap_word } else { word });
    }
    let mut record = sequence(game.rows, game.cols, &words)?;
    (record.kind, record.swap) = (kind, swap);
    if kind != Kind::Hex {
        // Whose turn it is depends on what came of the attempts, which is told of each.
        for (ply, (seat, _, came)) in record.plies.iter_mut().zip(&game.attempts) {
            ply.color = if *seat == 1 { Color::Red } else { Color::Blue };
            if let (Action::Place(cell), "collision") = (ply.action, &**came) {
                ply.action = Action::Collision(cell);
            }
        }
    }
    finished(record, &words, game.winner.map(|_| WonBy::Chain), game.winner, &[])
}

/// A record of alternating moves, without its end.
fn sequence(rows: u64, cols: u64, words: &[&str]) -> Refusable {
    let size = Size::new(rows, cols);
    let mut record =
        Record::new(size.map_err(|reason| (format!("{rows}x{cols}"), Reason::Size(reason)))?);
    let mut color = Color::Red;
    for &word in words {
        let action = match word {
            "swap-sides" => Action::SwapSides,
            "swap-pieces" => Action::SwapPieces,
            _ => Action::Place(word.parse().map_err(|reason| (word.into(), Reason::Cell(reason)))?),
        };
        record.swap = match action {
            Action::SwapSides => Swap::Sides,
            Action::SwapPieces => Swap::Pieces,
            Action::Place(_) | Action::Collision(_) => record.swap,
        };
        record.plies.push(RecordPly { color, action, clock: None, cpu: false });
        if action != Action::SwapSides {
            color = color.other();
        }
    }
    Ok(record)
}

fn finished(
    mut record: Record,
    words: &[&str],
    by: Option<WonBy>,
    winner: Option<u64>,
    path: &[Cell],
) -> Refusable {
    if let Some(by) = by {
        let winner = winner.and_then(Seat::from_number).ok_or_else(|| {
            ("winner".into(), Reason::syntax("a game that was won has a winner, seat 1 or 2"))
        })?;
        record.end = Some(Outcome::Won { winner, by });
    }
    let game = record.replay().map_err(|error| {
        let token = match error {
            RecordError::Ply { index, .. } => words.get(index).copied().unwrap_or_default(),
            RecordError::End(_) => "winner",
            _ => "",
        };
        (token.into(), Reason::Record(error))
    })?;
    let is_chain = || joined_color(&game).is_some_and(|color| joins(&game, color, path));
    if !path.is_empty() && !is_chain() {
        return Err(("winning_path".into(), Reason::Record(RecordError::Path)));
    }
    record.settle_by(&game);
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_does_not_fit_is_refused_with_its_number_and_word() {
        let game = |moves: &str, end: &str| {
            format!("\n{{\"name\":\"x\",\"rows\":2,\"cols\":2,\"moves\":[{moves}],{end}}}")
        };
        let refereed = |attempts: &str| {
            format!(
                "\n{{\"rules\":\"hex\",\"rows\":2,\"cols\":2,\"swap\":\"off\",\
                 \"attempts\":[{attempts}],\"winner\":1}}"
            )
        };
        let chain = "\"end\":\"chain\",\"winner\":1";
        let refused = [
            (game("\"a1\",\"a1\"", chain), "a1", "taken by a red stone"),
            (game("\"a1\",\"pass\"", chain), "pass", "is not a cell"),
            (game("\"a1\"", chain), "winner", "nobody's edges are joined"),
            (game("\"a1\"", "\"end\":\"resign\""), "winner", "has a winner"),
            (refereed("[1,\"a1\",\"placed\"],[1,\"a2\",\"placed\"]"), "1 a2", "seats alternate"),
            (
                refereed("[1,\"a1\",\"placed\"],[2,\"swap\",\"swap\"]"),
                "swap-sides",
                "without the swap rule",
            ),
        ];
        for (text, token, reason) in refused {
            let error = read(&text).expect_err(&text);
            assert_eq!((error.line, &*error.token), (2, token), "{text}");
            assert!(error.to_string().contains(reason), "{text}: {error}");
        }
    }
}
