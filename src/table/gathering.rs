//! A table's party: who joins it, what its host does, who of it is there, and how the seats go
//! round without anybody being told of a game as somebody else.

use std::sync::Arc;

use actix::prelude::*;
use hexhall_proto::reply::Reply;

use crate::game::Seat;
use crate::game::clock::Stamp;
use crate::ids::PlayerId;
use crate::view::Viewer;

use super::actor::TableActor;
use super::handle::{PartyKey, ReplyTo};
use super::release::Held;
use super::requests::busy;
use super::state::event::Event;
use super::state::party::{Change, PartyCommand};
use super::state::refusal::Refusal;

impl TableActor {
    /// Somebody joins the party and follows the table.
    pub(super) fn join_party(
        &mut self,
        reply: ReplyTo,
        key: &PartyKey,
        plays: bool,
        at: Stamp,
        ctx: &mut Context<Self>,
    ) {
        let session = Arc::clone(reply.session());
        let player = &session.player_now();
        let sent_away = self.state.party().is_some_and(|party| party.has_removed(player.id));
        let admitted = match key {
            // Told so below, whichever key they have.
            _ if sent_away => true,
            PartyKey::Code(code) => self.state.party().is_some_and(|party| party.code() == *code),
            PartyKey::Invitation(shown) => self.state.admits(player.id, shown.as_deref()),
        };
        if !admitted {
            return self.refuse(reply, &Refusal::NotInvited);
        }
        if self.is_kept_out(player.id) {
            return self.refuse(reply, &Refusal::Banned);
        }
        if let Err(refusal) = self.check_room(&session) {
            return self.refuse(reply, &refusal);
        }
        let host = self.state.party().and_then(|party| party.host());
        let store = &self.services.store;
        if !self.state.is_member(player.id)
            && host.is_some_and(|host| store.has_blocked(host, player.id))
        {
            return self.refuse(reply, &Refusal::Blocked);
        }
        let Ok(slot) = self.reserve() else { return busy(reply) };
        let decided = self.state.decide_join_party(player, plays, at);
        match decided.and_then(|it| self.check_besides(player.id, &it).map(|()| it)) {
            Err(refusal) => self.refuse(reply, &refusal),
            Ok(events) => {
                // Whoever joins is there: what the others are told of it says so.
                let viewer = self.viewer(&session);
                let after = self.state.number() + events.len() as u64;
                self.follow_from(&session, viewer, after);
                self.commit(slot, events, ctx);
                let view = Box::new(self.view(viewer));
                self.reply(reply, Reply::View { view });
            }
        }
    }

    /// The host does something.
    pub(super) fn party_command(
        &mut self,
        reply: ReplyTo,
        command: PartyCommand,
        at: Stamp,
        ctx: &mut Context<Self>,
    ) {
        let Ok(slot) = self.reserve() else { return busy(reply) };
        let player = reply.session().player.id;
        let starts = matches!(command, PartyCommand::Start { .. });
        let fresh = Arc::clone(&self.services.fresh);
        let decided = self.state.decide_party(player, command, at, || fresh());
        let checked = decided.and_then(|events| {
            self.check_seats(player, &events)?;
            self.check_besides(player, &events)?;
            Ok(events)
        });
        match checked {
            Err(refusal) => self.refuse(reply, &refusal),
            Ok(events) => {
                if starts && events.is_empty() {
                    // Nothing begins yet: the other one is waited for.
                    self.state.note_request(player, at);
                }
                self.commit(slot, events, ctx);
                self.reply(reply, Reply::Done {});
            }
        }
    }

    /// Whether all who would get a seat by these events may sit at one table more, and none of them
    /// is about to go.
    pub(super) fn check_seats(&self, asker: PlayerId, events: &[Event]) -> Result<(), Refusal> {
        for event in events {
            let Event::Seated { player, .. } = event else { continue };
            if player.cpu.is_some() || self.state.seat_of(player.id).is_some() {
                continue;
            }
            if self.is_kept_out(player.id) {
                return Err(Refusal::IsBanned(player.name.clone()));
            }
            match self.services.listings.may_sit(player.id) {
                Err(error) if player.id == asker => return Err(error.into()),
                Err(_) => return Err(Refusal::SitsEnough(player.name.clone())),
                Ok(()) => {}
            }
        }
        Ok(())
    }

    /// Compares which members are there with which were, as `note_presence` does for seats.
    pub(super) fn note_members(&mut self, leaver: Option<Seat>, now: Stamp) -> bool {
        let members = self.state.party().map(|party| party.members()).unwrap_or_default();
        let members: Vec<PlayerId> = members.iter().map(|member| member.player.id).collect();
        let mut news = false;
        for member in members {
            let here = self.streams.is_here(member);
            let said_so = leaver.is_some() && leaver == self.state.seat_of(member);
            news |= self.state.note_member(member, here, now, said_so);
        }
        news
    }

    /// Whose seat has changed sees the table anew, as it is after all of it.
    pub(super) fn hold_reseated(&mut self, players: Vec<PlayerId>) {
        let number = self.state.number();
        for player in players {
            let seat = self.state.seat_of(player);
            let view = self.fresh_view(Viewer::of(seat));
            self.release.hold(number, Held::Reseat { player, seat, view });
        }
    }

    /// Whoever is sent away from a private table hears that, and nothing more of it.
    pub(super) fn hold_expelled(&mut self, event: &Event) {
        if let Event::Party { change: Change::Left { player, removed: true }, .. } = event
            && self.state.is_private()
        {
            self.release.hold(self.state.number(), Held::Expelled(player.id));
        }
    }

    pub(super) fn expel(&mut self, player: PlayerId) {
        for session in self.streams.sessions_of(player) {
            self.session_gone(session, None);
        }
    }

    /// Who takes a seat by the event that is about to be applied, or gives it up.
    pub(super) fn reseated(&self, event: &Event) -> Option<PlayerId> {
        match event {
            // Nobody ever changes seats, and eyes are not those of a seat.
            _ if self.state.options().pass_and_play() => None,
            Event::Seated { player, .. } => Some(player.id),
            Event::Unseated { seat, .. } => Some(self.state.player(*seat)?.id),
            _ => None,
        }
    }
}
