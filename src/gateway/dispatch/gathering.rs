//! Whom a request about a party is for.

use hexhall_proto::error::ErrorBody;
use hexhall_proto::party::{AboutMember, JoinParty};

use super::{For, LobbyAsk, bad_request, id};
use crate::ids::PlayerId;
use crate::table::handle::{Ask, PartyKey};
use crate::table::state::party::PartyCommand;

/// By its code, for the lobby, which knows whose that is; by its table, for that.
pub(super) fn join(asked: JoinParty) -> Result<For, ErrorBody> {
    let JoinParty { code, table, invitation, play } = asked;
    let plays = play.unwrap_or(true);
    match (code, table) {
        (Some(code), None) => Ok(For::Lobby(LobbyAsk::JoinParty { code, plays })),
        (None, Some(table)) => {
            let key = PartyKey::Invitation(invitation);
            Ok(For::Table(id(&table)?, Ask::JoinParty { key, plays }))
        }
        _ => Err(bad_request("give either `code`, or `table`".into())),
    }
}

pub(super) fn about(
    asked: &AboutMember,
    what: fn(PlayerId) -> PartyCommand,
) -> Result<For, ErrorBody> {
    command(&asked.table, what(id(&asked.player)?))
}

pub(super) fn command(table: &str, command: PartyCommand) -> Result<For, ErrorBody> {
    Ok(For::Table(id(table)?, Ask::Party(command)))
}
