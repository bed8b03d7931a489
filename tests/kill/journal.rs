//! What the journal of a game that lived through kills has to say.

use std::collections::HashSet;

use hexhall::game::clock::{Millis, Stamp};
use hexhall::game::{Collision, Kind, Seat};
use hexhall::ids::TableId;
use hexhall::remote::TableCopy;
use hexhall::store::{Store, form};
use hexhall::table::beginning::Rebuilt;
use hexhall::table::state::Spans;
use hexhall::table::state::event::Event;
use hexhall::view::{Viewer, project};
use hexhall::wire;
use hexhall_proto::parts::EndedBy;

use super::party::Sights;

/// Where a collision keeps the turn.
const CLASSICAL: Kind = Kind::Dark(Collision::Classical);

const INITIAL_MS: Millis = 600_000;
const INCREMENT_MS: Millis = 2_000;

/// Holds a table's journal against the game as it was to be played and against what everybody saw
/// of it. Says how often the game was taken up again by a server that had been away.
pub async fn check(store: &Store, Sights { script, copies }: &Sights) -> usize {
    let id: TableId = copies[0].view().table.parse().unwrap();
    let journal = store.load(id).await.unwrap();
    let events: Vec<Event> = journal.iter().map(|bytes| form::read(bytes).unwrap()).collect();

    let mut played = Vec::new();
    let mut commands = HashSet::new();
    let mut left_ms = [INITIAL_MS; 2];
    let mut restarts = 0;
    // The last instant before which nothing of the running turn was charged.
    let mut since = None;
    for event in &events {
        match event {
            Event::Started { at, .. } => {
                assert_eq!(since.replace(*at), None, "one game was begun");
            }
            Event::Restarted { at } => {
                since = Some(*at);
                restarts += 1;
            }
            Event::Played { by, action, collided, used_ms, readings, at, .. } => {
                assert!(commands.insert((by.seat, by.command.clone())), "{:?} twice", by.command);
                played.push((by.seat, *action, *collided));
                let turn_began = since.replace(*at).expect("a game was begun");
                assert!(
                    *used_ms <= *at - turn_began,
                    "{used_ms} ms since {turn_began:?}: {event:?}"
                );
                let mover = by.seat.index();
                let kept = *collided && script.game.rules().kind() == CLASSICAL;
                let earned = if kept { 0 } else { INCREMENT_MS };
                left_ms[mover] = left_ms[mover] - used_ms + earned;
                let told = Seat::BOTH.map(|seat| readings[seat.index()].left_ms.unwrap());
                assert_eq!(told, left_ms, "{event:?}");
            }
            _ => {}
        }
    }
    let plies = script.game.plies().iter();
    assert_eq!(played, plies.map(|ply| (ply.seat, ply.action, ply.collided)).collect::<Vec<_>>());

    let rebuilt = Rebuilt::read(id, Spans::default(), &journal, Stamp(0)).unwrap();
    let Rebuilt { state, seqs, .. } = rebuilt;
    let viewers = Viewer::ALL;
    for ((copy, viewer), seq) in copies.iter().zip(viewers).zip(seqs) {
        assert_eq!(copy.viewer(), viewer.wire());
        assert_eq!(copy.seq(), seq.0, "a stream's numbers are those of the journal");
        let rebuilt = TableCopy::new(project::view(&state, viewer, seq, 0, Stamp(0)));
        assert_eq!(copy.timeless(), rebuilt.timeless(), "{}", script.name);
        let game = copy.game().unwrap();
        if game.outcome.is_some_and(|outcome| outcome.by == EndedBy::Chain) {
            let shown = game.clocks.as_ref().unwrap().seats.map(|seat| seat.left_ms);
            assert_eq!(shown, left_ms, "what was shown is what was written down");
        }
        assert_eq!(game.outcome, script.game.outcome().map(wire::outcome));
    }
    restarts
}
