//! What a table is opened with.

use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// A set of options that belong together, and the bounds that they keep.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// House rules among friends: 11x11, 13x13 or 19x19, no clock unless asked for.
    Party,
    /// Fair play: 7x7 to 19x19, swap, Fischer clock.
    Standard,
    /// Dark Hex: 7x7 to 19x19, Fischer clock. Nobody sees the other's stones.
    Dark,
    /// Anything that the rules allow.
    Custom,
}

/// Which game is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GameKind {
    /// Hex: everybody sees every stone.
    #[default]
    Hex,
    /// Dark Hex: seats see their own stones and those that they have run into, and spectators see
    /// none while the game runs.
    Dark,
}

impl GameKind {
    /// Whether it is Hex, which goes without saying.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    const fn is_hex(&self) -> bool {
        matches!(self, GameKind::Hex)
    }
}

/// What becomes of the turn in Dark Hex when a seat tries the cell of a hidden stone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Collision {
    /// The seat moves again, on the same clock.
    Classical,
    /// The turn passes.
    Abrupt,
}

/// What the second player may do to the first move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Swap {
    /// Nothing.
    Off,
    /// Take over its stone, colour and edges.
    Sides,
    /// Replace it by an own stone at its mirror image. Square boards only.
    Pieces,
}

/// What joining one's own edges brings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// The win.
    Join,
    /// The loss (Rex).
    Avoid,
}

/// How time is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(tag = "control", rename_all = "snake_case", deny_unknown_fields)]
pub enum Time {
    /// No clock.
    None {},
    /// Each completed turn adds the increment, never above the cap when there is one.
    Fischer {
        /// Seconds at the start.
        initial_s: u32,
        /// Seconds added by each completed turn.
        increment_s: u32,
        /// The most seconds that the increment may lead to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cap_s: Option<u32>,
    },
    /// Each turn has that long.
    PerTurn {
        /// Seconds a turn.
        seconds: u32,
    },
    /// After the initial time, turns are played in periods; one used up is lost.
    ByoYomi {
        /// Seconds at the start.
        initial_s: u32,
        /// Seconds a period.
        period_s: u32,
        /// Periods at the start.
        periods: u8,
    },
}

/// By way of its fields, so that a wrong one is named, and a list is no time control.
impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Time, D::Error> {
        TimeFields::deserialize(deserializer)?.control().map_err(D::Error::custom)
    }
}

/// A time control as its fields stand on the wire.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TimeFields {
    control: Control,
    initial_s: Option<u32>,
    increment_s: Option<u32>,
    cap_s: Option<u32>,
    seconds: Option<u32>,
    period_s: Option<u32>,
    periods: Option<u8>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Control {
    None,
    Fischer,
    PerTurn,
    ByoYomi,
}

impl TimeFields {
    /// The control, if exactly its fields are there; otherwise which fields it has.
    fn control(self) -> Result<Time, &'static str> {
        let TimeFields { control, initial_s, increment_s, cap_s, seconds, period_s, periods } =
            self;
        match (control, initial_s, increment_s, cap_s, seconds, period_s, periods) {
            (Control::None, None, None, None, None, None, None) => Ok(Time::None {}),
            (Control::Fischer, Some(initial_s), Some(increment_s), cap_s, None, None, None) => {
                Ok(Time::Fischer { initial_s, increment_s, cap_s })
            }
            (Control::PerTurn, None, None, None, Some(seconds), None, None) => {
                Ok(Time::PerTurn { seconds })
            }
            (
                Control::ByoYomi,
                Some(initial_s),
                None,
                None,
                None,
                Some(period_s),
                Some(periods),
            ) => Ok(Time::ByoYomi { initial_s, period_s, periods }),
            _ => Err(control.fields()),
        }
    }
}

impl Control {
    fn fields(self) -> &'static str {
        match self {
            Control::None => "`none` has no other fields",
            Control::Fischer => "`fischer` has `initial_s`, `increment_s` and perhaps `cap_s`",
            Control::PerTurn => "`per_turn` has `seconds`",
            Control::ByoYomi => "`byo_yomi` has `initial_s`, `period_s` and `periods`",
        }
    }
}

/// What happens when a player is gone and the countdown has passed.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum OnLeave {
    /// The computer plays the seat until its player returns.
    Cpu,
    /// The other seat may claim the win, or keep waiting.
    Claim,
    /// Only the clock runs.
    Clock,
}

/// Who moves first in a rematch.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum FirstMove {
    /// The players exchange seats after each game.
    Alternate,
    /// Everybody keeps their seat.
    Fixed,
}

/// What a client asks for. Everything is optional: what is absent comes from the preset. Unknown
/// fields are refused.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OptionsRequest {
    /// `standard` unless named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<Preset>,
    /// Rows and columns of a square board; instead of `rows` and `cols`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<u64>,
    /// Rows; together with `cols`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
    /// Columns; together with `rows`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cols: Option<u64>,
    /// Hex or Dark Hex. `dark` is always Dark Hex, and `custom` may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<GameKind>,
    /// What a collision does to the turn. Dark Hex only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collision: Option<Collision>,
    /// The swap rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub swap: Option<Swap>,
    /// Hex or Rex.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<Goal>,
    /// Random opening stones, a side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub random_stones: Option<u8>,
    /// The time control.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<Time>,
    /// Seconds in which each seat must make its first move. `custom` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_move_s: Option<u32>,
    /// What happens when a player is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_leave: Option<OnLeave>,
    /// Whether the games count for the players' ratings; they do not unless said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rated: Option<bool>,
    /// Who moves first in a rematch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_move: Option<FirstMove>,
    /// Whether both seats are the opener's own, on one device.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pass_and_play: Option<bool>,
    /// By how many seconds spectators see the table late; 0 to 600, 0 unless said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spectator_delay_s: Option<u64>,
}

/// What a table is played by, in full.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Options {
    /// The preset that the options keep to.
    pub preset: Preset,
    /// Rows of the board.
    pub rows: u8,
    /// Columns of the board.
    pub cols: u8,
    /// Hex or Dark Hex; Hex where it is absent.
    #[serde(default, skip_serializing_if = "GameKind::is_hex")]
    pub game: GameKind,
    /// What a collision does to the turn. Dark Hex only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collision: Option<Collision>,
    /// The swap rule.
    pub swap: Swap,
    /// Hex or Rex.
    pub goal: Goal,
    /// Random opening stones, a side.
    pub random_stones: u8,
    /// The time control.
    pub time: Time,
    /// Seconds in which each seat must make its first move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_move_s: Option<u32>,
    /// What happens when a player is gone.
    pub on_leave: OnLeave,
    /// Whether the games count for the players' ratings; they do not where it is absent.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rated: bool,
    /// Who moves first in a rematch.
    pub first_move: FirstMove,
    /// Whether both seats are one player's, on one device.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pass_and_play: bool,
    /// By how many seconds spectators see the table late; not at all where it is absent.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub spectator_delay_s: u16,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
const fn is_zero(seconds: &u16) -> bool {
    *seconds == 0
}
