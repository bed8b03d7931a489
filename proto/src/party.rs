//! The party of a table: the people who came together to it, who hosts, and who plays next.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::options::{Options, OptionsRequest};
use crate::parts::Player;

/// How the seats go round where more members want to play than two.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Turns {
    /// The two who have the seats keep them.
    #[default]
    None,
    /// The winner stays, and whoever has waited longest comes to the table.
    WinnerStays,
    /// Whoever has played least plays next; among equals whoever has waited longest. Nobody meets
    /// the same player twice in a row while another pair can be made.
    RoundRobin,
}

/// What a table's party is opened with. Unknown fields are refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct OpenParty {
    /// How the seats go round; `none` unless said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<Turns>,
    /// The level of the computer that a member plays who is alone, 1 to 10; 3 unless said.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 10))]
    pub cpu_level: Option<u64>,
}

/// Joins a party, or says anew whether one wants to play.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct JoinParty {
    /// The party's code, in either case; or else `table`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// `tbl_…`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// A private table's invitation, beside `table`; not asked of members.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
    /// Whether one wants to play, and not only to watch; true unless said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub play: Option<bool>,
}

/// Changes what the next games are played by. The host's alone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SetOptions {
    /// `tbl_…`.
    pub table: String,
    /// All of it, as in `open`: what is absent comes from the preset, and not from before.
    pub options: OptionsRequest,
}

/// Changes how the seats go round, and how strong the computer is. The host's alone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SetTurns {
    /// `tbl_…`.
    pub table: String,
    /// How the seats go round; as before unless said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<Turns>,
    /// The level of the computer, 1 to 10; as before unless said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_level: Option<u64>,
}

/// Something that the host does to a member.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AboutMember {
    /// `tbl_…`.
    pub table: String,
    /// `plr_…`: the member.
    pub player: String,
}

/// Begins the next game. The host's alone; both players together do the same by a rematch.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Start {
    /// `tbl_…`.
    pub table: String,
    /// `gam_…`: the table's last game, so that a second press begins no second one; absent before
    /// the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// A table's party, for everybody who may see the table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PartyView {
    /// What to tell those who are to join: six letters and digits.
    pub code: String,
    /// `plr_…`: who hosts; none while there are no members.
    pub host: Option<String>,
    /// Everybody who came, the longest-standing first; 50 at most.
    pub members: Vec<PartyMember>,
    /// How the seats go round.
    pub turns: Turns,
    /// The level of the computer that a member plays who is alone.
    pub cpu_level: u8,
}

/// A member of a party.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PartyMember {
    /// Who it is.
    pub player: Player,
    /// Whether they want to play, and not only to watch.
    pub plays: bool,
    /// Games that they have played here against other members. Void ones do not count.
    pub games: u32,
    /// How many of these they won.
    pub wins: u32,
}

/// How many a party has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PartySize {
    /// Its members.
    pub members: u64,
    /// Those of them who have no seat, and watch.
    pub watchers: u64,
}

/// Which members are there, and who plays next. Changes come unnumbered.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct PartyPresence {
    /// `plr_…`: the members who are there.
    pub here: Vec<String>,
    /// `plr_…`: who would play if the next game began now. Two; or one, against the computer; or
    /// none, if nobody who is there wants to play.
    pub next: Vec<String>,
    /// `plr_…`: who of the two has asked for the next game with `start`, where it is rated and so
    /// waits for both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
}

/// What has changed in a party.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PartyChange {
    /// Somebody joined, or says anew whether they want to play.
    PartyJoined {
        /// Who.
        player: Player,
        /// Whether they want to play.
        plays: bool,
    },
    /// Somebody left.
    PartyLeft {
        /// Who.
        player: Player,
        /// Whether the host wanted it.
        removed: bool,
    },
    /// Somebody else hosts from now on.
    HostChanged {
        /// Who.
        player: Player,
    },
    /// The next games are played by other options.
    OptionsSet {
        /// All of them.
        options: Options,
    },
    /// The seats go round otherwise, or the computer plays at another level.
    TurnsSet {
        /// How they go round.
        turns: Turns,
        /// The level.
        cpu_level: u8,
    },
}
