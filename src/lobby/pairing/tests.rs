//! What pairing promises, one sentence a test; beside it a slow reference ([`reference`]) and a
//! day of ten thousand arrivals ([`day`]).

mod day;
mod lists;
mod opening;
mod reference;

use hexhall_proto::options::OptionsRequest;

use super::reserve::CHECK_MS;
use super::seek::{ANYBODY_AFTER_MS, Range, Rating};
use super::*;
use crate::ids::TableId;
use crate::table::options::Options;

const KEPT_MS: Millis = 30_000;

const NOBODY: [[PlayerId; 2]; 0] = [];

fn player(n: u64) -> PlayerId {
    PlayerId::from_parts(n, 0)
}

fn name(n: u64) -> SeekId {
    SeekId::from_parts(n, 0)
}

fn terms(size: u64) -> Options {
    let options = OptionsRequest { size: Some(size), ..OptionsRequest::default() };
    Options::resolve(&options).unwrap()
}

fn wish(n: u64, points: i32) -> Wish {
    let player =
        Player { id: player(n), name: format!("player {n}").into(), cpu: None, bot: false };
    let rating = Rating { points, deviation: 50 };
    Wish { owner: player.id, player, terms: terms(11), rating, range: None, pool: None }
}

/// A hall whose time is moved by hand.
struct Hall {
    pairing: Pairing,
    now: Stamp,
    seeks: u64,
    matches: u64,
    blocked: Vec<(u64, u64)>,
}

impl Hall {
    fn new() -> Hall {
        let (pairing, now) = (Pairing::new(KEPT_MS), Stamp(1_000_000));
        Hall { pairing, now, seeks: 0, matches: 0, blocked: Vec::new() }
    }

    fn try_seek(&mut self, wish: Wish) -> Result<SeekId, NoSeek> {
        self.seeks += 1;
        self.pairing.seek(name(self.seeks), wish, self.now)
    }

    fn seek(&mut self, wish: Wish) -> SeekId {
        self.try_seek(wish).unwrap()
    }

    fn after(&mut self, ms: Millis) -> Vec<News> {
        self.now = self.now + ms;
        let (blocked, matches) = (&self.blocked, &mut self.matches);
        let has_blocked = has_blocked(blocked);
        self.pairing.step(self.now, &has_blocked, &mut || {
            *matches += 1;
            MatchId::from_parts(*matches, 0)
        });
        self.pairing.take_news()
    }

    fn answer(&mut self, wanted: SeekId, wish: Wish) -> Result<SeekId, NoSeek> {
        self.seeks += 1;
        let (id, matches) = (name(self.seeks), &mut self.matches);
        let has_blocked = has_blocked(&self.blocked);
        self.pairing.answer(id, wanted, wish, self.now, &has_blocked, &mut || {
            *matches += 1;
            MatchId::from_parts(*matches, 0)
        })
    }

    fn ready(&mut self, name: MatchId, player: PlayerId) -> Result<(), reserve::NoMatch> {
        let has_blocked = has_blocked(&self.blocked);
        self.pairing.ready(name, player, self.now, &has_blocked)
    }

    /// Lets time pass and opens a table for everybody who is paired. Gives who plays whom, seat 1
    /// first.
    fn play(&mut self, ms: Millis) -> Vec<[PlayerId; 2]> {
        let news = self.after(ms);
        self.open(&news)
    }

    fn open(&mut self, news: &[News]) -> Vec<[PlayerId; 2]> {
        let mut played = Vec::new();
        for (name, paired) in paired(news) {
            let players = paired.players.map(|player| player.id);
            self.pairing.opened(name, players, TableId::from_parts(1, 1), self.now);
            played.push(players);
        }
        played
    }
}

fn has_blocked(blocked: &[(u64, u64)]) -> impl Fn(PlayerId, PlayerId) -> bool {
    |one, two| blocked.iter().any(|&(a, b)| (player(a), player(b)) == (one, two))
}

fn paired(news: &[News]) -> Vec<(MatchId, Paired)> {
    let paired = news.iter().filter_map(|news| match news {
        News::Paired(name, paired) => Some((*name, paired.clone())),
        _ => None,
    });
    paired.collect()
}

fn ended(news: &[News]) -> Vec<(PlayerId, Why)> {
    let ended = news.iter().filter_map(|news| match news {
        News::Ended(_, player, why) => Some((*player, *why)),
        _ => None,
    });
    ended.collect()
}

fn check(news: &[News]) -> Option<MatchId> {
    news.iter().find_map(|news| match news {
        News::Check(name, _) => Some(*name),
        _ => None,
    })
}

/// Two who wait for so long that they are asked whether they are ready.
fn checked() -> (Hall, MatchId) {
    let mut hall = Hall::new();
    hall.seek(wish(1, 1500));
    assert_eq!(hall.play(CHECK_MS * 4), NOBODY);
    hall.seek(wish(2, 1500));
    let news = hall.after(LOOK_EVERY_MS);
    assert!(paired(&news).is_empty());
    (hall, check(&news).unwrap())
}

#[test]
fn an_answer_that_comes_to_nothing_plays_nobody_else_and_the_seek_that_it_answered_waits_on() {
    type Ends = fn(&mut Hall, MatchId) -> Vec<News>;
    // The maker says nothing, or withdraws; or the table cannot be opened.
    let ends: [Ends; 3] = [
        |hall, _| hall.after(CHECK_MS),
        |hall, _| {
            let maker = hall.pairing.of(player(1)).next().unwrap().id;
            assert!(hall.pairing.withdraw(maker, player(1), hall.now));
            hall.after(0)
        },
        |hall, name| {
            hall.ready(name, player(1)).unwrap();
            hall.pairing.not_opened(name, hall.now);
            hall.after(0)
        },
    ];
    for (n, end) in ends.into_iter().enumerate() {
        let mut hall = Hall::new();
        let maker = hall.seek(wish(1, 1500));
        // What the answerer seeks besides is another thing.
        hall.seek(Wish { terms: terms(14), ..wish(2, 1500) });
        hall.after(40_000);
        let answer = hall.answer(maker, wish(2, 1500)).unwrap();
        let name = check(&hall.after(0)).unwrap();
        assert_eq!(hall.ready(name, player(2)), Ok(()));
        let news = end(&mut hall, name);
        assert!(ended(&news).contains(&(player(2), Why::Unmatched)), "{n}: {news:?}");
        assert!(hall.pairing.get(answer).is_none());
        assert!(!news.contains(&News::Listed(answer)), "{n}: {news:?}");
        hall.seek(wish(3, 1500));
        let met = hall.play(LOOK_EVERY_MS);
        assert!(met.iter().flatten().all(|it| *it != player(2)), "{n}: {met:?}");
        hall.seek(Wish { terms: terms(14), ..wish(4, 1500) });
        hall.after(LOOK_EVERY_MS);
        assert!(hall.pairing.check(player(2)).is_some(), "{n}: the other seek has kept its age");
    }
}

#[test]
fn whoever_blocks_the_other_in_a_check_does_not_play_them_and_both_wait_on() {
    let (mut hall, name) = checked();
    assert_eq!(hall.ready(name, player(1)), Ok(()));
    hall.blocked.push((2, 1));
    assert_eq!(hall.ready(name, player(2)), Ok(()));
    let news = hall.after(LOOK_EVERY_MS);
    assert!(paired(&news).is_empty() && ended(&news).is_empty(), "{news:?}");
    assert_eq!(news.iter().filter(|it| matches!(it, News::Back(_))).count(), 2);
    assert_eq!(hall.pairing.len(), 2);
    assert_eq!(hall.play(CHECK_MS), NOBODY);
}

#[test]
fn two_who_want_the_same_are_paired_at_once_and_seek_nothing_else() {
    let mut hall = Hall::new();
    hall.seek(wish(1, 1500));
    hall.seek(Wish { terms: terms(14), ..wish(1, 1500) });
    hall.seek(wish(2, 1550));
    assert_eq!(hall.play(LOOK_EVERY_MS), [[player(1), player(2)]]);
    assert!(hall.pairing.is_empty());
    assert_eq!(hall.pairing.matches.len(), 0);
    assert_eq!(hall.pairing.next_due(), None, "nothing is left to wait for");
}

#[test]
fn other_terms_and_rated_games_are_other_queues() {
    let mut hall = Hall::new();
    hall.seek(wish(1, 1500));
    hall.seek(Wish { terms: terms(13), ..wish(2, 1500) });
    let rated = OptionsRequest { size: Some(11), rated: Some(true), ..OptionsRequest::default() };
    let rated = Options::resolve(&rated).unwrap();
    hall.seek(Wish { terms: rated, ..wish(3, 1500) });
    assert_eq!(hall.play(ANYBODY_AFTER_MS - LOOK_EVERY_MS), NOBODY);
    hall.seek(Wish { terms: rated, ..wish(4, 1500) });
    let news = hall.after(LOOK_EVERY_MS);
    assert!(check(&news).is_none(), "not older than 30 s: {news:?}");
    assert_eq!(hall.open(&news), [[player(3), player(4)]]);
}

#[test]
fn the_nearest_rating_is_taken_and_among_equals_who_has_waited_longest() {
    let mut hall = Hall::new();
    for (n, points) in [(1, 1500), (2, 1590), (3, 1460), (4, 1540), (5, 1540)] {
        hall.seek(wish(n, points));
    }
    assert_eq!(hall.play(0), [[player(1), player(3)], [player(2), player(4)]]);
}

#[test]
fn the_window_widens_until_anybody_in_range_is_taken() {
    let mut hall = Hall::new();
    hall.seek(wish(1, 1500));
    hall.seek(wish(2, 1700));
    hall.seek(wish(3, 2400));
    assert_eq!(hall.play(0), NOBODY);
    assert_eq!(hall.play(9_000), NOBODY);
    assert_eq!(hall.play(1_000), [[player(1), player(2)]], "200 points after 10 s");
    hall.seek(Wish { range: Some(Range { min: 0, max: 2300 }), ..wish(4, 1500) });
    let mut waited = 0;
    while waited < ANYBODY_AFTER_MS + 10_000 {
        waited += WIDEN;
        assert_eq!(hall.play(WIDEN), NOBODY, "4 wants nobody as strong");
    }
    hall.seek(wish(5, 900));
    let news = hall.after(LOOK_EVERY_MS);
    assert!(check(&news).is_some(), "3 takes anybody, and is asked first: {news:?}");
}

const WIDEN: Millis = step::WIDEN_EVERY_MS;

#[test]
fn a_rating_that_is_only_a_guess_may_be_further_off() {
    let mut hall = Hall::new();
    hall.seek(wish(1, 1750));
    hall.seek(wish(2, 1500));
    assert_eq!(hall.play(0), NOBODY);
    hall.seek(Wish { rating: Rating::UNKNOWN, ..wish(3, 0) });
    assert_eq!(hall.play(LOOK_EVERY_MS), [[player(1), player(3)]]);
}

#[test]
fn nobody_plays_themselves_their_own_or_whom_either_has_blocked() {
    let mut hall = Hall::new();
    hall.blocked = vec![(1, 3), (4, 1)];
    hall.seek(wish(1, 1500));
    hall.seek(Wish { range: Some(Range { min: 0, max: 3000 }), ..wish(1, 1500) });
    hall.seek(Wish { owner: player(1), ..wish(2, 1500) });
    assert_eq!(hall.play(0), NOBODY);
    let mut again = Hall::new();
    again.blocked = hall.blocked;
    for n in [1, 3] {
        again.seek(wish(n, 1500));
    }
    assert_eq!(again.play(ANYBODY_AFTER_MS * 2), NOBODY);
    assert!(again.pairing.withdraw(name(2), player(3), again.now));
    again.seek(wish(4, 1500));
    assert_eq!(again.play(ANYBODY_AFTER_MS * 2), NOBODY);
}

#[test]
fn two_who_wait_are_matched_though_one_has_blocked_the_other_until_now() {
    let mut hall = Hall::new();
    hall.blocked = vec![(1, 2)];
    hall.seek(wish(1, 1500));
    hall.seek(wish(2, 1500));
    for _ in 0..60 {
        assert_eq!(check(&hall.after(1_000)), None);
    }
    hall.blocked.clear();
    // As the lobby does, which wakes when something is due.
    let due = hall.pairing.next_due().unwrap();
    assert!(check(&hall.after(due - hall.now)).is_some());
    assert!(hall.now.0 <= 1_060_000 + step::STILL_EVERY_MS);
}

#[test]
fn whoever_is_barred_seeks_nothing_and_who_was_matched_with_them_waits_on() {
    let mut hall = Hall::new();
    hall.seek(wish(1, 1500));
    hall.seek(Wish { terms: terms(14), ..wish(1, 1500) });
    hall.pairing.turn_out(player(1), Why::Barred, hall.now);
    assert_eq!(ended(&hall.after(0)), [(player(1), Why::Barred); 2]);
    let (mut hall, name) = checked();
    hall.ready(name, player(1)).unwrap();
    hall.pairing.turn_out(player(1), Why::Barred, hall.now);
    let news = hall.after(0);
    assert_eq!(ended(&news), [(player(1), Why::Barred)]);
    assert!(news.contains(&News::Back(player(2))), "{news:?}");
    hall.seek(wish(3, 1500));
    assert_eq!(hall.play(LOOK_EVERY_MS), [[player(2), player(3)]]);
}

#[test]
fn the_last_opponent_is_taken_only_where_nobody_else_waits() {
    let mut hall = Hall::new();
    hall.seek(wish(1, 1500));
    hall.seek(wish(2, 1500));
    assert_eq!(hall.play(0).len(), 1);
    hall.seek(wish(1, 1500));
    hall.seek(wish(2, 1500));
    hall.seek(wish(3, 1800));
    assert_eq!(hall.play(1_000), NOBODY, "3 waits, though not in anybody's window yet");
    assert_eq!(hall.play(19_000), [[player(3), player(1)]]);
    hall.seek(wish(4, 1500));
    assert_eq!(hall.play(LOOK_EVERY_MS).len(), 1);
    hall.seek(wish(1, 1500));
    hall.seek(wish(3, 1500));
    assert_eq!(
        hall.play(LOOK_EVERY_MS),
        [[player(1), player(3)]],
        "they are alone, and change seats"
    );
}

#[test]
fn both_are_asked_where_a_wish_is_old_and_play_once_both_are_ready() {
    let (mut hall, name) = checked();
    assert_eq!(hall.ready(name, player(3)), Err(reserve::NoMatch(name)));
    assert_eq!(hall.ready(name, player(2)), Ok(()));
    assert_eq!(hall.ready(name, player(2)), Ok(()), "said twice");
    assert!(hall.pairing.check(player(2)).unwrap().ready);
    assert_eq!(hall.play(0), NOBODY);
    assert_eq!(hall.ready(name, player(1)), Ok(()));
    assert_eq!(hall.play(0), [[player(1), player(2)]]);
    assert_eq!(hall.ready(name, player(1)), Err(reserve::NoMatch(name)));
}

#[test]
fn whoever_does_not_answer_leaves_and_the_other_is_first_again() {
    let (mut hall, name) = checked();
    hall.seek(wish(3, 1500));
    assert_eq!(hall.play(1_000), NOBODY);
    assert_eq!(hall.ready(name, player(1)), Ok(()));
    assert_eq!(hall.pairing.next_due(), Some(hall.now + (CHECK_MS - 1_000)));
    assert_eq!(hall.after(CHECK_MS - 1_001), []);
    let news = hall.after(1);
    assert_eq!(ended(&news), [(player(2), Why::NotReady)]);
    assert!(news.contains(&News::Back(player(1))));
    let again = check(&news).expect("1 has kept the time that it waited");
    for n in [1, 3] {
        hall.ready(again, player(n)).unwrap();
    }
    assert_eq!(hall.play(0), [[player(1), player(3)]]);
}

#[test]
fn whoever_withdraws_in_a_check_leaves_and_the_other_waits_on() {
    let (mut hall, _) = checked();
    assert!(!hall.pairing.withdraw(name(1), player(2), hall.now), "not one's own");
    assert!(hall.pairing.withdraw(name(1), player(1), hall.now));
    let news = hall.after(LOOK_EVERY_MS);
    assert_eq!(ended(&news), [(player(1), Why::Withdrawn)]);
    assert_eq!(hall.pairing.len(), 1);
    hall.seek(wish(3, 1500));
    assert_eq!(hall.play(LOOK_EVERY_MS), [[player(2), player(3)]]);
}

#[test]
fn a_table_that_could_not_be_opened_leaves_both_where_they_were() {
    let mut hall = Hall::new();
    hall.seek(wish(1, 1500));
    hall.seek(wish(2, 1500));
    let news = hall.after(0);
    let (match_name, _) = paired(&news)[0].clone();
    assert!(!hall.pairing.withdraw(name(1), player(1), hall.now), "the table is being opened");
    hall.pairing.not_opened(match_name, hall.now);
    assert_eq!(hall.pairing.len(), 2);
    assert_eq!(hall.play(249), NOBODY);
    assert_eq!(hall.play(1), [[player(1), player(2)]]);
}

#[test]
fn whoever_sits_at_too_many_tables_leaves_and_the_other_waits_on() {
    let mut hall = Hall::new();
    hall.seek(wish(1, 1500));
    hall.seek(wish(2, 1500));
    let (name, _) = paired(&hall.after(0))[0].clone();
    hall.pairing.may_not_play(name, player(1), Why::TooManyTables, hall.now);
    let news = hall.after(0);
    assert_eq!(ended(&news), [(player(1), Why::TooManyTables)]);
    assert_eq!(hall.pairing.listed(9).count(), 1);
}

#[test]
fn seeks_rest_while_their_player_is_gone_and_end_after_the_countdown_and_not_before() {
    let mut hall = Hall::new();
    let id = hall.seek(wish(1, 1500));
    hall.pairing.went(player(1), hall.now);
    hall.seek(wish(2, 1500));
    assert_eq!(hall.play(KEPT_MS - 1), NOBODY, "nobody is paired with somebody who is gone");
    assert_eq!(hall.pairing.listed(9).count(), 1, "and their seeks are not listed");
    let since = hall.pairing.get(id).unwrap().age;
    hall.pairing.came(player(1), hall.now);
    assert_eq!(hall.pairing.get(id).unwrap().age, since, "it is untouched");
    hall.pairing.went(player(1), hall.now);
    assert!(ended(&hall.after(KEPT_MS - 1)).is_empty());
    assert_eq!(ended(&hall.after(1)), [(player(1), Why::Gone)]);
    assert_eq!(hall.pairing.len(), 1);
}

#[test]
fn the_same_wish_again_is_the_same_seek_and_there_is_a_most_of_them() {
    let mut hall = Hall::new();
    let id = hall.seek(wish(1, 1500));
    assert_eq!(hall.seek(wish(1, 1500)), id);
    for size in [12, 13] {
        hall.seek(Wish { terms: terms(size), ..wish(1, 1500) });
    }
    let refused = hall.try_seek(Wish { terms: terms(14), ..wish(1, 1500) });
    assert_eq!(refused, Err(NoSeek::TooMany));
    for n in 2..=(MOST_SEEKS as u64 - 2) {
        hall.seek(Wish { range: Some(Range { min: 0, max: 0 }), ..wish(n, 1500) });
    }
    assert_eq!(hall.try_seek(wish(20_000, 1500)), Err(NoSeek::Full));
    assert!(hall.pairing.withdraw(id, player(1), hall.now));
    assert!(hall.try_seek(wish(20_000, 1500)).is_ok());
}

#[test]
fn ten_thousand_who_fit_nobody_cost_little_for_each_that_comes() {
    let mut hall = Hall::new();
    for n in 1..MOST_SEEKS as u64 {
        let points = (n * 7_919 % 2_000) as i32;
        hall.seek(Wish { range: Some(Range { min: 3_000, max: 4_000 }), ..wish(n, points) });
    }
    let count = std::cell::Cell::new(0_u64);
    let counted = |_, _| {
        count.set(count.get() + 1);
        false
    };
    hall.now = hall.now + ANYBODY_AFTER_MS;
    hall.pairing.step(hall.now, &counted, &mut || MatchId::from_parts(1, 0));
    hall.seek(wish(20_000, 3_500));
    hall.pairing.step(hall.now + LOOK_EVERY_MS, &counted, &mut || MatchId::from_parts(1, 0));
    assert_eq!(hall.pairing.matches.len(), 1, "but whoever they wait for is found");
    assert!(count.get() < 100, "{} pairs were weighed", count.get());
}
