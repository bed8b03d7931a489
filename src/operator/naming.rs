//! Another name for a player, by an operator.
//!
//! Invariant: the name, its line in the log and the player's notice are one write. Sessions, tables
//! and lists hear of it as of a name that the player chose, by the store's telling.

use super::{Desk, MOST_BY, Operator, OperatorError, read_reason, read_text};
use crate::accounts::Name;
use crate::accounts::skeleton::is_reserved;
use crate::ids::PlayerId;
use crate::store::{Act, ActKind, PlayerError};

/// How somebody is to be called, and what is told of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Naming {
    /// The name; without one, a guest's that the server makes.
    pub name: Option<String>,
    /// Why, if that is to be told.
    pub reason: String,
    /// Who does it.
    pub by: String,
}

impl Operator {
    /// Gives a player another name. Returns once it is durable and was told. The name before is free
    /// from then on, as if the player had chosen another.
    ///
    /// # Errors
    /// Nothing was done, unless it is [`OperatorError::Failed`]: the name is none, taken, reserved, or
    /// the player's own.
    pub async fn rename(&self, player: PlayerId, naming: Naming) -> Result<Act, OperatorError> {
        let Naming { name, reason, by } = naming;
        let (reason, by) = (read_reason(&reason)?, read_text("by", &by, MOST_BY)?);
        let name = name.map(|name| Name::new(&name)).transpose()?;
        if let Some(name) = name.as_ref().filter(|name| is_reserved(name.as_str())) {
            return Err(OperatorError::NameReserved(name.to_string()));
        }
        let act = Act {
            player,
            kind: ActKind::Rename,
            by,
            text: reason,
            at_ms: self.now_ms(),
            until_ms: None,
        };
        self.in_turn(|desk| async move { desk.rename(name, act).await }).await
    }
}

impl Desk {
    async fn rename(&self, name: Option<Name>, order: Act) -> Result<Act, OperatorError> {
        let player = order.player;
        let before = self.name_of(player).await?;
        let id = self.chance.notice(self.time.now());
        let mut taken = 0;
        loop {
            let random = || u128::from_le_bytes(self.chance.bytes());
            let called = name.clone().unwrap_or_else(|| Name::guest(random(), taken));
            if before == called.as_str() {
                return Err(OperatorError::SameName(before));
            }
            let text = match &*order.text {
                "" => format!("{before} is now {called}"),
                reason => format!("{before} is now {called}: {reason}"),
            };
            let act = Act { text, ..order.clone() };
            match self.store.rename_by(called.to_string(), act.clone(), id).await {
                // Nobody chose it, so that another is as good.
                Err(PlayerError::NameTaken) if name.is_none() => taken += 1,
                Err(PlayerError::NameTaken) => {
                    return Err(OperatorError::NameTaken(called.to_string()));
                }
                done => {
                    done?;
                    self.tell_of(&act, id);
                    return Ok(act);
                }
            }
        }
    }
}
