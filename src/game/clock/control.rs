//! Time controls: how much time a game gives, within which bounds.

use std::fmt;
use std::ops::RangeInclusive;

use super::Millis;

const SECOND_MS: Millis = 1000;
const MINUTE_MS: Millis = 60 * SECOND_MS;
const HOUR_MS: Millis = 60 * MINUTE_MS;
/// The most that a clock may start with, and the longest turn, period and cap.
const LONGEST_MS: Millis = 24 * HOUR_MS;

/// How many turns of a seat a game is thought to have when its length is estimated.
const ESTIMATED_TURNS: Millis = 40;

/// How a seat's time is given to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Control {
    /// As much time as anyone likes.
    #[default]
    None,
    /// Time for the whole game, and some more for each completed turn, the first included.
    Fischer {
        /// What the clock starts with, up to 24 h; if 0, it starts with one increment.
        initial_ms: Millis,
        /// What a completed turn adds, up to 10 min.
        increment_ms: Millis,
        /// What increments do not raise the clock above: at least what it starts with.
        cap_ms: Option<Millis>,
    },
    /// The same time for each turn.
    PerTurn {
        /// 1 s to 24 h.
        turn_ms: Millis,
    },
    /// Time for the whole game and then periods: a turn finished within a period keeps it, using
    /// a period up loses it, and losing the last one loses the game.
    ByoYomi {
        /// What the clock starts with, up to 24 h; if 0, the first period runs from the start.
        initial_ms: Millis,
        /// How long a period is, 1 s to 24 h.
        period_ms: Millis,
        /// How many there are, 1 to 20.
        periods: u8,
    },
}

/// What a game is timed by. Only values within their ranges can be built.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct TimeControl {
    control: Control,
    first_move_ms: Option<Millis>,
}

/// One of the numbers of a time control, named as in the code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Field {
    /// What a clock starts with.
    Initial,
    /// What a completed turn adds.
    Increment,
    /// What increments do not go above.
    Cap,
    /// The limit of each turn.
    Turn,
    /// The length of a byo-yomi period.
    Period,
    /// How many periods there are.
    Periods,
    /// The limit of each seat's first move.
    FirstMove,
}

impl Field {
    /// From where to where the number goes, in milliseconds unless it counts periods. A cap is at
    /// least what the clock starts with, too.
    pub const fn range(self) -> RangeInclusive<u64> {
        match self {
            Field::Initial => 0..=LONGEST_MS,
            Field::Increment => 0..=10 * MINUTE_MS,
            Field::Cap | Field::Turn | Field::Period => SECOND_MS..=LONGEST_MS,
            Field::Periods => 1..=20,
            Field::FirstMove => SECOND_MS..=HOUR_MS,
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Field::Initial => "initial_ms",
            Field::Increment => "increment_ms",
            Field::Cap => "cap_ms",
            Field::Turn => "turn_ms",
            Field::Period => "period_ms",
            Field::Periods => "periods",
            Field::FirstMove => "first_move_ms",
        })
    }
}

/// Why no game is timed like this.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TimeControlError {
    /// A number is too small or too large.
    #[error("`{field}` is {was}: it is from {least} to {most}")]
    OutOfRange {
        /// Which number.
        field: Field,
        /// What it was; in milliseconds, unless it counts periods.
        was: u64,
        /// The smallest allowed.
        least: u64,
        /// The largest allowed.
        most: u64,
    },
    /// A clock that starts with nothing and is given nothing.
    #[error("`initial_ms` and `increment_ms` are both 0: at least one of them is above 0")]
    NoTime,
}

impl Control {
    /// About how long a seat may take over a game, none without a control: the initial time and
    /// what 40 turns bring, whether that is an increment, a limit or a period each.
    pub const fn estimated_ms(self) -> Option<Millis> {
        let (initial_ms, turn_ms) = match self {
            Control::None => return None,
            Control::Fischer { initial_ms, increment_ms, .. } => (initial_ms, increment_ms),
            Control::PerTurn { turn_ms } => (0, turn_ms),
            Control::ByoYomi { initial_ms, period_ms, .. } => (initial_ms, period_ms),
        };
        Some(initial_ms.saturating_add(turn_ms.saturating_mul(ESTIMATED_TURNS)))
    }

    /// What a clock starts with, before any byo-yomi period.
    pub(super) const fn start_ms(self) -> Millis {
        match self {
            Control::None => 0,
            Control::Fischer { initial_ms: 0, increment_ms, .. } => increment_ms,
            Control::Fischer { initial_ms, .. } | Control::ByoYomi { initial_ms, .. } => initial_ms,
            Control::PerTurn { turn_ms } => turn_ms,
        }
    }

    fn check(self) -> Result<(), TimeControlError> {
        match self {
            Control::None => Ok(()),
            Control::Fischer { initial_ms, increment_ms, cap_ms } => {
                within(Field::Initial, initial_ms)?;
                within(Field::Increment, increment_ms)?;
                if self.start_ms() == 0 {
                    return Err(TimeControlError::NoTime);
                }
                let most = *Field::Cap.range().end();
                cap_ms.map_or(Ok(()), |cap_ms| check(Field::Cap, cap_ms, self.start_ms()..=most))
            }
            Control::PerTurn { turn_ms } => within(Field::Turn, turn_ms),
            Control::ByoYomi { initial_ms, period_ms, periods } => {
                within(Field::Initial, initial_ms)?;
                within(Field::Period, period_ms)?;
                within(Field::Periods, periods.into())
            }
        }
    }
}

impl TimeControl {
    /// A time control, if its numbers are within their ranges. `first_move_ms`, 1 s to 1 h, is
    /// the limit for each seat's first move, running beside the control from when its turn comes.
    pub fn new(
        control: Control,
        first_move_ms: Option<Millis>,
    ) -> Result<TimeControl, TimeControlError> {
        control.check()?;
        if let Some(first_move_ms) = first_move_ms {
            within(Field::FirstMove, first_move_ms)?;
        }
        Ok(TimeControl { control, first_move_ms })
    }

    /// How time is given.
    pub const fn control(&self) -> Control {
        self.control
    }

    /// The limit for each seat's first move.
    pub const fn first_move_ms(&self) -> Option<Millis> {
        self.first_move_ms
    }
}

fn within(field: Field, was: u64) -> Result<(), TimeControlError> {
    check(field, was, field.range())
}

fn check(field: Field, was: u64, range: RangeInclusive<u64>) -> Result<(), TimeControlError> {
    if range.contains(&was) {
        return Ok(());
    }
    let (least, most) = range.into_inner();
    Err(TimeControlError::OutOfRange { field, was, least, most })
}
