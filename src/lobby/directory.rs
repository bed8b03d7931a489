//! Which actor keeps which table: owns the doors of all tables that are awake, and rebuilds the
//! others from the journal when somebody asks for them.
//!
//! Invariant: at most one actor of this process keeps a table. The journal's key refuses a second
//! one all the same.

use std::collections::{HashMap, HashSet};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dashmap::DashMap;
use dashmap::mapref::multiple::RefMulti;
use foldhash::fast::RandomState;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt, stream};
use hexhall_proto::error::{Code, ErrorBody};
use hexhall_proto::options::Time;
use hexhall_proto::reply::Reply;
use hexhall_proto::view::Listing;
use tokio::sync::{OnceCell, mpsc};
use tokio::task::spawn_blocking;

use crate::game::clock::{Millis, Stamp};
use crate::ids::TableId;
use crate::store::{ReadError, TableRow, TableStatus};
use crate::table::actor::TableActor;
use crate::table::beginning::{Beginning, OnEnd, Rebuilt, Services, Unreadable};
use crate::table::handle::{Handle, ReplyTo, Request};
use crate::workers::Workers;

/// Every table there is. Clones share one directory.
#[derive(Clone)]
pub struct Tables(Arc<Directory>);

struct Directory {
    /// Looked into for every request, by a hash that is quick and differs from map to map.
    doors: DashMap<TableId, Door, RandomState>,
    made: AtomicU64,
    workers: Arc<Workers>,
    services: Services,
    died: mpsc::Sender<TableId>,
}

/// A table that is awake, or being woken. `made` tells it from one that came before.
#[derive(Clone)]
struct Door {
    made: u64,
    handle: Arc<OnceCell<Handle>>,
}

/// Somebody who looks for a table. The last to give up, or to be told that there is none, takes the
/// empty door away, and nobody sooner: whoever still waits at it may yet open it.
struct Looking<'a> {
    directory: &'a Directory,
    table: TableId,
    door: Door,
}

impl Drop for Looking<'_> {
    fn drop(&mut self) {
        if self.door.handle.initialized() {
            return;
        }
        let made = self.door.made;
        // Copies of a door are made under the lock under which they are counted here.
        drop(std::mem::take(&mut self.door.handle));
        self.directory.doors.remove_if(&self.table, |_, door| {
            let empty = !door.handle.initialized() && Arc::strong_count(&door.handle) == 1;
            door.made == made && empty
        });
    }
}

/// Why a table is not found.
#[derive(Debug, thiserror::Error)]
pub enum NotFound {
    /// There is none.
    #[error("there is no table {0}")]
    Unknown(TableId),
    /// The journal could not be read just now.
    #[error("the journal of {0} could not be read: {1}")]
    Unread(TableId, ReadError),
    /// What the journal says is not a table.
    #[error("the journal of {0} is damaged: {1}")]
    Damaged(TableId, Unreadable),
}

impl NotFound {
    /// Answers a request that was for the table, and logs what is the server's fault.
    pub fn answer(&self, reply: ReplyTo) {
        let body = match self {
            NotFound::Unknown(_) => ErrorBody::new(Code::UnknownTable, self.to_string()),
            NotFound::Unread(..) | NotFound::Damaged(..) => {
                self.log();
                ErrorBody::new(Code::Internal, "this table cannot be opened: the fault is logged")
            }
        };
        reply.answer(Reply::Error(body));
    }

    /// Logs that a table cannot be had.
    pub fn log(&self) {
        tracing::error!(error = %self, "a table could not be rebuilt");
    }
}

/// How many tables are rebuilt at a time when the server starts.
const REBUILT_AT_ONCE: usize = 64;

/// A journal with more events than these is read on a thread of its own: others have their tables on
/// that of whoever asked.
const LONG_JOURNAL: usize = 1_000;

/// A table that dies twice in so short a time is left alone for as long, and then rebuilt.
const DIES_AGAIN_MS: Millis = 1_000;

/// Deaths that wait to be looked after. Beyond these, a table waits for whoever asks next.
const DEATHS: usize = 1_024;

impl Tables {
    /// No table awake. The receiver hears of tables whose actor has died, to be given to
    /// [`Tables::revive`].
    pub fn new(workers: Arc<Workers>, services: Services) -> (Tables, mpsc::Receiver<TableId>) {
        let (died, deaths) = mpsc::channel(DEATHS);
        let (doors, made) = (DashMap::default(), AtomicU64::new(0));
        (Tables(Arc::new(Directory { doors, made, workers, services, died })), deaths)
    }

    /// What every table is given.
    pub fn services(&self) -> &Services {
        &self.0.services
    }

    /// The worker that a table lives on, awake or not.
    pub fn worker_of(&self, table: TableId) -> usize {
        // The low bits of an id are random, so tables spread evenly.
        table.low_bits() as usize % self.0.workers.count()
    }

    /// How many tables are awake.
    pub fn awake(&self) -> usize {
        self.0.doors.len()
    }

    /// The table's door, if it is awake.
    pub fn awake_one(&self, table: TableId) -> Option<Handle> {
        let door = self.0.doors.get(&table)?;
        door.handle.get().filter(|handle| handle.lives()).cloned()
    }

    /// Hands a request over to a table that is awake.
    ///
    /// # Errors
    /// The request, where the table sleeps or has just ended.
    pub fn pass(&self, table: TableId, request: Request) -> Result<(), Box<Request>> {
        let door = self.0.doors.get(&table);
        match door.as_ref().and_then(|door| door.handle.get()) {
            Some(handle) => handle.request(request),
            None => Err(Box::new(request)),
        }
    }

    /// The table's door; a table that sleeps is rebuilt first.
    pub async fn find(&self, table: TableId) -> Result<Handle, NotFound> {
        loop {
            let looking = Looking { directory: &self.0, table, door: self.door(table) };
            let Door { made, handle } = &looking.door;
            let handle = handle.get_or_try_init(|| self.rebuild(table, *made)).await?;
            if handle.lives() {
                return Ok(handle.clone());
            }
            self.0.forget(table, *made);
        }
    }

    /// Starts a new table. Its name must be new as well.
    pub fn open(&self, table: TableId, beginning: Beginning) {
        let door = self.door(table);
        // The table may tell its name before this thread goes on: whoever asks for it by then
        // waits for the handle, and does not rebuild what has just begun.
        let start = async || self.start(table, door.made, beginning);
        let opened = door.handle.get_or_init(start).now_or_never();
        debug_assert!(opened.is_some(), "a new table's name is new");
    }

    /// Wakes the tables at which anything comes due by itself, as the server starts.
    pub async fn wake_due(&self, rows: &[TableRow]) {
        self.wake(rows.iter().filter(|row| must_wake(row)).map(|row| row.id).collect()).await;
    }

    /// Wakes these tables.
    pub async fn wake(&self, tables: Vec<TableId>) {
        let wake = |table| async move {
            if let Err(error) = self.find(table).await {
                error.log();
            }
        };
        stream::iter(tables).for_each_concurrent(REBUILT_AT_ONCE, wake).await;
    }

    /// Has the rows of all tables that are awake say when a player was last there, where a game waits
    /// for both.
    pub async fn keep_seen(&self) {
        let awake = |door: RefMulti<'_, TableId, Door>| door.handle.get().cloned();
        let awake: Vec<Handle> = self.0.doors.iter().filter_map(awake).collect();
        let keep = |handle: Handle| async move { handle.keep_seen().await };
        stream::iter(awake).for_each_concurrent(REBUILT_AT_ONCE, keep).await;
    }

    /// Rebuilds tables whose actor has died, for as long as the server runs: their clocks run on
    /// whether or not anybody asks for them. One that dies of being rebuilt waits before the next
    /// time.
    pub async fn revive(self, mut deaths: mpsc::Receiver<TableId>) {
        let time = &self.0.services.time;
        let mut lately: HashMap<TableId, Stamp> = HashMap::new();
        let (mut pauses, mut pausing) = (FuturesUnordered::new(), HashSet::new());
        // One that takes long holds up no other.
        let mut waking = FuturesUnordered::new();
        loop {
            let table = tokio::select! {
                died = deaths.recv(), if waking.len() < REBUILT_AT_ONCE => {
                    let Some(table) = died else { return };
                    tracing::error!(%table, "a table died and is rebuilt from its journal");
                    metrics::counter!("hexhall_tables_died_total").increment(1);
                    let now = time.now();
                    lately.retain(|_, at| now - *at < DIES_AGAIN_MS);
                    if lately.insert(table, now).is_some() {
                        if pausing.insert(table) {
                            pauses.push(time.sleep(DIES_AGAIN_MS).map(move |()| table));
                        }
                        continue;
                    }
                    table
                }
                Some(table) = pauses.next() => {
                    pausing.remove(&table);
                    table
                }
                Some(()) = waking.next() => continue,
            };
            waking.push(self.wake(vec![table]));
        }
    }

    fn door(&self, table: TableId) -> Door {
        let made = || self.0.made.fetch_add(1, Ordering::Relaxed);
        let new = || Door { made: made(), handle: Arc::default() };
        self.0.doors.entry(table).or_insert_with(new).clone()
    }

    async fn rebuild(&self, table: TableId, made: u64) -> Result<Handle, NotFound> {
        let services = &self.0.services;
        let journal =
            services.store.load(table).await.map_err(|error| NotFound::Unread(table, error))?;
        if journal.is_empty() {
            return Err(NotFound::Unknown(table));
        }
        let (spans, now) = (services.spans, services.time.now());
        let is_long = journal.len() > LONG_JOURNAL;
        let read = move || Rebuilt::read(table, spans, &journal, now);
        let read = if is_long { elsewhere(table, read).await? } else { read() };
        let mut rebuilt = read.map_err(|error| NotFound::Damaged(table, error))?;
        if rebuilt.state.seen_last(now).is_some() {
            // A row that cannot be read keeps no table from being rebuilt.
            match services.store.table(table).await {
                Ok(Some(row)) => rebuilt.state.note_last_seen(Stamp(row.updated_ms)),
                Ok(None) => {}
                Err(error) => tracing::warn!(%table, %error, "a table's row cannot be read"),
            }
        }
        Ok(self.start(table, made, Beginning::Rebuilt(Box::new(rebuilt))))
    }

    fn start(&self, table: TableId, made: u64, beginning: Beginning) -> Handle {
        let directory = Arc::downgrade(&self.0);
        let on_end: OnEnd = Box::new(move |died| {
            let Some(directory) = directory.upgrade() else { return };
            directory.forget(table, made);
            if died {
                // A full queue is no loss: whoever asks for the table next rebuilds it.
                let _ = directory.died.try_send(table);
            }
        });
        let (workers, worker) = (&self.0.workers, self.worker_of(table));
        TableActor::start(workers, worker, beginning, self.0.services.clone(), on_end)
    }
}

impl Directory {
    /// Forgets a door, unless another has taken its place.
    fn forget(&self, table: TableId, made: u64) {
        self.doors.remove_if(&table, |_, door| door.made == made);
    }
}

/// Does some work for a table on a thread that nobody else waits for.
async fn elsewhere<T: Send + 'static>(
    table: TableId,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, NotFound> {
    spawn_blocking(work).await.map_err(|error| match error.try_into_panic() {
        Ok(panic) => resume_unwind(panic),
        // The runtime ends, and with it the server.
        Err(_) => NotFound::Unread(table, ReadError::Closed),
    })
}

/// How late spectators see a table.
pub fn spectator_delay_ms(row: &TableRow) -> Millis {
    let listing: Option<Listing> = serde_json::from_slice(&row.listing).ok();
    listing.map_or(0, |it| Millis::from(it.options.spectator_delay_s) * 1_000)
}

/// Whether anything comes due at a table by itself: all but games without a clock, and those have
/// something to show where they are seen late.
fn must_wake(row: &TableRow) -> bool {
    if spectator_delay_ms(row) > 0 {
        return true;
    }
    let timeless = |Listing { options, .. }: Listing| {
        matches!(options.time, Time::None {}) && options.first_move_s.is_none()
    };
    let waits = row.status == TableStatus::Playing
        && serde_json::from_slice(&row.listing).is_ok_and(timeless);
    !waits && row.status != TableStatus::Closed
}
