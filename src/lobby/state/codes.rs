//! Which party has which code. Bound: one code a table that is not closed.

use std::collections::HashMap;

use hexhall_proto::view::Listing;

use crate::ids::TableId;
use crate::table::state::party::code::PartyCode;

/// The codes of all parties. No two have the same.
#[derive(Clone, Debug, Default)]
pub struct Codes(HashMap<PartyCode, TableId>);

/// How many codes are drawn for a party before it is given up: with a million parties, one in a
/// hundred and ninety draws finds its code taken.
const DRAWS: usize = 16;

impl Codes {
    /// Draws a code that no other party has; none if all `DRAWS` that are drawn are taken.
    pub fn take(&mut self, table: TableId, draw: impl Fn() -> u64) -> Option<PartyCode> {
        let drawn = (0..DRAWS).map(|_| PartyCode::drawn(draw()));
        let code = drawn.into_iter().find(|code| !self.0.contains_key(code))?;
        self.0.insert(code, table);
        Some(code)
    }

    /// Whose code it is.
    pub fn find(&self, code: PartyCode) -> Option<TableId> {
        self.0.get(&code).copied()
    }

    /// A table's party could not be opened after all.
    pub fn give_back(&mut self, table: TableId) {
        self.0.retain(|_, of| *of != table);
    }

    /// What lists show of a table has changed; `closed` gives its code back.
    pub(super) fn change(&mut self, table: TableId, listing: &Listing, closed: bool) {
        let Some(code) = listing.party.as_deref().and_then(PartyCode::read) else { return };
        if !closed {
            self.0.insert(code, table);
        } else if self.find(code) == Some(table) {
            self.0.remove(&code);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_that_is_taken_is_drawn_anew_and_a_closed_table_gives_its_own_back() {
        let table = |n| TableId::from_parts(n, 0);
        let mut codes = Codes::default();
        let code = codes.take(table(1), || 7).unwrap();
        assert_eq!(codes.take(table(2), || 7), None);
        let draws = std::cell::Cell::new(6);
        let other = codes.take(table(2), || draws.replace(draws.get() + 1) + 1).unwrap();
        assert_eq!((codes.find(code), codes.find(other)), (Some(table(1)), Some(table(2))));
        codes.give_back(table(2));
        assert_eq!(codes.find(other), None);
        assert_eq!(codes.take(table(3), || 8), Some(other));
    }
}
