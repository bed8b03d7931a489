//! Whether clocks can have shown what the journal says: from what they showed at the event
//! before, the time used, and the time control.
//!
//! A clock may have run between two events for as long as it had, or not at all: the server may
//! have been away, and a turn's clock starts only once the move before it is durable. What a move
//! cost is written down, so that its readings follow to the millisecond; for any other event the
//! time that ran is found from the reading of the seat on turn, and the rest must follow from it.

use crate::game::Seat;
use crate::game::clock::{Clock, Control, Millis, Reading, Stamp};
use crate::table::state::event::Readings;

use super::report::{Check, Finding};

/// Readings after a move that cost `used_ms`, and that completed the turn or kept it. `clock` is as
/// of the event before, not running.
pub(super) fn check_move(
    clock: Clock,
    seat: Seat,
    passes: bool,
    used_ms: Millis,
    readings: Readings,
) -> Result<(), Finding> {
    let end = |clock: &mut Clock, at| {
        if passes {
            clock.complete_turn(seat, at)
        } else {
            clock.keep_turn(seat, at)
        };
    };
    let mut ran = clock;
    ran.start_turn(seat, Stamp(0));
    end(&mut ran, Stamp(used_ms));
    let ran = shown(&ran, Stamp(used_ms));
    let mut stood = clock;
    end(&mut stood, Stamp(0));
    if readings == ran || used_ms == 0 && readings == shown(&stood, Stamp(0)) {
        return Ok(());
    }
    let expected = format!("{} after {used_ms} ms", text(ran));
    Err(Finding::new(Check::Clocks, expected, text(readings)))
}

/// Readings at an event that is no move. `on_turn` is the seat whose time may have run, and
/// `given` the time that a seat was given by the event.
pub(super) fn check_reading(
    clock: Clock,
    on_turn: Option<Seat>,
    given: Option<(Seat, Millis)>,
    readings: Readings,
) -> Result<(), Finding> {
    let mut stood = clock;
    if let Some((seat, ms)) = given {
        stood.give(seat, ms, Stamp(0));
    }
    let stood = shown(&stood, Stamp(0));
    if readings == stood {
        return Ok(());
    }
    let Some(seat) = on_turn else { return Err(differs(stood, readings)) };
    let control = clock.time_control().control();
    let before_ms = left(control, clock.reading(seat, Stamp(0)));
    let after_ms = left(control, readings[seat.index()]);
    let own_ms = given.filter(|&(to, _)| to == seat).map_or(0, |(_, ms)| ms);
    let ran_at = |ran_ms: Millis| {
        let mut clock = clock;
        clock.start_turn(seat, Stamp(0));
        if let Some((to, ms)) = given {
            clock.give(to, ms, Stamp(ran_ms));
        }
        shown(&clock, Stamp(ran_ms))
    };
    // A flag that has fallen is given nothing.
    let spans_ms = [before_ms.saturating_add(own_ms).saturating_sub(after_ms), before_ms];
    if spans_ms.into_iter().any(|ran_ms| ran_at(ran_ms) == readings) {
        return Ok(());
    }
    Err(differs(ran_at(spans_ms[0].min(before_ms)), readings))
}

/// Whether the seat's flag has fallen in these readings.
pub(super) fn has_fallen(reading: Reading) -> bool {
    reading.left_ms == Some(0) || reading.first_move_ms == Some(0)
}

/// All that a reading has left, periods included.
fn left(control: Control, reading: Reading) -> Millis {
    let period_ms = match control {
        Control::ByoYomi { period_ms, .. } => period_ms,
        _ => 0,
    };
    match reading.left_ms.or(reading.first_move_ms) {
        Some(left_ms) => left_ms.saturating_add(period_ms * Millis::from(reading.periods)),
        None => 0,
    }
}

fn shown(clock: &Clock, at: Stamp) -> Readings {
    Seat::BOTH.map(|seat| clock.reading(seat, at))
}

fn differs(expected: Readings, found: Readings) -> Finding {
    Finding::new(Check::Clocks, text(expected), text(found))
}

/// Both clocks in words.
fn text(readings: Readings) -> String {
    let one = |Reading { left_ms, periods, first_move_ms }| {
        let mut text = left_ms.map_or("no clock".to_owned(), |ms| format!("{ms} ms"));
        if periods > 0 {
            text.push_str(&format!(" and {periods} periods"));
        }
        if let Some(ms) = first_move_ms {
            text.push_str(&format!(" ({ms} ms for the first move)"));
        }
        text
    };
    readings.map(one).join(" against ")
}
