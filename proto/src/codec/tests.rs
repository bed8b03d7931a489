//! What is refused, and with which words.

#![allow(clippy::unwrap_used, reason = "a test may fail so")]

use super::*;
use crate::parts::{Cell, Move};
use crate::request::Request;

/// The same JSON in both formats.
fn both(json: &str) -> [(Format, Vec<u8>); 2] {
    let value: serde_json::Value = serde_json::from_str(json).unwrap();
    [
        (Format::Json, json.as_bytes().to_vec()),
        (Format::MsgPack, rmp_serde::to_vec_named(&value).unwrap()),
    ]
}

/// Asserts that both formats refuse the frame alike, and in words that hold `words`.
fn refused(json: &str, id: Option<u64>, code: Code, words: &str) {
    for (format, bytes) in both(json) {
        let error = decode_request(format, &bytes).unwrap_err();
        assert_eq!((error.id, error.code), (id, code), "{format:?}: {json}: {error}");
        assert!(error.message.contains(words), "{format:?}: {json}: {error}");
    }
}

fn play(fields: &str) -> String {
    format!(r#"{{"id":7,"op":"move","table":"t","game":"g","command":"c","turn":0,{fields}}}"#)
}

#[test]
fn a_move_is_read_in_both_formats_and_unknown_fields_around_it_are_ignored() {
    let json = play(r#""move":{"cell":[3,-1]},"later":{"deep":[[1.5,null]]}"#);
    for (format, bytes) in both(&json) {
        let frame = decode_request(format, &bytes).unwrap();
        let Request::Move(play) = frame.request else { panic!("{frame:?}") };
        assert_eq!((frame.id, play.action), (7, Move::Place(Cell(3, -1))));
    }
}

#[test]
fn an_odd_id_is_a_bad_request_without_an_id() {
    let bad = Code::BadRequest;
    refused(r#"{"op":"lobby"}"#, None, bad, "`id` is missing");
    refused(r#"{"id":"7","op":"lobby"}"#, None, bad, r#"`id` is string "7", expected a whole"#);
    refused(r#"{"id":-1,"op":"lobby"}"#, None, bad, "`id` is integer `-1`");
    refused(r#"{"id":[1],"op":"lobby"}"#, None, bad, "`id` is sequence");
    refused(r#"{"id":{"a":1},"op":"lobby"}"#, None, bad, "`id` is map");
    refused(r#"{"id":1.5,"op":"lobby"}"#, None, bad, "`id` is floating point");
}

#[test]
fn an_odd_op_is_answered_with_the_id() {
    refused(r#"{"id":7}"#, Some(7), Code::BadRequest, "`op` is missing");
    refused(r#"{"id":7,"op":3}"#, Some(7), Code::BadRequest, "`op` is integer `3`");
    refused(r#"{"id":7,"op":null}"#, Some(7), Code::BadRequest, "`op` is ");
}

#[test]
fn an_unknown_op_is_told_the_nearest_one_or_all() {
    let unknown = Code::UnknownRequest;
    refused(r#"{"id":7,"op":"helo"}"#, Some(7), unknown, "did you mean `hello`?");
    refused(r#"{"op":"givetime","id":7}"#, Some(7), unknown, "did you mean `give_time`?");
    refused(r#"{"id":7,"op":"frobnicate"}"#, Some(7), unknown, "there are hello, open, seek");
    refused(r#"{"id":7,"op":"x"}"#, Some(7), unknown, "there are hello");
}

#[test]
fn a_wrong_field_is_named_with_what_it_was_and_what_would_be_right() {
    let bad = |json: &str, words| refused(json, Some(7), Code::BadRequest, words);
    bad(r#"{"id":7,"op":"join"}"#, "missing field `table`");
    bad(
        r#"{"id":7,"op":"join","table":4}"#,
        "`table`: invalid type: integer `4`, expected a string",
    );
    bad(r#"{"id":7,"op":"join","table":"t","seat":3}"#, "`seat`: a seat is 1 or 2");
    bad(
        r#"{"id":7,"op":"watch","table":"t","last":{"viewer":"spectator","seq":"1"}}"#,
        r#"`last.seq`: invalid type: string "1", expected a whole number, 0 or more"#,
    );
    bad(&play(r#""move":{"cell":["c",3]}"#), "`move.cell[0]`: invalid type: string \"c\"");
    bad(&play(r#""move":{"cell":"c3"}"#), "expected a cell as [row, col]");
    bad(&play(r#""move":{"cell":[1]}"#), "expected a cell as [row, col]");
    bad(&play(r#""move":{"cell":[1,2,3]}"#), "expected a cell as [row, col]");
}

#[test]
fn a_move_is_one_of_cell_and_swap_and_nothing_else() {
    let bad = |fields: &str, words| refused(&play(fields), Some(7), Code::BadRequest, words);
    bad(r#""move":{}"#, "`move`: a move is either");
    bad(r#""move":{"swap":false}"#, "`move`: a move is either");
    bad(r#""move":{"swap":true,"cell":[1,2]}"#, "`move`: a move is either");
    bad(r#""move":{"cell":[1,2],"pass":true}"#, "unknown field `pass`");
}

#[test]
fn options_refuse_unknown_fields_and_fields_of_another_control() {
    let bad = |options: &str, words| {
        let json = format!(r#"{{"id":7,"op":"open","options":{options}}}"#);
        refused(&json, Some(7), Code::BadRequest, words);
    };
    bad(r#"{"sized":11}"#, "unknown field `sized`");
    bad(r#"{"preset":"bright"}"#, "`options.preset`: unknown variant `bright`");
    bad(r#"{"time":{"control":"fischer","initial_s":3}}"#, "`options.time`: `fischer` has");
    bad(r#"{"time":{"control":"none","seconds":3}}"#, "`options.time`: `none` has no other");
    bad(r#"{"time":{"control":"none","hours":3}}"#, "unknown field `hours`");
    bad(r#"{"time":{"seconds":3}}"#, "`options.time`: missing field `control`");
    bad(r#"{"random_stones":300}"#, "expected a whole number from 0 to 255");
}

#[test]
fn a_list_in_place_of_a_map_is_refused_at_every_depth() {
    refused("[7,\"lobby\"]", None, Code::BadFrame, "a map");
    refused("3", None, Code::BadFrame, "a map");
    refused("null", None, Code::BadFrame, "a map");
    let bad = |json: &str, words| refused(json, Some(7), Code::BadRequest, words);
    bad(&play(r#""move":[[3,4],null]"#), "`move`: invalid type: sequence, expected a map");
    bad(r#"{"id":7,"op":"open","options":["standard"]}"#, "`options`: invalid type: sequence");
    bad(r#"{"id":7,"op":"open","options":{"time":["none"]}}"#, "`options.time`: invalid type");
    bad(
        r#"{"id":7,"op":"watch","table":"t","last":["spectator",3]}"#,
        "`last`: invalid type: sequence",
    );
}

#[test]
fn a_variant_is_named_by_a_text_alone() {
    let bad = |json: &str, words| refused(json, Some(7), Code::BadRequest, words);
    bad(r#"{"id":7,"op":"open","options":{"preset":1}}"#, "`options.preset`: invalid type");
    bad(r#"{"id":7,"op":"open","options":{"preset":{"party":null}}}"#, "invalid type: map");
}

#[test]
fn what_is_not_one_map_is_a_bad_frame() {
    let cases: [(Format, &[u8]); 14] = [
        (Format::Json, b""),
        (Format::Json, b"{"),
        (Format::Json, b"{\"id\":1,\"op\":\"lobby\"} x"),
        (Format::Json, b"{\"id\":1,\"op\":\"lobby\"}{}"),
        (Format::Json, b"{\"id\":1,\"op\":\"\xff\"}"),
        (Format::Json, b"{1:2}"),
        (Format::Json, b"\x82\xa2id\x01\xa2op\xa5lobby"),
        (Format::MsgPack, b""),
        (Format::MsgPack, b"\x82\xa2id\x01"),
        (Format::MsgPack, b"\x82\xa2id\x01\xa2op\xa5lobby\xc0"),
        (Format::MsgPack, b"\x82\xa2id\x01\xa2op\xa2\xff\xff"),
        (Format::MsgPack, b"\x82\x00\x01\x01\xa5lobby"),
        (Format::MsgPack, b"\x82\xc4\x02id\x01\xa2op\xa5lobby"),
        (Format::MsgPack, br#"{"id":1,"op":"lobby"}"#),
    ];
    for (format, bytes) in cases {
        let error = decode_request(format, bytes).unwrap_err();
        assert_eq!((error.id, error.code), (None, Code::BadFrame), "{format:?} {bytes:x?} {error}");
    }
}

#[test]
fn a_field_that_is_there_twice_is_refused() {
    for (json, id, words) in [
        (r#"{"id":1,"id":2,"op":"lobby"}"#, None, "`id` is there twice"),
        (r#"{"id":1,"op":"lobby","op":"lobby"}"#, Some(1), "`op` is there twice"),
        (r#"{"id":1,"op":"leave","table":"a","table":"b"}"#, Some(1), "duplicate field `table`"),
    ] {
        let error = decode_request(Format::Json, json.as_bytes()).unwrap_err();
        assert_eq!((error.id, error.code), (id, Code::BadRequest));
        assert!(error.message.contains(words), "{error}");
    }
}

#[test]
fn a_nested_field_numbered_instead_of_named_is_refused() {
    // {"id":7,"op":"watch","table":"t","last":{0:"spectator",1:3}}
    let bytes = b"\x84\xa2id\x07\xa2op\xa5watch\xa5table\xa1t\xa4last\x82\x00\xa9spectator\x01\x03";
    let error = decode_request(Format::MsgPack, bytes).unwrap_err();
    assert_eq!((error.id, error.code), (Some(7), Code::BadRequest));
    assert!(error.message.contains("the name of a field"), "{error}");
}

#[test]
fn bytes_are_no_text_and_no_list() {
    // {"id":7,"op":"leave","table":<bytes>}
    let error = decode_request(Format::MsgPack, b"\x83\xa2id\x07\xa2op\xa5leave\xa5table\xc4\x01t")
        .unwrap_err();
    assert_eq!((error.id, error.code), (Some(7), Code::BadRequest));
    assert!(error.message.contains("`table`: invalid type: byte array"), "{error}");
}

#[test]
fn a_long_quotation_is_cut() {
    let long = "x".repeat(4000);
    for json in [
        format!(r#"{{"id":7,"op":"{long}"}}"#),
        format!(r#"{{"id":"{long}","op":"lobby"}}"#),
        format!(r#"{{"id":7,"op":"open","options":{{"preset":"{long}"}}}}"#),
    ] {
        for (format, bytes) in both(&json) {
            let error = decode_request(format, &bytes).unwrap_err();
            assert!(error.message.chars().count() < 400, "{error}");
        }
    }
}

#[test]
fn a_frame_in_place_of_an_unwritable_one_says_internal() {
    let ServerFrame::Reply(frame) = decode_server(Format::Json, UNWRITTEN).unwrap() else {
        panic!("not a reply")
    };
    let crate::reply::Reply::Error(body) = frame.reply else { panic!("not an error") };
    assert_eq!((frame.re, body.code), (None, Code::Internal));
}

#[test]
fn a_request_reads_the_same_in_whatever_order_its_fields_stand() {
    let fields =
        [r#""id":7"#, r#""op":"leave""#, r#""table":"t""#, r#""unknown":{"id":1,"op":[2]}"#];
    for order in 0..24 {
        let mut left = fields.to_vec();
        let mut place = order;
        let mut chosen = Vec::new();
        for choices in (1..=4).rev() {
            chosen.push(left.remove(place % choices));
            place /= choices;
        }
        for (format, bytes) in both(&format!("{{{}}}", chosen.join(","))) {
            let frame = decode_request(format, &bytes).unwrap();
            let Request::Leave(leave) = frame.request else { panic!("{frame:?}") };
            assert_eq!((frame.id, leave.table.as_str()), (7, "t"));
        }
    }
    for again in [r#""id":7"#, r#""op":"leave""#, r#""\u0069d":8"#] {
        let json = format!(r#"{{"id":7,"op":"leave","table":"t",{again}}}"#);
        let error = decode_request(Format::Json, json.as_bytes()).unwrap_err();
        assert!(error.message.contains("is there twice"), "{error}");
    }
}
