//! Bots: players with an owner, who are known by keys.

use super::devices::for_people;
use super::{AccountError, Accounts, Known, Name, Token, player};
use crate::ids::{KeyId, PlayerId};
use crate::store::{CredentialRow, KeyLabel, PlayerError, PlayerRow, Which};
use crate::table::handle::Player;

/// The bots that one player may have.
pub const MOST_BOTS: usize = 10;

/// The keys that one bot may have at a time.
pub const MOST_KEYS: usize = 10;

/// A bot of the one who asks: that it is was looked up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bot(Player);

impl Bot {
    /// The bot as a player.
    pub fn player(&self) -> &Player {
        &self.0
    }
}

impl Accounts {
    /// Makes a bot. Returns once that is durable.
    pub async fn create_bot(&self, owner: &Known, name: Name) -> Result<Player, AccountError> {
        for_people(owner)?;
        self.check(&name).await?;
        self.spend(owner)?;
        let now = self.time.now();
        let (id, owner) = (self.chance.player(now), Some(owner.player.id));
        let row = PlayerRow { id, name: name.to_string(), created_ms: now.0, owner };
        match self.store.create_bot(row.clone(), MOST_BOTS).await {
            Ok(()) => Ok(player(row)),
            Err(PlayerError::NameTaken) => Err(self.taken(&name).await?),
            Err(PlayerError::Full) => Err(AccountError::TooMany { what: "bots", most: MOST_BOTS }),
            Err(error) => Err(error.into()),
        }
    }

    /// The bots of a player, the oldest first.
    pub async fn bots(&self, owner: PlayerId) -> Result<Vec<Player>, AccountError> {
        Ok(self.store.bots(owner).await?.into_iter().map(player).collect())
    }

    /// A bot, if it is the asker's.
    pub async fn bot(&self, owner: &Known, id: PlayerId) -> Result<Bot, AccountError> {
        let bots = self.store.bots(owner.player.id).await?;
        let found = bots.into_iter().find(|row| row.id == id);
        found.map(|row| Bot(player(row))).ok_or(AccountError::UnknownBot)
    }

    /// Has a bot be one no more: its keys are good for nothing, and it is not listed. Its name stays
    /// taken, since its games tell of it. Returns once that is durable.
    pub async fn retire_bot(&self, owner: &Known, bot: PlayerId) -> Result<(), AccountError> {
        match self.store.retire_bot(owner.player.id, bot, self.time.now().0).await {
            Ok(()) => Ok(()),
            Err(PlayerError::Unknown) => Err(AccountError::UnknownBot),
            Err(error) => Err(error.into()),
        }
    }

    /// Makes a key for a bot. Returns once that is durable.
    pub async fn create_key(
        &self,
        owner: &Known,
        Bot(bot): &Bot,
        label: &Name,
    ) -> Result<(Token, CredentialRow), AccountError> {
        self.spend(owner)?;
        let key = Token::generate_key()?;
        let now = self.time.now();
        let label = KeyLabel { label: label.to_string(), hint: key.hint() };
        let row = CredentialRow::key(self.chance.key(now), bot.id, key.hash(), now.0, label);
        match self.store.admit(row.clone(), MOST_KEYS).await {
            Ok(()) => Ok((key, row)),
            Err(PlayerError::Full) => Err(AccountError::TooMany { what: "keys", most: MOST_KEYS }),
            // It was deleted a moment ago.
            Err(PlayerError::Unknown) => Err(AccountError::UnknownBot),
            Err(error) => Err(error.into()),
        }
    }

    /// A bot's keys, the oldest first.
    pub async fn keys(&self, Bot(bot): &Bot) -> Result<Vec<CredentialRow>, AccountError> {
        Ok(self.store.credentials(bot.id).await?)
    }

    /// Revokes a key. Returns once that is durable.
    pub async fn revoke_key(&self, Bot(bot): &Bot, key: KeyId) -> Result<(), AccountError> {
        match self.store.revoke(bot.id, Which::One(key)).await {
            Ok(()) => Ok(()),
            Err(PlayerError::Unknown) => Err(AccountError::UnknownKey),
            Err(error) => Err(error.into()),
        }
    }
}
