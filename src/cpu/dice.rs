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
        mix(self.0)
    }

    /// A number below `end`, or 0 where that is 0. The bias is below one in a million for boards.
    pub fn below(&mut self, end: usize) -> usize {
        (((self.word() >> 32) * end as u64) >> 32) as usize
    }

    /// A number from 0 up to, not including, 1.
    pub fn unit(&mut self) -> f32 {
        (self.word() >> 40) as f32 / (1u32 << 24) as f32
    }

    /// The same in finer steps.
    pub fn unit_f64(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Draws an index with these chances, which need not sum to 1; none if all are 0.
    pub fn pick(&mut self, chances: impl Iterator<Item = f64> + Clone) -> Option<usize> {
        let total: f64 = chances.clone().sum();
        let mut left = self.unit_f64() * total;
        let mut last = None;
        for (index, chance) in chances.enumerate().filter(|&(_, chance)| chance > 0.0) {
            last = Some(index);
            left -= chance;
            if left < 0.0 {
                break;
            }
        }
        last
    }

    /// Puts the items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}

/// Spreads a number over all 64 bits.
pub const fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}
