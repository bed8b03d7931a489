//! One player on several devices: tokens that are renewed, the recovery phrase, signing out.

use super::{AccountError, Accounts, Known, Phrase, Token, player};
use crate::game::clock::Millis;
use crate::gateway::address::Address;
use crate::ids::{KeyId, PlayerId};
use crate::store::{CredentialRow, PlayerError, Which};

/// The devices of one player that are known at a time. With one more, the one that was not used for
/// longest is signed out.
pub const MOST_DEVICES: usize = 20;

/// How old a token is when it is renewed without being asked.
const OLD_MS: Millis = 90 * 24 * 3_600_000;

/// How long a token may be on its way to a browser. No other is sent after it meanwhile: the one
/// that arrives last would be kept, be it the one that is good no more.
const ON_ITS_WAY_MS: Millis = 60_000;

impl Accounts {
    /// A token to take the place of the one that was shown, if that one has grown old. Whoever has
    /// the old one only is still who they are, until the new one was shown.
    pub async fn renew_if_old(&self, known: &Known) -> Option<Token> {
        let now = self.time.now();
        let waits = known.next.is_some_and(|since| now - since < ON_ITS_WAY_MS);
        if known.player.bot || waits || now - known.issued < OLD_MS {
            return None;
        }
        let renewed = self.renew(known).await;
        // The old one is good, and a better time will come.
        renewed.inspect_err(|error| tracing::debug!(%error, "a token was not renewed")).ok()
    }

    /// A token to take the place of the one that was shown, by being shown itself. Returns once
    /// that is durable.
    pub async fn renew(&self, known: &Known) -> Result<Token, AccountError> {
        self.spend(known)?;
        let next = Token::generate()?;
        let now = self.time.now();
        self.store.renew(known.credential, known.shown, next.hash(), now.0).await?;
        Ok(next)
    }

    /// A new recovery phrase, in place of an earlier one. Returns once that is durable.
    pub async fn new_phrase(&self, known: &Known) -> Result<Phrase, AccountError> {
        self.spend(known)?;
        let phrase = Phrase::generate()?;
        self.store.set_recovery(known.player.id, phrase.hash()).await?;
        Ok(phrase)
    }

    /// Whether a player has a recovery phrase.
    pub async fn is_claimed(&self, player: PlayerId) -> Result<bool, AccountError> {
        Ok(self.store.is_claimed(player).await?)
    }

    /// Signs in on a new device, to be known by `token`, with what is said to be a phrase. Returns
    /// once that is durable. Only what may be somebody's phrase counts for the limit of its address;
    /// none does without an address.
    pub async fn recover(
        &self,
        text: &str,
        token: &Token,
        from: Option<Address>,
    ) -> Result<Known, AccountError> {
        let phrase = Phrase::read(text)?;
        if let Some(address) = from {
            let limited = self.limits.phrases.admit(address);
            limited.map_err(|wait| AccountError::TooOften { what: "many phrases", wait })?;
        }
        let found = self.store.player_by_recovery(phrase.hash()).await?;
        let row = found.ok_or(AccountError::UnknownPhrase)?;
        self.let_in(row.id)?;
        let (now, shown) = (self.time.now(), token.hash());
        let device = CredentialRow::device(self.chance.key(now), row.id, shown, now.0);
        let credential = device.id;
        self.admit(device).await?;
        Ok(Known { player: player(row), credential, shown, issued: now, next: None })
    }

    /// Adds a device; where there are as many as there may be, in place of the one that was not
    /// used for longest.
    async fn admit(&self, device: CredentialRow) -> Result<(), AccountError> {
        loop {
            match self.store.admit(device.clone(), MOST_DEVICES).await {
                Err(PlayerError::Full) => {}
                done => return Ok(done?),
            }
            let devices = self.store.credentials(device.player).await?;
            let Some(oldest) = devices.iter().min_by_key(|it| (it.used_ms, it.id)) else {
                continue;
            };
            match self.store.replace(device.clone(), oldest.id).await {
                // Somebody else has signed that one out meanwhile.
                Err(PlayerError::Unknown) => {}
                done => return Ok(done?),
            }
        }
    }

    /// A player's devices, the oldest first.
    pub async fn devices(&self, player: PlayerId) -> Result<Vec<CredentialRow>, AccountError> {
        Ok(self.store.credentials(player).await?)
    }

    /// Signs out every device but the one that was shown. Returns once that is durable.
    pub async fn sign_out_others(&self, known: &Known) -> Result<(), AccountError> {
        self.spend(known)?;
        match self.store.revoke(known.player.id, Which::AllBut(known.credential)).await {
            // There is none but this one.
            Ok(()) | Err(PlayerError::Unknown) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

impl Accounts {
    /// Signs one device out, be it the one that was shown. Returns once that is durable.
    pub async fn sign_out(&self, known: &Known, device: KeyId) -> Result<(), AccountError> {
        for_people(known)?;
        match self.store.revoke(known.player.id, Which::One(device)).await {
            Ok(()) => Ok(()),
            Err(PlayerError::Unknown) => Err(AccountError::UnknownDevice),
            Err(error) => Err(error.into()),
        }
    }

    /// Counts one more secret, or the end of some, against the person's limit.
    pub(super) fn spend(&self, known: &Known) -> Result<(), AccountError> {
        for_people(known)?;
        let limited = self.limits.secrets.admit(known.player.id);
        limited.map_err(|wait| AccountError::TooOften { what: "many secrets", wait })
    }
}

/// Refuses what is for people to a bot.
pub(super) fn for_people(known: &Known) -> Result<(), AccountError> {
    if known.player.bot { Err(AccountError::NotForBots) } else { Ok(()) }
}
