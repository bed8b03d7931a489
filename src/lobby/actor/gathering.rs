//! How a party is joined by its code: the lobby knows whose it is, and hands the asker on.

use actix::prelude::*;
use hexhall_proto::error::{Code, ErrorBody};
use hexhall_proto::reply::Reply;

use crate::game::clock::Stamp;
use crate::table::handle::{Ask, PartyKey, ReplyTo, Request};
use crate::table::state::party::code::PartyCode;

use super::{LobbyActor, refuse};

impl LobbyActor {
    pub(super) fn join_party(
        &mut self,
        reply: ReplyTo,
        at: Stamp,
        code: &str,
        plays: bool,
        ctx: &mut Context<Self>,
    ) {
        // Wrong and right alike: whoever has guessed too often is not told of a hit either.
        if let Err(wait) = self.codes_tried.admit(reply.session().player.id) {
            let message = "too many codes at a time: ask for the right one, and try it when \
                           `retry_ms` says";
            let body = ErrorBody::new(Code::RateLimited, message);
            return reply.answer(Reply::Error(ErrorBody { retry_ms: Some(wait), ..body }));
        }
        let known = PartyCode::read(code)
            .and_then(|code| self.state.codes.find(code).map(|table| (code, table)));
        let Some((code, table)) = known else {
            let length = PartyCode::LENGTH;
            let message = format!("no party has that code: it has {length} letters and digits");
            return refuse(reply, Code::UnknownCode, message);
        };
        let key = PartyKey::Code(code);
        let ask = Ask::JoinParty { key, plays };
        let mut request = Request { reply: reply.passed_on(), at, round_trip: None, ask };
        let tables = self.tables.clone();
        let handing = async move {
            // Dropped with the request in hand, the reply says that the server is busy.
            loop {
                match tables.find(table).await {
                    Ok(handle) => match handle.request(request) {
                        Ok(()) => return,
                        // The table was put away in between: it is found anew.
                        Err(unsent) => request = *unsent,
                    },
                    Err(error) => return error.answer(request.reply),
                }
            }
        };
        Self::later(ctx, "handing somebody on to a party", handing, |_, _, ()| ());
    }
}
