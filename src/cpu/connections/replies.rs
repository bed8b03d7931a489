//! How a link is kept or completed: each was made from smaller ones, and they say where to play.

use crate::cpu::grid::Point;

use super::hsearch::Found;
use super::links::{LinkId, Made};

/// An answer to an intrusion.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Reply {
    /// Where the opponent plays.
    pub probe: Point,
    /// Where to answer.
    pub answer: Point,
}

/// The answers to every intrusion into a link of two groups or edges: of links that share a cell,
/// the one of the edges counts, else the smallest.
pub fn all<const W: usize>(found: &Found<W>, points: &[Point]) -> Vec<Reply> {
    let links = &found.links;
    let mut whole: Vec<LinkId> = Vec::new();
    for a in 0..found.points.groups {
        for b in a + 1..found.points.groups {
            whole.extend(links.whole([a, b]));
        }
    }
    let rank = |&id: &LinkId| {
        let link = links.link(id);
        (link.ends != [0, 1], link.carrier.len(), id)
    };
    whole.sort_by_key(rank);
    let mut answers: Vec<Option<u16>> = vec![None; points.len()];
    for id in whole {
        for probe in links.link(id).carrier.iter() {
            let answer = &mut answers[usize::from(probe)];
            *answer = answer.or_else(|| keep(found, id, probe));
        }
    }
    let reply = |(&probe, answer): (&Point, Option<u16>)| {
        Some(Reply { probe, answer: points[usize::from(answer?)] })
    };
    points.iter().zip(answers).filter_map(reply).collect()
}

/// Where to play to keep a whole link after the opponent took a cell of its carrier.
pub fn keep<const W: usize>(found: &Found<W>, id: LinkId, probe: u16) -> Option<u16> {
    let links = &found.links;
    match links.link(id).made {
        Made::Touch => None,
        Made::Template(placed) => placed.answer(&found.shape, probe),
        Made::Both(a, b) => {
            let hit = if links.link(a).carrier.has(probe) { a } else { b };
            keep(found, hit, probe)
        }
        Made::Either { from, to } => {
            let choices = &links.choices[from as usize..to as usize];
            let spared = choices.iter().map(|&id| links.link(id));
            spared.filter(|half| !half.carrier.has(probe)).find_map(|half| half.key)
        }
    }
}

/// Where to play to come closer to joining the ends of a link, if they do not touch.
pub fn first<const W: usize>(found: &Found<W>, id: LinkId) -> Option<u16> {
    let links = &found.links;
    let link = links.link(id);
    match link.made {
        _ if link.key.is_some() => link.key,
        Made::Touch => None,
        // Answering an intrusion that was not made does no harm.
        Made::Template(placed) => {
            let mut answers =
                link.carrier.iter().filter_map(|probe| placed.answer(&found.shape, probe));
            answers.find(|&cell| link.carrier.has(cell))
        }
        Made::Both(a, b) => first(found, a).or_else(|| first(found, b)),
        Made::Either { from, .. } => first(found, links.choices[from as usize]),
    }
}
