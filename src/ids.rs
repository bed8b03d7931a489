//! Identifiers, one type each. Those that leave the process carry a prefix and sort by time.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use ulid::{ULID_LEN, Ulid};

pub use crate::game::Seat;

/// Why a text is not an identifier of its kind.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}` is not {kind}: one looks like `{prefix}01ARZ3NDEKTSV4RRFFQ69G5FAV`")]
pub struct NotAnId {
    text: String,
    kind: &'static str,
    prefix: &'static str,
}

macro_rules! prefixed_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal, $kind:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Ulid);

        impl $name {
            /// An identifier made at `unix_ms` and made unique by `random`, of which 80 bits count.
            pub const fn from_parts(unix_ms: u64, random: u128) -> $name {
                $name(Ulid::from_parts(unix_ms, random))
            }

            /// Random bits that tell ids of the same instant apart.
            pub const fn low_bits(self) -> u64 {
                self.0.0 as u64
            }

            /// How it is written.
            pub fn spelled(self) -> Spelled {
                Spelled::new($prefix, self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.spelled())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = NotAnId;

            fn from_str(text: &str) -> Result<$name, NotAnId> {
                (text.strip_prefix($prefix))
                    .and_then(|ulid| Ulid::from_string(ulid).ok())
                    .map($name)
                    .ok_or_else(|| NotAnId {
                        text: text.chars().take(40).collect(),
                        kind: $kind,
                        prefix: $prefix,
                    })
            }
        }
    };
}

prefixed_id!(
    /// A table.
    TableId, "tbl_", "a table"
);
prefixed_id!(
    /// One game at a table.
    GameId, "gam_", "a game"
);
prefixed_id!(
    /// A wish for a game.
    SeekId, "sek_", "a seek"
);
prefixed_id!(
    /// Two players who are to play each other.
    MatchId, "mat_", "a match"
);
prefixed_id!(
    /// A guest, a registered person or a bot.
    PlayerId, "plr_", "a player"
);
prefixed_id!(
    /// Something that an operator tells a player.
    NoticeId, "ntc_", "a notice"
);
prefixed_id!(
    /// A device or a bot's key, by a name that is no secret.
    KeyId, "key_", "a device or a key"
);

prefixed_id!(
    /// What a player has told the operator of another.
    ReportId, "rep_", "a report"
);

/// The length of every prefix.
const PREFIX_LEN: usize = 4;

/// An identifier as it is written, in no memory but its own: every frame has one.
#[derive(Clone, Copy, Debug)]
pub struct Spelled([u8; PREFIX_LEN + ULID_LEN]);

impl Spelled {
    fn new(prefix: &str, ulid: Ulid) -> Spelled {
        let mut text = [0; PREFIX_LEN + ULID_LEN];
        let (head, rest) = text.split_at_mut(PREFIX_LEN);
        head.copy_from_slice(prefix.as_bytes());
        rest.copy_from_slice(ulid.array_to_str(&mut [0; ULID_LEN]).as_bytes());
        Spelled(text)
    }
}

impl Deref for Spelled {
    type Target = str;

    fn deref(&self) -> &str {
        // Letters, digits and an underscore, which are a text.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// One WebSocket connection of this process. Never sent to anyone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SessionId(pub u64);

/// A number in one viewer's stream; the first event has 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Seq(pub u64);

impl Seq {
    /// The number after this one.
    pub const fn next(self) -> Seq {
        Seq(self.0 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_read_back_and_refuse_each_other() {
        let table = TableId::from_parts(1_700_000_000_000, 7);
        assert_eq!(table.to_string().parse(), Ok(table));
        assert!(table.to_string().starts_with("tbl_"));
        assert!(table.to_string().parse::<GameId>().is_err());
        assert!("tbl_".parse::<TableId>().is_err());
        assert!("tbl_01ARZ3NDEKTSV4RRFFQ69G5FA\u{e9}".parse::<TableId>().is_err());
    }

    #[test]
    fn ids_sort_by_the_time_they_were_made() {
        assert!(PlayerId::from_parts(1, u128::MAX) < PlayerId::from_parts(2, 0));
    }
}
