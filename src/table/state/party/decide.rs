//! What a party decides. None of its commands needs a name to take effect once: each says how
//! things are to be, and `start` says after which game.

use hexhall_proto::options::OptionsRequest;

use crate::cpu::Level;
use crate::game::clock::Stamp;
use crate::game::{Outcome, Void};
use crate::ids::{GameId, PlayerId};
use crate::table::handle::Player;
use crate::table::options::{Options, OptionsError};

use super::super::decide::Fresh;
use super::super::event::Event;
use super::super::refusal::Refusal;
use super::super::{LiveGame, State};
use super::code::PartyCode;
use super::{Change, MEMBERS, Party, Turns};

/// Something that the host of a party does, or says who plays.
#[derive(Clone, PartialEq, Debug)]
pub enum PartyCommand {
    /// Hands the role over.
    MakeHost(PlayerId),
    /// Sends a member away.
    Remove(PlayerId),
    /// Changes what the next games are played by.
    SetOptions(Box<OptionsRequest>),
    /// Changes how the seats go round and how strong the computer plays, as far as it is said.
    SetTurns {
        /// How they go round.
        turns: Option<Turns>,
        /// How strong it plays.
        level: Option<u64>,
    },
    /// Begins the game after the one named, or the first. Where that is rated, each of the two who
    /// play it says so: what comes of the first of them is up to [`State::note_request`].
    Start {
        /// The table's last game.
        after: Option<GameId>,
    },
}

/// The first events of a party, after the table's opening.
pub fn formed(code: PartyCode, turns: Turns, level: Level, host: &Player, at: Stamp) -> [Event; 2] {
    let formed = Change::Formed { code, turns, level };
    let joined = Change::Joined { player: host.clone(), plays: true };
    [formed, joined].map(|change| Event::Party { change, at })
}

impl State {
    /// Somebody who may see the table joins its party, or says anew whether they want to play, by the
    /// name that they now have.
    pub fn decide_join_party(
        &self,
        player: &Player,
        plays: bool,
        at: Stamp,
    ) -> Result<Vec<Event>, Refusal> {
        let party = self.open_party()?;
        if party.has_removed(player.id) {
            return Err(Refusal::Removed);
        }
        let renamed = self.decide_rename(player, at);
        match party.member(player.id) {
            Some(member) if member.plays == plays => return Ok(renamed),
            None if party.members.len() >= MEMBERS => return Err(Refusal::PartyFull),
            Some(_) | None => {}
        }
        let change = Change::Joined { player: player.clone(), plays };
        Ok(renamed.into_iter().chain([Event::Party { change, at }]).collect())
    }

    /// Decides on a command of the host at `at`. No events where all is so already.
    pub fn decide_party(
        &self,
        player: PlayerId,
        command: PartyCommand,
        at: Stamp,
        fresh: impl FnOnce() -> Fresh,
    ) -> Result<Vec<Event>, Refusal> {
        let party = self.open_party()?;
        if party.member(player).is_none() {
            return Err(Refusal::NotMember(player));
        }
        let asks = matches!(command, PartyCommand::Start { .. })
            && self.must_agree().is_some_and(|pair| pair.contains(&player));
        if party.host != Some(player) && !asks {
            return Err(Refusal::NotHost);
        }
        let change = match command {
            PartyCommand::MakeHost(to) => {
                party.member(to).ok_or(Refusal::NotMember(to))?;
                (to != player).then_some(Change::Hosts(to))
            }
            PartyCommand::Remove(whom) => return self.decide_remove(party, whom, at),
            PartyCommand::SetOptions(request) => {
                if self.running().is_some() {
                    return Err(Refusal::GameRuns);
                }
                let options = Options::resolve(&request)?;
                options.check_party()?;
                if options == self.options {
                    return Ok(Vec::new());
                }
                // Whoever asked for a rematch asked for one by the rules of then.
                let mut events = self.void_offers(|_| true);
                events.push(Event::Party { change: Change::Options(options), at });
                return Ok(events);
            }
            PartyCommand::SetTurns { turns, level } => {
                let turns = turns.unwrap_or(party.turns);
                let level = level.map(Level::new).transpose().map_err(OptionsError::from)?;
                let level = level.unwrap_or(party.level);
                let news = (turns, level) != (party.turns, party.level);
                news.then_some(Change::Turns { turns, level })
            }
            PartyCommand::Start { after } => return self.decide_start(player, after, at, fresh),
        };
        Ok(change.map(|change| Event::Party { change, at }).into_iter().collect())
    }

    /// The party, where there is one at a table that is not closed.
    fn open_party(&self) -> Result<&Party, Refusal> {
        if self.closed {
            return Err(Refusal::UnknownTable(self.id));
        }
        self.party().ok_or(Refusal::NoParty)
    }

    fn decide_remove(
        &self,
        party: &Party,
        whom: PlayerId,
        at: Stamp,
    ) -> Result<Vec<Event>, Refusal> {
        party.member(whom).ok_or(Refusal::NotMember(whom))?;
        if party.host == Some(whom) {
            return Err(Refusal::CannotRemove(
                "a host who wants to go hands the role over or leaves",
            ));
        }
        if self.running().is_some() && self.seat_of(whom).is_some() {
            return Err(Refusal::GameRuns);
        }
        Ok(self.member_leaves(whom, true, at))
    }

    /// The next game begins, if those who play it agree. One against the computer that still runs
    /// is void by it.
    fn decide_start(
        &self,
        player: PlayerId,
        after: Option<GameId>,
        at: Stamp,
        fresh: impl FnOnce() -> Fresh,
    ) -> Result<Vec<Event>, Refusal> {
        match self.game.as_ref().map(|live| live.id) {
            last if last == after => {}
            Some(last) => return Err(Refusal::OtherGame(last)),
            None => return Err(Refusal::NoGame),
        }
        if self.running().is_some() && !self.is_practice() {
            return Err(Refusal::GameRuns);
        }
        let next = self.next_players().ok_or(Refusal::CannotStart)?;
        if !self.agrees(player, at)? {
            return Ok(Vec::new());
        }
        let mut events = match self.running() {
            Some(live) => self.cut_short(live, at),
            None => self.void_offers(|_| true),
        };
        events.extend(self.next_game(next, at, fresh));
        Ok(events)
    }

    /// Whether the computer has a seat of its own.
    fn is_practice(&self) -> bool {
        crate::game::Seat::BOTH.into_iter().any(|seat| self.house(seat).is_some())
    }

    /// The end of a game that gives way to another: void, unless a flag has fallen by then.
    fn cut_short(&self, live: &LiveGame, at: Stamp) -> Vec<Event> {
        match self.flag_called(live) {
            Some((called, deadline)) if at >= called => {
                self.flag_falls(live, deadline.seat, deadline.at)
            }
            _ => {
                let at_most = live.before_fall(at);
                self.end(
                    Outcome::Void(Void::Aborted),
                    None,
                    State::readings(&live.clock, at_most),
                    at,
                )
            }
        }
    }

    /// A member goes, who does not play in a running game: their seat is free, and another hosts.
    pub(super) fn member_leaves(&self, who: PlayerId, removed: bool, at: Stamp) -> Vec<Event> {
        let Some(party) = self.party() else { return Vec::new() };
        let Some(member) = party.member(who) else { return Vec::new() };
        let mut events = Vec::new();
        if let Some(seat) = self.seat_of(who) {
            events.extend(self.void_offers(|_| true));
            events.push(Event::Unseated { seat, at });
        }
        let heir = self.heir(who).filter(|_| party.host == Some(who));
        let hosts = heir.map(Change::Hosts);
        let left = Change::Left { player: member.player.clone(), removed };
        let changes = hosts.into_iter().chain([left]);
        events.extend(changes.map(|change| Event::Party { change, at }));
        events
    }

    /// A member says that they go. Whoever plays in a running game goes with its end.
    pub(in super::super) fn leaves_party(&self, who: PlayerId, at: Stamp) -> Vec<Event> {
        if self.closed || (self.running().is_some() && self.seat_of(who).is_some()) {
            return Vec::new();
        }
        self.member_leaves(who, false, at)
    }

    /// Who hosts after somebody: the longest-standing other member, of those who are there if any
    /// is.
    fn heir(&self, after: PlayerId) -> Option<PlayerId> {
        let others = || self.party()?.members.iter().find(|it| it.player.id != after);
        self.heir_there(after).or_else(|| others().map(|member| member.player.id))
    }

    /// The longest-standing other member who is there.
    pub(super) fn heir_there(&self, after: PlayerId) -> Option<PlayerId> {
        let there = |id: &PlayerId| *id != after && self.presence.is_member_here(*id);
        self.party()?.members.iter().map(|member| member.player.id).find(there)
    }
}
