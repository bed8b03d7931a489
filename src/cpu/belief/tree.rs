//! The search: one tree for each side over what it has seen, grown by playing sampled worlds.
//!
//! Information-set Monte Carlo tree search with a tree for each observer (Cowling, Powley and
//! Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 2012). Each iteration takes
//! one sampled world and plays it; whoever is to move chooses by the statistics of what it has
//! seen ([`World::key`]), which all worlds that look the same to it share. So neither side acts
//! on what it cannot know, and plans that need to know where stones are bring nothing. Nodes are
//! found by what a side has seen, not by the order of it, so that transpositions meet.
//!
//! At a node: upper confidence bounds, all-moves-as-first statistics (RAVE, weighted by the
//! schedule of Gelly and Silver 2011), and the model of [`super::model`] as a prior that fades.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::cpu::dice::Dice;

use super::Knowledge;
use super::field::{Point, Side};
use super::model::Model;
use super::playout::Playout;
use super::world::{Tried, World};

/// The weight of exploration.
const EXPLORE: f64 = 0.2;
/// The weight of the prior.
const PRIOR: f64 = 1.5;
/// The value of a try that nothing is known of.
const FIRST_PLAY: f64 = 0.5;
/// How many playouts it takes for a try's own mean to count as much as its RAVE.
const RAVE_BIAS: f64 = 200.0;
/// The most tries that a node considers: the likeliest by the model.
const WIDEST: usize = 200;
/// The most tries that all nodes hold together, to bound memory (24 bytes each).
const MOST_TRIES: usize = 2_000_000;

/// A try at a node.
#[derive(Clone, Copy, Debug)]
pub struct Try {
    /// Where.
    pub cell: Point,
    /// How often it was chosen.
    pub visits: u32,
    wins: f32,
    rave_visits: u32,
    rave_wins: f32,
    prior: f32,
}

impl Try {
    /// The part of the games that were won after it.
    pub fn mean(&self) -> f64 {
        if self.visits == 0 { 0.0 } else { f64::from(self.wins) / f64::from(self.visits) }
    }
}

/// What a side has seen, and what came of its tries there.
#[derive(Clone, Copy, Debug)]
struct Node {
    first: u32,
    len: u32,
    visits: u32,
}

/// Keys are hashes already.
#[derive(Default)]
struct Plain(u64);

impl Hasher for Plain {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0 << 8 ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// The search of one move.
pub struct Tree {
    nodes: Vec<Node>,
    tries: Vec<Try>,
    /// By key; only looked up, never walked.
    names: HashMap<u64, u32, BuildHasherDefault<Plain>>,
    model: Model,
    chances: Vec<f64>,
    playout: Playout,
    knowledge: Knowledge,
    path: Vec<(u32, u32, Side)>,
    world: World,
}

impl Tree {
    /// An empty tree for worlds like this one and so many iterations, with room for all of their
    /// tries: growing on the way would copy them for as long as no search should be silent.
    pub fn new(world: &World, knowledge: Knowledge, iterations: u64) -> Tree {
        let most = usize::try_from(iterations).unwrap_or(usize::MAX);
        let most = most.saturating_mul(world.field().cells().min(WIDEST)).min(MOST_TRIES);
        Tree {
            nodes: Vec::new(),
            tries: Vec::with_capacity(most + world.field().cells()),
            names: HashMap::default(),
            model: Model::new(world.field()),
            chances: Vec::new(),
            playout: Playout::default(),
            knowledge,
            path: Vec::new(),
            world: world.clone(),
        }
    }

    /// Plays one sampled world to its end and learns from it.
    pub fn iterate(&mut self, sample: &World, dice: &mut Dice) {
        self.world.copy(sample);
        self.path.clear();
        let winner = self.descend(dice);
        for &(node, chosen, side) in &self.path {
            let win = f32::from(u8::from(side == winner));
            let node = &mut self.nodes[node as usize];
            node.visits += 1;
            let chosen = &mut self.tries[chosen as usize];
            chosen.visits += 1;
            chosen.wins += win;
            if self.knowledge.rave {
                let (first, len) = (node.first as usize, node.len as usize);
                for other in &mut self.tries[first..first + len] {
                    if self.world.at(other.cell) == Some(side) {
                        other.rave_visits += 1;
                        other.rave_wins += win;
                    }
                }
            }
        }
    }

    fn descend(&mut self, dice: &mut Dice) -> Side {
        loop {
            let side = self.world.turn();
            let known = self.names.get(&self.world.key(side)).copied();
            let fresh = known.is_none();
            let Some(node) = known.or_else(|| self.expand(side)) else {
                return self.playout.run(&mut self.world, self.knowledge.bridges, dice);
            };
            let Some(chosen) = self.select(node) else {
                return 1 - side;
            };
            self.path.push((node, chosen, side));
            let cell = self.tries[chosen as usize].cell;
            if self.world.attempt(cell) == Tried::Won {
                return side;
            }
            if fresh {
                return self.playout.run(&mut self.world, self.knowledge.bridges, dice);
            }
        }
    }

    /// A new node for what the side to move sees; none once the tree is as large as it may get.
    fn expand(&mut self, side: Side) -> Option<u32> {
        if self.tries.len() >= MOST_TRIES {
            return None;
        }
        let world = &self.world;
        let field = world.field().clone();
        let cells = field.cells() as Point;
        if self.knowledge.prior {
            let known = |point| world.known(side, point);
            self.model.chances(&field, side, known, &mut self.chances);
        }
        let first = self.tries.len();
        for cell in (0..cells).filter(|&cell| !world.knows(side, cell)) {
            let prior =
                if self.knowledge.prior { self.chances[usize::from(cell)] as f32 } else { 0.0 };
            self.tries.push(Try {
                cell,
                visits: 0,
                wins: 0.0,
                rave_visits: 0,
                rave_wins: 0.0,
                prior,
            });
        }
        if self.knowledge.prior && self.tries.len() - first > WIDEST {
            self.tries[first..].sort_by(|a, b| b.prior.total_cmp(&a.prior));
            self.tries.truncate(first + WIDEST);
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node {
            first: first as u32,
            len: (self.tries.len() - first) as u32,
            visits: 0,
        });
        self.names.insert(world.key(side), node);
        Some(node)
    }

    /// The try that looks best, by what was seen of it and how little.
    fn select(&self, node: u32) -> Option<u32> {
        let Node { first, len, visits } = self.nodes[node as usize];
        let log = f64::from(visits + 1).ln();
        let urgency = |option: &Try| {
            let count = f64::from(option.visits);
            let mean = if option.visits == 0 { FIRST_PLAY } else { option.mean() };
            let value = if option.rave_visits == 0 {
                mean
            } else {
                let rave_count = f64::from(option.rave_visits);
                let rave = f64::from(option.rave_wins) / rave_count;
                let weight = rave_count / (rave_count + count + rave_count * count / RAVE_BIAS);
                (1.0 - weight) * mean + weight * rave
            };
            let explore = EXPLORE * (log / (count + 1.0)).sqrt();
            let prior = PRIOR * f64::from(option.prior) / (count + 1.0).sqrt();
            value + explore + prior
        };
        let mut best = (f64::NEG_INFINITY, None);
        for at in first..first + len {
            let value = urgency(&self.tries[at as usize]);
            if value > best.0 {
                best = (value, Some(at));
            }
        }
        best.1
    }

    /// The tries of what the side to move in this world sees, if they were looked at.
    pub fn tries(&self, world: &World) -> &[Try] {
        let node = self.names.get(&world.key(world.turn()));
        node.map_or(&[], |&node| {
            let Node { first, len, .. } = self.nodes[node as usize];
            &self.tries[first as usize..(first + len) as usize]
        })
    }
}
