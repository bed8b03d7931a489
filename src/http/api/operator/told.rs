//! What an operator is shown of players and of what was done.

use hexhall_proto::notices::PersonalNotice;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::operator::Shown;
use crate::store::{Act, ActRow, Found, PlayerRow, Sanction};
use crate::wire;

/// A player, in short.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FoundPlayer {
    /// `plr_…`.
    pub id: String,
    /// The name that they go by.
    pub name: String,
    /// When they were made, in milliseconds since the Unix epoch.
    pub made_ms: u64,
    /// `plr_…`: whose bot it is, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
}

impl From<PlayerRow> for FoundPlayer {
    fn from(row: PlayerRow) -> FoundPlayer {
        let PlayerRow { id, name, created_ms, owner } = row;
        let owner = owner.map(|owner| owner.to_string());
        FoundPlayer { id: id.to_string(), name, made_ms: created_ms, owner }
    }
}

/// Players who may be the one that was meant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FoundPlayers {
    /// The players, those made last first, 20 at most.
    pub players: Vec<FoundPlayer>,
    /// Whether it is the one who goes by that name or id, and not some whose names hold the text.
    pub exact: bool,
}

impl From<Found> for FoundPlayers {
    fn from(Found { players, exact }: Found) -> FoundPlayers {
        FoundPlayers { players: players.into_iter().map(FoundPlayer::from).collect(), exact }
    }
}

/// A mute or a ban that holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Held {
    /// Who gave it.
    pub by: String,
    /// Why.
    pub reason: String,
    /// Since when, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// Until when, likewise; for good without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<u64>,
}

impl From<Sanction> for Held {
    fn from(Sanction { by, reason, at_ms, until_ms, .. }: Sanction) -> Held {
        Held { by: by.to_string(), reason: reason.to_string(), at_ms, until_ms }
    }
}

/// A player, as far as it is an operator's affair.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ShownPlayer {
    /// The player.
    pub player: FoundPlayer,
    /// Whose bot it is, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<FoundPlayer>,
    /// Their bots, the oldest first.
    pub bots: Vec<FoundPlayer>,
    /// How many sessions they have just now.
    pub sessions: u64,
    /// Where ratings and games are told.
    pub profile: String,
    /// The mute that holds, theirs or their owner's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub muted: Option<Held>,
    /// The ban that holds, theirs or their owner's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub banned: Option<Held>,
    /// What they have been told and have not said to have read.
    pub notices: Vec<PersonalNotice>,
    /// How many reports there are about them, of the last 30 days.
    pub reports_about: u64,
    /// How many reports are theirs, likewise.
    pub reports_by: u64,
}

impl From<Shown> for ShownPlayer {
    fn from(shown: Shown) -> ShownPlayer {
        let Shown { player, owner, bots, sessions, mute, ban, notices, reports } = shown;
        let [reports_about, reports_by] = reports;
        ShownPlayer {
            profile: format!("/v1/players/{}", player.id),
            player: player.into(),
            owner: owner.map(FoundPlayer::from),
            bots: bots.into_iter().map(FoundPlayer::from).collect(),
            sessions: sessions as u64,
            muted: mute.map(Held::from),
            banned: ban.map(Held::from),
            notices: notices.iter().map(wire::notice).collect(),
            reports_about,
            reports_by,
        }
    }
}

/// Something that was done to a player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Done {
    /// What: `warn`, `mute`, `unmute`, `ban`, `unban`, `rename` or `settle`.
    pub act: String,
    /// `plr_…`: to whom.
    pub player: String,
    /// Who did it.
    pub by: String,
    /// What is told of it: the warning, why, or which name it is in place of which.
    pub text: String,
    /// When, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// Until when it holds, likewise; for good without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<u64>,
}

impl From<Act> for Done {
    fn from(Act { player, kind, by, text, at_ms, until_ms }: Act) -> Done {
        let (act, player) = (kind.word().to_owned(), player.to_string());
        Done { act, player, by, text, at_ms, until_ms }
    }
}

/// A line of the log.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LoggedAct {
    /// Its number: each is higher than those before.
    pub number: u64,
    /// The name that the player now goes by.
    pub name: String,
    /// What was done.
    #[serde(flatten)]
    pub done: Done,
}

impl From<ActRow> for LoggedAct {
    fn from(ActRow { number, name, act }: ActRow) -> LoggedAct {
        LoggedAct { number, name, done: act.into() }
    }
}

/// What was done, the newest first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ActLog {
    /// The acts, 50 at most.
    pub acts: Vec<LoggedAct>,
    /// What `before` has to be for those that follow; none where there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<u64>,
}
