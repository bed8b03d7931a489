//! How the command line names rules: the swap, and what running into a hidden stone costs.

use clap::ValueEnum;

use crate::cli::Failure;
use crate::game::rules::RulesError;
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

/// Why rules do not fit each other, in the words of the command line's flags.
pub(in crate::cli) fn refusal(error: RulesError) -> Failure {
    let text = match error {
        RulesError::SwapInDark => {
            "Dark Hex is played without the swap: choose `--swap off`, or leave `--dark` out"
                .to_owned()
        }
        RulesError::AvoidInDark => {
            "Dark Hex is won by joining one's edges: leave `--rex` or `--dark` out".to_owned()
        }
        RulesError::SwapPiecesNotSquare(size) => format!(
            "`--swap pieces` needs a square board, and {size} is not one: choose `--swap sides`, \
             or `off`"
        ),
        // Random stones are none of the command line's.
        RulesError::SwapAfterOpening
        | RulesError::TooManyStones(_)
        | RulesError::NoRoomForStones { .. }
        | RulesError::StonesInDark => error.to_string(),
    };
    Failure::Usage(text)
}
