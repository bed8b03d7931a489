//! SGF as a run of tokens, each with its place.

use super::super::error::{ReadError, Reason, Source};

/// A token and the byte where it begins.
#[derive(Debug)]
pub(super) struct Token<'a> {
    pub(super) at: usize,
    pub(super) kind: Kind<'a>,
}

/// What a token is.
#[derive(Debug)]
pub(super) enum Kind<'a> {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `;`
    Node,
    /// A property's name as it is written.
    Name(&'a str),
    /// A value between brackets, unescaped.
    Value(String),
}

/// Cuts a text into tokens.
pub(super) struct Lexer<'a> {
    source: Source<'a>,
    at: usize,
    /// Little Golem's values: a backslash is one, and a bracket ends a value only where the
    /// record goes on.
    raw: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(source: Source<'a>, raw: bool) -> Lexer<'a> {
        Lexer { source, at: 0, raw }
    }

    fn rest(&self) -> &'a str {
        &self.source.text[self.at..]
    }

    fn token(&mut self) -> Option<Result<Token<'a>, ReadError>> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(blank).len();
        let (at, first) = (self.at, self.rest().chars().next()?);
        let one = |kind| (1, Ok(kind));
        let (length, kind) = match first {
            '(' => one(Kind::Open),
            ')' => one(Kind::Close),
            ';' => one(Kind::Node),
            '[' => self.value(),
            _ if first.is_ascii_alphabetic() => {
                let rest = self.rest();
                let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
                (end, Ok(Kind::Name(&rest[..end])))
            }
            _ => (first.len_utf8(), Err(Reason::syntax("this has no place outside a value"))),
        };
        self.at += length;
        let token = kind.map(|kind| Token { at, kind });
        Some(token.map_err(|reason| self.source.error(at, &self.source.text[at..self.at], reason)))
    }

    /// A value from its opening bracket on, and how many bytes it takes.
    fn value(&self) -> (usize, Result<Kind<'a>, Reason>) {
        let rest = self.rest();
        let mut value = String::new();
        let mut chars = rest.char_indices().skip(1).peekable();
        while let Some((index, c)) = chars.next() {
            match c {
                ']' if !self.raw || goes_on(&rest[index + 1..]) => {
                    return (index + 1, Ok(Kind::Value(value)));
                }
                '\\' if !self.raw => match chars.next() {
                    Some((_, '\r')) => drop(chars.next_if(|&(_, next)| next == '\n')),
                    Some((_, '\n')) | None => {}
                    Some((_, escaped)) => value.push(escaped),
                },
                _ => value.push(c),
            }
        }
        (rest.len(), Err(Reason::syntax("a value begins here and never ends: `]` is missing")))
    }
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Result<Token<'a>, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.token()
    }
}

/// White space between tokens, and the mark that some editors put before a text.
fn blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// Whether what follows a bracket is a record that goes on: structure, another value, or a
/// property.
fn goes_on(rest: &str) -> bool {
    let rest = rest.trim_start_matches(blank);
    match rest.chars().next() {
        None | Some('(' | ')' | ';' | '[') => true,
        Some(c) if c.is_ascii_uppercase() => {
            rest.trim_start_matches(|c: char| c.is_ascii_uppercase()).starts_with('[')
        }
        Some(_) => false,
    }
}

/// Whether a text is Little Golem's: no `GM`, and its site or its two-letter cells.
pub(super) fn looks_raw(text: &str) -> bool {
    let first_move = text.find(";W[").or_else(|| text.find(";B[")).map(|at| &text[at + 3..]);
    let two_letters = |value: &str| {
        let letters = value.bytes().take_while(u8::is_ascii_lowercase).count();
        letters == 2 && value.as_bytes().get(2) == Some(&b']')
    };
    !text.contains("GM[") && (text.contains("littlegolem") || first_move.is_some_and(two_letters))
}
