//! PROTOCOL.md says what the code does: its examples are messages, its tables have their fields,
//! and nothing is left out.

use std::collections::BTreeSet;

use hexhall_proto::codec::{Format, OPS, decode_request, decode_server};
use hexhall_proto::error::{CloseCode, Code};
use hexhall_proto::reply::ServerFrame;
use serde_json::Value;

use crate::golden::encode_server;
use crate::samples::request_name;
use crate::samples_server::{
    EVENTS, LOBBY_EVENTS, NOTICES, REPLIES, event_name, lobby_name, notice_name, reply_name,
};
use crate::schema;

const PROTOCOL: &str = include_str!("../PROTOCOL.md");

/// The lines of the fenced blocks with this tag, each of which is one message.
fn examples(tag: &str) -> Vec<&'static str> {
    let fence = format!("```json {tag}");
    let mut inside = false;
    let keep = |line: &&str| {
        match *line {
            "```" => inside = false,
            line if line == fence => {
                inside = true;
                return false;
            }
            _ => {}
        }
        inside
    };
    PROTOCOL.lines().filter(keep).collect()
}

/// The part of the text from a heading to the next of the same or a higher level.
fn section(level: &str, title: &str) -> &'static str {
    let heading = format!("\n{level} {title}\n");
    let start = PROTOCOL.find(&heading).unwrap_or_else(|| panic!("no heading{heading}"));
    let body = &PROTOCOL[start + heading.len()..];
    let ends = (1..=level.len()).filter_map(|n| body.find(&format!("\n{} ", "#".repeat(n))));
    &body[..ends.min().unwrap_or(body.len())]
}

/// The subsection of a message in its section.
fn message<'a>(section: &'a str, name: &str) -> &'a str {
    let heading = format!("\n### `{name}`\n");
    let start = section.find(&heading).unwrap_or_else(|| panic!("no heading{heading}"));
    let body = &section[start + heading.len()..];
    &body[..body.find("\n### ").unwrap_or(body.len())]
}

/// The names in the first column of the first table with the head `| field |`.
fn fields(text: &str) -> BTreeSet<String> {
    let Some(start) = text.find("| field |") else { return BTreeSet::new() };
    let rows = text[start..].lines().take_while(|line| line.starts_with('|')).skip(2);
    rows.filter_map(|row| Some(row.split('`').nth(1)?.to_owned())).collect()
}

/// The properties of a schema, those of what it refers to included, less the ones given.
fn properties(root: &Value, schema: &Value, less: &[&str]) -> BTreeSet<String> {
    let own = schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.clone());
    let mut names: BTreeSet<String> = own.collect();
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.trim_start_matches("#/$defs/");
        names.extend(properties(root, &root["$defs"][name], &[]));
    }
    names.retain(|name| !less.contains(&name.as_str()));
    names
}

/// The variant of a tagged enum in a schema.
fn variant<'a>(of: &'a Value, tag: &str, name: &str) -> &'a Value {
    let variants = of["oneOf"].as_array().unwrap();
    variants.iter().find(|variant| variant["properties"][tag]["const"] == *name).unwrap()
}

/// Asserts that a section tells every message of a kind, with exactly its fields.
fn tells(title: &str, tag: &str, names: &[&str], root: &Value, of: &Value) {
    for name in names {
        let told = fields(message(section("##", title), name));
        assert_eq!(told, properties(root, variant(of, tag, name), &[tag]), "{title}: {name}");
    }
}

#[test]
fn every_example_of_a_request_is_one_and_no_request_is_without() {
    let mut seen = BTreeSet::new();
    for line in examples("request") {
        let frame = decode_request(Format::Json, line.as_bytes())
            .unwrap_or_else(|error| panic!("{error}\n{line}"));
        seen.insert(request_name(&frame.request));
        // Every field of the example is one that was understood.
        let (told, read): (Value, Value) =
            (serde_json::from_str(line).unwrap(), serde_json::to_value(&frame).unwrap());
        for (field, value) in told.as_object().unwrap() {
            assert_eq!(&read[field], value, "{line}");
        }
    }
    assert_eq!(seen, OPS.iter().copied().collect());
}

#[test]
fn every_example_of_a_server_is_one_and_no_message_is_without() {
    for (tag, names) in
        [("reply", REPLIES), ("event", EVENTS), ("lobby", LOBBY_EVENTS), ("notice", NOTICES)]
    {
        let mut seen = BTreeSet::new();
        for line in examples(tag) {
            let frame = decode_server(Format::Json, line.as_bytes())
                .unwrap_or_else(|error| panic!("{error}\n{line}"));
            seen.insert(match (&frame, tag) {
                (ServerFrame::Reply(frame), "reply") => reply_name(&frame.reply),
                (ServerFrame::Stream(frame), "event") => event_name(&frame.event),
                (ServerFrame::Lobby(event), "lobby") => lobby_name(event),
                (ServerFrame::Notice(notice), "notice") => notice_name(notice),
                _ => panic!("not a {tag}: {line}"),
            });
            let written = encode_server(Format::Json, &frame);
            assert_eq!(String::from_utf8(written).unwrap(), line, "{tag}");
        }
        assert_eq!(seen, names.iter().copied().collect());
    }
}

#[test]
fn the_tables_have_the_fields_that_the_messages_have() {
    let client = schema::client().to_value();
    tells("Requests", "op", OPS, &client, &client);
    let told = fields(message(section("##", "What a table is played by"), "OptionsRequest"));
    assert_eq!(told, properties(&client, &client["$defs"]["OptionsRequest"], &[]));

    let server = schema::server().to_value();
    let defined = &server["$defs"];
    tells("Replies", "reply", REPLIES, &server, &defined["ReplyFrame"]);
    tells("Events", "event", EVENTS, &server, &defined["StreamFrame"]);
    tells("The lobby", "lobby", LOBBY_EVENTS, &server, &defined["LobbyEvent"]);
    tells("Pings, slow readers and closing", "notice", NOTICES, &server, &defined["Notice"]);
    for part in [
        "View",
        "GameView",
        "Clocks",
        "Presence",
        "Offer",
        "Player",
        "Line",
        "PersonalNotice",
        "Listing",
        "Pool",
        "ListedSeek",
        "OwnSeek",
        "ReadyCheck",
        "RatingRange",
    ] {
        let told = fields(message(section("##", "What messages are made of"), part));
        assert_eq!(told, properties(&server, &defined[part], &[]), "{part}");
    }
}

/// What follows `Errors:` to the end of its paragraph, for each request.
fn own_errors() -> impl Iterator<Item = &'static str> {
    section("##", "Requests").split("\n\n").filter_map(|text| text.split("Errors: ").nth(1))
}

#[test]
fn every_code_is_told_and_some_request_may_get_it() {
    let table: Vec<_> = section("##", "Errors")
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next())
        .collect();
    let all: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(table, all);

    let requests = section("##", "Requests");
    let mut promised: BTreeSet<&str> = BTreeSet::from(["bad_frame", "unknown_request"]);
    let general = requests.split("\n### ").next().unwrap();
    for words in own_errors().chain([general]) {
        promised.extend(words.split('`').skip(1).step_by(2).filter(|word| all.contains(word)));
    }
    assert_eq!(promised, all.into_iter().collect());
}

#[test]
fn every_error_that_a_request_is_said_to_get_is_a_code() {
    for word in own_errors().flat_map(|words| words.split('`').skip(1).step_by(2)) {
        assert!(Code::ALL.iter().any(|code| code.as_str() == word), "{word}");
    }
}

#[test]
fn every_close_code_is_told_and_is_found_by_its_number() {
    let table: Vec<u16> = section("###", "Close codes")
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(' ').next()?.parse().ok())
        .collect();
    let all: Vec<u16> = CloseCode::ALL.iter().map(|code| code.number()).collect();
    assert_eq!(table, all);
    for code in CloseCode::ALL {
        assert_eq!(CloseCode::from_number(code.number()), Some(*code));
        // A close frame has room for 123 bytes beside its number.
        assert!((1..=123).contains(&code.to_string().len()));
    }
    assert_eq!(CloseCode::from_number(1000), None);
}
