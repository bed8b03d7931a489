//! Tables that play, at an offered rate or as fast as they can.

use std::rc::Rc;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use tokio::sync::watch;

use super::crowd::Crowd;
use super::games::{self, Script};
use super::pace::{Load, Pace, Pacer};
use super::side::Side;
use super::tables::{self, Duel};
use super::tally::Tally;
use super::{BenchError, Figure, Figures, system};

/// How tables play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Moves {
    /// How many.
    pub tables: usize,
    /// Moves offered each second, over all tables; as many as will go, without.
    pub rate: Option<f64>,
    /// How long they rest first, to see what sessions cost that do nothing but live.
    pub quiet: Duration,
    /// How long they play before anything is counted.
    pub warm_up: Duration,
    /// How long is counted.
    pub window: Duration,
}

/// The seed of the random games: the same games in every run.
const SEED: u64 = 0x48_45_58;

/// Different games, which tables then play in turn.
const SCRIPTS: usize = 64;

/// The games that tables play.
///
/// # Errors
/// None: the games are the bench's own.
pub fn scripts() -> Result<Rc<[Script]>, BenchError> {
    let scripts = games::scripts(SCRIPTS, SEED);
    Ok(scripts.map_err(|error| BenchError::unexpected("games", error))?.into())
}

/// Measures moves.
pub async fn measure(side: &Side, moves: Moves) -> Result<Figures, BenchError> {
    let mut crowd = Crowd::default();
    let tally = Rc::new(Tally::new()?);
    let (begin, gate) = watch::channel(None);
    seat(side, &mut crowd, moves.tables, &gate, &tally).await?;

    let before = side.read()?;
    crowd.meanwhile(system::pass(moves.quiet)).await?;
    let quiet = side.since(before)?;
    let pacer = moves.rate.map(|rate| Pacer::start(rate, moves.tables)).transpose()?;
    begin.send_replace(Some(pacer.as_ref().map_or(Load::Saturated, Pacer::load)));
    crowd.meanwhile(system::pass(moves.warm_up)).await?;

    let before = side.read()?;
    tally.record(true);
    crowd.meanwhile(system::pass(moves.window)).await?;
    tally.record(false);
    let span = side.since(before)?;
    let (count, seconds) = (tally.count() as f64, span.elapsed.as_secs_f64());
    let mut figures = vec![(Figure::MovesPerSecond, count / seconds)];
    if let Some((cpu, quiet_cpu)) = span.server.zip(quiet.server) {
        let idle = quiet_cpu / quiet.elapsed.as_secs_f64() * seconds;
        figures.push((Figure::CpuPer10kMoves, cpu / count * 10_000.0));
        if !moves.quiet.is_zero() {
            figures.push((Figure::NetCpuPer10kMoves, (cpu - idle) / count * 10_000.0));
        }
    }
    figures.extend(tally.latencies());
    figures.extend(span.busy());
    Ok(figures)
}

/// Takes both seats of so many tables, where games begin when `gate` says so.
pub async fn seat(
    side: &Side,
    crowd: &mut Crowd,
    tables: usize,
    gate: &Gate,
    tally: &Rc<Tally>,
) -> Result<(), BenchError> {
    let scripts = scripts()?;
    let mut made = tables::make(&side.target, 0..tables, &scripts);
    let mut index = 0;
    while let Some(duel) = crowd.meanwhile(made.next()).await? {
        let (duel, gate, tally) = (duel?, gate.clone(), Rc::clone(tally));
        crowd.add(async move {
            let mut duel = duel;
            let load = wait(&mut duel, gate).await?;
            play(duel, load.table(index), tally, None, None).await
        });
        index += 1;
    }
    Ok(())
}

/// Where tables hear that they may begin, and under which load.
pub type Gate = watch::Receiver<Option<Load>>;

/// Listens at a table until it may begin.
pub async fn wait(duel: &mut Duel, mut gate: Gate) -> Result<Load, BenchError> {
    loop {
        tokio::select! {
            opened = gate.wait_for(Option::is_some) => {
                let load = opened.ok().and_then(|load| load.clone());
                return load.ok_or_else(|| BenchError::unexpected("a beginning", "the end"));
            }
            heard = duel.listen() => heard?,
        };
    }
}

/// Called with the time at which each move was due, as it is sent.
pub type OnMove = Rc<dyn Fn(Instant)>;

/// Plays games at a table, one after another, and after `limit` moves only listens. The latency of
/// a move is counted from when it was due, or sent where nothing is due, until the other seat has
/// it.
pub async fn play(
    mut duel: Duel,
    mut pace: Pace,
    tally: Rc<Tally>,
    on_move: Option<OnMove>,
    limit: Option<u64>,
) -> Result<(), BenchError> {
    let mut done = 0;
    loop {
        while limit == Some(done) || pace.due().is_some_and(|due| system::now() < due) {
            tokio::select! {
                () = pace.rung(), if limit != Some(done) => {}
                heard = duel.listen() => heard?,
            }
        }
        let Some((mover, frame)) = duel.next_move() else {
            duel.rematch().await?;
            pace.skip_to(system::now());
            continue;
        };
        let due = pace.due().unwrap_or_else(system::now);
        if let Some(on_move) = &on_move {
            on_move(due);
        }
        pace.step();
        done += 1;
        duel.seats[mover].peer.send(frame).await?;
        while !duel.knows(1 - mover) {
            duel.listen().await?;
        }
        tally.add(system::now().saturating_duration_since(due));
    }
}
