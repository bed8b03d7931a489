//! Proposals between seats: rematch, takeback, pause. Each has an id, an expiry and one answer.

use hexhall_proto::parts::{OfferClosed, OfferKind};

use crate::game::clock::{Control, Millis, Stamp};
use crate::game::{Illegal, Seat};
use crate::table::options::FirstMove;

use super::answered::Answer;
use super::decide::{Decision, Fresh};
use super::event::{Cause, Event, Offer};
use super::refusal::Refusal;
use super::{LiveGame, Phase, State};

impl State {
    /// A seat proposes something; where the other seat has proposed the same, it agrees.
    pub(super) fn decide_offer(
        &self,
        by: Cause,
        kind: OfferKind,
        live: &LiveGame,
        at: Stamp,
        fresh: impl FnOnce() -> Fresh,
    ) -> Result<Decision, Refusal> {
        self.check_offer(by.seat, kind, live)?;
        match self.open_offers(at).find(|offer| offer.kind == kind) {
            Some(offer) if offer.by == by.seat => {
                Err(Refusal::CannotOffer("you have proposed that already, and it still stands"))
            }
            Some(offer) => {
                let answer = Answer::Offered(offer.id);
                let by = Cause { answer, ..by };
                Ok(Decision { events: self.accept(offer, by, at, fresh), answer: Ok(answer) })
            }
            None => Ok(self.propose(by, kind, at, fresh)),
        }
    }

    /// Makes a proposal, which is agreed to at once where one player has both seats, and by the
    /// computer in a seat of its own.
    fn propose(
        &self,
        by: Cause,
        kind: OfferKind,
        at: Stamp,
        fresh: impl FnOnce() -> Fresh,
    ) -> Decision {
        let (id, other) = (self.next_offer, by.seat.other());
        let offer = Offer { id, kind, by: by.seat, expires: at + self.stands_ms(kind) };
        let by = Cause { answer: Answer::Offered(id), ..by };
        let agrees = Cause { seat: other, ..by.clone() };
        let answer = Ok(by.answer);
        let mut events = vec![Event::Offered { offer, by, at }];
        if self.options.pass_and_play() || self.house(other).is_some() {
            events.extend(self.accept(&offer, agrees, at, fresh));
        }
        Decision { events, answer }
    }

    /// How long a proposal stands.
    fn stands_ms(&self, kind: OfferKind) -> Millis {
        match kind {
            OfferKind::Rematch => self.spans.rematch_ms,
            OfferKind::Takeback | OfferKind::Pause => self.spans.offer_ms,
        }
    }

    /// A seat agrees to an offer of the other, or refuses it.
    pub(super) fn decide_answer(
        &self,
        by: Cause,
        id: u64,
        accept: bool,
        at: Stamp,
        fresh: impl FnOnce() -> Fresh,
    ) -> Result<Decision, Refusal> {
        let mut theirs = self.open_offers(at).filter(|offer| offer.by != by.seat);
        let offer = theirs.find(|offer| offer.id == id).ok_or(Refusal::NoOffer(id))?;
        if accept && offer.kind == OfferKind::Rematch {
            self.check_rematch()?;
        }
        let events = if accept {
            self.accept(offer, by, at, fresh)
        } else {
            vec![Event::OfferClosed { offer: id, how: OfferClosed::Declined, by: Some(by) }]
        };
        Ok(Decision { events, answer: Ok(Answer::Done) })
    }

    /// A seat takes its own offer back.
    pub(super) fn decide_withdraw(
        &self,
        by: Cause,
        id: u64,
        at: Stamp,
    ) -> Result<Decision, Refusal> {
        let mut own = self.open_offers(at).filter(|offer| offer.by == by.seat);
        own.find(|offer| offer.id == id).ok_or(Refusal::NoOffer(id))?;
        let how = OfferClosed::Withdrawn;
        let events = vec![Event::OfferClosed { offer: id, how, by: Some(by) }];
        Ok(Decision { events, answer: Ok(Answer::Done) })
    }

    /// The closing of the offers that the game has left behind.
    pub(super) fn void_offers(&self, which: impl Fn(&Offer) -> bool) -> Vec<Event> {
        let void = |offer: &Offer| Event::OfferClosed {
            offer: offer.id,
            how: OfferClosed::Void,
            by: None,
        };
        self.offers.iter().filter(|offer| which(offer)).map(void).collect()
    }

    fn open_offers(&self, at: Stamp) -> impl Iterator<Item = &Offer> {
        self.offers.iter().filter(move |offer| offer.expires > at)
    }

    fn check_offer(&self, seat: Seat, kind: OfferKind, live: &LiveGame) -> Result<(), Refusal> {
        let phase = self.phase();
        let cannot = |why| Err(Refusal::CannotOffer(why));
        match kind {
            OfferKind::Rematch if phase == Phase::Playing => {
                cannot("a rematch can be proposed once the game is over")
            }
            OfferKind::Rematch if phase == Phase::Waiting => {
                cannot("the other seat is free: the next game begins when somebody takes it")
            }
            OfferKind::Rematch => self.check_rematch(),
            OfferKind::Takeback | OfferKind::Pause if phase != Phase::Playing => {
                Err(Illegal::GameOver.into())
            }
            OfferKind::Takeback | OfferKind::Pause if self.options.pass_and_play() => {
                cannot("both seats are yours, so there is nobody to propose that to")
            }
            OfferKind::Takeback if live.game.is_dark() => {
                cannot("nothing is taken back in Dark Hex: what a seat has found is not forgotten")
            }
            OfferKind::Takeback if self.options.is_rated() => {
                cannot("nothing is taken back in a rated game")
            }
            OfferKind::Takeback if last_ply_of(live, seat).is_none() => {
                cannot("you have not moved yet, so there is nothing to take back")
            }
            OfferKind::Pause if live.paused => Err(Refusal::Paused),
            OfferKind::Pause if live.clock.time_control().control() == Control::None => {
                cannot("this table has no clock to stop")
            }
            OfferKind::Takeback | OfferKind::Pause => Ok(()),
        }
    }

    /// Who plays next in a party may be others than those who have the seats.
    fn check_rematch(&self) -> Result<(), Refusal> {
        if self.rematch_is_others() {
            return Err(Refusal::CannotOffer(
                "others play next, and a rated game begins when both of them have said `start`",
            ));
        }
        Ok(())
    }

    fn accept(
        &self,
        offer: &Offer,
        by: Cause,
        at: Stamp,
        fresh: impl FnOnce() -> Fresh,
    ) -> Vec<Event> {
        let how = OfferClosed::Accepted;
        let mut events = vec![Event::OfferClosed { offer: offer.id, how, by: Some(by) }];
        let Some(live) = &self.game else { return events };
        // An equal one that lapsed unanswered may still be on the list, and may be answered by
        // what arrived before it lapsed and is looked at only now.
        events.extend(self.void_offers(|other| other.id != offer.id && other.kind == offer.kind));
        match offer.kind {
            OfferKind::Rematch if self.party.is_some() => {
                let seated = || self.seated_pair();
                if let Some(next) = self.next_players().or_else(seated) {
                    events.extend(self.next_game(next, at, fresh));
                }
            }
            OfferKind::Rematch => {
                let Fresh { game, seed } = fresh();
                let exchange = self.options.first_move() == FirstMove::Alternate;
                events.push(Event::Started { game, seed, exchange, at });
            }
            OfferKind::Takeback => {
                if let Some(plies) = last_ply_of(live, offer.by) {
                    let readings = State::readings(&live.clock, live.before_fall(at));
                    events.push(Event::TakenBack { plies, readings });
                }
            }
            OfferKind::Pause => {
                let readings = State::readings(&live.clock, live.before_fall(at));
                events.push(Event::Paused { readings });
            }
        }
        events
    }
}

/// How many plies come before the seat's last one, if it has moved.
fn last_ply_of(live: &LiveGame, seat: Seat) -> Option<usize> {
    live.game.plies().iter().rposition(|ply| ply.seat == seat)
}
