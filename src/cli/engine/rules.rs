//! How the command line names rules: the swap, and what running into a hidden stone costs.

use clap::ValueEnum;

use crate::game::{Collision, Kind, Swap};

/// What the second player may do to the first stone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(in crate::cli) enum SwapRule {
    Off,
    Sides,
    Pieces,
}

/// The two ways to play Dark Hex.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(in crate::cli) enum DarkRule {
    Classical,
    Abrupt,
}

impl From<SwapRule> for Swap {
    fn from(rule: SwapRule) -> Swap {
        match rule {
            SwapRule::Off => Swap::Off,
            SwapRule::Sides => Swap::Sides,
            SwapRule::Pieces => Swap::Pieces,
        }
    }
}

/// Hex, or Dark Hex where its rule is named.
pub(in crate::cli) fn kind(dark: Option<DarkRule>) -> Kind {
    match dark {
        None => Kind::Hex,
        Some(DarkRule::Classical) => Kind::Dark(Collision::Classical),
        Some(DarkRule::Abrupt) => Kind::Dark(Collision::Abrupt),
    }
}
