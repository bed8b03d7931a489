//! A Rust file as the layering rules see it: the paths it mentions outside of its tests, what it
//! calls, and the names it gives to spans and metrics. Read from tokens, so that comments and texts
//! count for nothing; nothing is expanded, so that what a macro hides stays hidden.

use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// Macros and attributes whose first text names a span or a metric.
const NAMING: [&str; 16] = [
    "span",
    "error_span",
    "warn_span",
    "info_span",
    "debug_span",
    "trace_span",
    "instrument",
    "counter",
    "gauge",
    "histogram",
    "describe_counter",
    "describe_gauge",
    "describe_histogram",
    "register_counter",
    "register_gauge",
    "register_histogram",
];

/// Something written in a file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mention {
    /// A path with `self`, `super` and our own crate's name resolved to `crate`, or a span's name.
    pub what: String,
    /// The line, counted from 1.
    pub line: usize,
    /// Whether a `use` brings it in.
    pub is_use: bool,
}

/// One Rust file.
pub struct Source {
    /// Its path from the repository's root.
    pub file: String,
    /// All of it.
    pub text: String,
    /// Paths outside of tests, single names included.
    pub paths: Vec<Mention>,
    /// Methods called outside of tests.
    pub calls: Vec<Mention>,
    /// Names of spans and metrics.
    pub names: Vec<Mention>,
    /// Modules that it declares, other than for tests.
    pub modules: Vec<String>,
    /// Where its `#[cfg(test)] mod name;` lines lead, without `.rs`.
    test_modules: Vec<String>,
    /// Whether it holds nothing but tests.
    is_test: bool,
}

impl Source {
    /// Reads a file's text. Test files mention nothing.
    pub fn parse(file: &str, text: &str) -> Source {
        let mut source = Source {
            file: file.to_owned(),
            text: text.to_owned(),
            paths: Vec::new(),
            calls: Vec::new(),
            names: Vec::new(),
            modules: Vec::new(),
            test_modules: Vec::new(),
            is_test: file.starts_with("tests/"),
        };
        if !source.is_test {
            let tokens: TokenStream =
                text.parse().unwrap_or_else(|error| panic!("{file} is not Rust: {error}"));
            source.walk(tokens, &mut module_of(file));
        }
        source
    }

    /// Every Rust file under the given folders of the repository.
    pub fn all(folders: &[&str]) -> Vec<Source> {
        let files = folders.iter().flat_map(|folder| files(folder));
        let rust = files.filter(|file| file.ends_with(".rs"));
        let mut sources: Vec<Source> =
            rust.map(|file| Source::parse(&file, &fs::read_to_string(&file).unwrap())).collect();
        let tests: Vec<String> =
            sources.iter().flat_map(|source| source.test_modules.iter().cloned()).collect();
        sources.retain(|source| {
            let inside = |rest: &str| rest == ".rs" || rest.starts_with('/');
            !tests.iter().any(|tests| source.file.strip_prefix(tests.as_str()).is_some_and(inside))
        });
        sources
    }

    fn walk(&mut self, tokens: TokenStream, module: &mut Vec<String>) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            let rest = &tokens[at..];
            at += match rest {
                [TokenTree::Punct(hash), TokenTree::Group(attribute), ..]
                    if hash.as_char() == '#' =>
                {
                    if is_for_tests(attribute) {
                        2 + self.skip_item(&rest[2..], module)
                    } else {
                        self.walk(attribute.stream(), module);
                        2
                    }
                }
                [TokenTree::Ident(word), next, ..] if word == "use" && !is_punct(next, '<') => {
                    let end =
                        rest.iter().position(|token| is_punct(token, ';')).unwrap_or(rest.len());
                    self.use_tree(&rest[1..end], String::new(), module);
                    end
                }
                [TokenTree::Ident(word), TokenTree::Ident(name), TokenTree::Group(body), ..]
                    if word == "mod" =>
                {
                    self.modules.push(name.to_string());
                    module.push(name.to_string());
                    self.walk(body.stream(), module);
                    module.pop();
                    3
                }
                [TokenTree::Ident(word), TokenTree::Ident(name), ..] if word == "mod" => {
                    self.modules.push(name.to_string());
                    2
                }
                [TokenTree::Punct(dot), TokenTree::Punct(second), ..]
                    if dot.as_char() == '.' && second.as_char() == '.' =>
                {
                    2
                }
                [TokenTree::Punct(dot), TokenTree::Ident(name), ..] if dot.as_char() == '.' => {
                    let line = name.span().start().line;
                    self.calls.push(Mention { what: name.to_string(), line, is_use: false });
                    2
                }
                [TokenTree::Ident(_), ..] => self.path(rest, module),
                [TokenTree::Group(group), ..] => {
                    self.walk(group.stream(), module);
                    1
                }
                _ => 1,
            };
        }
    }

    /// Takes in `a::b::c`, and the name that a span or metric macro is given. Answers how many
    /// tokens it has.
    fn path(&mut self, tokens: &[TokenTree], module: &[String]) -> usize {
        let line = tokens[0].span().start().line;
        let mut names = vec![tokens[0].to_string()];
        let mut length = 1;
        while let [first, second, TokenTree::Ident(name), ..] = &tokens[length..] {
            if !(is_punct(first, ':') && is_punct(second, ':')) {
                break;
            }
            names.push(name.to_string());
            length += 3;
        }
        if names.last().is_some_and(|name| NAMING.contains(&name.as_str())) {
            let group = tokens[length..].iter().take(2).find_map(|token| match token {
                TokenTree::Group(group) => Some(group),
                _ => None,
            });
            let name = group.and_then(|group| group.stream().into_iter().find_map(text_of));
            self.names.extend(name.map(|what| Mention { what, line, is_use: false }));
        }
        self.paths.push(Mention { what: resolve(&names, module), line, is_use: false });
        length
    }

    /// Takes in every path of a `use`, without the names that `as` gives.
    fn use_tree(&mut self, tokens: &[TokenTree], prefix: String, module: &[String]) {
        for branch in tokens.split(|token| is_punct(token, ',')) {
            let mut path = prefix.clone();
            let mut line = None;
            for token in branch {
                match token {
                    TokenTree::Ident(word) if word == "as" => break,
                    TokenTree::Ident(word) if word == "self" && !path.is_empty() => {}
                    TokenTree::Group(group) => {
                        let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                        self.use_tree(&inner, std::mem::take(&mut path), module);
                    }
                    TokenTree::Ident(word) => path.push_str(&format!("{word}::")),
                    _ => {}
                }
                line.get_or_insert(token.span().start().line);
            }
            if let (Some(line), false) = (line, path.is_empty()) {
                let names: Vec<String> =
                    path.trim_end_matches("::").split("::").map(str::to_owned).collect();
                self.paths.push(Mention { what: resolve(&names, module), line, is_use: true });
            }
        }
    }

    /// Steps over the item that an attribute reserves for tests.
    fn skip_item(&mut self, tokens: &[TokenTree], module: &[String]) -> usize {
        let ends = |token: &TokenTree| match token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            other => is_punct(other, ';'),
        };
        let end = tokens.iter().position(ends).map_or(tokens.len(), |end| end + 1);
        if let [.., TokenTree::Ident(word), TokenTree::Ident(name), semicolon] = &tokens[..end]
            && word == "mod"
            && is_punct(semicolon, ';')
        {
            let crate_root = &self.file[..self.file.find("src/").map_or(0, |at| at + 4)];
            let folder: String = module.iter().map(|part| format!("{part}/")).collect();
            self.test_modules.push(format!("{crate_root}{folder}{name}"));
        }
        end
    }
}

/// Every file under a folder of the repository, data and output of tests aside.
pub fn files(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(folder).to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            match path.to_str().unwrap() {
                "tests/data" | "tests/output" => {}
                _ if path.is_dir() => folders.push(path),
                file => found.push(file.to_owned()),
            }
        }
    }
    found.sort();
    found
}

/// The module that a file is: `src/game/hex.rs` is `game::hex`.
fn module_of(file: &str) -> Vec<String> {
    let inside = file.split_once("src/").map_or(file, |(_, inside)| inside);
    let stem = inside.trim_end_matches(".rs");
    let parts = stem.split('/').filter(|part| !matches!(*part, "mod" | "lib" | "main"));
    parts.map(str::to_owned).collect()
}

fn resolve(names: &[String], module: &[String]) -> String {
    let mut base = module.to_vec();
    let mut names = names;
    let mut ours = false;
    while let [first, rest @ ..] = names {
        match first.as_str() {
            "crate" | "hexhall" => base.clear(),
            "self" if !rest.is_empty() => {}
            "super" => drop(base.pop()),
            _ => break,
        }
        ours = true;
        names = rest;
    }
    let inside =
        if ours { ["crate".to_owned()].into_iter().chain(base).collect() } else { Vec::new() };
    [inside.as_slice(), names].concat().join("::")
}

fn is_for_tests(attribute: &Group) -> bool {
    let words: String = attribute.stream().to_string().replace(' ', "");
    words == "test"
        || words == "cfg(test)"
        || words.starts_with("cfg(all(test,")
        || words.starts_with("tokio::test")
}

fn is_punct(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

/// The content of a text literal.
fn text_of(token: TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = token else { return None };
    let text = literal.to_string();
    Some(text.strip_prefix('"')?.strip_suffix('"')?.to_owned())
}
