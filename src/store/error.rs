//! Why the store could not be opened, read or written.

use std::path::PathBuf;

use super::queue::Busy;
use crate::ids::TableId;

/// Why a store could not be opened. No data was changed.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder, or a file in it, cannot be used.
    #[error("cannot use {path}: {source}")]
    Io {
        /// What was to be used.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Another process has the folder open.
    #[error("{path} is in use: stop the server that uses it, or choose another folder")]
    InUse {
        /// The data folder.
        path: PathBuf,
    },
    /// A later version of this program made the database.
    #[error(
        "{path} has version {found} of the database, and this program knows versions up to \
         {known}: use the newer program that wrote it, or another folder"
    )]
    Newer {
        /// The database file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The newest version known here.
        known: i64,
    },
    /// Another program made the database.
    #[error("{path} is a database of another program: choose another folder")]
    Foreign {
        /// The database file.
        path: PathBuf,
    },
    /// The file is not a usable database.
    #[error("cannot use the database {path}: {source}")]
    Database {
        /// The database file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
}

/// Why something could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A table's events do not count up from 1 by one.
    #[error("the journal of {table} is damaged: expected event {expected}, found {found}")]
    Gap {
        /// The table.
        table: TableId,
        /// The number that had to come.
        expected: u64,
        /// The number that came.
        found: u64,
    },
    /// The database could not be read, or holds something that this program never writes.
    #[error("cannot read the database: {0}")]
    Database(#[from] rusqlite::Error),
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
}

/// Why a player was not written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayerError {
    /// Nothing can be written just now.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// A player with this id or this token exists.
    #[error("a player with this id or token exists already")]
    Exists,
    /// Somebody goes by that name, or by one that is too like it.
    #[error("somebody goes by that name, or by one that looks like it")]
    NameTaken,
    /// There are as many as there may be.
    #[error("there are as many as there may be")]
    Full,
    /// There is no player with this id, or nothing of theirs with that one.
    #[error("there is no such player, or nothing of theirs by that name")]
    Unknown,
    /// It cannot be written, however often it is tried; the log says why.
    #[error("the database refuses this for good: see the log")]
    Unwritable,
}
