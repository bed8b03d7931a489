//! A fresh view: all that one viewer may know of a table.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::options::{Options, Swap};
use crate::parts::{Cell, Clocks, Color, Move, Offer, Outcome, Phase, Player, Seat, Viewer};
use crate::party::{PartyPresence, PartySize, PartyView};
use crate::plans::Plan;

/// A table as one viewer may know it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct View {
    /// `tbl_…`.
    pub table: String,
    /// Whose view it is.
    pub viewer: Viewer,
    /// The number of that viewer's last event; the next one has this plus one.
    pub seq: u64,
    /// Where the table stands.
    pub phase: Phase,
    /// What it is played by.
    pub options: Options,
    /// Whether it stays off the public list.
    pub private: bool,
    /// Who sits in seat 1 and in seat 2.
    pub seats: [Option<Player>; 2],
    /// Games won so far at this table by who now sits in seat 1 and in seat 2.
    pub score: [u32; 2],
    /// Who came together to it, where it is a party's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub party: Option<PartyView>,
    /// Who is there.
    pub presence: Presence,
    /// Open offers.
    pub offers: Vec<Offer>,
    /// What the viewer's own seat has planned; absent where nothing is, and in everybody else's view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// The running game, or the one that ended last.
    pub game: Option<GameView>,
}

/// Who is there. Changes come unnumbered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Presence {
    /// Seat 1, then seat 2.
    pub seats: [SeatPresence; 2],
    /// Sessions that follow the table without a seat.
    pub watchers: u64,
    /// Of a party: which members are there, seated or not, and who plays next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub party: Option<PartyPresence>,
}

/// Whether a seat's player is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct SeatPresence {
    /// Whether any session of the seat's player follows the table.
    pub connected: bool,
    /// While the player is gone from a running game: milliseconds until the table acts on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub countdown_ms: Option<u64>,
    /// Whether the other seat may claim the game now.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub claimable: bool,
    /// The level at which the computer plays this seat for its player, who is gone; absent where
    /// it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<u8>,
}

/// A game as one viewer may know it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GameView {
    /// `gam_…`.
    pub id: String,
    /// 1 for the first game at the table.
    pub number: u32,
    /// What it is played by, where the table's options have changed since it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<Options>,
    /// The random opening in placement order, red first.
    pub opening: Vec<Cell>,
    /// Every move so far.
    pub moves: Vec<PlayedMove>,
    /// One string a row from the top: `r` red, `b` blue, `.` empty or not known.
    pub board: Vec<String>,
    /// Dark Hex, in a seat's view: the other seat's stones that it has run into, in row-major
    /// order. They stand on the board too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<Vec<Cell>>,
    /// The colours of seat 1 and seat 2 as they now are.
    pub colors: [Color; 2],
    /// The turn to answer: it counts every accepted move, and rises with a takeback too.
    pub turn: u64,
    /// The seat to move; none after the end.
    pub to_move: Option<Seat>,
    /// What the viewer may play now; only in the view of the seat to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal_moves: Option<Vec<Move>>,
    /// Both clocks; none where the table has no time control.
    pub clocks: Option<Clocks>,
    /// Whether the game is paused by agreement.
    pub paused: bool,
    /// How it ended, once it has.
    pub outcome: Option<Outcome>,
    /// The chain that decided it, from the top or from the left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winning_path: Option<Vec<Cell>>,
}

/// A move that was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlayedMove {
    /// Who played it.
    pub seat: Seat,
    /// The colour that the seat had when it moved.
    pub color: Color,
    /// The cell, unless it was a swap, or the viewer may not know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<Cell>,
    /// Whether a hidden stone stood there, so that nothing was placed. Dark Hex only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub collision: bool,
    /// The kind of swap, if it was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swap: Option<Swap>,
    /// Whether the computer played it, be it its own seat or that of a player who was gone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cpu: bool,
}

/// A table as the public list shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Listing {
    /// `tbl_…`.
    pub table: String,
    /// Where the table stands.
    pub phase: Phase,
    /// What it is played by.
    pub options: Options,
    /// Who sits in seat 1 and in seat 2.
    pub seats: [Option<Player>; 2],
    /// The code of the party that the table has: one joins that, and no seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub party: Option<String>,
    /// How many the party has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<PartySize>,
    /// Whether everybody is gone who sits there or is of its party: whoever joins waits for nobody.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
    /// The running game, or the one that ended last.
    pub game: Option<String>,
    /// When the table was opened, in milliseconds since the Unix epoch.
    pub opened_ms: u64,
}
