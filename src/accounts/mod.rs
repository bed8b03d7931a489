//! Players: who somebody is, the token that says so, and how well they play.
//!
//! Owns the making of guests and the checking of names and tokens. Invariant: a token is told once
//! and never kept; what is stored of it is a hash.

pub mod name;
pub mod token;
pub mod ratings;

use std::sync::Arc;

pub use name::{BadName, Name};
pub use token::Token;

use crate::chance::Chance;
use crate::store::{PlayerError, PlayerRow, ReadError, Store};
use crate::table::handle::Player;
use crate::time::TimeSource;

/// Makes players, finds them by their tokens, and renames them. Clones share one store.
#[derive(Clone)]
pub struct Accounts {
    store: Store,
    time: TimeSource,
    chance: Chance,
}

/// Why a player could not be had. Nothing has changed.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// The store could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The store could not be written.
    #[error(transparent)]
    Write(#[from] PlayerError),
    /// The system gave no random bits.
    #[error("no random bits from the system: {0}")]
    Random(#[from] getrandom::Error),
}

impl Accounts {
    /// Accounts kept in this store.
    pub fn new(store: Store, time: TimeSource, chance: Chance) -> Accounts {
        Accounts { store, time, chance }
    }

    /// The player whose token this is; none if it is nobody's.
    pub async fn by_token(&self, token: &Token) -> Result<Option<Player>, AccountError> {
        Ok(self.store.player_by_token(token.hash()).await?.map(player))
    }

    /// Makes a guest who is known by `token` from now on, with a name like "Guest 4821" unless one
    /// was chosen. Returns once that is durable.
    pub async fn create_guest(
        &self,
        token: &Token,
        name: Option<Name>,
    ) -> Result<Player, AccountError> {
        let now = self.time.now();
        let id = self.chance.player(now);
        let name = name.unwrap_or_else(|| Name::guest(u128::from_le_bytes(self.chance.bytes())));
        let row = PlayerRow { id, name: name.to_string(), created_ms: now.0 };
        self.store.create_player(row.clone(), token.hash()).await?;
        Ok(player(row))
    }

    /// Gives a player another name. Returns once that is durable.
    pub async fn rename(&self, player: Player, name: Name) -> Result<Player, AccountError> {
        if *player.name == *name.as_str() {
            return Ok(player);
        }
        self.store.rename_player(player.id, name.to_string()).await?;
        Ok(Player { name: name.as_str().into(), ..player })
    }
}

fn player(row: PlayerRow) -> Player {
    Player { id: row.id, name: Arc::from(row.name), cpu: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::clock::Stamp;

    fn accounts() -> Accounts {
        let time = TimeSource::manual(Stamp(1_700_000_000_000));
        Accounts::new(Store::memory(), time, Chance::seeded([1; 32]))
    }

    #[tokio::test]
    async fn a_guest_is_found_again_by_the_token_and_by_no_other() {
        let accounts = accounts();
        let token = Token::generate().unwrap();
        assert_eq!(accounts.by_token(&token).await.unwrap(), None);

        let guest = accounts.create_guest(&token, None).await.unwrap();
        assert!(guest.name.starts_with("Guest "), "{}", guest.name);
        assert_eq!(accounts.by_token(&token).await.unwrap(), Some(guest));
        assert_eq!(accounts.by_token(&Token::generate().unwrap()).await.unwrap(), None);
    }

    #[tokio::test]
    async fn a_name_once_changed_is_found_with_the_token() {
        let accounts = accounts();
        let token = Token::generate().unwrap();
        let name = Name::new("Piet").unwrap();
        let guest = accounts.create_guest(&token, Some(name)).await.unwrap();
        assert_eq!(&*guest.name, "Piet");

        let renamed = accounts.rename(guest, Name::new("John").unwrap()).await.unwrap();
        assert_eq!(&*renamed.name, "John");
        assert_eq!(accounts.by_token(&token).await.unwrap(), Some(renamed));
    }
}
