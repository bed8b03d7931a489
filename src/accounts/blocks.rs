//! Whom a player wants nothing to do with.

use super::devices::for_people;
use super::{AccountError, Accounts, Known, player};
use crate::game::clock::Stamp;
use crate::ids::PlayerId;
use crate::store::PlayerError;
use crate::table::handle::Player;

/// The players whom one may have blocked at a time.
pub const MOST_BLOCKS: usize = 500;

impl Accounts {
    /// Whom a player has blocked, and since when.
    pub async fn blocks(&self, by: PlayerId) -> Result<Vec<(Player, Stamp)>, AccountError> {
        let rows = self.store.blocks(by).await?;
        Ok(rows.into_iter().map(|row| (player(row.blocked), Stamp(row.since_ms))).collect())
    }

    /// Blocks somebody, who may be blocked already. Returns once that is durable.
    pub async fn block(&self, by: &Known, whom: PlayerId) -> Result<(), AccountError> {
        for_people(by)?;
        if by.player.id == whom {
            return Err(AccountError::OwnBlock);
        }
        if self.store.player(whom).await?.is_none() {
            return Err(AccountError::UnknownPlayer(whom));
        }
        let limited = self.limits.blocks.admit(by.player.id);
        limited.map_err(|wait| AccountError::TooOften { what: "many blocks", wait })?;
        let now = self.time.now();
        match self.store.block(by.player.id, whom, now.0, MOST_BLOCKS).await {
            Ok(()) => Ok(()),
            Err(PlayerError::Full) => {
                Err(AccountError::TooMany { what: "players blocked", most: MOST_BLOCKS })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Blocks somebody no more, who may not be blocked. Returns once that is durable.
    pub async fn unblock(&self, by: &Known, whom: PlayerId) -> Result<(), AccountError> {
        for_people(by)?;
        match self.store.unblock(by.player.id, whom).await {
            Ok(()) | Err(PlayerError::Unknown) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
