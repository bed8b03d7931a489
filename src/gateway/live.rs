//! The sessions that have said who they are, by player: so that what changes about a player reaches
//! those who are there.
//!
//! Owns no session, only the way to each. Invariant: whoever is signed out has no session left that
//! came in by what was revoked. A `hello` that was looked up before, and is entered after, is seen
//! by the count of endings, which rises before sessions are looked for.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::SeqCst;

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use hexhall_proto::error::CloseCode;

use crate::ids::{KeyId, PlayerId, SessionId};
use crate::store::Which;
use crate::table::handle::{Player, SessionRef};

/// Every session that has said `hello`.
#[derive(Debug, Default)]
pub struct Live {
    players: DashMap<PlayerId, Vec<Entered>>,
    endings: AtomicU64,
}

#[derive(Debug)]
struct Entered {
    session: Arc<SessionRef>,
    credential: KeyId,
}

/// How often anybody has been signed out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Endings(u64);

/// Somebody was signed out since: whoever comes in has to be looked up again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outdated;

impl Live {
    /// To be asked before a player is looked up who then comes in.
    pub fn endings(&self) -> Endings {
        Endings(self.endings.load(SeqCst))
    }

    /// A session is there, whose player was looked up `since`.
    ///
    /// # Errors
    /// What was looked up may be out of date; nothing was entered.
    pub fn enter(
        &self,
        session: Arc<SessionRef>,
        credential: KeyId,
        since: Endings,
    ) -> Result<(), Outdated> {
        let (player, id) = (session.player.id, session.id);
        self.players.entry(player).or_default().push(Entered { session, credential });
        if self.endings() == since {
            return Ok(());
        }
        self.leave(player, id);
        Err(Outdated)
    }

    /// A session has ended.
    pub fn leave(&self, player: PlayerId, session: SessionId) {
        if let Entry::Occupied(mut theirs) = self.players.entry(player) {
            theirs.get_mut().retain(|entered| entered.session.id != session);
            if theirs.get().is_empty() {
                theirs.remove();
            }
        }
    }

    /// Ends the sessions that came in by what was revoked, once that is durable.
    pub fn sign_out(&self, player: PlayerId, which: Which) {
        self.endings.fetch_add(1, SeqCst);
        for entered in self.of(player, |entered| which.is(entered.credential)) {
            entered.outbox.end(CloseCode::SignedOut);
        }
    }

    /// Has a player's sessions go by another name.
    pub fn rename(&self, player: &Player) {
        for session in self.of(player.id, |_| true) {
            session.rename(Arc::clone(&player.name));
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
        let live = Live::default();
        let mut there: Vec<_> = [(1, 1, 1), (2, 1, 1), (3, 1, 2), (4, 2, 3)]
            .map(|(id, player, credential)| {
                let (session, drain) = session(id, player);
                live.enter(Arc::clone(&session), key(credential), live.endings()).unwrap();
                (session, drain)
            })
            .into();
        let (one, two) = (there[0].0.player.id, there[3].0.player.id);
        live.leave(one, SessionId(2));
        live.sign_out(one, Which::One(key(1)));
        live.sign_out(two, Which::AllBut(key(3)));
        let mut told = there.iter_mut().map(|(_, drain)| drain.next_ready());
        let ended = Some(Outgoing::End(CloseCode::SignedOut));
        assert_eq!([(); 4].map(|()| told.next().unwrap()), [ended, None, None, None]);
        for (session, _) in &there {
            live.leave(session.player.id, session.id);
        }
        assert!(live.players.is_empty());
    }

    #[test]
    fn whoever_was_looked_up_before_somebody_was_signed_out_is_looked_up_again() {
        let live = Live::default();
        let since = live.endings();
        let (session, _drain) = session(1, 1);
        live.sign_out(session.player.id, Which::One(key(1)));
        assert_eq!(live.enter(Arc::clone(&session), key(1), since), Err(Outdated));
        assert!(live.players.is_empty());
        assert_eq!(live.enter(session, key(1), live.endings()), Ok(()));
    }

    #[test]
    fn a_rename_reaches_every_session_of_the_player() {
        let live = Live::default();
        let sessions = [(1, 1), (2, 1), (3, 2)].map(|(id, player)| session(id, player).0);
        for session in &sessions {
            live.enter(Arc::clone(session), key(1), live.endings()).unwrap();
        }
        live.rename(&Player { name: "Countess".into(), ..sessions[0].player.clone() });
        let names = sessions.each_ref().map(|session| session.player_now().name);
        assert_eq!(names.each_ref().map(|name| &**name), ["Countess", "Countess", "Ada"]);
    }
}
