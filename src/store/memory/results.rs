//! Results and ratings as the in-memory store keeps them.

use std::collections::{BTreeMap, BTreeSet};

use crate::accounts::ratings::{ACTIVE_MS, Class, Standing};
use crate::game::Seat;
use crate::game::clock::Stamp;
use crate::ids::{GameId, PlayerId};
use crate::store::results::{GameResult, Leader, Leaders, Ranked, RatingChange, ResultRow};

use super::Rows;

/// Every result, and what followed from it.
#[derive(Default)]
pub(in crate::store) struct Results {
    results: BTreeMap<GameId, GameResult>,
    /// Who played which game, and in which seat.
    players: BTreeMap<(PlayerId, GameId), Seat>,
    ratings: BTreeMap<(PlayerId, Class), Standing>,
    changes: BTreeMap<GameId, [RatingChange; 2]>,
    /// Who left a game, when, and which.
    leaves: BTreeSet<(PlayerId, Stamp, GameId)>,
}

impl Results {
    /// A game has ended; one that had ended before counts no more. `counts` says whether ratings
    /// may follow from it.
    pub(super) fn put(&mut self, result: &GameResult, counts: bool) {
        if self.results.contains_key(&result.game) {
            return;
        }
        for (seat, player) in Seat::BOTH.into_iter().zip(result.players) {
            if let Some(player) = player {
                self.players.entry((player, result.game)).or_insert(seat);
            }
        }
        if let Some(rated) = result.rated.as_ref().filter(|_| counts) {
            let before = rated.players.map(|player| self.standing(player, rated.class));
            let (after, changes) = rated.follow(result, before);
            for (player, standing) in rated.players.into_iter().zip(after) {
                self.ratings.insert((player, rated.class), standing);
            }
            self.changes.insert(result.game, changes);
            self.leaves.extend(rated.left.map(|player| (player, result.finished, result.game)));
        }
        self.results.insert(result.game, result.clone());
    }

    pub(in crate::store) fn standing(&self, player: PlayerId, class: Class) -> Standing {
        self.ratings.get(&(player, class)).copied().unwrap_or_default()
    }

    pub(in crate::store) fn leaves(&self, player: PlayerId, since: Stamp, most: u32) -> Vec<Stamp> {
        let own = self.leaves.iter().rev().filter(|(of, at, _)| *of == player && *at >= since);
        let mut last: Vec<Stamp> = own.take(most as usize).map(|(_, at, _)| *at).collect();
        last.reverse();
        last
    }

    pub(in crate::store) fn ranked(&self, player: PlayerId, now: Stamp) -> Vec<Ranked> {
        let own = self.ratings.iter().filter(|((of, _), _)| *of == player);
        own.map(|(&(_, class), &standing)| {
            let rank = is_leader(&standing, now).then(|| self.rank(class, &standing, now));
            Ranked { class, standing, rank }
        })
        .collect()
    }

    pub(in crate::store) fn history(
        &self,
        player: PlayerId,
        class: Class,
        most: u32,
    ) -> Vec<RatingChange> {
        let all = self.changes.values().rev().flatten();
        let own = all.filter(|change| change.player == player && change.class == class);
        let mut last: Vec<_> = own.take(most as usize).copied().collect();
        last.reverse();
        last
    }

    pub(in crate::store) fn changes(&self, game: GameId) -> Vec<RatingChange> {
        self.changes.get(&game).map(|changes| changes.to_vec()).unwrap_or_default()
    }

    pub(in crate::store) fn results_of(
        &self,
        player: PlayerId,
        before: Option<GameId>,
        most: u32,
    ) -> Vec<ResultRow> {
        let own = self.players.iter().rev().filter(|((of, _), _)| *of == player);
        let rows = own.filter_map(|(&(_, game), &seat)| {
            let result = self.results.get(&game)?;
            let is_wanted = result.public && before.is_none_or(|before| game < before);
            let of = |change: &&RatingChange| change.player == player;
            let change = self.changes.get(&game).and_then(|both| both.iter().find(of)).copied();
            let summary = result.summary.clone();
            let row = ResultRow { game, seat, finished: result.finished, summary, change };
            is_wanted.then_some(row)
        });
        rows.take(most as usize).collect()
    }

    /// Who is on a class's leaderboard, and how they stand.
    fn on_board(&self, class: Class, now: Stamp) -> impl Iterator<Item = (PlayerId, Standing)> {
        let of_class = self.ratings.iter().filter(move |((_, of), _)| *of == class);
        let all = of_class.map(|(&(player, _), &standing)| (player, standing));
        all.filter(move |(_, standing)| is_leader(standing, now))
    }

    fn rank(&self, class: Class, standing: &Standing, now: Stamp) -> u64 {
        let shown = standing.rating.shown();
        1 + self.on_board(class, now).filter(|(_, other)| other.rating.shown() > shown).count()
            as u64
    }
}

/// Whether somebody who stands so is on the leaderboard.
fn is_leader(standing: &Standing, now: Stamp) -> bool {
    standing.updated.is_some_and(|updated| now - updated <= ACTIVE_MS)
        && !standing.rating_at(now).is_provisional()
}

impl Rows {
    pub(in crate::store) fn results(&self) -> &Results {
        &self.results
    }

    pub(in crate::store) fn leaders(
        &self,
        class: Class,
        now: Stamp,
        skip: u32,
        most: u32,
    ) -> Leaders {
        let known = self.results.on_board(class, now).filter_map(|(player, standing)| {
            let row = self.people.player(player)?;
            Some((std::cmp::Reverse(standing.rating.shown()), row, standing))
        });
        let mut all: Vec<_> = known.collect();
        all.sort_by_key(|(shown, row, _)| (*shown, row.id));
        let players = all.len() as u64;
        // Whoever has the same rating as shown has the place of the first of them.
        let rank = |shown| 1 + all.partition_point(|&(other, ..)| other < shown) as u64;
        let page = all.iter().skip(skip as usize).take(most as usize);
        let places = page.map(|(shown, row, standing)| Leader {
            rank: rank(*shown),
            player: row.id,
            name: row.name.clone(),
            bot: row.owner.is_some(),
            standing: *standing,
        });
        Leaders { places: places.collect(), players }
    }
}
