//! What a table is played by: presets, and the options that fit them. Pure.
//!
//! [`bounds`] says what each preset leaves open; [`Options::resolve`] judges by it what is asked for,
//! and [`schema`] tells it to whoever asks. Invariant: the two agree on every request.

pub mod bounds;
mod rated;
pub mod schema;

use hexhall_proto::options as wire;
use hexhall_proto::party::{OpenParty, Turns};
use hexhall_proto::request::CpuSeat;
use serde_json::json;

use crate::cpu::Level;
use crate::cpu::level::NotALevel;
use crate::game::cell::NotASize;
use crate::game::clock::{Control, Field, Millis, TimeControl, TimeControlError};
use crate::game::{Collision, Goal, Kind, Rules, RulesError, Seat, Size, Swap};

use super::state::party::Party;

use bounds::{Bounds, LEAVING, LEAVING_A_DEVICE, LEAVING_RATED, USUAL_SIDE, either};

pub use bounds::MOST_DELAY_S;
pub use rated::NotRated;
pub use wire::{FirstMove, OnLeave, Preset};

/// What a table is played by. Only options that fit each other and their preset can be built.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Options {
    preset: Preset,
    rules: Rules,
    time: TimeControl,
    on_leave: OnLeave,
    rated: bool,
    first_move: FirstMove,
    pass_and_play: bool,
    spectator_delay_s: u16,
}

/// The computer in a seat of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct House {
    /// How strong it plays.
    pub level: Level,
    /// Its seat in the first game.
    pub seat: Seat,
}

/// Why options are refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionsError {
    /// Only half a size, or two of them.
    #[error("give either `size`, or both `rows` and `cols`")]
    SizeTwice,
    /// No board has that size.
    #[error(transparent)]
    Size(#[from] NotASize),
    /// The preset has other sizes.
    #[error(
        "the preset `{preset}` is played on {allowed}, and not on {size}: choose one of these, or `custom`"
    )]
    PresetSize {
        /// The preset.
        preset: &'static str,
        /// The sizes it has.
        allowed: String,
        /// The size asked for.
        size: Size,
    },
    /// The preset does not leave that open.
    #[error("the preset `{preset}` has {allowed}: choose that, or `custom`")]
    Preset {
        /// The preset.
        preset: &'static str,
        /// What it has.
        allowed: String,
    },
    /// The rules do not fit each other.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The time control does not hold together.
    #[error("{}", in_seconds(.0))]
    Time(#[from] TimeControlError),
    /// On one device nobody is ever gone alone.
    #[error(
        "`on_leave: cpu` does not go with `pass_and_play`, where nobody is left to play against: \
         choose `clock`, or leave it out"
    )]
    NoCpu,
    /// The other seat is the opener's own.
    #[error(
        "`cpu` and `pass_and_play` are two answers to who has the other seat: leave one of them out"
    )]
    CpuOnDevice,
    /// A party is of people, who meet the computer where one of them is alone.
    #[error(
        "`cpu` and `party` do not go together: in a party whoever is alone plays the computer, at \
         the party's `cpu_level`"
    )]
    CpuInParty,
    /// A party has a device for each.
    #[error("`pass_and_play` does not go with a party, whose members play each from their own")]
    PartyOnDevice,
    /// Members who watch have to see when their turn comes.
    #[error(
        "`spectator_delay_s` does not go with a party: members who watch see the table as it is"
    )]
    LateParty,
    /// The computer does not play like that.
    #[error(transparent)]
    Level(#[from] NotALevel),
    /// Nobody is left to claim anything.
    #[error(
        "`on_leave: claim` needs two players: with `pass_and_play` choose `clock`, or leave it out"
    )]
    NoClaim,
    /// Such games are not rated.
    #[error(transparent)]
    NotRated(#[from] NotRated),
    /// Nothing collides where every stone is seen.
    #[error("`collision` is of Dark Hex: leave it out, or choose `game: dark`")]
    NoCollision,
    /// Nothing would ever end the game.
    #[error("`on_leave: clock` needs a clock: choose a time control, or `claim`")]
    NoClock,
    /// Spectators cannot see a table as late as that.
    #[error("`spectator_delay_s` is {0}: it is from 0 to {MOST_DELAY_S}")]
    SpectatorDelay(u64),
    /// Behind the curtain a player sees what spectators see, and has to see it live.
    #[error(
        "`spectator_delay_s` does not go with `pass_and_play` of Dark Hex, whose player sees what \
         spectators see while the curtain is down: leave one of them out"
    )]
    LateCurtain,
}

impl Options {
    /// Fills in what the preset says and checks the whole.
    pub fn resolve(request: &wire::OptionsRequest) -> Result<Options, OptionsError> {
        let preset = request.preset.unwrap_or(Preset::Standard);
        let bounds = Bounds::of(preset);
        let size = resolve_size(request)?;
        check_size(&bounds, size)?;
        let kind = resolve_kind(&bounds, request)?;
        check_house(&bounds, request)?;
        let swap = request.swap.unwrap_or_else(|| default_swap(&bounds, kind, request));
        let wanted = request.goal.unwrap_or(bounds.goal.usual);
        let random_stones = request.random_stones.unwrap_or(0);
        let rules = Rules::of(kind, size, swap_rule(swap), goal(wanted), random_stones)?;
        let time = time_control(request.time.unwrap_or(bounds.time), request.first_move_s)?;
        let first_move = request.first_move.unwrap_or(bounds.first_move.usual);
        let pass_and_play = request.pass_and_play.unwrap_or(false);
        let rated = request.rated.unwrap_or(false);
        let on_leave = resolve_on_leave(request, pass_and_play, time.control())?;
        let spectator_delay_s = resolve_delay(request.spectator_delay_s.unwrap_or(0))?;
        if pass_and_play && kind != Kind::Hex && spectator_delay_s > 0 {
            return Err(OptionsError::LateCurtain);
        }
        let options = Options {
            preset,
            rules,
            time,
            on_leave,
            rated,
            first_move,
            pass_and_play,
            spectator_delay_s,
        };
        if rated {
            rated::check(&options)?;
        }
        Ok(options)
    }

    /// The computer that was asked for, and its seat.
    pub fn house(&self, asked: CpuSeat) -> Result<House, OptionsError> {
        if self.pass_and_play {
            return Err(OptionsError::CpuOnDevice);
        }
        if self.rated {
            return Err(NotRated::Cpu.into());
        }
        let seat = asked.seat.map_or(Seat::Two, crate::wire::read_seat);
        Ok(House { level: Level::new(asked.level)?, seat })
    }

    /// How a party takes turns and how strong its computer is, as it was asked for.
    pub fn party(
        &self,
        asked: OpenParty,
        cpu: Option<CpuSeat>,
    ) -> Result<(Turns, Level), OptionsError> {
        self.check_party()?;
        if cpu.is_some() {
            return Err(OptionsError::CpuInParty);
        }
        let level = Level::new(asked.cpu_level.unwrap_or(Party::LEVEL))?;
        Ok((asked.turns.unwrap_or_default(), level))
    }

    /// Whether a party may play by them.
    pub fn check_party(&self) -> Result<(), OptionsError> {
        if self.pass_and_play {
            return Err(OptionsError::PartyOnDevice);
        }
        if self.spectator_delay_s > 0 {
            return Err(OptionsError::LateParty);
        }
        Ok(())
    }

    /// Options as they were once resolved: what a preset has since come to allow does not matter.
    pub fn stored(options: &wire::Options) -> Result<Options, OptionsError> {
        let size = Size::new(options.rows.into(), options.cols.into())?;
        let kind = kind(options.game, options.collision)?;
        let (swap, goal) = (swap_rule(options.swap), goal(options.goal));
        Ok(Options {
            preset: options.preset,
            rules: Rules::of(kind, size, swap, goal, options.random_stones)?,
            time: time_control(options.time, options.first_move_s)?,
            on_leave: options.on_leave,
            rated: options.rated,
            first_move: options.first_move,
            pass_and_play: options.pass_and_play,
            spectator_delay_s: resolve_delay(options.spectator_delay_s.into())?,
        })
    }

    /// The preset that the options keep to.
    pub const fn preset(&self) -> Preset {
        self.preset
    }

    /// What each game is played by.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What each game is timed by.
    pub const fn time(&self) -> &TimeControl {
        &self.time
    }

    /// What happens when a player is gone.
    pub const fn on_leave(&self) -> OnLeave {
        self.on_leave
    }

    /// Whether the games count for the players' ratings.
    pub const fn is_rated(&self) -> bool {
        self.rated
    }

    /// Who moves first in a rematch.
    pub const fn first_move(&self) -> FirstMove {
        self.first_move
    }

    /// Whether both seats are one player's, on one device.
    pub const fn pass_and_play(&self) -> bool {
        self.pass_and_play
    }

    /// By how many seconds spectators see the table late.
    pub const fn spectator_delay_s(&self) -> u16 {
        self.spectator_delay_s
    }

    /// The same in milliseconds.
    pub const fn spectator_delay_ms(&self) -> Millis {
        millis(self.spectator_delay_s as u32)
    }
}

fn resolve_on_leave(
    request: &wire::OptionsRequest,
    pass_and_play: bool,
    control: Control,
) -> Result<OnLeave, OptionsError> {
    let leaving = match request.rated {
        _ if pass_and_play => LEAVING_A_DEVICE,
        Some(true) => LEAVING_RATED,
        Some(false) | None => LEAVING,
    };
    match request.on_leave.unwrap_or(leaving.usual) {
        OnLeave::Cpu if pass_and_play => Err(OptionsError::NoCpu),
        OnLeave::Claim if pass_and_play => Err(OptionsError::NoClaim),
        OnLeave::Clock if control == Control::None && !pass_and_play => Err(OptionsError::NoClock),
        on_leave => Ok(on_leave),
    }
}

fn resolve_size(request: &wire::OptionsRequest) -> Result<Size, OptionsError> {
    let (rows, cols) = match (request.size, request.rows, request.cols) {
        (None, None, None) => (USUAL_SIDE.into(), USUAL_SIDE.into()),
        (Some(side), None, None) => (side, side),
        (None, Some(rows), Some(cols)) => (rows, cols),
        _ => return Err(OptionsError::SizeTwice),
    };
    Ok(Size::new(rows, cols)?)
}

fn check_size(bounds: &Bounds, size: Size) -> Result<(), OptionsError> {
    if bounds.sizes.allows(size.rows(), size.cols()) {
        return Ok(());
    }
    let (preset, allowed) = (preset_name(bounds.preset), bounds.sizes.to_string());
    Err(OptionsError::PresetSize { preset, allowed, size })
}

/// Dark Hex has a preset of its own, and is otherwise only played where anything may be.
fn resolve_kind(bounds: &Bounds, request: &wire::OptionsRequest) -> Result<Kind, OptionsError> {
    let game = request.game.unwrap_or(bounds.game.usual);
    if !bounds.game.allows(game) {
        let allowed = format!("`game` {}", either(&json!(bounds.game.all)));
        let preset = preset_name(bounds.preset);
        return Err(OptionsError::Preset { preset, allowed });
    }
    kind(game, request.collision)
}

fn kind(game: wire::GameKind, collision: Option<wire::Collision>) -> Result<Kind, OptionsError> {
    match (game, collision) {
        (wire::GameKind::Hex, None) => Ok(Kind::Hex),
        (wire::GameKind::Hex, Some(_)) => Err(OptionsError::NoCollision),
        (wire::GameKind::Dark, None | Some(wire::Collision::Classical)) => {
            Ok(Kind::Dark(Collision::Classical))
        }
        (wire::GameKind::Dark, Some(wire::Collision::Abrupt)) => Ok(Kind::Dark(Collision::Abrupt)),
    }
}

/// What a preset fills in keeps to it, so that only what is asked for is looked at.
fn check_house(bounds: &Bounds, request: &wire::OptionsRequest) -> Result<(), OptionsError> {
    let only = |allowed| Err(OptionsError::Preset { preset: preset_name(bounds.preset), allowed });
    if request.first_move.is_some_and(|first_move| !bounds.first_move.allows(first_move)) {
        return only(format!("`first_move` {}", either(&json!(bounds.first_move.all))));
    }
    if request.swap.is_some_and(|swap| !bounds.swap.allows(swap)) {
        return only(format!("`swap` {}", either(&json!(bounds.swap.all))));
    }
    if request.goal.is_some_and(|goal| !bounds.goal.allows(goal)) {
        return only(format!("`goal` {}", either(&json!(bounds.goal.all))));
    }
    if request.time.is_some_and(|time| !bounds.times.allows(time)) {
        return only(bounds.times.to_string());
    }
    if bounds.random_stones == 0 && request.random_stones.is_some_and(|stones| stones > 0) {
        return only("no random stones".into());
    }
    if !bounds.first_move_s && request.first_move_s.is_some() {
        return only("no `first_move_s`".into());
    }
    Ok(())
}

/// The swap is what it is under the preset where it is fair and possible.
fn default_swap(bounds: &Bounds, kind: Kind, request: &wire::OptionsRequest) -> wire::Swap {
    let opening = request.random_stones.is_some_and(|stones| stones > 0);
    match request.rated {
        _ if opening || kind.is_dark() => wire::Swap::Off,
        Some(true) => bounds.rated_swap(),
        Some(false) | None => bounds.swap.usual,
    }
}

fn time_control(
    time: wire::Time,
    first_move_s: Option<u32>,
) -> Result<TimeControl, TimeControlError> {
    let control = match time {
        wire::Time::None {} => Control::None,
        wire::Time::Fischer { initial_s, increment_s, cap_s } => Control::Fischer {
            initial_ms: millis(initial_s),
            increment_ms: millis(increment_s),
            cap_ms: cap_s.map(millis),
        },
        wire::Time::PerTurn { seconds } => Control::PerTurn { turn_ms: millis(seconds) },
        wire::Time::ByoYomi { initial_s, period_s, periods } => {
            Control::ByoYomi { initial_ms: millis(initial_s), period_ms: millis(period_s), periods }
        }
    };
    TimeControl::new(control, first_move_s.map(millis))
}

fn resolve_delay(seconds: u64) -> Result<u16, OptionsError> {
    let bounded = u16::try_from(seconds).ok().filter(|&seconds| seconds <= MOST_DELAY_S);
    bounded.ok_or(OptionsError::SpectatorDelay(seconds))
}

const fn goal(goal: wire::Goal) -> Goal {
    match goal {
        wire::Goal::Join => Goal::Join,
        wire::Goal::Avoid => Goal::Avoid,
    }
}

/// What is wrong with a time control, in the words and seconds of those who asked for it.
fn in_seconds(error: &TimeControlError) -> String {
    let TimeControlError::OutOfRange { field, was, least, most } = *error else {
        return "`initial_s` and `increment_s` are both 0: at least one of them is above 0".into();
    };
    let (name, unit) = match field {
        Field::Initial => ("time.initial_s", 1_000),
        Field::Increment => ("time.increment_s", 1_000),
        Field::Cap => ("time.cap_s", 1_000),
        Field::Turn => ("time.seconds", 1_000),
        Field::Period => ("time.period_s", 1_000),
        Field::Periods => ("time.periods", 1),
        Field::FirstMove => ("first_move_s", 1_000),
    };
    format!("`{name}` is {}: it is from {} to {}", was / unit, least / unit, most / unit)
}

const fn millis(seconds: u32) -> Millis {
    seconds as Millis * 1000
}

const fn swap_rule(swap: wire::Swap) -> Swap {
    match swap {
        wire::Swap::Off => Swap::Off,
        wire::Swap::Sides => Swap::Sides,
        wire::Swap::Pieces => Swap::Pieces,
    }
}

const fn preset_name(preset: Preset) -> &'static str {
    match preset {
        Preset::Party => "party",
        Preset::Standard => "standard",
        Preset::Dark => "dark",
        Preset::Custom => "custom",
    }
}

#[cfg(test)]
mod rated_tests;
#[cfg(test)]
mod schema_tests;
#[cfg(test)]
mod tests;
