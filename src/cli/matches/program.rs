//! An engine that is a program of its own and speaks GTP.
//!
//! Owns the process: it is killed when this is dropped. Every answer is waited for within a limit,
//! so that a program that hangs loses its game and holds up nothing.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use crate::game::clock::Millis;
use crate::time::TimeSource;

/// The longest line that is taken from a program.
const MAX_LINE: u64 = 64 * 1024;
/// The longest answer that is taken from a program.
const MAX_ANSWER: usize = 64 * 1024;
/// How long a program may take over anything but a move: its start, which may load large files, is
/// part of the first answer.
const CHORE_MS: Millis = 30_000;

/// Why a program gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// It could not be started.
    #[error("`{command}` cannot be started: {source}")]
    Start {
        /// What was to be run.
        command: String,
        /// Why not.
        source: io::Error,
    },
    /// It has ended, or closed its output.
    #[error("the program ended at `{0}`")]
    Ended(String),
    /// It took too long.
    #[error("no answer to `{0}` within {1} ms")]
    Silent(String, Millis),
    /// It said more than any answer has.
    #[error("the answer to `{0}` has more than {MAX_ANSWER} bytes")]
    Endless(String),
    /// It refused the command.
    #[error("`{0}` was refused: {1}")]
    Refused(String, String),
}

/// A running program.
#[derive(Debug)]
pub struct Program {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
    time: TimeSource,
}

impl Program {
    /// Starts a program by a line as for a shell. What it says on standard error is shown.
    pub fn start(command: &str, time: TimeSource) -> Result<Program, ProgramError> {
        let failed = |source| ProgramError::Start { command: command.to_owned(), source };
        // The shell gives way to the program, so that ending the one ends the other.
        let mut child = Command::new("sh")
            .args(["-c", &format!("exec {command}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (stdin, stdout) = pipes.ok_or_else(|| failed(io::Error::other("no pipes")))?;
        // As many lines as an answer may have wait here; a program that says more has to wait.
        let (say, lines) = sync_channel(1024);
        thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            loop {
                let mut line = Vec::new();
                match (&mut stdout).take(MAX_LINE).read_until(b'\n', &mut line) {
                    Ok(1..) => {}
                    _ => return,
                }
                let line = String::from_utf8_lossy(&line).trim_end().to_owned();
                if say.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Program { child, stdin, lines, time })
    }

    /// Sends a command that takes no thinking, and gives its answer.
    pub fn ask(&mut self, command: &str) -> Result<String, ProgramError> {
        self.ask_within(command, CHORE_MS)
    }

    /// Sends a command, and gives its answer if that comes in time.
    pub fn ask_within(&mut self, command: &str, limit_ms: Millis) -> Result<String, ProgramError> {
        let ended = || ProgramError::Ended(command.to_owned());
        writeln!(self.stdin, "{command}").and_then(|()| self.stdin.flush()).map_err(|_| ended())?;
        let until = self.time.now() + limit_ms;
        let mut answer: Option<String> = None;
        loop {
            let left = Duration::from_millis(until - self.time.now());
            let line = match self.lines.recv_timeout(left) {
                Ok(line) => line,
                Err(RecvTimeoutError::Disconnected) => return Err(ended()),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(ProgramError::Silent(command.to_owned(), limit_ms));
                }
            };
            match &mut answer {
                // Whatever is said before an answer is none.
                None if line.starts_with(['=', '?']) => answer = Some(line),
                None => {}
                Some(answer) if line.is_empty() => {
                    let text = answer[1..].trim().to_owned();
                    return match answer.starts_with('=') {
                        true => Ok(text),
                        false => Err(ProgramError::Refused(command.to_owned(), text)),
                    };
                }
                Some(answer) if answer.len() + line.len() >= MAX_ANSWER => {
                    return Err(ProgramError::Endless(command.to_owned()));
                }
                Some(answer) => {
                    answer.push('\n');
                    answer.push_str(&line);
                }
            }
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = writeln!(self.stdin, "quit");
        // It may have gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_end_with_an_empty_line_and_refusals_are_told() {
        let script = "sh -c 'echo chatter; while read l; do case $l in \
                      name) printf \"= one\\ntwo\\n\\n\";; bad) printf \"? no such\\n\\n\";; \
                      end) exit;; esac; done'";
        let mut program = Program::start(script, TimeSource::system()).unwrap();
        assert_eq!(program.ask("name").unwrap(), "one\ntwo");
        let refused = program.ask("bad").unwrap_err();
        assert_eq!(refused.to_string(), "`bad` was refused: no such");
        assert!(matches!(program.ask_within("quiet", 50), Err(ProgramError::Silent(_, 50))));
        assert!(matches!(program.ask("end"), Err(ProgramError::Ended(_))));
    }

    #[test]
    fn an_answer_without_an_end_is_none() {
        let mut program = Program::start("yes '= endless'", TimeSource::system()).unwrap();
        assert!(matches!(program.ask("name"), Err(ProgramError::Endless(_))));
    }

    #[test]
    fn a_program_that_is_not_there_has_ended_at_the_first_question() {
        let mut program = Program::start("./no-such-engine", TimeSource::system()).unwrap();
        assert!(matches!(program.ask("name"), Err(ProgramError::Ended(_))));
    }
}
