//! Questions about the store as a whole, for whoever checks it.

use std::path::Path;

use super::{Engine, ReadError, Store, sqlite};
use crate::ids::{GameId, TableId};

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
}
