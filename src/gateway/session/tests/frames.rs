//! Frames that are no good.

use super::*;

/// What is sent, and the refusal that it gets, with or without a `re`.
const BROKEN_JSON: [(&str, Option<u64>, Code); 12] = [
    ("", None, Code::BadFrame),
    ("{", None, Code::BadFrame),
    ("null", None, Code::BadFrame),
    ("[1,2]", None, Code::BadFrame),
    (r#"{"id":1,"op":"lobby"} x"#, None, Code::BadFrame),
    ("{}", None, Code::BadRequest),
    (r#"{"id":"1","op":"lobby"}"#, None, Code::BadRequest),
    (r#"{"id":-1,"op":"lobby"}"#, None, Code::BadRequest),
    (r#"{"id":7}"#, Some(7), Code::BadRequest),
    (r#"{"id":7,"op":"lobbby"}"#, Some(7), Code::UnknownRequest),
    (r#"{"id":7,"op":"watch"}"#, Some(7), Code::BadRequest),
    (
        r#"{"id":7,"op":"watch","table":"gam_01ARZ3NDEKTSV4RRFFQ69G5FAV"}"#,
        Some(7),
        Code::BadRequest,
    ),
];

#[test]
fn every_malformed_frame_gets_its_error_and_the_session_lives() {
    local(async {
        let house = House::new();
        let mut peer = house.guest(Format::Json).await;
        for (frame, re, code) in BROKEN_JSON {
            peer.socket.send(Message::text(frame)).await.unwrap();
            let reply = peer.reply().await;
            assert_eq!((reply.re, error(reply.reply).code), (re, code), "{frame}");
        }
        assert_eq!(peer.ask("lobby", "").await, Reply::Done {});

        let mut peer = house.guest(Format::MsgPack).await;
        let mut trailing = to_msgpack(r#"{"id":1,"op":"lobby"}"#);
        trailing.push(0xc0);
        for (frame, re, code) in [
            (vec![], None, Code::BadFrame),
            (vec![0xc1], None, Code::BadFrame),
            (vec![0xdf, 0xff, 0xff, 0xff, 0xff], None, Code::BadFrame),
            (vec![0x92, 1, 2], None, Code::BadFrame),
            (trailing, None, Code::BadFrame),
            (to_msgpack("{}"), None, Code::BadRequest),
            (to_msgpack(r#"{"id":7}"#), Some(7), Code::BadRequest),
            (to_msgpack(r#"{"id":7,"op":"x"}"#), Some(7), Code::UnknownRequest),
            (to_msgpack(r#"{"id":7,"op":"watch","table":8}"#), Some(7), Code::BadRequest),
        ] {
            peer.socket.send(Message::binary(frame.clone())).await.unwrap();
            let reply = peer.reply().await;
            assert_eq!((reply.re, error(reply.reply).code), (re, code), "{frame:x?}");
        }
        assert_eq!(peer.ask("lobby", "").await, Reply::Done {});
    });
}

#[test]
fn broken_frames_in_a_row_close_the_session_and_a_whole_one_between_them_does_not() {
    local(async {
        let house = House::new();
        let mut peer = house.guest(Format::Json).await;
        for broken in [9, 10] {
            for _ in 0..broken {
                peer.socket.send(Message::text("{")).await.unwrap();
                assert_eq!(error(peer.reply().await.reply).code, Code::BadFrame);
            }
            if broken == 9 {
                assert_eq!(peer.refused("nothing", "").await.code, Code::UnknownRequest);
            }
        }
        assert_eq!(peer.end().await, Some(4006));
    });
}

#[test]
fn a_frame_of_the_other_format_closes() {
    local(async {
        let house = House::new();
        let mut peer = house.guest(Format::Json).await;
        peer.socket.send(Message::binary(to_msgpack(r#"{"id":1,"op":"lobby"}"#))).await.unwrap();
        assert_eq!(peer.end().await, Some(4005));
        let mut peer = house.guest(Format::MsgPack).await;
        peer.socket.send(Message::text(r#"{"id":1,"op":"lobby"}"#)).await.unwrap();
        assert_eq!(peer.end().await, Some(4005));
    });
}

#[test]
fn a_frame_above_four_kibibytes_closes_and_one_of_just_four_does_not() {
    local(async {
        let house = House::new();
        let mut peer = house.guest(Format::Json).await;
        peer.socket.send(Message::text(" ".repeat(4_096))).await.unwrap();
        assert_eq!(error(peer.reply().await.reply).code, Code::BadFrame);
        peer.socket.send(Message::text(" ".repeat(4_097))).await.unwrap();
        assert_eq!(peer.end().await, Some(1009));
    });
}

#[test]
fn a_text_frame_that_is_no_text_closes() {
    local(async {
        use tokio::io::AsyncWriteExt;
        let house = House::new();
        let mut peer = house.guest(Format::Json).await;
        // A masked text frame of two bytes that are no UTF-8; the mask is all zeros.
        let frame = [0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28];
        peer.socket.get_mut().write_all(&frame).await.unwrap();
        assert_eq!(peer.end().await, Some(1007));
    });
}
