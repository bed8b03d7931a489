//! The same rules, slowly and obviously, against the real thing; and what holds whatever happens.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;
use crate::lobby::pairing::step::STILL_EVERY_MS;

/// What may happen.
#[derive(Clone, Debug)]
enum Step {
    Seek {
        who: u64,
        points: i32,
        size: u64,
        range: Option<(i32, i32)>,
        unsure: bool,
    },
    /// Somebody answers a seek, of however many there are.
    Answer {
        who: u64,
        nth: usize,
        points: i32,
    },
    Withdraw {
        who: u64,
    },
    Block {
        who: u64,
        whom: u64,
    },
    /// Somebody takes a block back, and those who wait are looked at once more.
    Unblock {
        who: u64,
        whom: u64,
    },
    Went(u64),
    Came(u64),
    Ready(u64),
    /// Something was half-done, and pairing begins anew.
    Mend,
    /// Time passes, and tables are opened for whoever is paired, or cannot be.
    Pass {
        ms: Millis,
        opens: bool,
    },
}

const PEOPLE: u64 = 12;

/// Those from here on are bots of the first.
const BOTS: u64 = 11;

/// The same as any other wish, with an owner where it is a bot's.
fn wished(who: u64, points: i32) -> Wish {
    let owner = player(if who < BOTS { who } else { 1 });
    Wish { owner, ..wish(who, points) }
}

/// Somebody, and their bots.
fn people_of(who: u64) -> impl Iterator<Item = u64> {
    (1..=PEOPLE).filter(move |&it| it == who || (who == 1 && it >= BOTS))
}

fn step() -> impl Strategy<Value = Step> {
    let who = || 1..=PEOPLE;
    let range = prop::option::weighted(0.3, (1000..1600, 1400..2000));
    let points = prop_oneof![4 => 1400..1600, 1 => 1000..2000];
    prop_oneof![
        10 => (who(), points, 11..=12_u64, range, prop::bool::weighted(0.2)).prop_map(
            |(who, points, size, range, unsure)| Step::Seek { who, points, size, range, unsure },
        ),
        2 => (who(), any::<usize>(), 1400..1600)
            .prop_map(|(who, nth, points)| Step::Answer { who, nth, points }),
        1 => (who(), who()).prop_map(|(who, whom)| Step::Unblock { who, whom }),
        1 => who().prop_map(|who| Step::Withdraw { who }),
        1 => (who(), who()).prop_map(|(who, whom)| Step::Block { who, whom }),
        1 => who().prop_map(Step::Went),
        2 => who().prop_map(Step::Came),
        4 => who().prop_map(Step::Ready),
        1 => Just(Step::Mend),
        5 => (1_000..12_000_u64, prop::bool::weighted(0.9))
            .prop_map(|(ms, opens)| Step::Pass { ms, opens }),
    ]
}

/// One seek of the reference.
#[derive(Clone, Debug)]
struct Slow {
    id: SeekId,
    wish: Wish,
    since: Stamp,
    answers: bool,
}

/// Two who are reserved for each other, until when, and who of them is ready.
type Checking = ([PlayerId; 2], Stamp, BTreeSet<PlayerId>);

/// The reference: every seek in the order of its coming, and whom everybody played last.
#[derive(Default)]
struct Reference {
    seeks: Vec<Slow>,
    last: BTreeMap<PlayerId, PlayerId>,
    gone: BTreeMap<PlayerId, Stamp>,
    checks: Vec<Checking>,
    blocked: BTreeSet<(PlayerId, PlayerId)>,
}

impl Reference {
    /// Whether these are two people, of whom neither has blocked the other, nor their bots.
    fn may_meet(&self, one: &Wish, two: &Wish) -> bool {
        let persons = |wish: &Wish| [wish.player.id, wish.owner];
        let blocks = |one, two| {
            persons(one)
                .iter()
                .any(|a| persons(two).iter().any(|b| self.blocked.contains(&(*a, *b))))
        };
        one.owner != two.owner && !blocks(one, two) && !blocks(two, one)
    }

    /// Who keeps away whom, as the store tells of it: with those for whom the two stand.
    fn told_blocks(&self) -> Vec<(u64, u64)> {
        let all = (1..=PEOPLE).flat_map(|who| (1..=PEOPLE).map(move |whom| (who, whom)));
        let blocked =
            all.filter(|&(who, whom)| self.blocked.contains(&(player(who), player(whom))));
        let people = |who, whom| people_of(who).map(move |one| (one, whom));
        let told = blocked
            .flat_map(move |(who, whom)| people_of(whom).flat_map(move |whom| people(who, whom)));
        told.collect()
    }

    /// Matches come to nothing, and with them the answers that made them.
    fn dissolve(&mut self, is: impl Fn(&Checking) -> bool) {
        let (over, left) = std::mem::take(&mut self.checks).into_iter().partition(|it| is(it));
        self.checks = left;
        let over: Vec<Checking> = over;
        let answered = |it: &Slow| {
            it.answers && over.iter().any(|(players, ..)| players.contains(&it.wish.player.id))
        };
        self.seeks.retain(|it| !answered(it));
        self.forget_idle();
    }

    fn reserve(&mut self, one: &Slow, two: &Slow, now: Stamp) {
        let players = [one.wish.player.id, two.wish.player.id];
        let old = now - one.since.min(two.since) > 30_000;
        let until = if old { now + 10_000 } else { Stamp(u64::MAX) };
        self.checks.push((players, until, BTreeSet::new()));
    }

    fn is_free(&self, player: PlayerId) -> bool {
        let checked = self.checks.iter().any(|(players, ..)| players.contains(&player));
        !checked && !self.gone.contains_key(&player)
    }

    fn repeat(&self, one: &Slow, two: &Slow) -> bool {
        let last = |of: &Slow, whom: &Slow| {
            self.last.get(&of.wish.player.id) == Some(&whom.wish.player.id)
        };
        last(one, two) || last(two, one)
    }

    fn fits(&self, one: &Slow, two: &Slow) -> bool {
        let inside = |of: &Slow, whom: &Slow| {
            of.wish.range.is_none_or(|it| (it.min..=it.max).contains(&whom.wish.rating.points))
        };
        one.wish.terms == two.wish.terms
            && self.may_meet(&one.wish, &two.wish)
            && self.is_free(one.wish.player.id)
            && self.is_free(two.wish.player.id)
            && inside(one, two)
            && inside(two, one)
    }

    fn near(one: &Slow, two: &Slow, now: Stamp) -> bool {
        let waited = now - one.since.min(two.since);
        let unsure = one.wish.rating.deviation > 110 || two.wish.rating.deviation > 110;
        let most = 100 + 10 * (waited / 1_000) as i32 + if unsure { 200 } else { 0 };
        waited >= 30_000 || (one.wish.rating.points - two.wish.rating.points).abs() <= most
    }

    /// Who is chosen by whom now, in order.
    fn choose(&mut self, now: Stamp) -> Vec<[SeekId; 2]> {
        let mut keys: Vec<_> = self.seeks.iter().map(|it| it.wish.terms).collect();
        keys.sort();
        keys.dedup();
        let mut chosen = Vec::new();
        for key in keys {
            for index in 0..self.seeks.len() {
                let one = self.seeks[index].clone();
                if one.wish.terms != key {
                    continue;
                }
                let fitting: Vec<_> = self.seeks.iter().filter(|it| self.fits(&one, it)).collect();
                let near = fitting.iter().filter(|it| Reference::near(&one, it, now));
                let gap = |it: &Slow| (it.wish.rating.points - one.wish.rating.points).abs();
                let another = |of: &Slow| {
                    self.seeks.iter().any(|it| self.fits(of, it) && !self.repeat(of, it))
                };
                let allowed =
                    |it: &&&Slow| !self.repeat(&one, it) || !(another(&one) || another(it));
                let best = near.filter(allowed).min_by_key(|it| (self.repeat(&one, it), gap(it)));
                let Some(&best) = best else { continue };
                let best = best.clone();
                chosen.push([one.id, best.id]);
                self.reserve(&one, &best, now);
            }
        }
        chosen
    }

    fn drop_seeks(&mut self, player: PlayerId) {
        self.seeks.retain(|it| it.wish.player.id != player);
    }

    /// What time ends.
    fn end(&mut self, now: Stamp) {
        let gone: Vec<_> = self
            .gone
            .iter()
            .filter(|(_, since)| now - **since >= KEPT_MS)
            .map(|it| *it.0)
            .collect();
        for player in gone {
            self.drop_seeks(player);
            self.dissolve(|(players, ..)| players.contains(&player));
        }
        let over: Vec<_> = self.checks.iter().filter(|it| it.1 <= now).cloned().collect();
        self.dissolve(|it| it.1 <= now);
        for (players, _, ready) in over {
            players.iter().filter(|it| !ready.contains(it)).for_each(|&it| self.drop_seeks(it));
        }
        self.forget_idle();
    }

    /// Who seeks nothing is nobody whose presence is watched.
    fn forget_idle(&mut self) {
        let seeks = &self.seeks;
        self.gone.retain(|player, _| seeks.iter().any(|it| it.wish.player.id == *player));
    }

    fn opened(&mut self, players: [PlayerId; 2]) {
        self.checks.retain(|it| it.0 != players && it.0 != [players[1], players[0]]);
        players.iter().for_each(|&it| self.drop_seeks(it));
        self.last.extend([(players[0], players[1]), (players[1], players[0])]);
        self.forget_idle();
    }
}

/// What the real pairing says of itself.
fn holds(hall: &Hall) {
    let pairing = &hall.pairing;
    let mut reserved = BTreeSet::new();
    for reservation in pairing.matches.values() {
        for seek in reservation.seeks {
            let player = pairing.seeks[&seek].wish.player.id;
            assert!(reserved.insert(player), "{player} is reserved twice");
        }
    }
    for (player, person) in &pairing.people {
        assert_eq!(person.reserved.is_some(), reserved.contains(player), "both or neither");
        assert!(!person.seeks.is_empty() && person.seeks.len() <= SEEKS_EACH);
        for id in &person.seeks {
            let seek = &pairing.seeks[id];
            let queued = pairing.queues.get(&seek.wish.terms);
            let queued = queued.is_some_and(|queue| queue.has(seek.age));
            assert_eq!(queued, person.gone.is_none() && person.reserved.is_none());
            let listed = pairing.public.get(&seek.age) == Some(id);
            assert_eq!(listed, queued && seek.is_public(), "listed while it waits, and no longer");
        }
    }
    let listed: Vec<SeekId> = pairing.listed(MOST_SEEKS).map(|seek| seek.id).collect();
    assert_eq!(listed, pairing.public.values().copied().collect::<Vec<_>>(), "none that is gone");
    let held: usize = pairing.people.values().map(|person| person.seeks.len()).sum();
    assert_eq!(held, pairing.seeks.len());
    for queue in pairing.queues.values() {
        assert!(!queue.is_empty(), "an empty queue is kept");
    }
    assert_eq!(pairing.gone.len(), pairing.people.values().filter(|it| it.gone.is_some()).count());
}

/// Whoever fits is not kept waiting beyond the last window.
fn nobody_starves(hall: &Hall) {
    let waiting = hall.pairing.queues.values().flat_map(queue::Queue::by_age);
    let waiting: Vec<&Seek> = waiting.map(|id| &hall.pairing.seeks[&id]).collect();
    for (index, one) in waiting.iter().enumerate() {
        for two in &waiting[index + 1..] {
            let blocked = has_blocked(&hall.blocked);
            let fits = one.wish.terms == two.wish.terms && one.wish.fits(&two.wish, &blocked);
            let long = one.age.min(two.age).waited(hall.now) >= ANYBODY_AFTER_MS;
            let repeat = hall.pairing.memory.played_last(one.wish.player.id, two.wish.player.id);
            assert!(
                !(fits && long && !repeat),
                "{:?} and {:?} wait for each other",
                one.id,
                two.id
            );
        }
    }
}

fn play(steps: Vec<Step>) {
    let mut hall = Hall::new();
    let mut slow = Reference::default();
    for step in steps {
        match step {
            Step::Seek { who, points, size, range, unsure } => {
                let range = range.map(|(min, max)| Range { min, max });
                let deviation = if unsure { 350 } else { 50 };
                let rating = Rating { points, deviation };
                let wish = Wish { rating, range, terms: terms(size), ..wished(who, points) };
                let before = hall.pairing.len();
                if let Ok(id) = hall.try_seek(wish.clone())
                    && hall.pairing.len() > before
                {
                    slow.seeks.push(Slow { id, wish, since: hall.now, answers: false });
                }
            }
            Step::Answer { who, nth, points } => answer(&mut hall, &mut slow, who, nth, points),
            Step::Block { who, whom } => {
                slow.blocked.insert((player(who), player(whom)));
                hall.blocked = slow.told_blocks();
            }
            Step::Unblock { who, whom } => {
                slow.blocked.remove(&(player(who), player(whom)));
                hall.blocked = slow.told_blocks();
                pass(&mut hall, &mut slow, STILL_EVERY_MS, true);
            }
            Step::Withdraw { who } => {
                let first = hall.pairing.of(player(who)).next().map(|seek| seek.id);
                if let Some(id) = first
                    && hall.pairing.withdraw(id, player(who), hall.now)
                {
                    let is_over = hall.pairing.check(player(who)).is_none();
                    slow.dissolve(|it| is_over && it.0.contains(&player(who)));
                    slow.seeks.retain(|it| it.id != id);
                    slow.forget_idle();
                }
            }
            Step::Went(who) => {
                hall.pairing.went(player(who), hall.now);
                if slow.seeks.iter().any(|it| it.wish.player.id == player(who)) {
                    slow.gone.entry(player(who)).or_insert(hall.now);
                }
            }
            Step::Came(who) => {
                hall.pairing.came(player(who), hall.now);
                slow.gone.remove(&player(who));
            }
            Step::Ready(who) => {
                if let Some(check) = hall.pairing.check(player(who)) {
                    hall.ready(check.id, player(who)).unwrap();
                    let theirs = slow.checks.iter_mut().find(|it| it.0.contains(&player(who)));
                    let theirs = theirs.unwrap();
                    theirs.2.insert(player(who));
                    let (players, is_whole) = (theirs.0, theirs.2.len() == 2);
                    let wish = |of: PlayerId| {
                        let seek = slow.seeks.iter().find(|it| it.wish.player.id == of);
                        seek.unwrap().wish.clone()
                    };
                    if is_whole && !slow.may_meet(&wish(players[0]), &wish(players[1])) {
                        slow.dissolve(|it| it.0 == players);
                    }
                    let news = hall.pairing.take_news();
                    hall.open(&news).into_iter().for_each(|players| slow.opened(players));
                }
            }
            Step::Mend => {
                let is_here = |player| !slow.gone.contains_key(&player);
                let broken = std::mem::replace(&mut hall.pairing, Pairing::new(KEPT_MS));
                hall.pairing = broken.mended(hall.now, is_here, |_| None);
                slow.dissolve(|_| true);
            }
            Step::Pass { ms, opens } => pass(&mut hall, &mut slow, ms, opens),
        }
        holds(&hall);
    }
}

/// Somebody answers a seek, if they are here and there is any.
fn answer(hall: &mut Hall, slow: &mut Reference, who: u64, nth: usize, points: i32) {
    if slow.seeks.is_empty() || slow.gone.contains_key(&player(who)) {
        return;
    }
    let asked = slow.seeks[nth % slow.seeks.len()].clone();
    let wish = Wish { terms: asked.wish.terms, ..wished(who, points) };
    let held = slow.seeks.iter().filter(|it| it.wish.player.id == player(who)).count();
    let answering = Slow { id: name(hall.seeks + 1), wish, since: hall.now, answers: true };
    let may = slow.fits(&answering, &asked) && held < SEEKS_EACH;
    let done = hall.answer(asked.id, answering.wish.clone());
    assert_eq!(done.is_ok(), may, "{done:?}");
    if may {
        slow.reserve(&asked, &answering, hall.now);
        slow.seeks.push(answering);
        let news = hall.pairing.take_news();
        hall.open(&news).into_iter().for_each(|players| slow.opened(players));
    }
}

fn pass(hall: &mut Hall, slow: &mut Reference, ms: Millis, opens: bool) {
    let before: BTreeSet<MatchId> = hall.pairing.matches.keys().copied().collect();
    let news = hall.after(ms);
    slow.end(hall.now);
    let chosen = slow.choose(hall.now);
    let matches = hall.pairing.matches.iter().filter(|(name, _)| !before.contains(name));
    let real: Vec<[SeekId; 2]> = matches.map(|(_, reservation)| reservation.seeks).collect();
    assert_eq!(real, chosen);
    nobody_starves(hall);
    if opens {
        hall.open(&news).into_iter().for_each(|players| slow.opened(players));
    } else {
        for (name, paired) in paired(&news) {
            hall.pairing.not_opened(name, hall.now);
            let players = paired.players.map(|player| player.id);
            slow.dissolve(|it| it.0.contains(&players[0]));
        }
    }
    let kept: Vec<SeekId> = slow.seeks.iter().map(|it| it.id).collect();
    let mut real: Vec<&Seek> = hall.pairing.seeks.values().collect();
    real.sort_by_key(|seek| seek.age);
    assert_eq!(real.iter().map(|seek| seek.id).collect::<Vec<_>>(), kept);
}

proptest! {
    #[test]
    fn whatever_happens_the_reference_pairs_the_same_and_nobody_is_booked_twice_or_starves(
        steps in prop::collection::vec(step(), 1..120)
    ) {
        play(steps);
    }
}
