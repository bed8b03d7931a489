//! Whom a player keeps away, by a block or by a mute.

use super::devices::for_people;
use super::{AccountError, Accounts, Known, player};
use crate::game::clock::Stamp;
use crate::ids::PlayerId;
use crate::store::{PlayerError, Shun};
use crate::table::handle::Player;

/// The players whom one may keep away at a time, in each way.
pub const MOST_SHUNNED: usize = 500;

impl Accounts {
    /// Whom a player keeps away in this way, and since when.
    pub async fn shunned(
        &self,
        kind: Shun,
        by: PlayerId,
    ) -> Result<Vec<(Player, Stamp)>, AccountError> {
        let rows = self.store.shunned(kind, by).await?;
        Ok(rows.into_iter().map(|row| (player(row.other), Stamp(row.since_ms))).collect())
    }

    /// Keeps somebody away, who may be kept away already. Returns once that is durable.
    pub async fn shun(&self, kind: Shun, by: &Known, whom: PlayerId) -> Result<(), AccountError> {
        for_people(by)?;
        self.check_other(by, whom).await?;
        let limited = self.limits.shuns.admit((kind, by.player.id));
        let too_often = match kind {
            Shun::Block => "many blocks",
            Shun::Mute => "many mutes",
        };
        limited.map_err(|wait| AccountError::TooOften { what: too_often, wait })?;
        let now = self.time.now();
        match self.store.shun(kind, by.player.id, whom, now.0, MOST_SHUNNED).await {
            Ok(()) => Ok(()),
            Err(PlayerError::Full) => {
                let what = match kind {
                    Shun::Block => "players blocked",
                    Shun::Mute => "players muted",
                };
                Err(AccountError::TooMany { what, most: MOST_SHUNNED })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Keeps somebody away in this way no more, who may not be kept away. Returns once that is
    /// durable.
    pub async fn readmit(
        &self,
        kind: Shun,
        by: &Known,
        whom: PlayerId,
    ) -> Result<(), AccountError> {
        for_people(by)?;
        match self.store.readmit(kind, by.player.id, whom).await {
            Ok(()) | Err(PlayerError::Unknown) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Refuses oneself and nobody.
    pub(super) async fn check_other(&self, by: &Known, whom: PlayerId) -> Result<(), AccountError> {
        if by.player.id == whom {
            return Err(AccountError::Oneself);
        }
        match self.store.player(whom).await? {
            Some(_) => Ok(()),
            None => Err(AccountError::UnknownPlayer(whom)),
        }
    }
}
