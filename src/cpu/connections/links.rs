//! The connections of one colour that a search has found, by the two points they join.
//!
//! Invariant: of the links kept for a pair none contains another of its kind, and no half link
//! contains a whole one.

use super::bits::Bits;
use super::board::Points;
use super::templates::Placed;

/// A link by its place in [`Links`].
pub type LinkId = u32;

/// How many whole links a pair of points keeps at most.
const WHOLE: usize = 6;
/// How many half links a pair of points keeps at most.
const HALF: usize = 16;

/// Two points that can be joined within a set of empty cells, the carrier.
#[derive(Clone, Debug)]
pub struct Link<const W: usize> {
    /// The points.
    pub ends: [u16; 2],
    /// The empty cells that it needs, its ends not counted.
    pub carrier: Bits<W>,
    /// Where to play first. A whole link has none: it holds even when the other colour moves first.
    pub key: Option<u16>,
    /// What it was made from.
    pub made: Made,
    /// Whether a smaller one took its place.
    pub replaced: bool,
}

/// What a link was made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Made {
    /// Its ends touch.
    Touch,
    /// An edge template.
    Template(Placed),
    /// Two whole links that share an end and nothing else.
    Both(LinkId, LinkId),
    /// Half links of the same ends, without a cell in common: these in [`Links::choices`].
    Either {
        /// The first.
        from: u32,
        /// One past the last.
        to: u32,
    },
}

/// What is kept for a pair of points.
#[derive(Clone, Debug)]
struct Pair<const W: usize> {
    whole: Kept<WHOLE>,
    half: Kept<HALF>,
    /// The cells that every half link found so far contains.
    common: Bits<W>,
}

/// A short list in place.
#[derive(Clone, Copy, Debug)]
struct Kept<const N: usize> {
    ids: [LinkId; N],
    len: u8,
}

impl<const N: usize> Kept<N> {
    const NONE: Kept<N> = Kept { ids: [0; N], len: 0 };

    fn as_slice(&self) -> &[LinkId] {
        &self.ids[..usize::from(self.len)]
    }

    fn keep(&mut self, mut is_kept: impl FnMut(LinkId) -> bool) {
        let mut len = 0;
        for at in 0..usize::from(self.len) {
            if is_kept(self.ids[at]) {
                self.ids[len] = self.ids[at];
                len += 1;
            }
        }
        self.len = len as u8;
    }

    fn push(&mut self, id: LinkId) -> bool {
        let Some(slot) = self.ids.get_mut(usize::from(self.len)) else { return false };
        *slot = id;
        self.len += 1;
        true
    }
}

/// All links of one colour.
#[derive(Debug)]
pub struct Links<const W: usize> {
    /// Every link found, those replaced included.
    pub all: Vec<Link<W>>,
    /// Half links by the whole ones made from them.
    pub choices: Vec<LinkId>,
    /// The half links between the two edges.
    pub threats: Vec<LinkId>,
    points: usize,
    /// For each two points the number of their pair, plus one.
    index: Vec<u32>,
    pairs: Vec<Pair<W>>,
}

impl<const W: usize> Links<W> {
    /// No links yet among so many points.
    pub fn new(points: usize) -> Links<W> {
        Links {
            all: Vec::with_capacity(1024),
            choices: Vec::new(),
            threats: Vec::new(),
            points,
            index: vec![0; points * points],
            pairs: Vec::with_capacity(256),
        }
    }

    fn at(&self, [a, b]: [u16; 2]) -> usize {
        usize::from(a.min(b)) * self.points + usize::from(a.max(b))
    }

    fn pair(&self, ends: [u16; 2]) -> Option<&Pair<W>> {
        let number = self.index[self.at(ends)] as usize;
        number.checked_sub(1).map(|at| &self.pairs[at])
    }

    fn number(&mut self, ends: [u16; 2]) -> usize {
        let at = self.at(ends);
        if self.index[at] == 0 {
            let common = Bits::ALL;
            self.pairs.push(Pair { whole: Kept::NONE, half: Kept::NONE, common });
            self.index[at] = self.pairs.len() as u32;
        }
        self.index[at] as usize - 1
    }

    /// The link with this id.
    #[inline]
    pub fn link(&self, id: LinkId) -> &Link<W> {
        &self.all[id as usize]
    }

    /// The whole links of a pair.
    pub fn whole(&self, ends: [u16; 2]) -> &[LinkId] {
        self.pair(ends).map_or(&[], |pair| pair.whole.as_slice())
    }

    /// The half links of a pair, as far as they are kept.
    pub fn half(&self, ends: [u16; 2]) -> &[LinkId] {
        self.pair(ends).map_or(&[], |pair| pair.half.as_slice())
    }

    /// The cells that every half link of a pair contains, those not kept included.
    pub fn common(&self, ends: [u16; 2]) -> Option<Bits<W>> {
        self.pair(ends).filter(|pair| pair.half.len > 0).map(|pair| pair.common)
    }

    /// Whether a whole link of the pair lies within these cells.
    pub fn holds(&self, ends: [u16; 2], carrier: &Bits<W>) -> bool {
        self.whole(ends).iter().any(|&id| self.link(id).carrier.within(carrier))
    }

    /// Keeps a whole link, unless one within it is known or there are enough.
    pub fn add_whole(&mut self, ends: [u16; 2], carrier: Bits<W>, made: Made) -> Option<LinkId> {
        if self.holds(ends, &carrier) {
            return None;
        }
        let number = self.number(ends);
        let (all, pair) = (&mut self.all, &mut self.pairs[number]);
        pair.whole.keep(|id| {
            let link = &mut all[id as usize];
            link.replaced |= carrier.within(&link.carrier);
            !link.replaced
        });
        pair.half.keep(|id| !carrier.within(&all[id as usize].carrier));
        let id = all.len() as LinkId;
        let edges = ends == [Points::FIRST_EDGE, Points::SECOND_EDGE];
        if !pair.whole.push(id) && !edges {
            return None;
        }
        all.push(Link { ends, carrier, key: None, made, replaced: false });
        Some(id)
    }

    /// Keeps a half link, unless a link within it is known or there are enough. The answer says
    /// whether it is kept and adds something to what its pair had.
    pub fn add_half(
        &mut self,
        ends: [u16; 2],
        carrier: Bits<W>,
        key: u16,
        made: Made,
    ) -> Option<LinkId> {
        let number = self.number(ends);
        let (all, pair) = (&mut self.all, &mut self.pairs[number]);
        let within = |&id: &LinkId| all[id as usize].carrier.within(&carrier);
        if pair.whole.as_slice().iter().any(within) || pair.half.as_slice().iter().any(within) {
            return None;
        }
        pair.half.keep(|id| !carrier.within(&all[id as usize].carrier));
        pair.common &= carrier;
        let id = all.len() as LinkId;
        let edges = ends.iter().all(|&end| end <= Points::SECOND_EDGE);
        if edges {
            self.threats.push(id);
        }
        if !pair.half.push(id) {
            // The largest makes room for a smaller one.
            let size = |id: LinkId| all[id as usize].carrier.len();
            let largest = pair.half.ids.iter_mut().max_by_key(|id| size(**id));
            match largest {
                Some(slot) if size(*slot) > carrier.len() => *slot = id,
                _ if !edges => return None,
                _ => {}
            }
        }
        all.push(Link { ends, carrier, key: Some(key), made, replaced: false });
        Some(id)
    }
}
