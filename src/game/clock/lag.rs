//! Lag credit: a mover gets back what their connection cost them, within a quota.
//!
//! Owns the quota and the judgement whether a stamped move is in time. Nothing is changed by
//! judging: what was credited is spent from the bank when the move is applied.

use super::control::TimeControl;
use super::{Clock, Deadline, Millis, Stamp};

/// No credit revives a flag that fell longer ago than this.
pub const REVIVE_LIMIT_MS: Millis = 2000;

/// The most that a bank gains a turn.
const MOST_GAIN_MS: Millis = 1000;

/// What one seat may still be credited for lag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LagBank {
    gain_ms: Millis,
    left_ms: Millis,
}

/// When a move that is in time counts as made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Charged {
    /// The stamp to charge the turn up to.
    pub stamp: Stamp,
    /// How far that is before the stamp of arrival; to be spent from the mover's bank.
    pub credit_ms: Millis,
}

/// Why a move is not in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("seat {}'s time had run out {late_ms} ms before the move came", deadline.seat)]
pub struct Late {
    /// The flag that fell.
    pub deadline: Deadline,
    /// How long after the deadline the move came, credit aside; 0 if in that very instant.
    pub late_ms: Millis,
}

impl LagBank {
    /// A bank as a game begins, with three turns' gain; none where no control runs.
    ///
    /// A turn gains (initial + 40 increment) / 2.5 + 15 milliseconds, with initial time and
    /// increment in seconds, but at most a second. A limit for each turn and a byo-yomi period
    /// count as an increment.
    pub fn new(time_control: &TimeControl) -> Option<LagBank> {
        let estimated_ms = time_control.control().estimated_ms()?;
        let gain_ms = (estimated_ms / 2500).saturating_add(15).min(MOST_GAIN_MS);
        Some(LagBank { gain_ms, left_ms: 3 * gain_ms })
    }

    /// What a move that took this long to the server and back would be credited.
    pub fn credit_ms(&self, rtt_ms: Millis) -> Millis {
        rtt_ms.min(self.left_ms)
    }

    /// How long after its deadline a move may still come and be in time: a flag that is called
    /// by a timer is called this long after the deadline.
    pub fn grace_ms(&self, rtt_ms: Millis) -> Millis {
        self.credit_ms(rtt_ms).min(REVIVE_LIMIT_MS + 1)
    }

    /// Takes out what was credited.
    pub fn spend(&mut self, credit_ms: Millis) {
        self.left_ms = self.left_ms.saturating_sub(credit_ms);
    }

    /// Adds one turn's gain, up to seven of them. Once a turn.
    pub fn refill(&mut self) {
        self.left_ms = (self.left_ms + self.gain_ms).min(7 * self.gain_ms);
    }
}

/// Judges a move by the running seat that arrived at `stamp` over a connection with this round
/// trip. Without a bank, as in the arena, there is no credit.
///
/// The credit is never more than has run since the clock was started or last given time, so that
/// nothing settled is taken back.
pub fn charge(
    clock: &Clock,
    bank: Option<&LagBank>,
    stamp: Stamp,
    rtt_ms: Millis,
) -> Result<Charged, Late> {
    let elapsed_ms = clock.running().map_or(0, |seat| clock.elapsed(seat, stamp));
    let credit_ms = bank.map_or(0, |bank| bank.credit_ms(rtt_ms)).min(elapsed_ms);
    let charged = Charged { stamp: Stamp(stamp.0.saturating_sub(credit_ms)), credit_ms };
    let Some(deadline) = clock.flagged(stamp) else { return Ok(charged) };
    let late_ms = stamp - deadline.at;
    if late_ms <= REVIVE_LIMIT_MS && charged.stamp < deadline.at {
        Ok(charged)
    } else {
        Err(Late { deadline, late_ms })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Control, Flag};
    use super::*;
    use crate::game::cell::Seat;

    fn fischer(initial_ms: Millis, increment_ms: Millis) -> TimeControl {
        let control = Control::Fischer { initial_ms, increment_ms, cap_ms: None };
        TimeControl::new(control, None).unwrap()
    }

    fn started(time_control: TimeControl) -> Clock {
        let mut clock = Clock::new(time_control);
        clock.start_turn(Seat::One, Stamp(0));
        clock
    }

    #[test]
    fn a_bank_starts_with_three_gains_and_stops_at_seven() {
        // 300 s + 5 s: 500 / 2.5 + 15 = 215 ms a turn.
        let mut bank = LagBank::new(&fischer(300_000, 5_000)).unwrap();
        assert_eq!(bank.credit_ms(Millis::MAX), 3 * 215);
        for gains in [4, 5, 6, 7, 7] {
            bank.refill();
            assert_eq!(bank.credit_ms(Millis::MAX), gains * 215);
        }
    }

    #[test]
    fn the_gain_of_a_turn_is_at_most_a_second() {
        let bank = |initial_ms| LagBank::new(&fischer(initial_ms, 0)).unwrap();
        assert_eq!(bank(2_460_000).credit_ms(Millis::MAX), 3 * 999);
        assert_eq!(bank(2_462_500).credit_ms(Millis::MAX), 3_000);
        assert_eq!(bank(86_400_000).credit_ms(Millis::MAX), 3_000);
    }

    #[test]
    fn a_credit_is_the_round_trip_until_the_bank_is_empty() {
        let mut bank = LagBank::new(&fischer(300_000, 5_000)).unwrap();
        assert_eq!(bank.credit_ms(400), 400);
        bank.spend(400);
        assert_eq!(bank.credit_ms(400), 245);
        bank.spend(245);
        assert_eq!(bank.credit_ms(400), 0);
    }

    #[test]
    fn without_a_control_there_is_no_credit() {
        assert_eq!(LagBank::new(&TimeControl::default()), None);
    }

    #[test]
    fn a_credit_is_never_more_than_the_turn_has_taken() {
        let time_control = fischer(300_000, 5_000);
        let bank = LagBank::new(&time_control);
        let charged = charge(&started(time_control), bank.as_ref(), Stamp(30), 200);
        assert_eq!(charged, Ok(Charged { stamp: Stamp(0), credit_ms: 30 }));
    }

    #[test]
    fn a_move_that_its_credit_brings_before_the_deadline_is_in_time() {
        let time_control = fischer(300_000, 5_000);
        let (clock, bank) = (started(time_control), LagBank::new(&time_control));
        let deadline = clock.deadline().unwrap();
        let arrives = |late_ms| charge(&clock, bank.as_ref(), deadline.at + late_ms, 200);
        assert_eq!(arrives(199), Ok(Charged { stamp: Stamp(299_999), credit_ms: 200 }));
        assert_eq!(arrives(200), Err(Late { deadline, late_ms: 200 }));
        assert_eq!(charge(&clock, None, deadline.at, 200), Err(Late { deadline, late_ms: 0 }));
    }

    #[test]
    fn no_credit_revives_a_flag_that_fell_more_than_two_seconds_ago() {
        let time_control = fischer(86_400_000, 0);
        let (clock, bank) = (started(time_control), LagBank::new(&time_control));
        let deadline = clock.deadline().unwrap();
        let arrives = |late_ms| charge(&clock, bank.as_ref(), deadline.at + late_ms, 3_000);
        assert!(arrives(2_000).is_ok());
        assert_eq!(arrives(2_001), Err(Late { deadline, late_ms: 2_001 }));
    }

    #[test]
    fn the_first_move_limit_is_judged_with_credit_too() {
        let control = Control::PerTurn { turn_ms: 60_000 };
        let time_control = TimeControl::new(control, Some(1_000)).unwrap();
        let (clock, bank) = (started(time_control), LagBank::new(&time_control));
        assert!(charge(&clock, bank.as_ref(), Stamp(1_099), 100).is_ok());
        let late = charge(&clock, bank.as_ref(), Stamp(1_100), 100).unwrap_err();
        assert_eq!(late.deadline.why, Flag::FirstMove);
        assert_eq!(late.to_string(), "seat 1's time had run out 100 ms before the move came");
    }
}
