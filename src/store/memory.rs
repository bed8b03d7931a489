//! The store without a disk: everything is durable at once, and gone with the process.
//!
//! It has no thread. Whoever hands something in writes what is queued, so that a test under a
//! paused clock never waits for anything outside its own runtime.

mod acts;
mod people;
mod reports;
mod results;
mod shuns;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use foldhash::fast::RandomState;
use tokio::sync::mpsc;

use super::ReadError;
use super::faults::{Faults, Gate, Injected};
use super::health::{Monitor, lock};
use super::queue::{Append, Refused, Verdict, Write};
use super::rows::{GameRow, TableRow, TableRows, TableStatus};
use super::told::Listener;
use crate::ids::{GameId, TableId};
use people::People;

use self::results::Results;

/// The in-memory engine.
pub(super) struct Memory {
    state: Mutex<State>,
    monitor: Arc<Monitor>,
    faults: Faults,
    listener: Listener,
}

struct State {
    queue: mpsc::Receiver<Write>,
    closed: bool,
    rows: Rows,
}

/// Everything there is, as the database's tables have it.
#[derive(Default)]
pub(super) struct Rows {
    journals: HashMap<TableId, Journal, RandomState>,
    tables: BTreeMap<TableId, TableRow>,
    games: HashMap<GameId, GameRow>,
    results: Results,
    pub(super) people: People,
}

/// The events of one table, in one piece, so that a further one seldom needs memory of its own.
#[derive(Default)]
struct Journal {
    bytes: Vec<u8>,
    /// The number of each event, and where its bytes end.
    events: Vec<(u64, usize)>,
}

impl Memory {
    pub(super) fn new(
        queue: mpsc::Receiver<Write>,
        monitor: Arc<Monitor>,
        faults: Faults,
        listener: Listener,
    ) -> Arc<Memory> {
        let state = Mutex::new(State { queue, closed: false, rows: Rows::default() });
        let memory = Arc::new(Memory { state, monitor, faults, listener });
        memory.faults.attach(&memory);
        memory
    }

    /// Writes this at once where nothing is before it; it goes through the queue, in the place that
    /// was taken there, where something is.
    pub(super) fn write(&self, write: Write, place: mpsc::OwnedPermit<Write>) {
        let mut state = lock(&self.state);
        let is_next = !state.closed && state.queue.is_empty();
        if is_next && matches!(self.faults.gate(), Gate::Open) {
            self.monitor.succeeded();
            let verdict = self.apply(&mut state.rows, &write);
            drop((state, place));
            write.tell(verdict);
        } else {
            drop(state);
            place.send(write);
            self.pump();
        }
    }

    /// Writes everything that is queued, unless a fault is in the way.
    pub(super) fn pump(&self) {
        while let Some((write, verdict, more)) = self.write_next() {
            // It is applied by now, so the order of telling between two callers is free.
            write.tell(verdict);
            if !more {
                return;
            }
        }
    }

    /// Writes what is next in the queue, and says whether there is more.
    fn write_next(&self) -> Option<(Write, Verdict, bool)> {
        let mut state = lock(&self.state);
        if state.closed {
            state.drop_queue();
            return None;
        }
        match self.faults.gate() {
            Gate::Open => {
                self.monitor.succeeded();
                let write = state.queue.try_recv().ok()?;
                let verdict = self.apply(&mut state.rows, &write);
                Some((write, verdict, !state.queue.is_empty()))
            }
            Gate::Held => None,
            Gate::Failing => {
                if !state.queue.is_empty() {
                    self.monitor.failed(self.monitor.now(), &Injected);
                }
                None
            }
        }
    }

    /// Applies a write and tells of it, under the lock: so that changes are told in their order.
    fn apply(&self, rows: &mut Rows, write: &Write) -> Verdict {
        let verdict = match write {
            Write::Append(append) if self.faults.poisons(append.table) => Err(Refused::Unwritable),
            _ => rows.apply(write),
        };
        if let Write::People { change, .. } = write
            && verdict.is_ok()
        {
            self.listener.changed(change);
        }
        verdict
    }

    /// Takes nothing more; what a fault holds back is dropped unacknowledged.
    pub(super) fn close(&self) {
        self.pump();
        let mut state = lock(&self.state);
        state.closed = true;
        state.queue.close();
        state.drop_queue();
    }

    /// Asks the rows, unless the store is closed.
    pub(super) fn read<T>(&self, query: impl FnOnce(&Rows) -> T) -> Result<T, ReadError> {
        let state = lock(&self.state);
        if state.closed { Err(ReadError::Closed) } else { Ok(query(&state.rows)) }
    }
}

impl State {
    /// Whoever waits for a verdict hears that there is none.
    fn drop_queue(&mut self) {
        while self.queue.try_recv().is_ok() {}
    }
}

impl Rows {
    pub(super) fn load(&self, table: TableId) -> Result<Vec<Vec<u8>>, ReadError> {
        let events = self.journals.get(&table).into_iter().flat_map(Journal::events);
        (1..)
            .zip(events)
            .map(|(expected, (found, payload))| {
                if expected == found {
                    Ok(payload.to_vec())
                } else {
                    Err(ReadError::Gap { table, expected, found })
                }
            })
            .collect()
    }

    pub(super) fn journal_tables(&self) -> Vec<TableId> {
        let mut tables: Vec<_> = self.journals.keys().copied().collect();
        tables.sort_unstable();
        tables
    }

    pub(super) fn tables_live(&self) -> TableRows {
        let live = self.tables.values().filter(|row| row.status != TableStatus::Closed);
        TableRows { rows: live.cloned().collect(), damaged: Vec::new() }
    }

    pub(super) fn tables_closed(&self, since_ms: u64) -> TableRows {
        let closed =
            |row: &&TableRow| row.status == TableStatus::Closed && row.updated_ms >= since_ms;
        let rows = self.tables.values().filter(closed).cloned().collect();
        TableRows { rows, damaged: Vec::new() }
    }

    pub(super) fn table(&self, id: TableId) -> Option<TableRow> {
        self.tables.get(&id).cloned()
    }

    pub(super) fn game(&self, id: GameId) -> Option<GameRow> {
        self.games.get(&id).cloned()
    }

    pub(super) fn table_ids(&self) -> Vec<TableId> {
        self.tables.keys().copied().collect()
    }

    pub(super) fn game_counts(&self) -> Vec<(TableId, u64)> {
        let mut counts = BTreeMap::new();
        for game in self.games.values() {
            *counts.entry(game.table).or_default() += 1;
        }
        counts.into_iter().collect()
    }

    pub(super) fn games_of(&self, table: TableId) -> Vec<GameId> {
        let of_table = self.games.values().filter(|game| game.table == table);
        let mut games: Vec<_> = of_table.map(|game| game.id).collect();
        games.sort_unstable();
        games
    }

    fn apply(&mut self, write: &Write) -> Verdict {
        match write {
            Write::Append(append) => self.append(append),
            Write::People { change, .. } => self.people.apply(change),
            Write::Close => Ok(()),
        }
    }

    fn append(&mut self, append: &Append) -> Verdict {
        if append.is_disowned() {
            return Err(Refused::Taken);
        }
        if !append.events.is_empty() {
            let journal = self.journals.entry(append.table).or_default();
            append.follows(journal.last())?;
            (append.first..).zip(&append.events).for_each(|(number, it)| journal.add(number, it));
        }
        if let Some(row) = &append.listing {
            self.tables.insert(row.id, row.clone());
        }
        for game in &append.games {
            let row = self.games.entry(game.id).or_insert_with(|| game.clone());
            if row.finished_ms.is_none() {
                row.finished_ms = game.finished_ms;
                row.record.clone_from(&game.record);
            }
        }
        if let Some(result) = &append.result {
            let counts = !self.people.is_one_person(result.players);
            self.results.put(result, counts);
        }
        if let Some(left) = append.left
            && !self.people.is_one_person([left.player, left.other].map(Some))
        {
            self.results.leave(left);
        }
        Ok(())
    }
}

impl Journal {
    /// The number of the last event; 0 before the first.
    fn last(&self) -> u64 {
        self.events.last().map_or(0, |&(number, _)| number)
    }

    fn add(&mut self, number: u64, event: &[u8]) {
        self.bytes.extend_from_slice(event);
        self.events.push((number, self.bytes.len()));
    }

    /// Every event and its number, in order.
    fn events(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let mut begin = 0;
        self.events.iter().map(move |&(number, end)| {
            (number, &self.bytes[std::mem::replace(&mut begin, end)..end])
        })
    }
}
