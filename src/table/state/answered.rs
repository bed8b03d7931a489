//! What a seat's last commands were answered, so that each takes effect at most once.

use std::collections::VecDeque;

use crate::table::handle::CommandId;

/// How many commands of a seat are remembered.
pub const REMEMBERED: usize = 32;

/// What an accepted command was answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A move, and the turn to answer from then on.
    Moved {
        /// That turn.
        turn: u64,
        /// Whether it ran into a hidden stone, so that nothing was placed.
        collided: bool,
    },
    /// A proposal: its number, or that of the other seat's equal proposal that it agreed to.
    Offered(u64),
    /// Anything else.
    Done,
}

/// A seat's last [`REMEMBERED`] accepted commands. Every command is looked for here, and hardly any
/// is found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answered {
    /// The mark of each, apart from the rest: these few lines of memory are all that is looked at.
    marks: VecDeque<u64>,
    commands: VecDeque<(CommandId, Answer)>,
}

impl Answered {
    /// What the command was answered, if it was accepted not long ago.
    pub fn get(&self, command: &CommandId) -> Option<Answer> {
        let sought = mark(command);
        // All of them, since comparing several at once is quicker than stopping at the right one.
        if !self.marks.iter().fold(false, |found, mark| found | (*mark == sought)) {
            return None;
        }
        let known = self.commands.iter().rev().find(|(id, _)| id == command);
        known.map(|(_, answer)| *answer)
    }

    /// Remembers an answer, and forgets the oldest beyond [`REMEMBERED`].
    pub fn remember(&mut self, command: CommandId, answer: Answer) {
        if self.commands.len() == REMEMBERED {
            self.marks.pop_front();
            self.commands.pop_front();
        }
        self.marks.push_back(mark(&command));
        self.commands.push_back((command, answer));
    }
}

/// What tells most commands apart at a glance: the end, where names that are counted on differ.
fn mark(command: &CommandId) -> u64 {
    let name = command.as_str().as_bytes();
    match name.last_chunk() {
        Some(end) => u64::from_le_bytes(*end),
        None => name.iter().fold(0, |mark, byte| mark << 8 | u64::from(*byte)),
    }
}
