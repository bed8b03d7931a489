//! A GTP session: what each command does to position and settings, and what it answers.

use std::fmt::Write;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::str::FromStr;

use super::position::{Position, Refused, Step};
use crate::cli::engine::{Mind, Spec, SpecError, picture, spec};
use crate::cpu::{Budget, Choice, Outlook, Thought};
use crate::game::clock::{Control, Millis, Reading, TimeControl};
use crate::game::{Cell, Color, Move, Size};
use crate::record::{self, Action, MAX_BYTES};
use crate::time::TimeSource;

/// The longest that a move is thought about on a clock.
const MOST_MS: Millis = 600_000;
/// The longest clock that is believed.
const DAY_S: f64 = 86_400.0;
/// Below this chance of winning the game is given up, unless told otherwise.
const RESIGN_BELOW: f64 = 0.02;

/// What is answered to one command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The text, or why it could not be done.
    pub text: Result<String, String>,
    /// Whether the session is over.
    pub quit: bool,
}

/// A command, and what does it.
type Command = (&'static str, fn(&mut Session, &[&str]) -> Result<String, Refusal>);

const COMMANDS: [Command; 19] = [
    ("all_legal_moves", Session::all_legal_moves),
    ("boardsize", Session::boardsize),
    ("clear_board", Session::clear_board),
    ("final_score", Session::final_score),
    ("genmove", Session::genmove),
    ("known_command", Session::known_command),
    ("list_commands", Session::list_commands),
    ("loadsgf", Session::loadsgf),
    ("name", |_, _| Ok("hexhall".to_owned())),
    ("param_hexhall", Session::param),
    ("play", Session::play),
    ("protocol_version", |_, _| Ok("2".to_owned())),
    ("quit", |_, _| Ok(String::new())),
    ("reg_genmove", Session::reg_genmove),
    ("showboard", Session::showboard),
    ("time_left", Session::time_left),
    ("time_settings", Session::time_settings),
    ("undo", Session::undo),
    ("version", |_, _| Ok(env!("CARGO_PKG_VERSION").to_owned())),
];

/// Why a command was refused. The texts begin as the protocol's own do, where it has one.
#[derive(Debug, thiserror::Error)]
enum Refusal {
    #[error("unknown command: `{0}`; list_commands lists those that there are")]
    Unknown(String),
    #[error("syntax error: {0}")]
    Syntax(&'static str),
    #[error("unacceptable size: {0}")]
    Size(String),
    #[error("invalid color: `{0}`; black (or b, red) and white (or w, blue) are colors")]
    Color(String),
    #[error("invalid move: {0}; swap-pieces and resign are moves, too")]
    Move(String),
    #[error(transparent)]
    Refused(#[from] Refused),
    #[error("illegal move: the game is over, {0} has won")]
    Over(Color),
    #[error("cannot undo: nothing was played")]
    NothingToUndo,
    #[error("cannot load file: {0}")]
    Load(String),
    #[error("{0}")]
    Param(String),
}

/// What the session keeps of a colour's clock.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Left {
    left_ms: Millis,
    /// Moves to be made in that time; 0 for the rest of the game.
    stones: u64,
}

/// A GTP session.
#[derive(Debug)]
pub struct Session {
    position: Position,
    spec: Spec,
    seed: u64,
    resign_below: f64,
    mind: Mind,
    clocks: [Option<Left>; 2],
    time: TimeSource,
}

impl Session {
    /// A session at an empty board.
    pub fn new(size: Size, spec: Spec, seed: u64, time: TimeSource) -> Session {
        let mind = Mind::new(spec.clone(), seed, time.clone());
        let position = Position::new(size, true);
        let clocks = [None; 2];
        Session { position, spec, seed, resign_below: RESIGN_BELOW, mind, clocks, time }
    }

    /// Answers a line, if there is a command on it: with the command's number, if it had one.
    pub fn answer(&mut self, line: &str) -> Option<(Option<u32>, Answer)> {
        let line = line.split('#').next().unwrap_or_default();
        let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let mut words = line.split_whitespace().peekable();
        let id = words.peek().and_then(|word| word.parse().ok());
        if id.is_some() {
            words.next();
        }
        let name = words.next()?;
        let arguments: Vec<&str> = words.collect();
        let command = COMMANDS.iter().find(|command| command.0 == name);
        let done = match command {
            Some((_, does)) => does(self, &arguments),
            None => Err(Refusal::Unknown(name.chars().take(40).collect())),
        };
        let text = done.map_err(|refusal| refusal.to_string());
        Some((id, Answer { text, quit: name == "quit" }))
    }

    fn known_command(&mut self, arguments: &[&str]) -> Result<String, Refusal> {
        let &[name] = arguments else { return Err(Refusal::Syntax("known_command NAME")) };
        Ok(COMMANDS.iter().any(|command| command.0 == name).to_string())
    }

    fn list_commands(&mut self, _: &[&str]) -> Result<String, Refusal> {
        Ok(COMMANDS.map(|command| command.0).join("\n"))
    }

    fn boardsize(&mut self, arguments: &[&str]) -> Result<String, Refusal> {
        let usage = Refusal::Syntax("boardsize COLUMNS [ROWS]");
        let number = |text: &str| text.parse::<u64>().ok();
        let (cols, rows) = match *arguments {
            [side] => (number(side), number(side)),
            [cols, rows] => (number(cols), number(rows)),
            _ => return Err(usage),
        };
        let (Some(cols), Some(rows)) = (cols, rows) else { return Err(usage) };
        let size = Size::new(rows, cols).map_err(|error| Refusal::Size(error.to_string()))?;
        self.begin(Position::new(size, self.position.swap));
        Ok(String::new())
    }

    fn clear_board(&mut self, _: &[&str]) -> Result<String, Refusal> {
        self.begin(Position::new(self.position.size(), self.position.swap));
        Ok(String::new())
    }

    fn begin(&mut self, position: Position) {
        self.position = position;
        self.renew();
    }

    /// A player that remembers nothing, with the settings as they are now.
    fn renew(&mut self) {
        self.mind = Mind::new(self.spec.clone(), self.seed, self.time.clone());
    }

    fn play(&mut self, arguments: &[&str]) -> Result<String, Refusal> {
        let &[color, action] = arguments else {
            return Err(Refusal::Syntax("play COLOR MOVE, such as `play black c3`"));
        };
        let color = self::color(color)?;
        let step = match action.to_ascii_lowercase().as_str() {
            "swap-pieces" => Step::SwapPieces,
            "resign" => Step::Resign(color),
            cell => {
                let cell =
                    Cell::from_str(cell).map_err(|error| Refusal::Move(error.to_string()))?;
                Step::Stone(color, cell)
            }
        };
        self.position.play(step)?;
        Ok(String::new())
    }

    fn undo(&mut self, _: &[&str]) -> Result<String, Refusal> {
        if self.position.undo() { Ok(String::new()) } else { Err(Refusal::NothingToUndo) }
    }

    fn genmove(&mut self, arguments: &[&str]) -> Result<String, Refusal> {
        let &[color] = arguments else { return Err(Refusal::Syntax("genmove COLOR")) };
        let color = self::color(color)?;
        if self.position.winner().is_some() {
            return Ok("resign".to_owned());
        }
        let began = self.time.now();
        let thought = self.think(color);
        self.charge(color, self.time.now() - began);
        let hopeless = thought.value < self.resign_below;
        let step = match thought.choice {
            _ if hopeless => Step::Resign(color),
            Choice::Resign => Step::Resign(color),
            Choice::Play(Move::Place(cell)) => Step::Stone(color, cell),
            Choice::Play(Move::Swap) => Step::SwapPieces,
        };
        self.position.play(step)?;
        Ok(match step {
            Step::Stone(_, cell) => cell.to_string(),
            Step::SwapPieces => "swap-pieces".to_owned(),
            Step::Resign(_) => "resign".to_owned(),
        })
    }

    /// As [`Session::genmove`], but the move is not played, and nobody gives up.
    fn reg_genmove(&mut self, arguments: &[&str]) -> Result<String, Refusal> {
        let &[color] = arguments else { return Err(Refusal::Syntax("reg_genmove COLOR")) };
        let color = self::color(color)?;
        if let Some(winner) = self.position.winner() {
            return Err(Refusal::Over(winner));
        }
        Ok(match self.think(color).choice {
            Choice::Play(Move::Place(cell)) => cell.to_string(),
            Choice::Play(Move::Swap) => "swap-pieces".to_owned(),
            Choice::Resign => "resign".to_owned(),
        })
    }

    fn think(&mut self, color: Color) -> Thought {
        let seen = self.position.seen(color);
        // A time or a number of nodes that was set is kept to, whatever the clock shows.
        let told = self.spec.move_ms.is_some() || self.spec.nodes.is_some();
        let clock = self.clocks[color.index()].filter(|_| !told);
        let within_ms = clock.and_then(|left| {
            let own_ms = left.left_ms.checked_div(left.stones).unwrap_or(left.left_ms);
            let control =
                Control::Fischer { initial_ms: own_ms.max(1), increment_ms: 0, cap_ms: None };
            let turn = Control::PerTurn { turn_ms: own_ms.max(1_000) };
            let control = if left.stones > 0 { turn } else { control };
            let control = TimeControl::new(control, None).ok()?;
            let reading = Reading { left_ms: Some(own_ms), periods: 0, first_move_ms: None };
            Some(Budget::of(&control, reading, Outlook::of(&seen), MOST_MS).think_ms)
        });
        self.mind.choose(&seen, within_ms)
    }

    /// Controllers need not tell the time after each move.
    fn charge(&mut self, color: Color, took_ms: Millis) {
        if let Some(left) = &mut self.clocks[color.index()] {
            left.left_ms = left.left_ms.saturating_sub(took_ms);
        }
    }

    fn showboard(&mut self, _: &[&str]) -> Result<String, Refusal> {
        let (board, last) = (self.position.board(), self.position.last());
        let picture = picture::board(self.position.size(), |cell| board.get(cell), last);
        Ok(format!("\n{}", picture.trim_end()))
    }

    fn final_score(&mut self, _: &[&str]) -> Result<String, Refusal> {
        let score = match self.position.winner() {
            Some(Color::Red) => "B+",
            Some(Color::Blue) => "W+",
            None => "cannot score",
        };
        Ok(score.to_owned())
    }

    fn all_legal_moves(&mut self, _: &[&str]) -> Result<String, Refusal> {
        let board = self.position.board();
        let mut moves: Vec<String> = board.empty_cells().map(|cell| cell.to_string()).collect();
        if self.position.may_swap().is_some() {
            moves.push("swap-pieces".to_owned());
        }
        moves.push("resign".to_owned());
        Ok(moves.join(" "))
    }

    /// Main time, and so many seconds for so many moves after it: what counts is the main time, or
    /// the other where there is none.
    fn time_settings(&mut self, arguments: &[&str]) -> Result<String, Refusal> {
        let usage = "time_settings MAIN_SECONDS BYO_YOMI_SECONDS BYO_YOMI_STONES";
        let numbers: Option<Vec<Millis>> = arguments.iter().map(|text| duration_ms(text)).collect();
        let (Some([main_ms, period_ms, _]), Some(stones)) =
            (numbers.as_deref(), arguments.get(2).and_then(|text| text.parse::<u64>().ok()))
        else {
            return Err(Refusal::Syntax(usage));
        };
        // A period without stones is the protocol's way to say that time is not limited.
        let left = match (*main_ms, *period_ms, stones) {
            (0, 1.., 0) | (0, 0, _) => None,
            (0, left_ms, stones) => Some(Left { left_ms, stones }),
            (left_ms, ..) => Some(Left { left_ms, stones: 0 }),
        };
        self.clocks = [left; 2];
        Ok(String::new())
    }

    fn time_left(&mut self, arguments: &[&str]) -> Result<String, Refusal> {
        let usage = Refusal::Syntax("time_left COLOR SECONDS [STONES]");
        let shown = |left: Option<Left>| match left {
            Some(left) => format!("{}", left.left_ms as f64 / 1_000.0),
            None => "unlimited".to_owned(),
        };
        match *arguments {
            [] => {
                let [red, blue] = self.clocks.map(shown);
                Ok(format!("Black: {red}, White: {blue}"))
            }
            [color] => Ok(shown(self.clocks[self::color(color)?.index()])),
            [color, seconds, ref stones @ ..] if stones.len() < 2 => {
                let color = self::color(color)?;
                let stones = stones.first().map_or(Ok(0), |stones| stones.parse::<u64>());
                let (Some(left_ms), Ok(stones)) = (duration_ms(seconds), stones) else {
                    return Err(usage);
                };
                self.clocks[color.index()] = Some(Left { left_ms, stones });
                Ok(String::new())
            }
            _ => Err(usage),
        }
    }

    fn loadsgf(&mut self, arguments: &[&str]) -> Result<String, Refusal> {
        let (path, most) = match *arguments {
            [path] => (path, None),
            [path, most] => (path, most.parse::<usize>().ok()),
            _ => return Err(Refusal::Syntax("loadsgf FILE [MOVES]")),
        };
        if arguments.len() == 2 && most.is_none() {
            return Err(Refusal::Syntax("loadsgf FILE [MOVES]"));
        }
        let bytes = read(Path::new(path)).map_err(|error| Refusal::Load(error.to_string()))?;
        let records = record::read(&bytes, record::Format::from_path(Path::new(path)))
            .map_err(|error| Refusal::Load(error.to_string()))?;
        let Some(record) = records.first() else {
            return Err(Refusal::Load("it holds no game".to_owned()));
        };
        let mut position = Position::new(record.size, self.position.swap);
        for &(color, cell) in &record.setup {
            position.play(Step::Stone(color, cell))?;
        }
        for ply in record.plies.iter().take(most.unwrap_or(usize::MAX)) {
            match ply.action {
                Action::Place(cell) => position.play(Step::Stone(ply.color, cell))?,
                Action::SwapPieces => position.play(Step::SwapPieces)?,
                // Players change places, stones and colours do not.
                Action::SwapSides | Action::Collision(_) => {}
            }
        }
        self.begin(position);
        Ok(String::new())
    }

    fn param(&mut self, arguments: &[&str]) -> Result<String, Refusal> {
        let told = |error: SpecError| Refusal::Param(error.to_string());
        match *arguments {
            [] => return Ok(self.params()),
            ["level", number] => self.spec.level = Some(spec::level(number).map_err(told)?),
            ["nodes", "level"] => self.spec.nodes = None,
            ["nodes", number] => self.spec.nodes = Some(spec::nodes(number).map_err(told)?),
            ["seconds", "none"] => self.spec.move_ms = None,
            ["seconds", number] => self.spec.move_ms = Some(spec::seconds(number).map_err(told)?),
            ["swap", "0"] => self.position.swap = false,
            ["swap", "1"] => self.position.swap = true,
            ["resign", number] => {
                let parsed = number.parse().ok().filter(|below| (0.0..=0.5).contains(below));
                let wrong = || Refusal::Param(format!("`{number}` is not from 0 (never) to 0.5"));
                self.resign_below = parsed.ok_or_else(wrong)?;
            }
            ["seed", number] => {
                let wrong = || Refusal::Param(format!("`{number}` is not a whole number"));
                self.seed = number.parse().map_err(|_| wrong())?;
            }
            _ => {
                let text = "param_hexhall [NAME VALUE], where NAME is level, nodes (or `level`), \
                            seconds (or `none`), swap (0 or 1), resign or seed";
                return Err(Refusal::Syntax(text));
            }
        }
        self.renew();
        Ok(String::new())
    }

    fn params(&self) -> String {
        let mut text = self.spec.level.map_or(String::new(), |level| format!("level {level}"));
        let nodes = self.spec.nodes.map_or("level".to_owned(), |nodes| nodes.to_string());
        let seconds = |ms: Millis| (ms as f64 / 1_000.0).to_string();
        let seconds = self.spec.move_ms.map_or("none".to_owned(), seconds);
        let swap = u8::from(self.position.swap);
        let (resign, seed) = (self.resign_below, self.seed);
        let _ = write!(
            text,
            "\nnodes {nodes}\nseconds {seconds}\nswap {swap}\nresign {resign}\nseed {seed}"
        );
        text
    }
}

/// HexGui's words: black is red, moves first and joins top and bottom.
fn color(text: &str) -> Result<Color, Refusal> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" | "red" => Ok(Color::Red),
        "w" | "white" | "blue" => Ok(Color::Blue),
        _ => Err(Refusal::Color(text.chars().take(20).collect())),
    }
}

fn duration_ms(text: &str) -> Option<Millis> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..f64::MAX).contains(seconds))?;
    Some((seconds.min(DAY_S) * 1_000.0) as Millis)
}

fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
