//! The JSON of a move, put together from its pieces.
//!
//! Invariant: it is byte for byte what the forms' own serializer writes, which looks through every
//! field's name for what to escape and takes several times as long.

use super::parts::{CauseForm, LeftForm, MoveForm, ReadingForm};

/// A line that grows at its end.
pub(super) struct Line<'a>(&'a mut Vec<u8>);

impl<'a> Line<'a> {
    pub(super) fn new(bytes: &'a mut Vec<u8>) -> Line<'a> {
        Line(bytes)
    }

    /// A piece of JSON.
    pub(super) fn raw(&mut self, json: &str) -> &mut Self {
        self.0.extend_from_slice(json.as_bytes());
        self
    }

    pub(super) fn number(&mut self, number: impl itoa::Integer) -> &mut Self {
        self.raw(itoa::Buffer::new().format(number))
    }

    /// A field, where it has a value.
    fn field(&mut self, name: &str, value: Option<u64>) -> &mut Self {
        match value {
            Some(value) => self.raw(name).number(value),
            None => self,
        }
    }

    pub(super) fn cause(&mut self, by: &CauseForm<'_>) -> serde_json::Result<&mut Self> {
        self.raw(r#"{"seat":"#).number(by.seat).raw(r#","command":"#);
        // A player's own words, which may need to be escaped.
        serde_json::to_writer(&mut *self.0, &by.command)?;
        Ok(self.field(r#","turn":"#, by.turn).field(r#","offer":"#, by.offer).raw("}"))
    }

    pub(super) fn action(&mut self, action: MoveForm) -> &mut Self {
        match action {
            MoveForm::Cell([row, col]) => {
                self.raw(r#"{"cell":["#).number(row).raw(",").number(col).raw("]}")
            }
            MoveForm::Swap => self.raw(r#""swap""#),
        }
    }

    pub(super) fn left(&mut self, [one, two]: &LeftForm) -> &mut Self {
        self.raw("[").reading(one).raw(",").reading(two).raw("]")
    }

    fn reading(&mut self, &ReadingForm { ms, periods, first }: &ReadingForm) -> &mut Self {
        let fields = [
            (r#""ms":"#, ms),
            (r#""periods":"#, (periods > 0).then_some(periods.into())),
            (r#""first":"#, first),
        ];
        let mut before = "{";
        for (name, value) in fields {
            if value.is_some() {
                self.raw(std::mem::replace(&mut before, ",")).field(name, value);
            }
        }
        self.raw(if before == "{" { "{}" } else { "}" })
    }
}
