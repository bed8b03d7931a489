//! Who plays next: the members who are there and want to play, by how the seats go round.

use std::cmp::Reverse;

use crate::game::Seat;
use crate::ids::PlayerId;
use crate::table::handle::Player;
use crate::table::options::FirstMove;

use super::super::State;
use super::super::decide::Fresh;
use super::super::event::Event;
use super::{Member, Party, Turns};
use crate::game::clock::Stamp;

/// Who plays the next game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// One member, against the computer.
    Alone(PlayerId),
    /// Two members.
    Two([PlayerId; 2]),
}

impl Next {
    /// The members who play.
    pub fn players(&self) -> &[PlayerId] {
        match self {
            Next::Alone(player) => std::slice::from_ref(player),
            Next::Two(players) => players,
        }
    }
}

impl State {
    /// Who would play if the next game began now; none if nobody is there who wants to.
    pub fn next_players(&self) -> Option<Next> {
        let party = self.party()?;
        let ready: Vec<&Member> = party.members().iter().filter(|it| self.is_ready(it)).collect();
        match ready[..] {
            [] => None,
            [one] => Some(Next::Alone(one.player.id)),
            [one, two] => Some(Next::Two([one.player.id, two.player.id])),
            _ => Some(Next::Two(match party.turns {
                Turns::None => queued(self.keepers(&ready), &ready),
                Turns::WinnerStays => {
                    let stays = |it: &&&Member| {
                        party.last.is_some_and(|[winner, _]| winner == it.player.id)
                    };
                    queued(ready.iter().find(stays).copied().into_iter().collect(), &ready)
                }
                Turns::RoundRobin => party.round_robin(&ready),
            })),
        }
    }

    fn is_ready(&self, member: &Member) -> bool {
        member.plays && self.presence.is_member_here(member.player.id)
    }

    /// Those who have the seats, of those who are ready.
    fn keepers<'a>(&self, ready: &[&'a Member]) -> Vec<&'a Member> {
        let seated = |member: &&&Member| self.seat_of(member.player.id).is_some();
        ready.iter().filter(seated).copied().collect()
    }

    /// Those who have the seats: who plays where both have asked for it, whoever else is there.
    pub(in super::super) fn seated_pair(&self) -> Option<Next> {
        let [one, two] = Seat::BOTH.map(|seat| self.player(seat));
        let (one, two) = (one?, two?);
        Some(match (one.cpu, two.cpu) {
            (None, None) => Next::Two([one.id, two.id]),
            (None, Some(_)) => Next::Alone(one.id),
            (Some(_), _) => Next::Alone(two.id),
        })
    }

    /// The seats change hands as far as they have to, and a game begins.
    pub(in super::super) fn next_game(
        &self,
        next: Next,
        at: Stamp,
        fresh: impl FnOnce() -> Fresh,
    ) -> Vec<Event> {
        let (players, exchange) = self.seats_for(next);
        let seats = Seat::BOTH.into_iter().zip(players);
        // Whoever keeps a seat keeps the name that they sat down by.
        let who = |player: &Player| (player.id, player.cpu);
        let changed = |(seat, player): &(Seat, Option<Player>)| {
            self.player(*seat).map(who) != player.as_ref().map(who)
        };
        let changed: Vec<_> = seats.filter(changed).collect();
        let taken = changed.iter().filter(|(seat, _)| self.player(*seat).is_some());
        let mut events: Vec<Event> = taken.map(|&(seat, _)| Event::Unseated { seat, at }).collect();
        let seated = changed.into_iter();
        events.extend(
            seated.filter_map(|(seat, player)| {
                player.map(|player| Event::Seated { seat, player, at })
            }),
        );
        let Fresh { game, seed } = fresh();
        events.push(Event::Started { game, seed, exchange, at });
        events
    }

    /// Who takes which seat before the game, and whether the seats are exchanged then.
    fn seats_for(&self, next: Next) -> ([Option<Player>; 2], bool) {
        let party = self.party();
        let member = |id| party.and_then(|party| party.member(id));
        let player = |id| member(id).map(|member| member.player.clone());
        let (one, other) = match next {
            Next::Alone(one) => (one, party.map(|party| Player::house(party.level))),
            Next::Two([one, two]) if self.seat_of(one).is_some() => (one, player(two)),
            Next::Two([one, two]) if self.seat_of(two).is_some() => (two, player(one)),
            Next::Two([one, two]) => {
                // Strangers to the seats: whoever moved first less often does so.
                let firsts = |id| member(id).map_or(0, |member| member.firsts);
                let alternates = self.options.first_move() == FirstMove::Alternate;
                let later = alternates && firsts(two) < firsts(one);
                let [one, two] = if later { [two, one] } else { [one, two] };
                return ([player(one), player(two)], false);
            }
        };
        let exchange = self.seat_of(one).is_some()
            && self.game.is_some()
            && self.options.first_move() == FirstMove::Alternate;
        let players = match self.seat_of(one).unwrap_or(Seat::One) {
            Seat::One => [player(one), other],
            Seat::Two => [other, player(one)],
        };
        (players, exchange)
    }
}

/// Those who stay, and then those who have waited longest.
fn queued(stay: Vec<&Member>, ready: &[&Member]) -> [PlayerId; 2] {
    let stays = |member: &Member| stay.iter().any(|it| it.player.id == member.player.id);
    let mut order: Vec<&Member> = ready.to_vec();
    // Stable, so that those who have waited as long go in the order in which they came.
    order.sort_by_key(|member| (Reverse(stays(member)), member.last_game));
    [order[0].player.id, order[1].player.id]
}

impl Party {
    /// The fair pair of at least three.
    fn round_robin(&self, ready: &[&Member]) -> [PlayerId; 2] {
        let mut order: Vec<&Member> = ready.to_vec();
        order.sort_by_key(|member| (self.rounds(member), member.last_game));
        let first = order.remove(0).player.id;
        let met = |member: &Member| {
            self.met.get(&pair(first, member.player.id)).copied().unwrap_or_default()
        };
        let again = |member: &Member| {
            self.last.is_some_and(|[won, lost]| pair(won, lost) == pair(first, member.player.id))
        };
        order.sort_by_key(|it| (again(it), self.rounds(it), met(it), it.last_game));
        [first, order[0].player.id]
    }

    /// How many turns a member has had. Whoever came late, or was away, does not make up for all of
    /// what was missed: they are one turn behind the others at most.
    pub(super) fn rounds(&self, member: &Member) -> u32 {
        let players = self.members.iter().filter(|member| member.plays);
        let most = players.map(|member| member.rounds).max().unwrap_or_default();
        member.rounds.max(most.saturating_sub(1))
    }
}

/// Two members, whichever is named first.
pub(super) fn pair(one: PlayerId, two: PlayerId) -> [PlayerId; 2] {
    [one.min(two), one.max(two)]
}
