//! Frames that begin with fields of their own, before those of what they carry, in one map.
//!
//! `#[serde(flatten)]` would write a map of a length that nobody knows, which MessagePack has to
//! put aside until its fields are counted. What frames carry is a struct in every case, and says
//! how many fields it has; so the frame's own are added to that number and written first.

use serde::Serialize;
use serde::ser::{Error, Impossible, SerializeStruct, Serializer};

/// A frame's own fields.
pub(crate) trait Head {
    /// How many there are.
    fn count(&self) -> usize;

    /// Writes them, in order.
    fn write<S: SerializeStruct>(&self, fields: &mut S) -> Result<(), S::Error>;
}

/// Writes a head and a body as one map.
pub(crate) fn serialize<S: Serializer>(
    serializer: S,
    head: &impl Head,
    body: &impl Serialize,
) -> Result<S::Ok, S::Error> {
    body.serialize(Headed { serializer, head })
}

/// Takes a struct, and nothing else.
struct Headed<'a, S, H> {
    serializer: S,
    head: &'a H,
}

/// Methods for what is no struct.
macro_rules! refuse {
    ($($name:ident($($of:ty),*) -> $ok:ty;)+) => {
        $(fn $name(self, $(_: $of),*) -> Result<$ok, S::Error> { refused() })+
    };
}

fn refused<T, E: Error>() -> Result<T, E> {
    Err(E::custom("only a struct can follow a frame's own fields"))
}

impl<S: Serializer, H: Head> Serializer for Headed<'_, S, H> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Impossible<S::Ok, S::Error>;
    type SerializeTuple = Impossible<S::Ok, S::Error>;
    type SerializeTupleStruct = Impossible<S::Ok, S::Error>;
    type SerializeTupleVariant = Impossible<S::Ok, S::Error>;
    type SerializeMap = Impossible<S::Ok, S::Error>;
    type SerializeStruct = S::SerializeStruct;
    type SerializeStructVariant = Impossible<S::Ok, S::Error>;

    fn serialize_struct(
        self,
        name: &'static str,
        len: usize,
    ) -> Result<S::SerializeStruct, S::Error> {
        let mut fields = self.serializer.serialize_struct(name, self.head.count() + len)?;
        self.head.write(&mut fields)?;
        Ok(fields)
    }

    fn is_human_readable(&self) -> bool {
        self.serializer.is_human_readable()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<S::Ok, S::Error> {
        refused()
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: &T,
    ) -> Result<S::Ok, S::Error> {
        refused()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<S::Ok, S::Error> {
        refused()
    }

    refuse! {
        serialize_bool(bool) -> S::Ok;
        serialize_i8(i8) -> S::Ok;
        serialize_i16(i16) -> S::Ok;
        serialize_i32(i32) -> S::Ok;
        serialize_i64(i64) -> S::Ok;
        serialize_u8(u8) -> S::Ok;
        serialize_u16(u16) -> S::Ok;
        serialize_u32(u32) -> S::Ok;
        serialize_u64(u64) -> S::Ok;
        serialize_f32(f32) -> S::Ok;
        serialize_f64(f64) -> S::Ok;
        serialize_char(char) -> S::Ok;
        serialize_str(&str) -> S::Ok;
        serialize_bytes(&[u8]) -> S::Ok;
        serialize_none() -> S::Ok;
        serialize_unit() -> S::Ok;
        serialize_unit_struct(&'static str) -> S::Ok;
        serialize_unit_variant(&'static str, u32, &'static str) -> S::Ok;
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize)
            -> Self::SerializeTupleVariant;
        serialize_map(Option<usize>) -> Self::SerializeMap;
        serialize_struct_variant(&'static str, u32, &'static str, usize)
            -> Self::SerializeStructVariant;
    }
}
