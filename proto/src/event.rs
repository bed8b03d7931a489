//! What a server tells unasked: a table's stream, the list of tables, and notices.

use schemars::JsonSchema;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use crate::chat::{Line, Room};
use crate::headed::{self, Head};
use crate::notices::PersonalNotice;
use crate::options::Swap;
use crate::parts::{Cell, Clocks, Color, Offer, OfferClosed, Outcome, Player, Seat};
use crate::party::{PartyChange, PartyView};
use crate::plans::{Plan, WhyDropped};
use crate::seek::{ListedSeek, OwnSeek, ReadyCheck, SeekEnd};
use crate::view::{GameView, Listing, PlayedMove, Presence, View};

/// One event of one viewer's stream.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
pub struct StreamFrame {
    /// `tbl_…`.
    pub table: String,
    /// The event's number, one more than the last; absent for what is not numbered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// A [`StreamFrame`] to be written, whose parts lie elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct StreamFrameRef<'a> {
    /// `tbl_…`.
    pub table: &'a str,
    /// The event's number.
    pub seq: Option<u64>,
    /// What happened.
    pub event: &'a Event,
}

impl Head for StreamFrameRef<'_> {
    fn count(&self) -> usize {
        1 + usize::from(self.seq.is_some())
    }

    fn write<S: SerializeStruct>(&self, fields: &mut S) -> Result<(), S::Error> {
        fields.serialize_field("table", self.table)?;
        match self.seq {
            Some(seq) => fields.serialize_field("seq", &seq),
            None => fields.skip_field("seq"),
        }
    }
}

impl Serialize for StreamFrameRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        headed::serialize(serializer, self, self.event)
    }
}

impl Serialize for StreamFrame {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        StreamFrameRef { table: &self.table, seq: self.seq, event: &self.event }
            .serialize(serializer)
    }
}

/// What happened at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// Somebody took a seat.
    Seated {
        /// The seat.
        seat: Seat,
        /// Who sits there now.
        player: Player,
    },
    /// Somebody gave a seat up.
    Unseated {
        /// The seat, now free.
        seat: Seat,
    },
    /// Somebody goes by another name, wherever they are at this table.
    Renamed {
        /// Who, by the new one.
        player: Player,
    },
    /// Something has changed in the table's party.
    Party {
        /// What.
        change: PartyChange,
        /// The party as it now is.
        party: Box<PartyView>,
    },
    /// A game began. The view is whole, and its viewer and number are the ones to go on from:
    /// players may have exchanged seats.
    Started {
        /// The table as it now stands.
        view: Box<View>,
    },
    /// A stone was placed.
    Placed {
        /// Who moved.
        seat: Seat,
        /// The stone's colour.
        color: Color,
        /// The stone's cell; absent for those who may not know it, which happens in Dark Hex alone.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cell: Option<Cell>,
        /// The turn to answer from now on.
        turn: u64,
        /// The seat to move; none if the game is over.
        to_move: Option<Seat>,
        /// Whether the computer played it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        cpu: bool,
        /// Both clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<Clocks>,
    },
    /// Dark Hex: a seat tried a cell on which a hidden stone of the other seat stands. Nothing was
    /// placed.
    Collided {
        /// Who tried.
        seat: Seat,
        /// The cell, where the seat that tried has found a stone; absent for everybody else.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cell: Option<Cell>,
        /// The turn to answer from now on.
        turn: u64,
        /// The seat to move: the same again where collisions are `classical`.
        to_move: Option<Seat>,
        /// Whether the computer played it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        cpu: bool,
        /// Both clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<Clocks>,
    },
    /// The first move was swapped.
    Swapped {
        /// Who swapped.
        seat: Seat,
        /// `sides`: the stone stays and the seats exchange colours. `pieces`: a blue stone stands
        /// at the mirror image of the red one, which is gone.
        swap: Swap,
        /// Where the only stone now stands.
        cell: Cell,
        /// Its colour.
        color: Color,
        /// The colours of seat 1 and seat 2 as they now are.
        colors: [Color; 2],
        /// The turn to answer from now on.
        turn: u64,
        /// The seat to move.
        to_move: Option<Seat>,
        /// Whether the computer played it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        cpu: bool,
        /// Both clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<Clocks>,
    },
    /// The game ended.
    Ended {
        /// How.
        outcome: Outcome,
        /// The chain that decided it, from the top or from the left.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        winning_path: Option<Vec<Cell>>,
        /// Dark Hex, where a chain decided it: what was hidden until now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reveal: Option<Reveal>,
        /// Both clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<Clocks>,
        /// Games won so far by who sits in seat 1 and in seat 2.
        score: [u32; 2],
    },
    /// A seat proposed something.
    Offered {
        /// The proposal.
        offer: Offer,
    },
    /// A proposal is no longer open.
    OfferClosed {
        /// The offer's number.
        offer: u64,
        /// Why.
        how: OfferClosed,
    },
    /// Moves were taken back by agreement.
    TakenBack {
        /// The game as it now stands.
        game: Box<GameView>,
    },
    /// The clocks were stopped by agreement.
    Paused {
        /// Both clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<Clocks>,
    },
    /// The game goes on.
    Unpaused {
        /// Both clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<Clocks>,
    },
    /// A seat was given more time.
    TimeGiven {
        /// The seat that has more time.
        seat: Seat,
        /// How much, in milliseconds.
        ms: u64,
        /// Both clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<Clocks>,
    },
    /// The computer plays a seat from now on, whose player is gone.
    TakenOver {
        /// The seat.
        seat: Seat,
        /// The level at which it plays, 1 to 10.
        level: u8,
    },
    /// A player is back, and has the seat that the computer played.
    Returned {
        /// The seat.
        seat: Seat,
    },
    /// The server was away and is back. The time it was away is charged to nobody.
    Restarted {
        /// Both clocks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clocks: Option<Clocks>,
    },
    /// Nobody can play here any more.
    Closed {},
    /// Who is there has changed. Not numbered.
    Presence {
        /// Who is there.
        presence: Presence,
    },
    /// Somebody said something. Not numbered.
    Said {
        /// Where.
        room: Room,
        /// What, and who.
        line: Line,
    },
    /// Dark Hex on one device: the curtain has fallen before this session, which sees the table as
    /// a spectator again. Not numbered; the view has the number to go on from.
    Curtain {
        /// The table as a spectator sees it.
        view: Box<View>,
    },
    /// Dark Hex on one device: a clock has begun to run, or stopped, because the curtain was
    /// lifted, or nobody is there any more before whom it was. Not numbered.
    Clocks {
        /// Both clocks.
        clocks: Clocks,
    },
    /// What one's seat has planned is now this: it was set, or taken back, or its next move is about
    /// to be played. Told to that seat alone, and not numbered: a number would tell others of it.
    Planned {
        /// The plan, with the other seat to move; none if nothing is planned any more.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        plan: Option<Plan>,
    },
    /// What one's seat had planned will not be played. Told to that seat alone, and not numbered.
    PlanDropped {
        /// Why.
        why: WhyDropped,
    },
    /// A whole view in place of what the reader was too slow to be told, or because the reader's
    /// seat has changed. Not numbered; the view has the number to go on from.
    View {
        /// The table as it now stands.
        view: Box<View>,
    },
}

/// A game of Dark Hex with nothing hidden any more.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Reveal {
    /// Every stone: one string a row from the top, `r` red, `b` blue, `.` empty.
    pub board: Vec<String>,
    /// Every move, with its cell.
    pub moves: Vec<PlayedMove>,
}

/// A change of the public list of tables.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "lobby", rename_all = "snake_case")]
pub enum LobbyEvent {
    /// A table is new on the list, or what the list shows of it has changed.
    Listed {
        /// The table as the list shows it.
        listing: Box<Listing>,
    },
    /// A table is off the list.
    Unlisted {
        /// `tbl_…`.
        table: String,
    },
    /// A seek is new on the list.
    SeekListed {
        /// The seek.
        seek: Box<ListedSeek>,
    },
    /// A seek is off the list.
    SeekUnlisted {
        /// `sek_…`.
        seek: String,
    },
    /// How many players are connected has changed; told once a second at most.
    Online {
        /// How many.
        players: u64,
    },
    /// The lists anew, in place of changes that the reader was too slow to be told.
    Tables {
        /// The newest public tables, 100 at most.
        tables: Vec<Listing>,
        /// The seeks that wait, the oldest first, 50 at most.
        seeks: Vec<ListedSeek>,
        /// How many players are connected.
        players: u64,
    },
    /// One's own seeks as they now stand.
    Seeks {
        /// All of them, the oldest first.
        seeks: Vec<OwnSeek>,
        /// The match that one has to answer for, if there is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        check: Option<ReadyCheck>,
    },
    /// There is an opponent, and one has to say that one is there.
    ReadyCheck(ReadyCheck),
    /// One plays: one sits at this table already, and seeks nothing else.
    Matched {
        /// `tbl_…`, for `watch`.
        table: String,
    },
    /// A seek of one's own has ended without a game.
    SeekEnded {
        /// `sek_…`.
        seek: String,
        /// Why.
        reason: SeekEnd,
    },
}

/// Something about the connection itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "notice", rename_all = "snake_case")]
pub enum Notice {
    /// The server is about to stop. Seats, games and clocks are kept.
    Closing {
        /// Milliseconds after which to try again.
        back_in_ms: u64,
    },
    /// An operator has something told. It is told again with each `welcome`, until it is read.
    Personal {
        /// What.
        personal: PersonalNotice,
    },
}
