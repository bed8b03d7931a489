//! What a check has looked at, and what it found wrong.

use std::fmt;

use crate::ids::TableId;
use crate::table::state::event::Event;

/// The most problems that are kept and shown; more are only counted.
pub const MOST_PROBLEMS: usize = 1_000;

/// What a whole check came to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// What was looked at.
    pub counts: Counts,
    /// What is wrong, in the order of tables and events; the first [`MOST_PROBLEMS`] of it.
    pub problems: Vec<Problem>,
    /// How many problems there are beyond those.
    pub more: u64,
}

/// What was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Tables that have a journal.
    pub tables: u64,
    /// Events read.
    pub events: u64,
    /// Times that a player took a seat.
    pub seatings: u64,
    /// Games begun.
    pub games: u64,
    /// Games that have ended.
    pub ended: u64,
    /// Moves played, those taken back included.
    pub moves: u64,
    /// Games that have changed ratings.
    pub rated: u64,
}

/// One thing that is not as it has to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The table; none where the whole database is concerned.
    pub table: Option<TableId>,
    /// The number of the event, where it is one event's; the table's last where the rows do not
    /// agree with all of them.
    pub event: Option<u64>,
    /// What was checked.
    pub check: Check,
    /// What had to be there.
    pub expected: String,
    /// What is there.
    pub found: String,
}

/// What is checked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Check {
    /// The database file is sound and readable.
    Database,
    /// A table's events are numbered from 1 without a gap.
    Numbers,
    /// An event reads as one.
    Form,
    /// An event can follow from those before it; moves are legal.
    Order,
    /// Seats are taken when free, and free when given up.
    Seats,
    /// A command takes effect at most once, and its answer is the right one.
    Commands,
    /// Offers are numbered, open when closed, and kept when accepted.
    Offers,
    /// Moves come one after the other in time, as long as one server runs.
    Times,
    /// Clocks show what the time control and the time used make of them.
    Clocks,
    /// A finished game never changes.
    Finality,
    /// The right seat has won, by the right chain.
    Winner,
    /// The players seated exist.
    Players,
    /// A game's row agrees with the journal.
    GameRow,
    /// A game's record reads back as the game.
    Record,
    /// What lists say of a game, and what it counted for, agrees with the journal.
    Result,
    /// Ratings are what follows from the results.
    Ratings,
    /// A table's row agrees with the journal.
    TableRow,
}

/// A problem without its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Finding {
    pub check: Check,
    pub expected: String,
    pub found: String,
}

impl Finding {
    pub(super) fn new(
        check: Check,
        expected: impl fmt::Display,
        found: impl fmt::Display,
    ) -> Finding {
        Finding { check, expected: expected.to_string(), found: found.to_string() }
    }
}

impl Report {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.problems.is_empty()
    }

    pub(super) fn add(&mut self, table: Option<TableId>, event: Option<u64>, finding: Finding) {
        if self.problems.len() == MOST_PROBLEMS {
            self.more += 1;
            return;
        }
        let Finding { check, expected, found } = finding;
        self.problems.push(Problem { table, event, check, expected, found });
    }
}

impl Counts {
    pub(super) fn count(&mut self, event: &Event) {
        let counter = match event {
            Event::Seated { .. } => &mut self.seatings,
            Event::Started { .. } => &mut self.games,
            Event::Ended { .. } => &mut self.ended,
            Event::Played { .. } => &mut self.moves,
            _ => return,
        };
        *counter += 1;
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.table, self.event) {
            (Some(table), Some(event)) => write!(f, "{table}, event {event}: ")?,
            (Some(table), None) => write!(f, "{table}: ")?,
            (None, _) => f.write_str("the database: ")?,
        }
        write!(f, "{}: expected {}, found {}", self.check, self.expected, self.found)
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Check::Database => "database",
            Check::Numbers => "numbers",
            Check::Form => "form",
            Check::Order => "order",
            Check::Seats => "seats",
            Check::Commands => "commands",
            Check::Offers => "offers",
            Check::Times => "times",
            Check::Clocks => "clocks",
            Check::Finality => "finality",
            Check::Winner => "winner",
            Check::Players => "players",
            Check::GameRow => "game row",
            Check::Record => "record",
            Check::Result => "result",
            Check::Ratings => "ratings",
            Check::TableRow => "table row",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_beyond_the_most_are_counted_and_not_kept() {
        let mut report = Report::default();
        for found in 0..MOST_PROBLEMS + 3 {
            report.add(None, None, Finding::new(Check::Database, "soundness", found));
        }
        assert_eq!((report.problems.len(), report.more), (MOST_PROBLEMS, 3));
        let first = "the database: database: expected soundness, found 0";
        assert_eq!(report.problems[0].to_string(), first);
    }
}
