//! The published numbers, and what must hold of every game.

use proptest::prelude::*;

use super::*;
use crate::game::clock::Control;
use crate::game::{Collision, Kind};

const DAY_MS: Millis = 24 * 3_600_000;

fn rating(value: f64, deviation: f64) -> Rating {
    Rating { value, deviation, volatility: 0.06 }
}

fn standing(rating: Rating, at: u64) -> Standing {
    Standing { rating, wins: 7, losses: 5, draws: 1, updated: Some(Stamp(at)) }
}

fn near(a: f64, b: f64, by: f64) -> bool {
    (a - b).abs() <= by
}

#[test]
fn the_example_in_glickmans_paper_comes_out_as_published() {
    let player = rating(1500.0, 200.0).glicko();
    let games =
        [(1400.0, 30.0, Score::Won), (1550.0, 100.0, Score::Lost), (1700.0, 300.0, Score::Lost)];
    let games =
        games.map(|(value, deviation, score)| (rating(value, deviation).glicko(), score.outcome()));
    let after = Rating::of(glicko2::glicko2_rating_period(&player, &games, &CONFIG));
    assert!(near(after.value, 1464.06, 0.01), "{after:?}");
    assert!(near(after.deviation, 151.52, 0.01), "{after:?}");
    assert!(near(after.volatility, 0.059_99, 0.000_01), "{after:?}");
}

#[test]
fn a_game_is_a_rating_period_of_its_own_for_both_players() {
    let (one, two) = (rating(1500.0, 200.0), rating(1400.0, 30.0));
    let at = Stamp(DAY_MS);
    let after = rate([standing(one, DAY_MS), standing(two, DAY_MS)], Score::Won, at);
    let alone = |own: Rating, other: Rating, score: Score| {
        let games = [(other.glicko(), score.outcome())];
        Rating::of(glicko2::glicko2_rating_period(&own.glicko(), &games, &CONFIG))
    };
    for (after, expected) in
        after.iter().zip([alone(one, two, Score::Won), alone(two, one, Score::Lost)])
    {
        assert!(near(after.rating.value, expected.value, 1e-9), "{after:?} {expected:?}");
        assert!(near(after.rating.deviation, expected.deviation, 1e-9), "{after:?} {expected:?}");
        assert_eq!(after.updated, Some(at));
    }
    assert_eq!((after[0].wins, after[0].losses, after[0].draws), (8, 5, 1));
    assert_eq!((after[1].wins, after[1].losses, after[1].draws), (7, 6, 1));
}

#[test]
fn two_new_players_gain_and_lose_as_much() {
    let [won, lost] = rate([Standing::default(); 2], Score::Won, Stamp(1));
    assert_eq!((won.rating.shown(), lost.rating.shown()), (1662, 1338));
    assert!(near(won.rating.deviation, 290.3, 0.1), "{won:?}");
    assert!(won.rating.is_provisional());
    assert_eq!((won.games(), lost.games()), (1, 1));
}

#[test]
fn a_draw_counts_half() {
    let [one, two] = rate([Standing::default(); 2], Score::Drawn, Stamp(1));
    assert!(near(one.rating.value, 1500.0, 1e-9) && near(two.rating.value, 1500.0, 1e-9));
    assert_eq!((one.draws, two.draws), (1, 1));
    let uneven = [standing(rating(1700.0, 80.0), 0), standing(rating(1500.0, 80.0), 0)];
    let [strong, weak] = rate(uneven, Score::Drawn, Stamp(0));
    assert!(strong.rating.value < 1700.0 && weak.rating.value > 1500.0);
}

#[test]
fn a_settled_player_is_provisional_again_after_a_year_away_and_is_never_less_known_than_somebody_new()
 {
    let settled = rating(1800.0, 60.0);
    assert!(near(settled.after(0).deviation, settled.deviation, 1e-9));
    let year = settled.after(365 * DAY_MS);
    assert!(near(year.deviation, PROVISIONAL, 0.1), "{year:?}");
    assert!(!settled.after(364 * DAY_MS).is_provisional());
    assert!(settled.after(366 * DAY_MS).is_provisional());
    assert_eq!((year.value, year.volatility), (settled.value, settled.volatility));
    assert_eq!(settled.after(1_000 * 365 * DAY_MS).deviation, 350.0);
    // A whole period is what the paper adds where a player has not played in one.
    let expected = (60.0_f64.powi(2) + (173.7178 * 0.06_f64).powi(2)).sqrt();
    assert!(near(settled.after(PERIOD_MS).deviation, expected, 1e-9));
    let grown = 60.0_f64.powi(2) + 0.06_f64.powi(2) * GROWTH * DAY_MS as f64;
    assert!(near(settled.after(DAY_MS).deviation, grown.sqrt(), 1e-9));
}

#[test]
fn whoever_plays_on_is_known_ever_better_down_to_about_60() {
    let mut both = [Standing::default(); 2];
    let mut settled_after = None;
    for game in 0..200_u64 {
        let score = if game % 2 == 0 { Score::Won } else { Score::Lost };
        both = rate(both, score, Stamp(game * 1_000));
        if settled_after.is_none() && !both[0].rating.is_provisional() {
            settled_after = Some(game + 1);
        }
    }
    let deviation = both[0].rating.deviation;
    assert!((50.0..70.0).contains(&deviation), "{deviation}");
    let settled_after = settled_after.unwrap();
    assert!((8..=16).contains(&settled_after), "{settled_after} games");
}

#[test]
fn a_game_that_ended_before_the_last_one_leaves_the_time_as_it_was() {
    let both = [standing(rating(1500.0, 80.0), 9_000), standing(rating(1500.0, 80.0), 1_000)];
    let [one, two] = rate(both, Score::Won, Stamp(5_000));
    assert_eq!((one.updated, two.updated), (Some(Stamp(9_000)), Some(Stamp(5_000))));
}

#[test]
fn speeds_are_told_apart_by_what_a_seat_may_take_for_a_game() {
    let fischer = |initial_s: u64, increment_s: u64| {
        Speed::of(Control::Fischer {
            initial_ms: initial_s * 1_000,
            increment_ms: increment_s * 1_000,
            cap_ms: None,
        })
    };
    assert_eq!(Speed::of(Control::None), Speed::Untimed);
    assert_eq!((fischer(60, 0), fischer(179, 0)), (Speed::Bullet, Speed::Bullet));
    assert_eq!((fischer(180, 0), fischer(60, 3)), (Speed::Blitz, Speed::Blitz));
    assert_eq!((fischer(480, 0), fischer(300, 5)), (Speed::Rapid, Speed::Rapid));
    assert_eq!((fischer(1_500, 0), fischer(900, 15)), (Speed::Classical, Speed::Classical));
    assert_eq!(Speed::of(Control::PerTurn { turn_ms: 30_000 }), Speed::Rapid);
    let periods = Control::ByoYomi { initial_ms: 600_000, period_ms: 30_000, periods: 3 };
    assert_eq!(Speed::of(periods), Speed::Classical);
}

#[test]
fn both_rules_for_collisions_are_one_game() {
    let class = |kind| Class::of(kind, Control::None);
    assert_eq!(class(Kind::Dark(Collision::Abrupt)), class(Kind::Dark(Collision::Classical)));
    assert_eq!(class(Kind::Hex), Class { game: RatedGame::Hex, speed: Speed::Untimed });
}

#[test]
fn words_read_back_and_others_are_refused_by_name() {
    assert!(RatedGame::ALL.into_iter().all(|game| game.word().parse() == Ok(game)));
    assert!(Speed::ALL.into_iter().all(|speed| speed.word().parse() == Ok(speed)));
    for score in [Score::Won, Score::Lost, Score::Drawn] {
        assert_eq!(Score::from_word(score.word()), Some(score));
        assert_eq!(score.other().other(), score);
    }
    let refused = "go".parse::<RatedGame>().unwrap_err().to_string();
    assert_eq!(refused, "`go` is no game that has ratings: `hex` and `dark` are");
    assert!("Rapid".parse::<Speed>().unwrap_err().to_string().contains("`Rapid` is no speed"));
}

proptest! {
    #[test]
    fn ratings_stay_numbers_and_go_the_way_of_the_result(
        values in [0.0..4000.0_f64, 0.0..4000.0],
        deviations in [30.0..350.0_f64, 30.0..350.0],
        volatilities in [0.03..0.1_f64, 0.03..0.1],
        away_ms in 0..100_000_000_000_u64,
        score in prop::sample::select(vec![Score::Won, Score::Lost, Score::Drawn]),
    ) {
        let before: [Standing; 2] = std::array::from_fn(|i| standing(
            Rating { value: values[i], deviation: deviations[i], volatility: volatilities[i] }, 0,
        ));
        let after = rate(before, score, Stamp(away_ms));
        for (was, is) in before.iter().zip(&after) {
            let Rating { value, deviation, volatility } = is.rating;
            prop_assert!(value.is_finite() && volatility.is_finite() && volatility > 0.0);
            prop_assert!(deviation > 0.0 && deviation <= 350.0);
            prop_assert_eq!(is.games(), was.games() + 1);
        }
        let went = |i: usize| after[i].rating.value - before[i].rating.value;
        match score {
            Score::Won => prop_assert!(went(0) >= 0.0 && went(1) <= 0.0),
            Score::Lost => prop_assert!(went(0) <= 0.0 && went(1) >= 0.0),
            Score::Drawn => {}
        }
        // Whoever's game it is called, it comes to the same.
        let [two, one] = rate([before[1], before[0]], score.other(), Stamp(away_ms));
        prop_assert!(near(one.rating.value, after[0].rating.value, 1e-9));
        prop_assert!(near(two.rating.value, after[1].rating.value, 1e-9));
    }
}

#[test]
fn a_place_is_kept_until_the_rating_is_unsettled_or_the_last_game_is_long_ago() {
    let at = Stamp(1_000);
    let standing = |deviation, volatility| Standing {
        rating: Rating { deviation, volatility, ..Rating::default() },
        updated: Some(at),
        ..Standing::default()
    };
    assert_eq!(Standing::default().placed_until(), None);
    assert_eq!(standing(PROVISIONAL + 0.1, 0.06).placed_until(), None);
    assert_eq!(standing(60.0, 0.06).placed_until(), Some(at + ACTIVE_MS));
    for standing in [standing(109.0, 0.06), standing(109.99, 0.02), standing(100.0, 0.5)] {
        let until = standing.placed_until().unwrap();
        assert!(until > at && until < at + ACTIVE_MS);
        assert!(!standing.rating_at(until).is_provisional());
        assert!(standing.rating_at(until + 1_000).is_provisional());
    }
}
