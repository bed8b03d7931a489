//! The reducer against the server's own state and views, over whole parties: games, swaps, offers
//! of every kind, resignations, and rematches in which the players change seats.

use hexhall_proto::event::StreamFrame;
use hexhall_proto::options::{self as asked, OnLeave, OptionsRequest, Preset, Time};
use hexhall_proto::parts::OfferKind;
use proptest::prelude::*;

use crate::game::Seat;
use crate::game::clock::Stamp;
use crate::ids::{GameId, PlayerId, Seq, TableId};
use crate::remote::TableCopy;
use crate::table::handle::{Command, CommandId, Player};
use crate::table::options::Options;
use crate::table::state::event::Event;
use crate::table::state::{Asking, Fresh, Hand, Spans, State};
use crate::view::{Viewer, delta, project};

/// Two players and a watcher, and what each of them has been told.
struct Party {
    state: State,
    players: [Player; 2],
    copies: [TableCopy; 3],
    seq: u64,
    now: Stamp,
    commands: u64,
}

impl Party {
    fn new(game: asked::GameKind, swap: asked::Swap, time: Time) -> Party {
        let request = OptionsRequest {
            preset: Some(Preset::Custom),
            size: Some(3),
            game: Some(game),
            swap: Some(swap).filter(|_| game == asked::GameKind::Hex),
            time: Some(time),
            on_leave: Some(OnLeave::Claim),
            ..OptionsRequest::default()
        };
        let options = Options::resolve(&request).unwrap();
        let (id, now) = (TableId::from_parts(1, 1), Stamp(1_000));
        let state = State::new(id, Spans::default(), options, None, now);
        let view = |viewer| TableCopy::new(project::view(&state, viewer, Seq(0), 0, now));
        let copies = Viewer::ALL.map(|_| view(Viewer::Spectator));
        let player = |n| Player {
            id: PlayerId::from_parts(1, n),
            name: format!("{n}").into(),
            cpu: None,
            bot: false,
        };
        let players = [player(1), player(2)];
        let mut party = Party { state, players, copies, seq: 0, now, commands: 0 };
        for index in [0, 1] {
            let player = party.players[index].clone();
            let joined = party.state.decide_join(&player, None, now, || fresh(0)).unwrap();
            // Whoever joins is answered with a whole view, after the others have been told.
            party.tell(&joined.1);
            let viewer = party.viewer(index);
            let view = project::view(&party.state, viewer, Seq(party.seq), 0, now);
            party.copies[index] = TableCopy::new(view);
        }
        party
    }

    /// Whose stream a person reads: players may change seats.
    fn viewer(&self, person: usize) -> Viewer {
        Viewer::of(self.players.get(person).and_then(|player| self.state.seat_of(player.id)))
    }

    fn tell(&mut self, events: &[Event]) {
        for event in events {
            self.state.apply(event).unwrap();
            self.seq += 1;
            for person in 0..3 {
                let (viewer, seq) = (self.viewer(person), Seq(self.seq));
                let copy = &self.copies[person];
                if copy.viewer() != viewer.wire() && !matches!(event, Event::Started { .. }) {
                    // Has just sat down, and is answered with a view.
                    continue;
                }
                let told = delta::told(&self.state, event, viewer, seq, 0, self.now).unwrap();
                let table = self.state.id().to_string();
                let frame = StreamFrame { table, seq: Some(self.seq), event: told };
                self.copies[person].apply(&frame).unwrap();
            }
        }
    }

    /// Somebody tries something; a refusal changes nothing for anybody.
    fn act(&mut self, person: usize, what: u8, pick: usize, later: u64) {
        self.now = self.now + later;
        let Some(live) = self.state.game() else { return };
        let (game, turn) = (live.id, live.turn);
        let offers = self.state.offers();
        let offer = offers.get(pick % offers.len().max(1)).map_or(0, |offer| offer.id);
        let legal = live.game.legal_moves();
        let command = match what {
            0 => Command::Resign(game),
            1 => Command::Offer(game, OfferKind::Takeback),
            2 => Command::Offer(game, OfferKind::Pause),
            3 | 4 => Command::Offer(game, OfferKind::Rematch),
            5..=8 => Command::Answer { offer, accept: true },
            9 => Command::Answer { offer, accept: false },
            10 => Command::Withdraw(offer),
            11 => Command::Unpause(game),
            12 => Command::GiveTime(game),
            _ if legal.is_empty() => return,
            _ => Command::Play { game, turn, action: legal[pick % legal.len()] },
        };
        let player = match (what, live.game.to_move()) {
            // Moves are mostly made by whoever may.
            (13.., Some(seat)) => self.state.player(seat).map(|player| player.id),
            _ => None,
        };
        self.commands += 1;
        let number = self.commands;
        let command_id = CommandId::new(&number.to_string()).unwrap();
        let asking = Asking {
            player: player.unwrap_or(self.players[person].id),
            command: &command_id,
            at: self.now,
            round_trip: 0,
            hand: Hand::default(),
        };
        let decision = self.state.decide(asking, command, || fresh(number));
        self.tell(&decision.events);
    }
}

fn fresh(number: u64) -> Fresh {
    Fresh { game: GameId::from_parts(2, number.into()), seed: [0; 32] }
}

proptest! {
    #[test]
    fn whole_parties_come_to_what_fresh_views_say(
        dark in any::<bool>(),
        swap in prop::sample::select(vec![asked::Swap::Off, asked::Swap::Sides, asked::Swap::Pieces]),
        timed in any::<bool>(),
        acts in prop::collection::vec((0usize..2, 0u8..30, any::<usize>(), 0u64..50), 1..120),
    ) {
        let time = match timed {
            true => Time::Fischer { initial_s: 60, increment_s: 1, cap_s: None },
            false => Time::None {},
        };
        let game = if dark { asked::GameKind::Dark } else { asked::GameKind::Hex };
        let mut party = Party::new(game, swap, time);
        for (person, what, pick, later) in acts {
            party.act(person, what, pick, later);
            for person in 0..3 {
                let (viewer, seq) = (party.viewer(person), Seq(party.seq));
                let view = project::view(&party.state, viewer, seq, 0, party.now);
                let fresh = TableCopy::new(view);
                prop_assert_eq!(party.copies[person].timeless(), fresh.timeless());
            }
        }
    }
}

#[test]
fn a_rematch_exchanges_the_seats_and_both_go_on_in_the_others_stream() {
    let mut party = Party::new(asked::GameKind::Hex, asked::Swap::Off, Time::None {});
    party.act(0, 0, 0, 0);
    party.act(0, 3, 0, 0);
    party.act(1, 5, 0, 0);
    assert_eq!(party.viewer(0), Viewer::Seat(Seat::Two));
    let seats = party.copies.each_ref().map(|copy| copy.seat().map(crate::wire::read_seat));
    assert_eq!(seats, [Some(Seat::Two), Some(Seat::One), None]);
    party.act(1, 13, 0, 0);
    let turns = party.copies.each_ref().map(TableCopy::turn);
    assert!(turns.iter().all(|turn| *turn == turns[2]) && turns[2].is_some(), "{turns:?}");
}
