//! The tables that a session follows: their copies, and who waits on them.
//!
//! Invariant: a copy is published only after an event that follows the last one; from a missing
//! event until the answer that fills the gap, nothing of that table is.

use std::collections::HashMap;

use hexhall_proto::event::StreamFrame;
use hexhall_proto::reply::Reply;
use hexhall_proto::request::{Request, Watch};
use hexhall_proto::view::View;
use tokio::sync::watch;
use tokio::time::Instant;

use super::follow::{NotApplied, TableCopy, tells_clocks};
use super::session::{SessionError, Sight};

/// The tables of one session.
#[derive(Debug, Default)]
pub(super) struct Tables {
    followed: HashMap<String, Followed>,
}

#[derive(Debug)]
struct Followed {
    sight: watch::Sender<Sight>,
    /// What the table was watched or joined with; asked for again after a break.
    invitation: Option<String>,
    sync: Sync,
}

/// Whether a copy is up to date on this connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sync {
    /// Events arrive in order.
    Live,
    /// Events are missing, and nobody has asked for them yet.
    Behind(Ask),
    /// The request of this number asks for them.
    Asked(u64),
}

/// What helps a copy that is behind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ask {
    /// The run of events after the last one applied.
    Run,
    /// A whole view: what came does not fit the copy, and would not fit it again.
    Whole,
}

impl From<&NotApplied> for Ask {
    fn from(error: &NotApplied) -> Ask {
        match error {
            NotApplied::OutOfOrder { .. } => Ask::Run,
            _ => Ask::Whole,
        }
    }
}

impl Tables {
    /// Marks every copy as behind: a connection is new, and its server sends no events yet.
    pub(super) fn all_behind(&mut self) {
        for table in self.followed.values_mut() {
            table.sync = Sync::Behind(Ask::Run);
        }
    }

    /// The request that asks for what a table misses, for each table that misses anything.
    pub(super) fn behind(&self) -> Vec<(String, Request)> {
        let watch = self.followed.iter().filter_map(|(id, table)| {
            let Sync::Behind(ask) = table.sync else { return None };
            let last = (ask == Ask::Run).then(|| table.sight.borrow().copy.last());
            let (invitation, table) = (table.invitation.clone(), id.clone());
            Some((id.clone(), Request::Watch(Watch { table, invitation, last })))
        });
        watch.collect()
    }

    /// Notes which request asks for what a table misses.
    pub(super) fn asked(&mut self, table: &str, id: u64) {
        if let Some(table) = self.followed.get_mut(table) {
            table.sync = Sync::Asked(id);
        }
    }

    /// Notes that the answer to the request was no answer: it takes another.
    pub(super) fn ask_again(&mut self, table: &str) {
        if let Some(table) = self.followed.get_mut(table) {
            table.sync = Sync::Behind(Ask::Run);
        }
    }

    /// The table that a request of ours asked for.
    pub(super) fn asked_by(&self, id: u64) -> Option<String> {
        let mut asked = self.followed.iter().filter(|(_, table)| table.sync == Sync::Asked(id));
        asked.next().map(|(id, _)| id.clone())
    }

    /// Applies an event. An error means that the table is behind now.
    pub(super) fn apply(&mut self, frame: &StreamFrame, now: Instant) -> Result<(), NotApplied> {
        let Some(table) = self.followed.get_mut(&frame.table) else { return Ok(()) };
        // What comes while a gap is open is in the answer that fills it.
        if table.sync != Sync::Live {
            return Ok(());
        }
        let mut applied = Ok(());
        table.sight.send_if_modified(|sight| {
            applied = sight.copy.apply(frame);
            if applied.is_ok() && tells_clocks(&frame.event) {
                sight.clocks_at = now;
            }
            applied.is_ok()
        });
        if let Err(error) = &applied {
            table.sync = Sync::Behind(error.into());
        }
        applied
    }

    /// Takes the answer to what a table missed. An error means that it is behind still.
    pub(super) fn catch_up(
        &mut self,
        id: &str,
        reply: Reply,
        now: Instant,
    ) -> Result<(), NotApplied> {
        match reply {
            Reply::View { view } => self.put(*view, None, now),
            Reply::Resumed { viewer, events, clocks, plan, .. } => {
                let Some(table) = self.followed.get_mut(id) else { return Ok(()) };
                let mut applied = Ok(());
                table.sight.send_modify(|sight| {
                    applied = sight.copy.apply_run(viewer, &events);
                    sight.copy.set_plan(plan);
                    if let Some(clocks) = clocks {
                        sight.copy.set_clocks(clocks);
                        sight.clocks_at = now;
                    }
                });
                table.sync = match applied {
                    Ok(()) => Sync::Live,
                    // The same run would come again.
                    Err(_) => Sync::Behind(Ask::Whole),
                };
                return applied;
            }
            Reply::Error(body) => {
                self.lose(id, SessionError::Refused { op: "watch", body: Box::new(body) });
            }
            other => {
                let what = format!("{other:?}");
                self.lose(id, SessionError::Answer { op: "watch", what });
            }
        }
        Ok(())
    }

    /// Starts a copy from a whole view, or starts it afresh.
    pub(super) fn put(&mut self, view: View, invitation: Option<String>, now: Instant) {
        let id = view.table.clone();
        let sight = Sight { copy: TableCopy::new(view), clocks_at: now, lost: None };
        match self.followed.get_mut(&id) {
            Some(table) => {
                table.sight.send_replace(sight);
                table.sync = Sync::Live;
                table.invitation = invitation.or(table.invitation.take());
            }
            None => {
                let sight = watch::Sender::new(sight);
                self.followed.insert(id, Followed { sight, invitation, sync: Sync::Live });
            }
        }
    }

    /// Somebody to wait on a table.
    pub(super) fn subscribe(&self, id: &str) -> Option<watch::Receiver<Sight>> {
        self.followed.get(id).map(|table| table.sight.subscribe())
    }

    /// Follows a table no longer, and says why to who waits on it.
    pub(super) fn lose(&mut self, id: &str, why: SessionError) {
        if let Some(table) = self.followed.remove(id) {
            table.sight.send_modify(|sight| sight.lost = Some(why));
        }
    }

    /// Follows no table any longer.
    pub(super) fn lose_all(&mut self, why: &SessionError) {
        for (_, table) in self.followed.drain() {
            table.sight.send_modify(|sight| sight.lost = Some(why.clone()));
        }
    }
}
