//! What one seat's clock shows, and how that changes as time runs and turns end.

use super::control::{Control, TimeControl};
use super::{Flag, Millis};
use crate::game::cell::Seat;

/// What one seat's clock shows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reading {
    /// Until the flag falls, or until the next byo-yomi period begins; none without a control.
    pub left_ms: Option<Millis>,
    /// Byo-yomi periods that stand untouched behind `left_ms`: as many as the control has while
    /// the initial time runs, none in the last period, and none in other controls.
    pub periods: u8,
    /// What is left of the limit for the first move; none once it is made, or without a limit.
    pub first_move_ms: Option<Millis>,
}

/// Why clocks cannot be rebuilt from a reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "seat {seat}'s clock, {reading:?} (moved: {moved}), is not one that the time control can \
     show: `left_ms` stands with every control but `none`, `periods` up to those of byo-yomi, \
     and `first_move_ms` until the first move where that has a limit"
)]
pub struct Misfit {
    /// Whose clock it is.
    pub seat: Seat,
    /// What it is said to have shown.
    pub reading: Reading,
    /// Whether the seat is said to have made its first move.
    pub moved: bool,
}

impl Reading {
    /// What a clock shows as the game begins.
    pub(super) const fn full(time_control: &TimeControl) -> Reading {
        let (left_ms, periods) = match time_control.control() {
            Control::None => (None, 0),
            fischer @ Control::Fischer { .. } => (Some(fischer.start_ms()), 0),
            Control::PerTurn { turn_ms } => (Some(turn_ms), 0),
            Control::ByoYomi { initial_ms: 0, period_ms, periods } => {
                (Some(period_ms), periods.saturating_sub(1))
            }
            Control::ByoYomi { initial_ms, periods, .. } => (Some(initial_ms), periods),
        };
        Reading { left_ms, periods, first_move_ms: time_control.first_move_ms() }
    }

    /// The reading itself, if this control can show it.
    pub(super) fn checked(self, time_control: &TimeControl, moved: bool) -> Option<Reading> {
        let full = Reading::full(time_control);
        let most_periods = match time_control.control() {
            Control::ByoYomi { periods, .. } => periods,
            _ => 0,
        };
        let limited = time_control.first_move_ms().is_some() && !moved;
        let fits = self.left_ms.is_some() == full.left_ms.is_some()
            && self.periods <= most_periods
            && self.first_move_ms.is_some() == limited
            && self.first_move_ms <= full.first_move_ms.filter(|_| limited)
            && !(self.left_ms == Some(0) && self.periods > 0);
        fits.then_some(self)
    }

    /// How long the flag has yet to stand, and which limit it falls by.
    pub(super) fn until_fall(self, time_control: &TimeControl) -> Option<(Millis, Flag)> {
        let behind_ms = match time_control.control() {
            Control::ByoYomi { period_ms, .. } => period_ms * Millis::from(self.periods),
            _ => 0,
        };
        let main_ms = self.left_ms.map(|left_ms| left_ms.saturating_add(behind_ms));
        match (main_ms, self.first_move_ms) {
            (Some(main_ms), Some(first_ms)) if main_ms < first_ms => Some((main_ms, Flag::Main)),
            (_, Some(first_ms)) => Some((first_ms, Flag::FirstMove)),
            (main_ms, None) => main_ms.map(|main_ms| (main_ms, Flag::Main)),
        }
    }

    /// Whether the flag has fallen.
    pub(super) fn has_fallen(self) -> bool {
        self.left_ms == Some(0) || self.first_move_ms == Some(0)
    }

    /// What the clock shows after running for so long, or up to the fall of the flag.
    pub(super) fn after(self, time_control: &TimeControl, elapsed_ms: Millis) -> Reading {
        let Some((until_fall_ms, _)) = self.until_fall(time_control) else { return self };
        let elapsed_ms = elapsed_ms.min(until_fall_ms);
        let charged = Reading {
            first_move_ms: self.first_move_ms.map(|left_ms| left_ms.saturating_sub(elapsed_ms)),
            ..self
        };
        match self.left_ms {
            Some(left_ms) if elapsed_ms >= left_ms => {
                charged.in_periods(time_control.control(), elapsed_ms - left_ms)
            }
            left_ms => Reading { left_ms: left_ms.map(|left_ms| left_ms - elapsed_ms), ..charged },
        }
    }

    /// The same with the time before the periods used up, and so much of the periods too. Using
    /// up a period to the last millisecond loses it.
    fn in_periods(self, control: Control, over_ms: Millis) -> Reading {
        let begun = match control {
            Control::ByoYomi { period_ms, .. } => u8::try_from(over_ms / period_ms)
                .ok()
                .and_then(|lost| self.periods.checked_sub(lost)?.checked_sub(1))
                .map(|periods| (period_ms - over_ms % period_ms, periods)),
            _ => None,
        };
        let (left_ms, periods) = begun.unwrap_or((0, 0));
        Reading { left_ms: Some(left_ms), periods, ..self }
    }

    /// What the clock shows once its running turn is completed.
    pub(super) fn completed(self, time_control: &TimeControl) -> Reading {
        let left_ms = match time_control.control() {
            Control::Fischer { increment_ms, cap_ms, .. } => self.left_ms.map(|left_ms| {
                let raised_ms = left_ms.saturating_add(increment_ms);
                // Above the cap is only what an opponent gave, and that is not taken back.
                cap_ms.map_or(raised_ms, |cap_ms| raised_ms.min(cap_ms.max(left_ms)))
            }),
            control => self.turn_ms(control).or(self.left_ms),
        };
        Reading { left_ms, first_move_ms: None, ..self }
    }

    /// What the clock shows while the other seat is on turn: whole limits and whole periods, or
    /// more where more was given.
    pub(super) fn waiting(self, time_control: &TimeControl) -> Reading {
        if self.has_fallen() {
            return self;
        }
        let turn_ms = self.turn_ms(time_control.control());
        let first_move_ms = self.first_move_ms.and(time_control.first_move_ms());
        Reading { left_ms: self.left_ms.max(turn_ms), first_move_ms, ..self }
    }

    /// The time that each new turn has, in controls and phases where turns are limited singly.
    fn turn_ms(self, control: Control) -> Option<Millis> {
        match control {
            Control::PerTurn { turn_ms } => Some(turn_ms),
            // Fewer periods behind than there were: one of them has begun.
            Control::ByoYomi { period_ms, periods, .. } if self.periods < periods => {
                Some(period_ms)
            }
            _ => None,
        }
    }
}
