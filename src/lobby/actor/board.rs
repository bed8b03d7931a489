//! The board: what tables and sessions tell the lobby without waiting for it, and what they may read
//! there of what it knows.
//!
//! Bounds: one value a table, a session, and a player who is connected, sits somewhere, or has just
//! left a game.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use actix::prelude::*;
use dashmap::{DashMap, DashSet};
use tokio::sync::oneshot;

use crate::ids::{PlayerId, TableId};
use crate::lobby::online::{Online, take, take_all};
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
    /// Who is to go from wherever they are, and did not since.
    turned_out: DashMap<PlayerId, TurnedOut>,
    /// Who has left a rated game, and was not looked up since.
    left: DashSet<PlayerId>,
    bell: OnceLock<Addr<LobbyActor>>,
    /// The bell was rung, and the actor has not looked since.
    rung: AtomicBool,
}

/// Somebody who is to go from wherever they are.
#[derive(Default)]
pub(in crate::lobby) struct TurnedOut {
    /// The tables that their sessions followed.
    pub followed: BTreeSet<TableId>,
    /// Who waits until all tables were told. Dropped then.
    pub waiting: Vec<oneshot::Sender<()>>,
}

impl Board {
    /// Who has left a rated game since this was last asked.
    pub(in crate::lobby) fn take_left(&self) -> impl Iterator<Item = PlayerId> {
        take(&self.left)
    }

    /// Who goes by another name, since this was last asked.
    pub(in crate::lobby) fn take_renamed(&self) -> impl Iterator<Item = (PlayerId, Arc<str>)> {
        take_all(&self.renamed)
    }

    /// Takes in what has become durable about a player: whoever goes by another name does so at
    /// their tables and in what they seek, and a bot that was deleted goes from both: its sessions
    /// are to be ended after this, for they say where it is.
    pub fn player_changed(&self, change: PlayerChange<'_>) {
        match change {
            PlayerChange::Renamed { player, name } => {
                self.renamed.insert(player, Arc::from(name));
            }
            PlayerChange::Retired { player } => drop(self.turn_out(player)),
            PlayerChange::SignedOut { .. } => return,
        }
        self.ring();
    }

    /// Has somebody go from wherever they are: from what they seek, and from each table where they
    /// sit or that a session of theirs follows now. Comes to an end once all of them were told.
    pub(super) fn turn_out(&self, player: PlayerId) -> oneshot::Receiver<()> {
        let followed = self.online.followed(player);
        let (waits, told) = oneshot::channel();
        let mut turned_out = self.turned_out.entry(player).or_default();
        turned_out.followed.extend(followed);
        turned_out.waiting.push(waits);
        drop(turned_out);
        self.ring();
        told
    }

    /// Who is to go, since this was last asked.
    pub(in crate::lobby) fn take_turned_out(&self) -> impl Iterator<Item = (PlayerId, TurnedOut)> {
        take_all(&self.turned_out)
    }

    /// What has changed on the list since this was last asked.
    pub(super) fn take_changed(&self) -> Vec<Listed> {
        take_all(&self.changed).map(|(_, listed)| listed).collect()
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
