//! What the gateway counts for each frame. The handles are looked up once, since looking one up
//! costs more than counting does.
//!
//! Bytes are not counted: on a wide board some cells take more of them than others, so that their
//! number would tell whoever reads the figures between two moves about a stone that is hidden.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use hexhall_proto::codec::OPS;
use metrics::{Counter, counter};

/// The name that requests go by which could not be read.
pub(super) const UNREADABLE: &str = "unreadable";

/// The counters of all sessions of one server.
pub(super) struct Figures {
    /// By a hash: in a tree a name is compared with a dozen others, which costs twice as much.
    requests: HashMap<&'static str, Counter, RandomState>,
}

impl Figures {
    pub(super) fn new() -> Figures {
        let names = OPS.iter().copied().chain([UNREADABLE]);
        Figures {
            requests: names
                .map(|op| (op, counter!("hexhall_requests_total", "op" => op)))
                .collect(),
        }
    }

    /// Counts a request that goes by this name.
    pub(super) fn request(&self, op: &'static str) {
        if let Some(requests) = self.requests.get(op) {
            requests.increment(1);
        }
    }
}
