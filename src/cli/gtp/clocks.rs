//! The clocks that a controller tells of, and how long they allow for a move. Pure.

use crate::cpu::{Budget, Outlook};
use crate::game::Color;
use crate::game::clock::{Control, Millis, Reading, TimeControl};

/// The longest that a move is thought about on a clock.
const MOST_MS: Millis = 600_000;
/// The longest clock that is believed.
const DAY_S: f64 = 86_400.0;
/// The least that a turn has in a time control, which is in whole seconds.
const LEAST_TURN_MS: Millis = 1_000;

/// What each colour has left, as far as the controller has told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clocks([Option<Left>; 2]);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Left {
    left_ms: Millis,
    /// Moves to be made in that time; 0 for the rest of the game.
    stones: u64,
}

impl Clocks {
    /// Both clocks by main time, in seconds, and so many seconds for so many moves after it: what
    /// counts is the main time, or the other where there is none. None where a word is no number.
    pub fn set(main: &str, period: &str, stones: &str) -> Option<Clocks> {
        let stones = stones.parse::<u64>().ok()?;
        // A period without stones is the protocol's way to say that time is not limited.
        let left = match (duration_ms(main)?, duration_ms(period)?, stones) {
            (0, 1.., 0) | (0, 0, _) => None,
            (0, left_ms, stones) => Some(Left { left_ms, stones }),
            (left_ms, ..) => Some(Left { left_ms, stones: 0 }),
        };
        Some(Clocks([left; 2]))
    }

    /// Both clocks, with this one as the controller tells it. None where a word is no number.
    pub fn told(mut self, color: Color, seconds: &str, stones: Option<&str>) -> Option<Clocks> {
        let stones = stones.map_or(Ok(0), str::parse::<u64>).ok()?;
        self.0[color.index()] = Some(Left { left_ms: duration_ms(seconds)?, stones });
        Some(self)
    }

    /// What a colour has left, in seconds.
    pub fn shown(&self, color: Color) -> String {
        match self.0[color.index()] {
            Some(left) => (left.left_ms as f64 / 1_000.0).to_string(),
            None => "unlimited".to_owned(),
        }
    }

    /// A colour has thought for so long: controllers need not tell the time after each move.
    pub fn charge(&mut self, color: Color, took_ms: Millis) {
        if let Some(left) = &mut self.0[color.index()] {
            left.left_ms = left.left_ms.saturating_sub(took_ms);
        }
    }

    /// How long a colour may think about its move; none where its time is not limited.
    pub fn think_ms(&self, color: Color, outlook: Outlook) -> Option<Millis> {
        let left = self.0[color.index()]?;
        let own_ms = left.left_ms.checked_div(left.stones).unwrap_or(left.left_ms);
        let control = if left.stones > 0 {
            Control::PerTurn { turn_ms: own_ms.max(LEAST_TURN_MS) }
        } else {
            Control::Fischer { initial_ms: own_ms.max(1), increment_ms: 0, cap_ms: None }
        };
        let control = TimeControl::new(control, None).ok()?;
        let reading = Reading { left_ms: Some(own_ms), periods: 0, first_move_ms: None };
        Some(Budget::of(&control, reading, outlook, MOST_MS).think_ms)
    }
}

fn duration_ms(text: &str) -> Option<Millis> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..f64::MAX).contains(seconds))?;
    Some((seconds.min(DAY_S) * 1_000.0) as Millis)
}
