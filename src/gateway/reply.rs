//! Replies as frames. Whoever answers a session writes its reply here, so that each refusal is
//! counted once.

use bytes::Bytes;
use hexhall_proto::codec::{self, Format};
use hexhall_proto::error::ErrorBody;
use hexhall_proto::reply::{Reply, ReplyFrame};

/// The frame of a reply. `re` is none only where the request's number could not be read.
pub fn encode(format: Format, re: Option<u64>, reply: Reply) -> Bytes {
    if let Reply::Error(ErrorBody { code, .. }) = &reply {
        metrics::counter!("hexhall_refusals_total", "code" => code.as_str()).increment(1);
    }
    codec::encode(format, &ReplyFrame { re, reply }).into()
}
