//! Why a request was refused, and why a connection was closed.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::parts::{Move, Seat};

/// A refusal: nothing has changed, and the session lives.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct ErrorBody {
    /// Which refusal it is.
    pub code: Code,
    /// A sentence for people.
    pub message: String,
    /// A name that is free, where the one that was asked for is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// The turn to answer, where another one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u64>,
    /// The seat to move, where it is another than was meant, or its curtain is down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_move: Option<Seat>,
    /// What may be played instead, where the move was not legal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub legal_moves: Option<Vec<Move>>,
    /// Milliseconds after which to try again, where it was too much or too early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_ms: Option<u64>,
}

impl ErrorBody {
    /// A refusal with nothing but its sentence.
    pub fn new(code: Code, message: impl Into<String>) -> ErrorBody {
        ErrorBody {
            code,
            message: message.into(),
            suggestion: None,
            turn: None,
            to_move: None,
            legal_moves: None,
            retry_ms: None,
        }
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal,)+) => {
        /// Every refusal there is.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum Code {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Code {
            /// Every code, in the order of the documentation.
            pub const ALL: &[Code] = &[$(Code::$name),+];

            /// The code as it stands on the wire.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Code::$name => $text,)+
                }
            }
        }
    };
}

codes! {
    /// The frame is not one map in the session's format. Its reply has no `re`.
    BadFrame = "bad_frame",
    /// A field is missing, of the wrong type or out of its range.
    BadRequest = "bad_request",
    /// There is no request of that name.
    UnknownRequest = "unknown_request",
    /// The first request must be `hello`.
    HelloFirst = "hello_first",
    /// `hello` was said before.
    HelloTwice = "hello_twice",
    /// Nobody is known by that token.
    BadToken = "bad_token",
    /// An operator keeps the asker out; `retry_ms` says for how long, or it is for good.
    Banned = "banned",
    /// Somebody goes by that name, or by one that looks like it, or it is reserved for the house;
    /// `suggestion` is free.
    NameTaken = "name_taken",
    /// Too many requests; `retry_ms` says when the next is welcome.
    RateLimited = "rate_limited",
    /// The server cannot take it on now; nothing was lost, try again.
    Busy = "busy",
    /// The server is about to stop.
    ShuttingDown = "shutting_down",
    /// Something went wrong in the server. It is logged there.
    Internal = "internal",
    /// The options do not fit each other, or the preset.
    BadOptions = "bad_options",
    /// There is no such table, or no longer.
    UnknownTable = "unknown_table",
    /// The table is private: its invitation is needed.
    NotInvited = "not_invited",
    /// The session neither follows the table nor sits there.
    NotAtTable = "not_at_table",
    /// Only a player with a seat may do that, and the asker only watches.
    NotSeated = "not_seated",
    /// Somebody sits there.
    SeatTaken = "seat_taken",
    /// The asker sits at the table already.
    AlreadySeated = "already_seated",
    /// Whoever sits at the table, or hosts its party, does not want to play with the asker.
    Blocked = "blocked",
    /// An operator has muted the asker; `retry_ms` says for how long, or it is for good.
    Muted = "muted",
    /// The table has no party.
    NoParty = "no_party",
    /// Seats of the table are its party's: one joins that.
    JoinTheParty = "join_the_party",
    /// No party that is open has that code.
    UnknownCode = "unknown_code",
    /// As many as may be have joined the party.
    PartyFull = "party_full",
    /// The host has sent the asker away from the party.
    Removed = "removed",
    /// The one named, or the asker, is no member of the party.
    NotMember = "not_member",
    /// Only the host of the party may do that.
    NotHost = "not_host",
    /// That member cannot be sent away.
    CannotRemove = "cannot_remove",
    /// That waits for the end of the running game.
    GameRuns = "game_runs",
    /// Nobody is there for the next game.
    CannotStart = "cannot_start",
    /// The asker holds as many tables open as one may.
    TooManyTables = "too_many_tables",
    /// One has as many seeks as one may.
    TooManySeeks = "too_many_seeks",
    /// There is no such seek, or no longer.
    UnknownSeek = "unknown_seek",
    /// That seek is not for the asker.
    CannotSeek = "cannot_seek",
    /// The asker has left rated games again and again; `retry_ms` says when they are matched again.
    Barred = "barred",
    /// No such match waits for the asker's answer, or no longer.
    NoMatch = "no_match",
    /// No game runs at the table.
    NoGame = "no_game",
    /// The game named is not the one at the table.
    OtherGame = "other_game",
    /// The game is over.
    GameOver = "game_over",
    /// The game is paused.
    Paused = "paused",
    /// The move answers another turn than the one to play.
    StaleTurn = "stale_turn",
    /// It is the other seat's turn.
    NotYourTurn = "not_your_turn",
    /// It is meant for another seat than it can be for.
    OtherSeat = "other_seat",
    /// The curtain is down: it is lifted first.
    CurtainDown = "curtain_down",
    /// No curtain falls at this table.
    NoCurtain = "no_curtain",
    /// The cell is not on the board.
    OffBoard = "off_board",
    /// A stone stands on the cell.
    Occupied = "occupied",
    /// The swap cannot be played.
    NoSwap = "no_swap",
    /// Nothing can be planned here and now.
    CannotPlan = "cannot_plan",
    /// What was planned cannot be played, or is too much.
    BadPlan = "bad_plan",
    /// There is no such offer, or no longer, or it is not one's to answer.
    NoOffer = "no_offer",
    /// That cannot be proposed here and now.
    CannotOffer = "cannot_offer",
    /// The game cannot be aborted any more.
    CannotAbort = "cannot_abort",
    /// The computer suggests nothing here and now.
    CannotSuggest = "cannot_suggest",
    /// The game cannot be claimed.
    CannotClaim = "cannot_claim",
    /// The game is not paused.
    NotPaused = "not_paused",
    /// No time can be given here and now.
    CannotGiveTime = "cannot_give_time",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

macro_rules! close_codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $number:literal, $text:literal;)+) => {
        /// Why the server closed a connection: the registered close codes that fit, and this
        /// protocol's own above 4000.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u16)]
        pub enum CloseCode {
            $($(#[doc = $doc])+ $name = $number,)+
        }

        impl CloseCode {
            /// Every close code, in the order of the documentation.
            pub const ALL: &[CloseCode] = &[$(CloseCode::$name),+];

            /// The number on the wire.
            pub const fn number(self) -> u16 {
                self as u16
            }

            /// The close code of that number, if it is one of these.
            pub const fn from_number(number: u16) -> Option<CloseCode> {
                match number {
                    $($number => Some(CloseCode::$name),)+
                    _ => None,
                }
            }

            /// A sentence for people, short enough to be the reason in a close frame, which holds 123
            /// bytes.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(CloseCode::$name => $text,)+
                }
            }
        }
    };
}

close_codes! {
    /// A frame above the size limit.
    TooLarge = 1009, "that frame is above the size limit";
    /// The server stops; come back in a moment.
    ShuttingDown = 1012, "the server stops; come back in a moment";
    /// No `hello` in time.
    NoHello = 4000, "no hello came in time";
    /// No answer to pings.
    Gone = 4001, "nothing was heard for too long";
    /// Too slow a reader, twice within a short time.
    TooSlow = 4002, "fell behind twice within a short time";
    /// Went on asking far above the limit.
    RateLimited = 4003, "went on asking far above the limit";
    /// Too many sessions from one address.
    TooManySessions = 4004, "too many sessions from this address; close one first";
    /// Frames of the other format than the subprotocol's.
    WrongFormat = 4005, "json goes in text frames, msgpack in binary frames";
    /// Sent broken frames again and again.
    TooManyErrors = 4006, "too many broken frames in a row";
    /// Signed out: the token or the key that the session showed has been revoked.
    SignedOut = 4007, "signed out: this token or key has been revoked";
    /// An operator keeps the player out. `hello` says why, and for how long.
    Banned = 4008, "banned: an operator keeps this player out";
    /// Something went wrong in the server.
    Internal = 4500, "something went wrong in the server";
}

impl fmt::Display for CloseCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
