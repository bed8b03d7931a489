//! A bit of everything at once: tables that play, a crowd at one of them, and sessions that come
//! and go.

use std::rc::Rc;
use std::time::Duration;

use tokio::sync::{Notify, watch};

use super::crowd::Crowd;
use super::fanout::{self, Sent};
use super::pace::{Pace, Pacer};
use super::peer::Heard;
use super::reconnect::return_to;
use super::side::{Side, Target};
use super::tables::{Place, Seated};
use super::tally::Tally;
use super::{BenchError, Figure, Figures, moves, practice, system};

/// How much of each.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mixed {
    /// Tables that play.
    pub tables: usize,
    /// Moves offered each second over all of those.
    pub rate: f64,
    /// Those who look on at one table more.
    pub spectators: usize,
    /// Moves each second at that table.
    pub shown: f64,
    /// Sessions that drop and come back, one after another.
    pub restless: usize,
    /// How many of them do so each second.
    pub returns: f64,
    /// Games against the computer beside all that, on the server.
    pub practice: usize,
    /// How long is counted.
    pub window: Duration,
}

/// How long the mixture runs before anything is counted.
const WARM_UP: Duration = Duration::from_secs(2);

/// Measures the mixture: what everything costs for each move, and how long moves take in it.
pub async fn measure(side: &Side, mixed: Mixed) -> Result<Figures, BenchError> {
    let mut crowd = Crowd::default();
    let [moved, shown, seen, back] = [Tally::new()?, Tally::new()?, Tally::new()?, Tally::new()?];
    let [moved, shown, seen, back] = [moved, shown, seen, back].map(Rc::new);
    let (begin, gate) = watch::channel(None);
    let (begin_show, show_gate) = watch::channel(None);
    let (begin_unrest, unrest_gate) = watch::channel(None);

    let duel = fanout::one_table(side).await?;
    let (place, sent, never) = (duel.place.clone(), Sent::default(), Rc::new(Notify::new()));
    crowd.add(fanout::perform(duel, show_gate, Rc::clone(&shown), Rc::clone(&sent), None));
    fanout::admit(&mut crowd, &place, mixed.spectators, |seated| {
        let (sent, seen) = (Rc::clone(&sent), Rc::clone(&seen));
        fanout::watch(seated, place.clone(), sent, seen, u64::MAX, Rc::clone(&never))
    })
    .await?;
    let mut index = 0;
    fanout::admit(&mut crowd, &place, mixed.restless, |seated| {
        index += 1;
        come_and_go(seated, place.clone(), unrest_gate.clone(), index - 1, Rc::clone(&back))
    })
    .await?;
    moves::seat(side, &mut crowd, mixed.tables, &gate, &moved).await?;
    if let Target::Server(address) = &side.target {
        let games = (0..).take(mixed.practice);
        games.for_each(|seed| crowd.add(practice::practise(address.clone(), seed)));
    }

    let pacers = [
        Pacer::start(mixed.rate, mixed.tables)?,
        Pacer::start(mixed.shown, 1)?,
        Pacer::start(mixed.returns, mixed.restless)?,
    ];
    for (begin, pacer) in [&begin, &begin_show, &begin_unrest].into_iter().zip(&pacers) {
        begin.send_replace(Some(pacer.load()));
    }
    crowd.meanwhile(system::pass(WARM_UP)).await?;
    let tallies = [&moved, &shown, &seen, &back];
    let before = side.read()?;
    tallies.iter().for_each(|tally| tally.record(true));
    crowd.meanwhile(system::pass(mixed.window)).await?;
    tallies.iter().for_each(|tally| tally.record(false));
    let span = side.since(before)?;
    let (seconds, count) = (span.elapsed.as_secs_f64(), moved.count() as f64);
    let mut figures = vec![
        (Figure::MovesPerSecond, count / seconds),
        (Figure::DeliveriesPerSecond, seen.count() as f64 / seconds),
        (Figure::ReturnsPerSecond, back.count() as f64 / seconds),
    ];
    figures.extend(span.server.map(|cpu| (Figure::CpuPer10kMoves, cpu / count * 10_000.0)));
    figures.extend(moved.latencies());
    figures.extend(span.busy());
    Ok(figures)
}

/// A spectator who drops whenever it is their turn, and comes back for what they missed.
async fn come_and_go(
    mut seated: Seated,
    place: Place,
    mut gate: moves::Gate,
    index: usize,
    tally: Rc<Tally>,
) -> Result<(), BenchError> {
    let mut pace = Pace::Saturated;
    loop {
        let due = pace.due();
        let turn = async {
            match due {
                None => gate.wait_for(Option::is_some).await.ok().and_then(|load| load.clone()),
                Some(_) => {
                    pace.rung().await;
                    None
                }
            }
        };
        tokio::select! {
            load = turn => {
                if let Some(load) = load {
                    pace = load.table(index);
                }
            }
            frame = seated.peer.next() => note(&place, &mut seated, &frame?),
        }
        if pace.due().is_none_or(|due| system::now() < due) {
            continue;
        }
        let due = system::now();
        let Seated { peer, token, last } = seated;
        drop(peer);
        seated = return_to(&place, token, last).await?.0;
        pace.step();
        tally.add(system::now().saturating_duration_since(due));
    }
}

/// Counts the events of a stream: its numbers have no gap.
fn note(place: &Place, seated: &mut Seated, frame: &[u8]) {
    if matches!(place.heard(frame), Heard::Moved | Heard::Ended)
        && let Some(last) = &mut seated.last
    {
        last.seq += 1;
    }
}
