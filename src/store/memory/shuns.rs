//! Blocks and mutes without a disk.

use super::people::People;
use crate::ids::PlayerId;
use crate::store::queue::{Refused, Verdict};
use crate::store::shuns::{Shun, ShunRow};

impl People {
    pub(in crate::store) fn shuns(&self, kind: Shun, player: PlayerId, other: PlayerId) -> bool {
        self.shuns.contains_key(&(kind, player, other))
    }

    pub(in crate::store) fn shunned(&self, kind: Shun, player: PlayerId) -> Vec<ShunRow> {
        let own = self.shuns.iter().filter(|((way, of, _), _)| (*way, *of) == (kind, player));
        own.filter_map(|(&(_, _, other), &since_ms)| {
            Some(ShunRow { other: self.player(other)?, since_ms })
        })
        .collect()
    }

    pub(super) fn shun(
        &mut self,
        kind: Shun,
        player: PlayerId,
        other: PlayerId,
        at_ms: u64,
        most: usize,
    ) -> Verdict {
        if self.player(player).is_none() || self.player(other).is_none() {
            return Err(Refused::Unknown);
        }
        if self.shuns(kind, player, other) {
            return Ok(());
        }
        if self.shunned(kind, player).len() >= most {
            return Err(Refused::Full);
        }
        self.shuns.insert((kind, player, other), at_ms);
        Ok(())
    }

    pub(super) fn readmit(&mut self, kind: Shun, player: PlayerId, other: PlayerId) -> Verdict {
        self.shuns.remove(&(kind, player, other)).map(drop).ok_or(Refused::Unknown)
    }
}
