//! Fixed bytes: `golden/client.txt` and `golden/server.txt` hold every message in both formats.
//!
//! A message stands there as three lines: its name, its JSON, and its MessagePack in hexadecimal.

use std::collections::BTreeSet;
use std::fmt::Write;

use hexhall_proto::codec::{Format, OPS, decode_request, decode_server, encode};
use hexhall_proto::error::Code;
use hexhall_proto::reply::{Reply, ServerFrame};

use crate::committed::assert_current;
use crate::samples::{REQUESTS, request_name, requests};
use crate::samples_server::{
    EVENTS, LOBBY_EVENTS, NOTICES, REPLIES, event_name, lobby_name, notice_name, reply_name,
    server_frames,
};

/// Writes any frame of a server.
pub fn encode_server(format: Format, frame: &ServerFrame) -> Vec<u8> {
    match frame {
        ServerFrame::Reply(frame) => encode(format, frame),
        ServerFrame::Stream(frame) => encode(format, frame),
        ServerFrame::Lobby(frame) => encode(format, frame),
        ServerFrame::Notice(frame) => encode(format, frame),
    }
}

fn server_name(frame: &ServerFrame) -> String {
    match frame {
        ServerFrame::Reply(frame) => format!("reply {}", reply_name(&frame.reply)),
        ServerFrame::Stream(frame) => format!("event {}", event_name(&frame.event)),
        ServerFrame::Lobby(event) => format!("lobby {}", lobby_name(event)),
        ServerFrame::Notice(notice) => format!("notice {}", notice_name(notice)),
    }
}

fn entry(text: &mut String, name: &str, what: &str, json: Vec<u8>, msgpack: &[u8]) {
    let comma = if what.is_empty() { "" } else { ", " };
    let json = String::from_utf8(json).unwrap();
    let hex: String = msgpack.iter().map(|byte| format!("{byte:02x}")).collect();
    writeln!(text, "# {name}{comma}{what}\n{json}\n{hex}\n").unwrap();
}

/// The JSON and the MessagePack of each message in a committed file.
pub fn read(text: &str) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut messages = Vec::new();
    while let (Some(json), Some(hex)) = (lines.next(), lines.next()) {
        let bytes = hex
            .as_bytes()
            .chunks(2)
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap());
        messages.push((json.as_bytes().to_vec(), bytes.collect()));
    }
    messages
}

pub const CLIENT: &str = include_str!("../golden/client.txt");
pub const SERVER: &str = include_str!("../golden/server.txt");

#[test]
fn every_request_is_these_bytes_both_ways() {
    let mut text = String::new();
    for (what, frame) in requests() {
        let [json, msgpack] = [Format::Json, Format::MsgPack].map(|format| encode(format, &frame));
        assert_eq!(decode_request(Format::Json, &json).as_ref(), Ok(&frame));
        assert_eq!(decode_request(Format::MsgPack, &msgpack).as_ref(), Ok(&frame));
        entry(&mut text, request_name(&frame.request), what, json, &msgpack);
    }
    assert_current("golden/client.txt", &text);
}

#[test]
fn every_message_of_a_server_is_these_bytes_both_ways() {
    let mut text = String::new();
    for (what, frame) in server_frames() {
        let [json, msgpack] =
            [Format::Json, Format::MsgPack].map(|format| encode_server(format, &frame));
        assert_eq!(decode_server(Format::Json, &json).as_ref(), Ok(&frame));
        assert_eq!(decode_server(Format::MsgPack, &msgpack).as_ref(), Ok(&frame));
        entry(&mut text, &server_name(&frame), what, json, &msgpack);
    }
    assert_current("golden/server.txt", &text);
}

#[test]
fn no_message_is_without_golden_bytes() {
    let seen: BTreeSet<_> = requests().iter().map(|(_, f)| request_name(&f.request)).collect();
    assert_eq!(seen, REQUESTS.iter().copied().collect());
    assert_eq!(OPS, REQUESTS);

    let seen: BTreeSet<_> = server_frames().iter().map(|(_, frame)| server_name(frame)).collect();
    let named = |kind: &str, names: &[&str]| -> Vec<String> {
        names.iter().map(|name| format!("{kind} {name}")).collect()
    };
    let all = [
        named("reply", REPLIES),
        named("event", EVENTS),
        named("lobby", LOBBY_EVENTS),
        named("notice", NOTICES),
    ];
    assert_eq!(seen, all.into_iter().flatten().collect());
}

#[test]
fn no_code_is_without_golden_bytes_and_each_is_written_as_it_is_called() {
    for code in Code::ALL {
        let carries = |frame: &ServerFrame| match frame {
            ServerFrame::Reply(frame) => {
                matches!(&frame.reply, Reply::Error(body) if body.code == *code)
            }
            _ => false,
        };
        assert!(server_frames().iter().any(|(_, frame)| carries(frame)), "{code}");
        assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
    }
}
