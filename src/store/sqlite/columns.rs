//! Ids and words as columns.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

use crate::ids::{GameId, KeyId, PlayerId, TableId};
use crate::store::TableStatus;

/// A value of ours, stored as its text.
pub(super) struct Text<T>(pub T);

macro_rules! id_columns {
    ($($id:ty),+) => {$(
        impl ToSql for Text<$id> {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(ToSqlOutput::from(self.0.to_string()))
            }
        }

        impl FromSql for Text<$id> {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                value.as_str()?.parse().map(Text).map_err(FromSqlError::other)
            }
        }
    )+};
}

id_columns!(TableId, GameId, PlayerId, KeyId);

impl ToSql for Text<TableStatus> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::from(self.0.word()))
    }
}

impl FromSql for Text<TableStatus> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let word = value.as_str()?;
        let unknown = || FromSqlError::other(UnknownStatus(word.to_owned()));
        TableStatus::from_word(word).map(Text).ok_or_else(unknown)
    }
}

#[derive(Debug, thiserror::Error)]
#[error("`{0}` is no status of a table")]
struct UnknownStatus(String);
