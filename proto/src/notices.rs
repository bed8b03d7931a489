//! What an operator has a player told.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Something that a player is told until they say that they have read it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PersonalNotice {
    /// `ntc_…`.
    pub id: String,
    /// What it is about.
    pub kind: NoticeKind,
    /// What it says: a warning, the reason, or what name one has now.
    pub text: String,
    /// Since when, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// Until when a mute holds, likewise; for good without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<u64>,
}

/// What a notice is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    /// A warning.
    Warning,
    /// One is muted.
    Muted,
    /// One is muted no more.
    Unmuted,
    /// One has another name.
    Renamed,
}
