//! The journal's own form of a table's events: one JSON object each, so that an operator can read
//! it with the database's own tools.
//!
//! What is written here is read back for as long as there are journals: fields may be added with a
//! default, and none may change its meaning. Unknown fields are refused, so that a journal of a
//! newer program is never half understood. Options and the kinds of offers are spelled as on the
//! wire; the lines in `tests/data/journal-forms.jsonl` hold those spellings too.

mod event;
mod line;
mod parts;
mod party;
mod summary;
mod timed;
#[cfg(test)]
mod tests;

pub use self::summary::Summary;
pub use self::timed::{read_at, write_at};

use self::event::Stored;
use self::line::Line;
use crate::table::state::event::Event;

/// Why bytes are not an event.
#[derive(Debug, thiserror::Error)]
pub enum FormError {
    /// Not the JSON of any event.
    #[error("not an event: {0}")]
    Json(#[from] serde_json::Error),
    /// A value that no event can have.
    #[error("an event with an impossible {0}")]
    Value(&'static str),
}

/// Writes an event.
pub fn write(event: &Event) -> Result<Vec<u8>, FormError> {
    /// What nearly every event has room in, a move for one.
    const ENOUGH: usize = 256;
    let mut bytes = Vec::with_capacity(ENOUGH);
    match &Stored::from(event) {
        Stored::Played { by, action, collision, cpu, planned, used, credit, left, at } => {
            let mut line = Line::new(&mut bytes);
            line.raw(r#"{"played":{"by":"#).cause(by)?.raw(r#","move":"#).action(*action);
            if *collision {
                line.raw(r#","collision":true"#);
            }
            if *cpu {
                line.raw(r#","cpu":true"#);
            }
            if *planned {
                line.raw(r#","planned":true"#);
            }
            line.raw(r#","used":"#).number(*used).raw(r#","credit":"#).number(*credit);
            line.raw(r#","left":"#).left(left).raw(r#","at":"#).number(*at).raw("}}");
        }
        // Nearly every event is a move; the others need not be quick.
        other => serde_json::to_writer(&mut bytes, other)?,
    }
    Ok(bytes)
}

/// Reads an event.
pub fn read(bytes: &[u8]) -> Result<Event, FormError> {
    serde_json::from_slice::<Stored<'_>>(bytes)?.try_into()
}
