//! The sessions that have said who they are, by player: so that what changes about a player reaches
//! those who are there.
//!
//! Owns no session, only the way to each. Invariant: whoever is signed out has no session left that
//! came in by what was revoked, whoever is kept out has none, and whoever is renamed none that
//! goes by the old name: a `hello`
//! enters first, and is then looked up once more. What changed before that look is seen by it; what
//! changes later finds the session here.

use std::ops::Deref;
use std::sync::Arc;

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use hexhall_proto::codec;
use hexhall_proto::error::CloseCode;
use hexhall_proto::event::Notice;

use crate::ids::{KeyId, PlayerId, SessionId};
use crate::store::{PlayerChange, Which};
use crate::table::handle::SessionRef;

/// Every session that has said `hello`.
#[derive(Debug, Default)]
pub struct Live {
    players: DashMap<PlayerId, Vec<Entered>>,
}

#[derive(Debug)]
struct Entered {
    session: Arc<SessionRef>,
    credential: KeyId,
}

/// A session that is there, until this is dropped.
#[derive(Debug)]
#[must_use = "a session is there only as long as this is kept"]
pub struct Present {
    live: Arc<Live>,
    session: Arc<SessionRef>,
}

impl Deref for Present {
    type Target = Arc<SessionRef>;

    fn deref(&self) -> &Arc<SessionRef> {
        &self.session
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        self.live.leave(self.session.player.id, self.session.id);
    }
}

impl Live {
    /// A session is there. Who its player is has to be looked up once more after this.
    pub fn enter(self: &Arc<Live>, session: Arc<SessionRef>, credential: KeyId) -> Present {
        let entered = Entered { session: Arc::clone(&session), credential };
        self.players.entry(session.player.id).or_default().push(entered);
        Present { live: Arc::clone(self), session }
    }

    fn leave(&self, player: PlayerId, session: SessionId) {
        if let Entry::Occupied(mut theirs) = self.players.entry(player) {
            theirs.get_mut().retain(|entered| entered.session.id != session);
            if theirs.get().is_empty() {
                theirs.remove();
            }
        }
    }

    /// Takes in what has become durable about a player. Nothing that comes of it is left to
    /// whoever asked for the change, and may have gone away.
    pub fn changed(&self, change: PlayerChange<'_>) {
        match change {
            PlayerChange::Renamed { player, name } => self.rename(player, &Arc::from(name)),
            PlayerChange::SignedOut { player, which } => self.sign_out(player, which),
            PlayerChange::Retired { player } => self.sign_out(player, Which::All),
        }
    }

    /// Ends the sessions that came in by what was revoked, once that is durable.
    pub fn sign_out(&self, player: PlayerId, which: Which) {
        for entered in self.of(player, |entered| which.is(entered.credential)) {
            entered.outbox.end(CloseCode::SignedOut);
        }
    }

    /// A player's sessions.
    pub fn all(&self, player: PlayerId) -> Vec<Arc<SessionRef>> {
        self.of(player, |_| true)
    }

    /// How many sessions a player has.
    pub fn count(&self, player: PlayerId) -> usize {
        self.players.get(&player).map_or(0, |theirs| theirs.len())
    }

    /// Tells a player's sessions something that waits for them elsewhere too: whoever has fallen
    /// behind hears of it there.
    pub fn tell(&self, player: PlayerId, notice: &Notice) {
        for session in self.of(player, |_| true) {
            let frame = codec::encode(session.format, notice).into();
            let _ = session.outbox.stream(session.outbox.epoch(), frame);
        }
    }

    /// Has a player's sessions go by another name.
    fn rename(&self, player: PlayerId, name: &Arc<str>) {
        for session in self.of(player, |_| true) {
            session.rename(Arc::clone(name));
        }
    }

    /// Copies, so that no key is held while they are told.
    fn of(&self, player: PlayerId, of: impl Fn(&Entered) -> bool) -> Vec<Arc<SessionRef>> {
        let Some(theirs) = self.players.get(&player) else { return Vec::new() };
        let picked = theirs.iter().filter(|entered| of(entered));
        picked.map(|entered| Arc::clone(&entered.session)).collect()
    }
}

#[cfg(test)]
mod tests {
    use hexhall_proto::codec::Format;

    use super::*;
    use crate::gateway::outbox::{Bounds, Drain, Outgoing, outbox};
    use crate::table::handle::Player;

    fn session(id: u64, player: u128) -> (Arc<SessionRef>, Drain) {
        let (outbox, drain) = outbox(Bounds { frames: 4, bytes: 64 });
        let id_of = PlayerId::from_parts(1, player);
        let player = Player { id: id_of, name: "Ada".into(), cpu: None, bot: false };
        (Arc::new(SessionRef::new(SessionId(id), player, Format::Json, outbox)), drain)
    }

    fn key(n: u128) -> KeyId {
        KeyId::from_parts(1, n)
    }

    #[test]
    fn what_was_revoked_ends_its_sessions_and_no_others() {
        let live = Arc::new(Live::default());
        let there = [(1, 1, 1), (2, 1, 1), (3, 1, 2), (4, 2, 3)];
        let there = there.map(|(id, player, credential)| {
            let (session, drain) = session(id, player);
            (live.enter(session, key(credential)), drain)
        });
        let [one, gone, other, another] = there;
        let [mut first, mut second, mut third, mut fourth] = [one.1, gone.1, other.1, another.1];
        let there = [one.0, other.0, another.0];
        drop(gone.0);
        live.sign_out(there[0].player.id, Which::One(key(1)));
        live.sign_out(there[2].player.id, Which::AllBut(key(3)));
        let ended = Some(Outgoing::End(CloseCode::SignedOut));
        let told = [&mut first, &mut second, &mut third, &mut fourth].map(Drain::next_ready);
        assert_eq!(told, [ended, None, None, None]);
        drop(there);
        assert!(live.players.is_empty());
    }

    #[test]
    fn a_rename_reaches_every_session_of_the_player() {
        let live = Arc::new(Live::default());
        let sessions =
            [(1, 1), (2, 1), (3, 2)].map(|(id, player)| live.enter(session(id, player).0, key(1)));
        live.changed(PlayerChange::Renamed { player: sessions[0].player.id, name: "Countess" });
        let names = sessions.each_ref().map(|session| session.player_now().name);
        assert_eq!(names.each_ref().map(|name| &**name), ["Countess", "Countess", "Ada"]);
    }
}
