//! What was said at a table, as far as somebody who reports another may read it: from the table and
//! not from whoever reports.
//!
//! Invariant: nobody brings into a report what they could not have read. Whom they have muted or
//! blocked counts for nothing here: those are the ones who are reported.

use actix::prelude::*;
use hexhall_proto::chat::Room;
use tokio::sync::oneshot;

use crate::ids::PlayerId;
use crate::store::ReportLine;

use super::actor::TableActor;
use super::chat::Line;

/// A question from within the server: the last lines that a player may read here.
#[derive(Debug)]
pub(super) struct AskEvidence {
    /// The player.
    pub player: PlayerId,
    /// How many at most.
    pub most: usize,
    /// Where the answer goes.
    pub answer: oneshot::Sender<Vec<ReportLine>>,
}

impl Message for AskEvidence {
    type Result = ();
}

impl Handler<AskEvidence> for TableActor {
    type Result = ();

    fn handle(&mut self, asked: AskEvidence, ctx: &mut Context<Self>) {
        let AskEvidence { player, most, answer } = asked;
        // Whoever asked may have gone; then nobody needs the answer.
        drop(answer.send(self.evidence(player, most)));
        self.settle(ctx);
    }
}

impl TableActor {
    /// The last lines that a player may read here, in order.
    fn evidence(&self, player: PlayerId, most: usize) -> Vec<ReportLine> {
        if self.state.is_private() && !self.knows_player(player) {
            return Vec::new();
        }
        let readable =
            [Room::Players, Room::Watchers].into_iter().filter(|&it| self.may_read(player, it));
        let mut lines: Vec<_> = readable
            .flat_map(|room| self.chat.lines(room).map(move |line| kept(room, line)))
            .collect();
        lines.sort_unstable_by_key(|line| line.number);
        lines.split_off(lines.len().saturating_sub(most))
    }
}

fn kept(room: Room, line: &Line) -> ReportLine {
    ReportLine {
        number: line.id,
        room,
        player: line.by.id,
        name: line.by.name.to_string(),
        text: line.text.to_string(),
        at_ms: line.at.0,
    }
}
