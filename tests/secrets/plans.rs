//! Plans are their own seat's alone: games of Hex that differ only in what one seat has planned are
//! played on whole servers, and what the other seat and a spectator are sent, and every page, is the
//! same, byte for byte.

use hexhall::accounts::Token;
use hexhall::game::{Game, Move, Rules, Seat, Size, Swap};
use hexhall::view::Viewer;
use hexhall::wire;
use hexhall_proto::codec::{Format, decode_server};
use hexhall_proto::event::Event;
use hexhall_proto::options::{self, OptionsRequest};
use hexhall_proto::parts::OfferKind;
use hexhall_proto::plans::MakePlan;
use hexhall_proto::reply::{Reply, ServerFrame};
use hexhall_proto::request::{Join, Last, MakeOffer, Open, PlayMove, Request, Resign, Watch};

use super::dice::Dice;
use super::story::{Told, replies};
use crate::harness::piped::{Piped, PipedPeer};
use crate::harness::venue::{Venue, payloads};
use crate::harness::{board, fischer};

/// How many games are played, each once by hand and twice with plans.
const GAMES: u64 = 40;

/// What the planning seat does in each telling of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// Plans nothing.
    ByHand,
    /// Plans what it will play, as far as it can.
    Rightly,
    /// Plans this and that, takes it back, and is refused.
    Anyhow,
}

/// The moves of a game, to its end or nearly so.
fn game(dice: &mut Dice) -> Vec<Move> {
    let rules = Rules::new(Size::new(4, 4).unwrap(), Swap::Sides, Default::default(), 0).unwrap();
    let mut game = Game::new(rules, Vec::new());
    let most = 4 + dice.below(14);
    while let (Some(seat), true) = (game.to_move(), game.plies().len() < most) {
        let swaps = game.may_swap() && dice.percent(50);
        let action = if swaps { Some(Move::Swap) } else { dice.pick(&places(&game)) };
        game.play(seat, action.unwrap()).unwrap();
    }
    game.plies().iter().map(|ply| ply.action).collect()
}

fn places(game: &Game) -> Vec<Move> {
    game.legal_moves().into_iter().filter(|action| *action != Move::Swap).collect()
}

struct Story {
    venue: Piped,
    way: Way,
    planner: Seat,
    moves: Vec<Move>,
    /// Thrown alike for all tellings.
    dice: Dice,
    /// Thrown for what only the planner hears of.
    hidden: Dice,
    tokens: Vec<Token>,
    /// Seat 1, seat 2, and a spectator.
    peers: Vec<PipedPeer>,
    table: String,
    game: String,
    commands: u64,
    /// How many moves were played by plan.
    by_plan: usize,
    told: Told,
}

impl Story {
    fn begin(seed: u64, way: Way) -> Story {
        let mut dice = Dice::new(seed);
        let (planner, moves) = (Seat::BOTH[dice.below(2)], game(&mut dice));
        let mut key = [3; 32];
        key[..8].copy_from_slice(&seed.to_be_bytes());
        let mut venue = Piped::new(key);
        let tokens = ["Ana", "Bo", "Cy"].map(|name| venue.player(name)).to_vec();
        let formats = [Format::Json, Format::MsgPack, Format::Json];
        let mut peers: Vec<_> = tokens
            .iter()
            .zip(formats)
            .map(|(token, format)| venue.session(token, format))
            .collect();
        venue.heard(&mut peers[0]);
        let swap = Some(options::Swap::Sides);
        let options = OptionsRequest { swap, ..board(4, fischer(300, 5)) };
        venue.ask(&mut peers[0], Request::Open(Open { options, ..Open::default() }));
        let opened = venue.heard(&mut peers[0]);
        let table = replies(Format::Json, &opened).find_map(|reply| match reply {
            Reply::Opened { view, .. } => Some(view.table),
            _ => None,
        });
        let table = table.expect("a table");
        let join = Join { table: table.clone(), seat: None, invitation: None };
        venue.ask(&mut peers[1], Request::Join(join));
        let joined = venue.heard(&mut peers[1]);
        let game = replies(Format::MsgPack, &joined).find_map(|reply| match reply {
            Reply::Joined { view, .. } => view.game.map(|game| game.id),
            _ => None,
        });
        let watch = Watch { table: table.clone(), invitation: None, last: None };
        venue.ask(&mut peers[2], Request::Watch(watch));
        let game = game.expect("a game");
        let hidden = Dice::new(seed ^ u64::MAX);
        let (commands, by_plan, told) = (0, 0, Vec::new());
        Story {
            venue,
            way,
            planner,
            moves,
            dice,
            hidden,
            tokens,
            peers,
            table,
            game,
            commands,
            by_plan,
            told,
        }
    }

    fn play(&mut self) {
        let mut turn = 0;
        while turn < self.moves.len() {
            let seat = Seat::BOTH[turn % 2];
            if seat != self.planner {
                self.plans(turn);
                let span = self.dice.below(2_000) as u64;
                self.venue.advance(span);
                self.heard(self.planner);
                self.moves(seat, turn);
                turn += 1;
                if self.was_answered() {
                    self.by_plan += 1;
                    turn += 1;
                } else if turn < self.moves.len() {
                    self.moves(self.planner, turn);
                    turn += 1;
                }
            } else {
                self.moves(seat, turn);
                turn += 1;
            }
            self.hear("a turn");
            self.look(turn);
        }
        self.end();
    }

    /// The game ends if it has not, and the seats are exchanged for another one.
    fn end(&mut self) {
        let (table, game) = (self.table.clone(), self.game.clone());
        let resign = Resign { table, game, command: "resign".into(), seat: None };
        self.ask(self.planner.other(), Request::Resign(resign));
        self.hear("the end");
        self.look(self.moves.len());
        for seat in Seat::BOTH {
            let (table, game) = (self.table.clone(), self.game.clone());
            let kind = OfferKind::Rematch;
            let offer = MakeOffer { table, game, command: "again".into(), kind };
            self.ask(seat, Request::Offer(offer));
        }
        // Their streams are each other's from here on.
        self.hear("another game");
        self.look(1);
    }

    fn plan(&mut self, turn: usize, premove: Option<Move>, lines: Vec<Vec<Move>>) {
        self.commands += 1;
        let line = |line: Vec<Move>| line.into_iter().map(wire::action).collect();
        let plan = MakePlan {
            table: self.table.clone(),
            game: self.game.clone(),
            command: format!("plan {}", self.commands),
            turn: turn as u64,
            premove: premove.map(wire::action),
            lines: lines.into_iter().map(line).collect(),
        };
        self.ask(self.planner, Request::Plan(plan));
    }

    /// The planner plans, while the other seat is to make this move.
    fn plans(&mut self, turn: usize) {
        let rest = self.moves[turn..].to_vec();
        let right = rest.get(1).copied();
        let whole = |most: usize| rest[..rest.len().min(most) / 2 * 2].to_vec();
        let wrong = |dice: &mut Dice| {
            let others: Vec<Move> = rest.iter().copied().skip(2).collect();
            let (theirs, own) = (dice.pick(&others)?, right.filter(|own| *own != Move::Swap)?);
            (theirs != Move::Swap).then(|| vec![theirs, own])
        };
        match (self.way, self.hidden.below(7)) {
            (Way::ByHand, _) => {}
            (Way::Rightly, 0..3) | (Way::Anyhow, 0) if rest[0] != Move::Swap => {
                self.plan(turn, right, vec![]);
            }
            (Way::Rightly, _) | (Way::Anyhow, 1) => {
                let line = whole(2 + 2 * self.hidden.below(4));
                let lines = if line.is_empty() { vec![] } else { vec![line] };
                self.plan(turn, None, lines);
            }
            // On the cell that the other takes: it can never be played.
            (Way::Anyhow, 2) => self.plan(turn, Some(rest[0]), vec![]),
            (Way::Anyhow, 3) => {
                let lines = wrong(&mut self.hidden).into_iter().collect();
                self.plan(turn, None, lines);
            }
            (Way::Anyhow, 4) => {
                self.plan(turn, right, vec![whole(2)]);
                self.plan(turn, None, vec![]);
            }
            (Way::Anyhow, _) => {
                self.plan(turn + 1, right, vec![]);
                self.plan(turn, None, vec![vec![rest[0]]]);
            }
        }
    }

    /// Whether the planner has heard of a move of their own that they have not sent.
    fn was_answered(&mut self) -> bool {
        let (planner, bytes) = (wire::seat(self.planner), self.heard(self.planner));
        let format = [Format::Json, Format::MsgPack][self.planner.index()];
        payloads(&bytes).any(|payload| match decode_server(format, payload) {
            Ok(ServerFrame::Stream(frame)) => matches!(
                frame.event,
                Event::Placed { seat, .. } | Event::Swapped { seat, .. } if seat == planner
            ),
            _ => false,
        })
    }

    fn moves(&mut self, seat: Seat, turn: usize) {
        let play = PlayMove {
            table: self.table.clone(),
            game: self.game.clone(),
            command: format!("move {turn}"),
            turn: turn as u64,
            action: wire::action(self.moves[turn]),
            seat: None,
        };
        self.ask(seat, Request::Move(play));
    }

    fn ask(&mut self, seat: Seat, request: Request) {
        self.venue.ask(&mut self.peers[seat.index()], request);
    }

    fn heard(&mut self, seat: Seat) -> Vec<u8> {
        self.venue.heard(&mut self.peers[seat.index()])
    }

    /// What the other seat and the spectator have heard.
    fn hear(&mut self, what: &str) {
        for who in [self.planner.other().index(), 2] {
            let bytes = self.venue.heard(&mut self.peers[who]);
            self.told.push((format!("{what}, as {who}"), bytes));
        }
    }

    /// They look again from some number, and at every page.
    fn look(&mut self, turn: usize) {
        let (other, planner) = (self.planner.other(), self.planner.index());
        for (who, viewer) in [(other.index(), Viewer::Seat(other)), (2, Viewer::Spectator)] {
            let seq = self.dice.below(turn + 4) as u64;
            let last = self.dice.percent(70).then_some(Last { viewer: viewer.wire(), seq });
            let format = [Format::Json, Format::MsgPack][self.dice.below(2)];
            let mut tab = self.venue.session(&self.tokens[who], format);
            let watch = Watch { table: self.table.clone(), invitation: None, last };
            self.venue.ask(&mut tab, Request::Watch(watch));
            let bytes = self.venue.heard(&mut tab);
            self.told.push((format!("another look, as {who}"), bytes));
            self.venue.hang_up(tab);
        }
        self.venue.heard(&mut self.peers[planner]);
        for page in [
            "/v1/tables".to_owned(),
            format!("/v1/tables/{}", self.table),
            format!("/v1/games/{}.json", self.game),
            format!("/v1/games/{}.sgf", self.game),
        ] {
            let got = self.venue.get(&page, None).bytes();
            self.told.push((page, got));
        }
    }
}

fn tell(seed: u64, way: Way) -> Story {
    let mut story = Story::begin(seed, way);
    story.play();
    story
}

#[test]
fn what_one_seat_plans_makes_no_difference_to_what_anybody_else_is_sent() {
    let (mut by_plan, mut planned) = ([0; 2], 0);
    for seed in super::seeds(GAMES) {
        let by_hand = tell(seed, Way::ByHand);
        assert_eq!((by_hand.by_plan, by_hand.commands), (0, 0));
        for (index, way) in [Way::Rightly, Way::Anyhow].into_iter().enumerate() {
            let story = tell(seed, way);
            by_plan[index] += story.by_plan;
            planned += story.commands;
            let pairs = by_hand.told.iter().zip(&story.told);
            for (nth, (one, other)) in pairs.enumerate() {
                let said =
                    |(what, bytes): &(String, Vec<u8>)| format!("{what}: {}", bytes.escape_ascii());
                let what = format!("HEXHALL_SEED={seed}, {way:?}, {nth}: {:?}", story.moves);
                assert_eq!(said(one), said(other), "{what}");
            }
            assert_eq!(by_hand.told.len(), story.told.len());
        }
    }
    if super::seeds(GAMES) == (0..GAMES) {
        assert!(by_plan[0] > 100 && by_plan[1] > 12 && planned > 200, "{by_plan:?}, {planned}");
    }
}
