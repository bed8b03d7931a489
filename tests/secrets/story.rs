//! One game of a trio played out on a whole server, and every byte that its viewer was sent.
//!
//! Whatever is not an attempt of the game is thrown by dice that all games of a trio share, so that
//! nothing but the hidden part tells them apart. The viewer is curious: between the attempts they try
//! every kind of thing that is refused, come back from every number, and look at every page.

use hexhall::accounts::Token;
use hexhall::game::Cell;
use hexhall::view::Viewer;
use hexhall::wire;
use hexhall_proto::codec::{Format, decode_server};
use hexhall_proto::options::{Collision, GameKind, OnLeave, OptionsRequest, Preset};
use hexhall_proto::parts::{Move, OfferKind};
use hexhall_proto::reply::{Reply, ServerFrame};
use hexhall_proto::request::{
    AnswerOffer, GameCommand, Join, Last, MakeOffer, Open, PlayMove, Request, Table, Watch,
    WithdrawOffer,
};

use super::dice::Dice;
use super::pairs::{Ending, Trio, Umpire};
use crate::harness::fischer;
use crate::harness::venue::{Peer, Venue, payloads};

/// What the viewer was sent, in order, and what it came of.
pub type Told = Vec<(String, Vec<u8>)>;

/// Every player's names, in the order of [`Viewer::ALL`].
const NAMES: [&str; 3] = ["Ana", "Bo", "Cy"];

/// Longer than any clock or countdown runs.
const AGES_MS: u64 = 4_000_000;

/// What a trio is played by.
pub fn options(trio: &Trio) -> OptionsRequest {
    OptionsRequest {
        preset: Some(Preset::Custom),
        rows: Some(trio.size.rows().into()),
        cols: Some(trio.size.cols().into()),
        game: Some(GameKind::Dark),
        collision: Some(if trio.abrupt { Collision::Abrupt } else { Collision::Classical }),
        time: Some(fischer(300, 5)),
        on_leave: Some(OnLeave::Claim),
        ..OptionsRequest::default()
    }
}

/// Plays the game `which` of a trio.
pub fn told<V: Venue>(venue: &mut V, trio: &Trio, which: usize) -> Told {
    let mut story = Story::begin(venue, trio, which);
    story.play();
    story.end();
    story.told
}

struct Story<'a, V: Venue> {
    venue: &'a mut V,
    trio: &'a Trio,
    which: usize,
    /// Thrown alike for all games.
    dice: Dice,
    /// Thrown for each game by itself: what the others do that the viewer hears nothing of.
    hidden: Dice,
    tokens: Vec<Token>,
    /// Seat 1, seat 2 and a spectator, who is there only as the viewer; none for whoever has left.
    peers: [Option<V::Peer>; 3],
    /// The viewer's second tab, which reads the other format.
    tab: V::Peer,
    table: String,
    game: String,
    umpire: Umpire,
    turn: u64,
    commands: u64,
    told: Told,
}

impl<'a, V: Venue> Story<'a, V> {
    fn begin(venue: &'a mut V, trio: &'a Trio, which: usize) -> Story<'a, V> {
        let mut dice = Dice::new(!trio.seed);
        let formats = [Format::Json, Format::MsgPack];
        let tokens = NAMES.map(|name| venue.player(name));
        let viewer = trio.viewer.index();
        let lead = dice.below(2);
        let mut session = |number: usize| {
            let format = formats[(lead + usize::from(number != viewer)) % 2];
            venue.session(&tokens[number], format)
        };
        let mut peers = [session(0), session(1)];
        let mut spectator = (viewer == 2).then(|| session(2));
        let mut tab = venue.session(&tokens[viewer], formats[(lead + 1) % 2]);
        let curious = peers.get_mut(viewer).or(spectator.as_mut()).expect("a session each");
        venue.ask(curious, Request::Lobby {});
        let mut told = Told::new();
        let first = venue.heard(&mut peers[0]);
        let options = options(trio);
        venue.ask(
            &mut peers[0],
            Request::Open(Open { options, private: false, cpu: None, party: None }),
        );
        let opened = venue.heard(&mut peers[0]);
        let table = replies(peers[0].format(), &opened)
            .find_map(|reply| match reply {
                Reply::Opened { view, .. } => Some(view.table),
                _ => None,
            })
            .expect("a table");
        venue.meet_at(&table);
        if viewer == 0 {
            told.push(("the opening".into(), [first, opened].concat()));
        }
        let watch = Watch { table: table.clone(), invitation: None, last: None };
        if let Some(spectator) = &mut spectator {
            venue.ask(spectator, Request::Watch(watch.clone()));
        }
        venue.ask(&mut tab, Request::Watch(watch));
        let before = venue.heard(&mut peers[1]);
        let join = Join { table: table.clone(), seat: None, invitation: None };
        venue.ask(&mut peers[1], Request::Join(join));
        let joined = venue.heard(&mut peers[1]);
        let game = replies(peers[1].format(), &joined)
            .find_map(|reply| match reply {
                Reply::Joined { view, .. } => view.game.map(|game| game.id),
                _ => None,
            })
            .expect("a game");
        if viewer == 1 {
            told.push(("the beginning".into(), [before, joined].concat()));
        }
        let [one, two] = peers.map(Some);
        let mut story = Story {
            venue,
            trio,
            which,
            dice,
            hidden: Dice::new(trio.seed ^ (which as u64 + 1) << 32),
            tokens: tokens.into(),
            peers: [one, two, spectator],
            tab,
            table,
            game,
            umpire: Umpire::new(trio.size, trio.abrupt),
            turn: 0,
            commands: 0,
            told,
        };
        story.hear("the beginning");
        story
    }

    fn play(&mut self) {
        let attempts = &self.trio.games[self.which];
        let look_at = self.dice.below(attempts.len());
        for (number, attempt) in attempts.iter().enumerate() {
            if self.dice.percent(40) {
                let span = self.dice.below(3_000) as u64;
                self.venue.advance(span);
                self.hear("time that passes");
            }
            self.decoy();
            if self.dice.percent(60) {
                self.probe();
            }
            let command = format!("attempt-{number}");
            let action = Move::Place(wire::cell(attempt.cell));
            let request = Request::Move(self.a_move(command.clone(), self.turn, action));
            let mover = attempt.seat.index();
            let answer = self.ask_as(mover, request.clone());
            let collided = contains(&answer, b"collided");
            assert_eq!(
                collided, attempt.hit,
                "{}: attempt {number} of {:?}",
                self.which, self.trio
            );
            self.umpire.take(attempt.cell);
            self.turn += 1;
            self.hear(&format!("attempt {number} of seat {}", attempt.seat.number()));
            // The reply may have been lost.
            if self.dice.percent(15) {
                self.ask_as(mover, request);
                self.hear("the same attempt once more");
            }
            if number == look_at && self.dice.percent(60) {
                self.look(true);
                self.come_back();
            }
        }
        self.probe();
    }

    fn end(&mut self) {
        match self.trio.ending {
            Ending::Open => return self.look(true),
            Ending::Resigned(seat) => {
                let command = self.a_command();
                self.ask_as(seat.index(), Request::Resign(command.into()));
            }
            Ending::Aborted(seat) => {
                let command = self.a_command();
                self.ask_as(seat.index(), Request::Abort(command));
            }
            Ending::Time => self.venue.advance(AGES_MS),
            Ending::Left(seat) => {
                let leaver = self.peers[seat.index()].take().expect("nobody has left before");
                self.venue.hang_up(leaver);
                self.hear("somebody leaves");
                self.venue.advance(61_000);
                self.hear("a countdown");
                let command = self.a_command();
                self.ask_as(seat.other().index(), Request::Claim(command));
            }
        }
        self.hear("the end");
        self.look(false);
        self.come_back();
        self.rematch();
        if self.dice.percent(50) {
            self.figures();
        }
    }

    /// The other seats have another game, which starts with a secret of its own.
    fn rematch(&mut self) {
        if self.peers[..2].iter().any(Option::is_none) || self.dice.percent(60) {
            return;
        }
        for seat in [1, 0] {
            let offer = self.an_offer(OfferKind::Rematch);
            self.ask_as(seat, Request::Offer(offer));
            self.hear("a rematch is offered");
        }
        self.watch_as_tab(None);
        self.hear("the next game");
    }

    /// Everything that the viewer has heard since the last time.
    fn hear(&mut self, what: &str) {
        let viewer = self.trio.viewer.index();
        let peer = self.peers[viewer].as_mut().expect("the viewer never leaves");
        for (whose, bytes) in
            [("", self.venue.heard(peer)), (", in the tab", self.venue.heard(&mut self.tab))]
        {
            if !bytes.is_empty() {
                self.told.push((format!("{what}{whose}"), bytes));
            }
        }
    }

    /// Asks something as one of the peers. Gives what that peer hears, unless it is the viewer, whose
    /// bytes are kept for [`Story::hear`].
    fn ask_as(&mut self, who: usize, request: Request) -> Vec<u8> {
        let is_viewer = who == self.trio.viewer.index();
        let peer = self.peers[who].as_mut().expect("somebody who is there");
        if !is_viewer {
            // What others were told before is of no interest.
            self.venue.heard(peer);
        }
        self.venue.ask(peer, request);
        let bytes = self.venue.heard(peer);
        if is_viewer {
            self.told.push((format!("an answer at turn {}", self.turn), bytes.clone()));
        }
        bytes
    }

    fn a_move(&self, command: String, turn: u64, action: Move) -> PlayMove {
        let (table, game) = (self.table.clone(), self.game.clone());
        PlayMove { table, game, command, turn, seat: None, action }
    }

    fn a_command(&mut self) -> GameCommand {
        self.commands += 1;
        let command = format!("c-{}", self.commands);
        GameCommand { table: self.table.clone(), game: self.game.clone(), command }
    }

    fn an_offer(&mut self, kind: OfferKind) -> MakeOffer {
        let GameCommand { table, game, command } = self.a_command();
        MakeOffer { table, game, command, kind }
    }

    /// The seats that the viewer cannot see into now and then try one of their own stones, wherever
    /// that is: it is refused, and nobody else hears of it.
    fn decoy(&mut self) {
        let seat = self.umpire.to_move;
        if self.trio.viewer == Viewer::Seat(seat) || !self.dice.percent(25) {
            return;
        }
        let own = self.umpire.cells(|cell| self.umpire.stone(cell) == Some(seat));
        if let Some(cell) = self.hidden.pick(&own) {
            let GameCommand { command, .. } = self.a_command();
            let action = Move::Place(wire::cell(cell));
            let request = Request::Move(self.a_move(command, self.turn, action));
            let refused = self.ask_as(seat.index(), request);
            assert!(contains(&refused, b"occupied"), "{:?}", String::from_utf8_lossy(&refused));
        }
    }

    /// The viewer tries something that is refused, or has no effect that tells anything.
    fn probe(&mut self) {
        let secret = self.secret_cell();
        let place = |cell: Cell| Move::Place(wire::cell(cell));
        let turn = self.turn;
        let viewer = self.trio.viewer;
        let seat = match viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Both | Viewer::Spectator => None,
        };
        let on_turn = seat == Some(self.umpire.to_move);
        let GameCommand { table, game, command } = self.a_command();
        let command_of =
            |command| GameCommand { table: table.clone(), game: game.clone(), command };
        let request = match self.dice.below(12) {
            0 => Request::Move(self.a_move(command, turn, place(Cell::new(60, 2)))),
            1 => {
                let known = |cell| seat.is_some_and(|seat| self.umpire.knows(seat, cell));
                let known = self.umpire.cells(known);
                let Some(cell) = self.dice.pick(&known) else { return };
                Request::Move(self.a_move(command, turn, place(cell)))
            }
            2 => Request::Move(self.a_move(command, turn + 1, place(secret))),
            3 if turn > 0 => Request::Move(self.a_move(command, turn - 1, place(secret))),
            // On turn it would be an attempt of the game.
            3 | 4 if !on_turn => Request::Move(self.a_move(command, turn, place(secret))),
            5 => Request::Move(self.a_move(command, turn, Move::Swap)),
            6 => Request::Offer(self.an_offer(OfferKind::Takeback)),
            7 => Request::Offer(self.an_offer(OfferKind::Rematch)),
            8 => Request::Claim(command_of(command)),
            9 => Request::GiveTime(command_of(command)),
            10 => Request::Withdraw(WithdrawOffer { table, command, offer: 7 }),
            11 => Request::Answer(AnswerOffer { table, command, offer: 7, accept: true }),
            _ => return self.probe_in_words(secret),
        };
        self.ask_as(viewer.index(), request);
        self.hear("a probe");
    }

    /// The same with frames that no client of ours would send.
    fn probe_in_words(&mut self, secret: Cell) {
        let (viewer, turn) = (self.trio.viewer.index(), self.turn);
        let Story { venue, table, game, .. } = self;
        let peer = self.peers[viewer].as_mut().expect("the viewer never leaves");
        let id = peer.next_id();
        let [row, col] = [secret.row, secret.col];
        let frame = match self.dice.below(3) {
            0 => format!(r#"{{"id":{id},"op":"peek","table":"{table}","cell":[{row},{col}]}}"#),
            1 => format!(
                r#"{{"id":{id},"op":"move","table":"{table}","game":"{game}","command":"x","turn":{turn},"move":{{"cell":[{row},{col}],"peek":true}}}}"#
            ),
            _ => format!(
                r#"{{"id":{id},"op":"move","table":"{table}","game":"{game}","command":"x","turn":{turn},"move":{{"cell":[{row}]}}}}"#
            ),
        };
        if peer.format() == Format::Json {
            venue.say(peer, frame.as_bytes());
            self.hear("an odd probe");
        }
    }

    /// A cell that tells two of the games apart by now, if there is one.
    fn secret_cell(&mut self) -> Cell {
        let so_far = usize::try_from(self.turn).unwrap();
        let [first, second, _] = self
            .trio
            .games
            .each_ref()
            .map(|game| Umpire::after(self.trio.size, self.trio.abrupt, &game[..so_far]));
        let differ = first.differs(&second);
        self.dice.pick(&differ).unwrap_or(Cell::new(1, 1))
    }

    fn watch_as_tab(&mut self, last: Option<Last>) {
        let watch = Watch { table: self.table.clone(), invitation: None, last };
        self.venue.ask(&mut self.tab, Request::Watch(watch));
    }

    /// The viewer comes back from a number, or from every one, their own or others'.
    fn come_back(&mut self) {
        // As many as there are, and some that are yet to come.
        let all = self.turn + 8;
        let viewer = self.trio.viewer;
        let some = self.dice.below(usize::try_from(all).unwrap()) as u64;
        let seqs = if self.dice.percent(15) { 0..all } else { some..some + 1 };
        for seq in seqs {
            self.watch_as_tab(Some(Last { viewer: viewer.wire(), seq }));
            self.hear(&format!("coming back from {seq}"));
        }
        let other = Viewer::ALL[self.dice.below(3)];
        self.watch_as_tab(Some(Last { viewer: other.wire(), seq: some }));
        self.hear("coming back as somebody else");
        if self.dice.percent(30) {
            self.venue.ask(&mut self.tab, Request::Unwatch(Table { table: self.table.clone() }));
            self.watch_as_tab(None);
            self.hear("a fresh view");
        }
    }

    /// The viewer looks at every page, and as somebody who comes only now. What a finished game was
    /// is no secret on its own page, except through the viewer's eyes.
    fn look(&mut self, running: bool) {
        let (table, game) = (&self.table, &self.game);
        let mut pages = vec![format!("/v1/tables/{table}")];
        if self.dice.percent(50) {
            pages.push("/v1/tables".into());
        }
        let format = ["", ".json", ".sgf", ".hexworld", ".hexwiki", ".svg", ".svg?ply=1"];
        let format = format[self.dice.below(format.len())];
        if running {
            pages.push(format!("/v1/games/{game}{format}"));
        } else if let Viewer::Seat(seat) = self.trio.viewer {
            let ply = self.dice.below(usize::try_from(self.turn + 1).unwrap());
            pages.push(format!("/v1/games/{game}.json?as={}", seat.number()));
            pages.push(format!("/v1/games/{game}.svg?as={}&ply={ply}", seat.number()));
        }
        for page in pages {
            let got = self.venue.get(&page, None);
            let again = got.tag().filter(|_| self.dice.percent(30));
            let again = again.map(|tag| self.venue.get(&page, Some(tag)).bytes());
            self.told.push((page, [got.bytes(), again.unwrap_or_default()].concat()));
        }
        if self.dice.percent(60) {
            return;
        }
        let viewer = self.trio.viewer.index();
        let format = self.tab.format();
        let mut late = self.venue.session(&self.tokens[viewer], format);
        let watch = Watch { table: self.table.clone(), invitation: None, last: None };
        self.venue.ask(&mut late, Request::Watch(watch));
        self.told.push(("whoever comes late".into(), self.venue.heard(&mut late)));
        self.venue.ask(&mut late, Request::Unwatch(Table { table: self.table.clone() }));
        self.hear("whoever came late goes");
    }

    /// The server's figures, in an order of ours.
    fn figures(&mut self) {
        let got = self.venue.get("/metrics", None);
        let text = String::from_utf8(got.body).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_unstable();
        self.told.push(("/metrics".into(), lines.join("\n").into_bytes()));
    }
}

/// The replies among a server's frames.
pub fn replies(format: Format, bytes: &[u8]) -> impl Iterator<Item = Reply> {
    payloads(bytes).filter_map(move |payload| match decode_server(format, payload) {
        Ok(ServerFrame::Reply(frame)) => Some(frame.reply),
        _ => None,
    })
}

fn contains(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}

/// Where the tellings part, in words; none if they do not.
pub fn parting(trio: &Trio, tellings: &[Told; 3]) -> Option<String> {
    let first = &tellings[0];
    let other = tellings.iter().position(|told| told != first)?;
    let told = [first, &tellings[other]];
    let common = told[0].iter().zip(told[1]).take_while(|(one, other)| one == other).count();
    let Trio { seed, viewer, size, abrupt, ending, .. } = trio;
    let mut words = format!(
        "{viewer:?} can tell two games apart: HEXHALL_SEED={seed} plays them again\n\
         {size}, abrupt: {abrupt}, ending: {ending:?}\n"
    );
    for (game, told) in [&trio.games[0], &trio.games[other]].into_iter().zip(told) {
        let attempts = game.iter().map(|it| {
            let hit = if it.hit { "!" } else { "" };
            format!("{}:{}{hit}", it.seat.number(), it.cell)
        });
        let attempts: Vec<_> = attempts.collect();
        let (what, heard) = match told.get(common) {
            Some((what, bytes)) => (what.as_str(), bytes.escape_ascii().to_string()),
            None => ("the end", "nothing".into()),
        };
        words += &format!("game: {}\nthen, at {what}: {heard}\n", attempts.join(" "));
    }
    Some(words)
}
