//! The journal's form: fixed for ever, the same there and back, unmoved by hostile bytes.

use proptest::collection::vec;
use proptest::prelude::*;

use hexhall_proto::parts::{OfferClosed, OfferKind};
use hexhall_proto::plans::WhyDropped;

use super::*;
use crate::cpu::Level;
use crate::game::clock::{Reading, Stamp};
use crate::game::{Cell, Move, Outcome, Seat, Void, WonBy};
use crate::ids::{GameId, PlayerId};
use crate::table::handle::{CommandId, Player};
use crate::table::options::Options;
use crate::table::state::answered::Answer;
use crate::table::state::event::{Cause, Offer, Readings};
use crate::table::state::party::code::PartyCode;
use crate::table::state::party::{Change, Turns};
use crate::table::state::plan::Plan;

/// One journal line or more for each kind of event, as the first release wrote them. Lines may be
/// added; a line that is there never changes, and is read for as long as there are journals.
const STORED: &str = include_str!("../../../tests/data/journal-forms.jsonl");

fn stored() -> impl Iterator<Item = &'static [u8]> {
    STORED.lines().map(str::as_bytes)
}

fn kind(event: &Event) -> usize {
    match event {
        Event::Opened { .. } => 0,
        Event::Seated { .. } => 1,
        Event::Unseated { .. } => 2,
        Event::Started { .. } => 3,
        Event::Played { .. } => 4,
        Event::Ended { .. } => 5,
        Event::Offered { .. } => 6,
        Event::OfferClosed { .. } => 7,
        Event::TakenBack { .. } => 8,
        Event::Paused { .. } => 9,
        Event::Unpaused { .. } => 10,
        Event::TimeGiven { .. } => 11,
        Event::Restarted { .. } => 12,
        Event::Closed { .. } => 13,
        Event::TakenOver { .. } => 14,
        Event::Returned { .. } => 15,
        Event::Party { .. } => 16,
        Event::Planned { .. } => 17,
        Event::PlanDropped { .. } => 18,
        Event::Renamed { .. } => 19,
    }
}

#[test]
fn a_stored_line_reads_back_and_is_written_the_same() {
    for line in stored() {
        let event = read(line).unwrap_or_else(|error| panic!("{}: {error}", line.escape_ascii()));
        assert_eq!(
            write(&event).unwrap().escape_ascii().to_string(),
            line.escape_ascii().to_string()
        );
    }
}

#[test]
fn every_kind_of_event_has_a_stored_line() {
    let mut missing: Vec<usize> = (0..20).collect();
    for line in stored() {
        let found = kind(&read(line).unwrap());
        missing.retain(|&kind| kind != found);
    }
    assert!(missing.is_empty(), "no line for the kinds {missing:?}");
}

#[test]
fn a_stored_line_means_what_it_meant() {
    let played = br#"{"played":{"by":{"seat":2,"command":"c9","turn":4},"move":{"cell":[2,1]},"used":1500,"credit":80,"left":[{"ms":60000},{"ms":61500}],"at":1700000009000}}"#;
    let reading = |ms| Reading { left_ms: Some(ms), periods: 0, first_move_ms: None };
    let command = CommandId::new("c9").unwrap();
    let expected = Event::Played {
        by: Cause { seat: Seat::Two, command, answer: Answer::Moved { turn: 4, collided: false } },
        action: Move::Place(Cell::new(2, 1)),
        collided: false,
        cpu: false,
        planned: false,
        used_ms: 1_500,
        credit_ms: 80,
        readings: [reading(60_000), reading(61_500)],
        at: Stamp(1_700_000_009_000),
    };
    assert_eq!(read(played).unwrap(), expected);
    let collided =
        String::from_utf8_lossy(played).replace(r#","used""#, r#","collision":true,"used""#);
    let Event::Played { by, collided, .. } = read(collided.as_bytes()).unwrap() else {
        panic!("a move")
    };
    assert!(collided);
    assert_eq!(by.answer, Answer::Moved { turn: 4, collided: true });
    let swapped = String::from_utf8_lossy(played).replace(r#"{"cell":[2,1]}"#, r#""swap""#);
    let Event::Played { action, .. } = read(swapped.as_bytes()).unwrap() else { panic!("a move") };
    assert_eq!(action, Move::Swap);
}

#[test]
fn what_no_event_says_is_refused() {
    let left = r#"[{"ms":1},{"ms":1}]"#;
    let refused = [
        // A move that is missing is not a swap.
        format!(r#"{{"played":{{"by":{{"seat":1,"command":"a","turn":1}},"used":1,"credit":0,"left":{left},"at":1}}}}"#),
        format!(r#"{{"ended":{{"winner":null,"how":"chain","by":null,"left":{left},"at":1}}}}"#),
        format!(r#"{{"ended":{{"winner":1,"how":"aborted","by":null,"left":{left},"at":1}}}}"#),
        r#"{"unpaused":{"by":{"seat":1,"command":"a","turn":1,"offer":1}}}"#.into(),
        r#"{"unpaused":{"by":{"seat":3,"command":"a"}}}"#.into(),
        r#"{"unpaused":{"by":{"seat":1,"command":""}}}"#.into(),
        r#"{"unseated":{"seat":0,"at":1}}"#.into(),
        r#"{"closed":{"at":1,"on":2}}"#.into(),
        r#"{"closed":{"at":-1}}"#.into(),
        r#"{"closed":{"at":1}} "and more""#.into(),
        r#"{"started":{"game":"gam_01ARZ3NDEKTSV4RRFFQ69G5FAV","seed":"00","exchange":false,"at":1}}"#.into(),
        r#"{"vanished":{"at":1}}"#.into(),
        "[".repeat(100_000),
    ];
    for text in &refused {
        let shown: String = text.chars().take(120).collect();
        assert!(read(text.as_bytes()).is_err(), "{shown}");
    }
    assert!(read(br#"{"closed":{"at":1}}"#).is_ok());
}

fn seat() -> impl Strategy<Value = Seat> {
    prop::sample::select(Seat::BOTH.to_vec())
}

fn reading() -> impl Strategy<Value = Reading> {
    (any::<Option<u64>>(), any::<u8>(), any::<Option<u64>>())
        .prop_map(|(left_ms, periods, first_move_ms)| Reading { left_ms, periods, first_move_ms })
}

fn readings() -> impl Strategy<Value = Readings> {
    [reading(), reading()]
}

fn cause() -> impl Strategy<Value = Cause> {
    let answer = prop_oneof![
        any::<u64>().prop_map(|turn| Answer::Moved { turn, collided: false }),
        any::<u64>().prop_map(Answer::Offered),
        Just(Answer::Done),
    ];
    (seat(), "\\PC{1,16}", answer).prop_map(|(seat, text, answer)| {
        let command = CommandId::new(&text).expect("at most 64 bytes");
        Cause { seat, command, answer }
    })
}

fn outcome() -> impl Strategy<Value = Outcome> {
    let by = [WonBy::Chain, WonBy::Resignation, WonBy::Time, WonBy::Forfeit];
    let void = [Void::Aborted, Void::NotStarted, Void::Abandoned];
    prop_oneof![
        (seat(), prop::sample::select(by.to_vec()))
            .prop_map(|(winner, by)| Outcome::Won { winner, by }),
        prop::sample::select(void.to_vec()).prop_map(Outcome::Void),
    ]
}

/// Options of every shape that a request can lead to.
fn options() -> impl Strategy<Value = Options> {
    use hexhall_proto::options as wire;
    let time = prop_oneof![
        Just(wire::Time::None {}),
        (1..=86_400u32, 0..=600u32).prop_map(|(initial_s, increment_s)| wire::Time::Fischer {
            initial_s,
            increment_s,
            cap_s: (increment_s % 2 == 0).then_some(86_400),
        }),
        (1..=86_400u32).prop_map(|seconds| wire::Time::PerTurn { seconds }),
        (0..=86_400u32, 1..=86_400u32, 1..=20u8).prop_map(|(initial_s, period_s, periods)| {
            wire::Time::ByoYomi { initial_s, period_s, periods }
        }),
    ];
    let swap = prop::sample::select(vec![wire::Swap::Off, wire::Swap::Sides, wire::Swap::Pieces]);
    let first_move_s = prop::option::of(1..=3600u32);
    (2..=53u8, swap, any::<bool>(), time, first_move_s, any::<bool>()).prop_map(
        |(side, swap, avoid, time, first_move_s, fixed)| {
            let request = wire::OptionsRequest {
                preset: Some(wire::Preset::Custom),
                rows: Some(side.into()),
                cols: Some(side.into()),
                swap: Some(swap),
                goal: Some(if avoid { wire::Goal::Avoid } else { wire::Goal::Join }),
                time: Some(time),
                first_move_s,
                first_move: Some(if fixed {
                    wire::FirstMove::Fixed
                } else {
                    wire::FirstMove::Alternate
                }),
                ..wire::OptionsRequest::default()
            };
            Options::resolve(&request).expect("fits")
        },
    )
}

fn offer_kind() -> impl Strategy<Value = OfferKind> {
    let kinds = [OfferKind::Rematch, OfferKind::Takeback, OfferKind::Pause];
    prop::sample::select(kinds.to_vec())
}

fn offer_closed() -> impl Strategy<Value = OfferClosed> {
    let ways = [
        OfferClosed::Accepted,
        OfferClosed::Declined,
        OfferClosed::Withdrawn,
        OfferClosed::Expired,
        OfferClosed::Void,
    ];
    prop::sample::select(ways.to_vec())
}

fn action() -> impl Strategy<Value = Move> {
    let place = any::<[u8; 2]>().prop_map(|[row, col]| Move::Place(Cell::new(row, col)));
    prop_oneof![9 => place, 1 => Just(Move::Swap)]
}

fn change(
    somebody: impl Strategy<Value = (Player, bool)> + Clone,
) -> impl Strategy<Value = Change> {
    let somebody = somebody.prop_map(|(player, flag)| (Player { cpu: None, ..player }, flag));
    let turns = || {
        let all = [Turns::None, Turns::WinnerStays, Turns::RoundRobin];
        prop::sample::select(all.to_vec())
    };
    let level = || (1..=10u64).prop_map(|number| Level::new(number).unwrap());
    prop_oneof![
        (any::<u64>(), turns(), level()).prop_map(|(number, turns, level)| Change::Formed {
            code: PartyCode::drawn(number),
            turns,
            level,
        }),
        somebody.clone().prop_map(|(player, plays)| Change::Joined { player, plays }),
        somebody.clone().prop_map(|(player, removed)| Change::Left { player, removed }),
        somebody.prop_map(|(player, _)| Change::Hosts(player.id)),
        options().prop_map(Change::Options),
        (turns(), level()).prop_map(|(turns, level)| Change::Turns { turns, level }),
    ]
}

fn plan() -> impl Strategy<Value = Plan> {
    (prop::option::of(action()), vec(vec(action(), 0..4), 0..4))
        .prop_map(|(premove, lines)| Plan { premove, lines })
}

fn why_dropped() -> impl Strategy<Value = WhyDropped> {
    let whys = [
        WhyDropped::Unmatched,
        WhyDropped::Illegal,
        WhyDropped::Swapped,
        WhyDropped::Moved,
        WhyDropped::TakenBack,
        WhyDropped::Ended,
    ];
    prop::sample::select(whys.to_vec())
}

fn event() -> impl Strategy<Value = Event> {
    let at = || any::<u64>().prop_map(Stamp);
    let level = || (1..=10u64).prop_map(|number| Level::new(number).unwrap());
    let player = (any::<(u64, u128)>(), any::<String>(), prop::option::of(level())).prop_map(
        |((ms, random), name, cpu)| Player {
            bot: random % 2 == 0,
            id: PlayerId::from_parts(ms, random),
            name: name.into(),
            cpu,
        },
    );
    let game = any::<(u64, u128)>().prop_map(|(ms, random)| GameId::from_parts(ms, random));
    let invitation = prop::option::of(any::<String>().prop_map(Box::from));
    let joined = (player.clone(), any::<bool>());
    prop_oneof![
        (player.clone(), at())
            .prop_map(|(player, at)| Event::Renamed { player: Player { cpu: None, ..player }, at }),
        (change(joined), at()).prop_map(|(change, at)| Event::Party { change, at }),
        (options(), invitation, at()).prop_map(|(options, invitation, at)| Event::Opened {
            options,
            invitation,
            at
        }),
        (seat(), player, at()).prop_map(|(seat, player, at)| Event::Seated { seat, player, at }),
        (seat(), at()).prop_map(|(seat, at)| Event::Unseated { seat, at }),
        (game, any::<[u8; 32]>(), any::<bool>(), at())
            .prop_map(|(game, seed, exchange, at)| Event::Started { game, seed, exchange, at }),
        (cause(), action(), any::<[bool; 3]>(), any::<[u64; 2]>(), readings(), at()).prop_map(
            |(mut by, action, [ran_into, cpu, planned], [used_ms, credit_ms], readings, at)| {
                if let Answer::Moved { collided, .. } = &mut by.answer {
                    *collided = ran_into;
                }
                let collided = ran_into;
                Event::Played {
                    by,
                    action,
                    collided,
                    cpu,
                    planned,
                    used_ms,
                    credit_ms,
                    readings,
                    at,
                }
            }
        ),
        (outcome(), prop::option::of(cause()), readings(), at())
            .prop_map(|(outcome, by, readings, at)| Event::Ended { outcome, by, readings, at }),
        (any::<u64>(), offer_kind(), at(), cause(), at()).prop_map(
            |(id, kind, expires, by, at)| Event::Offered {
                offer: Offer { id, kind, by: by.seat, expires },
                by,
                at
            }
        ),
        (any::<u64>(), offer_closed(), prop::option::of(cause()))
            .prop_map(|(offer, how, by)| Event::OfferClosed { offer, how, by }),
        (any::<usize>(), readings())
            .prop_map(|(plies, readings)| Event::TakenBack { plies, readings }),
        readings().prop_map(|readings| Event::Paused { readings }),
        cause().prop_map(|by| Event::Unpaused { by }),
        (cause(), any::<u64>(), readings()).prop_map(|(by, ms, readings)| Event::TimeGiven {
            by,
            ms,
            readings
        }),
        (seat(), level(), at()).prop_map(|(seat, level, at)| Event::TakenOver { seat, level, at }),
        (seat(), at()).prop_map(|(seat, at)| Event::Returned { seat, at }),
        (cause(), plan(), at()).prop_map(|(by, plan, at)| Event::Planned { by, plan, at }),
        (seat(), why_dropped(), at()).prop_map(|(seat, why, at)| Event::PlanDropped {
            seat,
            why,
            at
        }),
        at().prop_map(|at| Event::Restarted { at }),
        at().prop_map(|at| Event::Closed { at }),
    ]
}

proptest! {
    #[test]
    fn a_line_put_together_by_hand_is_as_its_form_is_written(event in event()) {
        let form = serde_json::to_string(&Stored::from(&event)).unwrap();
        prop_assert_eq!(String::from_utf8(write(&event).unwrap()).unwrap(), form);
    }

    #[test]
    fn any_event_comes_back_as_it_was(event in event()) {
        let bytes = write(&event).unwrap();
        prop_assert!(!bytes.contains(&b'\n'), "an event is one line");
        prop_assert_eq!(read(&bytes).unwrap(), event);
    }

    #[test]
    fn any_event_comes_back_with_its_own_time_or_the_one_it_was_decided_at(
        event in event(),
        decided in any::<u64>().prop_map(Stamp),
    ) {
        let bytes = write_at(&event, decided).unwrap();
        prop_assert_eq!(read(&bytes).unwrap(), event.clone());
        let at = event.at().unwrap_or(decided);
        prop_assert_eq!(read_at(&bytes).unwrap(), (event.clone(), Some(at)));
        // Where nobody asks for it, no time is added.
        prop_assert_eq!(read_at(&write(&event).unwrap()).unwrap(), (event.clone(), event.at()));
    }

    #[test]
    fn hostile_bytes_are_refused_or_read_but_never_panic(bytes in vec(any::<u8>(), 0..300)) {
        // Bytes drawn at random are hardly ever an event; one that is must be written again.
        if let Ok(event) = read(&bytes) {
            prop_assert!(write(&event).is_ok());
        }
    }

    #[test]
    fn a_damaged_line_is_refused_or_reads_as_an_event(
        line in prop::sample::select(stored().collect::<Vec<_>>()),
        cuts in vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        length in any::<prop::sample::Index>(),
    ) {
        let mut bytes = line.to_vec();
        for (at, byte) in cuts {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(event) = read(&bytes) {
            prop_assert_eq!(read(&write(&event).unwrap()).unwrap(), event);
        }
        prop_assert!(read(&line[..length.index(line.len())]).is_err());
    }
}
