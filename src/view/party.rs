//! A party as everybody who may see its table sees it. Nothing of it is hidden from anybody.

use hexhall_proto::party::{PartyChange, PartyMember, PartyPresence, PartySize, PartyView};

use crate::game::clock::Stamp;
use crate::table::state::State;
use crate::table::state::party::{Change, Member, Party};
use crate::wire;

/// A table's party.
pub(super) fn party(party: &Party) -> PartyView {
    let member = |member: &Member| PartyMember {
        player: wire::player(&member.player),
        plays: member.plays,
        games: member.games,
        wins: member.wins,
    };
    PartyView {
        code: party.code().to_string(),
        host: party.host().map(|host| host.to_string()),
        members: party.members().iter().map(member).collect(),
        turns: party.turns(),
        cpu_level: party.level().number(),
    }
}

/// How many members there are, and how many of them watch.
pub(super) fn size(state: &State) -> Option<PartySize> {
    let members = state.party()?.members();
    let watch = |member: &&Member| state.seat_of(member.player.id).is_none();
    let watchers = members.iter().filter(watch).count() as u64;
    Some(PartySize { members: members.len() as u64, watchers })
}

/// Which members are there, who plays next, and who has asked for that.
pub(super) fn presence(state: &State, now: Stamp) -> Option<PartyPresence> {
    let members = state.party()?.members().iter().map(|member| member.player.id);
    let here = members.filter(|&id| state.presence().is_member_here(id));
    let next = state.next_players();
    let next = next.iter().flat_map(|next| next.players());
    Some(PartyPresence {
        here: here.map(|id| id.to_string()).collect(),
        next: next.map(|id| id.to_string()).collect(),
        asked: state.asked_for_game(now).map(|id| id.to_string()),
    })
}

/// A change that led to `state`; none where nobody is told, since nobody was there before.
pub(super) fn change(state: &State, change: &Change) -> Option<PartyChange> {
    Some(match change {
        Change::Formed { .. } => return None,
        Change::Joined { player, plays } => {
            PartyChange::PartyJoined { player: wire::player(player), plays: *plays }
        }
        Change::Left { player, removed } => {
            PartyChange::PartyLeft { player: wire::player(player), removed: *removed }
        }
        Change::Hosts(player) => {
            let member = state.party()?.member(*player)?;
            PartyChange::HostChanged { player: wire::player(&member.player) }
        }
        Change::Options(options) => PartyChange::OptionsSet { options: wire::options(options) },
        Change::Turns { turns, level } => {
            PartyChange::TurnsSet { turns: *turns, cpu_level: level.number() }
        }
    })
}
