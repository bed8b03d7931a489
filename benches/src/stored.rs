//! What was counted before, and what may be counted at most.

use std::fs;

use toml::{Table, Value};

use super::count::{Failure, io};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.toml");

const HEAD: &str = "\
# Instructions of one operation, as `cargo run --release -p hexhall-instructions -- --save` counts
# them. A count of over 5 % more fails the check, and so does one above its budget.

";

/// How much more than is stored is let pass, in hundredths, where a case has no `room` of its own:
/// how writes fall into commits is up to the scheduler, and so is a part of what they cost.
const ROOM: u64 = 5;

/// The stored values, by case.
pub struct Stored(Table);

/// What a count comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Within both.
    Good,
    /// Nothing is stored to compare with.
    Unknown,
    /// More than was stored, by more than the room for it.
    Grown,
    /// Above the budget.
    OverBudget,
}

impl Verdict {
    /// For people.
    pub const fn words(self) -> &'static str {
        match self {
            Verdict::Good => "good",
            Verdict::Unknown => "NOT STORED: run it with --save",
            Verdict::Grown => "GROWN beyond its room",
            Verdict::OverBudget => "OVER ITS BUDGET",
        }
    }
}

impl Stored {
    /// Reads the file.
    pub fn read() -> Result<Stored, Failure> {
        let text = fs::read_to_string(PATH).map_err(|source| io(PATH, source))?;
        Ok(Stored(text.parse::<Table>()?))
    }

    /// Writes the file.
    pub fn write(&self) -> Result<(), Failure> {
        let text = format!("{HEAD}{}", self.0);
        fs::write(PATH, text).map_err(|source| io(PATH, source))
    }

    /// What was counted before.
    pub fn before(&self, case: &str) -> Option<u64> {
        self.number(case, "instructions")
    }

    /// The most that may be counted.
    pub fn budget(&self, case: &str) -> Option<u64> {
        self.number(case, "budget")
    }

    /// Stores a count.
    pub fn set(&mut self, case: &str, counted: u64) {
        let entry = self.0.entry(case).or_insert_with(|| Value::Table(Table::new()));
        if let (Value::Table(entry), Ok(counted)) = (entry, i64::try_from(counted)) {
            entry.insert("instructions".into(), Value::Integer(counted));
        }
    }

    /// What a count comes to.
    pub fn verdict(&self, case: &str, counted: u64) -> Verdict {
        if self.budget(case).is_some_and(|budget| counted > budget) {
            return Verdict::OverBudget;
        }
        match self.before(case) {
            None => Verdict::Unknown,
            Some(before) if counted * 100 > before * (100 + self.room(case)) => Verdict::Grown,
            Some(_) => Verdict::Good,
        }
    }

    fn room(&self, case: &str) -> u64 {
        self.number(case, "room").unwrap_or(ROOM)
    }

    fn number(&self, case: &str, field: &str) -> Option<u64> {
        u64::try_from(self.0.get(case)?.get(field)?.as_integer()?).ok()
    }
}
