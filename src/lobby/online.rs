//! Who is connected: every session of every player, as the gateway tells it.
//!
//! Written by sessions on any thread as they come and go, so that nothing of it is lost when the
//! lobby's mailbox is full; read by the lobby. Bounded by the sessions that the gateway lets in.

use std::collections::BTreeSet;
use std::hash::Hash;
use std::sync::Arc;

use dashmap::{DashMap, DashSet, Entry};

use crate::ids::{PlayerId, SessionId, TableId};
use crate::table::handle::{Player, SessionRef};

/// Every session that has said `hello` and not ended.
#[derive(Debug, Default)]
pub struct Online {
    players: DashMap<PlayerId, Vec<Arc<SessionRef>>>,
    /// Sessions that the lobby has not looked at yet.
    arrived: DashMap<SessionId, Arc<SessionRef>>,
    /// Players who have come or gone since the lobby looked.
    turned: DashSet<PlayerId>,
}

impl Online {
    /// A session has said `hello`.
    pub fn came(&self, session: &Arc<SessionRef>) {
        let player = session.player.id;
        self.arrived.insert(session.id, Arc::clone(session));
        let mut sessions = self.players.entry(player).or_default();
        if sessions.is_empty() {
            self.turned.insert(player);
        }
        sessions.push(Arc::clone(session));
    }

    /// A session has ended.
    pub fn went(&self, session: &SessionRef) {
        self.arrived.remove(&session.id);
        let player = session.player.id;
        let Entry::Occupied(mut sessions) = self.players.entry(player) else { return };
        sessions.get_mut().retain(|other| other.id != session.id);
        if sessions.get().is_empty() {
            sessions.remove();
            self.turned.insert(player);
        }
    }

    /// How many players are connected.
    pub fn players(&self) -> usize {
        self.players.len()
    }

    /// Whether a player is.
    pub fn is_here(&self, player: PlayerId) -> bool {
        self.players.contains_key(&player)
    }

    /// A player's sessions.
    pub fn sessions(&self, player: PlayerId) -> Vec<Arc<SessionRef>> {
        self.players.get(&player).map(|sessions| sessions.clone()).unwrap_or_default()
    }

    /// The tables that a player's sessions follow.
    pub(super) fn followed(&self, player: PlayerId) -> BTreeSet<TableId> {
        let sessions = self.sessions(player);
        sessions.iter().flat_map(|session| session.follows.followed().tables).collect()
    }

    /// A player by the name that they now have, as far as they are connected.
    pub fn player_now(&self, player: Player) -> Player {
        let sessions = self.players.get(&player.id);
        let named = sessions.and_then(|sessions| Some(sessions.first()?.player_now()));
        named.unwrap_or(player)
    }

    /// Every session.
    pub(super) fn all(&self) -> Vec<Arc<SessionRef>> {
        self.players.iter().flat_map(|sessions| sessions.clone()).collect()
    }

    /// The sessions that have come since this was last asked.
    pub(super) fn take_arrived(&self) -> Vec<Arc<SessionRef>> {
        take_all(&self.arrived).map(|(_, session)| session).collect()
    }

    /// The players who have come or gone since this was last asked.
    pub(super) fn take_turned(&self) -> impl Iterator<Item = PlayerId> {
        take(&self.turned)
    }
}

/// Takes what is in a map, one after another: what is not reached stays there, and no key is held
/// meanwhile.
pub(super) fn take_all<K: Copy + Eq + Hash, V>(
    map: &DashMap<K, V>,
) -> impl Iterator<Item = (K, V)> {
    let keys: Vec<K> = map.iter().map(|entry| *entry.key()).collect();
    keys.into_iter().filter_map(|key| map.remove(&key))
}

/// Takes what is in a set, as [`take_all`] does.
pub(super) fn take(players: &DashSet<PlayerId>) -> impl Iterator<Item = PlayerId> {
    let ids: Vec<PlayerId> = players.iter().map(|player| *player).collect();
    ids.into_iter().filter(|id| players.remove(id).is_some())
}
