//! What each preset allows, what it fills in, and every reason for a refusal.

use hexhall_proto::options::{OptionsRequest, Time};
use hexhall_proto::parts;

use super::*;
use crate::game::clock::Field;

fn preset(preset: Preset) -> OptionsRequest {
    OptionsRequest { preset: Some(preset), ..OptionsRequest::default() }
}

fn with(of: Preset, change: impl FnOnce(&mut OptionsRequest)) -> Result<Options, OptionsError> {
    let mut request = preset(of);
    change(&mut request);
    Options::resolve(&request)
}

const FISCHER: Time = Time::Fischer { initial_s: 300, increment_s: 5, cap_s: None };
const TURN: Time = Time::PerTurn { seconds: 30 };
const CLASSICAL: wire::Collision = wire::Collision::Classical;
const PERIODS: Time = Time::ByoYomi { initial_s: 600, period_s: 30, periods: 5 };

#[test]
fn nothing_asked_for_is_the_standard_game() {
    let options = Options::resolve(&OptionsRequest::default()).unwrap();
    assert_eq!(options, Options::resolve(&preset(Preset::Standard)).unwrap());
    let expected = wire::Options {
        preset: Preset::Standard,
        rows: 11,
        cols: 11,
        game: wire::GameKind::Hex,
        collision: None,
        swap: wire::Swap::Sides,
        goal: wire::Goal::Join,
        random_stones: 0,
        time: FISCHER,
        first_move_s: None,
        on_leave: OnLeave::Cpu,
        rated: false,
        first_move: FirstMove::Alternate,
        pass_and_play: false,
        spectator_delay_s: 0,
    };
    assert_eq!(crate::wire::options(&options), expected);
}

#[test]
fn each_preset_fills_in_its_own_defaults() {
    let party = crate::wire::options(&Options::resolve(&preset(Preset::Party)).unwrap());
    assert_eq!((party.rows, party.cols, party.swap), (11, 11, wire::Swap::Off));
    assert_eq!((party.time, party.on_leave), (Time::None {}, OnLeave::Cpu));
    let custom = crate::wire::options(&Options::resolve(&preset(Preset::Custom)).unwrap());
    assert_eq!((custom.rows, custom.cols, custom.swap), (11, 11, wire::Swap::Sides));
    assert_eq!(custom.time, FISCHER);
    let dark = crate::wire::options(&Options::resolve(&preset(Preset::Dark)).unwrap());
    assert_eq!((dark.rows, dark.cols, dark.swap), (11, 11, wire::Swap::Off));
    assert_eq!((dark.game, dark.collision), (wire::GameKind::Dark, Some(CLASSICAL)));
    assert_eq!((dark.time, dark.on_leave), (FISCHER, OnLeave::Cpu));
    // Random stones leave nothing to swap.
    let stones = with(Preset::Custom, |request| request.random_stones = Some(4)).unwrap();
    assert_eq!(stones.rules().swap(), Swap::Off);
}

#[test]
fn both_seats_may_be_on_one_device_under_any_preset_and_leave_it_to_the_clock_if_any() {
    for of in [Preset::Party, Preset::Standard, Preset::Dark, Preset::Custom] {
        for time in [None, Some(Time::None {})] {
            let device = |on_leave| {
                with(of, |request| {
                    (request.pass_and_play, request.time) = (Some(true), time);
                    request.on_leave = on_leave;
                })
            };
            let options = device(None).unwrap();
            assert_eq!((options.pass_and_play(), options.on_leave()), (true, OnLeave::Clock));
            assert_eq!(device(Some(OnLeave::Clock)), Ok(options));
            assert_eq!(device(Some(OnLeave::Claim)), Err(OptionsError::NoClaim));
            assert_eq!(device(Some(OnLeave::Cpu)), Err(OptionsError::NoCpu));
            assert_eq!(Options::stored(&crate::wire::options(&options)), Ok(options));
        }
        let two = with(of, |request| request.pass_and_play = Some(false)).unwrap();
        assert_eq!(two, Options::resolve(&preset(of)).unwrap());
    }
}

#[test]
fn each_preset_has_its_sizes() {
    for side in 0..=60_u64 {
        let sized = |of| with(of, |request| request.size = Some(side));
        let no_preset = |of| {
            matches!(sized(of), Err(OptionsError::PresetSize { size, .. })
                if u64::from(size.rows()) == side)
        };
        if !(1..=53).contains(&side) {
            for of in [Preset::Party, Preset::Standard, Preset::Dark, Preset::Custom] {
                assert!(matches!(sized(of), Err(OptionsError::Size(_))), "{side}");
            }
            continue;
        }
        assert_eq!(no_preset(Preset::Party), ![11, 13, 19].contains(&side), "{side}");
        assert_eq!(no_preset(Preset::Standard), !(7..=19).contains(&side), "{side}");
        assert_eq!(no_preset(Preset::Dark), !(7..=19).contains(&side), "{side}");
        assert_eq!(sized(Preset::Custom).unwrap().rules().size().cells() as u64, side * side);
    }
}

#[test]
fn a_size_is_given_in_one_way_and_in_full() {
    let sized = |size, rows, cols| {
        with(Preset::Custom, |request| {
            (request.size, request.rows, request.cols) = (size, rows, cols);
        })
    };
    for (size, rows, cols) in [
        (Some(11), Some(11), Some(11)),
        (Some(11), Some(11), None),
        (Some(11), None, Some(11)),
        (None, Some(11), None),
        (None, None, Some(11)),
    ] {
        assert_eq!(sized(size, rows, cols), Err(OptionsError::SizeTwice));
    }
    let oblong = sized(None, Some(5), Some(9)).unwrap();
    assert_eq!(oblong.rules().size(), Size::new(5, 9).unwrap());
    assert!(matches!(sized(Some(u64::MAX), None, None), Err(OptionsError::Size(_))));
    let oblong = with(Preset::Standard, |request| {
        (request.rows, request.cols) = (Some(11), Some(13));
    });
    assert!(matches!(oblong, Err(OptionsError::PresetSize { preset: "standard", .. })));
}

#[test]
fn what_a_preset_does_not_leave_open_is_refused() {
    use Preset::{Custom, Dark, Party, Standard};
    type Change = fn(&mut OptionsRequest);
    let changes: [(Change, [bool; 4]); 19] = [
        (|it| it.swap = Some(wire::Swap::Off), [true, true, true, true]),
        (|it| it.swap = Some(wire::Swap::Sides), [true, true, true, false]),
        (|it| it.swap = Some(wire::Swap::Pieces), [false, true, true, false]),
        (|it| it.goal = Some(wire::Goal::Join), [true, true, true, true]),
        (|it| it.goal = Some(wire::Goal::Avoid), [false, true, true, false]),
        (|it| it.random_stones = Some(0), [true, true, true, true]),
        (|it| it.random_stones = Some(1), [false, false, true, false]),
        (|it| it.time = Some(Time::None {}), [true, true, true, true]),
        (|it| it.time = Some(TURN), [true, true, true, true]),
        (|it| it.time = Some(Time::PerTurn { seconds: 60 }), [true, true, true, true]),
        (|it| it.time = Some(Time::PerTurn { seconds: 45 }), [false, true, true, true]),
        (|it| it.time = Some(FISCHER), [false, true, true, true]),
        (|it| it.time = Some(PERIODS), [false, true, true, true]),
        (|it| it.first_move_s = Some(30), [false, false, true, false]),
        (|it| it.first_move = Some(FirstMove::Alternate), [true, true, true, true]),
        (|it| it.first_move = Some(FirstMove::Fixed), [true, false, true, false]),
        (|it| it.game = Some(wire::GameKind::Hex), [true, true, true, false]),
        (|it| dark(it, None), [false, false, true, true]),
        (|it| it.on_leave = Some(OnLeave::Claim), [true, true, true, true]),
    ];
    for (row, (change, allowed)) in changes.into_iter().enumerate() {
        for (of, allowed) in [Party, Standard, Custom, Dark].into_iter().zip(allowed) {
            match with(of, change) {
                Ok(_) => assert!(allowed, "row {row} of {of:?}"),
                Err(OptionsError::Preset { preset, .. }) => {
                    assert!(!allowed, "row {row} of {of:?}");
                    assert_eq!(preset, preset_name(of));
                }
                Err(other) => panic!("row {row} of {of:?}: {other}"),
            }
        }
    }
}

fn dark(request: &mut OptionsRequest, collision: Option<wire::Collision>) {
    (request.game, request.collision) = (Some(wire::GameKind::Dark), collision);
}

#[test]
fn dark_hex_is_played_by_its_preset_and_wherever_anything_is() {
    use wire::Collision::{Abrupt, Classical};
    for (of, change, collision) in [
        (Preset::Dark, None, Collision::Classical),
        (Preset::Dark, Some(Classical), Collision::Classical),
        (Preset::Dark, Some(Abrupt), Collision::Abrupt),
        (Preset::Custom, None, Collision::Classical),
        (Preset::Custom, Some(Abrupt), Collision::Abrupt),
    ] {
        let options = with(of, |it| dark(it, change)).unwrap();
        let size = Size::new(11, 11).unwrap();
        assert_eq!(*options.rules(), Rules::dark(size, collision));
    }
    let unasked = with(Preset::Dark, |it| it.collision = Some(Abrupt)).unwrap();
    assert_eq!(unasked.rules().kind(), Kind::Dark(Collision::Abrupt));
    let large = with(Preset::Custom, |it| {
        dark(it, None);
        it.size = Some(53);
    });
    assert!(large.is_ok());
    let custom = |change: fn(&mut OptionsRequest)| {
        with(Preset::Custom, |it| {
            dark(it, None);
            change(it);
        })
    };
    let refused = |why| Err(OptionsError::Rules(why));
    assert_eq!(custom(|it| it.swap = Some(wire::Swap::Sides)), refused(RulesError::SwapInDark));
    assert_eq!(custom(|it| it.goal = Some(wire::Goal::Avoid)), refused(RulesError::AvoidInDark));
    assert_eq!(custom(|it| it.random_stones = Some(2)), refused(RulesError::StonesInDark));
    for of in [Preset::Party, Preset::Standard, Preset::Custom] {
        let seen = with(of, |it| it.collision = Some(Abrupt));
        assert_eq!(seen, Err(OptionsError::NoCollision));
    }
}

#[test]
fn rules_that_do_not_fit_each_other_are_refused() {
    let custom = |change: fn(&mut OptionsRequest)| with(Preset::Custom, change).unwrap_err();
    let oblong = custom(|it| {
        (it.rows, it.cols, it.swap) = (Some(5), Some(9), Some(wire::Swap::Pieces));
    });
    let size = Size::new(5, 9).unwrap();
    assert_eq!(oblong, OptionsError::Rules(RulesError::SwapPiecesNotSquare(size)));
    let swap = custom(|it| (it.random_stones, it.swap) = (Some(1), Some(wire::Swap::Sides)));
    assert_eq!(swap, OptionsError::Rules(RulesError::SwapAfterOpening));
    let many = custom(|it| (it.random_stones, it.swap) = (Some(11), Some(wire::Swap::Off)));
    assert_eq!(many, OptionsError::Rules(RulesError::TooManyStones(11)));
    let full = custom(|it| (it.size, it.random_stones) = (Some(3), Some(2)));
    let size = Size::new(3, 3).unwrap();
    assert_eq!(full, OptionsError::Rules(RulesError::NoRoomForStones { stones: 2, size }));
}

#[test]
fn a_time_control_out_of_its_range_is_refused() {
    let timed = |time| with(Preset::Standard, |it| it.time = Some(time)).unwrap_err();
    let none = Time::Fischer { initial_s: 0, increment_s: 0, cap_s: None };
    assert_eq!(timed(none), OptionsError::Time(TimeControlError::NoTime));
    for (time, field) in [
        (Time::PerTurn { seconds: 0 }, Field::Turn),
        (Time::Fischer { initial_s: u32::MAX, increment_s: 0, cap_s: None }, Field::Initial),
        (Time::Fischer { initial_s: 9, increment_s: 0, cap_s: Some(8) }, Field::Cap),
        (Time::ByoYomi { initial_s: 0, period_s: 30, periods: 0 }, Field::Periods),
    ] {
        let refused = timed(time);
        assert!(
            matches!(refused, OptionsError::Time(TimeControlError::OutOfRange { field: it, .. })
                if it == field),
            "{refused}"
        );
    }
    let first = with(Preset::Custom, |it| it.first_move_s = Some(0)).unwrap_err();
    assert_eq!(first.to_string(), "`first_move_s` is 0: it is from 1 to 3600");
    let turn = timed(Time::PerTurn { seconds: 0 });
    assert_eq!(turn.to_string(), "`time.seconds` is 0: it is from 1 to 86400");
}

#[test]
fn whoever_leaves_leaves_the_seat_to_the_computer_but_never_to_no_clock_at_all() {
    let left = |of, on_leave, time| with(of, |it| (it.on_leave, it.time) = (Some(on_leave), time));
    for of in [Preset::Party, Preset::Standard, Preset::Dark, Preset::Custom] {
        assert_eq!(left(of, OnLeave::Cpu, None), Options::resolve(&preset(of)));
        assert!(left(of, OnLeave::Claim, None).is_ok());
        let none = Some(Time::None {});
        assert_eq!(left(of, OnLeave::Clock, none), Err(OptionsError::NoClock));
        assert!(left(of, OnLeave::Clock, Some(TURN)).is_ok());
    }
    assert_eq!(left(Preset::Party, OnLeave::Clock, None), Err(OptionsError::NoClock));
}

#[test]
fn the_computer_has_the_second_seat_unless_told_otherwise_and_plays_at_levels_from_1_to_10() {
    let options = Options::resolve(&OptionsRequest::default()).unwrap();
    let asked = |level, seat| options.house(CpuSeat { level, seat });
    let seat_of = |seat| asked(1, seat).unwrap().seat;
    assert_eq!(seat_of(None), Seat::Two);
    assert_eq!(seat_of(Some(parts::Seat::One)), Seat::One);
    assert_eq!(seat_of(Some(parts::Seat::Two)), Seat::Two);
    for level in 1..=10 {
        assert_eq!(u64::from(asked(level, None).unwrap().level.number()), level);
    }
    for level in [0, 11, u64::MAX] {
        let refused = asked(level, None).unwrap_err().to_string();
        let expected =
            format!("there is no level {level}: the computer plays at levels from 1 to 10");
        assert_eq!(refused, expected);
    }
    let device = with(Preset::Standard, |it| it.pass_and_play = Some(true)).unwrap();
    let refused = device.house(CpuSeat { level: 5, seat: None });
    assert_eq!(refused, Err(OptionsError::CpuOnDevice));
}

#[test]
fn options_come_back_from_the_journal_as_they_were() {
    type Change = fn(&mut OptionsRequest);
    let changes: [Change; 11] = [
        |_| {},
        |it| dark(it, None),
        |it| dark(it, Some(wire::Collision::Abrupt)),
        |it| (it.rows, it.cols) = (Some(1), Some(53)),
        |it| (it.swap, it.goal) = (Some(wire::Swap::Pieces), Some(wire::Goal::Avoid)),
        |it| (it.random_stones, it.first_move_s) = (Some(10), Some(30)),
        |it| it.time = Some(Time::None {}),
        |it| it.time = Some(Time::Fischer { initial_s: 0, increment_s: 3, cap_s: Some(9) }),
        |it| (it.time, it.on_leave) = (Some(PERIODS), Some(OnLeave::Clock)),
        |it| (it.time, it.first_move) = (Some(TURN), Some(FirstMove::Fixed)),
        |it| it.spectator_delay_s = Some(600),
    ];
    let mut all: Vec<Options> = changes.map(|it| with(Preset::Custom, it).unwrap()).into();
    all.extend([Preset::Party, Preset::Standard, Preset::Dark].map(|it| with(it, |_| {}).unwrap()));
    for options in all {
        assert_eq!(Options::stored(&crate::wire::options(&options)), Ok(options));
    }
}

#[test]
fn spectators_may_see_any_table_late_and_none_later_than_ten_minutes() {
    for of in [Preset::Party, Preset::Standard, Preset::Dark, Preset::Custom] {
        let late = |seconds| with(of, |it| it.spectator_delay_s = Some(seconds));
        assert_eq!(with(of, |_| {}).unwrap().spectator_delay_s(), 0);
        for seconds in [0, 1, 600] {
            assert_eq!(u64::from(late(seconds).unwrap().spectator_delay_s()), seconds);
        }
        for seconds in [601, 65_537, u64::MAX] {
            assert_eq!(late(seconds), Err(OptionsError::SpectatorDelay(seconds)));
        }
    }
    assert_eq!(
        OptionsError::SpectatorDelay(601).to_string(),
        "`spectator_delay_s` is 601: it is from 0 to 600"
    );
}

#[test]
fn a_curtain_and_a_delay_exclude_each_other() {
    let late = |of, device| {
        with(of, |it| (it.spectator_delay_s, it.pass_and_play) = (Some(1), Some(device)))
    };
    assert_eq!(late(Preset::Dark, true), Err(OptionsError::LateCurtain));
    assert!(late(Preset::Dark, false).is_ok() && late(Preset::Party, true).is_ok());
}

#[test]
fn stored_options_that_no_table_can_have_are_refused() {
    let good = crate::wire::options(&with(Preset::Standard, |_| {}).unwrap());
    let size = Options::stored(&wire::Options { rows: 0, ..good.clone() });
    assert!(matches!(size, Err(OptionsError::Size(_))));
    let rules = Options::stored(&wire::Options { random_stones: 1, ..good.clone() });
    assert_eq!(rules, Err(OptionsError::Rules(RulesError::SwapAfterOpening)));
    let time = Options::stored(&wire::Options { time: Time::PerTurn { seconds: 0 }, ..good });
    assert!(matches!(time, Err(OptionsError::Time(_))));
}

#[test]
fn a_refusal_says_what_would_be_right() {
    let size = with(Preset::Party, |it| it.size = Some(12)).unwrap_err();
    assert_eq!(
        size.to_string(),
        "the preset `party` is played on 11x11, 13x13 and 19x19, and not on 12x12: choose one of \
         these, or `custom`"
    );
    let fixed = with(Preset::Standard, |it| it.first_move = Some(FirstMove::Fixed)).unwrap_err();
    assert_eq!(
        fixed.to_string(),
        "the preset `standard` has `first_move` `alternate`: choose that, or `custom`"
    );
}
