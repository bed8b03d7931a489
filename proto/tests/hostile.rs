//! Bytes that nobody means well with: lengths that are claimed and not there, deep nests, and
//! messages with some of their bytes changed. None may panic; each refusal is typed and in words.

use hexhall_proto::codec::{Format, RequestError, decode_request, decode_server, encode};
use hexhall_proto::error::Code;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::golden::{CLIENT, SERVER, read};

fn check(error: &RequestError) {
    let typed = match error.code {
        Code::BadFrame => error.id.is_none(),
        Code::BadRequest => true,
        Code::UnknownRequest => error.id.is_some(),
        _ => false,
    };
    assert!(typed, "{error:?}");
    assert!((1..=400).contains(&error.message.chars().count()), "{error:?}");
}

/// Reads the bytes in every way there is.
fn read_every_way(bytes: &[u8]) {
    for format in [Format::Json, Format::MsgPack] {
        match decode_request(format, bytes) {
            Err(error) => check(&error),
            // What is read is a request like any other: it can be written and read again.
            Ok(frame) => assert_eq!(decode_request(format, &encode(format, &frame)), Ok(frame)),
        }
        if let Err(error) = decode_server(format, bytes) {
            assert!(!error.message.is_empty());
        }
    }
}

fn golden() -> Vec<Vec<u8>> {
    let messages = read(CLIENT).into_iter().chain(read(SERVER));
    messages.flat_map(|(json, msgpack)| [json, msgpack]).collect()
}

#[test]
fn a_length_that_is_only_claimed_is_refused() {
    // Lists, maps, texts, bytes and extensions of four billion, as a whole and as a field.
    for marker in [b"\xdd", b"\xdf", b"\xdb", b"\xc6", b"\xc9"] {
        let claim = [marker.as_slice(), b"\xff\xff\xff\xff"].concat();
        read_every_way(&claim);
        for field in ["id", "op", "table", "options", "move", "events", "tables", "unknown"] {
            for start in ["\u{3}", "re\u{1}", "event\u{1}", "lobby\u{1}"] {
                let mut bytes = b"\x83\xa2id\x07\xa2re".to_vec();
                bytes.extend(start.as_bytes());
                bytes.push(0xa0 + u8::try_from(field.len()).unwrap());
                bytes.extend(field.as_bytes());
                bytes.extend(&claim);
                read_every_way(&bytes);
            }
        }
        let bytes = [b"\x83\xa2id\x07\xa2op\xa4open\xa7options".as_slice(), &claim].concat();
        let error = decode_request(Format::MsgPack, &bytes).unwrap_err();
        assert_eq!(error.code, Code::BadFrame, "{error}");
    }
}

#[test]
fn a_deep_nest_is_refused_or_skipped_but_never_followed_to_the_end_of_the_stack() {
    for depth in [100, 1_000, 100_000] {
        read_every_way(&b"[".repeat(depth));
        read_every_way(&br#"{"a":"#.repeat(depth));
        read_every_way(&b"\x91".repeat(depth));
        read_every_way(&b"\x81\xa1a".repeat(depth));
        let nest = [b"[".repeat(depth), b"]".repeat(depth)].concat();
        let field = [br#"{"id":1,"op":"lobby","later":"#.as_slice(), &nest, b"}"].concat();
        read_every_way(&field);
        let field = [br#"{"table":"t","event":"closed","later":"#.as_slice(), &nest, b"}"].concat();
        read_every_way(&field);
    }
    let deep = [b"\x83\xa2id\x07\xa2op\xa5lobby\xa1x".as_slice(), &b"\x91".repeat(1_000), b"\xc0"];
    let error = decode_request(Format::MsgPack, &deep.concat()).unwrap_err();
    assert!(error.message.contains("depth"), "{error}");
}

#[test]
fn every_cut_of_every_message_is_refused() {
    for (json, msgpack) in read(CLIENT) {
        for (format, bytes) in [(Format::Json, json), (Format::MsgPack, msgpack)] {
            for end in 0..bytes.len() {
                let error = decode_request(format, &bytes[..end]).unwrap_err();
                assert_eq!((error.id, error.code), (None, Code::BadFrame), "{error}");
            }
        }
    }
    for (json, msgpack) in read(SERVER) {
        for (format, bytes) in [(Format::Json, json), (Format::MsgPack, msgpack)] {
            for end in 0..bytes.len() {
                assert!(decode_server(format, &bytes[..end]).is_err());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_bytes_are_too_odd_to_be_refused(bytes in vec(any::<u8>(), 0..200)) {
        read_every_way(&bytes);
    }

    #[test]
    fn no_text_is_too_odd_to_be_refused(text in r#"[\[\]{}:,"0-9a-z\\ -]{0,60}"#) {
        read_every_way(text.as_bytes());
    }

    #[test]
    fn a_message_with_some_bytes_changed_is_read_or_refused(
        message in select(golden()),
        changes in vec((any::<Index>(), any::<u8>(), 0..3u8), 1..4),
    ) {
        let mut bytes = message;
        for (place, byte, how) in changes {
            let at = place.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ if bytes.len() > 1 => { bytes.remove(at); }
                _ => {}
            }
        }
        read_every_way(&bytes);
    }

    #[test]
    fn two_messages_in_one_frame_are_refused(
        one in select(read(CLIENT)),
        other in select(read(CLIENT)),
    ) {
        let json = [one.0, other.0].concat();
        let msgpack = [one.1, other.1].concat();
        for (format, bytes) in [(Format::Json, json), (Format::MsgPack, msgpack)] {
            let error = decode_request(format, &bytes).unwrap_err();
            prop_assert_eq!(error.code, Code::BadFrame);
        }
    }
}
