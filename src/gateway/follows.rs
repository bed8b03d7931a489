//! What one session follows. The tables and the lobby write it, because only they know; the
//! session reads it, to begin its runs afresh, to know its limit and to say goodbye.
//!
//! Invariant: once the session's end was told, nothing is added. So whoever adds first and follows
//! after is told of the end, however the two race.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::ids::TableId;

/// How many tables a session may follow where its player has no seat: each is kept in memory for as
/// long. A table that it has asked for and is not answered by yet is not counted.
pub const MOST_WATCHED: usize = 64;

/// What a session follows. Shared by the session and those that it follows.
#[derive(Debug, Default)]
pub struct Follows(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    tables: BTreeMap<TableId, Part>,
    lobby: bool,
    ended: bool,
}

/// What part a session has at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Its player holds a seat there.
    Seated,
    /// It only watches.
    Watching,
}

/// What a session followed at one moment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Followed {
    /// The tables, in the order of ids.
    pub tables: Vec<TableId>,
    /// Whether the list of tables was followed too.
    pub lobby: bool,
}

/// The session has ended and must not be followed up: nobody would tell of its end again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ended;

impl Follows {
    /// The session follows a table from now on, or stands otherwise to it than before.
    ///
    /// # Errors
    /// The session has ended; nothing was added.
    pub fn table(&self, table: TableId, part: Part) -> Result<(), Ended> {
        let mut state = self.lock();
        if state.ended {
            return Err(Ended);
        }
        state.tables.insert(table, part);
        Ok(())
    }

    /// Whether the session may watch a table: it does so already, or follows few others.
    pub fn has_room(&self, table: TableId) -> bool {
        let tables = &self.lock().tables;
        let watched = || tables.values().filter(|&&it| it == Part::Watching).count();
        tables.contains_key(&table) || watched() < MOST_WATCHED
    }

    /// The session no longer follows a table.
    pub fn leave_table(&self, table: TableId) {
        self.lock().tables.remove(&table);
    }

    /// The session follows the list of tables from now on.
    ///
    /// # Errors
    /// The session has ended; nothing was added.
    pub fn lobby(&self) -> Result<(), Ended> {
        let mut state = self.lock();
        if state.ended {
            return Err(Ended);
        }
        state.lobby = true;
        Ok(())
    }

    /// The session no longer follows the list of tables.
    pub fn leave_lobby(&self) {
        self.lock().lobby = false;
    }

    /// Whether the session holds a seat anywhere.
    pub fn is_seated(&self) -> bool {
        self.lock().tables.values().any(|&part| part == Part::Seated)
    }

    /// What is followed now.
    pub fn followed(&self) -> Followed {
        let state = self.lock();
        Followed { tables: state.tables.keys().copied().collect(), lobby: state.lobby }
    }

    /// The session has ended: what it followed to the last.
    pub(super) fn end(&self) -> Followed {
        let mut state = self.lock();
        state.ended = true;
        let tables = std::mem::take(&mut state.tables).into_keys().collect();
        Followed { tables, lobby: std::mem::take(&mut state.lobby) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_followed_after_the_end() {
        let table = TableId::from_parts(1, 1);
        let follows = Follows::default();
        assert_eq!(follows.table(table, Part::Watching), Ok(()));
        assert_eq!(follows.lobby(), Ok(()));
        assert!(!follows.is_seated());
        assert_eq!(follows.end(), Followed { tables: vec![table], lobby: true });

        assert_eq!(follows.table(table, Part::Seated), Err(Ended));
        assert_eq!(follows.lobby(), Err(Ended));
        assert_eq!(follows.end(), Followed::default());
    }

    #[test]
    fn there_is_room_for_so_many_tables_beside_those_of_ones_own() {
        let table = |n: usize| TableId::from_parts(1, n as u128);
        let follows = Follows::default();
        follows.table(table(0), Part::Seated).unwrap();
        for n in 1..=MOST_WATCHED {
            assert!(follows.has_room(table(n)));
            follows.table(table(n), Part::Watching).unwrap();
        }
        assert!(follows.has_room(table(1)), "it is followed already");
        assert!(!follows.has_room(table(MOST_WATCHED + 1)));
        follows.leave_table(table(1));
        assert!(follows.has_room(table(MOST_WATCHED + 1)));
    }

    #[test]
    fn a_seat_anywhere_counts_until_it_is_left() {
        let [one, two] = [1, 2].map(|n| TableId::from_parts(1, n));
        let follows = Follows::default();
        follows.table(one, Part::Watching).unwrap();
        follows.table(two, Part::Seated).unwrap();
        assert!(follows.is_seated());
        follows.table(two, Part::Watching).unwrap();
        assert!(!follows.is_seated());
        follows.leave_table(one);
        assert_eq!(follows.followed(), Followed { tables: vec![two], lobby: false });
    }
}
