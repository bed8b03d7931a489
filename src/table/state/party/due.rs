//! What comes due in a party: a host who is gone, members who are gone for long, and its end.

use crate::game::clock::Stamp;
use crate::ids::PlayerId;

use super::super::State;
use super::super::event::Event;
use super::Change;

impl State {
    /// What has come due in the party at `now`.
    pub(in super::super) fn party_due(&self, now: Stamp) -> Option<Vec<Event>> {
        let due = |at: Option<Stamp>| at.is_some_and(|at| now >= at);
        if due(self.party_over_at()) {
            return Some(self.close(now));
        }
        if let Some((at, heir)) = self.host_replaced_at()
            && now >= at
        {
            return Some(vec![Event::Party { change: Change::Hosts(heir), at: now }]);
        }
        let gone = self.member_ids().find(|&id| due(self.member_given_up_at(id)))?;
        Some(self.member_leaves(gone, false, now))
    }

    /// When something comes due in the party next.
    pub(in super::super) fn next_party_due(&self) -> Option<Stamp> {
        let host = self.host_replaced_at().map(|(at, _)| at);
        let members = self.member_ids().filter_map(|id| self.member_given_up_at(id));
        members.chain(host).chain(self.party_over_at()).min()
    }

    pub(in super::super) fn member_ids(&self) -> impl Iterator<Item = PlayerId> {
        let members = self.party().map(|party| party.members()).unwrap_or_default();
        members.iter().map(|member| member.player.id)
    }

    /// Where no game runs and no member is there, the table closes a while after that.
    fn party_over_at(&self) -> Option<Stamp> {
        self.party().filter(|_| !self.closed && self.running().is_none())?;
        Some(self.nobody_since()?.max(self.touched) + self.spans.deserted_ms)
    }

    /// When another member hosts in place of one who is gone, and who: none while nobody else is
    /// there, and nobody gets the role back by coming back.
    fn host_replaced_at(&self) -> Option<(Stamp, PlayerId)> {
        let host = self.party().filter(|_| !self.closed)?.host?;
        let (gone, said_so) = self.presence.member_gone(host)?;
        Some((gone + self.host_kept_ms(said_so), self.heir_there(host)?))
    }

    /// When a member who is gone is one no more. Not while they play.
    fn member_given_up_at(&self, member: PlayerId) -> Option<Stamp> {
        let plays = self.running().is_some() && self.seat_of(member).is_some();
        let (gone, said_so) =
            self.presence.member_gone(member).filter(|_| !self.closed && !plays)?;
        let kept = if said_so { self.spans.countdown.said_so_ms } else { self.spans.seat_kept_ms };
        let seated = self.seat_of(member).map_or(gone, |_| gone.max(self.touched));
        Some(seated + kept)
    }
}
