//! How long to wait before trying again: twice as long each time, up to a bound, and never the
//! same for everybody, so that a server that comes back is not met by all at once. PURE.

use std::time::Duration;

/// The shape of the waiting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Backoff {
    /// The wait before the first retry, at most.
    pub first: Duration,
    /// The longest wait there is.
    pub most: Duration,
}

impl Default for Backoff {
    fn default() -> Backoff {
        Backoff { first: Duration::from_millis(100), most: Duration::from_secs(5) }
    }
}

impl Backoff {
    /// The wait before retry number `retry`, counted from 0. `random` spreads it evenly over the
    /// upper half of what that retry may wait.
    pub fn wait(&self, retry: u32, random: u32) -> Duration {
        let longest = self.first.saturating_mul(1 << retry.min(20)).min(self.most);
        spread(longest, random)
    }
}

/// Between half of `longest` and all of it.
pub fn spread(longest: Duration, random: u32) -> Duration {
    longest / 2 + (longest / 2).mul_f64(f64::from(random) / f64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_bound_and_are_spread_over_their_upper_half() {
        let ms = Duration::from_millis;
        let backoff = Backoff { first: ms(100), most: ms(1_000) };
        let bounds = |retry| (backoff.wait(retry, 0), backoff.wait(retry, u32::MAX));
        assert_eq!(bounds(0), (ms(50), ms(100)));
        assert_eq!(bounds(1), (ms(100), ms(200)));
        assert_eq!(bounds(3), (ms(400), ms(800)));
        assert_eq!(bounds(4), (ms(500), ms(1_000)));
        assert_eq!(bounds(u32::MAX), (ms(500), ms(1_000)));
    }
}
