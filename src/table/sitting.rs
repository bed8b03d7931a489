//! How a table stands for somebody who sits there, told from within the server: what the page's
//! list of one's games needs, and no more.

use actix::prelude::*;
use hexhall_proto::parts::{Clocks, Seat};
use hexhall_proto::view::Listing;
use tokio::sync::oneshot;

use crate::game;
use crate::game::clock::Stamp;
use crate::ids::PlayerId;
use crate::view::project;
use crate::wire;

use super::actor::TableActor;
use super::handle::Player;
use super::release::Held;

/// A table as somebody who sits there may know it. Who is to move, and how long it has been so, is
/// no secret from those who play, also where stones are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sitting {
    /// The table as a list would show it.
    pub listing: Listing,
    /// Whether it is on no public list.
    pub private: bool,
    /// The player's seats.
    pub seats: Vec<Seat>,
    /// The seat to move, while a game runs.
    pub to_move: Option<Seat>,
    /// When something last happened.
    pub since: Stamp,
    /// Both clocks, while a game runs that has any.
    pub clocks: Option<Clocks>,
}

/// Somebody who may sit here, or be a member, goes by another name.
#[derive(Debug)]
pub(super) struct Renamed(pub Player);

impl Message for Renamed {
    type Result = ();
}

impl Handler<Renamed> for TableActor {
    type Result = ();

    fn handle(&mut self, Renamed(player): Renamed, ctx: &mut Context<Self>) {
        self.note_name(&player, ctx);
        self.settle(ctx);
    }
}

/// A question from within the server: how the table stands for a player who sits there.
#[derive(Debug)]
pub(super) struct AskSitting {
    /// The player.
    pub player: PlayerId,
    /// Where the answer goes; none is told to whoever does not sit there.
    pub answer: oneshot::Sender<Option<Sitting>>,
}

impl Message for AskSitting {
    type Result = ();
}

impl Handler<AskSitting> for TableActor {
    type Result = ();

    fn handle(&mut self, AskSitting { player, answer }: AskSitting, ctx: &mut Context<Self>) {
        let sitting = self.sitting(player);
        // Once it is durable. Whoever asked may have gone; then nobody needs the answer.
        let tell = Box::new(move || drop(answer.send(sitting)));
        self.release.hold(self.state.number(), Held::Then(tell));
        self.settle(ctx);
    }
}

impl TableActor {
    /// Tells by which name somebody goes now, if they are known here by another. Where the journal has
    /// no place for it, that waits until they follow the table the next time.
    pub(super) fn note_name(&mut self, player: &Player, ctx: &mut Context<Self>) {
        let events = self.state.decide_rename(player, self.now());
        if !events.is_empty()
            && let Ok(slot) = self.reserve()
        {
            self.commit(slot, events, ctx);
        }
    }

    fn sitting(&self, player: PlayerId) -> Option<Sitting> {
        let state = &self.state;
        let sits = |seat: &game::Seat| state.player(*seat).is_some_and(|it| it.id == player);
        let seats: Vec<Seat> = game::Seat::BOTH.into_iter().filter(sits).map(wire::seat).collect();
        (!seats.is_empty()).then(|| Sitting {
            listing: project::listing(state),
            private: state.is_private(),
            seats,
            to_move: state.running().and_then(|live| live.game.to_move()).map(wire::seat),
            since: state.touched(),
            clocks: state.running().and_then(|live| project::clocks(state, live, self.now())),
        })
    }
}
