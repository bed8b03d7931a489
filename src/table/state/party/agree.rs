//! Who of the two who play next has asked for a rated game: it begins once both have, and not
//! because a host says so.
//!
//! Like presence it is in no journal: after a restart one asks again. Invariant: a request counts
//! for those two, those rules and that next game alone, and for as long as an offered rematch
//! stands.

use crate::game::clock::Stamp;
use crate::ids::{GameId, PlayerId};
use crate::table::options::Options;

use super::super::State;
use super::super::refusal::Refusal;
use super::Next;
use super::order::pair;

/// Somebody's request for the next game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) struct Request {
    by: PlayerId,
    /// Who would play it.
    pair: [PlayerId; 2],
    options: Options,
    /// The table's last game then.
    after: Option<GameId>,
    until: Stamp,
}

impl State {
    /// The two who have to agree before the next game begins; none where it is not rated, or is
    /// against the computer and so counts for nothing.
    pub(super) fn must_agree(&self) -> Option<[PlayerId; 2]> {
        match self.next_players() {
            Some(Next::Two([one, two])) if self.options.is_rated() => Some(pair(one, two)),
            _ => None,
        }
    }

    /// Who has asked for the next game, and waits for the other to.
    pub fn asked_for_game(&self, now: Stamp) -> Option<PlayerId> {
        let request = self.request.as_ref().filter(|request| now < request.until)?;
        let after = self.game.as_ref().map(|live| live.id);
        let same = self.must_agree() == Some(request.pair)
            && self.options == request.options
            && after == request.after;
        same.then_some(request.by)
    }

    /// When a request for the next game lapses.
    pub(in super::super) fn request_lapses_at(&self, now: Stamp) -> Option<Stamp> {
        self.asked_for_game(now)?;
        self.request.as_ref().map(|request| request.until)
    }

    /// Lets go of a request that counts no more, so that it does not count again where who plays, and by
    /// what rules, changes back.
    pub fn forget_lapsed_request(&mut self, now: Stamp) {
        if self.asked_for_game(now).is_none() {
            self.request = None;
        }
    }

    /// Notes that somebody asks for the next game at `at`, if it needs that.
    pub fn note_request(&mut self, by: PlayerId, at: Stamp) {
        let asks = self.must_agree().filter(|pair| pair.contains(&by));
        if let Some(pair) = asks.filter(|_| self.asked_for_game(at).is_none()) {
            let after = self.game.as_ref().map(|live| live.id);
            let (options, until) = (self.options, at + self.spans.rematch_ms);
            self.request = Some(Request { by, pair, options, after, until });
        }
    }

    /// Whether the next game may begin now that this member says so; not yet where the other has
    /// not asked for it.
    pub(super) fn agrees(&self, player: PlayerId, at: Stamp) -> Result<bool, Refusal> {
        match self.must_agree() {
            None => Ok(true),
            Some(pair) if !pair.contains(&player) => Err(Refusal::BothAsk),
            Some(_) => Ok(self.asked_for_game(at).is_some_and(|asked| asked != player)),
        }
    }

    /// Whether a rated rematch would seat others than those two who agree to it.
    pub(in super::super) fn rematch_is_others(&self) -> bool {
        let seated = match self.seated_pair() {
            Some(Next::Two([one, two])) => Some(pair(one, two)),
            Some(Next::Alone(_)) | None => None,
        };
        self.must_agree().is_some_and(|two| seated != Some(two))
    }
}
