//! What a client may say. Every frame is one flat map: `id`, `op`, and the fields of that request.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::chat::Say;
use crate::options::OptionsRequest;
use crate::parts::{Move, OfferKind, Seat, Viewer};
use crate::party::{AboutMember, JoinParty, OpenParty, SetOptions, SetTurns, Start};
use crate::plans::MakePlan;
use crate::seek::{Ready, Seek, Unseek};

/// A request and the number that its reply will carry as `re`.
// Not `Deserialize`: `decode_request` alone reads it, so that a broken one is answered by its `id`.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct RequestFrame {
    /// Chosen by the client; the reply carries it as `re`.
    pub id: u64,
    /// What is asked.
    #[serde(flatten)]
    pub request: Request,
}

/// What a client may ask.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Request {
    /// Says who is there. The first request of every session.
    Hello(Hello),
    /// Opens a table and takes seat 1. The answer is `opened`.
    Open(Open),
    /// Wishes for a game against somebody who wishes for the same. The answer is `seeking`.
    Seek(Seek),
    /// Wishes for it no more.
    Unseek(Unseek),
    /// Says in a ready check that one is there.
    Ready(Ready),
    /// Takes a free seat and follows the table. The answer is `joined`.
    Join(Join),
    /// Joins a table's party and follows the table. The answer is `view`.
    JoinParty(JoinParty),
    /// The host of a party hands that over.
    MakeHost(AboutMember),
    /// The host of a party sends a member away.
    RemoveMember(AboutMember),
    /// The host of a party changes what the next games are played by.
    SetOptions(SetOptions),
    /// The host of a party changes how the seats go round.
    SetTurns(SetTurns),
    /// The host of a party begins the next game.
    Start(Start),
    /// Follows a table, or goes on following it after a break. The answer is `view` or `resumed`.
    Watch(Watch),
    /// Stops following a table. A seat stays one's own.
    Unwatch(Table),
    /// Says something at a table.
    Say(Say),
    /// Asks what was said there lately. The answer is `chat`.
    Chat(Table),
    /// Says that one is going: frees the seat where no game runs, and shortens the countdown
    /// where one does.
    Leave(Table),
    /// Plays a move. The answer is `moved`.
    Move(PlayMove),
    /// Plans answers to the other seat's next move, for the server to play; nothing planned takes a
    /// plan back. Nobody else is told of it.
    Plan(MakePlan),
    /// Gives the running game up.
    Resign(Resign),
    /// Takes the running game back, while either seat has not made its first move.
    Abort(GameCommand),
    /// Claims the game from a seat whose player is gone and whose countdown has passed.
    Claim(GameCommand),
    /// Proposes something to the other seat. The answer is `offered`.
    Offer(MakeOffer),
    /// Agrees to an offer of the other seat, or refuses it.
    Answer(AnswerOffer),
    /// Takes an own offer back.
    Withdraw(WithdrawOffer),
    /// Dark Hex on one device: lifts the curtain before the seat to move. The answer is `view`.
    Lift(Lift),
    /// Asks in a game against the computer what it would play for the asker. The answer is
    /// `suggestion`.
    Suggest(Suggest),
    /// Ends a pause; either seat may.
    Unpause(GameCommand),
    /// Gives the other seat more time (15 s).
    GiveTime(GameCommand),
    /// Follows the list of public tables. The answer is `lobby`.
    Lobby {},
    /// Stops following the list.
    LeaveLobby {},
}

/// Says who is there.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Hello {
    /// The token of an earlier `welcome`. Without one (and without a cookie) a guest is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// The name to go by from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Opens a table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Open {
    /// What it is played by.
    #[serde(default)]
    pub options: OptionsRequest,
    /// Whether the table stays off the public list and needs its invitation.
    #[serde(default)]
    pub private: bool,
    /// Whether the computer has the other seat; then the first game begins at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<CpuSeat>,
    /// Whether it is a party's: others join by its code, and games begin when the host says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub party: Option<OpenParty>,
}

/// The computer in a seat. Unknown fields are refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CpuSeat {
    /// How strong it plays, from 1 to 10.
    #[schemars(range(min = 1, max = 10))]
    pub level: u64,
    /// The seat that it has; 2 unless said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
}

/// Takes a free seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Join {
    /// `tbl_…`.
    pub table: String,
    /// The seat wanted; any free one without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
    /// A private table's invitation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
}

/// Follows a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Watch {
    /// `tbl_…`.
    pub table: String,
    /// A private table's invitation; not asked of those who sit there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invitation: Option<String>,
    /// The last number seen, to go on from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Last>,
}

/// Where a stream was left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Last {
    /// Whose stream it was.
    pub viewer: Viewer,
    /// The last number that was read and applied.
    pub seq: u64,
}

/// Names a table, and nothing else.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Table {
    /// `tbl_…`.
    pub table: String,
}

/// Plays a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlayMove {
    /// `tbl_…`.
    pub table: String,
    /// `gam_…`: the game that is meant.
    pub game: String,
    /// Chosen by the client, unlike any of its last commands: the same command sent again is
    /// answered as the first time and played once. 1 to 64 bytes.
    pub command: String,
    /// The turn that the move answers, as the view or the last event told it.
    pub turn: u64,
    /// The move.
    #[serde(rename = "move")]
    pub action: Move,
    /// The seat that it is meant for, so that it is never taken for the other's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
}

/// Gives the running game up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Resign {
    /// `tbl_…`.
    pub table: String,
    /// `gam_…`: the game that is meant.
    pub game: String,
    /// As in `move`.
    pub command: String,
    /// As in `move`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<Seat>,
}

impl From<GameCommand> for Resign {
    fn from(GameCommand { table, game, command }: GameCommand) -> Resign {
        Resign { table, game, command, seat: None }
    }
}

/// Lifts the curtain before a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Lift {
    /// `tbl_…`.
    pub table: String,
    /// `gam_…`: the game that is meant.
    pub game: String,
    /// The seat whose player now has the device: the one to move.
    pub seat: Seat,
}

/// Asks the computer what it would play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Suggest {
    /// `tbl_…`.
    pub table: String,
    /// `gam_…`: the game that is meant.
    pub game: String,
    /// The turn that it is for, as in `move`.
    pub turn: u64,
}

/// A command about the running game that needs no more words.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GameCommand {
    /// `tbl_…`.
    pub table: String,
    /// `gam_…`: the game that is meant.
    pub game: String,
    /// As in `move`.
    pub command: String,
}

/// Proposes something to the other seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct MakeOffer {
    /// `tbl_…`.
    pub table: String,
    /// `gam_…`: the game that is meant; for a rematch, the one that has ended.
    pub game: String,
    /// As in `move`.
    pub command: String,
    /// What is proposed.
    pub kind: OfferKind,
}

/// Answers an offer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct AnswerOffer {
    /// `tbl_…`.
    pub table: String,
    /// As in `move`.
    pub command: String,
    /// The offer's number.
    pub offer: u64,
    /// Whether one agrees.
    pub accept: bool,
}

/// Takes an own offer back.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WithdrawOffer {
    /// `tbl_…`.
    pub table: String,
    /// As in `move`.
    pub command: String,
    /// The offer's number.
    pub offer: u64,
}
