//! The request that nearly every frame holds, a move in MessagePack, read from its bytes.
//!
//! Invariant: what is read here is what the general reader would have read. Whatever is unusual,
//! let alone wrong, is left to that one: another field than a placed stone's, one that is there
//! twice, a number or a text in a longer form than it needs to be found in, bytes after the end.

use crate::parts::{Cell, Move};
use crate::request::{PlayMove, Request, RequestFrame};

/// Reads a frame, if it is such a move.
pub(super) fn read_move(bytes: &[u8]) -> Option<RequestFrame> {
    let mut reader = Reader(bytes);
    let (mut id, mut op) = (None, None);
    let (mut table, mut game, mut command) = (None, None, None);
    let (mut turn, mut action) = (None, None);
    for _ in 0..reader.map()? {
        match reader.bytes()? {
            b"id" => once(&mut id, reader.number()?)?,
            b"op" => once(&mut op, (reader.bytes()? == b"move").then_some(())?)?,
            b"table" => once(&mut table, reader.text()?)?,
            b"game" => once(&mut game, reader.text()?)?,
            b"command" => once(&mut command, reader.text()?)?,
            b"turn" => once(&mut turn, reader.number()?)?,
            b"move" => once(&mut action, Move::Place(reader.placed()?))?,
            _ => return None,
        }
    }
    let (id, ()) = (id?, op?);
    let [table, game, command] = [table?, game?, command?].map(str::to_owned);
    let play = PlayMove { table, game, command, turn: turn?, action: action?, seat: None };
    reader.0.is_empty().then_some(RequestFrame { id, request: Request::Move(play) })
}

/// Sets what may be there once.
fn once<T>(field: &mut Option<T>, value: T) -> Option<()> {
    field.replace(value).is_none().then_some(())
}

/// What is left to read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    /// The number of fields of a small map.
    fn map(&mut self) -> Option<u8> {
        let marker = self.byte()?;
        (marker & 0xf0 == 0x80).then_some(marker & 0x0f)
    }

    /// The bytes of a text of up to 255 bytes.
    fn bytes(&mut self) -> Option<&'a [u8]> {
        let len = match self.byte()? {
            marker @ 0xa0..=0xbf => marker & 0x1f,
            0xd9 => self.byte()?,
            _ => return None,
        };
        let (text, rest) = self.0.split_at_checked(usize::from(len))?;
        self.0 = rest;
        Some(text)
    }

    fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    fn number(&mut self) -> Option<u64> {
        Some(match self.byte()? {
            small @ 0..=0x7f => small.into(),
            0xcc => self.byte()?.into(),
            0xcd => u16::from_be_bytes(self.take()?).into(),
            0xce => u32::from_be_bytes(self.take()?).into(),
            0xcf => u64::from_be_bytes(self.take()?),
            _ => return None,
        })
    }

    /// The cell of `{"cell": [row, col]}`.
    fn placed(&mut self) -> Option<Cell> {
        let begins = self.map()? == 1 && self.bytes()? == b"cell" && self.byte()? == 0x92;
        let mut number = || self.number()?.try_into().ok();
        if begins { Some(Cell(number()?, number()?)) } else { None }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail so")]

    use proptest::prelude::*;

    use super::*;
    use crate::codec::{Format, encode, read_general};

    fn frame(id: u64, turn: u64, command: String, (row, col): (i64, i64)) -> RequestFrame {
        let table = "tbl_01ARZ3NDEKTSV4RRFFQ69G5FAV".to_owned();
        let game = "gam_01ARZ3NDEKTSV4RRFFQ69G5FAV".to_owned();
        let action = Move::Place(Cell(row, col));
        let play = PlayMove { table, game, command, turn, action, seat: None };
        RequestFrame { id, request: Request::Move(play) }
    }

    proptest! {
        #[test]
        fn a_move_is_read_as_it_was_written(
            id: u64,
            turn: u64,
            command in ".{0,64}",
            cell in (0..i64::MAX, 0..i64::MAX),
        ) {
            let frame = frame(id, turn, command, cell);
            prop_assert_eq!(read_move(&encode(Format::MsgPack, &frame)), Some(frame));
        }

        #[test]
        fn whatever_is_read_here_is_read_alike_by_the_general_reader(
            id in 0..300u64,
            command in ".{0,40}",
            slips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
            cut in prop::option::of(any::<prop::sample::Index>()),
            more in prop::collection::vec(any::<u8>(), 0..2),
        ) {
            let mut bytes = encode(Format::MsgPack, &frame(id, id, command, (3, 200)));
            for (place, byte) in slips {
                let place = place.index(bytes.len());
                bytes[place] = byte;
            }
            if let Some(cut) = cut {
                bytes.truncate(cut.index(bytes.len()));
            }
            bytes.extend(more);
            if let Some(read) = read_move(&bytes) {
                prop_assert_eq!(read_general(Format::MsgPack, &bytes), Ok(read));
            }
        }
    }

    #[test]
    fn what_is_unusual_is_left_to_the_general_reader() {
        let usual = encode(Format::MsgPack, &frame(7, 4, "c".into(), (3, 4)));
        assert!(read_move(&usual).is_some());
        let with = |from: &[u8], to: &[u8]| {
            let at = usual.windows(from.len()).position(|it| it == from).unwrap();
            [&usual[..at], to, &usual[at + from.len()..]].concat()
        };
        for unusual in [
            with(b"\xa4turn", b"\xa4game"),
            with(b"\xa4turn", b"\xa5later"),
            with(b"\xa4move\x81", b"\xa4lift\x81"),
            with(b"\xa2op\xa4move", b"\xa2op\xa4lift"),
            with(b"\x92\x03\x04", b"\x93\x03\x04\x05"),
            with(b"\x92\x03\x04", b"\x92\x03\xff"),
            with(b"\x81\xa4cell\x92\x03\x04", b"\x81\xa4swap\xc3"),
            with(b"\xa7command\xa1c", b"\xa7command\xa1\xff"),
            [&usual[..], b"\x07"].concat(),
            usual[..usual.len() - 1].to_vec(),
        ] {
            assert_eq!(read_move(&unusual), None, "{unusual:x?}");
        }
    }
}
