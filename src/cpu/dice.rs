//! Random numbers of a search: small, fast, and the same for the same seed on every machine.
//!
//! The generator is SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
//! Generators", 2014). Nothing secret is drawn from it.

/// A generator.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The generator of a seed.
    pub fn new(seed: u64) -> Dice {
        let mut dice = Dice(seed ^ 0x6a09_e667_f3bc_c909);
        dice.word();
        dice
    }

    /// The next 64 bits.
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below `end`, which is not 0. The bias is below one in a million for boards.
    pub fn below(&mut self, end: usize) -> usize {
        (((self.word() >> 32) * end as u64) >> 32) as usize
    }

    /// A number from 0 up to, not including, 1.
    pub fn unit(&mut self) -> f32 {
        (self.word() >> 40) as f32 / (1u32 << 24) as f32
    }
}
