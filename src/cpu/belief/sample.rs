//! Sampling what is hidden: worlds that agree with everything the seat has seen, each as likely
//! as the other seat's play that leads to it.
//!
//! A sample is a whole history of the other seat: which cell each of its stones went to, and
//! which of this seat's stones each of its collisions found. A set of particles is taken through
//! the attempts in order (sequential Monte Carlo; Doucet, de Freitas and Gordon 2001). At each
//! attempt a particle draws a cell by the model of the other player ([`super::model`]), among the
//! cells that what came later leaves possible:
//! - no cell where this seat has a stone, since it was empty when that was placed;
//! - a stone that was found must have been placed before: once the turns left until it was found
//!   are as many as the stones to be placed in them, one of these comes next;
//! - no stone that would have ended the game.
//!
//! A particle's weight is multiplied by how likely the model holds what was possible at all, and
//! particles are drawn anew by their weights when the weights get uneven. A set of which too few
//! differ is stirred by moving single stones (Metropolis steps).
//!
//! Invariant: there is always a sample. When no particle is left, [`build`] makes one outright: a
//! way across for this seat, which must exist or the game were over, is kept free, and the hidden
//! stones go elsewhere.

use crate::cpu::dice::Dice;

use super::facts::{Facts, Theirs};
use super::field::{Chains, Point};
use super::model::Model;
use super::world::{Sight, World};

/// How many cells the model may judge for one set of samples, over all particles and attempts.
const JUDGED: usize = 4_000_000;
/// How many cells particles may be asked about in all, the model aside.
const DRAWN: usize = 8_000_000;
/// Fewer particles than this say nothing: samples are built outright instead.
const FEWEST: usize = 4;
/// How many samples are built outright.
const BUILT: usize = 16;

/// One history of the other seat.
#[derive(Clone, Debug)]
struct Particle {
    /// By cell: whether the other seat has a stone there.
    stones: Vec<bool>,
    /// By cell: whether the other seat has found this seat's stone there.
    found: Vec<bool>,
    chains: Chains,
    /// What the model said last, by cell.
    chances: Vec<f64>,
    weight: f64,
}

/// Samples of what is hidden, equally likely; at least one. `count` is how many are wanted, fewer
/// come on boards where each is costly. `weighted` says whether the model of the other player
/// counts; without it every history that agrees with the view is alike.
pub fn samples(
    facts: &Facts,
    count: usize,
    weighted: bool,
    dice: &mut Dice,
    stop: &mut dyn FnMut() -> bool,
) -> Vec<World> {
    let cells = facts.field.cells();
    let attempts = facts.theirs.len().max(1);
    let affordable = DRAWN / (attempts * cells);
    if affordable < FEWEST {
        return built(facts, count, dice, stop);
    }
    let count = count.clamp(1, affordable);
    let judged = if weighted { (JUDGED / (count * cells)).max(1) } else { 0 };
    let mut particles = advance(facts, count, judged, dice, stop);
    if particles.is_empty() {
        return built(facts, count, dice, stop);
    }
    stir(facts, &mut particles, dice);
    let mut worlds = vec![world(facts, &particles[0])];
    let more = particles[1..].iter().take_while(|_| !stop());
    worlds.extend(more.map(|particle| world(facts, particle)));
    worlds
}

/// Samples that are built outright.
fn built(
    facts: &Facts,
    count: usize,
    dice: &mut Dice,
    stop: &mut dyn FnMut() -> bool,
) -> Vec<World> {
    let mut worlds = vec![build(facts, dice)];
    while worlds.len() < count.min(BUILT) && !stop() {
        worlds.push(build(facts, dice));
    }
    worlds
}

/// Takes particles through the attempts. None is left if the search for one was cut short or failed.
fn advance(
    facts: &Facts,
    count: usize,
    judged: usize,
    dice: &mut Dice,
    stop: &mut dyn FnMut() -> bool,
) -> Vec<Particle> {
    let field = &facts.field;
    let fresh = Particle {
        stones: vec![false; field.cells()],
        found: vec![false; field.cells()],
        chains: Chains::new(field),
        chances: vec![1.0; field.cells()],
        weight: 1.0,
    };
    let mut particles = vec![fresh; count];
    let mut model = Model::new(field);
    // Where judging each attempt would take too long, the latest count most.
    let skipped = facts.theirs.len().saturating_sub(judged);
    for (number, attempt) in facts.theirs.iter().enumerate() {
        for particle in &mut particles {
            if stop() {
                return Vec::new();
            }
            if number >= skipped {
                particle.judge(facts, &mut model);
            }
            match attempt.collided {
                true => particle.collide(facts, attempt.at, dice),
                false => particle.place(facts, *attempt, dice),
            }
        }
        particles = resampled(particles, dice);
        if particles.is_empty() {
            return particles;
        }
    }
    let total: f64 = particles.iter().map(|particle| particle.weight).sum();
    if total > 0.0 { redrawn(&particles, total, dice) } else { Vec::new() }
}

/// The particles with their weights evened out, by drawing them anew if few carry most of it.
fn resampled(mut particles: Vec<Particle>, dice: &mut Dice) -> Vec<Particle> {
    let total: f64 = particles.iter().map(|particle| particle.weight).sum();
    if total <= 0.0 {
        return Vec::new();
    }
    let squares: f64 = particles.iter().map(|particle| particle.weight.powi(2)).sum();
    let effective = total * total / squares;
    if effective < particles.len() as f64 / 2.0 {
        return redrawn(&particles, total, dice);
    }
    let scale = particles.len() as f64 / total;
    for particle in &mut particles {
        particle.weight *= scale;
    }
    particles
}

/// As many particles, each as often as its weight asks for (systematic resampling).
fn redrawn(particles: &[Particle], total: f64, dice: &mut Dice) -> Vec<Particle> {
    let step = total / particles.len() as f64;
    let mut next = dice.unit_f64() * step;
    let mut sum = 0.0;
    let mut drawn = Vec::with_capacity(particles.len());
    for particle in particles {
        sum += particle.weight;
        while next < sum && drawn.len() < particles.len() {
            drawn.push(Particle { weight: 1.0, ..particle.clone() });
            next += step;
        }
    }
    drawn
}

impl Particle {
    fn judge(&mut self, facts: &Facts, model: &mut Model) {
        let (side, field) = (1 - facts.side, &facts.field);
        let Particle { stones, found, chances, .. } = self;
        let known = |cell: Point| match usize::from(cell) {
            cell if stones[cell] => Some(side),
            cell if found[cell] => Some(facts.side),
            _ => None,
        };
        model.chances(field, side, known, chances);
    }

    /// What the model leaves for cells that the other seat could try.
    fn total(&self) -> f64 {
        let free = |&cell: &usize| !self.stones[cell] && !self.found[cell];
        (0..self.stones.len()).filter(free).map(|cell| self.chances[cell]).sum()
    }

    /// It ran into one of this seat's stones: which?
    fn collide(&mut self, facts: &Facts, at: usize, dice: &mut Dice) {
        let there: Vec<Point> = (facts.own.iter())
            .filter(|&&(cell, placed)| placed <= at && !self.found[usize::from(cell)])
            .map(|&(cell, _)| cell)
            .collect();
        let chances = there.iter().map(|&cell| self.chances[usize::from(cell)]);
        self.weight *= chances.clone().sum::<f64>() / self.total();
        if let Some(index) = dice.pick(chances) {
            self.found[usize::from(there[index])] = true;
        }
    }

    /// It placed a stone: where?
    fn place(&mut self, facts: &Facts, attempt: Theirs, dice: &mut Dice) {
        if self.weight <= 0.0 {
            return;
        }
        let forced = self.forced(facts, attempt);
        let side = 1 - facts.side;
        let found = facts.found.iter().filter(|&&(cell, at)| {
            at > attempt.at && forced.is_none_or(|latest| at <= latest) && !self.at(cell)
        });
        let mut open: Vec<Point> = found.map(|&(cell, _)| cell).collect();
        if forced.is_none() {
            open.extend(facts.unknown.iter().filter(|&&cell| !self.at(cell)));
        }
        let (first, last) = facts.field.edges(side);
        let (first, last) = (self.chains.root(first), self.chains.root(last));
        open.retain(|&cell| !self.wins(facts, cell, first, last));
        let chances = open.iter().map(|&cell| self.chances[usize::from(cell)]);
        self.weight *= chances.clone().sum::<f64>() / self.total();
        match dice.pick(chances) {
            Some(index) => self.put(facts, open[index]),
            None => self.weight = 0.0,
        }
    }

    fn at(&self, cell: Point) -> bool {
        self.stones[usize::from(cell)]
    }

    /// Whether the next stone must be one of those found by some attempt, and which attempt: as
    /// many stones are to be placed before it as there are turns.
    fn forced(&self, facts: &Facts, now: Theirs) -> Option<usize> {
        let mut missing = 0;
        let left = facts.theirs.iter().filter(|turn| !turn.collided && turn.at >= now.at);
        let mut left = left.peekable();
        let mut turns = 0;
        for &(cell, at) in &facts.found {
            missing += usize::from(!self.at(cell));
            while left.next_if(|turn| turn.at < at).is_some() {
                turns += 1;
            }
            if missing > 0 && missing >= turns {
                return Some(at);
            }
        }
        None
    }

    /// Whether a stone there would join the other seat's edges, which are in the chains of `first`
    /// and `last`.
    fn wins(&mut self, facts: &Facts, cell: Point, first: Point, last: Point) -> bool {
        let side = 1 - facts.side;
        let mut touched = [false; 2];
        for &near in facts.field.near(cell) {
            if self.theirs(facts, near, side) {
                let root = self.chains.root(near);
                touched[0] |= root == first;
                touched[1] |= root == last;
            }
        }
        touched == [true; 2]
    }

    fn theirs(&self, facts: &Facts, point: Point, side: usize) -> bool {
        let (first, last) = facts.field.edges(side);
        point == first || point == last || self.stones.get(usize::from(point)) == Some(&true)
    }

    fn put(&mut self, facts: &Facts, cell: Point) {
        self.stones[usize::from(cell)] = true;
        self.link(facts, cell);
    }

    fn link(&mut self, facts: &Facts, cell: Point) {
        for &near in facts.field.near(cell) {
            if self.theirs(facts, near, 1 - facts.side) {
                self.chains.join(cell, near);
            }
        }
    }

    fn relink(&mut self, facts: &Facts) {
        self.chains.clear();
        for cell in 0..facts.field.cells() as Point {
            if self.at(cell) {
                self.link(facts, cell);
            }
        }
    }
}

/// Moves single hidden stones of particles that are much alike.
fn stir(facts: &Facts, particles: &mut [Particle], dice: &mut Dice) {
    let mut kinds: Vec<&[bool]> = particles.iter().map(|particle| &particle.stones[..]).collect();
    kinds.sort_unstable();
    kinds.dedup();
    if facts.hidden() == 0 || 2 * kinds.len() >= particles.len() || facts.field.cells() > 400 {
        return;
    }
    for particle in particles {
        let hidden: Vec<Point> =
            facts.unknown.iter().copied().filter(|&cell| particle.at(cell)).collect();
        let (Some(&from), Some(&to)) = (
            hidden.get(dice.below(hidden.len())),
            facts.unknown.get(dice.below(facts.unknown.len())),
        ) else {
            continue;
        };
        if particle.at(to) {
            continue;
        }
        // What the model last said of the cell that is taken is that it was taken: compare with a
        // cell of the usual chance instead.
        let usual = 1.0 / facts.unknown.len() as f64;
        let ratio = particle.chances[usize::from(to)] / usual;
        if dice.unit_f64() >= ratio {
            continue;
        }
        particle.stones[usize::from(from)] = false;
        particle.relink(facts);
        let (first, last) = facts.field.edges(1 - facts.side);
        let (first, last) = (particle.chains.root(first), particle.chains.root(last));
        let to = if particle.wins(facts, to, first, last) { from } else { to };
        particle.put(facts, to);
    }
}

/// The world of a particle.
fn world(facts: &Facts, particle: &Particle) -> World {
    let hidden: Vec<Point> =
        facts.unknown.iter().copied().filter(|&cell| particle.at(cell)).collect();
    let found: Vec<Point> = (facts.own.iter().map(|&(cell, _)| cell))
        .filter(|&cell| particle.found[usize::from(cell)])
        .collect();
    assembled(facts, &hidden, &found)
}

/// A world from what is known and what is supposed: the other seat's hidden stones, and the stones
/// of this seat that it has found.
fn assembled(facts: &Facts, hidden: &[Point], found: &[Point]) -> World {
    let mut world = World::new(facts.field.clone(), Sight::Dark(facts.collision));
    for &(cell, _) in &facts.own {
        world.place(facts.side, cell);
    }
    for &(cell, _) in &facts.found {
        world.place(1 - facts.side, cell);
        world.find(facts.side, cell);
    }
    for &cell in hidden {
        world.place(1 - facts.side, cell);
    }
    for &cell in found {
        world.find(1 - facts.side, cell);
    }
    world.set_turn(facts.side);
    world
}

/// A world made outright, without a thought for how likely it is.
pub fn build(facts: &Facts, dice: &mut Dice) -> World {
    let mut rest = facts.unknown.clone();
    dice.shuffle(&mut rest);
    // Cells off a shortest way across for this seat come first, so that the way stays free.
    let way = free_way(facts, dice);
    rest.sort_by_cached_key(|cell| way.contains(cell));
    rest.truncate(facts.hidden());
    let mut found = Vec::new();
    for attempt in facts.theirs.iter().filter(|attempt| attempt.collided) {
        let there: Vec<Point> = (facts.own.iter())
            .filter(|(cell, placed)| *placed <= attempt.at && !found.contains(cell))
            .map(|&(cell, _)| cell)
            .collect();
        found.extend(there.get(dice.below(there.len())));
    }
    assembled(facts, &rest, &found)
}

/// The unknown cells of a way across for this seat with as few of them as there can be, drawn at
/// random among such ways.
fn free_way(facts: &Facts, dice: &mut Dice) -> Vec<Point> {
    let field = &facts.field;
    let far = usize::MAX;
    let mut cost = vec![far; field.points()];
    for &cell in &facts.unknown {
        cost[usize::from(cell)] = 1;
    }
    for &(cell, _) in &facts.own {
        cost[usize::from(cell)] = 0;
    }
    let (first, last) = field.edges(facts.side);
    let mut steps = vec![far; field.points()];
    let mut from = vec![first; field.points()];
    let mut queue = std::collections::VecDeque::new();
    let mut starts: Vec<Point> = (0..field.cells() as Point)
        .filter(|&cell| cost[usize::from(cell)] != far && field.near(cell).contains(&first))
        .collect();
    dice.shuffle(&mut starts);
    let mut reach = |to: Point, via: Point, base: usize, steps: &mut [usize]| {
        let price = cost[usize::from(to)];
        if price == far || base + price >= steps[usize::from(to)] {
            return None;
        }
        steps[usize::from(to)] = base + price;
        from[usize::from(to)] = via;
        Some(price)
    };
    for cell in starts {
        match reach(cell, first, 0, &mut steps) {
            Some(0) => queue.push_front(cell),
            Some(_) => queue.push_back(cell),
            None => {}
        }
    }
    while let Some(cell) = queue.pop_front() {
        let base = steps[usize::from(cell)];
        let mut around = *field.near(cell);
        dice.shuffle(&mut around);
        for near in around.into_iter().filter(|&near| usize::from(near) < field.cells()) {
            match reach(near, cell, base, &mut steps) {
                Some(0) => queue.push_front(near),
                Some(_) => queue.push_back(near),
                None => {}
            }
        }
    }
    let ends = (0..field.cells() as Point)
        .filter(|&cell| steps[usize::from(cell)] != far && field.near(cell).contains(&last));
    let Some(mut cell) = ends.min_by_key(|&cell| steps[usize::from(cell)]) else {
        return Vec::new();
    };
    let mut way = Vec::new();
    while cell != first {
        if cost[usize::from(cell)] == 1 {
            way.push(cell);
        }
        cell = from[usize::from(cell)];
    }
    way
}

impl Facts {
    /// Whether a world agrees with what the seat has seen.
    #[cfg(test)]
    pub fn agrees(&self, world: &World) -> bool {
        let hidden = self.unknown.iter().filter(|&&cell| world.at(cell).is_some()).count();
        hidden == self.hidden()
            && self.own.iter().all(|&(cell, _)| world.at(cell) == Some(self.side))
            && self.found.iter().all(|&(cell, _)| world.at(cell) == Some(1 - self.side))
            && self.found.iter().all(|&(cell, _)| world.knows(self.side, cell))
            && world.turn() == self.side
            && !world.clone().has_won(1 - self.side)
            && !world.clone().has_won(self.side)
            && (self.theirs.iter().filter(|attempt| attempt.collided).count()
                == self.own.iter().filter(|&&(cell, _)| world.knows(1 - self.side, cell)).count())
    }
}
