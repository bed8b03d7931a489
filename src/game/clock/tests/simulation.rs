//! A deliberately slow clock that ticks once a millisecond, and random games on both.

use proptest::prelude::*;

use super::super::*;

/// One seat's time, counted down.
#[derive(Clone, Copy)]
struct Hand {
    main: u64,
    periods: u64,
    in_period: bool,
    first: u64,
    moved: bool,
    fell: Option<Flag>,
}

struct Simulation {
    time_control: TimeControl,
    now: u64,
    hands: [Hand; 2],
    running: Option<Seat>,
    /// Ticks that the running turn was charged.
    used: u64,
}

impl Simulation {
    fn new(time_control: TimeControl) -> Simulation {
        let (main, periods, in_period) = match time_control.control() {
            Control::None => (0, 0, false),
            Control::Fischer { initial_ms: 0, increment_ms, .. } => (increment_ms, 0, false),
            Control::Fischer { initial_ms, .. } => (initial_ms, 0, false),
            Control::PerTurn { turn_ms } => (turn_ms, 0, false),
            Control::ByoYomi { initial_ms: 0, period_ms, periods } => {
                (period_ms, u64::from(periods), true)
            }
            Control::ByoYomi { initial_ms, periods, .. } => (initial_ms, periods.into(), false),
        };
        let first = time_control.first_move_ms().unwrap_or(0);
        let hand = Hand { main, periods, in_period, first, moved: false, fell: None };
        Simulation { time_control, now: 0, hands: [hand; 2], running: None, used: 0 }
    }

    fn tick(&mut self) {
        self.now += 1;
        let Some(seat) = self.running else { return };
        let hand = &mut self.hands[seat.index()];
        if hand.fell.is_some() {
            return;
        }
        self.used += 1;
        if self.time_control.control() != Control::None {
            hand.main -= 1;
            if hand.main == 0 {
                if hand.in_period {
                    hand.periods -= 1;
                }
                match self.time_control.control() {
                    Control::ByoYomi { period_ms, .. } if hand.periods > 0 => {
                        hand.in_period = true;
                        hand.main = period_ms;
                    }
                    _ => hand.fell = Some(Flag::Main),
                }
            }
        }
        if self.time_control.first_move_ms().is_some() && !hand.moved {
            hand.first -= 1;
            if hand.first == 0 {
                hand.fell = Some(Flag::FirstMove);
            }
        }
    }

    fn start(&mut self, seat: Seat) {
        self.running = Some(seat);
        self.used = 0;
        let hand = &mut self.hands[seat.other().index()];
        if hand.fell.is_some() {
            return;
        }
        hand.first = self.time_control.first_move_ms().unwrap_or(0);
        match self.time_control.control() {
            Control::PerTurn { turn_ms } if hand.main < turn_ms => hand.main = turn_ms,
            Control::ByoYomi { period_ms, .. } if hand.in_period && hand.main < period_ms => {
                hand.main = period_ms;
            }
            _ => {}
        }
    }

    fn complete(&mut self, seat: Seat) -> u64 {
        let used = if self.running == Some(seat) { self.used } else { 0 };
        self.running = None;
        let hand = &mut self.hands[seat.index()];
        if hand.fell.is_some() {
            return used;
        }
        hand.moved = true;
        match self.time_control.control() {
            Control::Fischer { increment_ms, cap_ms, .. } => {
                for _ in 0..increment_ms {
                    if cap_ms.is_none_or(|cap_ms| hand.main < cap_ms) {
                        hand.main += 1;
                    }
                }
            }
            Control::PerTurn { turn_ms } => hand.main = turn_ms,
            Control::ByoYomi { period_ms, .. } if hand.in_period => hand.main = period_ms,
            _ => {}
        }
        used
    }

    fn give(&mut self, seat: Seat, more: u64) {
        let over = self.running.is_some_and(|seat| self.hands[seat.index()].fell.is_some());
        let hand = &mut self.hands[seat.index()];
        if !over && hand.fell.is_none() && self.time_control.control() != Control::None {
            hand.main += more;
        }
    }

    fn reading(&self, seat: Seat) -> Reading {
        let hand = self.hands[seat.index()];
        Reading {
            left_ms: (self.time_control.control() != Control::None).then_some(hand.main),
            periods: (hand.periods - u64::from(hand.in_period && hand.periods > 0)) as u8,
            first_move_ms: self
                .time_control
                .first_move_ms()
                .filter(|_| !hand.moved)
                .and(Some(hand.first)),
        }
    }

    fn flag(&self) -> Option<(Seat, Flag)> {
        let seat = self.running?;
        self.hands[seat.index()].fell.map(|why| (seat, why))
    }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Wait(u64),
    /// Waits until about the deadline, if it is near: from 2 ms before it to 2 ms after.
    WaitForFlag(u64),
    Start(Seat),
    Stop,
    Complete(Seat),
    Give(Seat, u64),
    Restore,
}

fn seat() -> impl Strategy<Value = Seat> {
    prop_oneof![Just(Seat::One), Just(Seat::Two)]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..400u64).prop_map(Step::Wait),
        1 => (0..2_500u64).prop_map(Step::Wait),
        1 => (0..=4u64).prop_map(Step::WaitForFlag),
        4 => seat().prop_map(Step::Start),
        1 => Just(Step::Stop),
        4 => seat().prop_map(Step::Complete),
        1 => (seat(), 0..700u64).prop_map(|(seat, more)| Step::Give(seat, more)),
        1 => Just(Step::Restore),
    ]
}

fn time_control() -> impl Strategy<Value = TimeControl> {
    let fischer = (0..3_000u64, 0..300u64, proptest::option::of(0..500u64)).prop_map(
        |(initial_ms, increment_ms, above)| {
            let cap_ms = above.map(|above| initial_ms.max(increment_ms) + above);
            Control::Fischer { initial_ms, increment_ms, cap_ms }
        },
    );
    let byo_yomi =
        (0..1_500u64, 1_000..1_200u64, 1..4u8).prop_map(|(initial_ms, period_ms, periods)| {
            Control::ByoYomi { initial_ms, period_ms, periods }
        });
    let control = prop_oneof![
        1 => Just(Control::None),
        3 => fischer,
        3 => (1_000..2_000u64).prop_map(|turn_ms| Control::PerTurn { turn_ms }),
        4 => byo_yomi,
    ];
    (control, proptest::option::of(1_000..3_000u64))
        .prop_filter_map("a clock that never has time", |(control, first_move_ms)| {
            TimeControl::new(control, first_move_ms).ok()
        })
}

/// Both clocks show the same, and the same flag has or has not fallen.
fn assert_same(clock: &Clock, simulation: &Simulation) -> Result<(), TestCaseError> {
    let now = Stamp(simulation.now);
    for seat in Seat::BOTH {
        prop_assert_eq!(clock.reading(seat, now), simulation.reading(seat));
        prop_assert_eq!(clock.has_moved(seat), simulation.hands[seat.index()].moved);
    }
    prop_assert_eq!(clock.running(), simulation.running);
    let flag = clock.flagged(now).map(|deadline| (deadline.seat, deadline.why));
    prop_assert_eq!(flag, simulation.flag());
    Ok(())
}

/// The clock rebuilt from what it shows now, with the same turn resumed.
fn restored(clock: &Clock, now: Stamp) -> Clock {
    let readings = Seat::BOTH.map(|seat| clock.reading(seat, now));
    let moved = Seat::BOTH.map(|seat| clock.has_moved(seat));
    let mut restored = Clock::restore(*clock.time_control(), readings, moved).unwrap();
    if let Some(seat) = clock.running() {
        restored.start_turn(seat, now);
    }
    restored
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_clock_shows_what_a_ticking_one_shows_and_falls_with_it(
        time_control in time_control(),
        steps in proptest::collection::vec(step(), 1..40),
    ) {
        let mut clock = Clock::new(time_control);
        let mut simulation = Simulation::new(time_control);
        assert_same(&clock, &simulation)?;
        for step in steps {
            let now = Stamp(simulation.now);
            let mut ticks = 0;
            match step {
                Step::Wait(ms) => ticks = ms,
                Step::WaitForFlag(about) => {
                    let until = clock.deadline().map_or(0, |deadline| deadline.at - now);
                    ticks = (until + about).saturating_sub(2).min(6_000);
                }
                Step::Start(seat) => {
                    clock.start_turn(seat, now);
                    simulation.start(seat);
                }
                Step::Stop => {
                    clock.stop(now);
                    simulation.running = None;
                }
                Step::Complete(seat) => {
                    let spent = clock.complete_turn(seat, now);
                    prop_assert_eq!(spent.used_ms, simulation.complete(seat));
                    prop_assert_eq!(spent.reading, simulation.reading(seat));
                }
                Step::Give(seat, more) => {
                    clock.give(seat, more, now);
                    simulation.give(seat, more);
                }
                Step::Restore => {
                    clock = restored(&clock, now);
                    simulation.used = 0;
                }
            }
            for _ in 0..ticks {
                simulation.tick();
                assert_same(&clock, &simulation)?;
            }
            assert_same(&clock, &simulation)?;
        }
    }

    #[test]
    fn a_restored_clock_equals_the_original_at_every_later_instant(
        time_control in time_control(),
        turns in proptest::collection::vec(0..900u64, 0..6),
        into_turn in 0..3_000u64,
        later in proptest::collection::vec(0..9_000u64, 1..20),
    ) {
        let mut clock = Clock::new(time_control);
        let (mut now, mut seat) = (Stamp(0), Seat::One);
        for ms in turns {
            clock.start_turn(seat, now);
            now = now + ms;
            clock.complete_turn(seat, now);
            seat = seat.other();
        }
        clock.start_turn(seat, now);
        now = now + into_turn;
        let fell = clock.flagged(now).is_some();
        let rebuilt = restored(&clock, now);
        for at in later.into_iter().map(|ms| now + ms) {
            for seat in Seat::BOTH {
                prop_assert_eq!(rebuilt.reading(seat, at), clock.reading(seat, at));
            }
            prop_assert_eq!(rebuilt.flagged(at).is_some(), clock.flagged(at).is_some());
        }
        // A flag that fell before the restart is found fallen right after it.
        prop_assert_eq!(rebuilt.deadline().map(|it| it.at), match fell {
            true => Some(now),
            false => clock.deadline().map(|it| it.at),
        });
    }

    #[test]
    fn time_is_neither_made_nor_lost(
        initial_ms in 50_000..100_000u64,
        increment_ms in 0..1_000u64,
        turns in proptest::collection::vec((0..1_000u64, 0..50u64, 0..500u64), 1..40),
    ) {
        let control = Control::Fischer { initial_ms, increment_ms, cap_ms: None };
        let time_control = TimeControl::new(control, None).unwrap();
        let mut clock = Clock::new(time_control);
        let mut bank = LagBank::new(&time_control).unwrap();
        let (mut now, mut ran, mut used, mut credited) = (Stamp(0), 0, 0, 0);
        let (mut gained, mut seat) = (0, Seat::One);
        for (thought, journal, rtt) in turns {
            clock.start_turn(seat, now);
            now = now + thought;
            ran += thought;
            let charged = charge(&clock, Some(&bank), now, rtt).unwrap();
            bank.spend(charged.credit_ms);
            credited += charged.credit_ms;
            used += clock.complete_turn(seat, charged.stamp).used_ms;
            gained += increment_ms;
            now = now + journal;
            seat = seat.other();
        }
        let left: u64 =
            Seat::BOTH.iter().filter_map(|&seat| clock.reading(seat, now).left_ms).sum();
        prop_assert_eq!(left + used, 2 * initial_ms + gained);
        prop_assert_eq!(used + credited, ran);
    }

    #[test]
    fn a_move_is_in_time_just_as_long_as_the_grace_after_the_deadline(
        time_control in time_control(),
        rtt in 0..9_000u64,
        refills in 0..9u8,
        around in 0..16u64,
    ) {
        let mut clock = Clock::new(time_control);
        clock.start_turn(Seat::One, Stamp(0));
        let Some(deadline) = clock.deadline() else { return Ok(()) };
        let mut bank = LagBank::new(&time_control);
        (0..refills).for_each(|_| bank.iter_mut().for_each(LagBank::refill));
        let closes = deadline.at + bank.map_or(0, |bank| bank.grace_ms(rtt));
        let stamp = Stamp((closes.0 + around).saturating_sub(8));
        let charged = charge(&clock, bank.as_ref(), stamp, rtt);
        prop_assert_eq!(charged.is_ok(), stamp < closes);
        if let Ok(charged) = charged {
            prop_assert!(clock.flagged(charged.stamp).is_none());
            prop_assert_eq!(charged.stamp + charged.credit_ms, stamp);
        }
    }
}
