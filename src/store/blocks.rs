//! Who has blocked whom: the rows, and what is asked of them.
//!
//! Owns the copy of all blocks that a database's engine keeps at hand, since matching asks for
//! them by the hundred. Invariant: what [`Store::has_blocked`] says is what is durable: the writer
//! tells of each change before it acknowledges it. Bound: about 40 bytes a block, of which each
//! player has as many as whoever writes them lets be.

use std::collections::HashSet;
use std::sync::{PoisonError, RwLock};

use super::people::Change;
use super::{Engine, PlayerError, PlayerRow, ReadError, Store, sqlite};
use crate::ids::PlayerId;

/// Somebody who is blocked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockRow {
    /// Who is.
    pub blocked: PlayerRow,
    /// Since when, in milliseconds since the Unix epoch.
    pub since_ms: u64,
}

/// Every block there is: who has blocked whom.
#[derive(Default)]
pub(super) struct Blocks(RwLock<HashSet<(PlayerId, PlayerId)>>);

impl Blocks {
    pub(super) fn of(pairs: Vec<(PlayerId, PlayerId)>) -> Blocks {
        Blocks(RwLock::new(pairs.into_iter().collect()))
    }

    /// Something has changed, and is about to be acknowledged.
    pub(super) fn changed(&self, change: &Change) {
        // A set is whole after each of its calls, whoever panicked between two of them.
        let pairs = || self.0.write().unwrap_or_else(PoisonError::into_inner);
        match change {
            Change::Block { player, blocked, .. } => {
                pairs().insert((*player, *blocked));
            }
            Change::Unblock { player, blocked } => {
                pairs().remove(&(*player, *blocked));
            }
            _ => {}
        }
    }

    pub(super) fn has(&self, player: PlayerId, other: PlayerId) -> bool {
        let pairs = self.0.read().unwrap_or_else(PoisonError::into_inner);
        !pairs.is_empty() && pairs.contains(&(player, other))
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
        persons(player).any(|one| persons(other).any(|two| self.is_on_list(one, two)))
    }

    /// Whether a player has blocked exactly this other one.
    fn is_on_list(&self, player: PlayerId, other: PlayerId) -> bool {
        match &self.engine {
            Engine::Memory(memory) => {
                memory.read(|rows| rows.people.has_blocked(player, other)).unwrap_or(false)
            }
            Engine::Sqlite(sqlite) => sqlite.blocks().has(player, other),
        }
    }

    /// Whom a player has blocked, in the order of their ids.
    pub async fn blocks(&self, player: PlayerId) -> Result<Vec<BlockRow>, ReadError> {
        match &self.engine {
            Engine::Memory(memory) => memory.read(|rows| rows.people.blocks(player)),
            Engine::Sqlite(sqlite) => {
                sqlite.read(move |db| sqlite::blocks::of_player(db, player)).await
            }
        }
    }

    /// Has a player block another, one of at most so many; returns once that is durable. Whoever is
    /// blocked already stays so.
    pub async fn block(
        &self,
        player: PlayerId,
        blocked: PlayerId,
        at_ms: u64,
        most: usize,
    ) -> Result<(), PlayerError> {
        self.change(Change::Block { player, blocked, at_ms, most }).await
    }

    /// Has a player block another no more; returns once that is durable.
    pub async fn unblock(&self, player: PlayerId, blocked: PlayerId) -> Result<(), PlayerError> {
        self.change(Change::Unblock { player, blocked }).await
    }
}
