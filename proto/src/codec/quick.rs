//! The one pass over a usual request: one that begins with `id` and `op`, in either order.
//!
//! Invariant: what is read here is what the two passes would have read. Whatever they would refuse,
//! or might read otherwise, is an error here, whose words nobody sees: then they are taken.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, Visitor};

use crate::request::RequestFrame;

use super::ops;

/// A whole request.
pub(super) struct Quick(pub(super) RequestFrame);

impl<'de> Deserialize<'de> for Quick {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Quick, D::Error> {
        deserializer.deserialize_map(QuickVisitor)
    }
}

struct QuickVisitor;

impl<'de> Visitor<'de> for QuickVisitor {
    type Value = Quick;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map that begins with `id` and `op`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Quick, A::Error> {
        let (mut id, mut op) = (None, None);
        while id.is_none() || op.is_none() {
            match fields.next_key::<&str>()? {
                Some("id") if id.is_none() => id = Some(fields.next_value::<u64>()?),
                Some("op") if op.is_none() => op = Some(fields.next_value::<&str>()?),
                _ => break,
            }
        }
        let (Some(id), Some(op)) = (id, op) else { return Err(unusual()) };
        let request = ops::read_fields(op, MapAccessDeserializer::new(Rest(fields)));
        Ok(Quick(RequestFrame { id, request: request.ok_or_else(unusual)?? }))
    }
}

fn unusual<E: Error>() -> E {
    E::custom("not a usual request")
}

/// The fields after `id` and `op`, neither of which may be there again.
struct Rest<A>(A);

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Rest<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, A::Error> {
        self.0.next_key_seed(Key(seed))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.0.next_value_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

/// Looks at a field's name before the seed does.
struct Key<S>(S);

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Key<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, name: D) -> Result<S::Value, D::Error> {
        name.deserialize_identifier(self)
    }
}

impl<'de, S: DeserializeSeed<'de>> Visitor<'de> for Key<S> {
    type Value = S::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<S::Value, E> {
        match name {
            "id" | "op" => Err(unusual()),
            _ => self.0.deserialize(StrDeserializer::new(name)),
        }
    }
}
