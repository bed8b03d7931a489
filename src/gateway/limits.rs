//! How much one session may ask, how many guests one address may make, and how often a player or
//! an address may do what costs. What was used refills smoothly (the generic cell rate algorithm),
//! by the server's own clock.

use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use governor::clock::Clock;
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::state::{InMemoryState, NotKeyed};
use governor::{NotUntil, Quota, RateLimiter};

use super::address::Address;
use super::settings::{Allowance, RequestLimits};
use crate::game::clock::Millis;
use crate::time::TimeSource;

impl Clock for TimeSource {
    type Instant = Duration;

    fn now(&self) -> Duration {
        Duration::from_millis(TimeSource::now(self).0)
    }
}

/// One session's requests.
///
/// One bucket serves both limits: it holds a window's worth, and a request takes the share of it
/// that it has in the limit of the moment. So whoever takes a seat or leaves it neither loses nor
/// gains anything.
#[derive(Debug)]
pub struct Requests {
    bucket: Option<Bucket>,
    refused_in_a_row: u32,
}

#[derive(Debug)]
struct Bucket {
    limits: RequestLimits,
    limiter: RateLimiter<NotKeyed, InMemoryState, TimeSource, NoOpMiddleware<Duration>>,
}

/// Why a request is not taken on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooMuch {
    /// Too early: welcome after this time.
    Wait(Millis),
    /// As [`TooMuch::Wait`], again and again: three windows' worth in a row.
    GoneTooFar,
}

impl Requests {
    /// A session that has asked for nothing; without limits it never asks too much.
    pub fn new(limits: Option<RequestLimits>, time: &TimeSource) -> Requests {
        let bucket = limits.and_then(|limits| {
            // Both limits divide this many units: a request of one costs as many as the other is.
            let units = limits.seated.saturating_mul(limits.watching);
            let quota = quota(units, limits.window)?;
            Some(Bucket { limits, limiter: RateLimiter::direct_with_clock(quota, time.clone()) })
        });
        Requests { bucket, refused_in_a_row: 0 }
    }

    /// Takes one request on.
    ///
    /// # Errors
    /// It is above the limit and counts for nothing but the patience with this session.
    pub fn admit(&mut self, seated: bool) -> Result<(), TooMuch> {
        let Some(Bucket { limits, limiter }) = &self.bucket else { return Ok(()) };
        let (limit, cost) = match seated {
            true => (limits.seated, limits.watching),
            false => (limits.watching, limits.seated),
        };
        match limiter.check_n(cost) {
            // More than the bucket ever holds cannot be asked for: a cost is a share of it.
            Ok(Ok(())) | Err(_) => {
                self.refused_in_a_row = 0;
                Ok(())
            }
            Ok(Err(early)) => {
                self.refused_in_a_row += 1;
                match self.refused_in_a_row > limit.get().saturating_mul(3) {
                    true => Err(TooMuch::GoneTooFar),
                    false => Err(TooMuch::Wait(wait(&early, limiter.clock()))),
                }
            }
        }
    }
}

/// The guests made from each address.
pub type Guests = Each<Address>;

/// How often something is done by each of many: from each address, or by each player.
#[derive(Debug)]
pub struct Each<K: Clone + Eq + Hash> {
    limiter: Option<Keyed<K>>,
    /// With more keys than these, those whose bucket is full again are looked for.
    sweep_at: AtomicUsize,
}

type Keyed<K> = RateLimiter<K, DashMapStateStore<K>, TimeSource, NoOpMiddleware<Duration>>;

/// How many to remember before those whose bucket is full again are forgotten.
const MANY: usize = 10_000;

impl<K: Clone + Eq + Hash> Each<K> {
    /// Nobody has done it yet; without a limit anyone may do it any number of times.
    pub fn new(limit: Option<Allowance>, time: TimeSource) -> Each<K> {
        let quota = limit.and_then(|limit| quota(limit.times, limit.window));
        let limiter = quota.map(|quota| RateLimiter::dashmap_with_clock(quota, time));
        Each { limiter, sweep_at: AtomicUsize::new(MANY) }
    }

    /// Lets one do it once more.
    ///
    /// # Errors
    /// The time until they might.
    pub fn admit(&self, key: K) -> Result<(), Millis> {
        let Some(limiter) = &self.limiter else { return Ok(()) };
        if limiter.len() > self.sweep_at.load(Relaxed) {
            limiter.retain_recent();
            // Where a flood left nothing to forget, each of its keys must not look again.
            self.sweep_at.store((2 * limiter.len()).max(MANY), Relaxed);
        }
        limiter.check_key(&key).map_err(|early| wait(&early, limiter.clock()))
    }
}

fn quota(most: NonZeroU32, window: Millis) -> Option<Quota> {
    let each = Duration::from_millis(window) / most.get();
    Some(Quota::with_period(each)?.allow_burst(most))
}

/// In whole milliseconds, rounded up: a request that waits that long is taken on.
fn wait(early: &NotUntil<Duration>, clock: &TimeSource) -> Millis {
    let wait = early.wait_time_from(Clock::now(clock));
    u64::try_from(wait.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::clock::Stamp;

    fn time() -> TimeSource {
        TimeSource::manual(Stamp(1_700_000_000_000))
    }

    /// How many requests in a row are taken on.
    fn burst(requests: &mut Requests, seated: bool) -> usize {
        (0..).take_while(|_| requests.admit(seated).is_ok()).count()
    }

    #[test]
    fn a_watcher_has_fifty_requests_and_a_seat_a_hundred() {
        let time = time();
        assert_eq!(burst(&mut Requests::new(Some(RequestLimits::default()), &time), false), 50);
        assert_eq!(burst(&mut Requests::new(Some(RequestLimits::default()), &time), true), 100);
    }

    #[test]
    fn what_was_used_refills_smoothly_to_the_millisecond() {
        let time = time();
        let mut requests = Requests::new(Some(RequestLimits::default()), &time);
        assert_eq!(burst(&mut requests, false), 50);
        assert_eq!(requests.admit(false), Err(TooMuch::Wait(400)));
        time.advance(399);
        assert_eq!(requests.admit(false), Err(TooMuch::Wait(1)));
        time.advance(1);
        assert_eq!(requests.admit(false), Ok(()));
        assert_eq!(requests.admit(false), Err(TooMuch::Wait(400)));
        time.advance(20_000);
        assert_eq!(burst(&mut requests, false), 50);
    }

    #[test]
    fn taking_a_seat_halves_what_requests_cost_and_gives_no_second_bucket() {
        let time = time();
        let mut requests = Requests::new(Some(RequestLimits::default()), &time);
        for _ in 0..25 {
            requests.admit(false).unwrap();
        }
        assert_eq!(burst(&mut requests, true), 50);
        assert_eq!(requests.admit(false), Err(TooMuch::Wait(400)));
    }

    #[test]
    fn asking_on_and_on_goes_too_far_and_one_good_request_makes_up_for_it() {
        let time = time();
        let mut requests = Requests::new(Some(RequestLimits::default()), &time);
        assert_eq!(burst(&mut requests, false), 50);
        for _ in 0..149 {
            assert!(matches!(requests.admit(false), Err(TooMuch::Wait(_))));
        }
        time.advance(400);
        assert_eq!(requests.admit(false), Ok(()));
        for _ in 0..150 {
            assert!(matches!(requests.admit(false), Err(TooMuch::Wait(_))));
        }
        assert_eq!(requests.admit(false), Err(TooMuch::GoneTooFar));
    }

    #[test]
    fn without_limits_nothing_is_too_much() {
        let mut requests = Requests::new(None, &time());
        assert!((0..10_000).all(|_| requests.admit(false).is_ok()));
        let guests = Guests::new(None, time());
        assert!((0..1_000).all(|_| guests.admit(Address::of([192, 0, 2, 1].into())).is_ok()));
    }

    #[test]
    fn a_flood_is_looked_through_as_often_as_it_has_doubled_and_forgotten_when_it_is_over() {
        let time = time();
        let limit = Allowance { times: NonZeroU32::new(2).unwrap(), window: 60_000 };
        let each = Each::new(Some(limit), time.clone());
        let mut looked = vec![MANY];
        for n in 0..4 * MANY {
            each.admit(n).unwrap();
            let next = each.sweep_at.load(Relaxed);
            if looked.last() != Some(&next) {
                looked.push(next);
            }
        }
        assert_eq!(looked, [MANY, 2 * MANY + 2, 4 * MANY + 6]);
        time.advance(60_000);
        (0..10).for_each(|n| each.admit(4 * MANY + n).unwrap());
        assert_eq!(each.sweep_at.load(Relaxed), MANY);
        assert!(each.limiter.unwrap().len() <= 10);
    }

    #[test]
    fn guests_are_counted_by_address() {
        let time = time();
        let limit = Allowance { times: NonZeroU32::new(2).unwrap(), window: 60_000 };
        let guests = Guests::new(Some(limit), time.clone());
        let [one, two] = [1, 2].map(|n| Address::of([192, 0, 2, n].into()));
        assert_eq!([guests.admit(one), guests.admit(one)], [Ok(()), Ok(())]);
        assert_eq!(guests.admit(one), Err(30_000));
        assert_eq!(guests.admit(two), Ok(()));
        time.advance(30_000);
        assert_eq!(guests.admit(one), Ok(()));
    }
}
