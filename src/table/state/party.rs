//! The party of a table: the people who came together to it, who hosts, and who plays next.
//!
//! A part of the table's state and journal, so that it survives reconnects, restarts and rematches.
//! Who is there is not in the journal ([`super::presence`]), and who plays next follows from both.
//!
//! Bounds: [`MEMBERS`] members, and as many who were sent away are remembered; who is gone for long
//! is a member no more.
//!
//! Invariant: while there are members, exactly one of them hosts; and whoever has a seat is a
//! member, or the house's computer.

mod agree;
mod apply;
pub mod code;
mod decide;
mod due;
mod order;

use std::collections::{BTreeMap, VecDeque};

pub use hexhall_proto::party::Turns;

use crate::cpu::Level;
use crate::game::clock::Millis;
use crate::ids::PlayerId;
use crate::table::handle::Player;
use crate::table::options::Options;

use super::State;
use code::PartyCode;

pub(super) use agree::Request;
pub use decide::{PartyCommand, formed};
pub use order::Next;

/// How many may be members of a party. Others may watch as spectators.
pub const MEMBERS: usize = 50;

/// Something that changes in a party.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// The table has a party from now on. Only right after its opening.
    Formed {
        /// What it is joined by.
        code: PartyCode,
        /// How the seats go round.
        turns: Turns,
        /// The level of the computer that a member plays who is alone.
        level: Level,
    },
    /// Somebody joined, or says anew by which name and whether they want to play. The first one
    /// hosts.
    Joined {
        /// Who.
        player: Player,
        /// Whether they want to play.
        plays: bool,
    },
    /// Somebody left.
    Left {
        /// Who.
        player: Player,
        /// Whether the host sent them away.
        removed: bool,
    },
    /// A member hosts from now on.
    Hosts(PlayerId),
    /// The next games are played by these options.
    Options(Options),
    /// The seats go round otherwise, or the computer plays otherwise.
    Turns {
        /// How they go round.
        turns: Turns,
        /// How strong it plays.
        level: Level,
    },
}

/// A member of a party.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Who it is.
    pub player: Player,
    /// Whether they want to play.
    pub plays: bool,
    /// Games against other members, void ones left out.
    pub games: u32,
    /// How many of those they won.
    pub wins: u32,
    /// How many of those they had seat 1 in.
    firsts: u32,
    /// Turns taken, with those made up that they missed before they came.
    rounds: u32,
    /// Which of the table's games was their last of those; 0 before it.
    last_game: u32,
}

/// The people who came together to a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Party {
    code: PartyCode,
    host: Option<PlayerId>,
    /// The longest-standing first.
    members: Vec<Member>,
    turns: Turns,
    level: Level,
    /// Who won the last game that counts, and against whom.
    last: Option<[PlayerId; 2]>,
    /// How often two members have met.
    met: BTreeMap<[PlayerId; 2], u32>,
    /// Whom a host sent away, the newest last.
    removed: VecDeque<PlayerId>,
}

impl Party {
    /// The level of the computer unless a host says otherwise.
    pub const LEVEL: u64 = 3;

    /// What it is joined by.
    pub fn code(&self) -> PartyCode {
        self.code
    }

    /// Who hosts.
    pub fn host(&self) -> Option<PlayerId> {
        self.host
    }

    /// Everybody, the longest-standing first.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// How the seats go round.
    pub fn turns(&self) -> Turns {
        self.turns
    }

    /// The level of the computer that a member plays who is alone.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Whether a host has sent somebody away, as far as it is remembered.
    pub fn has_removed(&self, player: PlayerId) -> bool {
        self.removed.contains(&player)
    }

    /// A member.
    pub fn member(&self, player: PlayerId) -> Option<&Member> {
        self.members.iter().find(|member| member.player.id == player)
    }
}

impl State {
    /// The table's party, if it has one.
    pub fn party(&self) -> Option<&Party> {
        self.party.as_deref()
    }

    /// Whether somebody is a member of the table's party.
    pub fn is_member(&self, player: PlayerId) -> bool {
        self.party().is_some_and(|party| party.member(player).is_some())
    }

    /// How long a member may be gone before somebody else hosts.
    fn host_kept_ms(&self, said_so: bool) -> Millis {
        if said_so { self.spans.countdown.said_so_ms } else { self.spans.countdown.lost_ms }
    }
}
