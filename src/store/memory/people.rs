//! People and bots without a disk.

use std::collections::{BTreeMap, HashMap};

use super::reports::Made;
use crate::accounts::skeleton::NameKeys;
use crate::ids::{KeyId, PlayerId, ReportId};
use crate::store::acts::{Act, Acts};
use crate::store::people::{Change, Which};
use crate::store::queue::{Refused, Verdict};
use crate::store::shuns::Shun;
use crate::store::{CredentialRow, Holder, PlayerRow, TokenHash};

/// Everybody, as the database's tables have them.
#[derive(Default)]
pub(in crate::store) struct People {
    players: BTreeMap<PlayerId, Person>,
    folded: HashMap<String, PlayerId>,
    looks: HashMap<String, PlayerId>,
    credentials: BTreeMap<KeyId, Credential>,
    /// What each token stands for, those in waiting among them.
    hashes: HashMap<TokenHash, KeyId>,
    recoveries: HashMap<TokenHash, PlayerId>,
    /// Who keeps whom away, and since when.
    pub(super) shuns: BTreeMap<(Shun, PlayerId, PlayerId), u64>,
    pub(super) reports: BTreeMap<ReportId, Made>,
    /// What operators have done, in order, and what holds because of it.
    pub(super) log: Vec<Act>,
    pub(in crate::store) acts: Acts,
}

struct Person {
    row: PlayerRow,
    keys: NameKeys,
    recovery: Option<TokenHash>,
    /// A bot that was retired, and when.
    retired_ms: Option<u64>,
}

struct Credential {
    row: CredentialRow,
    /// What is to take the place of its token, and since when.
    next: Option<(TokenHash, u64)>,
}

impl People {
    pub(in crate::store) fn player(&self, id: PlayerId) -> Option<PlayerRow> {
        self.players.get(&id).map(|person| person.row.clone())
    }

    pub(in crate::store) fn person(&self, id: PlayerId) -> PlayerId {
        self.players.get(&id).and_then(|it| it.row.owner).unwrap_or(id)
    }

    /// Whether both are bots of one owner, or a bot and its owner.
    pub(super) fn is_one_person(&self, players: [Option<PlayerId>; 2]) -> bool {
        let person = |id: PlayerId| self.players.get(&id).map(|it| it.row.owner.unwrap_or(id));
        let [one, two] = players.map(|player| player.and_then(person));
        one.is_some() && one == two
    }

    pub(in crate::store) fn holder(&self, hash: &TokenHash) -> Option<Holder> {
        let Credential { row, next } = self.credentials.get(self.hashes.get(hash)?)?;
        Some(Holder {
            player: self.player(row.player)?,
            credential: row.id,
            issued_ms: row.issued_ms,
            used_ms: row.used_ms,
            next_ms: next.map(|(_, since)| since),
            replaces: (row.hash != *hash).then_some(row.hash),
        })
    }

    pub(in crate::store) fn by_recovery(&self, hash: &TokenHash) -> Option<PlayerRow> {
        self.recoveries.get(hash).and_then(|id| self.player(*id))
    }

    pub(in crate::store) fn is_claimed(&self, id: PlayerId) -> bool {
        self.players.get(&id).is_some_and(|person| person.recovery.is_some())
    }

    pub(in crate::store) fn named(&self, keys: &NameKeys) -> Option<PlayerId> {
        let folded = self.folded.get(&keys.folded);
        folded.or_else(|| self.looks.get(&keys.look)).copied()
    }

    pub(in crate::store) fn credentials(&self, player: PlayerId) -> Vec<CredentialRow> {
        let theirs = self.credentials.values().filter(|it| it.row.player == player);
        theirs.map(|credential| credential.row.clone()).collect()
    }

    pub(in crate::store) fn bots(&self, owner: PlayerId) -> Vec<PlayerRow> {
        let is_theirs = |it: &&Person| it.row.owner == Some(owner) && it.retired_ms.is_none();
        let theirs = self.players.values().filter(is_theirs);
        theirs.map(|person| person.row.clone()).collect()
    }

    /// Whose names are like that, the newest first.
    pub(super) fn newest_named(
        &self,
        wanted: impl Fn(&NameKeys) -> bool,
    ) -> impl Iterator<Item = PlayerRow> {
        let newest = self.players.values().rev().filter(move |person| wanted(&person.keys));
        newest.map(|person| person.row.clone())
    }

    pub(super) fn apply(&mut self, change: &Change) -> Verdict {
        self.make(change)?;
        self.acts.changed(change);
        Ok(())
    }

    fn make(&mut self, change: &Change) -> Verdict {
        match change {
            Change::Create { player, keys, credential, most } => {
                self.create(player, keys, credential.as_ref(), *most)
            }
            Change::Rename { id, name, keys, by } => {
                self.rename(*id, name, keys)?;
                by.as_ref().map_or(Ok(()), |by| self.act(&by.act))
            }
            Change::Admit { credential, most } => {
                if self.credentials(credential.player).len() >= *most {
                    return Err(Refused::Full);
                }
                let holder = self.players.get(&credential.player).ok_or(Refused::Unknown)?;
                if holder.retired_ms.is_some() {
                    return Err(Refused::Unknown);
                }
                self.check_new(credential)?;
                self.put(credential);
                Ok(())
            }
            Change::Replace { credential, gone } => {
                let theirs = self.credentials.get(gone);
                theirs.filter(|it| it.row.player == credential.player).ok_or(Refused::Unknown)?;
                self.check_new(credential)?;
                self.put(credential);
                self.remove(&[*gone]);
                Ok(())
            }
            Change::Renew { id, next, at_ms, .. } => {
                if self.hashes.contains_key(next) {
                    return Err(Refused::Taken);
                }
                let credential = self.credentials.get_mut(id).ok_or(Refused::Unknown)?;
                if let Some((before, _)) = credential.next.replace((*next, *at_ms)) {
                    self.hashes.remove(&before);
                }
                self.hashes.insert(*next, *id);
                Ok(())
            }
            Change::Use { id, shown, at_ms, .. } => {
                let credential = self.credentials.get_mut(id).ok_or(Refused::Unknown)?;
                if let Some((next, since)) = credential.next.filter(|(next, _)| next == shown) {
                    self.hashes.remove(&credential.row.hash);
                    (credential.row.hash, credential.row.issued_ms) = (next, since);
                    credential.next = None;
                }
                credential.row.used_ms = credential.row.used_ms.max(Some(*at_ms));
                Ok(())
            }
            Change::Recovery { player, hash } => {
                if self.recoveries.contains_key(hash) {
                    return Err(Refused::Taken);
                }
                let person = self.players.get_mut(player).ok_or(Refused::Unknown)?;
                if let Some(before) = person.recovery.replace(*hash) {
                    self.recoveries.remove(&before);
                }
                self.recoveries.insert(*hash, *player);
                Ok(())
            }
            Change::Shun { kind, player, other, at_ms, most } => {
                self.shun(*kind, *player, *other, *at_ms, *most)
            }
            Change::Readmit { kind, player, other } => self.readmit(*kind, *player, *other),
            Change::Report(change) => self.change_report(change),
            Change::Act { act, .. } => self.act(act),
            Change::ReadNotice { player, id } => self.read_notice(*player, *id),
            Change::Revoke { player, which } => match self.revoke(*player, *which) {
                0 => Err(Refused::Unknown),
                _ => Ok(()),
            },
            Change::Retire { owner, bot, at_ms } => {
                let own =
                    |it: &&mut Person| it.row.owner == Some(*owner) && it.retired_ms.is_none();
                let bot_row = self.players.get_mut(bot).filter(own).ok_or(Refused::Unknown)?;
                bot_row.retired_ms = Some(*at_ms);
                self.revoke(*bot, Which::All);
                Ok(())
            }
        }
    }

    /// How many of a player's devices or keys are none any more.
    fn revoke(&mut self, player: PlayerId, which: Which) -> usize {
        let ids = self.credentials(player).into_iter().map(|row| row.id);
        let revoked: Vec<KeyId> = ids.filter(|id| which.is(*id)).collect();
        self.remove(&revoked);
        revoked.len()
    }

    fn create(
        &mut self,
        player: &PlayerRow,
        keys: &NameKeys,
        credential: Option<&CredentialRow>,
        most: usize,
    ) -> Verdict {
        if self.players.contains_key(&player.id) {
            return Err(Refused::Taken);
        }
        if player.owner.is_some_and(|owner| self.bots(owner).len() >= most) {
            return Err(Refused::Full);
        }
        if self.named(keys).is_some() {
            return Err(Refused::NameTaken);
        }
        credential.map_or(Ok(()), |it| self.check_new(it))?;
        self.claim(player.id, keys);
        let (row, keys) = (player.clone(), keys.clone());
        let person = Person { row, keys, recovery: None, retired_ms: None };
        self.players.insert(player.id, person);
        credential.into_iter().for_each(|it| self.put(it));
        Ok(())
    }

    fn rename(&mut self, id: PlayerId, name: &str, keys: &NameKeys) -> Verdict {
        let others = |holder: Option<&PlayerId>| holder.is_some_and(|holder| *holder != id);
        let person = self.players.get_mut(&id).ok_or(Refused::Unknown)?;
        if others(self.folded.get(&keys.folded)) || others(self.looks.get(&keys.look)) {
            return Err(Refused::NameTaken);
        }
        name.clone_into(&mut person.row.name);
        let before = std::mem::replace(&mut person.keys, keys.clone());
        self.folded.remove(&before.folded);
        self.looks.remove(&before.look);
        self.claim(id, keys);
        Ok(())
    }

    fn claim(&mut self, id: PlayerId, keys: &NameKeys) {
        self.folded.insert(keys.folded.clone(), id);
        self.looks.insert(keys.look.clone(), id);
    }

    fn check_new(&self, credential: &CredentialRow) -> Verdict {
        let (id, hash) = (&credential.id, &credential.hash);
        let taken = self.credentials.contains_key(id) || self.hashes.contains_key(hash);
        if taken { Err(Refused::Taken) } else { Ok(()) }
    }

    fn remove(&mut self, gone: &[KeyId]) {
        self.credentials.retain(|id, _| !gone.contains(id));
        self.hashes.retain(|_, id| !gone.contains(id));
    }

    fn put(&mut self, row: &CredentialRow) {
        self.hashes.insert(row.hash, row.id);
        self.credentials.insert(row.id, Credential { row: row.clone(), next: None });
    }
}
