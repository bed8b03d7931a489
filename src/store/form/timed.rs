//! The time of events that have none of their own: written where somebody asks later when each
//! happened, and left out elsewhere.

use super::FormError;
use super::event::Stored;
use crate::game::clock::{Millis, Stamp};
use crate::table::state::event::Event;

/// Writes an event that was decided at that time. One that has a time of its own keeps to that.
pub fn write_at(event: &Event, decided: Stamp) -> Result<Vec<u8>, FormError> {
    if event.at().is_some() {
        return super::write(event);
    }
    let mut stored = Stored::from(event);
    if let Some(at) = stored.added() {
        *at = Some(decided.0);
    }
    Ok(serde_json::to_vec(&stored)?)
}

/// Reads an event, and when it happened, if the journal says so.
pub fn read_at(bytes: &[u8]) -> Result<(Event, Option<Stamp>), FormError> {
    let mut stored = serde_json::from_slice::<Stored<'_>>(bytes)?;
    let added = stored.added().and_then(|at| at.map(Stamp));
    let event = Event::try_from(stored)?;
    let at = event.at().or(added);
    Ok((event, at))
}

impl Stored<'_> {
    /// The place for the time of an event that has none of its own.
    fn added(&mut self) -> Option<&mut Option<Millis>> {
        match self {
            Stored::OfferClosed { at, .. }
            | Stored::TakenBack { at, .. }
            | Stored::Paused { at, .. }
            | Stored::Unpaused { at, .. }
            | Stored::TimeGiven { at, .. } => Some(at),
            _ => None,
        }
    }
}
