//! Who hears of what has become durable about players, besides whoever asked for it.
//!
//! Whoever asked may have gone away by then; what a change brings with it is not theirs to do. So
//! the engine that writes tells of each change, in the order of the changes and before any of them
//! is acknowledged.

use std::sync::{Arc, Mutex};

use super::Store;
use super::health::lock;
use super::people::{Change, Which};
use crate::ids::PlayerId;

/// What has become durable about a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayerChange<'a> {
    /// They have another name.
    Renamed {
        /// Who.
        player: PlayerId,
        /// The name.
        name: &'a str,
    },
    /// They are a bot that was deleted: nothing shows any more that somebody is it.
    Retired {
        /// Who.
        player: PlayerId,
    },
    /// Some of their devices or keys are good no more.
    SignedOut {
        /// Who.
        player: PlayerId,
        /// Which of them.
        which: Which,
    },
}

type Ear = dyn Fn(PlayerChange<'_>) + Send + Sync;

/// The one who is told.
#[derive(Clone, Default)]
pub(super) struct Listener(Arc<Mutex<Option<Arc<Ear>>>>);

impl Listener {
    /// Something has changed, and is about to be acknowledged.
    pub(super) fn changed(&self, change: &Change) {
        let told = match change {
            Change::Rename { id, name, .. } => PlayerChange::Renamed { player: *id, name },
            Change::Revoke { player, which } => {
                PlayerChange::SignedOut { player: *player, which: *which }
            }
            Change::Replace { credential, gone } => {
                PlayerChange::SignedOut { player: credential.player, which: Which::One(*gone) }
            }
            Change::Retire { bot, .. } => PlayerChange::Retired { player: *bot },
            // Nobody goes by anything else for these.
            _ => return,
        };
        let ear = lock(&self.0).clone();
        if let Some(ear) = ear {
            ear(told);
        }
    }
}

impl Store {
    /// Has every change of a name, and every end of what shows who somebody is, told to this one
    /// from now on, and to nobody who was told before. It is told by the thread that writes, and
    /// must not wait.
    pub fn tell(&self, ear: impl Fn(PlayerChange<'_>) + Send + Sync + 'static) {
        *lock(&self.listener.0) = Some(Arc::new(ear));
    }
}
