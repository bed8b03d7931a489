//! Who keeps whom away, by a block or by a mute: the rows, and what is asked of them.
//!
//! Owns the copy of all of them that a database's engine keeps at hand, since matching asks for
//! blocks by the hundred and every line that is said for both. Invariant: what
//! [`Store::has_blocked`] and [`Store::has_muted`] say is what is durable: the writer tells of each
//! change before it acknowledges it. Bound: about 40 bytes each, of which every player has as many
//! as whoever writes them lets be.

use std::collections::HashSet;
use std::sync::{PoisonError, RwLock};

use super::people::Change;
use super::{Engine, PlayerError, PlayerRow, ReadError, Store, read, sqlite};
use crate::ids::PlayerId;

/// How a player keeps another away.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Shun {
    /// Neither plays with the other or hears them.
    Block,
    /// The one does not hear the other.
    Mute,
}

impl Shun {
    /// Both ways.
    pub const ALL: [Shun; 2] = [Shun::Block, Shun::Mute];

    /// The word stored for it.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Shun::Block => "block",
            Shun::Mute => "mute",
        }
    }

    pub(super) fn from_word(word: &str) -> Option<Shun> {
        Shun::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// Somebody who is kept away.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShunRow {
    /// Who is.
    pub other: PlayerRow,
    /// Since when, in milliseconds since the Unix epoch.
    pub since_ms: u64,
}

/// Who keeps whom away, and how.
pub(super) type Shunning = (Shun, PlayerId, PlayerId);

/// All that there is of it.
#[derive(Default)]
pub(super) struct Shuns(RwLock<HashSet<Shunning>>);

impl Shuns {
    pub(super) fn of(all: Vec<Shunning>) -> Shuns {
        Shuns(RwLock::new(all.into_iter().collect()))
    }

    /// Something has changed, and is about to be acknowledged.
    pub(super) fn changed(&self, change: &Change) {
        // A set is whole after each of its calls, whoever panicked between two of them.
        let all = || self.0.write().unwrap_or_else(PoisonError::into_inner);
        match change {
            Change::Shun { kind, player, other, .. } => {
                all().insert((*kind, *player, *other));
            }
            Change::Readmit { kind, player, other } => {
                all().remove(&(*kind, *player, *other));
            }
            _ => {}
        }
    }

    pub(super) fn has(&self, kind: Shun, player: PlayerId, other: PlayerId) -> bool {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        !all.is_empty() && all.contains(&(kind, player, other))
    }
}

impl Store {
    /// Whether a player has blocked another: whoever blocks somebody blocks their bots as well, and
    /// for a bot its owner does. Waits for nothing; a closed store knows of nobody.
    pub fn has_blocked(&self, player: PlayerId, other: PlayerId) -> bool {
        let persons = |id| {
            let person = self.person(id);
            std::iter::once(id).chain((person != id).then_some(person))
        };
        persons(player).any(|one| persons(other).any(|two| self.keeps_away(Shun::Block, one, two)))
    }

    /// Whether a player has muted another. Waits for nothing; a closed store knows of nobody.
    pub fn has_muted(&self, player: PlayerId, other: PlayerId) -> bool {
        self.keeps_away(Shun::Mute, player, other)
    }

    fn keeps_away(&self, kind: Shun, player: PlayerId, other: PlayerId) -> bool {
        match &self.engine {
            Engine::Memory(memory) => {
                memory.read(|rows| rows.people.shuns(kind, player, other)).unwrap_or(false)
            }
            Engine::Sqlite(sqlite) => sqlite.shuns().has(kind, player, other),
        }
    }

    /// Whom a player keeps away in this way, in the order of their ids.
    pub async fn shunned(&self, kind: Shun, player: PlayerId) -> Result<Vec<ShunRow>, ReadError> {
        read!(
            self,
            rows => rows.people.shunned(kind, player),
            db => sqlite::shuns::of_player(db, kind, player),
        )
    }

    /// Has a player keep another away, one of at most so many in this way; returns once that is
    /// durable. Whoever is kept away already stays so.
    ///
    /// # Errors
    /// `Unknown` where either is nobody; `Full`.
    pub async fn shun(
        &self,
        kind: Shun,
        player: PlayerId,
        other: PlayerId,
        at_ms: u64,
        most: usize,
    ) -> Result<(), PlayerError> {
        self.change(Change::Shun { kind, player, other, at_ms, most }).await
    }

    /// Has a player keep another away in this way no more; returns once that is durable.
    ///
    /// # Errors
    /// `Unknown` where they did not.
    pub async fn readmit(
        &self,
        kind: Shun,
        player: PlayerId,
        other: PlayerId,
    ) -> Result<(), PlayerError> {
        self.change(Change::Readmit { kind, player, other }).await
    }
}
