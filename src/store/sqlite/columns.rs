//! Ids and words as columns.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

use hexhall_proto::chat::Room;

use crate::accounts::ratings::{RatedGame, Score, Speed};
use crate::game::Seat;
use crate::ids::{GameId, KeyId, NoticeId, PlayerId, ReportId, TableId};
use crate::store::{ActKind, NoticeKind, Reason, Shun, TableStatus};

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

id_columns!(TableId, GameId, PlayerId, KeyId, NoticeId, ReportId);
id_columns!(RatedGame, Speed);

macro_rules! word_columns {
    ($($word:ty, $unknown:ident);+ $(;)?) => {$(
        impl ToSql for Text<$word> {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(ToSqlOutput::from(self.0.word()))
            }
        }

        impl FromSql for Text<$word> {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                let word = value.as_str()?;
                let unknown = || FromSqlError::other(Unknown::$unknown(word.to_owned()));
                <$word>::from_word(word).map(Text).ok_or_else(unknown)
            }
        }
    )+};
}

word_columns!(Score, Score; TableStatus, Status; Shun, Shun; Reason, Reason);
word_columns!(ActKind, Act; NoticeKind, Notice);

/// A seat's number.
impl FromSql for Text<Seat> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let number = value.as_i64()?;
        let seat = u64::try_from(number).ok().and_then(Seat::from_number);
        seat.map(Text).ok_or_else(|| FromSqlError::other(Unknown::Seat(number)))
    }
}

impl ToSql for Text<Room> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::from(match self.0 {
            Room::Players => "players",
            Room::Watchers => "watchers",
        }))
    }
}

impl FromSql for Text<Room> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value.as_str()? {
            "players" => Ok(Text(Room::Players)),
            "watchers" => Ok(Text(Room::Watchers)),
            word => Err(FromSqlError::other(Unknown::Room(word.to_owned()))),
        }
    }
}

#[derive(Debug, thiserror::Error)]
enum Unknown {
    #[error("`{0}` is no status of a table")]
    Status(String),
    #[error("`{0}` is nothing that a game can come to")]
    Score(String),
    #[error("`{0}` is nothing that an operator does")]
    Act(String),
    #[error("`{0}` is nothing that a notice is about")]
    Notice(String),
    #[error("`{0}` is no way to keep somebody away")]
    Shun(String),
    #[error("`{0}` is no reason to report somebody")]
    Reason(String),
    #[error("`{0}` is nowhere that anything is said")]
    Room(String),
    #[error("{0} is no seat")]
    Seat(i64),
}
