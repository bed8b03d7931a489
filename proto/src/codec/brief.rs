//! The two frames that every move brings, its event and its reply, written in MessagePack.
//!
//! Invariant: what is written here is, byte for byte, what the general writer would have written.
//! Any other frame, and a cell that is left of a board or above it, is left to that one.

use crate::event::{Event, StreamFrameRef};
use crate::parts::{Cell, ClockReading, Clocks, Color, Seat};
use crate::reply::{Reply, ReplyFrame};

const NIL: u8 = 0xc0;
const TRUE: u8 = 0xc3;

/// Writes the event of a placed stone; whether it was one. Otherwise nothing is written.
pub(super) fn write_event(bytes: &mut Vec<u8>, frame: &StreamFrameRef<'_>) -> bool {
    let Event::Placed { seat, color, cell, turn, to_move, cpu, clocks } = frame.event else {
        return false;
    };
    let cell = match cell.map(on_grid) {
        None => None,
        Some(Some(cell)) => Some(cell),
        Some(None) => return false,
    };
    let mut out = Writer(bytes);
    let optional = [frame.seq.is_some(), cell.is_some(), *cpu, clocks.is_some()];
    out.map(6 + count(&optional));
    out.name("table");
    out.text(frame.table);
    if let Some(seq) = frame.seq {
        out.name("seq");
        out.number(seq);
    }
    out.name("event");
    out.name("placed");
    out.name("seat");
    out.seat(Some(*seat));
    out.name("color");
    out.name(match color {
        Color::Red => "red",
        Color::Blue => "blue",
    });
    if let Some((row, col)) = cell {
        out.name("cell");
        out.list(2);
        out.number(row);
        out.number(col);
    }
    out.name("turn");
    out.number(*turn);
    out.name("to_move");
    out.seat(*to_move);
    if *cpu {
        out.name("cpu");
        out.byte(TRUE);
    }
    if let Some(clocks) = clocks {
        out.name("clocks");
        out.clocks(clocks);
    }
    true
}

/// Writes the reply to a move; whether it was one. Otherwise nothing is written.
pub(super) fn write_reply(bytes: &mut Vec<u8>, frame: &ReplyFrame) -> bool {
    let Reply::Moved { turn, collision } = frame.reply else { return false };
    let mut out = Writer(bytes);
    out.map(3 + count(&[collision]));
    out.name("re");
    match frame.re {
        Some(id) => out.number(id),
        None => out.byte(NIL),
    }
    out.name("reply");
    out.name("moved");
    out.name("turn");
    out.number(turn);
    if collision {
        out.name("collision");
        out.byte(TRUE);
    }
    true
}

/// A cell's numbers, unless one is negative.
fn on_grid(Cell(row, col): Cell) -> Option<(u64, u64)> {
    Some((row.try_into().ok()?, col.try_into().ok()?))
}

fn count(there: &[bool]) -> u8 {
    there.iter().map(|&there| u8::from(there)).sum()
}

/// Each number and text in its shortest form.
struct Writer<'a>(&'a mut Vec<u8>);

impl Writer<'_> {
    fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// Begins a map of at most 15 fields.
    fn map(&mut self, fields: u8) {
        self.byte(0x80 | fields);
    }

    /// Begins a list of at most 15 elements.
    fn list(&mut self, elements: u8) {
        self.byte(0x90 | elements);
    }

    /// A text of our own, of at most 31 bytes: known when this is compiled.
    #[inline(always)]
    fn name(&mut self, name: &'static str) {
        self.byte(0xa0 | name.len() as u8);
        self.0.extend_from_slice(name.as_bytes());
    }

    fn text(&mut self, text: &str) {
        match text.len() {
            len @ 0..=31 => self.byte(0xa0 | len as u8),
            len @ 32..=0xff => self.0.extend_from_slice(&[0xd9, len as u8]),
            len @ 0x100..=0xffff => self.marked(0xda, (len as u16).to_be_bytes()),
            len => self.marked(0xdb, (len as u32).to_be_bytes()),
        }
        self.0.extend_from_slice(text.as_bytes());
    }

    fn number(&mut self, number: u64) {
        match number {
            0..=0x7f => self.byte(number as u8),
            0x80..=0xff => self.0.extend_from_slice(&[0xcc, number as u8]),
            0x100..=0xffff => self.marked(0xcd, (number as u16).to_be_bytes()),
            0x1_0000..=0xffff_ffff => self.marked(0xce, (number as u32).to_be_bytes()),
            _ => self.marked(0xcf, number.to_be_bytes()),
        }
    }

    fn marked<const N: usize>(&mut self, marker: u8, rest: [u8; N]) {
        self.byte(marker);
        self.0.extend_from_slice(&rest);
    }

    fn seat(&mut self, seat: Option<Seat>) {
        match seat {
            Some(seat) => self.number(seat.into()),
            None => self.byte(NIL),
        }
    }

    fn clocks(&mut self, Clocks { running, seats }: &Clocks) {
        self.map(2);
        self.name("running");
        self.seat(*running);
        self.name("seats");
        self.list(2);
        for ClockReading { left_ms, periods, first_move_ms } in seats {
            self.map(1 + count(&[periods.is_some(), first_move_ms.is_some()]));
            self.name("left_ms");
            self.number(*left_ms);
            if let Some(periods) = periods {
                self.name("periods");
                self.number((*periods).into());
            }
            if let Some(first_move_ms) = first_move_ms {
                self.name("first_move_ms");
                self.number(*first_move_ms);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Numbers of every length, and those beside where one length ends.
    fn number() -> impl Strategy<Value = u64> {
        let edge = (0..64u32, 0..3u64).prop_map(|(bit, beside)| (1 << bit) + beside - 1);
        prop_oneof![edge, any::<u64>()]
    }

    fn seat() -> impl Strategy<Value = Seat> {
        prop_oneof![Just(Seat::One), Just(Seat::Two)]
    }

    fn reading() -> impl Strategy<Value = ClockReading> {
        let parts = (number(), any::<Option<u8>>(), prop::option::of(number()));
        parts.prop_map(|(left_ms, periods, first_move_ms)| ClockReading {
            left_ms,
            periods,
            first_move_ms,
        })
    }

    fn clocks() -> impl Strategy<Value = Clocks> {
        let parts = (prop::option::of(seat()), [reading(), reading()]);
        parts.prop_map(|(running, seats)| Clocks { running, seats })
    }

    fn placed() -> impl Strategy<Value = Event> {
        let cell = (number(), number()).prop_map(|(row, col)| Cell(row as i64, col as i64));
        let color = prop_oneof![Just(Color::Red), Just(Color::Blue)];
        let moved = (seat(), color, prop::option::of(cell));
        let after = (number(), prop::option::of(seat()), any::<bool>(), prop::option::of(clocks()));
        (moved, after).prop_map(|((seat, color, cell), (turn, to_move, cpu, clocks))| {
            Event::Placed { seat, color, cell, turn, to_move, cpu, clocks }
        })
    }

    proptest! {
        #[test]
        fn an_event_is_written_as_by_the_general_writer(
            table in prop_oneof![".{0,40}", "[a-z]{30,33}", "[a-z]{254,258}"],
            seq in prop::option::of(number()),
            event in placed(),
        ) {
            let frame = StreamFrameRef { table: &table, seq, event: &event };
            let mut bytes = Vec::new();
            let off_grid = matches!(&event, Event::Placed { cell: Some(Cell(row, col)), .. }
                if *row < 0 || *col < 0);
            prop_assert_eq!(write_event(&mut bytes, &frame), !off_grid);
            if off_grid {
                prop_assert!(bytes.is_empty());
            } else {
                prop_assert_eq!(rmp_serde::to_vec_named(&frame).ok(), Some(bytes));
            }
        }

        #[test]
        fn a_reply_is_written_as_by_the_general_writer(
            re in prop::option::of(number()),
            turn in number(),
            collision: bool,
        ) {
            let frame = ReplyFrame { re, reply: Reply::Moved { turn, collision } };
            let mut bytes = Vec::new();
            prop_assert!(write_reply(&mut bytes, &frame));
            prop_assert_eq!(rmp_serde::to_vec_named(&frame).ok(), Some(bytes));
        }
    }

    #[test]
    fn a_table_of_a_very_long_name_is_written_too() {
        let event = Event::Placed {
            seat: Seat::One,
            color: Color::Red,
            cell: None,
            turn: 1,
            to_move: None,
            cpu: false,
            clocks: None,
        };
        let table = "t".repeat(0x1_0000);
        for table in [&table[1..], &table[..]] {
            let frame = StreamFrameRef { table, seq: None, event: &event };
            let mut bytes = Vec::new();
            assert!(write_event(&mut bytes, &frame));
            assert_eq!(rmp_serde::to_vec_named(&frame).ok(), Some(bytes));
        }
    }

    #[test]
    fn whatever_else_is_left_to_the_general_writer() {
        let mut bytes = Vec::new();
        let closed = StreamFrameRef { table: "t", seq: Some(1), event: &Event::Closed {} };
        assert!(!write_event(&mut bytes, &closed));
        assert!(!write_reply(&mut bytes, &ReplyFrame { re: Some(1), reply: Reply::Done {} }));
        assert!(bytes.is_empty());
    }
}
