//! A table as text. PURE: the same copy and look always give the same picture.

use std::fmt::Write;
use std::time::Duration;

use hexhall_proto::options::{Collision, Goal, Options, Swap, Time};
use hexhall_proto::parts::{Cell, ClockReading, Color, EndedBy, Outcome, Phase, Seat};
use hexhall_proto::view::{GameView, View};

use crate::game::cell::column_letters;
use crate::remote::TableCopy;
use crate::wire;

/// Below this a clock shows tenths.
const TENTHS_BELOW_MS: u64 = 20_000;
/// The widest name that is shown.
const NAME: usize = 20;

/// How a picture is to look.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Look {
    /// Whether to use colours.
    pub color: bool,
    /// How long ago the clocks were read; without it they stand still.
    pub age: Option<Duration>,
    /// Why nothing new comes at the moment.
    pub trouble: Option<String>,
}

/// The table as lines of text, each ended.
pub fn render(copy: &TableCopy, look: &Look) -> String {
    let view = copy.view();
    let mut picture = Picture { text: String::new(), look };
    // In a party the next game may be played by other options than the one that is shown.
    let own = view.game.as_ref().and_then(|game| game.options.as_ref());
    picture.line(&format!("{}  {}", view.table, options(own.unwrap_or(&view.options))));
    for seat in [Seat::One, Seat::Two] {
        picture.player(view, seat);
    }
    if let Some(game) = &view.game {
        picture.line("");
        picture.board(game);
        picture.line("");
    }
    picture.line(&news(view));
    if let Some(trouble) = &look.trouble {
        picture.line(trouble);
    }
    picture.text
}

struct Picture<'a> {
    text: String,
    look: &'a Look,
}

impl Picture<'_> {
    fn line(&mut self, text: &str) {
        self.text.push_str(text.trim_end());
        self.text.push('\n');
    }

    /// The text in a colour, where there are colours.
    fn paint(&self, color: Color, bold: bool, text: &str) -> String {
        let code = match color {
            Color::Red => 31,
            Color::Blue => 34,
        };
        match (self.look.color, bold) {
            (false, _) => text.into(),
            (true, false) => format!("\x1b[{code}m{text}\x1b[0m"),
            (true, true) => format!("\x1b[1;7;{code}m{text}\x1b[0m"),
        }
    }

    fn player(&mut self, view: &View, seat: Seat) {
        let game = view.game.as_ref();
        let index = seat as usize;
        let color = game.map_or([Color::Red, Color::Blue], |game| game.colors)[index];
        let (word, edges) = match color {
            Color::Red => ("red ", "top to bottom"),
            Color::Blue => ("blue", "left to right"),
        };
        let word = self.paint(color, false, word);
        let clock = game.and_then(|game| self.clock(game, seat)).unwrap_or_default();
        let score = view.score[index];
        let mut line = format!("{word}  {:NAME$}  {edges}  {score:3} won", name(view, seat));
        let _ = write!(line, "  {clock:8}");
        if game.is_some_and(|game| game.to_move == Some(seat)) {
            line.push_str("  to move");
        }
        let presence = view.presence.seats[index];
        if let Some(level) = presence.cpu {
            let _ = write!(line, "  away, the computer plays at level {level}");
        } else if view.seats[index].is_some() && !presence.connected {
            line.push_str("  away");
        }
        self.line(&line);
    }

    /// A clock, counted down from when it was read.
    fn clock(&self, game: &GameView, seat: Seat) -> Option<String> {
        let clocks = game.clocks.as_ref()?;
        let ClockReading { left_ms, periods, first_move_ms } = clocks.seats[seat as usize];
        let age = self.look.age.filter(|_| clocks.running == Some(seat)).unwrap_or_default();
        let gone = u64::try_from(age.as_millis()).unwrap_or(u64::MAX);
        let mut text = time_left(left_ms.saturating_sub(gone));
        if let Some(periods) = periods {
            let _ = write!(text, " x{periods}");
        }
        if let Some(first_move_ms) = first_move_ms {
            let _ = write!(text, ", first move {}", time_left(first_move_ms.saturating_sub(gone)));
        }
        Some(text)
    }

    /// The rhombus: each row half a cell further right, its letters in the colour of the top and
    /// bottom edges, its numbers in that of the left and right ones.
    fn board(&mut self, game: &GameView) {
        let cols = game.board.first().map_or(0, String::len);
        let margin = game.board.len().to_string().len();
        let path = game.winning_path.as_deref().unwrap_or_default();
        let last = game.moves.last().and_then(|played| played.cell);
        self.letters(cols, margin);
        for (row, line) in game.board.iter().enumerate() {
            let number = self.paint(Color::Blue, false, &format!("{:>margin$}", row + 1));
            let mut text = format!("{:row$}{number}", "");
            let mut after_last = false;
            for (col, stone) in line.chars().enumerate() {
                let cell = Cell(row as i64, col as i64);
                let is_last = last == Some(cell);
                text.push(match (is_last, after_last) {
                    (true, _) => '(',
                    (_, true) => ')',
                    _ => ' ',
                });
                text.push_str(&self.stone(stone, path.contains(&cell)));
                after_last = is_last;
            }
            text.push(if after_last { ')' } else { ' ' });
            text.push_str(&self.paint(Color::Blue, false, &(row + 1).to_string()));
            self.line(&text);
        }
        self.letters(cols, margin + game.board.len());
    }

    /// The columns' letters, one above the other where there are two.
    fn letters(&mut self, cols: usize, indent: usize) {
        let name = |col| column_letters(u8::try_from(col).unwrap_or(u8::MAX));
        let names: Vec<String> = (0..cols).map(name).collect();
        let longest = names.iter().map(String::len).max().unwrap_or(0);
        for place in (0..longest).rev() {
            let letter = |name: &String| name.chars().rev().nth(place).unwrap_or(' ').to_string();
            let letters: Vec<String> = names.iter().map(letter).collect();
            let letters = self.paint(Color::Red, false, letters.join(" ").trim_end());
            self.line(&format!("{:indent$} {letters}", ""));
        }
    }

    fn stone(&self, stone: char, on_path: bool) -> String {
        let color = match stone {
            'r' => Color::Red,
            'b' => Color::Blue,
            _ => return ".".into(),
        };
        let letter = if on_path { stone.to_ascii_uppercase() } else { stone };
        let sign = if self.look.color { '●' } else { letter };
        self.paint(color, on_path, &sign.to_string())
    }
}

/// A player's name without anything that a terminal would obey.
fn name(view: &View, seat: Seat) -> String {
    match &view.seats[seat as usize] {
        Some(player) => player.name.chars().filter(|c| !c.is_control()).take(NAME).collect(),
        None => "(nobody)".into(),
    }
}

/// A player's name, or the colour of a seat that its player has left.
fn who(view: &View, game: &GameView, seat: Seat) -> String {
    match (&view.seats[seat as usize], game.colors[seat as usize]) {
        (Some(_), _) => name(view, seat),
        (None, Color::Red) => "red".into(),
        (None, Color::Blue) => "blue".into(),
    }
}

/// Whether the seat is the computer's own.
fn is_computers(view: &View, seat: Seat) -> bool {
    view.seats[seat as usize].as_ref().is_some_and(|player| player.cpu.is_some())
}

fn options(options: &Options) -> String {
    let mut text = format!("{}x{}", options.rows, options.cols);
    text.push_str(match options.collision {
        None => "",
        Some(Collision::Classical) => ", Dark Hex",
        Some(Collision::Abrupt) => ", Dark Hex, abrupt",
    });
    text.push_str(match options.swap {
        Swap::Off => "",
        Swap::Sides => ", swap of sides",
        Swap::Pieces => ", swap of pieces",
    });
    if options.goal == Goal::Avoid {
        text.push_str(", whoever joins loses");
    }
    let _ = match options.time {
        Time::None {} => write!(text, ", no clock"),
        Time::Fischer { initial_s, increment_s, .. } => {
            write!(text, ", {initial_s} s + {increment_s} s")
        }
        Time::PerTurn { seconds } => write!(text, ", {seconds} s a turn"),
        Time::ByoYomi { initial_s, period_s, periods } => {
            write!(text, ", {initial_s} s + {periods} x {period_s} s")
        }
    };
    text
}

/// What happened last.
fn news(view: &View) -> String {
    let Some(game) = &view.game else { return "waiting for a second player".into() };
    let mut text = match game.moves.last() {
        None => "no move yet".into(),
        Some(played) => {
            let what = match (played.cell, played.swap) {
                (Some(cell), _) if played.collision => {
                    format!("runs into a stone on {}", wire::read_cell(cell))
                }
                (Some(cell), _) => wire::read_cell(cell).to_string(),
                (None, Some(Swap::Pieces)) => "swaps the pieces".into(),
                (None, Some(_)) => "swaps sides".into(),
                (None, None) if played.collision => "runs into a hidden stone".into(),
                (None, None) => "places a stone that is hidden".into(),
            };
            let by = if played.cpu && !is_computers(view, played.seat) {
                ", by the computer"
            } else {
                ""
            };
            format!("move {}: {} {what}{by}", game.moves.len(), who(view, game, played.seat))
        }
    };
    if let Some(outcome) = game.outcome {
        let _ = write!(text, "\n{}", result(view, game, outcome));
    } else if game.paused {
        text.push_str("\npaused");
    }
    if let Some(path) = &game.winning_path {
        let cells: Vec<String> =
            path.iter().map(|&cell| wire::read_cell(cell).to_string()).collect();
        let _ = write!(text, ": {}", cells.join(" "));
    }
    if view.phase == Phase::Closed {
        text.push_str("\nthe table is closed");
    }
    text
}

fn result(view: &View, game: &GameView, Outcome { winner, by }: Outcome) -> String {
    let Some(winner) = winner else {
        return match by {
            EndedBy::NotStarted => "void: out of time before both had moved",
            EndedBy::Abandoned => "void: both players were gone",
            _ => "void: taken back before both had moved",
        }
        .into();
    };
    let other = if winner == Seat::One { Seat::Two } else { Seat::One };
    let (winner, loser) = (who(view, game, winner), who(view, game, other));
    match by {
        EndedBy::Resignation => format!("{winner} wins: {loser} resigned"),
        EndedBy::Time => format!("{winner} wins on time"),
        EndedBy::Forfeit => format!("{winner} wins: {loser} left"),
        _ => format!("{winner} wins by the chain"),
    }
}

fn time_left(ms: u64) -> String {
    let (minutes, seconds, tenths) = (ms / 60_000, ms / 1_000 % 60, ms / 100 % 10);
    if ms < TENTHS_BELOW_MS {
        format!("{minutes}:{seconds:02}.{tenths}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}
