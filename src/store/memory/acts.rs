//! What operators do, without a disk.

use super::people::People;
use crate::accounts::skeleton::NameKeys;
use crate::ids::{NoticeId, PlayerId};
use crate::store::PlayerRow;
use crate::store::acts::{Act, ActRow, Found};
use crate::store::queue::{Refused, Verdict};

impl People {
    pub(in crate::store) fn log(
        &self,
        player: Option<PlayerId>,
        before: Option<u64>,
        most: u32,
    ) -> Vec<ActRow> {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let numbered = self.log.iter().enumerate().rev();
        let numbered = numbered.map(|(before, act)| (before as u64 + 1, act));
        numbered
            .filter(|(number, _)| before.is_none_or(|before| *number < before))
            .filter(|(_, act)| player.is_none_or(|player| act.player == player))
            .filter_map(|(number, act)| {
                let name = self.player(act.player)?.name;
                Some(ActRow { number, name, act: act.clone() })
            })
            .take(most)
            .collect()
    }

    pub(in crate::store) fn find(&self, text: &str, most: u32) -> Found {
        let keys = NameKeys::of(text);
        let named = self.named(&keys).and_then(|id| self.player(id));
        if let Some(player) = named.filter(|it| NameKeys::of(&it.name).folded == keys.folded) {
            return Found { players: vec![player], exact: true };
        }
        let holds =
            |of: &NameKeys| of.folded.contains(&keys.folded) || of.look.contains(&keys.look);
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let players: Vec<PlayerRow> = self.newest_named(holds).take(most).collect();
        Found { players, exact: false }
    }

    pub(super) fn act(&mut self, act: &Act) -> Verdict {
        self.player(act.player).ok_or(Refused::Unknown)?;
        self.log.push(act.clone());
        Ok(())
    }

    pub(super) fn read_notice(&self, player: PlayerId, id: NoticeId) -> Verdict {
        let there = self.acts.notices(player).iter().any(|row| row.id == id);
        if there { Ok(()) } else { Err(Refused::Unknown) }
    }
}
