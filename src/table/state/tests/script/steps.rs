//! What may happen in an evening, and how often.

use proptest::prelude::*;

use super::super::*;

/// One thing that happens.
#[derive(Clone, Debug)]
pub enum Step {
    /// A command arrives and is stamped, but has to wait.
    Arrives(Draft),
    /// One that waits is looked at; perhaps it comes again.
    Looked {
        pick: usize,
        again: bool,
    },
    /// A command arrives and is looked at.
    Commands(Draft),
    Pass(Millis),
    /// The alarm rings when something comes due.
    Wake,
    /// The journal has caught up.
    Durable,
    /// The computer is asked about the turn that is its own, if one is.
    Asks,
    /// It has a move for the turn that it was asked about last.
    Plays(usize),
    /// Somebody plans: a premove, and lines, as these pick them.
    Plans(u128, Option<usize>, Vec<Vec<usize>>),
    Goes(u128, bool),
    Returns(u128),
    Joins(u128),
    Leaves(u128),
}

/// A command, before it is known what it is about.
#[derive(Clone, Debug)]
pub struct Draft {
    pub who: u128,
    /// One of few names, which others have had before; a new one without.
    pub name: Option<u8>,
    pub what: What,
    pub round_trip: Millis,
}

#[derive(Clone, Debug)]
pub enum What {
    /// By whoever is to move.
    Legal(usize),
    Cell(u8, u8),
    Swap,
    OtherTurn(u64),
    OtherGame,
    Resign,
    Abort,
    Claim,
    Offer(OfferKind),
    Answer {
        back: u64,
        accept: bool,
    },
    Withdraw(u64),
    Unpause,
    GiveTime,
}

fn what() -> impl Strategy<Value = What> {
    let kind = prop_oneof![
        4 => Just(OfferKind::Rematch),
        3 => Just(OfferKind::Takeback),
        2 => Just(OfferKind::Pause),
    ];
    prop_oneof![
        20 => any::<usize>().prop_map(What::Legal),
        2 => (0..4u8, 0..4u8).prop_map(|(row, col)| What::Cell(row, col)),
        3 => Just(What::Swap),
        1 => (0..9u64).prop_map(What::OtherTurn),
        1 => Just(What::OtherGame),
        1 => Just(What::Resign),
        1 => Just(What::Abort),
        1 => Just(What::Claim),
        8 => kind.prop_map(What::Offer),
        8 => (0..3u64, any::<bool>()).prop_map(|(back, accept)| What::Answer { back, accept }),
        2 => (0..2u64).prop_map(What::Withdraw),
        3 => Just(What::Unpause),
        2 => Just(What::GiveTime),
    ]
}

fn draft() -> impl Strategy<Value = Draft> {
    let who = prop_oneof![8 => Just(ANA), 8 => Just(BO), 1 => Just(CY)];
    let round_trip = prop_oneof![Just(0), Just(100), Just(5_000)];
    (who, proptest::option::weighted(0.2, 0..4u8), what(), round_trip)
        .prop_map(|(who, name, what, round_trip)| Draft { who, name, what, round_trip })
}

pub fn step() -> impl Strategy<Value = Step> {
    let who = prop_oneof![Just(ANA), Just(BO), Just(CY)];
    let span = prop_oneof![
        8 => 0..50u64,
        4 => 0..40_000u64,
        1 => 0..700_000u64,
        1 => Just(25 * 3_600_000u64),
    ];
    let line = proptest::collection::vec(0..4usize, 2..5);
    let plan = (proptest::option::of(any::<usize>()), proptest::collection::vec(line, 0..3));
    prop_oneof![
        12 => draft().prop_map(Step::Arrives),
        14 => (any::<usize>(), any::<bool>())
            .prop_map(|(pick, again)| Step::Looked { pick, again }),
        24 => draft().prop_map(Step::Commands),
        8 => span.prop_map(Step::Pass),
        3 => Just(Step::Wake),
        14 => Just(Step::Durable),
        8 => Just(Step::Asks),
        8 => any::<usize>().prop_map(Step::Plays),
        8 => (who.clone(), plan)
            .prop_map(|(who, (premove, lines))| Step::Plans(who, premove, lines)),
        2 => (who.clone(), any::<bool>()).prop_map(|(who, said_so)| Step::Goes(who, said_so)),
        4 => who.clone().prop_map(Step::Returns),
        4 => who.clone().prop_map(Step::Joins),
        1 => who.prop_map(Step::Leaves),
    ]
}

pub fn request() -> impl Strategy<Value = OptionsRequest> {
    let byo_yomi = Time::ByoYomi { initial_s: 20, period_s: 10, periods: 2 };
    let capped = Time::Fischer { initial_s: 30, increment_s: 2, cap_s: Some(31) };
    prop_oneof![
        Just(small()),
        Just(timeless()),
        Just(timed(Time::PerTurn { seconds: 30 })),
        Just(OptionsRequest { first_move: Some(wire::FirstMove::Fixed), ..timed(byo_yomi) }),
        Just(OptionsRequest { swap: Some(wire::Swap::Pieces), ..timed(capped) }),
        Just(OptionsRequest { first_move_s: Some(5), ..small() }),
        Just(OptionsRequest { first_move_s: Some(5), ..timeless() }),
        Just(OptionsRequest { goal: Some(wire::Goal::Avoid), ..small() }),
        Just(OptionsRequest { on_leave: Some(wire::OnLeave::Clock), ..small() }),
        Just(OptionsRequest { random_stones: Some(1), ..small() }),
        Just(to_the_computer(small())),
        Just(to_the_computer(timeless())),
        Just(to_the_computer(timed(byo_yomi))),
        Just(to_the_computer(dark(wire::Collision::Classical, Time::PerTurn { seconds: 30 }))),
        Just(to_the_computer(dark(wire::Collision::Abrupt, capped))),
        Just(dark(wire::Collision::Classical, Time::PerTurn { seconds: 30 })),
        Just(dark(wire::Collision::Classical, byo_yomi)),
        Just(OptionsRequest { first_move_s: Some(5), ..dark(wire::Collision::Abrupt, capped) }),
    ]
}
