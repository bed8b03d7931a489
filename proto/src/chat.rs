//! What people say to each other at a table.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::parts::Player;

/// Where something is said.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Room {
    /// Among those who sit at the table.
    Players,
    /// Among everybody else who follows it.
    Watchers,
}

/// Says something at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Say {
    /// `tbl_…`.
    pub table: String,
    /// Where; among one's own, unless said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<Room>,
    /// 1 to 300 visible characters.
    pub text: String,
}

/// Something that was said.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    /// Its number at the table: each is higher than those before.
    pub id: u64,
    /// Who said it.
    pub by: Player,
    /// What.
    pub text: String,
    /// When, in milliseconds since the Unix epoch.
    pub at_ms: u64,
}
