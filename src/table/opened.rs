//! How a new table is written down, and who is told that it stands.

use std::sync::Arc;

use actix::prelude::*;
use hexhall_proto::reply::Reply;

use crate::store::{Slot, form};

use super::actor::TableActor;
use super::beginning::{Opener, Unreadable};
use super::handle::ReplyTo;
use super::release::Held;
use super::state::event::Event;

impl TableActor {
    /// Writes down how the table came to be, and tells whoever opened it.
    pub(super) fn open(
        &mut self,
        events: Vec<Event>,
        slot: Slot,
        opener: Opener,
        ctx: &mut Context<Self>,
    ) {
        // The state was made from the first event.
        let made: Result<Vec<_>, _> = events.iter().take(1).map(form::write).collect();
        let opened = made.map_err(Unreadable::from).and_then(|mut written| {
            let (others, kept) = self.happen(&events[written.len()..])?;
            written.extend(others);
            Ok((written, kept))
        });
        match opened {
            Ok((written, kept)) => self.append(slot, 1, written, kept, &events),
            Err(error) => {
                tracing::error!(table = %self.state.id(), %error, "a table could not be opened");
                return self.die(false, ctx);
            }
        }
        let Opener { lobby, asked } = opener;
        // Where the lobby has gone, nobody needs to know.
        let tell = Box::new(move || {
            let _ = lobby.send(());
        });
        self.release.hold(self.state.number(), Held::Then(tell));
        if let Some(reply) = asked {
            self.tell_opener(reply);
        }
        self.settle(ctx);
    }

    fn tell_opener(&mut self, reply: ReplyTo) {
        let session = Arc::clone(reply.session());
        let viewer = self.viewer(&session);
        self.follow(&session, viewer);
        let invitation = self.state.invitation().map(str::to_owned);
        let view = Box::new(self.view(viewer));
        self.reply(reply, Reply::Opened { invitation, view });
    }
}
