//! What follows from a change in a party.

use std::collections::{BTreeMap, VecDeque};

use crate::game::clock::Stamp;
use crate::game::{Outcome, Seat};
use crate::ids::PlayerId;
use crate::table::handle::Player;

use super::super::{Corrupt, State};
use super::order::pair;
use super::{Change, MEMBERS, Member, Party};

impl State {
    /// Applies a change that happened at `at`.
    pub(in super::super) fn apply_party(
        &mut self,
        change: &Change,
        at: Stamp,
    ) -> Result<(), Corrupt> {
        if matches!(change, Change::Joined { .. } | Change::Left { .. }) {
            self.touched = at;
        }
        match change {
            Change::Formed { code, turns, level } => {
                if self.party.is_some() || self.number != 1 {
                    return Err(Corrupt::Party("a party comes with its table's opening"));
                }
                self.party = Some(Box::new(Party {
                    code: *code,
                    host: None,
                    members: Vec::new(),
                    turns: *turns,
                    level: *level,
                    last: None,
                    met: BTreeMap::new(),
                    removed: VecDeque::new(),
                }));
                return Ok(());
            }
            Change::Options(options) => {
                if self.running().is_some() {
                    return Err(Corrupt::Party("options never change in a running game"));
                }
                self.options = *options;
            }
            Change::Left { player, .. } if self.seat_of(player.id).is_some() => {
                return Err(Corrupt::Party("whoever has a seat is a member"));
            }
            Change::Left { player, .. } => self.presence.forgets(player.id),
            Change::Joined { player, .. } => {
                if !self.is_member(player.id) {
                    self.presence.joins(player.id, at);
                }
            }
            Change::Hosts(_) | Change::Turns { .. } => {}
        }
        let party = self.party.as_mut().ok_or(Corrupt::Party("the table has no party"))?;
        party.apply(change)
    }

    /// Whether a player may have a seat: in a party its members, and the computer.
    pub(in super::super) fn may_sit(&self, player: &Player) -> bool {
        self.party.is_none() || player.cpu.is_some() || self.is_member(player.id)
    }

    /// Counts a game of two members that has just ended, unless it is void.
    pub(in super::super) fn count_game(&mut self, outcome: Outcome) {
        let [one, two] = Seat::BOTH.map(|seat| self.player(seat).filter(|it| it.cpu.is_none()));
        if let (Some(one), Some(two)) = (one, two)
            && let Some(winner) = outcome.winner()
        {
            let seats = [one.id, two.id];
            let number = self.games;
            if let Some(party) = &mut self.party {
                party.count(seats, winner, number);
            }
        }
    }
}

impl Party {
    fn apply(&mut self, change: &Change) -> Result<(), Corrupt> {
        match change {
            Change::Formed { .. } | Change::Options(_) => {}
            Change::Joined { player, plays } => self.joins(player, *plays)?,
            Change::Left { player, removed } => self.leaves(player.id, *removed)?,
            Change::Hosts(player) => {
                self.member(*player).ok_or(Corrupt::Party("a member hosts"))?;
                self.host = Some(*player);
            }
            Change::Turns { turns, level } => (self.turns, self.level) = (*turns, *level),
        }
        Ok(())
    }

    fn joins(&mut self, player: &Player, plays: bool) -> Result<(), Corrupt> {
        if let Some(member) = self.members.iter_mut().find(|it| it.player.id == player.id) {
            (member.player, member.plays) = (player.clone(), plays);
            return Ok(());
        }
        if self.members.len() >= MEMBERS || player.cpu.is_some() {
            return Err(Corrupt::Party("a party has as many members as may be, and people only"));
        }
        self.members.push(Member {
            player: player.clone(),
            plays,
            games: 0,
            wins: 0,
            firsts: 0,
            rounds: 0,
            last_game: 0,
        });
        self.host.get_or_insert(player.id);
        Ok(())
    }

    /// Whether there is such a member, who goes by another name now.
    pub(in super::super) fn renames(&mut self, player: &Player) -> bool {
        let member = self.members.iter_mut().find(|it| it.player.id == player.id);
        member.map(|member| member.player.clone_from(player)).is_some()
    }

    fn leaves(&mut self, player: PlayerId, removed: bool) -> Result<(), Corrupt> {
        if self.host == Some(player) && self.members.len() > 1 {
            return Err(Corrupt::Party("a host leaves once another member hosts"));
        }
        let at = self.members.iter().position(|it| it.player.id == player);
        self.members.remove(at.ok_or(Corrupt::Party("only a member leaves"))?);
        self.met.retain(|met, _| !met.contains(&player));
        if self.members.is_empty() {
            self.host = None;
        }
        if removed {
            if self.removed.len() == MEMBERS {
                self.removed.pop_front();
            }
            self.removed.push_back(player);
        }
        Ok(())
    }

    fn count(&mut self, seats: [PlayerId; 2], winner: Seat, number: u32) {
        let [first, second] = seats;
        let rounds = seats.map(|id| self.member(id).map_or(0, |member| self.rounds(member)));
        for member in &mut self.members {
            let Some(seat) = seats.iter().position(|&id| id == member.player.id) else { continue };
            member.games += 1;
            member.wins += u32::from(seat == winner.index());
            member.firsts += u32::from(seat == Seat::One.index());
            member.rounds = rounds[seat] + 1;
            member.last_game = number;
        }
        *self.met.entry(pair(first, second)).or_default() += 1;
        self.last = Some([seats[winner.index()], seats[winner.other().index()]]);
    }
}
