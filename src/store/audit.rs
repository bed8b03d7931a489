//! Questions about the store as a whole, for whoever checks it.

use std::path::Path;

use super::{Engine, RatingChange, ReadError, Store, sqlite};
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
        match &self.engine {
            // Keyed collections cannot contradict themselves.
            Engine::Memory(memory) => memory.read(|_| Vec::new()),
            Engine::Sqlite(sqlite) => sqlite.read(sqlite::integrity).await,
        }
    }

    /// Every table that has a row, in the order of ids.
    pub async fn table_ids(&self) -> Result<Vec<TableId>, ReadError> {
        match &self.engine {
            Engine::Memory(memory) => memory.read(|rows| rows.table_ids()),
            Engine::Sqlite(sqlite) => sqlite.read(sqlite::table_ids).await,
        }
    }

    /// How many games' rows name each table, in the order of tables; tables without any are not
    /// listed.
    pub async fn game_counts(&self) -> Result<Vec<(TableId, u64)>, ReadError> {
        match &self.engine {
            Engine::Memory(memory) => memory.read(|rows| rows.game_counts()),
            Engine::Sqlite(sqlite) => sqlite.read(sqlite::game_counts).await,
        }
    }

    /// The games whose rows name this table, in the order of ids. Reads every game's row.
    pub async fn games_of(&self, table: TableId) -> Result<Vec<GameId>, ReadError> {
        match &self.engine {
            Engine::Memory(memory) => memory.read(|rows| rows.games_of(table)),
            Engine::Sqlite(sqlite) => sqlite.read(move |db| sqlite::games_of(db, table)).await,
        }
    }

    /// The results that have changed ratings, in the order in which they were written: `most` of
    /// them from after that place on.
    pub async fn counted_after(&self, place: u64, most: u32) -> Result<Vec<Counted>, ReadError> {
        match &self.engine {
            Engine::Memory(memory) => memory.read(|rows| rows.results().counted(place, most)),
            Engine::Sqlite(sqlite) => {
                sqlite.read(move |db| sqlite::counted_after(db, place, most)).await
            }
        }
    }

    /// How everybody stands in every class. Reads every rating.
    pub async fn standings(&self) -> Result<Vec<(PlayerId, Class, Standing)>, ReadError> {
        match &self.engine {
            Engine::Memory(memory) => memory.read(|rows| rows.results().standings()),
            Engine::Sqlite(sqlite) => sqlite.read(sqlite::standings).await,
        }
    }

    /// What was kept of a game's end; none where it ended without a result, or before there were any.
    pub async fn result(&self, game: GameId) -> Result<Option<KeptResult>, ReadError> {
        match &self.engine {
            Engine::Memory(memory) => memory.read(|rows| rows.results().result(game)),
            Engine::Sqlite(sqlite) => sqlite.read(move |db| sqlite::result(db, game)).await,
        }
    }

    /// In which seat a player's list has a game; none where it does not have it.
    pub async fn seat_in(&self, player: PlayerId, game: GameId) -> Result<Option<Seat>, ReadError> {
        match &self.engine {
            Engine::Memory(memory) => memory.read(|rows| rows.results().seat_in(player, game)),
            Engine::Sqlite(sqlite) => {
                sqlite.read(move |db| sqlite::seat_in(db, player, game)).await
            }
        }
    }
}
