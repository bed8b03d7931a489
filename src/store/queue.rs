//! What goes to be written, and how the writer answers.
//!
//! The queue is a bounded channel. A place in it is taken before anything is decided, so that what
//! was decided can always be written; when there is none, the answer is `Busy`. Answers cannot
//! fill, get lost or come out of order: an append moves one [`Word`] on, and everything else has a
//! `oneshot` of its own.

use std::cmp::Ordering;
use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use super::memory::Memory;
use super::people::Change;
use super::results::{GameResult, Left};
use super::rows::{GameRow, TableRow};
use super::word::{Lost, Word};
use crate::ids::TableId;

/// Why nothing can be written just now. Nothing has changed; the caller may ask again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Busy {
    /// As much waits to be written as may wait.
    #[error("the journal's queue is full: try again once it has caught up")]
    Full,
    /// Commits fail; see [`Store::health`](super::Store::health).
    #[error("the journal cannot be written: try again once it has recovered")]
    Failing,
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
}

/// A place in the queue. Dropped unused, it is free again.
#[must_use = "a slot that is dropped is free again, and nothing is written"]
pub struct Slot {
    permit: mpsc::OwnedPermit<Write>,
    /// The in-memory store, which has no thread: whoever hands something in also writes it.
    memory: Option<Arc<Memory>>,
}

impl Slot {
    pub(super) fn new(permit: mpsc::OwnedPermit<Write>, memory: Option<Arc<Memory>>) -> Slot {
        Slot { permit, memory }
    }

    /// Hands an append to the writer; `append.told` says when it is durable.
    ///
    /// The appends of one table are written in the order of these calls.
    pub fn append(self, append: Append) {
        self.send(Write::Append(append));
    }

    pub(super) fn send(self, write: Write) {
        match self.memory {
            Some(memory) => memory.write(write, self.permit),
            None => drop(self.permit.send(write)),
        }
    }
}

/// Events of one table, and the rows that change with them: all of it is durable, or none.
#[derive(Debug)]
pub struct Append {
    /// The table.
    pub table: TableId,
    /// The journal number of the first event; a table's first has 1. With no events at all, the
    /// number that the next one will have.
    pub first: u64,
    /// The events, in a form that the store does not read.
    pub events: Vec<Vec<u8>>,
    /// The table's row, where it changes.
    pub listing: Option<TableRow>,
    /// The games that start or end, in that order.
    pub games: Vec<GameRow>,
    /// What the game came to that ends; counted once, however often it is handed in.
    pub result: Option<Box<GameResult>>,
    /// Who left the rated game that ends, also where it is void and so has no result.
    pub left: Option<Left>,
    /// Where the writer says what is durable. All appends of one table's actor carry the same.
    pub told: Word,
}

impl Append {
    /// Whether an earlier append of the same actor was not written, so that this one must not be
    /// either.
    pub(super) fn is_disowned(&self) -> bool {
        self.told.last().lost.is_some()
    }

    /// Whether its events come right after the number that the table's journal has reached. Where
    /// the first was taken, the actor is told.
    ///
    /// That need not wait for the commit: what holds the number is durable already or stands
    /// earlier in the same batch, and a batch is written again in the same order.
    pub(super) fn follows(&self, last: u64) -> Verdict {
        let number = self.first;
        match number.cmp(&last.saturating_add(1)) {
            Ordering::Equal => Ok(()),
            Ordering::Less => {
                tracing::error!(table = %self.table, number, "journal number is already taken");
                self.told.say(|durable| durable.lost = Some(Lost::Taken(number)));
                Err(Refused::Taken)
            }
            // What was to come before was not written, and so is nothing after it.
            Ordering::Greater => Err(Refused::Unwritable),
        }
    }

    /// The number of the last event, or of the one before `first` if there are none.
    fn last(&self) -> u64 {
        (self.first + self.events.len() as u64).saturating_sub(1)
    }
}

/// One thing to write.
#[derive(Debug)]
pub(super) enum Write {
    Append(Append),
    People {
        change: Change,
        /// Who waits for the verdict, if anybody does.
        done: Option<oneshot::Sender<Verdict>>,
    },
    /// The last of all: what was handed in before is written, then the writer ends.
    Close,
}

/// What became of a write in a transaction that was committed.
pub(super) type Verdict = Result<(), Refused>;

/// Why one write was left out of a transaction. It will never succeed, so the rest goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Refused {
    Taken,
    NameTaken,
    Full,
    /// All together have as many as there may be.
    NoRoom,
    Unknown,
    /// The engine can make nothing of it: it breaks a constraint, is too large, or meets a bug.
    Unwritable,
}

impl Write {
    /// How many events it brings.
    pub(super) fn events(&self) -> usize {
        match self {
            Write::Append(append) => append.events.len(),
            _ => 0,
        }
    }

    /// What kind of write it is, for the log.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Write::Append(_) => "append",
            Write::People { .. } => "people",
            Write::Close => "close",
        }
    }

    /// Tells whoever waits for it. To be called once the verdict is durable, and in queue order.
    pub(super) fn tell(self, verdict: Verdict) {
        match self {
            Write::Append(append) if verdict.is_ok() => {
                let last = append.last();
                append.told.say(|durable| durable.to = durable.to.max(last));
            }
            Write::Append(append) => {
                // What was disowned knows it already.
                let lost = Lost::Refused(append.first);
                append.told.say(|durable| _ = durable.lost.get_or_insert(lost));
            }
            Write::People { done: Some(done), .. } => {
                // Whoever asked may have gone away; what was written stays written.
                let _ = done.send(verdict);
            }
            Write::People { done: None, .. } | Write::Close => {}
        }
    }
}
