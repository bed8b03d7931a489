//! Players: who somebody is, what shows it, and how well they play.
//!
//! Owns the making of guests and bots and the checking of names, tokens, keys and phrases.
//! Invariants: a secret is told once and never kept, what is stored of it is a hash; no two players
//! have names that are [too alike](skeleton); a token that is replaced is good until the new one
//! was shown, so that whoever misses the answer is still who they were.
//!
//! Reading order: [`name`] and [`skeleton`], [`token`], [`phrase`], then what is done with them:
//! this file, `devices` (tokens, recovery, signing out), `bots`, `shuns`, `reports` and `conduct` (what
//! operators have done); and [`leavers`].

mod bots;
mod conduct;
mod devices;
mod shuns;
mod reports;
pub mod leavers;
pub mod name;
pub mod phrase;
pub mod skeleton;
pub mod text;
pub mod token;
pub mod ratings;

use std::sync::Arc;

pub use bots::{Bot, MOST_BOTS, MOST_KEYS};
pub use devices::MOST_DEVICES;
pub use name::{BadName, Name};
pub use phrase::{BadPhrase, Phrase};
pub use reports::{BadText, Complaint, Report};
pub use shuns::MOST_SHUNNED;
pub use token::Token;

use crate::chance::Chance;
use crate::game::clock::{Millis, Stamp};
use crate::gateway::address::Address;
use crate::gateway::limits::Each;
use crate::gateway::settings::Allowance;
use crate::ids::{KeyId, PlayerId, TableId};
use crate::store::{
    CredentialRow, Holder, PlayerError, PlayerRow, ReadError, Shun, Store, TokenHash,
};
use crate::table::handle::Player;
use crate::time::TimeSource;
use skeleton::NameKeys;

/// Makes players, finds them by their tokens, and renames them. Clones share one store.
#[derive(Clone)]
pub struct Accounts {
    store: Store,
    time: TimeSource,
    chance: Chance,
    limits: Arc<Limits>,
}

/// How often what costs may be done.
#[derive(Debug)]
struct Limits {
    /// Other names for one player.
    renames: Each<PlayerId>,
    /// Tokens, phrases, bots and keys for one player, and how often they sign other devices out.
    secrets: Each<PlayerId>,
    /// Players blocked, or muted, by one player.
    shuns: Each<(Shun, PlayerId)>,
    /// Reports made by one player.
    reports: Each<PlayerId>,
    /// Reports made from one address.
    reports_from: Each<Address>,
    /// Phrases tried from one address.
    phrases: Each<Address>,
}

impl Limits {
    fn new(on: bool, time: &TimeSource) -> Limits {
        let an_hour = |times| on.then(|| Allowance::an_hour(times));
        Limits {
            renames: Each::new(an_hour(5), time.clone()),
            secrets: Each::new(an_hour(60), time.clone()),
            shuns: Each::new(an_hour(120), time.clone()),
            reports: Each::new(an_hour(10), time.clone()),
            reports_from: Each::new(an_hour(20), time.clone()),
            phrases: Each::new(an_hour(20), time.clone()),
        }
    }
}

/// Somebody who has shown who they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Known {
    /// The player.
    pub player: Player,
    /// The device or key by which they are known.
    pub credential: KeyId,
    /// The hash of the token that they showed.
    shown: TokenHash,
    issued: Stamp,
    /// Since when a token is in waiting.
    next: Option<Stamp>,
}

impl Known {
    /// The hash of the token that they showed.
    pub fn shown(&self) -> TokenHash {
        self.shown
    }
}

/// Why something could not be had of a player, or for one. Nothing has changed.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// The store could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The store could not be written.
    #[error(transparent)]
    Write(#[from] PlayerError),
    /// The system gave no random bits.
    #[error("no random bits from the system: {0}")]
    Random(#[from] getrandom::Error),
    /// An operator keeps the player out.
    #[error("you are banned {}: {reason}", for_how_long(*.wait))]
    Banned {
        /// Why.
        reason: Arc<str>,
        /// For how long yet; for good without.
        wait: Option<Millis>,
    },
    /// The name is somebody's, or would pass for somebody's.
    #[error("`{name}` is somebody's name already, or looks like one: `{free}` is free")]
    NameTaken {
        /// The name that was asked for.
        name: Name,
        /// One that is free.
        free: Name,
    },
    /// The name would pass for the house's, or for one that the server gives.
    #[error("`{name}` is a name that is reserved for the house: `{free}` is free")]
    NameReserved {
        /// The name that was asked for.
        name: Name,
        /// One that is free.
        free: Name,
    },
    /// Done too often.
    #[error("too {what}: try again in {}", minutes(*.wait))]
    TooOften {
        /// What is.
        what: &'static str,
        /// After how long it would not be.
        wait: Millis,
    },
    /// Text that is not what it should be.
    #[error(transparent)]
    Phrase(#[from] BadPhrase),
    /// The phrase is a good one, and nobody's.
    #[error("that phrase is nobody's: an earlier one is good no more once there is a newer")]
    UnknownPhrase,
    /// There are as many as there may be.
    #[error("you have {most} {what}, and more there may not be")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there may be.
        most: usize,
    },
    /// There is no such player.
    #[error("there is no player {0}")]
    UnknownPlayer(PlayerId),
    /// There is no such table.
    #[error("there is no table {0}")]
    UnknownTable(TableId),
    /// Text that says nothing to an operator.
    #[error(transparent)]
    Report(#[from] BadText),
    /// There is an open report of the same player about the same other.
    #[error("you have reported this player: once that report is settled, you may do so again")]
    AlreadyReported,
    /// All players together have as many open reports as the operator has room for.
    #[error("as many reports are open as the operator has room for: try again in an hour")]
    NoRoom,
    /// Nobody blocks, mutes or reports themselves.
    #[error("that is yourself: name somebody else")]
    Oneself,
    /// There is no such bot, or it is somebody else's.
    #[error("you have no such bot")]
    UnknownBot,
    /// There is no such key, or it is another bot's.
    #[error("this bot has no such key")]
    UnknownKey,
    /// There is no such device, or it is somebody else's.
    #[error("no such device is signed in: `GET /v1/me` lists those that are")]
    UnknownDevice,
    /// Bots have no bots, devices or phrases.
    #[error("this is for people: a bot has only its keys, which are its owner's affair")]
    NotForBots,
}

/// A token that was shown less than this after it was last noted is not noted again.
const NOTED_EVERY_MS: Millis = 3_600_000;

impl Accounts {
    /// Accounts kept in this store, of people who do nothing too often.
    pub fn new(store: Store, time: TimeSource, chance: Chance) -> Accounts {
        let limits = Arc::new(Limits::new(false, &time));
        Accounts { store, time, chance, limits }
    }

    /// The same accounts, with limits: 5 renames, 60 tokens, phrases, bots, keys and signings out,
    /// 120 blocks and as many mutes, and 10 reports an hour for each player, and 20 phrases tried
    /// and 20 reports an hour from each address.
    pub fn limited(self) -> Accounts {
        Accounts { limits: Arc::new(Limits::new(true, &self.time)), ..self }
    }

    /// Who holds this token or key; none if it is nobody's. A token that takes the place of another
    /// has taken it when this returns.
    ///
    /// # Errors
    /// [`AccountError::Banned`], besides those of the store.
    pub async fn by_token(&self, token: &Token) -> Result<Option<Known>, AccountError> {
        let shown = token.hash();
        let Some(holder) = self.store.holder(shown).await? else { return Ok(None) };
        self.let_in(holder.player.id)?;
        let now = self.time.now();
        let Holder { player: row, credential, issued_ms, used_ms, next_ms, replaces, .. } = holder;
        if let Some(retired) = replaces {
            self.store.promote(credential, shown, retired, now.0).await?;
        } else if used_ms.is_none_or(|used| now - Stamp(used) >= NOTED_EVERY_MS) {
            self.store.note_use(credential, shown, now.0);
        }
        let next = next_ms.filter(|_| replaces.is_none()).map(Stamp);
        let issued = Stamp(match replaces {
            Some(_) => next_ms.unwrap_or(issued_ms),
            None => issued_ms,
        });
        Ok(Some(Known { player: player(row), credential, shown, issued, next }))
    }

    /// Who is known by what has this hash, and which device or key that is; none if it is good no
    /// more. Notes nothing.
    ///
    /// # Errors
    /// [`AccountError::Banned`], besides those of the store.
    pub async fn holder_of(
        &self,
        shown: TokenHash,
    ) -> Result<Option<(Player, KeyId)>, AccountError> {
        let holder = self.store.holder(shown).await?;
        holder.as_ref().map_or(Ok(()), |holder| self.let_in(holder.player.id))?;
        Ok(holder.map(|holder| (player(holder.player), holder.credential)))
    }

    /// Makes a guest who is known by `token` from now on, with a name like "Guest 4821" unless one
    /// was chosen. Returns once that is durable.
    ///
    /// # Errors
    /// [`AccountError::NameTaken`] or [`AccountError::NameReserved`] for a chosen name.
    pub async fn create_guest(
        &self,
        token: &Token,
        name: Option<Name>,
    ) -> Result<Known, AccountError> {
        if let Some(name) = &name {
            self.check(name).await?;
        }
        let mut taken = 0;
        loop {
            let now = self.time.now();
            let id = self.chance.player(now);
            let random = || u128::from_le_bytes(self.chance.bytes());
            let called = name.clone().unwrap_or_else(|| Name::guest(random(), taken));
            let row = PlayerRow { id, name: called.to_string(), created_ms: now.0, owner: None };
            let device = CredentialRow::device(self.chance.key(now), id, token.hash(), now.0);
            let credential = device.id;
            match (self.store.create_player(row.clone(), device).await, &name) {
                // Nobody chose it, so that another is as good.
                (Err(PlayerError::NameTaken), None) => taken += 1,
                (Err(PlayerError::NameTaken), Some(name)) => return Err(self.taken(name).await?),
                (done, _) => {
                    done?;
                    let player = player(row);
                    let (shown, issued) = (token.hash(), now);
                    return Ok(Known { player, credential, shown, issued, next: None });
                }
            }
        }
    }

    /// Gives a player another name. Returns once that is durable.
    ///
    /// # Errors
    /// [`AccountError::NameTaken`] or [`AccountError::NameReserved`].
    pub async fn rename(&self, player: Player, name: Name) -> Result<Player, AccountError> {
        if *player.name == *name.as_str() {
            return Ok(player);
        }
        // One's own name in other letters is one's own. What is refused here counts for no limit.
        let (own, other) = (NameKeys::of(&player.name), NameKeys::of(name.as_str()));
        if skeleton::is_reserved(name.as_str()) {
            return Err(self.taken(&name).await?);
        }
        if own.folded != other.folded && own.look != other.look {
            self.check(&name).await?;
        }
        let limited = self.limits.renames.admit(player.id);
        limited.map_err(|wait| AccountError::TooOften { what: "many names", wait })?;
        match self.store.rename_player(player.id, name.to_string()).await {
            Ok(()) => Ok(Player { name: name.as_str().into(), ..player }),
            Err(PlayerError::NameTaken) => Err(self.taken(&name).await?),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether somebody new may have this name, as far as is known before it is theirs.
    async fn check(&self, name: &Name) -> Result<(), AccountError> {
        let reserved = skeleton::is_reserved(name.as_str());
        if reserved || !self.store.is_name_free(name.as_str()).await? {
            return Err(self.taken(name).await?);
        }
        Ok(())
    }

    /// The refusal of a name, with another in its place.
    async fn taken(&self, name: &Name) -> Result<AccountError, AccountError> {
        let reserved = skeleton::is_reserved(name.as_str());
        let base = match reserved || skeleton::is_reserved(name.numbered(2).as_str()) {
            true => Name::player(),
            false => name.clone(),
        };
        let refusal = |free| match (reserved, name.clone()) {
            (true, name) => AccountError::NameReserved { name, free },
            (false, name) => AccountError::NameTaken { name, free },
        };
        // The first numbers are the likeliest to please; after these, chance finds one quickly.
        let random = || u32::from_le_bytes(self.chance.bytes());
        let numbers = (2..10).chain(std::iter::repeat_with(|| 100 + random() % 900).take(4));
        for number in numbers {
            let free = base.numbered(number);
            if self.store.is_name_free(free.as_str()).await? {
                return Ok(refusal(free));
            }
        }
        Ok(refusal(base.numbered(1_000_000 + random() % 9_000_000)))
    }
}

/// A wait in words, rounded up.
pub fn minutes(wait: Millis) -> String {
    match wait.div_ceil(60_000) {
        ..=1 => "a minute".to_owned(),
        minutes @ ..=90 => format!("{minutes} minutes"),
        minutes => match minutes.div_ceil(60) {
            hours @ ..=48 => format!("{hours} hours"),
            hours => format!("{} days", hours.div_ceil(24)),
        },
    }
}

/// For how long something holds, in words.
pub fn for_how_long(wait: Option<Millis>) -> String {
    wait.map_or_else(|| "for good".to_owned(), |wait| format!("for {}", minutes(wait)))
}

fn player(row: PlayerRow) -> Player {
    Player { id: row.id, name: Arc::from(row.name), cpu: None, bot: row.owner.is_some() }
}

#[cfg(test)]
mod tests;
