//! Whatever is written is read as the same.

use hexhall_proto::codec::{Format, decode_request, decode_server, encode};
use proptest::prelude::*;

use crate::arbitrary::{request, server_frame};
use crate::golden::encode_server;

proptest! {
    #[test]
    fn a_request_is_read_as_it_was_written(frame in request()) {
        for format in [Format::Json, Format::MsgPack] {
            let read = decode_request(format, &encode(format, &frame));
            prop_assert_eq!(read.as_ref(), Ok(&frame));
        }
    }

    #[test]
    fn a_message_of_a_server_is_read_as_it_was_written(frame in server_frame()) {
        for format in [Format::Json, Format::MsgPack] {
            let read = decode_server(format, &encode_server(format, &frame));
            prop_assert_eq!(read.as_ref(), Ok(&frame));
        }
    }
}
