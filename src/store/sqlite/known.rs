//! Players whose tokens were seen lately, so that whoever comes back is known without the disk.
//!
//! Owns copies of rows and nothing else. Invariants: what is found here is what the database says
//! once the last acknowledged write is done, since the writer tells of each before it acknowledges
//! it, and this process holds the database alone; what was read while a name or a token changed is
//! not kept, and neither is a token in waiting. So nobody is known by a token that was revoked.
//! Bound: [`MOST`] tokens; those not seen for longest go.

use std::collections::HashMap;
use std::sync::Mutex;

use crate::store::health::lock;
use crate::store::people::Change;
use crate::store::{Holder, TokenHash};

/// The most tokens that are kept, at about 300 bytes each: more than sessions that come back at
/// once.
const MOST: usize = 32_768;

/// Those whose tokens were seen lately.
#[derive(Default)]
pub(super) struct KnownTokens(Mutex<Seen>);

/// Half of what is kept at most, and the half before it.
#[derive(Default)]
struct Seen {
    young: HashMap<TokenHash, Holder>,
    old: HashMap<TokenHash, Holder>,
    changes: Changes,
}

/// How often a name or a token has changed: what was read before another time is not kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Changes(u64);

impl KnownTokens {
    /// Who holds this token, or what [`KnownTokens::keep`] needs once that has been read.
    pub(super) fn find(&self, token: &TokenHash) -> Result<Holder, Changes> {
        let mut seen = lock(&self.0);
        if let Some(holder) = seen.young.get(token) {
            return Ok(holder.clone());
        }
        let holder = seen.old.remove(token).ok_or(seen.changes)?;
        seen.put(*token, holder.clone());
        Ok(holder)
    }

    /// Keeps what has been read since [`KnownTokens::find`], unless it may be out of date.
    pub(super) fn keep(&self, token: TokenHash, holder: &Holder, since: Changes) {
        let mut seen = lock(&self.0);
        if seen.changes == since && holder.replaces.is_none() {
            seen.put(token, holder.clone());
        }
    }

    /// Something has changed, and is about to be acknowledged.
    pub(super) fn changed(&self, change: &Change) {
        let mut seen = lock(&self.0);
        match change {
            Change::Create { player, credential: Some(row), .. } => {
                let holder = Holder {
                    player: player.clone(),
                    credential: row.id,
                    issued_ms: row.issued_ms,
                    used_ms: row.used_ms,
                    next_ms: None,
                    replaces: None,
                };
                seen.put(row.hash, holder);
            }
            Change::Rename { id, .. } => seen.forget(|holder| holder.player.id == *id),
            Change::Revoke { player, which } => {
                seen.forget(|it| it.player.id == *player && which.is(it.credential));
            }
            Change::Retire { bot, .. } => seen.forget(|it| it.player.id == *bot),
            Change::Replace { gone, .. } => seen.forget(|it| it.credential == *gone),
            Change::Renew { shown, .. } => seen.forget_one(shown),
            Change::Use { retires: Some(retired), .. } => seen.forget_one(retired),
            Change::Use { shown, at_ms, .. } => seen.used(shown, *at_ms),
            // Nobody is known otherwise by these.
            Change::Create { credential: None, .. }
            | Change::Admit { .. }
            | Change::Shun { .. }
            | Change::Readmit { .. }
            | Change::Report(_)
            | Change::Act { .. }
            | Change::ReadNotice { .. }
            | Change::Recovery { .. } => {}
        }
    }
}

impl Seen {
    fn put(&mut self, token: TokenHash, holder: Holder) {
        if self.young.len() >= MOST / 2 {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(token, holder);
    }

    fn forget(&mut self, stale: impl Fn(&Holder) -> bool) {
        self.changes.0 += 1;
        let Seen { young, old, .. } = self;
        [young, old].into_iter().for_each(|half| half.retain(|_, holder| !stale(holder)));
    }

    fn forget_one(&mut self, token: &TokenHash) {
        self.changes.0 += 1;
        self.young.remove(token);
        self.old.remove(token);
    }

    fn used(&mut self, token: &TokenHash, at_ms: u64) {
        let Seen { young, old, .. } = self;
        if let Some(holder) = young.get_mut(token).or_else(|| old.get_mut(token)) {
            holder.used_ms = holder.used_ms.max(Some(at_ms));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::skeleton::NameKeys;
    use crate::ids::{KeyId, PlayerId};
    use crate::store::{CredentialRow, PlayerRow, Which};

    fn row(n: u64) -> PlayerRow {
        let name = format!("Guest {n}");
        PlayerRow { id: PlayerId::from_parts(n, 0), name, created_ms: n, owner: None }
    }

    fn key(n: u64) -> KeyId {
        KeyId::from_parts(n, 0)
    }

    fn holder(n: u64) -> Holder {
        Holder {
            player: row(n),
            credential: key(n),
            issued_ms: n,
            used_ms: Some(n),
            next_ms: None,
            replaces: None,
        }
    }

    fn token(n: u64) -> TokenHash {
        std::array::from_fn(|i| n.to_le_bytes()[i % 8])
    }

    fn created(n: u64) -> Change {
        let credential = CredentialRow::device(key(n), row(n).id, token(n), n);
        Change::Create {
            player: row(n),
            keys: NameKeys::of(&row(n).name),
            credential: Some(credential),
            most: 0,
        }
    }

    fn renamed(n: u64) -> Change {
        let name = "Ada".to_owned();
        Change::Rename { id: row(n).id, keys: NameKeys::of(&name), name, by: None }
    }

    /// What changes what the first of two is known by, and leaves the second alone.
    fn changes() -> Vec<Change> {
        let (id, shown) = (key(1), token(1));
        vec![
            renamed(1),
            Change::Renew { id, shown, next: token(7), at_ms: 5 },
            Change::Use { id, shown: token(7), retires: Some(shown), at_ms: 5 },
            Change::Replace {
                credential: CredentialRow::device(key(7), row(1).id, token(7), 5),
                gone: id,
            },
            Change::Revoke { player: row(1).id, which: Which::One(id) },
            Change::Revoke { player: row(1).id, which: Which::AllBut(key(9)) },
        ]
    }

    #[test]
    fn what_was_read_before_a_name_or_token_changed_is_not_kept() {
        for change in changes() {
            let known = KnownTokens::default();
            let since = known.find(&token(1)).unwrap_err();
            known.changed(&change);
            known.keep(token(1), &holder(1), since);
            let since = known.find(&token(1)).unwrap_err();
            known.keep(token(1), &holder(1), since);
            assert_eq!(known.find(&token(1)), Ok(holder(1)));
        }
    }

    #[test]
    fn what_has_changed_is_read_anew_and_nothing_else() {
        for change in changes() {
            let known = KnownTokens::default();
            [1, 2].iter().for_each(|n| known.changed(&created(*n)));
            assert_eq!(known.find(&token(1)), Ok(holder(1)));
            known.changed(&change);
            assert!(known.find(&token(1)).is_err(), "{change:?}");
            assert_eq!(known.find(&token(2)), Ok(holder(2)));
        }
        let known = KnownTokens::default();
        known.changed(&created(1));
        known.changed(&Change::Revoke { player: row(1).id, which: Which::AllBut(key(1)) });
        assert_eq!(known.find(&token(1)), Ok(holder(1)), "it was kept");
    }

    #[test]
    fn a_token_in_waiting_is_not_kept_and_a_use_is_noted() {
        let known = KnownTokens::default();
        let since = known.find(&token(2)).unwrap_err();
        known.keep(token(2), &Holder { replaces: Some(token(1)), ..holder(1) }, since);
        assert!(known.find(&token(2)).is_err());
        known.changed(&created(1));
        let used = Change::Use { id: key(1), shown: token(1), retires: None, at_ms: 9 };
        known.changed(&used);
        assert_eq!(known.find(&token(1)).unwrap().used_ms, Some(9));
    }

    #[test]
    fn those_not_seen_for_longest_go() {
        let known = KnownTokens::default();
        let half = MOST as u64 / 2;
        for n in 0..2 * half {
            known.changed(&created(n));
            // Guest 0 comes back all the time.
            assert!(known.find(&token(0)).is_ok());
        }
        known.changed(&created(2 * half));
        let seen = lock(&known.0);
        assert!(seen.young.len() + seen.old.len() <= MOST);
        drop(seen);
        assert!(known.find(&token(1)).is_err());
        assert_eq!(known.find(&token(2 * half)), Ok(holder(2 * half)));
        assert_eq!(known.find(&token(2 * half - 1)), Ok(holder(2 * half - 1)));
    }
}
