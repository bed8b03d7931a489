//! Questions about the store as a whole, for whoever checks it.

use std::path::Path;

use super::{RatingChange, ReadError, Store, read, sqlite};
use crate::accounts::ratings::{Class, Standing};
use crate::game::Seat;
use crate::game::clock::Stamp;
use crate::ids::{GameId, PlayerId, TableId};

/// A result, and what it made of ratings.
#[derive(Clone, PartialEq, Debug)]
pub struct Counted {
    /// Its place among all results, in the order in which they were written; from 1, with gaps.
    pub place: u64,
    /// The game.
    pub game: GameId,
    /// When it ended.
    pub finished: Stamp,
    /// What it made of ratings, seat 1 first.
    pub changes: Vec<RatingChange>,
}

/// How a player stands in a class, and what a leaderboard goes by.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct KeptStanding {
    /// Who.
    pub player: PlayerId,
    /// In what.
    pub class: Class,
    /// How they stand.
    pub standing: Standing,
    /// Their rating as it is shown, by which places go.
    pub shown: i64,
    /// Until when they have a place; none where they never had one, or have lost it.
    pub placed_until: Option<Stamp>,
}

/// What was kept of a game's end for lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptResult {
    /// Whether lists show it to everybody.
    pub public: bool,
    /// When it ended.
    pub finished: Stamp,
    /// What lists say of it.
    pub summary: Vec<u8>,
}

impl Store {
    /// Whether there is a store in this folder, which [`Store::open`] would make otherwise.
    pub fn exists(dir: &Path) -> bool {
        sqlite::database(dir).is_file()
    }

    /// What the database finds wrong with itself, a sentence each; nothing where it is sound.
    /// Reads all of it.
    pub async fn integrity(&self) -> Result<Vec<String>, ReadError> {
        // Keyed collections cannot contradict themselves.
        read!(self, _ => Vec::new(), db => sqlite::integrity(db))
    }

    /// Every table that has a row, in the order of ids.
    pub async fn table_ids(&self) -> Result<Vec<TableId>, ReadError> {
        read!(self, rows => rows.table_ids(), db => sqlite::table_ids(db))
    }

    /// How many games' rows name each table, in the order of tables; tables without any are not
    /// listed.
    pub async fn game_counts(&self) -> Result<Vec<(TableId, u64)>, ReadError> {
        read!(self, rows => rows.game_counts(), db => sqlite::game_counts(db))
    }

    /// The games whose rows name this table, in the order of ids. Reads every game's row.
    pub async fn games_of(&self, table: TableId) -> Result<Vec<GameId>, ReadError> {
        read!(self, rows => rows.games_of(table), db => sqlite::games_of(db, table))
    }

    /// The results that have changed ratings, in the order in which they were written: `most` of
    /// them from after that place on.
    pub async fn counted_after(&self, place: u64, most: u32) -> Result<Vec<Counted>, ReadError> {
        read!(
            self,
            rows => rows.results().counted(place, most),
            db => sqlite::counted_after(db, place, most),
        )
    }

    /// How everybody stands in every class. Reads every rating.
    pub async fn standings(&self) -> Result<Vec<KeptStanding>, ReadError> {
        read!(self, rows => rows.results().standings(), db => sqlite::standings(db))
    }

    /// What was kept of a game's end; none where it ended without a result, or before there were any.
    pub async fn result(&self, game: GameId) -> Result<Option<KeptResult>, ReadError> {
        read!(self, rows => rows.results().result(game), db => sqlite::result(db, game))
    }

    /// In which seat a player's list has a game; none where it does not have it.
    pub async fn seat_in(&self, player: PlayerId, game: GameId) -> Result<Option<Seat>, ReadError> {
        read!(
            self,
            rows => rows.results().seat_in(player, game),
            db => sqlite::seat_in(db, player, game),
        )
    }
}
