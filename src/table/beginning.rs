//! What a table is given, and how it begins: opened anew, or rebuilt from its journal.

use std::sync::Arc;

use tokio::sync::oneshot;

use crate::cpu::seat::Thinker;
use crate::game::clock::{Millis, Stamp};
use crate::gateway::limits::Each;
use crate::ids::{PlayerId, Seq, TableId};
use crate::store::{Slot, Store, TableRow, form};
use crate::time::TimeSource;
use crate::view::{Viewer, delta};

use super::delayed::Delayed;
use super::handle::ReplyTo;
use super::state::event::Event;
use super::state::refusal::TooManyTables;
use super::state::{Corrupt, Fresh, Spans, State};

/// How often an hour a player may bring something about that is no move.
pub const BESIDES_MOVES: u32 = 1_000;

/// What every table is given.
#[derive(Clone)]
pub struct Services {
    /// Where games are written down.
    pub store: Store,
    /// What time it is.
    pub time: TimeSource,
    /// Names and seeds that nobody may choose.
    pub fresh: Arc<dyn Fn() -> Fresh + Send + Sync>,
    /// Who is told of changes to what lists show.
    pub listings: Arc<dyn Listings>,
    /// How often each player may bring something about that is no move, at all tables together: a
    /// table's journal is read whole when it is rebuilt.
    pub besides_moves: Arc<Each<PlayerId>>,
    /// Who thinks where the computer drives a seat.
    pub thinker: Arc<dyn Thinker>,
    /// The spans of time that tables go by.
    pub spans: Spans,
    /// Events of each stream that are kept for those who return.
    pub history: usize,
    /// Places in a table's mailbox.
    pub mailbox: usize,
    /// How long a table that nobody follows is kept in memory, where no clock runs.
    pub put_away_ms: Millis,
}

/// Who is told of changes to what lists show of tables.
pub trait Listings: Send + Sync {
    /// What lists show of a table has changed, and is durable.
    fn changed(&self, listed: Listed);

    /// Whether a player may sit at one table more, as far as the lists have come.
    ///
    /// # Errors
    /// They may not.
    fn may_sit(&self, player: PlayerId) -> Result<(), TooManyTables>;

    /// A player has left a rated game, and that is durable.
    fn left(&self, player: PlayerId);
}

/// A table as lists show it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// What is shown: where spectators see the table late, its row as it was then.
    pub row: TableRow,
    /// Who sits there now, if that is not what is shown.
    pub seated: Option<[Option<PlayerId>; 2]>,
    /// Whether everybody is gone who sits there or is of its party, as far as that is shown.
    pub gone: bool,
}

/// Called as a table's actor ends, with whether it is to be rebuilt at once: it died of a panic, or
/// somebody else has written its journal.
pub type OnEnd = Box<dyn FnOnce(bool) + Send>;

/// How a table begins.
pub enum Beginning {
    /// It is new: its first events, a place in the journal for them, and whom to tell.
    Opened {
        /// What [`Event::Opened`] makes.
        state: Box<State>,
        /// [`Event::Opened`] and what follows from it.
        events: Vec<Event>,
        /// Where they go.
        slot: Slot,
        /// Who is told once it stands.
        opener: Opener,
    },
    /// It was before.
    Rebuilt(Box<Rebuilt>),
}

/// Who is told that a new table is durable.
pub struct Opener {
    /// The lobby, which opened it. Dropped unanswered, the table does not stand.
    pub lobby: oneshot::Sender<()>,
    /// The player who asked for it, and who follows it from there; nobody where two were matched.
    pub asked: Option<ReplyTo>,
}

/// A table as its journal tells it.
pub struct Rebuilt {
    /// The table.
    pub state: State,
    /// The numbers of its streams.
    pub seqs: [Seq; 3],
    /// The table as spectators know it, where they see it late.
    pub delayed: Option<Delayed>,
}

impl Rebuilt {
    /// Reads a table's journal.
    pub fn read(
        id: TableId,
        spans: Spans,
        journal: &[Vec<u8>],
        now: Stamp,
    ) -> Result<Rebuilt, Unreadable> {
        let read = journal.iter().map(|bytes| form::read_at(bytes));
        let (events, times): (Vec<Event>, Vec<Option<Stamp>>) =
            read.collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
        let state = State::replay(id, spans, &events, now)?;
        let delayed = Delayed::rebuilt(id, spans, &events, &times, now)?;
        let known = |viewer| match (&delayed, viewer) {
            (Some(delayed), Viewer::Spectator) => delayed.state().number(),
            _ => state.number(),
        };
        let seqs = Viewer::ALL.map(|viewer| {
            let known = (1..=known(viewer)).zip(&events);
            Seq(known.filter(|(_, event)| delta::is_told(event, viewer)).count() as u64)
        });
        Ok(Rebuilt { state, seqs, delayed })
    }
}

/// Why a journal is not a table's.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// An event cannot be read.
    #[error(transparent)]
    Form(#[from] form::FormError),
    /// The events do not follow from each other.
    #[error(transparent)]
    Corrupt(#[from] Corrupt),
}
