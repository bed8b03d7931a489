//! Results of games, and the ratings that follow from them: their rows, and what is asked of them.
//!
//! What a rated game makes of ratings is worked out by `accounts::ratings` within the transaction
//! that writes the result, from what that transaction finds. Invariant: a game counts once.

use super::{ReadError, Store, read, sqlite};
use crate::accounts::ratings::{Class, Rating, Score, Standing, rate};
use crate::game::Seat;
use crate::game::clock::Stamp;
use crate::ids::{GameId, PlayerId};

/// A game that ended with a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// The game.
    pub game: GameId,
    /// Who played it, seat 1 first. The computer is nobody.
    pub players: [Option<PlayerId>; 2],
    /// Whether lists show it to everybody.
    pub public: bool,
    /// When it ended.
    pub finished: Stamp,
    /// What lists say of it, in a form that the store does not read.
    pub summary: Vec<u8>,
    /// What it counts for, if it is rated. Between bots of one owner, or a bot and its owner, it is
    /// not after all: the store alone knows that.
    pub rated: Option<RatedResult>,
}

/// Who left a rated game. Between bots of one owner, or a bot and its owner, that is nothing after
/// all: the store alone knows that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Left {
    /// The game.
    pub game: GameId,
    /// Whoever left it.
    pub player: PlayerId,
    /// Who played it with them.
    pub other: PlayerId,
    /// When it ended.
    pub at: Stamp,
}

/// What a rated game came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RatedResult {
    /// What it counts for.
    pub class: Class,
    /// Who played it, seat 1 first: two different people.
    pub players: [PlayerId; 2],
    /// What it came to for seat 1.
    pub score: Score,
}

/// A result as a player's list has it.
#[derive(Clone, PartialEq, Debug)]
pub struct ResultRow {
    /// The game.
    pub game: GameId,
    /// The player's seat in it.
    pub seat: Seat,
    /// When it ended.
    pub finished: Stamp,
    /// As it was handed in.
    pub summary: Vec<u8>,
    /// Whether lists show it to everybody.
    pub public: bool,
    /// What it made of the player's rating, if it is rated.
    pub change: Option<RatingChange>,
}

/// Whose list of a player's games it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listed {
    /// Everybody's: what was played at public tables.
    Public,
    /// The player's own: all games.
    All,
}

/// What a rated game made of one player's rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RatingChange {
    /// The game.
    pub game: GameId,
    /// Whether lists show the game to everybody.
    pub public: bool,
    /// The player, and their seat.
    pub player: PlayerId,
    /// The player's seat.
    pub seat: Seat,
    /// The other player.
    pub opponent: PlayerId,
    /// What it counted for.
    pub class: Class,
    /// What it came to for the player.
    pub score: Score,
    /// The rating that the player came with.
    pub before: Rating,
    /// The rating that the player went with.
    pub after: Rating,
    /// When the game ended.
    pub at: Stamp,
}

/// How a player stands in a class, and among all who have a settled rating there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ranked {
    /// The class.
    pub class: Class,
    /// How the player stands in it.
    pub standing: Standing,
    /// The place on its leaderboard, from 1, if it is one of the first [`MOST_PLACES`].
    pub rank: Option<u64>,
}

/// A place on a leaderboard.
#[derive(Clone, PartialEq, Debug)]
pub struct Leader {
    /// The place, from 1. Whoever has the same rating as shown has the same place.
    pub rank: u64,
    /// The player.
    pub player: PlayerId,
    /// The player's name.
    pub name: String,
    /// Whether it is a bot.
    pub bot: bool,
    /// How the player stands.
    pub standing: Standing,
}

/// A part of a leaderboard.
#[derive(Clone, PartialEq, Debug)]
pub struct Leaders {
    /// The players in it, the best first; of the same rating, the one who came first to this server.
    pub places: Vec<Leader>,
    /// How many players are on the leaderboard; those beyond [`MOST_PLACES`] are not counted.
    pub players: u64,
}

/// The places that a leaderboard shows: what follows is neither read nor counted.
pub const MOST_PLACES: u64 = 10_000;

/// The places of those on a page that comes after `skip` others, from their ratings as shown.
/// `better` says how many have a rating above one: it is asked once, since every other place follows
/// from the one before.
pub(super) fn ranks<E>(
    page: &[i64],
    skip: u32,
    better: impl FnOnce(i64) -> Result<u64, E>,
) -> Result<Vec<u64>, E> {
    let Some(&first) = page.first() else { return Ok(Vec::new()) };
    let mut before = (first, better(first)? + 1);
    let rank = |(place, &shown)| {
        if shown != before.0 {
            before = (shown, place);
        }
        before.1
    };
    Ok((u64::from(skip) + 1..).zip(page).map(rank).collect())
}

impl RatedResult {
    /// How both players stand after it, given how they stood before, and what that changed.
    pub(super) fn follow(
        &self,
        result: &GameResult,
        before: [Standing; 2],
    ) -> ([Standing; 2], [RatingChange; 2]) {
        let at = result.finished;
        let after = rate(before, self.score, at);
        let change = |seat: Seat| RatingChange {
            game: result.game,
            public: result.public,
            player: self.players[seat.index()],
            seat,
            opponent: self.players[seat.other().index()],
            class: self.class,
            score: if seat == Seat::One { self.score } else { self.score.other() },
            before: before[seat.index()].rating_at(at),
            after: after[seat.index()].rating,
            at,
        };
        (after, Seat::BOTH.map(change))
    }
}

impl Store {
    /// How a player stands in a class; as somebody new where they have not played in it.
    pub async fn standing(&self, player: PlayerId, class: Class) -> Result<Standing, ReadError> {
        read!(
            self,
            rows => rows.results().standing(player, class),
            db => Ok(sqlite::ratings::standing(db, player, class)?),
        )
    }

    /// How a player stands in every class that they have played in, and their places among others
    /// as of `now`. In the order of classes.
    pub async fn ranked(&self, player: PlayerId, now: Stamp) -> Result<Vec<Ranked>, ReadError> {
        read!(
            self,
            rows => rows.results().ranked(player, now),
            db => sqlite::board::ranked(db, player, now),
        )
    }

    /// The places of a leaderboard as of `now`, `most` of them after the first `skip`.
    pub async fn leaders(
        &self,
        class: Class,
        now: Stamp,
        skip: u32,
        most: u32,
    ) -> Result<Leaders, ReadError> {
        read!(
            self,
            rows => rows.leaders(class, now, skip, most),
            db => sqlite::board::leaders(db, class, now, skip, most),
        )
    }

    /// What a player's rated games of a class made of their rating: the last `most` to begin, in the
    /// order in which they counted, so that each goes on from the one before.
    pub async fn rating_history(
        &self,
        player: PlayerId,
        class: Class,
        most: u32,
    ) -> Result<Vec<RatingChange>, ReadError> {
        read!(
            self,
            rows => rows.results().history(player, class, most),
            db => sqlite::ratings::history(db, player, class, most),
        )
    }

    /// What a game made of its players' ratings, seat 1 first; nothing where it was not rated.
    pub async fn rating_changes(&self, game: GameId) -> Result<Vec<RatingChange>, ReadError> {
        read!(self, rows => rows.results().changes(game), db => sqlite::ratings::changes(db, game))
    }

    /// When a player left rated games since then: the last `most` times, in order.
    pub async fn leaves(
        &self,
        player: PlayerId,
        since: Stamp,
        most: u32,
    ) -> Result<Vec<Stamp>, ReadError> {
        read!(
            self,
            rows => rows.results().leaves(player, since, most),
            db => sqlite::ratings::leaves(db, player, since, most),
        )
    }

    /// A player's games, as far as a list has them: `most` of them, the one that began last first, and
    /// only such as began before the game `before`. Whether spectators may know of them yet is the
    /// tables' to say.
    pub async fn results_of(
        &self,
        player: PlayerId,
        before: Option<GameId>,
        most: u32,
        listed: Listed,
    ) -> Result<Vec<ResultRow>, ReadError> {
        read!(
            self,
            rows => rows.results().results_of(player, before, most, listed),
            db => sqlite::ratings::results_of(db, player, before, most, listed),
        )
    }
}
