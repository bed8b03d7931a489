//! What messages are made of.

use std::fmt;

use schemars::JsonSchema;
use serde::de::{Error, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// A cell as `[row, col]`, both counted from 0 at the top left. Signed and wide, so that a cell
/// off the board is answered as such and not as a malformed frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, JsonSchema)]
pub struct Cell(pub i64, pub i64);

/// By hand, because the formats disagree about a third number, and say nothing about cells.
impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Cell, D::Error> {
        deserializer.deserialize_tuple(2, CellVisitor)
    }
}

struct CellVisitor;

impl<'de> Visitor<'de> for CellVisitor {
    type Value = Cell;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a cell as [row, col]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut numbers: A) -> Result<Cell, A::Error> {
        let row = numbers.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
        let col = numbers.next_element()?.ok_or_else(|| A::Error::invalid_length(1, &self))?;
        match numbers.next_element::<IgnoredAny>()? {
            None => Ok(Cell(row, col)),
            Some(IgnoredAny) => {
                Err(A::Error::custom("too many numbers, expected a cell as [row, col]"))
            }
        }
    }
}

/// A move: exactly one of `{"cell": [row, col]}` and `{"swap": true}`, and nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "MoveFields", into = "MoveFields")]
#[schemars(with = "MoveFields", extend("minProperties" = 1, "maxProperties" = 1))]
pub enum Move {
    /// A stone of the mover's colour on this cell.
    Place(Cell),
    /// The swap, of whichever kind the table's rules have.
    Swap,
}

/// A move as its fields stand on the wire.
#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MoveFields {
    /// A stone of the mover's colour on this cell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cell: Option<Cell>,
    /// The swap; always `true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    swap: Option<bool>,
}

impl TryFrom<MoveFields> for Move {
    type Error = &'static str;

    fn try_from(fields: MoveFields) -> Result<Move, &'static str> {
        match fields {
            MoveFields { cell: Some(cell), swap: None } => Ok(Move::Place(cell)),
            MoveFields { cell: None, swap: Some(true) } => Ok(Move::Swap),
            _ => Err(r#"a move is either {"cell": [row, col]} or {"swap": true}"#),
        }
    }
}

impl From<Move> for MoveFields {
    fn from(action: Move) -> MoveFields {
        match action {
            Move::Place(cell) => MoveFields { cell: Some(cell), swap: None },
            Move::Swap => MoveFields { cell: None, swap: Some(true) },
        }
    }
}

/// A seat's number: 1 moves first, 2 second.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "u64", into = "u64")]
#[schemars(with = "u64", extend("minimum" = 1, "maximum" = 2))]
pub enum Seat {
    /// Moves first.
    One,
    /// Moves second.
    Two,
}

impl TryFrom<u64> for Seat {
    type Error = &'static str;

    fn try_from(number: u64) -> Result<Seat, &'static str> {
        match number {
            1 => Ok(Seat::One),
            2 => Ok(Seat::Two),
            _ => Err("a seat is 1 or 2"),
        }
    }
}

impl From<Seat> for u64 {
    fn from(seat: Seat) -> u64 {
        seat as u64 + 1
    }
}

/// Whose eyes a stream is cut for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Viewer {
    /// The player in seat 1.
    #[serde(rename = "seat_1")]
    SeatOne,
    /// The player in seat 2.
    #[serde(rename = "seat_2")]
    SeatTwo,
    /// Everybody else.
    Spectator,
    /// The one player who holds both seats of a game that hides nothing.
    Both,
}

/// A colour: red joins top and bottom, blue left and right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Color {
    /// Joins the top edge to the bottom edge.
    Red,
    /// Joins the left edge to the right edge.
    Blue,
}

/// Where a table stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// A seat is free.
    Waiting,
    /// A game runs.
    Playing,
    /// A game has ended, and the party may have another.
    Finished,
    /// Nobody can play here any more.
    Closed,
}

/// Somebody, as others see them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Player {
    /// `plr_…`.
    pub id: String,
    /// The name to show.
    pub name: String,
    /// The level at which the computer plays, 1 to 10, where it is the computer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<u8>,
    /// Whether it is a bot: a program of somebody's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bot: bool,
}

/// Both clocks as they stood when the frame was made. A reader counts the running one down from
/// the moment of reading.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Clocks {
    /// The seat whose clock runs; none in a pause and after the end.
    pub running: Option<Seat>,
    /// Seat 1's clock, then seat 2's.
    pub seats: [ClockReading; 2],
}

/// One seat's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ClockReading {
    /// Milliseconds left: of the main time, of the turn, or of the current period.
    pub left_ms: u64,
    /// Byo-yomi only: the periods that stand untouched behind `left_ms`. As many as the time control
    /// has while the main time runs; 0 in the last period.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub periods: Option<u8>,
    /// Milliseconds in which the seat must make its first move; absent without such a limit and
    /// once it has moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_move_ms: Option<u64>,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// The seat that won; none if the game is void.
    pub winner: Option<Seat>,
    /// What decided it.
    pub by: EndedBy,
}

/// What ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndedBy {
    /// A chain joined its colour's edges.
    Chain,
    /// The other seat resigned.
    Resignation,
    /// The other seat ran out of time.
    Time,
    /// The other seat left, and the winner claimed the game.
    Forfeit,
    /// Void: taken back by a seat before both had moved.
    Aborted,
    /// Void: a clock ran out before both seats had moved.
    NotStarted,
    /// Void: both players were gone for too long.
    Abandoned,
}

/// Something one seat proposes to the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OfferKind {
    /// Another game at this table.
    Rematch,
    /// Return to the position before the proposer's last move.
    Takeback,
    /// Stop the clocks until either seat goes on.
    Pause,
}

/// An open proposal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Offer {
    /// What `answer` and `withdraw` name it by.
    pub id: u64,
    /// What is proposed.
    pub kind: OfferKind,
    /// The seat that proposes it.
    pub by: Seat,
    /// Milliseconds until it lapses.
    pub expires_in_ms: u64,
}

/// Why an offer is no longer open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OfferClosed {
    /// The other seat agreed.
    Accepted,
    /// The other seat refused.
    Declined,
    /// The seat that proposed it took it back.
    Withdrawn,
    /// Nobody answered in time.
    Expired,
    /// The game moved on, and the offer with it.
    Void,
}
