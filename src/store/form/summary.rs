//! What lists say of a game that is over, as it is kept beside its result.

use hexhall_proto::options::Options;
use hexhall_proto::parts::{Outcome, Player};
use serde::{Deserialize, Serialize};

use super::FormError;

/// What lists say of a game that is over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// What it was played by.
    pub options: Options,
    /// Who played it, seat 1 first, by the names that they had then.
    pub seats: [Option<Player>; 2],
    /// How it ended.
    pub outcome: Outcome,
}

impl Summary {
    /// Writes it.
    pub fn write(&self) -> Result<Vec<u8>, FormError> {
        Ok(serde_json::to_vec(self)?)
    }

    /// Reads it.
    pub fn read(bytes: &[u8]) -> Result<Summary, FormError> {
        Ok(serde_json::from_slice(bytes)?)
    }
}
