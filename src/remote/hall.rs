//! A table as a server knows it, for tests: whole views of it, and the events that lead from one
//! to the next, made from a game of the rules core and from nothing of the server's.

use hexhall_proto::event::{Event, StreamFrame};
use hexhall_proto::options::{FirstMove, GameKind, Goal, OnLeave, Options, Preset, Time};
use hexhall_proto::parts::{Cell, Color, Outcome, Phase, Player, Seat, Viewer};
use hexhall_proto::view::{GameView, Presence, SeatPresence, View};

use crate::game::{self, Game, Rules};
use crate::wire;

/// One table as a server knows it.
pub(crate) struct Hall {
    table: String,
    seats: [Option<Player>; 2],
    game: Game,
    /// Accepted moves, those taken back included, and one.
    turn: u64,
    seq: u64,
}

impl Hall {
    /// A table whose seats are free.
    pub(crate) fn new(table: &str, rules: Rules) -> Hall {
        let game = Game::new(rules, Vec::new());
        Hall { table: table.into(), seats: [None, None], game, turn: 1, seq: 0 }
    }

    /// A table at which a game has just begun.
    pub(crate) fn running(table: &str, rules: Rules) -> Hall {
        let player = |name: &str| {
            Some(Player { id: format!("plr_{name}"), name: name.into(), cpu: None, bot: false })
        };
        Hall { seats: [player("Ada"), player("Bo")], seq: 7, ..Hall::new(table, rules) }
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    pub(crate) fn turn(&self) -> u64 {
        self.turn
    }

    pub(crate) fn seats(&self) -> &[Option<Player>; 2] {
        &self.seats
    }

    pub(crate) fn set_seq(&mut self, seq: u64) {
        self.seq = seq;
    }

    pub(crate) fn sit(&mut self, seat: Seat, player: Player) -> StreamFrame {
        self.seats[seat as usize] = Some(player.clone());
        self.frame(Event::Seated { seat, player })
    }

    pub(crate) fn start(&mut self, viewer: Viewer) -> StreamFrame {
        let view = Box::new(View { seq: self.seq + 1, ..self.view(viewer) });
        self.frame(Event::Started { view })
    }

    pub(crate) fn resign(&mut self, seat: Seat) -> StreamFrame {
        let winner = if seat == Seat::One { game::Seat::Two } else { game::Seat::One };
        self.game.end(game::Outcome::Won { winner, by: game::WonBy::Resignation }).unwrap();
        self.end()
    }

    pub(crate) fn frame(&mut self, event: Event) -> StreamFrame {
        self.seq += 1;
        StreamFrame { table: self.table.clone(), seq: Some(self.seq), event }
    }

    pub(crate) fn play(&mut self, action: game::Move) -> StreamFrame {
        let seat = self.game.to_move().unwrap();
        let color = wire::color(self.game.color(seat));
        self.game.play(seat, action).unwrap();
        self.turn += 1;
        let (seat, turn) = (wire::seat(seat), self.turn);
        let to_move = self.game.to_move().map(wire::seat);
        let event = match action {
            game::Move::Place(cell) => {
                let cell = Some(wire::cell(cell));
                Event::Placed { seat, color, cell, turn, to_move, cpu: false, clocks: None }
            }
            game::Move::Swap => {
                let (cell, color) = self.game.board().stones().next().unwrap();
                Event::Swapped {
                    seat,
                    swap: wire::swap(self.game.rules().swap()),
                    cell: wire::cell(cell),
                    color: wire::color(color),
                    colors: self.colors(),
                    turn,
                    to_move,
                    cpu: false,
                    clocks: None,
                }
            }
        };
        self.frame(event)
    }

    pub(crate) fn end(&mut self) -> StreamFrame {
        let (outcome, winning_path) = (self.outcome().unwrap(), self.path());
        let score = self.score();
        self.frame(Event::Ended { outcome, winning_path, reveal: None, clocks: None, score })
    }

    pub(crate) fn take_back(&mut self, viewer: Viewer, plies: usize) -> StreamFrame {
        self.game.take_back_to(plies).unwrap();
        self.turn += 1;
        let game = Box::new(self.view(viewer).game.unwrap());
        self.frame(Event::TakenBack { game })
    }

    fn colors(&self) -> [Color; 2] {
        game::Seat::BOTH.map(|seat| wire::color(self.game.color(seat)))
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome().map(wire::outcome)
    }

    fn path(&self) -> Option<Vec<Cell>> {
        Some(self.game.winning_path()?.into_iter().map(wire::cell).collect())
    }

    fn score(&self) -> [u32; 2] {
        let winner = self.outcome().and_then(|outcome| outcome.winner);
        [Seat::One, Seat::Two].map(|seat| u32::from(winner == Some(seat)))
    }

    pub(crate) fn view(&self, viewer: Viewer) -> View {
        let rules = self.game.rules();
        let size = rules.size();
        let stone = |cell| match self.game.board().get(cell) {
            None => '.',
            Some(game::Color::Red) => 'r',
            Some(game::Color::Blue) => 'b',
        };
        let row = |row| (0..size.cols()).map(|col| stone(game::Cell::new(row, col))).collect();
        let to_move = self.game.to_move().map(wire::seat);
        let its_turn = match viewer {
            Viewer::SeatOne => to_move == Some(Seat::One),
            Viewer::SeatTwo => to_move == Some(Seat::Two),
            Viewer::Both => to_move.is_some(),
            Viewer::Spectator => false,
        };
        let phase = match to_move {
            _ if self.seats.contains(&None) => Phase::Waiting,
            Some(_) => Phase::Playing,
            None => Phase::Finished,
        };
        View {
            party: None,
            table: self.table.clone(),
            viewer,
            seq: self.seq,
            phase,
            options: Options {
                preset: Preset::Custom,
                rows: size.rows(),
                cols: size.cols(),
                game: GameKind::Hex,
                collision: None,
                swap: wire::swap(rules.swap()),
                goal: Goal::Join,
                random_stones: 0,
                time: Time::None {},
                first_move_s: None,
                on_leave: OnLeave::Claim,
                rated: false,
                first_move: FirstMove::Alternate,
                pass_and_play: false,
                spectator_delay_s: 0,
            },
            private: false,
            seats: self.seats.clone(),
            score: self.score(),
            presence: Presence { seats: [present(), present()], watchers: 2, party: None },
            offers: Vec::new(),
            plan: None,
            game: (phase != Phase::Waiting).then(|| GameView {
                options: None,
                id: "gam_01ARZ3NDEKTSV4RRFFQ69G5FAV".into(),
                number: 1,
                opening: Vec::new(),
                moves: self
                    .game
                    .plies()
                    .iter()
                    .map(|ply| wire::played(ply, rules.swap(), false, |at| Some(wire::cell(at))))
                    .collect(),
                board: (0..size.rows()).map(row).collect(),
                found: None,
                colors: self.colors(),
                turn: self.turn,
                to_move,
                legal_moves: its_turn
                    .then(|| self.game.legal_moves().into_iter().map(wire::action).collect()),
                clocks: None,
                paused: false,
                outcome: self.outcome(),
                winning_path: self.path(),
            }),
        }
    }
}

fn present() -> SeatPresence {
    SeatPresence { connected: true, countdown_ms: None, claimable: false, cpu: None }
}
