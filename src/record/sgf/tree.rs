//! The main line of each game tree: the first variation wherever a record branches.

use super::super::error::{ReadError, Reason, Source};
use super::super::format::MAX_RECORDS;
use super::lex::{Kind, Lexer, Token};

/// One game: its main line, and how many other lines it has.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) at: usize,
    pub(super) nodes: Vec<Node>,
    pub(super) left_out: usize,
}

/// One node's properties.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) properties: Vec<Property>,
}

/// One property: its name in capitals, and its values with their places.
#[derive(Debug)]
pub(super) struct Property {
    pub(super) at: usize,
    pub(super) name: String,
    pub(super) values: Vec<(usize, String)>,
}

/// Every game of a text.
pub(super) fn trees(source: Source<'_>, raw: bool) -> Result<Vec<Tree>, ReadError> {
    let mut trees = Vec::new();
    let mut growing: Option<Growing> = None;
    for token in Lexer::new(source, raw) {
        let Token { at, kind } = token?;
        let token = &source.text[at..source.text.len().min(at + 1)];
        let refuse = |text: &str| Err(source.error(at, token, Reason::syntax(text)));
        let Some(tree) = &mut growing else {
            if !matches!(kind, Kind::Open) {
                return refuse("a game begins with `(`");
            }
            if trees.len() == MAX_RECORDS {
                let reason = Reason::TooMuch { max: MAX_RECORDS, unit: "games" };
                return Err(source.error(at, token, reason));
            }
            growing = Some(Growing::new(at));
            continue;
        };
        if let Err(text) = tree.take(at, kind) {
            return refuse(text);
        }
        if tree.depth == 0 {
            trees.extend(growing.take().map(Growing::grown));
        }
    }
    match growing {
        Some(tree) => {
            let reason = Reason::syntax("this game never ends: `)` is missing");
            Err(source.error(tree.at, "(", reason))
        }
        None => Ok(trees),
    }
}

/// A tree that is being read. The first `)` ends its main line: all after it are other lines.
struct Growing {
    at: usize,
    depth: usize,
    nodes: Vec<Node>,
    leaves: usize,
    main_line_over: bool,
    after_close: bool,
    in_node: bool,
    named: bool,
}

impl Growing {
    fn new(at: usize) -> Growing {
        Growing {
            at,
            depth: 1,
            nodes: Vec::new(),
            leaves: 0,
            main_line_over: false,
            after_close: false,
            in_node: false,
            named: false,
        }
    }

    fn take(&mut self, at: usize, kind: Kind<'_>) -> Result<(), &'static str> {
        let closes = matches!(kind, Kind::Close);
        match kind {
            Kind::Open => {
                self.depth += 1;
                self.in_node = false;
            }
            Kind::Close => {
                self.depth -= 1;
                self.leaves += usize::from(!self.after_close);
                self.main_line_over = true;
                self.in_node = false;
            }
            Kind::Node if self.after_close => return Err("no node follows a variation"),
            Kind::Node => {
                self.in_node = true;
                if !self.main_line_over {
                    self.nodes.push(Node::default());
                }
            }
            Kind::Name(_) | Kind::Value(_) if !self.in_node => {
                return Err("a property stands in a node: `;` is missing before it");
            }
            Kind::Name(name) => {
                let name = name.chars().filter(char::is_ascii_uppercase).collect();
                if let Some(node) = self.line_end() {
                    node.properties.push(Property { at, name, values: Vec::new() });
                }
                self.named = true;
                self.after_close = false;
                return Ok(());
            }
            Kind::Value(_) if !self.named => return Err("a value follows its property's name"),
            Kind::Value(value) => {
                if let Some(property) = self.line_end().and_then(|node| node.properties.last_mut())
                {
                    property.values.push((at, value));
                }
                return Ok(());
            }
        }
        self.named = false;
        self.after_close = closes;
        Ok(())
    }

    /// The node being read, if it is the main line's.
    fn line_end(&mut self) -> Option<&mut Node> {
        self.nodes.last_mut().filter(|_| !self.main_line_over)
    }

    fn grown(self) -> Tree {
        Tree { at: self.at, nodes: self.nodes, left_out: self.leaves.saturating_sub(1) }
    }
}
