//! What each preset leaves open, said once: what asks for options is judged by it, and described by
//! it. Pure.
//!
//! Here are the choices of a preset. What holds under every preset is where it belongs: the numbers
//! of a time control are [`Field::range`](crate::game::clock::Field::range)'s, those of a random
//! opening [`crate::game::rules`]'.

use std::fmt;

use hexhall_proto::options::{FirstMove, GameKind, Goal, OnLeave, Preset, Swap, Time};
use serde_json::Value;

use crate::game::cell::MAX_SIDE;
use crate::game::rules::MAX_RANDOM_STONES;

/// What a preset leaves open.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The preset.
    pub preset: Preset,
    /// What it is for, in a sentence or two.
    pub about: &'static str,
    /// Its boards.
    pub sizes: Sizes,
    /// Its games.
    pub game: Choice<GameKind>,
    /// Its swap rules. A rated game of Hex has one, and Dark Hex and random stones have none.
    pub swap: Choice<Swap>,
    /// Its goals. Dark Hex is always won by joining.
    pub goal: Choice<Goal>,
    /// The most random stones a side.
    pub random_stones: u8,
    /// Its time controls.
    pub times: Times,
    /// The one it has unless another is asked for.
    pub time: Time,
    /// Whether first moves may have a limit of their own.
    pub first_move_s: bool,
    /// Who may move first in a rematch.
    pub first_move: Choice<FirstMove>,
    /// Whether its games may be rated.
    pub rated: bool,
}

/// Some values, of which one goes without saying.
#[derive(Clone, Copy, Debug)]
pub struct Choice<T: 'static> {
    /// What it is unless another is asked for.
    pub usual: T,
    /// All that may be asked for.
    pub all: &'static [T],
}

/// Boards.
#[derive(Clone, Copy, Debug)]
pub enum Sizes {
    /// Square ones of these sides.
    Of(&'static [u8]),
    /// Square ones of sides from the first to the second.
    Square(u8, u8),
    /// Any board.
    Any,
}

/// Time controls.
#[derive(Clone, Copy, Debug)]
pub enum Times {
    /// None, or one of these many seconds a turn.
    Turns(&'static [u32]),
    /// Any.
    Any,
}

/// The side of the board unless another is asked for.
pub const USUAL_SIDE: u8 = 11;

/// The longest that spectators may see a table late, in seconds.
pub const MOST_DELAY_S: u16 = 600;

/// What may follow when a player is gone.
pub const LEAVING: Choice<OnLeave> =
    Choice { usual: OnLeave::Cpu, all: &[OnLeave::Cpu, OnLeave::Claim, OnLeave::Clock] };

/// The same in a rated game, which is nobody's but its two players'.
pub const LEAVING_RATED: Choice<OnLeave> =
    Choice { usual: OnLeave::Claim, all: &[OnLeave::Claim, OnLeave::Clock] };

/// The same on one device, where there is nobody to claim the game, nor to play on against the
/// computer: nothing is left but the clock, if any.
pub const LEAVING_A_DEVICE: Choice<OnLeave> = Choice::one(OnLeave::Clock, &[OnLeave::Clock]);

const FISCHER: Time = Time::Fischer { initial_s: 300, increment_s: 5, cap_s: None };
const BY_TURNS: Choice<FirstMove> = Choice::one(FirstMove::Alternate, &[FirstMove::Alternate]);
const EITHER_FIRST: Choice<FirstMove> =
    Choice { usual: FirstMove::Alternate, all: &[FirstMove::Alternate, FirstMove::Fixed] };
const ANY_SWAP: Choice<Swap> =
    Choice { usual: Swap::Sides, all: &[Swap::Sides, Swap::Pieces, Swap::Off] };
const ANY_GOAL: Choice<Goal> = Choice { usual: Goal::Join, all: &[Goal::Join, Goal::Avoid] };
const JOIN: Choice<Goal> = Choice::one(Goal::Join, &[Goal::Join]);
const HEX: Choice<GameKind> = Choice::one(GameKind::Hex, &[GameKind::Hex]);

/// Every preset, in the order in which they are offered.
pub const PRESETS: [Bounds; 4] = [PARTY, STANDARD, DARK, CUSTOM];

const PARTY: Bounds = Bounds {
    preset: Preset::Party,
    about: "House rules among friends: a few boards, and no clock unless you want one.",
    sizes: Sizes::Of(&[11, 13, 19]),
    game: HEX,
    swap: Choice { usual: Swap::Off, all: &[Swap::Off, Swap::Sides] },
    goal: JOIN,
    random_stones: 0,
    times: Times::Turns(&[30, 60]),
    time: Time::None {},
    first_move_s: false,
    first_move: EITHER_FIRST,
    rated: true,
};

const STANDARD: Bounds = Bounds {
    preset: Preset::Standard,
    about: "Fair play: the swap evens out the first move, and the clock is yours to choose.",
    sizes: Sizes::Square(7, 19),
    game: HEX,
    swap: ANY_SWAP,
    goal: ANY_GOAL,
    random_stones: 0,
    times: Times::Any,
    time: FISCHER,
    first_move_s: false,
    first_move: BY_TURNS,
    rated: true,
};

const DARK: Bounds = Bounds {
    preset: Preset::Dark,
    about: "Dark Hex: nobody sees the other's stones until they run into one.",
    sizes: Sizes::Square(7, 19),
    game: Choice::one(GameKind::Dark, &[GameKind::Dark]),
    swap: Choice::one(Swap::Off, &[Swap::Off]),
    goal: JOIN,
    random_stones: 0,
    times: Times::Any,
    time: FISCHER,
    first_move_s: false,
    first_move: BY_TURNS,
    rated: true,
};

const CUSTOM: Bounds = Bounds {
    preset: Preset::Custom,
    about: "Whatever the rules allow: any board, either game, random stones. Never rated.",
    sizes: Sizes::Any,
    game: Choice { usual: GameKind::Hex, all: &[GameKind::Hex, GameKind::Dark] },
    swap: ANY_SWAP,
    goal: ANY_GOAL,
    random_stones: MAX_RANDOM_STONES,
    times: Times::Any,
    time: FISCHER,
    first_move_s: true,
    first_move: EITHER_FIRST,
    rated: false,
};

impl Bounds {
    /// What the preset leaves open.
    pub const fn of(preset: Preset) -> Bounds {
        match preset {
            Preset::Party => PARTY,
            Preset::Standard => STANDARD,
            Preset::Dark => DARK,
            Preset::Custom => CUSTOM,
        }
    }

    /// Whether its games are of Dark Hex alone.
    pub fn is_dark(&self) -> bool {
        !self.game.allows(GameKind::Hex)
    }

    /// The swap rule of a rated game, unless another is asked for: on where there is one.
    pub fn rated_swap(&self) -> Swap {
        let first_on = self.swap.all.iter().copied().find(|&swap| swap != Swap::Off);
        if self.swap.usual == Swap::Off { first_on.unwrap_or(Swap::Off) } else { self.swap.usual }
    }
}

impl<T: Copy + PartialEq> Choice<T> {
    const fn one(usual: T, all: &'static [T]) -> Choice<T> {
        Choice { usual, all }
    }

    /// Whether the value may be asked for.
    pub fn allows(&self, value: T) -> bool {
        self.all.contains(&value)
    }
}

/// Words of the wire as one is told to choose among them: `` `off` or `sides` ``.
pub fn either(words: &Value) -> String {
    let words = words.as_array().into_iter().flatten().filter_map(Value::as_str);
    listed(words.map(|word| format!("`{word}`")).collect(), "or")
}

impl Sizes {
    /// The sides of the square boards.
    pub fn sides(self) -> Vec<u8> {
        match self {
            Sizes::Of(sides) => sides.to_vec(),
            Sizes::Square(least, most) => (least..=most).collect(),
            Sizes::Any => (1..=MAX_SIDE).collect(),
        }
    }

    /// Whether there is such a board.
    pub fn allows(self, rows: u8, cols: u8) -> bool {
        match self {
            Sizes::Any => true,
            Sizes::Of(sides) => rows == cols && sides.contains(&rows),
            Sizes::Square(least, most) => rows == cols && (least..=most).contains(&rows),
        }
    }
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let square = |side: &u8| format!("{side}x{side}");
        match self {
            Sizes::Of(sides) => f.write_str(&listed(sides.iter().map(square).collect(), "and")),
            Sizes::Square(least, most) => write!(f, "{} to {}", square(least), square(most)),
            Sizes::Any => f.write_str("any board"),
        }
    }
}

impl Times {
    /// Whether it is one of them; whether its numbers hold together is another question.
    pub fn allows(self, time: Time) -> bool {
        match (self, time) {
            (Times::Any, _) | (Times::Turns(_), Time::None {}) => true,
            (Times::Turns(turns), Time::PerTurn { seconds }) => turns.contains(&seconds),
            (Times::Turns(_), Time::Fischer { .. } | Time::ByoYomi { .. }) => false,
        }
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Times::Turns(turns) => {
                let turns = turns.iter().map(|seconds| format!("{seconds} s"));
                write!(f, "no clock, or {} a turn", listed(turns.collect(), "or"))
            }
            Times::Any => f.write_str("any time control"),
        }
    }
}

/// Words with commas, and one word more before the last.
fn listed(mut words: Vec<String>, before_last: &str) -> String {
    match words.pop() {
        Some(last) if words.is_empty() => last,
        Some(last) => format!("{} {before_last} {last}", words.join(", ")),
        None => String::new(),
    }
}
