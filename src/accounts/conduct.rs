//! What operators have a player told, and what keeps one out.

use super::{AccountError, Accounts, Known};
use crate::game::clock::Stamp;
use crate::ids::{NoticeId, PlayerId};
use crate::store::{NoticeRow, PlayerError};

impl Accounts {
    /// Refuses whoever is banned, or whose owner is.
    pub(super) fn let_in(&self, player: PlayerId) -> Result<(), AccountError> {
        let now = self.time.now();
        self.store.banned(player, now.0).map_or(Ok(()), |ban| {
            let wait = ban.until_ms.map(|until| Stamp(until) - now);
            Err(AccountError::Banned { reason: ban.reason, wait })
        })
    }

    /// What a player has not read yet, the oldest first.
    pub fn notices(&self, player: PlayerId) -> Vec<NoticeRow> {
        self.store.notices(player)
    }

    /// A player has read a notice, be it once more. Returns once that is durable.
    pub async fn read_notice(&self, by: &Known, id: NoticeId) -> Result<(), AccountError> {
        match self.store.read_notice(by.player.id, id).await {
            Ok(()) | Err(PlayerError::Unknown) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
