//! What a match tells: a line for each game, and the result.

use std::fmt::{self, Write};
use std::fs;
use std::path::Path;

use serde::Serialize;

use super::referee::Played;
use super::score::{Elo, Score};
use crate::cli::Failure;
use crate::game::clock::Millis;
use crate::game::{Outcome, Seat, WonBy};
use crate::record::{self, Format, Meta, Record};

/// One of the two engines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Side {
    A,
    B,
}

impl Side {
    fn other(self) -> Side {
        match self {
            Side::A => Side::B,
            Side::B => Side::A,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::A => "a",
            Side::B => "b",
        })
    }
}

/// What became of one game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameLine {
    /// From 1.
    number: u32,
    winner: Side,
    /// The colour that the first engine began with.
    a_began_as: &'static str,
    /// `chain`, `resignation`, `time` or `fault`.
    by: &'static str,
    /// What the loser did wrong, if it did.
    fault: Option<String>,
    /// Moves, those of the opening among them.
    moves: usize,
    /// How long each engine thought in the game, in milliseconds.
    thought_ms: [Millis; 2],
}

/// A match as far as it has been played.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    names: [String; 2],
    games: u32,
    score: Score,
    lines: Vec<GameLine>,
}

/// The result as JSON.
#[derive(Serialize)]
struct Outline<'a> {
    a: &'a str,
    b: &'a str,
    games: u32,
    won_by_a: u32,
    won_by_b: u32,
    /// Of the losses, those by a crash, an illegal move or time.
    faults: [usize; 2],
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    lines: &'a [GameLine],
}

impl Report {
    /// A match of so many games, before the first one.
    pub fn new(names: [String; 2], games: u32) -> Report {
        Report { names, games, score: Score::default(), lines: Vec::new() }
    }

    /// Adds a game; `a` is the first engine's seat in it.
    pub fn add(&mut self, number: u32, a: Seat, played: &Played) -> &GameLine {
        let a_won = played.winner == a;
        *(if a_won { &mut self.score.a } else { &mut self.score.b }) += 1;
        let by = match played.game.outcome() {
            Some(Outcome::Won { by: WonBy::Chain, .. }) => "chain",
            Some(Outcome::Won { by: WonBy::Resignation, .. }) => "resignation",
            Some(Outcome::Won { by: WonBy::Time, .. }) => "time",
            _ => "fault",
        };
        self.lines.push(GameLine {
            number: number + 1,
            winner: if a_won { Side::A } else { Side::B },
            a_began_as: if a == Seat::One { "red" } else { "blue" },
            by,
            fault: played.fault.clone(),
            moves: played.game.plies().len(),
            thought_ms: [a, a.other()].map(|seat| played.thought_ms[seat.index()]),
        });
        &self.lines[self.lines.len() - 1]
    }

    /// One line about a game that has just ended, and the score with it.
    pub fn progress(&self, line: &GameLine) -> String {
        let Score { a, b } = self.score;
        let GameLine { number, winner, by, moves, .. } = line;
        let mut text = format!(
            "{}/{}  a {a} : {b} b  game {number}: {winner} by {by}, {moves} moves",
            self.lines.len(),
            self.games
        );
        if let Some(fault) = &line.fault {
            let _ = write!(text, " ({fault})");
        }
        text
    }

    /// The result as text.
    pub fn text(&self) -> String {
        let Score { a, b } = self.score;
        let [first, second] = &self.names;
        let mut text = format!("a: {first}\nb: {second}\n");
        let percent = self.score.part().unwrap_or_default() * 100.0;
        let _ = write!(text, "a won {a} of {}, b {b}: {percent:.1} %", self.score.games());
        for loser in [Side::A, Side::B] {
            let faults = self.faults(loser);
            if faults > 0 {
                let _ = write!(text, "; {loser} lost {faults} by fault");
            }
        }
        text.push('\n');
        for color in ["red", "blue"] {
            let began = self.lines.iter().filter(|line| line.a_began_as == color);
            let (games, won) = began.fold((0, 0), |(games, won), line| {
                (games + 1, won + u32::from(line.winner == Side::A))
            });
            let _ = writeln!(text, "a beginning as {color} won {won} of {games}");
        }
        if let Some(elo) = self.score.elo() {
            let _ = writeln!(text, "{}", difference(elo));
        }
        for line in &self.lines {
            if let Some(fault) = &line.fault {
                let (number, loser, by) = (line.number, line.winner.other(), line.by);
                let _ = writeln!(text, "game {number}: {loser} lost by {by}: {fault}");
            }
        }
        text
    }

    /// How many games a side lost by a crash, an illegal move or time.
    fn faults(&self, loser: Side) -> usize {
        let faulty = |line: &&GameLine| line.fault.is_some() && line.winner != loser;
        self.lines.iter().filter(faulty).count()
    }

    /// The result as one JSON object.
    pub fn json(&self) -> String {
        let elo = self.score.elo();
        let mut lines = self.lines.clone();
        lines.sort_by_key(|line| line.number);
        let result = Outline {
            a: &self.names[0],
            b: &self.names[1],
            games: self.score.games(),
            won_by_a: self.score.a,
            won_by_b: self.score.b,
            faults: [Side::A, Side::B].map(|loser| self.faults(loser)),
            elo: elo.and_then(|elo| elo.difference),
            elo_low: elo.and_then(|elo| elo.low),
            elo_high: elo.and_then(|elo| elo.high),
            lines: &lines,
        };
        // It has nothing that could not be written.
        let text = serde_json::to_string(&result).unwrap_or_default();
        format!("{text}\n")
    }
}

fn difference(elo: Elo) -> String {
    match (elo.difference, elo.low, elo.high) {
        (Some(difference), Some(low), Some(high)) => {
            format!("Elo difference {difference:+.0} (95 %: {low:+.0} to {high:+.0})")
        }
        (_, Some(low), _) => format!("Elo difference above {low:+.0} (95 %)"),
        (_, _, Some(high)) => format!("Elo difference below {high:+.0} (95 %)"),
        _ => String::new(),
    }
}

/// Writes a game into the directory.
pub fn keep(dir: &Path, report: &Report, played: &Played, line: &GameLine) -> Result<(), Failure> {
    let dark = played.game.is_dark();
    let format = if dark { Format::Json } else { Format::Sgf };
    let path = dir.join(format!("game-{:04}.{format}", line.number));
    let [a, b] = report.names.clone();
    let players = if line.a_began_as == "red" { [Some(a), Some(b)] } else { [Some(b), Some(a)] };
    let meta = Meta { id: Some(format!("game {}", line.number)), ..Meta::default() };
    let record = Record::from_game(&played.game, players, &[], meta);
    let refused = |error: record::WriteError| Failure::Convert {
        path: path.clone(),
        reason: error.to_string(),
    };
    let text = record::write(&record, format).map_err(refused)?;
    fs::write(&path, text).map_err(|source| Failure::Write { path: path.clone(), source })
}
