//! How the parts may lean on each other, read from the source files. Each rule is a function from
//! sources to complaints, and each is shown to complain about a piece of code that breaks it.

mod source;

use std::fs;
use std::path::Path;

use source::{Mention, Source};

/// Files, by how their paths begin, that decide and do nothing else: time, chance and whatever the
/// world says are arguments.
const PURE: [&str; 33] = [
    "src/game/",
    "src/record/",
    "src/view/",
    "src/accounts/leavers",
    "src/table/chat",
    "src/accounts/ratings",
    "src/table/options",
    "src/table/state",
    "src/table/delayed",
    "src/accounts/skeleton",
    "src/accounts/text",
    "src/lobby/state",
    "src/lobby/pairing",
    "src/cpu/belief",
    "src/cpu/budget",
    "src/cpu/choose",
    "src/cpu/connections",
    "src/cpu/dice",
    "src/cpu/evaluator",
    "src/cpu/grid",
    "src/cpu/inferior",
    "src/cpu/level",
    "src/cpu/mcts",
    "src/cpu/openings",
    "src/cpu/patterns",
    "src/cpu/seen",
    "src/cpu/solver",
    "src/arena/sets",
    "src/arena/stakes",
    "src/arena/ledger",
    "src/arena/tiebreak",
    "src/arena/strikes",
    "src/arena/ladder",
];

/// What a pure file may not name: the runtime, shared state, clocks, chance and the world outside.
const IMPURE: [&str; 20] = [
    "actix",
    "tokio",
    "tokio_tungstenite",
    "futures_util",
    "axum",
    "hyper",
    "rusqlite",
    "dashmap",
    "tracing",
    "metrics",
    "rand",
    "getrandom",
    "std::time::Instant",
    "std::time::SystemTime",
    "std::fs",
    "std::net",
    "std::thread",
    "std::env",
    "std::process",
    "std::io",
];

/// What knows more of a game than a seat does.
const UMPIRES: [&str; 7] = [
    "crate::game::Game",
    "crate::game::hex",
    "crate::game::dark",
    "crate::record",
    "crate::store",
    "crate::table",
    "crate::view",
];

/// Where a type may say how it is written down.
const FORMS: [&str; 9] = [
    "proto/",
    "src/wire",
    "src/store/",
    "src/record/json.rs",
    "src/config/",
    "src/config.rs",
    "src/cli/",
    "src/cli.rs",
    "src/http/",
];

/// Where the parts are wired together and started.
const STARTERS: [&str; 3] = ["src/main.rs", "src/cli", "src/server"];

/// Words that have a better one here: table, session or player, gateway or lobby.
const SYNONYMS: [&str; 6] = ["room", "rooms", "client", "clients", "hub", "hubs"];

/// The most lines of a file, and the number from which one is long enough to be looked at.
const MOST_LINES: usize = 500;
const MANY_LINES: usize = 300;

fn complain(source: &Source, mention: &Mention, why: &str) -> String {
    format!("{}:{}: {}: {why}", source.file, mention.line, mention.what)
}

fn starts_with_any(text: &str, starts: &[&str]) -> bool {
    starts.iter().any(|start| text.starts_with(start))
}

/// Whether `path` is `root` or inside of it.
fn is_within(path: &str, root: &str) -> bool {
    path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Complaints about mentions in those sources that `at` picks.
fn mentions(
    sources: &[Source],
    at: impl Fn(&str) -> bool,
    wrong: impl Fn(&Mention) -> bool,
    why: &str,
) -> Vec<String> {
    let picked = sources.iter().filter(|source| at(&source.file));
    let found = picked.flat_map(|source| source.paths.iter().map(move |path| (source, path)));
    found
        .filter(|(_, path)| wrong(path))
        .map(|(source, path)| complain(source, path, why))
        .collect()
}

fn impure(sources: &[Source]) -> Vec<String> {
    let wrong = |path: &Mention| {
        // A variable may be called `rand`; `use std::time` opens a way to `time::Instant`.
        let names = path.is_use || path.what.contains("::");
        let within = |root: &&str| is_within(&path.what, root);
        let opens =
            |root: &&str| path.is_use && path.what.contains("::") && is_within(root, &path.what);
        names && IMPURE.iter().any(|root| within(root) || opens(root))
    };
    mentions(sources, |file| starts_with_any(file, &PURE), wrong, "not in a pure file")
}

/// Actors without a pure file beside them: what `PURE` names has been renamed, or never was.
fn undecided(sources: &[Source]) -> Vec<String> {
    let actors = sources.iter().filter_map(|source| source.file.strip_suffix("actor.rs"));
    let decides = |folder: &str| {
        let pure = |source: &&Source| starts_with_any(&source.file, &PURE);
        sources.iter().filter(pure).any(|source| source.file.starts_with(folder))
    };
    actors
        .filter(|folder| !decides(folder))
        .map(|folder| format!("{folder}actor.rs: what it decides belongs in a file of PURE"))
        .collect()
}

fn game_leans_on_ours(sources: &[Source]) -> Vec<String> {
    let wrong = |path: &Mention| {
        is_within(&path.what, "hexhall_proto")
            || (path.what.starts_with("crate::") && !is_within(&path.what, "crate::game"))
    };
    mentions(sources, |file| file.starts_with("src/game/"), wrong, "game uses nothing of ours")
}

fn sees_too_much(sources: &[Source]) -> Vec<String> {
    let wrong = |path: &Mention| UMPIRES.iter().any(|umpire| is_within(&path.what, umpire));
    let at = |file: &str| file.starts_with("src/cpu/");
    mentions(sources, at, wrong, "the computer decides from what its seat sees")
}

fn leans_on_server(sources: &[Source]) -> Vec<String> {
    let wrong = |path: &Mention| is_within(&path.what, "crate::server");
    let at = |file: &str| file.starts_with("src/") && !starts_with_any(file, &STARTERS);
    mentions(sources, at, wrong, "only main and cli start the server")
}

fn serializes(sources: &[Source]) -> Vec<String> {
    let wrong = |path: &Mention| {
        path.what.rsplit("::").next() == Some("Serialize") || is_within(&path.what, "serde::ser")
    };
    let at = |file: &str| !starts_with_any(file, &FORMS);
    mentions(sources, at, wrong, "forms belong to wire, store, http, cli, config and record::json")
}

fn panics(sources: &[Source]) -> Vec<String> {
    let bad = |name: &str| matches!(name, "unwrap" | "expect" | "unwrap_err" | "expect_err");
    let calls =
        sources.iter().flat_map(|source| source.calls.iter().map(move |call| (source, call)));
    calls
        .filter(|(_, call)| bad(&call.what))
        .map(|(source, call)| complain(source, call, "refuse, or fail with a cause"))
        .collect()
}

fn headless(sources: &[Source]) -> Vec<String> {
    let bare = sources.iter().filter(|source| !source.text.starts_with("//!"));
    bare.map(|source| format!("{}: begin with `//!`: its job, and what it owns", source.file))
        .collect()
}

/// `exists` tells whether there is such a file.
fn off_the_map(map: &Source, exists: impl Fn(&str) -> bool) -> Vec<String> {
    let head = map.text.lines().take_while(|line| line.starts_with("//!"));
    let named: Vec<&str> = head
        .filter_map(|line| line.split_once("- [`")?.1.split_once("`]"))
        .map(|(name, _)| name)
        .collect();
    let is_there =
        |name: &&&str| exists(&format!("src/{name}.rs")) || exists(&format!("src/{name}/mod.rs"));
    let lost = named.iter().filter(|name| !is_there(name));
    let unnamed = map.modules.iter().filter(|module| !named.contains(&module.as_str()));
    lost.map(|name| format!("the map in {} names `{name}`, and no such module is there", map.file))
        .chain(unnamed.map(|name| {
            format!("the map in {} does not name `{name}`: add - [`{name}`] …", map.file)
        }))
        .collect()
}

fn synonyms(sources: &[Source]) -> Vec<String> {
    let bad = |name: &str| {
        let mut words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
        words.any(|word| SYNONYMS.contains(&word.to_lowercase().as_str()))
    };
    let names =
        sources.iter().flat_map(|source| source.names.iter().map(move |name| (source, name)));
    let modules =
        sources.iter().flat_map(|source| source.modules.iter().map(move |name| (source, name)));
    names
        .filter(|(_, name)| bad(&name.what))
        .map(|(source, name)| complain(source, name, "table, session, player, gateway or lobby"))
        .chain(modules.filter(|(_, name)| bad(name)).map(|(source, name)| {
            format!("{}: mod {name}: table, session, player, gateway or lobby", source.file)
        }))
        .collect()
}

/// The rule that the repository keeps, said of every file under `src` and `proto/src`.
#[track_caller]
fn holds(rule: impl Fn(&[Source]) -> Vec<String>) {
    let sources = Source::all(&["src", "proto/src"]);
    assert!(sources.len() > 1, "tests run at the root of the repository");
    let complaints = rule(&sources);
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// How many complaints a rule has about one piece of code.
fn count(rule: impl Fn(&[Source]) -> Vec<String>, file: &str, text: &str) -> usize {
    rule(&[Source::parse(file, text)]).len()
}

#[test]
fn pure_files_name_no_runtime_clock_chance_or_world() {
    holds(impure);
    holds(undecided);
    assert_eq!(
        count(impure, "src/game/a.rs", "use std::{fmt, time::{Duration, Instant as Now}};"),
        1
    );
    assert_eq!(count(impure, "src/table/state.rs", "use std::time::{self, Duration};"), 1);
    assert_eq!(
        count(impure, "src/view/a.rs", "fn f() { let t = std::time::SystemTime::now(); }"),
        1
    );
    assert_eq!(
        count(impure, "src/lobby/pairing.rs", "macro_rules! m { () => { tracing::info!(1) } }"),
        1
    );
    assert_eq!(count(impure, "src/lobby/pairing.rs", "#[tracing::instrument] fn f() {}"), 1);
    assert_eq!(count(impure, "src/record/a.rs", "pub use tokio;"), 1);
    let tests_and_talk = "// tokio::spawn\nconst A: &str = \"tokio::spawn\"; use std::time::Duration; fn f(rand: u8) {}
        #[cfg(test)] mod tests { use std::fs; } #[test] fn g() { std::fs::read(1); }";
    assert_eq!(count(impure, "src/game/a.rs", tests_and_talk), 0);
    assert_eq!(count(impure, "src/table/actor.rs", "use tokio::time;"), 0);
    assert_eq!(count(undecided, "src/table/actor.rs", ""), 1);
    let sources = ["src/table/actor.rs", "src/table/state.rs"].map(|file| Source::parse(file, ""));
    assert!(undecided(&sources).is_empty());
}

#[test]
fn game_uses_nothing_of_ours() {
    holds(game_leans_on_ours);
    assert_eq!(
        count(game_leans_on_ours, "src/game/a.rs", "use crate::{game::Cell, ids::Seat};"),
        1
    );
    assert_eq!(
        count(game_leans_on_ours, "src/game/a.rs", "fn f(s: super::super::ids::Seat) {}"),
        1
    );
    assert_eq!(count(game_leans_on_ours, "src/game/a.rs", "use hexhall_proto::Request;"), 1);
    assert_eq!(
        count(game_leans_on_ours, "src/game/a.rs", "use super::cell::Cell; use self::b::C;"),
        0
    );
}

#[test]
fn the_computer_sees_what_its_seat_sees() {
    holds(sees_too_much);
    assert_eq!(count(sees_too_much, "src/cpu/a.rs", "use crate::game::{Cell, Game};"), 1);
    assert_eq!(count(sees_too_much, "src/cpu/a.rs", "fn f(s: &crate::table::state::State) {}"), 1);
    assert_eq!(count(sees_too_much, "src/cpu/a/b.rs", "use super::super::super::view::Viewer;"), 1);
    assert_eq!(count(sees_too_much, "src/cpu/a.rs", "use crate::game::{Cell, Goal};"), 0);
    assert_eq!(count(sees_too_much, "src/table/a.rs", "use crate::game::Game;"), 0);
}

#[test]
fn nothing_depends_on_server() {
    holds(leans_on_server);
    assert_eq!(count(leans_on_server, "src/gateway/mod.rs", "use crate::server::Server;"), 1);
    assert_eq!(count(leans_on_server, "src/http.rs", "fn f() { super::server::stop() }"), 1);
    assert_eq!(
        count(leans_on_server, "src/http/a.rs", "mod b { use super::super::super::server; }"),
        1
    );
    assert_eq!(count(leans_on_server, "src/cli/serve.rs", "use crate::server::Server;"), 0);
}

#[test]
fn domain_types_do_not_serialize() {
    holds(serializes);
    assert_eq!(
        count(serializes, "src/game/a.rs", "#[derive(Clone, serde::Serialize)] struct A;"),
        1
    );
    assert_eq!(count(serializes, "src/table/a.rs", "impl Serialize for A {}"), 1);
    assert_eq!(count(serializes, "src/record/sgf.rs", "use serde::ser::Serializer;"), 1);
    assert_eq!(count(serializes, "src/record/json.rs", "#[derive(Serialize)] struct A;"), 0);
}

#[test]
fn nothing_unwraps_outside_of_tests() {
    holds(panics);
    assert_eq!(count(panics, "src/a.rs", "fn f() { a.unwrap(); b().c.expect(\"d\"); }"), 2);
    assert_eq!(
        count(
            panics,
            "src/a.rs",
            "#[expect(x)] fn f() { a.unwrap_or(1) } #[test] fn g() { a.unwrap() }"
        ),
        0
    );
}

#[test]
fn every_file_says_what_it_is_for() {
    holds(headless);
    assert!(headless(&Source::all(&["tests"])).is_empty());
    assert_eq!(count(headless, "src/a.rs", "/// A struct.\npub struct A;"), 1);
    assert_eq!(count(headless, "src/a.rs", "//! The head."), 0);
}

#[test]
fn the_map_in_lib_names_every_module_and_no_other() {
    let map = Source::parse("src/lib.rs", &fs::read_to_string("src/lib.rs").unwrap());
    let complaints = off_the_map(&map, |file| Path::new(file).exists());
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
    let fixture =
        Source::parse("src/lib.rs", "//! - [`a`] is one.\n//! - [`b`] is gone.\npub mod a; mod c;");
    assert_eq!(off_the_map(&fixture, |file| file == "src/a.rs").len(), 2);
}

#[test]
fn spans_metrics_and_modules_use_the_words_of_the_design() {
    holds(synonyms);
    assert_eq!(
        count(synonyms, "src/a.rs", "fn f() { metrics::counter!(\"hexhall_clients_total\"); }"),
        1
    );
    assert_eq!(
        count(synonyms, "src/a.rs", "#[tracing::instrument(name = \"room.join\")] fn f() {}"),
        1
    );
    assert_eq!(count(synonyms, "src/a.rs", "mod hub;"), 1);
    assert_eq!(
        count(synonyms, "src/a.rs", "fn f() { info_span!(\"table\", \"client\"); g(\"room\"); }"),
        0
    );
}

#[test]
fn no_file_is_longer_than_it_may_be() {
    let folders = ["src", "proto/src", "tests", "benches", "fuzz/fuzz_targets"];
    let files = folders.iter().flat_map(|folder| source::files(folder));
    let code = files.filter(|file| {
        [".rs", ".js", ".css", ".html"].iter().any(|extension| file.ends_with(extension))
    });
    let mut long: Vec<(usize, String)> = code
        .map(|file| (fs::read_to_string(&file).unwrap().lines().count(), file))
        .filter(|&(lines, _)| lines > MANY_LINES)
        .collect();
    long.sort();
    for (lines, file) in &long {
        println!("{lines} lines: {file}");
    }
    long.retain(|&(lines, _)| lines > MOST_LINES);
    assert!(long.is_empty(), "over {MOST_LINES} lines: {long:?}");
}
