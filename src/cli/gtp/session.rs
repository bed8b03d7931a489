//! A GTP session: what each command does to position and settings, and what it answers.

use std::fmt::Write;
use std::fs;
use std::io::Read;
use std::path::Path;

use super::clocks::Clocks;
use super::position::{Position, Refused, Step};
use crate::cli::engine::{Mind, Spec, SpecError, picture, spec, words};
use crate::cpu::{Choice, Outlook, Thought};
use crate::game::clock::Millis;
use crate::game::{Color, Size};
use crate::record::{self, Action, MAX_BYTES};
use crate::time::TimeSource;

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
    #[error("unknown command: `{0}`; {1}")]
    Unknown(String, String),
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

/// A GTP session.
#[derive(Debug)]
pub struct Session {
    position: Position,
    spec: Spec,
    seed: u64,
    resign_below: f64,
    mind: Mind,
    clocks: Clocks,
    time: TimeSource,
}

impl Session {
    /// A session at a position.
    pub fn new(position: Position, spec: Spec, seed: u64, time: TimeSource) -> Session {
        let mind = Mind::new(spec.clone(), seed, time.clone());
        let clocks = Clocks::default();
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
            None => Err(unknown(name)),
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
        let choice =
            words::read_choice(action).map_err(|error| Refusal::Move(error.to_string()))?;
        self.position.play(Step::of(color, choice))?;
        Ok(String::new())
    }

    fn undo(&mut self, _: &[&str]) -> Result<String, Refusal> {
        if self.position.undo() { Ok(String::new()) } else { Err(Refusal::NothingToUndo) }
    }

    fn genmove(&mut self, arguments: &[&str]) -> Result<String, Refusal> {
        let &[color] = arguments else { return Err(Refusal::Syntax("genmove COLOR")) };
        let color = self::color(color)?;
        if self.position.winner().is_some() {
            return Ok(words::RESIGN.to_owned());
        }
        let began = self.time.now();
        let thought = self.think(color);
        self.clocks.charge(color, self.time.now() - began);
        let hopeless = thought.value < self.resign_below;
        let choice = if hopeless { Choice::Resign } else { thought.choice };
        self.position.play(Step::of(color, choice))?;
        Ok(words::choice(choice))
    }

    /// As [`Session::genmove`], but the move is not played, and nobody gives up.
    fn reg_genmove(&mut self, arguments: &[&str]) -> Result<String, Refusal> {
        let &[color] = arguments else { return Err(Refusal::Syntax("reg_genmove COLOR")) };
        let color = self::color(color)?;
        if let Some(winner) = self.position.winner() {
            return Err(Refusal::Over(winner));
        }
        Ok(words::choice(self.think(color).choice))
    }

    fn think(&mut self, color: Color) -> Thought {
        let seen = self.position.seen(color);
        // A time or a number of nodes that was set is kept to, whatever the clock shows.
        let told = self.spec.move_ms.is_some() || self.spec.nodes.is_some();
        let within_ms = match told {
            true => None,
            false => self.clocks.think_ms(color, Outlook::of(&seen)),
        };
        self.mind.choose(&seen, within_ms)
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
            moves.push(words::SWAP.to_owned());
        }
        moves.push(words::RESIGN.to_owned());
        Ok(moves.join(" "))
    }

    fn time_settings(&mut self, arguments: &[&str]) -> Result<String, Refusal> {
        let usage = Refusal::Syntax("time_settings MAIN_SECONDS BYO_YOMI_SECONDS BYO_YOMI_STONES");
        let &[main, period, stones] = arguments else { return Err(usage) };
        self.clocks = Clocks::set(main, period, stones).ok_or(usage)?;
        Ok(String::new())
    }

    fn time_left(&mut self, arguments: &[&str]) -> Result<String, Refusal> {
        let usage = Refusal::Syntax("time_left COLOR SECONDS [STONES]");
        match *arguments {
            [] => {
                let [red, blue] = [Color::Red, Color::Blue].map(|color| self.clocks.shown(color));
                Ok(format!("Black: {red}, White: {blue}"))
            }
            [color] => Ok(self.clocks.shown(self::color(color)?)),
            [color, seconds, ref stones @ ..] if stones.len() < 2 => {
                let told = self.clocks.told(self::color(color)?, seconds, stones.first().copied());
                self.clocks = told.ok_or(usage)?;
                Ok(String::new())
            }
            _ => Err(usage),
        }
    }

    fn loadsgf(&mut self, arguments: &[&str]) -> Result<String, Refusal> {
        let usage = Refusal::Syntax("loadsgf FILE [MOVES]");
        let (path, most) = match *arguments {
            [path] => (path, usize::MAX),
            [path, most] => (path, most.parse().map_err(|_| usage)?),
            _ => return Err(usage),
        };
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
        for ply in record.plies.iter().take(most) {
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

/// How alike a known command is to one that is meant, from 0 to 1.
const ALIKE: f64 = 0.85;

fn unknown(name: &str) -> Refusal {
    let name: String = name.chars().take(40).collect();
    let alike = COMMANDS.iter().map(|command| (strsim::jaro_winkler(&name, command.0), command.0));
    let hint = match alike.max_by(|(a, _), (b, _)| a.total_cmp(b)) {
        Some((alike, nearest)) if alike > ALIKE => format!("did you mean `{nearest}`?"),
        _ => "list_commands lists those that there are".to_owned(),
    };
    Refusal::Unknown(name, hint)
}

fn color(text: &str) -> Result<Color, Refusal> {
    let unknown = || Refusal::Color(text.chars().take(20).collect());
    words::read_color(text).ok_or_else(unknown)
}

fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
