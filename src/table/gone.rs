//! Tells lists when nobody is at the table any more, so that no one joins who would wait for nobody.
//!
//! A page that is loaded anew goes and comes back, and of two who are matched neither is there at
//! first: lists are told only of what has been so for a while. Where spectators see the table late,
//! they learn this as late as all else.

use crate::game::clock::{Millis, Stamp};
use crate::store::TableRow;
use crate::view::Viewer;

use super::actor::TableActor;
use super::archive;
use super::beginning::Listed;
use super::state::Phase;

/// How long everybody has been gone before lists say so.
const GONE_AFTER_MS: Millis = 5_000;

impl TableActor {
    /// When lists are to be told that everybody is gone, after `now`.
    pub(super) fn gone_due(&self, now: Stamp) -> Option<Stamp> {
        let (state, then) = self.known_to(Viewer::Spectator);
        let told_at = state.nobody_since()? + GONE_AFTER_MS + (now - then);
        (told_at > now).then_some(told_at)
    }

    /// Tells lists if everybody is gone by now, or somebody is back. What lists show must be durable.
    pub(super) fn list_gone(&mut self, now: Stamp) {
        let gone = self.gone();
        if gone.is_some() && gone != self.listed_gone {
            self.list(None, now);
        }
    }

    /// Tells lists how the table stands, or stood as this row was written down, which is durable now.
    pub(super) fn list(&mut self, row: Option<TableRow>, now: Stamp) {
        self.listed_gone = self.gone().or(self.listed_gone);
        let gone = self.listed_gone.unwrap_or(false);
        self.services.listings.changed(match &self.late {
            Some(late) => late.listed(&self.state, gone, now),
            None => {
                let row = row.unwrap_or_else(|| archive::table_row(&self.state, now));
                Listed { row, seated: None, gone }
            }
        });
    }

    /// Whether everybody is gone, as lists may tell; nothing where that may yet be for a moment only.
    fn gone(&self) -> Option<bool> {
        let (state, then) = self.known_to(Viewer::Spectator);
        match state.nobody_since() {
            _ if state.phase() == Phase::Closed => None,
            None => Some(false),
            Some(since) => (then >= since + GONE_AFTER_MS).then_some(true),
        }
    }
}
