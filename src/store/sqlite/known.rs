//! Players whose tokens were seen lately, so that whoever comes back is known without the disk.
//!
//! Owns copies of rows and nothing else. Invariants: what is found here is what the database says
//! once the last acknowledged write is done, since the writer tells of each before it acknowledges
//! it, and this process holds the database alone; a row that was read while a player was renamed
//! is not kept. Bound: [`MOST`] players; those not seen for longest go.

use std::collections::HashMap;
use std::sync::Mutex;

use crate::ids::PlayerId;
use crate::store::health::lock;
use crate::store::{PlayerRow, TokenHash};

/// The most players that are kept, at about 200 bytes each: more than sessions that come back at
/// once.
const MOST: usize = 32_768;

/// Those whose tokens were seen lately.
#[derive(Default)]
pub(super) struct Known(Mutex<Seen>);

/// Half of what is kept at most, and the half before it.
#[derive(Default)]
struct Seen {
    young: HashMap<TokenHash, PlayerRow>,
    old: HashMap<TokenHash, PlayerRow>,
    renames: Renames,
}

/// How many players have been renamed: what was read before another is not kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Renames(u64);

impl Known {
    /// The player with this token, or what [`Known::keep`] needs once they have been read.
    pub(super) fn find(&self, token: &TokenHash) -> Result<PlayerRow, Renames> {
        let mut seen = lock(&self.0);
        if let Some(row) = seen.young.get(token) {
            return Ok(row.clone());
        }
        let row = seen.old.remove(token).ok_or(seen.renames)?;
        seen.put(*token, row.clone());
        Ok(row)
    }

    /// Keeps what has been read since [`Known::find`], unless it may be out of date.
    pub(super) fn keep(&self, token: TokenHash, row: &PlayerRow, since: Renames) {
        let mut seen = lock(&self.0);
        if seen.renames == since {
            seen.put(token, row.clone());
        }
    }

    /// A player is new.
    pub(super) fn created(&self, token: TokenHash, row: &PlayerRow) {
        lock(&self.0).put(token, row.clone());
    }

    /// A player has another name.
    pub(super) fn renamed(&self, id: PlayerId) {
        let mut seen = lock(&self.0);
        seen.renames.0 += 1;
        let Seen { young, old, .. } = &mut *seen;
        [young, old].into_iter().for_each(|half| half.retain(|_, row| row.id != id));
    }
}

impl Seen {
    fn put(&mut self, token: TokenHash, row: PlayerRow) {
        if self.young.len() >= MOST / 2 {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(token, row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(n: u64) -> PlayerRow {
        PlayerRow { id: PlayerId::from_parts(n, 0), name: format!("Guest {n}"), created_ms: n }
    }

    fn token(n: u64) -> TokenHash {
        std::array::from_fn(|i| n.to_le_bytes()[i % 8])
    }

    #[test]
    fn what_was_read_before_a_name_changed_is_not_kept() {
        let known = Known::default();
        let since = known.find(&token(1)).unwrap_err();
        known.renamed(row(1).id);
        known.keep(token(1), &row(1), since);
        let since = known.find(&token(1)).unwrap_err();
        known.keep(token(1), &row(1), since);
        assert_eq!(known.find(&token(1)), Ok(row(1)));
    }

    #[test]
    fn a_name_that_changed_is_read_anew_and_no_other() {
        let known = Known::default();
        for n in [1, 2] {
            known.created(token(n), &row(n));
        }
        known.renamed(row(1).id);
        assert!(known.find(&token(1)).is_err());
        assert_eq!(known.find(&token(2)), Ok(row(2)));
    }

    #[test]
    fn those_not_seen_for_longest_go() {
        let known = Known::default();
        let half = MOST as u64 / 2;
        for n in 0..2 * half {
            known.created(token(n), &row(n));
            // Guest 0 comes back all the time.
            assert!(known.find(&token(0)).is_ok());
        }
        known.created(token(2 * half), &row(2 * half));
        let seen = lock(&known.0);
        assert!(seen.young.len() + seen.old.len() <= MOST);
        drop(seen);
        assert!(known.find(&token(1)).is_err());
        assert_eq!(known.find(&token(2 * half)), Ok(row(2 * half)));
        assert_eq!(known.find(&token(2 * half - 1)), Ok(row(2 * half - 1)));
    }
}
