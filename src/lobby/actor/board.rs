//! The board: what tables and sessions tell the lobby without waiting for it, and what they may read
//! there of what it knows.
//!
//! Bounds: one value a table, a session, and a player who is connected, sits somewhere, or has just
//! left a game.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use actix::prelude::*;
use dashmap::{DashMap, DashSet};

use crate::ids::{PlayerId, TableId};
use crate::lobby::online::{Online, take};
use crate::store::PlayerChange;
use crate::table::beginning::{Listed, Listings};
use crate::table::state::refusal::TooManyTables;

use super::{LobbyActor, Look};

/// What has changed on the list and was not yet looked at, and who is connected. Made before the
/// lobby, which needs the tables, which need the board.
#[derive(Default)]
pub struct Board {
    changed: DashMap<TableId, Listed>,
    pub(in crate::lobby) online: Online,
    /// How many tables each player sits at, and how many one may.
    held: DashMap<PlayerId, usize>,
    tables_each: OnceLock<Option<usize>>,
    /// Who goes by another name, and whose tables and seeks were not told since.
    renamed: DashMap<PlayerId, Arc<str>>,
    /// Bots that were deleted, and whose tables were not told since.
    retired: DashSet<PlayerId>,
    /// Who has left a rated game, and was not looked up since.
    left: DashSet<PlayerId>,
    bell: OnceLock<Addr<LobbyActor>>,
    /// The bell was rung, and the actor has not looked since.
    rung: AtomicBool,
}

impl Board {
    /// Who has left a rated game since this was last asked.
    pub(in crate::lobby) fn take_left(&self) -> impl Iterator<Item = PlayerId> {
        take(&self.left)
    }

    /// Who goes by another name, since this was last asked.
    pub(in crate::lobby) fn take_renamed(&self) -> impl Iterator<Item = (PlayerId, Arc<str>)> {
        let renamed: Vec<PlayerId> = self.renamed.iter().map(|entry| *entry.key()).collect();
        renamed.into_iter().filter_map(|player| self.renamed.remove(&player))
    }

    /// Takes in what has become durable about a player: whoever goes by another name does so at
    /// their tables and in what they seek, and a bot that was deleted goes from both.
    pub fn player_changed(&self, change: PlayerChange<'_>) {
        match change {
            PlayerChange::Renamed { player, name } => {
                self.renamed.insert(player, Arc::from(name));
            }
            PlayerChange::Retired { player } => {
                self.online.turn_out(player);
                self.retired.insert(player);
            }
            PlayerChange::SignedOut { .. } => return,
        }
        self.ring();
    }

    /// The bots that were deleted, since this was last asked.
    pub(in crate::lobby) fn take_retired(&self) -> impl Iterator<Item = PlayerId> {
        take(&self.retired)
    }

    /// What has changed on the list since this was last asked. No key is held while it is told.
    pub(super) fn take_changed(&self) -> Vec<Listed> {
        let changed: Vec<TableId> = self.changed.iter().map(|entry| *entry.key()).collect();
        let taken = changed.iter().filter_map(|table| self.changed.remove(table));
        taken.map(|(_, listed)| listed).collect()
    }

    /// Who sits at how many tables, counted anew.
    pub(super) fn note_all_held(&self, held: &HashMap<PlayerId, usize>) {
        self.held.retain(|player, _| held.contains_key(player));
        held.iter().for_each(|(player, tables)| self.note_held(*player, *tables));
    }

    /// So many tables a player sits at.
    pub(super) fn note_held(&self, player: PlayerId, tables: usize) {
        match tables {
            0 => drop(self.held.remove(&player)),
            _ => drop(self.held.insert(player, tables)),
        }
    }

    /// The lobby is there, where a player may sit at so many tables. A board belongs to one lobby.
    pub(super) fn hang_up(&self, bell: Addr<LobbyActor>, tables_each: Option<usize>) {
        let _ = self.tables_each.set(tables_each);
        let _ = self.bell.set(bell);
    }

    /// The lobby looks: whatever comes from here on rings again. It is swapped, so that what was put on
    /// the board by those who found the bell rung is seen.
    pub(super) fn stop_ringing(&self) {
        self.rung.swap(false, Ordering::AcqRel);
    }

    pub(super) fn ring(&self) {
        if let Some(bell) = self.bell.get()
            && !self.rung.swap(true, Ordering::AcqRel)
        {
            // A full mailbox means that the actor will look at the board anyway.
            let _ = bell.try_send(Look);
        }
    }
}

impl Listings for Board {
    fn changed(&self, listed: Listed) {
        self.changed.insert(listed.row.id, listed);
        self.ring();
    }

    fn may_sit(&self, player: PlayerId) -> Result<(), TooManyTables> {
        let Some(most) = self.tables_each.get().copied().flatten() else { return Ok(()) };
        let held = self.held.get(&player).map_or(0, |held| *held);
        if held >= most { Err(TooManyTables { held, most }) } else { Ok(()) }
    }

    fn left(&self, player: PlayerId) {
        self.left.insert(player);
        self.ring();
    }
}
