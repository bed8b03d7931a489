//! What a server answers: exactly one reply to each request.

use schemars::JsonSchema;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use crate::chat::Line;
use crate::error::ErrorBody;
use crate::event::{LobbyEvent, Notice, StreamFrame};
use crate::headed::{self, Head};
use crate::notices::PersonalNotice;
use crate::parts::{Clocks, Move, Player, Seat, Viewer};
use crate::plans::Plan;
use crate::seek::{ListedSeek, Pool};
use crate::view::{Listing, View};

/// A reply and the number of the request that it answers.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
pub struct ReplyFrame {
    /// The request's `id`; none where the request was too broken to tell it.
    pub re: Option<u64>,
    /// The answer.
    #[serde(flatten)]
    pub reply: Reply,
}

impl Head for ReplyFrame {
    fn count(&self) -> usize {
        1
    }

    fn write<S: SerializeStruct>(&self, fields: &mut S) -> Result<(), S::Error> {
        fields.serialize_field("re", &self.re)
    }
}

impl Serialize for ReplyFrame {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        headed::serialize(serializer, self, &self.reply)
    }
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "reply", rename_all = "snake_case")]
pub enum Reply {
    /// To `hello`.
    Welcome(Welcome),
    /// To `open`.
    Opened {
        /// The invitation of a private table: whoever knows it may watch and join.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        invitation: Option<String>,
        /// The table; the stream goes on from here.
        view: Box<View>,
    },
    /// To `seek`.
    Seeking {
        /// `sek_…`: one's seek.
        seek: String,
    },
    /// To `join`.
    Joined {
        /// The seat taken.
        seat: Seat,
        /// The table; the stream goes on from here.
        view: Box<View>,
    },
    /// To `watch`, with a fresh view.
    View {
        /// The table; the stream goes on from here.
        view: Box<View>,
    },
    /// To `watch`, with the run of events that was missed, complete and in order.
    Resumed {
        /// `tbl_…`.
        table: String,
        /// Whose stream it is.
        viewer: Viewer,
        /// Every numbered event after the last one seen.
        events: Vec<StreamFrame>,
        /// Both clocks as they now are: those in the events are as old as their events.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<Clocks>,
        /// What the viewer's seat has planned, as it now is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        plan: Option<Plan>,
    },
    /// To `chat`.
    Chat {
        /// What those who sit there said, the last 100 lines; absent where one may not read it now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        players: Option<Vec<Line>>,
        /// What the watchers said, likewise.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        watchers: Option<Vec<Line>>,
    },
    /// To `move`.
    Moved {
        /// The turn to answer from now on, as of this move.
        turn: u64,
        /// Dark Hex: whether a hidden stone stood there, so that nothing was placed.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        collision: bool,
    },
    /// To `offer`.
    Offered {
        /// The offer's number; where the other seat had asked for the same already, theirs, and
        /// it is agreed.
        offer: u64,
    },
    /// To `suggest`. It may come after the replies to later requests.
    Suggestion {
        /// What the computer would play.
        #[serde(rename = "move")]
        action: Move,
        /// How likely it thinks that the seat wins, in percent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        win_percent: Option<u8>,
    },
    /// To `lobby`.
    Lobby {
        /// The newest public tables, 100 at most.
        tables: Vec<Listing>,
        /// The seeks that wait, the oldest first, 50 at most.
        seeks: Vec<ListedSeek>,
        /// How many players are connected.
        players: u64,
        /// What there is to choose from for those who only want to play.
        pools: Vec<Pool>,
    },
    /// To everything else: it is done.
    Done {},
    /// The request was refused, and nothing has changed.
    Error(ErrorBody),
}

/// Who one is, and what the server allows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Welcome {
    /// Oneself, as others see it.
    pub player: Player,
    /// The token of a new guest, or one in place of a token that has grown old; told once. Keep it
    /// to be the same player again: the old one is good until this one is used. Browsers are given
    /// a cookie instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// The server's version.
    pub server: String,
    /// The server's time, in milliseconds since the Unix epoch.
    pub now_ms: u64,
    /// What one session may ask.
    pub limits: Limits,
    /// What operators have one told, and one has not said to have read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<PersonalNotice>,
}

/// What one session may ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Limits {
    /// The longest frame that a client may send, in bytes.
    pub frame_bytes: u64,
    /// Requests for each window, for a session that holds a seat.
    pub requests_seated: u32,
    /// Requests for each window, for a session that only watches.
    pub requests_watching: u32,
    /// The window in seconds.
    pub window_s: u32,
}

/// Anything that a server may send, told apart by which of `re`, `event`, `lobby` and `notice` it
/// has.
#[derive(Clone, PartialEq, Eq, Debug, JsonSchema)]
#[schemars(untagged)]
pub enum ServerFrame {
    /// Has `re`.
    Reply(ReplyFrame),
    /// Has `event`.
    Stream(StreamFrame),
    /// Has `lobby`.
    Lobby(LobbyEvent),
    /// Has `notice`.
    Notice(Notice),
}
