//! Which games may be rated, what a rated one fills in, and why others are not.

use hexhall_proto::options::{OptionsRequest, Time};
use hexhall_proto::request::CpuSeat;

use super::rated::NotRated;
use super::*;

fn rated(preset: Preset) -> OptionsRequest {
    OptionsRequest { preset: Some(preset), rated: Some(true), ..OptionsRequest::default() }
}

fn refused(request: &OptionsRequest) -> NotRated {
    match Options::resolve(request) {
        Err(OptionsError::NotRated(why)) => why,
        other => panic!("{request:?} came to {other:?}"),
    }
}

const FAIR: [Preset; 3] = [Preset::Party, Preset::Standard, Preset::Dark];

#[test]
fn games_are_unrated_unless_they_are_asked_to_be() {
    for preset in [Preset::Party, Preset::Standard, Preset::Dark, Preset::Custom] {
        for asked in [None, Some(false)] {
            let request = OptionsRequest { rated: asked, ..rated(preset) };
            let options = Options::resolve(&request).unwrap();
            assert_eq!((options.is_rated(), options.on_leave()), (false, OnLeave::Cpu));
        }
    }
}

#[test]
fn a_rated_game_may_be_claimed_or_left_to_the_clock_and_has_the_swap_where_there_is_one() {
    for preset in FAIR {
        let options = Options::resolve(&rated(preset)).unwrap();
        assert!(options.is_rated());
        assert_eq!(options.on_leave(), OnLeave::Claim);
        let swap = if preset == Preset::Dark { Swap::Off } else { Swap::Sides };
        assert_eq!(options.rules().swap(), swap);
        assert_eq!(Options::stored(&crate::wire::options(&options)), Ok(options));
    }
    let clock = OptionsRequest { on_leave: Some(OnLeave::Clock), ..rated(Preset::Standard) };
    assert_eq!(Options::resolve(&clock).unwrap().on_leave(), OnLeave::Clock);
    let pieces = OptionsRequest { swap: Some(wire::Swap::Pieces), ..rated(Preset::Standard) };
    assert!(Options::resolve(&pieces).unwrap().is_rated());
    let untimed = OptionsRequest { time: Some(Time::None {}), ..rated(Preset::Standard) };
    assert!(Options::resolve(&untimed).unwrap().is_rated());
}

#[test]
fn what_is_not_fair_or_not_between_two_people_alone_is_not_rated() {
    for preset in FAIR {
        let takeover = OptionsRequest { on_leave: Some(OnLeave::Cpu), ..rated(preset) };
        assert_eq!(refused(&takeover), NotRated::Takeover);
        let device = OptionsRequest { pass_and_play: Some(true), ..rated(preset) };
        assert_eq!(refused(&device), NotRated::OnDevice);
        let late = OptionsRequest { spectator_delay_s: Some(1), ..rated(preset) };
        assert_eq!(refused(&late), NotRated::Late);
        let options = Options::resolve(&rated(preset)).unwrap();
        let house = options.house(CpuSeat { level: 5, seat: None });
        assert_eq!(house, Err(NotRated::Cpu.into()));
    }
    for preset in [Preset::Party, Preset::Standard] {
        let unfair = OptionsRequest { swap: Some(wire::Swap::Off), ..rated(preset) };
        assert_eq!(refused(&unfair), NotRated::Swap);
    }
    let rex = OptionsRequest { goal: Some(wire::Goal::Avoid), ..rated(Preset::Standard) };
    assert_eq!(refused(&rex), NotRated::Rex);
    let stones = OptionsRequest { random_stones: Some(2), ..rated(Preset::Custom) };
    for custom in [rated(Preset::Custom), stones] {
        assert_eq!(refused(&custom), NotRated::Custom);
    }
}

#[test]
fn a_journal_from_before_there_were_ratings_reads_as_unrated() {
    let options = Options::resolve(&rated(Preset::Standard)).unwrap();
    let mut form = serde_json::to_value(crate::wire::options(&options)).unwrap();
    assert_eq!(form["rated"], true);
    form.as_object_mut().unwrap().remove("rated");
    let old: wire::Options = serde_json::from_value(form).unwrap();
    assert!(!Options::stored(&old).unwrap().is_rated());
    let unrated = serde_json::to_value(old).unwrap();
    assert_eq!(unrated.get("rated"), None);
}
