//! One table, and everybody looks on.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use futures_util::{StreamExt, stream};
use tokio::sync::Notify;

use super::crowd::Crowd;
use super::moves::{self, OnMove, scripts};
use super::pace::Pacer;
use super::peer::Heard;
use super::side::Side;
use super::tables::{self, AT_ONCE, Duel, Place, Seated};
use super::tally::Tally;
use super::{BenchError, Figure, Figures, system};

/// One table before a crowd.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fanout {
    /// How many look on.
    pub spectators: usize,
    /// The moves that they see.
    pub moves: u64,
    /// Moves each second.
    pub rate: f64,
}

/// The server tells counts of watchers once a second: after this nobody hears of those who came.
const SETTLE: Duration = Duration::from_millis(1_500);

/// When each move was due, for those who hear of it later.
pub type Sent = Rc<RefCell<Vec<Instant>>>;

/// Measures deliveries to spectators.
pub async fn measure(side: &Side, fanout: Fanout) -> Result<Figures, BenchError> {
    let Fanout { spectators, moves, rate } = fanout;
    let mut crowd = Crowd::default();
    let (tally, moved) = (Rc::new(Tally::new()?), Rc::new(Tally::new()?));
    let (sent, all) = (Sent::default(), Rc::new(Notify::new()));
    let duel = one_table(side).await?;
    let place = duel.place.clone();
    // Its players read from the beginning: the first move is due only once everybody is there.
    let (begin, gate) = tokio::sync::watch::channel(None);
    crowd.add(perform(duel, gate, moved, Rc::clone(&sent), Some(moves)));
    let target = spectators as u64 * moves;
    admit(&mut crowd, &place, spectators, |seated| {
        watch(seated, place.clone(), Rc::clone(&sent), Rc::clone(&tally), target, Rc::clone(&all))
    })
    .await?;
    crowd.meanwhile(system::pass(SETTLE)).await?;

    let before = side.read()?;
    tally.record(true);
    let pacer = Pacer::start(rate, 1)?;
    begin.send_replace(Some(pacer.load()));
    crowd.meanwhile(all.notified()).await?;
    let span = side.since(before)?;
    let count = tally.count() as f64;
    let mut figures = vec![(Figure::DeliveriesPerSecond, count / span.elapsed.as_secs_f64())];
    figures.extend(span.server.map(|cpu| (Figure::CpuPer100kDeliveries, cpu / count * 100_000.0)));
    figures.extend(tally.latencies());
    figures.extend(span.busy());
    Ok(figures)
}

/// The number of the table that a crowd looks on at, unlike that of any other.
const SHOWN: usize = 1_000_000;

/// A table to look on at.
pub async fn one_table(side: &Side) -> Result<Duel, BenchError> {
    let scripts = scripts()?;
    let mut made = tables::make(&side.target, SHOWN..SHOWN + 1, &scripts);
    made.next().await.unwrap_or_else(|| Err(BenchError::unexpected("a table", "none")))
}

/// Plays at the table, once it may begin, and notes when each move is due.
pub async fn perform(
    mut duel: Duel,
    gate: moves::Gate,
    tally: Rc<Tally>,
    sent: Sent,
    limit: Option<u64>,
) -> Result<(), BenchError> {
    let load = moves::wait(&mut duel, gate).await?;
    let note: OnMove = Rc::new(move |due| sent.borrow_mut().push(due));
    moves::play(duel, load.table(0), tally, Some(note), limit).await
}

/// Lets so many spectators in, each of whom then does the same.
pub async fn admit<F>(
    crowd: &mut Crowd,
    place: &Place,
    spectators: usize,
    mut then: impl FnMut(Seated) -> F,
) -> Result<(), BenchError>
where
    F: Future<Output = Result<(), BenchError>> + 'static,
{
    let arrivals = (0..spectators).map(|_| place.follow(None, None));
    let mut arrivals = std::pin::pin!(stream::iter(arrivals).buffer_unordered(AT_ONCE));
    while let Some(arrived) = crowd.meanwhile(arrivals.next()).await? {
        let (seated, _) = arrived?;
        crowd.add(then(seated));
    }
    Ok(())
}

/// Looks on. The move that is heard next is the one that was sent next.
pub async fn watch(
    mut seated: Seated,
    place: Place,
    sent: Sent,
    tally: Rc<Tally>,
    target: u64,
    all: Rc<Notify>,
) -> Result<(), BenchError> {
    let mut heard = 0;
    loop {
        let frame = seated.peer.next().await?;
        match place.heard(&frame) {
            Heard::Moved => {
                let due = sent.borrow().get(heard).copied();
                heard += 1;
                let due = due.ok_or_else(|| BenchError::unexpected("a move of ours", "another"))?;
                tally.add(system::now().saturating_duration_since(due));
                if tally.count() == target {
                    all.notify_one();
                }
            }
            Heard::Afresh => return Err(BenchError::unwanted(&frame)),
            Heard::Refused | Heard::Ended | Heard::Other => {}
        }
    }
}
