//! Where randomness comes from: the machine, or a seed.
//!
//! Names, seeds and invitations that nobody may choose or guess are drawn here and nowhere else,
//! so that a test can have them all from one seed. Tokens are not: those come from the machine
//! alone.

use std::sync::{Arc, Mutex, PoisonError};

use data_encoding::BASE64URL_NOPAD;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::game::clock::Stamp;
use crate::ids::{GameId, KeyId, MatchId, NoticeId, PlayerId, ReportId, SeekId, TableId};
use crate::table::state::Fresh;

/// Draws what nobody may choose. Clones share one source.
#[derive(Clone, Debug)]
pub struct Chance(Arc<Mutex<ChaCha20Rng>>);

/// The machine gave no randomness.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the operating system gives no random numbers: {0}")]
pub struct NoRandomness(getrandom::Error);

impl Chance {
    /// A generator that the machine has seeded.
    pub fn system() -> Result<Chance, NoRandomness> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(NoRandomness)?;
        Ok(Chance::seeded(seed))
    }

    /// The same draws for the same seed, in the same order of asking.
    pub fn seeded(seed: [u8; 32]) -> Chance {
        Chance(Arc::new(Mutex::new(ChaCha20Rng::from_seed(seed))))
    }

    /// So many random bytes.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(&mut bytes);
        bytes
    }

    /// A new table's name.
    pub fn table(&self, now: Stamp) -> TableId {
        TableId::from_parts(now.0, u128::from_le_bytes(self.bytes()))
    }

    /// A new seek's name.
    pub fn seek(&self, now: Stamp) -> SeekId {
        SeekId::from_parts(now.0, u128::from_le_bytes(self.bytes()))
    }

    /// A new match's name.
    pub fn pairing(&self, now: Stamp) -> MatchId {
        MatchId::from_parts(now.0, u128::from_le_bytes(self.bytes()))
    }

    /// A new player's name.
    pub fn player(&self, now: Stamp) -> PlayerId {
        PlayerId::from_parts(now.0, u128::from_le_bytes(self.bytes()))
    }

    /// A new device's or key's name.
    pub fn key(&self, now: Stamp) -> KeyId {
        KeyId::from_parts(now.0, u128::from_le_bytes(self.bytes()))
    }

    /// A new notice's name.
    pub fn notice(&self, now: Stamp) -> NoticeId {
        NoticeId::from_parts(now.0, u128::from_le_bytes(self.bytes()))
    }

    /// A new report's name.
    pub fn report(&self, now: Stamp) -> ReportId {
        ReportId::from_parts(now.0, u128::from_le_bytes(self.bytes()))
    }

    /// What a new game needs. Its name is the key to the record of a private game, so that it may
    /// not follow from those of others, be they of the same millisecond.
    pub fn game(&self, now: Stamp) -> Fresh {
        let game = GameId::from_parts(now.0, u128::from_le_bytes(self.bytes()));
        Fresh { game, seed: self.bytes() }
    }

    /// A number, any as likely as any other.
    pub fn number(&self) -> u64 {
        u64::from_le_bytes(self.bytes())
    }

    /// A private table's invitation: 128 random bits as text.
    pub fn invitation(&self) -> Box<str> {
        BASE64URL_NOPAD.encode(&self.bytes::<16>()).into()
    }
}
