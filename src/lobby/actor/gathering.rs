//! How a party is joined by its code: the lobby knows whose it is, and hands the asker on.

use std::sync::atomic::Ordering;

use actix::prelude::*;
use hexhall_proto::error::Code;

use crate::game::clock::Stamp;
use crate::table::handle::{Ask, PartyKey, ReplyTo, Request};
use crate::table::state::party::code::PartyCode;

use super::{LobbyActor, refuse};

/// How many wrong codes one session may name, beside what limits all its requests: enough for
/// slips, and far from enough for guessing.
const WRONG_CODES: u32 = 10;

impl LobbyActor {
    pub(super) fn join_party(
        &mut self,
        reply: ReplyTo,
        at: Stamp,
        code: &str,
        plays: bool,
        ctx: &mut Context<Self>,
    ) {
        let wrong = &reply.session().wrong_codes;
        if wrong.load(Ordering::Relaxed) >= WRONG_CODES {
            let message = "too many wrong codes came from this connection: ask for the right one, \
                           and connect anew";
            return refuse(reply, Code::RateLimited, message.into());
        }
        let known = PartyCode::read(code)
            .and_then(|code| self.state.codes.find(code).map(|table| (code, table)));
        let Some((code, table)) = known else {
            wrong.fetch_add(1, Ordering::Relaxed);
            let length = PartyCode::LENGTH;
            let message = format!("no party has that code: it has {length} letters and digits");
            return refuse(reply, Code::UnknownCode, message);
        };
        let key = PartyKey::Code(code);
        let ask = Ask::JoinParty { key, plays };
        let mut request = Request { reply, at, round_trip: None, ask };
        let tables = self.tables.clone();
        let handing = async move {
            // Dropped with the request in hand, the reply says that the server is busy.
            while let Ok(handle) = tables.find(table).await {
                match handle.request(request) {
                    Ok(()) => return,
                    // The table was put away in between: it is found anew.
                    Err(unsent) => request = *unsent,
                }
            }
        };
        ctx.spawn(handing.into_actor(self));
    }
}
