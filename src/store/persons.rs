//! Who stands behind a player: a bot's owner, and everybody else themselves.
//!
//! Owns the copy of all owners that a database's engine keeps at hand, since blocks are asked for by
//! the hundred, and mutes for every line that is said. Invariant: the writer tells of each new bot
//! before it acknowledges it, and an owner never changes. Bound: about 40 bytes a bot.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use super::people::Change;
use super::{Engine, Store};
use crate::ids::PlayerId;

/// Every bot's owner.
#[derive(Default)]
pub(super) struct Persons(RwLock<HashMap<PlayerId, PlayerId>>);

impl Persons {
    pub(super) fn of(owners: Vec<(PlayerId, PlayerId)>) -> Persons {
        Persons(RwLock::new(owners.into_iter().collect()))
    }

    /// Something has changed, and is about to be acknowledged.
    pub(super) fn changed(&self, change: &Change) {
        if let Change::Create { player, .. } = change
            && let Some(owner) = player.owner
        {
            // A map is whole after each of its calls, whoever panicked between two of them.
            self.0.write().unwrap_or_else(PoisonError::into_inner).insert(player.id, owner);
        }
    }

    fn behind(&self, player: PlayerId) -> PlayerId {
        let owners = self.0.read().unwrap_or_else(PoisonError::into_inner);
        owners.get(&player).copied().unwrap_or(player)
    }
}

impl Store {
    /// Who stands behind a player: a bot's owner, and anybody else themselves. Waits for nothing; a
    /// closed store knows of no bots.
    pub fn person(&self, player: PlayerId) -> PlayerId {
        match &self.engine {
            Engine::Memory(memory) => {
                memory.read(|rows| rows.people.person(player)).unwrap_or(player)
            }
            Engine::Sqlite(sqlite) => sqlite.persons().behind(player),
        }
    }
}
