//! The search tree: nodes in one array, the children of a node side by side.
//!
//! The array never grows past its bound: a full tree is searched on, but no longer extended.

use super::super::grid::Point;

/// How many nodes a tree holds at most: 64 MB.
pub const CAPACITY: usize = 2_000_000;

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
}

impl Tree {
    /// A tree of nothing but its root.
    pub fn new() -> Tree {
        Tree { nodes: vec![Node::new(0, 0.0)] }
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

    /// The tree below a node, as a tree of its own.
    pub fn subtree(&self, index: Index) -> Tree {
        let mut nodes = vec![self.node(index).clone()];
        let mut at = 0;
        while at < nodes.len() {
            if nodes[at].children > 0 {
                let (from, children) = (nodes[at].first as usize, usize::from(nodes[at].children));
                nodes[at].first = nodes.len() as Index;
                nodes.extend_from_slice(&self.nodes[from..from + children]);
            }
            at += 1;
        }
        Tree { nodes }
    }
}
