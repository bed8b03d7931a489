//! Who there is, and what shows who they are: what is asked of the store about people and bots.
//!
//! Owns the changes that can be made to them, which every engine makes alike: each is made whole or
//! refused, and what was refused has changed nothing.

use super::acts::Act;
use super::queue::{Busy, Refused, Verdict, Write};
use super::reports::ReportChange;
use super::shuns::Shun;
use super::{
    CredentialRow, Engine, Holder, PlayerError, PlayerRow, ReadError, Store, TokenHash, read,
    sqlite,
};
use crate::accounts::skeleton::NameKeys;
use crate::ids::{KeyId, NoticeId, PlayerId};

/// One change.
#[derive(Debug)]
pub(super) enum Change {
    /// A player is new, and with them perhaps what shows who they are. With an owner, it is a bot,
    /// and one of at most so many.
    Create { player: PlayerRow, keys: NameKeys, credential: Option<CredentialRow>, most: usize },
    /// A player has another name, which an operator may have given them.
    Rename { id: PlayerId, name: String, keys: NameKeys, by: Option<Box<ByOperator>> },
    /// Something more shows who a player is, of at most so many such things.
    Admit { credential: CredentialRow, most: usize },
    /// Something more shows who a player is, in place of another thing, which does so no more.
    Replace { credential: CredentialRow, gone: KeyId },
    /// A token is to take the place of the one that was shown, once it is shown itself.
    Renew { id: KeyId, shown: TokenHash, next: TokenHash, at_ms: u64 },
    /// A token or key was used; if it took the place of another, that one is good no more.
    Use { id: KeyId, shown: TokenHash, retires: Option<TokenHash>, at_ms: u64 },
    /// A player has a recovery phrase, in place of an earlier one.
    Recovery { player: PlayerId, hash: TokenHash },
    /// A player keeps another away, one of at most so many.
    Shun { kind: Shun, player: PlayerId, other: PlayerId, at_ms: u64, most: usize },
    /// A player keeps another away no more.
    Readmit { kind: Shun, player: PlayerId, other: PlayerId },
    /// A player has told of another, or what became of that.
    Report(ReportChange),
    /// An operator does something to a player, who is told of it by a notice of that name if they
    /// are told.
    Act { act: Act, notice: NoticeId },
    /// A player has read a notice.
    ReadNotice { player: PlayerId, id: NoticeId },
    /// Some of a player's credentials are revoked.
    Revoke { player: PlayerId, which: Which },
    /// An owner's bot is nobody's any more: nothing shows that somebody is it, and it is not listed.
    /// Its name and its games stay.
    Retire { owner: PlayerId, bot: PlayerId, at_ms: u64 },
}

/// That an operator did it: a line of the log, and the name of the notice.
#[derive(Debug)]
pub(super) struct ByOperator {
    pub(super) act: Act,
    pub(super) notice: NoticeId,
}

/// Which of a player's devices or keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// This one.
    One(KeyId),
    /// All but this one.
    AllBut(KeyId),
    /// All of them.
    All,
}

impl Which {
    /// Whether this is one of them.
    pub fn is(self, id: KeyId) -> bool {
        match self {
            Which::One(one) => one == id,
            Which::AllBut(kept) => kept != id,
            Which::All => true,
        }
    }
}

impl Store {
    /// One player.
    pub async fn player(&self, id: PlayerId) -> Result<Option<PlayerRow>, ReadError> {
        read!(self, rows => rows.people.player(id), db => sqlite::player(db, id))
    }

    /// Who holds the token or key with this hash.
    pub async fn holder(&self, hash: TokenHash) -> Result<Option<Holder>, ReadError> {
        match &self.engine {
            Engine::Memory(memory) => memory.read(|rows| rows.people.holder(&hash)),
            Engine::Sqlite(sqlite) => sqlite.holder(hash).await,
        }
    }

    /// The player whose recovery phrase has this hash.
    pub async fn player_by_recovery(
        &self,
        hash: TokenHash,
    ) -> Result<Option<PlayerRow>, ReadError> {
        read!(self, rows => rows.people.by_recovery(&hash), db => sqlite::by_recovery(db, &hash))
    }

    /// Whether a player has a recovery phrase.
    pub async fn is_claimed(&self, id: PlayerId) -> Result<bool, ReadError> {
        read!(self, rows => rows.people.is_claimed(id), db => sqlite::is_claimed(db, id))
    }

    /// Whether nobody goes by a name that is too like this one.
    pub async fn is_name_free(&self, name: &str) -> Result<bool, ReadError> {
        let keys = NameKeys::of(name);
        read!(
            self,
            rows => rows.people.named(&keys).is_none(),
            db => Ok(sqlite::named(db, &keys)?.is_none()),
        )
    }

    /// What shows who a player is, the oldest first.
    pub async fn credentials(&self, player: PlayerId) -> Result<Vec<CredentialRow>, ReadError> {
        read!(self, rows => rows.people.credentials(player), db => sqlite::credentials(db, player))
    }

    /// The bots of a player, the oldest first; those that were retired are none any more.
    pub async fn bots(&self, owner: PlayerId) -> Result<Vec<PlayerRow>, ReadError> {
        read!(self, rows => rows.people.bots(owner), db => sqlite::bots(db, owner))
    }

    /// Adds a player, who is known by this; returns once that is durable.
    pub async fn create_player(
        &self,
        player: PlayerRow,
        credential: CredentialRow,
    ) -> Result<(), PlayerError> {
        let keys = NameKeys::of(&player.name);
        let credential = Some(credential);
        self.change(Change::Create { player, keys, credential, most: usize::MAX }).await
    }

    /// Adds a bot, one of its owner's `most`; returns once that is durable.
    pub async fn create_bot(&self, bot: PlayerRow, most: usize) -> Result<(), PlayerError> {
        let keys = NameKeys::of(&bot.name);
        self.change(Change::Create { player: bot, keys, credential: None, most }).await
    }

    /// Gives a player another name; returns once that is durable.
    pub async fn rename_player(&self, id: PlayerId, name: String) -> Result<(), PlayerError> {
        let keys = NameKeys::of(&name);
        self.change(Change::Rename { id, name, keys, by: None }).await
    }

    /// Adds a device or a key, one of the player's `most`; returns once that is durable.
    pub async fn admit(&self, credential: CredentialRow, most: usize) -> Result<(), PlayerError> {
        self.change(Change::Admit { credential, most }).await
    }

    /// Adds a device in place of the one that is `gone`, in one change; returns once that is
    /// durable.
    ///
    /// # Errors
    /// [`PlayerError::Unknown`] where that one is none of the player's; nothing has changed.
    pub async fn replace(&self, credential: CredentialRow, gone: KeyId) -> Result<(), PlayerError> {
        self.change(Change::Replace { credential, gone }).await
    }

    /// Has the token with the hash `next` take the place of the one that was `shown`, once it is
    /// shown itself; an earlier one in waiting is forgotten. Returns once that is durable.
    pub async fn renew(
        &self,
        id: KeyId,
        shown: TokenHash,
        next: TokenHash,
        at_ms: u64,
    ) -> Result<(), PlayerError> {
        self.change(Change::Renew { id, shown, next, at_ms }).await
    }

    /// A token in waiting was shown: it takes its place, and the one before is none any more.
    /// Returns once that is durable.
    pub async fn promote(
        &self,
        id: KeyId,
        shown: TokenHash,
        retires: TokenHash,
        at_ms: u64,
    ) -> Result<(), PlayerError> {
        self.change(Change::Use { id, shown, retires: Some(retires), at_ms }).await
    }

    /// Notes when a token or key was shown. Waits for nothing; where nothing can be written, it is
    /// not noted.
    pub fn note_use(&self, id: KeyId, shown: TokenHash, at_ms: u64) {
        if let Ok(slot) = self.reserve() {
            let change = Change::Use { id, shown, retires: None, at_ms };
            slot.send(Write::People { change, done: None });
        }
    }

    /// Gives a player a recovery phrase with this hash, in place of an earlier one; returns once
    /// that is durable.
    pub async fn set_recovery(&self, player: PlayerId, hash: TokenHash) -> Result<(), PlayerError> {
        self.change(Change::Recovery { player, hash }).await
    }

    /// Revokes some of a player's credentials; returns once that is durable.
    pub async fn revoke(&self, player: PlayerId, which: Which) -> Result<(), PlayerError> {
        self.change(Change::Revoke { player, which }).await
    }

    /// Has an owner's bot be known by nothing and listed no more; returns once that is durable.
    pub async fn retire_bot(
        &self,
        owner: PlayerId,
        bot: PlayerId,
        at_ms: u64,
    ) -> Result<(), PlayerError> {
        self.change(Change::Retire { owner, bot, at_ms }).await
    }

    pub(super) async fn change(&self, change: Change) -> Result<(), PlayerError> {
        Ok(self.submit(change).await??)
    }

    /// Hands a change to the writer, and gives its verdict once that is durable.
    pub(super) async fn submit(&self, change: Change) -> Result<Verdict, Busy> {
        let (done, verdict) = tokio::sync::oneshot::channel();
        self.reserve()?.send(Write::People { change, done: Some(done) });
        // Only a store that was closed lets go of a write without a verdict.
        verdict.await.map_err(|_| Busy::Closed)
    }
}

impl From<Refused> for PlayerError {
    fn from(refused: Refused) -> PlayerError {
        match refused {
            Refused::Taken => PlayerError::Exists,
            Refused::NameTaken => PlayerError::NameTaken,
            Refused::Full | Refused::NoRoom => PlayerError::Full,
            Refused::Unknown => PlayerError::Unknown,
            Refused::Unwritable => PlayerError::Unwritable,
        }
    }
}
