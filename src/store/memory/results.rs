//! Results and ratings as the in-memory store keeps them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use crate::accounts::ratings::{Class, Standing};
use crate::game::Seat;
use crate::game::clock::Stamp;
use crate::ids::{GameId, PlayerId};
use crate::store::results::{
    GameResult, Leader, Leaders, Left, Listed, MOST_PLACES, Ranked, RatingChange, ResultRow, ranks,
};
use crate::store::{Counted, KeptResult, KeptStanding, PlayerRow};

use super::Rows;

/// Every result, and what followed from it.
#[derive(Default)]
pub(in crate::store) struct Results {
    results: BTreeMap<GameId, GameResult>,
    /// The games that have changed ratings, in the order in which they were handed in.
    counted: Vec<GameId>,
    /// Who played which game, and in which seat.
    players: BTreeMap<(PlayerId, GameId), Seat>,
    ratings: BTreeMap<(PlayerId, Class), Standing>,
    /// Whose rating has a place on a leaderboard, in the order of places, and until when.
    board: BTreeMap<Place, Stamp>,
    changes: BTreeMap<GameId, [RatingChange; 2]>,
    /// Who left a game, when, and which.
    leaves: BTreeSet<(PlayerId, Stamp, GameId)>,
}

/// A class, a rating in it as it is shown, and whose it is.
type Place = (Class, Reverse<i64>, PlayerId);

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
                self.place(player, rated.class, standing);
            }
            self.changes.insert(result.game, changes);
            self.counted.push(result.game);
        }
        self.results.insert(result.game, result.clone());
    }

    /// Somebody left a game.
    pub(super) fn leave(&mut self, left: Left) {
        self.leaves.insert((left.player, left.at, left.game));
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
            let is_placed = standing.placed_until().is_some_and(|until| now <= until);
            let before = is_placed.then(|| self.better(class, now, standing.rating.shown()));
            let rank = before.filter(|&before| before < MOST_PLACES).map(|before| before + 1);
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
        let of = |game| self.changes.get(game).into_iter().flatten();
        let is_own = |change: &&RatingChange| change.player == player && change.class == class;
        // The last to begin, in the order in which they counted.
        let began = self.changes.keys().rev().filter(|game| of(game).any(|it| is_own(&it)));
        let last: BTreeSet<GameId> = began.take(most as usize).copied().collect();
        let counted = self.counted.iter().filter(|game| last.contains(game));
        counted.flat_map(of).filter(is_own).copied().collect()
    }

    pub(in crate::store) fn changes(&self, game: GameId) -> Vec<RatingChange> {
        self.changes.get(&game).map(|changes| changes.to_vec()).unwrap_or_default()
    }

    pub(in crate::store) fn results_of(
        &self,
        player: PlayerId,
        before: Option<GameId>,
        most: u32,
        listed: Listed,
    ) -> Vec<ResultRow> {
        let own = self.players.iter().rev().filter(|((of, _), _)| *of == player);
        let rows = own.filter_map(|(&(_, game), &seat)| {
            let result = self.results.get(&game)?;
            let is_listed = result.public || listed == Listed::All;
            let is_wanted = is_listed && before.is_none_or(|before| game < before);
            let of = |change: &&RatingChange| change.player == player;
            let change = self.changes.get(&game).and_then(|both| both.iter().find(of)).copied();
            let GameResult { finished, public, ref summary, .. } = *result;
            let row = ResultRow { game, seat, finished, summary: summary.clone(), public, change };
            is_wanted.then_some(row)
        });
        rows.take(most as usize).collect()
    }

    pub(in crate::store) fn result(&self, game: GameId) -> Option<KeptResult> {
        let GameResult { public, finished, summary, .. } = self.results.get(&game)?;
        Some(KeptResult { public: *public, finished: *finished, summary: summary.clone() })
    }

    pub(in crate::store) fn seat_in(&self, player: PlayerId, game: GameId) -> Option<Seat> {
        self.players.get(&(player, game)).copied()
    }

    pub(in crate::store) fn counted(&self, place: u64, most: u32) -> Vec<Counted> {
        let after = (1..).zip(&self.counted).skip_while(|&(own, _)| own <= place);
        let counted = after.filter_map(|(place, &game)| {
            let finished = self.results.get(&game)?.finished;
            Some(Counted { place, game, finished, changes: self.changes(game) })
        });
        counted.take(most as usize).collect()
    }

    pub(in crate::store) fn standings(&self) -> Vec<KeptStanding> {
        let kept = |(&(player, class), &standing): (&(PlayerId, Class), &Standing)| {
            let shown = standing.rating.shown();
            let placed_until = self.board.get(&(class, Reverse(shown), player)).copied();
            KeptStanding { player, class, standing, shown, placed_until }
        };
        self.ratings.iter().map(kept).collect()
    }

    fn place(&mut self, player: PlayerId, class: Class, standing: Standing) {
        let place = |it: &Standing| (class, Reverse(it.rating.shown()), player);
        if let Some(before) = self.ratings.insert((player, class), standing) {
            self.board.remove(&place(&before));
        }
        if let Some(until) = standing.placed_until() {
            self.board.insert(place(&standing), until);
        }
    }

    /// The places of a class's leaderboard, the first ones first.
    fn board(&self, class: Class, now: Stamp) -> impl Iterator<Item = Place> {
        let from = self.board.range((class, Reverse(i64::MAX), PlayerId::from_parts(0, 0))..);
        let own = from.take_while(move |((of, ..), _)| *of == class);
        let placed = own.filter(move |&(_, &until)| now <= until);
        placed.map(|(&place, _)| place).take(MOST_PLACES as usize)
    }

    /// How many have a place above that rating.
    fn better(&self, class: Class, now: Stamp, shown: i64) -> u64 {
        let above = |&(_, Reverse(other), _): &Place| other > shown;
        self.board(class, now).take_while(above).count() as u64
    }
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
        let players = self.results.board(class, now).count() as u64;
        let page = self.results.board(class, now).skip(skip as usize).take(most as usize);
        let known = |(_, Reverse(shown), player)| Some((shown, self.people.player(player)?));
        let page: Vec<(i64, PlayerRow)> = page.filter_map(known).collect();
        let shown: Vec<i64> = page.iter().map(|&(shown, _)| shown).collect();
        let better = |shown| Ok::<_, Infallible>(self.results.better(class, now, shown));
        let Ok(ranks) = ranks(&shown, skip, better);
        let leader = |(rank, (_, row)): (u64, (i64, PlayerRow))| Leader {
            rank,
            player: row.id,
            standing: self.results.standing(row.id, class),
            name: row.name,
            bot: row.owner.is_some(),
        };
        Leaders { places: ranks.into_iter().zip(page).map(leader).collect(), players }
    }
}
