//! Everybody drops and comes back at once: how long until the last one has gone on.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use futures_util::StreamExt;
use hexhall_proto::request::Last;
use tokio::sync::{Semaphore, watch};

use super::crowd::Crowd;
use super::moves::scripts;
use super::peer::Peer;
use super::side::Side;
use super::tables::{self, AT_ONCE, Duel, Place, Seated};
use super::tally::Tally;
use super::{BenchError, Figure, Figures, system};

/// So many sessions in the seats of half as many tables.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Reconnect {
    /// How many come back.
    pub sessions: usize,
}

/// What all sessions share.
struct Return {
    /// The connections that are being made at a time.
    at_once: Semaphore,
    tally: Tally,
    /// Those who are back; they stay.
    returned: RefCell<Vec<Peer>>,
}

/// Measures the time from the drop to the last session resumed.
pub async fn measure(side: &Side, reconnect: Reconnect) -> Result<Figures, BenchError> {
    let mut crowd = Crowd::default();
    let (at_once, returned) = (Semaphore::new(AT_ONCE), RefCell::default());
    let shared = Rc::new(Return { at_once, tally: Tally::new()?, returned });
    let (drop_all, dropped) = watch::channel(None);
    let scripts = scripts()?;
    let mut made = tables::make(&side.target, 0..reconnect.sessions / 2, &scripts);
    while let Some(duel) = crowd.meanwhile(made.next()).await? {
        let Duel { seats, place, .. } = duel?;
        for seated in seats {
            crowd.add(stay_and_return(seated, place.clone(), dropped.clone(), Rc::clone(&shared)));
        }
    }
    shared.tally.record(true);
    let before = side.read()?;
    drop_all.send_replace(Some(before.at()));
    crowd.all_done().await?;
    let span = side.since(before)?;
    let mut figures = vec![(Figure::LastReturned, span.elapsed.as_secs_f64())];
    figures.extend(shared.tally.latencies());
    figures.extend(span.busy());
    Ok(figures)
}

/// Listens until all drop, then comes back once.
async fn stay_and_return(
    mut seated: Seated,
    place: Place,
    mut dropped: watch::Receiver<Option<Instant>>,
    shared: Rc<Return>,
) -> Result<(), BenchError> {
    let at = loop {
        tokio::select! {
            at = dropped.wait_for(Option::is_some) => {
                break at.ok().and_then(|at| *at).unwrap_or_else(system::now);
            }
            frame = seated.peer.next() => {
                frame?;
            }
        }
    };
    let Seated { peer, token, last } = seated;
    drop(peer);
    let permit = shared.at_once.acquire().await;
    let peer = place.resume(token, last.map(without_one)).await?;
    drop(permit);
    shared.tally.add(system::now().saturating_duration_since(at));
    shared.returned.borrow_mut().push(peer);
    Ok(())
}

/// Comes back as one who has missed the last event, and must be told it.
pub async fn return_to(
    place: &Place,
    token: Option<String>,
    last: Option<Last>,
) -> Result<(Seated, bool), BenchError> {
    match place.follow(token, last.map(without_one)).await? {
        (_, false) => Err(BenchError::unexpected("the run of what was missed", "a whole view")),
        resumed => Ok(resumed),
    }
}

/// Where one stands who has missed the last event.
fn without_one(Last { viewer, seq }: Last) -> Last {
    Last { viewer, seq: seq.saturating_sub(1) }
}
