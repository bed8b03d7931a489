//! Changes of a party, as the journal keeps them.

use hexhall_proto::options as wire;
use hexhall_proto::party::Turns;
use serde::{Deserialize, Serialize};

use super::FormError;
use super::parts::{LevelForm, read_level};
use crate::cpu::Level;
use crate::table::handle::Player;
use crate::table::options::Options;
use crate::table::state::party::Change;
use crate::table::state::party::code::PartyCode;

/// A change, as `{"kind": {…}}`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum ChangeForm {
    Formed {
        code: String,
        turns: Turns,
        level: LevelForm,
    },
    Joined {
        player: String,
        name: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        bot: bool,
        plays: bool,
    },
    Left {
        player: String,
        name: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        bot: bool,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        removed: bool,
    },
    Hosts {
        player: String,
    },
    Options {
        options: wire::Options,
    },
    Turns {
        turns: Turns,
        level: LevelForm,
    },
}

impl From<&Change> for ChangeForm {
    fn from(change: &Change) -> ChangeForm {
        match change {
            Change::Formed { code, turns, level } => ChangeForm::Formed {
                code: code.to_string(),
                turns: *turns,
                level: Level::number(*level),
            },
            Change::Joined { player, plays } => ChangeForm::Joined {
                player: player.id.to_string(),
                name: player.name.to_string(),
                bot: player.bot,
                plays: *plays,
            },
            Change::Left { player, removed } => ChangeForm::Left {
                player: player.id.to_string(),
                name: player.name.to_string(),
                bot: player.bot,
                removed: *removed,
            },
            Change::Hosts(player) => ChangeForm::Hosts { player: player.to_string() },
            Change::Options(options) => {
                ChangeForm::Options { options: crate::wire::options(options) }
            }
            Change::Turns { turns, level } => {
                ChangeForm::Turns { turns: *turns, level: level.number() }
            }
        }
    }
}

impl TryFrom<ChangeForm> for Change {
    type Error = FormError;

    fn try_from(form: ChangeForm) -> Result<Change, FormError> {
        let id = |text: &str| text.parse().map_err(|_| FormError::Value("player"));
        let player = |text: &str, name: String, bot| {
            Ok::<_, FormError>(Player { id: id(text)?, name: name.into(), cpu: None, bot })
        };
        Ok(match form {
            ChangeForm::Formed { code, turns, level } => Change::Formed {
                code: PartyCode::read(&code).ok_or(FormError::Value("code"))?,
                turns,
                level: read_level(level)?,
            },
            ChangeForm::Joined { player: who, name, bot, plays } => {
                Change::Joined { player: player(&who, name, bot)?, plays }
            }
            ChangeForm::Left { player: who, name, bot, removed } => {
                Change::Left { player: player(&who, name, bot)?, removed }
            }
            ChangeForm::Hosts { player } => Change::Hosts(id(&player)?),
            ChangeForm::Options { options } => Change::Options(
                Options::stored(&options).map_err(|_| FormError::Value("set of options"))?,
            ),
            ChangeForm::Turns { turns, level } => {
                Change::Turns { turns, level: read_level(level)? }
            }
        })
    }
}
