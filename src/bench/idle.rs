//! Sessions that are there and do nothing: what each costs in memory.

use std::time::Duration;

use futures_util::{StreamExt, stream};

use super::crowd::Crowd;
use super::peer::Peer;
use super::relay::Join;
use super::side::{Side, Target};
use super::tables::AT_ONCE;
use super::{BenchError, Figure, Figures, system};

/// So many sessions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Idle {
    /// How many.
    pub sessions: usize,
    /// How long their processor time is looked at once they are there.
    pub window: Duration,
}

/// Sessions that come before anything is counted, so that what is made once is there already.
const FIRST: usize = 64;

/// How long memory of the handshakes has to be given back.
const SETTLE: Duration = Duration::from_secs(1);

/// Measures resident memory for each session.
pub async fn measure(side: &Side, idle: Idle) -> Result<Figures, BenchError> {
    let mut crowd = Crowd::default();
    arrive(side, &mut crowd, FIRST).await?;
    let before = side.resident()?;
    arrive(side, &mut crowd, idle.sessions).await?;
    crowd.meanwhile(system::pass(SETTLE)).await?;
    let after = side.resident()?;
    let reading = side.read()?;
    crowd.meanwhile(system::pass(idle.window)).await?;
    let span = side.since(reading)?;
    let grown = after.zip(before).map(|(after, before)| after.saturating_sub(before) as f64);
    let each = grown.map(|grown| (Figure::ResidentPerSession, grown / idle.sessions as f64));
    Ok(each.into_iter().chain(span.busy()).collect())
}

async fn arrive(side: &Side, crowd: &mut Crowd, sessions: usize) -> Result<(), BenchError> {
    let arrivals = (0..sessions).map(|index| one(&side.target, index));
    let mut arrivals = std::pin::pin!(stream::iter(arrivals).buffer_unordered(AT_ONCE));
    while let Some(arrived) = crowd.meanwhile(arrivals.next()).await? {
        let mut peer = arrived?;
        crowd.add(async move {
            loop {
                peer.next().await?;
            }
        });
    }
    Ok(())
}

async fn one(target: &Target, index: usize) -> Result<Peer, BenchError> {
    match target {
        Target::Server(address) => {
            let mut peer = Peer::dial(address, None).await?;
            peer.hello(None).await?;
            Ok(peer)
        }
        Target::Floor(address) => {
            let join = Join { group: index as u64, on: 1, back: Vec::new() };
            Peer::join_floor(address, &join).await
        }
    }
}
