//! What is left to chance, from a seed: the same seed, the same throws.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Throws in a row.
pub struct Dice(ChaCha20Rng);

impl Dice {
    /// The throws of a seed.
    pub fn new(seed: u64) -> Dice {
        Dice(ChaCha20Rng::seed_from_u64(seed))
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = u32::try_from(bound).expect("few choices");
        // Not quite even, which is of no matter to a test.
        (self.0.next_u32() % bound) as usize
    }

    /// Yes, in so many of a hundred cases.
    pub fn percent(&mut self, yes: usize) -> bool {
        self.below(100) < yes
    }

    /// One of several, if there is any.
    pub fn pick<T: Copy>(&mut self, among: &[T]) -> Option<T> {
        (!among.is_empty()).then(|| among[self.below(among.len())])
    }
}
