//! The database's versions: `user_version` says how many of the migrations a file has had.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::board::place_ratings;
use super::people::key_names;
use crate::store::OpenError;

/// Each is applied once, in this order, and never changed after a release.
const MIGRATIONS: &[Migration] = &[
    Migration::sql(include_str!("../migrations/0001_journal.sql")),
    Migration::sql(include_str!("../migrations/0002_log.sql")),
    Migration::sql(include_str!("../migrations/0003_ratings.sql")),
    Migration { sql: include_str!("../migrations/0004_identity.sql"), then: Some(key_names) },
    Migration::sql(include_str!("../migrations/0005_manners.sql")),
    Migration::sql(include_str!("../migrations/0006_reports.sql")),
    Migration::sql(include_str!("../migrations/0007_operator.sql")),
    Migration { sql: include_str!("../migrations/0008_board.sql"), then: Some(place_ratings) },
    Migration::sql(include_str!("../migrations/0009_retired.sql")),
    Migration::sql(include_str!("../migrations/0010_renaming.sql")),
];

/// What brings a database from one version to the next, in one transaction.
struct Migration {
    sql: &'static str,
    /// What SQL has no words for, done after it.
    then: Option<fn(&Connection) -> rusqlite::Result<()>>,
}

impl Migration {
    const fn sql(sql: &'static str) -> Migration {
        Migration { sql, then: None }
    }
}

/// Whether a database is one of ours, or to become one, and not too new. Changes nothing in it.
pub(super) fn check(connection: &Connection, path: &Path) -> Result<(), OpenError> {
    let known = MIGRATIONS.len() as i64;
    let in_database = |source| OpenError::Database { path: path.to_owned(), source };
    let found = version(connection).map_err(in_database)?;
    if found > known {
        return Err(OpenError::Newer { path: path.to_owned(), found, known });
    }
    // A file that has had no migration, and yet holds something, was never ours.
    if found < 0 || found == 0 && !is_empty(connection).map_err(in_database)? {
        return Err(OpenError::Foreign { path: path.to_owned() });
    }
    Ok(())
}

/// Brings a database that was checked up to date, one transaction for each migration.
pub(super) fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    migrate_to(connection, MIGRATIONS.len())
}

/// Brings a database to a version, unless it is at it or above.
pub(in crate::store) fn migrate_to(
    connection: &mut Connection,
    wanted: usize,
) -> rusqlite::Result<()> {
    let found = version(connection)?;
    let numbered = (1..).zip(MIGRATIONS).take(wanted);
    for (target, migration) in numbered.filter(|&(target, _)| target > found) {
        apply(connection, target, migration)?;
    }
    Ok(())
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    connection.query_row("SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)", [], |row| row.get(0))
}

fn apply(connection: &mut Connection, target: i64, migration: &Migration) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(migration.sql)?;
    migration.then.map_or(Ok(()), |then| then(&transaction))?;
    transaction.pragma_update(None, "user_version", target)?;
    transaction.commit()?;
    tracing::info!(version = target, "database brought up to date");
    Ok(())
}
