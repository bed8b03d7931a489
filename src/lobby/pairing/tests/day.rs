//! A day with ten thousand arrivals, seeded: how long people wait, and for whom.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::*;
use crate::lobby::pairing::pools;

const ARRIVALS: usize = 10_000;
const PEOPLE: u64 = 2_500;
const DAY_MS: u64 = 86_400_000;

/// Of a thousand arrivals, how many in each hour: few by night, most in the evening.
const BY_HOUR: [u64; 24] =
    [22, 15, 10, 8, 6, 7, 10, 16, 25, 32, 38, 42, 46, 44, 42, 44, 50, 58, 68, 82, 96, 98, 86, 55];

/// Of a hundred, how many choose each pool, in the pools' order.
const BY_POOL: [u64; 6] = [14, 26, 30, 12, 10, 8];

/// How long people wait before they give up.
const PATIENCE_MS: Millis = 300_000;

/// SplitMix64: enough for a simulation, and the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut it = self.0;
        it = (it ^ it >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        it = (it ^ it >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (it ^ it >> 31) % most
    }

    fn weighted(&mut self, weights: &[u64]) -> usize {
        let mut left = self.below(weights.iter().sum());
        weights
            .iter()
            .position(|&weight| left.checked_sub(weight).map(|it| left = it).is_none())
            .unwrap()
    }

    /// Nearly a bell around 1500, from 700 to 2300.
    fn rating(&mut self) -> i32 {
        700 + (0..4).map(|_| self.below(401) as i32).sum::<i32>()
    }
}

#[derive(Default)]
struct Tally {
    came: usize,
    waits: Vec<Millis>,
    gaps: Vec<u64>,
    gave_up: usize,
    silent: usize,
    repeats: usize,
}

fn share(of: &[u64], percent: usize) -> u64 {
    of.get((of.len() * percent / 100).min(of.len().saturating_sub(1))).copied().unwrap_or(0)
}

struct Day {
    hall: Hall,
    dice: Dice,
    ratings: BTreeMap<PlayerId, i32>,
    /// When somebody's game is over.
    busy: BTreeMap<PlayerId, Stamp>,
    last: BTreeMap<PlayerId, PlayerId>,
    tallies: BTreeMap<&'static str, Tally>,
    /// When whose patience ends, and when who answers a check.
    ends: BTreeSet<(Stamp, SeekId, PlayerId)>,
    answers: BTreeSet<(Stamp, MatchId, PlayerId)>,
}

impl Day {
    fn arrive(&mut self, at: Stamp) {
        self.run_to(at);
        let pool = &pools::all()[self.dice.weighted(&BY_POOL)];
        let who = loop {
            let who = player(1 + self.dice.below(PEOPLE));
            let playing = self.busy.get(&who).is_some_and(|&until| at < until);
            if !playing && self.hall.pairing.of(who).next().is_none() {
                break who;
            }
        };
        let rating = *self.ratings.entry(who).or_insert_with(|| self.dice.rating());
        let terms = Options::resolve(&pool.options).unwrap();
        let it = Wish { terms, pool: Some(pool.name), ..wish(1, rating) };
        let it = Wish { owner: who, player: Player { id: who, ..it.player.clone() }, ..it };
        let seek = self.hall.seek(it);
        self.tallies.entry(pool.name).or_default().came += 1;
        self.ends.insert((at + PATIENCE_MS, seek, who));
        self.run_to(at);
    }

    fn run_to(&mut self, at: Stamp) {
        loop {
            let next = [
                self.hall.pairing.next_due(),
                self.ends.first().map(|it| it.0),
                self.answers.first().map(|it| it.0),
            ];
            let Some(due) = next.into_iter().flatten().min().filter(|&due| due <= at) else {
                break;
            };
            self.hall.now = self.hall.now.max(due);
            self.people_act();
            let news = self.hall.after(0);
            self.take(news);
        }
        self.hall.now = at;
    }

    fn people_act(&mut self) {
        while let Some(&(at, seek, who)) = self.ends.first()
            && at <= self.hall.now
        {
            self.ends.pop_first();
            let pool = self.hall.pairing.get(seek).and_then(|it| it.wish.pool);
            if let Some(pool) = pool
                && self.hall.pairing.check(who).is_none()
                && self.hall.pairing.withdraw(seek, who, self.hall.now)
            {
                self.tallies.get_mut(pool).unwrap().gave_up += 1;
            }
        }
        while let Some(&(at, name, who)) = self.answers.first()
            && at <= self.hall.now
        {
            self.answers.pop_first();
            // Too late where the other has withdrawn.
            let _ = self.hall.ready(name, who);
        }
    }

    fn take(&mut self, news: Vec<News>) {
        for it in &news {
            let News::Check(name, players) = it else { continue };
            for &who in players {
                // One in twenty has left the room; the others take a moment.
                if self.dice.below(20) > 0 {
                    let at = self.hall.now + 1_000 + self.dice.below(6_000);
                    self.answers.insert((at, *name, who));
                }
            }
        }
        for (_, paired) in paired(&news) {
            let players = paired.players.each_ref().map(|it| it.id);
            let seeks = players.map(|it| self.hall.pairing.of(it).next().unwrap().clone());
            let tally = self.tallies.get_mut(seeks[0].wish.pool.unwrap()).unwrap();
            tally.waits.extend(seeks.each_ref().map(|seek| seek.age.waited(self.hall.now)));
            tally.gaps.push(seeks[0].wish.gap(&seeks[1].wish).unsigned_abs().into());
            tally.repeats += usize::from(self.last.get(&players[0]) == Some(&players[1]));
            self.last.extend([(players[0], players[1]), (players[1], players[0])]);
            let until = self.hall.now + 240_000 + self.dice.below(900_000);
            self.busy.extend(players.map(|it| (it, until)));
        }
        for it in &news {
            if let News::Ended(_, _, Why::NotReady) = it {
                self.tallies.entry("all").or_default().silent += 1;
            }
        }
        self.hall.open(&news);
    }
}

fn a_day() -> BTreeMap<&'static str, Tally> {
    let mut day = Day {
        hall: Hall::new(),
        dice: Dice(20_261_130),
        ratings: BTreeMap::new(),
        busy: BTreeMap::new(),
        last: BTreeMap::new(),
        tallies: BTreeMap::new(),
        ends: BTreeSet::new(),
        answers: BTreeSet::new(),
    };
    let mut times: Vec<u64> = (0..ARRIVALS)
        .map(|_| day.dice.weighted(&BY_HOUR) as u64 * 3_600_000 + day.dice.below(3_600_000))
        .collect();
    times.sort_unstable();
    let morning = day.hall.now;
    times.into_iter().for_each(|at| day.arrive(morning + at));
    day.run_to(morning + DAY_MS + PATIENCE_MS);
    assert_eq!(day.hall.pairing.len(), 0, "everybody played or gave up");
    assert_eq!(day.hall.pairing.matches.len(), 0);
    day.tallies
}

/// The table of the module's README.
fn written(tallies: &mut BTreeMap<&'static str, Tally>) -> String {
    let mut all = tallies.remove("all").unwrap_or_default();
    let mut text = String::from(
        "| pool | came | played | gave up | wait median | p90 | p99 | max | apart median | p90 | repeats |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let mut row = |name: &str, it: &mut Tally| {
        it.waits.sort_unstable();
        it.gaps.sort_unstable();
        let waits = [50, 90, 99, 100].map(|percent| share(&it.waits, percent) as f64 / 1_000.0);
        let [median, p90, p99, max] = waits.map(|wait| format!("{wait:.1} s"));
        writeln!(
            text,
            "| {name} | {} | {} | {} | {median} | {p90} | {p99} | {max} | {} | {} | {} |",
            it.came,
            it.waits.len(),
            it.gave_up,
            share(&it.gaps, 50),
            share(&it.gaps, 90),
            it.repeats
        )
        .unwrap();
    };
    for pool in pools::all() {
        let it = tallies.get_mut(pool.name).unwrap();
        row(pool.name, it);
        all.came += it.came;
        all.gave_up += it.gave_up;
        all.repeats += it.repeats;
        all.waits.extend(&it.waits);
        all.gaps.extend(&it.gaps);
    }
    row("all", &mut all);
    assert_eq!(all.came, ARRIVALS);
    assert_eq!(all.waits.len() + all.gave_up + all.silent, ARRIVALS, "nobody is lost");
    tallies.insert("all", all);
    text
}

#[test]
fn on_a_day_of_ten_thousand_arrivals_waits_are_short_and_opponents_near() {
    let mut tallies = a_day();
    let text = written(&mut tallies);
    println!("{text}");
    let all = &tallies["all"];
    assert!(share(&all.waits, 50) <= 15_000);
    assert!(share(&all.waits, 90) <= 90_000);
    assert!(share(&all.waits, 100) <= PATIENCE_MS + CHECK_MS);
    assert!(share(&all.gaps, 50) <= 200);
    assert!(all.gave_up * 20 <= ARRIVALS, "{} gave up", all.gave_up);
    assert!(all.repeats * 50 <= all.gaps.len(), "{} repeats", all.repeats);
    let readme = include_str!("../../README.md");
    assert!(readme.contains(&text), "src/lobby/README.md shows another day; this one is\n{text}");
}

#[test]
fn the_same_seed_is_the_same_day() {
    let [mut one, mut two] = [a_day(), a_day()];
    assert_eq!(written(&mut one), written(&mut two));
}
