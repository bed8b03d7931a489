//! What kinds of trouble there are with writing: those that pass, and those that no retry mends.

use rusqlite::ErrorCode;

use crate::store::faults::Injected;

/// Why an attempt to commit failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum CommitError {
    #[error(transparent)]
    Database(#[from] rusqlite::Error),
    #[error(transparent)]
    Injected(#[from] Injected),
    #[error("the program panicked over it")]
    Panicked,
}

impl CommitError {
    /// Whether the same write fails again, however often it is tried.
    pub(super) fn is_for_good(&self) -> bool {
        match self {
            CommitError::Database(error) => is_for_good(error),
            CommitError::Injected(_) => false,
            CommitError::Panicked => true,
        }
    }
}

/// Whether an error comes of what is written or read, and so would come again: a row in a form of
/// its own, one that a constraint refuses or that is too large, a statement that does not fit the
/// tables. All others are the disk's or another process's, and pass.
pub(super) fn is_for_good(error: &rusqlite::Error) -> bool {
    // What SQLite has no code for, rusqlite found in a value.
    error.sqlite_error_code().is_none_or(|code| {
        matches!(
            code,
            ErrorCode::ConstraintViolation
                | ErrorCode::TypeMismatch
                | ErrorCode::TooBig
                | ErrorCode::ParameterOutOfRange
                | ErrorCode::ApiMisuse
                // Its general one, as for a table or column that is not there.
                | ErrorCode::Unknown
        )
    })
}

/// Whether a key was taken: SQLite then undoes the one statement, and the transaction goes on.
pub(super) fn is_taken(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation)
}

#[cfg(test)]
mod tests {
    use rusqlite::{Connection, ffi};

    use super::*;

    #[test]
    fn what_the_disk_or_another_process_brings_about_passes() {
        let codes = [
            ffi::SQLITE_FULL,
            ffi::SQLITE_IOERR_FSYNC,
            ffi::SQLITE_BUSY_SNAPSHOT,
            ffi::SQLITE_LOCKED,
            ffi::SQLITE_NOMEM,
            ffi::SQLITE_READONLY,
            ffi::SQLITE_CANTOPEN,
            ffi::SQLITE_CORRUPT,
            ffi::SQLITE_SCHEMA,
            ffi::SQLITE_INTERRUPT,
        ];
        for code in codes {
            let error = rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
            assert!(!is_for_good(&error), "{error}");
        }
    }

    #[test]
    fn what_comes_of_the_write_itself_stays() {
        let db = Connection::open_in_memory().unwrap();
        db.execute_batch("CREATE TABLE one (number INTEGER PRIMARY KEY) STRICT").unwrap();
        let try_it = |sql: &str| db.execute(sql, []).unwrap_err();
        for error in [
            try_it("INSERT INTO one VALUES ('a text')"),
            try_it("INSERT INTO one SELECT 1 UNION ALL SELECT 1"),
            try_it("INSERT INTO one VALUES (zeroblob(2000000000))"),
            try_it("INSERT INTO two VALUES (1)"),
            try_it("INSERT INTO one VALUES (?2)"),
            db.query_row("SELECT 'a text'", [], |row| row.get::<_, i64>(0)).unwrap_err(),
        ] {
            assert!(is_for_good(&error), "{error:?}");
        }
    }
}
