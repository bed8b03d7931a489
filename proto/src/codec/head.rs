//! The first pass over a frame: what it is, and whom to answer.

use std::borrow::Cow;
use std::fmt;

use serde::de::{
    Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor,
};

/// A request's `id` and `op`, whatever stands there. All other fields are skipped.
#[derive(Default)]
pub(super) struct Head<'a> {
    id: Slot<'a>,
    op: Slot<'a>,
}

/// What stands in a field's place.
#[derive(Default)]
pub(super) enum Slot<'a> {
    #[default]
    Absent,
    Once(Seen<'a>),
    Twice,
}

/// A value, as far as `id` and `op` can use it.
pub(super) enum Seen<'a> {
    Number(u64),
    Text(Cow<'a, str>),
    /// Anything else, in words.
    Other(String),
}

impl Head<'_> {
    /// The request's `id`; otherwise what is wrong with it.
    pub(super) fn id(&self) -> Result<u64, String> {
        match &self.id {
            Slot::Once(Seen::Number(id)) => Ok(*id),
            other => Err(format!("`id` {}, expected a whole number, 0 or more", other.describe())),
        }
    }

    /// The request's `op`; otherwise what is wrong with it.
    pub(super) fn op(&self) -> Result<&str, String> {
        match &self.op {
            Slot::Once(Seen::Text(op)) => Ok(op),
            other => Err(format!("`op` {}, expected the name of a request", other.describe())),
        }
    }
}

impl<'a> Slot<'a> {
    fn fill(&mut self, seen: Seen<'a>) {
        *self = match self {
            Slot::Absent => Slot::Once(seen),
            Slot::Once(_) | Slot::Twice => Slot::Twice,
        };
    }

    fn describe(&self) -> String {
        match self {
            Slot::Absent => "is missing".to_owned(),
            Slot::Twice => "is there twice".to_owned(),
            Slot::Once(Seen::Number(number)) => format!("is {}", Unexpected::Unsigned(*number)),
            Slot::Once(Seen::Text(text)) => {
                let start: String = text.chars().take(40).collect();
                format!("is {}", Unexpected::Str(&start))
            }
            Slot::Once(Seen::Other(words)) => format!("is {words}"),
        }
    }
}

/// The fields that tell frames apart.
#[derive(serde::Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum RequestKey {
    Id,
    Op,
    #[serde(other)]
    Other,
}

impl<'de> Deserialize<'de> for Head<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(HeadVisitor)
    }
}

struct HeadVisitor;

impl<'de> Visitor<'de> for HeadVisitor {
    type Value = Head<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map with `id`, `op` and the request's fields")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Head<'de>, A::Error> {
        let mut head = Head::default();
        while let Some(key) = fields.next_key()? {
            match key {
                RequestKey::Id => head.id.fill(fields.next_value()?),
                RequestKey::Op => head.op.fill(fields.next_value()?),
                RequestKey::Other => {
                    fields.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(head)
    }
}

impl<'de> Deserialize<'de> for Seen<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SeenVisitor)
    }
}

struct SeenVisitor;

impl SeenVisitor {
    fn other<'a, E>(what: Unexpected<'_>) -> Result<Seen<'a>, E> {
        Ok(Seen::Other(what.to_string()))
    }
}

impl<'de> Visitor<'de> for SeenVisitor {
    type Value = Seen<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number or a text")
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Seen<'de>, E> {
        Ok(Seen::Number(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Seen<'de>, E> {
        match u64::try_from(value) {
            Ok(value) => Ok(Seen::Number(value)),
            Err(_) => SeenVisitor::other(Unexpected::Signed(value)),
        }
    }

    fn visit_borrowed_str<E: Error>(self, value: &'de str) -> Result<Seen<'de>, E> {
        Ok(Seen::Text(Cow::Borrowed(value)))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Seen<'de>, E> {
        Ok(Seen::Text(Cow::Owned(value.to_owned())))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Seen<'de>, E> {
        SeenVisitor::other(Unexpected::Bool(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Seen<'de>, E> {
        SeenVisitor::other(Unexpected::Float(value))
    }

    fn visit_unit<E: Error>(self) -> Result<Seen<'de>, E> {
        SeenVisitor::other(Unexpected::Unit)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Seen<'de>, A::Error> {
        IgnoredAny.visit_seq(items)?;
        SeenVisitor::other(Unexpected::Seq)
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Seen<'de>, A::Error> {
        IgnoredAny.visit_map(fields)?;
        SeenVisitor::other(Unexpected::Map)
    }
}

/// What a server's frame is, by the one field that tells.
pub(super) enum Direction {
    Reply,
    Stream,
    Lobby,
    Notice,
    Unknown,
}

#[derive(serde::Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum ServerKey {
    Re,
    Event,
    Lobby,
    Notice,
    #[serde(other)]
    Other,
}

impl<'de> Deserialize<'de> for Direction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(DirectionVisitor)
    }
}

struct DirectionVisitor;

impl<'de> Visitor<'de> for DirectionVisitor {
    type Value = Direction;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map with `re`, `event`, `lobby` or `notice`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Direction, A::Error> {
        let mut direction = Direction::Unknown;
        while let Some(key) = fields.next_key()? {
            fields.next_value::<IgnoredAny>()?;
            direction = match key {
                ServerKey::Re => Direction::Reply,
                ServerKey::Event => Direction::Stream,
                ServerKey::Lobby => Direction::Lobby,
                ServerKey::Notice => Direction::Notice,
                ServerKey::Other => continue,
            };
        }
        Ok(direction)
    }
}
