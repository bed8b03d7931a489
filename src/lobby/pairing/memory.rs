//! What is remembered of players between matches: whom they played last, in which seats, and which
//! table they were last sent to.
//!
//! Bound: [`REMEMBERED`] players; whoever was matched longest ago is forgotten first, and is then
//! like somebody new.

use std::collections::{BTreeMap, HashMap};

use crate::game::clock::Stamp;
use crate::ids::{PlayerId, TableId};

/// Of how many players anything is remembered.
pub const REMEMBERED: usize = 20_000;

/// How many of a player's last games count for the balance of colours.
const SEATS: u32 = 8;

/// What is remembered.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    players: HashMap<PlayerId, Past>,
    /// By the number of their last match.
    order: BTreeMap<u64, PlayerId>,
    matches: u64,
}

#[derive(Clone, Copy, Debug)]
struct Past {
    opponent: PlayerId,
    table: TableId,
    at: Stamp,
    nth: u64,
    /// The last games, the newest in the lowest bit: 1 where the player had seat 1.
    seats: u8,
    games: u32,
}

impl Past {
    /// How much oftener seat 1 than seat 2, and then whether the last was seat 1.
    fn leaning(self) -> (i32, bool) {
        let counted = self.games.min(SEATS);
        let ones = self.seats.count_ones() as i32;
        (2 * ones - counted as i32, self.seats & 1 == 1)
    }
}

impl Memory {
    /// Whether either of these two played the other last.
    pub fn played_last(&self, one: PlayerId, two: PlayerId) -> bool {
        let last = |of, whom| self.players.get(&of).is_some_and(|past| past.opponent == whom);
        last(one, two) || last(two, one)
    }

    /// Who of these two has seat 1: whoever has had it less often in their last games, then who had
    /// it less lately, then the first of the two. Seat 1 first.
    pub fn seated(&self, first: PlayerId, second: PlayerId) -> [PlayerId; 2] {
        let leaning = |of| self.players.get(&of).map_or((0, false), |past| past.leaning());
        if leaning(second) < leaning(first) { [second, first] } else { [first, second] }
    }

    /// The table that a player was last sent to, and when.
    pub fn last_table(&self, player: PlayerId) -> Option<(TableId, Stamp)> {
        self.players.get(&player).map(|past| (past.table, past.at))
    }

    /// These two play, seat 1 first.
    pub fn note(&mut self, players: [PlayerId; 2], table: TableId, at: Stamp) {
        let [one, two] = players;
        for (player, opponent, seat_one) in [(one, two, true), (two, one, false)] {
            self.matches += 1;
            let nth = self.matches;
            let before = self.players.get(&player).copied();
            if let Some(past) = before {
                self.order.remove(&past.nth);
            }
            let (seats, games) = before.map_or((0, 0), |past| (past.seats, past.games));
            let seats = seats << 1 | u8::from(seat_one);
            let games = (games + 1).min(SEATS);
            self.players.insert(player, Past { opponent, table, at, nth, seats, games });
            self.order.insert(nth, player);
        }
        while self.players.len() > REMEMBERED
            && let Some((_, oldest)) = self.order.pop_first()
        {
            self.players.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(n: u64) -> PlayerId {
        PlayerId::from_parts(n, 0)
    }

    fn note(memory: &mut Memory, one: u64, two: u64) {
        memory.note([player(one), player(two)], TableId::from_parts(1, 1), Stamp(1));
    }

    #[test]
    fn who_had_seat_1_less_often_has_it_next_and_then_who_had_it_less_lately() {
        let mut memory = Memory::default();
        assert_eq!(memory.seated(player(1), player(2)), [player(1), player(2)], "both are new");
        note(&mut memory, 1, 2);
        assert_eq!(memory.seated(player(1), player(2)), [player(2), player(1)]);
        note(&mut memory, 2, 1);
        assert_eq!(memory.seated(player(2), player(1)), [player(1), player(2)], "not twice");
        note(&mut memory, 3, 1);
        note(&mut memory, 3, 4);
        assert_eq!(memory.seated(player(3), player(5)), [player(5), player(3)]);
    }

    #[test]
    fn only_the_last_opponent_counts_as_the_last() {
        let mut memory = Memory::default();
        note(&mut memory, 1, 2);
        assert!(memory.played_last(player(2), player(1)));
        note(&mut memory, 1, 3);
        assert!(memory.played_last(player(1), player(2)), "2 has played nobody since");
        note(&mut memory, 2, 4);
        assert!(!memory.played_last(player(1), player(2)));
    }

    #[test]
    fn no_more_players_are_remembered_than_there_may_be() {
        let mut memory = Memory::default();
        for n in 0..REMEMBERED as u64 {
            note(&mut memory, 1_000_000 + n, 1);
        }
        assert_eq!(memory.players.len(), REMEMBERED);
        assert_eq!(memory.order.len(), REMEMBERED);
        assert_eq!(memory.last_table(player(1_000_000)), None, "the oldest is forgotten");
        assert!(memory.last_table(player(1)).is_some(), "who plays is not");
    }
}
