//! The settings as a user meets them: files, variables, flags, and what is said when one is wrong.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::*;

/// The file that lists every setting.
const LISTED: &str = include_str!("../../config/hexhall.toml");

/// A settings file that goes away with its test.
struct File {
    _dir: tempfile::TempDir,
    path: PathBuf,
}

fn file(text: &str) -> File {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hexhall.toml");
    std::fs::write(&path, text).unwrap();
    File { _dir: dir, path }
}

fn from_file(text: &str) -> Result<Config, ConfigError> {
    Config::load(Some(&file(text).path), [], &[])
}

fn variables(pairs: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
    pairs.iter().map(|&(name, value)| (name.into(), value.into())).collect()
}

fn from_variable(name: &str, value: &str) -> Result<Config, ConfigError> {
    Config::load(None, variables(&[(name, value)]), &[])
}

fn flag(name: &str, key: &str, value: &str) -> Flag {
    Flag { name: name.to_owned(), key: key.to_owned(), value: value.to_owned() }
}

/// The message without the directory of the file.
fn said(result: Result<Config, ConfigError>) -> String {
    let text = result.unwrap_err().to_string();
    text.find("hexhall.toml, ").map_or(text.clone(), |at| text[at..].to_owned())
}

/// Settings by dotted name, a comment's included, as the text gives them.
fn settings(text: &str) -> BTreeMap<String, toml::Value> {
    let table: toml::Table = text.parse().unwrap();
    let sections = table.into_iter();
    sections
        .flat_map(|(section, settings)| {
            let settings = settings.as_table().unwrap().clone().into_iter();
            settings.map(move |(name, value)| (format!("{section}.{name}"), value))
        })
        .collect()
}

/// The line `# name = value` stands for a setting that has no default.
fn with_optional_settings(text: &str) -> String {
    let lines = text.lines().map(|line| match line.strip_prefix("# ") {
        Some(setting) if setting.parse::<toml::Table>().is_ok() => setting,
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn without_any_source_the_defaults_hold() {
    assert_eq!(Config::load(None, [], &[]).unwrap(), Config::default());
}

#[test]
fn the_listed_settings_are_the_built_in_defaults_key_for_key() {
    let built_in = settings(&toml::to_string(&Config::default()).unwrap());
    let listed = settings(LISTED);
    assert_eq!(listed, built_in);
    assert_eq!(from_file(LISTED).unwrap(), Config::default());
}

#[test]
fn settings_without_a_default_are_listed_as_comments() {
    let every_key = {
        let defaults = serde_json::to_value(Config::default()).unwrap();
        let mut keys = Vec::new();
        for (section, settings) in defaults.as_object().unwrap() {
            keys.extend(settings.as_object().unwrap().keys().map(|key| format!("{section}.{key}")));
        }
        keys.sort();
        keys
    };
    let text = with_optional_settings(LISTED);
    assert_eq!(settings(&text).into_keys().collect::<Vec<_>>(), every_key);
    let config = from_file(&text).unwrap();
    assert_eq!(config.server.public_url.unwrap().to_string(), "https://hex.example.org");
}

#[test]
fn every_listed_setting_has_its_reason_above_it() {
    let text = with_optional_settings(LISTED);
    let mut before = "";
    for line in text.lines() {
        let is_setting = line.contains(" = ") && !line.starts_with('#');
        assert!(!is_setting || before.starts_with("# "), "no comment above `{line}`");
        before = line;
    }
}

#[test]
fn later_sources_stand_above_earlier_ones() {
    let text = "[server]\nlisten = \"10.0.0.1:1\"\narbiters = 1\nshutdown_drain_s = 1\n";
    let variables = variables(&[
        ("HEXHALL_SERVER__LISTEN", "10.0.0.2:2"),
        ("HEXHALL_SERVER__ARBITERS", "2"),
        ("PATH", "/bin"),
    ]);
    let flags = [flag("--listen", "server.listen", "10.0.0.3:3")];
    let config = Config::load(Some(&file(text).path), variables, &flags).unwrap();
    assert_eq!(config.server.shutdown_drain, Duration::from_secs(1));
    assert_eq!(config.server.arbiters, 2);
    assert_eq!(config.server.listen.to_string(), "10.0.0.3:3");
    assert_eq!(config.limits, LimitsConfig::default());
}

#[test]
fn values_of_every_kind_come_from_the_environment() {
    let config = Config::load(
        None,
        variables(&[
            ("HEXHALL_STORE__DATA", "2026"),
            ("HEXHALL_STORE__ENGINE", "memory"),
            ("HEXHALL_LIMITS__ENABLED", "false"),
            ("HEXHALL_SERVER__PUBLIC_URL", "https://hex.example.org"),
            ("HEXHALL_SERVER__TRUSTED_PROXIES", r#"["10.0.0.0/8", "::1/128"]"#),
            ("HEXHALL_CONFIG", "read by the command line"),
            ("HEXHALL_SERVER", "read by the command line"),
        ]),
        &[],
    )
    .unwrap();
    assert_eq!(config.store.data, PathBuf::from("2026"));
    assert_eq!(config.store.engine, Engine::Memory);
    assert!(!config.limits.enabled);
    assert_eq!(config.server.public_url, "https://hex.example.org".parse().ok());
    assert_eq!(config.server.trusted_proxies.len(), 2);
}

#[test]
fn an_unknown_setting_is_named_with_its_line_and_what_was_meant() {
    assert_eq!(
        said(from_file("[server]\narbiters = 2\nlisten_to = \"127.0.0.1:1\"\n")),
        "hexhall.toml, line 3: there is no setting `server.listen_to`: did you mean `server.listen`?"
    );
    assert_eq!(
        said(from_file("\n[limit]\nenabled = true\n")),
        "hexhall.toml, line 2: there is no setting `limit`: did you mean `limits`?"
    );
    assert_eq!(
        said(from_file("[server]\ndata = \"/srv\"\n")),
        "hexhall.toml, line 2: there is no setting `server.data`: did you mean `store.data`?"
    );
    assert_eq!(
        said(from_file("colour = 1\n")),
        "hexhall.toml, line 1: there is no setting `colour`: config/hexhall.toml lists them all"
    );
}

#[test]
fn a_value_of_the_wrong_type_is_named_with_its_line_and_a_right_one() {
    assert_eq!(
        said(from_file("[limits]\nenabled = true\n\nframe_bytes = \"big\"\n")),
        "hexhall.toml, line 4: `limits.frame_bytes` is wrong: string \"big\" is not a \
         whole number; right is for example 4096"
    );
    assert_eq!(
        said(from_file("[server]\nlisten = \"localhost\"\n")),
        "hexhall.toml, line 2: `server.listen` is wrong: invalid socket address syntax; right is for \
         example \"127.0.0.1:8080\""
    );
    assert_eq!(
        said(from_file("[store]\ndurability = \"none\"\n")),
        "hexhall.toml, line 2: `store.durability` is wrong: `none` is not one of its \
         values; right is `power` or `process`"
    );
    assert_eq!(
        said(from_file("[server]\ntrusted_proxies = [\"10.0.0.0/8\", \"10.0.0.1\"]\n")),
        "hexhall.toml, line 2: `server.trusted_proxies` is wrong: invalid IP address syntax; right is \
         for example [\"10.0.0.0/8\"]"
    );
    assert_eq!(
        said(from_file("[tables.mailbox]\nbound = 5\n")),
        "hexhall.toml, line 1: `tables.mailbox` is wrong: map is not a whole number; \
         right is for example 256"
    );
    assert!(
        said(from_file("server = 5\n")).starts_with("hexhall.toml, line 1: `server` is wrong: ")
    );
}

#[test]
fn a_value_out_of_range_is_named_with_its_line_and_the_range() {
    assert_eq!(
        said(from_file("[limits]\n# none at all\nframe_bytes = 0\n")),
        "hexhall.toml, line 3: `limits.frame_bytes` is wrong: 0 is out of range; right is a number \
         from 1024 to 16777216"
    );
    assert!(
        said(from_file("[limits]\nplayer_requests = 0\n"))
            .contains("line 2: `limits.player_requests` is wrong")
    );
    assert!(said(from_file("[log]\nlevel = \"inof\"\n")).contains("`inof` is not a level"));
    assert!(
        said(from_file("[log]\nlevel = \"hexhall=loud\"\n"))
            .contains("line 2: `log.level` is wrong")
    );
}

#[test]
fn request_limits_that_would_make_one_bucket_overflow_are_refused() {
    for setting in ["player_requests", "watcher_requests"] {
        assert_eq!(
            said(from_file(&format!("[limits]\n{setting} = 10001\n"))),
            format!(
                "hexhall.toml, line 2: `limits.{setting}` is wrong: 10001 is out of range; right \
                 is a number from 1 to 10000"
            )
        );
    }
}

#[test]
fn settings_that_contradict_each_other_are_refused() {
    let gone = said(from_file("[streams]\ngone_after_s = 5\n"));
    assert!(gone.contains("line 2: `streams.gone_after_s` is wrong"), "{gone}");
    let ping = said(from_file("[streams]\n\nping_every_s = 12\n"));
    assert!(ping.contains("line 3: `streams.gone_after_s` is wrong"), "{ping}");
    let jitter = said(from_file("[streams]\nping_jitter_ms = 5000\n"));
    assert!(jitter.contains("line 2: `streams.ping_jitter_ms` is wrong"), "{jitter}");
}

#[test]
fn a_bad_variable_or_flag_is_named() {
    assert_eq!(
        said(from_variable("HEXHALL_SERVER__LISTEN", "8080")),
        "environment variable HEXHALL_SERVER__LISTEN: `server.listen` is wrong: invalid socket address \
         syntax; right is for example \"127.0.0.1:8080\""
    );
    assert_eq!(
        said(from_variable("HEXHALL_LISTEN", "127.0.0.1:1")),
        "environment variable HEXHALL_LISTEN: there is no setting `listen`: did you mean \
         `server.listen`?"
    );
    assert_eq!(
        said(Config::load(None, [], &[flag("--drain", "server.shutdown_drain_s", "-1")])),
        "flag --drain: `server.shutdown_drain_s` is wrong: signed int `-1` is not a whole number; \
         right is for example 10"
    );
}

#[test]
fn a_file_that_is_not_toml_is_refused_with_its_line() {
    assert!(said(from_file("[server]\nlisten = \n")).starts_with("hexhall.toml, line 2: "));
    assert!(
        said(from_file("[log]\nlevel = \"info\"\nlevel = \"warn\"\n"))
            .starts_with("hexhall.toml, line 3: ")
    );
    let missing = Config::load(Some(Path::new("/nowhere/hexhall.toml")), [], &[]);
    assert!(said(missing).starts_with("cannot read the settings in /nowhere/hexhall.toml: "));
}
