//! The names of the requests, and what each is read as.

use serde::{Deserialize, Deserializer};

use crate::request::Request;

use super::source::Source;

/// `op`, and the variant that its fields make. A request without fields of its own makes it from
/// [`Bare`].
macro_rules! ops {
    ($($op:literal => $make:expr,)+) => {
        /// Every `op` that there is, in the order of the documentation.
        pub const OPS: &[&str] = &[$($op),+];

        /// Reads the request of that name from its fields; none if there is no such request.
        pub(super) fn read_fields<'de, D: Deserializer<'de>>(
            op: &str,
            fields: D,
        ) -> Option<Result<Request, D::Error>> {
            match op {
                $($op => Some(Deserialize::deserialize(fields).map($make)),)+
                _ => None,
            }
        }

        /// Reads the request of that name; none if there is no such request.
        pub(super) fn read(op: &str, source: Source<'_>) -> Option<Result<Request, String>> {
            match op {
                $($op => Some(source.read().map($make)),)+
                _ => None,
            }
        }
    };
}

ops! {
    "hello" => Request::Hello,
    "open" => Request::Open,
    "seek" => Request::Seek,
    "unseek" => Request::Unseek,
    "ready" => Request::Ready,
    "join" => Request::Join,
    "join_party" => Request::JoinParty,
    "make_host" => Request::MakeHost,
    "remove_member" => Request::RemoveMember,
    "set_options" => Request::SetOptions,
    "set_turns" => Request::SetTurns,
    "start" => Request::Start,
    "watch" => Request::Watch,
    "unwatch" => Request::Unwatch,
    "say" => Request::Say,
    "chat" => Request::Chat,
    "leave" => Request::Leave,
    "move" => Request::Move,
    "plan" => Request::Plan,
    "resign" => Request::Resign,
    "abort" => Request::Abort,
    "claim" => Request::Claim,
    "offer" => Request::Offer,
    "answer" => Request::Answer,
    "withdraw" => Request::Withdraw,
    "lift" => Request::Lift,
    "suggest" => Request::Suggest,
    "unpause" => Request::Unpause,
    "give_time" => Request::GiveTime,
    "lobby" => |Bare {}| Request::Lobby {},
    "leave_lobby" => |Bare {}| Request::LeaveLobby {},
}

/// A request that is all said by its name.
#[derive(Deserialize)]
struct Bare {}

/// No name is this long, and telling how near a longer one is would take its time.
const LONGEST_GUESS: usize = 24;

/// What to say to a name that is none: the nearest one, or all of them.
pub(super) fn unknown(op: &str) -> String {
    let near = OPS
        .iter()
        .filter(|_| op.len() <= LONGEST_GUESS)
        .map(|known| (strsim::damerau_levenshtein(op, known), known))
        .min_by_key(|(distance, _)| *distance)
        // Two slips of the keys, but never a word made of slips alone.
        .filter(|(distance, known)| *distance <= 2 && distance * 2 <= known.len());
    match near {
        Some((_, known)) => format!("there is no request `{op}`; did you mean `{known}`?"),
        None => {
            let op: String = op.chars().take(LONGEST_GUESS).collect();
            format!("there is no request `{op}`; there are {}", OPS.join(", "))
        }
    }
}
