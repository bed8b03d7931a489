//! The search tree: nodes in one array, the children of a node side by side.
//!
//! The array never grows past its bound: a full tree is searched on, but no longer extended.

use std::collections::BTreeMap;

use crate::cpu::grid::Point;
use crate::game::Color;

/// How many nodes a tree holds at most: 64 MB.
pub const CAPACITY: usize = 2_000_000;

/// How many nodes are copied from one time that `stop` is asked to the next.
const ASK_EVERY: usize = 1_000;

/// A node's place in the tree.
pub type Index = u32;

/// Where the search starts.
pub const ROOT: Index = 0;

/// What is known for sure of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// Nothing.
    Open,
    /// Whoever made it wins.
    Won,
    /// Whoever made it loses.
    Lost,
    /// Another move is at least as good.
    Pruned,
}

/// A move, and the position after it.
#[derive(Clone, Debug)]
pub struct Node {
    /// Playouts through it, and how many of them whoever made the move won.
    pub visits: u32,
    pub wins: u32,
    /// The same over playouts in which the move was made at any time.
    pub rave_visits: f32,
    pub rave_wins: f32,
    pub prior: f32,
    /// The first child; the others follow it.
    pub first: Index,
    pub children: u16,
    pub point: Point,
    pub fate: Fate,
    /// Whether children were made.
    pub expanded: bool,
    /// Whether the position was studied: well-visited ones are.
    pub studied: bool,
}

impl Node {
    /// A move that nobody has tried.
    pub fn new(point: Point, prior: f32) -> Node {
        Node {
            visits: 0,
            wins: 0,
            rave_visits: 8.0,
            rave_wins: 4.0,
            prior,
            first: ROOT,
            children: 0,
            point,
            fate: Fate::Open,
            expanded: false,
            studied: false,
        }
    }

    /// Whether the search may go there.
    pub fn playable(&self) -> bool {
        matches!(self.fate, Fate::Open | Fate::Won)
    }

    /// How often whoever made the move won.
    pub fn mean(&self) -> f64 {
        match self.fate {
            Fate::Won => 1.0,
            Fate::Lost => 0.0,
            Fate::Open | Fate::Pruned if self.visits == 0 => 0.5,
            Fate::Open | Fate::Pruned => f64::from(self.wins) / f64::from(self.visits),
        }
    }
}

/// Nodes, the root first.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// Stones that may be added from a studied node on without changing who wins.
    fills: BTreeMap<Index, Vec<(Point, Color)>>,
}

impl Tree {
    /// A tree of nothing but its root.
    pub fn new() -> Tree {
        Tree { nodes: vec![Node::new(0, 0.0)], fills: BTreeMap::new() }
    }

    pub fn node(&self, index: Index) -> &Node {
        &self.nodes[index as usize]
    }

    pub fn node_mut(&mut self, index: Index) -> &mut Node {
        &mut self.nodes[index as usize]
    }

    pub fn children(&self, index: Index) -> &[Node] {
        let node = self.node(index);
        let first = node.first as usize;
        &self.nodes[first..first + usize::from(node.children)]
    }

    pub fn children_mut(&mut self, index: Index) -> &mut [Node] {
        let node = self.node(index);
        let (first, children) = (node.first as usize, usize::from(node.children));
        &mut self.nodes[first..first + children]
    }

    /// The child that is the move to this point.
    pub fn child_at(&self, index: Index, point: Point) -> Option<Index> {
        let at = self.children(index).iter().position(|child| child.point == point)?;
        Some(self.node(index).first + at as Index)
    }

    /// The stones that may be added from a node on.
    pub fn fill(&self, index: Index) -> &[(Point, Color)] {
        let known = self.node(index).studied.then(|| self.fills.get(&index));
        known.flatten().map_or(&[], |fill| fill)
    }

    /// Sets the stones that may be added from a node on.
    pub fn set_fill(&mut self, index: Index, fill: Vec<(Point, Color)>) {
        if !fill.is_empty() {
            self.fills.insert(index, fill);
        }
    }

    /// Makes room for what so many more nodes may come to, once: growing on the way would copy the
    /// tree again and again, for as long as no search should be silent.
    pub fn reserve(&mut self, more: usize) {
        let missing = CAPACITY.min(self.nodes.len().saturating_add(more)) - self.nodes.len();
        self.nodes.reserve_exact(missing);
    }

    /// Whether so many more nodes fit.
    pub fn has_room(&self, more: usize) -> bool {
        self.nodes.len() + more <= CAPACITY
    }

    /// Gives a node its children.
    pub fn expand(&mut self, index: Index, children: impl Iterator<Item = Node>) {
        let first = self.nodes.len();
        self.nodes.extend(children);
        let made = self.nodes.len() - first;
        let node = self.node_mut(index);
        node.first = first as Index;
        node.children = made as u16;
        node.expanded = true;
    }

    /// The tree below a node, as a tree of its own. Once `stop` says so, the nodes that are still to
    /// be looked at become leaves, those nearest the root last.
    pub fn subtree(&self, index: Index, stop: &mut dyn FnMut() -> bool) -> Tree {
        let mut stopped = false;
        // The next search is about as large as this one.
        let mut nodes = Vec::with_capacity(self.nodes.capacity());
        nodes.push(self.node(index).clone());
        let mut was = vec![index];
        let mut fills = BTreeMap::new();
        let mut at = 0;
        while at < nodes.len() {
            stopped = stopped || at % ASK_EVERY == ASK_EVERY - 1 && stop();
            if stopped {
                let node = &mut nodes[at];
                (node.first, node.children) = (ROOT, 0);
                (node.expanded, node.studied) = (false, false);
                at += 1;
                continue;
            }
            if let Some(fill) = self.fills.get(&was[at]) {
                fills.insert(at as Index, fill.clone());
            }
            if nodes[at].children > 0 {
                let (from, children) = (nodes[at].first as usize, usize::from(nodes[at].children));
                nodes[at].first = nodes.len() as Index;
                nodes.extend_from_slice(&self.nodes[from..from + children]);
                was.extend((from..from + children).map(|at| at as Index));
            }
            at += 1;
        }
        Tree { nodes, fills }
    }
}
