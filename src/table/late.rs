//! How a table tells its spectators late: what has become old enough goes out when its time has
//! come, and whatever spectators ask is answered from what they may know by then.
//!
//! Owns what spectators were told beside their stream. Nothing here is there at a table that
//! everybody sees live.

use actix::prelude::*;
use hexhall_proto::event::Event as Told;

use crate::game::Seat;
use crate::game::clock::Stamp;
use crate::ids::{PlayerId, TableId};
use crate::store::form::{self, FormError};
use crate::view::{Viewer, project};

use super::actor::{TableActor, WATCHERS_EVERY_MS};
use super::archive;
use super::beginning::Listed;
use super::delayed::{Delayed, Shown};
use super::handle::Player;
use super::state::driver::Absence;
use super::state::event::Event;
use super::state::refusal::Refusal;
use super::state::{Phase, State};
use super::streams::{Audience, Frame, Streams};

/// What spectators of this table know, and what they were told of it.
pub(super) struct Late {
    pub(super) delayed: Delayed,
    /// When spectators are told how many there are.
    watchers_due: Option<Stamp>,
    /// What they were told of gone players' seats.
    absences: [Absence; 2],
    /// What presence shows them has changed.
    news: bool,
}

impl Late {
    pub(super) fn new(delayed: Delayed) -> Late {
        Late { delayed, watchers_due: None, absences: Default::default(), news: false }
    }

    /// When there is something to tell next, after `now`.
    pub(super) fn next(&self, now: Stamp) -> Option<Stamp> {
        let Late { delayed, watchers_due, .. } = self;
        let times = [delayed.next_at(), delayed.next_countdown(now), *watchers_due];
        times.into_iter().flatten().min()
    }

    /// A session of the player follows or does so no more. Those of whom spectators see in a seat
    /// are not counted, so that nobody learns by the count that a player goes.
    pub(super) fn watchers_changed(&mut self, player: PlayerId, now: Stamp) {
        if self.delayed.state().seat_of(player).is_none() {
            self.watchers_due.get_or_insert(now + WATCHERS_EVERY_MS);
        }
    }

    /// What lists show, of a table that is `live` now.
    pub(super) fn listed(&self, live: &State, gone: bool, now: Stamp) -> Listed {
        let closed = matches!(live.phase(), Phase::Closed);
        let seated = Seat::BOTH.map(|seat| live.player(seat).filter(|_| !closed).map(|it| it.id));
        let row = archive::table_row(self.delayed.state(), now);
        Listed { row, seated: Some(seated), gone }
    }

    /// What spectators see of the table at `now`.
    pub(super) fn view(&self, streams: &Streams, now: Stamp) -> hexhall_proto::view::View {
        let state = self.delayed.state();
        let (seq, watchers) = (streams.seq(Viewer::Spectator), self.watchers(streams));
        project::view(state, Viewer::Spectator, seq, watchers, self.delayed.then(now))
    }

    fn watchers(&self, streams: &Streams) -> usize {
        let seated = |seat| self.delayed.state().player(seat).map(|player| player.id);
        streams.watchers(Seat::BOTH.map(seated))
    }

    /// One thing more has become old enough. Spectators' followers are told of it at once: it has
    /// long been durable.
    fn tell(&mut self, shown: &Shown, streams: &mut Streams) {
        match shown {
            Shown::Happened(event, at) => {
                if matches!(event, Event::Started { .. } | Event::Seated { .. }) {
                    streams.forget(Audience::Spectators);
                }
                self.news |= matches!(event, Event::Seated { .. } | Event::Unseated { .. });
                let (watchers, state) = (self.watchers(streams), self.delayed.state());
                let told = streams.tell_some(Audience::Spectators, state, event, watchers, *at);
                streams.deliver(state.number(), &told);
            }
            Shown::Presence => self.news = true,
            Shown::Nothing => {}
        }
    }

    /// Tells spectators who is there, if what they were told is not so any more.
    fn tell_presence(&mut self, table: TableId, streams: &Streams, now: Stamp) {
        let (state, then) = (self.delayed.state(), self.delayed.then(now));
        let absences = Seat::BOTH.map(|seat| state.absence(seat, then));
        let counted = self.watchers_due.is_some_and(|due| due <= now);
        if !(self.news || counted || absences != self.absences) {
            return;
        }
        (self.news, self.absences, self.watchers_due) = (false, absences, None);
        let presence = project::presence(state, self.watchers(streams), then);
        let frame = Frame::new(table, None, Told::Presence { presence });
        streams.broadcast(state.number(), Audience::Spectators, &frame);
    }
}

impl TableActor {
    /// Shows spectators what has become old enough, where they see the table late.
    pub(super) fn show_late(&mut self, now: Stamp, ctx: &mut Context<Self>) {
        let durable = self.release.durable();
        let Some(late) = self.late.as_mut() else { return };
        late.delayed.durable(durable, now);
        let mut listed = false;
        loop {
            match late.delayed.step(now) {
                Ok(Some(shown)) => {
                    late.tell(&shown, &mut self.streams);
                    listed |=
                        matches!(&shown, Shown::Happened(it, _) if archive::changes_listing(it));
                }
                Ok(None) => break,
                Err(error) => {
                    tracing::error!(table = %self.state.id(), %error, "spectators cannot be shown what happened");
                    return self.die(false, ctx);
                }
            }
        }
        late.tell_presence(self.state.id(), &self.streams, now);
        if listed {
            self.list(None, now);
        }
    }

    /// Whether this viewer sees the table late.
    pub(super) fn is_late_for(&self, viewer: Viewer) -> bool {
        viewer == Viewer::Spectator && self.late.is_some()
    }

    /// Whoever does not know yet that a seat is free cannot take it: that would tell them that the
    /// game there is over. Those whom spectators still see in a seat know better.
    pub(super) fn judge_late_join(
        &self,
        player: &Player,
        wanted: Option<Seat>,
    ) -> Result<(), Refusal> {
        let Some(late) = &self.late else { return Ok(()) };
        let knows = |state: &State| state.seat_of(player.id).is_some();
        let known = late.delayed.state();
        if knows(known) || knows(&self.state) {
            return Ok(());
        }
        known.check_join(player, wanted).map(drop)
    }

    /// The table as a viewer may know it, and what time it is there.
    pub(super) fn known_to(&self, viewer: Viewer) -> (&State, Stamp) {
        match (viewer, &self.late) {
            (Viewer::Spectator, Some(late)) => {
                (late.delayed.state(), late.delayed.then(self.now()))
            }
            _ => (&self.state, self.now()),
        }
    }

    /// Who is told what happens as soon as it is durable.
    pub(super) fn told_live(&self) -> Audience {
        if self.late.is_some() { Audience::Players } else { Audience::Everybody }
    }

    /// An event as the journal keeps it. Where spectators see the table late, a restart must know
    /// how old each is.
    pub(super) fn write(&self, event: &Event) -> Result<Vec<u8>, FormError> {
        if self.late.is_some() { form::write_at(event, self.now()) } else { form::write(event) }
    }
}
