//! Which games may be rated: fair ones, between two people, that nobody else has a hand in. Pure.

use super::bounds::{Bounds, LEAVING_RATED};
use super::{Goal, Options, Swap};

/// Why games of these options are not rated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotRated {
    /// Anything goes under `custom`, fair or not.
    #[error("`rated` does not go with `custom`: choose `standard`, `dark` or `party`")]
    Custom,
    /// Whoever moves first would have the better of it.
    #[error("a rated game of Hex has the swap on: choose `swap` `sides`, or leave it out")]
    Swap,
    /// Rex is another game.
    #[error("Rex is not rated: choose `goal` `join`, or leave `rated` out")]
    Rex,
    /// Nobody wins against themselves.
    #[error("`rated` needs two players: leave `pass_and_play` or `rated` out")]
    OnDevice,
    /// The computer has no rating.
    #[error("`rated` needs two players: leave `cpu` or `rated` out")]
    Cpu,
    /// The computer would play part of the game.
    #[error(
        "in a rated game nobody plays for a player who is gone: choose `on_leave` `claim` or `clock`, or leave it out"
    )]
    Takeover,
    /// The players' new ratings would tell the end before spectators are to know it.
    #[error(
        "`spectator_delay_s` does not go with `rated`, since ratings change as the game ends: leave one of them out"
    )]
    Late,
}

/// Whether games of these options, which fit each other, may be rated.
pub(super) fn check(options: &Options) -> Result<(), NotRated> {
    let rules = options.rules();
    if !Bounds::of(options.preset()).rated {
        return Err(NotRated::Custom);
    }
    if rules.goal() == Goal::Avoid {
        return Err(NotRated::Rex);
    }
    // Only `custom` has random stones.
    if !rules.kind().is_dark() && rules.swap() == Swap::Off {
        return Err(NotRated::Swap);
    }
    if options.pass_and_play() {
        return Err(NotRated::OnDevice);
    }
    if !LEAVING_RATED.allows(options.on_leave()) {
        return Err(NotRated::Takeover);
    }
    if options.spectator_delay_s() > 0 {
        return Err(NotRated::Late);
    }
    Ok(())
}
