//! After a panic in the middle of a change: pairing begins anew from what is whole by itself.
//!
//! That are the seeks, each with its age, what is remembered of players, and the matches whose
//! tables are being opened. All else follows from these and from who is there. What stands as
//! before is no news: whoever mends shows everybody everything afresh.

use std::collections::BTreeSet;

use crate::game::clock::Stamp;
use crate::ids::PlayerId;

use super::seek::Seek;
use super::{News, Pairing, Why};

impl Pairing {
    /// The same seeks and nothing half-done. Those of players for whom it `ends` are over, and a
    /// match goes on only if its table was [`begun`](Pairing::begun): of every other both wait on,
    /// but for the answer that made it.
    pub fn mended(
        self,
        now: Stamp,
        is_here: impl Fn(PlayerId) -> bool,
        ends: impl Fn(PlayerId) -> Option<Why>,
    ) -> Pairing {
        let Pairing { seeks, matches, memory, arrivals, kept_ms, people, .. } = self;
        let mut mended = Pairing { memory, arrivals, ..Pairing::new(kept_ms) };
        let mut by_age: Vec<&Seek> = seeks.values().collect();
        by_age.sort_by_key(|seek| seek.age);
        for seek in by_age {
            mended.people.entry(seek.wish.player.id).or_default().seeks.push(seek.id);
        }
        let players: BTreeSet<PlayerId> = mended.people.keys().copied().collect();
        mended.seeks = seeks;
        for (id, reservation) in matches {
            let both_seek = reservation.players.iter().all(|player| players.contains(player));
            if reservation.is_begun() && both_seek {
                for player in reservation.players {
                    mended.people.entry(player).or_default().reserved = Some(id);
                }
                mended.matches.insert(id, reservation);
            }
        }
        for player in players {
            if !is_here(player) {
                let since = people.get(&player).and_then(|person| person.gone).unwrap_or(now);
                mended.went(player, since);
            }
            if let Some(why) = ends(player) {
                mended.turn_out(player, why, now);
            } else if mended.match_of(player).is_none() {
                mended.end_answers(player, now);
                mended.enqueue_all(player, now);
            }
        }
        mended.news.retain(|news| matches!(news, News::Ended(..)));
        mended
    }
}
