//! H-search: larger connections out of smaller ones, by two rules.
//!
//! Two whole links that share an end and nothing else make a link of their other ends: whole if
//! the shared end is a group of stones, half if it is an empty cell, which is then its key. Half
//! links of the same two ends without a cell that is in all of them make a whole link: whatever the
//! opponent takes, one of them is left. (Anshelevich, "A hierarchical approach to computer Hex",
//! 2002; the bounds and the order of work are our own.)

use std::collections::VecDeque;
use std::sync::Arc;

use crate::game::Color;

use super::bits::Bits;
use super::board::{Board, Points, Shape};
use super::links::{LinkId, Links, Made};
use super::templates;

/// How much a search may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// How many pairs of links are tried, for each colour.
    pub work: u32,
    /// How many half links one whole link may be made from.
    pub choices: u8,
}

impl Limits {
    /// For a position that is looked at once, such as the root of a search.
    pub const THOROUGH: Limits = Limits { work: 3_000_000, choices: 5 };
    /// For positions that are looked at by the thousand.
    pub const QUICK: Limits = Limits { work: 300_000, choices: 4 };
}

/// After how many pairs of links `stop` is asked: about every half millisecond.
const ASK_EVERY: u32 = 20_000;

/// When a search may end early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// Both edges are joined if this colour moves next.
    Half,
    /// Both edges are joined whoever moves next.
    Whole,
    /// Never: every link is wanted.
    Done,
}

/// What a search found for one colour.
#[derive(Debug)]
pub struct Found<const W: usize> {
    /// The board's shape.
    pub shape: Arc<Shape>,
    /// What is joined.
    pub points: Points,
    /// By what.
    pub links: Links<W>,
    /// Whether it came to its end within the limits.
    pub complete: bool,
}

const EDGES: [u16; 2] = [Points::FIRST_EDGE, Points::SECOND_EDGE];

impl<const W: usize> Found<W> {
    /// The smallest whole link of the edges.
    pub fn whole(&self) -> Option<LinkId> {
        self.smallest(self.links.whole(EDGES))
    }

    /// The smallest half link of the edges.
    pub fn half(&self) -> Option<LinkId> {
        self.smallest(&self.links.threats)
    }

    fn smallest(&self, ids: &[LinkId]) -> Option<LinkId> {
        ids.iter().copied().min_by_key(|&id| self.links.link(id).carrier.len())
    }

    /// The carriers of a few half links of the edges that have no more in common than all of them.
    pub fn threats(&self) -> Vec<Bits<W>> {
        let all = self.links.common(EDGES).unwrap_or(Bits::ALL);
        let (mut common, mut few) = (Bits::ALL, Vec::new());
        while common != all {
            let carriers = self.links.threats.iter().map(|&id| self.links.link(id).carrier);
            let rest = |carrier: &Bits<W>| ((common & *carrier).len(), carrier.len());
            let Some(best) = carriers.min_by_key(rest).filter(|best| !common.within(best)) else {
                break;
            };
            common &= best;
            few.push(best);
        }
        few
    }

    /// For each cell how few stones join the edges by way of it, itself included, when whole links
    /// count as joined. Cells of the other colour are as far as can be.
    pub fn ways(&self, cells: usize) -> Vec<u16> {
        let mut next = vec![Vec::new(); self.points.len()];
        for link in self.links.all.iter().filter(|link| link.key.is_none() && !link.replaced) {
            let [a, b] = link.ends;
            next[usize::from(a)].push(b);
            next[usize::from(b)].push(a);
        }
        let far = cells as u16;
        let from = |edge: u16| {
            let mut steps = vec![far; next.len()];
            let mut queue = VecDeque::from([(edge, 0)]);
            while let Some((point, so_far)) = queue.pop_front() {
                if steps[usize::from(point)] <= so_far {
                    continue;
                }
                steps[usize::from(point)] = so_far;
                if EDGES.contains(&point) && point != edge {
                    continue;
                }
                for &point in &next[usize::from(point)] {
                    match self.points.is_group(point) {
                        true => queue.push_front((point, so_far)),
                        false => queue.push_back((point, so_far + 1)),
                    }
                }
            }
            steps
        };
        let [first, second] = EDGES.map(from);
        let mut ways = vec![2 * far; cells];
        for (point, &cell) in (usize::from(self.points.groups)..).zip(&self.points.cells) {
            ways[usize::from(cell)] = first[point] + second[point];
        }
        ways
    }
}

/// Searches the links of one colour. `stop` is asked now and then, and ends the search as the limits
/// do.
pub fn search<const W: usize>(
    board: &Board<W>,
    color: Color,
    limits: &Limits,
    until: Until,
    stop: &mut dyn FnMut() -> bool,
) -> Found<W> {
    let points = Points::new(board, color);
    let links = Links::new(points.len());
    let met = vec![Vec::new(); points.len()];
    let queue = VecDeque::new();
    let (choices, work) = (limits.choices.into(), limits.work);
    let ask_at = work.saturating_sub(ASK_EVERY);
    let mut search = Search { points, links, met, queue, choices, work, ask_at, stop };
    search.start(board, color);
    let complete = search.run(until);
    Found { shape: board.shape.clone(), points: search.points, links: search.links, complete }
}

/// A whole link as seen from one of its ends.
#[derive(Clone, Copy)]
struct Met<const W: usize> {
    carrier: Bits<W>,
    other: u16,
    id: LinkId,
}

struct Search<'a, const W: usize> {
    points: Points,
    links: Links<W>,
    /// For each point the whole links that have been worked on.
    met: Vec<Vec<Met<W>>>,
    queue: VecDeque<LinkId>,
    choices: usize,
    /// How many pairs may still be tried, and at how many `stop` is asked next.
    work: u32,
    ask_at: u32,
    stop: &'a mut dyn FnMut() -> bool,
}

impl<const W: usize> Search<'_, W> {
    fn start(&mut self, board: &Board<W>, color: Color) {
        for at in 0..self.points.cells.len() {
            let cell = self.points.cells[at];
            let point = self.points.groups + at as u16;
            for place in board.shape.around(cell) {
                let Some(other) = self.points.of(place) else { continue };
                if other < point {
                    self.whole([other, point], Bits::EMPTY, Made::Touch);
                }
            }
        }
        for (placed, carrier) in templates::on(board, color) {
            let point = self.points.of(placed.cell).filter(|point| !EDGES.contains(point));
            if let Some(point) = point {
                self.whole([placed.edge, point], carrier, Made::Template(placed));
            }
        }
    }

    fn run(&mut self, until: Until) -> bool {
        while let Some(id) = self.queue.pop_front() {
            let enough = match until {
                Until::Half => !self.links.threats.is_empty() || self.joined(),
                Until::Whole => self.joined(),
                Until::Done => false,
            };
            if enough {
                return true;
            }
            if self.work == 0 {
                return false;
            }
            if !self.links.link(id).replaced {
                self.extend(id);
            }
        }
        true
    }

    /// Accounts for so many pairs of links that were tried.
    fn spend(&mut self, pairs: u32) {
        self.work = self.work.saturating_sub(pairs);
        if self.work < self.ask_at {
            self.ask_at = self.work.saturating_sub(ASK_EVERY);
            if (self.stop)() {
                self.work = 0;
            }
        }
    }

    fn joined(&self) -> bool {
        !self.links.whole(EDGES).is_empty()
            || self.links.common(EDGES).is_some_and(|common| common.is_empty())
    }

    /// Joins a whole link with those it meets at its ends.
    fn extend(&mut self, id: LinkId) {
        let link = self.links.link(id);
        let ([a, b], carrier) = (link.ends, link.carrier);
        for (far, middle) in [(a, b), (b, a)] {
            if EDGES.contains(&middle) {
                continue;
            }
            let cell = self.points.cell(middle);
            let far_cell = self.points.cell(far);
            let mut at = 0;
            while at < self.met[usize::from(middle)].len() {
                let next = self.met[usize::from(middle)][at];
                if self.links.link(next.id).replaced {
                    self.met[usize::from(middle)].swap_remove(at);
                    continue;
                }
                at += 1;
                self.spend(1);
                if next.other == far || carrier.meets(&next.carrier) {
                    continue;
                }
                if far_cell.is_some_and(|cell| next.carrier.has(cell)) {
                    continue;
                }
                if self.points.cell(next.other).is_some_and(|cell| carrier.has(cell)) {
                    continue;
                }
                let ends = [far.min(next.other), far.max(next.other)];
                let union = carrier | next.carrier;
                let made = Made::Both(id, next.id);
                match cell {
                    None => self.whole(ends, union, made),
                    Some(key) => self.half(ends, union.with(key), key, made),
                }
            }
        }
        for (end, other) in [(a, b), (b, a)] {
            if !EDGES.contains(&end) {
                self.met[usize::from(end)].push(Met { carrier, other, id });
            }
        }
    }

    fn whole(&mut self, ends: [u16; 2], carrier: Bits<W>, made: Made) {
        if let Some(id) = self.links.add_whole(ends, carrier, made) {
            self.queue.push_back(id);
        }
    }

    fn half(&mut self, ends: [u16; 2], carrier: Bits<W>, key: u16, made: Made) {
        let Some(id) = self.links.add_half(ends, carrier, key, made) else { return };
        if self.links.common(ends).is_some_and(|common| common.is_empty()) {
            self.choose(ends, id);
        }
    }

    /// Makes whole links out of this half link and others of the same ends.
    fn choose(&mut self, ends: [u16; 2], id: LinkId) {
        let others: Vec<LinkId> =
            self.links.half(ends).iter().copied().filter(|&other| other != id).collect();
        let mut suffix = vec![Bits::ALL; others.len() + 1];
        for at in (0..others.len()).rev() {
            suffix[at] = suffix[at + 1] & self.links.link(others[at]).carrier;
        }
        let carrier = self.links.link(id).carrier;
        let mut chosen = vec![id];
        self.choose_more(ends, &others, &suffix, carrier, carrier, &mut chosen);
    }

    fn choose_more(
        &mut self,
        ends: [u16; 2],
        others: &[LinkId],
        suffix: &[Bits<W>],
        common: Bits<W>,
        union: Bits<W>,
        chosen: &mut Vec<LinkId>,
    ) {
        for at in 0..others.len() {
            if self.work == 0 || common.meets(&suffix[at]) {
                return;
            }
            self.spend(2);
            let carrier = self.links.link(others[at]).carrier;
            let (rest, all) = (common & carrier, union | carrier);
            if rest == common || self.links.holds(ends, &all) {
                continue;
            }
            chosen.push(others[at]);
            if rest.is_empty() {
                let from = self.links.choices.len() as u32;
                self.links.choices.extend_from_slice(chosen);
                let made = Made::Either { from, to: self.links.choices.len() as u32 };
                self.whole(ends, all, made);
            } else if chosen.len() < self.choices {
                let (others, suffix) = (&others[at + 1..], &suffix[at + 1..]);
                self.choose_more(ends, others, suffix, rest, all, chosen);
            }
            chosen.pop();
        }
    }
}
