//! Blocks without a disk.

use super::people::People;
use crate::ids::PlayerId;
use crate::store::blocks::BlockRow;
use crate::store::queue::{Refused, Verdict};

impl People {
    pub(in crate::store) fn has_blocked(&self, player: PlayerId, other: PlayerId) -> bool {
        self.blocks.contains_key(&(player, other))
    }

    pub(in crate::store) fn blocks(&self, player: PlayerId) -> Vec<BlockRow> {
        let own = self.blocks.iter().filter(|((of, _), _)| *of == player);
        own.filter_map(|(&(_, blocked), &since_ms)| {
            Some(BlockRow { blocked: self.player(blocked)?, since_ms })
        })
        .collect()
    }

    pub(super) fn block(
        &mut self,
        player: PlayerId,
        blocked: PlayerId,
        at_ms: u64,
        most: usize,
    ) -> Verdict {
        if self.player(player).is_none() || self.player(blocked).is_none() {
            return Err(Refused::Unknown);
        }
        if self.has_blocked(player, blocked) {
            return Ok(());
        }
        if self.blocks(player).len() >= most {
            return Err(Refused::Full);
        }
        self.blocks.insert((player, blocked), at_ms);
        Ok(())
    }

    pub(super) fn unblock(&mut self, player: PlayerId, blocked: PlayerId) -> Verdict {
        self.blocks.remove(&(player, blocked)).map(drop).ok_or(Refused::Unknown)
    }
}
