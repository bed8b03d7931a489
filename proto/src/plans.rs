//! What a seat means to play while the other is still thinking: a move in answer to whatever comes,
//! and lines of moves in answer to particular ones. Only ever told to the seat whose it is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::parts::Move;

/// Plans answers to the other seat's next move, in place of what was planned before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MakePlan {
    /// `tbl_…`.
    pub table: String,
    /// `gam_…`: the game that is meant.
    pub game: String,
    /// As in `move`.
    pub command: String,
    /// The turn that the other seat is to answer. A plan of nothing is taken at any turn.
    pub turn: u64,
    /// What to play whatever comes, unless a line says otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub premove: Option<Move>,
    /// Lines of moves: the other seat's, one's own answer to it, and so on by turns. Each ends with
    /// an own move. At most 30 of at most 20 moves, and 200 moves in all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Vec<Move>>,
}

/// What a seat has planned.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// What is played whatever comes, unless a line says otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub premove: Option<Move>,
    /// Lines of moves, each beginning with the other seat's next one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Vec<Move>>,
}

/// Why a plan was dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WhyDropped {
    /// The other seat played a move that no line begins with.
    Unmatched,
    /// What was planned cannot be played any more.
    Illegal,
    /// The other seat swapped, which no line begins with.
    Swapped,
    /// One has moved otherwise, or the computer has.
    Moved,
    /// Moves were taken back.
    TakenBack,
    /// The game is over.
    Ended,
}
