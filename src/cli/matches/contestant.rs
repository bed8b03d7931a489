//! Who takes part in a match: an engine that is built in, or a program.

use std::fmt;
use std::str::FromStr;

use super::program::{Program, ProgramError};
use crate::cli::engine::{Mind, Spec, SpecError, sight, words};
use crate::cpu::Choice;
use crate::game::clock::Millis;
use crate::game::{Color, Game, Rules, Size, Swap};
use crate::time::TimeSource;

/// An engine as the command line names it.
#[derive(Clone, PartialEq, Debug)]
pub enum Contestant {
    /// One that is built in.
    Builtin(Spec),
    /// A program that speaks GTP, as a line for the shell.
    Program(String),
}

impl FromStr for Contestant {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Contestant, SpecError> {
        match text.strip_prefix("gtp:") {
            Some(command) if !command.trim().is_empty() => {
                Ok(Contestant::Program(command.trim().to_owned()))
            }
            Some(_) => Err(SpecError::Unknown(text.to_owned())),
            None => Ok(Contestant::Builtin(text.parse()?)),
        }
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contestant::Builtin(spec) => spec.fmt(f),
            Contestant::Program(command) => write!(f, "gtp:{command}"),
        }
    }
}

impl Contestant {
    /// Sees that a program can be started and speaks GTP: that it answers within the limit. One
    /// that refuses to name its protocol has answered, too.
    ///
    /// # Errors
    /// What is wrong with the program, and where to look.
    pub fn greet(&self, limit_ms: Millis, time: &TimeSource) -> Result<(), String> {
        let Contestant::Program(command) = self else { return Ok(()) };
        let mut program =
            Program::start(command, time.clone()).map_err(|error| error.to_string())?;
        match program.ask_within(GREETING, limit_ms) {
            Ok(_) | Err(ProgramError::Refused(..)) => Ok(()),
            Err(ProgramError::Silent(..)) => Err(format!(
                "`{command}` does not answer: nothing on its standard output within {} s of \
                 `{GREETING}`; does it speak GTP?",
                limit_ms / 1_000
            )),
            Err(ProgramError::Ended(_)) => Err(format!(
                "`{command}` could not be started: it ended before it answered `{GREETING}`; give \
                 a command that the shell finds, with what makes it speak GTP"
            )),
            Err(error @ (ProgramError::Start { .. } | ProgramError::Endless(_))) => {
                Err(error.to_string())
            }
        }
    }
}

/// What a program is asked first.
const GREETING: &str = "protocol_version";

/// Why a contestant loses a game otherwise than on the board.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// It took too long over a move.
    #[error("{took_ms} ms for a move, of {limit_ms} ms")]
    Time {
        /// How long it took, or was waited for.
        took_ms: Millis,
        /// How long it had, with what is tolerated.
        limit_ms: Millis,
    },
    /// Its move is none.
    #[error("no legal move: {0}")]
    Illegal(String),
    /// Its program failed.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

/// A contestant at one game.
#[derive(Debug)]
pub enum Playing {
    /// It is built in.
    Mind(Box<Mind>),
    /// It is a program, that has been told so many of the game's moves.
    Program {
        /// The program.
        program: Box<Program>,
        /// How many moves it knows.
        told: usize,
    },
}

impl Playing {
    /// Has a contestant ready for a game by these rules.
    pub fn begin(
        contestant: &Contestant,
        rules: &Rules,
        move_ms: Option<Millis>,
        seed: u64,
        time: &TimeSource,
    ) -> Result<Playing, Fault> {
        match contestant {
            Contestant::Builtin(spec) => {
                let mind = Mind::new(spec.clone(), seed, time.clone());
                Ok(Playing::Mind(Box::new(mind)))
            }
            Contestant::Program(command) => {
                let mut program = Program::start(command, time.clone())?;
                program.ask(&boardsize(rules.size()))?;
                perhaps(&mut program, "clear_board")?;
                tell_swap(&mut program, rules.swap())?;
                if let Some(move_ms) = move_ms {
                    let seconds = move_ms as f64 / 1_000.0;
                    perhaps(&mut program, &format!("time_settings 0 {seconds} 1"))?;
                }
                Ok(Playing::Program { program: Box::new(program), told: 0 })
            }
        }
    }

    /// Asks for the move of the seat that has it. An engine that is built in is shown what that
    /// seat sees, and nothing of the game itself.
    pub fn choose(
        &mut self,
        game: &Game,
        limit_ms: Option<Millis>,
        move_ms: Option<Millis>,
    ) -> Result<Choice, Fault> {
        match self {
            Playing::Mind(mind) => {
                let seen = sight::seen(game);
                Ok(seen.map_or(Choice::Resign, |seen| mind.choose(&seen, move_ms).choice))
            }
            Playing::Program { program, told } => {
                for ply in &game.plies()[*told..] {
                    let (color, played) = (words::color(ply.color), Choice::Play(ply.action));
                    program.ask(&format!("play {color} {}", words::choice(played)))?;
                }
                let to_move = game.to_move().map(|seat| game.color(seat)).unwrap_or(Color::Red);
                let command = format!("genmove {}", words::color(to_move));
                let limit_ms = limit_ms.unwrap_or(UNTIMED_MS);
                let answer =
                    program.ask_within(&command, limit_ms).map_err(|error| match error {
                        ProgramError::Silent(_, took_ms) => Fault::Time { took_ms, limit_ms },
                        error => error.into(),
                    })?;
                // The program has played its own move already.
                *told = game.plies().len() + 1;
                read(&answer)
            }
        }
    }
}

fn boardsize(size: Size) -> String {
    match size.is_square() {
        true => format!("boardsize {}", size.rows()),
        false => format!("boardsize {} {}", size.cols(), size.rows()),
    }
}

/// The commands by which engines are told the swap rule: this one's own, and MoHex's.
const SWAP_COMMANDS: [(&str, &str); 2] = [("param_hexhall", "swap"), ("param_game", "allow_swap")];

/// Tells a program whether the first stone may be swapped, if it has a command for that: each
/// engine has its own default, and one that swaps where that is not allowed loses.
fn tell_swap(program: &mut Program, swap: Swap) -> Result<(), ProgramError> {
    let allowed = u8::from(swap != Swap::Off);
    for (command, setting) in SWAP_COMMANDS {
        match program.ask(&format!("known_command {command}")) {
            Ok(known) if known.eq_ignore_ascii_case("true") => {
                return perhaps(program, &format!("{command} {setting} {allowed}"));
            }
            Ok(_) | Err(ProgramError::Refused(..)) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Tells a program what not every engine knows: that it refuses it is no fault.
fn perhaps(program: &mut Program, command: &str) -> Result<(), ProgramError> {
    match program.ask(command) {
        Ok(_) | Err(ProgramError::Refused(..)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// How long a program is waited for where no time is set.
const UNTIMED_MS: Millis = 600_000;

fn read(answer: &str) -> Result<Choice, Fault> {
    let illegal = |_| Fault::Illegal(format!("`{}`", answer.chars().take(40).collect::<String>()));
    words::read_choice(answer).map_err(illegal)
}
